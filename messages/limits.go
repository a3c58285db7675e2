package messages

import "time"

// Limits of the number index (Part 5 of the requirements). The unit is the
// last word of a name; what happens at a limit is said where it is enforced.
const (
	// Runtime (R17). At a count the call is refused with browser_limit or page_limit.
	BrowsersMaxDefault        = 4
	PagesPerBrowserMaxDefault = 16
	PageSummariesMax          = 32

	// PageReadersMax bounds the callers whose element ids a page keeps at once; one
	// more takes the place of the one who has not looked for longest (C40).
	PageReadersMax = 4
	// PageQueueMax bounds the operations that wait in one page's FIFO; one more
	// is refused with busy. QueuedTotalMax bounds them over the whole runtime.
	PageQueueMax   = 64
	QueuedTotalMax = 1024

	// Snapshot, projection semantic (R45).
	SnapshotNodesMax      = 256
	SnapshotNodesDefault  = 128
	SnapshotBytesMax      = 64 << 10
	SnapshotDepthMax      = 32
	NodeTextBytesMax      = 512
	QueryTermCharsMax     = 128
	QueryHorizonNodes     = 4352 // offset 4,096 + 256 (R49)
	NodeOffsetMax         = 4096
	TreeNodesMax          = 2000 // projection tree (R54)
	FlatElementsMax       = 400  // projection flat (R55)
	FlatFieldCharsMax     = 160
	HintCharsMax          = 60 // R228
	FramesMax             = 32 // R105
	CardsMax              = 32 // R101
	CardContentNodesMax   = 64 // R101
	UnseenEntriesMax      = 16
	AncestorsForGroupMax  = 8
	NativeOptionsShownMax = 64

	// Batch (R82, R83).
	BatchOperationsMax = 32
	BatchBytesMax      = 256 << 10

	// Values (R79, R90, R110).
	ValueBytesMax       = 4096
	URLBytesMax         = 8192
	ChoiceStepsMax      = 4
	ChoiceStepBytesMax  = 4096
	WidgetNodesMax      = 4096 // visited per traversal (R94)
	DialogTextCharsMax  = 512  // of a dialog's message
	PromptTextBytesMax  = 4096
	ClickCountMax       = 3
	ScrollPixelsMax     = 100_000
	ScriptBytesMax      = 64 << 10
	UploadBytesMax      = 32 << 20
	UploadPathBytesMax  = 4096
	OperationIDCharsMax = 100
	OperationIDsMax     = 50000 // per browser (R154)

	// Images (R149, R150).
	ImageInlineBytesMax = 1 << 20
	ImageSidePixelsMax  = 4096
	ImageBytesMax       = 8 << 20

	// Diagnostics (R141, R144, C4).
	ConsoleEntriesMax        = 200
	NetworkRecordsMax        = 500
	NetworkShownMax          = 300
	DiagnosticTextBytesMax   = 2048
	DiagnosticsBytesMax      = 184 << 10 // 192 KiB less the 8 KiB envelope
	NetworkURLCharsMax       = 1024
	NetworkHeadersMax        = 32
	NetworkHeaderCharsMax    = 512
	NetworkBodyBytesMax      = 64 << 10
	StorageBytesMax          = 64 << 10
	StorageValueCharsMax     = 2048
	CookiesShownMax          = 300
	DownloadsTrackedMax      = 100
	ReceiptRequestsMax       = 20
	ReceiptPagesMax          = 16
	ReceiptDownloadsMax      = 16
	JournalEventsMax         = 4096
	JournalSubscriberBacklog = 512
	StackFramesMax           = 4

	// Surface.
	ViewportWidthDefault  = 1280
	ViewportHeightDefault = 800
	ViewportSideMax       = 4096
)

// Times. A caller's context can only shorten them (C25).
const (
	ObserveTimeout  = 5 * time.Second
	EffectTimeout   = 5 * time.Second
	NavigateTimeout = 30 * time.Second
	LaunchTimeout   = 20 * time.Second
	GracefulTimeout = 3 * time.Second

	// PagePrepareTimeout bounds how long a new page may take to have its domains
	// enabled and its isolated world installed, behind its creation.
	PagePrepareTimeout = 10 * time.Second

	// CloseBudget bounds the orderly end of one browser by close or reaping (R192).
	// CloseTimeout has the graceful part before it.
	CloseBudget  = 10 * time.Second
	CloseTimeout = CloseBudget + GracefulTimeout

	// ScreenshotTimeout is a picture's own bound: the engine may never answer.
	ScreenshotTimeout = 10 * time.Second

	// CancelGrace is how long a cancelled operation may take to say how it ended
	// before its caller is told outcome_unknown.
	CancelGrace = 250 * time.Millisecond

	BatchDispatchBudget = 20 * time.Second // R87
	// BatchTimeout has the last operation and the settling behind the dispatches.
	BatchTimeout = BatchDispatchBudget + EffectTimeout + SettleBudget

	WidgetTimeout     = 3500 * time.Millisecond // R94
	WidgetStepTimeout = 650 * time.Millisecond

	SettleBudget        = 1500 * time.Millisecond // R76
	SettleQuietLongLive = 750 * time.Millisecond

	DialogHold = 120 * time.Second // R121

	WaitDefault         = 15 * time.Second // R58
	WaitMax             = 120 * time.Second
	DownloadWaitMax     = 300 * time.Second // R132
	TakeoverWindow      = 1500 * time.Millisecond
	TakeoverWindowPerCh = 10 * time.Millisecond

	ReapTick        = 60 * time.Second // R192
	IdleMax         = 30 * time.Minute
	LifetimeMax     = 4 * time.Hour
	ShutdownDefault = 10 * time.Second // R193
	RetentionAge    = 7 * 24 * time.Hour
)
