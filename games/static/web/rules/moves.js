// What an action does to a position, or the code of its refusal (docs/rules.md).

import { isRed, KING, rankOf, suitOf } from "../cards.js";
import {
  ANY_FOUNDATION,
  CELL,
  FOUNDATION,
  hasPlace,
  kindOf,
  MEMORY,
  STOCK,
  WASTE,
} from "./movetext.js";

/** @import { RefusalCode } from "#web/rules/codes.js" */
/** @import { Variant } from "#web/rules/deals.js" */
/** @import { Action } from "#web/rules/movetext.js" */
/** @import { Position } from "#web/rules/position.js" */

/**
 * @typedef {object} Change
 * @property {number} source
 * @property {number} destination
 * @property {number} count how many cards move
 * @property {number} points
 * @property {boolean} turned whether it turns a card of its source face up
 */

// Points (docs/rules.md, "Score"). A card taken back from a foundation keeps its points in the
// score and loses them in the ranked score.
export const FOUNDATION_POINTS = 10;
const WASTE_POINTS = 5;
const TURNED_POINTS = 5;

/**
 * What the columns of a game do in their own way.
 * @typedef {object} Game
 * @property {(card: number, below: number) => RefusalCode | null} misfit why a card may not lie on
 *   another one, but for its rank
 * @property {(position: Position, action: Action) => Change | RefusalCode} judgeGroup whether cards
 *   go from column to column
 * @property {(column: number[], faceDown: number) => number} longestRun how many cards at the end
 *   of a column (not empty) can be picked up as one
 */

/** @type {Record<Variant["game"], Game>} */
export const GAMES = {
  "easy-harp": {
    misfit: (card, below) => (isRed(card) === isRed(below) ? "column.same_colour" : null),
    judgeGroup: judgeKingRun,
    longestRun: (column, faceDown) =>
      rankOf(column[faceDown]) === KING ? column.length - faceDown : 1,
  },
  "eight-off": {
    misfit: (card, below) => (suitOf(card) === suitOf(below) ? null : "column.wrong_suit"),
    judgeGroup: judgeSuitRun,
    longestRun: suitRun,
  },
};

/**
 * Return the change that an action makes (null for an undo), or the code of its refusal.
 * @param {Position} position
 * @param {Action} action
 * @returns {Change | RefusalCode | null}
 */
export function judge(position, action) {
  const { variant, piles } = position;
  const { source, destination, stated } = action;
  if (action.error) return action.error;
  if (position.won) return "game.over";
  if (source === MEMORY) return judgeUndo(position, action);
  for (const place of [source, destination]) {
    if (!hasPlace(variant, place)) return `${kindOf(place)}.no_such`;
  }
  if (source === STOCK) return judgeDraw(position, action);
  if (destination === STOCK) return judgeRecycle(position);
  if (destination === WASTE) return "waste.no_entry";
  if (source >= FOUNDATION && destination === ANY_FOUNDATION) return "foundation.no_exchange";
  if (source === destination) return source < CELL ? "column.same_column" : "cell.same_cell";
  if (!piles[source].length) return `${kindOf(source)}.empty`;
  if (destination < CELL) return judgeToColumn(position, action);
  if (stated) return "group.single_only";
  if (destination === ANY_FOUNDATION) return judgeToFoundation(position, source);
  return piles[destination].length ? "cell.occupied" : toChange(position, source, destination);
}

/**
 * @param {Position} position
 * @param {number} source
 * @param {number} destination
 * @returns {Change}
 */
function toChange({ piles, hidden }, source, destination, count = 1, points = 0) {
  const turned = hidden[source] > 0 && hidden[source] === piles[source].length - count;
  return { source, destination, count, points: points + (turned ? TURNED_POINTS : 0), turned };
}

// docs/rules.md, "Undo"
/**
 * @param {Position} position
 * @param {Action} action
 * @returns {RefusalCode | null}
 */
function judgeUndo({ moves, undos, remembered }, { actions }) {
  if (actions <= remembered) return null;
  return moves - undos > remembered ? "undo.limit" : "undo.nothing";
}

// docs/rules.md, "Stock and waste"
/**
 * @param {Position} position
 * @param {Action} action
 */
function judgeDraw(position, { actions }) {
  const stock = position.piles[STOCK].length;
  if (actions <= stock) return toChange(position, STOCK, WASTE, actions);
  // Draws that empty the stock leave a waste that can be turned over.
  return stock || position.piles[WASTE].length ? "stock.empty" : "stock.nothing_left";
}

/** @param {Position} position */
function judgeRecycle(position) {
  if (position.piles[STOCK].length) return "stock.not_empty";
  const count = position.piles[WASTE].length;
  return count ? toChange(position, WASTE, STOCK, count) : "stock.nothing_left";
}

// docs/rules.md, "Foundations": the first place of the suit that accepts the card
/**
 * @param {Position} position
 * @param {number} source
 */
function judgeToFoundation(position, source) {
  const { piles, variant } = position;
  const card = topOf(piles[source]);
  const copies = variant.deckSize / 52;
  const first = FOUNDATION + copies * suitOf(card);
  for (let place = first; place < first + copies; place++) {
    if (piles[place].length === rankOf(card)) {
      return toChange(position, source, place, 1, FOUNDATION_POINTS);
    }
  }
  return "foundation.not_next";
}

// docs/rules.md, "Columns"
/**
 * @param {Position} position
 * @param {Action} action
 */
function judgeToColumn(position, action) {
  const { piles, variant } = position;
  const { source, destination } = action;
  if (source < CELL) return GAMES[variant.game].judgeGroup(position, action);
  const refusal = misfit(variant, topOf(piles[source]), piles[destination]);
  if (refusal) return refusal;
  return toChange(position, source, destination, 1, source === WASTE ? WASTE_POINTS : 0);
}

/**
 * Return why a card may not go onto a column, or null.
 * @param {Variant} variant
 * @param {number} card
 * @param {number[]} column
 * @returns {RefusalCode | null}
 */
function misfit(variant, card, column) {
  if (!column.length) return rankOf(card) === KING ? null : "column.king_only";
  const below = topOf(column);
  const refusal = GAMES[variant.game].misfit(card, below);
  return refusal ?? (rankOf(card) === rankOf(below) - 1 ? null : "column.wrong_rank");
}

// Easy Harp: one card onto a card, or a king run whole to an empty column
/** @type {Game["judgeGroup"]} */
function judgeKingRun(position, { source, destination, stated }) {
  const { piles, hidden, variant } = position;
  const column = piles[source];
  let count = 1;
  if (!piles[destination].length) {
    // All face-up cards are one run: cards join it only in alternating colours.
    count = column.length - hidden[source];
  } else if (stated) {
    return "group.one_at_a_time";
  }
  const refusal = misfit(variant, column[column.length - count], piles[destination]);
  if (refusal) return refusal;
  if (stated && stated !== count) return "group.wrong_count";
  return toChange(position, source, destination, count);
}

// docs/rules.md, "Groups": the table decides how many cards of the run move
/** @type {Game["judgeGroup"]} */
function judgeSuitRun(position, { source, destination, stated }) {
  const { piles, variant } = position;
  const column = piles[source];
  const target = piles[destination];
  const run = suitRun(column);
  if (stated > run) return "group.not_a_run";
  const count = target.length ? topOf(target) - topOf(column) : run;
  if (count < 1 || count > run || misfit(variant, column[column.length - count], target)) {
    // No card fits: the first card of the requested group says why.
    const asked = column[column.length - (stated || 1)];
    return /** @type {RefusalCode} */ (misfit(variant, asked, target));
  }
  if (stated && stated !== count) return "group.wrong_count";
  /**
   * @param {number} first
   * @param {number} places
   */
  const empty = (first, places) =>
    piles.slice(first, first + places).filter((pile) => !pile.length).length;
  const emptyColumns = empty(0, variant.columns) - (target.length ? 0 : 1);
  const longest = (empty(CELL, variant.cells) + 1) << emptyColumns;
  if (count > 1 && count > longest) return "group.too_long";
  return toChange(position, source, destination, count);
}

/**
 * Return how many cards at the end of a column (not empty) form a run of one suit.
 * @param {number[]} column
 */
function suitRun(column) {
  let first = column.length - 1;
  while (first > 0 && rankOf(column[first]) !== KING && column[first - 1] === column[first] + 1) {
    first -= 1;
  }
  return column.length - first;
}

/** @param {number[]} pile not empty */
const topOf = (pile) => pile[pile.length - 1];
