// Where the game of a day's deal is kept: for whoever asks about it without playing it.

import { read } from "./store.js";

export const DAILY = "game.daily.";

/** Return the key of a player's game at a day's deal. */
export const dailyKey = (variant, date, playerId) => `${DAILY}${variant}.${date}.${playerId}`;

/** Return whether a player has an unsent game of a day's deal here, with actions in it. */
export function isUnfinished(variant, date, playerId) {
  const record = read(dailyKey(variant, date, playerId));
  return Boolean(record && !record.isSent && record.movetext);
}
