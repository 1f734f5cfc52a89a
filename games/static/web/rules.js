// The rules of both games: deals, movetext, verdicts, play, gestures. Pure: no page, no network.
//
// The rules are docs/rules.md, the notation and the verdict docs/contract.md; the service judges
// by the same rules in games/engine, and tests/web holds the two against each other. Texts for
// players are found elsewhere by the codes given here.

export const MAX_ACTIONS = 20_000;
export const MAX_LOG_BYTES = 64 * 1024;
export const REMEMBERED_ACTIONS = 100;
export const MAX_NUMBER = 999_999;

export const CODE_ERRORS = Object.freeze([
  "code.format", "code.unknown_game", "code.unknown_version", "code.unknown_variant",
  "code.length", "code.letter", "code.range",
]);
export const LIMIT_ERRORS = Object.freeze(["log.too_many_actions", "log.too_large"]);
export const REFUSAL_CODES = Object.freeze([
  "notation.token", "notation.count", "notation.group",
  "game.over",
  "stock.no_such", "stock.empty", "stock.not_empty", "stock.nothing_left",
  "waste.no_such", "waste.empty", "waste.no_entry",
  "column.no_such", "column.empty", "column.same_column", "column.king_only",
  "column.same_colour", "column.wrong_suit", "column.wrong_rank",
  "cell.no_such", "cell.empty", "cell.occupied", "cell.same_cell",
  "foundation.no_such", "foundation.empty", "foundation.not_next", "foundation.no_exchange",
  "group.one_at_a_time", "group.single_only", "group.not_a_run", "group.wrong_count",
  "group.too_long",
  "undo.nothing", "undo.limit",
]);

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

// --- Variants (rules.md, the table at its head) -------------------------------------------------

const eightOff = (cells, slug) => ({
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

const easyHarp = {
  slug: "easy-harp",
  game: "easy-harp",
  codePrefix: "EH1-N",
  deckSize: 104,
  columns: 9,
  cells: 0,
  foundations: 8,
  hasStock: true,
  maxRankedScore: 1515,
};

/** The variants by slug. Without a prototype, so that a slug from outside finds nothing else. */
export const VARIANTS = Object.freeze({
  __proto__: null,
  "easy-harp": Object.freeze(easyHarp),
  "eight-off": Object.freeze(eightOff(8, "eight-off")),
  "eight-off-4": Object.freeze(eightOff(4, "eight-off-4")),
  "eight-off-2": Object.freeze(eightOff(2, "eight-off-2")),
});

// --- Cards --------------------------------------------------------------------------------------

// A card's id is its position in the deck before the shuffle: unique also in a double deck, where
// two equal cards are 52 apart. Its index (rules.md, "Cards") is what is left after 52.
const KING = 12;
const rankOf = (id) => id % 13;
const suitOf = (id) => Math.floor((id % 52) / 13);
const isRed = (id) => suitOf(id) === 1 || suitOf(id) === 2;

/** Return the name of a card, rank and then suit: `7H`, `TC`. */
export const cardName = (id) => "A23456789TJQK"[rankOf(id)] + "SHDC"[suitOf(id)];

/** Return rank (A to K as 0 to 12) and suit (S H D C as 0 to 3) of a card. */
export const cardOf = (id) => ({ rank: rankOf(id), suit: suitOf(id) });

const top = (pile) => pile[pile.length - 1];

// --- Deals (rules.md, "Deals and deal codes" and "Shuffle") -------------------------------------

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const LETTERS_IN_CODE = 7;
// From the first to the last character that is no ASCII blank.
const UNPADDED = /[^ \t\n\r\f\v](?:[^]*[^ \t\n\r\f\v])?/;

/**
 * Return the deal that a code names, as variant, number and canonical text.
 * Throws CodeError for any other text.
 */
export function parseCode(text) {
  // Not toUpperCase() of all: a dotless i would become an I and be read as one.
  const upper = (text.match(UNPADDED)?.[0] ?? "").replace(/[a-z]/g, (a) => a.toUpperCase());
  const parts = upper.split("-");
  if (parts.length !== 3) throw new CodeError("code.format");
  const [game, name, letters] = parts;
  const variants = Object.values(VARIANTS);
  const begins = (prefix) => variants.some(({ codePrefix }) => codePrefix.startsWith(prefix));
  if (game.length < 2 || !begins(game.slice(0, 2))) throw new CodeError("code.unknown_game");
  if (!begins(`${game}-`)) throw new CodeError("code.unknown_version");
  const variant = variants.find(({ codePrefix }) => codePrefix === `${game}-${name}`);
  if (!variant) throw new CodeError("code.unknown_variant");
  const digits = Array.from(letters, (letter) => ALPHABET.indexOf(letter));
  if (digits.length !== LETTERS_IN_CODE) throw new CodeError("code.length");
  if (digits.includes(-1)) throw new CodeError("code.letter");
  const number = digits.reduce((sum, digit) => sum * 32 + digit, 0);
  return { variant, number, text: dealCode(variant.slug, number) };
}

/** Return the code of a deal. Throws CodeError for a number that is not from 1 to 999 999. */
export function dealCode(slug, number) {
  if (!Number.isInteger(number) || number < 1 || number > MAX_NUMBER) {
    throw new CodeError("code.range");
  }
  let letters = "";
  for (let rest = number; letters.length < LETTERS_IN_CODE; rest >>= 5) {
    letters = ALPHABET[rest & 31] + letters;
  }
  return `${VARIANTS[slug].codePrefix}-${letters}`;
}

const asCode = (code) => (typeof code === "string" ? parseCode(code) : code);

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
  const deck = Array.from({ length: size }, (_, position) => position);
  const random = pcg32(number, size);
  for (let bound = size; bound > 1; bound--) {
    let drawn;
    // Below it numbers are drawn again, so that every remainder is equally likely.
    do drawn = random();
    while (drawn < 2 ** 32 % bound);
    const chosen = drawn % bound;
    [deck[chosen], deck[bound - 1]] = [deck[bound - 1], deck[chosen]];
  }
  return deck;
}

/** Return a dealt table: columns deepest card first, stock next card first, cells or null. */
function dealt({ variant, number }) {
  const deck = shuffledDeck(number, variant.deckSize);
  const columns = Array.from({ length: variant.columns }, () => []);
  if (variant.hasStock) {
    let next = 0;
    for (let row = 0; row < columns.length; row++) {
      for (const column of columns.slice(row)) column.push(deck[next++]);
    }
    return { columns, faceDown: [...columns.keys()], stock: deck.slice(next), cells: [] };
  }
  const rest = deck.splice(48);
  deck.forEach((card, index) => columns[index % columns.length].push(card));
  const cells = Array.from({ length: variant.cells }, (_, cell) => rest[cell] ?? null);
  rest.slice(variant.cells).forEach((card, index) => columns[2 + index].push(card));
  return { columns, faceDown: columns.map(() => 0), stock: [], cells };
}

const names = (cards) => cards.map(cardName);
const nameOrNull = (card) => (card == null ? null : cardName(card));

/** Return the JSON form of a deal (contract.md, "Layout"). Throws CodeError. */
export function layout(code) {
  const { variant, number } = asCode(code);
  const { columns, faceDown, stock, cells } = dealt({ variant, number });
  return {
    number,
    columns: columns.map(names),
    ...(variant.hasStock && { face_down: faceDown, stock: names(stock) }),
    ...(variant.cells && { cells: cells.map(nameOrNull) }),
  };
}

// --- Places -------------------------------------------------------------------------------------

// One numbering for both games, so that one list of piles holds them all.
const CELL = 9;
const STOCK = 17;
const WASTE = 18;
const FOUNDATION = 19;
const ANY_FOUNDATION = 27; // as a destination: the place is found by the card
const MEMORY = -1; // where an undo comes from

const COLUMN_LETTERS = "123456789";
const CELL_LETTERS = "abcdefgk"; // h is taken by the foundations
const LETTERS = [
  ...COLUMN_LETTERS, ...CELL_LETTERS, "stock", "w",
  "h1", "h2", "h3", "h4", "h5", "h6", "h7", "h8", "h",
];
const PLACE_OF = new Map(LETTERS.map((letters, place) => [letters, place]));

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

// --- Movetext (contract.md, "Movetext") ---------------------------------------------------------

const TOKEN = /[^ \t\n\r\f\v]+/g;
const REPEATED = /^([DU])([0-9]*)$/;
const MOVE = /^(h[1-8]|[1-9a-gkw])([1-9a-gkwh])(v[^]*)?$/;
const GROUP = /^v[2-9a-d]$/;
// Any longer count is over the limit whatever its digits.
const COUNT_DIGITS = 6;

/**
 * Return the action of one token: places, `stated` (the number of cards after `v`, or 0) and
 * `actions` (how many it is); for a malformed token `error`, its refusal code, and `text`.
 */
function parseToken(text) {
  const malformed = (error) => ({ error, text, actions: 1 });
  const action = (source, destination, stated = 0, actions = 1) => ({
    source, destination, stated, actions,
  });
  const repeated = REPEATED.exec(text);
  if (repeated) {
    const [, letter, digits] = repeated;
    if (digits.startsWith("0")) return malformed("notation.count");
    const count = Number(digits.slice(0, COUNT_DIGITS) || 1);
    return letter === "D" ? action(STOCK, WASTE, 0, count) : action(MEMORY, MEMORY, 0, count);
  }
  const move = MOVE.exec(text);
  if (!move) return text === "R" ? action(WASTE, STOCK) : malformed("notation.token");
  const [, source, destination, group] = move;
  if (group !== undefined && !(COLUMN_LETTERS.includes(source) && GROUP.test(group))) {
    return malformed("notation.group");
  }
  const stated = group ? parseInt(group[1], 16) : 0;
  return action(PLACE_OF.get(source), PLACE_OF.get(destination), stated);
}

const repeats = ({ source }) => source === STOCK || source === MEMORY;
const single = (action) => (action.actions > 1 ? { ...action, actions: 1 } : action);

function formatAction({ error, text, source, destination, stated, actions }) {
  if (error) return text;
  const count = actions > 1 ? actions : "";
  if (source === STOCK) return `D${count}`;
  if (source === MEMORY) return `U${count}`;
  if (destination === STOCK) return "R";
  return LETTERS[source] + LETTERS[destination] + (stated ? `v${stated.toString(16)}` : "");
}

/** Return an action with its number of cards stated exactly where it is more than one. */
function canonicalAction(action, { count }) {
  const isGroup = action.source >= 0 && action.source < CELL && count > 1;
  const stated = isGroup ? count : 0;
  return action.stated === stated ? action : { ...action, stated };
}

/** Return tokens (texts) as one text: single blanks, neighbouring draws and undos joined. */
export function formatMovetext(tokens) {
  return formatActions(tokens.map(parseToken));
}

function formatActions(actions) {
  const joined = [];
  for (const action of actions) {
    const last = top(joined);
    if (last && repeats(action) && last.source === action.source) {
      joined[joined.length - 1] = { ...last, actions: last.actions + action.actions };
    } else {
      joined.push(action);
    }
  }
  return joined.map(formatAction).join(" ");
}

/** Return a canonical movetext with one canonical action more. Reads its last token only. */
export function appendAction(movetext, action) {
  const start = movetext.lastIndexOf(" ") + 1;
  const last = movetext.slice(start);
  return movetext.slice(0, start) + formatMovetext(last ? [last, action] : [action]);
}

/** Return the tokens of a log and their actions. Throws LimitError. */
function readLog(movetext) {
  // The encoder gives a lone surrogate the three bytes that the limit counts for it.
  if (
    movetext.length > MAX_LOG_BYTES ||
    new TextEncoder().encode(movetext).length > MAX_LOG_BYTES
  ) {
    throw new LimitError("log.too_large");
  }
  const tokens = movetext.match(TOKEN) ?? [];
  const actions = tokens.map(parseToken);
  const total = actions.reduce((sum, action) => sum + action.actions, 0);
  if (total > MAX_ACTIONS) throw new LimitError("log.too_many_actions");
  return { tokens, actions };
}

// --- The table ----------------------------------------------------------------------------------

/**
 * Where the cards lie, what was scored, and the changes that undo can still reverse. It knows no
 * rules: a rule looks at it and returns a change, `make` carries it out, `undo` turns it back.
 * `piles` is indexed by place, last card on top; the top of the stock is drawn next.
 */
class Table {
  constructor(code) {
    const { columns, faceDown, stock, cells } = dealt(code);
    this.variant = code.variant;
    this.piles = Array.from({ length: ANY_FOUNDATION }, (_, place) => columns[place] ?? []);
    this.faceDown = this.piles.map((_, place) => faceDown[place] ?? 0);
    cells.forEach((card, cell) => card !== null && this.piles[CELL + cell].push(card));
    this.piles[STOCK] = stock.reverse();
    this.foundationCards = 0;
    this.score = 0;
    this.moves = 0;
    this.undos = 0;
    this.takeBacks = 0;
    this.recycles = 0;
    this.history = [];
    // How many of the actions in effect were beyond reach at the latest undo: reaching back 100
    // actions again and again would otherwise reach further each time.
    this.forgotten = 0;
  }

  get won() {
    return this.foundationCards === this.variant.deckSize;
  }

  get remembered() {
    return Math.min(this.moves - this.undos - this.forgotten, REMEMBERED_ACTIONS);
  }

  copy() {
    return Object.assign(Object.create(Table.prototype), this, {
      piles: this.piles.map((pile) => pile.slice()),
      faceDown: this.faceDown.slice(),
      history: this.history.slice(),
    });
  }

  make(change) {
    this.carry(change.source, change.destination, change.count);
    this.count(change, 1);
    this.moves += change.source === STOCK ? change.count : 1;
    if (this.history.push(change) > REMEMBERED_ACTIONS) this.history.shift();
    return change;
  }

  /** Take back so many actions, not more than are remembered; return the last way back taken. */
  undo(actions) {
    this.forgotten = this.moves - this.undos - this.remembered;
    this.undos += actions;
    let change;
    for (let left = actions; left > 0; left -= change.source === STOCK ? change.count : 1) {
      change = this.history.pop();
      if (change.source === STOCK && change.count > left) {
        this.history.push({ ...change, count: change.count - left });
        change = { ...change, count: left };
      }
      this.carry(change.destination, change.source, change.count);
      this.count(change, -1);
    }
    return { source: change.destination, destination: change.source, count: change.count };
  }

  carry(source, destination, count) {
    const cards = this.piles[source].splice(-count);
    // Stock and waste are turned over onto each other, first card last.
    if (destination === WASTE || destination === STOCK) cards.reverse();
    this.piles[destination].push(...cards);
  }

  count({ source, destination, points, turned }, sign) {
    if (turned) this.faceDown[source] -= sign;
    if (destination >= FOUNDATION) {
      this.foundationCards += sign;
    } else if (source >= FOUNDATION) {
      this.foundationCards -= sign;
      this.takeBacks += sign;
    }
    if (destination === STOCK) this.recycles += sign;
    this.score += sign * points;
  }
}

// --- The rules of the moves ---------------------------------------------------------------------

// A rule takes a table and an action; it returns the change, or the code of the refusal.

function change(table, source, destination, { count = 1, points = 0 } = {}) {
  const faceDown = table.faceDown[source];
  const turned = faceDown > 0 && faceDown === table.piles[source].length - count;
  return { source, destination, count, points: points + (turned ? 5 : 0), turned };
}

const refuse = (code) => () => code;
const isEmpty = (table, place) => table.piles[place].length === 0;
const empty = (place) => `${kindOf(place)}.empty`;

/** rules.md, "Foundations": the first place of the card's suit that accepts it. */
function toFoundation(table, { source, stated }) {
  if (isEmpty(table, source)) return empty(source);
  if (stated) return "group.single_only";
  const card = top(table.piles[source]);
  const copies = table.variant.deckSize / 52;
  const first = FOUNDATION + copies * suitOf(card);
  for (let place = first; place < first + copies; place++) {
    if (table.piles[place].length === rankOf(card)) {
      return change(table, source, place, { points: 10 });
    }
  }
  return "foundation.not_next";
}

// How many undos are asked for is all that there is to judge.
function undo(table, action) {
  if (action.actions <= table.remembered) return action;
  return table.moves - table.undos > table.remembered ? "undo.limit" : "undo.nothing";
}

// rules.md, "Easy Harp"

function draw(table, { actions }) {
  const stock = table.piles[STOCK];
  if (actions <= stock.length) return change(table, STOCK, WASTE, { count: actions });
  // Draws that empty the stock leave a waste to turn over.
  return stock.length || !isEmpty(table, WASTE) ? "stock.empty" : "stock.nothing_left";
}

function recycle(table) {
  if (!isEmpty(table, STOCK)) return "stock.not_empty";
  if (isEmpty(table, WASTE)) return "stock.nothing_left";
  return change(table, WASTE, STOCK, { count: table.piles[WASTE].length });
}

/** Return why a card may not go onto a column of Easy Harp, or null. */
function harpMisfit(card, column) {
  if (!column.length) return rankOf(card) === KING ? null : "column.king_only";
  if (isRed(card) === isRed(top(column))) return "column.same_colour";
  return rankOf(card) === rankOf(top(column)) - 1 ? null : "column.wrong_rank";
}

function harpSingle(table, { source, destination }) {
  if (isEmpty(table, source)) return empty(source);
  const misfit = harpMisfit(top(table.piles[source]), table.piles[destination]);
  return misfit ?? change(table, source, destination, { points: source === WASTE ? 5 : 0 });
}

function harpColumnToColumn(table, { source, destination, stated }) {
  if (source === destination) return "column.same_column";
  if (isEmpty(table, source)) return empty(source);
  const column = table.piles[source];
  const target = table.piles[destination];
  if (target.length) {
    if (stated) return "group.one_at_a_time";
    return harpMisfit(top(column), target) ?? change(table, source, destination);
  }
  // Whatever lies face up is one run: cards only ever join it in alternating colours.
  const runStart = table.faceDown[source];
  const count = column.length - runStart;
  if (rankOf(column[runStart]) !== KING) return "column.king_only";
  if (stated && stated !== count) return "group.wrong_count";
  return change(table, source, destination, { count });
}

// rules.md, "Eight Off"

const fits = (card, below) => below === card + 1 && rankOf(card) !== KING;

function runLength(column) {
  let length = Math.min(column.length, 1);
  while (length < column.length && fits(column.at(-length), column.at(-length - 1))) length++;
  return length;
}

/** Return why a card may not go onto a column of Eight Off, or null. */
function eightMisfit(card, column) {
  if (!column.length) return rankOf(card) === KING ? null : "column.king_only";
  if (fits(card, top(column))) return null;
  return suitOf(card) === suitOf(top(column)) ? "column.wrong_rank" : "column.wrong_suit";
}

/** rules.md, "Groups": how many cards may move to a column as one action. */
function longestGroup({ piles, variant }, destination) {
  const emptyOf = (first, count) =>
    piles.slice(first, first + count).filter((pile) => !pile.length).length;
  const columns = emptyOf(0, variant.columns) - (piles[destination].length ? 0 : 1);
  return (emptyOf(CELL, variant.cells) + 1) << columns;
}

function eightColumnToColumn(table, { source, destination, stated }) {
  if (source === destination) return "column.same_column";
  if (isEmpty(table, source)) return empty(source);
  const column = table.piles[source];
  const target = table.piles[destination];
  const run = runLength(column);
  if (stated > run) return "group.not_a_run";
  // The board fixes the number: the cards from the one that fits, or the whole run.
  const count = target.length ? top(target) - top(column) : run;
  if (count < 1 || count > run || eightMisfit(column.at(-count), target)) {
    // Nothing goes there: the first card of the group asked for says why.
    return eightMisfit(column.at(-(stated || 1)), target);
  }
  if (stated && stated !== count) return "group.wrong_count";
  if (count > 1 && count > longestGroup(table, destination)) return "group.too_long";
  return change(table, source, destination, { count });
}

function eightSingle(table, { source, destination }) {
  if (isEmpty(table, source)) return empty(source);
  const misfit = eightMisfit(top(table.piles[source]), table.piles[destination]);
  return misfit ?? change(table, source, destination);
}

function toCell(table, { source, destination, stated }) {
  if (source === destination) return "cell.same_cell";
  if (isEmpty(table, source)) return empty(source);
  if (stated) return "group.single_only";
  return isEmpty(table, destination) ? change(table, source, destination) : "cell.occupied";
}

// By the kinds of source and destination.
const noEntry = refuse("waste.no_entry");
const noExchange = refuse("foundation.no_exchange");
const RULES = {
  "easy-harp": {
    stock: { waste: draw },
    waste: { stock: recycle, column: harpSingle, foundation: toFoundation, waste: noEntry },
    column: { column: harpColumnToColumn, foundation: toFoundation, waste: noEntry },
    foundation: { column: harpSingle, foundation: noExchange, waste: noEntry },
  },
  "eight-off": {
    column: { column: eightColumnToColumn, cell: toCell, foundation: toFoundation },
    cell: { column: eightSingle, cell: toCell, foundation: toFoundation },
    foundation: { column: eightSingle, cell: toCell, foundation: noExchange },
  },
};

/** Return the change that an action makes (of an undo the action), or its refusal code. */
function judge(table, action) {
  if (action.error) return action.error;
  if (table.won) return "game.over";
  const { source, destination } = action;
  if (source === MEMORY) return undo(table, action);
  for (const place of [source, destination]) {
    if (!hasPlace(table.variant, place)) return `${kindOf(place)}.no_such`;
  }
  return RULES[table.variant.game][kindOf(source)][kindOf(destination)](table, action);
}

/** Play one token whole; return the change (of several undos the last), or the refusal code. */
function perform(table, action) {
  const judged = judge(table, action);
  if (typeof judged === "string") return judged;
  return action.source === MEMORY ? table.undo(action.actions) : table.make(judged);
}

// --- Positions ----------------------------------------------------------------------------------

/** A game in progress. The only way to change it is `apply`, which checks every action. */
export class Position {
  #table;

  constructor({ variant, number, text }, table) {
    this.code = text;
    this.variant = variant;
    this.number = number;
    this.#table = table ?? new Table({ variant, number });
  }

  get score() { return this.#table.score; }
  /** The score with each card on a foundation counted once (rules.md, "Score"). */
  get rankedScore() { return this.#table.score - 10 * this.#table.takeBacks; }
  get moves() { return this.#table.moves; }
  get undos() { return this.#table.undos; }
  get takeBacks() { return this.#table.takeBacks; }
  get foundationCards() { return this.#table.foundationCards; }
  get won() { return this.#table.won; }
  /** How many actions undo would take back now, at most 100; 0 after the win. */
  get undoable() { return this.won ? 0 : this.#table.remembered; }
  /** How often the waste was put back, without those that were undone. */
  get recycles() { return this.#table.recycles; }

  /**
   * Play one token whole: an action, or so many draws or undos. Throws Refused, and leaves the
   * position as it was, when the rules do not allow it.
   *
   * Returns `action` (its canonical text), `source` and `destination` (places by letters), `cards`
   * (ids as they lie afterwards), `points` (below 0 for an undo), `turnedUp` (id or null), `undo`
   * and `actions` (how many). An undo names the way back that its cards took; several undos have
   * no cards, and null for places.
   */
  apply(token) {
    const table = this.#table;
    const { score } = table;
    const action = parseToken(token);
    const made = perform(table, action);
    if (typeof made === "string") throw new Refused(made);
    const isUndo = action.source === MEMORY;
    const several = isUndo && action.actions > 1;
    return {
      action: formatAction(isUndo ? action : canonicalAction(action, made)),
      source: several ? null : LETTERS[made.source],
      destination: several ? null : LETTERS[made.destination],
      cards: several ? [] : table.piles[made.destination].slice(-made.count),
      points: table.score - score,
      turnedUp: made.turned ? top(table.piles[made.source]) : null,
      undo: isUndo,
      actions: action.actions,
    };
  }

  /** Return the refusal code that `apply` would throw, or null if it would accept the token. */
  refusal(token) {
    const judged = judge(this.#table, parseToken(token));
    return typeof judged === "string" ? judged : null;
  }

  /** Return the canonical text of a legal action, or null for a refused one and for undo. */
  canonicalText(token) {
    const action = parseToken(token);
    const judged = judge(this.#table, action);
    if (typeof judged === "string" || action.source === MEMORY) return null;
    return formatAction(canonicalAction(action, judged));
  }

  /**
   * Return every legal action but undo, as canonical text, in the order of the places. Each group
   * appears once, with its number of cards; draws are single.
   */
  legalActions() {
    const legal = [];
    for (const action of candidates(this.variant)) {
      if (isEmpty(this.#table, action.source)) continue;
      const judged = judge(this.#table, action);
      if (typeof judged !== "string") legal.push(formatAction(canonicalAction(action, judged)));
    }
    return legal;
  }

  /** Return an independent position that can be undone as far as this one. */
  copy() {
    const { variant, number, code } = this;
    return new Position({ variant, number, text: code }, this.#table.copy());
  }

  /** Return what lies where, as JSON with cards by name; the stock with its next card first. */
  snapshot() {
    const { columns, cells, foundations } = this.variant;
    const { piles, faceDown } = this.#table;
    const tops = (first, count) =>
      piles.slice(first, first + count).map((pile) => nameOrNull(top(pile)));
    return {
      columns: piles.slice(0, columns).map(names),
      face_down: faceDown.slice(0, columns),
      stock: names(piles[STOCK]).reverse(),
      waste: names(piles[WASTE]),
      cells: tops(CELL, cells),
      foundations: tops(FOUNDATION, foundations),
    };
  }

  /** Return every place of the variant by its letters: columns, cells, stock, waste, foundations. */
  places() {
    return LETTERS.slice(0, ANY_FOUNDATION).filter((_, place) => hasPlace(this.variant, place));
  }

  /**
   * Return the ids of the cards at a place, last on top (of the stock: the next to be drawn).
   * Throws RangeError for a place that the variant has not.
   */
  pile(place) {
    return this.#table.piles[this.#place(place)].slice();
  }

  /** Return how many cards at a place are face down, from the deepest on (in the stock all). */
  faceDown(place) {
    const number = this.#place(place);
    return number === STOCK ? this.#table.piles[STOCK].length : this.#table.faceDown[number];
  }

  #place(letters) {
    const place = PLACE_OF.get(letters) ?? ANY_FOUNDATION;
    if (place === ANY_FOUNDATION || !hasPlace(this.variant, place)) {
      throw new RangeError(`${this.variant.slug} has no place ${letters}`);
    }
    return place;
  }
}

/** Return the position of a deal before the first action. Throws CodeError. */
export const start = (code) => new Position(asCode(code));

const candidatesBySlug = new Map();

/** Return what the places of a variant allow one to try: each pair of places once. */
function candidates(variant) {
  let known = candidatesBySlug.get(variant.slug);
  if (!known) {
    const places = LETTERS.filter((_, place) => hasPlace(variant, place));
    const sources = places.filter((place) => place !== "stock" && place !== "h");
    const destinations = places.filter((place) => place.length === 1);
    const moves = sources.flatMap((from) => destinations.map((to) => from + to));
    known = [...(variant.hasStock ? ["D", "R"] : []), ...moves].map(parseToken);
    candidatesBySlug.set(variant.slug, known);
  }
  return known;
}

/**
 * Return how many cards at the end of a pile form one unit that can be picked up: in Eight Off
 * the run, in Easy Harp a king run; elsewhere the top card alone.
 */
export function longestRun(position, place) {
  const pile = position.pile(place);
  if (!COLUMN_LETTERS.includes(place)) return Math.min(pile.length, 1);
  if (position.variant.game === "eight-off") return runLength(pile);
  const runStart = position.faceDown(place);
  return rankOf(pile[runStart]) === KING ? pile.length - runStart : Math.min(pile.length, 1);
}

// --- Gestures (rules.md, "What a client's gestures mean") ---------------------------------------

const isFoundation = (place) => place.length === 2;
const isLegal = (position, token) => position.canonicalText(token) === token;
const moveToken = (source, destination, cards) =>
  source + destination + (cards === 1 ? "" : `v${cards.toString(16)}`);

/**
 * Return the token that a tap on the top card of a place stands for, or on the stock; null where
 * it stands for none. Throws RangeError for a place that the variant has not.
 */
export function tap(position, place) {
  if (isFoundation(place)) return null;
  const pile = position.pile(place);
  let token = `${place}h`;
  if (place === "stock") token = pile.length ? "D" : "R";
  return isLegal(position, token) ? token : null;
}

/**
 * Return the token that a double tap stands for; `cards` counts from the card tapped to the top
 * of its pile. Null and errors as for `tap`.
 */
export function doubleTap(position, place, cards = 1) {
  if (place === "stock") return tap(position, place);
  if (isFoundation(place)) return null;
  const pile = position.pile(place);
  if (cards < 1 || cards > pile.length) return null;
  const lengths = Array.from(COLUMN_LETTERS.slice(0, position.variant.columns))
    .filter((column) => column !== place)
    .map((column) => ({ column, length: position.pile(column).length }))
    .sort((one, other) => other.length - one.length);
  // Only a king enters the empty columns, which come last.
  const isKing = rankOf(pile.at(-cards)) === KING;
  const wishes = lengths
    .filter(({ length }) => isKing || length)
    .map(({ column }) => moveToken(place, column, cards));
  if (cards === 1) {
    wishes.unshift(`${place}h`);
    if (COLUMN_LETTERS.includes(place)) {
      for (const cell of CELL_LETTERS.slice(0, position.variant.cells)) wishes.push(place + cell);
    }
  }
  return wishes.find((token) => isLegal(position, token)) ?? null;
}

/**
 * Return the token that a drag from one place to another stands for, legal or not; `cards` counts
 * from the card dragged to the top of its pile. Null where it ends where it began, begins or ends
 * at the stock, or where the board would move another number of cards. Errors as for `tap`.
 */
export function drop(position, source, destination, cards = 1) {
  if (source === destination || source === "stock" || destination === "stock") return null;
  if (cards < 1 || cards > position.pile(source).length) return null;
  const token = moveToken(source, isFoundation(destination) ? "h" : destination, cards);
  // Legal, but not in its canonical form: the board moves the whole run with this one card.
  return (position.canonicalText(token) ?? token) === token ? token : null;
}

// --- Logs (contract.md, "Verdict") --------------------------------------------------------------

/** Return a malformed token fit for any display: 32 characters of printable ASCII. */
const shown = (text) =>
  Array.from(text, (letter) => (/^[!-~]$/.test(letter) ? letter : "\uFFFD"))
    .slice(0, 32)
    .join("");

const refusedText = (action) =>
  action.error ? shown(action.text) : formatAction(single(action));

/** Play as many actions of a token that was refused whole as can be, and return the refusal. */
function refusalWithin(table, action) {
  if (action.actions > 1 && !table.won) {
    const possible = action.source === STOCK ? table.piles[STOCK].length : table.remembered;
    if (possible > 0) perform(table, { ...action, actions: possible });
  }
  return judge(table, single(action));
}

/**
 * Return the verdict on a log, without `refused.message`. Throws CodeError and LimitError before
 * anything is played; an illegal log is an answer.
 */
export function replay(code, movetext) {
  const deal = asCode(code);
  const { actions } = readLog(movetext);
  const table = new Table(deal);
  let refused = null;
  for (const [token, action] of actions.entries()) {
    if (typeof perform(table, action) !== "string") continue;
    const reason = refusalWithin(table, action);
    const index = table.moves + table.undos;
    refused = { index, token, action: refusedText(action), code: reason };
    break;
  }
  return {
    code: deal.text,
    legal: refused === null,
    won: table.won,
    score: table.score,
    ranked_score: table.score - 10 * table.takeBacks,
    moves: table.moves,
    undos: table.undos,
    take_backs: table.takeBacks,
    foundation_cards: table.foundationCards,
    actions: table.moves + table.undos,
    refused,
  };
}

/**
 * Return the canonical text of a legal log. Throws Refused for an illegal one, CodeError and
 * LimitError like `replay`.
 */
export function canonical(code, movetext) {
  const deal = asCode(code);
  const { actions } = readLog(movetext);
  const table = new Table(deal);
  const played = actions.map((action) => {
    const made = perform(table, action);
    if (typeof made === "string") throw new Refused(made);
    return action.source === MEMORY ? action : canonicalAction(action, made);
  });
  return formatActions(played);
}

const CHECKPOINT_EVERY = 64;

/**
 * A log taken apart into single actions, numbered from 0 to `length` - 1; action n leads from
 * `positionAt(n)` to `positionAt(n + 1)`. `refused` is null or the action that ends the log early:
 * `index`, `token`, `action` and `code` as in a verdict. Throws CodeError and LimitError.
 */
export class Replay {
  #steps = [];
  #checkpoints = [];

  constructor(code, movetext) {
    const deal = asCode(code);
    const { tokens, actions } = readLog(movetext);
    const position = new Position(deal);
    this.code = deal.text;
    this.refused = null;
    this.#checkpoints.push(position.copy());
    for (const [token, action] of actions.entries()) {
      const text = action.error ? tokens[token] : formatAction(single(action));
      for (let left = action.actions; left; left--) {
        const reason = position.refusal(text);
        if (reason) {
          this.refused = { index: this.length, token, action: refusedText(action), code: reason };
          return;
        }
        this.#steps.push({ token, change: position.apply(text) });
        if (this.length % CHECKPOINT_EVERY === 0) this.#checkpoints.push(position.copy());
      }
    }
  }

  /** How many actions were legal. */
  get length() { return this.#steps.length; }

  /** Return a position of its own, after the first n actions. */
  positionAt(n) {
    if (!(n >= 0 && n <= this.length)) throw new RangeError(`no position after ${n} actions`);
    const position = this.#checkpoints[Math.floor(n / CHECKPOINT_EVERY)].copy();
    for (let index = n - (n % CHECKPOINT_EVERY); index < n; index++) {
      position.apply(this.actionAt(index));
    }
    return position;
  }

  /** Return what `Position.apply` returned for action n. */
  changeAt(n) { return this.#steps[n].change; }

  /** Return the canonical text of action n. */
  actionAt(n) { return this.#steps[n].change.action; }

  /** Return which token of the log action n is in, counted from 0. */
  tokenAt(n) { return this.#steps[n].token; }
}
