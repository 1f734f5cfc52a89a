// From a gesture to an action: the rules say what hand, pen and keys mean.

import { changeText, nameOf, placeLabel } from "../describe.js";
import { gettext, interpolate } from "../i18n.js";
import { doubleTap, drop, tap } from "../rules/gestures.js";
import { Refused } from "../rules/position.js";
import { settings } from "../store.js";
import { toast } from "../ui.js";
import { hideRefusal, say, showCounters, showRefusal } from "./panels.js";
import { win } from "./sending.js";
import { gameOf } from "./state.js";

/** @import { PlayState } from "#web/play/state.js" */
/** @import { Judgement } from "#web/rules/position.js" */
/** @import { Owner } from "#web/table/board.js" */

/**
 * Play an action, and show its effect or the rule it broke.
 * @param {PlayState} state
 * @param {string | Judgement} action
 * @param {string | null} place whose cards shake if they may not move
 * @param {number} [cards]
 * @returns {boolean} whether it was played
 */
export function act(state, action, place, cards = 1) {
  const { game, board } = state;
  if (!game || game.isSent || board.isLocked) return false;
  if (game.isFull) {
    toast(gettext("This game has reached its maximum length: no more actions are recorded."));
    return false;
  }
  let change;
  try {
    change = game.play(action);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    showRefusal(state, error.code, place, cards);
    return false;
  }
  putDown(state);
  hideRefusal();
  board.show();
  showCounters(state);
  say(changeText(change));
  if (game.position.won) win(state);
  return true;
}

/** @param {PlayState} state */
export function undo(state) {
  act(state, "U", null);
}

/** @param {string} place */
const isFoundation = (place) => place.startsWith("h");

/**
 * Show why a card does not move alone.
 * @param {PlayState} state
 * @param {string} place
 */
function refuseToMove(state, place) {
  const token = isFoundation(place) ? `${place}1` : `${place}h`;
  const { refusal } = gameOf(state).position.judge(token);
  if (refusal) showRefusal(state, refusal, place);
}

// --- Hand and pen

/**
 * Return the handlers that the table reports to.
 * @param {PlayState} state
 * @returns {Owner}
 */
export const ownerOf = (state) => ({
  canDrag: () => settings().drag,
  label: (place) => placeLabel(gameOf(state).position, place),

  tap(place, cards) {
    putDown(state);
    const { position } = gameOf(state);
    if (place === "stock") {
      act(state, tap(position, place) ?? "D", place);
      return true;
    }
    if (!settings().tap || cards !== 1) return false;
    const judged = tap(position, place);
    if (judged) return act(state, judged, place);
    // With double taps, the first tap may begin one, so nothing is refused yet.
    if (!settings().doubleTap && !isFoundation(place)) refuseToMove(state, place);
    return false;
  },

  doubleTap(place, cards) {
    if (!settings().doubleTap || place === "stock") return false;
    const judged = doubleTap(gameOf(state).position, place, cards);
    if (judged) act(state, judged, place, cards);
    else if (cards > 0 && !isFoundation(place)) {
      state.board.shake(place, cards);
      if (settings().interactiveRules) toast(gettext("This card can't go anywhere now."));
    }
    return true;
  },

  drop(place, destinations, cards) {
    const { position } = gameOf(state);
    const others = destinations.filter((other) => other !== place);
    /** @type {Judgement | null | undefined} */
    let first;
    for (const other of others) {
      const judged = drop(position, place, other, cards);
      if (judged && !judged.refusal) {
        act(state, judged, place, cards);
        return;
      }
      if (first === undefined) first = judged;
    }
    if (first) act(state, first, place, cards);
    // Dropped where the rules would move more cards than these.
    else if (others.length && !destinations.includes(place)) {
      showRefusal(state, "group.wrong_count", place, cards);
    }
  },

  activate(place) {
    if (state.picked === place) {
      const judged = settings().doubleTap && doubleTap(gameOf(state).position, place, 1);
      putDown(state);
      if (judged) act(state, judged, place);
      else say(gettext("Put back."));
    } else if (state.picked) moveTo(state, place);
    else if (place === "stock") ownerOf(state).tap(place, 1);
    else pickUp(state, place);
  },
});

// --- Picking up and putting down

/**
 * @param {PlayState} state
 * @param {string} place
 */
export function pickUp(state, place) {
  const { position } = gameOf(state);
  const pile = position.pile(place);
  if (!pile.length) {
    // The rules have a code for an empty place.
    refuseToMove(state, place);
    return;
  }
  state.picked = place;
  state.board.mark(place, position.longestRun(place));
  say(
    interpolate(gettext("Picked up %(card)s. Choose where it goes."), {
      card: nameOf(pile.at(-1)),
    }),
  );
}

/** @param {PlayState} state */
export function putDown(state) {
  state.picked = null;
  state.typed = "";
  state.board.mark(null);
}

/**
 * Move the picked-up cards.
 * @param {PlayState} state
 * @param {string} destination
 */
export function moveTo(state, destination) {
  const { picked } = state;
  putDown(state);
  let end = destination === "stock" ? "w" : destination;
  if (isFoundation(destination)) end = "h";
  act(state, `${picked}${end}`, picked);
}
