// What kind of control an element is, as far as an effect has to know.
//
// These functions run in our isolated world, whose prototypes the page cannot
// touch. Inputs, selects and text areas do not let a page shadow their
// properties, as forms and documents do, so their properties are read plainly.

import { TEXT_TYPES, VALUE_TYPES } from "../../../snapshot/page/tables.js";

const XHTML = "http://www.w3.org/1999/xhtml";

// tagOf is the local name of an HTML element, "" for any other.
export const tagOf = (el) => (el.namespaceURI === XHTML ? el.localName : "");

export const refuse = (code, detail) => ({ ok: false, code, detail });

// kindOf is how a value gets into the element:
//   text      an input of a text-like type, or a text area
//   exact     an input whose value has one form that the engine enforces
//   editable  an editing host
//   slider    an ARIA slider that states its value and range
//   select    a native select
export function kindOf(el) {
  const tag = tagOf(el);
  if (tag === "input") {
    if (TEXT_TYPES.has(el.type)) return "text";
    return VALUE_TYPES.has(el.type) ? "exact" : "";
  }
  if (tag === "textarea") return "text";
  if (tag === "select") return "select";
  if (tag && el.isContentEditable) return "editable";
  const role = (el.getAttribute("role") || "").trim().toLowerCase();
  const stated = ["aria-valuenow", "aria-valuemin", "aria-valuemax"].every((name) => Number.isFinite(parseFloat(el.getAttribute(name))));
  return role === "slider" && stated ? "slider" : "";
}

// textOf is what the element holds, as the page would read it.
export function textOf(el) {
  switch (kindOf(el)) {
    case "editable":
      return el.innerText;
    case "slider":
      return el.getAttribute("aria-valuenow") || "";
    case "text":
    case "exact":
    case "select":
      return el.value;
  }
  return "";
}

// caretOf is where typed text goes: {from, to, keep}. A selection or a caret that
// somebody put into the text is kept; a field that nobody has been in takes text
// behind what is there.
export function caretOf(el) {
  const root = el.getRootNode();
  const focused = root.activeElement === el;
  if (kindOf(el) === "editable") return { keep: focused && selectionIn(el) };
  const end = el.value.length;
  let [from, to] = [end, end];
  try {
    if (el.selectionStart !== null) [from, to] = [el.selectionStart, el.selectionEnd];
  } catch {
    return { from: end, to: end, keep: false }; // Types without a selection of their own.
  }
  const keep = from !== to || (from > 0 && from < end) || (focused && end > 0);
  return keep ? { from, to, keep } : { from: end, to: end, keep: false };
}

// selectionIn tells whether the document's selection lies in an editing host.
function selectionIn(el) {
  const selection = el.ownerDocument.getSelection();
  return Boolean(selection && selection.anchorNode && el.contains(selection.anchorNode));
}

// lines brings the text of an editing host into a form in which two of them can
// be compared: editors put paragraphs, breaks, no-break spaces and zero-width
// marks where the text has a line end or a space.
export const lines = (text) =>
  text.replace(/\u00a0/g, " ").replace(/[\u200b\ufeff]/g, "").replace(/\r\n?/g, "\n").replace(/[ \t]+$/gm, "").replace(/\n+/g, "\n").replace(/^\n|\n$/g, "");

// fire sends an event of the kind that typing or choosing would send.
export function fire(el, type) {
  const view = el.ownerDocument.defaultView;
  const init = { bubbles: true, composed: true, cancelable: false };
  const event = type === "input" ? new view.InputEvent(type, { ...init, inputType: "insertReplacementText" }) : new view.Event(type, { bubbles: true });
  el.dispatchEvent(event);
}
