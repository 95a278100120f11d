// What taps on a board come to. The server has said what may be played; here is only found which of it was meant.

class Taps {
  chosen = null; // {cells, ways, anchor, ends}: what is to move
  pending = null; // {text, moved, added}: a move that waits for its confirmation
  choice = null; // {regions, moved}: a flight that waits for the region that stays

  constructor(board, layout) {
    this.turn = board.turn;
    this.layout = layout;
    this.taken = new Set(board.groups.flat(2));
    this.adds = new Set(this.turn?.adds ?? []);
    this.byEnd = new Map();
    for (const piece of this.turn?.pieces ?? []) {
      for (const end of new Set([piece.cells[0], piece.cells.at(-1)])) {
        this.byEnd.set(end, [...(this.byEnd.get(end) ?? []), piece]);
      }
    }
  }

  canMove(cell) {
    return this.byEnd.has(cell);
  }

  // The cells on which a tap moves what is chosen, each with its way.
  get goals() {
    const goals = new Map();
    for (const way of this.chosen?.ways ?? []) goals.set(this.#handle(way), way);
    return goals;
  }

  // The other ends of lines that begin at the one bird that is chosen.
  get ends() {
    return this.chosen?.ends ?? new Map();
  }

  choose(cell) {
    const pieces = this.byEnd.get(cell) ?? [];
    const alone = pieces.find((piece) => piece.cells.length === 1);
    const lines = pieces.filter((piece) => piece.cells.length > 1);
    const ends = lines.map((piece) => [piece.cells[0] === cell ? piece.cells.at(-1) : piece.cells[0], piece]);
    this.chosen = { cells: [cell], ways: alone?.ways ?? [], anchor: cell, ends: new Map(ends) };
  }

  clear() {
    this.chosen = this.pending = this.choice = null;
  }

  // What a tap on `cell` is: a step that was taken here ("chosen", "cleared"), a move to make, or a text to weigh.
  tap(cell) {
    if (this.choice) {
      const region = this.choice.regions.find(({ cells }) => cells.includes(cell));
      if (region) return this.decide(region);
      this.clear();
      return { kind: "cleared" };
    }
    if (this.pending) {
      const { pending } = this;
      if ([...pending.moved.map(([, to]) => to), ...pending.added].includes(cell)) return { kind: "confirmed", ...pending };
      this.clear();
      return { kind: "cleared" };
    }
    if (this.chosen) return this.#second(cell);
    if (this.adds.has(cell)) return this.#move({ text: cell, moved: [], added: [cell] });
    if (!this.canMove(cell)) return { kind: "weigh", text: cell };
    this.choose(cell);
    return { kind: "chosen" };
  }

  #second(cell) {
    const way = this.goals.get(cell);
    if (way) return this.go(way);
    const line = this.ends.get(cell);
    if (this.chosen.cells.includes(cell)) {
      this.clear();
      return { kind: "cleared" };
    }
    if (line) {
      this.chosen = { ...line, anchor: cell, ends: new Map() };
      return { kind: "chosen" };
    }
    if (this.canMove(cell)) {
      this.choose(cell);
      return { kind: "chosen" };
    }
    return { kind: "weigh", text: this.#towards(cell) };
  }

  // What was dragged from one cell of what is chosen to another.
  drop(from, cell) {
    const index = this.chosen.cells.indexOf(from);
    const way = this.chosen.ways.find(({ to }) => to[index] === cell);
    if (way) return this.go(way);
    return cell === from ? { kind: "chosen" } : { kind: "weigh", text: this.#towards(cell, from) };
  }

  go(way) {
    const moved = this.chosen.cells.map((from, index) => [from, way.to[index]]);
    if (way.choose) return { kind: "weigh", text: way.text, moved };
    return this.#move({ text: way.text, moved, added: [] });
  }

  // The region that stays has been named.
  decide({ text }) {
    const { moved } = this.choice;
    this.choice = null;
    return this.#move({ text, moved, added: [] });
  }

  #move(move) {
    if (!this.turn.confirm) return { kind: "move", ...move };
    this.chosen = null;
    this.pending = move;
    return { kind: "pending" };
  }

  // As a person would write it: the goal is that of the first end.
  #towards(cell, from = this.chosen.anchor) {
    const { cells } = this.chosen;
    if (cells.length === 1) return `${cells[0]}-${cell}`;
    return `${cells[0]}:${cells.at(-1)}-${this.layout.shifted(cell, from, cells[0]) ?? cell}`;
  }

  // In file the foremost bird shows where a line goes, side by side the one that was tapped last.
  #handle({ to }) {
    const { cells, anchor } = this.chosen;
    if (cells.length === 1) return to[0];
    const vector = (one, other) => {
      const [a, b] = [this.layout.raw.get(one), this.layout.raw.get(other)];
      return [b[0] - a[0], b[1] - a[1]];
    };
    const [line, flight] = [vector(cells[0], cells.at(-1)), vector(cells[0], to[0])];
    if (Math.abs(line[0] * flight[1] - line[1] * flight[0]) > 0.01) return to[cells.indexOf(anchor)];
    return line[0] * flight[0] + line[1] * flight[1] > 0 ? to.at(-1) : to[0];
  }
}
