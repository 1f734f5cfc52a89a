// The codes of refusals, which are those of the service. Only their types are used in the browser,
// so it never loads this file; tests/web holds the lists to the engine's.

/** @internal but for the tests */
export const CODE_ERRORS = /** @type {const} */ ([
  "code.format",
  "code.unknown_game",
  "code.unknown_version",
  "code.unknown_variant",
  "code.length",
  "code.letter",
  "code.range",
]);

/** @internal but for the tests */
export const LIMIT_ERRORS = /** @type {const} */ (["log.too_many_actions", "log.too_large"]);

/** @internal but for the tests */
export const REFUSAL_CODES = /** @type {const} */ ([
  "notation.token",
  "notation.count",
  "notation.group",
  "game.over",
  "stock.no_such",
  "stock.empty",
  "stock.not_empty",
  "stock.nothing_left",
  "waste.no_such",
  "waste.empty",
  "waste.no_entry",
  "column.no_such",
  "column.empty",
  "column.same_column",
  "column.king_only",
  "column.same_colour",
  "column.wrong_suit",
  "column.wrong_rank",
  "cell.no_such",
  "cell.empty",
  "cell.occupied",
  "cell.same_cell",
  "foundation.no_such",
  "foundation.empty",
  "foundation.not_next",
  "foundation.no_exchange",
  "group.one_at_a_time",
  "group.single_only",
  "group.not_a_run",
  "group.wrong_count",
  "group.too_long",
  "undo.nothing",
  "undo.limit",
]);

/** @typedef {(typeof CODE_ERRORS)[number]} CodeErrorCode */
/** @typedef {(typeof LIMIT_ERRORS)[number]} LimitErrorCode */
/** @typedef {(typeof REFUSAL_CODES)[number]} RefusalCode */
