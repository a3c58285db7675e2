// select_choice: one exact path of labels in a custom control (R90, R94, R95,
// R97). What is chosen is what carries the label; nothing is matched loosely, and
// what was chosen has to be shown by the control, or said by the entry, before
// success is reported.

const LIST_ROLES = new Set(["listbox", "tree", "grid", "menu", "radiogroup", "treegrid"]);
const FACE_UP = 3; // Elements above a control that are its face.
const SEARCH_MS = 2400; // Time for what a search brings up,
const SEARCH_IDLE_MS = 1100; // and of it at most this long without any change.
const LAST_MS = 90; // Time for which what was chosen has to stay.
const CLOSE_MS = 350; // Time for a popup to go away after a key.

class Choice {
  constructor(args, control, ask) {
    Object.assign(this, { args, control, ask, path: args.path.map(norm), start: performance.now() });
    this.last = this.path[this.path.length - 1];
    this.box = boxOf(control);
    this.inline = LIST_ROLES.has(roleWord(control));
    this.opened = false;
    this.committed = false;
    this.typed = null;
  }

  left() {
    return WIDGET_MS - (performance.now() - this.start);
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
        this.check(entry);
        if (step === this.path.length - 1) return await this.commit(entry.el);
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
  check(entry) {
    if (!entry && this.cutShort) throw new End("widget_bounds_exceeded", "the list is longer than may be searched");
    if (!entry && this.left() < 150) throw new End("widget_timeout", "the entry did not come up in time");
    if (!entry) throw new End("option_not_found", "the control shows no entry of exactly this label");
    if (entry.many) throw new End("option_ambiguous", `${entry.many} entries have this label`);
    if (barred(entry.el)) throw new End("option_disabled", "the entry is disabled");
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
    if (inside(el, this.control) && !this.control.contains(el)) return true;
    for (let at = el; at && at !== this.box; at = above(at)) {
      if (entryRole(at) || LIST_ROLES.has(roleWord(at))) return false;
    }
    return true;
  }

  look(step, parent, ms) {
    return until(this.marks, this.wait(ms), () => this.find(step, parent));
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
    const knob = Array.from(this.box.querySelectorAll("button,[role=button]")).find((el) => shown(el) && el !== this.control && !/clear|remove|delete/i.test(el.getAttribute("aria-label") || ""));
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
    return (await this.scroll(step, parent)) || this.look(step, parent, search ? 0 : this.empty() ? WIDGET_MS : STEP_MS);
  }

  // empty tells whether a popup is up that shows no entry yet, as one that loads.
  empty() {
    if (!this.opened || this.inline) return false;
    let seen = false;
    walk([...this.surfaces(), ...this.marks.roots()], (el) => {
      if (!seen && entryRole(el) && shown(el) && !this.displays(el)) seen = true;
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
    const tree = roleWord(entry) === "treeitem" || roleWord(entry) === "row";
    if (tree && entry.getAttribute("aria-expanded") === "true") {
      const below = this.find(step + 1, entry);
      if (below) return below;
    }
    this.marks.end();
    this.marks = new Marks([this.box, ...this.surfaces()]);
    const knob = tree && entry.getAttribute("aria-expanded") === "false" ? knobOf(entry, this.path[step]) : null;
    if (!(await this.press(knob || entry, labelOfEntry(entry, this.path[step])))) throw new End("element_not_actionable", "an entry of the path cannot be reached by the pointer");
    this.opened = true;
    const found = await this.look(step + 1, entry, STEP_MS);
    return found || this.scroll(step + 1, entry);
  }

  // commit chooses the last entry, unless it is chosen already, and reads back.
  async commit(entry) {
    const several = this.several(entry);
    if (several && chosenState(entry) === true) {
      await this.close();
      return { chosen: true };
    }
    // What is on show already, as a hint with the same word, is no proof afterwards.
    this.shownBefore = this.displayed(null, this.box);
    if (!(await this.press(entry, labelOfEntry(entry, this.last)))) throw new End("element_not_actionable", "the entry cannot be reached by the pointer");
    this.committed = true;
    const seen = await this.lasting(STEP_MS * 2, () => this.shows(entry));
    if (!seen) throw new End("form_control_outcome_unknown", "the entry was pressed, and the control does not show it as chosen");
    if (!this.inline) {
      await this.close();
      if (!(await until(this.marks, this.wait(CLOSE_MS), () => this.shows(entry)))) {
        throw new End("form_control_outcome_unknown", "the control did not keep what was chosen");
      }
    }
    return { chosen: true };
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
    for (let at = entry, hops = 0; at && hops < 12; at = above(at), hops++) if (at.getAttribute("aria-multiselectable") === "true") return true;
    return roleWord(entry) === "menuitemcheckbox" || Boolean(entry.querySelector("input[type=checkbox]"));
  }

  // already tells whether the control provably holds the wanted value now.
  already() {
    if (this.inline) return false;
    const native = backing(this.box);
    if (native) return Array.from(native.selectedOptions).some((option) => norm(option.label) === this.last) && this.displayed() && this.path.length === 1;
    if (this.path.length > 1) return this.displayedPath();
    const input = this.control.localName === "input" ? this.control : null;
    return this.displayed() && !(input && !input.readOnly && norm(input.value) === this.last);
  }

  // shows is the reading back.
  shows(entry) {
    const native = backing(this.box);
    if (native && Array.from(native.selectedOptions).some((option) => norm(option.label) === this.last)) return true;
    if (entry.isConnected && chosenState(entry) === true && (this.inline || this.several(entry))) return true;
    if (this.inline) return this.find(0, null) !== null && entries([this.control], this.last, () => true).some((el) => chosenState(el) === true);
    if (this.path.length > 1 && this.displayedPath(entry)) return true;
    return this.displayed(entry, this.shownBefore ? this.face() : this.box);
  }

  // face is the part of the box that is close around the control, where its value
  // stands; further out there may be hints and texts of other kinds.
  face() {
    let at = this.control;
    for (let hops = 0; hops < FACE_UP && at !== this.box; hops++) at = above(at);
    return at;
  }

  // displayed tells whether a part of the box shows the last label by itself.
  displayed(entry = null, part = this.face()) {
    const list = entry && entry.parentElement && inside(entry, this.box) ? entry.parentElement : null;
    let seen = false;
    walk([part], (el) => {
      if (seen || el === list || el === entry || LIST_ROLES.has(roleWord(el))) return "skip";
      if (entryRole(el) && chosenState(el) === false) return "skip";
      if (el.localName === "select" || el.localName === "svg") return "skip";
      if (el.localName === "input") {
        if (norm(el.value) === this.last && !/^(hidden|checkbox|radio)$/.test(el.type) && !(el === this.typed && this.expanded())) seen = true;
        return "skip";
      }
      if ((says(el, this.last) || directText(el) === this.last || (entry && lists(el, this.last))) && shown(el) && !hiddenMirror(el)) seen = true;
      return undefined;
    });
    return seen;
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

  // press clicks an element, or another one where that cannot be reached. What
  // is still moving into place is given time.
  async press(el, ...others) {
    const ways = [el, ...others.filter((other) => other && other !== el)];
    for (let round = 0; round < 3; round++) {
      for (const each of ways) {
        if (!each.isConnected) continue;
        await steady(each);
        const answer = await this.ask({ do: "press", index: this.register(each) });
        if (answer.ok) return true;
      }
      if (this.left() < 300) break;
      await pause(150);
    }
    return false;
  }

  // register gives an element an index under the name that it has now. Parts of a
  // control change their names all the time, and the guard compares them.
  register(el) {
    if (el !== this.control) troupe.core.indexOf.delete(el);
    const index = troupe.register(el, this.args.g);
    if (index < 0) throw new End("widget_bounds_exceeded", "the page has more elements than may be looked at");
    return index;
  }

  // close sends Escape to a popup that is still up, if the focus is in it or in
  // the control, so that nothing else can take the key.
  async close() {
    const up = () => this.expanded() || this.marks.roots().some((el) => LIST_ROLES.has(roleWord(el)) && shown(el) && this.marks.isNew(el) && !inside(this.control, el));
    if (!(await until(this.marks, 120, () => !up()))) {
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

// labelOfEntry is the innermost element that carries an entry's label.
function labelOfEntry(entry, label) {
  let found = null;
  walk([entry], (el) => {
    if (says(el, label)) found = el;
    return undefined;
  });
  return found;
}

// lists tells whether an element shows several labels in one text, and this is one.
function lists(el, label) {
  if (el.textContent.length > TEXT_MAX) return false;
  const parts = norm(el.textContent).split(/\s*[,;|·]\s*/);
  return parts.length > 1 && parts.includes(label);
}

// directText is an element's own text without that of the elements in it, such as
// the button that removes a chosen entry.
function directText(el) {
  let text = "";
  for (let node = el.firstChild; node; node = node.nextSibling) if (node.nodeType === 3) text += node.data;
  return text.length > TEXT_MAX ? "" : norm(text);
}

// hiddenMirror tells whether an element is one that shows typed text to nobody.
const hiddenMirror = (el) => Boolean(el.closest("[aria-hidden=true]")) && getComputedStyle(el).visibility === "hidden";

// backing is the native select that a control stands in front of: the only one in
// or next to its box that cannot be seen.
function backing(box) {
  const hidden = (el) => !shown(el) || getComputedStyle(el).opacity === "0" || el.getAttribute("aria-hidden") === "true" || el.getBoundingClientRect().width <= 2;
  const around = [...box.querySelectorAll("select")];
  for (const next of [box.previousElementSibling, box.nextElementSibling]) if (next && next.localName === "select") around.push(next);
  const found = around.filter(hidden);
  return found.length === 1 ? found[0] : null;
}

// knobOf is the part of a tree's entry that opens it without choosing it: by its
// kind or class, else what stands before the label and says nothing.
function knobOf(entry, label) {
  for (const el of entry.querySelectorAll("button,[role=button],[class*=switch],[class*=toggle],[class*=expand],[class*=arrow],[class*=chevron],svg")) {
    if (el.closest("[role=group],ul") && inside(el.closest("[role=group],ul"), entry) && el.closest("[role=group],ul") !== entry) continue;
    if (shown(el) && norm(el.textContent) !== label) return el.localName === "svg" ? el.parentElement : el;
  }
  for (const el of entry.children) {
    if (says(el, label)) break;
    if (shown(el) && norm(el.textContent).length <= 2 && !/[\p{L}\p{N}]/u.test(el.textContent)) return el;
  }
  return null;
}

// labelsIn lists what the rows of a list that are in view say.
function labelsIn(list) {
  const frame = list.getBoundingClientRect();
  const out = [];
  walk([list], (el) => {
    if (out.length >= 256) return "skip";
    if (!entryRole(el) && el.children.length > 0) return undefined;
    const box = el.getBoundingClientRect();
    if (box.height < 1 || box.bottom <= frame.top + 1 || box.top >= frame.bottom - 1) return entryRole(el) ? "skip" : undefined;
    const text = norm(el.textContent);
    if (text) out.push(text);
    return "skip";
  });
  return out;
}

function deepActive() {
  let at = document.activeElement;
  while (at && at.shadowRoot && at.shadowRoot.activeElement) at = at.shadowRoot.activeElement;
  return at && at !== document.body ? at : null;
}

function choice(args) {
  const held = troupe.grip(args);
  if (!held.ok) return held;
  const control = held.node;
  if (tagOf(control) === "select") return refuse("element_action_unsupported", "a native select takes select_option");
  if (kindOf(control) === "exact") return refuse("widget_not_supported", "this native control takes set_value");
  return converse((ask) => new Choice(args, control, ask).run());
}
