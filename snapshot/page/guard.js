// The born-armed guard: capture listeners on the window of every document,
// there before the page's first script. While an effect is armed, a trusted
// event that would not reach the armed element is swallowed before any
// listener of the page sees it, and what happened is recorded. That closes the
// gap between our check and the browser's delivery of the input (CDP 9.2, 9.3).
//
// There are three ways an event can go astray, and each ends here:
//   - the layout moved under the pointer, or the focus moved: judge();
//   - the frame was navigated or the event fell into a sibling frame: the armed
//     record names its document, and any other one swallows;
//   - the whole page was navigated: the new document has a new state without an
//     armed record, so every outermost document is born shut and takes no
//     trusted input before the runtime opens it (open, aim, focus, expect) or
//     BORN_SHUT_MS have passed. The runtime opens a new document at once unless
//     its own input is in flight.
// In a frame of another process the outer state cannot be reached: there an
// event is only seen by that frame's own guard, which is not armed.

import {
  activeDocument, activeRoot, contains, defaultView, getRootNode, isElement, labels, method, nodeType, ownerDocument,
} from "./dom.js";
import { describe, lite, sameIdentity } from "./identity.js";
import { ARM_MS, BORN_SHUT_MS, EVENTS_MAX } from "./limits.js";
import { isControl, nestedControl, relay, within } from "./point.js";
import { core, latest, no } from "./registry.js";
import { watchMutations } from "./settle.js";
import { noteSecret } from "./state.js";
import { OWN_INPUT_MS } from "./tables.js";
import { short } from "./text.js";
import { home, renewed, replaced } from "./world.js";

const POINTER = ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu"];
const KEYS = ["keydown", "keypress", "keyup", "beforeinput", "input"];
const DRAGS = ["dragstart", "dragover", "drop"];
const MOTION = ["pointermove", "mousemove", "pointerover", "mouseover"];
const LISTENED = [...POINTER, ...KEYS, "dragstart", "drop"];

export const CONCERNS = {
  click: new Set(POINTER),
  drag: new Set([...POINTER, ...DRAGS]),
  hover: new Set(MOTION),
  scroll: new Set(["wheel"]),
  keys: new Set([...KEYS, "click"]),
};

// WATCHED are the events that a person's take-over is told by (R159).
const WATCHED = new Set(["pointerdown", "keydown", "wheel"]);

const BEGINS = new Set(["pointerdown", "keydown", "beforeinput", "input", "wheel", "pointermove", "mousemove"]);
// TOLD are the events whose arrival the runtime is told of at once, beside the
// first accepted one of every effect.
const TOLD = new Set(["pointerdown", "click", "auxclick", "contextmenu", "keydown", "keypress", "input", "drop"]);
const ENDS_DRAG = new Set(["pointerup", "mouseup", "click", "dragover", "drop"]);

const preventDefault = method(Event.prototype, "preventDefault");
const stopImmediate = method(Event.prototype, "stopImmediatePropagation");
const composedPath = method(Event.prototype, "composedPath");
const listenOn = method(EventTarget.prototype, "addEventListener");
const unlistenOn = method(EventTarget.prototype, "removeEventListener");

// listen installs the listeners. Doing it again is harmless and is needed:
// document.open() removes every listener of the window and the world lives on.
export function listen() {
  for (const type of LISTENED) listenOn(globalThis, type, onTrusted, { capture: true });
  listenOn(globalThis, "wheel", onTrusted, { capture: true, passive: !wheelHeld });
}

// swallow keeps an event from every listener behind ours and from its default
// action. Our standing wheel listener is passive and can only do the first.
function swallow(event) {
  if (event.type !== "wheel" || wheelHeld) preventDefault(event);
  stopImmediate(event);
}

// wheelHeld is set while this document's wheel listener may hold scrolling back.
let wheelHeld = false;

// holdWheel exchanges the passive wheel listener for one that can prevent, and
// back. It is kept passive otherwise so that scrolling never waits for us.
export function holdWheel(held) {
  if (wheelHeld === held) return;
  wheelHeld = held;
  unlistenOn(globalThis, "wheel", onTrusted, { capture: true });
  listenOn(globalThis, "wheel", onTrusted, { capture: true, passive: !held });
}

// taken is set when the guard of the document that took this window over has been
// put in place, so that it is not asked twice.
let taken = false;

// timeOf is the time of an event on the clock that all documents share.
const timeOf = (event) => performance.timeOrigin + event.timeStamp;
export const now = () => performance.timeOrigin + performance.now();

// onTrusted is the one listener of every document.
export function onTrusted(event) {
  if (!event.isTrusted) return;
  if (replaced()) {
    // The listeners of the renewed guard come too late for this very event.
    if (!taken) renewed().guard.onTrusted(event);
    taken = true;
    return;
  }
  const state = core();
  const at = timeOf(event);
  const path = composedPath(event);
  noteSecret(path[0]);
  const armed = state.armed;
  if (armed && at <= armed.until && armed.concerns.has(event.type)) {
    judge(armed, event, path);
    return;
  }
  if (!state.open) {
    if (at < state.born + BORN_SHUT_MS) {
      swallow(event);
      return;
    }
    state.open = true;
  }
  if (WATCHED.has(event.type) && at > state.human.until) {
    state.human.count++;
    for (const reading of state.readings.values()) reading.taken = true;
  }
}

// judge decides on one event of an armed effect.
function judge(armed, event, path) {
  const type = event.type;
  let miss = armed.doc === home ? strayed(armed, event, path) : { by: null, why: "frame" };
  if (!miss && armed.hits === 0) {
    // What was stopped at its beginning stays stopped: a release or a click
    // without an accepted press is none of ours.
    miss = BEGINS.has(type) ? relabelled(armed) : { by: path[0], why: "unpressed" };
  }
  const arrived = !miss;
  const direct = arrived && (!armed.label || path.includes(armed.el));
  if (miss && armed.hits > 0 && tolerated(armed, event, path)) miss = null;
  if (armed.events.length < EVENTS_MAX) armed.events.push((miss ? "-" : "+") + type);
  if (armed.listener) armed.listener();
  if (miss) {
    swallow(event);
    if (!armed.blocked) armed.blocked = blockedBy(miss);
    return;
  }
  if (BEGINS.has(type)) armed.hits++;
  follow(armed, type, arrived, direct);
  if (type === "input") armed.inputs++;
  if (type === "drop") armed.dropped++;
  if (type === "drop" || (armed.drop && type === "pointerup")) armed.drops++;
  if (TOLD.has(type) || (armed.hits === 1 && BEGINS.has(type))) tell(armed, "+" + type);
}

// ENDS_GESTURE are the events that a press and a release of some button become.
const ENDS_GESTURE = new Set(["click", "auxclick", "contextmenu"]);

// follow counts the gestures that arrived whole: press, release and click, in this
// order, each on the element or on what belongs to it. A release or a click
// elsewhere, as after a press that moved the element away, makes none of it. The
// menu event of the right button may come with the press already.
function follow(armed, type, arrived, direct) {
  if (type === "pointerdown" || type === "mousedown") {
    armed.phase = arrived ? "pressed" : "";
  } else if (type === "pointerup" || type === "mouseup") {
    armed.phase = arrived && armed.phase !== "" ? "released" : "";
  } else if (ENDS_GESTURE.has(type) && direct) {
    armed.clicks++;
    if (armed.phase === "released" || (armed.phase === "pressed" && type === "contextmenu")) armed.gestures++;
    armed.phase = "";
  }
}

// tell pushes what the guard has let pass to the runtime, as it happens: a record
// that is only read afterwards is lost with a document that the input makes go
// away. The binding is there in our worlds only, and only where the runtime asked
// for it. What an inner scope stops after all is told with a minus.
function tell(armed, event) {
  const saw = globalThis.troupeSaw;
  if (typeof saw !== "function") return;
  saw(JSON.stringify({
    token: armed.token, presses: armed.hits, clicks: armed.clicks, gestures: armed.gestures,
    inputs: armed.inputs, drops: armed.drops, dropped: armed.dropped, event,
  }));
}

// strayed tells whether an event misses what it was aimed at, and what it
// would have reached instead. Null means that it hits.
function strayed(armed, event, path) {
  const target = armed.drop && armed.hits > 0 && ENDS_DRAG.has(event.type) ? armed.drop : armed;
  const miss = missed(target, armed.kind, event, path);
  // The source of a drag may have captured the pointer; then the events come to it,
  // and their place tells whether they are over the target.
  if (miss && target === armed.drop && path.includes(armed.el) && event.clientX !== undefined && relay(target.scopes, event.clientX, event.clientY).hit) return null;
  return miss && armed.label && !missed(armed.label, armed.kind, event, path) ? null : miss;
}

function missed(target, kind, event, path) {
  const at = path.indexOf(target.el);
  if (at >= 0) {
    if (kind === "keys" || kind === "hover" || kind === "scroll") return null;
    const nested = isElement(path[0]) ? nestedControl(path[0], target.el) : null;
    return nested ? { by: nested, why: "nested" } : null;
  }
  const outermostNode = target.scopes[0].node;
  if (target.scopes.length === 1 || !path.includes(outermostNode)) return { by: path[0], why: "other" };
  // A root that we cannot look into ends the path at its host: ask the scopes
  // themselves, by the place of the event or by the focus.
  if (kind === "keys") return target.scopes.every(scopeFocused) ? null : { by: path[0], why: "other" };
  const seen = relay(target.scopes, event.clientX, event.clientY);
  if (!seen.hit) return { by: seen.cover || path[0], why: "other" };
  const nested = nestedControl(seen.hit, target.el);
  return nested ? { by: nested, why: "nested" } : null;
}

function scopeFocused(scope) {
  const active = nodeType(scope.root) === 9 ? activeDocument(scope.root) : activeRoot(scope.root);
  return active !== null && within(active, scope.node);
}

// relabelled compares the identity once more at the instant of the first
// event, since a list may recycle the very node between check and delivery.
function relabelled(armed) {
  const who = lite(armed.self);
  return sameIdentity(who, armed.identity) ? null : { by: armed.self, why: "changed", was: armed.identity, is: who };
}

// tolerated lets pass what belongs to a gesture that has already hit:
// a click that the browser makes on a label's control or on a default button;
// the end of a press on an element that went away or moved meanwhile, as long
// as no other control would get it; and a key's release after the focus moved.
function tolerated(armed, event, path) {
  const type = event.type;
  if (type === "keyup") return true;
  const target = path[0];
  if (type === "click" && (event.pointerType === "" || event.detail === 0)) return true;
  if (type === "click" && armed.clicks > 0 && isElement(target)) {
    for (const label of labels(target)) if (contains(label, armed.self) || within(label, armed.self)) return true;
  }
  if (BEGINS.has(type) || armed.drop) return false;
  for (const node of path) {
    if (isElement(node) && isControl(node) && !contains(node, armed.self)) return false;
  }
  return armed.doc === home;
}

// blockedBy turns a miss into the refusal that the verdict gives.
function blockedBy(miss) {
  if (miss.why === "unpressed") return no("element_covered", "the input did not begin at the element, and was stopped");
  if (miss.why === "frame") return no("element_covered", "the input would have reached another frame or document, and was stopped");
  if (miss.why === "changed") {
    return no("ref_changed", `the element became ${miss.is.role} "${short(miss.is.name)}" as the input arrived (it was ${miss.was.role} "${short(miss.was.name)}"), and the input was stopped`);
  }
  return { ...no("element_covered", `the input would have reached ${describe(miss.by)}, and was stopped`), by: describe(miss.by) };
}

// arm puts the guard over one effect: {el, scopes} is where the events must
// arrive, self the element of the id (they differ for a control that is
// clicked through its label).
export function arm(state, target, options) {
  disarm(state);
  const token = ++state.tokens;
  const armed = {
    token, el: target.el, scopes: target.scopes, self: options.self, doc: ownerDocument(target.el), kind: options.kind,
    concerns: CONCERNS[options.kind], label: options.label || null, drop: options.drop || null,
    identity: lite(options.self), until: now() + ARM_MS,
    hits: 0, phase: "", clicks: 0, gestures: 0, inputs: 0, drops: 0, dropped: 0,
    events: [], blocked: null, listener: null, roots: [], views: [], release: null,
  };
  state.armed = armed;
  state.open = true;
  listen();
  watchMutations(armed);
  for (const each of [armed, armed.drop]) {
    for (const scope of each ? each.scopes.slice(1) : []) relayOn(armed, scope.root);
  }
  if (options.kind === "hover" || options.kind === "scroll" || options.kind === "drag") listenMore(armed);
  return token;
}

// relayOn listens on a shadow root around the element, where the path is
// complete down to this scope: what passed the window by its place is
// confirmed by its path.
function relayOn(armed, root) {
  const onInner = (event) => {
    if (!event.isTrusted || !armed.concerns.has(event.type) || timeOf(event) > armed.until) return;
    const path = composedPath(event);
    const target = armed.drop && armed.hits > 0 && ENDS_DRAG.has(event.type) ? armed.drop : armed;
    if (path.includes(target.el)) return;
    if (getRootNode(target.el) !== root || tolerated(armed, event, path)) return;
    swallow(event);
    if (!armed.blocked) armed.blocked = blockedBy({ by: path[0], why: "other" });
    tell(armed, "-" + event.type);
  };
  for (const type of armed.concerns) listenOn(root, type, onInner, { capture: true, passive: false });
  armed.roots.push([root, onInner]);
}

// listenMore adds listeners that are too dear to keep, in the element's own
// document: pointer motion, and a wheel listener that may hold scrolling back.
function listenMore(armed) {
  const view = defaultView(armed.doc);
  const own = Object.getOwnPropertyDescriptor(view, "troupe").value.guard;
  const inner = own.onTrusted;
  if (armed.kind === "scroll") {
    own.holdWheel(true);
    armed.release = () => own.holdWheel(false);
  }
  const wanted = armed.kind === "hover" ? MOTION : armed.kind === "drag" ? ["dragover"] : [];
  for (const type of wanted) {
    listenOn(view, type, inner, { capture: true });
    armed.views.push([view, type, inner]);
  }
}

// disarm ends the guard and returns it, null if none was armed.
export function disarm(state) {
  const armed = state.armed;
  if (!armed) return null;
  state.armed = null;
  for (const [root, listener] of armed.roots) {
    for (const type of armed.concerns) unlistenOn(root, type, listener, { capture: true });
  }
  for (const [view, type, listener] of armed.views) unlistenOn(view, type, listener, { capture: true });
  if (armed.release) armed.release();
  return armed;
}

// watch has a listener called at each event that the guard of a token judges, before
// the page sees the event, and returns the guard's record; null for a token that is not armed.
/** @returns {GuardRecord | null} */
export function watch(token, listener) {
  const { armed } = core();
  if (!armed || armed.token !== token) return null;
  armed.listener = listener;
  return armed;
}

// expect opens the window in which trusted input is taken for our own (R158).
export function expect(ms = OWN_INPUT_MS) {
  const state = core();
  state.human.until = Math.max(state.human.until, now() + ms);
  state.open = true;
  return { ok: true };
}

// human tells how many trusted inputs outside our windows were seen in this
// document, and whether there was one since the last snapshot (R159).
export function human() {
  const reading = latest();
  return { ok: true, count: core().human.count, taken: Boolean(reading && reading.taken) };
}

// open lets trusted input into a new document.
export function open() {
  core().open = true;
  return { ok: true };
}
