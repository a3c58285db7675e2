// select_option: a native select, by exact value, else by trimmed label.

import { fire, refuse, tagOf } from "./controls.js";

// labelOf is what a person reads of an option.
export const labelOf = (option) => option.label.replace(/\s+/g, " ").trim();

// isHidden tells whether no list shows an option, by itself or with its group: nobody can choose it.
function isHidden(option) {
  const { defaultView } = option.ownerDocument;
  const group = option.parentElement;
  const off = (el) => defaultView.getComputedStyle(el).display === "none";
  return off(option) || Boolean(group && tagOf(group) === "optgroup" && off(group));
}

// planOption finds the one option that is meant, or refuses.
export function planOption(el, wanted) {
  if (tagOf(el) !== "select") return { refusal: refuse("element_not_select", "the element is not a native select") };
  const options = Array.from(el.options).filter((option) => !isHidden(option));
  let found = options.filter((option) => option.value === wanted);
  if (found.length === 0) {
    const label = wanted.replace(/\s+/g, " ").trim();
    found = options.filter((option) => labelOf(option) === label);
  }
  if (found.length === 0) return { refusal: refuse("option_not_found", "the select has no option of exactly this value or label") };
  if (found.length > 1) return { refusal: refuse("option_ambiguous", `${found.length} options have this value or label`) };
  const option = found[0];
  const group = option.parentElement;
  if (option.disabled || (group && tagOf(group) === "optgroup" && group.disabled)) return { refusal: refuse("option_disabled", "the option is disabled") };
  return { option };
}

// holds tells whether the option is what the select shows already.
export const holds = (el, option) => (el.multiple ? option.selected : el.selectedOptions[0] === option);

// putOption selects the option; in a select of several, what was selected stays. A
// person who picks what is selected already changes nothing, and the page hears of
// nothing.
export function putOption(el, option, done) {
  if (holds(el, option)) {
    if (done) done();
    return;
  }
  if (el.multiple) option.selected = true;
  else el.selectedIndex = Array.prototype.indexOf.call(el.options, option);
  if (done) done();
  fire(el, "input");
  fire(el, "change");
}
