// The field to type in, with the commands that fit what was begun.

class Composer extends EventTarget {
  #form = document.getElementById("composer");
  #text = document.getElementById("text");
  #list = document.getElementById("suggestions");
  #chosen = -1;
  #offers = [];

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

  #offer() {
    const begun = /^\/\S*$/.test(this.#text.value) ? this.#text.value.toLowerCase() : null;
    this.#offers = begun === null ? [] : words.commands().filter((command) => command.name.startsWith(begun));
    if (this.#offers.length === 0) return this.#close();
    this.#list.replaceChildren(
      ...this.#offers.map((command, index) =>
        make(
          "li",
          { role: "option", id: `offer-${index}`, "aria-selected": "false" },
          make("span", { class: "command" }, command.name),
          make("span", { class: "about" }, command.about),
        ),
      ),
    );
    this.#list.hidden = false;
    this.#text.setAttribute("aria-expanded", "true");
    this.#choose(0);
    return undefined;
  }

  #choose(index) {
    this.#list.children[this.#chosen]?.setAttribute("aria-selected", "false");
    this.#chosen = (index + this.#offers.length) % this.#offers.length;
    const option = this.#list.children[this.#chosen];
    option.setAttribute("aria-selected", "true");
    option.scrollIntoView({ block: "nearest" });
    this.#text.setAttribute("aria-activedescendant", option.id);
  }

  #take(index) {
    this.#text.value = `${this.#offers[index].name} `;
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
      const complete = this.#offers[this.#chosen]?.name === this.#text.value.toLowerCase();
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        this.#choose(this.#chosen + (event.key === "ArrowDown" ? 1 : -1));
        return;
      }
      if (event.key === "Tab" || (event.key === "Enter" && !event.shiftKey && !complete)) {
        event.preventDefault();
        this.#take(this.#chosen);
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
