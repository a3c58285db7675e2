// Which month and year a part of a calendar shows: by the texts, selects and fields
// around it, or by what its days say of themselves.

import { PANEL_UP } from "./calendar.js";
import { dayNamed, monthAndYear } from "./dates.js";
import { isWeekday, monthOf } from "./months.js";
import { above, kids, page, shown, walk } from "./surfaces.js";
import { norm } from "./text.js";

const HEADING_CHARS = 40; // Characters of a text that may be a heading.

// heading establishes the month and year that a part of a calendar shows, from
// the texts, selects and fields around it: {y, m, panel}, each number 0 where it is
// not certain. Of a list of months only the year is asked.
export function heading(part, barriers, days = true) {
  let best = { y: 0, m: 0, panel: part };
  for (let up = part, hops = 0; up && hops <= PANEL_UP && up !== page.body; up = above(up), hops++) {
    const named = monthAndYear(up.getAttribute("aria-label") || "");
    if (named && named.y && named.m) return { ...named, panel: up };
    const { years, months } = toldAround(up, part, hops === 0, barriers, !days);
    const seen = { y: years.size === 1 ? [...years][0] : 0, m: months.size === 1 ? [...months][0] : 0, panel: up };
    if (seen.y && seen.m) return seen;
    if ((seen.y && !best.y) || (seen.m && !best.m)) best = { y: seen.y || best.y, m: seen.m || best.m, panel: up };
    if (years.size > 1 || months.size > 1) break;
    if (above(up) === page.body) return before(up, best);
  }
  return best;
}

const BEFORE_MAX = 3; // Elements before a calendar that stands in the page's body.

// before completes what a calendar says by the title before it, where nothing is around
// the two but the page.
function before(top, best) {
  let told = best;
  for (let at = top.previousElementSibling, steps = 0; at && steps < BEFORE_MAX && !(told.y && told.m); at = at.previousElementSibling, steps++) {
    const { years, months } = toldAround(at, null, false, []);
    if (years.size > 1 || months.size > 1) break;
    told = { ...told, y: told.y || [...years][0] || 0, m: told.m || [...months][0] || 0 };
  }
  return told;
}

// toldAround are the years and months that an element tells outside of a part of it.
// Short forms that may be other words count where there is a year and no month else.
function toldAround(up, part, own, barriers, yearOnly = false, loose = false) {
  const [years, months] = [new Set(), new Set()];
  walk([up], (el) => {
    if (el !== up && (el === part || barriers.includes(el))) return "skip";
    if (own && el !== part) return undefined;
    const told = toldBy(el, loose);
    if (told === "skip") return "skip";
    if (told && shown(el)) {
      if (told.y) years.add(told.y);
      if (told.m) months.add(told.m);
      return "skip";
    }
    return undefined;
  });
  const enough = loose || yearOnly || months.size > 0 || years.size !== 1;
  return enough ? { years, months } : toldAround(up, part, own, barriers, false, true);
}

// toldBy is what one element of a heading says of month and year.
function toldBy(el, loose) {
  if (el.localName === "select") {
    const month = monthsIn(el)[el.selectedIndex];
    const told = month ? { y: 0, m: month } : el.selectedOptions[0] && monthAndYear(el.selectedOptions[0].label);
    return told || "skip";
  }
  // A field shows its value, whether it can be written or not.
  if (el.localName === "input") return /^(text|number|search|button|)$/.test(el.type) ? monthAndYear(el.value, loose) || numbered(el) || "skip" : "skip";
  if (el.localName === "svg") return "skip";
  if (el.textContent.length > HEADING_CHARS || !norm(el.textContent)) return null;
  const told = monthAndYear(el.textContent, loose);
  if (!told || (!told.y && amongWeekdays(el))) return null;
  for (const child of kids(el)) {
    const inner = monthAndYear(child.textContent, loose);
    if (inner && (!told.y || inner.y) && (!told.m || inner.m)) return null; // the child will say it
  }
  return told;
}

// numbered is the month of a field that holds its number and is named after it.
function numbered(el) {
  const said = `${el.getAttribute("aria-label") || ""} ${el.title || ""} ${el.name || ""} ${el.getAttribute("class") || ""}`;
  const number = /^\d{1,2}$/.test(norm(el.value)) ? Number(norm(el.value)) : 0;
  return /month|mois|monat|mes\b/i.test(said) && number >= 1 && number <= 12 ? { y: 0, m: number } : null;
}

// amongWeekdays tells whether a text is the name of a day of the week in a row of them:
// "mar" is a Tuesday and a March in Spanish.
function amongWeekdays(el) {
  for (let at = el, hops = 0; at && hops < 3; at = above(at), hops++) {
    const beside = above(at) ? kids(above(at)) : [];
    if (beside.length >= WEEK_LEAST && beside.filter((each) => isWeekday(each.textContent)).length >= WEEK_LEAST) return true;
  }
  return false;
}

const WEEK_LEAST = 5; // Days that make a week of names.

// monthsIn are the months of a select's options, 0 for what is none: all twelve by
// name, by number, or by both; [] where the select is of something else.
export function monthsIn(select) {
  if (select.options.length > 13) return [];
  const labels = Array.from(select.options, (option) => norm(option.label));
  const named = labels.map((label) => monthOf(label, true) || monthOf(label.replace(/^\d{1,2}\s?[-–.:/)]?\s?/, ""), true));
  const found = new Set(named.filter(Boolean)).size;
  if (found >= 2 && found >= labels.length - 1) return named; // One may ask for a month.
  const numbers = labels.map((label) => (/^\d{1,2}$/.test(label) ? Number(label) : 0));
  const all = numbers.filter((number) => number >= 1 && number <= 12);
  return all.length === 12 && new Set(all).size === 12 ? numbers : [];
}

// cellsMonth is the month that the cells say of themselves: {y, m}, {m} where they tell
// no year, {} where they do not, or not all the same.
export function cellsMonth(cells) {
  const dates = [0, 9, 27].map((at) => saidBy(cells[at], 0));
  if (dates.some((date, at) => !date || date.d !== [1, 10, 28][at])) return {};
  const [{ y, m }] = dates;
  if (!dates.every((date) => date.y === y && date.m === m)) return {};
  return y ? { y, m } : { m };
}

// exactDate is the date that a cell says of itself in words or in an attribute
// that holds a whole date: {y, m, d}, or null.
export const exactDate = (cell) => saidBy(cell, 1000);

// saidBy is exactDate with a year of at least so much; 0 takes a day without its year.
function saidBy(cell, least) {
  for (let at = cell, hops = 0; at && hops < 3; at = above(at), hops++) {
    for (const name of ["datetime", "data-date", "data-day", "data-value", "title", "aria-label"]) {
      const told = dayNamed(at.getAttribute(name) || "");
      if (told && told.y >= least) return told;
    }
    if (at.matches("td,[role=gridcell]")) break;
  }
  return null;
}
