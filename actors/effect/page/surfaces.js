// What belongs to a custom control: the box it is drawn in, the surfaces that
// it names by id, and whatever appeared or changed since it was touched. All of
// it is evidence of general kinds; no library is known here (R92, R98).

import { VISIT_MAX } from "./tables.js";

const ROOTS_MAX = 32; // Surfaces looked at together.
const SHADOWS_MAX = 64; // Shadow roots watched.
export const LINK_MAX = 16; // Ids followed.
export const TEXT_MAX = 300; // Characters of a text that may be a label.
const POLL_MS = 25; // Pause between two looks.

// page is the document of the control that is worked on: ours, or that of a frame.
export let page = globalThis.document;

// workIn makes a document that of the control that is worked on.
export function workIn(doc) {
  page = doc;
}

export const isEl = (node) => node !== null && node !== undefined && node.nodeType === 1;

// kids are the elements shown in place of an element's own children: those of its
// open root, or what a slot shows.
export function kids(el) {
  if (el.shadowRoot) return Array.from(el.shadowRoot.children);
  if (el.localName === "slot" && typeof el.assignedElements === "function") {
    const shown = el.assignedElements({ flatten: true });
    if (shown.length > 0) return shown;
  }
  return Array.from(el.children);
}

// above is the element in which another is shown.
export function above(el) {
  if (el.assignedSlot) return el.assignedSlot;
  if (el.parentElement) return el.parentElement;
  const root = el.getRootNode();
  return root && root.host ? root.host : null;
}

// inside tells whether an element is shown in another, or is it.
export function inside(el, outer) {
  for (let at = el, hops = 0; at && hops < 256; at = above(at), hops++) if (at === outer) return true;
  return false;
}

export const SEEN = { visibilityProperty: true };

// shown tells whether an element has a box that can be seen, or scrolled to:
// what is clipped to nothing, as a list for screen readers only, cannot.
export function shown(el) {
  if (!el.checkVisibility(SEEN)) return false;
  const box = el.getBoundingClientRect();
  if (box.width < 1 || box.height < 1) return false;
  for (let at = above(el), hops = 0; at && hops < 12; at = above(at), hops++) {
    if (at.clientWidth > 1 && at.clientHeight > 1) continue;
    if (at.localName === "slot" || at === page.documentElement || at === page.body) continue;
    const style = getComputedStyle(at);
    if (style.display === "inline" || style.display === "contents") continue;
    if (style.overflowX !== "visible" || style.overflowY !== "visible" || style.clipPath !== "none" || style.clip !== "auto") return false;
  }
  const own = getComputedStyle(el);
  return !(box.width <= 1 && box.height <= 1) && !(own.clip !== "auto" && own.position === "absolute" && box.width <= 2);
}

// walk visits the elements below roots in order and stops when visit returns
// false for all that follows, or at VISIT_MAX. skip leaves a subtree out.
export function walk(roots, visit) {
  const stack = Array.from(roots).reverse();
  const done = new Set();
  let budget = VISIT_MAX;
  while (stack.length > 0) {
    const el = stack.pop();
    if (done.has(el)) continue;
    done.add(el);
    if (budget-- <= 0) return false;
    const name = el.localName;
    if (name === "script" || name === "style" || name === "template" || name === "noscript") continue;
    if (visit(el) === "skip") continue;
    const below = kids(el);
    for (let at = below.length - 1; at >= 0; at--) stack.push(below[at]);
  }
  return true;
}

// Marks are the state of the document at one moment and everything that changed
// since, as far as it can be bounded.
export class Marks {
  constructor(first) {
    this.before = new Map(); // element -> its text then, for what was shown
    this.visited = new Set();
    this.added = new Set();
    this.touched = new Set();
    this.observer = new MutationObserver((records) => this.note(records));
    this.watched = new Set();
    this.watch(page);
    const roots = first.filter(Boolean);
    const rest = page.body ? Array.from(page.body.children).reverse() : [];
    walk([...roots, ...rest], (el) => {
      if (el.shadowRoot) this.watch(el.shadowRoot);
      this.visited.add(el);
      if (!el.checkVisibility(SEEN)) return undefined;
      // What is drawn at no size, as a popup that grows out of a point, is not shown.
      const box = el.getBoundingClientRect();
      if (box.width >= 1 || box.height >= 1) this.before.set(el, digest(el));
      return undefined;
    });
  }

  watch(root) {
    if (this.watched.has(root) || this.watched.size > SHADOWS_MAX) return;
    this.watched.add(root);
    this.observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  }

  note(records) {
    for (const record of records) {
      if (record.type === "childList") {
        for (const node of record.addedNodes) {
          if (isEl(node)) {
            this.added.add(node);
            if (node.shadowRoot) this.watch(node.shadowRoot);
          } else if (isEl(record.target)) this.touched.add(record.target);
        }
      } else if (record.type === "characterData") {
        if (record.target.parentElement) this.touched.add(record.target.parentElement);
      } else this.touched.add(record.target);
    }
  }

  // changes counts what happened so far, so that a look can tell whether another
  // one is worth it.
  changes() {
    this.note(this.observer.takeRecords());
    return this.added.size + this.touched.size;
  }

  // roots are where something new may be shown.
  roots() {
    this.changes();
    const all = [...this.added, ...this.touched].filter((el) => el.isConnected).slice(-ROOTS_MAX * 8);
    // Only the outermost, in the order of the document, so that what is found in
    // them comes in the order in which it is read.
    const set = new Set(all);
    const outer = all.filter((el) => {
      for (let at = above(el), hops = 0; at && hops < 64; at = above(at), hops++) if (set.has(at)) return false;
      return true;
    });
    return inOrder(outer, (el) => el);
  }

  // isNew tells whether an element is shown now and was not then, or not with
  // this text.
  isNew(el) {
    if (this.before.has(el)) return this.before.get(el) !== digest(el);
    if (this.visited.has(el)) return true;
    for (let at = el, hops = 0; at && hops < 256; at = above(at), hops++) {
      if (this.added.has(at)) return true;
      if (this.visited.has(at) && !this.before.has(at)) return true;
    }
    return false;
  }

  end() {
    this.observer.disconnect();
  }
}

// inOrder sorts by the place in the document.
export function inOrder(list, element) {
  return list.sort((a, b) => (element(a).compareDocumentPosition(element(b)) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
}

// digest is enough of an element's text to tell that it changed.
function digest(el) {
  const text = el.textContent;
  return text.length > TEXT_MAX ? text.length : text;
}

// linked are the elements that a control names by id, each in its own scope or in
// the document.
export function linked(el, names = ["aria-controls", "aria-owns", "aria-activedescendant"]) {
  const out = [];
  for (const name of names) {
    for (const id of (el.getAttribute(name) || "").split(/\s+/).slice(0, LINK_MAX)) {
      if (!id) continue;
      const root = el.getRootNode();
      const found = (root.getElementById && root.getElementById(id)) || page.getElementById(id);
      if (!found) continue;
      out.push(name === "aria-activedescendant" ? found.closest("[role=listbox],[role=tree],[role=grid],[role=menu],ul") || found : found);
    }
  }
  return out;
}

const FIELDS = "input:not([type=hidden]),select,textarea,[role=combobox],[role=listbox][tabindex],[contenteditable='true']";

// boxOf is the element in which the control is drawn together with what shows
// its value: as far up as nothing of another field comes in, and its own label
// only where that is wanted.
export function boxOf(control, label = false) {
  let box = control;
  for (let hops = 0; hops < 6; hops++) {
    const up = above(box);
    if (!up || up === page.body || up.localName === "form" || up.localName === "fieldset") break;
    if (!label && up.localName === "label" && inside(control, up)) break;
    if (up.querySelector && strangers(up, box, label ? control : null)) break;
    box = up;
  }
  return box;
}

// strangers tells whether an element holds a label, a heading, or a field that
// can be seen, outside of its part that is known already. The label of one control
// may be let in.
function strangers(up, known, control = null) {
  for (const el of up.querySelectorAll(`label,legend,h1,h2,h3,h4,h5,h6,${FIELDS}`)) {
    if (inside(el, known) || (control && el.localName === "label" && el.control === control)) continue;
    if (el.matches("label,legend,h1,h2,h3,h4,h5,h6")) {
      if (shown(el)) return true;
      continue;
    }
    if (shown(el) && getComputedStyle(el).opacity !== "0") return true;
  }
  return false;
}

const STEADY_MS = 350; // Time to wait for something to stop moving.

// steady waits until an element is where it was a frame ago: what slides or grows
// into place would leave the press and its release on different things.
export async function steady(el) {
  const end = performance.now() + STEADY_MS;
  let before = el.getBoundingClientRect();
  for (;;) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const now = el.getBoundingClientRect();
    const same = now.x === before.x && now.y === before.y && now.width === before.width && now.height === before.height;
    if (same && !animated(el)) return;
    if (performance.now() >= end) return;
    before = now;
  }
}

// animated tells whether something around an element is on its way to where it will
// stay, which need not have begun to move.
export function animated(el) {
  return page.getAnimations().some(/** @param {any} animation */ ({ playState, effect }) => playState === "running" && effect && effect.target && inside(el, effect.target) && effect.getComputedTiming().endTime < STEADY_MS * 2);
}

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// until looks again and again, while things change, until look gives something
// or the time is over, or nothing has changed for idle.
export async function until(marks, ms, look, idle = Infinity) {
  const end = performance.now() + ms;
  let seen = -1;
  let last = 0;
  let moved = performance.now();
  for (;;) {
    const changes = marks.changes();
    const now = performance.now();
    if (changes !== seen) moved = now;
    if (changes !== seen || now - last > 120) {
      seen = changes;
      last = now;
      const found = look();
      if (found) return found;
    }
    if (now >= end || now - moved >= idle) return null;
    await pause(Math.min(POLL_MS, Math.max(1, end - now)));
  }
}
