// The settings: looks and play in this browser, and the account at the service.

import { call, expiredPlayer, forgetSession, keepSession, player, signIn, signOut } from "./api.js";
import { gettext, interpolate, ngettext, rankLetters } from "./i18n.js";
import { allWaiting, flush } from "./outbox.js";
import { unfinishedDays } from "./records.js";
import { changeSetting, isPersistent, settings, whenChangedElsewhere } from "./store.js";
import { busy, confirmDialog, errorText, fieldError, toast } from "./ui.js";

const $ = (id) => document.getElementById(id);

// --- Looks and play ----------------------------------------------------------------------------

const form = $("settings");

function fillSettings() {
  const chosen = settings();
  for (const input of form.elements) {
    if (!input.name) continue;
    if (input.type === "radio") input.checked = chosen[input.name] === input.value;
    else if (input.dataset.on) input.checked = chosen[input.name] === input.dataset.on;
    else input.checked = chosen[input.name];
  }
}

form.addEventListener("change", ({ target }) => {
  let value = target.value;
  if (target.type === "checkbox") {
    value = target.checked;
    if (target.dataset.on) value = target.checked ? target.dataset.on : target.dataset.off;
  }
  changeSetting(target.name, value);
  if (!isPersistent()) {
    toast(gettext("This browser keeps nothing for us: the settings hold until the page is closed."), { kind: "bad" });
  }
});
form.addEventListener("submit", (event) => event.preventDefault());

const [local, international] = ["local", "international"].map((letters) => rankLetters(letters).slice(10).join(" "));
for (const sample of document.querySelectorAll("[data-letters]")) {
  sample.textContent = sample.dataset.letters === "local" ? local : international;
}
// A language whose letters are the international ones leaves nothing to choose.
$("letters").hidden = local === international;

// --- Account -----------------------------------------------------------------------------------

function showAccount() {
  const [known, expired] = [player(), expiredPlayer()];
  $("signed-in").hidden = !known;
  $("signed-out").hidden = Boolean(known);
  $("account").setAttribute("aria-busy", "false");
  $("expired").hidden = !expired;
  if (expired) {
    $("expired").textContent = interpolate(
      gettext("%(name)s was signed out here. Sign in again to send what has not been sent yet."),
      { name: expired.display_name },
    );
    $("sign-in-name").value ||= expired.display_name;
  }
  if (!known) return;
  $("own-name").textContent = known.display_name;
  $("own-page").href = $("own-page").dataset.player.replace(/[0-9a-f-]{36}/, known.id);
  if (document.activeElement !== $("rename-name")) $("rename-name").value = known.display_name;
  $("password-name").value = known.display_name;
  $("guest-warning").hidden = known.has_password !== false;
  $("current-field").hidden = !known.has_password;
  $("password-title").textContent = known.has_password ? gettext("Change the password") : gettext("Set a password");
}

/** Say what was refused: under the field it is about, or in a toast. */
function showRefusal(form, error, fallback) {
  const field = form.elements[error.attr] ?? (error.detail ? fallback : null);
  if (field) fieldError(field, error.detail);
  else toast(errorText(error), { kind: "bad" });
}

/** Wire a form: its fields must be filled in, and `send` does the rest, or throws a refusal. */
function wire(form, fallbackName, send) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const inputs = [...form.elements].filter((one) => one.name && one.closest(".field"));
    for (const input of inputs) fieldError(input, "");
    // Of a password blanks are a part like any other.
    const text = (one) => (one.type === "password" ? one.value : one.value.trim());
    const empty = inputs.find((one) => one.required && !text(one) && one.offsetParent);
    if (empty) {
      fieldError(empty, gettext("Please fill this in."));
      return;
    }
    busy(form.querySelector("button"), () => send(form)).catch((error) =>
      showRefusal(form, error, form.elements[fallbackName]),
    );
  });
}

wire($("sign-in"), "password", async (form) => {
  const known = await signIn(form.elements.display_name.value, form.elements.password.value);
  form.reset();
  toast(interpolate(gettext("Welcome back, %(name)s."), { name: known.display_name }), { kind: "good" });
});

wire($("rename"), "display_name", async (form) => {
  const found = await call("PATCH", "players/me/", { body: { display_name: form.elements.display_name.value } });
  keepSession({ ...player(), ...found });
  form.elements.display_name.value = found.display_name;
  toast(gettext("Your name is changed, on all boards."), { kind: "good" });
});

wire($("password"), "password", async (form) => {
  const { password, current_password: current } = form.elements;
  const body = { password: password.value };
  if (player()?.has_password) body.current_password = current.value;
  const found = await call("PUT", "players/me/password/", { body });
  keepSession({ ...player(), ...found });
  form.reset();
  toast(gettext("The password is saved. Name and password let you in on any device."), { kind: "good" });
  showAccount();
});

/** Send what waits, and return a warning of what is left unsent or unfinished, or an empty text. */
async function unsentText() {
  const id = player()?.id;
  const ofPlayer = () => allWaiting().filter((log) => log.player_id === id).length;
  if (ofPlayer()) await flush();
  const count = ofPlayer() + unfinishedDays(id);
  if (!count) return "";
  const text = ngettext(
    "%(count)s game of yours is not sent yet and would wait here until you sign in again.",
    "%(count)s games of yours are not sent yet and would wait here until you sign in again.",
    count,
  );
  return `${interpolate(text, { count })} `;
}

$("sign-out").addEventListener("click", async () => {
  const isGuest = !player()?.has_password;
  const unsent = await unsentText();
  const sure = await confirmDialog({
    title: isGuest ? gettext("Sign out without a password?") : gettext("Sign out?"),
    text: unsent + (isGuest
      ? gettext("Nothing can bring this player back: without a password nobody can sign in as you, not even you. The results stay on the boards.")
      : gettext("Name and password bring you back.")),
    confirm: isGuest ? gettext("Sign out for good") : gettext("Sign out"),
    danger: isGuest || Boolean(unsent),
  });
  if (!sure) return;
  // Where the service cannot be reached, the token is forgotten here all the same.
  await busy($("sign-out"), () => signOut()).catch(() => {});
  toast(gettext("You are signed out."));
});

$("leave").addEventListener("click", async () => {
  const unsent = await unsentText();
  const sure = await confirmDialog({
    title: gettext("Delete the account?"),
    text: unsent + gettext("Your name becomes free for others, and your results leave all boards, past ones too. This cannot be undone."),
    confirm: gettext("Delete for good"),
    danger: true,
  });
  if (!sure) return;
  try {
    await busy($("leave"), () => call("DELETE", "players/me/"));
    forgetSession();
    toast(gettext("The account is deleted."));
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
    // A refused token has told the page by itself; without a connection what is known does.
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
