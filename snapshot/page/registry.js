// The registry of the elements that a snapshot gave out, and the fence around
// each of them (C9, R29-R35).
//
// Every frame has a world of its own, but the worlds of same-origin frames in
// one process reach each other, and a node is the same object in all of them.
// So there is one registry for all frames that can be reached: that of the
// outermost one (`core()`). One evaluation in that one world then checks and
// acts atomically for elements of every frame, and the world's uniqueId is the
// fence of the whole page. What the outer world's id does not tell, that an
// inner frame was navigated, is tested here: the chain of frames from the
// element's document up to ours must still stand as it stood at the snapshot
// (R107). Nodes are held strongly, for the generations that still count only:
// the last one of each reader (C40). Nothing is ever written to the page (C9).

import { childDocument, frameOf, isConnected, isElement, localName, ownerDocument, queryDocument } from "./dom.js";
import { disarm, listen } from "./guard.js";
import { computed, lite, sameIdentity } from "./identity.js";
import { DEPTH_MAX, TWINS_MAX } from "./limits.js";
import { refusedState } from "./state.js";
import { FRAMES_MAX, NODES_MAX } from "./tables.js";
import { short } from "./text.js";
import { home } from "./world.js";

// own is this world's share of the state. Only the outermost one is used.
export const own = {
  readings: new Map(), // generation -> what its snapshot gave out
  armed: null,
  human: { count: 0, until: 0 },
  open: false,
  born: performance.timeOrigin + performance.now(),
  tokens: 0,
};

// newReading is what one snapshot gives out.
const newReading = () => ({
  href: topHref(),
  records: [], // {node, doc, role, name, lite, ax}
  indexOf: new Map(), // node -> index
  frames: new Map(), // inner document -> its frame element, at registration
  taken: false, // a person used the page since
});

let outermost = null;

// core is the state of the outermost world that we can reach. It cannot change
// while this document lives, since a parent that goes takes its frames along.
export function core() {
  if (outermost) return outermost;
  let best = own;
  /** @type {any} */
  let view = globalThis;
  let final = true;
  for (let hops = 0; hops < DEPTH_MAX; hops++) {
    let next = null;
    try {
      const parent = view.parent;
      if (!parent || parent === view) break;
      const found = Object.getOwnPropertyDescriptor(parent, "troupe");
      next = found && found.value && found.value.core ? found.value.core : null;
      if (!next) final = false; // Same origin, but not booted yet: ask again.
      view = parent;
    } catch {
      break; // Another origin, or another process.
    }
    if (!next) break;
    best = next;
  }
  if (final) outermost = best;
  return best;
}

// no is the shape of every refusal. All of them are proved to precede any
// effect on the page unless they carry touched: true.
/** @type {(code: string, detail: string) => Refusal} */
export const no = (code, detail) => ({ ok: false, code, detail });

// begin drops every reading but those of the kept generations, which are of other
// readers, and starts that of a new snapshot. The sign of a person's input is its
// own (R159). It ends a guard that was left behind.
export function begin(generation, kept = []) {
  const state = core();
  disarm(state);
  for (const old of state.readings.keys()) if (!kept.includes(old)) state.readings.delete(old);
  state.readings.delete(generation); // The newest stands last.
  const reading = newReading();
  state.readings.set(generation, reading);
  listen();
  return { ok: true, href: reading.href };
}

// latest is the reading that began last, undefined without one.
export const latest = () => [...core().readings.values()].pop();

const topHref = () => String(location.href);

// register stores the node with its identity and returns its index, the known
// one if it is registered already, and -1 for another generation, for a node
// outside the documents that we reach, and beyond NODES_MAX.
export function register(node, generation, ax = false) {
  return registerAs(node, generation, ax ? computed(node) : null);
}

// registerAs takes the browser's own identity from a caller that has just read it.
export function registerAs(node, generation, identity) {
  const reading = core().readings.get(generation);
  if (!reading || !isElement(node)) return -1;
  const known = reading.indexOf.get(node);
  if (known !== undefined) return known;
  if (reading.records.length >= NODES_MAX) return -1;
  const doc = ownerDocument(node);
  if (!rememberFrames(reading, doc)) return -1;
  const index = reading.records.length;
  reading.records.push({ node, doc, lite: lite(node), ax: identity });
  reading.indexOf.set(node, index);
  return index;
}

// forget lets an element of a generation be registered anew, under the identity that
// it has then. The index it had stays what it was.
export function forget(node, generation) {
  const reading = core().readings.get(generation);
  if (reading) reading.indexOf.delete(node);
}

// rememberFrames notes the frames between a document and ours; false where the
// chain does not lead here.
function rememberFrames(reading, doc) {
  for (let hops = 0; doc !== home; hops++) {
    if (reading.frames.has(doc)) return true;
    const frame = frameOf(doc);
    if (!frame || hops > FRAMES_MAX) return false;
    reading.frames.set(doc, frame);
    doc = ownerDocument(frame);
  }
  return true;
}

// framesStand tells whether every frame that gave out elements still shows the
// document it showed then, in the same place (R107).
function framesStand(reading) {
  for (const [doc, frame] of reading.frames) {
    if (!isConnected(frame) || childDocument(frame) !== doc) return false;
  }
  return true;
}

// grip is the fence: it returns {ok, node, record}, or the first refusal. The
// order is that of R34: generation, membership, presence, identity, state.
/** @returns {Grip | Refusal} */
export function grip(args) {
  const reading = core().readings.get(args.g);
  if (!reading) {
    return no("snapshot_stale", "a later snapshot replaced the one this element comes from; take the id from a new snapshot");
  }
  if (args.takeover && reading.taken) {
    return no("taken_over", "a person used the page since the snapshot; take a new snapshot");
  }
  if (args.href !== undefined && args.href !== false) {
    const expected = args.href === true ? reading.href : args.href;
    if (topHref() !== expected) return no("snapshot_stale", "the page moved to another address since the snapshot; take a new snapshot");
  }
  const record = reading.records[args.i];
  if (!record) return no("ref_detached", "the snapshot gave out no such element; take a new snapshot");
  if (!framesStand(reading)) return no("snapshot_stale", "a frame of the page was replaced since the snapshot; take a new snapshot");
  const node = record.node;
  if (ownerDocument(node) !== record.doc) return no("ref_detached", "the element was moved to another document; take a new snapshot");
  if (!isConnected(node)) return no("ref_detached", lost(record));
  const changed = changedIdentity(record, args.ax);
  if (changed) return changed;
  const refused = args.act ? refusedState(node, args.act) : null;
  return refused || { ok: true, node, record };
}

// changedIdentity compares the identity now with the one at registration, by
// the browser's computation where both times allow it, else by our own (R33).
function changedIdentity(record, ax) {
  const before = ax && record.ax ? record.ax : record.lite;
  const now = ax && record.ax ? computed(record.node) : lite(record.node);
  if (sameIdentity(before, now)) return null;
  const was = `${before.role} "${short(before.name)}"`;
  const is = `${now.role} "${short(now.name)}"`;
  return no("ref_changed", `the element was ${was} and is now ${is}; take a new snapshot`);
}

// lost says what became of a node that is no longer in the document: whether
// one with the same role and name stands there now.
function lost(record) {
  const name = localName(record.node);
  let budget = TWINS_MAX;
  for (const other of queryDocument(record.doc, name)) {
    if (budget-- <= 0) break;
    if (sameIdentity(lite(other), record.lite)) {
      return "the element was replaced by another one with the same role and name; take a new snapshot";
    }
  }
  return "the element was removed from the page; take a new snapshot";
}

// check answers the fence alone, without touching the page.
export function check(args) {
  const held = grip(args);
  return held.ok ? { ok: true } : held;
}
