package messages

// The codes, one for one cause (R209, R210, Part 6 of the requirements).
const (
	// Lookup and life cycle.
	CodeBrowserNotFound     Code = "browser_not_found"
	CodeBrowserAmbiguous    Code = "browser_ambiguous"
	CodeEngineUnavailable   Code = "browser_engine_unavailable"
	CodeEngineOverride      Code = "browser_engine_override"
	CodeSandboxUnavailable  Code = "browser_sandbox_unavailable"
	CodeBrowserUnavailable  Code = "browser_unavailable"
	CodeBrowserCrashed      Code = "browser_crashed"
	CodeBrowserLimit        Code = "browser_limit"
	CodePageLimit           Code = "page_limit"
	CodePageCrashed         Code = "page_crashed"
	CodePageRestarted       Code = "page_restarted"
	CodePageUnresponsive    Code = "page_unresponsive"
	CodeStalePage           Code = "stale_page"
	CodeProfileCreateFailed Code = "profile_create_failed"
	CodeLaunchFailed        Code = "launch_failed"
	CodeLaunchTimeout       Code = "launch_timeout"
	CodeRunnerShuttingDown  Code = "runner_shutting_down"
	CodeReaperUnavailable   Code = "browser_reaper_unavailable"
	CodeShutdownFailed      Code = "browser_shutdown_failed"
	CodeProfileBusy         Code = "profile_busy"
	CodeInvalidProfile      Code = "invalid_profile"
	CodeStateUnavailable    Code = "browser_state_unavailable"
	CodeHistoryEntryMissing Code = "history_entry_missing"
	CodeNavigationFailed    Code = "navigation_failed"

	// Elements and refs.
	CodeSnapshotStale             Code = "snapshot_stale"
	CodeSnapshotMissing           Code = "snapshot_missing"
	CodeRefDetached               Code = "ref_detached"
	CodeRefChanged                Code = "ref_changed"
	CodeRefAmbiguous              Code = "ref_ambiguous"
	CodeRefMalformed              Code = "ref_malformed"
	CodeTakenOver                 Code = "taken_over"
	CodeElementActionUnsupported  Code = "element_action_unsupported"
	CodeElementNotActionable      Code = "element_not_actionable"
	CodeElementCovered            Code = "element_covered"
	CodeElementNotSelect          Code = "element_not_select"
	CodeOptionNotFound            Code = "option_not_found"
	CodeOptionAmbiguous           Code = "option_ambiguous"
	CodeOptionDisabled            Code = "option_disabled"
	CodeControlDisabled           Code = "control_disabled"
	CodeElementNotValueControl    Code = "element_not_value_control"
	CodeUnsupportedValueControl   Code = "unsupported_value_control"
	CodeInvalidControlValue       Code = "invalid_control_value"
	CodeFormControlRejected       Code = "form_control_rejected"
	CodeFormControlScriptFailed   Code = "form_control_script_failed"
	CodeFormControlResultInvalid  Code = "form_control_result_invalid"
	CodeFormControlOutcomeUnknown Code = "form_control_outcome_unknown"
	CodeWidgetNotSupported        Code = "widget_not_supported"
	CodeWidgetBoundsExceeded      Code = "widget_bounds_exceeded"
	CodeWidgetTimeout             Code = "widget_timeout"
	CodeDateNotFound              Code = "date_not_found"
	CodeFrameDocumentUnavailable  Code = "frame_document_unavailable"

	// Arguments.
	CodeInvalidRequest            Code = "browser_invalid_request"
	CodeUnknownArgument           Code = "unknown_argument"
	CodeInvalidText               Code = "invalid_text"
	CodeInvalidOption             Code = "invalid_option"
	CodeInvalidValue              Code = "invalid_value"
	CodeInvalidKey                Code = "invalid_key"
	CodeInvalidChoicePath         Code = "invalid_choice_path"
	CodeInvalidDate               Code = "invalid_date"
	CodeInvalidQuery              Code = "invalid_query"
	CodeInvalidBatchCount         Code = "invalid_batch_count"
	CodeInvalidBatchValue         Code = "invalid_batch_value"
	CodeBatchDeadline             Code = "batch_deadline"
	CodeInvalidURL                Code = "invalid_url"
	CodeUnsupportedURLScheme      Code = "unsupported_url_scheme"
	CodeInvalidDiagnosticsCursor  Code = "invalid_diagnostics_cursor"
	CodeInvalidViewport           Code = "invalid_viewport"
	CodeInvalidImage              Code = "invalid_image"
	CodeImageTooLarge             Code = "image_too_large"
	CodeInvalidImageDimensions    Code = "invalid_image_dimensions"
	CodeInvalidUploadPath         Code = "invalid_upload_path"
	CodeUploadProjectUnavailable  Code = "upload_project_unavailable"
	CodeUploadProjectDenied       Code = "upload_project_denied"
	CodeUploadFileUnavailable     Code = "upload_file_unavailable"
	CodeUploadPathEscape          Code = "upload_path_escape"
	CodeUploadSensitivePath       Code = "upload_sensitive_path"
	CodeUploadFileInvalid         Code = "upload_file_invalid"
	CodeUploadFileTooLarge        Code = "upload_file_too_large"
	CodeUploadPathUnrepresentable Code = "upload_path_unrepresentable"

	// Transport.
	CodeProtocolError               Code = "browser_protocol_error"
	CodeWaitTimeout                 Code = "browser_wait_timeout"
	CodeIOError                     Code = "browser_io_error"
	CodeCDPEndpointInvalid          Code = "cdp_endpoint_invalid"
	CodeCDPConnectFailed            Code = "cdp_connect_failed"
	CodeCDPTimeout                  Code = "cdp_timeout"
	CodeCDPListFailed               Code = "cdp_list_failed"
	CodeCDPListTooLarge             Code = "cdp_list_too_large"
	CodeCDPError                    Code = "cdp_error"
	CodeCDPSendFailed               Code = "cdp_send_failed"
	CodeCDPClosed                   Code = "cdp_closed"
	CodeCDPDeliveryUncertain        Code = "cdp_delivery_uncertain"
	CodeCDPReceiveTimeout           Code = "cdp_receive_timeout"
	CodeCDPEffectError              Code = "cdp_effect_error"
	CodeCDPReceiveUncertain         Code = "cdp_receive_uncertain"
	CodePartialEffectOutcomeUnknown Code = "partial_effect_outcome_unknown"
	CodeCreatePageResultInvalid     Code = "create_page_result_invalid"
	CodePageCreateReconcileFailed   Code = "page_create_reconcile_failed"
	CodePageCreateUnobserved        Code = "page_create_unobserved"

	// Bridge and surfaces.
	CodeBridgeUnavailable        Code = "browser_bridge_unavailable"
	CodeStaleAttachment          Code = "stale_attachment"
	CodeBridgeCapacity           Code = "browser_bridge_capacity"
	CodeBridgeTimeout            Code = "browser_bridge_timeout"
	CodeExternalBrowserOwnership Code = "external_browser_ownership"
	CodeSurfaceUnavailable       Code = "browser_surface_unavailable"
	CodeBridgeDeliveryUncertain  Code = "browser_bridge_delivery_uncertain"
	CodeBridgeOutcomeUnknown     Code = "browser_bridge_outcome_unknown"
	CodeBridgeOperationFailed    Code = "browser_bridge_operation_failed"
	CodeReadOnlyPresentation     Code = "browser_read_only_presentation"
	CodeNoGrant                  Code = "no_grant"
	CodeNotSupported             Code = "not_supported"
	CodeStorageUnavailable       Code = "storage_unavailable"
	CodeScriptFailed             Code = "script_failed"

	// Order and certainty.
	CodeBusy                Code = "busy"
	CodeCancelled           Code = "cancelled"
	CodeDeadlineExceeded    Code = "deadline_exceeded"
	CodeDialogOpen          Code = "dialog_open"
	CodeDialogMissing       Code = "dialog_missing"
	CodeOperationIDSpent    Code = "operation_id_spent"
	CodeOperationIDRequired Code = "operation_id_required"
	CodeOperationIDInvalid  Code = "operation_id_invalid"
	CodeOperationLedgerFull Code = "operation_ledger_full"
	CodeInternalError       Code = "internal_error"
)

// catalogue is every canonical code. A test demands an entry for each constant.
var catalogue = map[Code]CodeInfo{

	CodeBrowserNotFound:     {Class: ClassNotFound, Meaning: "No such browser: it was closed, lost or never existed. List the browsers."},
	CodeBrowserAmbiguous:    {Class: ClassNotFound, Meaning: "The short address fits several browsers. Give more of the id."},
	CodeEngineUnavailable:   {Class: ClassUnavailable, Meaning: "No Chromium-family browser was found. The operator can set TROUPE_BROWSER to its executable."},
	CodeEngineOverride:      {Class: ClassUnavailable, Meaning: "The configured browser executable does not name a file. The operator must correct or unset it."},
	CodeSandboxUnavailable:  {Class: ClassUnavailable, Meaning: "The browser's sandbox cannot start here, as for root. The operator can switch it off with --no-sandbox or TROUPE_SANDBOX=off."},
	CodeBrowserUnavailable:  {Class: ClassUnavailable, Meaning: "The browser is gone or not ready. List the browsers, or launch one."},
	CodeBrowserCrashed:      {Class: ClassUnavailable, Meaning: "The browser process ended. Its pages are lost; launch another browser."},
	CodeBrowserLimit:        {Class: ClassLimit, Meaning: "The number of browsers is at its bound. Close one first."},
	CodePageLimit:           {Class: ClassLimit, Meaning: "The number of pages is at its bound, or an uncertain page creation has to be looked at. List the pages, close one."},
	CodePageCrashed:         {Class: ClassUnavailable, Meaning: "The page's renderer ended. Reload the page or open another."},
	CodePageRestarted:       {Class: ClassUnavailable, Meaning: "The page's actor was restarted in the middle of the call. Take a snapshot and see what is true now."},
	CodePageUnresponsive:    {Class: ClassTimeout, Meaning: "The page did not answer in time. Observe again later."},
	CodeStalePage:           {Class: ClassNotFound, Meaning: "No such page: it was closed or lost. List the pages."},
	CodeProfileCreateFailed: {Class: ClassUnavailable, Meaning: "The browser's profile directory could not be made."},
	CodeLaunchFailed:        {Class: ClassUnavailable, Meaning: "The browser could not be started. The operator's doctor command says why."},
	CodeLaunchTimeout:       {Class: ClassTimeout, Meaning: "The browser did not become ready in time."},
	CodeRunnerShuttingDown:  {Class: ClassUnavailable, Meaning: "The runtime is shutting down and takes no new calls."},
	CodeReaperUnavailable:   {Class: ClassUnavailable, Meaning: "The cleanup worker is not running, so nothing may be launched."},
	CodeShutdownFailed:      {Class: ClassFailed, Meaning: "The browser could not be ended completely."},
	CodeProfileBusy:         {Class: ClassUnavailable, Meaning: "The profile is in use by another browser."},
	CodeInvalidProfile:      {Class: ClassArgument, Meaning: `A profile name has 1 to 48 characters: lower-case letters, digits, "_" and "-", the first a letter or digit.`},
	CodeStateUnavailable:    {Class: ClassUnavailable, Meaning: "The private state directory cannot be used."},
	CodeHistoryEntryMissing: {Class: ClassRefused, Meaning: "There is no such entry in the page's history."},
	CodeNavigationFailed:    {Class: ClassFailed, Meaning: "The browser reports that the page could not be loaded."},

	CodeSnapshotStale:             {Class: ClassStale, Meaning: "The element belongs to an older snapshot or document. Take a snapshot and use its ids."},
	CodeSnapshotMissing:           {Class: ClassStale, Meaning: "No snapshot of this page was taken yet. Take one first."},
	CodeRefDetached:               {Class: ClassStale, Meaning: "The element is no longer in the document: it was replaced or removed. Take a snapshot."},
	CodeRefChanged:                {Class: ClassStale, Meaning: "The element's role or name is not what the snapshot recorded. Take a snapshot and look again."},
	CodeRefAmbiguous:              {Class: ClassStale, Meaning: "The ref fits several elements. Take a snapshot."},
	CodeRefMalformed:              {Class: ClassArgument, Meaning: `An element is named by the element_id or ref of the last snapshot, as in "e12".`},
	CodeTakenOver:                 {Class: ClassStale, Meaning: "A person has used the page since the snapshot. Take a snapshot and look again."},
	CodeElementActionUnsupported:  {Class: ClassRefused, Meaning: `The element does not admit this action. Its "actions" in the snapshot say what it admits.`},
	CodeElementNotActionable:      {Class: ClassRefused, Meaning: "The element cannot be acted on now: hidden, without a box, or read-only."},
	CodeElementCovered:            {Class: ClassRefused, Meaning: "Another element covers it. Deal with the cover first."},
	CodeElementNotSelect:          {Class: ClassRefused, Meaning: "The element is not a native select. Use the action that the snapshot lists."},
	CodeOptionNotFound:            {Class: ClassRefused, Meaning: "There is no option with exactly this label or value. The snapshot's options, or an open list, say what there is."},
	CodeOptionAmbiguous:           {Class: ClassRefused, Meaning: "Several options have this label. Give the exact value, or more of the path."},
	CodeOptionDisabled:            {Class: ClassRefused, Meaning: "The option is disabled."},
	CodeControlDisabled:           {Class: ClassRefused, Meaning: "The control is disabled."},
	CodeElementNotValueControl:    {Class: ClassRefused, Meaning: "The element takes no exact value. Use the action that the snapshot lists."},
	CodeUnsupportedValueControl:   {Class: ClassRefused, Meaning: "A value of this kind of control cannot be set."},
	CodeInvalidControlValue:       {Class: ClassArgument, Meaning: "The control would change or reject this value, so nothing was set. Give it in the control's own form."},
	CodeFormControlRejected:       {Class: ClassFailed, Meaning: "The page refused the change."},
	CodeFormControlScriptFailed:   {Class: ClassUncertain, Meaning: "The page function failed while it changed the control."},
	CodeFormControlResultInvalid:  {Class: ClassUncertain, Meaning: "The page function gave no usable answer."},
	CodeFormControlOutcomeUnknown: {Class: ClassUncertain, Meaning: "It is not known whether the control was changed."},
	CodeWidgetNotSupported:        {Class: ClassRefused, Meaning: "The control is not of a kind whose choice or date can be set with certainty."},
	CodeWidgetBoundsExceeded:      {Class: ClassLimit, Meaning: "The control's list or popup is larger than may be searched."},
	CodeWidgetTimeout:             {Class: ClassUncertain, Meaning: "The control's popup did not answer in time."},
	CodeDateNotFound:              {Class: ClassUncertain, Meaning: "The date could not be reached with certainty in the control's popup."},
	CodeFrameDocumentUnavailable:  {Class: ClassUnavailable, Meaning: "A frame of the page could not be read, so nothing in it may be acted on. Take another snapshot."},

	CodeInvalidRequest:            {Class: ClassArgument, Meaning: "The request is not valid."},
	CodeUnknownArgument:           {Class: ClassArgument, Meaning: "The action takes no such argument."},
	CodeInvalidText:               {Class: ClassArgument, Meaning: "Text must be non-empty, free of NUL and at most 4,096 bytes."},
	CodeInvalidOption:             {Class: ClassArgument, Meaning: "An option must be non-empty, free of NUL and at most 4,096 bytes."},
	CodeInvalidValue:              {Class: ClassArgument, Meaning: "A value must be free of NUL and at most 4,096 bytes."},
	CodeInvalidKey:                {Class: ClassArgument, Meaning: "The key, or the chord, is not in the closed list of those that act inside a document; the browser itself could take it. " + AllowedKeys + " For pages, history and reloading there are actions of their own."},
	CodeInvalidChoicePath:         {Class: ClassArgument, Meaning: "A choice path has 1 to 4 exact, non-blank labels of at most 4,096 bytes."},
	CodeInvalidDate:               {Class: ClassArgument, Meaning: "A date is YYYY-MM-DD or YYYY-MM and must exist."},
	CodeInvalidQuery:              {Class: ClassArgument, Meaning: "A query term has 1 to 128 characters and is not blank."},
	CodeInvalidBatchCount:         {Class: ClassArgument, Meaning: "A batch has 1 to 32 operations."},
	CodeInvalidBatchValue:         {Class: ClassArgument, Meaning: "An operation of the batch is not valid."},
	CodeBatchDeadline:             {Class: ClassTimeout, Meaning: "The batch used up its 20 s before this operation, which was not started."},
	CodeInvalidURL:                {Class: ClassArgument, Meaning: "A URL is absolute and at most 8,192 bytes."},
	CodeUnsupportedURLScheme:      {Class: ClassArgument, Meaning: "Only http and https can be navigated to."},
	CodeInvalidDiagnosticsCursor:  {Class: ClassArgument, Meaning: "The cursor is newer than the stream."},
	CodeInvalidViewport:           {Class: ClassArgument, Meaning: "Width and height are given together, each 1 to 4,096."},
	CodeInvalidImage:              {Class: ClassFailed, Meaning: "The browser's picture could not be read."},
	CodeImageTooLarge:             {Class: ClassLimit, Meaning: "The picture is over its bound even when scaled down."},
	CodeInvalidImageDimensions:    {Class: ClassFailed, Meaning: "The picture has no usable dimensions."},
	CodeInvalidUploadPath:         {Class: ClassArgument, Meaning: "An upload path is relative, has normal components only and at most 4,096 bytes."},
	CodeUploadProjectUnavailable:  {Class: ClassUnavailable, Meaning: "There is no upload root of that name. The operator configures them."},
	CodeUploadProjectDenied:       {Class: ClassDenied, Meaning: "The caller may not read from this upload root."},
	CodeUploadFileUnavailable:     {Class: ClassRefused, Meaning: "There is no such file in the upload root."},
	CodeUploadPathEscape:          {Class: ClassDenied, Meaning: "The path leads out of the upload root."},
	CodeUploadSensitivePath:       {Class: ClassDenied, Meaning: "The file's name looks like that of a secret, so it is not uploaded."},
	CodeUploadFileInvalid:         {Class: ClassRefused, Meaning: "Only a regular file can be uploaded."},
	CodeUploadFileTooLarge:        {Class: ClassLimit, Meaning: "The file is over 32 MiB."},
	CodeUploadPathUnrepresentable: {Class: ClassRefused, Meaning: "The file's path cannot be given to the browser."},

	CodeProtocolError:               {Class: ClassProtocol, Meaning: "The browser answered with an error."},
	CodeWaitTimeout:                 {Class: ClassTimeout, Meaning: "The condition was not met in time."},
	CodeIOError:                     {Class: ClassFailed, Meaning: "A file could not be read or written."},
	CodeCDPEndpointInvalid:          {Class: ClassArgument, Meaning: "The configured endpoint is not usable. It must be a loopback address unless the operator allows others."},
	CodeCDPConnectFailed:            {Class: ClassProtocol, Meaning: "The browser could not be connected to."},
	CodeCDPTimeout:                  {Class: ClassTimeout, Meaning: "The browser did not answer in time; nothing was started."},
	CodeCDPListFailed:               {Class: ClassProtocol, Meaning: "The browser's targets could not be listed."},
	CodeCDPListTooLarge:             {Class: ClassLimit, Meaning: "The browser has more targets than may be listed."},
	CodeCDPError:                    {Class: ClassProtocol, Meaning: "The browser refused the call."},
	CodeCDPSendFailed:               {Class: ClassProtocol, Meaning: "The call could not be handed to the browser; nothing was started."},
	CodeCDPClosed:                   {Class: ClassProtocol, Meaning: "The connection to the browser is closed."},
	CodeCDPDeliveryUncertain:        {Class: ClassUncertain, Meaning: "The connection was lost after the call went out."},
	CodeCDPReceiveTimeout:           {Class: ClassUncertain, Meaning: "The browser did not answer in time after the call went out. Observe before anything else."},
	CodeCDPEffectError:              {Class: ClassUncertain, Meaning: "The browser answered an effect with an error."},
	CodeCDPReceiveUncertain:         {Class: ClassUncertain, Meaning: "The browser's answer could not be read."},
	CodePartialEffectOutcomeUnknown: {Class: ClassUncertain, Meaning: "A part of the effect was done; whether the rest was is not known. Observe before anything else."},
	CodeCreatePageResultInvalid:     {Class: ClassUncertain, Meaning: "The browser gave no usable answer to a page creation. List the pages."},
	CodePageCreateReconcileFailed:   {Class: ClassUncertain, Meaning: "The page was created but could not be prepared. List the pages."},
	CodePageCreateUnobserved:        {Class: ClassUncertain, Meaning: "The page was created but has not been seen. List the pages."},

	CodeBridgeUnavailable:        {Class: ClassUnavailable, Meaning: "The extension bridge is not running."},
	CodeStaleAttachment:          {Class: ClassStale, Meaning: "The offer was used, withdrawn or has expired. Ask the user to share the tab again."},
	CodeBridgeCapacity:           {Class: ClassLimit, Meaning: "The bridge is at its bound."},
	CodeBridgeTimeout:            {Class: ClassTimeout, Meaning: "The extension did not answer in time."},
	CodeExternalBrowserOwnership: {Class: ClassDenied, Meaning: "This cannot be done on a browser that belongs to the user."},
	CodeSurfaceUnavailable:       {Class: ClassUnavailable, Meaning: "No native window can be named for this browser."},
	CodeBridgeDeliveryUncertain:  {Class: ClassUncertain, Meaning: "The extension was lost after the call went out."},
	CodeBridgeOutcomeUnknown:     {Class: ClassUncertain, Meaning: "It is not known what the extension did."},
	CodeBridgeOperationFailed:    {Class: ClassUncertain, Meaning: "The extension reports a failure."},
	CodeReadOnlyPresentation:     {Class: ClassDenied, Meaning: "This viewer does not hold the driver lease."},
	CodeNoGrant:                  {Class: ClassDenied, Meaning: "The caller lacks the grant for this, or the page belongs to another caller. The operator grants it by name."},
	CodeNotSupported:             {Class: ClassRefused, Meaning: "This is not available on this kind of browser or page."},
	CodeStorageUnavailable:       {Class: ClassRefused, Meaning: "The page's origin has no storage: about:blank, data URLs and sandboxed frames have none. Navigate to an http or https page first."},
	CodeScriptFailed:             {Class: ClassFailed, Meaning: "The script threw an error."},

	CodeBusy:                {Class: ClassLimit, Meaning: "Too many calls wait already. Wait for one to end."},
	CodeCancelled:           {Class: ClassCancelled, Meaning: "The call was cancelled."},
	CodeDeadlineExceeded:    {Class: ClassTimeout, Meaning: "The call's own deadline passed before it was started."},
	CodeDialogOpen:          {Class: ClassRefused, Meaning: "A dialog is open on the page. Answer it with handle_dialog first."},
	CodeDialogMissing:       {Class: ClassRefused, Meaning: "No dialog is open on the page."},
	CodeOperationIDSpent:    {Class: ClassRefused, Meaning: "This operation_id was used before, and an effect is never repeated. Observe what is true now."},
	CodeOperationIDRequired: {Class: ClassArgument, Meaning: "The operator demands an operation_id with every effect."},
	CodeOperationIDInvalid:  {Class: ClassArgument, Meaning: `An operation_id has 1 to 100 letters, digits, "_" or "-".`},
	CodeOperationLedgerFull: {Class: ClassLimit, Meaning: "The browser's 50,000 operation ids are spent. Launch another browser."},
	CodeInternalError:       {Class: ClassFailed, Meaning: "Troupe met a fault of its own. It was contained and logged for the operator."},
}
