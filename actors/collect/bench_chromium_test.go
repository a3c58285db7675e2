package collect_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/messages"
)

// floorScript is the least that any in-page snapshot must do: visit every
// element, look at its box and style, and write tag, text and box down.
const floorScript = `(() => { const out = []; for (const el of document.querySelectorAll("*")) {
const r = el.getBoundingClientRect(); if (!el.checkVisibility()) continue;
out.push({t: el.localName, n: (el.getAttribute("aria-label") || (el.firstChild && el.firstChild.nodeType === 3 ? el.firstChild.data : "")).slice(0, 80), x: r.x, y: r.y}); }
return JSON.stringify(out) })()`

func benchPages() map[string]string {
	form := "<h1>Form</h1><form>"
	for i := range 20 {
		form += fmt.Sprintf("<label for=f%d>Field %d</label><input id=f%d value=v%d>", i, i, i, i)
	}
	mix := func(n int) string {
		return fmt.Sprintf(`<body><script>let h="";for(let i=0;i<%d;i++)h+="<div class=c><h3>Item "+i+"</h3><p>Some text of item "+i+"</p><a href=#"+i+">Open "+i+"</a><button>Buy "+i+"</button><span>tail</span></div>";
document.body.innerHTML=h</script>`, n/6)
	}
	rows := `<table>`
	for i := range 1000 {
		rows += fmt.Sprintf("<tr><td>Row %d<td>Name %d<td><a href=#>Edit</a></tr>", i, i)
	}
	shadow := `<body><script>for(let i=0;i<300;i++){const d=document.createElement("div");d.attachShadow({mode:"open"}).innerHTML="<button>S"+i+"</button>";document.body.append(d)}</script>`
	return map[string]string{
		"1 form": form, "2 mixed 1k": mix(1000), "3 mixed 5k": mix(5000), "5 table 1000 rows": rows, "6 shadow 300": shadow,
		"7 frames 10": strings.Repeat(`<iframe srcdoc="<button>B</button><p>text</p>"></iframe>`, 10),
	}
}

// BenchmarkSnapshot prints medians of interleaved rounds, so that a busy machine
// disturbs all columns alike. Run with -benchtime 1x.
func BenchmarkSnapshot(b *testing.B) {
	r := newRig(b, nil)
	pages := benchPages()
	names := make([]string, 0, len(pages))
	for name := range pages {
		names = append(names, name)
	}
	slices.Sort(names)
	for range b.N {
		for _, name := range names {
			r.show(pages[name])
			rounds := 7
			var floor, walker, ax []time.Duration
			var sizes [2]int
			for range rounds {
				floor = append(floor, timed(func() { r.js(floorScript) }))
				r.computed = true
				walker = append(walker, timed(func() { sizes[0] = size(r, messages.TakeSnapshot{}) }))
				r.computed = false
				ax = append(ax, timed(func() { size(r, messages.TakeSnapshot{}) }))
			}
			r.computed = true
			sizes[1] = size(r, messages.TakeSnapshot{Projection: messages.ProjectionTree})
			f, w, a := median(floor), median(walker), median(ax)
			b.Logf("%-18s floor %8.1f ms, walker %8.1f ms (%.1fx floor), ax %8.1f ms (walker is 1/%.1f), default %d bytes, tree %d bytes",
				name, ms(f), ms(w), float64(w)/float64(f), ms(a), float64(a)/float64(w), sizes[0], sizes[1])
		}
	}
}

func size(r *rig, command messages.TakeSnapshot) int {
	data, err := json.Marshal(r.snap(command).Snapshot)
	if err != nil {
		r.t.Fatal(err)
	}
	return len(data)
}

func timed(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
