// A game being played: its position, its log, and the record of it that outlives the page.
//
// Every action is written to the record before anything is drawn. A record is read back by
// replaying its log, and the rules decide how much of it is valid.

import { clockOffsetMs, hearTime, recallOffset, serverNow } from "../clock.js";
import { dealCode, MAX_NUMBER } from "../rules/deals.js";
import { appendAction, MAX_ACTIONS, MAX_LOG_BYTES } from "../rules/movetext.js";
import { start } from "../rules/position.js";
import { keys, read, remove, write } from "../store.js";
import { DAILY, dailyKey, PRACTICE, practiceKeys } from "./records.js";

/** @import { Judgement, Position } from "#web/rules/position.js" */

/**
 * What the browser keeps of a game.
 * @typedef {object} GameRecord
 * @property {string} code
 * @property {string} movetext
 * @property {AttemptRecord} [attempt] missing for practice
 * @property {number} [clockOffsetMs] of the service's clock; missing for practice
 * @property {boolean} [isSent]
 * @property {number} [playedMs] of practice
 * @property {number} [changedAt] in milliseconds
 */

/**
 * @typedef {object} AttemptRecord
 * @property {string} id
 * @property {number} number
 * @property {string} playerId
 * @property {string} variant
 * @property {string} date
 * @property {string} firstStartedAt
 * @property {string | null} closesAt null until the service returns it
 * @property {string} submissionsUntil
 */

const MOST_PRACTICE_RECORDS = 12;
const DAY_MS = 24 * 3600 * 1000;
const SENT_KEPT_MS = 2 * DAY_MS;
const UNSENT_KEPT_MS = 90 * DAY_MS;
const LONGEST_ACTION_BYTES = 8; // with its space

export class Game {
  /** @type {GameRecord} */
  #record;
  /** @type {Position} */
  position;

  /**
   * Make a game of a record. Its log ends before the first action that the rules do not allow.
   *
   * Throws CodeError or TypeError for anything that is not a record.
   * @param {string} key
   * @param {GameRecord} record
   */
  constructor(key, record) {
    this.key = key;
    this.#record = record;
    this.position = this.#replayLog();
  }

  /**
   * Begin the game of an attempt that the service has just started.
   * @param {any} attempt as the service answers
   * @param {string} playerId
   */
  static ofAttempt(attempt, playerId) {
    forgetOldDays();
    hearTime(attempt.server_now);
    const { variant, date, code } = attempt;
    const game = new Game(dailyKey(variant, date, playerId), {
      code,
      movetext: "",
      attempt: {
        id: attempt.id,
        number: attempt.number,
        playerId,
        variant,
        date,
        firstStartedAt: attempt.first_started_at,
        closesAt: null,
        submissionsUntil: attempt.submissions_until,
      },
      isSent: false,
    });
    game.#save();
    return game;
  }

  /**
   * Return the unsent game of a player at a day's deal that this browser keeps, or null.
   * @param {string} variant
   * @param {string} date
   * @param {string} playerId
   */
  static ofDay(variant, date, playerId) {
    const game = revived(dailyKey(variant, date, playerId));
    return game && !game.isSent ? game : null;
  }

  /**
   * Return the practice game of a deal: the earlier one, unless `anew` or it was won.
   * @param {string} code
   * @param {{anew?: boolean}} [options]
   */
  static practice(code, { anew = false } = {}) {
    const key = PRACTICE + code;
    const begun = anew ? null : revived(key);
    if (begun && !begun.position.won) return begun;
    const game = new Game(key, { code, movetext: "", playedMs: 0 });
    game.#save();
    forgetOldPractice();
    return game;
  }

  #replayLog() {
    const { code, movetext } = this.#record;
    const position = start(code);
    this.#record.movetext = "";
    for (const token of movetext.split(" ").filter(Boolean)) {
      const judged = position.judge(token);
      if (judged.refusal) break;
      position.apply(judged);
      this.#record.movetext = appendAction(this.#record.movetext, token);
    }
    return position;
  }

  #save() {
    this.#record.changedAt = Date.now();
    if (this.attempt) this.#record.clockOffsetMs = clockOffsetMs();
    write(this.key, this.#record);
  }

  /** Take over what another tab has written meanwhile, and the time as it was known then. */
  reload() {
    this.#record = read(this.key, this.#record);
    this.position = this.#replayLog();
    if (this.#record.clockOffsetMs !== undefined) recallOffset(this.#record.clockOffsetMs);
  }

  get code() {
    return this.#record.code;
  }

  get variant() {
    return this.position.variant;
  }

  get movetext() {
    return this.#record.movetext;
  }

  /** The attempt it belongs to; undefined for practice. */
  get attempt() {
    return this.#record.attempt;
  }

  /** Whether one more action could make the log longer than the service takes. */
  get isFull() {
    const actions = this.position.moves + this.position.undos;
    return actions >= MAX_ACTIONS || this.movetext.length + LONGEST_ACTION_BYTES > MAX_LOG_BYTES;
  }

  get isSent() {
    return this.#record.isSent === true;
  }

  /**
   * Play and store one action; return its change of the table.
   *
   * Throws Refused, and changes nothing, if the rules do not allow it.
   * @param {string | Judgement} action
   */
  play(action) {
    const change = this.position.apply(action);
    this.#record.movetext = appendAction(this.#record.movetext, change.action);
    this.#save();
    return change;
  }

  /** Mark it as handed over; the record says so, too, once the log is kept elsewhere: `isKept`. */
  markSent({ isKept = true } = {}) {
    this.#record.isSent = true;
    if (isKept) this.#save();
  }

  forget() {
    remove(this.key);
  }

  /**
   * Count time of play, of a practice game.
   * @param {number} ms
   */
  addPlayedMs(ms) {
    this.#record.playedMs = (this.#record.playedMs ?? 0) + ms;
  }

  /** Return the time that counts: since the first start by the service's clock, or time played. */
  elapsedMs() {
    if (!this.attempt) return this.#record.playedMs ?? 0;
    return Math.max(0, serverNow() - Date.parse(this.attempt.firstStartedAt));
  }

  /**
   * Take over the times of a day's deal.
   * @param {{closes_at: string, submissions_until: string}} deal as the service answers
   */
  setTimes({ closes_at: closesAt, submissions_until: submissionsUntil }) {
    if (this.attempt) Object.assign(this.attempt, { closesAt, submissionsUntil });
    this.#save();
  }

  /** Return how many ms are left to send it in time; Infinity for practice. */
  leftMs() {
    return this.attempt ? Date.parse(this.attempt.submissionsUntil) - serverNow() : Infinity;
  }

  /** Return how many ms are left until the deal closes; Infinity where that is not known. */
  leftToCloseMs() {
    const closesAt = this.attempt?.closesAt;
    return closesAt ? Date.parse(closesAt) - serverNow() : Infinity;
  }
}

/**
 * Return the game that is kept under a key, or null. A damaged record is set aside, not lost.
 * @param {string} key
 */
function revived(key) {
  const record = read(key);
  if (!record) return null;
  try {
    return new Game(key, record);
  } catch {
    write(`damaged.${key}`, record);
    remove(key);
    return null;
  }
}

/**
 * Return a random deal of a variant, for when the service cannot be reached.
 * @param {string} slug
 */
export function randomCode(slug) {
  const [number] = crypto.getRandomValues(new Uint32Array(1));
  return dealCode(slug, 1 + (number % MAX_NUMBER));
}

function forgetOldDays() {
  for (const key of keys(DAILY)) {
    const { changedAt = 0, isSent } = read(key, {});
    if (Date.now() - changedAt > (isSent ? SENT_KEPT_MS : UNSENT_KEPT_MS)) remove(key);
  }
}

function forgetOldPractice() {
  for (const key of practiceKeys().slice(MOST_PRACTICE_RECORDS)) remove(key);
}
