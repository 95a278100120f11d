// Where the cells of a board lie on the page: turned as the reader likes it, in hundredths of the distance of neighbours.

const PITCH = 100;
const STEPS = { square: 4, hexagon: 6 };

class Layout {
  // `board` as the server describes it; `turns` by a quarter or a sixth of a turn.
  constructor(board, turns) {
    this.shape = board.shape;
    const angle = (turns * 2 * Math.PI) / STEPS[this.shape];
    this.turn = (x, y) => [
      PITCH * (x * Math.cos(angle) - y * Math.sin(angle)),
      PITCH * (x * Math.sin(angle) + y * Math.cos(angle)),
    ];
    this.places = new Map(board.cells.map(([name, x, y]) => [name, this.turn(x, y)]));
    this.raw = new Map(board.cells.map(([name, x, y]) => [name, [x, y]]));
    this.labels = this.shape === "square" ? this.#sides(board) : this.#letters(board);
    this.box = this.#box(board);
  }

  at(cell) {
    return this.places.get(cell);
  }

  // The pairs of neighbours among the cells of one group.
  bonds(cells) {
    const found = [];
    for (let i = 0; i < cells.length; i++) {
      for (let j = 0; j < i; j++) if (this.distance(cells[i], cells[j]) < 1.01) found.push([cells[j], cells[i]]);
    }
    return found;
  }

  distance(one, other) {
    const [a, b] = [this.raw.get(one), this.raw.get(other)];
    return Math.hypot(a[0] - b[0], a[1] - b[1]);
  }

  // The cell that lies from `cell` as `to` lies from `from`.
  shifted(cell, from, to) {
    const [[x, y], a, b] = [this.raw.get(cell), this.raw.get(from), this.raw.get(to)];
    return this.#nearest(this.raw, x + b[0] - a[0], y + b[1] - a[1], 0.1);
  }

  // The cell under a point of the drawing, or null.
  under(x, y) {
    return this.#nearest(this.places, x, y, 0.6 * PITCH);
  }

  // The next cell from `cell` towards the left (-1, 0), the right, up (0, -1) or down.
  next(cell, dx, dy) {
    const [x, y] = this.at(cell);
    let [best, least] = [cell, Infinity];
    for (const [name, [px, py]] of this.places) {
      const along = (px - x) * dx + (py - y) * dy;
      const aside = Math.abs((px - x) * dy - (py - y) * dx);
      if (along < 10 || aside > along) continue;
      // Of two that lie alike the one nearer to the board's middle.
      const cost = along + 0.3 * aside + 0.001 * Math.hypot(px, py);
      if (cost < least) [best, least] = [name, cost];
    }
    return best;
  }

  outline(radius) {
    return [30, 90, 150, 210, 270, 330]
      .map((angle) => [radius * Math.cos((angle * Math.PI) / 180), radius * Math.sin((angle * Math.PI) / 180)])
      .map((point) => point.map((value) => value.toFixed(1)).join(","))
      .join(" ");
  }

  #nearest(places, x, y, within) {
    let [best, least] = [null, within];
    for (const [name, [px, py]] of places) {
      const distance = Math.hypot(px - x, py - y);
      if (distance < least) [best, least] = [name, distance];
    }
    return best;
  }

  #sides({ size }) {
    const labels = [];
    const [half, out] = [(size - 1) / 2, size / 2 + 0.5];
    for (let i = 0; i < size; i++) {
      for (const side of [-out, out]) labels.push([String(i + 1), ...this.#beside(side, half - i)]);
      labels.push([String.fromCharCode(97 + i), ...this.#beside(i - half, out)]);
    }
    return labels;
  }

  // Letters stay below and numbers at the sides by half turns; on a quarter they go with their lines.
  #beside(x, y) {
    const place = this.turn(x, y);
    const [dx, dy] = place;
    return dy < 0 && Math.abs(dy) > Math.abs(dx) ? [dx, -dy] : place;
  }

  #letters({ cells }) {
    const rows = new Map();
    for (const [name, x, y] of cells) {
      const row = rows.get(name[0]);
      if (!row || x < row[1]) rows.set(name[0], [name, x, y]);
    }
    return [...rows].map(([letter, [, x, y]]) => [letter, ...this.turn(x - 0.93, y)]);
  }

  #box({ size }) {
    if (this.shape === "square") {
      const half = (PITCH * (size + 0.28)) / 2;
      const margin = Math.max(half * 0.115, 66); // what a letter below the line needs
      return { x: -half - margin, y: -half - 4, width: 2 * (half + margin), height: 2 * half + margin + 8, half };
    }
    const points = [...this.places.values()].map(([x, y]) => [Math.abs(x) + 62, Math.abs(y) + 72]);
    points.push(...this.labels.map(([, x, y]) => [Math.abs(x) + 26, Math.abs(y) + 28]));
    const [width, height] = [0, 1].map((axis) => Math.max(...points.map((point) => point[axis])));
    return { x: -width, y: -height, width: 2 * width, height: 2 * height };
  }
}
