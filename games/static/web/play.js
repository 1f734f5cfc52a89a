// The play page: a day's deal, ranked, or any deal for practice.

import { ApiError, NetworkError, ensurePlayer, expiredPlayer, get, player, post } from "./api.js";
import { Board } from "./board.js";
import { celebrate } from "./celebrate.js";
import { changeText, nameOf, placeLabel } from "./describe.js";
import { Game, randomCode } from "./game.js";
import {
  formatDay,
  formatDuration,
  formatHour,
  formatNumber,
  gettext,
  interpolate,
} from "./i18n.js";
import { enqueue, flush, receipt, sendAgain, waiting } from "./outbox.js";
import { dailyKey, lastPractice } from "./records.js";
import { copy, figures, share, shareText, standingText, statusText } from "./result-text.js";
import { CodeError, Refused, VARIANTS, doubleTap, drop, longestRun, parseCode, tap } from "./rules.js";
import { isPersistent, settings } from "./store.js";
import { hold } from "./tabs.js";
import { busy, confirmDialog, element, errorText, toast } from "./ui.js";

const SEND_UNFINISHED_BEFORE_MS = 20_000;
const SEND_HIDDEN_BEFORE_MS = 90_000;
const RETRY_SYNC_MS = 5_000;
const CLOCKS_PART_MS = 2_000;
const WARN_BEFORE_MS = 10 * 60_000;
const REFUSAL_SHOWN_MS = 5_000;

const find = (id) => document.getElementById(id);
const { dataset } = find("play");
const dataOf = (id) => JSON.parse(find(id).textContent);
const page = {
  variant: dataset.variant,
  date: dataset.date,
  refusals: dataOf("refusals"),
  variants: dataOf("variants"),
};
const clock = (ms) => formatDuration(ms / 1000);

let game = null;
let picked = null; // the place that the keyboard has picked up from
let typed = ""; // the first key of a move that is being typed
let refusalTimer = null;
let triedAt = -Infinity; // when the times were last asked for because time seemed to be up
const warned = new Set();

// --- Telling ------------------------------------------------------------------------------------

/** Change a text in place: a new node would have the browser look at the whole page again. */
function write(box, text) {
  if (box.firstChild) box.firstChild.data = text;
  else box.textContent = text;
}

function say(text) {
  write(find("say"), text);
}

function refuse(code, place, cards = 1) {
  if (place) board.shake(place, cards);
  if (!settings().interactiveRules) {
    say(gettext("Not allowed."));
    return;
  }
  const box = find("refusal");
  box.textContent = page.refusals[code] ?? code;
  box.dataset.code = code;
  box.hidden = false;
  clearTimeout(refusalTimer);
  refusalTimer = setTimeout(hideRefusal, REFUSAL_SHOWN_MS);
}

function hideRefusal() {
  clearTimeout(refusalTimer);
  if (!find("refusal").hidden) find("refusal").hidden = true;
}

const counters = Object.fromEntries(
  ["score", "moves", "time", "stock", "pass"].map((name) => [name, find(name)]),
);

function count() {
  const { position } = game;
  const isPlayed = !board.isLocked && !game.isSent;
  const set = (name, text) => {
    if (counters[name].textContent !== text) write(counters[name], text);
  };
  set("score", formatNumber(position.score));
  set("moves", formatNumber(position.moves));
  if (position.variant.hasStock) {
    set("stock", formatNumber(position.pile("stock").length));
    set("pass", formatNumber(position.recycles + 1));
  }
  find("undo").classList.toggle("is-empty", position.undoable === 0);
  find("undo").disabled = !isPlayed;
  write(find("undo-count"), position.undoable ? formatNumber(position.undoable) : "");
  if (find("finish")) find("finish").disabled = !isPlayed || position.moves === 0;
}

// --- Playing ------------------------------------------------------------------------------------

/** Play an action; tell the player what it did or which rule it broke. */
function play(action, place, cards = 1) {
  if (!game || game.isSent || board.isLocked) return false;
  if (game.isFull) {
    toast(gettext("This game is as long as a game can be: no further action is recorded."));
    return false;
  }
  let change;
  try {
    change = game.play(action);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    refuse(error.code, place, cards);
    return false;
  }
  putDown();
  hideRefusal();
  board.show();
  count();
  say(changeText(change));
  if (game.position.won) won();
  return true;
}

const owner = {
  canDrag: () => settings().drag,
  label: (place) => placeLabel(game.position, place),

  tap(place, cards) {
    putDown();
    if (place === "stock") {
      play(tap(game.position, place) ?? "D", place);
      return true;
    }
    if (!settings().tap || cards !== 1) return false;
    const action = tap(game.position, place);
    if (action) return play(action, place);
    // With double taps the first tap may be the beginning of one: then nothing is refused yet.
    if (!settings().doubleTap && !place.startsWith("h")) {
      refuse(game.position.refusal(`${place}h`), place);
    }
    return false;
  },

  doubleTap(place, cards) {
    if (!settings().doubleTap || place === "stock") return false;
    const action = doubleTap(game.position, place, cards);
    if (action) play(action, place, cards);
    else if (cards > 0 && !place.startsWith("h")) {
      board.shake(place, cards);
      if (settings().interactiveRules) toast(gettext("No place takes this card now."));
    }
    return true;
  },

  drop(place, destinations, cards) {
    const others = destinations.filter((other) => other !== place);
    const wishes = others.map((other) => drop(game.position, place, other, cards));
    const legal = wishes.find((wish) => wish && game.position.refusal(wish) === null);
    const wish = legal ?? wishes[0];
    if (wish) play(wish, place, cards);
    // Let go where the rules would move more cards than these.
    else if (others.length && !destinations.includes(place)) {
      refuse("group.wrong_count", place, cards);
    }
  },

  activate(place) {
    if (picked === place) {
      const action = settings().doubleTap && doubleTap(game.position, place, 1);
      putDown();
      if (action) play(action, place);
      else say(gettext("Put down."));
    } else if (picked) moveTo(place);
    else if (place === "stock") owner.tap(place);
    else pickUp(place);
  },
};

const board = new Board(find("table"), owner);

function pickUp(place) {
  const pile = game.position.pile(place);
  if (!pile.length) {
    // The rules know what it is called that there is nothing here.
    refuse(game.position.refusal(place.startsWith("h") ? `${place}1` : `${place}h`), place);
    return;
  }
  picked = place;
  board.mark(place, longestRun(game.position, place));
  say(
    interpolate(gettext("Picked up %(card)s. Choose where it goes."), {
      card: nameOf(pile.at(-1)),
    }),
  );
}

function putDown() {
  picked = null;
  typed = "";
  board.mark(null);
}

function moveTo(destination) {
  const source = picked;
  const end = destination.startsWith("h") ? "h" : destination;
  putDown();
  play(`${source}${end === "stock" ? "w" : end}`, source);
}

function undo() {
  play("U");
}

// --- The keyboard -------------------------------------------------------------------------------

const ARROWS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };

addEventListener("keydown", (event) => {
  if (!game || board.isLocked || event.altKey || document.querySelector("dialog[open]")) return;
  document.documentElement.dataset.keyboard = "";
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if ((event.ctrlKey || event.metaKey) && key === "z") {
    event.preventDefault();
    undo();
    return;
  }
  if (event.ctrlKey || event.metaKey) return;
  // Letters are shortcuts on the table only, and one for each press.
  if (event.target !== document.body && !event.target.closest("#table")) return;
  if (ARROWS[key]) {
    event.preventDefault();
    const next = board.neighbour(board.current, ARROWS[key]);
    if (next) board.focus(next);
  } else if (key === "Escape") {
    if (picked || typed) say(gettext("Put down."));
    putDown();
    hideRefusal();
  } else if (!event.repeat && type(key)) event.preventDefault();
});

/** Take a key as a letter of the notation; return whether it is one. */
function type(key) {
  if (typed === "h") {
    // The second key of a foundation as source.
    typed = "";
    if (!game.position.places().includes(`h${key}`)) return false;
    pickUp(`h${key}`);
    return true;
  }
  if (key.length === 1 && game.position.places().includes(key)) {
    if (picked) moveTo(key);
    else {
      board.focus(key);
      pickUp(key);
    }
    return true;
  }
  if (key === "h") {
    if (picked) moveTo("h");
    else typed = "h";
    return true;
  }
  if (!["u", "d", "r"].includes(key)) return false;
  // Where a game has no stock, the rules say so.
  play(key.toUpperCase(), key !== "u" && game.variant.hasStock ? "stock" : null);
  return true;
}

find("undo").addEventListener("click", (event) => {
  undo();
  // Whoever pressed it by hand goes on at the table, and may do so by keys.
  if (event.detail > 0) board.focus(board.current);
});

// --- Panels over the table ----------------------------------------------------------------------

/**
 * Show a panel: `actions` are `{label, run, href, kind}`, the first one being the main one.
 * The table below cannot be played while it stands.
 */
function panel({ name, title, text = "", actions = [] }) {
  const box = find("panel");
  const contents = JSON.stringify([name, title, text, actions]);
  // What already stands there is left alone: somebody may be reading it, or about to press.
  if (!box.hidden && box.dataset.contents === contents) return;
  box.dataset.contents = contents;
  box.dataset.name = name;
  const heading = element("h2", { tabIndex: -1 }, title);
  const row = actions.map(({ label, run, href }, at) => {
    const looks = `button ${at === 0 ? "primary" : "quiet"}`;
    if (href) return element("a", { class: looks, href }, label);
    const button = element("button", { class: looks, type: "button" }, label);
    button.addEventListener("click", () => trying(button, run));
    return button;
  });
  box.replaceChildren(
    heading,
    ...[text].flat().filter(Boolean).map((line) => element("p", {}, line)),
    element("div", { class: "panel-actions" }, row),
  );
  box.hidden = false;
  board.isLocked = true;
  find("table").inert = true;
  if (game) count();
  heading.focus({ preventScroll: true });
}

function closePanel() {
  find("panel").hidden = true;
  find("panel").dataset.name = "";
  find("table").inert = false;
  board.isLocked = false;
  board.focus(board.current);
}

/** Do something that may need the service, once at a time, and say what went wrong. */
async function trying(button, run) {
  try {
    await busy(button, run);
  } catch (error) {
    toast(errorText(error), { kind: "bad" });
    if (!(error instanceof ApiError || error instanceof NetworkError)) throw error;
  }
}

const home = { label: gettext("Today's deals"), href: dataset.home };

// --- The deal of a day --------------------------------------------------------------------------

const dailyPath = `daily/${page.variant}/${page.date}/`;

async function openDaily() {
  // Somebody whose token was refused goes on playing: the log waits until they are back.
  const kept = keptGame();
  if (kept) {
    await take(kept);
    return;
  }
  startPanel();
}

function keptGame() {
  const known = player() ?? expiredPlayer();
  return known && Game.ofDay(page.variant, page.date, known.id);
}

function startPanel() {
  panel({
    name: "start",
    title: gettext("Ready?"),
    text: [
      gettext("The cards are dealt when you start, and from then on your time is counted."),
      gettext("You may close the page and come back: your game is kept in this browser."),
    ],
    actions: [{ label: gettext("Start"), run: () => startAttempt() }, home],
  });
}

async function startAttempt({ asNewGuest = false } = {}) {
  const expired = expiredPlayer();
  if (expired && !asNewGuest) {
    panel({
      name: "expired",
      title: interpolate(gettext("You were %(name)s here"), { name: expired.display_name }),
      text: gettext("Your session has ended. Sign in again, or go on as a new guest."),
      actions: [
        { label: gettext("Sign in"), href: dataset.settings },
        { label: gettext("New guest"), run: () => startAttempt({ asNewGuest: true }) },
        home,
      ],
    });
    return;
  }
  await ensurePlayer(gettext("Guest"));
  // Another tab may have started it since this page was opened.
  const kept = keptGame();
  if (kept) {
    await take(kept);
    return;
  }
  const attempts = await get(`${dailyPath}attempts/`);
  const open = attempts.find(({ is_open: isOpen }) => isOpen);
  if (open && !waiting(open.id)) elsewherePanel(open);
  else await newAttempt();
}

function elsewherePanel(open) {
  panel({
    name: "elsewhere",
    title: gettext("This game is open elsewhere"),
    text: [
      interpolate(
        gettext(
          "Attempt %(number)s was started at %(time)s, and this browser has no moves of it: they are kept where it is played.",
        ),
        {
          number: open.number,
          time: formatHour(open.started_at),
        },
      ),
      gettext("You can go on there, or begin again here. Your time counts from the first start."),
    ],
    actions: [
      { label: gettext("Begin again here"), run: newAttempt },
      { label: gettext("Look again"), run: () => startAttempt() },
      home,
    ],
  });
}

async function newAttempt() {
  // The lock first: two tabs that began at once would write over each other's game.
  const key = dailyKey(page.variant, page.date, player().id);
  if (!(await hold(key, { lost: () => lostGame(key) }))) {
    heldPanel(key);
    return;
  }
  const kept = keptGame();
  if (kept) {
    lay(kept);
    return;
  }
  try {
    lay(Game.ofAttempt(await post(`${dailyPath}attempts/`), player().id));
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 409)) throw error;
    panel({ name: "closed", title: gettext("Not open"), text: error.detail, actions: [home] });
  }
}

// --- Any deal, for practice ---------------------------------------------------------------------

async function openPractice() {
  const asked = new URLSearchParams(location.search);
  const slug = VARIANTS[asked.get("variant")] ? asked.get("variant") : null;
  try {
    let code = asked.get("code");
    if (code !== null) code = parseCode(code).text;
    else code = (slug ? null : lastPractice()) ?? (await freshCode(slug ?? "easy-harp"));
    history.replaceState(null, "", `?code=${code}`);
    await take(Game.practice(code));
  } catch (error) {
    if (!(error instanceof CodeError)) throw error;
    panel({
      name: "code",
      title: gettext("Not a deal code"),
      text: page.refusals[error.code],
      actions: [{ label: gettext("New game"), run: openNewGame }, home],
    });
  }
}

/** Return a random deal: the service's choice, which is no deal of the competition, or our own. */
async function freshCode(slug) {
  try {
    return (await get(`deals/random/?variant=${slug}`)).code;
  } catch {
    return randomCode(slug);
  }
}

// --- A game on the table ------------------------------------------------------------------------

/** Play a game in this tab, unless another one plays it. */
async function take(taken) {
  if (await hold(taken.key, { lost: () => lostGame(taken.key) })) lay(taken);
  else {
    game = taken;
    board.setPosition(game.position);
    heldPanel(taken.key);
  }
}

function lostGame(key) {
  if (!game || (game.key === key && !game.isSent)) heldPanel(key);
}

function heldPanel(key) {
  panel({
    name: "held",
    title: gettext("This game is open in another tab"),
    text: gettext("Only one tab plays a game at a time. The moves made there are not lost."),
    actions: [
      {
        label: gettext("Play here"),
        run: async () => {
          await hold(key, { takeOver: true, lost: () => lostGame(key) });
          // What the other tab has made of it.
          if (page.date) await openDaily();
          else await openPractice();
        },
      },
      home,
    ],
  });
}

function lay(taken) {
  game = taken;
  game.reload();
  document.title = `${page.variants[game.variant.slug]} – ${document.title.split(" – ").at(-1)}`;
  find("game-name").textContent = page.variants[game.variant.slug];
  find("game-kind").textContent = game.attempt
    ? interpolate(gettext("%(date)s, attempt %(number)s"), {
        date: formatDay(game.attempt.date, { weekday: false }),
        number: game.attempt.number,
      })
    : interpolate(gettext("Practice, %(code)s"), { code: game.code });
  document.body.dataset.kind = game.attempt ? "daily" : "practice";
  for (const name of ["stock", "pass"]) {
    counters[name].parentElement.hidden = !game.variant.hasStock;
  }
  board.setPosition(game.position);
  closePanel();
  count();
  tick();
  syncTimes();
  if (game.isSent) resultPanel();
  else if (game.position.won) won();
  else if (!isPersistent()) {
    toast(gettext("This browser keeps nothing: your game is lost when the page is closed."), {
      kind: "bad",
    });
  }
}

function tooLatePanel() {
  const actions = [
    { label: gettext("Play on, for practice"), run: practiseOn },
    { label: gettext("Send it all the same"), run: finish },
    home,
  ];
  panel({
    name: "late",
    title: gettext("This deal is over"),
    text: gettext("Your game was not finished in time. It is still here, but it cannot be ranked."),
    actions: game.position.moves ? actions : [home],
  });
}

async function practiseOn() {
  const { code, movetext } = game;
  const practice = Game.practice(code, { anew: true });
  for (const token of movetext.split(" ")) practice.play(token);
  game.forget();
  location.assign(`${dataset.practice}?code=${code}`);
}

// The times that matter are the service's. They are asked for when a game is laid on the table,
// when its page is seen again, and before anything is done because time is up: our clock may have
// been set, the organisers may have extended the deal.
const SYNCED_FOR_MS = 60_000;
let syncedAt = -Infinity;
let clocksApart = Date.now() - performance.now();

async function syncTimes() {
  if (!game?.attempt) {
    tick();
    return;
  }
  try {
    game.setTimes(await get(dailyPath));
    syncedAt = performance.now();
  } catch {
    // Without an answer nothing is decided by time: it could not be sent now anyway.
  }
  tick();
}

let lastTick = performance.now();

function tick() {
  const now = performance.now();
  if (game && !game.isSent && !game.position.won && !board.isLocked) {
    if (!game.attempt && document.visibilityState === "visible") {
      game.addPlayedMs(Math.min(now - lastTick, 2_000));
    }
    write(counters.time, clock(game.elapsedMs()));
    if (game.attempt) watchTheEnd(now);
  }
  lastTick = now;
}
setInterval(tick, 1_000);

function watchTheEnd(now) {
  // Two clocks that part: one was set, or the machine slept. What we knew of the time is void.
  const apart = Date.now() - now;
  if (Math.abs(apart - clocksApart) > CLOCKS_PART_MS) {
    clocksApart = apart;
    syncedAt = -Infinity;
  }
  const leftMs = game.leftMs();
  // The timers of a hidden page may come once a minute only.
  const sendBeforeMs =
    document.visibilityState === "visible" ? SEND_UNFINISHED_BEFORE_MS : SEND_HIDDEN_BEFORE_MS;
  if (leftMs < sendBeforeMs) {
    if (now - syncedAt > SYNCED_FOR_MS) {
      if (now - triedAt > RETRY_SYNC_MS) {
        triedAt = now;
        syncTimes();
      }
    } else if (leftMs < 0) tooLatePanel();
    else if (game.position.moves) {
      toast(gettext("The deal ends now: your game is sent as it stands."));
      finish();
    }
  } else if (game.leftToCloseMs() < 0) {
    warnOnce(
      "closed",
      interpolate(gettext("The deal has closed. Finish within %(time)s to be ranked."), {
        time: clock(leftMs),
      }),
    );
  } else if (game.leftToCloseMs() < WARN_BEFORE_MS) {
    warnOnce(
      "closing",
      interpolate(
        gettext("The deal closes in %(time)s. This game may be finished a little later: within %(left)s."),
        { time: clock(game.leftToCloseMs()), left: clock(leftMs) },
      ),
    );
  }
}

function warnOnce(what, text) {
  if (warned.has(what)) return;
  warned.add(what);
  toast(text);
}

// --- The end ------------------------------------------------------------------------------------

function won() {
  celebrate(find("table"));
  if (game.attempt) {
    finish();
    return;
  }
  panel({
    name: "practice-won",
    title: gettext("Won!"),
    text: [resultLine(), gettext("A practice game is not ranked.")],
    actions: [
      { label: gettext("New deal"), run: async () => goTo(await freshCode(game.variant.slug)) },
      { label: gettext("Same deal again"), run: playAgain },
      home,
    ],
  });
}

function resultLine() {
  const { score, moves } = game.position;
  return figures(score, moves, game.elapsedMs());
}

/** Hand the log to the outbox, whatever the network does, and show what becomes of it. */
function finish() {
  const { attempt, movetext, position } = game;
  const { won: isWon, score, moves } = position;
  const isKept = enqueue({
    attempt_id: attempt.id,
    player_id: attempt.playerId,
    variant: attempt.variant,
    date: attempt.date,
    movetext,
    claimed: { won: isWon, score, moves },
  });
  game.markSent({ isKept });
  resultPanel();
}

function resultPanel() {
  const { attempt } = game;
  const log = waiting(attempt.id);
  const answer = log ? null : receipt(attempt.id);
  const again = { label: gettext("Play it again"), run: playAgain };
  const details = {
    label: gettext("Result"),
    href: dataset.result.replace(/[0-9-]{36}/, attempt.id),
  };
  const title = game.position.won ? gettext("Won!") : gettext("Finished");
  if (answer) {
    const name = page.variants[attempt.variant];
    panel({
      name: "result",
      title,
      text: [resultLine(), statusText(answer), standingText(answer)],
      actions: [
        { label: gettext("Leaderboard"), href: dataset.board },
        details,
        { label: gettext("Share"), run: () => share(shareText(answer, name)) },
        again,
        home,
      ],
    });
  } else if (log?.state === "refused") {
    panel({
      name: "refused",
      title: gettext("Not accepted"),
      text: [log.error.detail, gettext("Your log is kept in this browser.")],
      actions: [
        { label: gettext("Send again"), run: () => sendAgain(attempt.id) },
        { label: gettext("Copy the log"), run: () => copy(log.movetext) },
        again,
        home,
      ],
    });
  } else if (log?.state === "signin") {
    panel({
      name: "signin",
      title,
      text: [
        resultLine(),
        gettext("Your session has ended. The log is kept: sign in again, and it is sent."),
      ],
      actions: [{ label: gettext("Sign in"), href: dataset.settings }, home],
    });
  } else if (log?.error) {
    panel({
      name: "offline",
      title,
      text: [
        resultLine(),
        isPersistent()
          ? gettext("The service cannot be reached. Your log is safe here and is sent by itself.")
          : gettext("The service cannot be reached. Keep this page open: this browser stores nothing."),
      ],
      actions: [{ label: gettext("Send now"), run: flush }, details, home],
    });
  } else {
    panel({
      name: "sending",
      title,
      text: [resultLine(), gettext("Sending your log …")],
      actions: [details],
    });
  }
}

addEventListener("outbox", ({ detail: { attemptId } }) => {
  if (game?.attempt?.id !== attemptId || !game.isSent) return;
  if (receipt(attemptId) && !waiting(attemptId)) game.markSent();
  resultPanel();
});

async function playAgain() {
  if (game.attempt) await newAttempt();
  else {
    const fresh = Game.practice(game.code, { anew: true });
    lay(fresh);
  }
}

find("finish")?.addEventListener("click", async () => {
  const asked = game;
  const isSure = await confirmDialog({
    title: gettext("Finish this attempt?"),
    text: gettext(
      "Your game is sent as it stands and ranked by its score. You can then start another attempt.",
    ),
    confirm: gettext("Finish and send"),
    cancel: gettext("Play on"),
  });
  // Meanwhile another tab may have taken it over.
  if (isSure && game === asked && !game.isSent && !board.isLocked) finish();
});

// --- A new game ---------------------------------------------------------------------------------

const newGame = find("new-game-dialog");

function openNewGame() {
  const form = newGame.querySelector("form");
  const slug = game?.variant.slug ?? "easy-harp";
  form.elements.variant.value = slug;
  find("code-error").textContent = "";
  find("same-deal").disabled = !game || Boolean(game.attempt);
  newGame.showModal();
}

function goTo(code) {
  location.assign(`${dataset.practice}?code=${code}`);
}

find("new-game").addEventListener("click", openNewGame);
find("random-deal").addEventListener("click", (event) =>
  trying(event.currentTarget, async () => {
    const slug = newGame.querySelector("form").elements.variant.value;
    goTo(await freshCode(slug));
  }),
);
find("day-deal").addEventListener("click", () => {
  const slug = newGame.querySelector("form").elements.variant.value;
  location.assign(dataset.today.replace("VARIANT", slug));
});
find("same-deal").addEventListener("click", () => {
  newGame.close();
  playAgain();
});
newGame.querySelector("form").addEventListener("submit", (event) => {
  event.preventDefault();
  try {
    goTo(parseCode(find("code").value).text);
  } catch (error) {
    if (!(error instanceof CodeError)) throw error;
    find("code-error").textContent = page.refusals[error.code];
    find("code").setAttribute("aria-invalid", "true");
    find("code").focus();
  }
});
find("help").addEventListener("click", () => find("help-dialog").showModal());
for (const close of document.querySelectorAll("dialog [data-close]")) {
  close.addEventListener("click", () => close.closest("dialog").close());
}

addEventListener("settings", () => board.redrawDeck());
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") syncTimes();
});
// Restored from the browser's memory it would not hold the game any more.
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});

if (page.date) openDaily();
else openPractice();
