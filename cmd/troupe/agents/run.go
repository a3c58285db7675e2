package agents

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/tools"

	"github.com/troupe-browser/troupe/cmd/troupe/program"
)

// runLineBytesMax bounds one line of input: a full batch with every quote escaped. A longer line ends the run.
const runLineBytesMax = 1 << 20

// RunCommand is `troupe run`, which carries out lines of JSON, each with the arguments of a tool.
func RunCommand(a *program.App) *cobra.Command {
	var images string
	cmd := &cobra.Command{
		Use:   "run FILE|-",
		Short: "Carry out tool calls given as lines of JSON",
		Long: `Carry out the calls of a file, or of standard input, one after the other. Each line is one call:

  {"tool": "control_browser", "arguments": {"action": "launch"}}

and is answered with one line, the structured result of the tool. The text "$browser_id" or "$page_id" as an argument
stands for the id that came last in an answer; after a launch it is that of the first page as soon as pages were listed.
Empty lines and lines that begin with # are passed over. The status is 0 when every call was carried out.`,
		Example: "  troupe run calls.jsonl\n  my-agent | troupe run - --images ./shots",
		Args:    program.Exactly(1, "name a file, or - for standard input, as in: troupe run calls.jsonl"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in := a.In
			if args[0] != "-" {
				file, err := os.Open(args[0])
				if err != nil {
					return program.UsageError{Text: err.Error()}
				}
				defer func() { _ = file.Close() }() // it was only read
				in = file
			}
			return a.WithHost(cmd.Context(), "run", func(ctx context.Context, h *program.Host) error {
				return runLines(ctx, a, h, in, images)
			})
		},
	}
	cmd.Flags().StringVar(&images, "images", "", "directory that gets the pictures of screenshot calls")
	return cmd
}

// lines is one run: the caller, and the ids that came last.
type lines struct {
	facade *tools.Facade
	caller messages.Caller
	images string
	shots  int
	last   map[string]string
	failed error
}

func runLines(ctx context.Context, a *program.App, h *program.Host, in io.Reader, images string) error {
	driver := h.Driver(messages.PlaneModel, a.Grants(messages.DefaultGrants()))
	defer driver.End()
	r := &lines{facade: tools.NewFacade(driver), caller: driver.Caller, images: images, last: map[string]string{}}
	read := readLines(ctx, in)
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case line, more := <-read:
			if !more {
				return r.failed
			}
			if line.err != nil {
				return line.err
			}
			answer, err := r.answer(ctx, line.text)
			if err != nil {
				return err
			}
			if answer == nil {
				continue
			}
			if _, err := a.Out.Write(append(answer, '\n')); err != nil {
				return fmt.Errorf("write the answer: %w", err)
			}
		}
	}
}

type inputLine struct {
	text []byte
	err  error
}

// readLines reads ahead by one line in a goroutine, so that a signal is heard while the input is silent. It ends with
// the input or the context; a read that nothing ends keeps it until the process does.
func readLines(ctx context.Context, in io.Reader) <-chan inputLine {
	out := make(chan inputLine)
	go func() {
		defer close(out)
		scanner := bufio.NewScanner(in)
		scanner.Buffer(nil, runLineBytesMax)
		send := func(line inputLine) bool {
			select {
			case out <- line:
				return true
			case <-ctx.Done():
				return false
			}
		}
		for scanner.Scan() {
			if !send(inputLine{text: bytes.Clone(scanner.Bytes())}) {
				return
			}
		}
		if err := scanner.Err(); err != nil {
			send(inputLine{err: fmt.Errorf("read the calls (a line has at most %d bytes): %w", runLineBytesMax, err)})
		}
	}()
	return out
}

// answer carries out one line. An error ends the run; a refusal is an answer.
func (r *lines) answer(ctx context.Context, line []byte) ([]byte, error) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 || line[0] == '#' {
		return nil, nil
	}
	var call struct {
		Tool      string          `json:"tool"`
		Arguments json.RawMessage `json:"arguments"`
	}
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&call); err != nil || decoder.More() {
		refused := messages.NewError(messages.CodeInvalidRequest, `A line is {"tool": ..., "arguments": {...}} and nothing else.`).
			WithRecovery(tools.Observe, map[string]any{"action": "targets"})
		r.fail(refused)
		return json.Marshal(messages.Refusal("", refused))
	}
	result := r.facade.Call(ctx, r.caller, call.Tool, r.substitute(call.Arguments))
	if result.Err != nil {
		r.fail(result.Err)
	}
	r.remember(result.Reply)
	return result.Structured, r.keep(result)
}

// fail remembers the first refusal for the exit status; it has been answered already.
func (r *lines) fail(err *messages.Error) {
	if r.failed == nil {
		r.failed = program.SilentError{Status: program.ExitStatus(err)}
	}
}

// substitute puts the ids that came last in the place of their names.
func (r *lines) substitute(arguments json.RawMessage) json.RawMessage {
	for name, id := range r.last {
		quoted, err := json.Marshal(id)
		if err != nil {
			continue
		}
		arguments = bytes.ReplaceAll(arguments, []byte(`"$`+name+`"`), quoted)
	}
	return arguments
}

func (r *lines) remember(reply messages.Reply) {
	set := func(name, id string) {
		if id != "" {
			r.last[name] = id
		}
	}
	switch reply := reply.(type) {
	case *messages.Receipt:
		set("browser_id", string(reply.BrowserID))
		set("page_id", string(reply.PageID))
		for _, opened := range reply.OpenedPages {
			set("page_id", string(opened.PageID)) // one that was closed has none
		}
	case *messages.PageList:
		if len(reply.Pages) > 0 {
			set("page_id", string(reply.Pages[len(reply.Pages)-1].PageID))
		}
	}
}

// keep writes a picture to the directory of --images as shot-N.png.
func (r *lines) keep(result tools.Result) error {
	if result.Image == nil || r.images == "" {
		return nil
	}
	if err := os.MkdirAll(r.images, 0o700); err != nil {
		return fmt.Errorf("--images: %w", err)
	}
	r.shots++
	if err := os.WriteFile(fmt.Sprintf("%s/shot-%d.png", r.images, r.shots), result.Image, 0o600); err != nil {
		return errors.Join(errors.New("--images"), err)
	}
	return nil
}
