// Safe access to the DOM.
//
// Our isolated world has prototypes of its own, which the page cannot touch,
// but a form and a document let the page shadow any of their properties with
// a named control (`<input name=parentNode>`, `<img name=body>`): the
// "legacy override built-ins" of Web IDL apply in every world. So whatever may
// be read from a form or a document is read through getters and methods taken
// from the prototypes, which work on nodes of any same-process frame as well
// (their brand check knows no realm).

const uncurry = (f) => Function.prototype.call.bind(f);
const getter = (proto, name) => uncurry(Object.getOwnPropertyDescriptor(proto, name).get);
const method = (proto, name) => uncurry(proto[name]);

const home = globalThis.document;

// replaced tells that the browser has used this window again for another document.
const replaced = () => globalThis.document !== home;

const nodeType = getter(Node.prototype, "nodeType");
const parentNode = getter(Node.prototype, "parentNode");
const firstChild = getter(Node.prototype, "firstChild");
const nextSibling = getter(Node.prototype, "nextSibling");
const elementBefore = getter(Element.prototype, "previousElementSibling");
const nextElement = getter(Element.prototype, "nextElementSibling");
const ownerDocument = getter(Node.prototype, "ownerDocument");
const baseURI = getter(Node.prototype, "baseURI");
const isConnected = getter(Node.prototype, "isConnected");
const textContent = getter(Node.prototype, "textContent");
const getRootNode = method(Node.prototype, "getRootNode");
const contains = method(Node.prototype, "contains");
const textData = getter(CharacterData.prototype, "data");
const textSlot = getter(Text.prototype, "assignedSlot");

const localName = getter(Element.prototype, "localName");
const namespaceURI = getter(Element.prototype, "namespaceURI");
const getAttribute = method(Element.prototype, "getAttribute");
const hasAttribute = method(Element.prototype, "hasAttribute");
const hasAttributes = method(Element.prototype, "hasAttributes");
const matches = method(Element.prototype, "matches");
const closest = method(Element.prototype, "closest");
const elementSlot = getter(Element.prototype, "assignedSlot");
const openRoot = getter(Element.prototype, "shadowRoot");
const clientRects = method(Element.prototype, "getClientRects");
const boundingRect = method(Element.prototype, "getBoundingClientRect");
const scrollIntoView = method(Element.prototype, "scrollIntoView");
const checkVisibility = method(Element.prototype, "checkVisibility");
const queryIn = method(Element.prototype, "querySelectorAll");
const firstElement = getter(Element.prototype, "firstElementChild");

const queryDocument = method(Document.prototype, "querySelectorAll");
const documentElements = method(Document.prototype, "getElementsByTagName");
const queryFragment = method(DocumentFragment.prototype, "querySelectorAll");
const byIdDocument = method(Document.prototype, "getElementById");
const byIdFragment = method(DocumentFragment.prototype, "getElementById");
const hitDocument = method(Document.prototype, "elementFromPoint");
const hitRoot = method(ShadowRoot.prototype, "elementFromPoint");
const activeDocument = getter(Document.prototype, "activeElement");
const activeRoot = getter(ShadowRoot.prototype, "activeElement");
const defaultView = getter(Document.prototype, "defaultView");
const documentElement = getter(Document.prototype, "documentElement");
const documentTitle = getter(Document.prototype, "title");
const documentBody = getter(Document.prototype, "body");
const createRange = method(Document.prototype, "createRange");
const sheetsDocument = getter(Document.prototype, "styleSheets");
const sheetsRoot = getter(ShadowRoot.prototype, "styleSheets");
const adoptedDocument = getter(Document.prototype, "adoptedStyleSheets");
const adoptedRoot = getter(ShadowRoot.prototype, "adoptedStyleSheets");
const rootHost = getter(ShadowRoot.prototype, "host");
const slotted = method(HTMLSlotElement.prototype, "assignedNodes");
const focusElement = method(HTMLElement.prototype, "focus");
const focusSvg = method(SVGElement.prototype, "focus");
const isContentEditable = getter(HTMLElement.prototype, "isContentEditable");
const innerText = getter(HTMLElement.prototype, "innerText");
const tabIndexHtml = getter(HTMLElement.prototype, "tabIndex");

const inputType = getter(HTMLInputElement.prototype, "type");
const inputValue = getter(HTMLInputElement.prototype, "value");
const inputChecked = getter(HTMLInputElement.prototype, "checked");
const inputIndeterminate = getter(HTMLInputElement.prototype, "indeterminate");
const inputFiles = getter(HTMLInputElement.prototype, "files");
const inputSelect = method(HTMLInputElement.prototype, "select");
const inputRange = method(HTMLInputElement.prototype, "setSelectionRange");
const textareaValue = getter(HTMLTextAreaElement.prototype, "value");
const textareaSelect = method(HTMLTextAreaElement.prototype, "select");
const textareaRange = method(HTMLTextAreaElement.prototype, "setSelectionRange");
const selectedOptions = getter(HTMLSelectElement.prototype, "selectedOptions");
const selectOptions = getter(HTMLSelectElement.prototype, "options");
const optionLabel = getter(HTMLOptionElement.prototype, "label");
const optionValue = getter(HTMLOptionElement.prototype, "value");
const optionSelected = getter(HTMLOptionElement.prototype, "selected");
const labelControl = getter(HTMLLabelElement.prototype, "control");
const anchorHref = getter(HTMLAnchorElement.prototype, "href");
const areaHref = getter(HTMLAreaElement.prototype, "href");
const areaCoords = getter(HTMLAreaElement.prototype, "coords");
const areaShape = getter(HTMLAreaElement.prototype, "shape");
const frameDocument = getter(HTMLIFrameElement.prototype, "contentDocument");
const framesetDocument = getter(HTMLFrameElement.prototype, "contentDocument");
const objectWindow = getter(HTMLObjectElement.prototype, "contentWindow");
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
const SVG = "http://www.w3.org/2000/svg";

// tag is the local name of an HTML element and "" for any other element, so
// that an <input> of a foreign namespace is never taken for a form control.
const tag = (el) => (namespaceURI(el) === XHTML ? localName(el) : "");

const isElement = (node) => node !== null && node !== undefined && nodeType(node) === 1;

// attr is the attribute's value, "" where there is none.
const attr = (el, name) => getAttribute(el, name) || "";

// hostOf is the host of a shadow root and null for any other node. Open and
// closed roots look the same here; their mode is never asked.
function hostOf(node) {
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
function flatParent(node) {
  const type = nodeType(node);
  const slot = type === 1 ? elementSlot(node) : type === 3 ? textSlot(node) : null;
  if (slot) return slot;
  const parent = parentNode(node);
  if (!parent) return null;
  if (nodeType(parent) === 1) return parent;
  return hostOf(parent);
}

// byId resolves an id inside the tree scope of the element.
function byId(el, id) {
  const root = getRootNode(el);
  const type = nodeType(root);
  if (type === 9) return byIdDocument(root, id);
  if (type === 11) return byIdFragment(root, id);
  return null;
}

// childDocument is the document of a frame element that we may read: null for
// another origin, for a frame of another process, and for other elements.
function childDocument(el) {
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
function frameOf(doc) {
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
function styleOf(el) {
  const view = defaultView(ownerDocument(el));
  return view ? view.getComputedStyle(el) : null;
}

// labels lists the label elements of a form control.
function labels(el) {
  const read = labelsOf[tag(el)];
  const list = read ? read(el) : null;
  return list ? Array.from(list) : [];
}

// deepActive is the focused element of the document, followed into open roots.
function deepActive(doc) {
  let at = activeDocument(doc);
  for (let hops = 0; at && hops < DEPTH_MAX; hops++) {
    const root = openRoot(at);
    const inner = root ? activeRoot(root) : null;
    if (!inner) return at;
    at = inner;
  }
  return at;
}
