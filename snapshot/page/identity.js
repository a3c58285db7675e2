// The one derivation of an element's role and accessible name (R33, R35).
//
// There are two sources, and a record keeps both, each compared only with
// itself, so that no two implementations can drift into a false `ref_changed`:
//
//   computed  the browser's own role and name (Element.computedRole and
//             computedName), there when the browser runs with
//             --enable-features=ComputedAccessibilityInfo, and cheap only
//             while the Accessibility domain is enabled: without it every read
//             builds a whole accessibility cache. The caller says so by `ax`.
//   lite      our own short version of the ARIA name computation. It needs no
//             flag and no domain, costs some ten microseconds, and is what the
//             guard compares at the instant of an event.
//
// Role names are those of Chromium's accessibility tree ("image", "LabelText",
// "ColorWell"), because the other collector reads that tree. The computed role
// is empty for Chromium's internal roles; INTERNAL_ROLES closes that gap and
// was measured against getFullAXTree, element by element.
//
// Clamp of every name and text: runs of white space (JavaScript's \s) become
// one space, ends are trimmed, and at most TEXT_BYTES bytes of UTF-8 are kept,
// cut between characters, without an ellipsis.

import {
  attr, byId, checkVisibility, firstChild, firstElement, flatParent, getAttribute, getter, hasAttribute, inputFiles,
  inputType, inputValue, isElement, labels, localName, namespaceURI, nextSibling, nodeType, openRoot, optionLabel,
  parentNode, slotted, styleOf, SVG, tag, textContent, textData,
} from "./dom.js";
import { DESCRIBE_HOPS, IDREFS_MAX, TEXT_NODES } from "./limits.js";
import { TEXT_BYTES } from "./tables.js";
import { short, squeeze } from "./text.js";

export const computedRole = "computedRole" in Element.prototype ? getter(Element.prototype, "computedRole") : null;
const computedName = "computedName" in Element.prototype ? getter(Element.prototype, "computedName") : null;

const INTERNAL_ROLES = {
  abbr: "Abbr", audio: "Audio", canvas: "Canvas", dl: "DescriptionList", embed: "EmbeddedObject",
  figcaption: "Figcaption", frame: "Iframe", iframe: "Iframe", label: "LabelText", legend: "Legend",
  object: "PluginObject", ruby: "Ruby", summary: "DisclosureTriangle", table: "LayoutTable", tbody: "rowgroup",
  td: "LayoutTableCell", tfoot: "rowgroup", th: "LayoutTableCell", thead: "rowgroup", tr: "LayoutTableRow", video: "Video",
};

const INTERNAL_INPUTS = {
  color: "ColorWell", date: "Date", "datetime-local": "DateTime", month: "DateTime", week: "DateTime", time: "InputTime",
};

const MATH_ROLES = {
  math: "MathMLMath", mfrac: "MathMLFraction", mi: "MathMLIdentifier", mn: "MathMLNumber", mo: "MathMLOperator",
  mrow: "MathMLRow", msqrt: "MathMLSquareRoot", mroot: "MathMLRoot", msub: "MathMLSub", msup: "MathMLSup",
  msubsup: "MathMLSubSup", mtext: "MathMLText", mtable: "MathMLTable", mtr: "MathMLTableRow", mtd: "MathMLTableCell",
  munder: "MathMLUnder", mover: "MathMLOver", munderover: "MathMLUnderOver",
};

// internalRole is the role of an element whose computed role is empty.
export function internalRole(el) {
  const name = tag(el);
  if (name === "input") return INTERNAL_INPUTS[inputType(el)] || "";
  if (name) return INTERNAL_ROLES[name] || "";
  const local = localName(el);
  return namespaceURI(el) === SVG ? (local === "svg" ? "SvgRoot" : "") : MATH_ROLES[local] || "";
}

const NATIVE_ROLES = {
  address: "group", article: "article", aside: "complementary", blockquote: "blockquote", button: "button",
  caption: "caption", code: "code", datalist: "listbox", dd: "definition", details: "group", dfn: "term",
  dialog: "dialog", dt: "term", em: "emphasis", fieldset: "group", figure: "figure", form: "form", h1: "heading",
  h2: "heading", h3: "heading", h4: "heading", h5: "heading", h6: "heading", hr: "separator", img: "image",
  li: "listitem", main: "main", mark: "mark", menu: "list", meter: "meter", nav: "navigation", ol: "list",
  optgroup: "group", option: "option", output: "status", p: "paragraph", progress: "progressbar", search: "search",
  strong: "strong", table: "table", tbody: "rowgroup", td: "cell", textarea: "textbox", tfoot: "rowgroup",
  th: "columnheader", thead: "rowgroup", time: "time", tr: "row", ul: "list",
};

const INPUT_ROLES = {
  button: "button", checkbox: "checkbox", file: "button", image: "button", number: "spinbutton", radio: "radio",
  range: "slider", reset: "button", search: "searchbox", submit: "button",
};

// ROLE_WORDS are the roles that a role attribute may name; a word outside the
// list is skipped, as ARIA demands.
const ROLE_WORDS = new Set(
  ("alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox " +
    "complementary contentinfo definition deletion dialog directory document emphasis feed figure form grid gridcell " +
    "group heading image img insertion link list listbox listitem log main mark marquee math menu menubar menuitem " +
    "menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar radio " +
    "radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong " +
    "subscript superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid " +
    "treeitem").split(" "),
);

// explicitRole is the first known word of the role attribute, "" without one.
export function explicitRole(el) {
  const text = getAttribute(el, "role");
  if (!text) return "";
  for (const word of text.toLowerCase().split(/\s+/)) {
    if (!ROLE_WORDS.has(word)) continue;
    if (word === "img") return "image";
    return word === "presentation" ? "none" : word;
  }
  return "";
}

// liteRole is the role by attribute, element name and input type alone.
export function liteRole(el) {
  return explicitRole(el) || nativeRole(el);
}

// nativeRole is the role that the element has without a role attribute.
export function nativeRole(el) {
  const name = tag(el);
  switch (name) {
    case "a":
    case "area":
      return hasAttribute(el, "href") ? "link" : "generic";
    case "input": {
      const type = inputType(el);
      if (hasAttribute(el, "list") && /^(text|search|url|tel|email)$/.test(type)) return "combobox";
      return INTERNAL_INPUTS[type] || INPUT_ROLES[type] || "textbox";
    }
    case "select":
      return hasAttribute(el, "multiple") || Number(attr(el, "size")) > 1 ? "listbox" : "combobox";
    case "table":
      return "table";
    case "summary": {
      const parent = parentNode(el);
      return isElement(parent) && tag(parent) === "details" ? "DisclosureTriangle" : "generic";
    }
  }
  if (namespaceURI(el) === SVG && localName(el) === "a") return "link";
  return NATIVE_ROLES[name] || internalRole(el) || "generic";
}

// NAMED_BY_CONTENT are the roles whose name is the text that they contain.
const NAMED_BY_CONTENT = new Set(
  ("button cell checkbox columnheader comment gridcell heading link menuitem menuitemcheckbox menuitemradio option " +
    "radio row rowheader switch tab tooltip treeitem LabelText Legend DisclosureTriangle caption Figcaption").split(" "),
);

// joinedIds is the text of the elements that an idref list names.
export function joinedIds(el, list) {
  const parts = [];
  for (const id of list.split(/\s+/).slice(0, IDREFS_MAX)) {
    const target = id ? byId(el, id) : null;
    if (target) parts.push(attr(target, "aria-label") || visibleText(target, true));
  }
  return squeeze(parts.join(" "));
}

// visibleText collects the text of a subtree in flat-tree order, without
// hidden parts, with the names of images and the values of inner fields, up to
// TEXT_NODES nodes and TEXT_BYTES bytes. A hidden element that is itself named
// by an idref still counts (start), as in the ARIA rules.
export function visibleText(start, evenHidden = false) {
  const only = firstChild(start);
  if (only && nodeType(only) === 3 && !nextSibling(only) && !NO_TEXT.has(tag(start)) && tag(start) !== "slot" && !openRoot(start)) {
    return squeeze(textData(only)); // The usual case, in a fraction of the time.
  }
  const parts = [];
  let budget = TEXT_NODES;
  let room = TEXT_BYTES;
  const visit = (node) => {
    if (budget-- <= 0 || room <= 0) return;
    const type = nodeType(node);
    if (type === 3) {
      const data = textData(node);
      parts.push(data);
      room -= data.length;
      return;
    }
    if (type !== 1) return;
    const name = tag(node);
    if (NO_TEXT.has(name)) return;
    if (node !== start) {
      if (getAttribute(node, "aria-hidden") === "true") return;
      if (!evenHidden && !checkVisibility(node, VISIBILITY)) {
        // display:contents has no box of its own, and neither has a slot.
        const style = styleOf(node);
        if (!style || style.display !== "contents" || style.visibility !== "visible") return;
      }
      const label = getAttribute(node, "aria-label");
      if (label && label.trim()) {
        parts.push(" ", label, " ");
        room -= label.length;
        return;
      }
      if (name === "img" || name === "area") {
        parts.push(" ", attr(node, "alt"), " ");
        return;
      }
      if (name === "select" || name === "input" || name === "textarea") {
        parts.push(" ");
        return;
      }
    }
    const block = BREAKING.has(name);
    if (block) parts.push(" ");
    for (const child of flatChildren(node)) visit(child);
    if (block) parts.push(" ");
  };
  visit(start);
  return squeeze(parts.join(""));
}

export const VISIBILITY = { visibilityProperty: true };
const NO_TEXT = new Set(["script", "style", "noscript", "template", "head"]);

const BREAKING = new Set(
  ("address article aside blockquote br dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header " +
    "hr li main nav ol option p pre section table tbody td tfoot th thead tr ul").split(" "),
);

// flatChildren lists the children that are shown in place of an element's own:
// those of its open root, what a slot shows, else its child nodes.
export function flatChildren(node) {
  if (tag(node) === "slot") {
    const shown = slotted(node, { flatten: true });
    if (shown.length > 0) return shown;
  }
  const root = openRoot(node);
  const out = [];
  for (let child = firstChild(root || node); child; child = nextSibling(child)) out.push(child);
  return out;
}

// liteName follows the order of the ARIA name computation: labelledby, label,
// the host language's own label, content, title, placeholder.
export function liteName(el, role) {
  const ids = getAttribute(el, "aria-labelledby");
  if (ids) {
    const text = joinedIds(el, ids);
    if (text) return text;
  }
  const label = squeeze(getAttribute(el, "aria-label"));
  if (label) return label;
  return nativeName(el, role) || squeeze(getAttribute(el, "title")) || squeeze(getAttribute(el, "placeholder")) ||
    squeeze(getAttribute(el, "aria-placeholder"));
}

// nativeName is the name that HTML itself gives, or the content where the role
// is named by its content.
function nativeName(el, role) {
  const name = tag(el);
  for (const each of labels(el)) {
    const text = visibleText(each, true);
    if (text) return text;
  }
  if (name === "input") {
    const type = inputType(el);
    if (type === "button" || type === "submit" || type === "reset") {
      return squeeze(inputValue(el)) || (type === "submit" ? "Submit" : type === "reset" ? "Reset" : "");
    }
    if (type === "image") return squeeze(getAttribute(el, "alt"));
    if (type === "file") return "Choose File";
    return "";
  }
  if (name === "img" || name === "area") return squeeze(getAttribute(el, "alt"));
  if (name === "optgroup") return squeeze(getAttribute(el, "label"));
  if (name === "option") return squeeze(optionLabel(el));
  const inner = name === "fieldset" ? "legend" : name === "table" ? "caption" : name === "figure" ? "figcaption" : "";
  if (inner) {
    for (let child = firstElement(el); child; child = child.nextElementSibling) {
      if (tag(child) === inner) return visibleText(child);
    }
    return "";
  }
  if (namespaceURI(el) === SVG) {
    for (let child = firstElement(el); child; child = child.nextElementSibling) {
      if (localName(child) === "title") return squeeze(textContent(child));
    }
  }
  return NAMED_BY_CONTENT.has(role) ? visibleText(el) : "";
}

// lite is the identity by our own derivation.
export function lite(el) {
  const role = liteRole(el);
  return { role, name: liteName(el, role) };
}

// computed is the identity by the browser's own, null where it is not offered.
// A file input's name there ends in the chosen file; the tree's does not.
export function computed(el) {
  if (!computedRole) return null;
  return { role: computedRole(el) || internalRole(el) || "generic", name: computedNameOf(el) };
}

export function computedNameOf(el) {
  let name = computedName(el) || "";
  if (tag(el) === "input" && inputType(el) === "file") {
    const files = inputFiles(el);
    const tail = files.length === 1 ? ": " + files[0].name : "";
    const cut = tail && name.endsWith(tail) ? name.length - tail.length : name.lastIndexOf(": ");
    if (cut > 0) name = name.slice(0, cut);
  }
  return squeeze(name);
}

export const sameIdentity = (a, b) => a.role === b.role && a.name === b.name;

// describe names an element for an error text: role and name, and for one
// without a name also the nearest named thing that it is in. Nothing else of
// the page goes into an error.
export function describe(el) {
  if (!isElement(el)) return "nothing";
  const who = lite(el);
  const role = who.role === "generic" ? localName(el) : who.role;
  if (who.name) return `${role} "${short(who.name)}"`;
  let at = flatParent(el);
  for (let hops = 0; at && hops < DESCRIBE_HOPS; hops++, at = flatParent(at)) {
    const outer = lite(at);
    if (outer.name && outer.role !== "generic") return `${role} in ${outer.role} "${short(outer.name)}"`;
  }
  return role;
}
