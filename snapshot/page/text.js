// Text: white space, cutting by bytes and by characters. Nothing here needs a document.

import { DETAIL_CHARS } from "./limits.js";
import { TEXT_BYTES } from "./tables.js";

export const words = (text) => new Set(text.split(" "));

// squeeze joins white space and clamps to TEXT_BYTES of UTF-8.
export function squeeze(text) {
  if (!text) return "";
  const line = String(text).replace(/\s+/g, " ").trim();
  return line.length * 3 <= TEXT_BYTES ? line : cutBytes(line, TEXT_BYTES);
}

// cutBytes keeps the longest prefix of at most max bytes of UTF-8.
export function cutBytes(text, max) {
  let bytes = 0;
  let at = 0;
  for (const char of text) {
    const code = char.codePointAt(0);
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes > max) return text.slice(0, at).trimEnd();
    at += char.length;
  }
  return text;
}

// short is text for an error or a hint: at most max code points, with an
// ellipsis where it was cut.
export function short(text, max = DETAIL_CHARS) {
  const line = squeeze(text);
  if (line.length <= max) return line;
  const chars = Array.from(line);
  return chars.length <= max ? line : chars.slice(0, max - 1).join("") + "…";
}
