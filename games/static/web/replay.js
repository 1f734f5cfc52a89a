// The replay viewer: a log, action by action, on the same table, with the running score.

import { ApiError, NetworkError, get } from "./api.js";
import { Board } from "./board.js";
import { changeText, placeLabel } from "./describe.js";
import { formatDay, formatNumber, gettext, interpolate } from "./i18n.js";
import { Replay } from "./rules.js";
import { element, errorText } from "./ui.js";

const find = (id) => document.getElementById(id);
const { dataset } = find("play");
const refusals = JSON.parse(find("refusals").textContent);
const variants = JSON.parse(find("variants").textContent);

let replay = null;
let at = 0; // how many actions are on the table
let timer = null;

const board = new Board(find("table"), {
  label: (place) => placeLabel(replay.positionAt(at), place),
  canDrag: () => false,
  tap: () => true,
  doubleTap: () => true,
  drop: () => {},
  activate: () => {},
});
board.isLocked = true;

/** Fetch the log of an attempt, or the line that wins a day's deal. */
async function fetchLog() {
  if (dataset.attempt) {
    const log = await get(`attempts/${dataset.attempt}/log/`);
    return { ...log, title: log.player.display_name };
  }
  const deal = await get(`daily/${dataset.variant}/${dataset.date}/`);
  return { ...deal, movetext: deal.winning_movetext, title: gettext("Winning line") };
}

async function open() {
  const log = await fetchLog();
  replay = new Replay(log.code, log.movetext);
  find("game-name").textContent = `${variants[log.variant]}, ${log.title}`;
  find("game-kind").textContent = `${formatDay(log.date, { weekday: false, year: true })}, ${log.code}`;
  document.title = `${log.title} – ${variants[log.variant]} – ${document.title.split(" – ").at(-1)}`;
  find("place").max = replay.length;
  find("total").textContent = formatNumber(replay.length);
  for (const tool of find("replay-tools").querySelectorAll("button, input, select")) {
    tool.disabled = false;
  }
  const asked = Number(location.hash.slice(1));
  go(Number.isInteger(asked) ? Math.min(Math.max(asked, 0), replay.length) : 0, { animate: false });
}

/** Show the table after so many actions. */
function go(target, { animate = true } = {}) {
  const isOneStep = Math.abs(target - at) === 1;
  at = target;
  const position = replay.positionAt(at);
  if (board.position?.variant === position.variant) {
    board.position = position;
    board.show({ animate: animate && isOneStep });
  } else board.setPosition(position);
  find("score").textContent = formatNumber(position.score);
  find("moves").textContent = formatNumber(position.moves);
  find("place").value = at;
  find("at").textContent = formatNumber(at);
  const text = textAt();
  find("replay-text").textContent = text;
  find("place").setAttribute("aria-valuetext", `${at}: ${text}`);
  for (const id of ["first", "back"]) find(id).disabled = at === 0;
  for (const id of ["forward", "last"]) find(id).disabled = at === replay.length;
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
  const points = replay.positionAt(at).score - replay.positionAt(at - 1).score;
  const text = `${replay.actionAt(at - 1)} – ${changeText(replay.changeAt(at - 1))}`;
  if (!points) return text;
  const sign = points > 0 ? "+" : "−";
  return `${text} ${sign}${formatNumber(Math.abs(points))}`;
}

// --- Playing ------------------------------------------------------------------------------------

function play() {
  if (at === replay.length) go(0, { animate: false });
  find("play-pause").setAttribute("aria-pressed", "true");
  find("replay-text").setAttribute("aria-live", "off"); // nobody could listen so fast
  find("play-pause").setAttribute("aria-label", gettext("Pause"));
  const next = () => {
    timer = setTimeout(next, Number(find("speed").value));
    go(at + 1);
  };
  timer = setTimeout(next, Number(find("speed").value) / 2);
}

function pause() {
  clearTimeout(timer);
  timer = null;
  find("play-pause").setAttribute("aria-pressed", "false");
  find("replay-text").setAttribute("aria-live", "polite");
  find("play-pause").setAttribute("aria-label", gettext("Play"));
}

function step(target) {
  pause();
  go(Math.min(Math.max(target, 0), replay.length));
}

find("play-pause").addEventListener("click", () => (timer ? pause() : play()));
find("first").addEventListener("click", () => step(0));
find("back").addEventListener("click", () => step(at - 1));
find("forward").addEventListener("click", () => step(at + 1));
find("last").addEventListener("click", () => step(replay.length));
find("place").addEventListener("input", () => step(Number(find("place").value)));
addEventListener("keydown", (event) => {
  if (!replay || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("select, input")) return;
  const keys = {
    ArrowLeft: () => step(at - 1),
    ArrowRight: () => step(at + 1),
    PageUp: () => step(at - 10),
    PageDown: () => step(at + 10),
    Home: () => step(0),
    End: () => step(replay.length),
  };
  if (event.key === " " && !event.target.closest("button")) {
    event.preventDefault();
    if (timer) pause();
    else play();
  } else if (keys[event.key]) {
    event.preventDefault();
    keys[event.key]();
  }
});
addEventListener("settings", () => replay && board.redrawDeck());

open().catch((error) => {
  const isRefused = error instanceof ApiError;
  find("panel").replaceChildren(
    element("h2", {}, gettext("No replay to see")),
    element("p", {}, isRefused && error.status === 404 ? gettext("There is no log here for you to see.") : errorText(error)),
    element(
      "div",
      { class: "panel-actions" },
      isRefused
        ? element("a", { class: "button primary", href: dataset.home }, gettext("Today's deals"))
        : element("button", { class: "button primary", type: "button", onclick: () => location.reload() }, gettext("Try again")),
    ),
  );
  find("panel").hidden = false;
  if (!isRefused && !(error instanceof NetworkError)) throw error;
});
