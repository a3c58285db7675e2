package kernel

import (
	"time"

	"github.com/troupe-browser/troupe/messages"
)

// Bounds of the runtime that no requirement fixes. Those that one fixes stand in
// package messages.
const (
	// QueueWaitMax bounds how long a call may wait for its turn. At the bound it is
	// given up, provably not started, with deadline_exceeded. It is longer than any
	// single operation, so that it ends only calls behind a crowd.
	QueueWaitMax = 60 * time.Second

	// BackstopGrace is added to everything that a call may take; at the bound the
	// gateway answers from the ticket alone. It is reached only through a fault.
	BackstopGrace = 2 * time.Second

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

	// PrepareTimeout bounds how long a new page may take to have its domains
	// enabled and its isolated world installed. At the bound it is usable for
	// closing and navigating, and observing says that it is unresponsive; PrepareAgain
	// later it is tried again, as long as the page lives.
	PrepareTimeout = messages.PagePrepareTimeout
	PrepareAgain   = 2 * time.Second

	// FirstPageWait is how long a started browser may take to show the tab that it
	// opens by itself; then one is created.
	FirstPageWait = 3 * time.Second

	// FirstPageMax bounds how long a started browser may take to have a page that can
	// be used; then it is ended with launch_timeout. It is longer than FirstPageWait,
	// the creation of a page and PrepareTimeout together, which end before it unless
	// the page goes away meanwhile.
	FirstPageMax = 20 * time.Second

	// DialogPatience is how long the operation that a dialog interrupts may take to
	// say by itself how it ended; then it is cancelled (R121).
	DialogPatience = 300 * time.Millisecond

	// DialogLeftWait is how long a dialog that the browser refused to answer may take
	// to go with its document; then it is dismissed by other means. DialogLeftEnd
	// bounds how long that may take; then what became of it is not known.
	DialogLeftWait = 250 * time.Millisecond
	DialogLeftEnd  = 2 * time.Second

	// CloseNoticeWait is how long a closed page's target may take to be reported
	// gone; then close_page is answered all the same.
	CloseNoticeWait = 2 * time.Second

	// LedgerIDsMax bounds the operation ids given by callers over the life of the
	// runtime. At the bound every effect is refused with operation_ledger_full,
	// since a spent id is never forgotten (R157).
	LedgerIDsMax = 1_000_000

	// OpeningsMax bounds the page openings that a browser remembers for receipts;
	// the oldest are forgotten.
	OpeningsMax = 64

	// BarrierWait bounds how long a question to a page's diagnostics waits for what
	// the browser has said before it. At the bound it is answered from what is there.
	BarrierWait = 250 * time.Millisecond

	// CoolAfter is how long a page may go unobserved before the browser stops keeping
	// up its accessibility tree; the next snapshot has it built again, which takes
	// tens of milliseconds on a large page.
	CoolAfter = 15 * time.Second

	// ReaperGrace is how much later than its interval the reaper may show itself; then
	// no browser is started until it does (R18). It is long enough for a machine that is
	// overloaded.
	ReaperGrace = 30 * time.Second

	// OwnerPollInterval is how often the processes named as owners are looked at.
	OwnerPollInterval = 2 * time.Second

	// CloseBudget bounds the orderly end of one browser by close or reaping; what
	// the process tree needs beyond it is bounded in package cdp (R192).
	CloseBudget = messages.CloseBudget

	// AuditFileBytesMax bounds one audit file. At the bound it is renamed to a
	// numbered one, of which AuditFilesMax are kept.
	AuditFileBytesMax = 8 << 20
	AuditFilesMax     = 4

	// AuditBacklogMax bounds the events that wait for the audit file. Beyond it they
	// are dropped and a gap line is written.
	AuditBacklogMax = 4096

	// SubscribersMax bounds the subscribers of the journal. One more is refused.
	SubscribersMax = 64
)
