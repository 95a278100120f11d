// The drawing of one match: what lies on the board, what a tap has marked, what is held.

class Picture {
  #layers = {};

  constructor(svg, layout, board) {
    this.layout = layout;
    this.painter = new Painter(layout, board);
    this.looks = this.painter.looks;
    const { x, y, width, height } = layout.box;
    svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    const layers = ["ground", "under", "bars", "pieces", "marks", "held"].map((name) => {
      this.#layers[name] = draw("g", { class: name, "aria-hidden": "true" });
      return this.#layers[name];
    });
    this.#layers.ground.append(...this.painter.ground(board));
    // As one reads: from the top left.
    const names = [...layout.places].sort(([, one], [, other]) => Math.round(one[1] - other[1]) || one[0] - other[0]);
    this.cells = new Map(names.map(([name]) => [name, this.painter.target(name)]));
    svg.replaceChildren(...layers, ...this.cells.values());
  }

  // `position`: the pieces of both sides and the last move; `taps`: what was tapped.
  paint(position, board, taps, { sending, hinted }) {
    const taken = new Set(position.sides.flat());
    const regions = [...(taps.choice?.regions ?? []).entries()];
    this.#layers.under.replaceChildren(...this.#under(position, board.winners, taken, regions));
    this.#layers.bars.replaceChildren(
      ...position.sides.flatMap((cells, index) => (index + 1 === board.beaten ? [] : this.painter.bars(index + 1, [cells]))),
    );
    const chosen = new Set(taps.chosen?.cells ?? []);
    const piece = (side, cell) => this.#piece(side, cell, chosen.has(cell), side === board.beaten);
    this.#layers.pieces.replaceChildren(
      ...position.sides.flatMap((cells, index) => cells.flatMap((cell) => piece(index + 1, cell))),
    );
    this.#layers.pieces.classList.toggle("sending", sending);
    this.#layers.marks.replaceChildren(...this.#marks(position, taps, taken, regions), ...(hinted ? this.#hints(taps) : []));
  }

  #under({ moved, removed, mover }, winners, taken, regions) {
    const { painter } = this;
    const parts = regions.flatMap(([number, { cells }]) => painter.tint(number, cells));
    for (const [cell] of moved) if (!taken.has(cell)) parts.push(...painter.ghost(mover, cell));
    for (const cell of removed) if (!taken.has(cell)) parts.push(...painter.removed(3 - mover, cell));
    if (!winners.length) return parts;
    const wider = 2 * painter.sizes.contour;
    return [...parts, ...painter.bars(0, [winners], "contour-bar", wider), ...painter.contour(winners)];
  }

  #piece(side, cell, isChosen, isBeaten) {
    const { painter } = this;
    if (isChosen) return [...painter.chosen(cell), painter.piece(side, cell, painter.hex ? 0.84 : 0.78)];
    if (!isBeaten) return [painter.piece(side, cell)];
    const pale = painter.piece(side, cell, 0.86);
    pale.classList.add("beaten");
    return [painter.bare(cell), pale];
  }

  #marks({ moved, added, mover }, taps, taken, regions) {
    const { painter } = this;
    const reached = [...moved.map(([, to]) => to), ...added].filter((cell) => taken.has(cell));
    return [
      ...reached.flatMap((cell) => painter.reached(mover, cell)),
      ...painter.trails(moved, taken).flatMap(([start, goal]) => painter.trail(start, goal)),
      ...[...taps.goals.keys()].flatMap((cell) => painter.goal(cell)),
      ...[...taps.ends.keys()].flatMap((cell) => painter.pick(cell)),
      ...regions.flatMap(([number, { cells }]) => painter.badge(number, cells, taken)),
    ];
  }

  #hints(taps) {
    const movable = [...taps.byEnd.keys()].flatMap((cell) => this.painter.pick(cell));
    return [...movable, ...[...taps.adds].flatMap((cell) => this.painter.goal(cell))];
  }

  // Pieces that are not there: where a move would bring them, or (with `offset`) under the finger that drags them.
  hold(cells, side, offset = null) {
    const pieces = cells.map((cell) => this.painter.piece(side, cell));
    this.#layers.held.classList.toggle("preview", !offset);
    this.#layers.held.replaceChildren(draw("g", { transform: `translate(${offset ?? [0, 0]})` }, ...pieces));
  }

  // Pieces arrive by the way they took.
  slide(moved) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const [from, to] of moved) {
      const place = (cell) => ({ transform: `translate(${this.layout.at(cell).map((value) => `${value}px`)})` });
      const piece = this.#layers.pieces.querySelector(`[data-at="${to}"]`);
      piece?.animate([place(from), place(to)], { duration: 220, easing: "ease-out" });
    }
  }
}
