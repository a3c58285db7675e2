package lint

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// cellCharsMax bounds a cell of ARCHITECTURE's tables, in characters: a table is read across, and what needs more is a
// paragraph below it.
const cellCharsMax = 200

func cellFindings(name, text string) []finding {
	var found []finding
	for i, line := range strings.Split(text, "\n") {
		if !strings.HasPrefix(line, "|") {
			continue
		}
		for cell := range strings.SplitSeq(strings.Trim(line, "|"), "|") {
			if n := utf8.RuneCountInString(strings.TrimSpace(cell)); n > cellCharsMax {
				found = append(found, finding{fmt.Sprintf("%s:%d", name, i+1), fmt.Sprintf("a cell has %d characters, more than %d. Say the rest in a paragraph below the table", n, cellCharsMax)})
			}
		}
	}
	return found
}

func TestTableCells(t *testing.T) {
	found, err := wholeTree()
	if err != nil {
		t.Fatal(err)
	}
	const name = "ARCHITECTURE.md"
	for _, f := range cellFindings(name, string(found.texts[name])) {
		t.Error(f)
	}
}

func TestCellRule(t *testing.T) {
	long := strings.Repeat("é", cellCharsMax)
	if found := cellFindings("a.md", "| a | "+long+" |\n"+long+"x\n"); len(found) != 0 {
		t.Errorf("a full cell and a long paragraph give %v", found)
	}
	if found := cellFindings("a.md", "| a |\n| b | "+long+"x |"); len(found) != 1 || found[0].where != "a.md:2" {
		t.Errorf("a cell that is too long gives %v", found)
	}
}
