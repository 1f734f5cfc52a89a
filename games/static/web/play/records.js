// The games stored in this browser, for pages that do not play them.

import { keys, read } from "../store.js";

export const DAILY = "game.daily.";
export const PRACTICE = "game.practice.";

/**
 * Return the key of a player's game at a day's deal.
 * @param {string} variant
 * @param {string} date
 * @param {string} playerId
 */
export const dailyKey = (variant, date, playerId) => `${DAILY}${variant}.${date}.${playerId}`;

/**
 * Return whether a game kept under a key has actions in it and is not sent.
 * @param {string} key
 */
function isKeyUnfinished(key) {
  const record = read(key);
  return Boolean(record && !record.isSent && record.movetext);
}

/**
 * Return whether a player has an unfinished game of a day's deal here.
 * @param {string} variant
 * @param {string} date
 * @param {string} playerId
 */
export const isUnfinished = (variant, date, playerId) =>
  isKeyUnfinished(dailyKey(variant, date, playerId));

/**
 * Return how many unfinished games a player has here, on any day.
 * @param {string} playerId
 */
export const unfinishedDays = (playerId) =>
  keys(DAILY).filter((key) => key.endsWith(`.${playerId}`) && isKeyUnfinished(key)).length;

/** Return the keys of the practice games kept here, the one played last first. */
export function practiceKeys() {
  return keys(PRACTICE)
    .map((key) => ({ key, changedAt: read(key)?.changedAt ?? 0 }))
    .sort((one, other) => other.changedAt - one.changedAt)
    .map(({ key }) => key);
}

/** Return the code of the practice game played last, or null. */
export function lastPractice() {
  const [latest] = practiceKeys().filter((key) => read(key)?.movetext);
  return latest?.slice(PRACTICE.length) ?? null;
}
