package messages

import "time"

// argumentFacts are what each tool says of the arguments of its actions, by name. An
// argument that is not here is open and speaks for itself.
var argumentFacts = map[Tool]map[string]Facts{
	ToolObserve: {
		"mode":         {Values: names(ModeAuto, ModeFull, ModeInteractive)},
		"projection":   {Values: names(ProjectionSemantic, ProjectionTree, ProjectionFlat)},
		"query":        {Says: "Return matching nodes only: plain substrings; role is the whole word."},
		"node_offset":  {Min: 0, Max: NodeOffsetMax, Says: "Go on at next_node_offset."},
		"max_nodes":    {Min: 1, Max: TreeNodesMax},
		"max_depth":    {Min: 1, Max: SnapshotDepthMax},
		"element_id":   {NotEmpty: true, Says: "Element id or ref."},
		"load_state":   {Values: names(LoadLoading, LoadComplete), Also: names(LoadIdle), Says: "wait: exactly one of load_state, text, text_gone, url_contains."},
		"text":         {NotEmpty: true, Says: "Substring."},
		"text_gone":    {NotEmpty: true},
		"url_contains": {NotEmpty: true},
		"timeout_ms":   {Min: 1, Max: milliseconds(WaitMax)},
		"since_cursor": {Code: CodeInvalidDiagnosticsCursor},
		"level":        {Values: []string{"error", "warning", "info"}},
		"status":       {NotEmpty: true, Says: "404 or 4xx"},
		"method":       {NotEmpty: true},
		"limit":        {Min: 1, Max: NetworkShownMax},
		"wait_ms":      {Min: 0, Max: milliseconds(DownloadWaitMax), Says: "Wait for running downloads."},
	},
	ToolControl: {
		"element_id":     {NotEmpty: true, Says: "Element id or ref (e12) of the last snapshot."},
		"document_token": {Says: "Of the snapshot planned on."},
		"operation_id":   {Says: "Yours, used once; minted if absent."},
		"mode":           {Values: names(LaunchEphemeral, LaunchManaged), Also: names(LaunchEndpoint)},
		"profile":        {NotEmpty: true, Says: "Name, with mode managed."},
		"url":            {NotEmpty: true, Says: "Absolute http(s) URL."},
		"temporary":      {Says: "Own cookies, gone with the page."},
		"count":          {Min: 1, Max: ClickCountMax},
		"button":         {Values: names(ButtonLeft, ButtonMiddle, ButtonRight)},
		"modifiers":      {Values: names(ModifierAlt, ModifierCtrl, ModifierMeta, ModifierShift), Code: CodeInvalidKey},
		"direction":      {Values: names(ScrollUp, ScrollDown, ScrollLeft, ScrollRight)},
		"amount":         {Min: 1, Max: ScrollPixelsMax, Says: "CSS pixels."},
		"text":           {Says: "Typed at the caret."},
		"submit":         {Says: "Enter after it."},
		"value":          {Says: "Exact new value, empty clears. set_date: YYYY-MM-DD or YYYY-MM."},
		"option":         {Says: "Exact value or label of a native select."},
		"choice_path":    {Says: "1-4 exact labels, outer first, of a custom select or cascader."},
		"path":           {Says: "Relative to the upload root."},
		"key":            {Says: "Enter, Tab, Escape, Backspace, Delete, ArrowUp|Down|Left|Right, Home, End, PageUp, PageDown, Space; a letter or digit; ctrl+a and other editing chords; not what the browser takes (ctrl+t, F5)."},
		"operations":     {Says: "1-32 of %s on one snapshot, each {action, element_id, ...}. Stops at the first not completed."},
	},
	ToolInspect: {
		"all":  {Says: "Of the whole browser context."},
		"area": {Values: names(AreaLocal, AreaSession)},
		"key":  {NotEmpty: true},
	},
	"": {
		"area":       {Values: names(AreaLocal, AreaSession)},
		"field":      {Values: []string{"url", "title", "text", "html"}},
		"change":     {Values: names(CookieSet, CookieDelete, CookieClear)},
		"step":       {Values: names(UnstickTerminate, UnstickClose, UnstickKill, UnstickTree)},
		"timeout_ms": {Min: 1, Max: milliseconds(WaitMax)},
	},
}

// memberFacts are what is said of the members of an object, by the object's name.
var memberFacts = map[string]map[string]Facts{
	"query": {
		"text":    {NotEmpty: true, Code: CodeInvalidQuery},
		"role":    {NotEmpty: true, Code: CodeInvalidQuery},
		"group":   {NotEmpty: true, Code: CodeInvalidQuery},
		"section": {NotEmpty: true, Code: CodeInvalidQuery},
	},
}

func names[T ~string](values ...T) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return out
}

func milliseconds(d time.Duration) int { return int(d / time.Millisecond) }
