// snap: one snapshot. Mode, query, window and byte budget are applied here, so
// that the answer stays small, and what may be acted on is registered in the
// same call (R44-R50, R52).

import { standIn } from "./admit.js";
import {
  anchorHref, areaHref, attr, baseURI, byId, checkVisibility, closest, contains, documentElement, documentTitle, firstElement,
  getAttribute, hasAttribute, innerText, labelControl, localName, matches, namespaceURI, nextElement, nodeType,
  parentNode, queryIn, SVG, tag, textContent,
} from "./dom.js";
import { drawnText, shownText } from "./drawn_text.js";
import { hiddenFiles } from "./edges.js";
import { fileLabel } from "./files.js";
import {
  computedNameOf, computedRole, explicitRole, flatChildren, internalRole, joinedIds, liteName, liteRole, visibleText,
} from "./identity.js";
import { COLD_MS, TEXT_NODES, URL_BYTES } from "./limits.js";
import { optionsOf } from "./options.js";
import { begin, register, registerAs } from "./registry.js";
import { isField } from "./roles.js";
import { rememberRoots } from "./settle.js";
import { shownHere } from "./sight.js";
import { checkedOf, expandedOf, isFocused, selectedOf, triState, valueOf } from "./state.js";
import {
  AUTO_BYTES, AUTO_NODES, BYTES_DEFAULT, CHECKABLE_ROLES, DEPTH_DEFAULT, GROUP_ROLES, NEARBY_CHARS, NEARBY_CONTROLS,
  NEARBY_STEPS, NODES_MAX, OFFSET_MAX, POPUP_ROLES, SELECTABLE_ROLES,
} from "./tables.js";
import { cutBytes, squeeze, words } from "./text.js";
import {
  flush, hiddenNow, nameNow, NATIVE_CONTROLS, newWalk, OUTSIDE, ROOT_ENTRY, SILENT, SPOKEN, textOfEntry, walkDocument,
} from "./walk.js";
import { home } from "./world.js";

// snap answers {"v":1,...} as described in api.js.
export function snap(given) {
  const options = {
    generation: 0, kept: [], mode: "auto", query: null, offset: 0, max_nodes: AUTO_NODES, max_depth: DEPTH_DEFAULT, horizon: NODES_MAX,
    bytes_max: BYTES_DEFAULT, clickables: "strict", candidates: false, proved: null, outline_bytes: 0, warm_limit_ms: 20, identity: "computed", warmed: true, ...given,
  };
  const computes = options.identity === "computed";
  const cold = { v: 1, cold: true };
  if (computes) {
    if (!computedRole || !(options.warmed || warm.has(home)) || isCold(home, options.warm_limit_ms)) return cold;
    warm.add(home);
  }
  const started = begin(options.generation, options.kept);
  const walk = newWalk(options, ...(computes ? [roleComputed, nameComputed] : [liteRole, (el) => liteName(el, liteRole(el))]));
  const query = newQuery(options.query);
  choose(walk, query);
  const top = ROOT_ENTRY();
  walkDocument(walk, home, top, OUTSIDE);
  if (walk.cold) return cold;
  if (walk.asks) return { v: 1, cold: false, asks: true };
  flush(walk);
  if (!walk.stopped) hiddenFiles(walk, top);
  rememberRoots(walk.roots);
  return answer(walk, query, started.href, computes);
}

// roleComputed is the browser's own role. For elements whose role follows from
// their name and type alone it is not asked, which saves most of the reads.
function roleComputed(el) {
  const name = tag(el);
  if (FIXED.has(name) && !hasAttribute(el, "role")) return liteRole(el);
  return computedRole(el) || internalRole(el) || "generic";
}

const FIXED = words("button h1 h2 h3 h4 h5 h6 input label p select textarea");

// nameComputed is the browser's own name. It keeps none for content that it does not
// lay out until it is scrolled near (content-visibility: auto).
function nameComputed(el) {
  const name = computedNameOf(el);
  return name || checkVisibility(el, LAID_OUT) ? name : liteName(el, liteRole(el));
}

const LAID_OUT = { contentVisibilityAuto: true };

// warm are the documents whose accessibility tree the caller has asked for, each
// frame's by itself: in the others every read of a role would build one.
let warm = new WeakSet();

// cool is called when the upkeep of those trees ends.
export function cool() {
  warm = new WeakSet();
  return { ok: true };
}

// isWarm tells whether a frame's document may be read.
export function isWarm(doc, options) {
  if (warm.has(doc)) return true;
  // A frame that came after the caller looked for them is slow: it is read, and
  // asked for the next time.
  if (options.warmed && !isCold(doc, options.warm_limit_ms)) warm.add(doc);
  return options.warmed;
}

// isCold tells whether reading a computed role is slow, which it is when the
// browser keeps no accessibility tree: each read would then build one. The first
// read may have to wait for a layout that is due anyway, so a second one decides,
// unless the first took so long that another one would be too dear.
function isCold(doc, limit) {
  const root = documentElement(doc);
  if (!root) return false;
  const read = () => {
    const start = performance.now();
    computedRole(root);
    return performance.now() - start;
  };
  const first = read();
  return first > limit && (first > COLD_MS || read() > limit);
}

// choose sets what the walk stores (wants) and when it may end (enough). Auto
// gives everything until it proves to be too much and then only what can be
// operated (R46); with a query it never compacts (R48), and every listed node
// has to be looked at.
function choose(walk, query) {
  const { options } = walk;
  const end = options.offset + options.max_nodes;
  let interactive = options.mode === "interactive";
  walk.compacted = false;
  const operable = (entry) => entry.actions.length > 0 || entry.operable;
  walk.wants = (entry) => !interactive || operable(entry);
  if (query) {
    const all = walk.wants;
    walk.wants = (entry) => all(entry) && mayMatch(entry, query);
    walk.enough = () => false;
    return;
  }
  let bytes = 0;
  const [most, room, weigh] = options.outline_bytes > 0
    ? [options.max_nodes, options.outline_bytes, lineWeight]
    : [Math.min(options.max_nodes, AUTO_NODES), AUTO_BYTES, weight];
  walk.enough = (entry) => {
    if (options.mode === "auto" && !interactive) {
      bytes += weigh(walk, entry);
      if (walk.entries.length <= most && bytes <= room) return false;
      interactive = walk.compacted = true;
      walk.entries = walk.entries.filter(operable);
    }
    return walk.entries.length > end;
  };
}

// weight estimates the bytes that an entry takes in an answer.
function weight(walk, entry) {
  const own = entry.pieces ? textOfEntry(entry) : nameNow(walk, entry);
  return 48 + entry.role.length + own.length + entry.group.length + entry.section.length + (entry.actions.length > 0 ? 64 : 0) +
    entry.actions.reduce((sum, action) => sum + action.length + 3, 0);
}

// lineWeight is the least that an entry takes in the tree projection; its whole
// weight is for the caller to judge.
function lineWeight(walk, entry) {
  return entry.pieces ? 4 + textOfEntry(entry).length : 12 + entry.role.length + nameNow(walk, entry).length;
}

// newQuery folds the terms of a query once; null without any.
function newQuery(given) {
  if (!given) return null;
  const term = (text) => fold(squeeze(text || ""));
  const query = { text: term(given.text), role: term(given.role), group: term(given.group), section: term(given.section), fields: Boolean(given.fields_only) };
  return query.text || query.role || query.group || query.section || query.fields ? query : null;
}

// fold makes case not matter. Upper case first, so that ß and SS, or σ and ς,
// compare alike.
const fold = (text) => text.toUpperCase().toLowerCase();

// mayMatch holds those filters against an entry that need no name, so that only
// what can match is named and stored.
function mayMatch(entry, query) {
  const { node } = entry;
  if (query.fields && !isField(node.name, node.type, entry.role, node.host)) return false;
  if (query.role && fold(entry.role) !== query.role) return false;
  if (query.group && !fold(entry.group).includes(query.group)) return false;
  return !query.section || fold(entry.section).includes(query.section);
}

// matchesQuery holds the remaining filter, the text, against an entry (R47).
function matchesQuery(walk, entry, query) {
  if (!query.text) return true;
  const has = (text) => text !== "" && fold(text).includes(query.text);
  if (entry.pieces) return has(textOfEntry(entry));
  const name = nameNow(walk, entry);
  return has(name) || has(labelText(entry, name) || contentLabel(entry, name)) || has(placeholderOf(entry.el)) || has(descriptionOf(entry.el, name));
}

// answer cuts the window out of the walk's entries and writes it down.
function answer(walk, query, href, computes) {
  const { options } = walk;
  const found = query ? walk.entries.filter((entry) => matchesQuery(walk, entry, query)) : walk.entries;
  const window = found.slice(options.offset, options.offset + options.max_nodes);
  const nodes = [];
  let bytes = 0;
  for (const entry of window) {
    const text = JSON.stringify(written(walk, entry, computes));
    bytes += byteLength(text) + 1;
    if (bytes > options.bytes_max) break;
    nodes.push(text);
  }
  const end = options.offset + nodes.length;
  const more = found.length > end;
  const head = {
    v: 1, url: href, title: squeeze(documentTitle(home)), mode: walk.compacted || options.mode === "interactive" ? "interactive" : "full",
    auto_compacted: walk.compacted, truncated: walk.truncated || more, next_node_offset: more && end <= OFFSET_MAX ? end : null,
    total: walk.stopped ? null : found.length, frames: walk.frames, deep: walk.deep, unseen: unseenOf(walk),
    suspects: Array.from(walk.suspects, (el) => register(el, options.generation)),
    cold: false,
  };
  return `${JSON.stringify(head).slice(0, -1)},"nodes":[${nodes.join(",")}]}`;
}

const unseenOf = (walk) =>
  Array.from(walk.unseen, ([key, count]) => {
    const [kind, reason] = key.split(" ");
    return { kind, reason, count };
  });

// byteLength is the length in UTF-8.
function byteLength(text) {
  let bytes = text.length;
  if (/^[\x00-\x7f]*$/.test(text)) return bytes;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

// written is a node as it is answered. Absent fields are unknown or do not apply.
function written(walk, entry, computes) {
  if (entry.pieces) return placed(entry, { i: -1, role: "text", name: textOfEntry(entry), ...(entry.sight ? { unseen: true } : {}), depth: entry.depth });
  const { el, node } = entry;
  const acts = entry.actions.length > 0;
  const name = nameNow(walk, entry);
  const identity = computes ? { role: entry.role, name } : null;
  const out = { i: acts ? registerAs(el, walk.options.generation, identity) : -1, role: entry.role };
  if (name) out.name = name;
  if (node.name) out.tag = node.name;
  if (node.type) out.type = node.type;
  if (entry.actions.length > 0) out.actions = entry.actions;
  fieldsOf(out, entry, name);
  statesOf(out, entry);
  if (!name && entry.actions.length > 0 && walk.options.clickables === "broad") {
    const hint = standIn(el);
    if (hint) out.hint = hint;
  }
  out.depth = entry.depth;
  return placed(entry, out);
}

function placed(entry, out) {
  if (entry.group) out.group = entry.group;
  if (entry.section) out.section = entry.section;
  return out;
}

// fieldsOf adds value, label, placeholder, description, address and choices.
function fieldsOf(out, entry, name) {
  const { el, node } = entry;
  if (entry.operable || VALUED.has(entry.role)) {
    const value = valueShown(entry);
    if (value === null) out.secret = true;
    else if (value !== undefined) out.value = squeeze(value);
  }
  const label = node.file ? fileLabel(el, name) : labelText(entry, name) || contentLabel(entry, name);
  if (label) out.label = label;
  const placeholder = placeholderOf(el);
  if (placeholder) out.placeholder = placeholder;
  const description = descriptionOf(el, name);
  if (description && description !== placeholder && description !== label) out.description = description;
  if (entry.role === "link") {
    const href = addressOf(el, node.name);
    if (href) out.url = cutBytes(href, URL_BYTES);
  }
  if (node.name === "select") optionsOf(out, el);
}

// valueShown is the value of an entry. What a range says of its value goes before the
// text in it. A text box that is no field, and that nobody can edit, holds the text in
// it; a combobox that is none shows what is chosen, and has no empty value.
export function valueShown({ el, node, role }) {
  const field = node.name === "input" || node.name === "select" || node.name === "textarea";
  if (!field && (role === "spinbutton" || role === "slider")) {
    const said = squeeze(getAttribute(el, "aria-valuetext"));
    if (said) return said;
  }
  if (!field && !node.host && role === "combobox") return chosenText(el) || undefined;
  // What stands in text that is edited holds none of it.
  const value = !field && !node.host && node.editable ? getAttribute(el, "aria-valuetext") ?? getAttribute(el, "aria-valuenow") ?? undefined : valueOf(el);
  if (NATIVE_CONTROLS.has(node.name) || node.host) return value;
  return value === undefined && SPOKEN.has(role) ? visibleText(el) || undefined : value;
}

// chosenText is the text drawn in a combobox, without that of fields, buttons and
// labels in it and of the list that it opens.
function chosenText(el) {
  const parts = [];
  let budget = TEXT_NODES;
  const gather = (parent) => {
    for (const child of flatChildren(parent)) {
      if (budget-- <= 0) return;
      const type = nodeType(child);
      if (type === 3 && shownHere(child)) parts.push(shownText(child));
      if (type !== 1 || NOT_CHOSEN.has(tag(child)) || SILENT.has(tag(child))) continue;
      const role = explicitRole(child);
      if (role !== "button" && !POPUP_ROLES.has(role) && hiddenNow(child, tag(child)) === "") gather(child);
    }
  };
  gather(el);
  return squeeze(parts.join(" "));
}

const NOT_CHOSEN = words("input select textarea button label");

// addressOf is the absolute address of a link, also of one in a drawing.
function addressOf(el, name) {
  if (name === "a") return anchorHref(el);
  if (name === "area") return areaHref(el);
  const href = namespaceURI(el) === SVG ? getAttribute(el, "href") ?? getAttribute(el, "xlink:href") : null;
  if (href === null) return "";
  try {
    return new URL(href, baseURI(el)).href;
  } catch {
    return "";
  }
}

const VALUED = words("progressbar meter scrollbar separator");

// statesOf adds the states, in the way of the other collector: required,
// disabled, readonly and invalid only when true.
function statesOf(out, entry) {
  const { el, node, role } = entry;
  const native = NATIVE_CONTROLS.has(node.name);
  if (getAttribute(el, "aria-required") === "true" || (native && node.name !== "button" && matches(el, ":required"))) out.required = true;
  if (node.disabled && (entry.operable || GROUP_ROLES.has(role) || role === "gridcell")) out.disabled = true;
  if (entry.operable && node.readonly) out.readonly = true;
  const invalid = getAttribute(el, "aria-invalid");
  if (invalid !== null ? invalid !== "" && invalid !== "false" : native && matches(el, ":user-invalid")) out.invalid = true;
  const checked = node.labelsHidden ? checkedBehind(el) : CHECKABLE_ROLES.has(role) ? checkedOf(el, role) : undefined;
  if (checked !== undefined) out.checked = checked;
  const expanded = EXPANDABLE.has(role) ? opensNow(el, node.name, role) : undefined;
  if (expanded !== undefined) out.expanded = expanded;
  const selected = selectedOf(el) ?? selectedByFocus(entry);
  if (selected === true || (selected === false && SELECTABLE_ROLES.has(role))) out.selected = selected;
  const pressed = triState(el, "aria-pressed");
  if (pressed !== undefined) out.pressed = pressed;
  const level = levelOf(entry);
  if (level > 0) out.level = level;
}

// checkedBehind is the check state of the control that a label stands for.
function checkedBehind(label) {
  const control = labelControl(label);
  return tag(control) === "input" ? checkedOf(control, "") : undefined;
}

// selectedByFocus is what the tree says of an option, tab or tree item that
// does not state its selection: in a container of one choice in which none does,
// it is selected while it has the focus.
function selectedByFocus(entry) {
  const { el, node, role } = entry;
  if (!SELECTABLE_ROLES.has(role) || node.disabled) return undefined;
  let box = entry.up;
  while (box && !CONTAINERS.has(box.role)) box = box.up;
  if (!box) return hasAttribute(el, "tabindex") ? isFocused(el) : undefined;
  if (getAttribute(box.el, "aria-multiselectable") === "true" || queryIn(box.el, "[aria-selected]").length > 0) return undefined;
  return role === "option" || hasAttribute(el, "tabindex") ? isFocused(el) : undefined;
}

const CONTAINERS = words("listbox tablist tree combobox");

const EXPANDABLE = words(
  "application button checkbox columnheader combobox DisclosureTriangle gridcell link listbox menuitem menuitemcheckbox " +
    "menuitemradio row rowheader switch tab treeitem",
);

// opensNow is the open state of what an element opens: a native select's list
// (never open while we look), a popover, or what ARIA says.
function opensNow(el, name, role) {
  if (name === "select") return role === "combobox" ? false : undefined;
  if (hasAttribute(el, "popovertarget") && getAttribute(el, "aria-expanded") === null) {
    const target = byId(el, attr(el, "popovertarget"));
    return target && hasAttribute(target, "popover") ? matches(target, ":popover-open") : undefined;
  }
  return expandedOf(el);
}

function levelOf(entry) {
  const { el, role } = entry;
  const said = Number(getAttribute(el, "aria-level") ?? 0);
  if (said > 0 && (role === "heading" || role === "treeitem" || role === "listitem" || role === "row")) return said;
  if (role === "listitem") return levelIn(entry, "list");
  if (role === "treeitem") return levelIn(entry, "treeitem") + 1;
  if (role !== "heading") return 0;
  const found = /^h([1-6])$/.exec(tag(el));
  return found ? Number(found[1]) : 2;
}

// levelIn is in how many of a role an entry is.
function levelIn(entry, role) {
  let level = 0;
  for (let at = entry.up; at; at = at.up) if (at.role === role) level++;
  return level;
}

const placeholderOf = (el) => squeeze(getAttribute(el, "placeholder")) || squeeze(getAttribute(el, "aria-placeholder"));

// descriptionOf is what describes an element besides its name.
function descriptionOf(el, name) {
  const ids = getAttribute(el, "aria-describedby");
  const text = (ids && joinedIds(el, ids)) || squeeze(getAttribute(el, "aria-description")) || drawnDescription(el) || titleBeyond(el);
  return text === name ? "" : text;
}

// titleBeyond is the title of an element that says more than the text in it.
function titleBeyond(el) {
  const title = squeeze(getAttribute(el, "title"));
  return title && title === squeeze(tag(el) ? innerText(el) : textContent(el)) ? "" : title;
}

// drawnDescription is what an element of a drawing says about itself.
function drawnDescription(el) {
  if (namespaceURI(el) !== SVG) return "";
  for (let child = firstElement(el); child; child = nextElement(child)) {
    if (localName(child) === "desc") return squeeze(textContent(child));
  }
  return "";
}

// labelText is the text next to a field that the page gives no name, where the two
// share a container of few controls (R47). A paragraph labels nothing outside of it.
function labelText(entry, name) {
  const text = entry.label;
  if (!text || (name && name !== placeholderOf(entry.el)) || !sharesContainer(text, entry)) return "";
  const paragraph = typeof text.pieces[0] === "string" ? null : closest(parentNode(text.pieces[0]), "p");
  if (paragraph && !contains(paragraph, entry.el)) return "";
  const label = textOfEntry(text);
  return label === name || Array.from(label).length > NEARBY_CHARS ? "" : label;
}

// contentLabel is the text drawn inside an element that has no name but can be
// pressed or dragged and is no field, such as a card.
function contentLabel(entry, name) {
  const { el, node } = entry;
  if (name || !(node.card || entry.actions.includes("drag")) || isField(node.name, node.type, entry.role, node.host)) return "";
  return drawnText(el);
}

function sharesContainer(text, field) {
  const at = sharedContainer(text, field);
  return at !== null && (!at.up || at.controls <= NEARBY_CONTROLS);
}

// sharedContainer is the nearest container of a text and a field, null where that is far.
export function sharedContainer(text, field) {
  let at = field.up;
  for (let steps = 0; steps < NEARBY_STEPS && at; steps++, at = at.up) {
    let other = text.up;
    for (let hops = 0; hops < NEARBY_STEPS && other; hops++, other = other.up) {
      if (other === at) return at;
    }
  }
  return null;
}
