package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"
)

// site serves the pages that are measured and notes when a form arrives.
type site struct {
	server    *httptest.Server
	submitted chan time.Time
}

// page is one measured page. ax says that the full accessibility tree is read for
// comparison, once a round; on the largest page that takes longer than all else.
type page struct {
	name, path string
	ax         bool
}

// snapshotPages are the pages of the snapshot table, by what they are made of.
var snapshotPages = []page{
	{"form of 20 fields", "/form", true}, {"1,000 elements", "/mixed?n=1000", true}, {"5,000 elements", "/mixed?n=5000", true},
	{"20,000 elements", "/mixed?n=20000", false}, {"table of 1,000 rows", "/table", true}, {"10 frames", "/frames", true}, {"300 shadow roots", "/shadow", true},
}

func newSite() *site {
	s := &site{submitted: make(chan time.Time, 64)}
	mux := http.NewServeMux()
	mux.HandleFunc("/form", func(w http.ResponseWriter, _ *http.Request) {
		var b strings.Builder
		b.WriteString("<!doctype html><title>Form</title><h1>Form</h1><form method=post action=/submit>")
		for i := range 20 {
			fmt.Fprintf(&b, "<label for=f%d>Field %d</label> <input id=f%d name=f%d>", i, i, i, i)
		}
		b.WriteString("<button>Send</button></form>")
		html(w, b.String())
	})
	mux.HandleFunc("/submit", func(w http.ResponseWriter, _ *http.Request) {
		select {
		case s.submitted <- time.Now():
		default: // nobody measures a submit now
		}
		html(w, "<!doctype html><title>Sent</title><p>Sent.")
	})
	mux.HandleFunc("/mixed", func(w http.ResponseWriter, r *http.Request) {
		html(w, `<!doctype html><title>Mixed</title><body><script>const n=`+digits(r.FormValue("n"))+`;let h="";for(let i=0;i<n/6;i++)h+="<div><h3>Item "+i+"</h3><p>Some text of item "+i+"</p><a href=#"+i+">Open "+i+"</a><button>Buy "+i+"</button><span>tail</span></div>";document.body.innerHTML=h</script>`)
	})
	mux.HandleFunc("/table", func(w http.ResponseWriter, _ *http.Request) {
		var b strings.Builder
		b.WriteString("<!doctype html><title>Table</title><table>")
		for i := range 1000 {
			fmt.Fprintf(&b, "<tr><td>Row %d<td>Name %d<td><a href=#>Edit</a>", i, i)
		}
		html(w, b.String())
	})
	mux.HandleFunc("/frames", func(w http.ResponseWriter, _ *http.Request) {
		html(w, "<!doctype html><title>Frames</title>"+strings.Repeat(`<iframe src=/form></iframe>`, 10))
	})
	mux.HandleFunc("/shadow", func(w http.ResponseWriter, _ *http.Request) {
		html(w, `<!doctype html><title>Shadow</title><body><script>for(let i=0;i<300;i++){const d=document.createElement("div");d.attachShadow({mode:"open"}).innerHTML="<button>S"+i+"</button>";document.body.append(d)}</script>`)
	})
	mux.HandleFunc("/click", func(w http.ResponseWriter, _ *http.Request) {
		html(w, `<!doctype html><title>Click</title><button id=b>Press</button><script>window.n=0;b.onclick=()=>{window.n++}</script>`)
	})
	s.server = httptest.NewServer(mux)
	return s
}

func (s *site) close() { s.server.Close() }

func (s *site) url(path string) string { return s.server.URL + path }

// drained forgets submissions of rounds that are over.
func (s *site) drained() {
	for {
		select {
		case <-s.submitted:
		default:
			return
		}
	}
}

func html(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write([]byte(text)) // a browser that left needs no answer
}

// digits keeps a query's number a number.
func digits(text string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
}
