// The table on the screen: one state, and the functions that change it.
//
// It draws any position and reports gestures. It knows no rules: its owner says what a gesture
// means and whether it is allowed.

import { neighbour } from "./layout.js";
import { watchPointer } from "./pointer.js";
import { layTable, makeTable, markCards, setCurrent, shakeCards, showPiles } from "./render.js";

/** @import { Direction, Layout } from "#web/table/layout.js" */

/**
 * What the table draws.
 * @typedef {object} TablePosition
 * @property {() => string[]} places
 * @property {(place: string) => number[]} pile ids of cards, the deepest first
 * @property {(place: string) => number} faceDown how many of them, from the deepest on
 */

/**
 * The handlers of the table. `drop` gets the places under the cards, the most covered first;
 * `activate` is a place chosen by keyboard or a screen reader. `tap` and `doubleTap` return whether
 * the gesture is over.
 * @typedef {object} Owner
 * @property {(place: string) => string} label
 * @property {() => boolean} canDrag
 * @property {(place: string, cards: number) => boolean} tap
 * @property {(place: string, cards: number) => boolean} doubleTap
 * @property {(place: string, destinations: string[], cards: number) => void} drop
 * @property {(place: string) => void} activate
 */

/**
 * A card as it is drawn now; `offset` is how far it was dragged from its place.
 * @typedef {object} DrawnCard
 * @property {HTMLElement} element
 * @property {string | null} place
 * @property {number} x
 * @property {number} y
 * @property {number} z
 * @property {boolean | null} isUp
 * @property {boolean | null} isHidden
 * @property {[number, number] | null} offset
 */

/**
 * What a pointer is on: a card and those above it, or (`id` null) an empty place.
 * @typedef {object} Target
 * @property {string} place
 * @property {number | null} id
 * @property {number} cards
 */

/**
 * @typedef {Target & {
 *   pointer: number, x: number, y: number, dx: number, dy: number, lifted: number[],
 * }} Drag
 */

/**
 * @typedef {object} TableState
 * @property {HTMLElement} root
 * @property {Pick<Owner, "label"> & Partial<Owner>} owner
 * @property {TablePosition | null} position
 * @property {string[]} places
 * @property {Layout} layout
 * @property {Map<string, HTMLButtonElement>} slots by place
 * @property {Map<number, DrawnCard>} cards by id
 * @property {Map<string, string>} labelled what lay at each place when it was labelled
 * @property {string} current the place that has the focus, or had it last
 * @property {{place: string, elements: HTMLElement[]} | null} marked
 * @property {boolean} isLocked whether gestures are ignored
 * @property {boolean} isAnimated
 * @property {Set<number>} moving ids of cards on their way: they lie above all others
 * @property {ReturnType<typeof setTimeout> | undefined} settling
 * @property {Drag | null} drag
 * @property {(Target & {atMs: number}) | null} lastTap
 */

export class Board {
  /** @type {TableState} */
  #state;
  /** @type {ReturnType<typeof watchPointer> | null} */
  #pointer;

  /**
   * @param {HTMLElement} root an empty element; its size is the table's
   * @param {TableState["owner"]} owner without gestures for a table that is only watched
   * @param {{isWatched?: boolean}} [options]
   */
  constructor(root, owner, { isWatched = false } = {}) {
    const state = {
      root,
      owner,
      position: null,
      places: [],
      layout: { height: 0, cardWidth: 0, cardHeight: 0, columnRoom: 0, boxes: new Map() },
      slots: new Map(),
      cards: new Map(),
      labelled: new Map(),
      current: "1",
      marked: null,
      isLocked: false,
      isAnimated: false,
      moving: new Set(),
      settling: undefined,
      drag: null,
      lastTap: null,
    };
    this.#state = state;
    root.classList.add("board");
    root.addEventListener("contextmenu", (event) => event.preventDefault());
    root.addEventListener("dragstart", (event) => event.preventDefault());
    this.#pointer = isWatched ? null : watchPointer(state);
    new ResizeObserver(() => layTable(state)).observe(root);
  }

  /**
   * Lay a position on the table.
   * @param {TablePosition} position
   * @param {{animate?: boolean}} [options] whether cards glide there, if the table is the same
   */
  setPosition(position, { animate = false } = {}) {
    const isSameTable = `${this.#state.places}` === `${position.places()}`;
    this.#state.position = position;
    this.#pointer?.cancel();
    if (!isSameTable) makeTable(this.#state);
    this.show({ animate: animate && isSameTable });
  }

  /** Draw the deck again: letters or colours of cards were changed. */
  redrawDeck() {
    if (!this.#state.position) return;
    makeTable(this.#state);
    this.show({ animate: false });
  }

  /** Draw the position as it is now; only what changed is touched. */
  show({ animate = true } = {}) {
    this.#pointer?.check();
    showPiles(this.#state, { animate });
  }

  /**
   * Mark the top cards of a place, which the keyboard has picked up; none without a place.
   * @param {string | null} place
   * @param {number} [cards]
   */
  mark(place, cards = 1) {
    markCards(this.#state, place, cards);
  }

  /**
   * Shake the top cards of a place: they cannot go there.
   * @param {string} place
   * @param {number} [cards]
   */
  shake(place, cards = 1) {
    shakeCards(this.#state, place, cards);
  }

  /** @param {string} place */
  focus(place) {
    setCurrent(this.#state, place);
    this.#state.slots.get(place)?.focus({ preventScroll: true });
  }

  /** The place that has the focus, or had it last. */
  get current() {
    return this.#state.current;
  }

  /**
   * Return the place next to the current one, or null.
   * @param {Direction} direction
   */
  neighbour(direction) {
    return neighbour(this.#state.layout, this.#state.current, direction);
  }

  /** Whether gestures are ignored. */
  get isLocked() {
    return this.#state.isLocked;
  }

  set isLocked(isLocked) {
    this.#state.isLocked = isLocked;
  }
}
