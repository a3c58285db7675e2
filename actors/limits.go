package actors

import "time"

// Bounds of the runtime that no requirement fixes. Those that one fixes stand in
// package messages.
const (
	// QueueWaitMax bounds how long a call may wait for its turn. At the bound it is
	// given up, provably not started, with deadline_exceeded. It is longer than any
	// single operation, so that it ends only calls behind a crowd.
	QueueWaitMax = 60 * time.Second

	// backstopGrace is added to everything that a call may take; at the bound the
	// gateway answers from the ticket alone. It is reached only through a fault.
	backstopGrace = 2 * time.Second

	// StartFailureMemory is how long a slow start failure is returned to later
	// launches of the same kind instead of being waited for again (R9). It is short
	// beside LaunchTimeout, so that a machine that was overloaded for a moment launches
	// again soon after.
	StartFailureMemory = 10 * time.Second

	// PageRestartsMax within PageRestartsWindow: one more failure stops the page.
	PageRestartsMax    = 3
	PageRestartsWindow = 10 * time.Second

	// BrowserRestartsMax within BrowserRestartsWindow: one more failure closes the
	// browser by its ownership.
	BrowserRestartsMax    = 2
	BrowserRestartsWindow = 60 * time.Second

	// prepareTimeout bounds how long a new page may take to have its domains
	// enabled and its isolated world installed. At the bound it is usable for
	// closing and navigating, and observing says that it is unresponsive; prepareAgain
	// later it is tried again, as long as the page lives.
	prepareTimeout = 10 * time.Second
	prepareAgain   = 2 * time.Second

	// firstPageWait is how long a started browser may take to show the tab that it
	// opens by itself; then one is created.
	firstPageWait = 3 * time.Second

	// firstPageMax bounds how long a started browser may take to have a page that can
	// be used; then it is ended with launch_timeout. It is longer than firstPageWait,
	// the creation of a page and prepareTimeout together, which end before it unless
	// the page goes away meanwhile.
	firstPageMax = 20 * time.Second

	// dialogPatience is how long the operation that a dialog interrupts may take to
	// say by itself how it ended; then it is cancelled (R121).
	dialogPatience = 300 * time.Millisecond

	// dialogLeftWait is how long a dialog that the browser refused to answer may take
	// to go with its document; then it is dismissed by other means. dialogLeftEnd
	// bounds how long that may take; then what became of it is not known.
	dialogLeftWait = 250 * time.Millisecond
	dialogLeftEnd  = 2 * time.Second

	// closeNoticeWait is how long a closed page's target may take to be reported
	// gone; then close_page is answered all the same.
	closeNoticeWait = 2 * time.Second

	// ledgerIDsMax bounds the operation ids given by callers over the life of the
	// runtime. At the bound every effect is refused with operation_ledger_full,
	// since a spent id is never forgotten (R157).
	ledgerIDsMax = 1_000_000

	// openingsMax bounds the page openings that a browser remembers for receipts;
	// the oldest are forgotten.
	openingsMax = 64

	// barrierWait bounds how long a question to a page's diagnostics waits for what
	// the browser has said before it. At the bound it is answered from what is there.
	barrierWait = 250 * time.Millisecond

	// coolAfter is how long a page may go unobserved before the browser stops keeping
	// up its accessibility tree; the next snapshot has it built again, which takes
	// tens of milliseconds on a large page.
	coolAfter = 15 * time.Second

	// ReaperGrace is how much later than its interval the reaper may show itself; then
	// no browser is started until it does (R18). It is long enough for a machine that is
	// overloaded.
	ReaperGrace = 30 * time.Second

	// ownerPollInterval is how often the processes named as owners are looked at.
	ownerPollInterval = 2 * time.Second

	// closeBudget bounds the orderly end of one browser by close or reaping; what
	// the process tree needs beyond it is bounded in package cdp (R192).
	closeBudget = 10 * time.Second

	// auditFileBytesMax bounds one audit file. At the bound it is renamed to a
	// numbered one, of which auditFilesMax are kept.
	auditFileBytesMax = 8 << 20
	auditFilesMax     = 4

	// auditBacklogMax bounds the events that wait for the audit file. Beyond it they
	// are dropped and a gap line is written.
	auditBacklogMax = 4096

	// subscribersMax bounds the subscribers of the journal. One more is refused.
	subscribersMax = 64

	// metricsAnswerMax bounds how long a reader of the metrics waits; then it is told
	// that they are not available.
	metricsAnswerMax = 2 * time.Second

	// secretNameMax bounds the length of a file name that is looked at for secrets.
	secretNameMax = 255
)
