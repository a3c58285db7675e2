// Where a field says that it takes a date without the class of a component: by a
// placeholder that is the layout of a date, or by its name; and what is a calendar
// by the days that it shows (R92). It is the twin of dates.go.

import { opensPopup } from "./admit.js";
import { attr, firstChild, hasAttribute, nextSibling, nodeType, openRoot, queryIn, tag, textContent, textData } from "./dom.js";
import {
  DATE_LAYOUT, DATE_NAMES, DATE_SIGNS, DAY_CELL_UP, DAY_CELLS, DAY_NUMBERS, DAY_ROWS, DAY_TABLES, DAY_TEXTS, DAYS_LEAST, END_NAMES,
} from "./tables.js";
import { squeeze } from "./text.js";

// saysDate tells whether a text box says that it takes a date. hint is that of its
// component, which goes before its name, as does a list that it opens.
export function saysDate(el, node, hint) {
  if (DATE_LAYOUT.test((squeeze(attr(el, "placeholder")) || squeeze(attr(el, "aria-placeholder"))).toLowerCase())) return true;
  if (hint || hasAttribute(el, "list") || ((node.role === "combobox" || opensPopup(el)) && !opensPanel(el))) return false;
  return namesDate(node) || (Boolean(node.readonly) && END_NAMES.test(nameOfNode(node)));
}

const nameOfNode = (node) => (node.named ? squeeze(node.named()).toLowerCase() : "");

// namesDate tells whether a name says that it is of a date or a calendar.
export function namesDate(node) {
  const name = nameOfNode(node);
  return DATE_NAMES.test(name) || DATE_SIGNS.some((sign) => name.includes(sign));
}

// opensPanel tells whether an element says that it opens a dialog or a grid, as
// calendars are.
export const opensPanel = (el) => ["dialog", "grid"].includes(attr(el, "aria-haspopup"));

const OPERABLE = "a[href],button,input,select,textarea,summary,[role=button],[role=link],[role=checkbox],[role=menuitem],[role=option]";

// isDay tells whether an element is a cell of a grid that shows the days of a month,
// and holds nothing to operate: the use of such a grid is that its cells are pressed.
// up is the entry around it.
export function isDay(el, node, up) {
  if (!DAY_CELLS.has(node.role) || node.disabled || !/\S/.test(attr(el, "aria-label") + textContent(el)) || queryIn(el, OPERABLE).length > 0) return false;
  let at = up;
  for (let hops = 0; at && hops < DAY_CELL_UP && !DAY_TABLES.has(at.role); hops++) at = at.up;
  return Boolean(at && DAY_TABLES.has(at.role) && at.actions.includes("set_date"));
}

export const DAY_ACTIONS = ["click", "hover", "scroll", "drag"];

// showsDays tells whether an element of one of DAY_PANELS, the roles of what may show
// the days of a month, does so: the numbers 1 to 28 and not many more, in few rows. Of
// several around the same days it is the grid or table.
export function showsDays(panel, role) {
  const days = new Set();
  let [rows, numbers, texts] = [0, 0, 0];
  const few = (parent) => {
    for (let child = firstChild(parent); child; child = nextSibling(child)) {
      const type = nodeType(child);
      if (type === 3) {
        const text = textData(child).trim();
        if (text) texts++;
        if (/^[0-9]{1,2}$/.test(text)) {
          numbers++;
          const day = Number(text);
          if (day >= 1 && day <= DAYS_LEAST) days.add(day);
        }
      } else if (type === 1) {
        const [name, said] = [tag(child), attr(child, "role")];
        if (!DAY_TABLES.has(role) && (name === "table" || DAY_TABLES.has(said))) return false;
        if (name === "tr" || said === "row") rows++;
        const root = openRoot(child);
        if ((root && !few(root)) || !few(child)) return false;
      }
      if (texts > DAY_TEXTS || rows > DAY_ROWS || numbers > DAY_NUMBERS) return false;
    }
    return true;
  };
  return few(panel) && days.size === DAYS_LEAST;
}
