package verbs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/tools"

	"github.com/troupe-browser/troupe/cmd/troupe/program"
)

// ActCommands are the verbs that act on a page.
func ActCommands(a *program.App) []*cobra.Command {
	return []*cobra.Command{
		clickCommand(a), scrollCommand(a), typeCommand(a), pressCommand(a), batchCommand(a),
		dialogCommand(a), uploadCommand(a), choiceCommand(a), dragCommand(a), evalCommand(a),
		elementCommand(a, "hover", "", "Move the pointer onto an element", "  troupe hover browser:1 e3", 2,
			func(e messages.OnElement, _ []string) messages.Effect { return &messages.Hover{OnElement: e} }),
		elementCommand(a, "focus", "", "Put the focus on an element", "  troupe focus browser:1 e3", 2,
			func(e messages.OnElement, _ []string) messages.Effect { return &messages.Focus{OnElement: e} }),
		elementCommand(a, "fill", " VALUE", "Replace the value of a field; an empty one clears it", "  troupe fill browser:1 e2 \"Ada Lovelace\"\n  troupe fill browser:1 e2 \"\"", 3,
			func(e messages.OnElement, args []string) messages.Effect {
				return &messages.SetValue{OnElement: e, Value: args[2]}
			}),
		elementCommand(a, "select", " OPTION", "Select an option of a native select by its exact value or label", "  troupe select browser:1 e6 \"In the garden\"", 3,
			func(e messages.OnElement, args []string) messages.Effect {
				return &messages.SelectOption{OnElement: e, Option: args[2]}
			}),
		elementCommand(a, "date", " DATE", "Set a month or a day in a date control", "  troupe date browser:1 e5 2027-05-14\n  troupe date browser:1 e5 2027-05", 3,
			func(e messages.OnElement, args []string) messages.Effect {
				return &messages.SetDate{OnElement: e, Value: args[2]}
			}),
	}
}

// elementCommand is a verb on one element with a fixed number of arguments: browser, ref and what use adds.
func elementCommand(a *program.App, name, more, short, example string, count int, effect func(messages.OnElement, []string) messages.Effect) *cobra.Command {
	return command(a, verb{
		use: name + " BROWSER REF" + more, short: short, example: example, least: count, most: count, onPage: true, acts: true,
		run: func(ctx context.Context, s *session, args []string) error {
			element, err := s.element(ctx, args[0], args[1])
			if err != nil {
				return err
			}
			return s.act(ctx, effect(element, args))
		},
	})
}

// NavigateCommand is `troupe navigate`.
func NavigateCommand(a *program.App) *cobra.Command {
	return command(a, verb{
		use:     "navigate BROWSER URL|back|forward|reload|stop",
		short:   "Go to an address, or through the page's history",
		example: "  troupe navigate browser:1 example.com\n  troupe navigate browser:1 back\n  troupe navigate browser:1 reload",
		least:   2, most: 2, onPage: true, acts: true,
		run: func(ctx context.Context, s *session, args []string) error {
			page, err := s.pageOf(ctx, args[0])
			if err != nil {
				return err
			}
			switch args[1] {
			case "back":
				return s.act(ctx, &messages.Back{PageAddress: page})
			case "forward":
				return s.act(ctx, &messages.Forward{PageAddress: page})
			case "reload":
				return s.act(ctx, &messages.Reload{PageAddress: page})
			case "stop":
				return s.act(ctx, &messages.Stop{PageAddress: page})
			}
			address, err := normalizeURL(args[1])
			if err != nil {
				return err
			}
			return s.act(ctx, &messages.Navigate{PageAddress: page, URL: address})
		},
	})
}

func modifiers(names []string) []messages.Modifier {
	var out []messages.Modifier
	for _, name := range names {
		out = append(out, messages.Modifier(strings.ToLower(name)))
	}
	return out
}

func clickCommand(a *program.App) *cobra.Command {
	c := &messages.Click{}
	var held []string
	return command(a, verb{
		use: "click BROWSER REF", short: "Click an element",
		example: "  troupe click browser:1 e10\n  troupe click browser:1 e10 --snapshot-after\n  troupe click browser:1 e4 --count 2 --modifier ctrl",
		least:   2, most: 2, onPage: true, acts: true,
		flags: func(cmd *cobra.Command) {
			cmd.Flags().IntVar(&c.Count, "count", 1, "number of clicks, 1 to 3")
			cmd.Flags().StringVar((*string)(&c.Button), "button", "left", "left, middle or right")
			cmd.Flags().StringSliceVar(&held, "modifier", nil, "alt, ctrl, meta or shift (repeatable)")
		},
		run: func(ctx context.Context, s *session, args []string) error {
			element, err := s.element(ctx, args[0], args[1])
			if err != nil {
				return err
			}
			c.OnElement, c.Modifiers = element, modifiers(held)
			return s.act(ctx, c)
		},
	})
}

func scrollCommand(a *program.App) *cobra.Command {
	c := &messages.Scroll{}
	return command(a, verb{
		use: "scroll BROWSER [REF]", short: "Turn the wheel over an element or the page",
		example: "  troupe scroll browser:1\n  troupe scroll browser:1 e7 --direction up --amount 300",
		least:   1, most: 2, onPage: true, acts: true,
		flags: func(cmd *cobra.Command) {
			cmd.Flags().StringVar((*string)(&c.Direction), "direction", "down", "up, down, left or right")
			cmd.Flags().IntVar(&c.Amount, "amount", 0, "CSS pixels; most of a viewport by default")
		},
		run: func(ctx context.Context, s *session, args []string) error {
			element, err := s.element(ctx, args[0], strings.Join(args[1:], ""))
			if err != nil {
				return err
			}
			c.OnElement = element
			return s.act(ctx, c)
		},
	})
}

func typeCommand(a *program.App) *cobra.Command {
	c := &messages.InputText{}
	return command(a, verb{
		use: "type BROWSER REF TEXT", short: "Type text at the caret of a field, after what is there",
		example: "  troupe type browser:1 e2 \"hello\"\n  troupe type browser:1 e2 \"search words\" --submit",
		least:   3, most: 3, onPage: true, acts: true,
		flags: func(cmd *cobra.Command) {
			cmd.Flags().BoolVar(&c.Submit, "submit", false, "press Enter afterwards")
		},
		run: func(ctx context.Context, s *session, args []string) error {
			element, err := s.element(ctx, args[0], args[1])
			if err != nil {
				return err
			}
			c.OnElement, c.Text = element, args[2]
			return s.act(ctx, c)
		},
	})
}

func pressCommand(a *program.App) *cobra.Command {
	return command(a, verb{
		use: "press BROWSER [REF] KEY", short: "Press a key, on an element or on what has the focus",
		long:    "Press a key or a chord that acts inside the document; what the browser itself takes is refused.\n" + strings.ReplaceAll(messages.AllowedKeys, "; ", ";\n"),
		example: "  troupe press browser:1 Enter\n  troupe press browser:1 e2 ctrl+a",
		least:   2, most: 3, onPage: true, acts: true,
		run: func(ctx context.Context, s *session, args []string) error {
			ref := ""
			if len(args) == 3 {
				ref = args[1]
			}
			element, err := s.element(ctx, args[0], ref)
			if err != nil {
				return err
			}
			return s.act(ctx, &messages.PressKey{OnElement: element, Key: args[len(args)-1]})
		},
	})
}

func choiceCommand(a *program.App) *cobra.Command {
	return command(a, verb{
		use: "choice BROWSER REF STEP...", short: "Choose in a custom select or cascader by exact labels, outer first",
		example: "  troupe choice browser:1 e8 Europe France Paris",
		least:   3, most: 2 + messages.ChoiceStepsMax, onPage: true, acts: true,
		run: func(ctx context.Context, s *session, args []string) error {
			element, err := s.element(ctx, args[0], args[1])
			if err != nil {
				return err
			}
			return s.act(ctx, &messages.SelectChoice{OnElement: element, ChoicePath: args[2:]})
		},
	})
}

func dragCommand(a *program.App) *cobra.Command {
	return elementCommand(a, "drag", " REF", "Drag one element onto another", "  troupe drag browser:1 e3 e9", 3,
		func(e messages.OnElement, args []string) messages.Effect {
			return &messages.Drag{OnElement: e, TargetElementID: messages.ElementHandle(args[2])}
		})
}

func uploadCommand(a *program.App) *cobra.Command {
	var root string
	return command(a, verb{
		use: "upload BROWSER REF FILE", short: "Give a file from below the working directory to a file input",
		example: "  troupe upload browser:1 e4 reports/march.pdf\n  troupe upload browser:1 e4 invoice.pdf --root downloads",
		least:   3, most: 3, onPage: true, acts: true,
		flags: func(cmd *cobra.Command) {
			cmd.Flags().StringVar(&root, "root", "", "take it from a configured upload root, or from downloads")
		},
		run: func(ctx context.Context, s *session, args []string) error {
			element, err := s.element(ctx, args[0], args[1])
			if err != nil {
				return err
			}
			c := &messages.UploadFile{OnElement: element, Path: args[2], Root: root}
			if err := stageUpload(s.app, c); err != nil {
				return err
			}
			return s.act(ctx, c)
		},
	})
}

// stageUpload hands the daemon the file of an upload that names no root.
func stageUpload(a *program.App, c *messages.UploadFile) error {
	if c.Root != "" {
		return nil
	}
	staged, err := stage(a, c.Path)
	if err != nil {
		return err
	}
	c.Path, c.Root = staged, program.StagingRoot
	return nil
}

func batchCommand(a *program.App) *cobra.Command {
	var file string
	return command(a, verb{
		use: "batch BROWSER -f FILE|-", short: "Carry out up to 32 operations on one snapshot, in order",
		long: "Carry out a JSON list of operations, as the batch of the tools has them. It stops at the first that does not\n" +
			"complete, and says how far it came.",
		example: "  troupe batch browser:1 -f fill.json\n  echo '[{\"action\":\"set_value\",\"element_id\":\"e2\",\"value\":\"Ada\"}]' | troupe batch browser:1 -f -",
		least:   1, most: 1, onPage: true, acts: true,
		flags: func(cmd *cobra.Command) {
			cmd.Flags().StringVarP(&file, "file", "f", "", "file with the operations, or - for standard input")
		},
		run: func(ctx context.Context, s *session, args []string) error {
			operations, err := readAll(s.app, file, "name the operations, as in: troupe batch browser:1 -f fill.json")
			if err != nil {
				return err
			}
			page, err := s.pageOf(ctx, args[0])
			if err != nil {
				return err
			}
			arguments, err := json.Marshal(map[string]any{
				"action": "batch", "browser_id": page.BrowserID, "page_id": page.PageID, "operations": json.RawMessage(operations),
			})
			if err != nil {
				return program.Usagef("the operations are not JSON: %v", err)
			}
			command, refused := tools.Parse(tools.Control, arguments)
			if refused != nil {
				return refused
			}
			batch, ok := command.(*messages.Batch)
			if !ok {
				return errors.New("the operations make no batch")
			}
			for _, op := range batch.Operations {
				if upload, ok := op.(*messages.UploadFile); ok {
					if err := stageUpload(s.app, upload); err != nil {
						return err
					}
				}
			}
			return s.act(ctx, batch)
		},
	})
}

// inputBytesMax bounds what is read of a file of operations or a script.
const inputBytesMax = 1 << 20

// readAll reads a file, or standard input for -.
func readAll(a *program.App, name, says string) ([]byte, error) {
	in := a.In
	switch name {
	case "":
		return nil, program.UsageError{Text: says}
	case "-":
	default:
		file, err := os.Open(name)
		if err != nil {
			return nil, program.UsageError{Text: err.Error()}
		}
		defer func() { _ = file.Close() }() // it was only read
		in = file
	}
	text, err := io.ReadAll(io.LimitReader(in, inputBytesMax+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	if len(text) > inputBytesMax {
		return nil, program.Usagef("%s has more than %d bytes", name, inputBytesMax)
	}
	return text, nil
}

func dialogCommand(a *program.App) *cobra.Command {
	dialog := &cobra.Command{
		Use: "dialog accept|dismiss BROWSER", Short: "Answer the open dialog of a page",
		Example: "  troupe dialog accept browser:1\n  troupe dialog accept browser:1 \"the answer\"\n  troupe dialog dismiss browser:1",
		Args:    program.UnknownVerb("accept or dismiss it, as in: troupe dialog accept browser:1"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	for _, accept := range []bool{true, false} {
		name, more, most := "dismiss", "", 1
		if accept {
			name, more, most = "accept", " [TEXT]", 2
		}
		dialog.AddCommand(command(a, verb{
			use: name + " BROWSER" + more, short: strings.ToUpper(name[:1]) + name[1:] + " the dialog",
			example: "  troupe dialog " + name + " browser:1", least: 1, most: most, onPage: true, acts: true,
			run: func(ctx context.Context, s *session, args []string) error {
				page, err := s.pageOf(ctx, args[0])
				if err != nil {
					return err
				}
				return s.act(ctx, &messages.HandleDialog{PageAddress: page, Accept: accept, PromptText: strings.Join(args[1:], "")})
			},
		}))
	}
	return dialog
}

// PopupCommand is `troupe popup`.
func PopupCommand(a *program.App) *cobra.Command {
	popup := &cobra.Command{
		Use: "popup close BROWSER", Short: "Close the popup that is presented, and present its opener again",
		Example: "  troupe popup close browser:1",
		Args:    program.UnknownVerb("close it, as in: troupe popup close browser:1"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	popup.AddCommand(command(a, verb{
		use: "close BROWSER", short: "Close the popup", example: "  troupe popup close browser:1", least: 1, most: 1, onPage: true,
		run: func(ctx context.Context, s *session, args []string) error {
			browser, err := s.browser(ctx, args[0])
			if err != nil {
				return err
			}
			pages, err := s.pages(ctx, browser.BrowserID)
			if err != nil {
				return err
			}
			popup, refused := findPage(pages, s.page)
			switch {
			case refused != nil:
				return refused
			case popup.OpenerPageID == "":
				return messages.NewError(messages.CodeNotSupported, "The page that is presented is no popup. To close it, name it: troupe close %s --page 1", browser.Short)
			}
			return s.act(ctx, &messages.ClosePage{PageAddress: messages.PageAddress{BrowserID: browser.BrowserID, PageID: popup.PageID}})
		},
	}))
	return popup
}

// ViewportCommand is `troupe viewport`.
func ViewportCommand(a *program.App) *cobra.Command {
	return command(a, verb{
		use: "viewport BROWSER WIDTH HEIGHT|reset", short: "Set the size of the page's viewport in CSS pixels",
		example: "  troupe viewport browser:1 1280 800\n  troupe viewport browser:1 reset",
		least:   2, most: 3, onPage: true, acts: true,
		run: func(ctx context.Context, s *session, args []string) error {
			c := &messages.SetViewport{}
			if !(len(args) == 2 && args[1] == "reset") {
				if len(args) != 3 {
					return program.Usagef("width and height go together, as in: troupe viewport browser:1 1280 800")
				}
				var err, other error
				c.Width, err = strconv.Atoi(args[1])
				c.Height, other = strconv.Atoi(args[2])
				if err != nil || other != nil || c.Width < 1 || c.Height < 1 {
					return program.Usagef("width and height are numbers, as in: troupe viewport browser:1 1280 800")
				}
			}
			page, err := s.pageOf(ctx, args[0])
			if err != nil {
				return err
			}
			c.PageAddress = page
			return s.act(ctx, c)
		},
	})
}

func evalCommand(a *program.App) *cobra.Command {
	c := &messages.Evaluate{}
	return command(a, verb{
		use: "eval BROWSER SCRIPT|-", short: "Run a script in the page; needs browser:script",
		long: "Run a script in the page's own world and print its value as JSON. The daemon must have been started with\n" +
			"--grant browser:script. One that was started without it is ended first, with troupe serve --stop, which ends its\n" +
			"browsers; the next verb starts another with the flags that it is given.",
		example: "  troupe --grant browser:script eval browser:1 \"document.title\"\n  troupe eval browser:1 - < script.js",
		least:   2, most: 2, onPage: true, acts: true,
		flags: func(cmd *cobra.Command) {
			cmd.Flags().DurationVar(&c.Timeout, "timeout", messages.EffectTimeout, "give up after so long")
		},
		run: func(ctx context.Context, s *session, args []string) error {
			c.Script = args[1]
			if args[1] == "-" {
				text, err := readAll(s.app, "-", "")
				if err != nil {
					return err
				}
				c.Script = string(text)
			}
			page, err := s.pageOf(ctx, args[0])
			if err != nil {
				return err
			}
			c.PageAddress = page
			return s.act(ctx, c)
		},
	})
}
