// Everything put together.

const element = (id) => document.getElementById(id);
const log = new Log();
const board = new Board();
const composer = new Composer();
const connection = new Connection(() => log.last);
const dark = matchMedia("(prefers-color-scheme: dark)");
let unread = 0;

// ---- what is said ----

function say(what) {
  const name = memory.get("name") || words.say("page.player", { n: setup.seat });
  return connection.say({ ...what, name, language: words.language });
}

// What is typed is about the match that is shown, if it names no other: a move where the typist may move there, and if
// he plays there any command but those about a challenge that stands beside it.
const ABOUT_CHALLENGES = /^\/(accept|decline|cancel)\b/i;

function type(text) {
  const { live, turn } = board.board ?? {};
  const isAbout = live && (text.startsWith("/") ? here?.mine && !ABOUT_CHALLENGES.test(text) : turn);
  isAsking = true;
  log.addPending(say({ text, ...(isAbout ? { about: board.match } : {}) }));
}

composer.addEventListener("complete", ({ detail }) => {
  connection.ask({ type: "complete", match: board.board?.turn ? board.match : "", ...detail });
});
composer.addEventListener("say", (event) => type(event.detail));
log.addEventListener("press", (event) => {
  isAsking = true;
  log.press(say(event.detail));
});
for (const button of document.querySelectorAll("[data-say]")) {
  button.addEventListener("click", () => type(button.dataset.say));
}

// ---- what is told ----

connection.addEventListener("entries", ({ detail }) => {
  const followed = log.follows;
  const fresh = log.add(detail.entries, !detail.history).filter((entry) => entry.kind === "message");
  if (detail.cut) log.showCut();
  if (detail.history || fresh.some((entry) => entry.board)) board.lookAgain();
  for (const entry of detail.history ? [] : fresh) {
    if (entry.private && entry.match === board.match) board.overhear(entry.text.map((span) => span.text).join(""));
  }
  if (detail.history) {
    log.retryPictures();
    restore();
  } else if (document.hidden && fresh.length) {
    unread += fresh.length;
    showTitle();
  }
  if (followed && !detail.history) unfold(fresh.filter((entry) => entry.private && !entry.replaces));
});
connection.addEventListener("ack", ({ detail }) => {
  log.settle(detail.id);
  languages.settle(detail.id);
  board.settle();
});
connection.addEventListener("view", ({ detail }) => board.answers("look", detail.number) && show(detail.view));
connection.addEventListener("changed", () => board.lookAgain());
connection.addEventListener("completed", ({ detail }) => composer.offerMoves(detail.number, detail.choices));
connection.addEventListener("weighed", ({ detail }) => board.answers("weigh", detail.number) && board.weighed(detail.answer));
connection.addEventListener("unanswered", ({ detail }) => alertWith("page.failed", { error: detail.error }));
connection.addEventListener("failed", ({ detail }) => {
  languages.settle(detail.id);
  board.settle();
  if (!log.fail(detail.id, detail.error)) alertWith("page.failed", { error: detail.error });
});
connection.addEventListener("state", showState);

// What was on its way when the page was closed is on its way again.
let restored = false;
function restore() {
  if (restored) return;
  restored = true;
  for (const said of connection.unsent()) {
    if (said.payload) log.press(said);
    else if (!said.quiet) log.addPending(said);
  }
}

function showState() {
  element("state").dataset.state = connection.state;
  const label = element("state").querySelector(".label");
  label.dataset.word = `page.state_${connection.state}`;
  words.apply(element("state"));
  const problem = { lost: "page.kept", store: "page.waiting", many: "page.too_many" }[connection.state];
  if (problem) alertWith(problem);
  else element("alert").hidden = true;
}

function alertWith(word, values = {}) {
  const alert = element("alert");
  for (const key of Object.keys(alert.dataset)) delete alert.dataset[key];
  Object.assign(alert.dataset, { word, ...values });
  alert.hidden = false;
  words.apply(alert.parentElement);
}

function showTitle() {
  document.title = unread ? `(${unread}) ${words.say("page.title")}` : words.say("page.title");
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) unread = 0;
  showTitle();
});
element("newer").addEventListener("click", () => log.toEnd());

// ---- the live board ----

board.addEventListener("press", (event) => say(event.detail));
board.addEventListener("ask", ({ detail }) => connection.ask({ ...detail, language: words.language }));
element("which").addEventListener("change", () => board.lookAgain(element("which").value));
element("show-board").addEventListener("click", () => {
  if (reading || memory.get("board") === "hidden") memory.remove("board");
  else memory.set("board", "hidden");
  reading = false;
  showBoard();
});

// Answers that do not fit below the board of a phone get its place, until the board is wanted again: what was asked for
// is read from its beginning. Not so what is said about a move: it belongs beside the board.
let reading = false;
let isAsking = false; // whether the reader typed or pressed something that is not answered yet
function unfold(answers) {
  if (!answers.length || !isAsking) return;
  isAsking = false;
  const isBelow = getComputedStyle(element("table")).flexDirection === "column";
  const isPage = answers.some((entry) => entry.picture || entry.match !== board.match);
  if (isBelow && isPage && !reading && board.board && !log.fits(answers[0].number)) {
    reading = true;
    showBoard();
  }
  log.reveal(answers[0].number);
}

let known = null; // the matches that there were so far
let waited = new Set(); // those that waited for the reader
let here; // the one that is shown, as it stands in the list
function show(view) {
  languages.follow(view);
  board.show(view.board);
  const { matches } = view;
  const select = element("which");
  select.replaceChildren(
    ...matches.map(({ match, label, waits }) => make("option", { value: match }, waits ? `● ${label}` : label)),
  );
  select.value = board.match;
  select.parentElement.hidden = matches.length < 2;
  showBoard();
  here = matches.find(({ match }) => match === board.match);
  const next = known && elsewhere(matches);
  known = new Set(matches.map(({ match }) => match));
  waited = new Set(matches.filter(({ waits }) => waits).map(({ match }) => match));
  if (next) board.lookAgain(next.match);
}

// Where the reader is led without his doing: to a match of his that he has just begun, or that somebody else has, unless
// he has something to do where he is; and from the matches of others to his own when it waits for him. Never to theirs.
function elsewhere(matches) {
  const mine = matches.filter(({ match, live, mine }) => live && mine && match !== here?.match);
  const fresh = mine.find(({ match }) => !known.has(match));
  if (fresh && (fresh.begun || !(here?.live && here.waits))) return fresh;
  if (here?.live && here.mine) return null;
  return mine.find(({ match, waits }) => waits && !waited.has(match));
}

function showBoard() {
  const there = Boolean(board.board);
  const hidden = reading || memory.get("board") === "hidden";
  document.body.classList.toggle("playing", there);
  document.body.classList.toggle("without-board", hidden);
  element("show-board").hidden = !there;
  element("show-board").dataset.word = hidden ? "page.to_board" : "page.to_chat";
  words.apply(element("show-board").parentElement);
}

// ---- language and theme ----

// The reader's language is his own: what he has chosen is kept by the server, wherever he chose it.
const languages = {
  pending: null, // the choice that is on its way
  choose(language) {
    memory.set("language", language);
    speak(language);
    isAsking = false; // what comes of it is seen already
    this.pending = say({ text: `/settings my-language ${language}`, quiet: true }).id;
  },
  settle(id) {
    if (id === this.pending) this.pending = null;
  },
  follow({ own, language }) {
    if (!own || this.pending) return;
    memory.set("language", language);
    if (language !== words.language) speak(language);
  },
};

function speak(language) {
  words.language = language;
  document.documentElement.lang = language;
  log.translate();
  words.apply();
  element("name").placeholder = words.say("page.player", { n: setup.seat });
  for (const hint of document.querySelectorAll(".friend-hint")) {
    hint.textContent = words.say(setup.friend?.local ? "page.friend_here" : "page.friend_network");
  }
  element("commands").replaceChildren(
    ...words.commands().map((command) => {
      const button = make(
        "button",
        { type: "button" },
        make("span", { class: "command" }, command.name),
        make("span", { class: "about" }, command.about),
      );
      button.addEventListener("click", () => {
        openPanel(false);
        composer.begin(`${command.name} `);
      });
      return make("li", {}, button);
    }),
  );
  element("languages").querySelector(`[value="${language}"]`).checked = true;
  board.translate();
  showTitle();
}

for (const language of words.languages) {
  const input = make("input", { type: "radio", name: "language", value: language });
  input.addEventListener("change", () => languages.choose(language));
  const name = make("span", { lang: language }, setup.words[language]["page.language_name"]);
  element("languages").append(make("label", {}, input, name));
}

function showTheme() {
  const theme = memory.get("theme") ?? (dark.matches ? "dark" : "light");
  document.documentElement.dataset.theme = theme;
  element("theme").setAttribute("aria-pressed", String(theme === "dark"));
  document.querySelector("meta[name=theme-color]").content = getComputedStyle(document.documentElement).getPropertyValue("--panel");
}

element("theme").addEventListener("click", () => {
  const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  // The choice that the system makes too is none: it goes on following the system.
  if (theme === (dark.matches ? "dark" : "light")) memory.remove("theme");
  else memory.set("theme", theme);
  showTheme();
});
dark.addEventListener("change", showTheme);

// ---- the panel ----

function openPanel(open) {
  const narrow = getComputedStyle(element("panel")).position === "fixed";
  element("panel").classList.toggle("open", open);
  element("open-panel").setAttribute("aria-expanded", String(open));
  element("shade").hidden = !open;
  element("chat").inert = open && narrow;
  if (open) element("close-panel").focus();
  else if (narrow && element("panel").contains(document.activeElement)) element("open-panel").focus();
}

element("open-panel").addEventListener("click", () => openPanel(true));
element("close-panel").addEventListener("click", () => openPanel(false));
element("shade").addEventListener("click", () => openPanel(false));
element("panel").addEventListener("keydown", (event) => event.key === "Escape" && openPanel(false));
matchMedia("(min-width: 1180px)").addEventListener("change", () => openPanel(false));

element("name").maxLength = setup.nameLength;
element("name").value = memory.get("name") ?? "";
element("name").addEventListener("input", () => memory.set("name", element("name").value.trim()));
document.querySelector(".own-bird").setAttribute("href", `#bird-${setup.seat}`);

// ---- the friend's seat ----

if (setup.friend) {
  const link = (setup.friend.address || location.origin) + setup.friend.path;
  element("friend").hidden = false;
  document.querySelector(".invite").hidden = false;
  element("friend-link").value = link;
  element("friend-link").addEventListener("focus", () => element("friend-link").select());
  for (const anchor of document.querySelectorAll(".open-friend")) anchor.href = link;
  for (const button of document.querySelectorAll(".copy-friend")) button.addEventListener("click", () => copy(button, link));
}

async function copy(button, link) {
  try {
    await navigator.clipboard.writeText(link);
  } catch {
    // Without a secure connection there is no clipboard but this one.
    const field = make("textarea", { class: "unseen" });
    field.value = link;
    button.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
    button.focus();
  }
  const label = button.querySelector("span");
  label.dataset.word = "page.copied";
  words.apply(button);
  setTimeout(() => {
    label.dataset.word = "page.friend_copy";
    words.apply(button);
  }, 2000);
}

// ---- a picture alone ----

const viewer = element("viewer");
log.addEventListener("enlarge", ({ detail }) => {
  const image = viewer.querySelector("img");
  image.src = detail.currentSrc || detail.src;
  image.alt = detail.alt;
  viewer.classList.remove("large");
  viewer.showModal();
});
viewer.addEventListener("click", (event) => {
  if (event.target.tagName === "IMG") viewer.classList.toggle("large");
  else viewer.close();
});

// ---- begin ----

showTheme();
const remembered = memory.get("language");
const { view } = setup;
speak(!view?.own && words.languages.includes(remembered) ? remembered : setup.language);
if (view) show(view);
showState();
connection.open();
// On a phone the focus would open the keyboard.
if (matchMedia("(hover: hover)").matches) composer.focus();
