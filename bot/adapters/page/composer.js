// The field to type in, with the commands and the moves that fit what was begun.

class Composer extends EventTarget {
  #form = document.getElementById("composer");
  #text = document.getElementById("text");
  #list = document.getElementById("suggestions");
  #chosen = -1;
  #offers = [];
  #asked = 0; // how often something was typed: answers to an earlier text come too late
  #before = ""; // the command before the move that is typed

  constructor() {
    super();
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

  // Commands are known here; which moves fit tells the server.
  #offer() {
    const begun = this.#text.value;
    this.#asked += 1;
    if (/^\/\S*$/.test(begun)) {
      this.#show(words.commands().filter(({ name }) => name.startsWith(begun.toLowerCase())));
      if (this.#offers.length) this.#choose(0);
      return;
    }
    const [, command = "", text] = begun.match(/^(\/m(?:ove)?\s+)?(.*)$/is);
    this.#show([]);
    if (!text.trim() || text.startsWith("/") || text.length > 30) return;
    this.#before = command;
    this.dispatchEvent(new CustomEvent("complete", { detail: { text, number: this.#asked } }));
  }

  // The moves that fit; Enter sends what was typed unless one of them was chosen.
  offerMoves(number, choices) {
    if (number !== this.#asked || document.activeElement !== this.#text) return;
    const typed = this.#text.value.slice(this.#before.length).trim();
    if (choices.length === 1 && choices[0].value === typed) return;
    this.#show(choices.map(({ label, value }) => ({ name: this.#before + value, label, about: "" })));
  }

  #show(offers) {
    this.#close();
    this.#offers = offers;
    if (!offers.length) return;
    this.#list.replaceChildren(
      ...offers.map(({ name, label, about }, index) =>
        make(
          "li",
          { role: "option", id: `offer-${index}`, "aria-selected": "false" },
          make("span", { class: "command" }, label ?? name),
          make("span", { class: "about" }, about),
        ),
      ),
    );
    this.#list.hidden = false;
    this.#text.setAttribute("aria-expanded", "true");
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
