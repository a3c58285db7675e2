// Reading a calendar: the grid of days with the month and year that it shows,
// lists of months and of years, and what turns the pages.

import { monthAndYear, monthOf, yearOf } from "./dates.js";
import { barred } from "./entries.js";
import { above, inOrder, inside, kids, page, shown, walk } from "./surfaces.js";
import { norm } from "./text.js";

const NUMBER = /^\d{1,2}日?$/;
const MIN_DAYS = 27; // Day cells that make a grid.
export const PANEL_UP = 5; // Elements above a grid searched for its heading.
const CLICKABLE = "button,a,[role=button],[role=link],[tabindex],th,td,[class*=prev],[class*=next]";

// short texts of an element that has no element with a text of its own.
export const ownLabel = (el) => (el.textContent.length <= 40 ? norm(el.textContent) : "");

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
    const said = kids(el).map((child) => norm(child.textContent)).filter(Boolean);
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

// heading establishes the month and year that a part of a calendar shows, from
// the texts, selects and number fields around it: {y, m, panel}, each number 0
// where it is not certain.
export function heading(part, barriers) {
  let best = { y: 0, m: 0, panel: part };
  for (let up = part, hops = 0; up && hops <= PANEL_UP && up !== page.body; up = above(up), hops++) {
    const [years, months] = [new Set(), new Set()];
    const named = monthAndYear(up.getAttribute("aria-label") || "");
    if (named && named.y && named.m) return { ...named, panel: up };
    walk([up], (el) => {
      if (el !== up && (el === part || barriers.includes(el))) return "skip";
      if (hops === 0 && el !== part) return undefined;
      const told = toldBy(el);
      if (told === "skip") return "skip";
      if (told && shown(el)) {
        if (told.y) years.add(told.y);
        if (told.m) months.add(told.m);
        return "skip";
      }
      return undefined;
    });
    const seen = { y: years.size === 1 ? [...years][0] : 0, m: months.size === 1 ? [...months][0] : 0, panel: up };
    if (seen.y && seen.m) return seen;
    if ((seen.y && !best.y) || (seen.m && !best.m)) best = { y: seen.y || best.y, m: seen.m || best.m, panel: up };
    if (years.size > 1 || months.size > 1) break;
  }
  return best;
}

// cellsMonth is the month that the cells say of themselves, {} where they do not, or not
// all the same.
export function cellsMonth(cells) {
  const dates = [0, 9, 27].map((at) => exactDate(cells[at]));
  if (dates.some((date, at) => !date || date.d !== [1, 10, 28][at])) return {};
  const [{ y, m }] = dates;
  return dates.every((date) => date.y === y && date.m === m) ? { y, m } : {};
}

// toldBy is what one element of a heading says of month and year.
function toldBy(el) {
  if (el.localName === "select") {
    const option = el.selectedOptions[0];
    const label = option ? norm(option.label) : "";
    const told = monthAndYear(label);
    if (told) return told;
    return "skip";
  }
  if (el.localName === "input") {
    const year = /^\d{4}$/.test(norm(el.value)) ? Number(norm(el.value)) : 0;
    return year ? { y: year, m: 0 } : "skip";
  }
  if (el.localName === "svg") return "skip";
  if (!ownLabel(el)) return null;
  const told = monthAndYear(el.textContent);
  if (!told) return null;
  for (const child of kids(el)) {
    const inner = monthAndYear(child.textContent);
    if (inner && (!told.y || inner.y) && (!told.m || inner.m)) return null; // the child will say it
  }
  return told;
}

// monthLists are groups of twelve months by name, yearLists groups of years.
export function monthLists(roots, take) {
  const out = [];
  for (const [el, group] of clusters(leaves(roots, take, (label) => monthOf(label) > 0), 12)) {
    const cells = new Map();
    for (const leaf of group) cells.set(monthOf(leaf.label), [...(cells.get(monthOf(leaf.label)) || []), leaf.el]);
    if (cells.size === 12) out.push({ el, cells });
  }
  return out.length > 0 ? out : numberedMonths(roots, take);
}

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
    if (el.localName === "select" || el.localName === "input" || !ownLabel(el)) return undefined;
    const told = monthAndYear(el.textContent);
    if (!told || !shown(el)) return undefined;
    const pressable = el.matches("button,a,[role=button],[tabindex]") || getComputedStyle(el).cursor === "pointer";
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
      if (labels.length >= 2 && labels.every((label) => monthOf(label) > 0)) out.month = el;
      else if (labels.length >= 2 && labels.every((label) => yearOf(label) > 0)) out.year = el;
    } else if (el.localName === "input" && shown(el) && !el.readOnly && /^\d{4}$/.test(norm(el.value))) out.yearInput = el;
    return undefined;
  });
  return out;
}

// exactDate is the date that a cell says of itself in words or in an attribute
// that holds a whole date: {y, m, d}, or null.
export function exactDate(cell) {
  for (let at = cell, hops = 0; at && hops < 3; at = above(at), hops++) {
    for (const name of ["datetime", "data-date", "data-day", "data-value", "title", "aria-label"]) {
      const said = norm(at.getAttribute(name));
      const iso = /^(\d{4})-(\d{2})-(\d{2})(?:$|T)/.exec(said);
      if (iso) return { y: Number(iso[1]), m: Number(iso[2]), d: Number(iso[3]) };
      const words = said.replace(/(\d)(st|nd|rd|th)\b/g, "$1").split(/[\s,]+/);
      const month = words.map(monthOf).filter(Boolean);
      const numbers = words.filter((word) => /^\d+$/.test(word)).map(Number);
      const year = numbers.filter((number) => number > 999);
      const day = numbers.filter((number) => number >= 1 && number <= 31);
      if (month.length === 1 && year.length === 1 && day.length === 1) return { y: year[0], m: month[0], d: day[0] };
    }
    if (at.matches("td,[role=gridcell]")) break;
  }
  return null;
}
