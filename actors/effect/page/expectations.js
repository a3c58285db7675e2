// What each element of the current operation was asked for, so that a reading
// back can be judged inside the page: a secret never leaves it (R57).

import { kindOf, lines, sameLines, tagOf, textOf } from "./controls.js";
import { inputOf } from "./files.js";
import { labelOf } from "./select.js";

// asked maps an index to {generation, node, how, ...}. An entry of an older
// generation is dropped when a newer one is written.
const asked = new Map();

export function remember(args, node, entry) {
  for (const [index, old] of asked) if (old.generation !== args.g) asked.delete(index);
  asked.set(args.i, { generation: args.g, node, ...entry });
}

// matches judges what the element holds now; undefined where nothing was asked
// that can be compared.
function matches(entry) {
  const el = entry.node;
  switch (entry.how) {
    case "equal":
      return textOf(el) === entry.value;
    case "lines":
      return sameLines(el, entry.value);
    case "append": {
      const whole = entry.before + entry.text + entry.after;
      return kindOf(el) === "editable" ? lines(textOf(el)) === lines(whole) : textOf(el) === whole;
    }
    case "holds":
      return lines(textOf(el)).includes(lines(entry.text));
    case "number":
      return parseFloat(el.getAttribute("aria-valuenow")) === entry.value;
    case "checked":
      return entry.value === undefined ? undefined : checkedNow(entry) === entry.value;
    case "option":
      return Array.from(el.selectedOptions).some((option) => option.value === entry.value && labelOf(option) === entry.label);
    case "files":
      return sameFiles(inputOf(el) || el, entry.files);
  }
  return undefined;
}

// observe reads the state of elements after an effect. judged is whether the
// page holds what was asked; how says whether that is a value or a state.
export function observe(args) {
  const out = [];
  for (const index of args.list) {
    const entry = asked.get(index);
    const known = entry && entry.generation === args.g ? entry : null;
    const state = JSON.parse(troupe.read(known && known.through !== undefined ? known.through : index, args.g));
    // An empty editing host holds a break, which nobody wrote.
    if (state.ok && state.value && known && kindOf(known.node) === "editable" && lines(state.value) === "") state.value = "";
    if (state.ok && known) {
      const judged = state.connected ? matches(known) : undefined;
      if (judged !== undefined) Object.assign(state, { judged, how: known.how === "checked" ? "state" : "value" });
    }
    out.push(state);
  }
  return { ok: true, list: out };
}

const CHECKABLE = new Set(["checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"]);

// checkable is the role of a check box, switch or radio, "" for anything else.
function checkable(el) {
  if (tagOf(el) === "input") return el.type === "checkbox" || el.type === "radio" ? (roleOf(el) === "switch" ? "switch" : el.type) : "";
  return CHECKABLE.has(roleOf(el)) ? roleOf(el) : "";
}

export const roleOf = (el) => (el.getAttribute("role") || "").trim().toLowerCase().split(/\s+/)[0];

// checkedNow is true, false or "mixed", undefined for an element that has no
// such state.
function checkedNow(entry) {
  const state = JSON.parse(troupe.read(entry.through !== undefined ? entry.through : entry.index, entry.generation));
  return state.ok ? state.checked : undefined;
}

// rememberClick notes the state that a click on a check box, switch or radio
// should lead to. A label stands for its control.
export function rememberClick(args, node) {
  const control = tagOf(node) === "label" && node.control ? node.control : node;
  const kind = checkable(control);
  if (!kind) return;
  const entry = { how: "checked", index: args.i };
  if (control !== node) {
    const through = troupe.register(control, args.g);
    if (through < 0) return;
    entry.through = through;
  }
  const before = checkedNow({ ...entry, generation: args.g });
  const radio = kind === "radio" || kind === "menuitemradio";
  entry.value = radio ? true : typeof before === "boolean" ? !before : undefined;
  remember(args, node, entry);
}

// sameFiles compares a file input's list with name and size of what was given.
function sameFiles(el, files) {
  const held = Array.from(el.files || []);
  return held.length === files.length && held.every((file, at) => file.name === files[at].name && file.size === files[at].size);
}
