import assert from "node:assert/strict";
import { test } from "node:test";

import { difference, holdsWord } from "./reading.js";
import { norm } from "./text.js";

test("labels are equal but for forms of one character, marks without width and white space", () => {
  for (const [a, b] of [["ﬁle", "file"], ["１２", "12"], ["a\u200bb", "ab"], [" a \n b ", "a b"], ["e\u0301", "é"]]) assert.equal(norm(a), norm(b));
  assert.notEqual(norm("File"), norm("file"));
  assert.equal(norm(null), "");
});

test("a label is found as a word of its own", () => {
  for (const [text, label, want] of [
    ["Italy, Spain", "Spain", true], ["Spaniard", "Spain", false], ["Italy2", "Italy", false], ["(Italy)", "Italy", true], ["", "x", false],
  ]) assert.equal(holdsWord(text, label), want, `${label} in ${text}`);
});

test("the difference of two texts is what stands in place of something", () => {
  assert.equal(difference("Country Choose one", "Country Italy"), "Italy");
  assert.equal(difference("a b", "a b"), "");
});
