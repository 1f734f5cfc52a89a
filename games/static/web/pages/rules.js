// Draws the cards of every figure on a page of rules, and again when the deck changes.

import { drawFigure } from "../table/deck.js";

function drawAll() {
  /** @type {NodeListOf<HTMLElement>} */
  const figures = document.querySelectorAll("figure[data-cards]");
  figures.forEach(drawFigure);
}

drawAll();
addEventListener("settings", drawAll);
