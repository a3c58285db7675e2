// select_choice: one exact path of labels in a custom control (R90, R94, R95,
// R97). What is chosen is what carries the label; nothing is matched loosely, and
// what was chosen has to be shown by the control, or said by the entry, before
// success is reported.

import { commitButton, popupAround } from "./confirm.js";
import { kindOf, refuse, tagOf } from "./controls.js";
import {
  aroundOnly, barred, chosenState, entries, ENTRY_ROLES, entryRole, isLoading, labelOfEntry, labelsIn, offered, quote,
  roleWord, says, saysBare, scroller, takesAway,
} from "./entries.js";
import { Held, LOST_MAX } from "./held.js";
import { converse, End } from "./procedure.js";
import { backing, Reading } from "./reading.js";
import {
  above, animated, boxOf, inside, LINK_MAX, linked, Marks, page, pause, shown, steady, until, walk, workIn,
} from "./surfaces.js";
import { PROCEDURE_MS, STEP_MS } from "./tables.js";
import { norm } from "./text.js";
import { inTree, knobOf } from "./trees.js";

export const LIST_ROLES = new Set(["listbox", "tree", "grid", "menu", "radiogroup", "treegrid"]);
const SEARCH_MS = 2400; // Time for what a search brings up,
const HEARD_MS = 150; // Time for a field to take notice of a text without keys.
const SEARCH_IDLE_MS = 1100; // and of it at most this long without any change.
const FOLD_MS = 250; // Time without any change after which an entry did not open.
const LAST_MS = 90; // Time for which what was chosen has to stay.
export const CLOSE_MS = 350; // Time for a popup to go away after a key.

export class Choice {
  constructor(args, control, ask) {
    this.args = args;
    this.control = control;
    this.ask = ask;
    this.path = args.path.map(norm);
    this.start = performance.now();
    this.last = this.path[this.path.length - 1];
    this.box = boxOf(control);
    // A list that says whether it is open is opened like any other control.
    this.inline = LIST_ROLES.has(roleWord(control)) && !control.hasAttribute("aria-expanded");
    this.opened = false;
    this.parent = null; // The entry that was opened last.
    this.committed = false;
    this.typed = null;
    this.afloat = new Set(); // Lists drawn over the page inside the control's box.
    this.reading = new Reading(control, this.box, this.path);
  }

  left() {
    return PROCEDURE_MS - (performance.now() - this.start);
  }

  wait(ms) {
    return Math.max(0, Math.min(ms, this.left()));
  }

  async run() {
    if (this.already()) return { chosen: true };
    this.marks = new Marks([this.box, ...this.surfaces()]);
    try {
      let entry = this.inline ? await this.reach(0, null) : await this.open();
      for (let step = 0; ; step++) {
        this.check(entry, step);
        if (step === this.path.length - 1) return await this.commit(entry.el, step, this.parent);
        entry = await this.descend(entry.el, step);
      }
    } catch (error) {
      if (!(error instanceof End)) throw error;
      if (this.opened && !this.committed) await this.close();
      return error.end;
    } finally {
      this.marks.end();
    }
  }

  // check refuses what is not one enabled entry.
  check(entry, step) {
    if (!entry && this.cutShort) throw new End("widget_bounds_exceeded", "the list is longer than may be searched");
    if (!entry && this.left() < 150) throw new End("widget_timeout", this.found(step, "did not appear in time; take a snapshot to see what the control shows now"));
    if (!entry) throw new End("option_not_found", this.missing(step));
    if (entry.many) throw new End("option_ambiguous", `${entry.many} entries have this label`);
    if (barred(entry.el)) throw new End("option_disabled", "the entry is disabled");
  }

  // found says which steps of the path were there and pressed, and of the next one what
  // is the matter with it.
  found(step, matter) {
    if (this.path.length === 1) return `the entry ${matter}`;
    const before = step === 0 ? "" : `${this.path.slice(0, step).map(quote).join(", ")} ${step === 1 ? "was" : "were"} found and pressed; `;
    return `${before}step ${step + 1} of the path ${matter}`;
  }

  // missing says what there is instead of the entry of a step, and what to do.
  missing(step) {
    const there = offered([...(this.parent ? linked(this.parent) : this.surfaces()), ...this.marks.roots()], (el) => !this.displays(el) && (step === 0 || this.marks.isNew(el)));
    const where = this.path.length > 1 ? this.found(step, "has no entry of exactly this label") : "the control shows no entry of exactly this label";
    if (!there) return `${where}; open the control with a click and take a snapshot to see what it offers`;
    return `${where}; ${there}; use one of these labels exactly, or take a snapshot`;
  }

  // surfaces are what the control or a part of it names by id.
  surfaces() {
    const parts = [this.control, ...this.box.querySelectorAll("[aria-controls],[aria-owns],[aria-activedescendant]")];
    const out = this.inline ? [this.control] : [];
    for (const part of parts.slice(0, LINK_MAX)) out.push(...linked(part));
    return out.filter((el) => (this.inline && el === this.control) || !inside(this.control, el));
  }

  expanded() {
    for (const el of [this.control, ...this.box.querySelectorAll("[aria-expanded]")]) if (el.getAttribute("aria-expanded") === "true") return true;
    return false;
  }

  // find looks for the entry of a step: {el}, {many}, or null.
  find(step, parent) {
    const label = this.path[step];
    const named = parent ? [...linked(parent), ...Array.from(parent.querySelectorAll("[role=group],ul"))] : this.surfaces();
    const marks = this.marks;
    const take = (el) => {
      if (parent && inside(parent, el)) return false;
      if (!named.some((root) => inside(el, root)) && !marks.isNew(el)) return false;
      return !this.displays(el);
    };
    let found = entries([...named, ...marks.roots()], label, take);
    if (found.length > 1) found = found.filter((el) => !barred(el) || found.every(barred));
    if (found.length === 0) return null;
    return found.length === 1 ? { el: found[0] } : { many: found.length };
  }

  // displays tells whether an element is a part of what shows the control's value
  // and not an entry to choose.
  displays(el) {
    if (this.inline || !inside(el, this.box)) return false;
    for (let at = el; at && at !== this.box; at = above(at)) {
      if (entryRole(at) || LIST_ROLES.has(roleWord(at)) || this.floats(at)) return false;
    }
    return true;
  }

  // floats tells whether a part of the control is drawn over the page and was not
  // shown before: a list that says of itself nothing.
  floats(el) {
    if (this.afloat.has(el)) return true;
    const floats = !inside(this.control, el) && !this.marks.before.has(el) && this.marks.isNew(el) && /absolute|fixed/.test(getComputedStyle(el).position);
    if (floats) this.afloat.add(el);
    return floats;
  }

  look(step, parent, ms, idle = Infinity) {
    return until(this.marks, this.wait(ms), () => this.find(step, parent), idle);
  }

  // open opens the control's popup and returns the first entry, if it is shown.
  async open() {
    if (this.expanded() && this.surfaces().some(shown)) {
      this.opened = true;
      const there = this.find(0, null);
      if (there) return there;
    }
    for (const way of ["press", "key", "knob"]) {
      if (!(await this.tryOpen(way))) continue;
      const found = await until(this.marks, this.wait(STEP_MS), () => this.find(0, null) || (this.popup() && "open"));
      if (!found) continue;
      this.opened = true;
      if (found !== "open") return found;
      return (await this.look(0, null, 150)) || this.reach(0, null);
    }
    return this.reach(0, null);
  }

  async tryOpen(way) {
    if (way === "press") return this.press(this.control, this.box, underneath(this.control));
    if (way === "key") {
      if (!this.focused()) return false;
      return (await this.ask({ do: "key", key: "ArrowDown" })).ok;
    }
    const knob = Array.from(this.box.querySelectorAll("button,[role=button]")).find((el) => shown(el) && el !== this.control && !takesAway(el));
    return knob ? this.press(knob) : false;
  }

  // popup tells whether something that holds entries has come up.
  popup() {
    if (this.surfaces().some((el) => shown(el) && el !== this.control)) return true;
    let seen = false;
    walk(this.marks.roots(), (el) => {
      if (seen) return "skip";
      if ((LIST_ROLES.has(roleWord(el)) || ENTRY_ROLES.has(roleWord(el)) || roleWord(el) === "dialog" || el.localName === "li") && shown(el) && this.marks.isNew(el)) seen = true;
      return undefined;
    });
    return seen;
  }

  focused() {
    const active = deepActive();
    return active && (inside(active, this.box) || this.marks.isNew(active));
  }

  // reach finds an entry that is not shown yet: by the control's own search
  // field, else by scrolling its list.
  async reach(step, parent) {
    const there = this.find(step, parent);
    if (there) return there;
    const search = step === 0 ? this.search() : null;
    if (search) {
      const found = await this.searchFor(search, step);
      if (found) return found;
    }
    return (await this.scroll(step, parent)) || this.look(step, parent, search ? 0 : this.empty() ? PROCEDURE_MS : STEP_MS);
  }

  // empty tells whether a popup is up that shows no entry yet, as one that loads, or
  // nothing came up below an entry.
  empty(parent = null) {
    if (!this.opened || this.inline) return false;
    let seen = false;
    walk([...(parent ? linked(parent) : this.surfaces()), ...this.marks.roots()], (el) => {
      if (parent && (inside(parent, el) ? el === parent : !this.marks.isNew(el))) return el === parent ? "skip" : undefined;
      if (!seen && entryRole(el) && shown(el) && !isLoading(el) && !this.displays(el) && !(parent && inside(parent, el))) seen = true;
      return seen ? "skip" : undefined;
    });
    return !seen;
  }

  // search is the field in which the control takes a text to look for.
  search() {
    const text = (el) => el && ((el.localName === "input" && /^(text|search|)$/.test(el.type)) || el.isContentEditable) && !el.readOnly && !el.disabled;
    const active = deepActive();
    if (text(active) && (inside(active, this.box) || this.marks.isNew(active))) return active;
    if (text(this.control)) return this.control;
    let found = null;
    walk([...this.surfaces(), ...this.marks.roots()], (el) => {
      if (!found && text(el) && shown(el) && this.marks.isNew(el)) found = el;
      return found ? "skip" : undefined;
    });
    return found;
  }

  async searchFor(field, step) {
    const answer = await this.ask({ do: "type", index: this.register(field), text: this.args.path[step] });
    if (!answer.ok) return null;
    this.typed = field;
    this.opened = true;
    const found = await until(this.marks, this.wait(HEARD_MS), () => this.find(step, null));
    if (found) return found;
    // Some fields look at what was typed only when a key comes up; this one types nothing.
    if (deepActive() === field) await this.ask({ do: "nudge" });
    return until(this.marks, this.wait(SEARCH_MS), () => this.find(step, null), SEARCH_IDLE_MS);
  }

  // scroll turns the list until the entry is shown. A list that is in order is
  // searched by halves, any other from its top.
  async scroll(step, parent) {
    const roots = parent ? linked(parent) : this.surfaces();
    const list = scroller([...roots, ...this.marks.roots().filter((el) => this.marks.isNew(el))]) || scroller([...roots, ...this.marks.roots()]);
    if (!list || (!this.inline && !this.marks.isNew(list) && !roots.some((root) => inside(list, root) || inside(root, list)))) return null;
    const label = this.path[step];
    const order = new Intl.Collator(undefined, { numeric: true });
    let [low, high] = [0, list.scrollHeight - list.clientHeight];
    for (let tries = 0; tries < 24 && low <= high && this.left() > 200; tries++) {
      const rows = labelsIn(list);
      if (rows.length < 2 || order.compare(rows[0], rows[rows.length - 1]) > 0) break;
      if (order.compare(label, rows[0]) < 0) high = list.scrollTop - 1;
      else if (order.compare(label, rows[rows.length - 1]) > 0) low = list.scrollTop + 1;
      else break;
      const found = await this.scrollTo(list, (low + high) / 2, step, parent);
      if (found) return found;
    }
    let at = 0;
    for (; at < list.scrollHeight && this.left() > 200; at += Math.max(40, list.clientHeight * 0.85)) {
      const found = await this.scrollTo(list, at, step, parent);
      if (found) return found;
    }
    this.cutShort = at < list.scrollHeight;
    return null;
  }

  async scrollTo(list, top, step, parent) {
    list.scrollTop = top;
    for (let frame = 0; frame < 3; frame++) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const found = this.find(step, parent);
      if (found) return found;
    }
    return null;
  }

  // descend goes from an entry to the one below it: by opening it, unless it is
  // open already and holds what comes next.
  async descend(entry, step) {
    const tree = inTree(entry);
    const expanded = aroundOnly(entry).map((el) => el.getAttribute("aria-expanded")).find(Boolean);
    if (tree && expanded === "true") {
      const below = this.find(step + 1, entry);
      this.parent = entry;
      if (below) return below;
    }
    this.marks.end();
    this.marks = new Marks([this.box, ...this.surfaces()]);
    const knob = tree && expanded !== "true" ? knobOf(entry, this.path[step]) : null;
    const pressed = await this.pressEntry(entry, step, this.parent, knob);
    if (!pressed) throw new End("element_not_actionable", "an entry of the path cannot be reached by the pointer");
    this.opened = true;
    this.parent = pressed;
    const foldable = aroundOnly(pressed).some((el) => el.getAttribute("aria-expanded") === "false");
    const found = (await this.look(step + 1, pressed, STEP_MS, foldable ? FOLD_MS : Infinity)) || (await this.scroll(step + 1, pressed));
    if (found) return found;
    const opened = (await this.unfold(pressed)) && (await this.look(step + 1, pressed, STEP_MS));
    // What is fetched may take longer than a step: as long as nothing came up, it is awaited.
    return opened || (this.empty(pressed) ? this.look(step + 1, pressed, PROCEDURE_MS) : null);
  }

  // unfold opens an entry by the key for it, where a press gave it the focus alone.
  async unfold(entry) {
    const said = () => aroundOnly(entry).some((el) => el.getAttribute("aria-expanded") === "true");
    if (said() || !aroundOnly(entry).some((el) => el.hasAttribute("aria-expanded")) || !this.focused()) return false;
    return (await this.ask({ do: "key", key: "ArrowRight" })).ok && Boolean(await until(this.marks, this.wait(CLOSE_MS), said));
  }

  // commit chooses the last entry, unless it is chosen already, and reads back.
  async commit(entry, step, parent) {
    const several = this.several(entry);
    if (several && chosenState(entry) === true) {
      await this.close();
      return { chosen: true };
    }
    const before = chosenState(entry);
    this.reading.beforePress(this.typed, entry);
    const held = new Held(this, entry, several);
    const pressed = await this.pressEntry(entry, step, parent);
    if (!pressed) throw new End("element_not_actionable", "the entry cannot be reached by the pointer");
    this.committed = true;
    // A list that is drawn anew has the entry in another place.
    const now = () => (pressed.isConnected ? pressed : (this.find(step, parent) || {}).el || pressed);
    const chosen = () => this.shows(now(), several, before) || (several && !says(now(), this.last) && held.oneMore());
    // A list that moved under the pointer took the press without the release, which
    // chose nothing: where nothing has come of it, the entry is pressed once more.
    const first = await this.lasting(this.partial ? STEP_MS : STEP_MS * 2, chosen);
    const again = !first && this.partial && chosenState(now()) === before && this.reading.untouched() && (await this.pressEntry(now(), step, parent));
    const shown = first || (again && (await this.lasting(STEP_MS, chosen)));
    // A popup that stays up and has a button for it takes the choice only then.
    const kept = await this.confirmed(now(), chosen);
    if (kept === false) throw new End("form_control_outcome_unknown", "the entry and the button that confirms it were pressed, and the control does not show the entry as chosen");
    if (!shown && !kept) throw new End("form_control_outcome_unknown", "the entry was pressed, and the control does not show it as chosen");
    held.note();
    if (!this.inline) {
      // Closing the popup may give the choice up, and then the control says nothing new.
      const still = () => chosen() || (several && this.reading.boxChanged());
      await this.close();
      if (!(await until(this.marks, this.wait(CLOSE_MS), still))) throw new End("form_control_outcome_unknown", "the control did not keep what was chosen");
    }
    await until(this.marks, this.wait(CLOSE_MS), () => held.lost().length === 0);
    return { chosen: true, lost: held.lost().slice(0, LOST_MAX).map(quote).join(", ") };
  }

  // confirmed presses the button of the widget's own popup that makes a choice count, and
  // tells whether it does; null without such a button.
  async confirmed(entry, chosen) {
    const popup = this.inline || !entry.isConnected ? null : popupAround(entry, this.marks);
    const button = popup && shown(popup) && commitButton([popup]);
    if (!button || !(await this.press(button))) return null;
    return this.lasting(STEP_MS, chosen);
  }

  // lasting waits for something to hold, and for it to hold a little longer: a form
  // may take a choice back at once.
  async lasting(ms, test) {
    if (!(await until(this.marks, this.wait(ms), test))) return false;
    await pause(LAST_MS);
    return Boolean(test());
  }

  // several tells whether the control takes more than one entry.
  several(entry) {
    if (this.control.getAttribute("aria-multiselectable") === "true") return true;
    for (let at = entry, hops = 0; at && hops < 12; at = above(at), hops++) if (at.getAttribute("aria-multiselectable") === "true") return true;
    return roleWord(entry) === "menuitemcheckbox" || Boolean(entry.querySelector("input[type=checkbox],[role=checkbox]"));
  }

  // already tells whether the control provably holds the wanted value now.
  already() {
    if (this.inline) return false;
    const native = backing(this.box);
    if (native) return Array.from(native.selectedOptions).some((option) => norm(option.label) === this.last) && this.reading.displayed() && this.path.length === 1;
    if (this.path.length > 1) return this.reading.displayedPath();
    const input = this.control.localName === "input" ? this.control : null;
    return this.reading.displayed() && !(input && !input.readOnly && norm(input.value) === this.last);
  }

  // shows is the reading back: what the control, its native twin or the entry says.
  shows(entry, several, before) {
    const native = backing(this.box);
    if (native && Array.from(native.selectedOptions).some((option) => norm(option.label) === this.last)) return true;
    const said = entry.isConnected && chosenState(entry) === true;
    if (said && (this.inline || (several && this.reading.boxChanged()))) return true;
    if (this.inline) return this.find(0, null) !== null && entries([this.control], this.last, () => true).some((el) => chosenState(el) === true);
    if (this.path.length > 1 && this.reading.displayedPath(entry)) return true;
    if (this.reading.displayed(entry, this.expanded() ? this.typed : null)) return true;
    // An entry that is marked only while the pointer is on it is no proof by itself.
    if (said && before !== true && this.reading.changed()) return true;
    return !this.expanded() && !this.up() && this.reading.inOtherForm(entry);
  }

  // press clicks an element, or another one where that cannot be reached.
  async press(el, ...others) {
    return (await this.pressOne(() => [el, ...others])) !== null;
  }

  // pressEntry clicks an entry and returns it. A list may be drawn anew when the
  // pointer comes, so it is looked for again where it is gone.
  async pressEntry(entry, step, parent, knob = null) {
    let at = entry;
    // A list may put another label into the same place meanwhile.
    const same = () => at.isConnected && (saysBare(at, this.path[step]) || labelOfEntry(at, this.path[step]) !== null);
    const pressed = await this.pressOne(() => {
      if (!same()) at = (this.find(step, parent) || {}).el || at;
      if (knob && knob.isConnected) return [knob];
      // What is no entry by its role may be a row that is wider than what takes the click.
      const label = labelOfEntry(at, this.path[step]);
      return entryRole(at) ? [at, label] : [label, at];
    }, same);
    return pressed ? at : null;
  }

  // pressOne clicks the first of the ways that can be reached, and returns it. What
  // is still moving into place is given time.
  async pressOne(ways, still = () => true) {
    for (let round = 0; round < 4; round++) {
      for (const each of new Set(ways())) {
        if (!each || !each.isConnected) continue;
        await steady(each);
        if (!still()) continue;
        const answer = await this.ask({ do: "press", index: this.register(each) });
        this.partial = Boolean(answer.partial);
        if (answer.ok) return each;
      }
      if (this.left() < 300) break;
      if (ways().some((each) => each && each.isConnected)) await pause(round === 0 ? 40 : 150);
    }
    return null;
  }

  // register gives an element an index under the name that it has now. Parts of a
  // control change their names all the time, and the guard compares them.
  register(el) {
    if (el !== this.control) troupe.forget(el, this.args.g);
    const index = troupe.register(el, this.args.g);
    if (index < 0) throw new End("widget_bounds_exceeded", "the page has more elements than may be looked at");
    return index;
  }

  // up is a list of the control that came up and is still there, null without one.
  up() {
    let found = null;
    walk(this.marks.roots(), (el) => {
      if (!found && LIST_ROLES.has(roleWord(el)) && shown(el) && this.marks.isNew(el) && !inside(this.control, el)) found = el;
      return found ? "skip" : undefined;
    });
    return found;
  }

  // close sends Escape to a popup that is still up, if the focus is in it or in
  // the control, so that nothing else can take the key.
  async close() {
    const up = () => this.expanded() || this.up();
    if (!(await until(this.marks, 120, () => !up()))) {
      // What fades away by itself needs no key, which then would go to something else.
      if (this.up() && animated(this.up()) && (await until(this.marks, CLOSE_MS, () => !up()))) return;
      if (!this.focused()) return;
      await this.ask({ do: "key", key: "Escape" });
      await until(this.marks, CLOSE_MS, () => !up());
    }
  }
}

// underneath is the part of a control that lies at its middle, where that is one
// that takes the pointer for itself.
function underneath(control) {
  const box = control.getBoundingClientRect();
  const hit = control.getRootNode().elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return hit && hit !== control && inside(hit, control) ? hit : null;
}

// deepActive is what has the focus in the control's document, null where nothing has,
// or where a frame's document is not the one that gets the keys.
function deepActive() {
  if (page !== document && !page.hasFocus()) return null;
  let at = page.activeElement;
  while (at && at.shadowRoot && at.shadowRoot.activeElement) at = at.shadowRoot.activeElement;
  return at && at !== page.body ? at : null;
}

export function choice(args) {
  const held = troupe.grip(args);
  if (!held.ok) return held;
  const control = held.node;
  if (tagOf(control) === "select") return refuse("element_action_unsupported", "a native select takes select_option");
  if (kindOf(control) === "exact") return refuse("widget_not_supported", "this native control takes set_value");
  workIn(control.ownerDocument);
  return converse((ask) => new Choice(args, control, ask).run());
}
