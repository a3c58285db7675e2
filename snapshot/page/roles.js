// Classes of roles and tags that this collector goes by alone. Those that it shares
// with the other one are in tables.js, which is written from Go.

import { BUTTON_FIELDS, CONTROL_ROLES, FIELD_ROLES, MEANINGLESS_ROLES } from "./tables.js";
import { words } from "./text.js";

// EMPTY_ROLES have no meaning of their own: without a name or a fact that matters,
// their children take their place. The roots of documents are among them here, while
// the other collector begins below them.
export const EMPTY_ROLES = new Set([...MEANINGLESS_ROLES, "RootWebArea", "WebArea"]);

export const CARD_TAGS = words("div li article");

// PLAIN tags are generic by themselves: without one of PLAIN_ATTRIBUTES their
// computed role need not be asked for.
export const PLAIN = words("div span b i u small big font center tt samp kbd var cite q data bdi bdo wbr body html slot picture nobr pre");
export const PLAIN_ATTRIBUTES = ["role", "tabindex", "aria-label", "aria-labelledby", "title", "contenteditable", "draggable", "popover"];

// NO_INSIDE are the elements whose children are no content of the page, or are
// told by the element itself.
export const NO_INSIDE = words("input textarea select video audio script style noscript template head meta link base title datalist progress meter");

// isField tells whether a node is a form field of any kind (R47).
export function isField(name, type, role, host) {
  if (name === "input") return !BUTTON_FIELDS.has(type);
  return name === "select" || name === "textarea" || FIELD_ROLES.has(role) || host;
}

// isOperable tells whether a node is something to operate, also when its state
// forbids it at present (R53).
export const isOperable = (name, role, host) =>
  name === "input" || name === "select" || name === "textarea" || name === "button" || CONTROL_ROLES.has(role) || host;
