// Texts, numbers, times and card names in the language of the page.
//
// The texts themselves come from texts/<language>.js, a classic script that stands before the
// modules and defines gettext, ngettext and interpolate on the window.

export const language = document.documentElement.lang || "en";

export const gettext = (text) => globalThis.gettext(text);
export const ngettext = (one, many, count) => globalThis.ngettext(one, many, count);

/** Fill `%(name)s` places from an object, `%s` places from a list. */
export function interpolate(text, values) {
  return globalThis.interpolate(text, values, !Array.isArray(values));
}

// --- Numbers and times -------------------------------------------------------------------------

const numbers = new Intl.NumberFormat(language);

/** Return a whole number as the language writes it. */
export const formatNumber = (number) => numbers.format(number);

/** Return a day such as "2026-11-29", which is a day in UTC, in words. */
export function formatDay(isoDay, { year = false, weekday = true } = {}) {
  return new Intl.DateTimeFormat(language, {
    timeZone: "UTC",
    weekday: weekday ? "long" : undefined,
    day: "numeric",
    month: "long",
    year: year ? "numeric" : undefined,
  }).format(new Date(`${isoDay}T00:00:00Z`));
}

/** Return an instant as date and time of this device's time zone. */
export function formatTime(instant, { dateStyle = "medium", timeStyle = "short" } = {}) {
  return new Intl.DateTimeFormat(language, { dateStyle, timeStyle }).format(new Date(instant));
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

const SUITS = { S: () => gettext("spades"), H: () => gettext("hearts"), D: () => gettext("diamonds"), C: () => gettext("clubs") };
const RANKS = {
  A: () => gettext("ace"),
  2: () => gettext("two"),
  3: () => gettext("three"),
  4: () => gettext("four"),
  5: () => gettext("five"),
  6: () => gettext("six"),
  7: () => gettext("seven"),
  8: () => gettext("eight"),
  9: () => gettext("nine"),
  T: () => gettext("ten"),
  J: () => gettext("jack"),
  Q: () => gettext("queen"),
  K: () => gettext("king"),
};

/** Return the name of a card, such as "seven of hearts", from its two letters: `7`, `H`. */
export function cardLabel(rank, suit) {
  return interpolate(gettext("%(rank)s of %(suit)s"), { rank: RANKS[rank](), suit: SUITS[suit]() });
}

const LOCAL_LETTERS = {
  it: { J: "F", Q: "D", K: "R" }, // fante, donna, re
};

/** Return what is drawn on the cards for each rank: the language's letters, or A J Q K. */
export function rankLetters(letters = "local") {
  const drawn = { A: "A", T: "10", J: "J", Q: "Q", K: "K" };
  for (let pips = 2; pips <= 9; pips += 1) drawn[pips] = String(pips);
  return letters === "international" ? drawn : { ...drawn, ...LOCAL_LETTERS[language] };
}
