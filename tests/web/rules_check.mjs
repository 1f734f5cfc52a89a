// Answers questions about rules.js: one JSON array of questions a line, one of answers a line.
// A question is [name, ...arguments]; what a call throws is answered as {"thrown": its code}.

import { createInterface } from "node:readline";

import * as rules from "../../games/static/web/rules.js";

const camelCase = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

function attempt(call) {
  try {
    return call();
  } catch (error) {
    if (error.code === undefined && !(error instanceof RangeError)) throw error;
    return { thrown: error.code ?? "RangeError" };
  }
}

const named = (ids) => ids.map(rules.cardName);
const shownChange = (change) => ({
  ...change,
  cards: named(change.cards),
  turnedUp: change.turnedUp === null ? null : rules.cardName(change.turnedUp),
});

const played = (code, tokens) => {
  const position = rules.start(code);
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
  snapshot: position.snapshot(),
  legal: position.legalActions(),
});

// A token refused must leave everything as it was, and `refusal` must foretell what `apply` does.
function step(position, token) {
  const before = JSON.stringify(position);
  const foretold = position.refusal(token);
  const untouched = JSON.stringify(position) === before;
  const change = attempt(() => shownChange(position.apply(token)));
  const consistent =
    untouched &&
    (change.thrown ?? null) === foretold &&
    (!change.thrown || JSON.stringify(position) === before);
  return { change, consistent, state: state(position) };
}

function gestures(position, places, most) {
  const answers = [];
  for (const place of places) {
    answers.push(attempt(() => rules.tap(position, place)));
    for (let cards = 0; cards <= most; cards++) {
      answers.push(attempt(() => rules.doubleTap(position, place, cards)));
      for (const destination of places) {
        answers.push(attempt(() => rules.drop(position, place, destination, cards)));
      }
    }
  }
  return answers;
}

const questions = {
  constants: () => ({
    variants: rules.VARIANTS,
    refusals: rules.REFUSAL_CODES,
    code_errors: rules.CODE_ERRORS,
    limit_errors: rules.LIMIT_ERRORS,
    limits: [
      rules.MAX_ACTIONS, rules.MAX_LOG_BYTES, rules.MAX_NUMBER, rules.REMEMBERED_ACTIONS,
    ],
  }),
  parse: (text) => {
    const { variant, number, text: canonical } = rules.parseCode(text);
    return [variant.slug, number, canonical];
  },
  code: (slug, number) => rules.dealCode(slug, number),
  layout: (code) => rules.layout(code),
  replay: (code, movetext) => rules.replay(code, movetext),
  canonical: (code, movetext) => rules.canonical(code, movetext),
  format: (tokens) => rules.formatMovetext(tokens),
  append: (actions) => actions.reduce((text, action) => rules.appendAction(text, action), ""),
  walk: (code, tokens) => {
    const position = rules.start(code);
    return [state(position), ...tokens.map((token) => step(position, token))];
  },
  refusals: (code, tokens, others) => {
    const position = played(code, tokens);
    return others.map((token) => position.refusal(token));
  },
  gestures: (code, tokens, places, most) => gestures(played(code, tokens), places, most),
  steps: (code, movetext) => {
    const log = new rules.Replay(code, movetext);
    return {
      refused: log.refused,
      changes: Array.from({ length: log.length }, (_, n) => shownChange(log.changeAt(n))),
      actions: Array.from({ length: log.length }, (_, n) => [log.tokenAt(n), log.actionAt(n)]),
      outside: [-1, log.length + 1].map((n) => attempt(() => log.positionAt(n))),
    };
  },
  positions: (code, movetext, numbers) => {
    const log = new rules.Replay(code, movetext);
    return numbers.map((n) => {
      // What is done to one position is not seen in the next.
      log.positionAt(n).refusal("U") ?? log.positionAt(n).apply("U");
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
    const position = rules.start(code);
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
      cards: ids.map((id) => [rules.cardOf(id).rank, rules.cardOf(id).suit]),
      face_down: position.places().map((place) => position.faceDown(place)),
      runs: position.places().map((place) => rules.longestRun(position, place)),
    };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const answers = JSON.parse(line).map(([name, ...given]) =>
    attempt(() => questions[name](...given)),
  );
  process.stdout.write(`${JSON.stringify(answers)}\n`);
}
