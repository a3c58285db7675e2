// The entries of a tree, and what opens them without choosing them.

import { roleWord, says, textIn } from "./entries.js";
import { above, inside, page, shown } from "./surfaces.js";
import { norm } from "./text.js";

// inTree tells whether an entry is one of a tree: by roles, or by a class of what is
// around it.
export function inTree(entry) {
  if (roleWord(entry) === "treeitem" || roleWord(entry) === "row") return true;
  for (let at = entry, hops = 0; at && at !== page.body && hops < 24; at = above(at), hops++) {
    if (/^(tree|treegrid)$/.test(roleWord(at))) return true;
    if (!roleWord(at) && /(^|[\s_-])tree([\s_-]|$)/i.test(at.getAttribute("class") || "")) return true;
  }
  return false;
}

const KNOBS = "button,[role=button],[class*=switch],[class*=toggle],[class*=expand],[class*=arrow],[class*=chevron],[class*=caret],svg";

// knobOf is the part of a tree's entry that opens it without choosing it: by its
// kind or class, in the entry or in the row before it, else what stands before the
// label and says nothing.
export function knobOf(entry, label) {
  const group = (el) => el.closest("[role=group],ul");
  for (const el of entry.querySelectorAll(KNOBS)) {
    if (group(el) && group(el) !== entry && inside(group(el), entry)) continue;
    if (shown(el) && norm(el.textContent) !== label && !/check/i.test(el.getAttribute("class") || "")) return el.localName === "svg" ? el.parentElement : el;
  }
  for (const el of entry.children) {
    if (says(el, label)) break;
    if (shown(el) && norm(el.textContent).length <= 2 && !/[\p{L}\p{N}]/u.test(el.textContent)) return el;
  }
  for (let row = entry, hops = 0; row && hops < 3; row = above(row), hops++) {
    if (row !== entry && norm(textIn(row)) !== label) break;
    for (let el = row.previousElementSibling; el; el = el.previousElementSibling) {
      if ((el.matches(KNOBS) || el.querySelector(KNOBS)) && !el.querySelector("input") && !/check/i.test(el.className) && !/[\p{L}\p{N}]/u.test(el.textContent) && shown(el)) return el;
    }
  }
  return null;
}
