// The state of the play page. The functions of this folder take it as their first argument.

import { dataOf, find, textsOfGames } from "../page.js";
import { Board } from "../table/board.js";

/** @import { Game } from "#web/play/game.js" */
/** @import { Owner } from "#web/table/board.js" */

/**
 * @typedef {object} PlayState
 * @property {Record<string, string>} data addresses and, for a day's deal, its `variant` and `date`
 * @property {ReturnType<typeof textsOfGames>} texts
 * @property {Board} board
 * @property {Game | null} game on the table
 * @property {string | null} picked the place that the keyboard has picked up from
 * @property {string} typed the first key of a move that is being typed
 * @property {number} timesAtMs when the service last returned the times of the deal, and when it was
 *   last asked because time seemed to be up, by performance.now()
 * @property {number} triedAtMs
 * @property {Set<string>} warned what the player was warned of
 * @property {() => void} whenLaid called when a game was laid on the table
 */

/**
 * Return the state of the page before there is a game.
 * @param {(state: PlayState) => Owner} ownerOf
 */
export function createState(ownerOf) {
  const state = /** @type {PlayState} */ ({
    data: dataOf("play"),
    texts: textsOfGames(),
    game: null,
    picked: null,
    typed: "",
    timesAtMs: -Infinity,
    triedAtMs: -Infinity,
    warned: new Set(),
    whenLaid: () => {},
  });
  state.board = new Board(find("table"), ownerOf(state));
  return state;
}

/**
 * Return the game on the table. Throws TypeError before there is one.
 * @param {PlayState} state
 */
export function gameOf({ game }) {
  if (!game) throw new TypeError("no game on the table");
  return game;
}

/** @param {PlayState} state */
export const isDaily = ({ data }) => data.date !== undefined;
