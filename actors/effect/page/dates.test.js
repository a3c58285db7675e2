import assert from "node:assert/strict";
import { test } from "node:test";

import { daysIn, layoutOf, monthAndYear, monthOf, partsAsked, showsDate, surelyShows } from "./dates.js";

test("a name is a month, a bare number is none", () => {
  for (const [text, want] of [["November", 11], ["nov.", 11], ["11", 0], ["11月", 11], ["13月", 0], ["Monday", 0]]) {
    assert.equal(monthOf(text), want, text);
  }
});

test("headings of calendars are read in many forms", () => {
  for (const [text, want] of [
    ["November 2026", { y: 2026, m: 11 }], ["May2026", { y: 2026, m: 5 }], ["2026年 11月", { y: 2026, m: 11 }],
    ["11/2026", { y: 2026, m: 11 }], ["2026-11", { y: 2026, m: 11 }], ["13/2026", null], ["2026", { y: 2026, m: 0 }],
    ["November", { y: 0, m: 11 }], ["Choose November 2026 please", null], ["", null],
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

test("a layout comes from the placeholder, or from a value whose order is certain", () => {
  const date = { y: 2026, m: 3, d: 7 };
  for (const [placeholder, value, want] of [
    ["DD/MM/YYYY", "", "07/03/2026"], ["m-d-yy", "", "3-7-26"], ["YYYY.MM", "", null],
    ["", "2025-12-31", "2026-03-07"], ["", "31.12.2025", "07.03.2026"], ["", "12/31/2025", "03/07/2026"],
  ]) assert.equal(layoutOf({ placeholder, value })(date), want, placeholder || value);
  assert.equal(layoutOf({ placeholder: "", value: "01/02/2025" }), null);
  assert.deepEqual(partsAsked({ placeholder: "MM/YYYY" }), new Set(["m", "y"]));
  assert.equal(partsAsked({ placeholder: "Search" }), null);
});
