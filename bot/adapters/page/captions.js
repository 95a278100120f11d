// What is written around the board, and what its points are called for those who do not see it.

const PIECES = {
  ayu: ["page.piece_black", "page.piece_white"],
  volo: ["page.piece_orange", "page.piece_blue"],
};

// Each point's name: what stands there, and what a tap there would be.
function nameCells(board, taps, cells, isSending) {
  const last = new Set([...board.moved.map(([, to]) => to), ...board.added]);
  const names = new Map();
  for (const [index, groups] of board.groups.entries()) {
    const piece = words.say((PIECES[board.game] ?? PIECES.ayu)[index]);
    for (const group of groups) {
      const size = words.say(board.shape === "hexagon" ? "page.point_flock" : "page.point_unit", { size: group.length });
      for (const cell of group) names.set(cell, words.say("page.point_taken", { cell, piece, group: size }));
    }
  }
  const { chosen, goals, ends, pending } = taps;
  const waiting = new Set(pending ? [...pending.moved.map(([, to]) => to), ...pending.added] : []);
  for (const [cell, element] of cells) {
    let name = names.get(cell) ?? words.say("page.point_empty", { cell });
    const add = (word) => (name = words.say(word, { point: name }));
    if (last.has(cell)) add("page.point_last");
    if (chosen?.cells.includes(cell)) add("page.point_chosen");
    else if (goals.has(cell) || waiting.has(cell)) add("page.point_goal");
    else if (ends.has(cell)) add("page.point_end");
    else if (!chosen && taps.canMove(cell)) add("page.point_movable");
    else if (!chosen && taps.adds.has(cell)) add("page.point_free");
    element.setAttribute("aria-label", name);
    const isOpen = goals.has(cell) || waiting.has(cell) || ends.has(cell) || (!chosen && taps.adds.has(cell));
    element.classList.toggle("movable", !isSending && taps.canMove(cell));
    element.classList.toggle("open", !isSending && isOpen);
  }
}

function showCards(board, looks) {
  for (const [index, card] of board.cards.entries()) {
    const element = document.getElementById(`card-${index + 1}`);
    element.dataset.state = card.state;
    element.title = card.name;
    element.querySelector("use").setAttribute("href", `#${looks}-${index + 1}`);
    element.querySelector(".card-name").replaceChildren(...parts(card.name));
    element.querySelector(".card-line").replaceChildren(...parts(card.line));
  }
}

// A text in the parts that its dots divide: where it is broken, it is broken between them, and the dot is gone.
function parts(text) {
  return text.split(" · ").map((part, index) => make("span", { class: "part" }, make("span", {}, index ? " · " : ""), part));
}
