package snapshot

import "github.com/troupe-browser/troupe/messages"

// PageTables returns the tables and bounds by which both collectors go, under the
// names that they have in the page-side modules. internal/pagebuild writes them
// to page/tables.js. A value is a set of words, a list of words, a text, a
// pattern, a number or a duration.
func PageTables() map[string]any {
	return map[string]any{
		// Roles.
		"CLICK_ROLES": clickRoles, "FIELD_ROLES": fieldRoles, "CONTROL_ROLES": controlRoles, "CHECKABLE_ROLES": checkableRoles,
		"SELECTABLE_ROLES": selectableRoles, "MEANINGLESS_ROLES": emptyRoles, "INLINE_ROLES": inlineRoles, "CONTENT_NAMED": contentNamed,
		"GROUP_ROLES": groupRoles, "SECTION_ROLES": sectionRoles, "CARD_ROLES": cardRoles, "POPUP_ROLES": popupRoles,
		// Types of input.
		"TEXT_TYPES": textTypes, "VALUE_TYPES": valueTypes, "BUTTON_TYPES": buttonTypes, "READONLY_TYPES": readonlyTypes, "BUTTON_FIELDS": buttonFields,
		// Parts of class names, and what a field of a date says.
		"DATE_WORDS": dateWords, "CHOICE_WORDS": choiceWords, "DRAWN_WORDS": drawnWords, "OPENED": opened,
		"DATE_LAYOUT": dateLayout, "DATE_NAMES": dateNames, "END_NAMES": endNames, "DATE_SIGNS": dateSigns,
		"DAY_PANELS": dayPanels, "DAY_TABLES": dayTables, "DAY_CELLS": dayCells, "DAY_CELL_UP": dayCellUp, "DAY_ROWS": dayRowsMax, "DAY_NUMBERS": dayNumbersMax, "DAY_TEXTS": dayTextsMax, "DAYS_LEAST": daysLeast,
		"FAR_PX": farPixels, "CLIPPED_AWAY": clippedAway, "RECT_AWAY": rectAway,
		"NO_FILE": noFileName, "FILE_UP": fileUp, "DRAWN_INSIDE": drawnInside,
		// Bounds.
		"HINT_ANCESTORS": hintAncestors, "HINT_DESCENDANTS": hintDescendants, "HINT_CHARS": messages.HintCharsMax,
		"NEARBY_CHARS": nearbyCharsMax, "NEARBY_CONTROLS": nearbyControlsMax, "NEARBY_STEPS": nearbyAncestors, "NEARBY_TEXTS": textNodesMax,
		"TEXT_BYTES": messages.NodeTextBytesMax, "FRAMES_MAX": messages.FramesMax, "NODES_MAX": messages.QueryHorizonNodes,
		"CARD_NODES": messages.CardContentNodesMax, "WALK_DEPTH": walkDepthMax, "OPTIONS_MAX": messages.NativeOptionsShownMax,
		"GROUP_STEPS": messages.AncestorsForGroupMax, "AUTO_NODES": messages.SnapshotNodesDefault, "AUTO_BYTES": compactBytes,
		"OFFSET_MAX": messages.NodeOffsetMax, "SETTLE_CAP_MS": messages.SettleBudget, "OWN_INPUT_MS": messages.TakeoverWindow,
		"BYTES_DEFAULT": messages.SnapshotBytesMax, "DEPTH_DEFAULT": messages.SnapshotDepthMax,
	}
}
