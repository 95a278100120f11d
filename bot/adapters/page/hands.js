// Fingers and mice on the board: dragging a piece, two fingers that zoom.

const FAR = 7; // pixels before a press is a drag

class Hands {
  #press = null; // {cell, x, y, id, dragging}
  #pinch = null; // {distance, zoom}

  // `board` is told: lift(cell) -> whether it can be dragged, carry(cell, x, y), drop(cell, [x, y] or null).
  constructor(stage, svg, board) {
    this.stage = stage;
    this.svg = svg;
    this.board = board;
    this.wasDrag = false; // the click that ends a drag is none
    svg.addEventListener("pointerdown", (event) => this.#down(event));
    svg.addEventListener("pointermove", (event) => this.#move(event));
    svg.addEventListener("pointerup", (event) => this.#up(event));
    svg.addEventListener("pointercancel", () => this.#cancel());
    stage.addEventListener("touchstart", (event) => this.#touch(event), { passive: false });
    stage.addEventListener("touchmove", (event) => this.#stretch(event), { passive: false });
    stage.addEventListener("touchend", () => (this.#pinch = null));
    stage.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
  }

  #down(event) {
    this.wasDrag = false;
    const cell = event.target.closest(".movable")?.dataset.cell;
    if (!cell || event.button !== 0 || !event.isPrimary) return;
    this.#press = { cell, x: event.clientX, y: event.clientY, id: event.pointerId, dragging: false };
  }

  #move(event) {
    const press = this.#press;
    if (!press || event.pointerId !== press.id) return;
    if (!press.dragging) {
      if (Math.hypot(event.clientX - press.x, event.clientY - press.y) < FAR) return;
      if (!this.board.lift(press.cell)) {
        this.#press = null;
        return;
      }
      press.dragging = true;
      this.wasDrag = true;
      this.svg.setPointerCapture(press.id);
    }
    this.board.carry(press.cell, ...this.#place(event));
  }

  #up(event) {
    const press = this.#press;
    this.#press = null;
    if (press?.dragging) this.board.drop(press.cell, this.#place(event));
  }

  #cancel() {
    if (this.#press?.dragging) this.board.drop(this.#press.cell, null);
    this.#press = null;
  }

  // Where an event happened, in the drawing's own measure.
  #place({ clientX, clientY }) {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return [x, y];
  }

  #touch(event) {
    if (event.touches.length !== 2) return;
    this.#cancel();
    this.wasDrag = true;
    this.#pinch = { distance: this.#span(event), zoom: this.board.zoom() };
  }

  #stretch(event) {
    if (!this.#pinch || event.touches.length !== 2) return;
    event.preventDefault();
    const box = this.stage.getBoundingClientRect();
    const [one, other] = event.touches;
    const zoom = (this.#pinch.zoom * this.#span(event)) / this.#pinch.distance;
    const middle = [(one.clientX + other.clientX) / 2 - box.left, (one.clientY + other.clientY) / 2 - box.top];
    this.board.zoomTo(Math.min(3, Math.max(1, zoom)), ...middle);
  }

  #span({ touches: [one, other] }) {
    return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
  }

  // A trackpad's pinch comes as a wheel with the control key.
  #wheel(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const box = this.stage.getBoundingClientRect();
    const zoom = Math.min(3, Math.max(1, this.board.zoom() * Math.exp(-event.deltaY / 200)));
    this.board.zoomTo(zoom, event.clientX - box.left, event.clientY - box.top);
  }
}
