// The play page: a day's deal, ranked, or any deal for practice.

import { whenLogChanges } from "../outbox.js";
import { address, find } from "../page.js";
import { CodeError, parseCode } from "../rules/deals.js";
import { ownerOf, undo } from "./gestures.js";
import { watchKeyboard } from "./keyboard.js";
import { freshCode, open, playAgain } from "./opening.js";
import { attempt } from "./panels.js";
import { askToFinish, logChanged, practise, showResult, win } from "./sending.js";
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
wireNewGame();
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

// --- The dialog for a new game: the daily deal, a random one, the same again, or one by its code

function wireNewGame() {
  const dialog = find("new-game-dialog", HTMLDialogElement);
  const form = dialog.querySelector("form");
  const variants = /** @type {RadioNodeList} */ (form?.elements.namedItem("variant"));
  const code = find("code", HTMLInputElement);
  const [random, same] = ["random-deal", "same-deal"].map((id) => find(id, HTMLButtonElement));

  find("new-game").addEventListener("click", () => {
    variants.value = state.game?.variant.slug ?? "easy-harp";
    find("code-error").textContent = "";
    same.disabled = !state.game || Boolean(state.game.attempt);
    dialog.showModal();
  });
  random.addEventListener("click", () =>
    attempt(random, async () => practise(state, await freshCode(variants.value))),
  );
  find("day-deal").addEventListener("click", () => {
    location.assign(address(state.data.today, { variant: variants.value }));
  });
  same.addEventListener("click", () => {
    dialog.close();
    playAgain(state);
  });
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    try {
      practise(state, parseCode(code.value).text);
    } catch (error) {
      if (!(error instanceof CodeError)) throw error;
      find("code-error").textContent = state.texts.refusals[error.code];
      code.setAttribute("aria-invalid", "true");
      code.focus();
    }
  });
}
