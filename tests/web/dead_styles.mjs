// Fails for every selector in the styles that no page can match: `npm run check`.
//
// A word in a template, or in a text of a module, is a use of a class, an element or an attribute.

import { PurgeCSS } from "purgecss";

const STYLES = "games/static/web/**/*.css";
const TEMPLATES = "{config,games,leaderboard}/templates/{*,web/**/*}.html";
const TAGS = "games/templatetags/web.py"; // draws small pictures
const MODULES = "games/static/web/**/*.js";

const WORD = /[\w-]+/g;
const words = (text) => text.match(WORD) ?? [];
const COMMENT = /^\s*(?:\/\/|\/?\*).*$/gm;
const TEXT = /(["'`])((?:\\.|(?!\1)[^\\])*)\1/gs;
const wordsOfTexts = (source) =>
  [...source.replace(COMMENT, "").matchAll(TEXT)].flatMap(([, , text]) => words(text));

const found = await new PurgeCSS().purge({
  css: [STYLES],
  content: [TEMPLATES, TAGS, MODULES],
  extractors: [
    { extensions: ["html"], extractor: words },
    { extensions: ["js", "py"], extractor: wordsOfTexts },
  ],
  // Set by scripts, through `dataset` and properties.
  dynamicAttributes: ["data-theme", "data-hand", "data-motion", "data-keyboard", "data-js"],
  safelist: [
    // Made of a word and a value: see toast() and the rows of a board.
    /^toast-(good|bad)$/,
    /^rank-[123]$/,
    // Selectors without a word of their own, which the tool does not read.
    ":focus-visible",
    ":is",
  ],
  rejected: true,
});

const dead = found.flatMap(({ file, rejected }) =>
  rejected.map((selector) => `${file}: ${selector.trim()}`),
);
for (const line of dead) console.error(line);
if (dead.length) {
  console.error(`${dead.length} selectors match nothing on any page.`);
  process.exitCode = 1;
}
