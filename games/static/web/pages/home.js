// The home page: the player's own results of today's deals, and the change of the day.

import { get, player } from "../api.js";
import { formatNumber, gettext, interpolate, ngettext } from "../i18n.js";
import { address, find } from "../page.js";
import { isUnfinished, lastPractice } from "../play/records.js";
import { element } from "../ui.js";

const MOST_DELAY_MS = 20_000;
const LEAST_DELAY_MS = 3_000;

/** @type {NodeListOf<HTMLElement>} */
const panels = document.querySelectorAll(".deal[data-day]");

function showUnfinished() {
  const id = player()?.id;
  for (const panel of panels) {
    const button = panel.querySelector("[data-play]");
    if (!button || !id) continue;
    const { variant = "", day = "" } = panel.dataset;
    if (isUnfinished(variant, day, id)) button.textContent = gettext("Continue");
  }
}

/**
 * A result of the player's own, as their record has it.
 * @typedef {object} OwnResult
 * @property {string} variant
 * @property {string} date
 * @property {boolean} won
 * @property {number} ranked_score
 * @property {number} rank
 * @property {number} ranked_players
 */

/**
 * Return the two lines about a result of today and the streak up to it; either may be missing.
 * @param {OwnResult | undefined} result
 * @param {number} streak in days
 */
function ownLines(result, streak) {
  const facts = [];
  if (result) {
    const points = ngettext("%(points)s point", "%(points)s points", result.ranked_score);
    facts.push(interpolate(points, { points: formatNumber(result.ranked_score) }));
  }
  if (streak > 1) {
    const days = ngettext("%(days)s day in a row", "%(days)s days in a row", streak);
    facts.push(interpolate(days, { days: formatNumber(streak) }));
  }
  return [
    result
      ? element("span", {}, ...ownRank(result))
      : element("span", { class: "soft" }, gettext("Not played yet")),
    element("span", { class: "soft" }, facts.join(" · ")),
  ];
}

/** @param {OwnResult} result */
function ownRank(result) {
  const outcome = result.won ? gettext("Won") : gettext("Not won");
  const rank = interpolate(gettext("Rank %(rank)s of %(players)s"), {
    rank: formatNumber(result.rank),
    players: formatNumber(result.ranked_players),
  });
  return [
    element("span", { class: result.won ? "badge good" : "badge" }, outcome),
    " ",
    element("strong", {}, rank),
  ];
}

async function showOwnResults() {
  const known = player();
  if (!known || !panels.length) return;
  /** @type {{results: OwnResult[], variants: {variant: string, streak: number}[]}} */
  let record;
  try {
    record = await get(`players/${known.id}/record/`, { anonymous: true });
  } catch {
    return; // The page is complete without it.
  }
  for (const panel of panels) {
    const { variant, day } = panel.dataset;
    const result = record.results.find((one) => one.variant === variant && one.date === day);
    const numbers = record.variants.find((one) => one.variant === variant);
    panel.querySelector("[data-own]")?.replaceChildren(...ownLines(result, numbers?.streak ?? 0));
  }
}

function offerNewDay() {
  find("change").hidden = false;
  // Not every browser at the same instant.
  const delay = LEAST_DELAY_MS + Math.random() * (MOST_DELAY_MS - LEAST_DELAY_MS);
  setTimeout(() => {
    if (document.visibilityState === "visible") location.reload();
    else addEventListener("visibilitychange", () => location.reload(), { once: true });
  }, delay);
}

function offerPractice() {
  const code = lastPractice();
  const link = find("go-on", HTMLAnchorElement);
  link.hidden = !code;
  if (!code) return;
  link.href = address(link.pathname, { code });
  link.querySelector("span")?.replaceChildren(code);
}

showUnfinished();
offerPractice();
showOwnResults();
addEventListener("countdown-over", offerNewDay, { once: true });
addEventListener("session", () => location.reload());
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
