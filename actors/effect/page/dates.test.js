import assert from "node:assert/strict";
import { test } from "node:test";

import { dayNamed, daysIn, monthAndYear, showsDate, surelyShows } from "./dates.js";

test("headings of calendars are read in many forms", () => {
  for (const [text, want] of [
    ["November 2026", { y: 2026, m: 11 }], ["May2026", { y: 2026, m: 5 }], ["2026年 11月", { y: 2026, m: 11 }],
    ["11/2026", { y: 2026, m: 11 }], ["2026-11", { y: 2026, m: 11 }], ["13/2026", null], ["2026", { y: 2026, m: 0 }],
    ["November", { y: 0, m: 11 }], ["Choose November 2026 please", null], ["", null],
    ["Sept 2026", { y: 2026, m: 9 }], ["SEPT. 2026", { y: 2026, m: 9 }], ["noviembre de 2026", { y: 2026, m: 11 }], ["ноябрь 2026 г.", { y: 2026, m: 11 }],
    ["2026년 11월", { y: 2026, m: 11 }], ["2026. november", { y: 2026, m: 11 }], ["Ağu 2026", { y: 2026, m: 8 }], ["نوفمبر ٢٠٢٦", { y: 2026, m: 11 }],
    ["Set", null], ["Set 2026", { y: 2026, m: 9 }], ["of", null],
  ]) assert.deepEqual(monthAndYear(text), want, text);
});

test("a month has its days", () => {
  assert.deepEqual([daysIn(2024, 2), daysIn(2026, 2), daysIn(2026, 4), daysIn(2026, 12)], [29, 28, 30, 31]);
});

test("a text shows a date in any order, and no other date", () => {
  const date = { y: 2026, m: 11, d: 5 };
  for (const [text, want] of [
    ["2026-11-05", true], ["05/11/2026", true], ["11/05/26", true], ["Nov 5, 2026", true], ["5 November 2026", true],
    ["2026-11-06", false], ["5 May 2026", false], ["2026-11-05 12:00", false], ["1/11/2026 – 5/11/2026", true], ["", false],
  ]) assert.equal(showsDate(text, date), want, text);
});

test("a text is a sure proof only where day and month cannot be exchanged", () => {
  const date = { y: 2026, m: 11, d: 5 };
  assert.equal(surelyShows("05/11/2026", date), false);
  assert.equal(surelyShows("2026-11-05", date), true);
  assert.equal(surelyShows("5 Nov 2026", date), true);
  assert.equal(surelyShows("25/11/2026", { y: 2026, m: 11, d: 25 }), true);
});

test("a name of a day is read in any order, with the year or without", () => {
  for (const [text, want] of [
    ["Wednesday, April 2", { y: 0, m: 4, d: 2 }], ["2 April 2026", { y: 2026, m: 4, d: 2 }], ["Thursday, April 2nd, 2026", { y: 2026, m: 4, d: 2 }],
    ["2026-04-02", { y: 2026, m: 4, d: 2 }], ["mercredi 2 avril", { y: 0, m: 4, d: 2 }], ["2026年4月2日", { y: 2026, m: 4, d: 2 }],
    ["April 2026", null], ["2", null], ["April 2 to 5", null], ["2 things to do", null],
  ]) assert.deepEqual(dayNamed(text), want, text);
});
