// Logs on their way to the service. A log stays here until its receipt has come: across lost
// connections, reloads and restarts, and after the token was refused. Every page looks after it.

import { ApiError, NetworkError, call, player } from "./api.js";
import { keys, read, remove, whenChangedElsewhere, write } from "./store.js";
import { oneTab } from "./tabs.js";

const WAITING = "outbox.";
const RECEIPTS = "receipt.";
const MOST_RECEIPTS = 60;
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 60_000;

// Refusals that sending again by itself cannot cure: the log is kept, and the player decides.
const FINAL_CODES = ["attempt_used", "log.too_large", "log.too_many_actions", "not_found"];

let timer = null;
let failures = 0;

/**
 * Hand a finished log over: `{attempt_id, player_id, variant, date, movetext, claimed}`.
 *
 * It is stored when this returns, and sent as soon as that is possible. Returns whether the copy
 * outlives the page: only then may the caller let go of its own.
 */
export function enqueue(log) {
  const waiting = { ...log, queued_at: Date.now(), state: "waiting", error: null };
  const isKept = write(WAITING + log.attempt_id, waiting);
  flush();
  return isKept;
}

/** Send a log again that was refused. */
export function sendAgain(attemptId) {
  const log = waiting(attemptId);
  if (log) write(WAITING + attemptId, { ...log, state: "waiting", error: null });
  return flush();
}

/** Return a log that has no receipt yet, or null. Its `state` is waiting, signin or refused. */
export function waiting(attemptId) {
  return read(WAITING + attemptId);
}

/** Return every log that has no receipt yet, of whichever player, the oldest first. */
export function allWaiting() {
  return keys(WAITING)
    .map((key) => read(key))
    .filter(Boolean)
    .sort((one, other) => one.queued_at - other.queued_at);
}

/** Return the receipt of an attempt as it came, or null. */
export function receipt(attemptId) {
  return read(RECEIPTS + attemptId);
}

/** Send what waits now, one log after the other; only one tab does so at a time. */
export function flush() {
  clearTimeout(timer);
  timer = null;
  return oneTab("outbox", sendAll);
}

async function sendAll() {
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
      // Something on the way may answer in the service's place, such as the login of a network.
      if (answer?.attempt_id !== log.attempt_id) throw new NetworkError("not a receipt");
      write(RECEIPTS + log.attempt_id, { ...answer, kept_at: Date.now() });
      forgetOldReceipts();
      remove(WAITING + log.attempt_id);
      tell(log.attempt_id);
      failures = 0;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) keep(log, { state: "signin" });
      else if (error instanceof ApiError && FINAL_CODES.includes(error.code)) {
        keep(log, { state: "refused", error: { code: error.code, detail: error.detail } });
      } else {
        keep(log, { state: "waiting", error: { code: error.code ?? "offline" } });
        const growing = FIRST_RETRY_MS * 2 ** failures;
        const asked = (error.retryAfterS ?? 0) * 1000;
        retryInMs = Math.max(Math.min(growing, LONGEST_RETRY_MS), asked);
      }
    }
  }
  if (retryInMs !== null) {
    failures += 1;
    // A little apart, so that not everybody comes back in the same second.
    timer = setTimeout(flush, retryInMs * (1 + Math.random() / 4));
  }
}

function keep(log, changes) {
  if (!read(WAITING + log.attempt_id)) return;
  write(WAITING + log.attempt_id, { ...log, ...changes });
  tell(log.attempt_id);
}

function tell(attemptId) {
  dispatchEvent(new CustomEvent("outbox", { detail: { attemptId } }));
}

function forgetOldReceipts() {
  const byAge = keys(RECEIPTS).map((key) => [key, read(key)?.kept_at ?? 0]);
  byAge.sort(([, one], [, other]) => other - one);
  for (const [key] of byAge.slice(MOST_RECEIPTS)) remove(key);
}

whenChangedElsewhere((key) => {
  if (key.startsWith(WAITING) || key.startsWith(RECEIPTS)) tell(key.slice(key.indexOf(".") + 1));
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
