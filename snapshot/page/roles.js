// Classes of roles, tags and input types. They are those of the Go package
// (roles.go, facts.go), which the other collector goes by; the differential
// test keeps the two from drifting.

import { words } from "./text.js";

// CLICK_ROLES admit a click on an element that is no native control (R60).
export const CLICK_ROLES = words(
  "button link checkbox radio switch menuitem menuitemcheckbox menuitemradio tab combobox option treeitem DisclosureTriangle",
);

// FIELD_ROLES are form fields of any kind (R47).
export const FIELD_ROLES = words(
  "textbox searchbox combobox listbox checkbox radio switch slider spinbutton Date DateTime InputTime ColorWell",
);

// CONTROL_ROLES stay in an interactive snapshot without actions too (R53).
const CONTROL_ROLES = words(
  "button link checkbox radio switch menuitem menuitemcheckbox menuitemradio tab combobox listbox option treeitem " +
    "textbox searchbox slider spinbutton Date DateTime InputTime ColorWell DisclosureTriangle",
);

export const CHECKABLE_ROLES = words("checkbox radio switch menuitemcheckbox menuitemradio option treeitem");
export const SELECTABLE_ROLES = words("option tab treeitem");

// EMPTY_ROLES and INLINE_ROLES have no meaning of their own: without a name (an
// inline one even with it) or a fact that matters, their children take their place.
export const EMPTY_ROLES = words(
  "generic none presentation InlineTextBox LineBreak ListMarker RootWebArea WebArea IframePresentational MenuListPopup " +
    "LayoutTable LayoutTableRow LayoutTableCell rowgroup Unknown GenericContainer Pre",
);
export const INLINE_ROLES = words(
  "emphasis strong mark subscript superscript deletion insertion code time term Abbr Ruby paragraph Legend LabelText caption Figcaption",
);

// CONTENT_NAMED roles take their name from the text inside, which is then not
// repeated below them.
export const CONTENT_NAMED = words(
  "button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio rowheader " +
    "switch tab tooltip treeitem DisclosureTriangle",
);

export const GROUP_ROLES = words("group radiogroup combobox listbox");
export const SECTION_ROLES = words(
  "region dialog alertdialog article form tabpanel navigation complementary main search banner contentinfo table grid treegrid figure",
);
export const CARD_ROLES = words("generic group listitem article");
export const CARD_TAGS = words("div li article");
export const POPUP_ROLES = words("listbox tree grid dialog menu");

export const TEXT_TYPES = words("text search email url tel password");
export const VALUE_TYPES = words("number range date month week time datetime-local color");
export const BUTTON_TYPES = words("button submit reset image checkbox radio");
const BUTTON_FIELDS = words("button submit reset image hidden");

// PLAIN tags are generic by themselves: without one of PLAIN_ATTRIBUTES their
// computed role need not be asked for.
export const PLAIN = words("div span b i u small big font center tt samp kbd var cite q data bdi bdo wbr body html slot picture nobr pre");
export const PLAIN_ATTRIBUTES = ["role", "tabindex", "aria-label", "aria-labelledby", "title", "contenteditable", "draggable", "popover"];

// NO_INSIDE are the elements whose children are no content of the page, or are
// told by the element itself.
export const NO_INSIDE = words("input textarea select video audio script style noscript template head meta link base title datalist progress meter");

export const DATE_WORDS = [
  "datepicker", "date-picker", "date_picker", "picker-input", "date-editor", "flatpickr", "pikaday", "daterange", "calendar",
  "datetime", "dp__input", "monthpicker", "month-picker",
];
export const CHOICE_WORDS = [
  "cascader", "select2", "-select", "_select", "select-", "select__", "selectize", "multiselect", "autocomplete", "combobox", "choices",
  "chosen", "dropdown", "tree-select",
];

// isField tells whether a node is a form field of any kind (R47).
export function isField(name, type, role, host) {
  if (name === "input") return !BUTTON_FIELDS.has(type);
  return name === "select" || name === "textarea" || FIELD_ROLES.has(role) || host;
}

// isOperable tells whether a node is something to operate, also when its state
// forbids it at present (R53).
export const isOperable = (name, role, host) =>
  name === "input" || name === "select" || name === "textarea" || name === "button" || CONTROL_ROLES.has(role) || host;
