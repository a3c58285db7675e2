// The choices of a native select: those that somebody can choose, and which of them are disabled. It is the twin of
// options.go.

import { hasAttribute, optionLabel, parentNode, selectOptions, styleOf, tag } from "./dom.js";
import { OPTIONS_MAX } from "./tables.js";
import { squeeze } from "./text.js";

// isOffered tells whether a list shows an option.
export function isOffered(option) {
  const group = groupOf(option);
  return !isHidden(option) && !(group && isHidden(group));
}

// isOff tells whether an option is disabled, by itself or with its group.
export function isOff(option) {
  const group = groupOf(option);
  return hasAttribute(option, "disabled") || Boolean(group && hasAttribute(group, "disabled"));
}

function groupOf(option) {
  const parent = parentNode(option);
  return parent && tag(parent) === "optgroup" ? parent : null;
}

const isHidden = (el) => styleOf(el)?.display === "none";

// optionsOf adds the choices of a select to a node of the answer: at most OPTIONS_MAX, and the places of the disabled.
export function optionsOf(out, select) {
  const offered = Array.from(selectOptions(select)).filter(isOffered);
  const shown = offered.slice(0, OPTIONS_MAX);
  out.options = shown.map((option) => squeeze(optionLabel(option)));
  if (offered.length > OPTIONS_MAX) out.options_cut = true;
  const off = shown.flatMap((option, at) => (isOff(option) ? [at] : []));
  if (off.length > 0) out.options_off = off;
}
