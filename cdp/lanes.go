package cdp

import (
	"strings"
	"sync"
)

type lane uint8

const (
	laneLifecycle lane = iota
	laneDiagnostics
	laneFrame
)

// laneOf returns the lane of an event (C22). Diagnostics are what a page can
// produce without end and what no fence depends on: Network, Log, the console, and
// the mutation events of DOM, CSS and Accessibility except DOM.documentUpdated.
func laneOf(method string) lane {
	domain, name, _ := strings.Cut(method, ".")
	switch domain {
	case "Network", "Log", "CSS", "Accessibility":
		return laneDiagnostics
	case "DOM":
		if name != "documentUpdated" {
			return laneDiagnostics
		}
	case "Runtime":
		if name == "consoleAPICalled" || name == "exceptionThrown" || name == "exceptionRevoked" {
			return laneDiagnostics
		}
	case "Page":
		if name == "screencastFrame" {
			return laneFrame
		}
	}
	return laneLifecycle
}

// eventLane is a bounded queue with one goroutine that hands its events to a
// handler. The goroutine exists from the first handler on; before it, events are
// discarded, since nobody watches yet.
type eventLane struct {
	eventsMax, bytesMax int
	wake                chan struct{}

	mu      sync.Mutex
	running bool
	ended   bool
	events  []Event
	bytes   int
	dropped uint64
}

func (l *eventLane) init(eventsMax, bytesMax int) {
	l.eventsMax, l.bytesMax = eventsMax, bytesMax
	l.wake = make(chan struct{}, 1)
}

// start begins to hand events to deliver, the first time it is called.
func (l *eventLane) start(deliver func(batch []Event, dropped uint64)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.running || l.ended {
		return
	}
	l.running = true
	go l.run(deliver)
}

func (l *eventLane) run(deliver func([]Event, uint64)) {
	for {
		batch, dropped, ended := l.take()
		switch {
		case len(batch) > 0:
			deliver(batch, dropped)
		case ended:
			return
		default:
			<-l.wake
		}
	}
}

// take removes the next batch.
func (l *eventLane) take() (batch []Event, dropped uint64, ended bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := min(len(l.events), DiagnosticsBatchMax)
	if n == 0 {
		l.running = l.running && !l.ended
		return nil, 0, l.ended
	}
	batch, l.events = l.events[:n:n], l.events[n:]
	for _, e := range batch {
		l.bytes -= len(e.Params)
	}
	dropped, l.dropped = l.dropped, 0
	return batch, dropped, false
}

// put appends an event and reports false when a bound is reached.
func (l *eventLane) put(e Event) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.running || l.ended {
		return true
	}
	if len(l.events) >= l.eventsMax || l.bytes+len(e.Params) > l.bytesMax {
		return false
	}
	l.append(e)
	return true
}

// after runs do behind the events that are queued, and reports false when no
// goroutine is there to do so, since nothing is queued then. It takes no room of the
// bounds: there is at most one for each caller that waits.
func (l *eventLane) after(do func()) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.running {
		return false
	}
	l.append(Event{after: do})
	return true
}

// putLossy appends an event and drops the oldest ones while a bound is passed.
func (l *eventLane) putLossy(e Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.running || l.ended {
		return
	}
	for len(l.events) > 0 && (len(l.events) >= l.eventsMax || l.bytes+len(e.Params) > l.bytesMax) {
		l.bytes -= len(l.events[0].Params)
		l.events[0] = Event{}
		l.events = l.events[1:]
		l.dropped++
	}
	l.append(e)
}

func (l *eventLane) append(e Event) {
	l.events = append(l.events, e)
	l.bytes += len(e.Params)
	l.signal()
}

// end lets the goroutine return once it has handed over what is queued.
func (l *eventLane) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
	l.signal()
}

func (l *eventLane) signal() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// frameLane holds at most one event: a newer one takes its place.
type frameLane struct {
	wake chan struct{}

	mu      sync.Mutex
	running bool
	ended   bool
	full    bool
	latest  Event
}

func (l *frameLane) init() { l.wake = make(chan struct{}, 1) }

func (l *frameLane) start(deliver func(Event)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.running || l.ended {
		return
	}
	l.running = true
	go l.run(deliver)
}

func (l *frameLane) run(deliver func(Event)) {
	for {
		l.mu.Lock()
		e, full, ended := l.latest, l.full, l.ended
		l.latest, l.full = Event{}, false
		l.mu.Unlock()
		switch {
		case full:
			deliver(e)
		case ended:
			return
		default:
			<-l.wake
		}
	}
}

func (l *frameLane) put(e Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.running || l.ended {
		return
	}
	if l.full {
		e.Replaced = l.latest.Replaced + 1
	}
	l.latest, l.full = e, true
	l.signal()
}

func (l *frameLane) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
	l.signal()
}

func (l *frameLane) signal() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}
