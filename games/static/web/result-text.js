// A receipt in words, and the text to share: it names the result and gives nothing of the deal away.

import {
  formatDay,
  formatDuration,
  formatNumber,
  gettext,
  interpolate,
  ngettext,
} from "./i18n.js";
import { toast } from "./ui.js";

const counted = (one, many, count) =>
  interpolate(ngettext(one, many, count), { count: formatNumber(count) });

/** Return points, moves and time in one line. */
export function figures(score, moves, ms) {
  return [
    counted("%(count)s point", "%(count)s points", score),
    counted("%(count)s move", "%(count)s moves", moves),
    formatDuration(ms / 1000),
  ].join(", ");
}

/** Return where the player of a receipt stands, or an empty text; it says if by another attempt. */
export function standingText(receipt) {
  if (receipt.rank === null) return "";
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

/** Return the line that a receipt's status means to the player. */
export function statusText(receipt) {
  return {
    started: gettext("No log was sent for this attempt yet."),
    accepted: gettext("The service has replayed your game and accepted it."),
    refused: gettext("The service has replayed your game and refused an action of it."),
    late: gettext("The log came after the end: it is kept, but not ranked."),
    void: gettext("The deal was taken out of the competition: it counts for nobody."),
    disqualified: gettext("The organisers have taken this result off the board."),
  }[receipt.status];
}

/** Return the text to share: no card, no code, no log. */
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

/** Share a text by the system's own sheet, or copy it. */
export async function share(text) {
  if (navigator.share) {
    try {
      await navigator.share({ text });
      return;
    } catch (error) {
      if (error.name === "AbortError") return;
    }
  }
  await copy(text);
}

/** Copy a text. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast(gettext("Copied."));
  } catch {
    toast(gettext("This browser does not let us copy: select the text instead."), { kind: "bad" });
  }
}
