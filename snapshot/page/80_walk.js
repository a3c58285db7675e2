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
// and reported), parts of the browser's own widgets, text made by CSS
// (::before), and the engine's clickable fact.
//
// Every listed node has an entry {el | text, up, role, name, ...}; `up` is the
// entry of the nearest kept ancestor. Entries hold only what later nodes or the
// choice of the window need; the rest is read for the window alone.

// newWalk is the state of one walk. stop(walk) is asked after each listed node.
const newWalk = (options, roleOf, nameOf) => ({
  options, roleOf, nameOf,
  entries: [], // what is listed, as far as the mode wants it
  seen: 0, // listed nodes met, wanted or not
  deep: 0, // listed nodes below the depth limit
  last: null, // the last text that may be a label
  unseen: new Map(), // "kind reason" -> count
  truncated: false, stopped: false,
  frames: 0, cards: 0, roots: [], files: new Set(), owned: new Map(),
  deadline: performance.now() + WALK_MS, steps: 0,
});

function overlooked(walk, kind, reason, count = 1) {
  const key = kind + " " + reason;
  walk.unseen.set(key, (walk.unseen.get(key) || 0) + count);
}

// walkDocument visits a document below an entry.
function walkDocument(walk, doc, up, inside) {
  prepareRoot(walk, doc);
  const modal = topModal(doc);
  const start = modal || documentElement(doc);
  if (start) visit(walk, start, up, inside);
}

// prepareRoot notes a document or open root: for the mutation watch, for hidden
// file inputs, for fields that change their type, and for aria-owns.
function prepareRoot(walk, root) {
  walk.roots.push(root);
  watchTypes(root);
  const query = nodeType(root) === 9 ? queryDocument : queryFragment;
  let budget = OWNED_MAX;
  for (const owner of query(root, "[aria-owns]")) {
    for (const id of attr(owner, "aria-owns").split(/\s+/)) {
      const child = id && budget-- > 0 ? byId(owner, id) : null;
      if (child && child !== owner && !walk.owned.has(child) && !contains(child, owner)) walk.owned.set(child, owner);
    }
  }
}

const ROOT_ENTRY = () => ({ up: null, role: "", name: "", above: 0, heading: "", section: "", group: "", steps: 0, controls: 0 });

// inside is what a walk hands down: named (an ancestor's name already holds the
// text), off (something around is disabled by ARIA), editable, frame (number of
// the frame), depth (elements).
const OUTSIDE = { named: false, off: false, editable: false, frame: 0, depth: 0, hidden: false };

// visit walks one element.
function visit(walk, el, up, inside) {
  if (walk.stopped || outOfTime(walk)) return;
  if (inside.depth >= WALK_DEPTH) {
    overlooked(walk, "nodes", "depth");
    walk.truncated = true;
    return;
  }
  const name = tag(el);
  if (SILENT.has(name)) return;
  const hidden = hiddenNow(el, name);
  if (hidden === "subtree") return;
  const node = look(walk, el, name, inside);
  node.hidden = hidden === "self";
  const entry = node.hidden ? null : enter(walk, el, node, up);
  const next = {
    named: inside.named || Boolean(entry && entry.named),
    off: node.off, editable: node.editable, frame: inside.frame, depth: inside.depth + 1, hidden: node.hidden,
  };
  descend(walk, el, node, entry || up, next);
}

function outOfTime(walk) {
  if ((++walk.steps & 255) !== 0 || performance.now() < walk.deadline) return false;
  overlooked(walk, "nodes", "deadline");
  walk.truncated = walk.stopped = true;
  return true;
}

const SILENT = words("script style noscript template head meta link base title datalist param source track");

// hiddenNow tells whether an element is hidden with all that is in it
// ("subtree"), by itself only ("self": its children may be visible), or not ("").
function hiddenNow(el, name) {
  if (getAttribute(el, "aria-hidden") === "true" || hasAttribute(el, "inert")) return "subtree";
  if (checkVisibility(el, VISIBILITY)) return "";
  const style = styleOf(el);
  if (!style) return "subtree";
  if (style.display === "contents") return style.visibility === "visible" ? "" : "self";
  if (style.display === "none") return name === "area" ? "" : "subtree";
  return style.visibility === "visible" ? "subtree" : "self";
}

// look reads what decides whether and how an element is listed.
function look(walk, el, name, inside) {
  const node = { name, type: "", role: "generic", host: false, disabled: false, readonly: false, editable: inside.editable };
  const marked = !PLAIN.has(name) || PLAIN_ATTRIBUTES.some((each) => hasAttribute(el, each));
  node.marked = marked;
  node.off = inside.off || getAttribute(el, "aria-disabled") === "true";
  if (!marked) return node;
  if (name === "input") node.type = inputType(el);
  node.role = walk.roleOf(el) || "generic";
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
  node.disabled = node.off || (native || name === "option" ? matches(el, ":disabled") : false);
  if (walk.options.candidates) {
    if (walk.options.clickables === "broad") node.pointer = isBroad(el, node);
    else if (walk.cards < CARDS_MAX && isCard(el, node)) {
      node.card = true;
      walk.cards++;
    }
  }
  if (!node.marked && !node.pointer && !node.card) return null;
  const operable = isOperable(name, role, node.host);
  let actions = NONE;
  if (operable || native || name === "label" || node.draggable || node.pointer || node.card || name === "summary") {
    node.readonly = isReadonly(el);
    node.focusable = node.tabbable || (name !== "" && tabIndexHtml(el) >= 0);
    actions = actionsOf(el, node);
    if (name === "input" && node.type === "file") walk.files.add(el);
  }
  const empty = EMPTY_ROLES.has(role) || INLINE_ROLES.has(role);
  const shape = SHAPES.has(role) && namespaceURI(el) === SVG;
  const entry = { el, node, up, role, actions, name: null, operable, above: up.above, heading: "", section: "", group: "", steps: 0, controls: 0, named: false, label: null };
  if (empty || shape) nameEmpty(walk, entry, shape);
  const listed = actions.length > 0 || node.card || !(empty || shape) || (entry.name !== "" && !INLINE_ROLES.has(role) && role !== "rowgroup");
  if (!listed && !node.host && !node.draggable && !node.tabbable) return null;
  if (role === "heading" || GROUP_ROLES.has(role) || SECTION_ROLES.has(role)) nameNow(walk, entry);
  entry.named = CONTENT_NAMED.has(role) && (entry.name === null ? namesContent(walk, entry) : entry.name !== "");
  placeIn(entry, up);
  note(walk, entry);
  if (listed) {
    entry.above = up.above + 1;
    list(walk, entry, up.above);
  }
  return entry;
}

const NONE = Object.freeze([]);
const NATIVE_CONTROLS = words("input select textarea button");
// SHAPES are roles of drawn parts, which count only with a name.
const SHAPES = words("group graphics-symbol graphics-object graphics-document generic");

// nameEmpty reads the name of an element whose role says nothing: only where an
// attribute or an SVG title could give it one.
function nameEmpty(walk, entry, shape) {
  const el = entry.el;
  const may = hasAttribute(el, "aria-label") || hasAttribute(el, "aria-labelledby") || hasAttribute(el, "title") || shape;
  entry.name = may ? walk.nameOf(el) : "";
}

const nameNow = (walk, entry) => {
  if (entry.name === null) entry.name = walk.nameOf(entry.el);
  return entry.name;
};

// namesContent tells whether an element named by its content has a name. Where
// the mode will not show it, having any text is answer enough.
function namesContent(walk, entry) {
  if (walk.wants(entry)) return nameNow(walk, entry) !== "";
  return true;
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
    for (let steps = 0; at && at.up && steps < NEARBY_STEPS; steps++, at = at.up) at.controls++;
  }
  const { node } = entry;
  if (isField(node.name, node.type, entry.role, node.host)) {
    entry.label = walk.last;
    walk.last = null;
  } else if (entry.operable || entry.role === "heading") walk.last = null;
}

// list counts a listed node and stores it where the mode wants it.
function list(walk, entry, above) {
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
  if (walk.enough(entry)) walk.stopped = true;
}

// descend goes to what is inside an element.
function descend(walk, el, node, up, inside) {
  const { name } = node;
  if (NO_INSIDE.has(name)) return;
  if (name === "iframe" || name === "frame" || name === "object") {
    if (enterFrame(walk, el, name, up, inside)) return;
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
    if (localName(el).includes("-") && hidesRoot(el)) overlooked(walk, "closed_shadow", "closed");
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
  } else if (type === 3 && !inside.named && !inside.hidden) visitText(walk, child, up);
}

// visitText lists a run of text.
function visitText(walk, node, up) {
  const data = textData(node);
  if (!/\S/.test(data) || !hasBox(node)) return;
  const entry = { text: node, node: NO_NODE, up, role: "text", actions: NONE, name: null, operable: false, above: up.above, group: "", section: "", steps: 0 };
  placeIn(entry, up);
  walk.last = entry;
  list(walk, entry, up.above);
}

const NO_NODE = Object.freeze({ name: "", type: "", role: "text", host: false });

// hasBox tells whether a text is shown. Its parent is visible already; text can
// still be shown nowhere, as the fallback inside a canvas or an unslotted child.
function hasBox(node) {
  const parent = parentNode(node);
  return !(isElement(parent) && openRoot(parent) && !textSlot(node));
}

// hidesRoot guesses that an element has a closed shadow root: a custom element
// that has a box although nothing of its own is in it, or whose own children
// are not shown.
function hidesRoot(el) {
  const rect = boundingRect(el);
  if (rect.width < 1 || rect.height < 1) return false;
  const child = firstElement(el);
  if (!child) return textContent(el).trim() === "";
  return clientRects(child).length === 0;
}

function visitAreas(walk, image, up, inside) {
  const name = attr(image, "usemap").replace(/^#/, "");
  for (const map of queryDocument(ownerDocument(image), "map")) {
    if (attr(map, "name") !== name) continue;
    for (const area of queryIn(map, "area[href]")) visit(walk, area, up, inside);
    return;
  }
}

// enterFrame walks the document of a frame if it is of our origin and the page
// is one of http or https; else it notes why not. False means: not a frame.
function enterFrame(walk, el, name, up, inside) {
  const doc = childDocument(el);
  if (name === "object" && !doc) return false;
  const sandbox = name === "iframe" ? getAttribute(el, "sandbox") : null;
  if (sandbox !== null && !/(^|\s)allow-same-origin(\s|$)/i.test(sandbox)) {
    overlooked(walk, "frame", "sandboxed");
  } else if (!doc || !/^https?:$/.test(location.protocol)) {
    overlooked(walk, "frame", "cross_origin");
  } else if (walk.frames >= FRAMES_MAX) {
    overlooked(walk, "frame", "limit");
  } else {
    walk.frames++;
    walkDocument(walk, doc, up, { ...OUTSIDE, off: inside.off, frame: walk.frames, depth: inside.depth });
  }
  return true;
}

// hiddenFiles lists the file inputs that nobody can see, because pages upload
// through them (R227): last, in document order.
function hiddenFiles(walk, top) {
  for (const root of walk.roots) {
    const query = nodeType(root) === 9 ? queryDocument : queryFragment;
    for (const el of query(root, "input[type=file i]")) {
      if (walk.stopped) return;
      if (walk.files.has(el)) continue;
      walk.files.add(el);
      const disabled = matches(el, ":disabled") || closest(el, "[inert]") !== null;
      const node = { name: "input", type: "file", role: "button", host: false, file: true, disabled };
      const entry = { el, node, up: top, role: "button", name: liteName(el, "button") || "Choose File", operable: true, above: 0, group: "", section: "", steps: 0, label: null };
      entry.actions = actionsOf(el, node);
      list(walk, entry, 0);
    }
  }
}
