// Finding the one entry that is meant, by its exact label, in the surfaces of a
// control.

const ENTRY_ROLES = new Set(["option", "menuitem", "menuitemradio", "menuitemcheckbox", "treeitem", "radio", "gridcell", "tab", "row"]);

const roleWord = (el) => (el.getAttribute("role") || "").trim().toLowerCase().split(/\s+/)[0];

// entryRole is the role of an element that stands for an entry, "" otherwise.
function entryRole(el) {
  const role = roleWord(el);
  if (ENTRY_ROLES.has(role)) return role;
  return el.localName === "li" && !role ? "li" : "";
}

// says tells whether an element is labelled with exactly this text.
function says(el, label) {
  const said = el.getAttribute("aria-label");
  if (said !== null && norm(said) === label) return true;
  const text = el.textContent;
  if (text.length > TEXT_MAX + label.length * 4) return false;
  if (norm(text) === label) return true;
  if (!text || !norm(text).toLowerCase().includes(label.toLowerCase().slice(0, 8))) return false;
  return norm(typeof el.innerText === "string" ? el.innerText : text) === label;
}

// entries lists the distinct entries with the label in the roots for which take
// holds, each as the element to press.
function entries(roots, label, take) {
  const found = [];
  walk(roots, (el) => {
    if (el.localName === "select" || el.localName === "datalist" || el.localName === "svg") return "skip";
    if (el.localName === "input" || el.localName === "textarea") return "skip";
    if (!says(el, label)) return undefined;
    if (!shown(el) || !take(el)) return undefined;
    found.push(el);
    return undefined;
  });
  return distinct(found, label);
}

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
function chosenState(el) {
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
function barred(el) {
  for (const at of aroundOnly(el)) {
    if (at.getAttribute("aria-disabled") === "true" || at.hasAttribute("disabled") || at.hasAttribute("data-disabled")) return true;
    if (/(^|[\s_-])(is-)?disabled($|[\s_-])/i.test(at.getAttribute("class") || "")) return true;
  }
  return false;
}

// aroundOnly is an element and what is around it alone, up to its entry.
function aroundOnly(el) {
  const out = [el];
  const text = norm(el.textContent);
  for (let at = el; out.length < 4 && !entryRole(at); ) {
    at = above(at);
    if (!at || at.textContent.length > TEXT_MAX || norm(at.textContent) !== text) break;
    out.push(at);
  }
  return out;
}

// scroller is the nearest element around an entry, or below a root, that has
// more to show than fits.
function scroller(roots) {
  let best = null;
  walk(roots, (el) => {
    if (el.scrollHeight > el.clientHeight + 8 && el.clientHeight > 20 && getComputedStyle(el).overflowY !== "visible" && shown(el)) {
      if (!best || el.scrollHeight > best.scrollHeight) best = el;
    }
    return undefined;
  });
  return best;
}
