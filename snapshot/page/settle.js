// Settling after an effect (R76, CDP 9.6): wait until the page shows some
// frames without a mutation. The observer is put up together with the guard,
// because one that comes after the press misses the handler's own changes.
// Quiet is not "finished": the network is the caller's part.

import { ROOTS_MAX } from "./limits.js";
import { SETTLE_CAP_MS } from "./tables.js";
import { home } from "./world.js";

let watching = null; // {observer, count, last} of the outermost world.

const EVERYTHING = { subtree: true, childList: true, attributes: true, characterData: true };

// watchMutations observes our document, that of the armed element, and every
// shadow root that is known there, up to ROOTS_MAX.
export function watchMutations(armed) {
  if (watching) watching.observer.disconnect();
  const seen = { count: 0, last: performance.now(), observer: null };
  seen.observer = new MutationObserver((records) => {
    seen.count += records.length;
    seen.last = performance.now();
  });
  const roots = new Set([home]);
  if (armed) {
    roots.add(armed.doc);
    for (const scope of armed.scopes) roots.add(scope.root);
  }
  for (const reference of knownRoots) {
    const root = reference.deref();
    if (root && roots.size < ROOTS_MAX) roots.add(root);
  }
  for (const root of roots) seen.observer.observe(root, EVERYTHING);
  watching = seen;
}

// watchNode observes the tree that a node is in, before a page function changes it:
// what a handler does while it runs is over before settle could look.
export const watchNode = (node) => watchMutations({ doc: node.ownerDocument, scopes: [{ root: node.getRootNode() }] });

// knownRoots are the open roots and inner documents that the last walk met,
// held weakly.
let knownRoots = [];

// rememberRoots keeps the first ROOTS_MAX of what a walk met.
export function rememberRoots(roots) {
  knownRoots = roots.slice(0, ROOTS_MAX).map((root) => new WeakRef(root));
}

// mutationCount is the number of records since the watch began, those not yet
// delivered included.
export const mutationCount = () => {
  if (!watching) return 0;
  const late = watching.observer.takeRecords().length;
  if (late > 0) {
    watching.count += late;
    watching.last = performance.now();
  }
  return watching.count;
};

const FRAME_MS = 34; // Two frames at 60 Hz: after that no frame is coming soon.

// nextFrame waits for a frame, or for a timer where no frames are drawn (a
// hidden page), whichever is first.
const nextFrame = () =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, FRAME_MS, false);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });

// settle resolves once `frames` frames in a row saw no mutation and quietMs
// have passed since the last one, or at capMs, and then says dom_changed.
export async function settle({ frames = 2, quietMs = 50, capMs = SETTLE_CAP_MS } = {}) {
  const cap = Math.min(capMs, SETTLE_CAP_MS);
  if (!watching) watchMutations(null);
  const seen = watching;
  const start = performance.now();
  // What a handler put off with a timer of no time belongs to it, and a busy
  // renderer draws frames before it runs timers. Timers run in their order, so ours
  // is behind it; it goes beside the first frame, which a wait before it would miss.
  const putOff = new Promise((resolve) => setTimeout(resolve));
  let quiet = 0;
  let drawn = 0;
  let count = mutationCount();
  for (;;) {
    if (await nextFrame()) drawn++;
    await putOff;
    const at = performance.now();
    const next = watching === seen ? mutationCount() : seen.count;
    quiet = next === count ? quiet + 1 : 0;
    count = next;
    const settled = quiet >= frames && at - seen.last >= quietMs;
    if (!settled && at - start < cap) continue;
    if (watching === seen) {
      seen.observer.disconnect();
      watching = null;
    }
    return { ok: true, quiet: settled, reason: settled ? "dom_quiet" : "dom_changed", ms: Math.round(at - start), frames: drawn, mutations: count };
  }
}
