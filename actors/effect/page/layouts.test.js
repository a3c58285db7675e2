import assert from "node:assert/strict";
import { test } from "node:test";

import { layoutOf, partsAsked } from "./layouts.js";

const DATE = { y: 2026, m: 3, d: 7 };

test("a format is read from letters, by example and from a value", () => {
  for (const [text, want] of [
    ["DD/MM/YYYY", "07/03/2026"], ["m-d-yy", "3-7-26"], ["Format: dd.mm.yyyy", "07.03.2026"], ["TT.MM.JJJJ", "07.03.2026"], ["JJ/MM/AAAA", "07/03/2026"],
    ["GG/MM/AAAA", "07/03/2026"], ["GG.AA.YYYY", "07.03.2026"], ["дд.мм.гггг", "07.03.2026"], ["dd-mm-jjjj", "07-03-2026"], ["RRRR-MM-DD", "2026-03-07"],
    ["YYYY年MM月DD日", "2026年03月07日"], ["DD MMM YYYY", "07 Mar 2026"], ["Enter a date (mm/dd/yyyy)", "03/07/2026"],
    ["e.g. 31/12/2026", "07/03/2026"], ["e.g. 2026-12-31", "2026-03-07"], ["ex: 12/31/2026", "03/07/2026"], ["z. B. 31.12.2026", "07.03.2026"],
    ["For example 31-12-2026", "07-03-2026"], ["2025/12/31", "2026/03/07"], ["1/31/2026", "3/07/2026"], ["e.g. 31 Dec 2026", "07 Mar 2026"],
    ["31-DEC-2026", "07-MAR-2026"], ["December 31, 2026", "March 07, 2026"], ["31. Dezember 2026", "07. März 2026"], ["31 déc. 2026", "07 mars 2026"],
    ["31 de diciembre de 2026", "07 de marzo de 2026"], ["2026年12月31日", "2026年03月07日"],
  ]) assert.equal(layoutOf([text], "")?.(DATE), want, text);
});

test("what does not tell the day from the month is no format", () => {
  for (const text of ["e.g. 01/02/2026", "Select a date", "31/12/26", "99/99/2026", "Call 555-12-1234", "e.g. 12 items", "nnn/nnn/nnnn", "dd/dd/yyyy", "", "http://example.org/2026"]) {
    assert.equal(layoutOf([text], ""), null, text);
  }
  assert.equal(layoutOf(["", "Select"], "2025-12-31")(DATE), "2026-03-07");
  assert.equal(layoutOf([], "01/02/2025"), null);
});

test("a field says whether it takes a day", () => {
  assert.deepEqual(partsAsked(["MM/YYYY"]), new Set(["m", "y"]));
  assert.deepEqual(partsAsked(["e.g. 12/2026"]), new Set(["m", "y"]));
  assert.deepEqual(partsAsked(["e.g. Dec 2026"]), new Set(["m", "y"]));
  assert.equal(partsAsked(["Search"]), null);
  assert.equal(layoutOf(["MM/YYYY"], "")(DATE), null);
  assert.equal(layoutOf(["e.g. Dec 2026"], "")({ y: 2026, m: 9, d: 0 }), "Sept 2026");
});
