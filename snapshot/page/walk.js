// The walker: one pass over the flat tree that finds what a snapshot lists, in
// the order of the accessibility tree, without changing anything.
//
// It enters open shadow roots, follows slots and aria-owns, and walks the
// documents of same-origin frames from here (R104): the nodes are the same
// objects in every world of the process, so they go into our registry. It
// leaves out what is hidden (display, visibility, content-visibility,
// aria-hidden, inert, all that an open modal dialog shuts off), which the
// computed role does not tell.
//
// What it cannot see, and the other collector can: closed shadow roots (guessed
// and reported), parts of the browser's own widgets, and the engine's clickable
// fact, for which it asks the caller when something looks like a card.
//
// Every listed node has an entry {el | text, up, role, name, ...}; `up` is the
// entry of the nearest kept ancestor. Entries hold only what later nodes or the
// choice of the window need; the rest is read for the window alone.

import { actionsOf, isBroad, labelsHidden, mayBeCard } from "./admit.js";
import { DAY_ACTIONS, isDay } from "./dates.js";
import { generatedIn, visitGenerated } from "./css_text.js";
import {
  attr, byId, checkVisibility, closest, contains, documentElement, firstChild, firstElement, flatParent, getAttribute,
  getRootNode, hasAttribute, hasAttributes, hostOf, inputType, isElement, labelControl, localName, matches,
  namespaceURI, nextSibling, nodeType, objectWindow, openRoot, parentNode, queryDocument, queryFragment, slotted,
  styleOf, SVG, tabIndexHtml, tag, textContent, textData, textSlot,
} from "./dom.js";
import { shownText } from "./drawn_text.js";
import { enterFrame, isPicture, suspect, suspectHost, visitAreas } from "./edges.js";
import { liteName, nativeRole, VISIBILITY } from "./identity.js";
import { DEPTH_MAX, EDGE_STEPS, OWNED_MAX, WALK_MS } from "./limits.js";
import { EMPTY_ROLES, isField, isOperable, NO_INSIDE, PLAIN, PLAIN_ATTRIBUTES } from "./roles.js";
import { sharedContainer, valueShown } from "./snap.js";
import { shownHere, textSight } from "./sight.js";
import { isReadonly, topModal, watchTypes } from "./state.js";
import {
  CARD_ROLES, CONTENT_NAMED, DAY_PANELS, GROUP_ROLES, GROUP_STEPS, INLINE_ROLES, NEARBY_CONTROLS, NEARBY_STEPS, POPUP_ROLES,
  SECTION_ROLES, TEXT_BYTES, WALK_DEPTH,
} from "./tables.js";
import { cutBytes, squeeze, words } from "./text.js";

// newWalk is the state of one walk. stop(walk) is asked after each listed node.
export const newWalk = (options, roleOf, nameOf) => ({
  options, roleOf, nameOf,
  sights: new Map(), // element -> how text in it is seen
  names: new Map(), // element -> its name, as far as it was read
  entries: [], // what is listed, as far as the mode wants it
  seen: 0, // listed nodes met, wanted or not
  deep: 0, // listed nodes below the depth limit
  last: null, // the last text that may be a label
  run: null, // text pieces that may still go on: {up, block, blocks, pieces}
  blocks: 0, // block boundaries met
  unseen: new Map(), // "kind reason" -> count
  truncated: false, stopped: false, cold: false,
  proved: options.proved ? new Set(options.proved) : null, // the cards, once the caller has the evidence
  open: null, edge: 0, // when the window is full: the containers that may get more controls, and where to end
  asks: false, // there may be cards, and the evidence is still wanted
  generated: new Set(), // elements that may have text by CSS
  frames: 0, suspects: new Set(), customs: new Set(), roots: [], files: new Set(), owned: new Map(),
  deadline: performance.now() + WALK_MS, steps: 0,
});

export function overlooked(walk, kind, reason, count = 1) {
  const key = kind + " " + reason;
  walk.unseen.set(key, (walk.unseen.get(key) || 0) + count);
}

// walkDocument visits a document below an entry.
export function walkDocument(walk, doc, up, inside) {
  prepareRoot(walk, doc);
  const modal = topModal(doc);
  if (modal) overlooked(walk, "document", "modal_dialog");
  const start = modal || documentElement(doc);
  if (start) visit(walk, start, up, inside);
}

// prepareRoot notes a document or open root: for the mutation watch, for hidden
// file inputs, for fields that change their type, and for aria-owns.
function prepareRoot(walk, root) {
  walk.roots.push(root);
  watchTypes(root);
  generatedIn(walk, root);
  const query = nodeType(root) === 9 ? queryDocument : queryFragment;
  let budget = OWNED_MAX;
  for (const owner of query(root, "[aria-owns]")) {
    for (const id of attr(owner, "aria-owns").split(/\s+/)) {
      const child = id && budget-- > 0 ? byId(owner, id) : null;
      if (child && !walk.owned.has(child) && !isAbove(walk, child, owner)) walk.owned.set(child, owner);
    }
  }
}

// isAbove tells whether an element is another one or holds it, by the tree or by
// what is owned already: it cannot be owned by that one then.
function isAbove(walk, el, other) {
  for (let at = other, hops = 0; at && hops < DEPTH_MAX; hops++) {
    if (contains(el, at)) return true;
    let moved = null;
    for (let up = at; up && !moved; up = flatParent(up)) moved = walk.owned.get(up) || null;
    at = moved;
  }
  return false;
}

export const ROOT_ENTRY = () => ({ up: null, role: "", name: "", above: 0, heading: "", section: "", group: "", steps: 0, controls: 0 });

// inside is what a walk hands down: named (an ancestor's name or value already
// holds the text), label (the name of the control whose label this is in), block
// (the innermost block), off (disabled by ARIA), editable, depth (elements),
// hidden (by visibility).
export const OUTSIDE = { named: false, label: "", block: 0, off: false, editable: false, depth: 0, hidden: false };

// visit walks one element.
export function visit(walk, el, up, inside) {
  if (walk.stopped || outOfTime(walk)) return;
  if (inside.depth >= WALK_DEPTH) {
    overlooked(walk, "nodes", "depth");
    walk.truncated = true;
    return;
  }
  const name = tag(el);
  if (SILENT.has(name)) return;
  const hidden = hiddenNow(el, name);
  if (hidden === "boxless") suspectHost(walk, el);
  if (hidden === "subtree" || hidden === "boxless") return;
  let { block } = inside;
  if (name ? !INLINE_TAGS.has(name) : breaksLine(el)) block = ++walk.blocks;
  if (name === "br") return;
  const node = look(walk, el, name, inside);
  node.hidden = hidden === "self";
  const entry = node.hidden ? null : enter(walk, el, node, up);
  const next = {
    named: namedInside(name, node.role, entry, inside.named),
    label: name === "label" && !node.labelsHidden ? labelled(walk, el) : inside.label,
    block, off: node.off, editable: node.editable, depth: inside.depth + 1, hidden: node.hidden,
  };
  visitGenerated(walk, el, "::before", entry || up, next);
  descend(walk, el, node, entry || up, next);
  visitGenerated(walk, el, "::after", entry || up, next);
  if (walk.open && entry && walk.open.delete(entry) && walk.open.size === 0) walk.stopped = true;
}

// namedInside tells whether the text in an element is already given by the name of
// something around it, or by the value of a combobox ("value"), which holds neither
// the text of its list nor that of labels.
function namedInside(name, role, entry, named) {
  if (entry && entry.named) return role === "combobox" && !NATIVE_CONTROLS.has(name) ? "value" : true;
  return named === "value" && (name === "label" || POPUP_ROLES.has(role)) ? false : named;
}

// breaksLine tells whether an element that is not of HTML begins a new line: all
// but the pieces of a drawn text that go on where the one before ended.
const breaksLine = (el) => localName(el) !== "tspan" || hasAttribute(el, "x") || hasAttribute(el, "y") || hasAttribute(el, "dy");

function outOfTime(walk) {
  if (walk.open && walk.steps > walk.edge) walk.stopped = true;
  if (walk.stopped) return true;
  if ((++walk.steps & 255) !== 0 || performance.now() < walk.deadline) return false;
  overlooked(walk, "nodes", "deadline");
  walk.truncated = walk.stopped = true;
  return true;
}

export const SILENT = words("script style noscript template head meta link base title datalist param source track rp rt");

const INLINE_TAGS = words(
  "a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark q ruby s samp small span strike strong sub sup " +
    "time tt u var wbr slot output nobr acronym",
);

// labelled is the name of the control that a label belongs to, whose text is
// then not repeated.
function labelled(walk, label) {
  let control = labelControl(label);
  const id = control ? "" : attr(label, "for");
  if (id) control = byId(label, id); // An element that the page defines, and names as the label does.
  if (control && id && !localName(control).includes("-")) control = null;
  if (!control || !checkVisibility(control, VISIBILITY) || closest(control, "[aria-hidden=true],[inert]")) return "";
  return nameOnce(walk, control);
}

// hiddenNow tells whether an element is hidden with all that is in it
// ("subtree", or "boxless" where nothing says so but it is not laid out), by
// itself only ("self": its children may be visible), or not ("").
export function hiddenNow(el, name) {
  if (getAttribute(el, "aria-hidden") === "true" || hasAttribute(el, "inert")) return "subtree";
  if (checkVisibility(el, VISIBILITY)) return "";
  const style = styleOf(el);
  if (!style) return "subtree";
  if (style.display === "contents") return style.visibility === "visible" ? "" : "self";
  if (style.display === "none") return name === "area" ? "" : "subtree";
  return style.visibility === "visible" ? "boxless" : "self";
}

// look reads what decides whether and how an element is listed.
function look(walk, el, name, inside) {
  const node = { name, type: "", role: "generic", host: false, disabled: false, readonly: false, editable: inside.editable };
  const marked = !PLAIN.has(name) || (hasAttributes(el) && PLAIN_ATTRIBUTES.some((each) => hasAttribute(el, each)));
  node.marked = marked;
  node.off = inside.off || getAttribute(el, "aria-disabled") === "true";
  if (!marked) return node;
  if (name === "input") node.type = inputType(el);
  node.role = walk.roleOf(el) || "generic";
  if (node.role === "none" && NATIVE_CONTROLS.has(name) && name !== "button") {
    // What cannot take the focus may be declared to be nothing, and its parts would
    // stand alone: it is shown all the same, under its own label (R64).
    node.role = nativeRole(el);
    walk.names.set(el, liteName(el, node.role));
  }
  if (name === "object" || name === "embed") {
    node.shows = name === "object" ? objectWindow(el) !== null : !isPicture(el);
    if (name === "object" && !node.shows && node.role === "PluginObject") node.role = "generic"; // What stands in its place is shown.
  }
  const editing = getAttribute(el, "contenteditable");
  if (editing !== null) {
    const on = /^(|true|plaintext-only)$/i.test(editing);
    node.host = on && !inside.editable;
    node.editable = on || (inside.editable && editing.toLowerCase() !== "false");
  }
  node.tabbable = hasAttribute(el, "tabindex") && Number(getAttribute(el, "tabindex")) >= 0;
  node.draggable = getAttribute(el, "draggable") === "true";
  return node;
}

// enter lists an element, or keeps it for its children, or does neither (null).
function enter(walk, el, node, up) {
  const { name, role } = node;
  const native = NATIVE_CONTROLS.has(name);
  const own = native || name === "option" || (name.includes("-") && node.marked);
  node.disabled = node.off || (own && matches(el, ":disabled"));
  if (walk.options.candidates) {
    if (walk.options.clickables === "broad") node.pointer = isBroad(el, node);
    else if (walk.proved) node.card = walk.proved.has(el) && CARD_ROLES.has(role);
    else if (mayBeCard(el, node)) {
      walk.asks = walk.stopped = true;
      return null;
    }
  }
  if (!node.marked && !node.pointer && !node.card) return null;
  if (name === "img" && role === "image" && isDecor(el)) return null;
  const operable = isOperable(name, role, node.host);
  let actions = NONE;
  if (name === "label") node.labelsHidden = labelsHidden(el);
  if (operable || native || node.labelsHidden || node.draggable || node.pointer || node.card || node.tabbable || name === "summary" || DAY_PANELS.has(role)) {
    node.named = () => nameOnce(walk, el);
    node.readonly = isReadonly(el);
    node.focusable = node.tabbable || (name !== "" && tabIndexHtml(el) >= 0);
    actions = actionsOf(el, node);
    if (name === "input" && node.type === "file") walk.files.add(el);
  } else if (isDay(el, node, up)) actions = DAY_ACTIONS;
  const empty = EMPTY_ROLES.has(role) || INLINE_ROLES.has(role) || (role === "SvgRoot" && !firstElement(el));
  const shape = SHAPES.has(role) && namespaceURI(el) === SVG;
  const entry = { el, node, up, role, actions, name: null, operable, above: up.above, heading: "", section: "", group: "", steps: 0, controls: 0, named: false, label: null };
  if (empty || shape) nameEmpty(walk, entry, shape);
  const listed = actions.length > 0 || node.card || !(empty || shape) || (entry.name !== "" && !INLINE_ROLES.has(role) && role !== "rowgroup");
  if (!listed && !node.host && !node.draggable && !node.tabbable) return null;
  if (role === "heading" || GROUP_ROLES.has(role) || SECTION_ROLES.has(role)) nameNow(walk, entry);
  flush(walk);
  placeIn(entry, up);
  entry.named = saysText(walk, entry);
  note(walk, entry);
  if (listed) {
    entry.above = up.above + 1;
    list(walk, entry, up.above);
  }
  return entry;
}

// SPOKEN roles tell the text inside as their value.
export const SPOKEN = words("textbox searchbox combobox");

const NONE = Object.freeze([]);
export const NATIVE_CONTROLS = words("input select textarea button");
// SHAPES are roles of drawn parts, which count only with a name.
const SHAPES = words("group graphics-symbol graphics-object graphics-document generic");

// isDecor tells whether an image says of itself that it shows nothing.
const isDecor = (el) => hasAttribute(el, "alt") && !attr(el, "alt").trim() && !attr(el, "aria-label") && !attr(el, "aria-labelledby") && !attr(el, "title");

// nameEmpty reads the name of an element whose role says nothing: only where an
// attribute or an SVG title could give it one.
function nameEmpty(walk, entry, shape) {
  const el = entry.el;
  const may = hasAttribute(el, "aria-label") || hasAttribute(el, "aria-labelledby") || hasAttribute(el, "title") || shape;
  entry.name = may ? walk.nameOf(el) : "";
}

export const nameNow = (walk, entry) => {
  if (entry.name === null) entry.name = nameOnce(walk, entry.el);
  return entry.name;
};

// nameOnce reads a name that may be asked for again: before an element is listed by
// its label, or to find out what it allows.
function nameOnce(walk, el) {
  let name = walk.names.get(el);
  if (name === undefined) walk.names.set(el, (name = walk.nameOf(el)));
  return name;
}

// saysText tells whether an element's own name or value already gives the text
// inside it. Where the name is not wanted, the text is taken for given.
function saysText(walk, entry) {
  const { el, node, role } = entry;
  if (CONTENT_NAMED.has(role)) return entry.name === null && !walk.wants(entry) ? true : nameNow(walk, entry) !== "";
  if (node.host) return textContent(el).trim() !== "";
  return entry.operable && SPOKEN.has(role) && Boolean(valueShown(entry)?.trim());
}

// placeIn gives an entry the group and section that it is in.
function placeIn(entry, up) {
  if (GROUP_ROLES.has(up.role) && up.name) {
    entry.group = up.name;
    entry.steps = 1;
  } else if (up.steps > 0 && up.steps < GROUP_STEPS) {
    entry.group = up.group;
    entry.steps = up.steps + 1;
  }
  entry.section = up.heading || (SECTION_ROLES.has(up.role) && up.name ? up.name : up.section);
  if (entry.role === "heading" && entry.name) up.heading = entry.name;
}

// note keeps account of labels: which text stands before a field, and how many
// controls a container holds.
function note(walk, entry) {
  if (entry.operable) {
    let at = entry.up;
    for (let steps = 0; at && at.up && steps < NEARBY_STEPS; steps++, at = at.up) {
      if (++at.controls > NEARBY_CONTROLS && walk.open && walk.open.delete(at) && walk.open.size === 0) walk.stopped = true;
    }
  }
  const { node } = entry;
  if (isField(node.name, node.type, entry.role, node.host)) {
    entry.label = walk.last;
    walk.last = null;
  } else if (entry.operable || entry.role === "heading") walk.last = null;
}

// list counts a listed node and stores it where the mode wants it.
export function list(walk, entry, above) {
  if (walk.open) return;
  if (++walk.seen > walk.options.horizon) {
    walk.truncated = walk.stopped = true;
    return;
  }
  entry.depth = above;
  if (above > walk.options.max_depth) {
    walk.deep++;
    walk.truncated = true;
    return;
  }
  if (!walk.wants(entry)) return;
  walk.entries.push(entry);
  if (walk.enough(entry)) end(walk);
}

// end ends a walk whose window is full, once it is known of every text in it whether
// it labels the field next to it: that depends on how many controls their container
// holds, and the walk may be inside of it. It goes on for EDGE_STEPS elements at most.
function end(walk) {
  const open = new Set();
  for (const entry of walk.entries.slice(walk.options.offset)) {
    const box = entry.label ? sharedContainer(entry.label, entry) : null;
    if (box && box.up && box.controls <= NEARBY_CONTROLS) open.add(box);
  }
  for (const box of open) if (!isInside(walk, box)) open.delete(box);
  if (open.size === 0) walk.stopped = true;
  walk.open = open;
  walk.edge = walk.steps + EDGE_STEPS;
}

// isInside tells whether the last stored entry is in a container.
function isInside(walk, box) {
  for (let at = walk.entries[walk.entries.length - 1]; at; at = at.up) if (at === box) return true;
  return false;
}

// descend goes to what is inside an element.
function descend(walk, el, node, up, inside) {
  const { name } = node;
  if (NO_INSIDE.has(name)) return;
  if (name === "iframe" || name === "frame") {
    enterFrame(walk, el, name, up, inside);
    return;
  }
  if (name === "object" || name === "embed") {
    if (node.shows) {
      overlooked(walk, "frame", name);
      return;
    }
  }
  const root = openRoot(el);
  if (root) {
    prepareRoot(walk, root);
    visitChildren(walk, firstChild(root), up, inside);
  } else if (name === "slot" && hostOf(getRootNode(el))) {
    const shown = slotted(el, { flatten: true });
    if (shown.length > 0) for (const child of shown) visitNode(walk, child, up, inside);
    else visitChildren(walk, firstChild(el), up, inside);
  } else {
    suspect(walk, el, name);
    visitChildren(walk, firstChild(el), up, inside);
  }
  if (name === "img" && hasAttribute(el, "usemap")) visitAreas(walk, el, up, inside);
  if (hasAttribute(el, "aria-owns")) {
    for (const [child, owner] of walk.owned) if (owner === el) visit(walk, child, up, inside);
  }
}

function visitChildren(walk, first, up, inside) {
  for (let child = first; child && !walk.stopped; child = nextSibling(child)) visitNode(walk, child, up, inside);
}

function visitNode(walk, child, up, inside) {
  const type = nodeType(child);
  if (type === 1) {
    if (walk.owned.size > 0 && walk.owned.has(child)) return; // Placed below its owner.
    if (tag(child) === "area") return; // Placed below its image.
    visit(walk, child, up, inside);
  } else if (type === 3 && !inside.named && !inside.hidden) visitText(walk, child, up, inside);
}

// visitText adds a piece of text to the run of its line: pieces of one block
// that nothing stands between are one node, so that a sentence with a word in
// bold is read as one.
function visitText(walk, node, up, inside) {
  const data = textData(node);
  if (!shownHere(node)) return;
  if (!walk.run && !/\S/.test(data)) return;
  if (inside.label && inside.label.includes(squeeze(data))) return;
  const sight = textSight(walk.sights, parentNode(node));
  if (sight !== "gone") addText(walk, node, up, inside.block, sight);
}

// addText adds a piece, a text node or a text, to the open run, or begins another.
export function addText(walk, piece, up, block, sight = "") {
  const { run } = walk;
  if (run && (run.up !== up || run.block !== block || run.blocks !== walk.blocks || run.sight !== sight)) flush(walk);
  if (!walk.run) {
    if (!/\S/.test(rawText(piece))) return;
    walk.run = { up, block, blocks: walk.blocks, sight, pieces: [] };
  }
  walk.run.pieces.push(piece);
}

const rawText = (piece) => (typeof piece === "string" ? piece : textData(piece));

// flush lists the run of text that is open. One that is longer than a node may
// be is split between words, and nothing of it is lost.
export function flush(walk) {
  const run = walk.run;
  if (!run) return;
  walk.run = null;
  let length = 0;
  for (const piece of run.pieces) length += rawText(piece).length;
  if (length * 3 <= TEXT_BYTES) {
    listText(walk, run, null);
    return;
  }
  let line = joined(run.pieces);
  while (line !== "") {
    let part = cutBytes(line, TEXT_BYTES);
    if (part.length < line.length) {
      const at = part.lastIndexOf(" ");
      if (at > part.length / 2) part = part.slice(0, at);
    }
    listText(walk, run, part);
    line = line.slice(part.length).trimStart();
  }
}

function listText(walk, run, part) {
  const { up } = run;
  // A legend or caption that is already the name of what it stands in.
  const names = GROUP_ROLES.has(up.role) || SECTION_ROLES.has(up.role);
  if (names && up.name && (part ?? joined(run.pieces)) === up.name) return;
  const entry = { pieces: run.pieces, part, sight: run.sight, el: null, node: NO_NODE, up, role: "text", actions: NONE, name: null, operable: false, above: up.above, group: "", section: "", steps: 0 };
  placeIn(entry, up);
  // A text inside a label that is a node of its own belongs to that one's control.
  walk.last = up.el && up.node.name === "label" ? null : entry;
  list(walk, entry, up.above);
}

// joined is the text of pieces as it is shown: in the case that CSS gives it,
// white space squeezed, not clamped.
function joined(pieces) {
  return pieces.map(shownText).join("").replace(/\s+/g, " ").trim();
}

// textOf is the text of a text entry.
export const textOfEntry = (entry) => entry.part ?? (entry.part = joined(entry.pieces));

const NO_NODE = Object.freeze({ name: "", type: "", role: "text", host: false });
