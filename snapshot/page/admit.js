// Which actions an element allows (R60-R68, R92, R99-R101, R227, R228): by its
// element name, its input type and facts of the DOM, never by its role alone.

import { namesDate, opensPanel, saysDate, showsDays } from "./dates.js";
import {
  attr, boundingRect, byId, checkVisibility, defaultView, documentElements, elementBefore, firstChild, flatParent,
  getAttribute, hasAttribute, hostOf, inputType, labelControl, localName, namespaceURI, nextSibling, nodeType,
  openRoot, ownerDocument, parentNode, queryIn, styleOf, SVG, tag, textData,
} from "./dom.js";
import { drawsChoice } from "./drawn.js";
import { explicitRole } from "./identity.js";
import { IDREFS_MAX } from "./limits.js";
import { isControl } from "./point.js";
import { CARD_TAGS } from "./roles.js";
import {
  BUTTON_TYPES, CARD_NODES, CARD_ROLES, CHOICE_WORDS, CLICK_ROLES, DATE_WORDS, DAY_PANELS, HINT_ANCESTORS, HINT_CHARS,
  HINT_DESCENDANTS, NODES_MAX, POPUP_ROLES, TEXT_TYPES, VALUE_TYPES,
} from "./tables.js";
import { short, squeeze, words } from "./text.js";
import { home } from "./world.js";

// actionsOf lists the actions in the order of the Go side. node is what the
// walk knows of the element: name (its tag), type, role, host (an editing
// host), disabled, readonly, tabbable, draggable; labelsHidden (a label whose
// control cannot be seen, R227); file (a file input that cannot be seen);
// card and pointer (the proof of a card or, under broad, a clickable's evidence).
export function actionsOf(el, node) {
  if (node.disabled) return [];
  const g = node.file ? { upload: true } : byElement(el, node);
  if (!node.file) byFacts(el, node, g);
  if (node.readonly) g.text = g.value = false;
  const out = [];
  if (g.click) out.push("click");
  if (g.text) out.push("input_text");
  if (g.value) out.push("set_value");
  if (g.selectOption) out.push("select_option");
  if (g.choice) out.push("select_choice");
  if (g.date) out.push("set_date");
  if (g.upload) out.push("upload_file");
  if (g.click) out.push("hover", "scroll");
  if (g.click || g.drag) out.push("drag");
  return out;
}

function byElement(el, node) {
  switch (node.name) {
    case "select":
      return { selectOption: true };
    case "textarea":
      return { click: true, text: true, value: true };
    case "option":
    case "optgroup":
    case "datalist":
      return {};
    case "input":
      return byInput(el, node);
    case "button": {
      const date = opensDates(el, node);
      return { click: true, choice: opensPopup(el) && !date, date };
    }
    case "summary":
      return { click: node.role === "DisclosureTriangle", choice: opensPopup(el) };
  }
  const { role } = node;
  if (node.host) return { click: true, text: true, value: true, choice: role === "combobox" };
  const g = { click: CLICK_ROLES.has(role) };
  if (role === "combobox" || role === "listbox") g.choice = true;
  else if (role === "button") g.choice = opensPopup(el);
  else if (role === "slider") g.value = isRange(el) && node.focusable;
  else if (drawsChoice(el, node)) g.click = g.choice = true;
  const date = DAY_PANELS.has(role) ? showsDays(el, role) : g.choice && (role === "button" ? opensDates(el, node) : hintsOf(el) === "date");
  if (date) {
    g.choice = false;
    g.date = true;
  }
  return g;
}

// opensDates tells whether a button opens the panel of a date.
const opensDates = (el, node) => opensPanel(el) && (hintsOf(el) === "date" || namesDate(node));

function byInput(el, node) {
  const { type } = node;
  if (type === "file") return { upload: true };
  if (VALUE_TYPES.has(type)) return { value: true };
  if (BUTTON_TYPES.has(type)) return { click: true, choice: type === "button" && opensPopup(el) };
  if (!TEXT_TYPES.has(type)) return {};
  const g = { click: true, text: true, value: true };
  if (type !== "text" && type !== "search") return g;
  const hint = hintsOf(el);
  if (hint === "date" || saysDate(el, node, hint)) g.date = true;
  else if (hint || opensPopup(el) || (node.role === "combobox" && !hasAttribute(el, "list"))) g.choice = true;
  return g;
}

function byFacts(el, node, g) {
  if (node.labelsHidden || node.card) g.click = true;
  if (node.draggable) g.drag = true;
  if (node.pointer && !Object.values(g).some(Boolean)) g.click = true;
}

const isRange = (el) => hasAttribute(el, "aria-valuenow") && hasAttribute(el, "aria-valuemin") && hasAttribute(el, "aria-valuemax");

// opensPopup tells whether an element says, by relation, that it opens or
// controls a list box, tree, grid, dialog or menu (R92).
export function opensPopup(el) {
  const popup = getAttribute(el, "aria-haspopup");
  if (popup === "true" || POPUP_ROLES.has(popup)) return true;
  // A combobox that states whether it is open says that it opens a list box: that
  // is what aria-haspopup means for the role where it is not given.
  if (getAttribute(el, "role") === "combobox" && hasAttribute(el, "aria-expanded")) return true;
  for (const name of ["aria-controls", "aria-owns"]) {
    const ids = getAttribute(el, name);
    if (!ids) continue;
    for (const id of ids.split(/\s+/).slice(0, IDREFS_MAX)) {
      const target = id ? byId(el, id) : null;
      if (target && POPUP_ROLES.has(getAttribute(target, "role"))) return true;
    }
  }
  return false;
}

// hintsOf looks for the class of a known kind of component on the element and
// up to HINT_ANCESTORS above it: "date", "choice" or "". A hint alone grants
// nothing; it chooses between actions of a text field (R92, R98).
function hintsOf(el) {
  // Some components hide the field they are given and put another one behind it.
  const before = elementBefore(el);
  if (before && tag(before) === "input" && inputType(before) === "hidden") {
    const line = attr(before, "class").toLowerCase();
    if (DATE_WORDS.some((word) => line.includes(word))) return "date";
  }
  let choice = false;
  let at = el;
  for (let steps = 0; at && steps <= HINT_ANCESTORS; steps++) {
    const text = nodeType(at) === 1 ? getAttribute(at, "class") : null;
    if (text) {
      const line = text.toLowerCase();
      if (DATE_WORDS.some((word) => line.includes(word))) return "date";
      if (CHOICE_WORDS.some((word) => line.includes(word))) choice = true;
    }
    at = parentNode(at) || hostOf(at);
  }
  return choice ? "choice" : "";
}

// isSeen tells whether an element has a box of at least one pixel that its own
// style does not hide.
export function isSeen(el) {
  const rect = boundingRect(el);
  return rect.width >= 1 && rect.height >= 1 && isShown(el);
}

// SEEN asks for more than isShown, in one call: nothing around it is clear either.
const SEEN = { visibilityProperty: true, opacityProperty: true };

function isShown(el) {
  const style = styleOf(el);
  return style.visibility === "visible" && style.opacity !== "0" && style.display !== "none";
}

// labelsHidden tells whether a visible label belongs to a control that cannot
// be seen: no box or one of a pixel, no opacity, or off the page (R227).
export function labelsHidden(label) {
  const control = labelControl(label);
  if (!control || hasAttribute(control, "disabled") || localName(control).includes("-")) return false;
  if (tag(control) === "input" && inputType(control) === "hidden") return false;
  return !isReachable(control) && isSeen(label);
}

// isReachable tells whether an element has more than a pixel on the page and is
// not hidden by its own style.
function isReachable(el) {
  const rect = boundingRect(el);
  if (rect.width <= 1 || rect.height <= 1 || !(checkVisibility(el, SEEN) || isShown(el))) return false;
  const view = defaultView(ownerDocument(el));
  return rect.right + view.scrollX > 0 && rect.bottom + view.scrollY > 0;
}

// mayBeCard tells whether an element has as much of the evidence of a card as the
// page can give (R99-R101); the engine's clickable fact, and with it the whole
// judgement, is the caller's. So this is never stricter than that one.
export function mayBeCard(el, node) {
  if (!CARD_TAGS.has(node.name) || !CARD_ROLES.has(node.role) || ownerDocument(el) !== home || openRoot(el)) return false;
  const style = styleOf(el);
  if (!style || style.cursor !== "pointer" || style.pointerEvents !== "auto") return false;
  let budget = CARD_NODES;
  let text = false;
  const plain = (parent) => {
    for (let child = firstChild(parent); child; child = nextSibling(child)) {
      if (budget-- <= 0) return false;
      const type = nodeType(child);
      if (type === 3) text = text || /\S/.test(textData(child));
      if (type !== 1) continue;
      if (openRoot(child) || isControl(child) || EMBEDS.has(tag(child))) return false;
      if (hasAttribute(child, "onclick") || explicitRole(child) === "button" || !plain(child)) return false;
    }
    return true;
  };
  return plain(el) && text && isSeen(el) && documentElements(home, "*").length <= NODES_MAX;
}

const EMBEDS = words("iframe frame object embed video audio canvas");

// ownPointer tells whether the element itself, not its parent, has the pointing
// hand and takes pointer events.
function ownPointer(el) {
  const style = styleOf(el);
  if (!style || style.cursor !== "pointer" || style.pointerEvents !== "auto") return false;
  const parent = flatParent(el);
  return !parent || styleOf(parent).cursor !== "pointer";
}

const NEVER_BROAD = words("html body select input textarea option optgroup datalist iframe frame");

// isBroad tells whether an element is clickable by a pointer cursor of its own
// or a tabindex (R228).
export function isBroad(el, node) {
  if (!node.name && namespaceURI(el) !== SVG) return false;
  if (NEVER_BROAD.has(node.name)) return false;
  if (!node.tabbable && !ownPointer(el)) return false;
  return isSeen(el) && styleOf(el).pointerEvents === "auto";
}

// standIn is a hint for an element without a name: a title, an alternative
// text, a label inside, an image's file name, or a word of its class (R228).
export function standIn(el) {
  const said = (at) => {
    for (const name of ["title", "alt", "aria-label"]) {
      const text = squeeze(getAttribute(at, name));
      if (text) return text;
    }
    return tag(at) === "img" ? fileName(attr(at, "src")) : "";
  };
  let text = said(el);
  if (!text) {
    let budget = HINT_DESCENDANTS;
    for (const child of queryIn(el, "*")) {
      if (text || budget-- <= 0) break;
      text = said(child);
    }
  }
  if (!text) text = attr(el, "class").split(/\s+/).find((word) => word.length >= 3 && !/[0-9]/.test(word)) || "";
  return short(text, HINT_CHARS);
}

function fileName(address) {
  if (address.startsWith("data:")) return "";
  const path = address.split("?")[0];
  return path.slice(path.lastIndexOf("/") + 1);
}
