// Logs on their way to the service. A log stays here until its receipt arrives: across lost
// connections, reloads and restarts, and after a refused token. Every page sends waiting logs.

import { ApiError, call, NetworkError, player } from "./api.js";
import { keys, read, remove, whenChangedElsewhere, write } from "./store.js";
import { oneTab } from "./tabs.js";

/** @import { Receipt } from "#web/result-text.js" */

const WAITING = "outbox.";
const RECEIPTS = "receipt.";
const MOST_RECEIPTS = 60;
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 60_000;

// Refusals that sending again cannot cure: keep the log, and let the player decide.
const FINAL_CODES = ["attempt_used", "log.too_large", "log.too_many_actions", "not_found"];

/**
 * A finished log, as it is handed over.
 * @typedef {object} Log
 * @property {string} attempt_id
 * @property {string} player_id
 * @property {string} variant
 * @property {string} date
 * @property {string} movetext
 * @property {{won: boolean, score: number, moves: number}} claimed
 */

/**
 * A log without a receipt.
 * @typedef {Log & {
 *   queued_at: number,
 *   state: "waiting" | "signin" | "refused",
 *   error: {code: string, detail?: string} | null,
 * }} WaitingLog
 */

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let failures = 0;

/**
 * Hand a finished log over.
 *
 * Stored when this returns, and sent as soon as possible. Returns whether the copy outlives the
 * page: only then may the caller drop its own.
 * @param {Log} log
 */
export function enqueue(log) {
  const waiting = { ...log, queued_at: Date.now(), state: "waiting", error: null };
  const isKept = write(WAITING + log.attempt_id, waiting);
  flush();
  return isKept;
}

/**
 * Send a refused log again.
 * @param {string} attemptId
 */
export function sendAgain(attemptId) {
  const log = waiting(attemptId);
  if (log) write(WAITING + attemptId, { ...log, state: "waiting", error: null });
  return flush();
}

/**
 * Return the log of an attempt that has no receipt yet, or null.
 * @param {string} attemptId
 * @returns {WaitingLog | null}
 */
export function waiting(attemptId) {
  return read(WAITING + attemptId);
}

/**
 * Return every player's logs that have no receipt yet, oldest first.
 * @returns {WaitingLog[]}
 */
export function allWaiting() {
  return keys(WAITING)
    .map((key) => read(key))
    .filter(Boolean)
    .sort((one, other) => one.queued_at - other.queued_at);
}

/**
 * Return the receipt of an attempt as it came, or null.
 * @param {string} attemptId
 * @returns {Receipt | null}
 */
export function receipt(attemptId) {
  return read(RECEIPTS + attemptId);
}

/** Send what waits now, one log after the other; only one tab does so at a time. */
export function flush() {
  clearTimeout(timer);
  timer = undefined;
  return oneTab("outbox", sendAll);
}

async function sendAll() {
  /** @type {number | null} */
  let retryInMs = null;
  for (const log of allWaiting()) {
    if (log.state === "refused") continue;
    if (player()?.id !== log.player_id) {
      keep(log, { state: "signin" });
      continue;
    }
    try {
      const { movetext, claimed } = log;
      const answer = await call("POST", `attempts/${log.attempt_id}/submission/`, {
        body: { movetext, claimed },
      });
      // Something on the way, such as a network's login page, may answer instead of the service.
      if (answer?.attempt_id !== log.attempt_id) throw new NetworkError("not a receipt");
      write(RECEIPTS + log.attempt_id, { ...answer, kept_at: Date.now() });
      forgetOldReceipts();
      remove(WAITING + log.attempt_id);
      announce(log.attempt_id);
      failures = 0;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) keep(log, { state: "signin" });
      else if (error instanceof ApiError && FINAL_CODES.includes(error.code)) {
        keep(log, { state: "refused", error: { code: error.code, detail: error.detail } });
      } else {
        const refusal = error instanceof ApiError ? error : null;
        keep(log, { state: "waiting", error: { code: refusal?.code ?? "offline" } });
        const growing = FIRST_RETRY_MS * 2 ** failures;
        const asked = (refusal?.retryAfterS ?? 0) * 1000;
        retryInMs = Math.max(Math.min(growing, LONGEST_RETRY_MS), asked);
      }
    }
  }
  if (retryInMs !== null) {
    failures += 1;
    // Spread out, so that not every browser comes back in the same second.
    timer = setTimeout(flush, retryInMs * (1 + Math.random() / 4));
  }
}

/**
 * @param {WaitingLog} log
 * @param {Partial<WaitingLog>} changes
 */
function keep(log, changes) {
  if (!read(WAITING + log.attempt_id)) return;
  write(WAITING + log.attempt_id, { ...log, ...changes });
  announce(log.attempt_id);
}

/** @param {string} attemptId */
function announce(attemptId) {
  dispatchEvent(new CustomEvent("outbox", { detail: { attemptId } }));
}

function forgetOldReceipts() {
  const byAge = keys(RECEIPTS).map((key) => ({ key, keptAt: read(key)?.kept_at ?? 0 }));
  byAge.sort((one, other) => other.keptAt - one.keptAt);
  for (const { key } of byAge.slice(MOST_RECEIPTS)) remove(key);
}

/**
 * Call back whenever something happened to the log of an attempt: sent, refused, or to be tried
 * again.
 * @param {(attemptId: string) => void} callback
 */
export function whenLogChanges(callback) {
  addEventListener("outbox", (event) => {
    callback(/** @type {CustomEvent<{attemptId: string}>} */ (event).detail.attemptId);
  });
}

whenChangedElsewhere((key) => {
  if (key.startsWith(WAITING) || key.startsWith(RECEIPTS))
    announce(key.slice(key.indexOf(".") + 1));
});
addEventListener("online", () => {
  failures = 0;
  flush();
});
addEventListener("session", () => {
  if (player()) flush();
});
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && allWaiting().length) flush();
});
if (allWaiting().length) flush();
