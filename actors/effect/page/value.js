// set_value: the exact replacement of what a control holds (R60, R79, C18).

import { VALUE_TYPES } from "../../../snapshot/page/tables.js";
import { fire, kindOf, refuse, tagOf } from "./controls.js";
import { roleOf } from "./expectations.js";

const FORMATS = {
  date: "YYYY-MM-DD", month: "YYYY-MM", week: "YYYY-Www, as in 2026-W07", time: "HH:MM (24 hours)",
  "datetime-local": "YYYY-MM-DDTHH:MM", color: "#rrggbb", number: "a plain number such as 12.5", range: "a plain number such as 40",
};

// probe asks the engine what it would make of a value, on a detached input of
// the same type and bounds: {value, valid}.
function probe(el, value) {
  const twin = el.ownerDocument.createElement("input");
  for (const name of ["type", "min", "max", "step", "multiple"]) {
    if (el.hasAttribute(name)) twin.setAttribute(name, el.getAttribute(name));
  }
  // The step's base is the value attribute where there is no minimum.
  if (VALUE_TYPES.has(twin.type) && el.hasAttribute("value")) twin.setAttribute("value", el.getAttribute("value"));
  twin.value = value;
  const v = twin.validity;
  return { value: twin.value, valid: !(v.badInput || v.rangeOverflow || v.rangeUnderflow || v.stepMismatch) };
}

// bounds puts the range of an exact control into words.
function bounds(el) {
  const parts = [];
  const short = (name) => el.getAttribute(name).slice(0, 32);
  if (el.hasAttribute("min")) parts.push(`from ${short("min")}`);
  if (el.hasAttribute("max")) parts.push(`to ${short("max")}`);
  if (el.hasAttribute("step") && el.getAttribute("step") !== "any") parts.push(`in steps of ${short("step")}`);
  return parts.length > 0 ? `, ${parts.join(" ")}` : "";
}

// planValue says how the value can be put into the element, or refuses.
export function planValue(el, value) {
  const kind = kindOf(el);
  switch (kind) {
    case "exact": {
      if (el.type === "color") value = value.toLowerCase(); // The field holds it so; a colour has no case.
      if (value === "" && el.type !== "range" && el.type !== "color") return { kind, value };
      const seen = probe(el, value);
      if (value !== "" && seen.value === value && seen.valid) return { kind, value };
      return { refusal: refuse("invalid_control_value", `the ${el.type} field takes ${FORMATS[el.type]}${bounds(el)}; it would change or reject this value, so nothing was set`) };
    }
    case "text": {
      if (tagOf(el) === "textarea") return { kind, value: cut(el, value.replace(/\r\n?/g, "\n")) };
      if (probe(el, value).value !== value) {
        return { refusal: refuse("invalid_control_value", `the ${el.type} field holds one line without surrounding space; it would change this value, so nothing was set`) };
      }
      return { kind, value: cut(el, value) };
    }
    case "editable":
      return { kind, value };
    case "slider": {
      const number = Number(value);
      const [low, high] = [parseFloat(el.getAttribute("aria-valuemin")), parseFloat(el.getAttribute("aria-valuemax"))];
      if (value.trim() === "" || !Number.isFinite(number)) return { refusal: refuse("invalid_control_value", "the slider takes a plain number") };
      if (number < low || number > high) return { refusal: refuse("invalid_control_value", `the slider goes from ${low} to ${high}`) };
      return { kind, value, now: parseFloat(el.getAttribute("aria-valuenow")) };
    }
    case "select":
      return { refusal: refuse("element_not_value_control", "a native select takes select_option") };
  }
  return { refusal: refuse("element_not_value_control", "the element takes no exact value") };
}

// cut keeps what the field's own bound lets in, as it would from the keyboard:
// a value set past it would be one that no person can enter.
const cut = (el, value) => (el.maxLength >= 0 && value.length > el.maxLength ? value.slice(0, el.maxLength) : value);

// putValue writes a value that planValue accepted. The setter is the one of our
// world, so a framework that shadows the property on the element in the page's
// world still sees a change when the events come.
export function putValue(el, value, done) {
  el.value = value;
  if (done) done();
  fire(el, "input");
  fire(el, "change");
  if (isLeft(el)) leave(el);
}

function leave(el) {
  const view = el.ownerDocument.defaultView;
  for (const type of ["blur", "focusout"]) el.dispatchEvent(new view.FocusEvent(type, { bubbles: type === "focusout", composed: true }));
}

// isLeft tells whether a field is left once it is set. Number fields and others take
// a value over when the focus leaves them, and a field that has not got it would
// never be left. One that has the focus is left by whatever comes next, and one that
// may show suggestions for what was entered would close them.
function isLeft(el) {
  if (el.getRootNode().activeElement === el || el.type === "search") return false;
  if (["list", "aria-autocomplete", "aria-haspopup", "aria-expanded", "aria-controls", "aria-owns"].some((name) => el.hasAttribute(name))) return false;
  return !/^(combobox|searchbox)$/.test(roleOf(el));
}
