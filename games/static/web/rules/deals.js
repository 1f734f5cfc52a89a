// The variants, and their deals: codes, shuffle and setup (docs/rules.md).

/** @import { CodeErrorCode } from "#web/rules/codes.js" */

export const MAX_NUMBER = 999_999;

/** Not a deal code. */
export class CodeError extends Error {
  /** @param {CodeErrorCode} code */
  constructor(code) {
    super(code);
    this.name = "CodeError";
    this.code = code;
  }
}

// --- Variants

/**
 * @typedef {object} Variant
 * @property {string} slug
 * @property {"easy-harp" | "eight-off"} game whose rules hold: `DEALERS` here, `GAMES` in moves.js
 * @property {string} codePrefix
 * @property {number} deckSize
 * @property {number} columns
 * @property {number} cells
 * @property {number} foundations
 * @property {boolean} hasStock whether there are a stock and a waste
 * @property {number} maxRankedScore
 */

/** @type {Variant} */
const EASY_HARP = Object.freeze({
  slug: "easy-harp",
  game: "easy-harp",
  codePrefix: "EH1-N",
  deckSize: 104,
  columns: 9,
  cells: 0,
  foundations: 8,
  hasStock: true,
  maxRankedScore: 1515,
});

/**
 * @param {string} slug
 * @param {number} cells
 * @returns {Variant}
 */
const eightOff = (slug, cells) =>
  Object.freeze({
    slug,
    game: "eight-off",
    codePrefix: `EO1-C${cells}`,
    deckSize: 52,
    columns: 8,
    cells,
    foundations: 4,
    hasStock: false,
    maxRankedScore: 520,
  });

/**
 * The variants by slug; without a prototype, so that no other text finds anything.
 * @type {Readonly<Record<string, Variant>>}
 */
export const VARIANTS = Object.freeze(
  Object.assign(Object.create(null), {
    "easy-harp": EASY_HARP,
    "eight-off": eightOff("eight-off", 8),
    "eight-off-4": eightOff("eight-off-4", 4),
    "eight-off-2": eightOff("eight-off-2", 2),
  }),
);

// --- Codes (docs/rules.md, "Deals and deal codes")

/**
 * @typedef {object} Deal
 * @property {Variant} variant
 * @property {number} number from 1 to MAX_NUMBER
 * @property {string} text its code, in canonical form
 */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const UNPADDED = /[^ \t\n\r\f\v](?:[\s\S]*[^ \t\n\r\f\v])?/; // ASCII spaces only

/**
 * Return the deal that a code names. Throws CodeError for any other text.
 * @param {string} text
 * @returns {Deal}
 */
export function parseCode(text) {
  // ASCII letters only: toUpperCase() would make an I of a dotless i.
  const upper = (UNPADDED.exec(text)?.[0] ?? "").replace(/[a-z]/g, (a) => a.toUpperCase());
  const [game, name, letters, ...rest] = upper.split("-");
  if (letters === undefined || rest.length) throw new CodeError("code.format");
  if (!/^E[HO]/.test(game)) throw new CodeError("code.unknown_game");
  if (game.slice(2) !== "1") throw new CodeError("code.unknown_version");
  const prefix = `${game}-${name}`;
  const variant = Object.values(VARIANTS).find(({ codePrefix }) => codePrefix === prefix);
  if (!variant) throw new CodeError("code.unknown_variant");
  const digits = Array.from(letters, (letter) => ALPHABET.indexOf(letter));
  if (digits.length !== 7) throw new CodeError("code.length");
  if (digits.includes(-1)) throw new CodeError("code.letter");
  const number = digits.reduce((sum, digit) => sum * 32 + digit, 0);
  return { variant, number, text: dealCode(variant.slug, number) };
}

/**
 * Return the code of a deal. Throws CodeError for a number that is not from 1 to MAX_NUMBER.
 * @param {string} slug of the variant
 * @param {number} number
 */
export function dealCode(slug, number) {
  if (!(Number.isInteger(number) && number >= 1 && number <= MAX_NUMBER)) {
    throw new CodeError("code.range");
  }
  let letters = "";
  for (let shift = 30; shift >= 0; shift -= 5) letters += ALPHABET[(number >> shift) & 31];
  return `${VARIANTS[slug].codePrefix}-${letters}`;
}

// --- Shuffle (docs/rules.md, "Shuffle")

/**
 * @param {number} initstate
 * @param {number} initseq
 */
function pcg32(initstate, initseq) {
  const increment = (BigInt(initseq) << 1n) | 1n;
  /** @param {bigint} state */
  const next = (state) => BigInt.asUintN(64, state * 6364136223846793005n + increment);
  let state = next(increment + BigInt(initstate));
  return () => {
    const mixed = Number(BigInt.asUintN(32, ((state >> 18n) ^ state) >> 27n));
    const rotation = Number(state >> 59n);
    state = next(state);
    return ((mixed >>> rotation) | (mixed << (-rotation & 31))) >>> 0;
  };
}

/**
 * @param {number} number
 * @param {number} size
 */
function shuffledDeck(number, size) {
  const deck = [...Array(size).keys()];
  const random = pcg32(number, size);
  for (let bound = size; bound > 1; bound--) {
    let drawn;
    // Draw again below this number, so that every remainder is equally likely.
    do drawn = random();
    while (drawn < 2 ** 32 % bound);
    const chosen = drawn % bound;
    [deck[chosen], deck[bound - 1]] = [deck[bound - 1], deck[chosen]];
  }
  return deck;
}

// --- Setup (docs/rules.md, "Setup")

/**
 * @typedef {object} Setup
 * @property {number[][]} columns the deepest card first
 * @property {number[]} faceDown how many cards of each column
 * @property {number[]} stock the next card first
 * @property {number[]} cells the cards of the first cells
 */

/**
 * How each game is dealt from a shuffled deck.
 * @type {Record<Variant["game"], (deck: number[], variant: Variant) => Setup>}
 */
const DEALERS = { "easy-harp": dealEasyHarp, "eight-off": dealEightOff };

/** @type {(typeof DEALERS)["easy-harp"]} */
function dealEasyHarp(deck, variant) {
  const columns = emptyColumns(variant);
  const cards = deck.values();
  for (let row = 0; row < variant.columns; row++) {
    for (const column of columns.slice(row))
      column.push(/** @type {number} */ (cards.next().value));
  }
  return { columns, faceDown: [...columns.keys()], stock: [...cards], cells: [] };
}

/** @type {(typeof DEALERS)["eight-off"]} */
function dealEightOff(deck, variant) {
  const columns = emptyColumns(variant);
  const last = deck.splice(48);
  deck.forEach((card, at) => {
    columns[at % 8].push(card);
  });
  // Cards without a cell go on the columns, from the third on.
  last.splice(variant.cells).forEach((card, at) => {
    columns[at + 2].push(card);
  });
  return { columns, faceDown: columns.map(() => 0), stock: [], cells: last };
}

/**
 * @param {Variant} variant
 * @returns {number[][]}
 */
const emptyColumns = (variant) => Array.from({ length: variant.columns }, () => []);

/**
 * Return the layout before the first action.
 * @param {Deal} deal
 * @returns {Setup}
 */
export function lay({ variant, number }) {
  return DEALERS[variant.game](shuffledDeck(number, variant.deckSize), variant);
}
