// Where to press: a point at which a trusted mouse event reaches the element.
//
// Hit tests run through every tree scope (document, then each shadow root
// inward, closed ones too, because the element's own root answers) and then
// outward through the frames. All points are CSS pixels. A point is accepted
// only if nothing else lies over it and no other control lies between the
// thing hit and the element.

import {
  areaCoords, areaShape, attr, boundingRect, clientRects, closest, contains, createRange, defaultView, flatParent,
  frameOf, getAttribute, getRootNode, hitDocument, hitRoot, hostOf, labelControl, matches, nodeType, ownerDocument,
  parentNode, queryDocument, queryFragment, queryIn, scrollIntoView, slotted, styleOf, tag, textContent,
} from "./dom.js";
import { DEPTH_MAX, RECTS_MAX, TEXT_NODES } from "./limits.js";
import { FRAMES_MAX } from "./tables.js";
import { home } from "./world.js";

// CONTROL matches what reacts to a click of its own.
const CONTROL =
  "a[href],area[href],button,input,select,textarea,summary,label,option,[contenteditable=''],[contenteditable=true]," +
  "[contenteditable=plaintext-only],[role=button],[role=link],[role=checkbox],[role=radio],[role=switch],[role=tab]," +
  "[role=menuitem],[role=menuitemcheckbox],[role=menuitemradio],[role=option],[role=treeitem],[role=combobox]," +
  "[role=textbox],[role=searchbox],[role=slider],[role=spinbutton]";

// NATIVE matches controls whose content the browser presses for them.
const NATIVE = "a[href],button,input,select,textarea,summary,label";

// isControl is CONTROL and whatever the page made focusable by itself.
export const isControl = (el) => matches(el, CONTROL) || Number(getAttribute(el, "tabindex") ?? -1) >= 0;

// scopesOf lists the tree scopes from the document of the element inward, each
// with the node in it that must be hit: the host of the next, or the element.
export function scopesOf(el) {
  const out = [];
  let node = el;
  for (let hops = 0; node && hops < DEPTH_MAX; hops++) {
    const root = getRootNode(node);
    out.push({ root, node });
    node = hostOf(root);
  }
  return out.reverse();
}

const hitIn = (root, x, y) => (nodeType(root) === 9 ? hitDocument(root, x, y) : hitRoot(root, x, y));

// within tells whether a node is shown inside the element: by the flat tree,
// or, where a closed root hides the slot, by the slots inside the element.
export function within(node, el) {
  for (let at = node, hops = 0; at && hops < DEPTH_MAX; at = flatParent(at), hops++) {
    if (at === el) return true;
  }
  if (getRootNode(el) === ownerDocument(el)) return false;
  for (const slot of queryIn(el, "slot")) {
    for (const shown of slotted(slot, { flatten: true })) {
      if (shown === node || contains(shown, node)) return true;
    }
  }
  return tag(el) === "slot" && slotted(el, { flatten: true }).some((shown) => shown === node || contains(shown, node));
}

// relay runs the hit test at a point of the element's own document. It returns
// {hit} for the innermost thing hit inside the element, or {cover}.
export function relay(scopes, x, y) {
  for (let at = 0; at < scopes.length; at++) {
    const scope = scopes[at];
    const hit = hitIn(scope.root, x, y);
    if (!hit) return { cover: null };
    const shown = getRootNode(hit) === scope.root ? hit : slotWith(scope.root, hit, x, y) || hit;
    if (!within(shown, scope.node)) return { cover: shown };
    if (at === scopes.length - 1) return { hit: shown };
  }
  return { cover: null };
}

const SLOTS_MAX = 64; // Slots of one shadow root asked for the text at a point; further ones are taken to be elsewhere.

// slotWith is the slot of a root through which the text at a point is shown, null
// without one. A hit test tells an element, and for a text that was put into the
// slot that is the text's parent, which stands outside of the root: the host, or
// something around it. The browser itself sends the event through the slot. Of
// slots in each other the innermost counts; one that takes no pointer events lets
// them go to what lies below.
function slotWith(root, hit, x, y) {
  if (nodeType(root) !== 11) return null;
  let found = null;
  for (const slot of Array.from(queryFragment(root, "slot")).slice(0, SLOTS_MAX)) {
    const texts = slotted(slot, { flatten: true }).filter((node) => nodeType(node) === 3 && parentNode(node) === hit);
    if (texts.slice(0, TEXT_NODES).some((text) => textAt(text, x, y)) && styleOf(slot).pointerEvents !== "none") found = slot;
  }
  return found;
}

// textAt tells whether a text is drawn at a point.
function textAt(text, x, y) {
  const range = createRange(ownerDocument(text));
  range.selectNodeContents(text);
  return Array.from(range.getClientRects()).some((box) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom);
}

// nestedControl is another control between the thing hit and the element that
// would take the click for itself, null if there is none. A label belongs to
// its control, and a control to its label, and neither disturbs the other.
export function nestedControl(hit, el) {
  for (let at = hit, hops = 0; at && at !== el && hops < DEPTH_MAX; at = flatParent(at), hops++) {
    if (!isControl(at)) continue;
    if (tag(at) === "label") {
      const control = labelControl(at);
      if (!control || control === el || within(control, el)) continue;
    }
    if (tag(el) === "label" && labelControl(el) === at) continue;
    return at;
  }
  return null;
}

// probe tests one point of the element's document and maps it outward. It
// returns {x, y} in the outermost viewport, or {cover, nested}.
function probe(target, x, y) {
  const seen = relay(target.scopes, x, y);
  if (!seen.hit) return { cover: seen.cover };
  const nested = nestedControl(seen.hit, target.el);
  if (nested) return { cover: nested, nested: true };
  let doc = ownerDocument(target.el);
  for (let hops = 0; doc !== home; hops++) {
    const frame = frameOf(doc);
    if (!frame || hops > FRAMES_MAX) return { cover: null };
    const point = outward(frame, x, y);
    x = point.x;
    y = point.y;
    const outer = relay(scopesOf(frame), x, y);
    if (outer.hit !== frame) return { cover: outer.hit || outer.cover };
    doc = ownerDocument(frame);
  }
  const view = globalThis.visualViewport;
  return { x: x - (view ? view.offsetLeft : 0), y: y - (view ? view.offsetTop : 0) };
}

// outward maps a point of a frame's viewport to that of its parent. It is exact
// for borders, padding, scrolling, zoom and every flat transform. For perspective
// and turns out of the plane it is not; there the hit test or the guard refuses.
function outward(frame, x, y) {
  const rect = boundingRect(frame);
  const style = styleOf(frame);
  const left = frame.clientLeft + (parseFloat(style.paddingLeft) || 0) + x;
  const top = frame.clientTop + (parseFloat(style.paddingTop) || 0) + y;
  const width = frame.offsetWidth || 1;
  const height = frame.offsetHeight || 1;
  const m = turned(frame);
  if (!m) return { x: rect.left + (left * rect.width) / width, y: rect.top + (top * rect.height) / height };
  // The middle of a box stays the middle of the box around its image.
  const zoom = frame.currentCSSZoom || 1;
  const dx = (left - width / 2) * zoom;
  const dy = (top - height / 2) * zoom;
  return { x: (rect.left + rect.right) / 2 + m.a * dx + m.c * dy, y: (rect.top + rect.bottom) / 2 + m.b * dx + m.d * dy };
}

// turned is the linear part of the transforms on a frame and around it, null where
// they only move and scale it, or leave the plane.
function turned(frame) {
  let all = new DOMMatrix();
  for (let at = frame, hops = 0; at && hops < DEPTH_MAX; at = flatParent(at), hops++) {
    const style = styleOf(at);
    if (!style) break;
    const own = new DOMMatrix();
    if (style.rotate !== "none") own.multiplySelf(asMatrix(`rotate(${style.rotate})`));
    if (style.scale !== "none") own.multiplySelf(asMatrix(`scale(${style.scale.split(" ").join(",")})`));
    if (style.transform !== "none") own.multiplySelf(asMatrix(style.transform));
    all = own.multiply(all);
    if (matches(at, ":modal,:popover-open")) break; // What is around the top layer does not turn it.
  }
  const still = Math.abs(all.b) < STILL && Math.abs(all.c) < STILL && all.a > 0 && all.d > 0;
  return still || !all.is2D ? null : all;
}

// STILL is the slope under which a frame of any size stays within a pixel.
const STILL = 1e-5;

// asMatrix reads a transform; one that turns about an axis of its own is no flat
// one, and counts as none.
function asMatrix(text) {
  try {
    return new DOMMatrix(text);
  } catch {
    return new DOMMatrix();
  }
}

// rectsOf lists the boxes of the element that a point may be taken from, or
// those of its descendants or contents where it has none of its own.
function rectsOf(el) {
  const big = (rect) => rect.width >= 1 && rect.height >= 1;
  if (tag(el) === "area") return areaRects(el);
  let rects = Array.from(clientRects(el)).filter(big);
  if (rects.length > 0) return rects.slice(0, RECTS_MAX);
  const style = styleOf(el);
  if (!style || style.visibility !== "visible") return [];
  for (const child of Array.from(queryIn(el, "*")).slice(0, TEXT_NODES)) {
    rects.push(...Array.from(clientRects(child)).filter(big));
    if (rects.length >= RECTS_MAX) return rects.slice(0, RECTS_MAX);
  }
  if (rects.length > 0) return rects;
  const range = createRange(ownerDocument(el));
  range.selectNodeContents(el);
  return Array.from(range.getClientRects()).filter(big).slice(0, RECTS_MAX);
}

// areaRects is the box of an image map's area, from its coordinates inside the
// content box of the image that uses the map.
function areaRects(el) {
  const map = closest(el, "map");
  const name = map ? attr(map, "name") : "";
  const image = Array.from(queryDocument(ownerDocument(el), "img[usemap]")).find((each) => attr(each, "usemap") === "#" + name);
  if (!image) return [];
  const box = boundingRect(image);
  const style = styleOf(image);
  const left = box.left + image.clientLeft + (parseFloat(style.paddingLeft) || 0);
  const top = box.top + image.clientTop + (parseFloat(style.paddingTop) || 0);
  const at = areaCoords(el).split(",").map(Number);
  const shape = areaShape(el).toLowerCase();
  if (shape === "circle" || shape === "circ") {
    const side = at[2] * Math.SQRT2;
    return [new DOMRect(left + at[0] - side / 2, top + at[1] - side / 2, side, side)];
  }
  if (shape === "default") return [box];
  const xs = at.filter((_, index) => index % 2 === 0);
  const ys = at.filter((_, index) => index % 2 === 1);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return [new DOMRect(left + x, top + y, Math.max(...xs) - x, Math.max(...ys) - y)];
}

const SPOTS = [
  [0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75],
  [0.1, 0.1], [0.9, 0.1], [0.1, 0.9], [0.9, 0.9],
  [0.03, 0.5], [0.97, 0.5], [0.5, 0.03], [0.5, 0.97],
];

// spotsIn yields the candidates of a box, clipped to its document's viewport.
function spotsIn(rect, view) {
  const left = Math.max(rect.left, 0);
  const top = Math.max(rect.top, 0);
  const right = Math.min(rect.right, view.innerWidth);
  const bottom = Math.min(rect.bottom, view.innerHeight);
  if (right - left < 1 || bottom - top < 1) return [];
  return SPOTS.map(([fx, fy]) => [whole(left, right, fx), whole(top, bottom, fy)]);
}

// whole prefers a whole pixel, because a mouse event's position loses its
// fraction, as long as that pixel is inside the box.
function whole(from, to, part) {
  const at = from + (to - from) * part;
  const round = Math.floor(at);
  return round >= from && round + 1 <= to ? round : at;
}

// RIM is the width, in CSS pixels, under which what is free around a control inside
// the element counts as its border: nobody aims at that.
const RIM = 4;

// onRim tells whether a point lies in such a border: another control is within RIM.
function onRim(target, rect, x, y) {
  return [[RIM, 0], [-RIM, 0], [0, RIM], [0, -RIM]].some(([dx, dy]) => {
    const [nx, ny] = [x + dx, y + dy];
    if (nx <= rect.left || nx >= rect.right || ny <= rect.top || ny >= rect.bottom) return false;
    return probe(target, nx, ny).nested === true;
  });
}

// soleControl is the one control that is all that an element shows, null without:
// a tab around a link, an item around a button. What a person presses is the
// control.
export function soleControl(el) {
  if (matches(el, NATIVE)) return null;
  const inside = Array.from(queryIn(el, CONTROL)).filter((each) => tag(each) !== "label" && tag(each) !== "option");
  if (inside.length !== 1) return null;
  const words = (node) => (textContent(node) || "").replace(/\s+/g, "");
  return words(inside[0]) !== "" && words(inside[0]) === words(el) ? inside[0] : null;
}

// pointOf looks for an accepted point without scrolling: {x, y}, or {cover}
// with what lay over the first candidate, or {outside: true} where no box of
// it is in view.
export function pointOf(target) {
  const view = defaultView(ownerDocument(target.el));
  let first = null;
  for (const rect of rectsOf(target.el)) {
    for (const [x, y] of spotsIn(rect, view)) {
      const found = probe(target, x, y);
      if (found.x !== undefined && !(first && first.nested && onRim(target, rect, x, y))) return found;
      if (found.x !== undefined) continue;
      if (!first || (first.cover === null && found.cover)) first = found;
    }
  }
  return first || { outside: true, cover: null };
}

// PLACES are where an element is brought to, one after the other: what is fixed
// over the page may leave only one of them free, on either axis.
const PLACES = [
  ["center", "nearest"], ["nearest", "nearest"], ["end", "nearest"], ["start", "nearest"],
  ["nearest", "center"], ["nearest", "end"], ["nearest", "start"],
];

// bring scrolls the element to a place in view, and then each frame around it,
// because scrolling does not leave a frame that is fixed.
function bring(el, [block, inline]) {
  scrollIntoView(el, { block, inline, behavior: "instant" });
  let doc = ownerDocument(el);
  for (let hops = 0; doc !== home && hops < FRAMES_MAX; hops++) {
    const frame = frameOf(doc);
    if (!frame) return;
    scrollIntoView(frame, { block: "nearest", inline: "nearest", behavior: "instant" });
    doc = ownerDocument(frame);
  }
}

// locate finds a point, scrolling only if it must. Refusals name the cover.
export function locate(target, mayScroll = true) {
  let found = pointOf(target);
  for (const place of mayScroll ? PLACES : []) {
    if (found.x !== undefined) return found;
    bring(target.el, place);
    found = pointOf(target);
  }
  return found;
}
