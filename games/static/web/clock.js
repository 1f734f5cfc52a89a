// The service's time. It is the only clock of a page: every answer with the time sets it, and
// everything reads it.

import { get } from "./api.js";

const CLOCKS_PART_MS = 2_000;
const CHECK_EVERY_MS = 20_000;
const PAUSE_MS = 5 * 60_000;
const SHORT_PAUSE_MS = 60_000;

// A page opened without a network is an older one, and so is its time.
const written = navigator.onLine
  ? document.querySelector("[data-server-now]")?.getAttribute("data-server-now")
  : null;

let offsetMs = written ? Date.parse(written) - Date.now() : 0;
let heardAtMs = -Infinity;
let apartMs = 0;

// The wall clock may be set, and performance.now() of Chromium and WebKit may stand still while the
// machine sleeps: if the two have drifted apart, neither is trusted.
const apart = () => Date.now() - performance.now();

/** Return the service's time in milliseconds, as far as this page knows it. */
export const serverNow = () => Date.now() + offsetMs;

/** Return how far the service's clock is ahead of this device's, in milliseconds. */
export const clockOffsetMs = () => offsetMs;

/**
 * Set the clock to the time in an answer.
 * @param {string} now
 * @param {number} [sentAtMs] when it was asked for, by Date.now(), where that is known
 */
export function hearTime(now, sentAtMs = Date.now()) {
  offsetMs = Date.parse(now) - (sentAtMs + Date.now()) / 2;
  heardAtMs = performance.now();
  apartMs = apart();
}

/**
 * Set the clock from an earlier answer, unless this page has a newer one.
 * @param {number} ms
 */
export function recallOffset(ms) {
  if (heardAtMs === -Infinity) offsetMs = ms;
}

/**
 * Return whether the service gave the time within this many milliseconds, and no clock was set
 * since.
 * @param {number} withinMs
 */
export function isSure(withinMs) {
  const isFresh = performance.now() - heardAtMs <= withinMs;
  return isFresh && Math.abs(apart() - apartMs) <= CLOCKS_PART_MS;
}

/** Ask the service for the time. */
export async function askTime() {
  try {
    const sentAtMs = Date.now();
    const deals = await get("daily/", { anonymous: true });
    if (deals.length) hearTime(deals[0].server_now, sentAtMs);
  } catch {
    // Offline: the clock keeps running.
  }
}

/** Ask for the time again after every pause: a frozen page, a machine asleep, a clock that was set. */
export function keepTime() {
  let lastMs = Date.now();
  /** @param {number} pauseMs */
  const check = (pauseMs) => {
    const isPaused = Math.abs(Date.now() - lastMs) > pauseMs;
    lastMs = Date.now();
    if (isPaused) askTime();
  };
  setInterval(() => check(PAUSE_MS), CHECK_EVERY_MS);
  addEventListener("online", askTime);
  addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") check(SHORT_PAUSE_MS);
  });
}
