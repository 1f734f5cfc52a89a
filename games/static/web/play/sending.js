// The end of a game: won or given up, sent, and its result.

import { gettext } from "../i18n.js";
import { enqueue, flush, receipt, sendAgain, waiting } from "../outbox.js";
import { address, find } from "../page.js";
import { copy, figures, share, shareText, standingText, statusText } from "../result-text.js";
import { isPersistent } from "../store.js";
import { celebrate } from "../table/celebrate.js";
import { confirmDialog } from "../ui.js";
import { Game } from "./game.js";
import { freshCode, playAgain } from "./opening.js";
import { homeAction, showPanel } from "./panels.js";
import { gameOf } from "./state.js";

/** @import { PanelAction } from "#web/play/panels.js" */
/** @import { PlayState } from "#web/play/state.js" */

/**
 * @param {PlayState} state
 * @param {string} code
 */
export function practise({ data }, code) {
  location.assign(address(data.practice, { code }));
}

/**
 * Celebrate a game that was won, and send it.
 * @param {PlayState} state
 */
export function win(state) {
  const { attempt, variant } = gameOf(state);
  celebrate(find("table"));
  if (attempt) {
    finish(state);
    return;
  }
  showPanel(state, {
    name: "practice-won",
    title: gettext("Won!"),
    text: [resultLine(state), gettext("Practice games aren't ranked.")],
    actions: [
      {
        label: gettext("New deal"),
        run: async () => practise(state, await freshCode(variant.slug)),
      },
      { label: gettext("Same deal again"), run: () => playAgain(state) },
      homeAction(state),
    ],
  });
}

/** @param {PlayState} state */
function resultLine(state) {
  const game = gameOf(state);
  return figures(game.position.score, game.position.moves, game.elapsedMs());
}

/**
 * Ask whether to send the game as it stands, and send it.
 * @param {PlayState} state
 */
export async function askToFinish(state) {
  const asked = state.game;
  const isSure = await confirmDialog({
    title: gettext("Finish this attempt?"),
    text: gettext(
      "Your game is sent as it stands and ranked by its score. You can then start another attempt.",
    ),
    confirm: gettext("Finish and send"),
    cancel: gettext("Keep playing"),
  });
  // Meanwhile another tab may have taken it over.
  const isStillPlayed = state.game === asked && !asked?.isSent && !state.board.isLocked;
  if (isSure && isStillPlayed) finish(state);
}

/**
 * Hand the log to the outbox, with or without a network, and show its progress.
 * @param {PlayState} state
 */
export function finish(state) {
  const game = gameOf(state);
  const { attempt, movetext, position } = game;
  if (!attempt) throw new TypeError("a practice game is not sent");
  const { won, score, moves } = position;
  const isKept = enqueue({
    attempt_id: attempt.id,
    player_id: attempt.playerId,
    variant: attempt.variant,
    date: attempt.date,
    movetext,
    claimed: { won, score, moves },
  });
  game.markSent({ isKept });
  showResult(state);
}

/**
 * Show the progress of the game's log.
 * @param {PlayState} state
 */
export function showResult(state) {
  const { attempt, position } = gameOf(state);
  if (!attempt) return;
  const log = waiting(attempt.id);
  const answer = log ? null : receipt(attempt.id);
  /** @type {PanelAction} */
  const again = { label: gettext("Play it again"), run: () => playAgain(state) };
  /** @type {PanelAction} */
  const details = {
    label: gettext("Result"),
    href: address(state.data.result, { id: attempt.id }),
  };
  const home = homeAction(state);
  const title = position.won ? gettext("Won!") : gettext("Finished");
  const { verdict } = answer ?? {};
  if (answer && verdict) {
    const text = () => shareText({ ...answer, verdict }, state.texts.variants[attempt.variant]);
    showPanel(state, {
      name: "result",
      title,
      text: [resultLine(state), statusText(answer), standingText(answer)],
      actions: [
        { label: gettext("Leaderboard"), href: state.data.board },
        details,
        { label: gettext("Share"), run: () => share(text()) },
        again,
        home,
      ],
    });
  } else if (log?.state === "refused") {
    showPanel(state, {
      name: "refused",
      title: gettext("Not accepted"),
      text: [log.error?.detail ?? "", gettext("Your game is kept in this browser.")],
      actions: [
        { label: gettext("Send again"), run: () => sendAgain(attempt.id) },
        { label: gettext("Copy the log"), run: () => copy(log.movetext) },
        again,
        home,
      ],
    });
  } else if (log?.state === "signin") {
    showPanel(state, {
      name: "signin",
      title,
      text: [
        resultLine(state),
        gettext("Your session has ended. Your game is safe: sign in again to send it."),
      ],
      actions: [{ label: gettext("Sign in"), href: state.data.settings }, home],
    });
  } else if (log?.error) {
    showPanel(state, {
      name: "offline",
      title,
      text: [
        resultLine(state),
        isPersistent()
          ? gettext(
              "Can't reach the service. Your game is safe here and will be sent automatically.",
            )
          : gettext(
              "Can't reach the service. Keep this page open: this browser can't store your game.",
            ),
      ],
      actions: [{ label: gettext("Send now"), run: flush }, details, home],
    });
  } else {
    showPanel(state, {
      name: "sending",
      title,
      text: [resultLine(state), gettext("Sending your game …")],
      actions: [details],
    });
  }
}

/**
 * Show the progress of an attempt's log, if its game is on the table.
 * @param {PlayState} state
 * @param {string} attemptId
 */
export function logChanged(state, attemptId) {
  const { game } = state;
  if (game?.attempt?.id !== attemptId || !game.isSent) return;
  if (receipt(attemptId) && !waiting(attemptId)) game.markSent();
  showResult(state);
}

// --- Too late

/** @param {PlayState} state */
export function showTooLate(state) {
  const home = homeAction(state);
  showPanel(state, {
    name: "late",
    title: gettext("This deal is over"),
    text: gettext("Your game wasn't finished in time. It is still here, but it can't be ranked."),
    actions: gameOf(state).position.moves
      ? [
          { label: gettext("Keep playing for practice"), run: () => practiseOn(state) },
          { label: gettext("Send it anyway"), run: () => finish(state) },
          home,
        ]
      : [home],
  });
}

/** @param {PlayState} state */
function practiseOn(state) {
  const game = gameOf(state);
  const practice = Game.practice(game.code, { anew: true });
  for (const token of game.movetext.split(" ")) practice.play(token);
  game.forget();
  practise(state, game.code);
}
