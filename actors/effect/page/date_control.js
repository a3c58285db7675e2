// What a date control shows, in its own fields and texts and in its calendar, and how
// the calendar is opened.

import { grids, leaves, monthLists, ownLabel, PANEL_UP, uncovered, yearLists } from "./calendar.js";
import { Choice } from "./choice.js";
import { dialogAround, Outside } from "./confirm.js";
import { showsDate, surelyShows, yearOf } from "./dates.js";
import { barred } from "./entries.js";
import { cellsMonth, heading } from "./heading.js";
import { End } from "./procedure.js";
import { above, boxOf, inside, LINK_MAX, linked, page, shown, until } from "./surfaces.js";
import { STEP_MS } from "./tables.js";
import { norm } from "./text.js";

let lastCalendar = { control: null, surface: null, begun: false };

// keepCalendar notes the calendar that a date was set in: another date of its control may
// be set there next. begun says that it holds the first end of a range and no more.
export function keepCalendar(control, surface, begun = false) {
  lastCalendar = { control, surface, begun };
}

// begunRange is the calendar that holds the first end of a range, null without one.
export const begunRange = () => (lastCalendar.begun ? lastCalendar : null);

// BEGUN is the class of the first end of a range.
const BEGUN = /(^|[\s_-])(start|range-start|start-date|range-from|from)($|[\s_-])/i;

// DateControl is what a date control shows, and how its calendar is opened.
export class DateControl extends Choice {
  constructor(args, control, ask) {
    super({ ...args, path: [args.value] }, control, ask);
    const [y, m, d] = args.value.split("-").map(Number);
    this.date = { y, m, d: d || 0 };
    this.field = boxOf(control, true);
    this.inline = !["input", "button", "textarea"].includes(control.localName) && !control.querySelector("input,[contenteditable]") && this.calendarIn(control);
    this.surface = this.inline ? this.panelAround(control) : null;
    this.outside = this.inline ? new Outside(this.surface) : null;
  }

  // displays: a calendar may be drawn inside the control's own box.
  displays(el) {
    return this.control.contains(el);
  }

  // surfaces, expanded and the knob belong to the whole field: what opens a calendar
  // often stands behind the text box, and both beside the label.
  surfaces() {
    const parts = [this.control, ...this.field.querySelectorAll("[aria-controls],[aria-owns]")];
    return parts.slice(0, LINK_MAX).flatMap((part) => linked(part, ["aria-controls", "aria-owns"])).filter((el) => !inside(this.control, el));
  }

  expanded() {
    return [this.control, ...this.field.querySelectorAll("[aria-expanded]")].some((el) => el.getAttribute("aria-expanded") === "true");
  }

  async tryOpen(way) {
    if (way !== "knob") return super.tryOpen(way);
    const knobs = Array.from(this.field.querySelectorAll("button,[role=button]")).filter((el) => shown(el) && el !== this.control && !barred(el));
    const words = (el) => `${el.getAttribute("aria-label") || ""} ${el.title || ""} ${el.getAttribute("class") || ""} ${ownLabel(el)}`;
    const knob = knobs.find((el) => /calendar|date|picker|open|choose/i.test(words(el))) || knobs.find((el) => !/clear|clean|remove|delete|close|reset/i.test(words(el)));
    return knob ? this.press(knob) : false;
  }

  // press remembers why something was not pressed, for the caller to be told.
  async press(el, ...others) {
    const ask = this.ask;
    this.ask = async (instruction) => {
      const answer = await ask(instruction);
      if (!answer.ok) this.why = answer.code;
      return answer;
    };
    try {
      return await super.press(el, ...others);
    } finally {
      this.ask = ask;
    }
  }

  // moved tells whether a part of the calendar could not be pressed because it was
  // drawn anew, or something that goes away lay over it. Nothing was set then.
  moved(error) {
    const passing = ["ref_detached", "ref_changed", "element_covered"].includes(this.why);
    return error instanceof End && error.end.code === "element_not_actionable" && passing && !this.committed && this.left() > STEP_MS;
  }

  unreachable(what) {
    return new End("element_not_actionable", `${what} cannot be reached by the pointer${this.why ? ` (${this.why})` : ""}`);
  }

  calendarIn(el) {
    const all = () => true;
    return grids([el], all).length > 0 || monthLists([el], all).length > 0;
  }

  // panelAround is the element that an inline calendar is drawn in.
  panelAround(control) {
    let panel = control;
    for (let hops = 0; hops < PANEL_UP; hops++) {
      const up = above(panel);
      if (!up || up === page.body || up.localName === "form" || grids([up], () => true).length > 1) break;
      panel = up;
      if (heading(control, []).panel === panel) break;
    }
    return panel;
  }

  // remembered is the popup that an earlier date of this control, or of the one
  // next to it, left up: a range waits for its other end.
  remembered() {
    const { control, surface } = lastCalendar;
    if (!surface || !surface.isConnected) return null;
    let up = this.control;
    for (let hops = 0; up && hops < 5; hops++, up = above(up)) if (inside(control, up)) return surface;
    return null;
  }

  // texts are what the control shows: its own value and those of the fields and
  // texts in its box.
  texts() {
    const own = this.control.localName === "input" ? [this.control.value] : [];
    if (own.length > 0 && !this.severalFields()) {
      for (const el of this.box.querySelectorAll("input")) if (el !== this.control && !/^(checkbox|radio|hidden)$/.test(el.type)) own.push(el.value);
    }
    if (own.some((text) => norm(text)) || this.control.localName === "input") return own;
    return [norm(this.control.textContent), ...this.sections(), ...Array.from(this.box.querySelectorAll("input"), (el) => el.value)];
  }

  // sections are the dates in sections around the control, as text: one, or the two
  // ends of a range.
  sections() {
    const around = this.control.closest("[role=group]") || this.box;
    const parts = Array.from(around.querySelectorAll("[role=spinbutton]"), (el) => norm(el.textContent) || norm(el.getAttribute("aria-valuetext")));
    const half = parts.length > 3 ? parts.length / 2 : parts.length;
    return [parts.slice(0, half).join(" "), parts.slice(half).join(" ")];
  }

  // severalFields tells whether the box holds more than one field, as a range does.
  severalFields() {
    return this.fields().length > 1;
  }

  fields() {
    return Array.from(this.box.querySelectorAll("input")).filter((el) => shown(el) && !/^(checkbox|radio|hidden)$/.test(el.type));
  }

  // holds tells whether the control shows the date; surely, where the order of
  // day and month must be certain.
  holds(surely = false) {
    const test = surely ? surelyShows : showsDate;
    if (this.inline) return !surely && (this.picked() || this.outside.tookOver((text) => showsDate(text, this.date)));
    return this.texts().some((text) => test(text, this.date));
  }

  // cell is that of the day, where the calendar shows its month.
  cell() {
    const view = this.read();
    return (view && view.days && view.y === this.date.y && view.m === this.date.m && view.days.cells[this.date.d - 1]) || null;
  }

  // picked tells whether a calendar marks the day as chosen, or, where begun is asked
  // for, as the first end of a range.
  picked(begun = false) {
    return this.bears(this.cell(), (at) =>
      at.getAttribute("aria-selected") === "true" || at.getAttribute("aria-pressed") === "true" || at.hasAttribute("data-selected") ||
      /(^|[\s_-])(is-)?(selected|active|picked)($|[\s_-])/i.test(at.getAttribute("class") || "") || (begun && BEGUN.test(at.getAttribute("class") || "")));
  }

  // begins tells whether the mark of the day is that of an end of a range.
  begins() {
    return this.bears(this.cell(), (at) => BEGUN.test(at.getAttribute("class") || "") || ["data-range-start", "data-selection-start"].some((name) => at.hasAttribute(name)));
  }

  bears(cell, marked) {
    for (let at = cell, hops = 0; at && hops < 3; at = above(at), hops++) {
      if (marked(at)) return true;
      if (at.matches("td,[role=gridcell]")) break;
    }
    return false;
  }

  // anchor keeps hold of the calendar where a part of the page is drawn anew.
  anchor() {
    if (this.surface && this.surface.isConnected) {
      if (this.surface !== this.held) {
        this.held = this.surface;
        this.around = ancestors(this.surface);
      }
    } else if (this.around) this.surface = this.around.find((el) => el.isConnected) || null;
  }

  roots() {
    this.anchor();
    const marked = this.marks ? this.marks.roots() : [];
    if (this.surface && this.surface.isConnected) return this.inline ? [this.surface] : [this.surface, ...marked];
    return [...this.surfaces(), ...marked];
  }

  // read is what the calendar shows now: {days, months, years, y, m, panel}, null
  // without any of them; under is the days that lists lie over. Of several day grids
  // the one counts that shows the date, else the first.
  read() {
    const roots = this.roots();
    const linkedTo = this.surfaces();
    const take = (el) => (this.surface && inside(el, this.surface)) || linkedTo.some((root) => inside(el, root)) || (this.marks && this.marks.isNew(el) && !this.displays(el));
    const all = grids(roots, take);
    // Lists of months and years may lie over the days, and those over each other.
    const days = all.filter((grid) => uncovered(grid.cells));
    // What the control itself holds says nothing of what its calendar shows.
    const own = this.inline ? [] : [this.control, ...this.fields()];
    const views = (of, lists = []) => {
      const barriers = [...of.map((grid) => grid.el), ...lists, ...own];
      const each = of.map((grid) => ({ days: grid, ...heading(grid.el, barriers), ...cellsMonth(grid.cells), barriers }));
      return each.find((view) => view.y === this.date.y && view.m === this.date.m) || each[0];
    };
    if (days.length > 0) return views(days);
    const lists = (/** @type {any[]} */ of) => of.sort((a, b) => uncovered([...b.cells.values()].flat()) - uncovered([...a.cells.values()].flat()));
    const months = lists(monthLists(roots, take));
    const years = lists(yearLists(roots, take))[0] || null;
    if (months.length === 0 && !years) return all.length > 0 ? views(all) : null;
    const around = [...[...months, years].filter(Boolean).map((list) => list.el), ...own];
    // Several years may each have their months.
    const seen = (months.length > 0 ? months : [years]).map((list) => ({ list, ...(yearWithin(list) || heading(list.el, around, false)) }));
    const best = seen.find(({ y }) => y === this.date.y) || seen[0];
    return { months: months.length > 0 ? best.list : null, years, y: best.y, m: 0, panel: best.panel, barriers: around, under: all.length > 0 ? views(all, around) : null };
  }

  // standing is the one calendar that lies over the page while the control says that it
  // is open, or has the focus: pressing the control could close it.
  standing() {
    if (!this.expanded() && !this.focused()) return null;
    const found = grids([page.body], (el) => !this.displays(el)).filter((grid) => uncovered(grid.cells));
    const panels = new Set(found.map((grid) => overlayOf(grid.el)).filter((panel) => panel && !inside(this.control, panel)));
    return panels.size === 1 ? [...panels][0] : null;
  }

  // openCalendar opens the control's popup and returns what it shows.
  async openCalendar() {
    if (!this.surface) this.surface = this.standing();
    for (const way of ["press", "knob", "key"]) {
      const there = this.expanded() || (this.surface && shown(this.surface)) ? this.read() : null;
      if (!there && !(await this.tryOpen(way))) continue;
      const view = there || (await until(this.marks, this.wait(STEP_MS), () => this.read()));
      if (this.popup()) this.opened = true;
      if (!view) continue;
      this.opened = true;
      this.surface = this.surface && inside((view.days || view.months || view.years).el, this.surface) ? this.surface : this.surfaceOf(view);
      return view;
    }
    return null;
  }

  // surfaceOf is the popup around a view: as far up as it is new.
  surfaceOf(view) {
    let at = (view.days || view.months || view.years).el;
    for (let hops = 0; hops < 12; hops++) {
      const up = above(at);
      if (!up || up === page.body || inside(this.control, up)) break;
      if (!this.marks.isNew(up) && !inside(view.panel, at)) break;
      at = up;
    }
    return inside(view.panel, at) ? at : view.panel;
  }
}

// yearWithin is the one year that stands among the months of a list, as a heading of
// its own, null without one.
function yearWithin(list) {
  const found = leaves([list.el], () => true, (label) => yearOf(label) > 0);
  return found.length === 1 ? { y: yearOf(found[0].label), m: 0, panel: list.el } : null;
}

// overlayOf is the dialog, or the part drawn over the page, that an element is in.
function overlayOf(el) {
  const dialog = dialogAround(el);
  if (dialog) return dialog;
  for (let at = el, hops = 0; at && at !== page.body && hops < 12; at = above(at), hops++) if (/absolute|fixed/.test(getComputedStyle(at).position)) return at;
  return null;
}

// ancestors are the elements around an element, inside the body.
function ancestors(el) {
  const out = [];
  for (let at = above(el); at && at !== page.body && out.length < PANEL_UP; at = above(at)) out.push(at);
  return out;
}

// formatTexts are the texts of a field that may say in which format it wants its date.
export function formatTexts(input) {
  const root = input.getRootNode();
  const described = (input.getAttribute("aria-describedby") || "").split(/\s+/).slice(0, LINK_MAX).map((id) => id && root.getElementById(id)).filter(Boolean);
  const said = ["placeholder", "aria-placeholder", "data-date-format", "data-format", "title"].map((name) => input.getAttribute(name));
  return [...said, ...described.map((el) => el.textContent)].filter(Boolean);
}

// languageOf is the language that an element says it is in, or its document.
export function languageOf(el) {
  for (let at = el, hops = 0; at && hops < 64; at = above(at), hops++) if (at.lang) return at.lang;
  return "";
}
