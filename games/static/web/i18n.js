// Texts, numbers, times and card names in the language of the page.
//
// The texts themselves come from texts/<language>.js, a classic script that stands before the
// modules and defines gettext, ngettext and interpolate on the window.

import { settings } from "./store.js";

export const language = document.documentElement.lang || "en";
// Days before months and 24 hours, as the pages themselves are written.
export const locale = language === "en" ? "en-GB" : language;

export const gettext = (text) => globalThis.gettext(text);
export const ngettext = (one, many, count) => globalThis.ngettext(one, many, count);

/** Fill `%(name)s` places from an object, `%s` places from a list; `%%` is a percent sign. */
export function interpolate(text, values) {
  return globalThis.interpolate(text.replaceAll("%%", "%"), values, !Array.isArray(values));
}

// --- Numbers and times -------------------------------------------------------------------------

const numbers = new Intl.NumberFormat(locale);

/** Return a whole number as the language writes it. */
export const formatNumber = (number) => numbers.format(number);

/** Return a day such as "2026-11-29", which is a day in UTC, in words. */
export function formatDay(isoDay, { year = false, weekday = true } = {}) {
  return new Intl.DateTimeFormat(locale, {
    timeZone: "UTC",
    weekday: weekday ? "long" : undefined,
    day: "numeric",
    month: "long",
    year: year ? "numeric" : undefined,
  }).format(new Date(`${isoDay}T00:00:00Z`));
}

/** Return the hour of an instant in this device's time zone. */
export function formatHour(instant) {
  return new Intl.DateTimeFormat(locale, { timeStyle: "short" }).format(new Date(instant));
}

const two = (number) => String(number).padStart(2, "0");

/** Return a number of seconds as 4:07 or 1:04:07. */
export function formatDuration(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours
    ? `${hours}:${two(minutes)}:${two(whole % 60)}`
    : `${minutes}:${two(whole % 60)}`;
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

/** Return the name of a card, such as "seven of hearts"; `rank` is 0..12, `suit` 0..3. */
export function cardLabel(rank, suit) {
  return interpolate(gettext("%(rank)s of %(suit)s"), { rank: RANKS()[rank], suit: SUITS()[suit] });
}

const PIPS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10"];
const INTERNATIONAL = ["J", "Q", "K"];
const LOCAL = { it: ["F", "D", "R"] }; // fante, donna, re

/** Return what is drawn on a card of each rank, ace to king, as the player has set it. */
export function rankLetters(letters = settings().letters) {
  const courts = letters === "international" ? INTERNATIONAL : (LOCAL[language] ?? INTERNATIONAL);
  return [...PIPS, ...courts];
}
