// The play page: a day's deal, ranked, or any deal for practice.

import { whenLogChanges } from "../outbox.js";
import { find } from "../page.js";
import { ownerOf, undo } from "./gestures.js";
import { watchKeyboard } from "./keyboard.js";
import { wireNewGame } from "./new-game.js";
import { open } from "./opening.js";
import { askToFinish, logChanged, showResult, win } from "./sending.js";
import { createState, gameOf } from "./state.js";
import { showTick, startTicking, syncTimes } from "./timing.js";

const state = createState(ownerOf);

state.whenLaid = () => {
  const { isSent, position } = gameOf(state);
  showTick(state);
  syncTimes(state);
  if (isSent) showResult(state);
  else if (position.won) win(state);
};

watchKeyboard(state);
startTicking(state);
wireNewGame(state);
whenLogChanges((attemptId) => logChanged(state, attemptId));

find("undo").addEventListener("click", (event) => {
  undo(state);
  // After pressing it, the player continues at the table, perhaps by keyboard.
  if (event.detail > 0) state.board.focus(state.board.current);
});
document.getElementById("finish")?.addEventListener("click", () => askToFinish(state));
find("help").addEventListener("click", () => find("help-dialog", HTMLDialogElement).showModal());
for (const close of document.querySelectorAll("dialog [data-close]")) {
  close.addEventListener("click", () => close.closest("dialog")?.close());
}

addEventListener("settings", () => state.board.redrawDeck());
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") syncTimes(state);
});
// A page restored from the browser's memory would no longer hold its game.
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});

open(state);
