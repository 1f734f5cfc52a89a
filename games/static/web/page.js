// What a page's template gives its script: elements, data, and addresses to fill in.

/**
 * Return an element of the page by its id. Throws TypeError if it is missing or of another kind.
 * @template {Element} [T=HTMLElement]
 * @param {string} id
 * @param {new () => T} [kind]
 * @returns {T}
 */
export function find(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof (kind ?? HTMLElement))) throw new TypeError(`no such element: #${id}`);
  return /** @type {any} */ (found);
}

/**
 * Return the data attributes of an element, without those that the template left out.
 * @param {string} id
 */
export const dataOf = (id) => /** @type {Record<string, string>} */ (find(id).dataset);

/** @param {string} id */
const block = (id) => JSON.parse(find(id).textContent ?? "");

/**
 * Return the texts of a page about games: the names of the variants by slug, and the refusals by
 * code.
 * @returns {{variants: Record<string, string>, refusals: Record<string, string>}}
 */
export const textsOfGames = () => ({ variants: block("variants"), refusals: block("refusals") });

/**
 * What stands in an address for what only the script knows.
 * @type {Record<string, string>}
 */
const PLACEHOLDERS = {
  id: "00000000-0000-0000-0000-000000000000",
  variant: "VARIANT",
  date: "2000-01-01",
};

/**
 * Fill in an address that the template gave.
 * @param {string} template
 * @param {{id?: string, variant?: string, date?: string, code?: string}} values `id` of a player or
 *   an attempt, `code` of a deal for practice
 */
export function address(template, { code, ...values }) {
  let filled = template;
  for (const [name, value] of Object.entries(values)) {
    filled = filled.replace(PLACEHOLDERS[name], value);
  }
  return code === undefined ? filled : `${filled}?code=${code}`;
}

/**
 * Put parts before the name of the site in the title of the page.
 * @param {...string} parts
 */
export function setTitle(...parts) {
  document.title = [...parts, document.title.split(" – ").at(-1)].join(" – ");
}
