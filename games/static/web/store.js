// What this browser stores: settings, the player, games, and logs on their way.
//
// One value of localStorage for each key, as JSON. Where the browser refuses to store (storage
// full or switched off), values live until the page is closed, and `isPersistent()` says so.

const PREFIX = "dailydeal.";
/** @type {Map<string, unknown>} */
const inMemory = new Map();
let persistent = true;

/**
 * Return the value kept under a key, or `fallback` if it is missing or damaged.
 * @param {string} key
 * @returns {any}
 */
export function read(key, fallback = /** @type {any} */ (null)) {
  if (inMemory.has(key)) return structuredClone(inMemory.get(key));
  try {
    const text = localStorage.getItem(PREFIX + key);
    return text === null ? fallback : JSON.parse(text);
  } catch {
    return fallback;
  }
}

/**
 * Keep a value under a key and return whether it outlives the page.
 * @param {string} key
 * @param {unknown} value
 */
export function write(key, value) {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
    inMemory.delete(key);
    return true;
  } catch {
    persistent = false;
    inMemory.set(key, structuredClone(value));
    return false;
  }
}

/**
 * Forget a key.
 * @param {string} key
 */
export function remove(key) {
  inMemory.delete(key);
  try {
    localStorage.removeItem(PREFIX + key);
  } catch {
    persistent = false;
  }
}

/**
 * Return the keys that begin with a text, in no particular order.
 * @param {string} beginning
 */
export function keys(beginning) {
  const found = new Set([...inMemory.keys()].filter((key) => key.startsWith(beginning)));
  try {
    for (let at = 0; at < localStorage.length; at += 1) {
      const key = localStorage.key(at);
      if (key?.startsWith(PREFIX + beginning)) found.add(key.slice(PREFIX.length));
    }
  } catch {
    persistent = false;
  }
  return [...found];
}

/** Return whether everything written so far outlives this page. */
export function isPersistent() {
  return persistent;
}

/**
 * Call back with the key whenever another tab changes a value.
 * @param {(key: string) => void} callback
 */
export function whenChangedElsewhere(callback) {
  addEventListener("storage", (event) => {
    if (event.key?.startsWith(PREFIX)) callback(event.key.slice(PREFIX.length));
  });
}

// --- Settings ----------------------------------------------------------------------------------

/**
 * Every setting with its default. The language is not one of them: the service keeps it, in a
 * cookie.
 */
const DEFAULTS = {
  theme: "auto", // auto, light, dark
  deck: "two", // two or four colours
  letters: "local", // card letters of the language, or "international": A J Q K
  hand: "right", // left: the table is mirrored
  motion: "auto", // auto: as the system asks; off
  tap: true,
  doubleTap: true,
  drag: true,
  interactiveRules: true,
};

/** @typedef {Readonly<typeof DEFAULTS>} Settings */

let known = /** @type {Settings | undefined} */ (undefined);

/**
 * Return all settings, the defaults included.
 * @returns {Settings}
 */
export function settings() {
  if (!known) known = { ...DEFAULTS, .../** @type {Partial<Settings>} */ (read("settings", {})) };
  return known;
}

/**
 * Change one setting, and dispatch `settings` on the window.
 * @param {string} name
 * @param {string | boolean} value
 */
export function changeSetting(name, value) {
  write("settings", { ...read("settings", {}), [name]: value });
  known = undefined;
  dispatchEvent(new CustomEvent("settings"));
}

// Before any other listener of the same events: they are about to ask.
whenChangedElsewhere((key) => {
  if (key === "settings") known = undefined;
});
addEventListener("pageshow", (event) => {
  // A page in the browser's memory hears of no changes.
  if (event.persisted) known = undefined;
});
