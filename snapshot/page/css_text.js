// Text that CSS makes: ::before and ::after. A person reads it, and it is not in
// the DOM. Asking every element for the style of its two pseudo-elements would cost
// more than the rest of the walk, so the style sheets are asked first which elements
// may have any with text in it, once for each sheet and its number of rules.
//
// Not found are the rules of sheets of another origin, which may not be read, and
// those beyond GENERATED_RULES of one sheet. Counters are not resolved by the
// computed style; such a text is reported as unseen.

import {
  adoptedDocument, adoptedRoot, attr, defaultView, nodeType, ownerDocument, queryDocument, queryFragment,
  sheetsDocument, sheetsRoot, tag,
} from "./dom.js";
import { inCase } from "./drawn_text.js";
import { GENERATED_MAX, GENERATED_RULES } from "./limits.js";
import { squeeze, words } from "./text.js";
import { addText, overlooked } from "./walk.js";

// generators are the selectors of the rules of a sheet that make text.
const generators = new WeakMap();

// generatedIn notes the elements of a document or root that may have text by CSS.
export function generatedIn(walk, root) {
  const whole = nodeType(root) === 9;
  const selectors = whole ? ["q"] : [];
  for (const sheet of whole ? sheetsDocument(root) : sheetsRoot(root)) selectors.push(...generatorsOf(sheet));
  for (const sheet of whole ? adoptedDocument(root) : adoptedRoot(root)) selectors.push(...generatorsOf(sheet));
  const query = whole ? queryDocument : queryFragment;
  for (const selector of selectors) {
    try {
      for (const el of query(root, selector)) {
        if (walk.generated.size >= GENERATED_MAX) return;
        walk.generated.add(el);
      }
    } catch {
      // A selector that means something only where it stands, as ::slotted().
    }
  }
}

function generatorsOf(sheet) {
  let rules;
  try {
    rules = sheet.cssRules;
  } catch {
    return [];
  }
  const known = generators.get(sheet);
  if (known && known.length === rules.length) return known.selectors;
  const selectors = [];
  const budget = { rules: GENERATED_RULES };
  gatherRules(rules, "", selectors, budget);
  generators.set(sheet, { length: rules.length, selectors });
  return selectors;
}

// gatherRules looks for rules that make text, also inside at-rules, imported sheets
// and other rules. around is the selector that & stands for.
function gatherRules(rules, around, selectors, budget) {
  for (const rule of rules) {
    if (budget.rules-- <= 0) return;
    let selector = rule.selectorText;
    if (selector !== undefined && around) selector = selector.includes("&") ? selector.replaceAll("&", `:is(${around})`) : `:is(${around}) ${selector}`;
    if (selector && MAKES.test(selector) && mayHoldText(rule.style.content)) {
      selectors.push(selector.replace(MAKES_ALONE, "$1*").replace(MAKES_ALL, ""));
    }
    let inner = rule.cssRules;
    if (!inner && rule.styleSheet) {
      try {
        inner = rule.styleSheet.cssRules;
      } catch {
        continue;
      }
    }
    if (inner && inner.length > 0) gatherRules(inner, selector ?? around, selectors, budget);
  }
}

const MAKES = /::?(?:before|after)(?![\w-])/i;
const MAKES_ALL = /::?(?:before|after)(?![\w-])/gi;
const MAKES_ALONE = /(^|[\s,>+~(])::?(?:before|after)(?![\w-])/gi;

// mayHoldText tells whether a content declaration may show letters, and not only
// spaces or the signs of an icon font.
function mayHoldText(content) {
  return Boolean(content) && (/attr\(|counters?\(|var\(|quote/.test(content) || /[^\s"'\\]/.test(noIcons(unquoted(content))));
}

// unquoted are the strings of a content value, joined.
const unquoted = (content) => (content.match(STRINGS) || []).map(unescaped).join("");

const STRINGS = /"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'/g;

const unescaped = (quoted) =>
  quoted.slice(1, -1).replace(/\\(?:([0-9a-f]{1,6})\s?|([^]))/gi, (_, hex, char) => (hex ? String.fromCodePoint(Math.min(parseInt(hex, 16), 0x10ffff)) : char));

// noIcons is a text without the private characters of icon fonts.
const noIcons = (text) => text.replace(/[\ue000-\uf8ff]|[\udb80-\udbff][\udc00-\udfff]/g, "");

const CONTENT_PARTS = /url\((?:"(?:[^"\\]|\\[^])*"|[^)]*)\)|"(?:[^"\\]|\\[^])*"|(?:open|close)-quote|attr\(([^)]*)\)|counters?\([^)]*\)|\//g;

// generatedText is the text of one of the two pseudo-elements of an element.
function generatedText(walk, el, which) {
  const view = defaultView(ownerDocument(el));
  const style = view ? view.getComputedStyle(el, which) : null;
  const content = style ? style.content : "none";
  if (!content || content === "none" || content === "normal" || style.display === "none" || style.visibility !== "visible") return null;
  let text = "";
  for (const [part, name] of content.matchAll(CONTENT_PARTS)) {
    if (part.startsWith("url(")) continue;
    if (part === "/") text = ""; // What follows is the text to be read out in its place.
    else if (part[0] === '"') text += unescaped(part);
    else if (part === "open-quote") text += "“";
    else if (part === "close-quote") text += "”";
    else if (name !== undefined) text += attr(el, name.split(/[\s,]/)[0]);
    else {
      overlooked(walk, "text", "counter");
      return null;
    }
  }
  text = inCase(noIcons(text), style);
  return /\S/.test(text) ? { text, block: style.display !== "inline" && style.display !== "inline-block" } : null;
}

// NO_BOXES have no pseudo-elements, or show them inside a control.
const NO_BOXES = words("input textarea select img iframe frame object embed video audio canvas progress meter");

// visitGenerated adds such a text to the run that it stands in.
export function visitGenerated(walk, el, which, up, inside) {
  if (inside.named || inside.hidden || walk.generated.size === 0 || !walk.generated.has(el) || NO_BOXES.has(tag(el))) return;
  const made = generatedText(walk, el, which);
  if (!made || (inside.label && inside.label.includes(squeeze(made.text)))) return;
  let { block } = inside;
  if (made.block) block = ++walk.blocks;
  addText(walk, made.text, up, block);
  if (made.block) walk.blocks++;
}
