// Places, and the notation of actions at them (docs/contract.md, "Movetext").

/** @import { LimitErrorCode, RefusalCode } from "#web/rules/codes.js" */
/** @import { Variant } from "#web/rules/deals.js" */

export const MAX_ACTIONS = 20_000;
export const MAX_LOG_BYTES = 64 * 1024;

/** A log over the limits. */
class LimitError extends Error {
  /** @param {LimitErrorCode} code */
  constructor(code) {
    super(code);
    this.name = "LimitError";
    this.code = code;
  }
}

// --- Places

// Numbers from 0, the same in both games, so that one list of piles holds them all.
export const COLUMN_LETTERS = "123456789";
export const CELL_LETTERS = "abcdefgk"; // h is taken by the foundations
const OTHERS = "stock w h1 h2 h3 h4 h5 h6 h7 h8 h".split(" ");
export const LETTERS = [...COLUMN_LETTERS, ...CELL_LETTERS, ...OTHERS];
export const CELL = 9;
export const STOCK = 17;
export const WASTE = 18;
export const FOUNDATION = 19;
export const ANY_FOUNDATION = 27; // as a destination: the card decides which
export const MEMORY = -1; // where an undo comes from
const NUMBERS = new Map(LETTERS.map((letters, place) => [letters, place]));

/** @param {string} letters */
const numberOf = (letters) => NUMBERS.get(letters) ?? ANY_FOUNDATION;

/** @param {number} place */
export function kindOf(place) {
  if (place < CELL) return "column";
  if (place < STOCK) return "cell";
  if (place === STOCK) return "stock";
  return place === WASTE ? "waste" : "foundation";
}

/**
 * @param {Variant} variant
 * @param {number} place
 */
export function hasPlace(variant, place) {
  if (place < CELL) return place < variant.columns;
  if (place < STOCK) return place - CELL < variant.cells;
  if (place < FOUNDATION) return variant.hasStock;
  return place === ANY_FOUNDATION || place - FOUNDATION < variant.foundations;
}

/**
 * Return the number of a place where cards can lie. Throws RangeError for one that the variant has
 * not.
 * @param {Variant} variant
 * @param {string} letters
 */
export function placeOf(variant, letters) {
  const place = numberOf(letters);
  if (place !== ANY_FOUNDATION && hasPlace(variant, place)) return place;
  throw new RangeError(`${variant.slug} has no place ${letters}`);
}

// --- Tokens

/**
 * A token, taken apart. A malformed one has `text` and `error`; its places mean nothing.
 * @typedef {object} Action
 * @property {number} source
 * @property {number} destination
 * @property {number} stated the number of cards after `v`, or 0
 * @property {number} actions how many actions it stands for
 * @property {string} [text]
 * @property {RefusalCode} [error]
 */

const TOKEN = /[^ \t\n\r\f\v]+/g;
const REPEATED = /^([DU])([0-9]*)$/;
const MOVE = /^(h[1-8]|[1-9a-gkw])([1-9a-gkwh])(v[\s\S]*)?$/;

/**
 * @param {number} source
 * @param {number} destination
 * @returns {Action}
 */
const toAction = (source, destination, stated = 0, actions = 1) => ({
  source,
  destination,
  stated,
  actions,
});

/**
 * @param {string} text
 * @param {RefusalCode} error
 * @returns {Action}
 */
const malformed = (text, error) => ({ ...toAction(MEMORY, MEMORY), text, error });

/**
 * @param {string} text
 * @returns {Action}
 */
export function parseToken(text) {
  const [, letter, digits] = REPEATED.exec(text) ?? [];
  if (letter) {
    if (digits[0] === "0") return malformed(text, "notation.count");
    // Six digits are already over the limit, whatever follows.
    const actions = Number(digits.slice(0, 6) || 1);
    return letter === "D"
      ? toAction(STOCK, WASTE, 0, actions)
      : toAction(MEMORY, MEMORY, 0, actions);
  }
  if (text === "R") return toAction(WASTE, STOCK);
  const [, source, destination, group] = MOVE.exec(text) ?? [];
  if (!source) return malformed(text, "notation.token");
  if (group && !/^[1-9].v[2-9a-d]$/.test(text)) return malformed(text, "notation.group");
  const stated = group ? parseInt(group[1], 16) : 0;
  return toAction(numberOf(source), numberOf(destination), stated);
}

/** @param {Action} action */
export function formatAction({ text, source, destination, stated, actions }) {
  if (text !== undefined) return text;
  if (source === STOCK || source === MEMORY) {
    return (source === STOCK ? "D" : "U") + (actions > 1 ? actions : "");
  }
  if (destination === STOCK) return "R";
  return LETTERS[source] + LETTERS[destination] + groupText(stated);
}

/** @param {number} cards */
export const groupText = (cards) => (cards > 1 ? `v${cards.toString(16)}` : "");

// --- Logs

/**
 * Return tokens as one text: single spaces, neighbouring draws and neighbouring undos joined.
 * @internal but for the tests
 * @param {string[]} tokens
 */
export function formatMovetext(tokens) {
  /** @type {Action[]} */
  const joined = [];
  for (const action of tokens.map(parseToken)) {
    const last = joined.at(-1);
    const isRepeated = isRepeatable(action) && last && isRepeatable(last);
    if (isRepeated && last.source === action.source) last.actions += action.actions;
    else joined.push(action);
  }
  return joined.map(formatAction).join(" ");
}

/** @param {Action} action */
const isRepeatable = ({ source, error }) => !error && (source === STOCK || source === MEMORY);

/**
 * Return a canonical movetext with one more canonical action. Reads its last token only.
 * @param {string} movetext
 * @param {string} action
 */
export function appendAction(movetext, action) {
  const start = movetext.lastIndexOf(" ") + 1;
  const last = movetext.slice(start);
  return movetext.slice(0, start) + formatMovetext(last ? [last, action] : [action]);
}

/**
 * Return the actions of a log. Throws LimitError.
 * @param {string} movetext
 */
export function parseMovetext(movetext) {
  // Encoded as U+FFFD, a lone surrogate takes the three bytes that the limit counts for it.
  /** @param {{length: number}} bytes */
  const isLarge = (bytes) => bytes.length > MAX_LOG_BYTES;
  if (isLarge(movetext) || isLarge(new TextEncoder().encode(movetext))) {
    throw new LimitError("log.too_large");
  }
  const actions = (movetext.match(TOKEN) ?? []).map(parseToken);
  if (actions.reduce((sum, action) => sum + action.actions, 0) > MAX_ACTIONS) {
    throw new LimitError("log.too_many_actions");
  }
  return actions;
}
