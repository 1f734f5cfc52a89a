// From the open page to a game on the table: the deal of a day, or any deal for practice.

import { ApiError, ensurePlayer, expiredPlayer, get, player, post } from "../api.js";
import { formatDay, formatHour, gettext, interpolate } from "../i18n.js";
import { waiting } from "../outbox.js";
import { find, setTitle } from "../page.js";
import { CodeError, parseCode, VARIANTS } from "../rules/deals.js";
import { isPersistent } from "../store.js";
import { hold } from "../tabs.js";
import { toast } from "../ui.js";
import { Game, randomCode } from "./game.js";
import { closePanel, homeAction, showCounters, showPanel } from "./panels.js";
import { dailyKey, lastPractice } from "./records.js";
import { gameOf, isDaily } from "./state.js";

/** @import { PlayState } from "#web/play/state.js" */

/**
 * Open the game of the page.
 * @param {PlayState} state
 */
export const open = (state) => (isDaily(state) ? openDaily(state) : openPractice(state));

// --- The deal of a day

/** @param {PlayState} state */
export const dailyPath = ({ data }) => `daily/${data.variant}/${data.date}/`;

/** @param {PlayState} state */
async function openDaily(state) {
  const kept = keptGame(state);
  if (kept) await take(state, kept);
  else startPanel(state);
}

/**
 * Return the game that this browser keeps. A player with a refused token can keep playing: the log
 * waits until they sign in.
 * @param {PlayState} state
 */
function keptGame({ data }) {
  const known = player() ?? expiredPlayer();
  return known && Game.ofDay(data.variant, data.date, known.id);
}

/** @param {PlayState} state */
function startPanel(state) {
  showPanel(state, {
    name: "start",
    title: gettext("Ready?"),
    text: [
      gettext("The cards are dealt when you start, and your time counts from then on."),
      gettext("You can close the page and come back: your game stays in this browser."),
    ],
    actions: [{ label: gettext("Start"), run: () => startAttempt(state) }, homeAction(state)],
  });
}

/**
 * @param {PlayState} state
 * @param {{asNewGuest?: boolean}} [options]
 */
async function startAttempt(state, { asNewGuest = false } = {}) {
  const expired = expiredPlayer();
  if (expired && !asNewGuest) {
    showPanel(state, {
      name: "expired",
      title: interpolate(gettext("You played here as %(name)s"), { name: expired.display_name }),
      text: gettext("Your session has ended. Sign in again, or continue as a new guest."),
      actions: [
        { label: gettext("Sign in"), href: state.data.settings },
        { label: gettext("New guest"), run: () => startAttempt(state, { asNewGuest: true }) },
        homeAction(state),
      ],
    });
    return;
  }
  await ensurePlayer(gettext("Guest"));
  // Another tab may have started it since this page opened.
  const kept = keptGame(state);
  if (kept) {
    await take(state, kept);
    return;
  }
  /** @type {{id: string, number: number, started_at: string, is_open: boolean}[]} */
  const attempts = await get(`${dailyPath(state)}attempts/`);
  const open = attempts.find(({ is_open: isOpen }) => isOpen);
  if (open && !waiting(open.id)) elsewherePanel(state, open);
  else await newAttempt(state);
}

/**
 * @param {PlayState} state
 * @param {{number: number, started_at: string}} open
 */
function elsewherePanel(state, open) {
  showPanel(state, {
    name: "elsewhere",
    title: gettext("This game is open somewhere else"),
    text: [
      interpolate(
        gettext(
          "Attempt %(number)s started at %(time)s. Its moves are kept where you are playing it, not in this browser.",
        ),
        { number: open.number, time: formatHour(open.started_at) },
      ),
      gettext(
        "Continue there, or start again here. Either way, your time counts from the first start.",
      ),
    ],
    actions: [
      { label: gettext("Start again here"), run: () => newAttempt(state) },
      { label: gettext("Check again"), run: () => startAttempt(state) },
      homeAction(state),
    ],
  });
}

/** @param {PlayState} state */
async function newAttempt(state) {
  const known = player();
  if (!known) {
    await startAttempt(state);
    return;
  }
  // Lock first: two tabs that start at once would overwrite each other's game.
  const key = dailyKey(state.data.variant, state.data.date, known.id);
  if (!(await hold(key, { lost: () => lostGame(state, key) }))) {
    heldPanel(state, key);
    return;
  }
  const kept = keptGame(state);
  if (kept) {
    lay(state, kept);
    return;
  }
  try {
    lay(state, Game.ofAttempt(await post(`${dailyPath(state)}attempts/`), known.id));
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 409)) throw error;
    showPanel(state, {
      name: "closed",
      title: gettext("Not open"),
      text: error.detail,
      actions: [homeAction(state)],
    });
  }
}

// --- Any deal, for practice

/** @param {PlayState} state */
async function openPractice(state) {
  const asked = new URLSearchParams(location.search);
  try {
    const code = await askedCode(asked.get("code"), asked.get("variant") ?? "");
    history.replaceState(null, "", `?code=${code}`);
    await take(state, Game.practice(code));
  } catch (error) {
    if (!(error instanceof CodeError)) throw error;
    showPanel(state, {
      name: "code",
      title: gettext("Not a deal code"),
      text: state.texts.refusals[error.code],
      actions: [
        { label: gettext("New game"), run: () => find("new-game").click() },
        homeAction(state),
      ],
    });
  }
}

/**
 * Return the deal in the address, by code or by variant, or the last one played.
 * @param {string | null} code
 * @param {string} slug
 */
async function askedCode(code, slug) {
  if (code !== null) return parseCode(code).text;
  if (VARIANTS[slug]) return freshCode(slug);
  return lastPractice() ?? freshCode("easy-harp");
}

/**
 * Return a random deal, from the service or, without it, our own.
 * @param {string} slug
 * @returns {Promise<string>}
 */
export async function freshCode(slug) {
  try {
    return (await get(`deals/random/?variant=${slug}`)).code;
  } catch {
    return randomCode(slug);
  }
}

// --- A game on the table

/**
 * Play a game in this tab, unless another one plays it.
 * @param {PlayState} state
 * @param {Game} game
 */
async function take(state, game) {
  if (await hold(game.key, { lost: () => lostGame(state, game.key) })) {
    lay(state, game);
    return;
  }
  state.game = game;
  state.board.setPosition(game.position);
  heldPanel(state, game.key);
}

/**
 * @param {PlayState} state
 * @param {string} key
 */
function lostGame(state, key) {
  const { game } = state;
  if (!game || (game.key === key && !game.isSent)) heldPanel(state, key);
}

/**
 * @param {PlayState} state
 * @param {string} key
 */
function heldPanel(state, key) {
  showPanel(state, {
    name: "held",
    title: gettext("This game is open in another tab"),
    text: gettext(
      "You can play a game in only one tab at a time. The moves you made there are safe.",
    ),
    actions: [
      {
        label: gettext("Play here"),
        run: async () => {
          await hold(key, { takeOver: true, lost: () => lostGame(state, key) });
          // As the other tab left it.
          await open(state);
        },
      },
      homeAction(state),
    ],
  });
}

/**
 * @param {PlayState} state
 * @param {Game} game
 */
function lay(state, game) {
  state.game = game;
  game.reload();
  const { attempt, code, variant, position } = game;
  const name = state.texts.variants[variant.slug];
  setTitle(name);
  find("game-name").textContent = name;
  find("game-kind").textContent = attempt
    ? interpolate(gettext("%(date)s, attempt %(number)s"), {
        date: formatDay(attempt.date, { weekday: false }),
        number: attempt.number,
      })
    : interpolate(gettext("Practice, %(code)s"), { code });
  document.body.dataset.kind = attempt ? "daily" : "practice";
  for (const id of ["stock", "pass"]) {
    const counter = find(id).parentElement;
    if (counter) counter.hidden = !variant.hasStock;
  }
  state.board.setPosition(position);
  closePanel(state);
  showCounters(state);
  state.whenLaid();
  if (!game.isSent && !position.won && !isPersistent()) {
    toast(gettext("This browser can't store your game: if you close the page, it is lost."), {
      kind: "bad",
    });
  }
}

/**
 * Start the deal on the table again.
 * @param {PlayState} state
 */
export async function playAgain(state) {
  const { attempt, code } = gameOf(state);
  if (attempt) await newAttempt(state);
  else lay(state, Game.practice(code, { anew: true }));
}
