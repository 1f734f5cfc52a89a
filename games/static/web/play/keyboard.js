// Keys: arrows go from place to place; letters are those of the notation.

import { gettext } from "../i18n.js";
import { act, moveTo, pickUp, putDown, undo } from "./gestures.js";
import { hideRefusal, say } from "./panels.js";
import { gameOf } from "./state.js";

/** @import { PlayState } from "#web/play/state.js" */
/** @import { Direction } from "#web/table/layout.js" */

/** @type {Record<string, Direction>} */
const ARROWS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };

/** @param {PlayState} state */
export function watchKeyboard(state) {
  addEventListener("keydown", (event) => pressed(state, event));
}

/**
 * @param {PlayState} state
 * @param {KeyboardEvent} event
 */
function pressed(state, event) {
  const { game, board, picked, typed } = state;
  if (!game || board.isLocked || event.altKey || document.querySelector("dialog[open]")) return;
  document.documentElement.dataset.keyboard = "";
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if ((event.ctrlKey || event.metaKey) && key === "z") {
    event.preventDefault();
    undo(state);
    return;
  }
  if (event.ctrlKey || event.metaKey) return;
  // Letters are shortcuts on the table only, and one for each press.
  const isAtTable = event.target instanceof Element && event.target.closest("#table");
  if (event.target !== document.body && !isAtTable) return;
  if (ARROWS[key]) {
    event.preventDefault();
    const next = board.neighbour(ARROWS[key]);
    if (next) board.focus(next);
  } else if (key === "Escape") {
    if (picked || typed) say(gettext("Put back."));
    putDown(state);
    hideRefusal();
  } else if (!event.repeat && type(state, key)) event.preventDefault();
}

/**
 * Take a key as a letter of the notation; return whether it is one.
 * @param {PlayState} state
 * @param {string} key
 */
function type(state, key) {
  const places = gameOf(state).position.places();
  if (state.typed === "h") {
    // The second key of a foundation as the source.
    state.typed = "";
    if (!places.includes(`h${key}`)) return false;
    pickUp(state, `h${key}`);
    return true;
  }
  if (key.length === 1 && places.includes(key)) {
    if (state.picked) moveTo(state, key);
    else {
      state.board.focus(key);
      pickUp(state, key);
    }
    return true;
  }
  if (key === "h") {
    if (state.picked) moveTo(state, "h");
    else state.typed = "h";
    return true;
  }
  if (!["u", "d", "r"].includes(key)) return false;
  // Where a game has no stock, the rules say so.
  act(state, key.toUpperCase(), key !== "u" && places.includes("stock") ? "stock" : null);
  return true;
}
