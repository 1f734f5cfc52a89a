// Answers questions about the rules of the web client: one JSON array of questions a line, one of
// answers a line.
// A question is [name, ...arguments]; what a call throws is answered as {"thrown": its code}.

import { createInterface } from "node:readline";

import { rankOf, suitOf } from "../../games/static/web/cards.js";
import * as codes from "../../games/static/web/rules/codes.js";
import * as deals from "../../games/static/web/rules/deals.js";
import * as gesture from "../../games/static/web/rules/gestures.js";
import * as movetext from "../../games/static/web/rules/movetext.js";
import { REMEMBERED_ACTIONS, Refused, start } from "../../games/static/web/rules/position.js";
import { Replay } from "../../games/static/web/rules/replay.js";

const camelCase = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

function attempt(call) {
  try {
    return call();
  } catch (error) {
    if (error.code === undefined && !(error instanceof RangeError)) throw error;
    return { thrown: error.code ?? "RangeError" };
  }
}

// --- The forms of the contract, which the browser needs no code for

const cardName = (id) => "A23456789TJQK"[rankOf(id)] + "SHDC"[suitOf(id)];
const named = (ids) => ids.map(cardName);
const nameOrNull = (id) => (id === undefined ? null : cardName(id));

/** Return what lies where, cards by name and the next card of the stock first. */
function snapshot(position) {
  const of = (letters) => letters.filter((place) => position.places().includes(place));
  const pile = (place) => (of([place]).length ? named(position.pile(place)) : []);
  const tops = (letters) => of(letters).map((place) => nameOrNull(position.pile(place).at(-1)));
  const columns = of([...movetext.COLUMN_LETTERS]);
  return {
    columns: columns.map(pile),
    face_down: columns.map((place) => position.faceDown(place)),
    stock: pile("stock").reverse(),
    waste: pile("w"),
    cells: tops([...movetext.CELL_LETTERS]),
    foundations: tops(["h1", "h2", "h3", "h4", "h5", "h6", "h7", "h8"]),
  };
}

/** Return the JSON form of a deal (docs/contract.md, "Layout"). */
function layout(code) {
  const { number, variant } = deals.parseCode(code);
  const { columns, face_down, stock, cells } = snapshot(start(code));
  return {
    number,
    columns,
    ...(variant.hasStock && { face_down, stock }),
    ...(variant.cells && { cells }),
  };
}

/** Return every legal action but undo, as canonical text in the order of the places. */
function legalActions(position) {
  const places = position.places();
  const sources = places.filter((place) => place !== "stock");
  const destinations = [...places.filter((place) => place.length === 1), "h"];
  const moves = sources.flatMap((from) => destinations.map((to) => from + to));
  return ["D", "R", ...moves].map((token) => position.judge(token).text).filter(Boolean);
}

/** Return the verdict on a log, without `refused.message` (docs/contract.md, "Verdict"). */
function verdict(code, log) {
  const replay = new Replay(code, log);
  const end = replay.positionAt(replay.length);
  return {
    code: end.code,
    legal: !replay.refused,
    won: end.won,
    score: end.score,
    ranked_score: end.rankedScore,
    moves: end.moves,
    undos: end.undos,
    take_backs: end.takeBacks,
    foundation_cards: end.foundationCards,
    actions: end.moves + end.undos,
    refused: replay.refused,
  };
}

function canonical(code, log) {
  const replay = new Replay(code, log);
  if (replay.refused) throw new Refused(replay.refused.code);
  const actions = Array.from({ length: replay.length }, (_, n) => replay.changeAt(n).action);
  return movetext.formatMovetext(actions);
}

// --- What is asked

const shownChange = (change) => ({
  ...change,
  cards: named(change.cards),
  turnedUp: change.turnedUp === null ? null : cardName(change.turnedUp),
});

const played = (code, tokens) => {
  const position = start(code);
  for (const token of tokens) position.apply(token);
  return position;
};

// Everything that can be told of a position, in one answer.
const COUNTERS = ["score", "ranked_score", "moves", "undos", "take_backs", "foundation_cards"];
const state = (position) => ({
  ...Object.fromEntries(COUNTERS.map((name) => [name, position[camelCase(name)]])),
  won: position.won,
  undoable: position.undoable,
  recycles: position.recycles,
  snapshot: snapshot(position),
  legal: legalActions(position),
});

// A token refused must leave everything as it was, and `judge` must foretell what `apply` does.
function step(position, token) {
  const before = JSON.stringify(position);
  const judged = position.judge(token);
  const foretold = judged.refusal;
  const untouched = JSON.stringify(position) === before;
  const change = attempt(() => shownChange(position.apply(judged)));
  const consistent =
    untouched &&
    (change.thrown ?? null) === foretold &&
    (!change.thrown || JSON.stringify(position) === before);
  return { change, consistent, state: state(position) };
}

function gestures(position, places, most) {
  const answers = [];
  const token = (make, ...given) => attempt(() => make(position, ...given)?.token ?? null);
  for (const place of places) {
    answers.push(token(gesture.tap, place));
    for (let cards = 0; cards <= most; cards++) {
      answers.push(token(gesture.doubleTap, place, cards));
      for (const destination of places) {
        answers.push(token(gesture.drop, place, destination, cards));
      }
    }
  }
  return answers;
}

const questions = {
  constants: () => ({
    variants: deals.VARIANTS,
    refusals: codes.REFUSAL_CODES,
    code_errors: codes.CODE_ERRORS,
    limit_errors: codes.LIMIT_ERRORS,
    limits: [movetext.MAX_ACTIONS, movetext.MAX_LOG_BYTES, deals.MAX_NUMBER, REMEMBERED_ACTIONS],
  }),
  parse: (text) => {
    const { variant, number, text: canonical } = deals.parseCode(text);
    return [variant.slug, number, canonical];
  },
  code: (slug, number) => deals.dealCode(slug, number),
  layout: (code) => layout(code),
  replay: (code, log) => verdict(code, log),
  canonical: (code, log) => canonical(code, log),
  format: (tokens) => movetext.formatMovetext(tokens),
  append: (actions) => actions.reduce((text, action) => movetext.appendAction(text, action), ""),
  walk: (code, tokens) => {
    const position = start(code);
    return [state(position), ...tokens.map((token) => step(position, token))];
  },
  refusals: (code, tokens, others) => {
    const position = played(code, tokens);
    return others.map((token) => position.judge(token).refusal);
  },
  gestures: (code, tokens, places, most) => gestures(played(code, tokens), places, most),
  steps: (code, text) => {
    const log = new Replay(code, text);
    return {
      refused: log.refused,
      changes: Array.from({ length: log.length }, (_, n) => shownChange(log.changeAt(n))),
      actions: Array.from({ length: log.length }, (_, n) => [
        log.tokenAt(n),
        log.changeAt(n).action,
      ]),
      outside: [-1, log.length + 1].map((n) => attempt(() => log.positionAt(n))),
    };
  },
  positions: (code, text, numbers) => {
    const log = new Replay(code, text);
    return numbers.map((n) => {
      // What is done to one position is not seen in the next.
      if (!log.positionAt(n).judge("U").refusal) log.positionAt(n).apply("U");
      return state(log.positionAt(n));
    });
  },
  // A position changed after it was copied, either way round.
  copies: (code, tokens, token) => {
    const position = played(code, tokens);
    const copy = position.copy();
    const before = JSON.stringify(copy);
    position.apply(token);
    const kept = JSON.stringify(copy) === before;
    copy.apply(token);
    return kept && JSON.stringify(copy) === JSON.stringify(position);
  },
  deal_ids: (code) => {
    const position = start(code);
    return position.places().map((place) => position.pile(place));
  },
  // Ids are unique, stay those of the deal, and name the cards that the snapshot names.
  ids: (code, tokens) => {
    const position = played(code, tokens);
    const piles = position.places().map((place) => [place, position.pile(place)]);
    const ids = piles.flatMap(([, pile]) => pile).sort((one, other) => one - other);
    return {
      complete: ids.every((id, index) => id === index) && ids.length,
      piles: Object.fromEntries(piles.map(([place, pile]) => [place, named(pile)])),
      cards: ids.map((id) => [rankOf(id), suitOf(id)]),
      face_down: position.places().map((place) => position.faceDown(place)),
      runs: position.places().map((place) => position.longestRun(place)),
    };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const answers = JSON.parse(line).map(([name, ...given]) =>
    attempt(() => questions[name](...given)),
  );
  process.stdout.write(`${JSON.stringify(answers)}\n`);
}
