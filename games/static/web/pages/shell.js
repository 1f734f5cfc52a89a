// On every page: the player, countdowns, the looks, and the player's own rows.
// Every page sends the logs that wait, too: importing the outbox does it.

import { expiredPlayer, player } from "../api.js";
import { askTime, keepTime, serverNow } from "../clock.js";
import { formatDuration, gettext, interpolate, language, locale } from "../i18n.js";
import "../outbox.js";
import { address } from "../page.js";
import { settings, whenChangedElsewhere } from "../store.js";

/**
 * @param {string} selector
 * @returns {NodeListOf<HTMLElement>}
 */
const all = (selector) => document.querySelectorAll(selector);

// --- Countdowns --------------------------------------------------------------------------------

function countDown() {
  const now = serverNow();
  for (const counter of all("[data-countdown]")) {
    const left = Date.parse(counter.dataset.countdown ?? "") - now;
    const text = formatDuration(Math.max(0, Math.ceil(left / 1000)));
    if (counter.textContent !== text) counter.textContent = text;
    if (left <= 0 && !("over" in counter.dataset)) {
      counter.dataset.over = "";
      counter.dispatchEvent(new CustomEvent("countdown-over", { bubbles: true }));
    }
  }
  setTimeout(countDown, 1000 - (serverNow() % 1000) + 5);
}

// --- The player --------------------------------------------------------------------------------

function showPlayer() {
  const me = document.querySelector("#me");
  const name = me?.querySelector(".me-name");
  if (!(me instanceof HTMLAnchorElement && name)) return;
  const [known, expired] = [player(), expiredPlayer()];
  name.textContent = known?.display_name ?? (expired ? gettext("Sign in again") : gettext("Guest"));
  const { player: ofPlayer = "", settings: toSettings = "" } = me.dataset;
  me.href = known ? address(ofPlayer, { id: known.id }) : toSettings;
  me.title = known
    ? gettext("Your results")
    : gettext("You're a guest: your first game gives you a name.");
  me.classList.toggle("is-known", Boolean(known));
  me.hidden = false;
}

/** Mark the rows of this browser's player. */
export function markOwnRows() {
  const id = player()?.id;
  for (const row of all("[data-player-id]")) {
    row.classList.toggle("is-own", row.dataset.playerId === id);
  }
}

// --- The looks ---------------------------------------------------------------------------------

function applySettings() {
  const chosen = settings();
  const { dataset } = document.documentElement;
  for (const name of /** @type {const} */ (["theme", "deck", "hand", "motion"])) {
    dataset[name] = chosen[name];
  }
}

// --- The language links of the footer ----------------------------------------------------------

function wireLanguages() {
  for (const link of all("a[data-language]")) {
    if (link.dataset.language === language) link.setAttribute("aria-current", "true");
    link.addEventListener("click", (event) => {
      event.preventDefault();
      const year = 365 * 24 * 3600;
      const secure = location.protocol === "https:" ? "; Secure" : "";
      // biome-ignore lint/suspicious/noDocumentCookie: not every browser has a cookieStore
      document.cookie = `django_language=${link.dataset.language}; Path=/; Max-Age=${year}; SameSite=Lax${secure}`;
      location.reload();
    });
  }
}

// --- Times of the device -----------------------------------------------------------------------

function localTimes() {
  for (const time of all("time[data-local-time]")) {
    const local = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
    time.title = interpolate(gettext("%(time)s your time"), {
      time: local.format(new Date(time.getAttribute("datetime") ?? "")),
    });
  }
}

// The page can open again without a network, if the browser has service workers.
navigator.serviceWorker?.register("/service-worker.js").catch(() => {});

showPlayer();
markOwnRows();
if (all("[data-countdown]").length) {
  countDown();
  keepTime();
}
wireLanguages();
localTimes();
addEventListener("settings", applySettings);
addEventListener("session", () => {
  showPlayer();
  markOwnRows();
});
whenChangedElsewhere((key) => {
  if (key === "settings") dispatchEvent(new CustomEvent("settings"));
  if (key === "session") dispatchEvent(new CustomEvent("session"));
});
// A page restored from the browser's memory may show an old player, setting or hour.
addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  dispatchEvent(new CustomEvent("settings"));
  showPlayer();
  markOwnRows();
  askTime();
});
