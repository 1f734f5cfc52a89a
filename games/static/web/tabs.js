// What only one tab does at a time: playing a game, joining, sending.

const held = new Set(); // what this tab holds

/**
 * Hold a game for this tab until it is closed. Resolves to whether it is ours now; with `takeOver`
 * it always is.
 *
 * `lost` is called when another tab takes it over. A browser without locks lets everybody play:
 * the service takes one log for each attempt in any case.
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
        // Refused before it was held: a browser that has locks and gives none.
        if (held.delete(key)) lost();
        else resolve(true);
      });
  });
}

/** Do something in one tab at a time, the others waiting; at once where a browser gives no locks. */
export async function oneTab(name, work) {
  let begun = null;
  const once = () => (begun ??= work());
  try {
    return await navigator.locks.request(`dailydeal.${name}`, once);
  } catch (error) {
    if (begun) throw error;
    return once();
  }
}
