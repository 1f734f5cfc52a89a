// Where places and cards lie, as pure geometry: from sizes to numbers, in pixels.

const CARD_HEIGHT = 84 / 60; // of its width
const LARGEST_CARD = 128;
const SMALLEST_CARD = 20;
const SMALLEST_IN_ONE_ROW = 76;
// How many cards of a squared pile to draw: the top one, the one that a drag uncovers, and one that
// a moving card still has to cover.
const DRAWN_OF_PILE = 3;

/** @typedef {{x: number, y: number}} Point */

/**
 * @typedef {object} Layout
 * @property {number} height of the table
 * @property {number} cardWidth
 * @property {number} cardHeight
 * @property {number} columnRoom how high a column may become
 * @property {Map<string, Point>} boxes the upper left corner of each place
 */

/**
 * A card in its place.
 * @typedef {object} Lie
 * @property {number} x
 * @property {number} y
 * @property {number} z
 * @property {boolean} isUp face up
 * @property {boolean} isHidden below others that cover it
 */

/** @param {string} place */
export function kindOf(place) {
  if (place >= "1" && place <= "9") return "column";
  if (place === "stock") return "stock";
  if (place === "w") return "waste";
  return place.startsWith("h") ? "foundation" : "cell";
}

/**
 * Return the layout of a table.
 * @param {string[]} places
 * @param {{width: number, height: number}} size
 * @param {{isMirrored: boolean}} options
 * @returns {Layout}
 */
export function layOut(places, { width, height }, { isMirrored }) {
  /** @param {string} kind */
  const of = (kind) => places.filter((place) => kindOf(place) === kind);
  const [columns, cells, foundations] = [of("column"), of("cell"), of("foundation")];
  const drawn = [...of("stock"), ...of("waste")];
  const gap = Math.max(2, Math.min(12, width * 0.008));
  const heightLimit = (height * 0.25) / CARD_HEIGHT;
  const widthLimit = (width - gap * (columns.length + 1)) / columns.length;
  let card = Math.min(widthLimit, heightLimit, LARGEST_CARD);
  // Cells and foundations share a row if the cards stay large enough.
  const inOneRow = (width - gap * 2) / (cells.length + foundations.length + 0.4) - gap;
  const isOneRow =
    cells.length === 0 ||
    cells.length + foundations.length <= columns.length ||
    inOneRow >= Math.min(card, SMALLEST_IN_ONE_ROW);
  if (cells.length && isOneRow) card = Math.min(card, inOneRow);
  card = Math.floor(Math.max(card, SMALLEST_CARD));
  const cardHeight = Math.round(card * CARD_HEIGHT);
  const unit = card + gap;
  const left = (width - columns.length * unit + gap) / 2;
  const top = gap * 2;
  const second = top + cardHeight + gap * 2;
  const columnTop = (isOneRow ? second : second + cardHeight + gap * 2) + gap;

  const boxes = new Map();
  /**
   * @param {string} place
   * @param {number} x
   * @param {number} y
   */
  const put = (place, x, y) => boxes.set(place, { x: Math.round(x), y: Math.round(y) });
  const wanted = drawn.length + cells.length + foundations.length + 0.4;
  const rowWidth = Math.min(width - gap * 2, Math.max(columns.length, wanted) * unit - gap);
  const rowLeft = isOneRow ? (width - rowWidth) / 2 : left;
  const rowRight = isOneRow ? rowLeft + rowWidth : left + columns.length * unit - gap;
  /** @param {number} x */
  const mirror = (x) => (isMirrored ? width - x - card : x);
  /**
   * Sides change, not the order: cells and foundations are numbered from the left.
   * @param {number} at
   * @param {number} count
   */
  const inOrder = (at, count) => (isMirrored ? count - 1 - at : at);
  // Foundations start at the right edge, closer than a card's width where they must be.
  const taken = drawn.length + (isOneRow ? cells.length : 0);
  const room = rowRight - rowLeft - taken * unit - card - gap;
  const most = foundations.length - 1;
  const step = most > 0 ? Math.min(unit, room / most) : unit;
  foundations.forEach((place, at) => {
    const fromRight = most - inOrder(at, foundations.length);
    put(place, mirror(rowRight - card - fromRight * step), top);
  });
  drawn.forEach((place, at) => {
    put(place, mirror(rowLeft + at * unit), top);
  });
  cells.forEach((place, at) => {
    const x = (isOneRow ? rowLeft : left) + inOrder(at, cells.length) * unit;
    put(place, mirror(x), isOneRow ? top : second);
  });
  columns.forEach((place, at) => {
    put(place, left + at * unit, columnTop);
  });
  return { height, cardWidth: card, cardHeight, columnRoom: height - columnTop - gap, boxes };
}

/**
 * Return the distance between the cards of a column, face down and face up.
 * @param {Layout} layout
 * @param {number} count
 * @param {number} faceDown
 */
function fan({ cardHeight, columnRoom }, count, faceDown) {
  const down = cardHeight * 0.13;
  // Small cards show a little more of their faces: there is room, and fingers need it.
  const up = cardHeight * (cardHeight < 90 ? 0.42 : 0.31);
  const strips = Math.max(0, count - faceDown - 1);
  const room = columnRoom - cardHeight;
  if (faceDown * down + strips * up <= room) return { down, up };
  // Backs have nothing to show: they give way first.
  const least = faceDown * down * 0.35;
  const forUp = strips * up;
  if (least + forUp <= room) return { down: (room - forUp) / faceDown, up };
  return { down: down * 0.35, up: (room - least) / Math.max(1, strips) };
}

/**
 * Return how the cards of a pile lie, the deepest first.
 * @param {Layout} layout
 * @param {string} place
 * @param {number} count
 * @param {number} faceDown
 * @returns {Lie[]}
 */
export function lieOf(layout, place, count, faceDown) {
  const { x, y: top } = boxOf(layout, place);
  const isColumn = kindOf(place) === "column";
  const { down, up } = isColumn ? fan(layout, count, faceDown) : { down: 0, up: 0 };
  // Foundations may overlap: each lies above the one before it.
  const bottom = kindOf(place) === "foundation" ? 20 * Number(place[1]) : 0;
  const lie = [];
  let y = top;
  for (let at = 0; at < count; at += 1) {
    const isUp = at >= faceDown;
    const isHidden = !isColumn && at < count - DRAWN_OF_PILE;
    lie.push({ x, y: Math.round(y), z: bottom + at + 1, isUp, isHidden });
    y += isUp ? up : down;
  }
  return lie;
}

/**
 * @param {Layout} layout
 * @param {string} place
 */
export function boxOf({ boxes }, place) {
  const box = boxes.get(place);
  if (!box) throw new RangeError(`no place ${place} on this table`);
  return box;
}

/**
 * Return whether a card at one point covers another point.
 * @param {Layout} layout
 * @param {Point} card
 * @param {Point} point
 */
export const covers = ({ cardWidth, cardHeight }, card, { x, y }) =>
  x >= card.x && x < card.x + cardWidth && y >= card.y && y < card.y + cardHeight;

/**
 * Return the places under a card, the most covered first.
 * @param {Layout} layout
 * @param {Point} card
 */
export function placesUnder({ boxes, cardWidth, cardHeight, height }, card) {
  /** @type {{place: string, area: number}[]} */
  const found = [];
  for (const [place, { x, y }] of boxes) {
    // A column accepts drops anywhere down to the edge of the table.
    const bottom = kindOf(place) === "column" ? height : y + cardHeight;
    const across = Math.min(card.x, x) + cardWidth - Math.max(card.x, x);
    const along = Math.min(card.y + cardHeight, bottom) - Math.max(card.y, y);
    if (across > 0 && along > 0) found.push({ place, area: across * along });
  }
  return found.sort((one, other) => other.area - one.area).map(({ place }) => place);
}

/** @typedef {"left" | "right" | "up" | "down"} Direction */

/**
 * Return the place next to another one in a direction, or null.
 * @param {Layout} layout
 * @param {string} place
 * @param {Direction} direction
 */
export function neighbour(layout, place, direction) {
  const from = boxOf(layout, place);
  const isSideways = direction === "left" || direction === "right";
  let best = null;
  let bestCost = Infinity;
  for (const [other, to] of layout.boxes) {
    const ahead = {
      left: from.x - to.x,
      right: to.x - from.x,
      up: from.y - to.y,
      down: to.y - from.y,
    }[direction];
    const aside = Math.abs(isSideways ? to.y - from.y : to.x - from.x);
    if (ahead < 4 || (isSideways && aside > 4)) continue;
    const cost = isSideways ? ahead : ahead * 10 + aside;
    if (cost < bestCost) [best, bestCost] = [other, cost];
  }
  return best;
}
