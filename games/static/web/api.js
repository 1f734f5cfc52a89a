// The public API (docs/contract.md), and its caller.

import { read, remove, write } from "./store.js";
import { oneTab } from "./tabs.js";

const ROOT = "/api/v1/";
const TIMEOUT_MS = 20_000;

/** @typedef {{id: string, display_name: string, has_password?: boolean}} Player */

/** A refusal by the service: its status, and what its first error says. */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {{code: string, detail: string, attr: string | null}} error
   * @param {number} retryAfterS
   */
  constructor(status, error, retryAfterS) {
    super(error.detail);
    this.status = status;
    this.code = error.code;
    this.detail = error.detail;
    this.attr = error.attr;
    this.retryAfterS = retryAfterS;
  }
}

/** No answer, or none that the service made: offline, a timeout, a proxy's error page. */
export class NetworkError extends Error {}

/**
 * Call the API and return the decoded answer (null for one without a body).
 *
 * Sends the player's token unless `anonymous`. Throws ApiError when the service refuses,
 * and NetworkError when it cannot be reached.
 * @param {string} method
 * @param {string} path below the root of the API
 * @param {{body?: object, anonymous?: boolean}} [options]
 * @returns {Promise<any>}
 */
export async function call(method, path, { body, anonymous = false } = {}) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json" };
  const token = anonymous ? null : read("session")?.token;
  if (token) headers.Authorization = `Token ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer;
  let data;
  try {
    answer = await fetch(ROOT + path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: "no-store",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await answer.text();
    data = text ? JSON.parse(text) : null;
  } catch (error) {
    throw new NetworkError(String(error));
  }
  if (answer.ok) return data;
  if (!data?.errors?.length) throw new NetworkError(`status ${answer.status}`);
  if (answer.status === 401 && token) expire(token);
  throw new ApiError(answer.status, data.errors[0], Number(answer.headers.get("Retry-After")) || 0);
}

/**
 * @param {string} path
 * @param {{anonymous?: boolean}} [options]
 */
export const get = (path, options) => call("GET", path, options);
/**
 * @param {string} path
 * @param {object} [body]
 * @param {{anonymous?: boolean}} [options]
 */
export const post = (path, body, options) => call("POST", path, { ...options, body });

// --- The player here ----------------------------------------------------------------------------

/**
 * Return the player of this browser, or null.
 *
 * Also null when the service refused the token; `expiredPlayer()` then returns its player.
 * @returns {Player | null}
 */
export function player() {
  const session = read("session");
  return session?.token ? session.player : null;
}

/**
 * Return the player whose token the service refused, or null.
 * @returns {Player | null}
 */
export function expiredPlayer() {
  const session = read("session");
  return session && !session.token ? session.player : null;
}

/**
 * Keep a player and, if it is new, the token; dispatch `session` on the window.
 * @param {Player} found
 * @param {string | null} [token]
 */
export function keepSession(found, token = read("session")?.token) {
  write("session", { player: found, token });
  dispatchEvent(new CustomEvent("session"));
}

/** Forget who played here. Games and logs that wait for their receipt are kept. */
export function forgetSession() {
  remove("session");
  dispatchEvent(new CustomEvent("session"));
}

/** @param {string} token */
function expire(token) {
  const session = read("session");
  // Another tab may have signed in again meanwhile.
  if (session?.token === token) keepSession(session.player, null);
}

/**
 * Join as a guest under a name. Throws ApiError with `name_taken` or `name_refused`.
 * @param {string} displayName
 * @returns {Promise<Player>}
 */
async function join(displayName) {
  const answer = await post("players/", { display_name: displayName }, { anonymous: true });
  keepSession(answer.player, answer.token);
  return answer.player;
}

/** @type {Promise<Player> | null} */
let joining = null;

/**
 * Return the player of this browser; without one, join as a guest with a made-up name.
 *
 * Two callers at once share one guest.
 * @param {string} guestName the first word of that name, in the player's language
 */
export function ensurePlayer(guestName) {
  // Only one tab joins; the others then find its guest.
  joining ??= oneTab("join", () => joinAsGuest(guestName)).finally(() => {
    joining = null;
  });
  return joining;
}

/** @param {string} guestName */
async function joinAsGuest(guestName) {
  for (let tries = 0; ; tries += 1) {
    const known = player();
    if (known) return known;
    const [number] = crypto.getRandomValues(new Uint32Array(1));
    try {
      return await join(`${guestName} ${String(number % 1_000_000).padStart(6, "0")}`);
    } catch (error) {
      const isTaken = error instanceof ApiError && error.code === "name_taken";
      if (!isTaken || tries === 4) throw error;
    }
  }
}

/**
 * Sign in with name and password; this browser gets a token of its own.
 * @param {string} displayName
 * @param {string} password
 * @returns {Promise<Player>}
 */
export async function signIn(displayName, password) {
  const body = { display_name: displayName, password };
  const answer = await post("tokens/", body, { anonymous: true });
  keepSession(answer.player, answer.token);
  return answer.player;
}

/** Sign out: the token is void at once, where the service can be reached. */
export async function signOut() {
  try {
    await call("DELETE", "tokens/current/");
  } finally {
    forgetSession();
  }
}
