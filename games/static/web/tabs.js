// What only one tab at a time may do: play a game, join, send.

/** @type {Set<string>} what this tab holds */
const held = new Set();

/**
 * Hold a game for this tab until it is closed. Resolves to whether this tab has it now; with
 * `takeOver` it always does.
 *
 * `lost` is called when another tab takes it over. In a browser without locks, every tab may play:
 * the service takes only one log for each attempt anyway.
 * @param {string} key
 * @param {{takeOver?: boolean, lost: () => void}} options
 * @returns {Promise<boolean>}
 */
export function hold(key, { takeOver = false, lost }) {
  if (!navigator.locks || held.has(key)) return Promise.resolve(true);
  return new Promise((resolve) => {
    const options = takeOver ? { steal: true } : { ifAvailable: true };
    navigator.locks
      .request(`dailydeal.${key}`, options, (lock) => {
        resolve(lock !== null);
        if (!lock) return undefined;
        held.add(key);
        return new Promise(() => {});
      })
      .catch(() => {
        // Refused before it was held: the browser has locks but grants none.
        if (held.delete(key)) lost();
        else resolve(true);
      });
  });
}

/**
 * Do something in one tab at a time while the others wait; at once in a browser without locks.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function oneTab(name, work) {
  /** @type {Promise<T> | null} */
  let begun = null;
  const once = () => (begun ??= work());
  try {
    return await navigator.locks.request(`dailydeal.${name}`, once);
  } catch (error) {
    if (begun) throw error;
    return once();
  }
}
