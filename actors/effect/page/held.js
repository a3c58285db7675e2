// What a control of several choices held before one was added: it has to be there
// afterwards, shown or counted (R93). Nothing here changes the page.

import { LIST_ROLES } from "./choice.js";
import { aroundOnly, chosenState, entryRole, isMark, roleWord, shownText } from "./entries.js";
import { backing, directText, hiddenMirror, OTHERS_MAX } from "./reading.js";
import { above, inside, shown, walk } from "./surfaces.js";
import { norm } from "./text.js";

const HELD_MAX = 32; // Names of what is held that are kept in mind,
export const LOST_MAX = 4; // and of those that are named to the caller.
const CLOSERS = "button,[role=button],a,svg,[class*=close],[class*=remove],[class*=delete]";

export class Held {
  // several is whether the list says that it takes more than one entry. Where nothing
  // says so, two names that are shown do; one name alone is the value of a control for
  // one choice, which the next one replaces.
  constructor(choice, entry, several) {
    this.choice = choice;
    this.box = choice.box;
    this.last = choice.last;
    this.others = choice.reading.others;
    this.list = listOf(entry);
    this.names = this.shownNames(true);
    this.names.delete(this.last);
    this.numbers = this.shownNumbers(this.names);
    this.states = this.listed();
    this.kept = new Set();
    const native = backing(this.box);
    this.several = several || (choice.path.length === 1 && (this.names.size > 1 || Boolean(native && native.multiple) || this.saysMultiple()));
  }

  // saysMultiple tells whether a class of the control or of what it is drawn in has
  // "multi" or "multiple" as a word of its own, and what is held can be taken away.
  saysMultiple() {
    const words = (el) => /(^|[\s_-])multi(ple)?($|[\s_-])/i.test(el.getAttribute("class") || "");
    for (let at = this.choice.control, hops = 0; at && hops < 6; at = above(at), hops++) {
      if (words(at)) return true;
      if (at === this.box) break;
    }
    return false;
  }

  // note keeps what the list says while it is up; closing may take it out of the page.
  note() {
    for (const [label, { chosen }] of this.listed()) if (chosen) this.kept.add(label);
  }

  // lost are the names of what is neither shown any more, nor marked in the list, nor
  // counted in a number.
  lost() {
    if (!this.several || !this.box.isConnected) return [];
    const names = this.shownNames();
    const now = this.listed();
    const adds = this.addsUp(names);
    const out = new Set();
    for (const name of this.names) {
      const state = now.get(name);
      if (names.has(name) || adds || (state ? state.chosen : this.kept.has(name))) continue;
      out.add(name);
    }
    // Where the control does not show all that it holds, the marks of the list tell; that
    // an entry is selected may only mean that the pointer or the keys are at it.
    const counted = this.numbers.length > 0 && !adds;
    for (const [name, was] of this.states) {
      const state = now.get(name);
      if (name !== this.last && was.chosen && state && !state.chosen && !names.has(name) && (was.checked || counted || this.choice.inline)) out.add(name);
    }
    return Array.from(out);
  }

  // addsUp tells whether a number stands for what is not shown: the rest of it, or
  // all, with the new one.
  addsUp(names) {
    const [before, now] = [this.names.size, names.size];
    const held = this.numbers.length > 0 ? this.numbers.flatMap((number) => [number, before + number]) : [before];
    const totals = new Set(held.map((total) => total + 1));
    return this.shownNumbers(names).some((number) => totals.has(number) || totals.has(now + number));
  }

  // oneMore tells whether the number that the control shows has grown by one, in a list
  // that the entry went out of.
  oneMore() {
    const now = this.shownNumbers(this.shownNames());
    if (this.listed().has(this.last) || now.length === 0 || !this.list.isConnected) return false;
    const was = this.numbers.length > 0 ? this.numbers : now.map(() => 0);
    return was.length === now.length && now.filter((number, at) => number === was[at] + 1).length === 1 && now.filter((number, at) => number !== was[at]).length === 1;
  }

  // listed is what the entries of the list say of themselves, by their labels.
  listed() {
    const out = new Map();
    if (!this.list || !this.list.isConnected) return out;
    walk([this.list], (el) => {
      if (!entryRole(el) || out.size > OTHERS_MAX) return undefined;
      const chosen = chosenState(el);
      const label = norm(shownText(el, (part) => !isMark(part)));
      if (label && chosen !== undefined) out.set(label, { chosen, checked: !aroundOnly(el).some((at) => at.hasAttribute("aria-selected")) });
      return undefined;
    });
    return out;
  }

  // shownNames are the labels of entries that the control shows, each by itself or in a
  // list with commas, and what it shows together with a sign to take it away: where it
  // showed only one such text before, that may be a hint with a sign to clear it all.
  shownNames(before = false) {
    const [out, others] = [new Set(), new Set()];
    this.eachText((el, text) => {
      if (out.size + others.size >= HELD_MAX) return;
      if (this.known(text)) out.add(text);
      else if (/\p{L}/u.test(text) && removable(el, text, this.choice.control)) others.add(text);
      else for (const part of text.split(/\s*[,;|·]\s*/)) if (this.known(part)) out.add(part);
    });
    return before && others.size + out.size < 2 ? out : new Set([...out, ...others]);
  }

  known(text) {
    return text === this.last || this.others.has(text);
  }

  // shownNumbers are the numbers that the control shows beside names.
  shownNumbers(names) {
    const out = [];
    this.eachText((el, text) => {
      if (!names.has(text)) out.push(...(text.match(/\d{1,5}/g) || []).slice(0, 4).map(Number));
    });
    return out.slice(0, HELD_MAX);
  }

  // eachText visits what the control shows, without the list and the entries in it.
  eachText(visit) {
    if (this.choice.inline) return;
    walk([this.box], (el) => {
      if (el === this.list || LIST_ROLES.has(roleWord(el)) || el.localName === "select" || el.localName === "svg") return "skip";
      const text = el.localName === "input" ? "" : directText(el);
      if (text && shown(el) && !hiddenMirror(el)) visit(el, text);
      return undefined;
    });
  }
}

// listOf is the list that an entry stands in.
export const listOf = (entry) => entry.closest("[role=listbox],[role=menu],[role=tree],ul") || above(entry);

// removable tells whether a text stands alone with a sign that takes it away, which
// does not belong to the whole control.
function removable(el, text, control) {
  for (let at = el, hops = 0; at && !inside(control, at) && hops < 3; at = above(at), hops++) {
    if (norm(shownText(at, (part) => !isMark(part) && !part.matches(CLOSERS))) !== text) return false;
    if (at.querySelector(CLOSERS)) return true;
  }
  return false;
}
