// Places, moves and results in words: for screen readers, for the replay, for sharing.

import { rankOf, suitOf } from "./cards.js";
import { cardLabel, gettext, interpolate, ngettext } from "./i18n.js";

/** @import { Applied, Position } from "#web/rules/position.js" */

/**
 * Return a card's name in words.
 * @param {number | undefined} id
 */
export const nameOf = (id) => (id === undefined ? "" : cardLabel(rankOf(id), suitOf(id)));

/**
 * Return the name of a place.
 * @param {string} place
 */
function placeName(place) {
  if (place === "stock") return gettext("stock");
  if (place === "w") return gettext("waste");
  if (place.startsWith("h")) {
    return place === "h"
      ? gettext("foundations")
      : interpolate(gettext("foundation %(number)s"), { number: place[1] });
  }
  if (place >= "1" && place <= "9")
    return interpolate(gettext("column %(number)s"), { number: place });
  return interpolate(gettext("cell %(letter)s"), { letter: place });
}

/**
 * Return the cards at a place, as one sentence.
 * @param {Position} position
 * @param {string} place
 */
export function placeLabel(position, place) {
  const name = placeName(place);
  const pile = position.pile(place);
  if (!pile.length) return interpolate(gettext("%(place)s: empty"), { place: name });
  const count = interpolate(ngettext("%(count)s card", "%(count)s cards", pile.length), {
    count: pile.length,
  });
  const faceDown = position.faceDown(place);
  if (faceDown === pile.length) {
    return interpolate(gettext("%(place)s: %(cards)s, face down"), { place: name, cards: count });
  }
  const top = nameOf(pile.at(-1));
  if (place < "1" || place > "9")
    return interpolate(gettext("%(place)s: %(card)s"), { place: name, card: top });
  // Deepest face-up card first, as a reader sees the column from top to bottom.
  const shown = pile.slice(faceDown).map((id) => nameOf(id));
  return faceDown
    ? interpolate(gettext("%(place)s: %(count)s face down, then %(cards)s"), {
        place: name,
        count: faceDown,
        cards: shown.join(", "),
      })
    : interpolate(gettext("%(place)s: %(cards)s"), { place: name, cards: shown.join(", ") });
}

/**
 * Return what an action did, as one or two sentences.
 * @param {Applied} change
 */
export function changeText({ source, destination, cards, turnedUp, undo }) {
  let text;
  if (undo || source === null || destination === null) text = gettext("Undone.");
  else if (source === "stock") {
    text = interpolate(gettext("Drawn: %(card)s."), { card: nameOf(cards.at(-1)) });
  } else if (destination === "stock") text = gettext("The waste is the stock again.");
  else {
    text = interpolate(gettext("%(card)s: %(source)s to %(destination)s."), {
      card: cards.map((id) => nameOf(id)).join(", "),
      source: placeName(source),
      destination: placeName(destination),
    });
  }
  if (turnedUp !== null && !undo) {
    text += ` ${interpolate(gettext("Turned up: %(card)s."), { card: nameOf(turnedUp) })}`;
  }
  return text;
}
