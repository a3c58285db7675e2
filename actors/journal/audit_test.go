package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/messages"
)

// The audit is private, bounded, and loses nothing that it took in.
func TestAudit_RotatesPrivateFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit", "events.jsonl")
	w, err := NewAuditWriter(path)
	if err != nil {
		t.Fatal(err)
	}
	w.bytes = kernel.AuditFileBytesMax - 10 // the next line fills the file
	for i := range 3 {
		w.write(messages.Event{Sequence: uint64(i + 1), Kind: messages.EventPageOpened})
	}
	w.close()
	var sequences []uint64
	for _, name := range []string{path + ".1", path} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", filepath.Base(name), info.Mode().Perm())
		}
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		for lines := bufio.NewScanner(file); lines.Scan(); {
			var e messages.Event
			if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
				t.Fatal(err)
			}
			sequences = append(sequences, e.Sequence)
		}
		_ = file.Close() // read to its end
	}
	if len(sequences) != 3 || sequences[0] != 1 || sequences[2] != 3 {
		t.Errorf("lines are %v", sequences)
	}
}

func TestAudit_ErrorNamesNoPath(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := NewAuditWriter(filepath.Join(dir, "file", "audit.jsonl"))
	if err == nil || err.Error() != "the audit directory cannot be made: not a directory" {
		t.Errorf("error is %v", err)
	}
}

// What finds no place is counted in a mark before the next event that does.
func TestAudit_GapStandsWhereItWas(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.jsonl")
	w := &AuditWriter{path: path, lines: make(chan auditLine, 2), ended: make(chan struct{})}
	for sequence := range uint64(4) {
		w.write(messages.Event{Sequence: sequence + 1, Kind: messages.EventPageOpened}) // the last two find no place
	}
	first := <-w.lines
	w.write(messages.Event{Sequence: 5, Kind: messages.EventPageOpened})
	if first.missed != 0 {
		t.Errorf("%d were missed before the first", first.missed)
	}
	close(w.lines)
	w.run()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var lines []messages.Event
	for line := range bytes.Lines(content) {
		var e messages.Event
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, e)
	}
	if len(lines) != 3 || lines[0].Sequence != 2 || lines[1].Kind != messages.EventGap || lines[1].Count != 2 || lines[2].Sequence != 5 {
		t.Errorf("lines are %+v", lines)
	}
}
