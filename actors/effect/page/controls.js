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

// What linesOf visits at most; a larger host is compared by its text alone.
const LINE_NODES_MAX = 4096;

const plainText = (text) => text.replace(/\u00a0/g, " ").replace(/[\u200b\ufeff]/g, "").replace(/\r\n?/g, "\n");

// sameLines tells whether an editing host shows exactly the lines of a text, the empty
// ones included: a block of its own or a break ends a line, and how far blocks stand
// apart does not count.
export function sameLines(el, text) {
  const shown = linesOf(el);
  return shown === null ? lines(el.innerText) === lines(text) : shown.join("\n") === plainText(text);
}

// linesOf are the lines that a person sees in an editing host, null where it holds too
// much to be read.
function linesOf(el) {
  const view = el.ownerDocument.defaultView;
  const out = [];
  let line = null;
  let visited = 0;
  const end = (always) => {
    if (always || line !== null) out.push(line || "");
    line = null;
  };
  const add = (text, kept) => {
    if (kept) {
      const parts = text.split("\n");
      parts.forEach((part, at) => {
        if (part !== "" || at < parts.length - 1) line = (line || "") + part;
        if (at < parts.length - 1) end(true);
      });
      return;
    }
    let part = text.replace(/[ \t\n\r\f]+/g, " ");
    if (line === null || line.endsWith(" ")) part = part.replace(/^ /, "");
    if (part !== "") line = (line || "") + part;
  };
  const walk = (node) => {
    if (++visited > LINE_NODES_MAX) return;
    if (node.nodeType === 3) {
      add(node.data, /^(pre|break-spaces)/.test(view.getComputedStyle(node.parentElement).whiteSpace));
      return;
    }
    if (node.nodeType !== 1) return;
    if (tagOf(node) === "br") {
      end(true);
      return;
    }
    const display = view.getComputedStyle(node).display;
    if (display === "none") return;
    const block = !/^(inline|contents|ruby)/.test(display);
    if (block) end(false);
    node.childNodes.forEach(walk);
    if (block) end(false);
  };
  el.childNodes.forEach(walk);
  end(false);
  return visited > LINE_NODES_MAX ? null : out.map((shown) => plainText(shown).replace(/\n/g, ""));
}

// fire sends an event of the kind that typing or choosing would send.
export function fire(el, type) {
  const view = el.ownerDocument.defaultView;
  const init = { bubbles: true, composed: true, cancelable: false };
  const event = type === "input" ? new view.InputEvent(type, { ...init, inputType: "insertReplacementText" }) : new view.Event(type, { bubbles: true });
  el.dispatchEvent(event);
}
