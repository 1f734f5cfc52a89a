// What every page builds from: elements, toasts, dialogs and buttons that are busy.

import { gettext } from "./i18n.js";

/**
 * Make an element. Properties that begin with `data-`, `aria-` or have no counterpart in the DOM
 * become attributes; children may be nodes, texts, or null for nothing.
 */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "class") made.className = value;
    else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key.includes("-") || !(key in made)) made.setAttribute(key, value === true ? "" : value);
    else made[key] = value;
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

// --- Toasts ------------------------------------------------------------------------------------

const SHOWN_MS = 5000;

/**
 * Say something in passing; `kind` is "info", "good" or "bad".
 *
 * It goes after a few seconds, later for long texts, and at once when it is clicked. Bad news
 * interrupts a screen reader. Returns a function that takes it away.
 */
export function toast(text, { kind = "info" } = {}) {
  const area = document.getElementById(kind === "bad" ? "alerts" : "toast");
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
  while (area.childElementCount > 2) area.firstElementChild.remove();
  area.append(note);
  leave();
  return close;
}

// --- Dialogs -----------------------------------------------------------------------------------

let dialogs = 0;

/**
 * Ask for a decision in a modal dialog: true for `confirm`, false for everything else.
 *
 * `text` is a text or a node. The choice that changes nothing has the focus where the other is a
 * danger. `cancel` may be null for a message that has only one answer.
 */
export function confirmDialog({ title, text = "", confirm, cancel, danger = false }) {
  dialogs += 1;
  const [titleId, textId] = [`dialog-title-${dialogs}`, `dialog-text-${dialogs}`];
  const yes = element(
    "button",
    { type: "submit", value: "yes", class: danger ? "button danger" : "button primary" },
    confirm ?? gettext("OK"),
  );
  const no =
    cancel === null
      ? null
      : element("button", { type: "submit", value: "no", class: "button quiet" }, cancel ?? gettext("Cancel"));
  const dialog = element(
    "dialog",
    { class: "dialog", "aria-labelledby": titleId, "aria-describedby": text ? textId : null },
    element(
      "form",
      { method: "dialog" },
      element("h2", { id: titleId }, title),
      text ? element("div", { id: textId, class: "dialog-text" }, text) : null,
      element("div", { class: "dialog-actions" }, no, yes),
    ),
  );
  document.body.append(dialog);
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    // A press beside the dialog is a no, one inside it is none.
    dialog.addEventListener("pointerdown", (event) => {
      if (event.target === dialog) dialog.close("no");
    });
    dialog.showModal();
    (danger && no ? no : yes).focus();
  });
}

// --- Buttons and forms -------------------------------------------------------------------------

/** Run something while a button is disabled and shows that it is being done. */
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

/** Say under a field what is wrong with it, or nothing; the field must have a `.field` around it. */
export function fieldError(input, text) {
  const place = input.closest(".field").querySelector(".field-error");
  place.textContent = text ?? "";
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

/** Return the text for somebody whose call was not answered or refused. */
export function errorText(error) {
  // Only refusals of the service have a text of their own, and it is in the player's language.
  return error?.detail ?? gettext("The server cannot be reached. Check your connection and try again.");
}
