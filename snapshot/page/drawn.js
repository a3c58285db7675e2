// A choice that is only drawn: it takes the focus and has the class of a component
// for choosing, and nothing in it or on it says what it is (R92). It is the twin of
// drawn.go.

import { isSeen } from "./admit.js";
import { attr, getAttribute, hostOf, nodeType, parentNode, queryIn, tag } from "./dom.js";
import { explicitRole } from "./identity.js";
import { CLICK_ROLES, DATE_WORDS, DRAWN_INSIDE, DRAWN_WORDS, FIELD_ROLES, HINT_ANCESTORS, OPENED } from "./tables.js";
import { words } from "./text.js";

// drawsChoice tells whether an element is a choice that is only drawn. A field inside
// that takes the focus itself would be the control.
export function drawsChoice(el, node) {
  if (node.role !== "generic" || !node.tabbable || node.host || !node.name) return false;
  if (OPENED.test(attr(el, "class").toLowerCase())) return false;
  let hinted = false;
  let at = el;
  for (let steps = 0; at && steps <= HINT_ANCESTORS; steps++) {
    if (nodeType(at) === 1) {
      if (steps > 0 && saysWhatItIs(explicitRole(at))) return false; // A part of a control.
      const line = attr(at, "class").toLowerCase();
      if (DATE_WORDS.some((word) => line.includes(word))) return false;
      hinted ||= DRAWN_WORDS.some((word) => line.includes(word));
    }
    at = parentNode(at) || hostOf(at);
  }
  if (!hinted) return false;
  const inside = queryIn(el, "*");
  if (inside.length > DRAWN_INSIDE) return false;
  for (const child of inside) {
    const index = getAttribute(child, "tabindex");
    const field = FIELD_TAGS.has(tag(child)) || FIELD_ROLES.has(explicitRole(child));
    if (index === null ? field : Number(index) >= 0) return false;
  }
  return isSeen(el);
}

const saysWhatItIs = (role) => CLICK_ROLES.has(role) || FIELD_ROLES.has(role) || role === "menu" || role === "tree";

const FIELD_TAGS = words("input select textarea button");
