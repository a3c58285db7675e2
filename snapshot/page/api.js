// The page-side functions of the runtime: the registry of elements, the fence
// around them, and the guard over trusted input. They live in an isolated
// world of every document (R41); the page cannot see or call them, and apart
// from scrolling and focusing where it says so they change nothing in the page.
//
// Where to call. Frames of one process and origin share one registry, the one
// of the outermost document of them. Call everything in the world of the top
// document (`Runtime.evaluate{uniqueContextId: <top world>}`): that world's
// uniqueId is the fence. A call in an inner frame's world is passed on. A node
// of an inner frame is resolved straight into the top world
// (`DOM.resolveNode{backendNodeId, executionContextId: <top world>}`). A frame
// of another origin or process has a state of its own.
//
// Answers are JSON text, except where said. A refusal is
//   {"ok":false,"code":…,"detail":…,"by"?:…,"touched"?:true}
// and is proved to precede any effect, unless touched (focus was moved).
// `by` names what covers the element. Coordinates are CSS pixels for
// Input.dispatchMouseEvent on the top session, the visual viewport's offset
// already subtracted.
//
// ARGS, common to check, grip, handle, aim and focus:
//   i         index of the element
//   g         generation of the snapshot that gave it out
//   act       name of the action (click, hover, scroll, drag, input_text,
//             set_value, select_option, select_choice, set_date, upload_file,
//             key). Disabled is refused for each; read-only for input_text and
//             set_value; hidden for every write but upload_file. Without act,
//             only the fence is tested. aim and focus fill it in.
//   ax        true while the Accessibility domain is enabled: identities are
//             then compared by the browser's own computation
//   href      true: the address must be that at begin(); or the address itself.
//             Leave out under `fence.same_document = keep`
//   takeover  true: refuse with taken_over after a person's input
//   expect    ms that the own-input window stays open (aim and focus; 1500)
// Codes: snapshot_stale, taken_over, ref_detached, ref_changed,
// control_disabled, element_not_actionable, element_covered.
//
// troupe.begin(g, kept?)           {"ok":true,"href"}. Starts generation g (never 0) and
//                                  drops the others but those of the list kept
// troupe.register(node, g, ax?)    the index as a number; the known one again;
//                                  -1: other generation, unreachable frame, full
// troupe.forget(node, g)           register gives the node a new index afterwards
// troupe.check(ARGS)               {"ok":true} or refusal
// troupe.grip(ARGS)                not JSON: {ok:true, node, record} or the refusal as
//                                  an object; for page functions of our own that check
//                                  and act in one evaluation
// troupe.handle(ARGS)              not JSON: the node itself, or a refusal as text (for
//                                  an object id, e.g. DOM.setFileInputFiles)
// troupe.read(i, g?)               {"ok":true, STATE}
//   STATE: connected, disabled, focused, value? (never of a password:
//   withheld:true), value_cut?, values? (option values of a select), checked?
//   (true|false|"mixed"), expanded?, selected?, pressed?
//
// troupe.aim({...ARGS, kind, to?}) kind click (default), hover, scroll, drag (to: index
//                                  of the drop target). Checks, scrolls into view only if
//                                  needed, finds a point, arms the guard for 5 s.
//                                  {"ok":true,"token","x","y","via":"self"|"label",
//                                  "moving":bool,"to_x"?,"to_y"?}
// troupe.reaim(token)              After the reply to mouseMoved: fence and point again,
//                                  without scrolling. {"ok":true,"token","x","y","moved"}
//                                  or a refusal, which also disarms
// troupe.focus({...ARGS, caret})   caret keep (default), end, all. Focuses, sets the caret,
//                                  arms for keydown, keypress, beforeinput, input, keyup.
//                                  {"ok":true,"token","moved":bool (the focus moved)}
// troupe.verdict(token)            Reads and disarms. {"ok":true,"armed":false} for a token
//                                  that is not armed; else {"ok":true,"armed":true,
//                                  "expired","hit","presses","clicks","gestures","inputs","drops",
//                                  "dropped","blocked","events","mutations","state":STATE}
//   hit: true = the input began at the element: the effect happened.
//        false = it was stopped before any listener of the page: not_started;
//        blocked is then the refusal to report.
//        null = no event was seen: lost, or gone to a frame of another process.
//   blocked beside hit true = a later part (second click, drop) was stopped.
//   presses: accepted first events; clicks: accepted click, auxclick or
//   contextmenu events (one more for a label, whose control gets one as well);
//   events: "+pointerdown" accepted, "-click" stopped.
//   Order: send the input events, then verdict, on one session, pipelined.
//
// troupe.watch(token, listener)    not JSON: the guard's record (clicks, blocked, events), null for a
//                                  token that is not armed; listener is called at each event
//                                  that the guard judges, with nothing
//
// troupe.settle({frames:2, quietMs:50, capMs:1500})   promise (awaitPromise) of
//                                  {"ok":true,"quiet","reason":"dom_quiet"|"dom_changed",
//                                  "ms","frames","mutations"}; counts from aim or focus on
// troupe.watchNode(node)           settle counts from here on, in the node's own tree as well
// troupe.mutationCount()           not JSON: how many mutations that watch has seen
// troupe.expect(ms)                opens the own-input window (input without an element)
// troupe.human()                   {"ok":true,"count","taken"}
// troupe.open()                    A new outermost document is born shut: for 1.5 s it takes
//                                  no trusted input, so that a press in flight cannot hit a
//                                  document that replaced the one it was aimed at. The
//                                  runtime calls open() on each new world (also of frames
//                                  of other processes) unless input of its own is in
//                                  flight; aim, focus and expect open it as well.
//
// troupe.cool()                    the Accessibility domain is about to be disabled: snap is
//                                  cold until it is told that it was warmed
//
// troupe.snap(OPTIONS)             One snapshot. Begins the generation, registers what may be
//                                  acted on, and answers
//   {"v":1,"cold":true}            where the browser's computed roles are not offered or slow
//                                  (Accessibility not enabled): nothing was done, use the
//                                  other collector; else
//   {"v":1,"cold":false,"url","title","mode":"full"|"interactive","auto_compacted",
//    "truncated","next_node_offset":n|null,"total":n|null (null: the walk ended early),
//    "frames":n (inner frames read: R107 applies when above 0),"deep":n (cut by max_depth),
//    "unseen":[{"kind","reason","count"}],"nodes":[NODE],
//    "suspects":[index] (elements that may hide a closed root: DOM.describeNode of
//    troupe.handle({g,i}) tells; with one, the other collector sees more)}
//   OPTIONS (defaults): generation; kept [] (as begin's); mode "auto" ("full", "interactive"); query null or
//     {text, role, group, section, fields_only}; offset 0; max_nodes 128; max_depth 32;
//     horizon 4352; bytes_max 65536 (of these nodes as JSON); clickables "strict"
//     ("broad"); outline_bytes 0 (else: auto compacts at that many bytes of the tree
//     projection and at max_nodes); candidates false (true: cards, or under broad
//     clickables); proved null (the elements of which the caller has the evidence of a card: until
//     then a page with what may be one answers {"v":1,"cold":false,"asks":true} and nothing else);
//     warm_limit_ms 20; warmed true (the caller has just asked for the accessibility tree of
//     every frame; false: cold, if it never did so); identity "computed" ("lite": our own names, no flag needed)
//   NODE: i (index, -1: not registered), role, name?, tag?, type?, actions?, value?,
//     secret? (a password, its value withheld), label?, placeholder?, description?, url?,
//     options?, options_cut?, required?, disabled?, readonly?, invalid?, checked?
//     (true|false|"mixed"), expanded?, selected?, pressed?, level?, hint?, depth, group?,
//     section?
//   unseen: frame/cross_origin, frame/sandboxed, frame/limit, frame/object, frame/embed,
//     closed_shadow/closed (guessed), document/modal_dialog (what one shuts off), text/counter
//     (text by CSS that counts), nodes/depth, nodes/deadline.

import { aim, focus, reaim, verdict } from "./aim.js";
import { expect, holdWheel, human, listen, onTrusted, open, watch } from "./guard.js";
import { begin, check, core, forget, grip, own, register } from "./registry.js";
import { mutationCount, settle, watchNode } from "./settle.js";
import { cool, snap } from "./snap.js";
import { read, secrets, watchTypes } from "./state.js";
import { home, renewed, replaced } from "./world.js";

listen();
watchTypes(home);

// document.open() removes listeners but not observers, and it replaces the
// root: put the listeners back before scripts of the new content go on.
new MutationObserver(listen).observe(home, { childList: true });

// Every call is answered by the outermost world that we can reach, where the
// registry is: a caller may hold the world of an inner frame.
const call = (name, f) => (...args) => {
  if (replaced()) return renewed()[name](...args);
  const state = core();
  return state === own ? f(...args) : state.api[name](...args);
};
const textOf = (f) => (...args) => JSON.stringify(f(...args));

const texts = { begin, check, aim, reaim, focus, verdict, expect, human, open, read, cool };
const plain = {
  snap: (options) => {
    const text = snap(options);
    return typeof text === "string" ? text : JSON.stringify(text);
  },
  register,
  forget,
  grip,
  watch,
  watchNode,
  mutationCount,
  handle: (args) => {
    const held = grip(args);
    return held.ok ? held.node : JSON.stringify(held);
  },
  settle: (options) => settle(options).then(JSON.stringify),
};

const api = { home, core: own, secrets, guard: { onTrusted, holdWheel } };
for (const [name, f] of Object.entries(texts)) api[name] = call(name, textOf(f));
for (const [name, f] of Object.entries(plain)) api[name] = call(name, f);
own.api = api;

Object.defineProperty(globalThis, "troupe", {
  configurable: true, // A window that is used again for a new document gets a new one.
  value: Object.freeze(api),
});
