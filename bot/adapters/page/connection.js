// The line to the server: what is said is kept until the server has acknowledged it, and said again after a break.

const FIRST_PAUSE = 300;
const LONGEST_PAUSE = 4000;
const SILENCE = 4000;

class Connection extends EventTarget {
  #socket = null;
  #pause = FIRST_PAUSE;
  #timer = 0;
  #proof = 0;
  #counter = 0;

  // `last` tells the number of the newest entry that the page shows.
  constructor(last) {
    super();
    this.last = last;
    this.state = "connecting";
    window.addEventListener("online", () => this.#check());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.#check());
    window.addEventListener("pagehide", () => this.#socket?.close());
    window.addEventListener("pageshow", (event) => event.persisted && this.open());
  }

  open() {
    clearTimeout(this.#timer);
    const address = new URL(`${location.pathname}/socket?after=${this.last()}`, location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.onopen = () => {
      this.#pause = FIRST_PAUSE;
      for (const said of this.unsent()) socket.send(JSON.stringify(said));
    };
    socket.onmessage = (event) => socket === this.#socket && this.#told(JSON.parse(event.data));
    socket.onclose = (event) => socket === this.#socket && this.#closed(event.code);
  }

  // Everything that was said and not yet acknowledged, oldest first; also from before a reload.
  unsent() {
    return memory.keys("unsent.").map((key) => JSON.parse(memory.get(key)));
  }

  say(what) {
    // The id sorts by time, so that what was said first is said again first.
    const count = String(this.#counter++ % 1e4).padStart(4, "0");
    const chance = Math.random().toString(36).slice(2, 10);
    const said = { type: "say", id: `${Date.now().toString(36)}-${count}-${chance}`, ...what };
    memory.set(`unsent.${said.id}`, JSON.stringify(said));
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(said));
    return said;
  }

  // A question that counts now or not at all: whoever asks does so again after a break.
  ask(question) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(question));
  }

  #told(notice) {
    clearTimeout(this.#proof);
    switch (notice.type) {
      case "entries":
        if (notice.history) this.#become("connected");
        break;
      case "store":
        this.#become(notice.up ? "connected" : "store");
        break;
      case "waiting":
        this.#become("store");
        break;
      case "ack":
        this.#become("connected");
        memory.remove(`unsent.${notice.id}`);
        break;
      case "failed":
        memory.remove(`unsent.${notice.id}`);
        break;
    }
    this.dispatchEvent(new CustomEvent(notice.type, { detail: notice }));
  }

  #closed(code) {
    this.#become(code === setup.tooMany ? "many" : this.state === "connecting" ? "connecting" : "lost");
    this.#timer = setTimeout(() => this.open(), this.#pause);
    this.#pause = Math.min(LONGEST_PAUSE, this.#pause * 2);
  }

  #become(state) {
    if (state === this.state) return;
    this.state = state;
    this.dispatchEvent(new Event("state"));
  }

  // A phone that slept may hold a dead line that looks open.
  #check() {
    if (this.#socket?.readyState === WebSocket.OPEN) {
      this.#socket.send(JSON.stringify({ type: "here" }));
      clearTimeout(this.#proof);
      this.#proof = setTimeout(() => this.#again(), SILENCE);
    } else if (this.#socket?.readyState === WebSocket.CLOSED) {
      this.open();
    }
  }

  #again() {
    const old = this.#socket;
    this.#become("lost");
    this.open();
    old?.close();
  }
}
