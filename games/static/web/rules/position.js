// A game in progress: the cards, the counters, and what can be undone.

import { lay, parseCode } from "./deals.js";
import { FOUNDATION_POINTS, GAMES, judge } from "./moves.js";
import {
  ANY_FOUNDATION,
  CELL,
  COLUMN_LETTERS,
  FOUNDATION,
  formatAction,
  hasPlace,
  LETTERS,
  parseToken,
  placeOf,
  STOCK,
  WASTE,
} from "./movetext.js";

/** @import { RefusalCode } from "#web/rules/codes.js" */
/** @import { Deal, Variant } from "#web/rules/deals.js" */
/** @import { Change } from "#web/rules/moves.js" */
/** @import { Action } from "#web/rules/movetext.js" */

/** @internal but for the tests */
export const REMEMBERED_ACTIONS = 100;

/** An action that the rules do not allow. */
export class Refused extends Error {
  /** @param {RefusalCode} code */
  constructor(code) {
    super(code);
    this.name = "Refused";
    this.code = code;
  }
}

/**
 * What the rules say about a token at one moment of a game.
 * @typedef {object} Judgement
 * @property {string} token
 * @property {string | null} text the token in canonical form; null if it is refused
 * @property {RefusalCode | null} refusal
 * @property {Action} action
 * @property {Change | null} change null for an undo, too
 * @property {Position} position
 * @property {number} at how many actions the position had seen
 */

/**
 * What an action did to the table.
 * @typedef {object} Applied
 * @property {string} action its canonical text
 * @property {string | null} source letters; null for several undos at once
 * @property {string | null} destination
 * @property {number[]} cards ids as they lie now; none for several undos at once
 * @property {number} points may be below 0 for an undo
 * @property {number | null} turnedUp the id of the card that it turned face up
 * @property {boolean} undo
 * @property {number} actions how many actions the token stands for
 */

/**
 * @typedef {object} State
 * @property {string} code
 * @property {Variant} variant
 * @property {number} number
 * @property {number} score
 * @property {number} moves
 * @property {number} undos
 * @property {number} takeBacks
 * @property {number} foundationCards
 * @property {number} recycles how often the waste was put back, without those undone
 * @property {number[][]} piles ids of cards, by number of place
 * @property {number[]} hidden how many cards of each pile lie face down
 * @property {Change[]} history
 * @property {number} forgotten how many of the actions in effect were beyond reach at the latest
 *   undo: reaching back 100 actions again and again would otherwise reach further each time
 */

/**
 * A position. The only way to change it is `apply`, which checks every action.
 */
export class Position {
  /** @param {State} state */
  constructor(state) {
    this.code = state.code;
    this.variant = state.variant;
    this.number = state.number;
    this.score = state.score;
    this.moves = state.moves;
    this.undos = state.undos;
    this.takeBacks = state.takeBacks;
    this.foundationCards = state.foundationCards;
    this.recycles = state.recycles;
    this.piles = state.piles;
    this.hidden = state.hidden;
    this.history = state.history;
    this.forgotten = state.forgotten;
  }

  get won() {
    return this.foundationCards === this.variant.deckSize;
  }

  /** The score with each card on a foundation counted once (docs/rules.md, "Score"). */
  get rankedScore() {
    return this.score - FOUNDATION_POINTS * this.takeBacks;
  }

  get remembered() {
    return Math.min(this.moves - this.undos - this.forgotten, REMEMBERED_ACTIONS);
  }

  /** How many actions undo would take back now, at most 100; 0 after the win. */
  get undoable() {
    return this.won ? 0 : this.remembered;
  }

  /** Return an independent position that can be undone as far as this one. */
  copy() {
    const piles = this.piles.map((pile) => pile.slice());
    const [hidden, history] = [this.hidden.slice(), this.history.slice()];
    return new Position({ ...this, piles, hidden, history });
  }

  /**
   * Judge one token whole, an action or a number of draws or undos, and change nothing.
   * @param {string} token
   * @returns {Judgement}
   */
  judge(token) {
    const action = parseToken(token);
    const judged = judge(this, action);
    const [change, refusal] = typeof judged === "string" ? [null, judged] : [judged, null];
    const text = refusal ? null : canonicalText(action, change);
    return { token, text, refusal, action, change, position: this, at: this.moves + this.undos };
  }

  /**
   * Play a token, or its judgement, which must be of the current position.
   *
   * Throws Refused, and leaves the position unchanged, when the rules do not allow it.
   * @param {string | Judgement} given
   * @returns {Applied}
   */
  apply(given) {
    const judged = typeof given === "string" ? this.judge(given) : this.#current(given);
    const { action, change: wanted, refusal, text } = judged;
    if (refusal || text === null) throw new Refused(/** @type {RefusalCode} */ (refusal));
    const { score } = this;
    const change = wanted ? this.#make(wanted) : this.#undo(action);
    const { source, destination, count, turned } = change;
    const isSeveral = !wanted && action.actions > 1;
    return {
      action: text,
      source: isSeveral ? null : LETTERS[source],
      destination: isSeveral ? null : LETTERS[destination],
      cards: isSeveral ? [] : this.piles[destination].slice(-count),
      points: this.score - score,
      turnedUp: turned ? (this.piles[source].at(-1) ?? null) : null,
      undo: !wanted,
      actions: action.actions,
    };
  }

  /** @param {Judgement} judged */
  #current(judged) {
    const isCurrent = judged.position === this && judged.at === this.moves + this.undos;
    return isCurrent ? judged : this.judge(judged.token);
  }

  /** @param {Change} change */
  #make(change) {
    this.#carry(change.source, change.destination, change.count);
    this.#count(change, 1);
    this.moves += change.source === STOCK ? change.count : 1;
    if (this.history.push(change) > REMEMBERED_ACTIONS) this.history.shift();
    return change;
  }

  /**
   * @param {Action} action
   * @returns {Change} the way that the cards of the last one took
   */
  #undo({ actions }) {
    this.forgotten = this.moves - this.undos - this.remembered;
    this.undos += actions;
    let change = /** @type {Change} */ (this.history.at(-1));
    for (let left = actions; left > 0; left -= change.source === STOCK ? change.count : 1) {
      change = /** @type {Change} */ (this.history.pop());
      if (change.source === STOCK && change.count > left) {
        this.history.push({ ...change, count: change.count - left });
        change = { ...change, count: left };
      }
      this.#carry(change.destination, change.source, change.count);
      this.#count(change, -1);
    }
    const { source, destination } = change;
    return { ...change, source: destination, destination: source, turned: false };
  }

  /**
   * @param {number} source
   * @param {number} destination
   * @param {number} count
   */
  #carry(source, destination, count) {
    const cards = this.piles[source].splice(-count);
    // Turning one of stock and waste onto the other puts its first card last.
    if (destination === WASTE || destination === STOCK) cards.reverse();
    this.piles[destination].push(...cards);
  }

  /**
   * @param {Change} change
   * @param {1 | -1} sign -1 to take it back
   */
  #count({ source, destination, points, turned }, sign) {
    if (turned) this.hidden[source] -= sign;
    if (destination >= FOUNDATION) {
      this.foundationCards += sign;
    } else if (source >= FOUNDATION) {
      this.foundationCards -= sign;
      this.takeBacks += sign;
    }
    if (destination === STOCK) this.recycles += sign;
    this.score += sign * points;
  }

  /** Return every place by its letters: columns, cells, `stock`, `w`, foundations `h1`... */
  places() {
    return LETTERS.filter((place, number) => place !== "h" && hasPlace(this.variant, number));
  }

  /**
   * Return the ids of the cards at a place, last on top (of the stock: the next to be drawn).
   * Throws RangeError for a place that the variant does not have.
   * @param {string} place
   */
  pile(place) {
    return this.piles[placeOf(this.variant, place)].slice();
  }

  /**
   * Return how many cards at a place are face down, from the deepest on (in the stock all).
   * @param {string} place
   */
  faceDown(place) {
    const number = placeOf(this.variant, place);
    return number === STOCK ? this.piles[STOCK].length : this.hidden[number];
  }

  /**
   * Return how many cards at the end of a pile form one unit to be picked up: in Eight Off a run,
   * in Easy Harp a king run, else the top card alone.
   * @param {string} place
   */
  longestRun(place) {
    const pile = this.pile(place);
    if (pile.length < 2 || !COLUMN_LETTERS.includes(place)) return Math.min(pile.length, 1);
    return GAMES[this.variant.game].longestRun(pile, this.faceDown(place));
  }
}

/**
 * @param {Action} action
 * @param {Change | null} change
 */
function canonicalText(action, change) {
  const isGroup = action.source < CELL && change !== null && change.count > 1;
  return formatAction({ ...action, stated: isGroup ? change.count : 0 });
}

/**
 * Return the position of a deal before the first action. Throws CodeError.
 * @param {string | Deal} code
 */
export function start(code) {
  const deal = typeof code === "string" ? parseCode(code) : code;
  const { variant, number, text } = deal;
  const { columns, faceDown, stock, cells } = lay(deal);
  const piles = LETTERS.slice(0, ANY_FOUNDATION).map((_, place) => columns[place] ?? []);
  cells.forEach((card, cell) => {
    piles[CELL + cell].push(card);
  });
  piles[STOCK] = stock.reverse();
  return new Position({
    code: text,
    variant,
    number,
    score: 0,
    moves: 0,
    undos: 0,
    takeBacks: 0,
    foundationCards: 0,
    recycles: 0,
    piles,
    hidden: piles.map((_, place) => faceDown[place] ?? 0),
    history: [],
    forgotten: 0,
  });
}
