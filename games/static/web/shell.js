// On every page: who plays here, countdowns, the looks, one's own rows.

import { expiredPlayer, get, player } from "./api.js";
import { formatDuration, gettext, interpolate, language, locale } from "./i18n.js";
import "./outbox.js"; // logs on their way are looked after by every page
import { settings, whenChangedElsewhere } from "./store.js";

// --- The server's clock ------------------------------------------------------------------------

const RESYNC_AFTER_MS = 5 * 60_000;
// A page opened without a network is an older one, and so is its time.
const loaded = navigator.onLine
  ? document.querySelector("[data-server-now]")?.dataset.serverNow
  : undefined;
// performance.now() of Chromium and WebKit may stand still while the machine sleeps, and the wall
// clock may be set: what both agree on is trusted, and after a long pause the server is asked.
let offset = loaded ? Date.parse(loaded) - Date.now() : 0;
let lastTick = Date.now();

/** Return the server's time as a number of milliseconds, as far as it is known here. */
export const serverNow = () => Date.now() + offset;

async function resync() {
  try {
    const asked = Date.now();
    const deals = await get("daily/", { anonymous: true });
    if (deals.length) offset = Date.parse(deals[0].server_now) - (asked + Date.now()) / 2;
  } catch {
    // Offline: the clock of the page goes on.
  }
}

// --- Countdowns --------------------------------------------------------------------------------

function countDown() {
  const now = serverNow();
  for (const counter of document.querySelectorAll("[data-countdown]")) {
    const left = Date.parse(counter.dataset.countdown) - now;
    const text = formatDuration(Math.max(0, Math.ceil(left / 1000)));
    if (counter.textContent !== text) counter.textContent = text;
    if (left <= 0 && !("over" in counter.dataset)) {
      counter.dataset.over = "";
      counter.dispatchEvent(new CustomEvent("countdown-over", { bubbles: true }));
    }
  }
  setTimeout(countDown, 1000 - (serverNow() % 1000) + 5);
}

function watchTheClock() {
  if (!document.querySelector("[data-countdown]")) return;
  countDown();
  setInterval(() => {
    // The page was frozen, the machine asleep, or the clock was set.
    if (Math.abs(Date.now() - lastTick) > RESYNC_AFTER_MS) resync();
    lastTick = Date.now();
  }, 20_000);
  addEventListener("online", resync);
  addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible" && Math.abs(Date.now() - lastTick) > 60_000) {
      lastTick = Date.now();
      resync();
    }
  });
}

// --- The player --------------------------------------------------------------------------------

function showPlayer() {
  const me = document.getElementById("me");
  if (!me) return;
  const [known, expired] = [player(), expiredPlayer()];
  const name = me.querySelector(".me-name");
  name.textContent = known?.display_name ?? (expired ? gettext("Sign in again") : gettext("Guest"));
  me.href = known ? me.dataset.player.replace(/[0-9a-f-]{36}/, known.id) : me.dataset.settings;
  me.title = known
    ? gettext("Your results")
    : gettext("You play as a guest: the first game gives you a name.");
  me.classList.toggle("is-known", Boolean(known));
  me.hidden = false;
}

/** Mark the rows of this browser's player below an element. */
export function markOwnRows(root = document) {
  const id = player()?.id;
  for (const row of root.querySelectorAll("[data-player-id]")) {
    row.classList.toggle("is-own", row.dataset.playerId === id);
  }
}

// --- The looks ---------------------------------------------------------------------------------

function applySettings() {
  const chosen = settings();
  const { dataset } = document.documentElement;
  for (const name of ["theme", "deck", "hand", "motion"]) dataset[name] = chosen[name];
}

// --- The language links of the footer ----------------------------------------------------------

function wireLanguages() {
  for (const link of document.querySelectorAll("a[data-language]")) {
    if (link.dataset.language === language) link.setAttribute("aria-current", "true");
    link.addEventListener("click", (event) => {
      event.preventDefault();
      const year = 365 * 24 * 3600;
      const secure = location.protocol === "https:" ? "; Secure" : "";
      document.cookie = `django_language=${link.dataset.language}; Path=/; Max-Age=${year}; SameSite=Lax${secure}`;
      location.reload();
    });
  }
}

// --- Times of the device -----------------------------------------------------------------------

function localTimes() {
  for (const time of document.querySelectorAll("time[data-local-time]")) {
    const local = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
    time.title = interpolate(gettext("%(time)s where you are"), {
      time: local.format(new Date(time.dateTime)),
    });
  }
}

// A page can be opened again without a network; where the browser has no workers, it cannot.
navigator.serviceWorker?.register("/service-worker.js").catch(() => {});

showPlayer();
markOwnRows();
watchTheClock();
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
// A page taken from the browser's memory may be of another player, setting or hour.
addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  dispatchEvent(new CustomEvent("settings"));
  showPlayer();
  markOwnRows();
  resync();
});
