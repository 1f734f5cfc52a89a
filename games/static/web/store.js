// What this browser remembers: settings, who plays here, games and logs on their way.
//
// One value of localStorage for each key, as JSON. Where the browser refuses to store (storage
// full or switched off), values live until the page is closed and `isPersistent()` tells so.

const PREFIX = "dailydeal.";
const inMemory = new Map();
let persistent = true;

/** Return the value kept under a key, or `fallback` where there is none or it is damaged. */
export function read(key, fallback = null) {
  if (inMemory.has(key)) return structuredClone(inMemory.get(key));
  try {
    const text = localStorage.getItem(PREFIX + key);
    return text === null ? fallback : JSON.parse(text);
  } catch {
    return fallback;
  }
}

/** Keep a value under a key and return whether it outlives the page. */
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

/** Forget a key. */
export function remove(key) {
  inMemory.delete(key);
  try {
    localStorage.removeItem(PREFIX + key);
  } catch {
    persistent = false;
  }
}

/** Return the keys that begin with a text, in no particular order. */
export function keys(beginning) {
  const found = new Set([...inMemory.keys()].filter((key) => key.startsWith(beginning)));
  try {
    for (let at = 0; at < localStorage.length; at += 1) {
      const key = localStorage.key(at);
      if (key.startsWith(PREFIX + beginning)) found.add(key.slice(PREFIX.length));
    }
  } catch {
    persistent = false;
  }
  return [...found];
}

/** Tell whether everything written so far outlives this page. */
export function isPersistent() {
  return persistent;
}

/** Call back with the key whenever another tab changes a value. */
export function whenChangedElsewhere(callback) {
  addEventListener("storage", (event) => {
    if (event.key?.startsWith(PREFIX)) callback(event.key.slice(PREFIX.length));
  });
}

// --- Settings ----------------------------------------------------------------------------------

/** Every setting with its default. The language is the server's: a cookie of the language form. */
export const DEFAULTS = Object.freeze({
  theme: "auto", // auto, light, dark
  deck: "two", // two or four colours
  letters: "local", // card letters of the language, or "international": A J Q K
  hand: "right", // left: the table is mirrored
  motion: "auto", // auto: as the system asks; off
  tap: true,
  doubleTap: true,
  drag: true,
  interactiveRules: true,
});

/** Return all settings, the defaults included. */
export function settings() {
  return { ...DEFAULTS, ...read("settings", {}) };
}

/** Change one setting and tell the page by the event `settings` on the window. */
export function changeSetting(name, value) {
  write("settings", { ...read("settings", {}), [name]: value });
  dispatchEvent(new CustomEvent("settings", { detail: { name, value } }));
}
