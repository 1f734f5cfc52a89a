// Lets the pages that a game needs open without a network: it caches what was fetched once, and
// returns it when the network does not answer. With a network, it always asks that first.
//
// It leaves API calls alone: logs wait in the outbox (outbox.js), not here.

const KEPT = "dailydeal-pages";
const MOST_KEPT = 150;
const PAGES = /^\/($|play\/|practice\/|rules\/|settings\/|texts\/|static\/)/;

addEventListener("install", () => self.skipWaiting());
addEventListener("activate", (event) => event.waitUntil(begin()));

async function begin() {
  await self.clients.claim();
  // The open page was fetched before there was a worker; cache at least the home page.
  const kept = await caches.open(KEPT);
  await kept.add("/").catch(() => {});
}

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || !PAGES.test(url.pathname))
    return;
  event.respondWith(networkFirst(request));
});

async function networkFirst(request) {
  const kept = await caches.open(KEPT);
  try {
    const answer = await fetch(request);
    if (answer.ok && answer.type === "basic") await keep(kept, request, answer.clone());
    return answer;
  } catch (error) {
    // The query has the practice deal; the page is the same for all of them.
    const ignoreSearch = request.mode === "navigate";
    const found = await kept.match(request, { ignoreSearch, ignoreVary: true });
    if (found) return found;
    throw error;
  }
}

async function keep(kept, request, answer) {
  try {
    await kept.put(request.mode === "navigate" ? request.url.split("?")[0] : request, answer);
    const keys = await kept.keys();
    for (const old of keys.slice(0, Math.max(0, keys.length - MOST_KEPT))) await kept.delete(old);
  } catch {
    // No room to cache: the page works all the same.
  }
}
