// The field to type in, with the commands and the moves that fit what was begun.

const OFFERED_MOVES = 8;

class Composer extends EventTarget {
  #form = document.getElementById("composer");
  #text = document.getElementById("text");
  #list = document.getElementById("suggestions");
  #chosen = -1;
  #offers = [];

  // `moves` tells what can be played now.
  constructor(moves) {
    super();
    this.moves = moves;
    this.#text.addEventListener("input", () => this.#typed());
    this.#text.addEventListener("keydown", (event) => this.#key(event));
    this.#text.addEventListener("blur", () => this.#close());
    this.#text.value = memory.get("draft") ?? "";
    this.#grow();
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    });
    document.getElementById("slash").addEventListener("click", () => this.#slash());
    // pointerdown, not click: the field must not lose the focus before.
    this.#list.addEventListener("pointerdown", (event) => event.preventDefault());
    this.#list.addEventListener("click", (event) => {
      const option = event.target.closest("[role=option]");
      if (option) this.#take([...this.#list.children].indexOf(option));
    });
  }

  begin(text) {
    this.#text.value = text;
    this.#text.focus();
    this.#typed();
  }

  focus() {
    this.#text.focus();
  }

  #send() {
    const text = this.#text.value.trim();
    if (!text) return;
    this.#text.value = "";
    this.#typed();
    // One character too many lets the server see that the text was longer.
    this.dispatchEvent(new CustomEvent("say", { detail: [...text].slice(0, setup.textLength + 1).join("") }));
  }

  #typed() {
    memory.set("draft", this.#text.value);
    this.#grow();
    this.#offer();
  }

  #grow() {
    const text = this.#text;
    text.style.height = "44px";
    text.style.height = `${Math.min(text.scrollHeight + 2, window.innerHeight * 0.38)}px`;
    text.style.overflowY = text.scrollHeight > text.clientHeight + 2 ? "auto" : "hidden";
  }

  #slash() {
    if (this.#list.hidden) this.begin(this.#text.value.startsWith("/") ? this.#text.value : "/");
    else this.#close();
  }

  #offer() {
    const begun = this.#text.value;
    this.#offers = /^\/\S*$/.test(begun)
      ? words.commands().filter(({ name }) => name.startsWith(begun.toLowerCase()))
      : this.#fitting(begun);
    if (this.#offers.length === 0) return this.#close();
    this.#list.replaceChildren(
      ...this.#offers.map((command, index) =>
        make(
          "li",
          { role: "option", id: `offer-${index}`, "aria-selected": "false" },
          make("span", { class: "command" }, command.shown ?? command.name),
          make("span", { class: "about" }, command.about),
        ),
      ),
    );
    this.#list.hidden = false;
    this.#text.setAttribute("aria-expanded", "true");
    this.#chosen = -1;
    this.#text.removeAttribute("aria-activedescendant");
    // Enter plays a move as it was typed; a command that was only begun it completes.
    if (begun.startsWith("/") && this.#offers[0].about) this.#choose(0);
    return undefined;
  }

  // The moves that begin like what stands behind `/m` and `/move`, or alone.
  #fitting(begun) {
    const [, command, typed] = begun.match(/^(\/m(?:ove)?\s+)?(.*)$/is);
    const bare = (text) => text.toLowerCase().replace(/[^a-zа-я0-9]/g, "");
    if (!bare(typed) || typed.length > 20) return [];
    const fitting = this.moves().filter((move) => bare(move).startsWith(bare(typed)));
    if (fitting.length === 1 && bare(fitting[0]) === bare(typed)) return [];
    return fitting.slice(0, OFFERED_MOVES).map((move) => ({ name: (command ?? "") + move, shown: move, about: "" }));
  }

  #choose(index) {
    this.#list.children[this.#chosen]?.setAttribute("aria-selected", "false");
    const count = this.#offers.length;
    this.#chosen = (index + count) % count;
    const option = this.#list.children[this.#chosen];
    option.setAttribute("aria-selected", "true");
    option.scrollIntoView({ block: "nearest" });
    this.#text.setAttribute("aria-activedescendant", option.id);
  }

  #take(index) {
    const { name, about } = this.#offers[index];
    this.#text.value = about ? `${name} ` : name;
    this.#text.focus();
    this.#typed();
  }

  #close() {
    this.#list.hidden = true;
    this.#chosen = -1;
    this.#text.setAttribute("aria-expanded", "false");
    this.#text.removeAttribute("aria-activedescendant");
  }

  #key(event) {
    // Enter ends the choice of a character in an input method, not the text.
    if (event.isComposing) return;
    if (!this.#list.hidden) {
      const complete = this.#chosen < 0 || this.#offers[this.#chosen].name === this.#text.value.toLowerCase();
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        this.#choose(event.key === "ArrowDown" ? this.#chosen + 1 : this.#chosen < 0 ? -1 : this.#chosen - 1);
        return;
      }
      if (event.key === "Tab" || (event.key === "Enter" && !event.shiftKey && !complete)) {
        event.preventDefault();
        this.#take(Math.max(0, this.#chosen));
        return;
      }
      if (event.key === "Escape") {
        event.preventDefault();
        this.#close();
        return;
      }
    }
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      this.#send();
    }
  }
}
