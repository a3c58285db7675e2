// What a file input that nobody can see belongs to (R47, R227). It is the twin of
// files.go.

import { hostOf, inputType, nodeType, parentNode, queryIn, tag } from "./dom.js";
import { drawnText } from "./drawn_text.js";
import { FILE_UP, NEARBY_CHARS, NO_FILE } from "./tables.js";

// fileLabel is the text of what is drawn around a hidden file input that has no name:
// of the widest part of the page that holds no other field and says little.
export function fileLabel(el, name) {
  if (name !== NO_FILE) return "";
  let label = "";
  let at = parentNode(el) || hostOf(el);
  for (let steps = 0; at && steps < FILE_UP; steps++, at = parentNode(at) || hostOf(at)) {
    if (nodeType(at) !== 1) continue;
    if (tag(at) === "body" || holdsOther(at, el)) break;
    const text = drawnText(at);
    if (Array.from(text).length >= NEARBY_CHARS) break;
    label = text || label;
  }
  return label;
}

// holdsOther tells whether an element holds a field beside this one.
function holdsOther(el, own) {
  for (const field of queryIn(el, "input,select,textarea")) {
    if (field !== own && !(tag(field) === "input" && inputType(field) === "hidden")) return true;
  }
  return false;
}
