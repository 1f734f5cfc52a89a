// What a gesture means (docs/rules.md, "What a client's gestures mean").
//
// Each function returns a judgement, or null where the gesture means nothing, and throws RangeError
// for a place that the variant does not have. `cards` counts from the touched card to the top of
// its pile.

import { KING, rankOf } from "../cards.js";
import { CELL_LETTERS, COLUMN_LETTERS, groupText } from "./movetext.js";

/** @import { Judgement, Position } from "#web/rules/position.js" */

/** @param {string} place */
const isFoundation = (place) => place.length === 2;

/**
 * Judge a token; null unless it is legal and canonical as it stands.
 * @param {Position} position
 * @param {string} token
 */
function legal(position, token) {
  const judged = position.judge(token);
  return judged.text === token ? judged : null;
}

/**
 * A tap on the top card of a place, or on the stock.
 * @param {Position} position
 * @param {string} place
 * @returns {Judgement | null} of a legal action
 */
export function tap(position, place) {
  if (isFoundation(place)) return null;
  const count = position.pile(place).length;
  const onStock = count ? "D" : "R";
  return legal(position, place === "stock" ? onStock : `${place}h`);
}

/**
 * A double tap on a card of a place, or on the stock.
 * @param {Position} position
 * @param {string} place
 * @param {number} [cards]
 * @returns {Judgement | null} of a legal action
 */
export function doubleTap(position, place, cards = 1) {
  if (place === "stock") return tap(position, place);
  const pile = position.pile(place);
  if (isFoundation(place) || !(cards > 0 && cards <= pile.length)) return null;
  const { columns, cells } = position.variant;
  /** @param {string} column */
  const lengthOf = (column) => position.pile(column).length;
  // Only a king enters the empty columns, which come last.
  const isKing = rankOf(pile[pile.length - cards]) === KING;
  const targets = [...COLUMN_LETTERS.slice(0, columns)]
    .filter((column) => column !== place && (isKing || lengthOf(column)))
    .sort((one, other) => lengthOf(other) - lengthOf(one));
  if (cards === 1) {
    targets.unshift("h");
    if (COLUMN_LETTERS.includes(place)) targets.push(...CELL_LETTERS.slice(0, cells));
  }
  for (const target of targets) {
    const judged = legal(position, place + target + groupText(cards));
    if (judged) return judged;
  }
  return null;
}

/**
 * A drag from one place to another, legal or not: the refusal then says why.
 * @param {Position} position
 * @param {string} source
 * @param {string} destination
 * @param {number} [cards]
 * @returns {Judgement | null}
 */
export function drop(position, source, destination, cards = 1) {
  if (source === destination || source === "stock" || destination === "stock") return null;
  if (!(cards > 0 && cards <= position.pile(source).length)) return null;
  const token = source + (isFoundation(destination) ? "h" : destination) + groupText(cards);
  const judged = position.judge(token);
  // Legal, but not canonical: the table moves the whole run with this card.
  return judged.refusal || judged.text === token ? judged : null;
}
