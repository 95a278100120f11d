// Draws a board as the pictures show it. Colours come from the style sheet; nothing here knows a rule.

function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const CROSS = "M-20-20 20 20M-20 20 20-20";
const SIZES = {
  ayu: { piece: 45.5, bar: 34, contour: 4.5, start: 5 },
  volo: { piece: 43.5, bar: 60, contour: 6, start: 30 },
};

class Painter {
  constructor(layout, board) {
    this.layout = layout;
    this.game = board.game;
    this.hex = layout.shape === "hexagon";
    this.sizes = SIZES[board.game] ?? SIZES[this.hex ? "volo" : "ayu"];
    this.looks = this.hex ? "volo" : "ayu";
  }

  ground(board) {
    const parts = this.hex ? this.#sky(board) : this.#wood(board);
    for (const [text, x, y] of this.layout.labels) parts.push(draw("text", { class: "coordinate", x, y }, text));
    return parts;
  }

  #wood({ size }) {
    const { half } = this.layout.box;
    const edge = ((size - 1) / 2) * PITCH;
    const lines = [];
    for (let i = 1; i < size - 1; i++) {
      const place = i * PITCH - edge;
      lines.push(`M${-edge} ${place}H${edge}M${place} ${-edge}V${edge}`);
    }
    const square = { x: -half, y: -half, width: 2 * half, height: 2 * half, rx: half * 0.045 };
    return [
      draw("rect", { class: "wood", ...square }),
      draw("path", { class: "grid", d: lines.join("") }),
      draw("rect", { class: "grid edge", x: -edge, y: -edge, width: 2 * edge, height: 2 * edge }),
      draw("circle", { class: "star", r: 7.5 }),
    ];
  }

  #sky() {
    const places = [...this.layout.places];
    const each = (kind, radius, more = []) => [
      ...places.map(([, [x, y]]) => this.#hexagon(kind, radius, x, y)),
      ...more,
    ];
    return [
      ...each("plate", 69.3, [this.#hexagon("plate", 69.3, 0, 0)]),
      ...each("space", 55.1),
      ...places.map(([name, [x, y]]) => draw("text", { class: "name", x, y }, name)),
    ];
  }

  #hexagon(kind, radius, x, y) {
    return draw("polygon", { class: kind, points: this.layout.outline(radius), transform: `translate(${x} ${y})` });
  }

  // One piece, at the place of `cell`.
  piece(side, cell, scale = 1) {
    const [x, y] = this.layout.at(cell);
    const inner = draw("use", { href: `#${this.looks}-${side}`, x: 0, y: 0 });
    if (scale !== 1) inner.setAttribute("transform", `scale(${scale})`);
    const group = draw("g", { class: "piece", transform: `translate(${x} ${y})`, "data-at": cell }, inner);
    if (scale === 1 && !this.hex) group.prepend(draw("circle", { class: "shadow", r: 49, cx: 1.5, cy: 3 }));
    return group;
  }

  bars(side, groups, kind = "bar", wider = 0) {
    const bonds = groups.flatMap((cells) => this.layout.bonds(cells));
    const path = bonds.map(([one, other]) => `M${this.layout.at(one)}L${this.layout.at(other)}`).join("");
    const line = (name, width) => draw("path", { class: `${name} side-${side}`, d: path, "stroke-width": width });
    if (!path) return [];
    if (kind !== "bar" || this.hex) return [line(kind, this.sizes.bar + wider)];
    return [line("bar-rim", this.sizes.bar + 3.2), line("bar", this.sizes.bar)];
  }

  contour(cells) {
    return cells.map((cell) => this.#disc("contour", cell, this.sizes.piece + this.sizes.contour));
  }

  #disc(kind, cell, r) {
    const [cx, cy] = this.layout.at(cell);
    return draw("circle", { class: kind, cx, cy, r });
  }

  // What hides the ground under a pale piece.
  bare(cell) {
    return this.#disc("bare", cell, 38);
  }

  tint(number, cells) {
    return cells.map((cell) => {
      const [x, y] = this.layout.at(cell);
      return this.#hexagon(`tint region-${(number % 6) + 1}`, 55.1, x, y);
    });
  }

  badge(number, cells, taken) {
    const places = cells.map((cell) => this.layout.at(cell));
    const middle = [0, 1].map((axis) => places.reduce((sum, place) => sum + place[axis], 0) / places.length);
    const far = (cell) => Math.hypot(...this.layout.at(cell).map((value, axis) => value - middle[axis]));
    const free = cells.filter((cell) => !taken.has(cell));
    const [cell] = (free.length ? free : [...cells]).sort((one, other) => far(one) - far(other));
    const [x, y] = this.layout.at(cell);
    return [
      this.#disc("halo", cell, 42),
      this.#disc(`badge region-${(number % 6) + 1}`, cell, 38.5),
      draw("text", { class: "badge-number", x, y }, String(number + 1)),
    ];
  }

  ghost(side, cell) {
    const r = this.sizes.piece * 0.9;
    const dash = (2 * Math.PI * r) / 9;
    const ring = this.#disc("ghost-ring", cell, r);
    ring.setAttribute("stroke-dasharray", `${dash * 0.6} ${dash * 0.4}`);
    return [this.#disc(`ghost side-${side}`, cell, r), ring];
  }

  removed(side, cell) {
    const [x, y] = this.layout.at(cell);
    return [
      this.#disc("removed-ground", cell, this.sizes.piece * 0.9),
      this.#disc(`ghost side-${side}`, cell, this.sizes.piece * 0.9),
      draw("path", { class: "cross", d: CROSS, transform: `translate(${x} ${y})` }),
    ];
  }

  reached(side, cell) {
    if (!this.hex) return [this.#disc(`reached side-${side}`, cell, 20.7)];
    return [this.#disc("reached-halo", cell, 42.5), this.#disc("reached", cell, 42.5)];
  }

  goal(cell) {
    if (this.hex) return [this.#disc("goal-ring", cell, 38)];
    return [this.#disc("halo", cell, 20), this.#disc("goal-dot", cell, 16.5)];
  }

  // A piece that may be chosen.
  pick(cell) {
    const r = this.sizes.piece + 2;
    const dash = (2 * Math.PI * r) / 8;
    const rings = [this.#disc("pick-halo", cell, r), this.#disc("pick", cell, r)];
    rings[1].setAttribute("stroke-dasharray", `${dash * 0.55} ${dash * 0.45}`);
    return rings;
  }

  chosen(cell) {
    const [x, y] = this.layout.at(cell);
    if (this.hex) return [this.#hexagon("chosen", 55.1, x, y)];
    return [this.#disc("halo", cell, 50), this.#disc("chosen", cell, 48), this.#disc("halo", cell, 37.5)];
  }

  // The way from `start` to `end`: growing dots and an arrowhead.
  trail(start, end) {
    const [[x0, y0], [x1, y1]] = [this.layout.at(start), this.layout.at(end)];
    const length = Math.hypot(x1 - x0, y1 - y0);
    const [dx, dy] = [(x1 - x0) / length, (y1 - y0) / length];
    const reach = length - this.sizes.piece - 17;
    const count = Math.max(1, Math.floor((reach - 10) / 30));
    const parts = [];
    for (let i = 0; i < count; i++) {
      const far = reach - (count - i) * 30;
      if (far < this.sizes.start) continue;
      const at = { cx: x0 + dx * far, cy: y0 + dy * far };
      const r = 4 + (3.5 * i) / count;
      parts.push(draw("circle", { class: "trail-halo", ...at, r: r + 2.2 }), draw("circle", { class: "trail", ...at, r }));
    }
    const angle = (Math.atan2(dy, dx) * 180) / Math.PI;
    const place = `translate(${x0 + dx * reach} ${y0 + dy * reach}) rotate(${angle})`;
    parts.push(draw("path", { class: "trail-head", d: "M16 0-10-10.5-6 0-10 10.5Z", transform: place }));
    return parts;
  }

  // The ways of a move, one for each row of pieces: from what was left empty to the foremost that was reached.
  trails(moved, taken) {
    const goals = moved.map(([, goal]) => goal);
    const left = moved.map(([cell]) => cell).filter((cell) => !taken.has(cell) || moved.length === 1);
    const found = [];
    for (const [start, goal] of moved) {
      if (start === goal || !left.includes(start)) continue;
      const [first] = this.#onTheWay(start, goal, [...goals, ...left]);
      if (!left.includes(first)) found.push([start, first]);
    }
    return found;
  }

  #onTheWay(start, goal, cells) {
    const [[x0, y0], [x1, y1]] = [this.layout.at(start), this.layout.at(goal)];
    const length = Math.hypot(x1 - x0, y1 - y0);
    const along = (cell) => {
      const [x, y] = this.layout.at(cell);
      return ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / length;
    };
    const isThere = (cell) => {
      const [x, y] = this.layout.at(cell);
      const aside = ((x - x0) * (y1 - y0) - (y - y0) * (x1 - x0)) / length;
      return Math.abs(aside) < PITCH / 4 && along(cell) > 1 && along(cell) < length - 1;
    };
    return [...cells.filter(isThere).sort((one, other) => along(one) - along(other)), goal];
  }

  // What takes the taps and the focus of one cell.
  target(cell) {
    const [x, y] = this.layout.at(cell);
    const place = { transform: `translate(${x} ${y})` };
    const shape = (kind, inset) =>
      this.hex
        ? draw("polygon", { class: kind, points: this.layout.outline(57.7 - inset) })
        : draw("rect", { class: kind, x: inset - 50, y: inset - 50, width: 100 - 2 * inset, height: 100 - 2 * inset, rx: 14 });
    return draw(
      "g",
      { class: "cell", role: "button", tabindex: -1, "data-cell": cell, ...place },
      shape("hit", 0),
      shape("focus-halo", 7),
      shape("focus", 7),
    );
  }
}
