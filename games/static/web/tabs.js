// One tab plays a game at a time: whoever holds its lock.

/**
 * Hold a game for this tab. Resolves to whether it is ours now; with `takeOver` it always is.
 *
 * `lost` is called when another tab takes it over. A browser without locks lets everybody play:
 * the service takes one log for each attempt in any case.
 */
export function hold(key, { takeOver = false, lost }) {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((resolve) => {
    const options = takeOver ? { steal: true } : { ifAvailable: true };
    navigator.locks
      .request(`dailydeal.${key}`, options, (lock) => {
        resolve(lock !== null);
        // Held until the tab is closed or the lock is stolen.
        return lock && new Promise(() => {});
      })
      .catch(() => lost());
  });
}
