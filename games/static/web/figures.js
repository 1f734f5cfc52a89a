// Draws the cards of every figure on a page of rules, and again when the deck changes.

import { drawFigure } from "./cards.js";

function drawAll() {
  document.querySelectorAll("figure[data-cards]").forEach(drawFigure);
}

drawAll();
addEventListener("settings", drawAll);
