import assert from "node:assert/strict";
import { test } from "node:test";

import { TEXT_BYTES } from "./tables.js";
import { cutBytes, short, squeeze } from "./text.js";

test("squeeze joins white space and clamps by bytes of UTF-8", () => {
  assert.equal(squeeze("  a\n\t b\u00a0c "), "a b c");
  assert.equal(squeeze(null), "");
  assert.equal(squeeze("ä".repeat(TEXT_BYTES)), "ä".repeat(TEXT_BYTES / 2));
});

test("cutBytes cuts between characters and leaves no space at the end", () => {
  for (const [text, max, want] of [
    ["abc", 3, "abc"], ["abcd", 3, "abc"], ["aä", 2, "a"], ["a€", 4, "a€"], ["a€", 3, "a"],
    ["😀😀", 7, "😀"], ["😀", 3, ""], ["ab cd", 3, "ab"],
  ]) assert.equal(cutBytes(text, max), want, `${text} in ${max} bytes`);
});

test("short counts code points and marks the cut", () => {
  assert.equal(short("abcdef", 6), "abcdef");
  assert.equal(short("abcdefg", 6), "abcde…");
  assert.equal(short("😀😀😀", 3), "😀😀😀");
  assert.equal(short("😀😀😀😀", 3), "😀😀…");
});
