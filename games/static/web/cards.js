// What a card's id says about it. The rules and the table both identify cards by id.
//
// An id is the card's place in the deck before the shuffle, so that the two equal cards of a double
// deck stay apart. The card's index (docs/rules.md, "Cards") is the id modulo 52.

export const KING = 12;

/** @param {number} id */
export const rankOf = (id) => id % 13;

/** @param {number} id */
export const suitOf = (id) => Math.floor((id % 52) / 13);

/** @param {number} id */
export const isRed = (id) => suitOf(id) === 1 || suitOf(id) === 2;
