// A receipt in words, and the text to share, which shows the result and keeps the deal secret.

import { formatDay, formatDuration, formatNumber, gettext, interpolate, ngettext } from "./i18n.js";
import { toast } from "./ui.js";

/**
 * What the service answers about an attempt (docs/contract.md).
 * @typedef {object} Receipt
 * @property {string} attempt_id
 * @property {number} attempt_number
 * @property {string} variant
 * @property {string} date
 * @property {"started" | "accepted" | "refused" | "late" | "void" | "disqualified"} status
 * @property {Verdict | null} verdict
 * @property {number} since_first_start_ms
 * @property {number | null} rank
 * @property {number} ranked_players
 * @property {number} percentile
 * @property {{attempt_id: string, attempt_number: number} | null} best
 */

/**
 * @typedef {object} Verdict
 * @property {boolean} won
 * @property {number} score
 * @property {number} ranked_score
 * @property {number} moves
 * @property {number} undos
 * @property {{index: number, action: string, code: string, message: string} | null} refused
 */

/**
 * @param {string} one
 * @param {string} many
 * @param {number} count
 */
const counted = (one, many, count) =>
  interpolate(ngettext(one, many, count), { count: formatNumber(count) });

/**
 * Return points, moves and time in one line.
 * @param {number} score
 * @param {number} moves
 * @param {number} ms
 */
export function figures(score, moves, ms) {
  return [
    counted("%(count)s point", "%(count)s points", score),
    counted("%(count)s move", "%(count)s moves", moves),
    formatDuration(ms / 1000),
  ].join(", ");
}

/**
 * Return the standing in a receipt and its attempt, or an empty text.
 * @param {Receipt} receipt
 */
export function standingText(receipt) {
  if (receipt.rank === null || !receipt.best) return "";
  const values = {
    rank: formatNumber(receipt.rank),
    players: formatNumber(receipt.ranked_players),
    percentile: formatNumber(receipt.percentile),
    number: formatNumber(receipt.best.attempt_number),
  };
  if (receipt.best.attempt_id !== receipt.attempt_id) {
    return interpolate(
      gettext("Your best attempt is number %(number)s: rank %(rank)s of %(players)s."),
      values,
    );
  }
  const place = interpolate(gettext("Rank %(rank)s of %(players)s."), values);
  if (receipt.ranked_players < 2) return place;
  return `${place} ${interpolate(gettext("As good as or better than %(percentile)s %% of the others."), values)}`;
}

/**
 * Return what the status of a receipt means to the player.
 * @param {Receipt} receipt
 */
export function statusText(receipt) {
  return {
    started: gettext("No game has been sent for this attempt yet."),
    accepted: gettext("The service has replayed your game and accepted it."),
    refused: gettext("The service has replayed your game and refused one of its actions."),
    late: gettext("Your game arrived too late: it is kept, but not ranked."),
    void: gettext("This deal was withdrawn from the competition: it counts for no one."),
    disqualified: gettext("The organisers removed this result from the leaderboard."),
  }[receipt.status];
}

/**
 * Return the text to share: no card, no code, no log.
 * @param {Receipt & {verdict: Verdict}} receipt
 * @param {string} variantName
 */
export function shareText(receipt, variantName) {
  const { verdict } = receipt;
  const result = figures(verdict.score, verdict.moves, receipt.since_first_start_ms);
  const lines = [
    `${variantName}, ${formatDay(receipt.date, { weekday: false, year: true })}`,
    verdict.won ? interpolate(gettext("🏆 Won: %(result)s"), { result }) : result,
  ];
  if (receipt.best?.attempt_id === receipt.attempt_id) lines.push(standingText(receipt));
  lines.push(`${location.origin}/`);
  return lines.join("\n");
}

/**
 * Share a text by the system's own sheet, or copy it.
 * @param {string} text
 */
export async function share(text) {
  if (navigator.share) {
    try {
      await navigator.share({ text });
      return;
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return;
    }
  }
  await copy(text);
}

/**
 * Copy a text.
 * @param {string} text
 */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast(gettext("Copied."));
  } catch {
    toast(gettext("This browser doesn't allow copying: select the text instead."), { kind: "bad" });
  }
}
