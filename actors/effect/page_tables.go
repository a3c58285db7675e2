package effect

import "github.com/troupe-browser/troupe/messages"

// PageTables returns the bounds of this package that its page-side modules go by,
// under the names that they have there. internal/pagebuild writes them to
// page/tables.js.
func PageTables() map[string]any {
	return map[string]any{
		"PROCEDURE_MS": messages.WidgetTimeout - widgetClosing,
		"STEP_MS":      messages.WidgetStepTimeout,
		"VISIT_MAX":    messages.WidgetNodesMax,
	}
}
