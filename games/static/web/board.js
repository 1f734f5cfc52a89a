// The table on the screen: places, cards, and the gestures of hand and pen.
//
// The board draws whatever `position` holds and reports what was done to it. It knows no rule:
// what a gesture means, and whether it is allowed, is asked of its owner.

import { back, face, suitImage } from "./cards.js";
import { cardOf } from "./rules.js";

const SUIT_LETTERS = "shdc";
const CARD_HEIGHT = 84 / 60; // of its width
const DRAG_FROM_PX = 6;
const DOUBLE_TAP_MS = 350;
// How many cards of a squared pile are worth drawing: the top one, the one that a drag uncovers,
// and one that a card on its way still has to cover.
const DRAWN_OF_PILE = 3;
const TURNED_MS = 180;
const ABOVE = 1000; // cards on their way
const MOVED_MS = 200;
const SETTLED_MS = MOVED_MS + 60;

/** Return whether the player or the system asks for no motion. */
export function isStill() {
  return (
    document.documentElement.dataset.motion === "off" ||
    matchMedia("(prefers-reduced-motion: reduce)").matches
  );
}

const kindOf = (place) => {
  if (place >= "1" && place <= "9") return "column";
  if (place === "stock") return "stock";
  if (place === "w") return "waste";
  return place.startsWith("h") ? "foundation" : "cell";
};

export class Board {
  /**
   * @param root an empty element; its size is the table's
   * @param owner {
   *   tap(place, cards) -> bool: whether it did something, doubleTap(place, cards),
   *   drop(place, destinations, cards): the places under the cards, the most covered first,
   *   activate(place): by keyboard or a screen reader,
   *   label(place) -> text, letters for a drawing: settings() }
   */
  constructor(root, owner) {
    this.root = root;
    this.owner = owner;
    this.slots = new Map(); // place -> button
    this.cards = new Map(); // id -> {element, ...what is drawn now}
    this.places = [];
    this.moving = new Set(); // ids of cards on their way: they lie above all others
    this.picked = []; // the elements that `mark` has marked
    this.pickedPlace = null;
    this.drag = null;
    this.lastTap = null;
    root.classList.add("board");
    root.addEventListener("pointerdown", (event) => this.#press(event));
    root.addEventListener("pointermove", (event) => this.#move(event));
    root.addEventListener("pointerup", (event) => this.#release(event));
    for (const lost of ["pointercancel", "lostpointercapture"]) {
      root.addEventListener(lost, ({ pointerId }) => {
        if (this.drag?.pointer === pointerId) this.#cancel();
      });
    }
    root.addEventListener("contextmenu", (event) => event.preventDefault());
    root.addEventListener("dragstart", (event) => event.preventDefault());
    root.addEventListener("click", (event) => this.#click(event));
    new ResizeObserver(() => {
      if (this.position) this.#layOut();
    }).observe(root);
  }

  /** Lay a game on the table; the cards are dealt anew. */
  setPosition(position) {
    const isSameTable = this.position?.variant === position.variant;
    this.position = position;
    this.#cancel();
    if (!isSameTable) this.#makeTable();
    this.show({ animate: false });
  }

  /** Draw the deck again: letters or colours of cards were changed. */
  redrawDeck() {
    if (this.position) this.#makeTable();
    this.show({ animate: false });
  }

  /** Draw the position as it is now; only what changed is touched. */
  show({ animate = true } = {}) {
    this.isAnimated = animate && !isStill();
    // A key may have moved the cards away that a hand holds.
    if (this.drag && !this.#stillLies(this.drag)) this.#cancel();
    for (const place of this.places) this.#drawPile(place);
    if (this.moving.size) this.#settleLater();
  }

  /** Mark the cards that the keyboard has picked up; none without a place. */
  mark(place, cards = 1) {
    for (const element of this.picked) element.classList.remove("is-picked");
    this.slots.get(this.pickedPlace)?.removeAttribute("aria-pressed");
    this.pickedPlace = place;
    const ids = place ? this.position.pile(place).slice(-cards) : [];
    this.picked = ids.map((id) => this.cards.get(id).element);
    for (const element of this.picked) element.classList.add("is-picked");
    this.slots.get(place)?.setAttribute("aria-pressed", "true");
  }

  /** Shake the top cards of a place: they do not go there. */
  shake(place, cards = 1) {
    const ids = this.position.pile(place).slice(-cards);
    const elements = ids.map((id) => this.cards.get(id).element);
    for (const element of elements.length ? elements : [this.slots.get(place)]) {
      element.classList.remove("is-refused");
      element.getBoundingClientRect();
      element.classList.add("is-refused");
    }
  }

  focus(place) {
    this.#setCurrent(place);
    this.slots.get(place)?.focus({ preventScroll: true });
  }

  /** Return the place that has the focus, or had it last. */
  get current() {
    return this.currentPlace;
  }

  /** Return the place next to another in a direction: left, right, up or down. */
  neighbour(place, direction) {
    const from = this.#middle(place);
    let best = null;
    let bestCost = Infinity;
    for (const [other, box] of this.boxes) {
      const to = { x: box.x + this.cardWidth / 2, y: box.y };
      const ahead = { left: from.x - to.x, right: to.x - from.x, up: from.y - to.y, down: to.y - from.y };
      const isSideways = direction === "left" || direction === "right";
      const aside = Math.abs(isSideways ? to.y - from.y : to.x - from.x);
      if (ahead[direction] < 4 || (isSideways && aside > 4)) continue;
      const cost = isSideways ? ahead[direction] : ahead[direction] * 10 + aside;
      if (cost < bestCost) [best, bestCost] = [other, cost];
    }
    return best;
  }

  // --- What there is -----------------------------------------------------------------------

  #makeTable() {
    this.root.replaceChildren();
    this.slots.clear();
    this.cards.clear();
    this.places = this.position.places();
    this.root.style.setProperty("--back", back());
    for (const place of this.places) {
      const slot = document.createElement("button");
      slot.type = "button";
      slot.className = `slot ${kindOf(place)}`;
      slot.dataset.place = place;
      slot.tabIndex = -1;
      if (kindOf(place) === "foundation") {
        // In the order of the suits, one place or two for each.
        const { foundations } = this.position.variant;
        const suit = SUIT_LETTERS[Math.floor(((place[1] - 1) * 4) / foundations)];
        slot.style.backgroundImage = suitImage(suit, "rgba(255,255,255,.36)");
      }
      slot.addEventListener("focus", () => this.#setCurrent(place));
      this.slots.set(place, slot);
      this.root.append(slot);
    }
    for (const place of this.places) {
      for (const id of this.position.pile(place)) this.#makeCard(id);
    }
    this.#setCurrent(this.places.includes(this.currentPlace) ? this.currentPlace : "1");
    this.#measure();
  }

  #makeCard(id) {
    const { rank, suit } = cardOf(id);
    const element = document.createElement("div");
    element.className = "card";
    element.style.backgroundImage = face(rank, suit);
    element.dataset.id = id;
    element.setAttribute("aria-hidden", "true");
    element.addEventListener("animationend", () => element.classList.remove("is-refused"));
    this.cards.set(id, { element, x: NaN, y: NaN, z: NaN, isUp: null, isHidden: null, place: null, offset: null });
    this.root.append(element);
  }

  #setCurrent(place) {
    this.slots.get(this.currentPlace)?.setAttribute("tabindex", "-1");
    this.currentPlace = place;
    this.slots.get(place)?.setAttribute("tabindex", "0");
  }

  // --- Where it lies -----------------------------------------------------------------------

  #layOut() {
    this.#measure();
    this.show({ animate: false });
  }

  /** Work out the size of a card and the corner of each place from the size of the table. */
  #measure() {
    const { clientWidth: width, clientHeight: height } = this.root;
    const { columns, cells, foundations, hasStock } = this.position.variant;
    const gap = Math.max(2, Math.min(12, width * 0.008));
    const heightLimit = (height * 0.25) / CARD_HEIGHT;
    let card = Math.min((width - gap * (columns + 1)) / columns, heightLimit, 128);
    // Eight Off: cells and foundations in one row if the cards stay large enough for it.
    const inOneRow = (width - gap * 2) / (cells + foundations + 0.4) - gap;
    const isOneRow = hasStock || cells + foundations <= columns || inOneRow >= Math.min(card, 76);
    if (!hasStock && isOneRow) card = Math.min(card, inOneRow);
    card = Math.floor(Math.max(card, 20));
    const unit = card + gap;
    this.cardWidth = card;
    this.cardHeight = Math.round(card * CARD_HEIGHT);
    const left = (width - columns * unit + gap) / 2;
    const top = gap * 2;
    const second = top + this.cardHeight + gap * 2;
    this.boxes = new Map();
    const put = (place, x, y) => this.boxes.set(place, { x: Math.round(x), y: Math.round(y) });

    const wanted = (hasStock ? 2 : cells) + foundations + 0.4;
    const rowWidth = Math.min(width - gap * 2, Math.max(columns, wanted) * unit - gap);
    const rowLeft = isOneRow ? (width - rowWidth) / 2 : left;
    const rowRight = isOneRow ? rowLeft + rowWidth : left + columns * unit - gap;
    const mirrored = document.documentElement.dataset.hand === "left";
    const mirror = (x) => (mirrored ? width - x - card : x);
    // Sides change, not the order: cells and foundations are numbered from the left.
    const inOrder = (at, count) => (mirrored ? count - 1 - at : at);
    const taken = hasStock ? 2 : isOneRow ? cells : 0;
    // Foundations stand from the right edge on, closer than a card's width where they must.
    const room = rowRight - rowLeft - taken * unit - card - gap;
    const step = Math.min(unit, foundations > 1 ? room / (foundations - 1) : unit);
    for (let at = 0; at < foundations; at += 1) {
      const fromRight = foundations - 1 - inOrder(at, foundations);
      put(`h${at + 1}`, mirror(rowRight - card - fromRight * step), top);
    }
    if (hasStock) {
      put("stock", mirror(rowLeft), top);
      put("w", mirror(rowLeft + unit), top);
    }
    const cellTop = isOneRow ? top : second;
    [..."abcdefgk"].slice(0, cells).forEach((place, at) => {
      put(place, mirror((isOneRow ? rowLeft : left) + inOrder(at, cells) * unit), cellTop);
    });
    this.columnTop = (isOneRow ? second : second + this.cardHeight + gap * 2) + gap;
    for (let at = 0; at < columns; at += 1) put(String(at + 1), left + at * unit, this.columnTop);
    this.columnRoom = height - this.columnTop - gap;
    for (const [place, slot] of this.slots) {
      const { x, y } = this.boxes.get(place);
      slot.style.left = `${x}px`;
      slot.style.top = `${y}px`;
      slot.style.width = `${card}px`;
      slot.style.height = `${this.cardHeight}px`;
    }
    this.root.style.setProperty("--card", `${card}px`);
  }

  /** Return how far apart the cards of a column lie: face down and face up, in pixels. */
  #fan(count, faceDown) {
    const down = this.cardHeight * 0.13;
    // Small cards show a little more of their faces: there is room, and fingers need it.
    const up = this.cardHeight * (this.cardHeight < 90 ? 0.42 : 0.31);
    const wanted = faceDown * down + Math.max(0, count - faceDown - 1) * up;
    const room = this.columnRoom - this.cardHeight;
    if (wanted <= room) return { down, up };
    // Backs tell nothing: they give way first.
    const least = faceDown * down * 0.35;
    const forUp = Math.max(0, count - faceDown - 1) * up;
    if (least + forUp <= room) return { down: (room - forUp) / faceDown, up };
    return { down: down * 0.35, up: (room - least) / Math.max(1, count - faceDown - 1) };
  }

  #drawPile(place) {
    const pile = this.position.pile(place);
    const faceDown = this.position.faceDown(place);
    const box = this.boxes.get(place);
    const isColumn = kindOf(place) === "column";
    const fan = isColumn ? this.#fan(pile.length, faceDown) : null;
    // Foundations may overlap: each lies above the one before it.
    const bottom = kindOf(place) === "foundation" ? 20 * place[1] : 0;
    let y = box.y;
    for (let at = 0; at < pile.length; at += 1) {
      const isUp = at >= faceDown;
      const isHidden = !isColumn && at < pile.length - DRAWN_OF_PILE;
      const z = bottom + at + 1;
      this.#drawCard(pile[at], { x: box.x, y: Math.round(y), z, isUp, isHidden, place });
      if (isColumn) y += isUp ? fan.up : fan.down;
    }
    const slot = this.slots.get(place);
    const contents = `${faceDown}:${pile}`;
    if (slot.contents !== contents) {
      slot.contents = contents;
      slot.setAttribute("aria-label", this.owner.label(place));
    }
    if (isColumn) {
      const last = pile.length ? y - (pile.length > faceDown ? fan.up : fan.down) - box.y : 0;
      const height = `${Math.round(last + this.cardHeight)}px`;
      if (slot.style.height !== height) slot.style.height = height;
    }
  }

  #drawCard(id, next) {
    const drawn = this.cards.get(id);
    const { element } = drawn;
    const isMoved = drawn.x !== next.x || drawn.y !== next.y;
    const isAway = drawn.offset !== null || (drawn.place !== next.place && drawn.place !== null);
    if (isMoved) {
      element.style.left = `${next.x}px`;
      element.style.top = `${next.y}px`;
    }
    if (isAway || isMoved) this.#glide(drawn, next);
    if (isAway) {
      this.moving.add(id);
      element.style.zIndex = ABOVE + next.z;
    } else if (drawn.z !== next.z && !this.moving.has(id)) element.style.zIndex = next.z;
    if (drawn.isUp !== next.isUp) {
      element.classList.toggle("is-down", !next.isUp);
      if (drawn.isUp !== null && this.isAnimated) this.#turn(element);
    }
    if (drawn.isHidden !== next.isHidden) element.classList.toggle("is-hidden", next.isHidden);
    Object.assign(drawn, next);
  }

  /**
   * Let a card come from where it was seen to where it lies. It has a transform for as long as
   * it moves and no longer: a hundred resting cards would be a hundred layers to compose.
   */
  #glide(drawn, next) {
    const { element } = drawn;
    const [dx, dy] = drawn.offset ?? [0, 0];
    if (drawn.offset) element.style.transform = "";
    drawn.offset = null;
    if (!this.isAnimated || Number.isNaN(drawn.x)) return;
    element.animate(
      [
        { transform: `translate(${drawn.x + dx - next.x}px, ${drawn.y + dy - next.y}px)` },
        { transform: "none" },
      ],
      { duration: MOVED_MS, easing: "cubic-bezier(.2, .7, .3, 1)" },
    );
  }

  /** Let a card turn over: the side that is seen from now on opens. */
  #turn(element) {
    const opening = [{ scale: "0 1" }, { scale: "1 1" }];
    element.animate(opening, { duration: TURNED_MS, easing: "ease-out" });
  }

  // A timer, not the end of the transition: that does not come where nothing had to move.
  #settleLater() {
    clearTimeout(this.settling);
    this.settling = setTimeout(() => {
      for (const id of this.moving) {
        const drawn = this.cards.get(id);
        if (drawn && !drawn.offset) drawn.element.style.zIndex = drawn.z;
      }
      this.moving.clear();
    }, SETTLED_MS);
  }

  #middle(place) {
    const { x, y } = this.boxes.get(place);
    return { x: x + this.cardWidth / 2, y };
  }

  // --- What is done to it ------------------------------------------------------------------

  /**
   * Return the place and the number of cards under an event: a card, or an empty place.
   *
   * It goes by where cards lie, not by where they are seen: one that still flies is not in the way.
   */
  #target(event) {
    const frame = this.root.getBoundingClientRect();
    const [x, y] = [event.clientX - frame.left, event.clientY - frame.top];
    const covers = (at) =>
      x >= at.x && x < at.x + this.cardWidth && y >= at.y && y < at.y + this.cardHeight;
    let top = null;
    for (const [id, drawn] of this.cards) {
      if (!drawn.isHidden && covers(drawn) && (top === null || drawn.z > top.z)) {
        top = { id, z: drawn.z, place: drawn.place };
      }
    }
    if (top) {
      const pile = this.position.pile(top.place);
      return { place: top.place, id: top.id, cards: pile.length - pile.indexOf(top.id) };
    }
    for (const [place, box] of this.boxes) if (covers(box)) return { place, id: null, cards: 0 };
    return null;
  }

  #press(event) {
    if (this.drag || event.button !== 0 || !event.isPrimary || this.isLocked) return;
    const target = this.#target(event);
    if (!target) return;
    event.preventDefault();
    const { x, y } = event;
    this.drag = { ...target, pointer: event.pointerId, x, y, dx: 0, dy: 0, isDragging: false };
    this.root.setPointerCapture(event.pointerId);
    this.focus(target.place); // keys go on from here
  }

  #move(event) {
    const { drag } = this;
    if (drag?.pointer !== event.pointerId) return;
    drag.dx = event.x - drag.x;
    drag.dy = event.y - drag.y;
    if (!drag.isDragging) {
      if (Math.hypot(drag.dx, drag.dy) < DRAG_FROM_PX) return;
      if (!this.#canLift(drag)) return;
      drag.isDragging = true;
      drag.lifted = this.position.pile(drag.place).slice(-drag.cards);
      drag.lifted.forEach((id, at) => {
        const { element } = this.cards.get(id);
        element.classList.add("is-dragged");
        element.style.zIndex = 2 * ABOVE + at;
      });
    }
    for (const id of drag.lifted) {
      const drawn = this.cards.get(id);
      drawn.offset = [drag.dx, drag.dy];
      drawn.element.style.transform = `translate(${drag.dx}px, ${drag.dy}px)`;
    }
  }

  /** Return whether what was pressed lies where it lay, with as many cards on it. */
  #stillLies({ place, id, cards }) {
    const pile = this.position.pile(place);
    return id === null ? pile.length === 0 : pile.at(-cards) === id;
  }

  #canLift({ place, cards }) {
    if (cards === 0 || place === "stock" || !this.owner.canDrag()) return false;
    if (kindOf(place) !== "column") return cards === 1;
    return cards <= this.position.pile(place).length - this.position.faceDown(place);
  }

  #release(event) {
    const { drag } = this;
    if (drag?.pointer !== event.pointerId) return;
    this.drag = null;
    if (!drag.isDragging) {
      this.#tapped(drag, event.timeStamp);
      return;
    }
    this.owner.drop(drag.place, this.#under(drag), drag.cards);
    this.#letGo(drag);
  }

  /** Whatever was lifted and not moved goes back to where it lay. */
  #letGo(drag) {
    for (const id of drag.lifted ?? []) {
      const drawn = this.cards.get(id);
      drawn.element.classList.remove("is-dragged");
      if (drawn.offset) this.#drawCard(id, { ...drawn });
    }
    this.#settleLater();
  }

  /** Return the places under the first lifted card, the most covered first. */
  #under(drag) {
    const first = this.cards.get(drag.lifted[0]);
    const left = first.x + drag.dx;
    const top = first.y + drag.dy;
    const found = [];
    for (const [place, { x, y }] of this.boxes) {
      // A column takes what is let go anywhere down to the edge of the table.
      const bottom = kindOf(place) === "column" ? this.root.clientHeight : y + this.cardHeight;
      const across = Math.min(left, x) + this.cardWidth - Math.max(left, x);
      const along = Math.min(top + this.cardHeight, bottom) - Math.max(top, y);
      if (across > 0 && along > 0) found.push([across * along, place]);
    }
    return found.sort(([one], [other]) => other - one).map(([, place]) => place);
  }

  #tapped({ place, id, cards }, at) {
    const last = this.lastTap;
    this.lastTap = null;
    if (last && last.place === place && last.id === id && at - last.at < DOUBLE_TAP_MS) {
      if (this.owner.doubleTap(place, cards)) return;
    }
    if (!this.owner.tap(place, cards)) this.lastTap = { place, id, at };
  }

  #cancel() {
    const { drag } = this;
    this.drag = null;
    if (drag) this.#letGo(drag);
  }

  #click(event) {
    // Only what no pointer made: Enter, Space, and the activation of a screen reader.
    if (event.detail !== 0 || this.isLocked) return;
    const slot = event.target.closest(".slot");
    if (slot) this.owner.activate(slot.dataset.place);
  }
}
