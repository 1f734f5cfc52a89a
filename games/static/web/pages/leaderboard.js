// A board: the standing of this browser's player.

import { get, player } from "../api.js";
import { formatDuration, formatNumber, gettext, interpolate, ngettext } from "../i18n.js";
import { address, dataOf, find } from "../page.js";
import { element } from "../ui.js";
import { markOwnRows } from "./shell.js";

const { variant, day, player: ofPlayer } = dataOf("board-of");

/**
 * @typedef {object} Standing
 * @property {{id: string, display_name: string}} player
 * @property {number} rank
 * @property {boolean} won
 * @property {number} ranked_score
 * @property {number} moves
 * @property {number} seconds
 */

/** @param {Standing} standing */
function row(standing) {
  const moves = interpolate(ngettext("%(moves)s move", "%(moves)s moves", standing.moves), {
    moves: formatNumber(standing.moves),
  });
  const time = formatDuration(standing.seconds);
  return element(
    "tr",
    { "data-player-id": standing.player.id },
    element("td", { class: "number rank" }, element("span", {}, String(standing.rank))),
    element(
      "th",
      { scope: "row", class: "player" },
      element(
        "a",
        { href: address(ofPlayer, { id: standing.player.id }) },
        element("bdi", {}, standing.player.display_name),
      ),
      element("span", { class: "narrow-only soft small" }, `${moves} · ${time}`),
    ),
    element(
      "td",
      { class: "mark" },
      element("span", { class: standing.won ? "won" : "not-won" }, standing.won ? "✓" : "–"),
      element("span", { class: "sr-only" }, standing.won ? gettext("won") : gettext("not won")),
    ),
    element("td", { class: "number points" }, String(standing.ranked_score)),
    element("td", { class: "number wide-only" }, String(standing.moves)),
    element("td", { class: "number wide-only" }, time),
  );
}

async function showStanding() {
  const known = player();
  if (!known) return;
  /** @type {{rank: number | null, ranked_players: number, results: Standing[]}} */
  let standing;
  try {
    standing = await get(`daily/${variant}/${day}/leaderboard/around-me/`);
  } catch {
    return; // The board is complete without it.
  }
  if (standing.rank === null) return;
  const text = gettext("Your rank: %(rank)s of %(players)s");
  find("own-standing").replaceChildren(
    element(
      "strong",
      {},
      interpolate(text, {
        rank: formatNumber(standing.rank),
        players: formatNumber(standing.ranked_players),
      }),
    ),
  );
  // A player whose row is on this page already sees their neighbours.
  if (document.querySelector(`#board [data-player-id="${known.id}"]`)) return;
  const around = find("around");
  around.querySelector("tbody")?.replaceChildren(...standing.results.map(row));
  around.hidden = false;
  markOwnRows();
}

showStanding();
addEventListener(
  "countdown-over",
  () => setTimeout(() => location.reload(), 2_000 + Math.random() * 8_000),
  { once: true },
);
