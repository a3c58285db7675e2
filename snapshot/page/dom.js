// Safe access to the DOM.
//
// Our isolated world has prototypes of its own, which the page cannot touch,
// but a form and a document let the page shadow any of their properties with
// a named control (`<input name=parentNode>`, `<img name=body>`): the
// "legacy override built-ins" of Web IDL apply in every world. So whatever may
// be read from a form or a document is read through getters and methods taken
// from the prototypes, which work on nodes of any same-process frame as well
// (their brand check knows no realm).

import { home } from "./world.js";

const uncurry = (f) => Function.prototype.call.bind(f);
export const getter = (proto, name) => uncurry(Object.getOwnPropertyDescriptor(proto, name).get);
export const method = (proto, name) => uncurry(proto[name]);

export const nodeType = getter(Node.prototype, "nodeType");
export const parentNode = getter(Node.prototype, "parentNode");
export const firstChild = getter(Node.prototype, "firstChild");
export const nextSibling = getter(Node.prototype, "nextSibling");
export const elementBefore = getter(Element.prototype, "previousElementSibling");
export const nextElement = getter(Element.prototype, "nextElementSibling");
export const ownerDocument = getter(Node.prototype, "ownerDocument");
export const baseURI = getter(Node.prototype, "baseURI");
export const isConnected = getter(Node.prototype, "isConnected");
export const textContent = getter(Node.prototype, "textContent");
export const getRootNode = method(Node.prototype, "getRootNode");
export const contains = method(Node.prototype, "contains");
export const textData = getter(CharacterData.prototype, "data");
export const textSlot = getter(Text.prototype, "assignedSlot");

export const localName = getter(Element.prototype, "localName");
export const namespaceURI = getter(Element.prototype, "namespaceURI");
export const getAttribute = method(Element.prototype, "getAttribute");
export const hasAttribute = method(Element.prototype, "hasAttribute");
export const hasAttributes = method(Element.prototype, "hasAttributes");
export const matches = method(Element.prototype, "matches");
export const closest = method(Element.prototype, "closest");
const elementSlot = getter(Element.prototype, "assignedSlot");
export const openRoot = getter(Element.prototype, "shadowRoot");
export const clientRects = method(Element.prototype, "getClientRects");
export const boundingRect = method(Element.prototype, "getBoundingClientRect");
export const scrollIntoView = method(Element.prototype, "scrollIntoView");
export const checkVisibility = method(Element.prototype, "checkVisibility");
export const queryIn = method(Element.prototype, "querySelectorAll");
export const firstElement = getter(Element.prototype, "firstElementChild");

export const queryDocument = method(Document.prototype, "querySelectorAll");
export const documentElements = method(Document.prototype, "getElementsByTagName");
export const queryFragment = method(DocumentFragment.prototype, "querySelectorAll");
const byIdDocument = method(Document.prototype, "getElementById");
const byIdFragment = method(DocumentFragment.prototype, "getElementById");
export const hitDocument = method(Document.prototype, "elementFromPoint");
export const hitRoot = method(ShadowRoot.prototype, "elementFromPoint");
export const activeDocument = getter(Document.prototype, "activeElement");
export const activeRoot = getter(ShadowRoot.prototype, "activeElement");
export const defaultView = getter(Document.prototype, "defaultView");
export const documentElement = getter(Document.prototype, "documentElement");
export const documentTitle = getter(Document.prototype, "title");
export const documentBody = getter(Document.prototype, "body");
export const createRange = method(Document.prototype, "createRange");
export const sheetsDocument = getter(Document.prototype, "styleSheets");
export const sheetsRoot = getter(ShadowRoot.prototype, "styleSheets");
export const adoptedDocument = getter(Document.prototype, "adoptedStyleSheets");
export const adoptedRoot = getter(ShadowRoot.prototype, "adoptedStyleSheets");
const rootHost = getter(ShadowRoot.prototype, "host");
export const slotted = method(HTMLSlotElement.prototype, "assignedNodes");
export const focusElement = method(HTMLElement.prototype, "focus");
export const focusSvg = method(SVGElement.prototype, "focus");
export const isContentEditable = getter(HTMLElement.prototype, "isContentEditable");
export const innerText = getter(HTMLElement.prototype, "innerText");
export const tabIndexHtml = getter(HTMLElement.prototype, "tabIndex");

export const inputType = getter(HTMLInputElement.prototype, "type");
export const inputValue = getter(HTMLInputElement.prototype, "value");
export const inputChecked = getter(HTMLInputElement.prototype, "checked");
export const inputIndeterminate = getter(HTMLInputElement.prototype, "indeterminate");
export const inputFiles = getter(HTMLInputElement.prototype, "files");
export const inputSelect = method(HTMLInputElement.prototype, "select");
export const inputRange = method(HTMLInputElement.prototype, "setSelectionRange");
export const textareaValue = getter(HTMLTextAreaElement.prototype, "value");
export const textareaSelect = method(HTMLTextAreaElement.prototype, "select");
export const textareaRange = method(HTMLTextAreaElement.prototype, "setSelectionRange");
export const selectedOptions = getter(HTMLSelectElement.prototype, "selectedOptions");
export const selectOptions = getter(HTMLSelectElement.prototype, "options");
export const optionLabel = getter(HTMLOptionElement.prototype, "label");
export const optionValue = getter(HTMLOptionElement.prototype, "value");
export const optionSelected = getter(HTMLOptionElement.prototype, "selected");
export const labelControl = getter(HTMLLabelElement.prototype, "control");
export const anchorHref = getter(HTMLAnchorElement.prototype, "href");
export const areaHref = getter(HTMLAreaElement.prototype, "href");
export const areaCoords = getter(HTMLAreaElement.prototype, "coords");
export const areaShape = getter(HTMLAreaElement.prototype, "shape");
const frameDocument = getter(HTMLIFrameElement.prototype, "contentDocument");
const framesetDocument = getter(HTMLFrameElement.prototype, "contentDocument");
export const objectWindow = getter(HTMLObjectElement.prototype, "contentWindow");
const objectDocument = getter(HTMLObjectElement.prototype, "contentDocument");

const labelsOf = {
  input: getter(HTMLInputElement.prototype, "labels"),
  textarea: getter(HTMLTextAreaElement.prototype, "labels"),
  select: getter(HTMLSelectElement.prototype, "labels"),
  button: getter(HTMLButtonElement.prototype, "labels"),
  meter: getter(HTMLMeterElement.prototype, "labels"),
  progress: getter(HTMLProgressElement.prototype, "labels"),
  output: getter(HTMLOutputElement.prototype, "labels"),
};

const XHTML = "http://www.w3.org/1999/xhtml";
export const SVG = "http://www.w3.org/2000/svg";

// tag is the local name of an HTML element and "" for any other element, so
// that an <input> of a foreign namespace is never taken for a form control.
export const tag = (el) => (namespaceURI(el) === XHTML ? localName(el) : "");

export const isElement = (node) => node !== null && node !== undefined && nodeType(node) === 1;

// attr is the attribute's value, "" where there is none.
export const attr = (el, name) => getAttribute(el, name) || "";

// hostOf is the host of a shadow root and null for any other node. Open and
// closed roots look the same here; their mode is never asked.
export function hostOf(node) {
  if (!node || nodeType(node) !== 11) return null;
  try {
    return rootHost(node);
  } catch {
    return null; // A plain document fragment.
  }
}

// flatParent is the parent element in the flat tree as far as we can see it:
// the slot that shows the node (not told for a closed root), else the parent,
// else the host of the root. Null above the document element.
export function flatParent(node) {
  const type = nodeType(node);
  const slot = type === 1 ? elementSlot(node) : type === 3 ? textSlot(node) : null;
  if (slot) return slot;
  const parent = parentNode(node);
  if (!parent) return null;
  if (nodeType(parent) === 1) return parent;
  return hostOf(parent);
}

// byId resolves an id inside the tree scope of the element.
export function byId(el, id) {
  const root = getRootNode(el);
  const type = nodeType(root);
  if (type === 9) return byIdDocument(root, id);
  if (type === 11) return byIdFragment(root, id);
  return null;
}

// childDocument is the document of a frame element that we may read: null for
// another origin, for a frame of another process, and for other elements.
export function childDocument(el) {
  try {
    switch (tag(el)) {
      case "iframe":
        return frameDocument(el);
      case "frame":
        return framesetDocument(el);
      case "object":
        return objectDocument(el);
    }
  } catch {
    return null;
  }
  return null;
}

// frameOf is the frame element that shows the document, null for our own
// document and for a document that is shown no more or by another origin.
export function frameOf(doc) {
  if (doc === home) return null;
  try {
    const view = defaultView(doc);
    const frame = view ? view.frameElement : null;
    return frame && childDocument(frame) === doc ? frame : null;
  } catch {
    return null;
  }
}

// styleOf is the computed style in the element's own document.
export function styleOf(el) {
  const view = defaultView(ownerDocument(el));
  return view ? view.getComputedStyle(el) : null;
}

// labels lists the label elements of a form control.
export function labels(el) {
  const read = labelsOf[tag(el)];
  const list = read ? read(el) : null;
  return list ? Array.from(list) : [];
}
