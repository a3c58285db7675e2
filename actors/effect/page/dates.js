// Reading dates: headings of calendars with month and year, and texts that show a date
// in whatever order. Nothing here needs a document.

import { fold, isWeekday, monthOf, plainDigits } from "./months.js";
import { norm } from "./text.js";

export function yearOf(text) {
  const found = /^(\d{4})\s?(年|년|г\.?|\.)?$/.exec(plainDigits(text));
  return found ? Number(found[1]) : 0;
}

// FILLER are words between a month and its year.
const FILLER = /^(of|de|del|di|d'|г|год|года|р|року|m|gada|năm|år|[^\p{L}\p{N}]+)$/iu;
const HEADING_MAX = 40; // Characters of a heading,
const HEADING_WORDS = 5; // and its words.

// monthAndYear reads a heading such as "November 2026", "2026年 11月", "11/2026",
// or one half of it: {y, m}, either 0 where it is not told, null for other texts.
// loose is as for monthOf.
export function monthAndYear(text, loose = false) {
  // Two texts side by side may have no space between them: "May2026".
  const line = plainDigits(norm(text)).replace(/(\p{L}\.?)(\d{4})$/u, "$1 $2");
  if (!line || line.length > HEADING_MAX) return null;
  const [y, m] = [yearOf(line), monthOf(line, loose)];
  if (y || m) return { y, m };
  const numeric = /^(?:(\d{1,2})\s?[/.-]\s?(\d{4})|(\d{4})\s?[/.-]\s?(\d{1,2}))\.?$/.exec(line);
  if (numeric) {
    const month = Number(numeric[1] || numeric[4]);
    return month >= 1 && month <= 12 ? { y: Number(numeric[2] || numeric[3]), m: month } : null;
  }
  const signs = /^(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]$/.exec(line);
  if (signs) return { y: Number(signs[1]), m: Number(signs[2]) };
  const words = line.replace(/,/g, " ").split(/\s+/).filter((word) => !FILLER.test(word.replace(/\.$/, "") || "."));
  const years = words.map(yearOf).filter(Boolean);
  const rest = words.filter((word) => !yearOf(word));
  if (words.length === 0 || words.length > HEADING_WORDS || years.length > 1) return null;
  const month = rest.length > 0 ? monthOf(rest.join(" "), loose || years.length > 0) : 0;
  if (rest.length > 0 && !month) return null;
  return { y: years[0] || 0, m: month };
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

// monthsNamed are the months that a text names, without the days of the week that are
// named alike.
function monthsNamed(text) {
  const words = fold(text.replace(/\./g, " ")).split(/[\s,/-]+/).filter((word) => word && !/\d/.test(word));
  const named = words.filter((word) => monthOf(word));
  return (named.length > 1 ? named.filter((word) => !isWeekday(word)) : named).map((word) => monthOf(word));
}

function showsOne(shown, y, m, d) {
  const text = plainDigits(shown);
  if (!text || text.length > 60) return false;
  const named = monthsNamed(text);
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
  const line = plainDigits(norm(text));
  if (!date.d || date.d > 12 || date.d === date.m || /^\d{4}\D/.test(line)) return true;
  return monthsNamed(line).length > 0;
}

// dayNamed reads the name of a day such as "Wednesday, April 2" or "2 April 2026, today":
// {y, m, d}, y 0 where it is not told, null for other texts.
export function dayNamed(text) {
  const line = plainDigits(norm(text)).replace(/(\d)(st|nd|rd|th)\b/gi, "$1");
  if (line.length > 60) return null;
  const iso = /^(\d{4})-(\d{2})-(\d{2})(?:$|T)/.exec(line);
  if (iso) return { y: Number(iso[1]), m: Number(iso[2]), d: Number(iso[3]) };
  const signs = /(?:(\d{4})\s?[年년]\s?)?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]/.exec(line);
  if (signs) return { y: Number(signs[1] || 0), m: Number(signs[2]), d: Number(signs[3]) };
  const months = monthsNamed(line);
  const numbers = (line.match(/\d+/g) || []).map(Number);
  const years = numbers.filter((number) => number > 999);
  const days = numbers.filter((number) => number >= 1 && number <= 31);
  if (months.length !== 1 || days.length !== 1 || years.length > 1) return null;
  return { y: years[0] || 0, m: months[0], d: days[0] };
}
