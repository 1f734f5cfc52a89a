// The replay viewer: a log, action by action, on the same table, with the running score.

import { ApiError, get, NetworkError } from "../api.js";
import { changeText, placeLabel } from "../describe.js";
import { formatDay, formatNumber, gettext, interpolate } from "../i18n.js";
import { dataOf, find, setTitle, textsOfGames } from "../page.js";
import { Replay } from "../rules/replay.js";
import { Board } from "../table/board.js";
import { element, errorText } from "../ui.js";

/** @import { Position } from "#web/rules/position.js" */

const data = dataOf("play");
const { variants, refusals } = textsOfGames();
const slider = find("place", HTMLInputElement);
const speed = find("speed", HTMLSelectElement);
/** @param {string} id */
const button = (id) => find(id, HTMLButtonElement);

/** @type {Replay} */
let replay;
/** @type {Position} */
let position; // after `at` actions
let at = 0;
/** @type {ReturnType<typeof setTimeout> | null} */
let timer = null;

const board = new Board(
  find("table"),
  { label: (place) => placeLabel(position, place) },
  { isWatched: true },
);

/** Fetch the log of an attempt, or the line that wins a day's deal. */
async function fetchLog() {
  if (data.attempt) {
    const log = await get(`attempts/${data.attempt}/log/`);
    return { ...log, title: log.player.display_name };
  }
  const deal = await get(`daily/${data.variant}/${data.date}/`);
  return { ...deal, movetext: deal.winning_movetext, title: gettext("Winning line") };
}

async function open() {
  const log = await fetchLog();
  replay = new Replay(log.code, log.movetext);
  find("game-name").textContent = `${variants[log.variant]}, ${log.title}`;
  const day = formatDay(log.date, { weekday: false, year: true });
  find("game-kind").textContent = `${day}, ${log.code}`;
  setTitle(log.title, variants[log.variant]);
  slider.max = String(replay.length);
  find("total").textContent = formatNumber(replay.length);
  for (const tool of find("replay-tools").querySelectorAll("button, input, select")) {
    tool.removeAttribute("disabled");
  }
  const asked = Number(location.hash.slice(1));
  go(Number.isInteger(asked) ? within(asked) : 0, { animate: false });
  addEventListener("keydown", pressed);
  addEventListener("settings", () => board.redrawDeck());
}

/** @param {number} target */
const within = (target) => Math.min(Math.max(target, 0), replay.length);

/**
 * Show the table after this many actions.
 * @param {number} target
 * @param {{animate?: boolean}} [options]
 */
function go(target, { animate = true } = {}) {
  const isOneStep = Math.abs(target - at) === 1;
  at = target;
  position = replay.positionAt(at);
  board.setPosition(position, { animate: animate && isOneStep });
  find("score").textContent = formatNumber(position.score);
  find("moves").textContent = formatNumber(position.moves);
  slider.value = String(at);
  find("at").textContent = formatNumber(at);
  const text = textAt();
  find("replay-text").textContent = text;
  slider.setAttribute("aria-valuetext", `${at}: ${text}`);
  for (const id of ["first", "back"]) button(id).disabled = at === 0;
  for (const id of ["forward", "last"]) button(id).disabled = at === replay.length;
  if (at === replay.length) pause();
}

function textAt() {
  if (at === replay.length && replay.refused) {
    return interpolate(gettext("Refused: %(action)s. %(reason)s"), {
      action: replay.refused.action,
      reason: refusals[replay.refused.code],
    });
  }
  if (at === 0) return gettext("The deal.");
  const change = replay.changeAt(at - 1);
  const { points } = change;
  const text = `${change.action} – ${changeText(change)}`;
  if (!points) return text;
  const sign = points > 0 ? "+" : "−";
  return `${text} ${sign}${formatNumber(Math.abs(points))}`;
}

// --- Playing ------------------------------------------------------------------------------------

function play() {
  if (at === replay.length) go(0, { animate: false });
  find("play-pause").setAttribute("aria-pressed", "true");
  find("replay-text").setAttribute("aria-live", "off"); // too fast to listen to
  find("play-pause").setAttribute("aria-label", gettext("Pause"));
  const next = () => {
    timer = setTimeout(next, Number(speed.value));
    go(at + 1);
  };
  timer = setTimeout(next, Number(speed.value) / 2);
}

function pause() {
  if (timer) clearTimeout(timer);
  timer = null;
  find("play-pause").setAttribute("aria-pressed", "false");
  find("replay-text").setAttribute("aria-live", "polite");
  find("play-pause").setAttribute("aria-label", gettext("Play"));
}

/** @param {number} target */
function step(target) {
  pause();
  go(within(target));
}

find("play-pause").addEventListener("click", () => (timer ? pause() : play()));
find("first").addEventListener("click", () => step(0));
find("back").addEventListener("click", () => step(at - 1));
find("forward").addEventListener("click", () => step(at + 1));
find("last").addEventListener("click", () => step(replay.length));
slider.addEventListener("input", () => step(Number(slider.value)));

/** @type {Record<string, () => void>} */
const KEYS = {
  ArrowLeft: () => step(at - 1),
  ArrowRight: () => step(at + 1),
  PageUp: () => step(at - 10),
  PageDown: () => step(at + 10),
  Home: () => step(0),
  End: () => step(replay.length),
};

/** @param {KeyboardEvent} event */
function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest("select, input")) return;
  if (event.key === " " && !target?.closest("button")) {
    event.preventDefault();
    if (timer) pause();
    else play();
  } else if (KEYS[event.key]) {
    event.preventDefault();
    KEYS[event.key]();
  }
}

open().catch((error) => {
  const isRefused = error instanceof ApiError;
  const looks = "button primary";
  const again = { class: looks, type: "button", onclick: () => location.reload() };
  find("panel").replaceChildren(
    element("h2", {}, gettext("No replay here")),
    element(
      "p",
      {},
      isRefused && error.status === 404
        ? gettext("There's no game here for you to watch.")
        : errorText(error),
    ),
    element(
      "div",
      { class: "panel-actions" },
      isRefused
        ? element("a", { class: looks, href: data.home }, gettext("Today's deals"))
        : element("button", again, gettext("Try again")),
    ),
  );
  find("panel").hidden = false;
  if (!isRefused && !(error instanceof NetworkError)) throw error;
});
