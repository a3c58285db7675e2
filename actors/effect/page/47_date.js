// set_date: a month or a day in a custom date control, in the order of R96: by
// selects for year and month, else by lists of years and months, else by turning
// pages; then the one cell of the day, in a grid whose month and year are
// established. In a field that shows its format the date may be typed. What the
// control shows afterwards has to be the date.

const PAGES_MAX = 40; // Pages turned one by one.

let lastCalendar = { control: null, surface: null };

class DatePick extends Choice {
  constructor(args, control, ask) {
    super({ ...args, path: [args.value] }, control, ask);
    const [y, m, d] = args.value.split("-").map(Number);
    this.date = { y, m, d: d || 0 };
    this.inline = !["input", "button", "textarea"].includes(control.localName) && !control.querySelector("input,[contenteditable]") && this.calendarIn(control);
    this.surface = this.inline ? this.panelAround(control) : null;
  }

  // displays: a calendar may be drawn inside the control's own box.
  displays(el) {
    return this.control.contains(el);
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
      if (!up || up === document.body || up.localName === "form") break;
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

  async run() {
    if (this.holds(true)) return { chosen: true };
    const asks = this.control.localName === "input" ? partsAsked(this.control) : null;
    if (asks && asks.has("d") !== Boolean(this.date.d)) {
      return { code: "invalid_control_value", detail: asks.has("d") ? "the field takes a whole date" : "the field takes a month" };
    }
    this.marks = new Marks([this.box, ...this.surfaces()]);
    try {
      if (!this.inline) this.surface = this.remembered();
      const view = this.inline ? this.read() : await this.openCalendar();
      if (!view) return await this.type();
      await this.navigate(view);
      return await this.settle();
    } catch (error) {
      if (!(error instanceof End)) throw error;
      if (this.opened && !this.committed) await this.close();
      return error.end;
    } finally {
      this.marks.end();
    }
  }

  // texts are what the control shows: its own value and those of the fields and
  // texts in its box.
  texts() {
    const own = this.control.localName === "input" ? [this.control.value] : [];
    if (own.length > 0 && !this.severalFields()) {
      for (const el of this.box.querySelectorAll("input")) if (el !== this.control && !/^(checkbox|radio|hidden)$/.test(el.type)) own.push(el.value);
    }
    if (own.some((text) => norm(text)) || this.control.localName === "input") return own;
    const parts = Array.from(this.box.querySelectorAll("[role=spinbutton]"), (el) => norm(el.getAttribute("aria-valuetext") || el.textContent));
    return [norm(this.control.textContent), parts.join(" "), ...Array.from(this.box.querySelectorAll("input"), (el) => el.value)];
  }

  // severalFields tells whether the box holds more than one field, as a range does.
  severalFields() {
    return Array.from(this.box.querySelectorAll("input")).filter((el) => shown(el) && !/^(checkbox|radio|hidden)$/.test(el.type)).length > 1;
  }

  // holds tells whether the control shows the date; surely, where the order of
  // day and month must be certain.
  holds(surely = false) {
    const test = surely ? surelyShows : showsDate;
    if (this.inline) return !surely && this.picked();
    return this.texts().some((text) => test(text, this.date));
  }

  // picked tells whether an inline calendar marks the day as chosen.
  picked() {
    const view = this.read();
    const cell = view && view.days && view.y === this.date.y && view.m === this.date.m ? view.days.cells[this.date.d - 1] : null;
    if (!cell) return false;
    for (let at = cell, hops = 0; at && hops < 3; at = above(at), hops++) {
      if (at.getAttribute("aria-selected") === "true" || at.getAttribute("aria-pressed") === "true" || at.hasAttribute("data-selected")) return true;
      if (/(^|[\s_-])(is-)?(selected|active|picked)($|[\s_-])/i.test(at.getAttribute("class") || "")) return true;
      if (at.matches("td,[role=gridcell]")) break;
    }
    return false;
  }

  roots() {
    const marked = this.marks ? this.marks.roots() : [];
    if (this.surface && this.surface.isConnected) return this.inline ? [this.surface] : [this.surface, ...marked];
    return [...this.surfaces(), ...marked];
  }

  // read is what the calendar shows now: {days, months, years, y, m, panel}, null
  // without any of them. Of several day grids the one counts that shows the date,
  // else the first.
  read() {
    const roots = this.roots();
    const linkedTo = this.surfaces();
    const take = (el) => (this.surface && inside(el, this.surface)) || linkedTo.some((root) => inside(el, root)) || (this.marks && this.marks.isNew(el) && !this.displays(el));
    const days = grids(roots, take);
    const barriers = days.map((grid) => grid.el);
    if (days.length > 0) {
      const views = days.map((grid) => ({ days: grid, ...heading(grid.el, barriers), ...cellsMonth(grid.cells), barriers }));
      return views.find((view) => view.y === this.date.y && view.m === this.date.m) || views[0];
    }
    const months = monthLists(roots, take)[0] || null;
    const years = yearLists(roots, take)[0] || null;
    if (!months && !years) return null;
    const around = [months, years].filter(Boolean).map((list) => list.el);
    const seen = heading(around[0], around);
    return { months, years, y: seen.y, m: 0, panel: seen.panel, barriers: around };
  }

  // openCalendar opens the control's popup and returns what it shows.
  async openCalendar() {
    for (const way of ["press", "knob", "key"]) {
      const there = this.expanded() ? this.read() : null;
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
      if (!up || up === document.body || inside(this.control, up)) break;
      if (!this.marks.isNew(up) && !inside(view.panel, at)) break;
      at = up;
    }
    return inside(view.panel, at) ? at : view.panel;
  }

  // above looks for parts of a calendar in the panel of a view and around it,
  // inside the calendar's own surface.
  above(view, look) {
    let found = {};
    for (let up = view.panel, hops = 0; up && hops < PANEL_UP && up !== document.body; up = above(up), hops++) {
      if (this.surface && !inside(up, this.surface)) break;
      found = look(up, view.barriers);
      if (Object.keys(found).length > 0) break;
    }
    return found;
  }

  signature(view) {
    if (!view) return "";
    return [view.days ? "d" + view.days.cells.length : "", view.months ? "m" : "", view.years ? "y" + [...view.years.cells.keys()].join() : "", view.y, view.m].join("|");
  }

  // turn presses something and waits until the calendar shows something else.
  async turn(el, view) {
    const before = this.signature(view);
    if (!(await this.press(el))) throw new End("element_not_actionable", "a part of the calendar cannot be reached by the pointer");
    const next = await until(this.marks, this.wait(STEP_MS), () => {
      if (this.committed && this.holds()) return { done: true };
      const now = this.read();
      return now && this.signature(now) !== before ? now : null;
    });
    return next;
  }

  // navigate brings the calendar to the month and chooses the day, or the month.
  async navigate(view) {
    for (let step = 0; step < PAGES_MAX && view; step++) {
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
      const next = await this.setSelect(set.month, (option) => monthOf(norm(option.label)) === m, view);
      if (next) return next;
    }
    const distance = (y - view.y) * 12 + (m - view.m);
    const turn = this.above(view, turners);
    const near = Math.abs(distance) <= 2 && turn[distance < 0 ? "prev" : "next"];
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
    const page = (years !== 0 && turn[years < 0 ? "prevYear" : "nextYear"]) || turn[distance < 0 ? "prev" : "next"];
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
      return now && this.signature(now) !== before ? now : null;
    });
  }

  async fromMonths(view) {
    const { y, m, d } = this.date;
    const said = view.years && markedYear(view.years);
    const year = view.y || said || 0;
    if (year === y) {
      const cells = view.months.cells.get(m) || [];
      if (cells.length !== 1) throw new End("date_not_found", "the month is there more than once");
      if (barred(cells[0])) throw new End("option_disabled", "the month is disabled");
      const exact = exactDate(cells[0]);
      if (exact && (exact.y !== y || exact.m !== m)) throw new End("date_not_found", "the month's cell says that it is another month");
      if (!d) {
        if (!(await this.press(cells[0]))) throw new End("element_not_actionable", "the month cannot be reached by the pointer");
        this.committed = true;
        return null;
      }
      return (await this.turn(cells[0], view)) || this.back(view);
    }
    if (view.years && view.years.cells.has(y)) {
      const cell = view.years.cells.get(y);
      if (!(await this.press(cell))) throw new End("element_not_actionable", "the year cannot be reached by the pointer");
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
    const turn = this.above(view, turners);
    const page = y < year ? turn.prevYear || turn.prev : turn.nextYear || turn.next;
    if (open.year && !this.dead?.has(open.year) && !(page && Math.abs(y - year) <= 2)) {
      const next = await this.turn(open.year, view);
      if (next) return next;
      this.dead = (this.dead || new Set()).add(open.year);
    }
    if (!page) throw new End("date_not_found", "the calendar offers no way to the year");
    return this.turn(page, view);
  }

  // back leaves lists of years and months that stay up when a month was chosen,
  // by the one button beside them.
  async back(view) {
    if (!view.years) return null;
    const buttons = this.above(view, (up, barriers) => {
      const out = [];
      walk([up], (el) => {
        if (barriers.includes(el)) return "skip";
        if (el.matches("button,[role=button]") && shown(el)) out.push(el);
        return undefined;
      });
      return out;
    });
    return buttons.length === 1 ? this.turn(buttons[0], view) : null;
  }

  async fromYears(view) {
    const { y } = this.date;
    const cell = view.years.cells.get(y);
    if (cell) {
      if (barred(cell)) throw new End("option_disabled", "the year is disabled");
      return this.turn(cell, view);
    }
    const known = [...view.years.cells.keys()];
    const turn = this.above(view, turners);
    const back = y < Math.min(...known);
    const page = back ? turn.prevYear || turn.prev : turn.nextYear || turn.next;
    if (!page) throw new End("date_not_found", "the calendar offers no such year");
    return this.turn(page, view);
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
    if (!(await this.press(cell))) throw new End("element_not_actionable", "the day cannot be reached by the pointer");
    this.committed = true;
  }

  // settle reads back, presses a button that confirms where one is needed, and
  // leaves a popup up that waits for the other end of a range.
  async settle() {
    const holds = () => this.holds();
    if (!(await this.lasting(STEP_MS, holds))) {
      const confirm = this.confirm();
      if (!confirm || !(await this.press(confirm)) || !(await this.lasting(STEP_MS, holds))) throw new End("form_control_outcome_unknown", "the date was pressed, and the control does not show it");
    }
    lastCalendar = { control: this.control, surface: this.surface };
    if (!this.inline && !this.range()) {
      await this.close();
      if (!(await until(this.marks, this.wait(CLOSE_MS), () => this.holds()))) throw new End("form_control_outcome_unknown", "the control did not keep the date");
    }
    return { chosen: true };
  }

  confirm() {
    let found = null;
    walk(this.surface ? [this.surface] : [], (el) => {
      if (!found && el.matches("button,[role=button],a") && /^(ok|apply|confirm|done|set|select|choose)$/i.test(norm(el.textContent)) && shown(el) && !barred(el)) found = el;
      return undefined;
    });
    return found;
  }

  range() {
    if (this.severalFields()) return true;
    for (const start of [this.surface, this.control]) {
      for (let at = start, hops = 0; at && at !== document.body && hops < 8; at = above(at), hops++) if (/range/i.test(at.getAttribute("class") || "")) return true;
    }
    return false;
  }

  // type writes the date into an editable field in the format that it shows.
  async type() {
    const input = this.control;
    const layout = input.localName === "input" && !input.readOnly ? layoutOf(input) : null;
    const text = layout && layout(this.date);
    if (!text) throw new End(this.opened ? "date_not_found" : "widget_not_supported", "the control shows no calendar that can be read, and no format to type in");
    const answer = await this.ask({ do: "type", index: this.register(input), text });
    if (!answer.ok) throw new End(answer.code || "element_not_actionable", "the field takes no text");
    this.committed = true;
    await this.ask({ do: "key", key: "Enter" });
    if (!(await until(this.marks, this.wait(STEP_MS), () => norm(input.value) === text))) throw new End("form_control_outcome_unknown", "the field does not keep the date that was typed");
    return { chosen: true };
  }
}

// markedYear is the year that a list of years marks as chosen, 0 without one.
function markedYear(list) {
  for (const [year, el] of list.cells) {
    for (let at = el, hops = 0; at && hops < 3 && at !== list.el; at = above(at), hops++) {
      if (at.getAttribute("aria-selected") === "true" || at.getAttribute("aria-checked") === "true" || /(^|[\s_-])(selected|active|checked|sel|current)($|[\s_-])/i.test(at.getAttribute("class") || "")) return year;
    }
  }
  return 0;
}

function date(args) {
  const held = troupe.grip(args);
  if (!held.ok) return held;
  if (kindOf(held.node) === "exact") return refuse("widget_not_supported", "this native control takes set_value");
  return converse((ask) => new DatePick(args, held.node, ask).run());
}
