// The format in which a field wants its date: as letters ("DD/MM/YYYY", "TT.MM.JJJJ"),
// by example ("e.g. 31 Dec 2026"), or as a value that is there already. Nothing here
// needs a document.

import { monthOf, nameLike, plainDigits } from "./months.js";
import { norm } from "./text.js";

const TEXT_MAX = 120; // Characters of a text in which a format is looked for.
const EDGE = "(?:^|[^\\p{L}\\p{N}])";
const END = "(?:$|[^\\p{L}\\p{N}])";
const run = (letter) => `((\\p{L})\\${letter}*)`; // letter is the number of the group of the letter.
const MARK = "([-/. ,年月]{1,2}|\\s-\\s)";
// One letter, repeated, for each part; words of months have mixed letters and do not fit.
const LETTERS = new RegExp(`${EDGE}${run(2)}${MARK}${run(5)}(?:${MARK}${run(8)}日?)?${END}`, "iu");
const NUMBERS = /(?:^|[^\d])(\d{1,4})([-/. ]{1,2}|年|\s-\s)(\d{1,2})(?:([-/. ]{1,2}|月)(\d{1,4})日?)?(?:$|[^\d])/u;
const DAY_FIRST = /(?:^|[^\p{L}\p{N}])(\d{1,2})(\.?\s(?:de\s)?|[-/])(\p{L}{3,}\.?)(\s(?:de\s)?|,\s|[-/])(\d{4})(?:$|[^\d])/u;
const MONTH_FIRST = /(?:^|[^\p{L}\p{N}])(\p{L}{3,}\.?)(\s)(\d{1,2})(,?\s)(\d{4})(?:$|[^\d])/u;
const MONTH_YEAR = /(?:^|[^\p{L}\p{N}])(\p{L}{3,}\.?)(\s|[-/])(\d{4})(?:$|[^\d])/u;

// Letters for the parts in common languages, beside those whose run of four is the year.
const MONTH_LETTERS = "mмkμ";
const DAY_LETTERS = "dдtjgpη";

// formatIn is the format that a text shows, as {kinds, write}, null without one: the
// kinds of its parts, "d", "m" and "y", and a function from a date to its text, null
// where the date has other parts.
export function formatIn(text) {
  const line = plainDigits(norm(text));
  if (!line || line.length > TEXT_MAX) return null;
  return byLetters(line) || byWords(line) || byNumbers(line);
}

function byLetters(line) {
  const found = LETTERS.exec(line);
  if (!found) return null;
  const runs = [found[1], found[4], found[7]].filter(Boolean).map((run) => run.toLowerCase());
  const kinds = runs.map((run, at) => kindOfRun(run, runs, at));
  if (kinds.includes("") || new Set(kinds).size !== kinds.length || !kinds.includes("y") || !kinds.includes("m")) return null;
  const parts = runs.map((run, at) => part(kinds[at], run.length));
  return parts.includes(null) ? null : format(parts, [found[3], found[6]].map((mark) => mark || ""), found[0].includes("日") ? "日" : "");
}

// kindOfRun is what a run of one letter stands for. The longest of the three is the
// year, in whatever language; Turkish has "AA" for the month.
function kindOfRun(run, runs, at) {
  const letter = run[0];
  if (run.length === 4 && !MONTH_LETTERS.includes(letter)) return letter === "d" || runs.some((other, there) => there !== at && other.length === 4) ? "" : "y";
  if (letter === "y" && run.length === 2) return "y";
  if (MONTH_LETTERS.includes(letter) || (letter === "a" && run.length === 2)) return "m";
  return DAY_LETTERS.includes(letter) && run.length <= 2 ? "d" : "";
}

// part writes one part of a date in so many characters; null for a width without a sense.
function part(kind, width) {
  const pad = (number) => String(number).padStart(width, "0");
  if (kind === "y") return { kind, text: ({ y }) => (width === 2 ? pad(y % 100) : String(y).padStart(4, "0")) };
  if (kind === "m" && width >= 3) return width > 4 ? null : { kind, text: ({ m }) => nameLike(width === 3 ? "Dec" : "December", m) };
  return { kind, text: (date) => pad(date[kind]) };
}

function byNumbers(line) {
  const found = NUMBERS.exec(line);
  if (!found) return monthThenYear(line);
  const [first, between, second, then, third] = found.slice(1);
  const marks = [between, then || ""];
  const year = { kind: "y", text: ({ y }) => String(y).padStart(4, "0") };
  const two = (kind, text) => part(kind, text.startsWith("0") || text.length === 2 ? 2 : 1);
  if (third === undefined) {
    if (first.length === 4 && likeMonth(second)) return format([year, two("m", second)], marks);
    return second.length === 4 && likeMonth(first) ? format([two("m", first), year], marks) : null;
  }
  if (first.length === 4 && third.length <= 2) return likeMonth(second) ? format([year, two("m", second), two("d", third)], marks, found[0].includes("日") ? "日" : "") : null;
  if (third.length !== 4 || first.length > 2) return null;
  // Which of two small numbers is the day, nothing tells.
  if (Number(first) > 12 && likeMonth(second)) return format([two("d", first), two("m", second), year], marks);
  if (Number(second) > 12 && likeMonth(first)) return format([two("m", first), two("d", second), year], marks);
  return null;
}

function monthThenYear(line) {
  const found = /(?:^|[^\d])(\d{1,2})([-/. ])(\d{4})(?:$|[^\d])/.exec(line);
  return found && likeMonth(found[1]) ? format([part("m", found[1].length), part("y", 4)], [found[2]]) : null;
}

const likeMonth = (text) => Number(text) >= 1 && Number(text) <= 12;

function byWords(line) {
  const year = part("y", 4);
  const word = (name) => ({ kind: "m", text: ({ m }) => nameLike(name, m) });
  const day = (text) => part("d", text.length);
  const first = DAY_FIRST.exec(line);
  if (first && monthOf(first[3])) return format([day(first[1]), word(first[3]), year], [first[2], first[4]]);
  const then = MONTH_FIRST.exec(line);
  if (then && monthOf(then[1])) return format([word(then[1]), day(then[3]), year], [then[2], then[4]]);
  const alone = MONTH_YEAR.exec(line);
  if (alone && monthOf(alone[1])) return format([word(alone[1]), year], [alone[2]]);
  return null;
}

function format(parts, marks, end = "") {
  const kinds = new Set(parts.map(({ kind }) => kind));
  const write = (date) => {
    if (kinds.has("d") !== Boolean(date.d)) return null;
    const texts = parts.map((each) => each.text(date));
    return texts.includes("") ? null : texts.map((text, at) => text + (at + 1 < texts.length ? marks[at] : "")).join("") + end;
  };
  return { kinds, write };
}

// partsAsked are the parts of a date that a field asks for by one of its texts, null
// where none shows a format.
export const partsAsked = (texts) => texts.map(formatIn).find(Boolean)?.kinds ?? null;

// layoutOf is the format of a field, by what its texts say, else by its value: a
// function from a date to the text to type, or null.
export const layoutOf = (texts, value) => [...texts, value].map(formatIn).find(Boolean)?.write ?? null;
