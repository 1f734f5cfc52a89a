// Where games are kept, for whoever asks about them without playing them.

import { keys, read } from "./store.js";

export const DAILY = "game.daily.";
export const PRACTICE = "game.practice.";

/** Return the key of a player's game at a day's deal. */
export const dailyKey = (variant, date, playerId) => `${DAILY}${variant}.${date}.${playerId}`;

/** Return whether a player has an unsent game of a day's deal here, with actions in it. */
export function isUnfinished(variant, date, playerId) {
  const record = read(dailyKey(variant, date, playerId));
  return Boolean(record && !record.isSent && record.movetext);
}

/** Return how many unsent games with actions in them a player has here, of whichever day. */
export function unfinishedDays(playerId) {
  const records = keys(DAILY).filter((key) => key.endsWith(`.${playerId}`)).map((key) => read(key));
  return records.filter((record) => record && !record.isSent && record.movetext).length;
}

/** Return the keys of the practice games kept here, the one played last first. */
export function practiceKeys() {
  return keys(PRACTICE)
    .map((key) => [key, read(key)?.changedAt ?? 0])
    .sort(([, one], [, other]) => other - one)
    .map(([key]) => key);
}

/** Return the code of the practice game played last, or null. */
export function lastPractice() {
  const [latest] = practiceKeys().filter((key) => read(key)?.movetext);
  return latest?.slice(PRACTICE.length) ?? null;
}
