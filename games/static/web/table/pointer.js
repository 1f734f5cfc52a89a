// Taps, double taps and drags: what hand, mouse and pen do to the table.

import { covers, kindOf, placesUnder } from "./layout.js";
import { dragCards, letGo, lift, setCurrent } from "./render.js";

/** @import { TableState, Target } from "#web/table/board.js" */

const DRAG_FROM_PX = 6;
const DOUBLE_TAP_MS = 350;

/**
 * Watch the pointers over a table. `cancel` drops the held cards; `check` does so if they are no
 * longer there.
 * @param {TableState} state
 */
export function watchPointer(state) {
  const { root } = state;
  root.addEventListener("pointerdown", (event) => press(state, event));
  root.addEventListener("pointermove", (event) => move(state, event));
  root.addEventListener("pointerup", (event) => release(state, event));
  root.addEventListener("click", (event) => click(state, event));
  for (const lost of /** @type {const} */ (["pointercancel", "lostpointercapture"])) {
    root.addEventListener(lost, ({ pointerId }) => {
      if (state.drag?.pointer === pointerId) cancel(state);
    });
  }
  return {
    cancel: () => cancel(state),
    // A key may have moved the cards away that a hand holds.
    check: () => {
      if (state.drag && !stillLies(state, state.drag)) cancel(state);
    },
  };
}

/**
 * Return what is under an event.
 *
 * Uses the places of cards, not their drawn positions: a flying card is not in the way.
 * @param {TableState} state
 * @param {PointerEvent} event
 * @returns {Target | null}
 */
function targetOf({ root, layout, cards, position }, event) {
  if (!position) return null;
  const frame = root.getBoundingClientRect();
  const point = { x: event.clientX - frame.left, y: event.clientY - frame.top };
  let top = null;
  for (const [id, drawn] of cards) {
    if (drawn.isHidden || drawn.place === null || !covers(layout, drawn, point)) continue;
    if (top === null || drawn.z > top.z) top = { id, z: drawn.z, place: drawn.place };
  }
  if (top) {
    const pile = position.pile(top.place);
    return { place: top.place, id: top.id, cards: pile.length - pile.indexOf(top.id) };
  }
  for (const [place, box] of layout.boxes) {
    if (covers(layout, box, point)) return { place, id: null, cards: 0 };
  }
  return null;
}

/**
 * @param {TableState} state
 * @param {PointerEvent} event
 */
function press(state, event) {
  if (state.drag || event.button !== 0 || !event.isPrimary || state.isLocked) return;
  const target = targetOf(state, event);
  if (!target) return;
  event.preventDefault();
  const { x, y, pointerId: pointer } = event;
  state.drag = { ...target, pointer, x, y, dx: 0, dy: 0, lifted: [] };
  state.root.setPointerCapture(pointer);
  // Keys continue from here.
  setCurrent(state, target.place);
  state.slots.get(target.place)?.focus({ preventScroll: true });
}

/**
 * @param {TableState} state
 * @param {PointerEvent} event
 */
function move(state, event) {
  const { drag } = state;
  if (drag?.pointer !== event.pointerId) return;
  drag.dx = event.x - drag.x;
  drag.dy = event.y - drag.y;
  if (!drag.lifted.length) {
    if (Math.hypot(drag.dx, drag.dy) < DRAG_FROM_PX || !canLift(state, drag)) return;
    lift(state, drag);
  }
  dragCards(state, drag);
}

/**
 * @param {TableState} state
 * @param {Target} target
 */
function canLift({ owner, position }, { place, cards }) {
  if (!position || cards === 0 || place === "stock" || !owner.canDrag?.()) return false;
  if (kindOf(place) !== "column") return cards === 1;
  return cards <= position.pile(place).length - position.faceDown(place);
}

/**
 * Return whether the pressed card is still in its place, with as many cards on it.
 * @param {TableState} state
 * @param {Target} target
 */
function stillLies({ position }, { place, id, cards }) {
  const pile = position?.pile(place) ?? [];
  return id === null ? pile.length === 0 : pile.at(-cards) === id;
}

/**
 * @param {TableState} state
 * @param {PointerEvent} event
 */
function release(state, event) {
  const { drag, owner, cards, layout } = state;
  if (drag?.pointer !== event.pointerId) return;
  state.drag = null;
  const first = cards.get(drag.lifted[0]);
  if (!first) {
    tapped(state, drag, event.timeStamp);
    return;
  }
  const at = { x: first.x + drag.dx, y: first.y + drag.dy };
  owner.drop?.(drag.place, placesUnder(layout, at), drag.cards);
  letGo(state, drag);
}

/**
 * @param {TableState} state
 * @param {Target} target
 * @param {number} atMs
 */
function tapped(state, { place, id, cards }, atMs) {
  const { owner, lastTap } = state;
  state.lastTap = null;
  const isSecond = lastTap?.place === place && lastTap.id === id;
  if (isSecond && atMs - lastTap.atMs < DOUBLE_TAP_MS && owner.doubleTap?.(place, cards)) return;
  if (!owner.tap?.(place, cards)) state.lastTap = { place, id, cards, atMs };
}

/** @param {TableState} state */
function cancel(state) {
  const { drag } = state;
  state.drag = null;
  if (drag) letGo(state, drag);
}

/**
 * @param {TableState} state
 * @param {MouseEvent} event
 */
function click({ isLocked, owner }, event) {
  // Only events without a pointer: Enter, Space, and the activation of a screen reader.
  if (event.detail !== 0 || isLocked || !(event.target instanceof Element)) return;
  const place = event.target.closest(".slot")?.getAttribute("data-place");
  if (place) owner.activate?.(place);
}
