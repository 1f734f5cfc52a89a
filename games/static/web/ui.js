// The building blocks of every page: elements, toasts, dialogs and busy buttons.

import { gettext } from "./i18n.js";
import { find } from "./page.js";

/** @typedef {Node | string | null | undefined | false} Child */

/**
 * Make an element. Properties that begin with `data-`, `aria-` or have no counterpart in the DOM
 * become attributes; children may be nodes, texts, or null for nothing.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, any>} [properties]
 * @param {...(Child | Child[])} children
 */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  /** @type {Record<string, any>} */
  const properly = made;
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "class") made.className = value;
    else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key.includes("-") || !(key in made))
      made.setAttribute(key, value === true ? "" : value);
    else properly[key] = value;
  }
  const isThere = (/** @type {Child} */ child) =>
    child !== null && child !== undefined && child !== false;
  made.append(.../** @type {(Node | string)[]} */ (children.flat().filter(isThere)));
  return made;
}

// --- Toasts ------------------------------------------------------------------------------------

const SHOWN_MS = 5000;

/**
 * Show a message in passing.
 *
 * It disappears after a few seconds, later for long texts, and at once when clicked. An error
 * interrupts a screen reader.
 * @param {string} text
 * @param {{kind?: "info" | "good" | "bad"}} [options]
 */
export function toast(text, { kind = "info" } = {}) {
  const area = find(kind === "bad" ? "alerts" : "toast");
  const note = element("div", { class: `toast toast-${kind}` }, element("p", {}, text));
  let timer = 0;
  const close = () => {
    clearTimeout(timer);
    note.remove();
  };
  const leave = () => {
    timer = setTimeout(close, SHOWN_MS + 40 * text.length);
  };
  note.addEventListener("click", close);
  note.addEventListener("pointerenter", () => clearTimeout(timer));
  note.addEventListener("pointerleave", leave);
  while (area.childElementCount > 2) area.firstElementChild?.remove();
  area.append(note);
  leave();
}

// --- Dialogs -----------------------------------------------------------------------------------

let dialogs = 0;

/**
 * Ask for a decision in a modal dialog: true for `confirm`, false for everything else.
 *
 * If `confirm` is dangerous, the choice that changes nothing has the focus.
 * @param {{title: string, text: string, confirm: string, cancel?: string, danger?: boolean}} options
 * @returns {Promise<boolean>}
 */
export function confirmDialog({ title, text, confirm, cancel, danger = false }) {
  dialogs += 1;
  const [titleId, textId] = [`dialog-title-${dialogs}`, `dialog-text-${dialogs}`];
  const yes = element(
    "button",
    { type: "submit", value: "yes", class: danger ? "button danger" : "button primary" },
    confirm,
  );
  const no = element(
    "button",
    { type: "submit", value: "no", class: "button quiet" },
    cancel ?? gettext("Cancel"),
  );
  const dialog = element(
    "dialog",
    { class: "dialog", "aria-labelledby": titleId, "aria-describedby": textId },
    element(
      "form",
      { method: "dialog" },
      element("h2", { id: titleId }, title),
      element("div", { id: textId }, text),
      element("div", { class: "dialog-actions" }, no, yes),
    ),
  );
  document.body.append(dialog);
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    // A press outside the dialog means no.
    dialog.addEventListener("pointerdown", (event) => {
      if (event.target === dialog) dialog.close("no");
    });
    dialog.showModal();
    (danger ? no : yes).focus();
  });
}

// --- Buttons and forms -------------------------------------------------------------------------

/**
 * Run something while a button is disabled and shows progress.
 * @template T
 * @param {HTMLButtonElement} button
 * @param {() => Promise<T> | T} work
 */
export async function busy(button, work) {
  button.disabled = true;
  button.setAttribute("aria-busy", "true");
  try {
    return await work();
  } finally {
    button.disabled = false;
    button.removeAttribute("aria-busy");
  }
}

/**
 * Show an error under a field, or clear it. The field must have a `.field` around it.
 * @param {HTMLInputElement} input
 * @param {string} text
 */
export function fieldError(input, text) {
  const place = input.closest(".field")?.querySelector(".field-error");
  if (!place) throw new TypeError(`no place for the error of #${input.id}`);
  place.textContent = text;
  if (text) {
    place.id ||= `${input.id}-error`;
    input.setAttribute("aria-invalid", "true");
    input.setAttribute("aria-errormessage", place.id);
    input.focus();
  } else {
    input.removeAttribute("aria-invalid");
    input.removeAttribute("aria-errormessage");
  }
}

/**
 * Return the text for a refused or unanswered call.
 * @param {any} error
 * @returns {string}
 */
export function errorText(error) {
  // Only refusals of the service have their own text, in the player's language.
  return error?.detail ?? gettext("Can't reach the service. Check your connection and try again.");
}
