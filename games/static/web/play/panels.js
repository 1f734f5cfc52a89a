// What the page shows around the table: counters, refusals, and panels over it.

import { ApiError, NetworkError } from "../api.js";
import { formatDuration, formatNumber, gettext } from "../i18n.js";
import { find } from "../page.js";
import { settings } from "../store.js";
import { busy, element, errorText, toast } from "../ui.js";

/** @import { PlayState } from "#web/play/state.js" */

const REFUSAL_SHOWN_MS = 5_000;

/**
 * Change a text in place: a new node would make the browser lay out the whole page again.
 * @param {HTMLElement} box
 * @param {string} text
 */
function write(box, text) {
  if (box.firstChild instanceof Text) box.firstChild.data = text;
  else box.textContent = text;
}

/**
 * @param {string} id
 * @param {string} text
 */
function update(id, text) {
  const box = find(id);
  if (box.textContent !== text) write(box, text);
}

/**
 * Make a screen reader say something.
 * @param {string} text
 */
export function say(text) {
  write(find("say"), text);
}

// --- Refusals

/** @type {ReturnType<typeof setTimeout> | undefined} */
let refusalTimer;

/**
 * Show that an action is not allowed, and why.
 * @param {PlayState} state
 * @param {string} code
 * @param {string | null} place whose cards do not move
 * @param {number} [cards]
 */
export function showRefusal({ board, texts }, code, place, cards = 1) {
  if (place) board.shake(place, cards);
  if (!settings().interactiveRules) {
    say(gettext("Not allowed."));
    return;
  }
  const box = find("refusal");
  box.textContent = texts.refusals[code] ?? code;
  box.dataset.code = code;
  box.hidden = false;
  clearTimeout(refusalTimer);
  refusalTimer = setTimeout(hideRefusal, REFUSAL_SHOWN_MS);
}

export function hideRefusal() {
  clearTimeout(refusalTimer);
  const box = find("refusal");
  if (!box.hidden) box.hidden = true;
}

// --- Counters

/** @param {PlayState} state */
export function showCounters({ game, board }) {
  if (!game) return;
  const { position, isSent } = game;
  const isPlayed = !board.isLocked && !isSent;
  update("score", formatNumber(position.score));
  update("moves", formatNumber(position.moves));
  if (position.variant.hasStock) {
    update("stock", formatNumber(position.pile("stock").length));
    update("pass", formatNumber(position.recycles + 1));
  }
  const undo = find("undo", HTMLButtonElement);
  undo.classList.toggle("is-empty", position.undoable === 0);
  undo.disabled = !isPlayed;
  update("undo-count", position.undoable ? formatNumber(position.undoable) : "");
  const finish = document.getElementById("finish");
  if (finish instanceof HTMLButtonElement) finish.disabled = !isPlayed || position.moves === 0;
}

/** @param {number} ms */
export const formatMs = (ms) => formatDuration(ms / 1000);

/** @param {PlayState} state */
export function showTime({ game }) {
  if (game) update("time", formatMs(game.elapsedMs()));
}

// --- Panels

/**
 * What a panel offers: something to do, or a page to go to.
 * @typedef {{label: string, run: () => unknown} | {label: string, href: string}} PanelAction
 */

/**
 * Show a panel over the table, which cannot be played until it is closed.
 * @param {PlayState} state
 * @param {object} contents
 * @param {string} contents.name
 * @param {string} contents.title
 * @param {string | string[]} contents.text lines; empty ones are left out
 * @param {PanelAction[]} contents.actions the main one first
 */
export function showPanel(state, { name, title, text, actions }) {
  const box = find("panel");
  const contents = JSON.stringify([name, title, text, actions]);
  // Leave an open panel alone: the player may be reading it or about to press a button.
  if (!box.hidden && box.dataset.contents === contents) return;
  box.dataset.contents = contents;
  box.dataset.name = name;
  const heading = element("h2", { tabIndex: -1 }, title);
  const lines = [text].flat().filter(Boolean);
  box.replaceChildren(
    heading,
    ...lines.map((line) => element("p", {}, line)),
    element("div", { class: "panel-actions" }, actions.map(panelAction)),
  );
  box.hidden = false;
  state.board.isLocked = true;
  find("table").inert = true;
  showCounters(state);
  heading.focus({ preventScroll: true });
}

/**
 * @param {PanelAction} action
 * @param {number} at
 */
function panelAction(action, at) {
  const looks = `button ${at === 0 ? "primary" : "quiet"}`;
  if ("href" in action) return element("a", { class: looks, href: action.href }, action.label);
  const button = element("button", { class: looks, type: "button" }, action.label);
  button.addEventListener("click", () => attempt(button, action.run));
  return button;
}

/** @param {PlayState} state */
export function closePanel({ board }) {
  find("panel").hidden = true;
  find("panel").dataset.name = "";
  find("table").inert = false;
  board.isLocked = false;
  board.focus(board.current);
}

/**
 * Do something that may need the service, once at a time, and show any error.
 * @param {HTMLButtonElement} button
 * @param {() => unknown} run
 */
export async function attempt(button, run) {
  try {
    await busy(button, run);
  } catch (error) {
    toast(errorText(error), { kind: "bad" });
    if (!(error instanceof ApiError || error instanceof NetworkError)) throw error;
  }
}

/**
 * @param {PlayState} state
 * @returns {PanelAction}
 */
export const homeAction = ({ data }) => ({ label: gettext("Today's deals"), href: data.home });
