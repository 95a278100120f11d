// The log: entries as elements, and what scrolls.

class Log extends EventTarget {
  #entries = document.getElementById("entries");
  #pending = document.getElementById("pending");
  #log = document.getElementById("log");
  #shown = new Map(); // number -> {element, entry}
  #boards = new Map(); // match -> number of its newest board
  #retired = new Set();
  #own = new Set(); // ids of one's own texts that are shown
  #choices = new Map(); // match -> the private messages with buttons about what its newest board may not show yet
  #before = null; // the newest entry that has an element
  #stick = true; // whether the end stays in view
  #top = 0;

  constructor() {
    super();
    this.last = 0;
    this.#log.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    // What is drawn late, a keyboard that opens, a window that turns: who was at the end stays there.
    const observer = new ResizeObserver(() => this.#stick && this.toEnd());
    observer.observe(this.#log);
    observer.observe(document.getElementById("column"));
    this.#log.addEventListener("click", (event) => this.#clicked(event));
  }

  // Shows entries that are not shown yet; `fresh` tells whether they just happened. Returns those that are new.
  add(entries, fresh) {
    // Where the reader is now: the browser tells of a scroll later, perhaps after these entries.
    this.#scrolled();
    const added = entries.filter((entry) => entry.number > this.last);
    for (const entry of added) {
      this.last = entry.number;
      if (entry.kind === "retired") this.#retire(entry.message);
      else this.#show(entry);
    }
    if (!fresh) this.#log.setAttribute("aria-live", "polite");
    if (this.#stick) this.toEnd();
    else if (fresh && added.some((entry) => entry.kind !== "retired")) document.getElementById("newer").hidden = false;
    return added;
  }

  // The server keeps more than it shows.
  showCut() {
    document.getElementById("cut").hidden = false;
  }

  toEnd() {
    this.#stick = true;
    // A log that holds nothing yet shows its welcome from the beginning.
    this.#log.scrollTop = this.last || this.#pending.firstChild ? this.#log.scrollHeight : 0;
    this.#top = this.#log.scrollTop;
    document.getElementById("newer").hidden = true;
  }

  // True while the end stays in view.
  get follows() {
    return this.#stick;
  }

  // True if all from entry `number` on can be seen at once.
  fits(number) {
    return this.#below(number) <= this.#log.clientHeight;
  }

  // Shows the end or, where that would hide the beginning of entry `number`, that beginning.
  reveal(number) {
    this.toEnd();
    if (this.fits(number)) return;
    this.#stick = false;
    this.#log.scrollTop = this.#top = this.#log.scrollHeight - this.#below(number);
  }

  // How much is shown from the top of entry `number` to the end of the log, in pixels.
  #below(number) {
    const top = this.#shown.get(number).element.getBoundingClientRect().top;
    return this.#log.scrollHeight - (top - this.#log.getBoundingClientRect().top + this.#log.scrollTop);
  }

  // The language has changed: what is known in it is said in it.
  translate() {
    const live = this.#log.getAttribute("aria-live");
    this.#log.setAttribute("aria-live", "off"); // nothing of that is new
    for (const { element, entry } of this.#shown.values()) if (entry.others) this.#word(element, entry);
    setTimeout(() => this.#log.setAttribute("aria-live", live), 500);
  }

  // What was typed and is on its way.
  addPending(said) {
    if (this.#own.has(said.id)) return;
    const time = make("span", { "data-word": "page.sending" });
    const foot = make("span", { class: "foot" }, time);
    const bubble = make("div", { class: "bubble" }, make("div", { class: "words" }, said.text, foot));
    const element = make("div", { class: "entry said own pending", "data-id": said.id }, bubble);
    words.apply(element);
    this.#pending.append(element);
    this.toEnd();
  }

  settle(id) {
    this.#pending.querySelector(`[data-id="${id}"]`)?.remove();
    for (const button of this.#entries.querySelectorAll(`[data-said="${id}"]`)) {
      button.removeAttribute("aria-busy");
      delete button.dataset.said;
    }
  }

  fail(id, error) {
    const waiting = this.#pending.querySelector(`[data-id="${id}"]`);
    if (waiting) {
      waiting.classList.add("failed");
      const text = waiting.querySelector(".foot span");
      Object.assign(text.dataset, { word: "page.failed", error });
      words.apply(waiting);
    }
    for (const button of this.#entries.querySelectorAll(`[data-said="${id}"]`)) {
      button.removeAttribute("aria-busy");
      delete button.dataset.said;
    }
    return waiting !== null;
  }

  // The button that was pressed before a reload waits again.
  press(said) {
    const button = [...(this.#shown.get(said.entry)?.element.querySelectorAll("button[data-payload]") ?? [])].find(
      (one) => one.dataset.payload === said.payload,
    );
    if (!button) return;
    button.dataset.said = said.id;
    button.setAttribute("aria-busy", "true");
    // The answer is wanted in view, wherever the reader scrolled to press the button.
    this.#stick = true;
    this.#top = this.#log.scrollTop;
  }

  // Pictures that could not be fetched while there was no server.
  retryPictures() {
    for (const image of this.#entries.querySelectorAll("img.broken")) {
      image.classList.remove("broken");
      const address = new URL(image.src);
      address.searchParams.set("again", Date.now());
      image.src = address;
    }
  }

  #scrolled() {
    const log = this.#log;
    const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 60;
    // A picture that is drawn late moves the end away; only a reader who goes up leaves it.
    if (isAtEnd) this.#stick = true;
    else if (log.scrollTop < this.#top) this.#stick = false;
    this.#top = log.scrollTop;
    if (isAtEnd) document.getElementById("newer").hidden = true;
  }

  #clicked(event) {
    const button = event.target.closest("button[data-payload]");
    const picture = event.target.closest("button.picture");
    if (button && !button.disabled && !button.closest(".entry").querySelector("[aria-busy]")) {
      const entry = Number(button.closest(".entry").dataset.number);
      this.dispatchEvent(new CustomEvent("press", { detail: { entry, payload: button.dataset.payload } }));
    } else if (picture) {
      this.dispatchEvent(new CustomEvent("enlarge", { detail: picture.querySelector("img") }));
    }
  }

  #show(entry) {
    const element = entry.kind === "said" ? this.#said(entry) : this.#message(entry);
    element.dataset.number = entry.number;
    const before = this.#before;
    const day = words.day(entry.at);
    if (!before || words.day(before.at) !== day) {
      this.#entries.append(make("time", { class: "day", datetime: new Date(entry.at).toISOString(), "data-as": "day" }, day));
    } else if (before.kind === entry.kind && before.seat === entry.seat) {
      element.classList.add("follows");
    }
    this.#before = entry;
    this.#shown.set(entry.number, { element, entry });
    words.apply(element);
    this.#entries.append(element);
    if (entry.id) {
      this.#own.add(entry.id);
      this.settle(entry.id);
    }
    if (entry.replaces) this.#replace(entry.replaces, element);
    if (entry.match) this.#supersede(entry);
    if (this.#retired.has(entry.number)) this.#retire(entry.number);
  }

  // A newer board makes the older one's buttons useless, and what was asked privately about an older version. The board
  // itself may come after a question about what it shows: the live board was quicker.
  #supersede({ match, number, version = 0, board, private: asked, buttons }) {
    const choices = this.#choices.get(match) ?? [];
    if (board) {
      const old = choices.filter((choice) => choice.version < version || !version);
      for (const one of [this.#boards.get(match), ...old.map((choice) => choice.number)]) if (one) this.#retire(one);
      this.#choices.set(match, choices.filter((choice) => !old.includes(choice)));
      this.#boards.set(match, number);
    } else if (asked && buttons?.length) {
      this.#choices.set(match, [...choices, { number, version }]);
    }
  }

  #replace(number, element) {
    const old = this.#shown.get(number)?.element;
    if (!old) return;
    const hadFocus = old.contains(document.activeElement);
    old.remove();
    if (hadFocus) element.querySelector("button[data-payload]")?.focus({ preventScroll: true });
  }

  #retire(number) {
    this.#retired.add(number);
    const element = this.#shown.get(number)?.element;
    if (!element) return;
    element.classList.add("retired");
    for (const button of element.querySelectorAll("button[data-payload]")) button.disabled = true;
  }

  #said(entry) {
    const own = entry.seat === setup.seat;
    const content = make("div", { class: "words" });
    if (!own) content.append(make("bdi", { class: "who" }, entry.name));
    content.append(entry.text, this.#foot(entry));
    const bubble = make("div", { class: "bubble" }, content);
    return make("article", { class: `entry said${own ? " own" : ""}` }, icon(`bird-${entry.seat}`), bubble);
  }

  #message(entry) {
    const bubble = make("div", { class: "bubble" });
    const file = entry.file;
    const moving = file?.media_type === "image/gif";
    if (entry.picture) bubble.append(this.#picture());
    if (moving) bubble.append(this.#picture(`document/${entry.number}`, words.say("page.moving")));
    bubble.append(make("div", { class: "words" }, this.#foot(entry)));
    if (file) {
      const link = make("a", { class: "file", href: this.#address(`document/${entry.number}`), download: file.name });
      link.append(icon("icon-file"), make("span", { "data-word": "page.save", "data-file": file.name }));
      bubble.append(link);
    }
    if (entry.buttons?.length) bubble.append(this.#buttons(entry.buttons));
    const element = make("article", { class: "entry message" }, icon("flock"), bubble);
    element.firstChild.classList.add("logo");
    element.classList.toggle("with-picture", Boolean(entry.picture) || moving);
    element.classList.toggle("private", entry.private);
    element.classList.toggle("of-board", Boolean(entry.board));
    // The live board says it already.
    if (entry.board && document.body.classList.contains("playing")) element.setAttribute("aria-live", "off");
    element.classList.toggle("ping", entry.ping);
    this.#word(element, entry);
    return element;
  }

  // Says a message in the page's language or, where it is not known in it, in the one in which it was sent.
  #word(element, entry) {
    const other = entry.others?.find(({ language }) => language === words.language);
    const labels = other ? other.labels?.flat() : entry.buttons?.flat().map(({ label }) => label);
    element.lang = other?.language ?? entry.language ?? "en";
    const content = element.querySelector(".words");
    content.replaceChildren(...(other ?? entry).text.map((span) => this.#span(span)), content.querySelector(".foot"));
    words.apply(content);
    for (const [index, button] of element.querySelectorAll(".buttons button").entries()) button.textContent = labels[index];
    if (!entry.picture) return;
    const image = element.querySelector(".picture img");
    image.alt = other?.alt ?? entry.picture.alt;
    const address = this.#address(`picture/${entry.number}.png${other ? `?language=${other.language}` : ""}`);
    if (image.getAttribute("src") !== address) image.src = address;
  }

  #foot(entry) {
    const foot = make("span", { class: "foot" });
    if (entry.private) foot.append(icon("icon-lock"), make("span", { "data-word": "page.private" }));
    foot.append(make("time", { datetime: new Date(entry.at).toISOString(), "data-as": "time" }));
    return foot;
  }

  #span(span) {
    switch (span.kind) {
      case "bold":
        return make("strong", {}, span.text);
      case "code":
        return make("code", {}, span.text);
      case "mention":
        return make("bdi", { class: span.person === setup.person ? "mention me" : "mention" }, span.text);
      case "moment":
        return make("time", { datetime: new Date(span.seconds * 1000).toISOString(), "data-as": "moment" }, span.text);
      default:
        return span.text;
    }
  }

  #address(path) {
    return `${location.pathname}/${path}`;
  }

  #picture(path = "", alt = "") {
    const image = make("img", { alt, decoding: "async", loading: "lazy" });
    image.onload = () => image.classList.add("loaded");
    image.onerror = () => image.classList.add("broken");
    if (path) image.src = this.#address(path);
    return make("button", { type: "button", class: "picture" }, image);
  }

  #buttons(rows) {
    const group = make("div", { class: "buttons" });
    for (const row of rows) {
      const line = make("div", { class: "row" });
      for (const { label, payload, style } of row) {
        line.append(make("button", { type: "button", class: `button ${style ?? "secondary"}`, "data-payload": payload }, label));
      }
      group.append(line);
    }
    return group;
  }
}
