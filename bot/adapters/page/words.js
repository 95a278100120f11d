// Words in the page's language, and what the page remembers between visits.

const setup = JSON.parse(document.getElementById("setup").textContent);

const memory = {
  // What a browser without storage is told is forgotten with the page.
  values: new Map(),
  prefix: `bandada.${setup.seat}.`,
  get(key) {
    try {
      return localStorage.getItem(this.prefix + key);
    } catch {
      return this.values.get(key) ?? null;
    }
  },
  set(key, value) {
    this.values.set(key, value);
    try {
      localStorage.setItem(this.prefix + key, value);
    } catch {
      // It is kept in `values`.
    }
  },
  remove(key) {
    this.values.delete(key);
    try {
      localStorage.removeItem(this.prefix + key);
    } catch {
      // It was kept in `values`.
    }
  },
  keys(start) {
    let all = [...this.values.keys()];
    try {
      all = Object.keys(localStorage).filter((key) => key.startsWith(this.prefix)).map((key) => key.slice(this.prefix.length));
    } catch {
      // They are in `values`.
    }
    return all.filter((key) => key.startsWith(start)).sort();
  },
};

const words = {
  language: setup.language,
  get languages() {
    return Object.keys(setup.words);
  },
  say(key, values = {}) {
    const text = setup.words[this.language][key] ?? key;
    return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
  },
  // Commands that can be typed, with what they do.
  commands() {
    return Object.keys(setup.words[this.language])
      .filter((key) => key.startsWith("command."))
      .map((key) => ({ name: `/${key.slice("command.".length)}`, about: this.say(key) }));
  },
  time(milliseconds) {
    return new Intl.DateTimeFormat(this.language, { hour: "numeric", minute: "2-digit" }).format(milliseconds);
  },
  day(milliseconds) {
    return new Intl.DateTimeFormat(this.language, { weekday: "long", day: "numeric", month: "long" }).format(milliseconds);
  },
  moment(milliseconds, language) {
    return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(milliseconds);
  },
  // Elements say in data-word what stands in them, in data-label what they are called, in data-hint what may be typed.
  apply(root = document) {
    const each = (name, set) => {
      for (const element of root.querySelectorAll(`[data-${name}]`)) set(element, this.say(element.dataset[name], element.dataset));
    };
    each("word", (element, text) => (element.textContent = text));
    each("label", (element, text) => {
      element.setAttribute("aria-label", text);
      if (element.tagName === "BUTTON") element.title = text;
    });
    each("hint", (element, text) => (element.placeholder = text));
    for (const element of root.querySelectorAll("time[data-as]")) {
      // A moment is part of a sentence, and speaks its language.
      element.textContent = this[element.dataset.as](Date.parse(element.dateTime), element.closest("[lang]")?.lang);
    }
  },
};

// An element with attributes and children; strings become text, never markup.
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  svg.setAttribute("aria-hidden", "true");
  use.setAttribute("href", `#${name}`);
  svg.append(use);
  return svg;
}
