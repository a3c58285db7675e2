// Reading a calendar: the grid of days, lists of months and of years, and what turns
// the pages.

import { monthAndYear, yearOf } from "./dates.js";
import { barred } from "./entries.js";
import { monthsIn } from "./heading.js";
import { monthOf, plainDigits } from "./months.js";
import { above, inOrder, inside, kids, page, shown, walk } from "./surfaces.js";
import { norm } from "./text.js";

const NUMBER = /^\d{1,2}[日일]?$/;
const MIN_DAYS = 27; // Day cells that make a grid.
export const PANEL_UP = 5; // Elements above a grid searched for its heading.
const CLICKABLE = "button,a,[role=button],[role=link],[tabindex],th,td,[class*=prev],[class*=next]";

// short texts of an element that has no element with a text of its own.
export const ownLabel = (el) => (el.textContent.length <= 40 ? plainDigits(norm(el.textContent)) : "");

// leaves lists the innermost elements whose text passes a test.
export function leaves(roots, take, test) {
  const out = [];
  walk(roots, (el) => {
    const name = el.localName;
    if (name === "select" || name === "svg" || name === "input" || name === "textarea") return "skip";
    const label = ownLabel(el);
    if (!label) return el.textContent.length > 40 || el.shadowRoot || el.localName === "slot" ? undefined : "skip";
    if (!test(label)) return undefined;
    // A row of the days 1, 2 and 3 reads as 123.
    const said = kids(el).map((child) => plainDigits(norm(child.textContent))).filter(Boolean);
    if (said.length > 1 || said[0] === label) return undefined;
    if (shown(el) && take(el)) out.push({ el, label });
    return undefined;
  });
  return inOrder(out, (leaf) => leaf.el);
}

// clusters groups leaves by the nearest element around them that holds at least
// min of them.
function clusters(found, min) {
  const count = new Map();
  for (const leaf of found) for (let at = above(leaf.el), hops = 0; at && hops < 9; at = above(at), hops++) count.set(at, (count.get(at) || 0) + 1);
  const groups = new Map();
  for (const leaf of found) {
    for (let at = above(leaf.el), hops = 0; at && hops < 9; at = above(at), hops++) {
      if (count.get(at) < min) continue;
      if (!groups.has(at)) groups.set(at, []);
      groups.get(at).push(leaf);
      break;
    }
  }
  return groups;
}

// grids lists the day grids: {el, cells: [day] -> element} where the run of days
// of the month shown is the first that begins with 1 and goes on to at least 28.
export function grids(roots, take) {
  const found = leaves(roots, take, (label) => NUMBER.test(label) || /^\d{1,3}$/.test(label));
  const out = [];
  for (const [el, group] of clusters(found, MIN_DAYS)) {
    const numbers = group.map((leaf) => parseInt(leaf.label, 10));
    if (numbers.some((number) => number > 31 || number === 0) || numbers.length > 50) continue;
    for (let start = 0; start < numbers.length; start++) {
      if (numbers[start] !== 1) continue;
      let end = start;
      while (end + 1 < numbers.length && numbers[end + 1] === numbers[end] + 1) end++;
      if (end - start + 1 < 28) continue;
      out.push({ el, cells: group.slice(start, end + 1).map((leaf) => leaf.el) });
      break;
    }
  }
  return out;
}

// uncovered tells whether most of the cells can be seen: they do not lie under
// something else and are not shut off.
/** @returns {any} */
export function uncovered(cells) {
  let seen = 0;
  for (const part of [0.25, 0.5, 0.75]) {
    const cell = cells[Math.floor(cells.length * part)];
    if (cell.closest("[inert]")) return false;
    const box = cell.getBoundingClientRect();
    const hit = cell.getRootNode().elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    if (!hit || inside(hit, cell) || inside(cell, hit)) seen++; // Out of view is not covered.
  }
  return seen > 1;
}

// monthLists are groups of twelve months by name, yearLists groups of years. Short
// forms that may be other words are months where all twelve are there.
export function monthLists(roots, take) {
  for (const loose of [false, true]) {
    // The names of other languages take a while to make: only where there are words for it.
    if (loose && leaves(roots, take, (label) => WORD.test(label)).length < 12) break;
    const out = [];
    for (const [el, group] of clusters(leaves(roots, take, (label) => monthOf(label, loose) > 0), 12)) {
      const cells = new Map();
      for (const leaf of group) cells.set(monthOf(leaf.label, loose), [...(cells.get(monthOf(leaf.label, loose)) || []), leaf.el]);
      if (cells.size === 12) out.push({ el, cells });
    }
    if (out.length > 0) return out;
  }
  return numberedMonths(roots, take);
}

const WORD = /^\p{L}[\p{L}\p{M}.]{0,11}$/u;
const MONTH_SCOPE = /month|mois|monat|mes\b/i;

// numberedMonths are lists of exactly the numbers 1 to 12, in order, where a class or
// a label around says that they are months (R96): hours and pages are numbers, too.
function numberedMonths(roots, take) {
  const out = [];
  for (const [el, group] of clusters(leaves(roots, take, (label) => NUMBER.test(label)), 12)) {
    if (group.length !== 12 || group.some((leaf, at) => parseInt(leaf.label, 10) !== at + 1)) continue;
    let scoped = false;
    for (let at = group[0].el, hops = 0; at && hops < PANEL_UP && at !== page.body; at = above(at), hops++) {
      const said = `${at.getAttribute("class") || ""} ${at.getAttribute("aria-label") || ""}`;
      if (/hour|minute|time|page/i.test(said.replace(/datetime/gi, ""))) break;
      if (MONTH_SCOPE.test(said)) scoped = true;
    }
    if (scoped) out.push({ el, cells: new Map(group.map((leaf, at) => [at + 1, [leaf.el]])) });
  }
  return out;
}

export function yearLists(roots, take) {
  const out = [];
  for (const [el, group] of clusters(leaves(roots, take, (label) => yearOf(label) > 0), 6)) {
    const cells = new Map();
    for (const leaf of group) cells.set(yearOf(leaf.label), leaf.el);
    if (cells.size >= 6) out.push({ el, cells });
  }
  return out;
}

// turners finds what turns a panel's pages: {prev, next, prevYear, nextYear}.
export function turners(panel, barriers) {
  const out = {};
  const words = (el) => {
    const icon = el.querySelector("svg,i,span");
    return [el.getAttribute("aria-label"), el.getAttribute("title"), el.getAttribute("class"), ownLabel(el), icon && icon.getAttribute("class"), el.getAttribute("data-action"), el.getAttribute("data-direction")].filter(Boolean).join(" ").toLowerCase();
  };
  walk([panel], (el) => {
    if (el !== panel && barriers.includes(el)) return "skip";
    if (el === panel || !el.matches(CLICKABLE) || !shown(el)) return undefined;
    if (NUMBER.test(ownLabel(el)) || monthAndYear(el.textContent)) return undefined;
    if (el.querySelectorAll("button,a,[role=button]").length > 0) return undefined;
    const said = words(el);
    const back = /prev|back\b|earlier|«|‹|←|(^|[\s_-])left([\s_-]|$)|arrow-?left/.test(said) || /(^|\s)[<◀](\s|$)/.test(said);
    const on = /next|forward|later|»|›|→|(^|[\s_-])right([\s_-]|$)|arrow-?right/.test(said) || /(^|\s)[>▶](\s|$)/.test(said);
    if (back === on || barred(el)) return undefined;
    const year = /year|decade|super|double|d-arrow|«|»|ten/.test(said) && !/month/.test(said);
    const name = (back ? "prev" : "next") + (year ? "Year" : "");
    if (!out[name]) out[name] = el;
    return "skip";
  });
  return out;
}

// switches finds the part of a heading that opens a list of years or of months:
// the element that shows the year or month and can be pressed.
export function switches(panel, barriers) {
  const out = {};
  walk([panel], (el) => {
    if (el !== panel && barriers.includes(el)) return "skip";
    const field = el.localName === "input" && el.readOnly;
    if (el.localName === "select" || (!field && !ownLabel(el))) return undefined;
    const told = monthAndYear(field ? el.value : el.textContent);
    if (!told || !shown(el)) return undefined;
    const pressable = field || el.matches("button,a,[role=button],[tabindex]") || getComputedStyle(el).cursor === "pointer";
    if (!pressable) return undefined;
    if (told.y && (!out.year || (told.y && !told.m))) out.year = el;
    if (told.m && !told.y) out.month = el;
    return undefined;
  });
  return out;
}

// fields are the selects and number fields by which month and year are set.
export function fields(panel, barriers) {
  const out = {};
  walk([panel], (el) => {
    if (el !== panel && barriers.includes(el)) return "skip";
    if (el.localName === "select" && shown(el)) {
      const labels = Array.from(el.options, (option) => norm(option.label));
      const years = labels.filter((label) => yearOf(label) > 0).length;
      if (monthsIn(el).filter(Boolean).length >= 2) out.month = el;
      else if (years >= 2 && years >= labels.length - 1) out.year = el; // One may ask for a year.
    } else if (el.localName === "input" && shown(el) && !el.readOnly && /^\d{4}$/.test(norm(el.value))) out.yearInput = el;
    return undefined;
  });
  return out;
}
