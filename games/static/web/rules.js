// The rules of both games: deals, movetext, play, verdicts, gestures. Pure: no page, no network.
//
// Rules: docs/rules.md. Notation and verdict: docs/contract.md. The service judges with
// games/engine, and tests/web holds the two against each other. Codes only: texts are elsewhere.

export const MAX_ACTIONS = 20_000;
export const MAX_LOG_BYTES = 64 * 1024;
export const MAX_NUMBER = 999_999;
export const REMEMBERED_ACTIONS = 100;

const codes = ([text]) => Object.freeze(text.trim().split(/\s+/));

export const CODE_ERRORS = codes`code.format code.unknown_game code.unknown_version
  code.unknown_variant code.length code.letter code.range`;
export const LIMIT_ERRORS = codes`log.too_many_actions log.too_large`;
export const REFUSAL_CODES = codes`
  notation.token notation.count notation.group game.over
  stock.no_such stock.empty stock.not_empty stock.nothing_left
  waste.no_such waste.empty waste.no_entry
  column.no_such column.empty column.same_column column.king_only
  column.same_colour column.wrong_suit column.wrong_rank
  cell.no_such cell.empty cell.occupied cell.same_cell
  foundation.no_such foundation.empty foundation.not_next foundation.no_exchange
  group.one_at_a_time group.single_only group.not_a_run group.wrong_count group.too_long
  undo.nothing undo.limit`;

class CodedError extends Error {
  constructor(code) {
    super(code);
    this.name = new.target.name;
    this.code = code;
  }
}
/** An action that the rules do not allow; `code` is one of REFUSAL_CODES. */
export class Refused extends CodedError {}
/** Not a deal code; `code` is one of CODE_ERRORS. */
export class CodeError extends CodedError {}
/** A log over the limits; `code` is one of LIMIT_ERRORS. */
export class LimitError extends CodedError {}

// --- Variants and cards

const EASY_HARP = Object.freeze({
  slug: "easy-harp",
  game: "easy-harp",
  codePrefix: "EH1-N",
  deckSize: 104,
  columns: 9,
  cells: 0,
  foundations: 8,
  hasStock: true,
  maxRankedScore: 1515,
});
const eightOff = (slug, cells) =>
  Object.freeze({
    slug,
    game: "eight-off",
    codePrefix: `EO1-C${cells}`,
    deckSize: 52,
    columns: 8,
    cells,
    foundations: 4,
    hasStock: false,
    maxRankedScore: 520,
  });

/** The variants by slug; without a prototype, so that no other text finds anything. */
export const VARIANTS = Object.freeze({
  __proto__: null,
  "easy-harp": EASY_HARP,
  "eight-off": eightOff("eight-off", 8),
  "eight-off-4": eightOff("eight-off-4", 4),
  "eight-off-2": eightOff("eight-off-2", 2),
});

// A card's id is its position in the deck before the shuffle: it tells the two equal cards of a
// double deck apart. The card's index (rules.md, "Cards") is the id modulo 52.
const KING = 12;
const rankOf = (id) => id % 13;
const suitOf = (id) => Math.floor((id % 52) / 13);
const isRed = (id) => suitOf(id) === 1 || suitOf(id) === 2;

/** Return the rank (A to K as 0 to 12) and suit (S H D C as 0 to 3) of a card. */
export const cardOf = (id) => ({ rank: rankOf(id), suit: suitOf(id) });

/** Return the name of a card, rank and then suit: `7H`, `TC`. */
export const cardName = (id) => "A23456789TJQK"[rankOf(id)] + "SHDC"[suitOf(id)];

const names = (cards) => cards.map(cardName);
const nameOrNull = (card) => (card === undefined ? null : cardName(card));

// --- Deals (rules.md, "Deals and deal codes", "Shuffle", "Setup")

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const UNPADDED = /[^ \t\n\r\f\v](?:[^]*[^ \t\n\r\f\v])?/; // ASCII blanks only

/**
 * Return the deal that a code names: variant, number, and text (the code in canonical form).
 * Throws CodeError for any other text.
 */
export function parseCode(text) {
  // ASCII letters only: the capital of a dotless i would be read as an I.
  const upper = (UNPADDED.exec(text)?.[0] ?? "").replace(/[a-z]/g, (a) => a.toUpperCase());
  const parts = upper.split("-");
  if (parts.length !== 3) throw new CodeError("code.format");
  const [game, name, letters] = parts;
  if (!/^E[HO]/.test(game)) throw new CodeError("code.unknown_game");
  if (game.slice(2) !== "1") throw new CodeError("code.unknown_version");
  const prefix = `${game}-${name}`;
  const variant = Object.values(VARIANTS).find(({ codePrefix }) => codePrefix === prefix);
  if (!variant) throw new CodeError("code.unknown_variant");
  const digits = Array.from(letters, (letter) => ALPHABET.indexOf(letter));
  if (digits.length !== 7) throw new CodeError("code.length");
  if (digits.includes(-1)) throw new CodeError("code.letter");
  const number = digits.reduce((sum, digit) => sum * 32 + digit, 0);
  return { variant, number, text: dealCode(variant.slug, number) };
}

/** Return the code of a deal. Throws CodeError for a number that is not from 1 to 999 999. */
export function dealCode(slug, number) {
  if (!(Number.isInteger(number) && number >= 1 && number <= MAX_NUMBER)) {
    throw new CodeError("code.range");
  }
  let letters = "";
  for (let shift = 30; shift >= 0; shift -= 5) letters += ALPHABET[(number >> shift) & 31];
  return `${VARIANTS[slug].codePrefix}-${letters}`;
}

const asDeal = (code) => (typeof code === "string" ? parseCode(code) : code);

function pcg32(initstate, initseq) {
  const increment = (BigInt(initseq) << 1n) | 1n;
  const next = (state) => BigInt.asUintN(64, state * 6364136223846793005n + increment);
  let state = next(increment + BigInt(initstate));
  return () => {
    const mixed = Number(BigInt.asUintN(32, ((state >> 18n) ^ state) >> 27n));
    const rotation = Number(state >> 59n);
    state = next(state);
    return ((mixed >>> rotation) | (mixed << (-rotation & 31))) >>> 0;
  };
}

function shuffledDeck(number, size) {
  const deck = [...Array(size).keys()];
  const random = pcg32(number, size);
  for (let bound = size; bound > 1; bound--) {
    let drawn;
    // Below that number it draws again, so that every remainder is equally likely.
    do drawn = random();
    while (drawn < 2 ** 32 % bound);
    const chosen = drawn % bound;
    [deck[chosen], deck[bound - 1]] = [deck[bound - 1], deck[chosen]];
  }
  return deck;
}

/** Return columns (deepest card first), faceDown, stock (next card first) and filled cells. */
function dealt({ variant, number }) {
  const deck = shuffledDeck(number, variant.deckSize);
  const columns = Array.from({ length: variant.columns }, () => []);
  if (variant.hasStock) {
    columns.forEach((_, row) => columns.slice(row).forEach((column) => column.push(deck.shift())));
    return { columns, faceDown: [...columns.keys()], stock: deck, cells: [] };
  }
  const cells = deck.splice(48);
  deck.forEach((card, index) => columns[index % 8].push(card));
  cells.splice(variant.cells).forEach((card, index) => columns[index + 2].push(card));
  return { columns, faceDown: columns.map(() => 0), stock: [], cells };
}

/** Return the JSON form of a deal (contract.md, "Layout"). Throws CodeError. */
export function layout(code) {
  const deal = asDeal(code);
  const { hasStock, cells: places } = deal.variant;
  const { columns, faceDown, stock, cells } = dealt(deal);
  return {
    number: deal.number,
    columns: columns.map(names),
    ...(hasStock && { face_down: faceDown, stock: names(stock) }),
    ...(places && { cells: Array.from({ length: places }, (_, cell) => nameOrNull(cells[cell])) }),
  };
}

// --- Places

// Numbers from 0, the same in both games, so that one list of piles holds them all.
const COLUMN_LETTERS = "123456789";
const CELL_LETTERS = "abcdefgk"; // h is taken by the foundations
const OTHERS = "stock w h1 h2 h3 h4 h5 h6 h7 h8 h".split(" ");
const LETTERS = [...COLUMN_LETTERS, ...CELL_LETTERS, ...OTHERS];
const PLACE_OF = new Map(LETTERS.map((letters, place) => [letters, place]));
const CELL = 9;
const STOCK = 17;
const WASTE = 18;
const FOUNDATION = 19;
const ANY_FOUNDATION = 27; // as a destination: the place is found by the card
const MEMORY = -1; // where an undo comes from

function kindOf(place) {
  if (place < CELL) return "column";
  if (place < STOCK) return "cell";
  if (place === STOCK) return "stock";
  return place === WASTE ? "waste" : "foundation";
}

function hasPlace(variant, place) {
  if (place < CELL) return place < variant.columns;
  if (place < STOCK) return place - CELL < variant.cells;
  if (place < FOUNDATION) return variant.hasStock;
  return place === ANY_FOUNDATION || place - FOUNDATION < variant.foundations;
}

// --- Movetext (contract.md, "Movetext")

const TOKEN = /[^ \t\n\r\f\v]+/g;
const REPEATED = /^([DU])([0-9]*)$/;
const MOVE = /^(h[1-8]|[1-9a-gkw])([1-9a-gkwh])(v[^]*)?$/;

const toAction = (source, destination, stated = 0, actions = 1) => ({
  source, destination, stated, actions,
});

/**
 * Return a token as an action: places, `stated` (the number of cards after `v`, or 0), `actions`
 * (how many it stands for). A malformed one has `text` and `error`, the code of its refusal.
 */
function parseToken(text) {
  const malformed = (error) => ({ text, error, actions: 1 });
  const [, letter, digits] = REPEATED.exec(text) ?? [];
  if (letter) {
    if (digits[0] === "0") return malformed("notation.count");
    const places = letter === "D" ? [STOCK, WASTE] : [MEMORY, MEMORY];
    // Six digits are over the limit already, whatever follows.
    return toAction(...places, 0, Number(digits.slice(0, 6) || 1));
  }
  if (text === "R") return toAction(WASTE, STOCK);
  const [, source, destination, group] = MOVE.exec(text) ?? [];
  if (!source) return malformed("notation.token");
  if (group && !/^[1-9].v[2-9a-d]$/.test(text)) return malformed("notation.group");
  return toAction(PLACE_OF.get(source), PLACE_OF.get(destination), parseInt(group?.[1] ?? 0, 16));
}

function formatAction({ text, source, destination, stated, actions }) {
  if (text !== undefined) return text;
  if (source === STOCK || source === MEMORY) {
    return (source === STOCK ? "D" : "U") + (actions > 1 ? actions : "");
  }
  if (destination === STOCK) return "R";
  return LETTERS[source] + LETTERS[destination] + groupText(stated);
}

const groupText = (cards) => (cards > 1 ? `v${cards.toString(16)}` : "");

/** Return tokens as one text: single blanks, neighbouring draws and neighbouring undos joined. */
export function formatMovetext(tokens) {
  const joined = [];
  for (const action of tokens.map(parseToken)) {
    const { source, actions } = action;
    const last = joined.at(-1);
    if ((source === STOCK || source === MEMORY) && last?.source === source) last.actions += actions;
    else joined.push(action);
  }
  return joined.map(formatAction).join(" ");
}

/** Return a canonical movetext with one more canonical action. Reads its last token only. */
export function appendAction(movetext, action) {
  const start = movetext.lastIndexOf(" ") + 1;
  const last = movetext.slice(start);
  return movetext.slice(0, start) + formatMovetext(last ? [last, action] : [action]);
}

/** Return the actions of a log. Throws LimitError. */
function readLog(movetext) {
  // Encoded as U+FFFD, a lone surrogate takes the three bytes that the limit counts for it.
  const isLarge = (bytes) => bytes.length > MAX_LOG_BYTES;
  if (isLarge(movetext) || isLarge(new TextEncoder().encode(movetext))) {
    throw new LimitError("log.too_large");
  }
  const actions = (movetext.match(TOKEN) ?? []).map(parseToken);
  if (actions.reduce((sum, action) => sum + action.actions, 0) > MAX_ACTIONS) {
    throw new LimitError("log.too_many_actions");
  }
  return actions;
}

// --- The rules of the moves

/** Return the change that an action makes (null for an undo), or the code of its refusal. */
function judge(position, action) {
  const { variant, piles } = position;
  const { source, destination, stated } = action;
  if (action.error) return action.error;
  if (position.won) return "game.over";
  if (source === MEMORY) return judgeUndo(position, action);
  for (const place of [source, destination]) {
    if (!hasPlace(variant, place)) return `${kindOf(place)}.no_such`;
  }
  if (source === STOCK) return judgeDraw(position, action);
  if (destination === STOCK) return judgeRecycle(position);
  if (destination === WASTE) return "waste.no_entry";
  if (source >= FOUNDATION && destination === ANY_FOUNDATION) return "foundation.no_exchange";
  if (source === destination) return source < CELL ? "column.same_column" : "cell.same_cell";
  if (!piles[source].length) return `${kindOf(source)}.empty`;
  if (destination < CELL) return judgeToColumn(position, action);
  if (stated) return "group.single_only";
  if (destination === ANY_FOUNDATION) return judgeToFoundation(position, source);
  return piles[destination].length ? "cell.occupied" : toChange(position, source, destination);
}

/** Return a change; a card that it turns up adds 5 to its points. */
function toChange({ piles, hidden }, source, destination, count = 1, points = 0) {
  const turned = hidden[source] > 0 && hidden[source] === piles[source].length - count;
  return { source, destination, count, points: points + (turned ? 5 : 0), turned };
}

// rules.md, "Undo"
function judgeUndo({ moves, undos, remembered }, { actions }) {
  if (actions <= remembered) return null;
  return moves - undos > remembered ? "undo.limit" : "undo.nothing";
}

// rules.md, "Stock and waste"
function judgeDraw(position, { actions }) {
  const stock = position.piles[STOCK].length;
  if (actions <= stock) return toChange(position, STOCK, WASTE, actions);
  // Draws that empty the stock leave a waste to turn over.
  return stock || position.piles[WASTE].length ? "stock.empty" : "stock.nothing_left";
}

function judgeRecycle(position) {
  if (position.piles[STOCK].length) return "stock.not_empty";
  const count = position.piles[WASTE].length;
  return count ? toChange(position, WASTE, STOCK, count) : "stock.nothing_left";
}

// rules.md, "Foundations": the first place of the suit that accepts the card
function judgeToFoundation(position, source) {
  const { piles, variant } = position;
  const card = piles[source].at(-1);
  const copies = variant.deckSize / 52;
  const first = FOUNDATION + copies * suitOf(card);
  for (let place = first; place < first + copies; place++) {
    if (piles[place].length === rankOf(card)) return toChange(position, source, place, 1, 10);
  }
  return "foundation.not_next";
}

// rules.md, "Columns"
function judgeToColumn(position, action) {
  const { piles, variant } = position;
  const { source, destination } = action;
  if (source < CELL && variant.hasStock) return judgeKingRun(position, action);
  if (source < CELL) return judgeGroup(position, action);
  const refusal = misfit(variant, piles[source].at(-1), piles[destination]);
  return refusal ?? toChange(position, source, destination, 1, source === WASTE ? 5 : 0);
}

/** Return why a card may not go onto a column, or null. */
function misfit(variant, card, column) {
  if (!column.length) return rankOf(card) === KING ? null : "column.king_only";
  const below = column.at(-1);
  if (variant.hasStock) {
    if (isRed(card) === isRed(below)) return "column.same_colour";
  } else if (suitOf(card) !== suitOf(below)) {
    return "column.wrong_suit";
  }
  return rankOf(card) === rankOf(below) - 1 ? null : "column.wrong_rank";
}

// Easy Harp: one card onto a card, or a king run whole to an empty column
function judgeKingRun(position, { source, destination, stated }) {
  const { piles, hidden, variant } = position;
  const column = piles[source];
  let count = 1;
  if (!piles[destination].length) {
    // Whatever lies face up is one run: cards only ever join it in alternating colours.
    count = column.length - hidden[source];
  } else if (stated) {
    return "group.one_at_a_time";
  }
  const refusal = misfit(variant, column.at(-count), piles[destination]);
  if (refusal) return refusal;
  if (stated && stated !== count) return "group.wrong_count";
  return toChange(position, source, destination, count);
}

// rules.md, "Groups": the board fixes how many cards of the run move
function judgeGroup(position, { source, destination, stated }) {
  const { piles, variant } = position;
  const column = piles[source];
  const target = piles[destination];
  const run = runLength(column);
  if (stated > run) return "group.not_a_run";
  const count = target.length ? target.at(-1) - column.at(-1) : run;
  if (count < 1 || count > run || misfit(variant, column.at(-count), target)) {
    // Nothing goes there: the first card of the group asked for says why.
    return misfit(variant, column.at(-(stated || 1)), target);
  }
  if (stated && stated !== count) return "group.wrong_count";
  const empty = (first, places) =>
    piles.slice(first, first + places).filter((pile) => !pile.length).length;
  const emptyColumns = empty(0, variant.columns) - (target.length ? 0 : 1);
  const longest = (empty(CELL, variant.cells) + 1) << emptyColumns;
  if (count > 1 && count > longest) return "group.too_long";
  return toChange(position, source, destination, count);
}

/** Return how many cards at the end of a column (not empty) form a run of one suit. */
function runLength(column) {
  const fits = (card, below) => below === card + 1 && rankOf(card) !== KING;
  let length = 1;
  while (fits(column.at(-length), column.at(-length - 1))) length++;
  return length;
}

// --- Positions

/**
 * A game in progress. To be read: `code`, `variant`, `number`, `score`, `moves`, `undos`,
 * `takeBacks`, `foundationCards`, `won`, and `recycles`, which is how often the waste was put back
 * without those undone. The only way to change it is `apply`, which checks every action.
 */
export class Position {
  // `piles` and `hidden` (how many cards lie face down) are indexed by place. Of the actions in
  // effect, `forgotten` were beyond reach at the latest undo: reaching back 100 actions again and
  // again would otherwise reach further each time.
  constructor(state) {
    Object.assign(this, state);
  }

  get won() {
    return this.foundationCards === this.variant.deckSize;
  }

  /** The score with each card on a foundation counted once (rules.md, "Score"). */
  get rankedScore() {
    return this.score - 10 * this.takeBacks;
  }

  get remembered() {
    return Math.min(this.moves - this.undos - this.forgotten, REMEMBERED_ACTIONS);
  }

  /** How many actions undo would take back now, at most 100; 0 after the win. */
  get undoable() {
    return this.won ? 0 : this.remembered;
  }

  /** Return an independent position that can be undone as far as this one. */
  copy() {
    const piles = this.piles.map((pile) => pile.slice());
    const [hidden, history] = [this.hidden.slice(), this.history.slice()];
    return new Position({ ...this, piles, hidden, history });
  }

  /**
   * Play one token whole: an action, or so many draws or undos. Throws Refused, and leaves the
   * position as it was, when the rules do not allow it.
   *
   * Returns `action` (its canonical text), `source` and `destination` (letters), `cards` (ids as
   * they lie afterwards), `points` (an undo's may be below 0), `turnedUp` (id or null), `undo`, and
   * `actions` (how many). One undo names the way that its cards took; several have no cards, and
   * null for places.
   */
  apply(token) {
    const action = parseToken(token);
    const judged = judge(this, action);
    if (typeof judged === "string") throw new Refused(judged);
    const { score } = this;
    const { source, destination, count, turned } = judged ? this.#make(judged) : this.#undo(action);
    const isSeveral = !judged && action.actions > 1;
    return {
      action: canonicalText(action, judged),
      source: isSeveral ? null : LETTERS[source],
      destination: isSeveral ? null : LETTERS[destination],
      cards: isSeveral ? [] : this.piles[destination].slice(-count),
      points: this.score - score,
      turnedUp: turned ? this.piles[source].at(-1) : null,
      undo: !judged,
      actions: action.actions,
    };
  }

  #make(change) {
    this.#carry(change.source, change.destination, change.count);
    this.#count(change, 1);
    this.moves += change.source === STOCK ? change.count : 1;
    if (this.history.push(change) > REMEMBERED_ACTIONS) this.history.shift();
    return change;
  }

  #undo({ actions }) {
    this.forgotten = this.moves - this.undos - this.remembered;
    this.undos += actions;
    let change;
    for (let left = actions; left > 0; left -= change.source === STOCK ? change.count : 1) {
      change = this.history.pop();
      if (change.source === STOCK && change.count > left) {
        this.history.push({ ...change, count: change.count - left });
        change = { ...change, count: left };
      }
      this.#carry(change.destination, change.source, change.count);
      this.#count(change, -1);
    }
    return { source: change.destination, destination: change.source, count: change.count };
  }

  #carry(source, destination, count) {
    const cards = this.piles[source].splice(-count);
    // Stock and waste are turned over onto each other, first card last.
    if (destination === WASTE || destination === STOCK) cards.reverse();
    this.piles[destination].push(...cards);
  }

  #count({ source, destination, points, turned }, sign) {
    if (turned) this.hidden[source] -= sign;
    if (destination >= FOUNDATION) {
      this.foundationCards += sign;
    } else if (source >= FOUNDATION) {
      this.foundationCards -= sign;
      this.takeBacks += sign;
    }
    if (destination === STOCK) this.recycles += sign;
    this.score += sign * points;
  }

  /** Return the refusal code that `apply` would throw, or null where it would accept a token. */
  refusal(token) {
    const judged = judge(this, parseToken(token));
    return typeof judged === "string" ? judged : null;
  }

  /** Return the canonical text of a legal token, or null for one that is refused. */
  canonicalText(token) {
    const action = parseToken(token);
    const judged = judge(this, action);
    return typeof judged === "string" ? null : canonicalText(action, judged);
  }

  /**
   * Return every legal action but undo, as canonical text in the order of the places. A group
   * appears once, with its number of cards; draws are single.
   */
  legalActions() {
    return candidates(this.variant).map((token) => this.canonicalText(token)).filter(Boolean);
  }

  /** Return what lies where as JSON, with cards by name and the next card of the stock first. */
  snapshot() {
    const { columns, cells, foundations } = this.variant;
    const tops = (first, places) =>
      this.piles.slice(first, first + places).map((pile) => nameOrNull(pile.at(-1)));
    return {
      columns: this.piles.slice(0, columns).map(names),
      face_down: this.hidden.slice(0, columns),
      stock: names(this.piles[STOCK]).reverse(),
      waste: names(this.piles[WASTE]),
      cells: tops(CELL, cells),
      foundations: tops(FOUNDATION, foundations),
    };
  }

  /** Return every place by its letters: columns, cells, `stock`, `w`, foundations `h1`... */
  places() {
    return LETTERS.filter((place, number) => place !== "h" && hasPlace(this.variant, number));
  }

  /**
   * Return the ids of the cards at a place, last on top (of the stock: the next to be drawn).
   * Throws RangeError for a place that the variant has not.
   */
  pile(place) {
    return this.piles[this.#place(place)].slice();
  }

  /** Return how many cards at a place are face down, from the deepest on (in the stock all). */
  faceDown(place) {
    return place === "stock" ? this.pile(place).length : this.hidden[this.#place(place)];
  }

  #place(letters) {
    const place = PLACE_OF.get(letters) ?? ANY_FOUNDATION;
    if (place !== ANY_FOUNDATION && hasPlace(this.variant, place)) return place;
    throw new RangeError(`${this.variant.slug} has no place ${letters}`);
  }
}

function canonicalText(action, change) {
  const isGroup = action.source < CELL && change?.count > 1;
  return formatAction({ ...action, stated: isGroup ? change.count : 0 });
}

/** Return the position of a deal before the first action. Throws CodeError. */
export function start(code) {
  const { variant, number, text } = asDeal(code);
  const { columns, faceDown, stock, cells } = dealt({ variant, number });
  const piles = LETTERS.slice(0, ANY_FOUNDATION).map((_, place) => columns[place] ?? []);
  cells.forEach((card, cell) => piles[CELL + cell].push(card));
  piles[STOCK] = stock.reverse();
  const hidden = piles.map((_, place) => faceDown[place] ?? 0);
  const counts = { score: 0, moves: 0, undos: 0, takeBacks: 0, foundationCards: 0, recycles: 0 };
  return new Position({
    code: text, variant, number, ...counts, piles, hidden, history: [], forgotten: 0,
  });
}

/** Return what the places of a variant allow one to try: each pair of places once. */
function candidates(variant) {
  const places = LETTERS.filter((_, place) => hasPlace(variant, place));
  const sources = places.filter((place) => place !== "stock" && place !== "h");
  const destinations = places.filter((place) => place.length === 1);
  const moves = sources.flatMap((from) => destinations.map((to) => from + to));
  return ["D", "R", ...moves];
}

/**
 * Return how many cards at the end of a pile form one unit to be picked up: in Eight Off a run, in
 * Easy Harp a king run, else the top card alone.
 */
export function longestRun(position, place) {
  const pile = position.pile(place);
  if (pile.length < 2 || !COLUMN_LETTERS.includes(place)) return Math.min(pile.length, 1);
  if (!position.variant.hasStock) return runLength(pile);
  const lowest = position.faceDown(place);
  return rankOf(pile[lowest]) === KING ? pile.length - lowest : 1;
}

// --- Gestures (rules.md, "What a client's gestures mean")

// Each returns a token, or null where the gesture means nothing, and throws RangeError for a place
// that the variant has not. `cards` counts from the card touched to the top of its pile.

const isFoundation = (place) => place.length === 2;
const isLegal = (position, token) => position.canonicalText(token) === token;

/** A tap on the top card of a place, or on the stock. */
export function tap(position, place) {
  if (isFoundation(place)) return null;
  const count = position.pile(place).length;
  const onStock = count ? "D" : "R";
  const token = place === "stock" ? onStock : `${place}h`;
  return isLegal(position, token) ? token : null;
}

/** A double tap on a card of a place, or on the stock. */
export function doubleTap(position, place, cards = 1) {
  if (place === "stock") return tap(position, place);
  const pile = position.pile(place);
  if (isFoundation(place) || !(cards > 0 && cards <= pile.length)) return null;
  const { columns, cells } = position.variant;
  const lengthOf = (column) => position.pile(column).length;
  // Only a king enters the empty columns, which come last.
  const isKing = rankOf(pile.at(-cards)) === KING;
  const targets = [...COLUMN_LETTERS.slice(0, columns)]
    .filter((column) => column !== place && (isKing || lengthOf(column)))
    .sort((one, other) => lengthOf(other) - lengthOf(one));
  if (cards === 1) {
    targets.unshift("h");
    if (COLUMN_LETTERS.includes(place)) targets.push(...CELL_LETTERS.slice(0, cells));
  }
  const wishes = targets.map((target) => place + target + groupText(cards));
  return wishes.find((token) => isLegal(position, token)) ?? null;
}

/** A drag from one place to another, legal or not: a refusal then tells the player why. */
export function drop(position, source, destination, cards = 1) {
  if (source === destination || source === "stock" || destination === "stock") return null;
  if (!(cards > 0 && cards <= position.pile(source).length)) return null;
  const token = source + (isFoundation(destination) ? "h" : destination) + groupText(cards);
  // Legal, but not in its canonical form: the board moves the whole run with this one card.
  return (position.canonicalText(token) ?? token) === token ? token : null;
}

// --- Logs (contract.md, "Verdict")

const CHECKPOINT_EVERY = 64;

/**
 * A log taken apart into its legal actions, 0 to `length` - 1, up to its end or first refusal.
 * `refused` is that of the verdict, without `message`. Throws CodeError and LimitError.
 */
export class Replay {
  #steps = [];
  #checkpoints = [];

  constructor(code, movetext) {
    const deal = asDeal(code);
    const log = readLog(movetext).entries();
    const position = start(deal);
    this.refused = null;
    this.#checkpoints.push(position.copy());
    for (const [token, action] of log) {
      const text = formatAction({ ...action, actions: 1 });
      for (let left = action.actions; left > 0; left--) {
        const reason = position.refusal(text);
        if (reason) {
          const shown = action.error ? printable(text) : text;
          this.refused = { index: this.length, token, action: shown, code: reason };
          return;
        }
        this.#steps.push({ token, change: position.apply(text) });
        if (this.length % CHECKPOINT_EVERY === 0) this.#checkpoints.push(position.copy());
      }
    }
  }

  get length() {
    return this.#steps.length;
  }

  /** Return a position of its own after n actions, 0 to `length`. Throws RangeError. */
  positionAt(n) {
    if (!(n >= 0 && n <= this.length)) throw new RangeError(`no position after ${n} actions`);
    const position = this.#checkpoints[Math.floor(n / CHECKPOINT_EVERY)].copy();
    for (let i = n - (n % CHECKPOINT_EVERY); i < n; i++) position.apply(this.actionAt(i));
    return position;
  }

  /** Return what `Position.apply` returned for action n, from `positionAt(n)` to the next. */
  changeAt(n) {
    return this.#steps[n].change;
  }

  /** Return the canonical text of action n. */
  actionAt(n) {
    return this.changeAt(n).action;
  }

  /** Return which token of the log, from 0, action n is in. */
  tokenAt(n) {
    return this.#steps[n].token;
  }
}

/** Return a malformed token fit for display: 32 characters of printable ASCII. */
const printable = (text) =>
  Array.from(text).slice(0, 32).join("").replace(/[^!-~]/gu, "\uFFFD");

/**
 * Return the verdict on a log, without `refused.message`. Throws CodeError and LimitError; an
 * illegal log is an answer.
 */
export function replay(code, movetext) {
  const log = new Replay(code, movetext);
  const end = log.positionAt(log.length);
  return {
    code: end.code,
    legal: !log.refused,
    won: end.won,
    score: end.score,
    ranked_score: end.rankedScore,
    moves: end.moves,
    undos: end.undos,
    take_backs: end.takeBacks,
    foundation_cards: end.foundationCards,
    actions: end.moves + end.undos,
    refused: log.refused,
  };
}

/** Return the canonical text of a legal log. Throws Refused, and what `replay` throws. */
export function canonical(code, movetext) {
  const log = new Replay(code, movetext);
  if (log.refused) throw new Refused(log.refused.code);
  return formatMovetext(Array.from({ length: log.length }, (_, n) => log.actionAt(n)));
}
