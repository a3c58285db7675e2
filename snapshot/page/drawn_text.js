// Text as it is drawn: in the case that CSS gives it, and of the parts that are laid out.

import { isElement, nodeType, parentNode, styleOf, tag, textData } from "./dom.js";
import { flatChildren } from "./identity.js";
import { NEARBY_CHARS, NEARBY_TEXTS } from "./tables.js";
import { short } from "./text.js";
import { SILENT } from "./walk.js";

// drawnText is the start of the text that is drawn inside an element.
export function drawnText(el) {
  const parts = [];
  const gather = (parent, depth) => {
    for (const child of flatChildren(parent)) {
      if (parts.length >= NEARBY_TEXTS || depth > NEARBY_TEXTS) return;
      const type = nodeType(child);
      if (type === 3 && /\S/.test(textData(child))) parts.push(textData(child));
      else if (type === 1 && !SILENT.has(tag(child)) && styleOf(child)?.display !== "none") gather(child, depth + 1);
    }
  };
  gather(el, 0);
  return short(parts.join(" "), NEARBY_CHARS);
}

// shownText is a piece of text in the case that CSS gives it.
export function shownText(piece) {
  if (typeof piece === "string") return piece;
  const parent = parentNode(piece);
  return inCase(textData(piece), isElement(parent) ? styleOf(parent) : null);
}

// inCase is a text in the case of a style.
export function inCase(text, style) {
  switch (style ? style.textTransform : "none") {
    case "uppercase":
      return text.toUpperCase();
    case "lowercase":
      return text.toLowerCase();
    case "capitalize":
      return text.replace(/(^|\s)(\S)/g, (_, space, char) => space + char.toUpperCase());
  }
  return text;
}
