// Texts, numbers, times and card names in the language of the page.
//
// The texts themselves come from texts/<language>.js, a classic script that runs before the modules
// and defines gettext, ngettext and interpolate on the window.

import { settings } from "./store.js";

export const language = document.documentElement.lang || "en";
// Days before months and 24 hours, as the pages themselves are written.
export const locale = language === "en" ? "en-GB" : language;

/**
 * @typedef {object} Catalogue
 * @property {(text: string) => string} gettext
 * @property {(one: string, many: string, count: number) => string} ngettext
 * @property {(text: string, values: object, isNamed: true) => string} interpolate
 */

const texts = /** @type {Catalogue} */ (/** @type {unknown} */ (globalThis));

/** @type {Catalogue["gettext"]} */
export const gettext = (text) => texts.gettext(text);
/** @type {Catalogue["ngettext"]} */
export const ngettext = (one, many, count) => texts.ngettext(one, many, count);

/**
 * Fill the places `%(name)s` of a text; `%%` is a percent sign.
 * @param {string} text
 * @param {Record<string, string | number>} values
 */
export const interpolate = (text, values) =>
  texts.interpolate(text.replaceAll("%%", "%"), values, true);

// --- Numbers and times -------------------------------------------------------------------------

const numbers = new Intl.NumberFormat(locale);

/**
 * Return a whole number as the language writes it.
 * @param {number} number
 */
export const formatNumber = (number) => numbers.format(number);

/**
 * Return a day in words.
 * @param {string} isoDay a day in UTC such as "2026-11-29"
 * @param {{year?: boolean, weekday?: boolean}} [options]
 */
export function formatDay(isoDay, { year = false, weekday = true } = {}) {
  return new Intl.DateTimeFormat(locale, {
    timeZone: "UTC",
    weekday: weekday ? "long" : undefined,
    day: "numeric",
    month: "long",
    year: year ? "numeric" : undefined,
  }).format(new Date(`${isoDay}T00:00:00Z`));
}

/**
 * Return the hour of an instant in this device's time zone.
 * @param {string} instant
 */
export function formatHour(instant) {
  return new Intl.DateTimeFormat(locale, { timeStyle: "short" }).format(new Date(instant));
}

/** @param {number} number */
const two = (number) => String(number).padStart(2, "0");

/**
 * Return a number of seconds as 4:07 or 1:04:07.
 * @param {number} seconds
 */
export function formatDuration(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

// --- Cards -------------------------------------------------------------------------------------

// In the order of their indexes: spades, hearts, diamonds, clubs; ace to king.
const SUITS = () => [gettext("spades"), gettext("hearts"), gettext("diamonds"), gettext("clubs")];
const RANKS = () => [
  gettext("ace"),
  gettext("two"),
  gettext("three"),
  gettext("four"),
  gettext("five"),
  gettext("six"),
  gettext("seven"),
  gettext("eight"),
  gettext("nine"),
  gettext("ten"),
  gettext("jack"),
  gettext("queen"),
  gettext("king"),
];

/**
 * Return the name of a card, such as "seven of hearts".
 * @param {number} rank 0 to 12
 * @param {number} suit 0 to 3
 */
export function cardLabel(rank, suit) {
  return interpolate(gettext("%(rank)s of %(suit)s"), { rank: RANKS()[rank], suit: SUITS()[suit] });
}

const PIPS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10"];
const INTERNATIONAL = ["J", "Q", "K"];
/** @type {Record<string, string[]>} */
const LOCAL = { it: ["F", "D", "R"] }; // fante, donna, re

/** Return what is drawn on a card of each rank, ace to king, as the player has chosen. */
export function rankLetters(letters = settings().letters) {
  const courts = letters === "international" ? INTERNATIONAL : (LOCAL[language] ?? INTERNATIONAL);
  return [...PIPS, ...courts];
}
