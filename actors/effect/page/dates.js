// Reading dates: names of months in the page's language and in English, years,
// and texts that show a date in whatever order.

import { norm } from "./text.js";

// monthsIn maps the lower-case names of months in languages to 1..12.
function monthsIn(languages) {
  const table = new Map(); // lower-case name -> 1..12
  const add = (name, month) => {
    const key = norm(name).toLowerCase().replace(/\.$/, "");
    if (key.length >= 3 || /[^\x00-\x7f]/.test(key)) table.set(key, month);
  };
  for (const language of languages) {
    for (const width of /** @type {const} */ (["long", "short"])) {
      try {
        const alone = new Intl.DateTimeFormat(language, { month: width, timeZone: "UTC" });
        const within = new Intl.DateTimeFormat(language, { month: width, day: "numeric", timeZone: "UTC" });
        for (let month = 0; month < 12; month++) {
          const date = new Date(Date.UTC(2024, month, 15));
          add(alone.format(date), month + 1);
          for (const part of within.formatToParts(date)) if (part.type === "month" && !/^\d+$/.test(part.value)) add(part.value, month + 1);
        }
      } catch {
        // A language tag that the engine does not know says nothing.
      }
    }
  }
  return table;
}

let known = null;

// monthNames are those of the page's language, of the browser's and of English; outside a page, of English.
const monthNames = () => (known ??= monthsIn(new Set([globalThis.document?.documentElement.lang, globalThis.navigator?.language, "en"].filter(Boolean))));

// monthOf is the month that a text is the name of, 0 for none. A bare number is
// no month (R96).
export function monthOf(text) {
  const key = text.toLowerCase().replace(/\.$/, "");
  const named = monthNames().get(key);
  if (named) return named;
  const sign = /^(\d{1,2})\s?月$/.exec(text);
  return sign && Number(sign[1]) >= 1 && Number(sign[1]) <= 12 ? Number(sign[1]) : 0;
}

export function yearOf(text) {
  const found = /^(\d{4})(\s?年)?$/.exec(text);
  return found ? Number(found[1]) : 0;
}

// monthAndYear reads a heading such as "November 2026", "2026年 11月", "11/2026",
// or one half of it: {y, m}, either 0 where it is not told, null for other texts.
export function monthAndYear(text) {
  // Two texts side by side may have no space between them: "May2026".
  const line = norm(text).replace(/(\p{L}\.?)(\d{4})$/u, "$1 $2");
  if (!line || line.length > 40) return null;
  const [y, m] = [yearOf(line), monthOf(line)];
  if (y || m) return { y, m };
  const numeric = /^(?:(\d{1,2})\s?[/.-]\s?(\d{4})|(\d{4})\s?[/.-]\s?(\d{1,2}))$/.exec(line);
  if (numeric) {
    const month = Number(numeric[1] || numeric[4]);
    return month >= 1 && month <= 12 ? { y: Number(numeric[2] || numeric[3]), m: month } : null;
  }
  const cjk = /^(\d{4})\s?年\s?(\d{1,2})\s?月$/.exec(line);
  if (cjk) return { y: Number(cjk[1]), m: Number(cjk[2]) };
  const words = line.replace(/,/g, " ").split(/\s+/);
  if (words.length > 3) return null;
  let out = { y: 0, m: 0 };
  for (const word of words) {
    const year = yearOf(word);
    const month = monthOf(word);
    if (year && !out.y) out = { ...out, y: year };
    else if (month && !out.m) out = { ...out, m: month };
    else if (!/^(of|de|\W+)$/i.test(word)) return null;
  }
  return out.y || out.m ? out : null;
}

export const daysIn = (y, m) => new Date(Date.UTC(y, m, 0)).getUTCDate();

// BETWEEN parts the two ends of a range in one text.
export const BETWEEN = /\s(?:to|bis|à|–|—|-|~|→)\s|\s?[~→–]\s?/;

// showsDate tells whether a text shows exactly the date, or the month where d is
// 0, in any order; of a range, one end is enough. A year may have two digits.
export function showsDate(text, { y, m, d }) {
  const parts = norm(text).split(BETWEEN);
  return [norm(text), ...parts].some((part) => showsOne(part, y, m, d));
}

function showsOne(text, y, m, d) {
  if (!text || text.length > 60) return false;
  const words = text.toLowerCase().split(/[\s,./-]+/).map((word) => word.replace(/\.$/, ""));
  const named = words.map((word) => monthNames().get(word) || 0).filter(Boolean);
  const numbers = (text.match(/\d+/g) || []).map(Number);
  const wanted = named.length > 0 ? [] : [m];
  if (named.length > 1 || (named.length === 1 && named[0] !== m)) return false;
  if (d) wanted.push(d);
  if (numbers.length !== wanted.length + 1) return false;
  for (const year of [y, y % 100]) {
    const left = numbers.slice();
    if ([year, ...wanted].every((number) => {
      const at = left.indexOf(number);
      if (at < 0) return false;
      left.splice(at, 1);
      return true;
    })) return true;
  }
  return false;
}

// surelyShows is showsDate for a text whose order of day and month is certain.
export function surelyShows(text, date) {
  if (!showsDate(text, date)) return false;
  const line = norm(text);
  if (!date.d || date.d > 12 || date.d === date.m || /^\d{4}\D/.test(line)) return true;
  return line.toLowerCase().split(/[\s,./-]+/).some((word) => monthNames().has(word.replace(/\.$/, "")));
}

const LAYOUT = /^(y{2,4}|m{1,2}|d{1,2})([^a-z0-9]+)(y{2,4}|m{1,2}|d{1,2})(?:([^a-z0-9]+)(y{2,4}|m{1,2}|d{1,2}))?$/;

// partsAsked are the parts of a date that a placeholder asks for, null where it
// shows no format.
export function partsAsked(input) {
  const form = LAYOUT.exec(norm(input.placeholder).toLowerCase());
  return form ? new Set([form[1], form[3], form[5]].filter(Boolean).map((part) => part[0])) : null;
}

// layoutOf reads the format of a field from its placeholder, or from a value whose
// order is certain: a function from a date to the text to type, or null.
export function layoutOf(input) {
  const form = LAYOUT.exec(norm(input.placeholder).toLowerCase());
  if (form) return writer([form[1], form[3], form[5]], [form[2], form[4]]);
  const shown = /^(\d{1,4})([^0-9a-z]+)(\d{1,2})([^0-9a-z]+)(\d{1,4})$/.exec(norm(input.value));
  if (!shown) return null;
  const [a, b, c] = [shown[1], shown[3], shown[5]];
  if (a.length === 4) return writer(["yyyy", "mm", "dd"], [shown[2], shown[4]]);
  if (c.length !== 4) return null;
  if (Number(a) > 12) return writer(["dd", "mm", "yyyy"], [shown[2], shown[4]]);
  if (Number(b) > 12) return writer(["mm", "dd", "yyyy"], [shown[2], shown[4]]);
  return null;
}

function writer(parts, marks) {
  const kinds = new Set(parts.filter(Boolean).map((part) => part[0]));
  return ({ y, m, d }) => {
    if (kinds.has("d") !== Boolean(d) || !kinds.has("y") || !kinds.has("m")) return null;
    const pad = (number, width) => String(number).padStart(width, "0");
    const text = (part) => (part[0] === "y" ? (part.length === 2 ? pad(y % 100, 2) : pad(y, 4)) : pad(part[0] === "m" ? m : d, part.length));
    return parts.filter(Boolean).map((part, at) => text(part) + (marks[at] && parts[at + 1] ? marks[at] : "")).join("");
  };
}
