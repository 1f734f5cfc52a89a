// A log, taken apart (docs/contract.md, "Verdict").

import { parseCode } from "./deals.js";
import { formatAction, parseMovetext } from "./movetext.js";
import { start } from "./position.js";

/** @import { RefusalCode } from "#web/rules/codes.js" */
/** @import { Applied, Position } from "#web/rules/position.js" */

const CHECKPOINT_EVERY = 64;

/**
 * The first refusal of a log, as in the verdict but without `message`.
 * @typedef {object} RefusedAction
 * @property {number} index
 * @property {number} token
 * @property {string} action
 * @property {RefusalCode} code
 */

/**
 * The legal actions of a log, 0 to `length` - 1, up to its end or first refusal. Throws CodeError
 * and LimitError.
 */
export class Replay {
  /** @type {{token: number, change: Applied}[]} */
  #steps = [];
  /** @type {Position[]} */
  #checkpoints = [];

  /**
   * @param {string} code
   * @param {string} movetext
   */
  constructor(code, movetext) {
    const deal = parseCode(code);
    const log = parseMovetext(movetext).entries();
    const position = start(deal);
    /** @type {RefusedAction | null} */
    this.refused = null;
    this.#checkpoints.push(position.copy());
    for (const [token, action] of log) {
      const text = formatAction({ ...action, actions: 1 });
      for (let left = action.actions; left > 0; left--) {
        const judged = position.judge(text);
        if (judged.refusal) {
          const shown = action.error ? printable(text) : text;
          this.refused = { index: this.length, token, action: shown, code: judged.refusal };
          return;
        }
        this.#steps.push({ token, change: position.apply(judged) });
        if (this.length % CHECKPOINT_EVERY === 0) this.#checkpoints.push(position.copy());
      }
    }
  }

  get length() {
    return this.#steps.length;
  }

  /**
   * Return a position of its own after n actions, 0 to `length`. Throws RangeError.
   * @param {number} n
   */
  positionAt(n) {
    if (!(n >= 0 && n <= this.length)) throw new RangeError(`no position after ${n} actions`);
    const position = this.#checkpoints[Math.floor(n / CHECKPOINT_EVERY)].copy();
    for (let i = n - (n % CHECKPOINT_EVERY); i < n; i++) position.apply(this.changeAt(i).action);
    return position;
  }

  /**
   * Return what `Position.apply` returned for action n, from `positionAt(n)` to the next.
   * @param {number} n
   */
  changeAt(n) {
    return this.#steps[n].change;
  }

  /**
   * Return which token of the log, from 0, action n is in.
   * @param {number} n
   */
  tokenAt(n) {
    return this.#steps[n].token;
  }
}

/**
 * Return a malformed token in a form safe to show: 32 characters of printable ASCII.
 * @param {string} text
 */
const printable = (text) =>
  Array.from(text)
    .slice(0, 32)
    .join("")
    .replace(/[^!-~]/gu, "\uFFFD");
