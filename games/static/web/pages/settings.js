// The settings: looks and play in this browser, and the account on the service.

import {
  call,
  expiredPlayer,
  forgetSession,
  keepSession,
  player,
  signIn,
  signOut,
} from "../api.js";
import { gettext, interpolate, ngettext, rankLetters } from "../i18n.js";
import { allWaiting, flush } from "../outbox.js";
import { address, find } from "../page.js";
import { unfinishedDays } from "../play/records.js";
import { changeSetting, isPersistent, settings, whenChangedElsewhere } from "../store.js";
import { busy, confirmDialog, errorText, fieldError, toast } from "../ui.js";

/** @param {string} id */
const formOf = (id) => find(id, HTMLFormElement);
/** @param {string} id */
const inputOf = (id) => find(id, HTMLInputElement);
/** @param {string} id */
const buttonOf = (id) => find(id, HTMLButtonElement);

/**
 * Return the inputs of a form that have a name.
 * @param {HTMLFormElement} form
 */
const inputsOf = (form) =>
  [...form.elements].filter((one) => one instanceof HTMLInputElement).filter((one) => one.name);

// --- Looks and play ----------------------------------------------------------------------------

function fillSettings() {
  /** @type {Record<string, string | boolean>} */
  const chosen = settings();
  for (const input of inputsOf(formOf("settings"))) {
    if (input.type === "radio") input.checked = chosen[input.name] === input.value;
    else if (input.dataset.on) input.checked = chosen[input.name] === input.dataset.on;
    else input.checked = chosen[input.name] === true;
  }
}

formOf("settings").addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement)) return;
  /** @type {string | boolean} */
  let value = target.value;
  if (target.type === "checkbox") {
    value = target.checked;
    const { on, off = "" } = target.dataset;
    if (on) value = target.checked ? on : off;
  }
  changeSetting(target.name, value);
  if (!isPersistent()) {
    toast(gettext("This browser can't store your settings: they last until you close the page."), {
      kind: "bad",
    });
  }
});
formOf("settings").addEventListener("submit", (event) => event.preventDefault());

const [local, international] = ["local", "international"].map((letters) =>
  rankLetters(letters).slice(10).join(" "),
);
for (const sample of document.querySelectorAll("[data-letters]")) {
  sample.textContent = sample.getAttribute("data-letters") === "local" ? local : international;
}
// A language whose letters are the international ones leaves nothing to choose.
find("letters").hidden = local === international;

// --- Account -----------------------------------------------------------------------------------

function showAccount() {
  const [known, expired] = [player(), expiredPlayer()];
  find("signed-in").hidden = !known;
  find("signed-out").hidden = Boolean(known);
  find("account").setAttribute("aria-busy", "false");
  find("expired").hidden = !expired;
  if (expired) {
    find("expired").textContent = interpolate(
      gettext("%(name)s was signed out here. Sign in again to send the games that are waiting."),
      { name: expired.display_name },
    );
    inputOf("sign-in-name").value ||= expired.display_name;
  }
  if (!known) return;
  const page = find("own-page", HTMLAnchorElement);
  find("own-name").textContent = known.display_name;
  page.href = address(page.dataset.player ?? "", { id: known.id });
  const rename = inputOf("rename-name");
  if (document.activeElement !== rename) rename.value = known.display_name;
  inputOf("password-name").value = known.display_name;
  find("guest-warning").hidden = known.has_password !== false;
  find("current-field").hidden = !known.has_password;
  find("password-title").textContent = known.has_password
    ? gettext("Change the password")
    : gettext("Set a password");
}

/**
 * Show a refusal under its field, or in a toast.
 * @param {HTMLFormElement} form
 * @param {any} error
 * @param {string} fallback name of the field for refusals that are about none
 */
function showRefusal(form, error, fallback) {
  const inputs = inputsOf(form);
  /** @param {string} name */
  const named = (name) => inputs.find((one) => one.name === name);
  const field = named(error.attr) ?? (error.detail ? named(fallback) : undefined);
  if (field) fieldError(field, error.detail);
  else toast(errorText(error), { kind: "bad" });
}

/**
 * Wire a form: its fields must be filled in, and `send` does the rest, or throws a refusal.
 * @param {string} id
 * @param {string} fallback
 * @param {(values: Record<string, string>, form: HTMLFormElement) => Promise<void>} send
 */
function wire(id, fallback, send) {
  const form = formOf(id);
  const button = form.querySelector("button");
  if (!button) throw new TypeError(`no button in #${id}`);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const inputs = inputsOf(form).filter((one) => one.closest(".field"));
    for (const input of inputs) fieldError(input, "");
    // Spaces are part of a password.
    /** @param {HTMLInputElement} one */
    const text = (one) => (one.type === "password" ? one.value : one.value.trim());
    const empty = inputs.find((one) => one.required && !text(one) && one.offsetParent);
    if (empty) {
      fieldError(empty, gettext("Fill in this field."));
      return;
    }
    const values = Object.fromEntries(inputs.map(({ name, value }) => [name, value]));
    busy(button, () => send(values, form)).catch((error) => showRefusal(form, error, fallback));
  });
}

wire("sign-in", "password", async (values, form) => {
  const known = await signIn(values.display_name, values.password);
  form.reset();
  const text = interpolate(gettext("Welcome back, %(name)s."), { name: known.display_name });
  toast(text, { kind: "good" });
});

wire("rename", "display_name", async ({ display_name }) => {
  const found = await call("PATCH", "players/me/", { body: { display_name } });
  keepSession({ ...player(), ...found });
  inputOf("rename-name").value = found.display_name;
  toast(gettext("Your name is changed on every leaderboard."), { kind: "good" });
});

wire("password", "password", async ({ password, current_password }, form) => {
  const body = player()?.has_password ? { password, current_password } : { password };
  const found = await call("PUT", "players/me/password/", { body });
  keepSession({ ...player(), ...found });
  form.reset();
  const text = gettext(
    "Your password is saved. Use your name and password to sign in on any device.",
  );
  toast(text, { kind: "good" });
  showAccount();
});

/** Send what waits, and return a warning of what is left unsent or unfinished, or an empty text. */
async function unsentText() {
  const id = player()?.id;
  if (!id) return "";
  const ofPlayer = () => allWaiting().filter((log) => log.player_id === id).length;
  if (ofPlayer()) await flush();
  const count = ofPlayer() + unfinishedDays(id);
  if (!count) return "";
  const text = ngettext(
    "%(count)s game hasn't been sent yet and will wait here until you sign in again.",
    "%(count)s games haven't been sent yet and will wait here until you sign in again.",
    count,
  );
  return `${interpolate(text, { count })} `;
}

buttonOf("sign-out").addEventListener("click", async () => {
  const isGuest = !player()?.has_password;
  const unsent = await unsentText();
  const sure = await confirmDialog({
    title: isGuest ? gettext("Sign out without a password?") : gettext("Sign out?"),
    text:
      unsent +
      (isGuest
        ? gettext(
            "You can't come back as this player: without a password no one can sign in as you, not even you. Your results stay on the leaderboards.",
          )
        : gettext("Sign in with your name and password to come back.")),
    confirm: isGuest ? gettext("Sign out for good") : gettext("Sign out"),
    danger: isGuest || Boolean(unsent),
  });
  if (!sure) return;
  // Even if the service cannot be reached, forget the token here.
  await busy(buttonOf("sign-out"), () => signOut()).catch(() => {});
  toast(gettext("You are signed out."));
});

buttonOf("leave").addEventListener("click", async () => {
  const unsent = await unsentText();
  const sure = await confirmDialog({
    title: gettext("Delete your account?"),
    text:
      unsent +
      gettext(
        "Others can take your name, and your results disappear from every leaderboard, past ones too. You can't undo this.",
      ),
    confirm: gettext("Delete for good"),
    danger: true,
  });
  if (!sure) return;
  try {
    await busy(buttonOf("leave"), () => call("DELETE", "players/me/"));
    forgetSession();
    toast(gettext("Your account is deleted."));
  } catch (error) {
    toast(errorText(error), { kind: "bad" });
  }
});

/** Ask the service who we are: the name may have been changed elsewhere. */
async function refresh() {
  if (!player()) return;
  try {
    keepSession({ ...player(), ...(await call("GET", "players/me/")) });
  } catch {
    // A refused token updates the page by itself; without a connection, show what is known.
  }
}

fillSettings();
showAccount();
refresh();
addEventListener("session", showAccount);
whenChangedElsewhere((key) => {
  if (key === "settings") fillSettings();
});
addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  fillSettings();
  showAccount();
});
