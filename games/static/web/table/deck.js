// The deck, drawn as vectors: every rank, suit and court emblem is a path of our own.
//
// A face is a 60 by 84 drawing. Its first 24 units of height hold rank and suit side by side, so
// that a strip of a card still shows both. Rank letters follow the language only here:
// notation and logs have A 2..9 T J Q K only.
//
// Faces are images for `background-image`: a card is one element, and the browser draws the same
// picture again instead of the shapes of a hundred cards.

import { rankLetters } from "../i18n.js";
import { element } from "../ui.js";

// Distinct on white and on felt; the same in both themes, like the cards.
/** @type {Record<string, Record<string, string>>} */
const COLOURS = {
  two: { s: "#1c2430", h: "#c3232f", d: "#c3232f", c: "#1c2430" },
  four: { s: "#1c2430", h: "#c3232f", d: "#1b5fbf", c: "#1c7a3d" },
};
const PAPER = "#fbf7ee";
const BACK_GROUND = "#a8491a";
const BACK_LINE = "#f6dcb4";
const RANKS = "A23456789TJQK";
const SUIT_LETTERS = "shdc"; // in the order of the suits

// Each on a grid of 24 by 24, filled.
/** @type {Record<string, string>} */
const SUITS = {
  s: "M12 1.5C9.2 6 3 9.3 3 14.4a4.4 4.4 0 0 0 7.7 2.9c-.2 2.2-1.1 3.9-2.7 5.2h8c-1.6-1.3-2.5-3-2.7-5.2a4.4 4.4 0 0 0 7.7-2.9C21 9.3 14.8 6 12 1.5z",
  h: "M12 22C6.7 17.2 2 13.4 2 8.5A5.3 5.3 0 0 1 12 5.9a5.3 5.3 0 0 1 10 2.6c0 4.9-4.7 8.7-10 13.5z",
  d: "M12 1c2.2 4.3 5 8.1 8.5 11-3.5 2.9-6.3 6.7-8.5 11-2.2-4.3-5-8.1-8.5-11C7 9.1 9.8 5.3 12 1z",
  c: "M12 1.5a4.7 4.7 0 0 0-4 7.2 4.7 4.7 0 1 0 2.7 8.4c-.2 2.2-1.1 4-2.7 5.4h8c-1.6-1.4-2.5-3.2-2.7-5.4A4.7 4.7 0 1 0 16 8.7a4.7 4.7 0 0 0-4-7.2z",
};

const PEN =
  'fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round" stroke-width="3.4"';

// Each 20 high, drawn with a round pen; the number is the width.
/** @type {Record<string, [number, string]>} */
const GLYPHS = {
  A: [14, "M1 20 7 1l6 19M3.3 13.5h7.4"],
  2: [14, "M1.5 6C1.5 3 4 1 7 1s5.5 2 5.5 5c0 4.5-8.5 8-11 14H13"],
  3: [14, "M1.5 1h11L7 8.2c3.8 0 6 2.5 6 5.7A6 6 0 0 1 1 15"],
  4: [14, "M9.5 20V1L1 14.5h12.5"],
  5: [14, "M12 1H3L2 9.3c5-2.7 11-.6 11 4.9A5.8 5.8 0 0 1 1.3 16"],
  6: [14, "M11 1C5 4 1 8.8 1 14a6 6 0 1 0 12 0c0-6.2-9.5-7.8-11.7-1.5"],
  7: [14, "M1 1h12L5 20"],
  8: [
    14,
    "M7 9.3C4.4 9.3 2.6 7.5 2.6 5.1S4.4 1 7 1s4.4 1.7 4.4 4.1S9.6 9.3 7 9.3c-3.5 0-6 2.2-6 5.3S3.5 20 7 20s6-2.3 6-5.4-2.5-5.3-6-5.3z",
  ],
  9: [14, "M3 20c6-3 10-7.8 10-13A6 6 0 1 0 1 7c0 6.2 9.5 7.8 11.7 1.5"],
  10: [19, "M1 4.5 4.5 1v19M14 1c-3 0-4.7 4-4.7 9.5S11 20 14 20s4.7-4 4.7-9.5S17 1 14 1z"],
  J: [13, "M11 1v13A5 5 0 0 1 1 14.5"],
  Q: [15, "M7 1C3.4 1 1 4.8 1 10.5S3.4 20 7 20s6-3.8 6-9.5S10.6 1 7 1zM8.5 14.5l5 6"],
  K: [14, "M2 1v19M12.5 1 2 12.5M5.7 8.8 13 20"],
  F: [13, "M2 20V1h10.5M2 10h8.5"],
  D: [14, "M2 1v19h3.5c4.5 0 7.5-3.8 7.5-9.5S10 1 5.5 1z"],
  R: [14, "M2 20V1h5.3a5 5 0 0 1 0 10.2H2M7.3 11.2 13 20"],
};

// Court emblems on a grid of 40 by 36: a cap with a feather, a tiara, a crown.
/** @type {Record<number, string>} */
const EMBLEMS = {
  10: `<path d="M5 30c1-9 6-14 14-15 7-1 12 2 15 8-5-1-8 0-9 3 4 0 7 1 9 4z"/><path ${PEN} d="M20 15C20 8 25 4 35 3c-1 7-5 11-13 12"/><path ${PEN} d="M5 34h29"/>`,
  11: `<path d="M4 30C4 22 3 16 2 11c4 2 7 5 9 9 1-7 4-12 9-16 5 4 8 9 9 16 2-4 5-7 9-9-1 5-2 11-2 19z"/><circle fill="${PAPER}" cx="20" cy="19" r="3.2"/><path ${PEN} d="M4 34h32"/>`,
  12: `<path d="M4 30 2 9l10 9 8-15 8 15 10-9-2 21z"/><circle cx="2.5" cy="7" r="2.5"/><circle cx="37.5" cy="7" r="2.5"/><circle fill="${PAPER}" cx="12" cy="24" r="2"/><circle fill="${PAPER}" cx="20" cy="22" r="2.6"/><circle fill="${PAPER}" cx="28" cy="24" r="2"/><path ${PEN} d="M4 34h32"/>`,
};

// Strings of a harp between two rails.
const BACK =
  `<rect width="60" height="84" rx="5" fill="${BACK_GROUND}"/>` +
  `<g fill="none" stroke="${BACK_LINE}" stroke-linecap="round">` +
  '<rect x="4" y="4" width="52" height="76" rx="3.5" stroke-width="1.4"/>' +
  '<path stroke-width="1.1" d="M12 70V38M18 70V28M24 70V21M30 70V16M36 70V13M42 70V11M48 70V10"/>' +
  '<path stroke-width="3" d="M9 36C16 22 28 11 51 8M9 73h42"/></g>';

/**
 * Return a part as a drawing within a drawing.
 * @param {string} box its own grid
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {string} content
 */
const part = (box, x, y, width, height, content) =>
  `<svg viewBox="${box}" x="${x}" y="${y}" width="${width}" height="${height}">${content}</svg>`;

/**
 * @param {string} letter
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
const suitPart = (letter, x, y, size) =>
  part("0 0 24 24", x, y, size, size, `<path d="${SUITS[letter]}"/>`);

/**
 * Return the colour of a suit in the deck that the player has chosen.
 * @param {string} letter
 */
const colourOf = (letter) => COLOURS[document.documentElement.dataset.deck ?? "two"][letter];

/**
 * @param {string} box
 * @param {string} colour
 * @param {string} content
 */
const image = (box, colour, content) => {
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" fill="${colour}" color="${colour}">` +
    `${content}</svg>`;
  return `url("data:image/svg+xml,${encodeURIComponent(svg)}")`;
};

/**
 * Return the image of a card's face.
 * @param {number} rank 0 to 12
 * @param {number} suit 0 to 3
 */
export function face(rank, suit) {
  const letter = SUIT_LETTERS[suit];
  const [width, path] = GLYPHS[rankLetters()[rank]];
  const glyph = `<path ${PEN} d="${path}"/>`;
  const index =
    part(`-2 -2 ${width + 4} 25`, 4, 3.5, (21 / 25) * (width + 4), 21, glyph) +
    suitPart(letter, 37, 4, 19);
  let middle;
  if (rank === 0) middle = suitPart(letter, 9, 31, 42);
  else if (rank < 10) middle = suitPart(letter, 15, 39, 30);
  else {
    middle =
      '<rect opacity=".09" x="6" y="29" width="48" height="49" rx="5"/>' +
      part("-2 0 44 37", 11, 32, 38, 29, EMBLEMS[rank]) +
      suitPart(letter, 23, 62, 14);
  }
  return image("0 0 60 84", colourOf(letter), index + middle);
}

/** Return the image of a card's back. */
export const back = () => image("0 0 60 84", BACK_LINE, BACK);

/**
 * Return the image of a suit in a colour, or in that of the deck.
 * @param {number} suit 0 to 3
 * @param {string} [colour]
 */
export function suitImage(suit, colour) {
  const letter = SUIT_LETTERS[suit];
  return image("0 0 24 24", colour ?? colourOf(letter), `<path d="${SUITS[letter]}"/>`);
}

/**
 * Draw the cards that a figure names: `data-cards="8S 7H | KD ??"`, with `|` between columns and
 * `??` for a face-down card. The text of the figure stays for screen readers.
 * @param {HTMLElement} figure
 */
export function drawFigure(figure) {
  const table = element("span", { class: "figure-columns", "aria-hidden": "true" });
  for (const column of (figure.dataset.cards ?? "").split("|")) {
    const pile = element("span", { class: "figure-column" });
    for (const name of column.trim().split(/\s+/).filter(Boolean)) {
      const [rank, suit] = [RANKS.indexOf(name[0]), SUIT_LETTERS.indexOf(name[1].toLowerCase())];
      const card = element("span", { class: suit < 0 ? "figure-card is-down" : "figure-card" });
      card.style.backgroundImage = suit < 0 ? back() : face(rank, suit);
      pile.append(card);
    }
    table.append(pile);
  }
  figure.querySelector(".figure-columns")?.remove();
  figure.classList.add("is-drawn");
  figure.prepend(table);
}
