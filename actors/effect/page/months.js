// Names of months in any language. The language of the control goes first, then the
// browser's and English; the common ones follow, so that a calendar need not be in the
// language that its page says. Nothing here needs a document.

import { norm } from "./text.js";

// COMMON are languages in which calendars are drawn on pages of other languages.
const COMMON = [
  "en", "de", "fr", "es", "it", "pt", "nl", "pl", "cs", "hr", "ro", "hu", "sv", "fi", "tr", "ru", "uk", "el", "ar", "th", "zh",
];
const PREFIX_LEAST = 3; // Letters of a name that are enough where they are of one month only,
const SURE_LEAST = 4; // and of a name that says by itself that it is a month, in any language.
const ENGLISH = "en-GB";

// plainDigits writes decimal digits of other scripts as 0 to 9.
export const plainDigits = (text) =>
  text.replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u0e50-\u0e59]/g, (digit) => String((digit.charCodeAt(0) - (digit < "\u06f0" ? 0x660 : digit < "\u0966" ? 0x6f0 : digit < "\u0e50" ? 0x966 : 0xe50)) % 10));

// fold is how names are compared: without case, accents and dots, since capitals are
// often written without accents, and short forms with a dot or without.
export const fold = (text) => plainDigits(norm(text)).toLowerCase().normalize("NFD").replace(/[\u0300-\u036f.]/g, "").replace(/ı/g, "i").replace(/[’']/g, "").normalize("NFC").trim();

const lettersOf = (name) => Array.from(name).length;
const isCased = (name) => name.toLowerCase() !== name.toUpperCase();

// put notes a name, 0 where it is that of several months.
const put = (table, name, month) => table.set(name, (table.get(name) ?? month) === month ? month : 0);

// namesIn are the folded names of the months in one language, with their unmistakable
// beginnings: {full, short}, maps from name to 1..12.
function namesIn(language) {
  const full = new Map();
  const short = new Map();
  const forms = (width) => [{ month: width }, { month: width, day: "numeric" }, ...(width === "long" ? [{ month: width, year: "numeric" }] : [])];
  for (const width of /** @type {const} */ (["long", "short"])) {
    for (const form of forms(width)) {
      const format = new Intl.DateTimeFormat(`${language}-u-ca-gregory-nu-latn`, { .../** @type {any} */ (form), timeZone: "UTC" });
      for (let month = 1; month <= 12; month++) {
        const part = format.formatToParts(new Date(Date.UTC(2024, month - 1, 15))).find(({ type }) => type === "month");
        const name = part ? fold(part.value) : "";
        if (!name || /^\d+$/.test(name)) continue;
        if (width === "long" && !/\d/.test(name)) put(full, name, month);
        else put(short, name, month);
      }
    }
  }
  for (const [name, month] of full) {
    if (!isCased(name)) continue;
    for (let length = PREFIX_LEAST; length < lettersOf(name); length++) put(short, name.slice(0, length), month);
  }
  // A name stands for its month even where it begins another one's.
  for (const [name, month] of full) short.set(name, month);
  for (const [name, month] of short) if (month === 0) short.delete(name);
  return { full, short };
}

const tables = new Map();

// tableOf is namesIn, made once; null for a tag that the engine does not know.
function tableOf(language) {
  if (!tables.has(language)) {
    let made = null;
    try {
      made = namesIn(new Intl.Locale(language).baseName);
    } catch {
      // A tag that is none says nothing.
    }
    tables.set(language, made);
  }
  return tables.get(language);
}

let spoken = [ENGLISH];
let wide = null;

// speak names the language that the control is in, which goes before all others.
export function speak(language) {
  spoken = Array.from(new Set([language, globalThis.navigator?.language, ENGLISH].filter(Boolean)));
  answers.clear();
}

// agreed merges the names of the common languages; those that are of different months
// in different languages are 0.
function agreed() {
  if (wide) return wide;
  wide = { full: new Map(), short: new Map() };
  for (const language of COMMON) {
    const table = tableOf(language);
    if (!table) continue;
    for (const [name, month] of table.full) if (lettersOf(name) >= SURE_LEAST || !isCased(name)) put(wide.full, name, month);
    for (const [name, month] of table.short) if (lettersOf(name) >= PREFIX_LEAST || !isCased(name)) put(wide.short, name, month);
  }
  return wide;
}

// monthOf is the month that a text is the name of, 0 for none. A bare number is no
// month (R96). loose allows short forms of languages that neither the control nor the
// browser is in, which may as well be other words: "Set" is September in Italian.
export function monthOf(text, loose = false) {
  if (!text || text.length > NAME_MAX || /^[\d\s]+$/.test(text)) return 0;
  const asked = (loose ? "~" : "=") + text;
  let month = answers.get(asked);
  if (month === undefined) {
    if (answers.size > ANSWERS_MAX) answers.clear();
    answers.set(asked, (month = monthSaid(fold(text), loose)));
  }
  return month;
}

const NAME_MAX = 24; // Characters of the name of a month,
const ANSWERS_MAX = 2048; // and texts of which it is kept whether they are one.
const answers = new Map();

function monthSaid(key, loose) {
  for (const language of spoken) {
    const month = tableOf(language)?.short.get(key);
    if (month) return month;
  }
  const sign = /^(\d{1,2})\s?(?:月|월)(?:份)?$/.exec(key);
  if (sign) return Number(sign[1]) >= 1 && Number(sign[1]) <= 12 ? Number(sign[1]) : 0;
  // Short words ask for no other language, whose names take a while to make.
  if (/\d/.test(key) || lettersOf(key) < (loose || !isCased(key) ? 1 : SURE_LEAST)) return 0;
  return agreed().full.get(key) || (loose && agreed().short.get(key)) || 0;
}

let weekdays = null;

// isWeekday tells whether a text is the short name of a day of the week in a language
// in which months are read: "mar" is both in Spanish.
export function isWeekday(text) {
  if (!weekdays) {
    weekdays = new Set();
    for (const language of COMMON) {
      for (const width of /** @type {const} */ (["long", "short", "narrow"])) {
        const format = new Intl.DateTimeFormat(language, { weekday: width, timeZone: "UTC" });
        for (let day = 1; day <= 7; day++) {
          const name = fold(format.format(new Date(Date.UTC(2024, 0, day))));
          weekdays.add(name);
          if (isCased(name)) for (const length of [2, 3]) weekdays.add(name.slice(0, length));
        }
      }
    }
  }
  return weekdays.has(fold(text));
}

// nameLike is the name of a month in the language, the width and the case of another
// month's name, "" where that is not known.
export function nameLike(like, month) {
  const at = monthOf(like, true);
  if (!at) return "";
  const bare = (name) => name.toLowerCase().replace(/\.$/, "");
  // "déc" and "Dec" are told apart by the accent, where it is written.
  for (const key of [bare, fold]) {
    for (const language of new Set([...spoken, ...COMMON])) {
      for (const form of [{ month: "long" }, { month: "long", day: "numeric" }, { month: "short", day: "numeric" }, { month: "short" }]) {
        const format = tableOf(language) && new Intl.DateTimeFormat(language, { .../** @type {any} */ (form), timeZone: "UTC" });
        const named = (number) => format.formatToParts(new Date(Date.UTC(2024, number - 1, 15))).find(({ type }) => type === "month").value;
        if (format && key(named(at)) === key(like)) return inCaseOf(like, like.endsWith(".") ? named(month) : named(month).replace(/\.$/, ""));
      }
    }
  }
  return "";
}

// inCaseOf writes a name in capitals, or with a capital, where another one is.
function inCaseOf(like, name) {
  if (isCased(like) && like === like.toUpperCase()) return name.toUpperCase();
  return isCased(like) && like[0] === like[0].toUpperCase() ? name[0].toUpperCase() + name.slice(1) : name;
}
