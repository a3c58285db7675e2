// Finding the one entry that is meant, by its exact label, in the surfaces of a
// control.

import { directText } from "./reading.js";
import { above, inside, isEl, shown, TEXT_MAX, walk } from "./surfaces.js";
import { norm } from "./text.js";

export const ENTRY_ROLES = new Set(["option", "menuitem", "menuitemradio", "menuitemcheckbox", "treeitem", "radio", "gridcell", "tab", "row"]);

export const roleWord = (el) => (el.getAttribute("role") || "").trim().toLowerCase().split(/\s+/)[0];

// entryRole is the role of an element that stands for an entry, "" otherwise.
export function entryRole(el) {
  const role = roleWord(el);
  if (ENTRY_ROLES.has(role)) return role;
  return el.localName === "li" && !role ? "li" : "";
}

// says tells whether an element is labelled with exactly this text.
export function says(el, label) {
  const said = el.getAttribute("aria-label");
  if (said !== null && norm(said) === label) return true;
  const text = textIn(el);
  if (text.length > TEXT_MAX + label.length * 4) return false;
  if (norm(text) === label) return true;
  if (!text || !norm(text).toLowerCase().includes(label.toLowerCase().slice(0, 8))) return false;
  return norm(typeof el.innerText === "string" ? el.innerText : text) === label;
}

// textIn is an element's text; in a shadow tree, where it may be put in through a
// slot, that of what is shown in it.
export const textIn = (el) => el.textContent.trim() || (el.shadowRoot || el.getRootNode().host ? shownText(el, () => true) : "");

export const NODES_MAX = 64; // Nodes of one entry that are read,
const CUT = "\u2026"; // and what stands for the rest.

// shownText joins the texts shown in an element, without the parts that take
// leaves out. A text that is cut short says so, and is no label.
export function shownText(el, take) {
  let text = "";
  let budget = NODES_MAX;
  const add = (node) => {
    if (budget < 0 || node.nodeType === 8) return;
    if (budget-- === 0 || text.length > TEXT_MAX * 2) {
      budget = -1;
      text += CUT;
      return;
    }
    if (node.nodeType === 3) text += node.data;
    else if (isEl(node) && (node === el || take(node))) {
      const given = node.localName === "slot" && typeof node.assignedNodes === "function" ? node.assignedNodes({ flatten: true }) : [];
      for (const child of given.length > 0 ? given : (node.shadowRoot || node).childNodes) add(child);
    }
  };
  add(el);
  return text;
}

const MARK = /^[^\p{L}\p{N}\p{ASCII}]{1,2}$/u;

// isMark tells whether a part of an entry is no part of its label: it is hidden from
// those who are read to, or it is a sign such as a tick.
export const isMark = (el) => el.localName === "svg" || el.getAttribute("aria-hidden") === "true" || MARK.test(norm(el.textContent));

// saysBare is says for an entry that carries marks beside its label.
export function saysBare(el, label) {
  if (el.children.length === 0 || el.textContent.length > TEXT_MAX + label.length * 4 || !norm(el.textContent).includes(label)) return false;
  return norm(shownText(el, (part) => !isMark(part))) === label;
}

// entries lists the distinct entries with the label in the roots for which take
// holds, each as the element to press. Marks are left out of the labels only where
// no entry has this label with all that it shows.
export function entries(roots, label, take) {
  for (const fits of [says, saysBare]) {
    const found = [];
    walk(roots, (el) => {
      if (NO_ENTRY.has(el.localName)) return "skip";
      if (fits(el, label) && shown(el) && take(el)) found.push(el);
      return undefined;
    });
    if (found.length > 0) return distinct(found, label);
  }
  return [];
}

// isLoading tells whether an entry only says that others are on their way.
export const isLoading = (el) => el.getAttribute("aria-busy") === "true" || /(^|[\s_-])(loading|spinner|skeleton)($|[\s_-])/i.test(el.getAttribute("class") || "") || /(\u2026|\.{3})$/.test(norm(el.textContent));

const NO_ENTRY = new Set(["select", "datalist", "svg", "input", "textarea"]);

// distinct keeps one element for each entry: of nested ones with the same label
// the one with an entry's role, else the outermost that is still one entry.
function distinct(found, label) {
  const groups = [];
  for (const el of found) {
    const group = groups.find((each) => each.some((other) => inside(el, other) || inside(other, el)));
    if (group) group.push(el);
    else groups.push([el]);
  }
  let out = groups.map((group) => group.find((el) => ENTRY_ROLES.has(roleWord(el))) || group.find((el) => entryRole(el)) || entryAround(group[0], label));
  out = Array.from(new Set(out));
  // Several: those that are entries by role count before mere texts.
  if (out.length > 1) {
    const real = out.filter((el) => ENTRY_ROLES.has(roleWord(el)));
    if (real.length > 0) out = real;
    else {
      const listed = out.filter((el) => entryRole(el));
      if (listed.length > 0) out = listed;
    }
  }
  return out;
}

// entryAround is the entry that an element is the label of: the nearest one
// around it, where that holds nothing else that is labelled like an entry.
function entryAround(el, label) {
  for (let at = el, hops = 0; at && hops < 4; at = above(at), hops++) {
    if (!ENTRY_ROLES.has(roleWord(at))) continue;
    return norm(at.textContent).length <= label.length + TEXT_MAX ? at : el;
  }
  return el;
}

// chosenState is what an entry says of itself: true, false, or undefined.
export function chosenState(el) {
  for (const at of aroundOnly(el)) {
    for (const name of ["aria-selected", "aria-checked"]) {
      const said = at.getAttribute(name);
      if (said === "true") return true;
      if (said === "false") return false;
    }
  }
  const box = el.querySelector && el.querySelector("input[type=checkbox],input[type=radio]");
  return box ? box.checked : undefined;
}

// barred tells whether an entry cannot be chosen.
export function barred(el) {
  for (const at of aroundOnly(el)) {
    if (at.getAttribute("aria-disabled") === "true" || at.hasAttribute("disabled") || !/^(false)?$/.test(at.getAttribute("data-disabled") ?? "false")) return true;
    if (/(^|[\s_-])(is-)?disabled($|[\s_-])/i.test(at.getAttribute("class") || "")) return true;
  }
  return false;
}

// aroundOnly is an element and what is around it alone, up to its entry.
export function aroundOnly(el) {
  const out = [el];
  const text = norm(textIn(el));
  for (let at = el; out.length < 4 && !entryRole(at); ) {
    at = above(at);
    if (!at || at.textContent.length > TEXT_MAX || norm(textIn(at)) !== text) break;
    out.push(at);
  }
  return out;
}

// scroller is the nearest element around an entry, or below a root, that has
// more to show than fits.
export function scroller(roots) {
  let best = null;
  walk(roots, (el) => {
    if (el.scrollHeight > el.clientHeight + 8 && el.clientHeight > 20 && getComputedStyle(el).overflowY !== "visible" && shown(el)) {
      if (!best || el.scrollHeight > best.scrollHeight) best = el;
    }
    return undefined;
  });
  return best;
}

const OFFERED_MAX = 8; // Entries that are named to the caller,
const OFFERED_CHARS = 40; // and characters of each.

export const quote = (label) => `"${label.length > OFFERED_CHARS ? label.slice(0, OFFERED_CHARS - 1) + "…" : label}"`;

// offered puts into words what the roots offer instead of what was asked for: the
// entries that are in view, as far as that can be said briefly.
export function offered(roots, take) {
  const labels = [];
  let more = 0;
  walk(roots, (el) => {
    if (NO_ENTRY.has(el.localName)) return "skip";
    if (!entryRole(el) || !shown(el) || !take(el)) return undefined;
    const label = norm(shownText(el, (part) => !isMark(part))) || norm(el.getAttribute("aria-label"));
    if (!label || labels.includes(label)) return undefined;
    if (labels.length < OFFERED_MAX) labels.push(label);
    else more++;
    return entryRole(el) === "treeitem" || entryRole(el) === "row" ? undefined : "skip";
  });
  if (labels.length === 0) return "";
  return `it offers ${labels.map(quote).join(", ")}${more > 0 ? ` and ${more} more in view` : ""}`;
}

// labelOfEntry is the innermost element that carries an entry's label.
export function labelOfEntry(entry, label) {
  let found = null;
  walk([entry], (el) => {
    if (says(el, label) && el.localName !== "slot") found = el; // A slot has no box of its own.
    return undefined;
  });
  return found;
}

// labelsIn lists what the rows of a list that are in view say.
export function labelsIn(list) {
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

// takesAway tells whether a button in a control takes a choice away: by its words, or
// since it stands beside the text of one, as in a chip.
export function takesAway(el) {
  const said = `${el.getAttribute("aria-label") || ""} ${el.title || ""} ${el.getAttribute("class") || ""}`;
  if (/clear|clean|remove|delete|close|dismiss|reset|cancel|deselect/i.test(said)) return true;
  const around = above(el);
  return Boolean(around && directText(around)) || Boolean(el.closest("[class*=tag],[class*=chip],[class*=token],[role=option],[role=listitem],li"));
}
