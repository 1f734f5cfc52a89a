// A board: where the player of this browser stands on it.

import { get, player } from "./api.js";
import { formatDuration, formatNumber, gettext, interpolate, ngettext } from "./i18n.js";
import { markOwnRows } from "./shell.js";
import { element } from "./ui.js";

const { variant, day, player: playerAddress } = document.getElementById("board-of").dataset;
const ofPlayer = (id) => playerAddress.replace(/[0-9a-f-]{36}/, id);

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
      element("a", { href: ofPlayer(standing.player.id) }, element("bdi", {}, standing.player.display_name)),
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
  if (!player()) return;
  let standing;
  try {
    standing = await get(`daily/${variant}/${day}/leaderboard/around-me/`);
  } catch {
    return; // the board itself is complete without it
  }
  if (standing.rank === null) return;
  const text = gettext("Your rank: %(rank)s of %(players)s");
  document.getElementById("own-standing").replaceChildren(
    element("strong", {}, interpolate(text, {
      rank: formatNumber(standing.rank),
      players: formatNumber(standing.ranked_players),
    })),
  );
  // Whoever stands on this page sees the neighbours already.
  if (document.querySelector(`#board [data-player-id="${player().id}"]`)) return;
  const around = document.getElementById("around");
  around.querySelector("tbody").replaceChildren(...standing.results.map(row));
  around.hidden = false;
  markOwnRows(around);
}

showStanding();
addEventListener("countdown-over", () => setTimeout(() => location.reload(), 2_000 + Math.random() * 8_000), { once: true });
