// Draws the state of a table: elements are made once, and only what changed is touched again.

import { rankOf, suitOf } from "../cards.js";
import { back, face, suitImage } from "./deck.js";
import { boxOf, kindOf, layOut, lieOf } from "./layout.js";

/** @import { Drag, DrawnCard, TableState } from "#web/table/board.js" */
/** @import { Lie } from "#web/table/layout.js" */

const ABOVE = 1000; // cards on their way
const MOVED_MS = 200;
const TURNED_MS = 180;
const SETTLED_MS = MOVED_MS + 60;
const FAINT = "rgba(255,255,255,.36)";

/** Return whether the player or the system asks for no motion. */
export function isStill() {
  return (
    document.documentElement.dataset.motion === "off" ||
    matchMedia("(prefers-reduced-motion: reduce)").matches
  );
}

// --- Elements

/**
 * Create the elements of a position's places and cards.
 * @param {TableState} state
 */
export function makeTable(state) {
  const { root, position } = state;
  if (!position) return;
  root.replaceChildren();
  state.slots.clear();
  state.cards.clear();
  state.labelled.clear();
  state.places = position.places();
  root.style.setProperty("--back", back());
  const foundations = state.places.filter((place) => kindOf(place) === "foundation").length;
  for (const place of state.places) makeSlot(state, place, foundations);
  for (const place of state.places) {
    for (const id of position.pile(place)) makeCard(state, id);
  }
  setCurrent(state, state.places.includes(state.current) ? state.current : "1");
  measure(state);
}

/**
 * @param {TableState} state
 * @param {string} place
 * @param {number} foundations how many there are
 */
function makeSlot(state, place, foundations) {
  const slot = document.createElement("button");
  slot.type = "button";
  slot.className = `slot ${kindOf(place)}`;
  slot.dataset.place = place;
  slot.tabIndex = -1;
  if (kindOf(place) === "foundation") {
    // In the order of the suits, one place or two for each.
    const suit = Math.floor(((Number(place[1]) - 1) * 4) / foundations);
    slot.style.backgroundImage = suitImage(suit, FAINT);
  }
  slot.addEventListener("focus", () => setCurrent(state, place));
  state.slots.set(place, slot);
  state.root.append(slot);
}

/**
 * @param {TableState} state
 * @param {number} id
 */
function makeCard(state, id) {
  const element = document.createElement("div");
  element.className = "card";
  element.style.backgroundImage = face(rankOf(id), suitOf(id));
  element.dataset.id = String(id);
  element.setAttribute("aria-hidden", "true");
  element.addEventListener("animationend", () => element.classList.remove("is-refused"));
  const nowhere = { x: NaN, y: NaN, z: NaN, isUp: null, isHidden: null, place: null, offset: null };
  state.cards.set(id, { element, ...nowhere });
  state.root.append(element);
}

/**
 * @param {TableState} state
 * @param {number} id
 */
function drawnCard({ cards }, id) {
  const drawn = cards.get(id);
  if (!drawn) throw new RangeError(`no card ${id} on this table`);
  return drawn;
}

/**
 * Make a place the one that Tab goes to.
 * @param {TableState} state
 * @param {string} place
 */
export function setCurrent(state, place) {
  state.slots.get(state.current)?.setAttribute("tabindex", "-1");
  state.current = place;
  state.slots.get(place)?.setAttribute("tabindex", "0");
}

// --- Layout

/**
 * Measure the table and lay everything out again.
 * @param {TableState} state
 */
export function layTable(state) {
  if (!state.position) return;
  measure(state);
  showPiles(state, { animate: false });
}

/** @param {TableState} state */
function measure(state) {
  const { root, places, slots } = state;
  const size = { width: root.clientWidth, height: root.clientHeight };
  const isMirrored = document.documentElement.dataset.hand === "left";
  state.layout = layOut(places, size, { isMirrored });
  const { cardWidth, cardHeight } = state.layout;
  for (const [place, slot] of slots) {
    const { x, y } = boxOf(state.layout, place);
    slot.style.left = `${x}px`;
    slot.style.top = `${y}px`;
    slot.style.width = `${cardWidth}px`;
    slot.style.height = `${cardHeight}px`;
  }
  root.style.setProperty("--card", `${cardWidth}px`);
}

/**
 * Draw every pile as it is now.
 * @param {TableState} state
 * @param {{animate: boolean}} options
 */
export function showPiles(state, { animate }) {
  state.isAnimated = animate && !isStill();
  for (const place of state.places) showPile(state, place);
  if (state.moving.size) settleLater(state);
}

/**
 * @param {TableState} state
 * @param {string} place
 */
function showPile(state, place) {
  const { position, layout, labelled, owner } = state;
  const slot = state.slots.get(place);
  if (!position || !slot) return;
  const pile = position.pile(place);
  const faceDown = position.faceDown(place);
  const lie = lieOf(layout, place, pile.length, faceDown);
  pile.forEach((id, at) => {
    showCard(state, id, place, lie[at]);
  });
  const contents = `${faceDown}:${pile}`;
  if (labelled.get(place) !== contents) {
    labelled.set(place, contents);
    slot.setAttribute("aria-label", owner.label(place));
  }
  if (kindOf(place) === "column") {
    const top = boxOf(layout, place).y;
    const height = `${(lie.at(-1)?.y ?? top) - top + layout.cardHeight}px`;
    if (slot.style.height !== height) slot.style.height = height;
  }
}

/**
 * @param {TableState} state
 * @param {number} id
 * @param {string | null} place
 * @param {Lie} next
 */
function showCard(state, id, place, next) {
  const drawn = drawnCard(state, id);
  const { element } = drawn;
  const isMoved = drawn.x !== next.x || drawn.y !== next.y;
  const isAway = drawn.offset !== null || (drawn.place !== place && drawn.place !== null);
  if (isMoved) {
    element.style.left = `${next.x}px`;
    element.style.top = `${next.y}px`;
  }
  if (isAway || isMoved) glide(state, drawn, next);
  if (isAway) {
    state.moving.add(id);
    element.style.zIndex = String(ABOVE + next.z);
  } else if (drawn.z !== next.z && !state.moving.has(id)) element.style.zIndex = String(next.z);
  if (drawn.isUp !== next.isUp) {
    element.classList.toggle("is-down", !next.isUp);
    if (drawn.isUp !== null && state.isAnimated) turn(element);
  }
  if (drawn.isHidden !== next.isHidden) element.classList.toggle("is-hidden", next.isHidden);
  Object.assign(drawn, next, { place });
}

// --- Motion

/**
 * Move a card from its drawn position to its place. It has a transform only while it moves: a
 * hundred resting cards would be a hundred layers to compose.
 * @param {TableState} state
 * @param {DrawnCard} drawn
 * @param {Lie} next
 */
function glide(state, drawn, next) {
  const { element } = drawn;
  const [dx, dy] = drawn.offset ?? [0, 0];
  if (drawn.offset) element.style.transform = "";
  drawn.offset = null;
  if (!state.isAnimated || Number.isNaN(drawn.x)) return;
  element.animate(
    [
      { transform: `translate(${drawn.x + dx - next.x}px, ${drawn.y + dy - next.y}px)` },
      { transform: "none" },
    ],
    { duration: MOVED_MS, easing: "cubic-bezier(.2, .7, .3, 1)" },
  );
}

/**
 * Turn a card over: its new side opens.
 * @param {HTMLElement} element
 */
function turn(element) {
  const opening = [{ scale: "0 1" }, { scale: "1 1" }];
  element.animate(opening, { duration: TURNED_MS, easing: "ease-out" });
}

/**
 * Put moving cards back among the others. A timer does this, not the end of the transition, which
 * does not fire if nothing moved.
 * @param {TableState} state
 */
function settleLater(state) {
  clearTimeout(state.settling);
  state.settling = setTimeout(() => {
    for (const id of state.moving) {
      const drawn = state.cards.get(id);
      if (drawn && !drawn.offset) drawn.element.style.zIndex = String(drawn.z);
    }
    state.moving.clear();
  }, SETTLED_MS);
}

// --- Cards in the hand

/**
 * Lift the cards of a drag above all others.
 * @param {TableState} state
 * @param {Drag} drag
 */
export function lift(state, drag) {
  drag.lifted = state.position?.pile(drag.place).slice(-drag.cards) ?? [];
  drag.lifted.forEach((id, at) => {
    const { element } = drawnCard(state, id);
    element.classList.add("is-dragged");
    element.style.zIndex = String(2 * ABOVE + at);
  });
}

/**
 * Draw the cards of a drag where the hand has them.
 * @param {TableState} state
 * @param {Drag} drag
 */
export function dragCards(state, { lifted, dx, dy }) {
  for (const id of lifted) {
    const drawn = drawnCard(state, id);
    drawn.offset = [dx, dy];
    drawn.element.style.transform = `translate(${dx}px, ${dy}px)`;
  }
}

/**
 * Drop the cards of a drag: those that did not move return to their place.
 * @param {TableState} state
 * @param {Drag} drag
 */
export function letGo(state, { lifted }) {
  for (const id of lifted) {
    const drawn = drawnCard(state, id);
    drawn.element.classList.remove("is-dragged");
    const { place, x, y, z, isUp, isHidden } = drawn;
    if (drawn.offset) showCard(state, id, place, { x, y, z, isUp: !!isUp, isHidden: !!isHidden });
  }
  settleLater(state);
}

// --- Marks

/**
 * Mark the top cards of a place as picked up; none without a place.
 * @param {TableState} state
 * @param {string | null} place
 * @param {number} cards
 */
export function markCards(state, place, cards) {
  if (state.marked) {
    for (const element of state.marked.elements) element.classList.remove("is-picked");
    state.slots.get(state.marked.place)?.removeAttribute("aria-pressed");
  }
  state.marked = null;
  if (place === null) return;
  const elements = topCards(state, place, cards);
  for (const element of elements) element.classList.add("is-picked");
  state.slots.get(place)?.setAttribute("aria-pressed", "true");
  state.marked = { place, elements };
}

/**
 * Shake the top cards of a place, or the place if it is empty.
 * @param {TableState} state
 * @param {string} place
 * @param {number} cards
 */
export function shakeCards(state, place, cards) {
  const elements = topCards(state, place, cards);
  const slot = state.slots.get(place);
  if (!elements.length && slot) elements.push(slot);
  for (const element of elements) {
    element.classList.remove("is-refused");
    element.getBoundingClientRect();
    element.classList.add("is-refused");
  }
}

/**
 * @param {TableState} state
 * @param {string} place
 * @param {number} cards
 * @returns {HTMLElement[]}
 */
const topCards = (state, place, cards) =>
  (state.position?.pile(place) ?? []).slice(-cards).map((id) => drawnCard(state, id).element);
