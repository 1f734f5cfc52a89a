// The public API (docs/contract.md), and who is calling it.

import { read, remove, write } from "./store.js";
import { oneTab } from "./tabs.js";

const ROOT = "/api/v1/";
const TIMEOUT_MS = 20_000;

/** A refusal by the service: `status`, and of its first error `code`, `detail` and `attr`. */
export class ApiError extends Error {
  constructor(status, error, retryAfterS) {
    super(error.detail);
    Object.assign(this, { status, code: error.code, detail: error.detail, attr: error.attr });
    this.retryAfterS = retryAfterS;
  }
}

/** No answer, or none that the service made: offline, a timeout, a proxy's error page. */
export class NetworkError extends Error {}

/**
 * Call the API and return the decoded answer (null for one without a body).
 *
 * The player's token is sent along unless `anonymous`. Raises ApiError for what the service
 * refuses and NetworkError when it could not be asked.
 */
export async function call(method, path, { body, anonymous = false } = {}) {
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

export const get = (path, options) => call("GET", path, options);
export const post = (path, body, options) => call("POST", path, { ...options, body });

// --- Who plays here ----------------------------------------------------------------------------

/**
 * Return the player of this browser, `{id, display_name, has_password, ...}`, or null.
 *
 * It is also null when the token was refused; `expiredPlayer()` then says whose it was.
 */
export function player() {
  const session = read("session");
  return session?.token ? session.player : null;
}

/** Return who was signed in here until the service refused the token, or null. */
export function expiredPlayer() {
  const session = read("session");
  return session && !session.token ? session.player : null;
}

/** Keep a player and, when it is new, the token; tell the page by the event `session`. */
export function keepSession(found, token = read("session")?.token) {
  write("session", { player: found, token });
  dispatchEvent(new CustomEvent("session"));
}

/** Forget who played here. Games and logs that wait for their receipt are kept. */
export function forgetSession() {
  remove("session");
  dispatchEvent(new CustomEvent("session"));
}

function expire(token) {
  const session = read("session");
  // Another tab may have signed in again meanwhile.
  if (session?.token === token) keepSession(session.player, null);
}

/** Join as a guest under a name; raises ApiError with `name_taken` or `name_refused`. */
export async function join(displayName) {
  const answer = await post("players/", { display_name: displayName }, { anonymous: true });
  keepSession(answer.player, answer.token);
  return answer.player;
}

let joining = null;

/**
 * Return the player of this browser; whoever has none becomes a guest with a made-up name.
 *
 * `guestName` is that name's first word in the player's language. Two callers at once share one
 * guest.
 */
export function ensurePlayer(guestName) {
  // Of all tabs one joins; the others then find its guest.
  joining ??= oneTab("join", () => joinAsGuest(guestName)).finally(() => {
    joining = null;
  });
  return joining;
}

async function joinAsGuest(guestName) {
  for (let tries = 0; ; tries += 1) {
    if (player()) return player();
    const [number] = crypto.getRandomValues(new Uint32Array(1));
    try {
      return await join(`${guestName} ${String(number % 1_000_000).padStart(6, "0")}`);
    } catch (error) {
      if (error.code !== "name_taken" || tries === 4) throw error;
    }
  }
}

/** Sign in by name and password; the token kept here is that of this browser alone. */
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
