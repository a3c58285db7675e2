package journal

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/rs/zerolog"

	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/messages"
)

// journal is the actor that keeps the events.
//
//	Owns     the ring of events, the subscribers' channels, the audit writer
//	Parent   root
//	Accepts  messages.Event by pointer from every actor and the gateway,
//	         subscribe, unsubscribe and flush from the gateway
//	Emits    events to subscribers, lines to the audit file and the log
//	Restart  never: its failures are resumed, since an audit must not lose what it
//	         has already been given
//	Limits   messages.JournalEventsMax in the ring, messages.JournalSubscriberBacklog
//	         per subscriber, kernel.SubscribersMax, kernel.AuditBacklogMax
type journal struct {
	machine *journalMachine
	// numbers is the last number that was given to a subscriber.
	numbers     uint64
	subscribers map[uint64]chan messages.Event
	audit       *AuditWriter // nil without a path
	logger      zerolog.Logger
}

// Subscribe adds a subscriber. Taken gets the number by which it is taken away again.
// Refused subscribers get a closed channel.
type Subscribe struct {
	Events chan messages.Event
	Taken  chan<- uint64
}

// Flush asks for an answer once everything that was sent before it is recorded. A stop
// overtakes what waits in a mailbox, so the last events need it.
type Flush struct{ Reply chan<- bool }

// Unsubscribe takes a subscriber away and closes its channel.
type Unsubscribe struct{ ID uint64 }

// New returns the actor that keeps the events. audit may be nil.
func New(logger zerolog.Logger, audit *AuditWriter) *journal {
	return &journal{
		machine:     newJournalMachine(),
		subscribers: make(map[uint64]chan messages.Event),
		audit:       audit,
		logger:      logger,
	}
}

// Receive carries out one message.
func (j *journal) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case *messages.Event:
		j.record(*m)
	case *Subscribe:
		j.numbers++
		m.Taken <- j.numbers
		if len(j.subscribers) >= kernel.SubscribersMax {
			close(m.Events)
			return
		}
		j.subscribers[j.numbers] = m.Events
	case *Unsubscribe:
		if events, ok := j.subscribers[m.ID]; ok {
			delete(j.subscribers, m.ID)
			j.machine.forget(m.ID)
			close(events)
		}
	case *Flush:
		m.Reply <- true
	case *actor.Stopped:
		for id, events := range j.subscribers {
			delete(j.subscribers, id)
			close(events)
		}
		if j.audit != nil {
			j.audit.close()
		}
	}
}

func (j *journal) record(e messages.Event) {
	if e.At.IsZero() {
		e.At = time.Now()
	}
	e = j.machine.record(e)
	for id, events := range j.subscribers {
		// The journal is the channel's only sender, so the room can only grow.
		for _, due := range j.machine.due(id, cap(events)-len(events), e) {
			events <- due
		}
	}
	if j.audit != nil {
		j.audit.write(e)
	}
	logEvent(j.logger, e)
}

// logEvent derives the log line of an event; it is the only place where events
// are logged.
func logEvent(logger zerolog.Logger, e messages.Event) {
	level := zerolog.InfoLevel
	switch e.Kind {
	case messages.EventOperationEnded, messages.EventPageNavigated, messages.EventDownloadChanged:
		level = zerolog.DebugLevel
	case messages.EventBrowserCrashed, messages.EventBrowserRestarted, messages.EventPageCrashed, messages.EventPageRestarted:
		level = zerolog.WarnLevel
	}
	line := logger.WithLevel(level)
	if line == nil || logger.GetLevel() > level {
		return
	}
	line = line.Uint64("sequence", e.Sequence)
	for key, value := range map[string]string{
		"browser": string(e.BrowserID), "page": string(e.PageID), "action": string(e.Action),
		"state": string(e.State), "code": string(e.Code), "operation": string(e.OperationID),
	} {
		if value != "" {
			line = line.Str(key, value)
		}
	}
	if e.Took > 0 {
		line = line.Dur("took", e.Took)
	}
	line.Msg(string(e.Kind))
}
