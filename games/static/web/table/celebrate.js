// A short shower of suits over the table of a won game.

import { suitImage } from "./deck.js";
import { isStill } from "./render.js";

const PIECES = 36;

/**
 * Let suits rain over an element, unless the system or the player prefers no motion.
 * @param {HTMLElement} root
 */
export function celebrate(root) {
  if (isStill()) return;
  const shower = document.createElement("div");
  shower.className = "shower";
  shower.setAttribute("aria-hidden", "true");
  root.parentElement?.append(shower);
  const height = root.clientHeight;
  /** @type {Animation | undefined} */
  let last;
  for (let at = 0; at < PIECES; at += 1) {
    const piece = document.createElement("span");
    piece.style.backgroundImage = suitImage(at % 4);
    piece.style.left = `${(100 * (at + Math.random())) / PIECES}%`;
    shower.append(piece);
    const turn = 360 * (Math.random() - 0.5);
    last = piece.animate(
      [
        { transform: "translateY(-40px) rotate(0)", opacity: 1 },
        { transform: `translateY(${height * 0.8}px) rotate(${turn}deg)`, opacity: 1, offset: 0.8 },
        { transform: `translateY(${height}px) rotate(${turn * 1.2}deg)`, opacity: 0 },
      ],
      {
        duration: 1_600 + Math.random() * 900,
        delay: Math.random() * 500,
        easing: "cubic-bezier(.3,.1,.7,1)",
        fill: "both",
      },
    );
  }
  last?.finished.then(() => setTimeout(() => shower.remove(), 900));
}
