package machinetest

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

var record = flag.Bool("effects.record", false, "record what machines ask for in testdata/effects, instead of comparing it")

// WantEffects compares what a machine asks for with what is written out.
func WantEffects[E any](t *testing.T, got []E, want ...E) {
	t.Helper()
	if len(got) == 0 && len(want) == 0 || reflect.DeepEqual(got, want) {
		return
	}
	t.Errorf("effects differ:\n%s", diff(Render(want), Render(got)))
}

// WantKinds compares the kinds of what a machine asks for with those that are written out, and the whole values with
// those that are recorded for this comparison of the test.
func WantKinds[E any](t *testing.T, got []E, want string) {
	t.Helper()
	if Kinds(got) != want {
		t.Errorf("effects are %q, want %q\n%s", Kinds(got), want, Render(got))
		return
	}
	if want == "" {
		return
	}
	r := <-records
	name := t.Name()
	if r.numbers[name] == 0 {
		t.Cleanup(func() { // -count repeats tests
			r := <-records
			delete(r.numbers, name)
			records <- r
		})
	}
	message := r.compare(name, Render(got))
	records <- r
	if message != "" {
		t.Error(message)
	}
}

// records hands the recorded values of this package from one comparison to the next.
var records = func() chan *recorded {
	c := make(chan *recorded, 1)
	c <- newRecorded()
	return c
}()

type recorded struct {
	// numbers are the comparisons made so far, by test.
	numbers map[string]int
	// files are the recorded texts, by file and then by test and number.
	files map[string]map[string]string
}

func newRecorded() *recorded {
	return &recorded{numbers: make(map[string]int), files: make(map[string]map[string]string)}
}

// compare holds a text against the one that is recorded for the next comparison of a test, and says how they differ.
func (r *recorded) compare(name, text string) string {
	r.numbers[name]++
	key := fmt.Sprintf("%s #%02d", name, r.numbers[name])
	top, _, _ := strings.Cut(name, "/")
	path := filepath.Join("testdata", "effects", top+".txt")
	if r.files[path] == nil {
		r.files[path] = read(path)
	}
	if *record {
		r.files[path][key] = text
		if err := write(path, r.files[path]); err != nil {
			return err.Error()
		}
		return ""
	}
	want, ok := r.files[path][key]
	switch {
	case !ok:
		return key + " is not recorded. Look at it, and run the test with -effects.record:\n" + text
	case want != text:
		return key + " differs from " + path + ":\n" + diff(want, text)
	}
	return ""
}

// heading begins the text of one comparison.
const heading = "== "

func read(path string) map[string]string {
	texts := make(map[string]string)
	content, err := os.ReadFile(path)
	if err != nil {
		return texts // nothing is recorded, which the comparison says
	}
	for _, part := range strings.Split("\n"+string(content), "\n"+heading)[1:] {
		key, text, _ := strings.Cut(part, "\n")
		texts[key] = strings.TrimSuffix(text, "\n") + "\n"
	}
	return texts
}

func write(path string, texts map[string]string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(texts)) {
		b.WriteString(heading + key + "\n" + texts[key])
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

// diff shows the lines that only one of two texts has, between those that both have.
func diff(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	// The longest common subsequence, from the ends: the texts are short.
	common := make([][]int, len(w)+1)
	for i := range common {
		common[i] = make([]int, len(g)+1)
	}
	for i := len(w) - 1; i >= 0; i-- {
		for j := len(g) - 1; j >= 0; j-- {
			common[i][j] = max(common[i+1][j], common[i][j+1])
			if w[i] == g[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	var b strings.Builder
	i, j := 0, 0
	for i < len(w) || j < len(g) {
		switch {
		case i < len(w) && j < len(g) && w[i] == g[j]:
			b.WriteString("  " + w[i] + "\n")
			i, j = i+1, j+1
		case j == len(g) || i < len(w) && common[i+1][j] >= common[i][j+1]:
			b.WriteString("- " + w[i] + "\n")
			i++
		default:
			b.WriteString("+ " + g[j] + "\n")
			j++
		}
	}
	return b.String()
}
