// set_date: a month or a day in a custom date control, in the order of R96: by
// selects for year and month, else by lists of years and months, else by turning
// pages; then the one cell of the day, in a grid whose month and year are
// established. In a field that shows its format the date may be typed. What the
// control shows afterwards has to be the date.

import { fields, PANEL_UP, switches, turners, uncovered } from "./calendar.js";
import { CLOSE_MS } from "./choice.js";
import { commitButton, dialogAround } from "./confirm.js";
import { kindOf, refuse } from "./controls.js";
import { begunRange, DateControl, formatTexts, keepCalendar, languageOf } from "./date_control.js";
import { BETWEEN, daysIn, monthAndYear, yearOf } from "./dates.js";
import { barred } from "./entries.js";
import { exactDate, heading, monthsIn } from "./heading.js";
import { layoutOf, partsAsked } from "./layouts.js";
import { speak } from "./months.js";
import { converse, End } from "./procedure.js";
import { putOption } from "./select.js";
import { above, inside, Marks, page, pause, shown, until, walk, workIn } from "./surfaces.js";
import { STEP_MS } from "./tables.js";
import { norm } from "./text.js";

const PAGES_MAX = 40; // Pages turned one by one.
const AGAIN_MAX = 3; // Times that a calendar is read again that changed meanwhile,
const AGAIN_MS = 150; // and the pause before.
const LEAVE_MS = 150; // Time for lists to go away by themselves.

class DatePick extends DateControl {
  async run() {
    if (this.holds(true)) return { chosen: true };
    const begun = this.inline ? null : begunRange(this.control);
    const asks = this.control.localName === "input" ? partsAsked(formatTexts(this.control)) : null;
    if (asks && asks.has("d") !== Boolean(this.date.d)) {
      return { code: "invalid_control_value", detail: asks.has("d") ? "the field takes a whole date" : "the field takes a month" };
    }
    // A text such as 01/05 that may already be the date, or another one, is no proof.
    this.doubtful = !this.inline && this.holds();
    this.first = this.texts().join("\n");
    this.marks = new Marks([this.box, ...this.surfaces()]);
    try {
      if (!this.inline) this.surface = this.remembered();
      // A range that has begun is not given up for what fails here.
      this.waits = Boolean(begun && this.surface && shown(this.surface));
      if (this.waits && begun.control === this.control) {
        if (this.picked(true)) return { chosen: true, begun: true };
        await this.close();
        this.surface = null;
      }
      for (let tries = 1; ; tries++) {
        try {
          const view = this.inline ? this.read() : await this.openCalendar();
          if (!view) return await this.type();
          await this.navigate(view);
          return await this.settle();
        } catch (error) {
          if (!this.moved(error) || tries > AGAIN_MAX) throw error;
          await pause(AGAIN_MS);
        }
      }
    } catch (error) {
      if (!(error instanceof End)) throw error;
      if (this.opened && !this.committed && !this.waits) await this.close();
      return error.end;
    } finally {
      this.marks.end();
    }
  }

  // above looks for parts of a calendar in the panel of a view and around it,
  // inside the calendar's own surface.
  above(view, look) {
    let found = {};
    for (let up = view.panel, hops = 0; up && hops < PANEL_UP && up !== page.body; up = above(up), hops++) {
      if (this.surface && !inside(up, this.surface)) break;
      found = look(up, view.barriers);
      if (Object.keys(found).length > 0) break;
    }
    return found;
  }

  // turner is what leads on in a direction: of several months side by side the outer ones
  // may have the buttons. Of the names the first that is there counts.
  turner(view, ...names) {
    let first = null;
    this.above(view, (up, barriers) => {
      const found = turners(up, barriers);
      first = names.map((name) => found[name]).find(Boolean) || null;
      return first ? found : {};
    });
    return first;
  }

  // certain tells whether a view says which month its days are of: while a calendar
  // is drawn anew, its parts may say different ones.
  certain(view) {
    return !view.days || Boolean(view.y && view.m);
  }

  signature(view) {
    if (!view) return "";
    return [view.days ? "d" + view.days.cells.length : "", view.months ? "m" : "", view.years ? "y" + [...view.years.cells.keys()].join() : "", view.y, view.m, view.under ? `${view.under.y}-${view.under.m}` : ""].join("|");
  }

  // turn presses something and waits until the calendar shows something else, of
  // the kind that is wanted.
  async turn(el, view, wanted = (_next) => true) {
    const before = this.signature(view);
    if (!(await this.press(el))) throw this.unreachable("a part of the calendar");
    const next = await until(this.marks, this.wait(STEP_MS), () => {
      if (this.committed && this.holds()) return { done: true };
      const now = this.read();
      return now && this.certain(now) && this.signature(now) !== before && wanted(now) ? now : null;
    });
    return next;
  }

  // navigate brings the calendar to the month and chooses the day, or the month.
  async navigate(view) {
    for (let step = 0, slow = 0; step < PAGES_MAX; step++) {
      // What was pressed may take longer than a step to show.
      if (!view && slow++ < AGAIN_MAX) view = this.read();
      if (!view) break;
      if (this.left() < 50) throw new End("widget_timeout", "the calendar took too long");
      if (view.days && this.date.d && view.y === this.date.y && view.m === this.date.m) {
        await this.pick(view);
        return;
      }
      if (view.days) view = await this.fromDays(view);
      else if (view.months) {
        const next = await this.fromMonths(view);
        if (this.committed) return;
        view = next;
      } else view = await this.fromYears(view);
    }
    throw new End("date_not_found", "the calendar does not lead to the month");
  }

  async fromDays(view) {
    const { y, m } = this.date;
    if (!view.y || !view.m) throw new End("date_not_found", "the month and year that the calendar shows are not certain");
    const set = this.above(view, fields);
    if (view.y !== y && (set.year || set.yearInput)) {
      const next = await this.setYear(set, view);
      if (next) return next;
    }
    if (view.m !== m && set.month && (view.y === y || !(set.year || set.yearInput))) {
      const next = await this.setSelect(set.month, (option) => monthsIn(set.month)[option.index] === m, view);
      if (next) return next;
    }
    const distance = (y - view.y) * 12 + (m - view.m);
    const near = Math.abs(distance) <= 2 && this.turner(view, distance < 0 ? "prev" : "next");
    const open = this.above(view, switches);
    if (this.date.d === 0 || !near) {
      const way = view.y !== y ? open.year || open.month : open.month || open.year;
      if (way && !this.dead?.has(way)) {
        const next = await this.turn(way, view);
        if (next) return next;
        this.dead = (this.dead || new Set()).add(way);
      }
    }
    const years = Math.trunc(distance / 12);
    const page = (years !== 0 && this.turner(view, years < 0 ? "prevYear" : "nextYear")) || this.turner(view, distance < 0 ? "prev" : "next");
    if (!page || Math.abs(distance) > PAGES_MAX + 12 * PAGES_MAX) throw new End("date_not_found", "the calendar offers no way to the month");
    return this.turn(page, view);
  }

  // setYear sets the year's own field: a select, or a number field by typing.
  async setYear(set, view) {
    if (set.year) return this.setSelect(set.year, (option) => yearOf(norm(option.label)) === this.date.y, view);
    const typed = await this.ask({ do: "type", index: this.register(set.yearInput), text: String(this.date.y) });
    if (!typed.ok) return null;
    // The field shows what was typed; that the calendar took it, Enter sees to.
    if (!(await this.ask({ do: "key", key: "Enter" })).ok) return null;
    return until(this.marks, this.wait(STEP_MS), () => {
      const now = this.read();
      return now && now.y === this.date.y && this.signature(now) !== this.signature(view) ? now : null;
    });
  }

  // setSelect sets a select of the calendar as select_option does (R95).
  async setSelect(el, wanted, view) {
    const option = Array.from(el.options).find(wanted);
    if (!option || option.disabled) return null;
    if (!(await this.ask({ do: "begin" })).ok) return null;
    const before = this.signature(view);
    putOption(el, option);
    return until(this.marks, this.wait(STEP_MS), () => {
      const now = this.read();
      return now && this.certain(now) && this.signature(now) !== before ? now : null;
    });
  }

  async fromMonths(view) {
    const { y, m, d } = this.date;
    const said = view.years && markedYear(view.years);
    const year = view.y || said || 0;
    if (view.years && !view.years.cells.has(y) && said) {
      const next = await this.scrollYears(view);
      if (next) return next;
    }
    if (year === y) {
      const cells = view.months.cells.get(m) || [];
      if (cells.length !== 1) throw new End("date_not_found", "the month is there more than once");
      if (barred(cells[0])) throw new End("option_disabled", "the month is disabled");
      const exact = exactDate(cells[0]);
      if (exact && (exact.y !== y || exact.m !== m)) throw new End("date_not_found", "the month's cell says that it is another month");
      if (!d) {
        if (!(await this.press(cells[0]))) throw this.unreachable("the month");
        this.committed = true;
        return null;
      }
      const next = await this.turn(cells[0], view, (now) => now.days || this.beneath(now));
      return next && next.days ? next : this.back(view);
    }
    if (view.years && view.years.cells.has(y)) {
      const cell = view.years.cells.get(y);
      if (!(await this.press(cell))) throw this.unreachable("the year");
      return until(this.marks, this.wait(STEP_MS), () => {
        const now = this.read();
        return now && ((now.months && (now.y === y || (now.years && markedYear(now.years) === y))) || now.days) ? now : null;
      });
    }
    if (!year) throw new End("date_not_found", "the year that the calendar shows is not certain");
    const set = this.above(view, fields);
    if (set.year || set.yearInput) {
      const next = await this.setYear(set, view);
      if (next) return next;
    }
    const open = this.above(view, switches);
    const page = y < year ? this.turner(view, "prevYear", "prev") : this.turner(view, "nextYear", "next");
    if (open.year && !this.dead?.has(open.year) && !(page && Math.abs(y - year) <= 2)) {
      const next = await this.turn(open.year, view);
      if (next) return next;
      this.dead = (this.dead || new Set()).add(open.year);
    }
    if (!page) throw new End("date_not_found", "the calendar offers no way to the year");
    return this.turn(page, view);
  }

  // beneath is the view of the days that lists lie over, where it shows the month.
  beneath(view) {
    const under = view && view.under;
    return under && under.y === this.date.y && under.m === this.date.m ? under : null;
  }

  // back leaves lists of years and months that stay up when a month was chosen: by
  // the heading over the days beneath, or the one that opened them, where it says the
  // month now, else by the one button beside them.
  async back(view) {
    if (!view.years) return null;
    const gone = await until(this.marks, this.wait(LEAVE_MS), () => (this.read() || {}).days && this.read());
    if (gone) return gone;
    const now = this.read();
    const under = this.beneath(now);
    if (under) {
      const open = this.above(under, switches);
      const next = (open.month || open.year) && (await this.turn(open.month || open.year, now, (view) => view.days));
      if (next) return next;
    }
    const told = now && now.months && heading(now.months.el, now.barriers);
    if (told && told.y === this.date.y && told.m === this.date.m) {
      const open = this.above(now, switches);
      const next = (open.month || open.year) && (await this.turn(open.month || open.year, now, (view) => view.days));
      if (next) return next;
    }
    const buttons = this.above(view, (up, barriers) => {
      const out = [];
      walk([up], (el) => {
        if (barriers.includes(el)) return "skip";
        if (el.matches("button,[role=button]") && shown(el)) out.push(el);
        return undefined;
      });
      return out;
    });
    if (buttons.length === 1) return this.turn(buttons[0], view);
    return (await this.aside(now)) ? until(this.marks, this.wait(STEP_MS), () => (this.read() || {}).days && this.read()) : null;
  }

  // aside presses what does nothing, for lists that lie over the days until a press
  // outside of them: a part of the calendar, else the field.
  async aside(view) {
    const part = this.surface && idlePart(this.surface, view ? view.barriers : []);
    if (part && (await this.press(part))) return true;
    return this.control.localName === "input" && this.press(this.control);
  }

  async fromYears(view) {
    const { y } = this.date;
    const cell = view.years.cells.get(y);
    if (cell) {
      if (barred(cell)) throw new End("option_disabled", "the year is disabled");
      return this.turn(cell, view, (now) => now.days || now.months);
    }
    const known = [...view.years.cells.keys()];
    const turner = y < Math.min(...known) ? this.turner(view, "prevYear", "prev") : this.turner(view, "nextYear", "next");
    const next = (await this.scrollYears(view)) || (turner && (await this.turn(turner, view)));
    if (!next && !turner) throw new End("date_not_found", "the calendar offers no such year");
    return next;
  }

  // scrollYears scrolls a list of years to where the year has to be, by the distance
  // between those that are shown. Null where nothing scrolls, or another year comes.
  async scrollYears(view) {
    const [first, last] = [Math.min(...view.years.cells.keys()), Math.max(...view.years.cells.keys())];
    const top = (year) => view.years.cells.get(year).getBoundingClientRect().top;
    let list = view.years.cells.get(first);
    for (let hops = 0; list && hops < 8 && !(list.scrollHeight > list.clientHeight + 8 && list.clientHeight > 20 && getComputedStyle(list).overflowY !== "visible"); hops++) list = above(list);
    const each = (top(last) - top(first)) / (last - first);
    if (!list || !inside(list, this.surface || page.body) || !(each > 1)) return null;
    list.scrollTop += top(first) + (this.date.y - first) * each - list.getBoundingClientRect().top - list.clientHeight / 2;
    return until(this.marks, this.wait(STEP_MS), () => {
      const now = this.read();
      return now && now.years && now.years.cells.has(this.date.y) ? now : null;
    });
  }

  // pick presses the one cell of the day.
  async pick(view) {
    const { y, m, d } = this.date;
    const { cells } = view.days;
    if (cells.length !== daysIn(y, m)) throw new End("date_not_found", "the days shown are not those of the month");
    const cell = cells[d - 1];
    const exact = exactDate(cell);
    if (exact && (exact.d !== d || ((exact.y !== y || exact.m !== m) && !(exact.y === y && exact.m === d)))) {
      throw new End("date_not_found", "the day's cell says that it is another date");
    }
    if (barred(cell)) throw new End("option_disabled", "the day is disabled");
    if (this.doubtful && this.picked()) this.doubtful = false;
    this.marked = this.picked(true);
    if (!(await this.press(cell)) && !(await this.pressUncovered(cell))) throw this.unreachable("the day");
    this.committed = true;
  }

  // pressUncovered presses a day that lists lie over until a press outside of them.
  async pressUncovered(cell) {
    if (this.why !== "element_covered" || !(await this.aside(this.read()))) return false;
    const gone = await until(this.marks, this.wait(CLOSE_MS), () => cell.isConnected && uncovered([cell, cell, cell]));
    return gone ? this.press(cell) : false;
  }

  // settle reads back, presses a button that confirms where one is needed, and
  // leaves a popup up that waits for the other end of a range.
  async settle() {
    const holds = () => this.holds() && (!this.doubtful || this.holds(true) || this.texts().join("\n") !== this.first);
    const seen = await this.lasting(STEP_MS, holds);
    const open = this.range() && !this.bothEnds();
    // A popup that stays up and has a button to confirm has set nothing yet; while a
    // range waits for its other end, the button is disabled.
    const confirm = (!seen || !this.inline || dialogAround(this.surface)) && this.confirm();
    if (confirm && !(await this.press(confirm))) throw this.unreachable("what confirms the date");
    if ((!seen || confirm) && !(confirm && (await this.lasting(STEP_MS, holds)))) return this.unseen();
    keepCalendar(this.control, this.surface);
    if (!this.inline && !open) {
      await this.close();
      if (!(await until(this.marks, this.wait(CLOSE_MS), () => this.holds()))) throw new End("form_control_outcome_unknown", "the control did not keep the date");
    }
    return { chosen: true };
  }

  // unseen is the end for a date that was pressed and is not shown. A range may wait for
  // its other end: where its calendar marks the day anew and stays up, it holds it.
  unseen() {
    const up = !this.inline && this.surface && this.surface.isConnected && shown(this.surface);
    if (up && !this.marked && this.picked(true) && this.rangeBegun()) {
      keepCalendar(this.control, this.surface, true);
      return { chosen: true, begun: true };
    }
    if (up) keepCalendar(this.control, this.surface);
    throw new End("form_control_outcome_unknown", `the date was pressed, and the control does not show it${up ? "; its calendar stays open, and what it shows can be pressed: take a snapshot" : ""}`);
  }

  // rangeBegun tells whether what is marked is an end of a range, by its mark or since
  // there are several fields.
  rangeBegun() {
    return this.range() || this.begins();
  }

  // confirm is the button of the calendar, or of the dialog that it is in, that makes
  // it count.
  confirm() {
    const around = this.surface && dialogAround(this.surface);
    return (this.surface && commitButton([this.surface])) || (around && shown(around) && commitButton([around]));
  }

  // bothEnds tells whether both ends of a range are shown.
  bothEnds() {
    const texts = this.texts().map(norm);
    if (this.severalFields()) return this.fields().every((el) => norm(el.value));
    return texts.some((text) => text.split(BETWEEN).filter((part) => /\d/.test(part)).length > 1);
  }

  range() {
    if (this.severalFields() || this.texts().some((text) => /\s[–—~→-]\s*$/.test(text))) return true;
    for (const start of [this.surface, this.control]) {
      for (let at = start, hops = 0; at && at !== page.body && hops < 8; at = above(at), hops++) if (/range/i.test(at.getAttribute("class") || "")) return true;
    }
    return false;
  }

  // type writes the date into an editable field in the format that it shows.
  async type() {
    const input = this.control;
    const layout = input.localName === "input" && !input.readOnly ? layoutOf(formatTexts(input), input.value) : null;
    const text = layout && layout(this.date);
    if (!text) throw new End(this.opened ? "date_not_found" : "widget_not_supported", "the control shows no calendar that can be read, and no format to type in");
    const answer = await this.ask({ do: "type", index: this.register(input), text });
    if (!answer.ok) throw new End(answer.code || "element_not_actionable", "the field takes no text");
    this.committed = true;
    // Leaving the field makes it take the text. Enter does too, and in a form sends it.
    await this.ask({ do: "key", key: input.form && !this.opened ? "Tab" : "Enter" });
    if (!(await until(this.marks, this.wait(STEP_MS), () => norm(input.value) === text))) throw new End("form_control_outcome_unknown", "the field does not keep the date that was typed");
    return { chosen: true };
  }
}

// Classes that mark what is chosen, and those that may also mark this year's.
const CHOSEN_CLASSES = [/(^|[\s_-])(selected|checked|sel)($|[\s_-])/i, /(^|[\s_-])(active|current)($|[\s_-])/i];

// markedYear is the year that a list of years marks as chosen, 0 without one.
function markedYear(list) {
  for (const marks of CHOSEN_CLASSES) {
    for (const [year, el] of list.cells) {
      for (let at = el, hops = 0; at && hops < 3 && at !== list.el; at = above(at), hops++) {
        if (at.getAttribute("aria-selected") === "true" || at.getAttribute("aria-checked") === "true" || marks.test(at.getAttribute("class") || "")) return year;
      }
    }
  }
  return 0;
}

// idlePart is a part of a calendar that takes a press and does nothing by it, outside of
// its days and lists; null where there is none in view.
function idlePart(surface, barriers) {
  let found = null;
  walk([surface], (el) => {
    if (found || (barriers.includes(el) && el !== surface)) return "skip";
    if (el.matches("button,a,input,select,textarea,label,[role=button],[tabindex],[onclick]") || getComputedStyle(el).cursor === "pointer") return "skip";
    if (el === surface || el.localName === "svg" || !shown(el) || monthAndYear(el.textContent)) return undefined;
    const box = el.getBoundingClientRect();
    const hit = el.getRootNode().elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    if (hit === el && el.children.length === 0 && !/^\d/.test(norm(el.textContent))) found = el;
    return undefined;
  });
  return found;
}

export function date(args) {
  const held = troupe.grip(args);
  if (!held.ok) return held;
  if (kindOf(held.node) === "exact") return refuse("widget_not_supported", "this native control takes set_value");
  workIn(held.node.ownerDocument);
  speak(languageOf(held.node));
  return converse((ask) => new DatePick(args, held.node, ask).run());
}
