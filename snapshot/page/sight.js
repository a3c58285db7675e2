// Whether a person sees the text in an element that is laid out. It is the twin of sight.go.

import { boundingRect, flatParent, hasAttribute, isElement, openRoot, parentNode, styleOf, tag, textSlot } from "./dom.js";
import { CLIPPED_AWAY, FAR_PX, RECT_AWAY } from "./tables.js";

// textSight says how the text right inside an element is seen: "" by everybody, "spoken" only by who has it read out,
// as text for screen readers and text that is folded away, "gone" by nobody. known keeps what was found for the
// elements around it.
export function textSight(known, el) {
  const around = sightIn(known, el);
  if (around === "gone") return around;
  const style = styleOf(el);
  if (style && (style.fontSize === "0px" || isIndentedAway(style))) return "gone";
  return around;
}

function sightIn(known, el) {
  if (!el || !isElement(el)) return "";
  const found = known.get(el);
  if (found !== undefined) return found;
  const own = ownSight(el);
  const sight = own === "gone" ? own : sightIn(known, flatParent(el)) || own;
  known.set(el, sight);
  return sight;
}

function ownSight(el) {
  const style = styleOf(el);
  if (!style || style.display === "contents") return "";
  if (style.opacity === "0") return "gone";
  const placed = style.position === "absolute" || style.position === "fixed";
  if (placed && (parseFloat(style.left) <= -FAR_PX || parseFloat(style.top) <= -FAR_PX)) return "gone";
  if (CLIPPED_AWAY.test(style.clipPath) || (placed && RECT_AWAY.test(style.clip))) return "spoken";
  if (style.overflowX !== "hidden" && style.overflowX !== "clip") return "";
  const box = boundingRect(el);
  return box.width <= 1 || box.height <= 1 ? "spoken" : "";
}

const isIndentedAway = (style) =>
  parseFloat(style.textIndent) <= -FAR_PX || (style.textIndent === "100%" && (style.overflowX === "hidden" || style.overflowX === "clip"));

// shownHere tells whether a text is shown. Its parent is visible already, but
// the light child of a host that gives it no slot is shown nowhere, nor is the
// text of a closed disclosure.
export function shownHere(node) {
  const parent = parentNode(node);
  if (isElement(parent) && tag(parent) === "details" && !hasAttribute(parent, "open")) return false;
  return !(isElement(parent) && openRoot(parent) && !textSlot(node));
}
