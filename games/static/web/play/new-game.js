// The dialog for a new game: the daily deal, a random one, the same again, or one by its code.

import { address, find } from "../page.js";
import { CodeError, parseCode } from "../rules/deals.js";
import { freshCode, playAgain } from "./opening.js";
import { attempt } from "./panels.js";
import { practise } from "./sending.js";

/** @import { PlayState } from "#web/play/state.js" */

/** @param {PlayState} state */
export function wireNewGame(state) {
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
