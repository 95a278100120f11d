// The live board: shows a match as the server describes it, and makes moves of taps, drags and keys.

const ZOOMS = [1, 1.5, 2, 3];

class Board extends EventTarget {
  #root = document.getElementById("board");
  #stage = document.getElementById("stage");
  #svg = document.getElementById("field");
  #slider = document.getElementById("moment");
  #board = null;
  #taps = null;
  #asked = { look: 0, weigh: 0 };
  #sent = null; // a move on its way: {moved, added}
  #played = false; // whether the reader's last step was a move
  #message = ""; // what a tap came to
  #cells = new Map();
  #picture = null;
  #at = ""; // the cell that has the keyboard
  #over = ""; // the cell under the pointer or the focus
  #zoom = 1;

  constructor() {
    super();
    this.match = "";
    this.shown = null; // null: the present
    this.#svg.addEventListener("click", (event) => this.#clicked(event));
    this.#svg.addEventListener("keydown", (event) => this.#key(event));
    for (const kind of ["pointerover", "focusin"]) this.#svg.addEventListener(kind, (event) => this.#hover(event.target));
    for (const kind of ["pointerleave", "focusout"]) this.#svg.addEventListener(kind, () => this.#hover(null));
    this.#slider.addEventListener("input", () => this.#look(Number(this.#slider.value)));
    const click = (id, action) => document.getElementById(id).addEventListener("click", action);
    click("before", () => this.#look((this.shown ?? this.#board.moves.length) - 1));
    click("after", () => this.#look((this.shown ?? this.#board.moves.length) + 1));
    click("turn", () => this.#turnRound());
    click("hints", () => this.#toggleHints());
    click("closer", () => this.#zoomTo(ZOOMS.find((zoom) => zoom > this.#zoom + 0.01) ?? this.#zoom));
    click("farther", () => this.#zoomTo(ZOOMS.findLast((zoom) => zoom < this.#zoom - 0.01) ?? this.#zoom));
    this.hands = new Hands(this.#stage, this.#svg, {
      zoom: () => this.#zoom,
      zoomTo: (zoom, x, y) => this.#zoomTo(zoom, x, y),
      lift: (cell) => this.#lift(cell),
      carry: (cell, x, y) => this.#carry(cell, x, y),
      drop: (cell, place) => this.#drop(cell, place),
    });
    // The menu closes when something else is done, or something in it was pressed.
    document.addEventListener("click", ({ target }) => !target.closest("summary") && this.#closeMenu());
    document.getElementById("offers").addEventListener("keydown", ({ key }) => key === "Escape" && this.#closeMenu());
    this.#showHints();
    this.#zoomTo(1);
  }

  #closeMenu() {
    const menu = document.querySelector("#offers details[open]");
    if (!menu) return;
    const hadFocus = menu.contains(document.activeElement);
    menu.open = false;
    if (hadFocus) menu.querySelector("summary").focus();
  }

  get board() {
    return this.#board;
  }

  // Shows what the server has described; null: there is no match.
  show(board) {
    const old = this.#board;
    this.#root.hidden = !board;
    this.#board = board;
    if (!board) return;
    const same = old?.match === board.match;
    if (!same) this.shown = null;
    this.match = board.match;
    const isNew = !same || old.ply !== board.ply || old.version !== board.version || old.shown !== board.shown;
    const kept = isNew || !board.turn !== !old.turn ? null : this.#taps;
    if (!same || old.size !== board.size) this.#arrange();
    this.#taps = new Taps(board, this.layout);
    if (kept) Object.assign(this.#taps, { chosen: kept.chosen, pending: kept.pending, choice: kept.choice });
    const expected = this.#sent;
    if (isNew) [this.#message, this.#played] = ["", false];
    if (isNew || expected?.settled) this.#sent = null;
    this.#refresh();
    if (same && isNew && !expected) this.#picture.slide(board.moved);
  }

  // What was said is saved or refused: what the server shows next is the truth.
  settle() {
    if (this.#sent) this.#sent.settled = true;
    this.lookAgain();
  }

  // True if that answers the last question of its kind, "look" or "weigh".
  answers(kind, number) {
    return number === this.#asked[kind];
  }

  // What the bot said to the reader alone about this match: the answer to a move, if one was just tapped.
  overhear(text) {
    if (this.#played) this.#warn(text.split("\n")[0]);
  }

  #warn(text) {
    this.#message = text;
    this.#tell();
  }

  // The answer to a text that was weighed.
  weighed(answer) {
    const moved = this.#weighing;
    if (answer.regions.length && moved) {
      this.#taps.choice = { regions: answer.regions, moved };
      this.#taps.chosen = null;
    }
    this.#message = answer.said;
    this.#refresh();
  }
  #weighing = null;

  translate() {
    if (this.#board) this.#refresh();
  }

  // ---- the drawing ----

  #arrange() {
    const turns = Number(memory.get(`turns.${this.#board.shape}`) ?? 0);
    this.layout = new Layout(this.#board, turns);
    this.#picture = new Picture(this.#svg, this.layout, this.#board);
    this.#root.style.setProperty("--ratio", this.layout.box.width / this.layout.box.height);
    this.#root.dataset.looks = this.#picture.looks;
    this.#cells = this.#picture.cells;
    if (!this.#cells.has(this.#at)) this.#at = this.#cells.keys().next().value;
    this.#cells.get(this.#at).setAttribute("tabindex", "0");
  }

  #refresh() {
    this.#paint();
    nameCells(this.#board, this.#taps, this.#cells, Boolean(this.#sent));
    this.#svg.setAttribute("aria-label", this.#board.about);
    this.#tell();
    showCards(this.#board, this.#picture.looks);
    this.#tools();
  }

  // The pieces of both sides, with a move that is not there yet as if it were.
  #position() {
    const board = this.#board;
    const sides = board.groups.map((groups) => groups.flat());
    const ahead = this.#sent ?? this.#taps.pending ?? this.#taps.choice;
    if (!ahead) return { sides, moved: board.moved, added: board.added, removed: board.removed, mover: board.mover };
    const { moved, added = [] } = ahead;
    const ways = new Map(moved);
    sides[board.side - 1] = [...sides[board.side - 1].map((cell) => ways.get(cell) ?? cell), ...added];
    return { sides, moved, added, removed: [], mover: board.side };
  }

  #paint() {
    const hinted = this.#hinted;
    this.#picture.paint(this.#position(), this.#board, this.#taps, { sending: Boolean(this.#sent), hinted });
    this.#preview();
  }

  get #hinted() {
    const { chosen, pending, choice } = this.#taps;
    return memory.get("hints") && this.#board.turn && !this.#sent && !chosen && !pending && !choice;
  }

  // Where what is chosen would stand, if the cell under the pointer were tapped.
  #preview() {
    const way = this.#taps.goals.get(this.#over);
    const adds = !this.#taps.chosen && !this.#taps.pending && !this.#taps.choice && !this.#sent && this.#taps.adds.has(this.#over);
    const cells = way ? way.to : adds ? [this.#over] : [];
    this.#picture.hold(cells, this.#board.side);
  }

  // ---- names, words, tools ----

  #tell() {
    const board = this.#board;
    const said = document.getElementById("said");
    const past = this.shown !== null && board.shown < board.moves.length;
    const now = past ? [board.said] : [board.said, board.status];
    const text = this.#message || (this.#taps.pending ? words.say("page.confirm", { move: this.#taps.pending.text }) : now.filter(Boolean).join(" "));
    if (said.textContent !== text) said.textContent = text;
    said.parentElement.classList.toggle("mine", Boolean(board.turn) && !this.#sent);
    said.parentElement.classList.toggle("warned", Boolean(this.#message) && !this.#taps.choice);
    this.#offer();
  }

  #offer() {
    const { pending, choice } = this.#taps;
    const button = (label, action, kind = "") => {
      const made = make("button", { type: "button", class: `button ${kind}` }, label);
      made.addEventListener("click", action);
      return made;
    };
    const undo = () => button(words.say("page.undo"), () => this.#undo());
    let offers = [];
    if (choice) offers = [...choice.regions.map((region) => button(region.label, () => this.#do(this.#taps.decide(region)))), undo()];
    else if (pending) offers = [button(words.say("page.play"), () => this.#send(pending, true), "primary"), undo()];
    else if (!this.#sent) {
      const press = (one) => button(one.label, () => this.#press(one), one.style ?? "");
      offers = this.#board.buttons.map(press);
      if (this.#board.others.length) {
        const list = make("div", { class: "menu" }, ...this.#board.others.map(press));
        const more = make("summary", { class: "button", "aria-label": words.say("page.more") }, "⋯");
        offers.push(make("details", { class: "more" }, more, list));
      }
    }
    // What stays as it is keeps the focus and an open menu; where the focus goes, its successor gets it.
    const list = document.getElementById("offers");
    const what = JSON.stringify([choice?.regions, pending?.text, !this.#sent && [this.#board.buttons, this.#board.others], words.language]);
    if (list.dataset.what === what) return;
    const hadFocus = list.contains(document.activeElement);
    const wasOpen = list.querySelector("details")?.open ?? false;
    list.dataset.what = what;
    list.replaceChildren(...offers);
    list.querySelector("details")?.toggleAttribute("open", wasOpen);
    if (hadFocus) (list.querySelector("details[open] summary") ?? this.#cells.get(this.#at)).focus();
  }

  #tools() {
    const { moves, shown } = this.#board;
    this.#slider.max = moves.length;
    this.#slider.value = shown;
    const label = shown ? `${shown}/${moves.length} ${moves[shown - 1]}` : `0/${moves.length}`;
    this.#slider.setAttribute("aria-valuetext", label);
    document.getElementById("moment-label").textContent = label;
    document.getElementById("before").disabled = shown === 0;
    document.getElementById("after").disabled = shown === moves.length;
    this.#root.classList.toggle("past", this.shown !== null);
  }

  // ---- taps ----

  #clicked(event) {
    if (this.hands.wasDrag) return;
    const cell = event.target.closest("[data-cell]")?.dataset.cell;
    if (!cell) return;
    this.#stand(cell);
    this.#tap(cell);
  }

  #tap(cell) {
    if (this.#sent) return;
    if (this.shown !== null) {
      this.#warn(words.say("page.past"));
      return;
    }
    this.#do(this.#taps.tap(cell));
  }

  #do(step) {
    this.#message = "";
    this.#played = false;
    switch (step.kind) {
      case "move":
        return this.#send(step, false);
      case "confirmed":
        return this.#send(step, true);
      case "weigh":
        this.#weighing = step.moved ?? null;
        this.#ask({ type: "weigh", match: this.#board.match, ply: this.#board.ply, text: step.text });
        return undefined;
      default:
        return this.#refresh();
    }
  }

  #send({ text, moved, added }, confirmed) {
    const [before, after, agreed] = this.#board.turn.play;
    this.#taps.clear();
    this.#message = "";
    this.#sent = { moved, added };
    this.#played = true;
    this.#press({ payload: before + text + (confirmed ? agreed : after) });
    this.#refresh();
  }

  #press(button) {
    this.dispatchEvent(new CustomEvent("press", { detail: { payload: button.payload } }));
  }

  #undo() {
    this.#taps.clear();
    this.#message = "";
    this.#refresh();
    this.#cells.get(this.#at).focus();
  }

  #ask(question) {
    const number = (this.#asked[question.type] += 1);
    this.dispatchEvent(new CustomEvent("ask", { detail: { ...question, number } }));
  }

  // Asks for the match as it is, or as it was after so many moves.
  #look(shown) {
    const moves = this.#board.moves.length;
    this.shown = shown >= moves ? null : Math.max(0, shown);
    this.#message = "";
    this.lookAgain();
  }

  // Asks for the match as it is now, or for another one.
  lookAgain(match = this.match) {
    if (match !== this.match) this.shown = null;
    // From now on it is asked for, whatever else happens until the answer is there.
    this.match = match;
    const shown = this.shown === null ? {} : { shown: this.shown };
    this.#ask({ type: "look", match, ...shown });
  }

  // ---- keys and pointers ----

  #stand(cell) {
    this.#cells.get(this.#at)?.setAttribute("tabindex", "-1");
    this.#at = cell;
    this.#cells.get(cell).setAttribute("tabindex", "0");
  }

  #key(event) {
    const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (arrow) {
      this.#stand(this.layout.next(this.#at, ...arrow));
      this.#cells.get(this.#at).focus();
    } else if (event.key === "Enter" || event.key === " ") this.#tap(this.#at);
    else if (event.key === "Escape") this.#undo();
    else return;
    event.preventDefault();
  }

  #hover(target) {
    const cell = target?.closest?.("[data-cell]")?.dataset.cell ?? "";
    if (cell === this.#over || !this.#board) return;
    this.#over = cell;
    this.#preview();
  }

  // A piece is lifted to be dragged; false if it cannot move.
  #lift(cell) {
    if (this.#sent || this.shown !== null || !this.#taps.canMove(cell)) return false;
    if (!this.#taps.chosen?.cells.includes(cell)) {
      this.#taps.clear();
      this.#taps.choose(cell);
    }
    this.#stand(cell);
    this.#refresh();
    return true;
  }

  #carry(cell, x, y) {
    const [x0, y0] = this.layout.at(cell);
    this.#picture.hold(this.#taps.chosen.cells, this.#board.side, [x - x0, y - y0]);
  }

  #drop(cell, place) {
    this.#picture.hold([], this.#board.side);
    const goal = place && this.layout.under(...place);
    if (goal) this.#do(this.#taps.drop(cell, goal));
    else this.#undo();
  }

  // ---- how it is looked at ----

  #turnRound() {
    const { shape } = this.#board;
    const turns = Number(memory.get(`turns.${shape}`) ?? 0);
    memory.set(`turns.${shape}`, String(shape === "square" ? (turns + 2) % 4 : (turns + 1) % 6));
    this.#arrange();
    const { chosen, pending, choice } = this.#taps;
    this.#taps = Object.assign(new Taps(this.#board, this.layout), { chosen, pending, choice });
    this.#refresh();
  }

  #toggleHints() {
    if (memory.get("hints")) memory.remove("hints");
    else memory.set("hints", "1");
    this.#showHints();
    this.#refresh();
  }

  #showHints() {
    document.getElementById("hints").setAttribute("aria-pressed", String(Boolean(memory.get("hints"))));
  }

  // `x` and `y`: the point of the stage that stays where it is.
  #zoomTo(zoom, x = this.#stage.clientWidth / 2, y = this.#stage.clientHeight / 2) {
    const stage = this.#stage;
    const grown = zoom / this.#zoom;
    const [left, top] = [(stage.scrollLeft + x) * grown - x, (stage.scrollTop + y) * grown - y];
    this.#zoom = zoom;
    this.#svg.style.width = this.#svg.style.height = `${100 * zoom}%`;
    stage.classList.toggle("close", zoom > 1);
    stage.scrollTo(left, top);
    document.getElementById("farther").disabled = zoom <= ZOOMS[0];
    document.getElementById("closer").disabled = zoom >= ZOOMS.at(-1);
  }
}
