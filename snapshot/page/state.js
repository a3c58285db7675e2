// What an element allows now, and what it shows: disabled, read-only, visible,
// value and check state. Passwords are withheld (R57).

import {
  activeDocument, activeRoot, attr, checkVisibility, contains, defaultView, flatParent, getAttribute, getRootNode,
  hasAttribute, hostOf, innerText, inputChecked, inputIndeterminate, inputType, inputValue, isConnected,
  isContentEditable, isElement, matches, nodeType, optionLabel, optionSelected, optionValue, ownerDocument,
  parentNode, queryDocument, selectedOptions, styleOf, tag, textareaValue,
} from "./dom.js";
import { explicitRole, liteRole, VISIBILITY, visibleText } from "./identity.js";
import { DEPTH_MAX, VALUE_CHARS } from "./limits.js";
import { within } from "./point.js";
import { core, latest, no } from "./registry.js";
import { READONLY_TYPES } from "./tables.js";
import { squeeze } from "./text.js";
import { home } from "./world.js";

const WRITES = new Set(["input_text", "set_value", "select_option", "select_choice", "set_date", "upload_file"]);
const TEXT_WRITES = new Set(["input_text", "set_value"]);

// secrets holds every field that was a password at any time in its document.
// The observer below sees type changes from the first moment on; roots that
// the walker finds are added to it.
export const secrets = new WeakSet();

const typeWatch = new MutationObserver((records) => {
  for (const record of records) {
    if (record.oldValue && record.oldValue.trim().toLowerCase() === "password") secrets.add(record.target);
  }
});
const TYPE_CHANGES = { subtree: true, attributes: true, attributeFilter: ["type"], attributeOldValue: true };
const typeWatched = new WeakSet();

// watchTypes adds a document or a shadow root to the watch. WeakSet and
// observer keep nothing alive.
export function watchTypes(root) {
  if (typeWatched.has(root)) return;
  typeWatched.add(root);
  typeWatch.observe(root, TYPE_CHANGES);
}

// noteSecret marks a password field that a trusted event reaches, which also
// covers fields in open roots nobody has walked yet.
export function noteSecret(node) {
  if (isElement(node) && tag(node) === "input" && inputType(node) === "password") secrets.add(node);
}

// isSecret tells whether the value of a field must stay in the page: a
// password now or ever, a field that the page paints as dots, and one whose
// autocomplete says that it takes a password.
function isSecret(el) {
  const name = tag(el);
  if (name !== "input" && name !== "textarea") return false;
  if (secrets.has(el) || secretsOf(el).has(el)) return true;
  if (name === "input" && inputType(el) === "password") {
    secretsOf(el).add(el);
    return true;
  }
  if (/\b(current|new)-password\b/i.test(attr(el, "autocomplete"))) return true;
  const style = styleOf(el);
  const security = style ? style.webkitTextSecurity : "none";
  return Boolean(security) && security !== "none";
}

// secretsOf is the set kept by the world of the element's own frame, which
// was there when that document began.
function secretsOf(el) {
  const doc = ownerDocument(el);
  if (doc === home) return secrets;
  try {
    const found = Object.getOwnPropertyDescriptor(defaultView(doc), "troupe");
    return found.value.secrets || secrets;
  } catch {
    return secrets;
  }
}

// refusedState is the refusal that the element's present state demands for the
// act, null where it is allowed. Acts are the action names of the tools.
export function refusedState(el, act) {
  const disabled = disabledBy(el);
  if (disabled) return no("control_disabled", `the element is disabled (${disabled})`);
  if (!WRITES.has(act)) return null;
  if (TEXT_WRITES.has(act) && isReadonly(el)) return no("element_not_actionable", "the field is read-only");
  if (act !== "upload_file" && !checkVisibility(el, VISIBILITY)) {
    return no("element_not_actionable", "the element is hidden");
  }
  return null;
}

// disabledBy says what disables the element, "" where nothing does: the
// platform's own rule (which knows fieldsets and the exemption of their
// legend), aria-disabled on it or around it, inert around it, or an open modal
// dialog that it is not part of.
function disabledBy(el) {
  if (matches(el, ":disabled")) return "disabled";
  let at = el;
  for (let hops = 0; at && hops < DEPTH_MAX; hops++) {
    if (getAttribute(at, "aria-disabled") === "true") return "aria-disabled";
    if (hasAttribute(at, "inert")) return "inert";
    at = flatParent(at);
  }
  return outsideModal(el) ? "outside the open modal dialog" : "";
}

// topModal is the modal dialog that shuts off the rest of its document, null
// without one. Of several it is the one that holds the focus, else the last:
// their true order is not told.
export function topModal(doc) {
  const modals = queryDocument(doc, "dialog:modal");
  if (modals.length === 0) return null;
  const active = activeDocument(doc);
  let top = null;
  for (const modal of modals) if (active && contains(modal, active)) top = modal;
  return top || modals[modals.length - 1];
}

// outsideModal tells whether an open modal dialog shuts the element off.
function outsideModal(el) {
  let top = el;
  for (let host = hostOf(getRootNode(top)); host; host = hostOf(getRootNode(top))) top = host;
  const modal = topModal(ownerDocument(el));
  return modal !== null && !within(top, modal);
}

// isReadonly covers fields, aria-readonly and an editing host switched off.
export function isReadonly(el) {
  const name = tag(el);
  if (name === "textarea" || (name === "input" && READONLY_TYPES.has(inputType(el)))) {
    if (hasAttribute(el, "readonly")) return true;
  } else if (hasAttribute(el, "contenteditable") && !isContentEditable(el)) {
    return true;
  }
  return getAttribute(el, "aria-readonly") === "true";
}

// triState reads "true", "false" or "mixed" of an ARIA attribute.
export function triState(el, name) {
  const value = getAttribute(el, name);
  if (value === "true") return true;
  if (value === "mixed") return "mixed";
  return value === "false" ? false : undefined;
}

const CHECKABLE = new Set(["checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"]);

// checkedOf is the check state of a checkable element, undefined for any other
// (R56), also for an option, which states it by aria-checked only.
export function checkedOf(el, role) {
  if (tag(el) === "input") {
    const type = inputType(el);
    if (type === "checkbox" || type === "radio") return inputIndeterminate(el) && type === "checkbox" ? "mixed" : inputChecked(el);
  }
  const said = triState(el, "aria-checked");
  if (said !== undefined && (CHECKABLE.has(role) || role === "option" || role === "treeitem")) return said;
  return CHECKABLE.has(role) ? false : undefined;
}

// expandedOf is the open state of a disclosure or of a popup's owner.
export function expandedOf(el) {
  if (tag(el) === "summary" && isElement(parentNode(el)) && tag(parentNode(el)) === "details") return hasAttribute(parentNode(el), "open");
  const said = getAttribute(el, "aria-expanded");
  return said === "true" ? true : said === "false" ? false : undefined;
}

// selectedOf is the selection state of an option, tab or row that states one.
export function selectedOf(el) {
  if (tag(el) === "option") return optionSelected(el);
  const said = getAttribute(el, "aria-selected");
  return said === "true" ? true : said === "false" ? false : undefined;
}

// valueOf is what a field holds: the value of a control, the shown labels of a
// select, the text of an editing host, the value text of an ARIA range; null
// for a secret and undefined where there is no such thing.
export function valueOf(el) {
  const name = tag(el);
  if (name === "input") {
    if (isSecret(el)) return null;
    const type = inputType(el);
    if (type === "checkbox" || type === "radio" || type === "button" || type === "submit" || type === "reset" || type === "image") return undefined;
    if (type === "file") return inputValue(el).replace(/^.*[\\/]/, "");
    return inputValue(el);
  }
  if (name === "textarea") return isSecret(el) ? null : textareaValue(el);
  if (name === "select") return Array.from(selectedOptions(el), (option) => squeeze(optionLabel(option))).join(", ");
  if (name && isContentEditable(el)) return innerText(el);
  if (explicitRole(el) === "combobox") return visibleText(el);
  if (name === "progress" || name === "meter") return String(el.value);
  const text = getAttribute(el, "aria-valuetext");
  return text !== null ? text : getAttribute(el, "aria-valuenow") ?? undefined;
}

// stateOf is what a receipt tells of an element after an effect. withheld is
// set instead of a value for a secret; connected false means that the element
// left its document, and the rest is its last state.
export function stateOf(el) {
  const out = { connected: isConnected(el), disabled: disabledBy(el) !== "", focused: isFocused(el) };
  const value = valueOf(el);
  if (value === null) out.withheld = true;
  else if (value !== undefined) {
    out.value = value.slice(0, VALUE_CHARS);
    if (value.length > VALUE_CHARS) out.value_cut = true;
  }
  if (tag(el) === "select") out.values = Array.from(selectedOptions(el), (option) => optionValue(option));
  const checked = checkedOf(el, liteRole(el));
  if (checked !== undefined) out.checked = checked;
  const expanded = expandedOf(el);
  if (expanded !== undefined) out.expanded = expanded;
  const selected = selectedOf(el);
  if (selected !== undefined) out.selected = selected;
  const pressed = triState(el, "aria-pressed");
  if (pressed !== undefined) out.pressed = pressed;
  return out;
}

// isFocused follows the focus into the roots around the element, closed ones
// included, since it asks the element's own root.
export function isFocused(el) {
  const root = getRootNode(el);
  const type = nodeType(root);
  if (type === 9) return activeDocument(root) === el;
  return hostOf(root) !== null && activeRoot(root) === el;
}

// read is the state of a registered element, whatever became of it.
export function read(index, generation) {
  const reading = generation === undefined ? latest() : core().readings.get(generation);
  if (!reading) return no("snapshot_stale", "a later snapshot replaced the one this element comes from");
  const record = reading.records[index];
  if (!record) return no("ref_detached", "the snapshot gave out no such element");
  return { ok: true, ...stateOf(record.node) };
}
