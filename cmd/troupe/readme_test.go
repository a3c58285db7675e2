package main

import (
	"encoding/json"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"github.com/troupe-browser/troupe/cmd/troupe/program"
)

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The table of the README has a row for every verb, and no verb that is not there (R213, R216).
func TestReadmeHasEveryVerb(t *testing.T) {
	_, table, _ := strings.Cut(readme(t), "| verb | what it does |")
	table, _, _ = strings.Cut(table, "\n\n")
	root := rootCommand(&program.App{Streams: program.Streams{Out: io.Discard, Err: io.Discard}})
	root.InitDefaultCompletionCmd()
	named := map[string]bool{}
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.ReplaceAll(line, `\|`, "/"), "|")
		if len(cells) < 3 || !strings.Contains(cells[1], "`") {
			continue
		}
		for _, code := range regexp.MustCompile("`[^`]+`").FindAllString(cells[1], -1) {
			words := strings.Fields(strings.Trim(code, "`"))
			command, _, err := root.Find(words[:1])
			if err != nil || command == root {
				t.Errorf("the table names %s, which is no verb", code)
				continue
			}
			named[words[0]] = true
			if len(words) > 1 && command.HasSubCommands() {
				for _, child := range strings.Split(words[1], "/") {
					named[words[0]+" "+child] = true
				}
			}
		}
	}
	for _, command := range root.Commands() {
		if command.Hidden || command.Name() == "help" {
			continue
		}
		if !named[command.Name()] {
			t.Errorf("the table has no row for %s", command.Name())
		}
		for _, child := range command.Commands() {
			if command.Name() != "completion" && !named[command.Name()+" "+child.Name()] {
				t.Errorf("the table does not name %s %s", command.Name(), child.Name())
			}
		}
	}
}

// Each snippet for an MCP host is well-formed and starts a command that there is.
func TestReadmeSnippets(t *testing.T) {
	type server struct {
		Command string   `json:"command" toml:"command"`
		Args    []string `json:"args" toml:"args"`
		URL     string   `json:"url" toml:"url"`
	}
	var found []server
	for _, block := range regexp.MustCompile("(?s)```(json|toml)\n(.*?)```").FindAllStringSubmatch(readme(t), -1) {
		var hosts struct {
			Claude map[string]server `json:"mcpServers"`
			VSCode map[string]server `json:"servers"`
			Codex  map[string]server `toml:"mcp_servers"`
		}
		decode := json.Unmarshal
		if block[1] == "toml" {
			decode = toml.Unmarshal
		}
		if err := decode([]byte(block[2]), &hosts); err != nil {
			t.Errorf("%v in\n%s", err, block[2])
		}
		for _, of := range []map[string]server{hosts.Claude, hosts.VSCode, hosts.Codex} {
			for _, s := range of {
				found = append(found, s)
			}
		}
	}
	root := rootCommand(&program.App{Streams: program.Streams{Out: io.Discard, Err: io.Discard}})
	for _, s := range found {
		command, _, err := root.Find(s.Args)
		switch {
		case s.URL != "" && !strings.HasSuffix(s.URL, "/mcp"):
			t.Errorf("%+v names another address than the daemon's", s)
		case s.URL == "" && (err != nil || command.Name() != "mcp" || !strings.HasSuffix(s.Command, "/troupe")):
			t.Errorf("%+v starts %v, %v", s, command.Name(), err)
		}
	}
	if len(found) < 4 {
		t.Errorf("only %d snippets were found", len(found))
	}
}
