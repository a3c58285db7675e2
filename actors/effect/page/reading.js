// Reading back what a custom control holds: what it shows, and what has changed in
// it since the entry was pressed (R95). Nothing here changes the page.

import { LIST_ROLES } from "./choice.js";
import { chosenState, entryRole, labelOfEntry, NODES_MAX, roleWord, says, shownText, textIn } from "./entries.js";
import { listOf } from "./held.js";
import { above, inside, LINK_MAX, linked, page, SEEN, shown, TEXT_MAX, walk } from "./surfaces.js";
import { norm } from "./text.js";

const FACE_UP = 3; // Elements above a control that are its face.

export class Reading {
  constructor(control, box, path) {
    this.control = control;
    this.box = box;
    this.path = path;
    this.last = path[path.length - 1];
    this.text = this.ownText();
    this.around = this.textOf(this.box);
    this.hinted = false;
  }

  // beforePress notes what is there before the entry is pressed: the values of the
  // fields, what else the list offers, and whether the label is on show already, as a
  // hint with the same word, which then is no proof afterwards. typed is the field that
  // a text was typed into.
  beforePress(typed, entry) {
    this.hinted = this.displayed(null, typed, this.box);
    this.values = new Map(this.fields().map((el) => [el, el.value]));
    this.typed = typed;
    this.others = new Set(labelsOf(listOf(entry)));
    this.others.delete(this.last);
    this.names = namesOf(entry);
    this.opened = this.textOf(this.box);
  }

  // untouched tells whether all is as it was just before the press.
  untouched() {
    return this.textOf(this.box) === this.opened && this.fields().every((el) => this.values.get(el) === el.value);
  }

  // face is the part of the box that is close around the control, where its value
  // stands; further out there may be hints and texts of other kinds.
  face() {
    let at = this.control;
    for (let hops = 0; hops < FACE_UP && at !== this.box; hops++) at = above(at);
    return at;
  }

  // displayed tells whether a part of the control shows the last label by itself.
  // asking is a search field whose text is only asked for.
  displayed(entry = null, asking = null, part = entry && !this.hinted ? this.box : this.face()) {
    const list = entry && entry.parentElement && inside(entry, this.box) && !inside(this.control, entry.parentElement) ? entry.parentElement : null;
    let seen = false;
    walk([part], (el) => {
      if (seen || el === list || el === entry || (LIST_ROLES.has(roleWord(el)) && el !== part)) return "skip";
      if (entryRole(el) && (chosenState(el) === false || (entry && el.parentElement === entry.parentElement))) return "skip";
      if (el.localName === "select" || el.localName === "svg") return "skip";
      if (el.localName === "input") {
        if (norm(el.value) === this.last && !/^(hidden|checkbox|radio)$/.test(el.type) && el !== asking) seen = true;
        return "skip";
      }
      if ((this.saysIt(el, list, entry) || directText(el) === this.last || (entry && lists(el, this.last))) && shown(el) && !hiddenMirror(el)) seen = true;
      return undefined;
    });
    return seen;
  }

  // saysIt tells whether a part of the control says the last label where it can be
  // seen, and not in a list that it holds: of a list that is closed nothing is seen.
  saysIt(el, list, entry) {
    if (!says(el, this.last)) return false;
    const inner = labelOfEntry(el, this.last) || el;
    for (let at = inner; at && at !== el; at = above(at)) {
      if (at === list || at === entry || LIST_ROLES.has(roleWord(at)) || (entryRole(at) && chosenState(at) === false)) return false;
    }
    return inner === el || shown(inner);
  }

  // displayedPath tells whether the box shows the whole path, in order.
  displayedPath(entry = null) {
    const texts = [];
    walk([this.box], (el) => {
      if (el === entry || LIST_ROLES.has(roleWord(el))) return "skip";
      if (el.localName === "input") texts.push(norm(el.value));
      else if (el.children.length === 0 || el.textContent.length < TEXT_MAX) texts.push(norm(el.textContent));
      return undefined;
    });
    return texts.some((text) => {
      let at = 0;
      for (const step of this.path) {
        at = text.indexOf(step, at);
        if (at < 0) return false;
        at += step.length;
      }
      return at === text.length && text.startsWith(this.path[0]);
    });
  }

  // ownText is what the control itself shows, without the lists in it.
  ownText() {
    return this.textOf(this.control);
  }

  textOf(part) {
    const lists = new Set(linked(this.control));
    return norm(shownText(part, (el) => !LIST_ROLES.has(roleWord(el)) && !lists.has(el) && !entryRole(el) && el.localName !== "select" && el.checkVisibility(SEEN)));
  }

  // fields are the fields in the box that may carry the value.
  fields() {
    return Array.from(this.box.querySelectorAll("input")).filter((el) => !/^(checkbox|radio|file)$/.test(el.type)).slice(0, LINK_MAX);
  }

  // changed tells whether the control shows something else than at the beginning.
  changed() {
    const now = this.ownText();
    return now !== "" && now !== this.text;
  }

  // boxChanged is changed for all that is drawn with the control, such as a count of
  // what is chosen. The mark of an entry alone is no proof where several are chosen: it
  // may wait for a button that applies it.
  boxChanged() {
    const now = this.textOf(this.box);
    return now !== "" && now !== this.around && now !== this.opened;
  }

  // inOtherForm tells whether the control has taken the entry over in words of its
  // own: it says now what it did not say before, and that is the label within other
  // words, or a part of the entry, as in "Norway (+47)" that is shown as "+47". What is
  // the label of another entry is none of these: a form that refuses goes back to it.
  inOtherForm(entry) {
    if (this.control.getAttribute("aria-invalid") === "true") return false;
    const now = this.ownText();
    if (now !== this.text && now !== "") {
      const fresh = difference(this.text, now);
      const before = this.text.includes(this.last);
      if (fresh === this.last || (!before && holdsWord(now, this.last))) return true;
      if (entry.children.length > 0 && partsOf(entry).includes(now) && !this.others.has(now)) return true;
    }
    return this.fields().some((el) => this.tells(el));
  }

  // begins tells whether a value is the beginning of the entry's label and of no other,
  // as codes are: "bus" for Busan.
  begins(value) {
    const code = value.toLowerCase();
    const starts = (label) => label.toLowerCase().startsWith(code);
    return code.length > 1 && starts(this.last) && ![...this.others].some(starts);
  }

  // tells tells whether a field has got a value since the press that stands for the
  // entry: one that the entry itself names, or a beginning of its label, or, where the field can be seen, a short
  // form that is no other entry's. A field that cannot be seen may change for reasons
  // of its own.
  tells(el) {
    const [was, now] = [this.values.get(el), norm(el.value)];
    if (el === this.typed || now === "" || was === undefined || was === el.value) return false;
    const fresh = difference(norm(was).replace(/[,;|]/g, " "), now.replace(/[,;|]/g, " "));
    if (this.names.has(now) || this.names.has(fresh) || this.begins(now)) return true;
    return el.type !== "hidden" && shown(el) && !this.others.has(now);
  }
}

// labelsOf lists what the entries of a list say.
function labelsOf(list) {
  const out = [];
  walk([list || page.body], (el) => {
    if (out.length >= OTHERS_MAX) return "skip";
    if (el !== list && el.matches("[role],li,option")) out.push(norm(textIn(el)));
    return undefined;
  });
  return out.filter(Boolean);
}

export const OTHERS_MAX = 256; // Entries whose labels are noted.

// namesOf are the texts and values by which an entry names itself.
function namesOf(entry) {
  const out = new Set([norm(textIn(entry)), ...partsOf(entry)]);
  for (const el of [entry, ...Array.from(entry.querySelectorAll("*")).slice(0, NODES_MAX)]) {
    if (typeof el.value === "string" || typeof el.value === "number") out.add(norm(String(el.value)));
    for (const { name, value } of el.attributes) if (name === "value" || name === "id" || name === "title" || name.startsWith("data-")) out.add(norm(value));
  }
  out.delete("");
  return out;
}

// difference is what stands in a text in place of something in another one.
export function difference(was, now) {
  const [a, b] = [was.split(" "), now.split(" ")];
  let from = 0;
  while (from < a.length && from < b.length && a[from] === b[from]) from++;
  let to = 0;
  while (to < a.length - from && to < b.length - from && a[a.length - 1 - to] === b[b.length - 1 - to]) to++;
  return b.slice(from, b.length - to).join(" ");
}

// holdsWord tells whether a text holds a label with no letter or digit right at it.
export function holdsWord(text, label) {
  const at = text.indexOf(label);
  const part = /[\p{L}\p{N}]/u;
  return at >= 0 && !part.test(text[at - 1] || "") && !part.test(text[at + label.length] || "");
}

// partsOf lists the texts that an entry is made of.
function partsOf(entry) {
  const out = [];
  walk([entry], (el) => {
    if (out.length < NODES_MAX && el !== entry) out.push(norm(textIn(el)), directText(el));
    return undefined;
  });
  return out.filter(Boolean);
}

// lists tells whether an element shows several labels in one text, and this is one.
function lists(el, label) {
  if (el.textContent.length > TEXT_MAX) return false;
  const parts = norm(el.textContent).split(/\s*[,;|·]\s*/);
  return parts.length > 1 && parts.includes(label);
}

// directText is an element's own text without that of the elements in it, such as
// the button that removes a chosen entry.
export function directText(el) {
  let text = "";
  for (let node = el.firstChild; node; node = node.nextSibling) if (node.nodeType === 3) text += node.data;
  return text.length > TEXT_MAX ? "" : norm(text);
}

// hiddenMirror tells whether an element is one that shows typed text to nobody.
export const hiddenMirror = (el) => Boolean(el.closest("[aria-hidden=true]")) && getComputedStyle(el).visibility === "hidden";

// backing is the native select that a control stands in front of: the only one in
// or next to its box that cannot be seen.
export function backing(box) {
  const hidden = (el) => !shown(el) || getComputedStyle(el).opacity === "0" || el.getAttribute("aria-hidden") === "true" || el.getBoundingClientRect().width <= 2;
  const around = [...box.querySelectorAll("select")];
  for (const next of [box.previousElementSibling, box.nextElementSibling]) if (next && next.localName === "select") around.push(next);
  const found = around.filter(hidden);
  return found.length === 1 ? found[0] : null;
}

