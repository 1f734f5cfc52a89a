// A game being played: its position, its log, and the record of it that outlives the page.
//
// Every action is written to the record before anything is drawn. A record is read back by
// replaying its log: the rules decide what of it stands.

import { DAILY, PRACTICE, dailyKey, practiceKeys } from "./records.js";
import {
  MAX_ACTIONS,
  MAX_LOG_BYTES,
  Refused,
  appendAction,
  dealCode,
  start,
} from "./rules.js";
import { keys, read, remove, write } from "./store.js";

const MOST_PRACTICE_RECORDS = 12;
const DAY_MS = 24 * 3600 * 1000;
const SENT_KEPT_MS = 2 * DAY_MS;
const UNSENT_KEPT_MS = 90 * DAY_MS;
const LONGEST_ACTION_BYTES = 8; // with its blank

export class Game {
  #record;

  /**
   * Make a game of a record; what of its log the rules do not allow is cut off.
   *
   * Raises CodeError or TypeError for what is no record.
   */
  constructor(key, record) {
    this.key = key;
    this.#record = record;
    this.#replayLog();
  }

  /** Begin the game of an attempt that the service has just started for a player. */
  static ofAttempt(attempt, playerId) {
    forgetOldDays();
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
      clockOffsetMs: Date.parse(attempt.server_now) - Date.now(),
      isSent: false,
    });
    game.#save();
    return game;
  }

  /** Return the unsent game of a player at a day's deal that this browser keeps, or null. */
  static ofDay(variant, date, playerId) {
    const game = revived(dailyKey(variant, date, playerId));
    return game && !game.isSent ? game : null;
  }

  /** Return the practice game of a deal: the one begun before, unless `anew` or it was won. */
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
    this.position = start(code);
    this.#record.movetext = "";
    for (const token of movetext.split(" ").filter(Boolean)) {
      try {
        this.position.apply(token);
      } catch (error) {
        if (error instanceof Refused) break;
        throw error;
      }
      this.#record.movetext = appendAction(this.#record.movetext, token);
    }
  }

  #save() {
    this.#record.changedAt = Date.now();
    write(this.key, this.#record);
  }

  /** Take up what another tab has written meanwhile. */
  reload() {
    this.#record = read(this.key, this.#record);
    this.#replayLog();
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

  /** Whether another action could make the log longer than the service takes. */
  get isFull() {
    const actions = this.position.moves + this.position.undos;
    return actions >= MAX_ACTIONS || this.movetext.length + LONGEST_ACTION_BYTES > MAX_LOG_BYTES;
  }

  get isSent() {
    return this.#record.isSent === true;
  }

  /**
   * Play one action and keep it; return the change on the table.
   *
   * Raises Refused, and nothing has changed, for what the rules do not allow.
   */
  play(action) {
    const change = this.position.apply(action);
    this.#record.movetext = appendAction(this.#record.movetext, change.action);
    this.#save();
    return change;
  }

  /** Mark it as handed over; the record itself says so once the log is kept elsewhere, `isKept`. */
  markSent({ isKept = true } = {}) {
    this.#record.isSent = true;
    if (isKept) this.#save();
  }

  forget() {
    remove(this.key);
  }

  /** Count time of play, of a practice game. */
  addPlayedMs(ms) {
    this.#record.playedMs += ms;
  }

  /** Return the time that counts: since the first start by the server's clock, or time played. */
  elapsedMs() {
    if (!this.attempt) return this.#record.playedMs;
    return Math.max(0, this.serverNow() - Date.parse(this.attempt.firstStartedAt));
  }

  serverNow() {
    return Date.now() + (this.#record.clockOffsetMs ?? 0);
  }

  /** Take over the clock and the times of a day's deal as the service has just told them. */
  setTimes({ server_now: serverNow, closes_at: closesAt, submissions_until: submissionsUntil }) {
    this.#record.clockOffsetMs = Date.parse(serverNow) - Date.now();
    Object.assign(this.#record.attempt, { closesAt, submissionsUntil });
    this.#save();
  }

  /** Return how many ms are left to send it in time; Infinity for practice. */
  leftMs() {
    return this.attempt ? Date.parse(this.attempt.submissionsUntil) - this.serverNow() : Infinity;
  }

  /** Return how many ms are left until the deal closes; Infinity where that is not known. */
  leftToCloseMs() {
    const { closesAt } = this.attempt ?? {};
    return closesAt ? Date.parse(closesAt) - this.serverNow() : Infinity;
  }
}

/** Return the game that a record tells of, or null; a damaged record is set aside, not lost. */
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

/** Return a random deal of a variant, for when the service cannot be asked for one. */
export function randomCode(slug) {
  const [number] = crypto.getRandomValues(new Uint32Array(1));
  return dealCode(slug, 1 + (number % 999_999));
}

function forgetOldDays() {
  for (const key of keys(DAILY)) {
    const { changedAt = 0, isSent } = read(key, {});
    if (Date.now() - changedAt > (isSent ? SENT_KEPT_MS : UNSENT_KEPT_MS)) remove(key);
  }
}

function forgetOldPractice() {
  practiceKeys().slice(MOST_PRACTICE_RECORDS).forEach(remove);
}
