// prepare and change: the two calls around an effect that the page itself
// carries out. prepare changes nothing and refuses what can be refused;
// change checks everything again, atomically with what it does.

import { caretOf, kindOf, refuse, tagOf, textOf } from "./controls.js";
import { observe, remember, rememberClick, roleOf } from "./expectations.js";
import { inputOf, planFiles, unasked } from "./files.js";
import { labelOf, planOption, putOption } from "./select.js";
import { planValue, putValue } from "./value.js";

// plan is the common part.
/** @returns {any} */
function plan(args) {
  const held = troupe.grip(args);
  if (!held.ok) return held;
  const el = held.node;
  switch (args.act) {
    case "set_value": {
      const found = planValue(el, args.value);
      return found.refusal || { ok: true, el, ...found };
    }
    case "select_option": {
      const found = planOption(el, args.option);
      return found.refusal || { ok: true, el, kind: "select", ...found };
    }
    case "upload_file": {
      const found = planFiles(el, args.files);
      return found.refusal || { ok: true, el, kind: "file" };
    }
    case "input_text": {
      const kind = kindOf(el);
      if (kind !== "text" && kind !== "editable") return refuse("element_action_unsupported", "the element takes no typed text");
      return { ok: true, el, kind };
    }
  }
  return { ok: true, el, kind: kindOf(el) };
}

// prepare answers {ok, kind, ...} and notes what the reading back is judged by.
export function prepare(args) {
  const found = plan(args);
  return found.ok ? noted(args, found) : found;
}

// noted is the answer to a plan that can be carried out.
function noted(args, found) {
  const { el, kind } = found;
  switch (args.act) {
    case "set_value":
      if (kind === "editable") remember(args, el, { how: "lines", value: args.value });
      else if (kind === "slider") remember(args, el, { how: "number", value: Number(args.value) });
      else remember(args, el, { how: "equal", value: tagOf(el) === "textarea" ? args.value.replace(/\r\n?/g, "\n") : kind === "exact" ? found.value : args.value });
      return { ok: true, kind, empty: textOf(el) === "", now: found.now, section: roleOf(el) === "spinbutton" };
    case "select_option":
      remember(args, el, { how: "option", value: found.option.value, label: labelOf(found.option) });
      return { ok: true, kind };
    case "input_text":
      return { ok: true, kind, keep: rememberText(args, el, kind) };
    case "upload_file":
      remember(args, el, { how: "files", files: args.files });
      return { ok: true, kind, note: unasked(inputOf(el), args.files) };
    case "click":
      rememberClick(args, el);
      return { ok: true, kind };
  }
  return { ok: true, kind };
}

// rememberText notes what the field should hold after the typing, and tells whether
// the caret stays where it is.
function rememberText(args, el, kind) {
  const caret = caretOf(el);
  const whole = textOf(el);
  if (kind === "editable") remember(args, el, { how: caret.keep ? "holds" : "append", before: whole, text: args.value, after: "" });
  else remember(args, el, { how: "append", before: whole.slice(0, caret.from), text: args.value, after: whole.slice(caret.to) });
  return caret.keep;
}

// change plans and does it in the same evaluation as the fence, and reads the
// control back. What only input can do it leaves to the runtime: deferred.
export function change(args) {
  const found = plan(args);
  if (!found.ok) return found;
  const answer = noted(args, found);
  if (found.kind === "editable" || found.kind === "slider") return { ...answer, deferred: true };
  troupe.expect(args.expect);
  const done = () => told(args.told);
  troupe.watchNode(found.el);
  if (found.kind === "select") putOption(found.el, found.option, done);
  else putValue(found.el, found.value, done);
  return { ...answer, mutations: troupe.mutationCount(), state: observe({ g: args.g, list: [args.i] }).list[0] };
}

// told says at once that a control is set, before any handler of the page hears of it:
// one that opens a dialog keeps our answer back, and a dialog of something else opens
// before we have begun.
function told(token) {
  const saw = globalThis.troupeSaw;
  if (token && typeof saw === "function") saw(JSON.stringify({ token, event: "+set" }));
}

// number reads the value of an ARIA slider between two keys.
export function number(args) {
  const held = troupe.grip({ i: args.i, g: args.g });
  if (!held.ok) return held;
  return { ok: true, now: parseFloat(held.node.getAttribute("aria-valuenow")) };
}
