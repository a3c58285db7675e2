// Where a walk comes to the edge of what it can see: closed roots, frames, plug-in
// documents, and file inputs that nobody sees.

import { actionsOf } from "./admit.js";
import {
  attr, boundingRect, childDocument, clientRects, closest, firstChild, firstElement, getAttribute, isElement,
  localName, matches, nodeType, openRoot, ownerDocument, parentNode, queryDocument, queryFragment, queryIn, tag,
  textContent,
} from "./dom.js";
import { liteName } from "./identity.js";
import { SUSPECT_SIDE, SUSPECTS_MAX } from "./limits.js";
import { isWarm } from "./snap.js";
import { FRAMES_MAX, NO_FILE } from "./tables.js";
import { words } from "./text.js";
import { list, OUTSIDE, overlooked, visit, walkDocument } from "./walk.js";

// A closed shadow root cannot be seen from here, and asking for one would make
// it. What can be seen is an element that might have one: a custom element, an
// element with a box and nothing in it, one whose children are not laid out.
// The walk collects such suspects, one of each custom name, for the caller to
// ask the browser about (DOM.describeNode tells the roots of a node).
const HOSTS = words("article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span");

export function suspect(walk, el, name) {
  const local = localName(el);
  if (local.includes("-")) {
    if (walk.customs.has(local)) return;
    walk.customs.add(local);
    if (hidesRoot(el)) overlooked(walk, "closed_shadow", "closed");
    addSuspect(walk, el);
  } else if (HOSTS.has(name) && !firstChild(el) && walk.suspects.size < SUSPECTS_MAX) {
    const rect = boundingRect(el);
    if (rect.width >= SUSPECT_SIDE && rect.height >= SUSPECT_SIDE) addSuspect(walk, el);
  }
}

// suspectHost notes the parent of a child that is not laid out.
export function suspectHost(walk, el) {
  const parent = parentNode(el);
  if (!isElement(parent) || openRoot(parent)) return;
  if (HOSTS.has(tag(parent)) || localName(parent).includes("-")) addSuspect(walk, parent);
}

function addSuspect(walk, el) {
  if (walk.suspects.size < SUSPECTS_MAX) walk.suspects.add(el);
}

// hidesRoot tells whether a custom element very likely has a closed root: it has
// a box although nothing of its own is in it.
function hidesRoot(el) {
  const rect = boundingRect(el);
  if (rect.width < 1 || rect.height < 1) return false;
  const child = firstElement(el);
  if (!child) return textContent(el).trim() === "";
  return clientRects(child).length === 0;
}

export function visitAreas(walk, image, up, inside) {
  const name = attr(image, "usemap").replace(/^#/, "");
  for (const map of queryDocument(ownerDocument(image), "map")) {
    if (attr(map, "name") !== name) continue;
    for (const area of queryIn(map, "area[href]")) visit(walk, area, up, inside);
    return;
  }
}

// isPicture tells whether an embed element shows a picture by its type or address.
export const isPicture = (el) => /^image\//i.test(attr(el, "type")) || /^data:image\/|\.(?:avif|bmp|gif|jpe?g|png|webp)(?:[?#]|$)/i.test(attr(el, "src"));

// enterFrame walks the document of a frame if it is of our origin and the page
// is one of http or https; else it notes why not.
export function enterFrame(walk, el, name, up, inside) {
  const doc = childDocument(el);
  const sandbox = name === "iframe" ? getAttribute(el, "sandbox") : null;
  if (sandbox !== null && !/(^|\s)allow-same-origin(\s|$)/i.test(sandbox)) {
    overlooked(walk, "frame", "sandboxed");
  } else if (!doc || !/^https?:$/.test(location.protocol)) {
    overlooked(walk, "frame", "cross_origin");
  } else if (walk.open) {
    // Only the controls around the window's end are still counted.
  } else if (walk.frames >= FRAMES_MAX) {
    overlooked(walk, "frame", "limit");
  } else {
    if (walk.options.identity === "computed" && !isWarm(doc, walk.options)) {
      walk.cold = walk.stopped = true;
      return;
    }
    walk.frames++;
    walkDocument(walk, doc, up, { ...OUTSIDE, off: inside.off, depth: inside.depth });
  }
}

// hiddenFiles lists the file inputs that nobody can see, because pages upload
// through them (R227): last, in document order.
export function hiddenFiles(walk, top) {
  for (const root of walk.roots) {
    const query = nodeType(root) === 9 ? queryDocument : queryFragment;
    for (const el of query(root, "input[type=file i]")) {
      if (walk.stopped) return;
      if (walk.files.has(el)) continue;
      walk.files.add(el);
      const disabled = matches(el, ":disabled") || closest(el, "[inert],[aria-disabled=true]") !== null;
      const node = { name: "input", type: "file", role: "button", host: false, file: true, disabled };
      const entry = { el, node, up: top, role: "button", name: liteName(el, "button") || NO_FILE, operable: true, above: 0, group: "", section: "", steps: 0, label: null };
      entry.actions = actionsOf(el, node);
      list(walk, entry, 0);
    }
  }
}
