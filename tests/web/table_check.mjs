// Lays out the table of every variant at many sizes, and prints as JSON what should not be.

import { start } from "../../games/static/web/rules/position.js";
import {
  boxOf,
  covers,
  kindOf,
  layOut,
  lieOf,
  neighbour,
  placesUnder,
} from "../../games/static/web/table/layout.js";

const CODES = ["EH1-N-AAAAAAF", "EO1-C8-AAAAAAF", "EO1-C4-AAAAAAF", "EO1-C2-AAAAAAF"];
const WIDTHS = [320, 360, 390, 480, 568, 740, 820, 1024, 1280, 1920, 2560];
const HEIGHTS = [300, 390, 480, 640, 780, 1100, 1600];
const OPPOSITE = { left: "right", right: "left", up: "down", down: "up" };

const problems = [];

function check(places, size, isMirrored) {
  const layout = layOut(places, size, { isMirrored });
  const { boxes, cardWidth, cardHeight } = layout;
  const at = `${places.length} places, ${size.width}x${size.height}, mirrored: ${isMirrored}`;
  const expect = (isTrue, what) => isTrue || problems.push(`${at}: ${what}`);
  const of = (kind) => places.filter((place) => kindOf(place) === kind);

  for (const [place, { x, y }] of boxes) {
    const isInside =
      x >= 0 && x + cardWidth <= size.width && y >= 0 && y + cardHeight <= size.height;
    expect(isInside, `${place} is outside`);
    expect(placesUnder(layout, { x, y })[0] === place, `${place} is not under a card on it`);
    expect(covers(layout, { x, y }, { x, y }), `${place} does not cover its own corner`);
    for (const direction of Object.keys(OPPOSITE)) {
      const next = neighbour(layout, place, direction);
      const back = next && neighbour(layout, next, OPPOSITE[direction]);
      expect(next === null || back !== null, `no way back from ${next} to ${place}`);
    }
  }
  // Every order but that of the drawn piles is from the left, for either hand.
  for (const kind of ["column", "cell", "foundation"]) {
    const xs = of(kind).map((place) => boxOf(layout, place).x);
    expect(`${xs}` === `${[...xs].sort((one, other) => one - other)}`, `${kind}s out of order`);
  }
  for (const kind of ["column", "cell"]) {
    const xs = of(kind).map((place) => boxOf(layout, place).x);
    const isApart = xs.every((x, index) => index === 0 || x - xs[index - 1] >= cardWidth);
    expect(isApart, `${kind}s overlap`);
  }
  for (const place of of("column")) {
    const lie = lieOf(layout, place, 13, 4);
    const tops = lie.map(({ y }) => y);
    expect(`${tops}` === `${[...tops].sort((one, other) => one - other)}`, "a column lies upwards");
    expect(tops.at(-1) + cardHeight <= size.height + 1, "a column hangs over the edge");
    expect(
      lie.every(({ isUp }, index) => isUp === index >= 4),
      "wrong cards face up",
    );
  }
}

for (const code of CODES) {
  const places = start(code).places();
  for (const width of WIDTHS) {
    for (const height of HEIGHTS) {
      for (const isMirrored of [false, true]) check(places, { width, height }, isMirrored);
    }
  }
}
console.log(JSON.stringify(problems.slice(0, 20)));
