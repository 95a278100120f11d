"""What a page is to those who see less or tap: contrast of all texts, names and sizes of all controls."""

from __future__ import annotations

from typing import Any

from playwright.async_api import Page

_LOOK = """
() => {
  const parse = (colour) => {
    const [r, g, b, a = 1] = colour.match(/[\\d.]+/g).map(Number);
    return { r, g, b, a };
  };
  const over = (top, below) => {
    const mix = (key) => top[key] * top.a + below[key] * (1 - top.a);
    return { r: mix("r"), g: mix("g"), b: mix("b"), a: 1 };
  };
  const ground = (element) => {
    const layers = [];
    for (let one = element; one; one = one.parentElement) layers.push(parse(getComputedStyle(one).backgroundColor));
    return layers.reverse().reduce((below, top) => over(top, below), { r: 255, g: 255, b: 255, a: 1 });
  };
  const light = ({ r, g, b }) => {
    const [x, y, z] = [r, g, b].map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const ratio = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  const seen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const pale = [];
  let texts = 0;
  const check = (element, colour, text) => {
    texts += 1;
    const behind = ground(element);
    const found = ratio(over(parse(colour), behind), behind);
    if (found < 4.5) pale.push(`${text.trim().slice(0, 40)}: ${found.toFixed(2)}`);
  };
  for (const element of document.querySelectorAll("body *")) {
    if (!seen(element) || element.closest("svg, script, :disabled, .unseen, [aria-busy=true]")) continue;
    const own = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.textContent).join("");
    if (own.trim()) check(element, getComputedStyle(element).color, own);
    if (element.placeholder) check(element, getComputedStyle(element, "::placeholder").color, element.placeholder);
  }
  // Letters on the live board: what is under them is drawn, and known.
  for (const [letters, under, kind] of [[".name", ".space", "fill"], [".coordinate", "#board", "backgroundColor"]]) {
    const [one, other] = [document.querySelector(`#field ${letters}`), document.querySelector(under)];
    if (!one || !other || !seen(one)) continue;
    const found = ratio(parse(getComputedStyle(one).fill), parse(getComputedStyle(other)[kind]));
    if (found < 4.5) pale.push(`${letters}: ${found.toFixed(2)}`);
  }
  const nameless = [];
  const small = [];
  let controls = 0;
  const roles = "[role=button], [role=log], [role=radiogroup], dialog, #field, #board";
  const named = `button, a[href], input, select, summary, textarea, ${roles}`;
  for (const element of document.querySelectorAll(named)) {
    if (element.matches("dialog:not([open])") || !seen(element)) continue;
    controls += 1;
    const label = element.getAttribute("aria-label") || element.labels?.[0]?.textContent || element.textContent;
    const pointed = document.getElementById(element.getAttribute("aria-labelledby"))?.textContent;
    const image = element.querySelector("img")?.alt;
    if (!(label?.trim() || pointed?.trim() || image?.trim())) nameless.push(element.outerHTML.slice(0, 80));
    const { width, height } = element.getBoundingClientRect();
    // On a large board a point is small on a phone: there it can be zoomed.
    const tapped = !element.matches(".skip, :disabled, .cell");
    if (tapped && Math.min(width, height) < 32) small.push(element.outerHTML.slice(0, 80));
  }
  return { texts, controls, pale, nameless, small, wide: document.documentElement.scrollWidth - innerWidth };
}
"""


async def look(page: Page) -> dict[str, Any]:
    """Counts of texts and controls that were looked at, and what is wrong with them."""
    found: dict[str, Any] = await page.evaluate(_LOOK)
    return found
