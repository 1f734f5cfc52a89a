// The time of a game, and what happens when it is up.
//
// The service's times count. The page asks for them when it lays a game on the table, when it
// becomes visible again, and before it does anything because time is up: this device's clock may
// have been set, or the organisers may have extended the deal.

import { get } from "../api.js";
import { hearTime, isSure } from "../clock.js";
import { gettext, interpolate } from "../i18n.js";
import { toast } from "../ui.js";
import { dailyPath } from "./opening.js";
import { formatMs, showTime } from "./panels.js";
import { finish, showTooLate } from "./sending.js";

/** @import { Game } from "#web/play/game.js" */
/** @import { PlayState } from "#web/play/state.js" */

const SEND_UNFINISHED_BEFORE_MS = 20_000;
const SEND_HIDDEN_BEFORE_MS = 90_000;
const SYNCED_FOR_MS = 60_000;
const RETRY_SYNC_MS = 5_000;
const WARN_BEFORE_MS = 10 * 60_000;
const LONGEST_TICK_MS = 2_000;

/**
 * Ask the service for the times of the deal on the table.
 * @param {PlayState} state
 */
export async function syncTimes(state) {
  const { game } = state;
  if (!game?.attempt) return;
  try {
    const deal = await get(dailyPath(state));
    hearTime(deal.server_now);
    game.setTimes(deal);
    state.timesAtMs = performance.now();
  } catch {
    // Without an answer, time decides nothing: the game could not be sent now anyway.
  }
  showTick(state);
}

/**
 * Count the time from now on.
 * @param {PlayState} state
 */
export function startTicking(state) {
  let lastMs = performance.now();
  setInterval(() => {
    const now = performance.now();
    const { game } = state;
    const isCounted = isPlayed(state) && !game?.attempt && document.visibilityState === "visible";
    if (isCounted) game?.addPlayedMs(Math.min(now - lastMs, LONGEST_TICK_MS));
    lastMs = now;
    showTick(state);
  }, 1_000);
}

/** @param {PlayState} state */
const isPlayed = ({ game, board }) =>
  game !== null && !game.isSent && !game.position.won && !board.isLocked;

/**
 * Show the time as it is now, and do what is due.
 * @param {PlayState} state
 */
export function showTick(state) {
  if (!isPlayed(state)) return;
  showTime(state);
  if (state.game?.attempt) watchTheEnd(state, state.game);
}

/**
 * @param {PlayState} state
 * @param {Game} game
 */
function watchTheEnd(state, game) {
  const now = performance.now();
  const leftMs = game.leftMs();
  // The timers of a hidden page may fire only once a minute.
  const sendBeforeMs =
    document.visibilityState === "visible" ? SEND_UNFINISHED_BEFORE_MS : SEND_HIDDEN_BEFORE_MS;
  if (leftMs < sendBeforeMs) {
    const isSynced = now - state.timesAtMs <= SYNCED_FOR_MS && isSure(SYNCED_FOR_MS);
    if (!isSynced) {
      if (now - state.triedAtMs > RETRY_SYNC_MS) {
        state.triedAtMs = now;
        syncTimes(state);
      }
    } else if (leftMs < 0) showTooLate(state);
    else if (game.position.moves) {
      toast(gettext("The deal is ending: your game is sent as it stands."));
      finish(state);
    }
  } else if (game.leftToCloseMs() < 0) {
    warnOnce(
      state,
      "closed",
      interpolate(gettext("The deal has closed. Finish within %(time)s to be ranked."), {
        time: formatMs(leftMs),
      }),
    );
  } else if (game.leftToCloseMs() < WARN_BEFORE_MS) {
    warnOnce(
      state,
      "closing",
      interpolate(
        gettext(
          "The deal closes in %(time)s. You have a little longer to finish this game: %(left)s.",
        ),
        { time: formatMs(game.leftToCloseMs()), left: formatMs(leftMs) },
      ),
    );
  }
}

/**
 * @param {PlayState} state
 * @param {string} what
 * @param {string} text
 */
function warnOnce({ warned }, what, text) {
  if (warned.has(what)) return;
  warned.add(what);
  toast(text);
}
