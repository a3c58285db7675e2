// aim, reaim, focus and verdict: the calls around one trusted input.
//
//   aim      fence, scroll, point, guard armed     before mouseMoved or the press
//   reaim    the same once the pointer is there    after the reply to mouseMoved
//   focus    fence, focus, caret, guard armed      before keys or insertText
//   verdict  what the guard saw; disarms           behind the last input event
//
// A refusal of aim has at most scrolled. A refusal of focus that carries
// touched: true has moved the focus and is an effect that may have begun.

import {
  activeDocument, activeRoot, checkVisibility, defaultView, documentBody, focusElement, focusSvg, frameOf,
  getRootNode, hostOf, inputRange, inputSelect, inputValue, labels, namespaceURI, nodeType, ownerDocument, styleOf,
  SVG, tag, textareaRange, textareaSelect, textareaValue,
} from "./dom.js";
import { arm, CONCERNS, disarm, expect, now } from "./guard.js";
import { describe, VISIBILITY } from "./identity.js";
import { ARM_MS } from "./limits.js";
import { locate, pointOf, scopesOf, soleControl, within } from "./point.js";
import { core, grip, no } from "./registry.js";
import { mutationCount } from "./settle.js";
import { isFocused, stateOf } from "./state.js";
import { FRAMES_MAX } from "./tables.js";
import { home } from "./world.js";

const boxless = (el) => {
  const style = styleOf(el);
  return Boolean(style) && style.display === "contents" && style.visibility === "visible";
};

// targetOf is an element with the scopes that lead to it.
const targetOf = (el) => ({ el, scopes: scopesOf(el) });

// covered is the refusal for an element without an accepted point.
function covered(found, where = "") {
  if (found.outside) return no("element_not_actionable", `the element${where} has no part that can be scrolled into view`);
  if (!found.cover) return no("element_covered", `no point of the element${where} can be reached by the pointer`);
  const by = describe(found.cover);
  const detail = found.nested
    ? `every free point of the element${where} belongs to ${by} inside it; act on that instead`
    : `the element${where} is covered by ${by}`;
  return { ...no("element_covered", detail), by };
}

// place finds where to press for an element: on the one control that is all that it
// shows, on itself, or, for a control that cannot be reached, on one of its labels.
function place(el, mayScroll, kind) {
  const inner = kind === "click" ? soleControl(el) : null;
  if (inner) {
    const target = targetOf(inner);
    const found = checkVisibility(inner, VISIBILITY) ? locate(target, mayScroll) : { outside: true };
    if (found.x !== undefined) return { found, target, label: null };
  }
  const visible = checkVisibility(el, VISIBILITY) || boxless(el) || tag(el) === "area";
  const self = targetOf(el);
  const found = visible ? locate(self, mayScroll) : { outside: true, cover: null };
  if (found.x !== undefined) return { found, target: self, label: null };
  for (const label of labels(el)) {
    if (!checkVisibility(label, VISIBILITY)) continue;
    const target = targetOf(label);
    const through = locate(target, mayScroll);
    if (through.x !== undefined) return { found: through, target: self, label: target };
  }
  if (!visible) return { refusal: no("element_not_actionable", "the element is hidden") };
  return { refusal: covered(found) };
}

// aim makes one element ready for trusted pointer input.
export function aim(args) {
  const kind = args.kind || "click";
  const held = grip({ ...args, act: args.act || kind });
  if (!held.ok) return held;
  if (!CONCERNS[kind] || kind === "keys") return no("browser_invalid_request", "no such kind of aim");
  const state = core();
  const placed = place(held.node, true, kind);
  if (placed.refusal) return placed.refusal;
  let found = placed.found;
  const options = { kind, self: held.node, label: placed.label };
  let end = null;
  if (kind === "drag") {
    const other = grip({ ...args, i: args.to, act: "hover" });
    if (!other.ok) return other;
    const target = targetOf(other.node);
    end = locate(target, true);
    if (end.x === undefined) return covered(end, " to drop on");
    found = pointOf(placed.label || placed.target);
    if (found.x === undefined) return no("element_not_actionable", "the element and the one to drop it on do not fit into view together");
    options.drop = target;
  }
  expect(args.expect);
  const token = arm(state, placed.target, options);
  state.armed.args = { ...args, act: args.act || kind };
  state.armed.point = found;
  const out = { ok: true, token, x: found.x, y: found.y, via: placed.label ? "label" : "self", moving: isMoving(held.node) };
  if (end) Object.assign(out, { to_x: end.x, to_y: end.y });
  return out;
}

// reaim repeats the fence and the point after the pointer has arrived, without
// scrolling. moved tells that the point is another one than before.
export function reaim(token) {
  const state = core();
  const armed = state.armed;
  if (!armed || armed.token !== token) return no("element_not_actionable", "the aim was given up");
  const held = grip(armed.args);
  if (!held.ok) {
    disarm(state);
    return held;
  }
  const placed = place(held.node, false, armed.kind);
  if (placed.refusal) {
    disarm(state);
    return placed.refusal;
  }
  const before = armed.point;
  armed.point = placed.found;
  armed.el = placed.target.el;
  armed.scopes = placed.target.scopes;
  armed.label = placed.label;
  armed.until = now() + ARM_MS;
  armed.hits = 0;
  armed.phase = "";
  armed.events = [];
  armed.blocked = null;
  const moved = Math.abs(before.x - armed.point.x) > 0.5 || Math.abs(before.y - armed.point.y) > 0.5;
  return { ok: true, token, x: armed.point.x, y: armed.point.y, moved };
}

// isMoving tells whether an animation that the browser knows runs on the
// element or around it. Motion by script is not in it.
function isMoving(el) {
  for (const animation of ownerDocument(el).getAnimations()) {
    if (animation.playState !== "running") continue;
    const on = animation.effect && animation.effect.target;
    if (on && within(el, on)) return true;
  }
  return false;
}

// focus puts the focus on the element and the caret where asked, and arms the
// guard for keys: what would reach another element is swallowed.
export function focus(args) {
  const held = grip({ ...args, act: args.act || "key" });
  if (!held.ok) return held;
  const el = held.node;
  if (!checkVisibility(el, VISIBILITY)) return no("element_not_actionable", "the element is hidden");
  const state = core();
  const target = targetOf(el);
  const doc = ownerDocument(el);
  const before = framesFocused(doc) && (isFocused(el) || (args.act !== "input_text" && holdsFocus(el)));
  expect(args.expect);
  if (!before) {
    if (namespaceURI(el) === SVG) focusSvg(el);
    else if (tag(el)) focusElement(el);
    // A body is its document's active element whether or not it has been focused.
    if (!framesFocused(doc)) focusView(defaultView(doc));
  }
  if (!framesFocused(doc) || (!isFocused(el) && !holdsFocus(el))) {
    return { ...no("element_not_actionable", "the element does not take the focus"), touched: !before };
  }
  // Focus handlers of the page have run: the fence holds only if it still does.
  const again = before ? held : grip({ ...args, act: args.act || "key" });
  if (!again.ok) return { ...again, touched: true };
  setCaret(el, args.caret || "keep");
  const token = arm(state, target, { kind: "keys", self: el });
  return { ok: true, token, moved: !before };
}

// framesFocused tells whether the focus of the page is in a document: every frame
// around it is the active element of its own document. Else keys go elsewhere,
// whatever the document itself calls active.
function framesFocused(doc) {
  for (let at = doc, hops = 0; at !== home && hops < FRAMES_MAX; hops++) {
    const frame = frameOf(at);
    if (!frame || !isFocused(frame)) return false;
    at = ownerDocument(frame);
  }
  return true;
}

// focusView brings the focus of the page into a frame's document.
const focusView = (view) => view && view.focus();

// holdsFocus tells whether the focus is somewhere inside the element.
function holdsFocus(el) {
  const root = getRootNode(el);
  const active = nodeType(root) === 9 ? activeDocument(root) : hostOf(root) ? activeRoot(root) : null;
  return active !== null && active !== documentBody(ownerDocument(el)) && within(active, el);
}

// setCaret selects all of a field, or puts the caret at its end, or leaves it.
function setCaret(el, caret) {
  if (caret === "keep") return;
  const name = tag(el);
  if (name === "input" || name === "textarea") {
    if (caret === "all") {
      if (name === "input") inputSelect(el);
      else textareaSelect(el);
      return;
    }
    const end = (name === "input" ? inputValue(el) : textareaValue(el)).length;
    try {
      if (name === "input") inputRange(el, end, end);
      else textareaRange(el, end, end);
    } catch {
      // Types such as email and number have no selection of their own.
      defaultView(ownerDocument(el)).getSelection().modify("move", "forward", "documentboundary");
    }
    return;
  }
  const selection = defaultView(ownerDocument(el)).getSelection();
  selection.selectAllChildren(el);
  if (caret === "end") selection.collapseToEnd();
}

// verdict reads and ends the guard of a token. hit is true when the first
// event of the input arrived at the element, false when it was stopped, and
// null when no event was seen at all (it may have gone to a frame of another
// process, or was dropped with a document).
export function verdict(token) {
  const state = core();
  if (!state.armed || state.armed.token !== token) return { ok: true, armed: false };
  const expired = now() > state.armed.until;
  const armed = disarm(state);
  return {
    ok: true, armed: true, expired,
    hit: armed.hits > 0 ? true : armed.blocked ? false : null,
    presses: armed.hits, clicks: armed.clicks, gestures: armed.gestures, inputs: armed.inputs,
    drops: armed.drops, dropped: armed.dropped,
    blocked: armed.blocked, events: armed.events, mutations: mutationCount(),
    state: stateOf(armed.self),
  };
}
