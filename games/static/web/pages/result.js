// The result of an attempt: its receipt, or the log that is still on its way.

import { ApiError, get, player } from "../api.js";
import { formatDay, formatDuration, formatNumber, gettext, interpolate } from "../i18n.js";
import { flush, receipt, sendAgain, waiting, whenLogChanges } from "../outbox.js";
import { address, dataOf, find, setTitle, textsOfGames } from "../page.js";
import { copy, share, shareText, standingText, statusText } from "../result-text.js";
import { busy, element, errorText } from "../ui.js";

/** @import { WaitingLog } from "#web/outbox.js" */
/** @import { Receipt } from "#web/result-text.js" */
/** @import { Child } from "#web/ui.js" */

const data = dataOf("result");
const { variants, refusals } = textsOfGames();

/**
 * @param {string} label
 * @param {string} href
 */
const link = (label, href, looks = "button") => element("a", { class: looks, href }, label);

/**
 * @param {string} label
 * @param {() => unknown} run
 */
function button(label, run, looks = "button") {
  const made = element("button", { class: looks, type: "button" }, label);
  made.addEventListener("click", () => busy(made, run));
  return made;
}

/**
 * @param {string} name
 * @param {string} value
 */
const fact = (name, value) => element("div", {}, element("dt", {}, name), element("dd", {}, value));

/** @param {...(HTMLElement | false)} children */
function show(...children) {
  find("result").replaceChildren(...children.filter((child) => child !== false));
  find("result").setAttribute("aria-busy", "false");
}

/**
 * @param {string} variant
 * @param {string} date
 */
function title(variant, date) {
  const name = variants[variant];
  setTitle(name);
  return element(
    "div",
    { class: "page-head" },
    element("h1", {}, name),
    element("p", {}, formatDay(date, { year: true })),
  );
}

/** @param {Receipt} answer */
function showReceipt(answer) {
  const { verdict, variant, date, status } = answer;
  const toBoard = address(data.board, { variant, date });
  const board = link(gettext("Leaderboard"), toBoard, "button primary");
  const again = link(gettext("Go to the deal"), address(data.play, { variant, date }));
  if (!verdict) {
    show(
      title(variant, date),
      element("p", { class: "empty" }, statusText(answer)),
      element("p", { class: "result-actions" }, again),
    );
    return;
  }
  const text = shareText({ ...answer, verdict }, variants[variant]);
  const heading = verdict.won ? gettext("Won!") : gettext("Finished");
  show(
    title(variant, date),
    element(
      "section",
      { class: "panel result-panel", "data-status": status },
      element("h2", {}, status === "refused" ? gettext("Not accepted") : heading),
      element("p", {}, statusText(answer)),
      verdict.refused &&
        element(
          "p",
          { class: "note bad" },
          interpolate(gettext("Action %(number)s, %(action)s: %(reason)s"), {
            number: verdict.refused.index + 1,
            action: verdict.refused.action,
            reason: refusals[verdict.refused.code] ?? verdict.refused.message,
          }),
        ),
      element(
        "dl",
        { class: "facts" },
        fact(gettext("Score"), formatNumber(verdict.score)),
        verdict.ranked_score !== verdict.score &&
          fact(gettext("Ranked score"), formatNumber(verdict.ranked_score)),
        fact(gettext("Moves"), formatNumber(verdict.moves)),
        fact(
          gettext("Time since the first start"),
          formatDuration(answer.since_first_start_ms / 1000),
        ),
        fact(gettext("Undos"), formatNumber(verdict.undos)),
        fact(gettext("Attempt"), formatNumber(answer.attempt_number)),
      ),
      answer.rank !== null && element("p", { class: "result-standing" }, standingText(answer)),
      element(
        "div",
        { class: "result-actions" },
        board,
        link(gettext("Replay"), data.replay),
        again,
      ),
    ),
    status === "accepted" &&
      element(
        "section",
        { class: "panel" },
        element("h2", {}, gettext("Share")),
        element("p", {}, gettext("It shows your result without giving the deal away.")),
        element("pre", { class: "share-text", tabIndex: 0 }, text),
        button(gettext("Share"), () => share(text)),
      ),
  );
}

/** @param {WaitingLog} log */
function showWaiting(log) {
  const { variant, date } = log;
  const texts = {
    waiting: log.error
      ? gettext("Can't reach the service. Your game is safe here and will be sent automatically.")
      : gettext("Sending your game …"),
    signin: gettext("Your session has ended. Your game is safe: sign in again to send it."),
    refused: log.error?.detail,
  };
  show(
    title(variant, date),
    element(
      "section",
      { class: "panel" },
      element("h2", {}, log.state === "refused" ? gettext("Not accepted") : gettext("On its way")),
      element("p", {}, texts[log.state]),
      log.state === "refused" && element("p", {}, gettext("Your game is kept in this browser.")),
      element(
        "div",
        { class: "result-actions" },
        log.state === "signin" && link(gettext("Sign in"), data.settings, "button primary"),
        log.state === "waiting" && button(gettext("Send now"), flush),
        log.state === "refused" && [
          button(gettext("Send again"), () => sendAgain(log.attempt_id)),
          button(gettext("Copy the log"), () => copy(log.movetext)),
        ],
        link(gettext("Go to the deal"), address(data.play, { variant, date })),
      ),
    ),
  );
}

/**
 * @param {string} text
 * @param {Child} action
 */
function showProblem(text, action) {
  const heading = element("h1", {}, gettext("No result here"));
  show(element("section", { class: "empty" }, heading, element("p", {}, text), action));
}

async function load() {
  const log = waiting(data.attempt);
  if (log) {
    showWaiting(log);
    return;
  }
  try {
    showReceipt(await get(`attempts/${data.attempt}/`));
  } catch (error) {
    const kept = receipt(data.attempt);
    if (kept) showReceipt(kept);
    else if (!player() || (error instanceof ApiError && error.status === 401)) {
      showProblem(
        gettext("Only the player can see this result. Sign in first."),
        link(gettext("Sign in"), data.settings, "button primary"),
      );
    } else if (error instanceof ApiError) {
      showProblem(
        error.status === 403
          ? gettext("This attempt belongs to another player. Their results are on the leaderboard.")
          : gettext("This attempt doesn't exist."),
        link(gettext("Today's deals"), data.home, "button primary"),
      );
    } else {
      showProblem(errorText(error), button(gettext("Try again"), load, "button primary"));
    }
  }
}

whenLogChanges((attemptId) => {
  if (attemptId === data.attempt) load();
});
addEventListener("session", load);
load();
