package main

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
)

func (a *app) actCommands() []*cobra.Command {
	return []*cobra.Command{
		a.clickCommand(), a.scrollCommand(), a.typeCommand(), a.pressCommand(), a.batchCommand(),
		a.dialogCommand(), a.uploadCommand(), a.choiceCommand(), a.dragCommand(), a.evalCommand(),
		a.elementCommand("hover", "", "Move the pointer onto an element", "  troupe hover browser:1 e3", 2,
			func(e messages.OnElement, _ []string) messages.Effect { return &messages.Hover{OnElement: e} }),
		a.elementCommand("focus", "", "Put the focus on an element", "  troupe focus browser:1 e3", 2,
			func(e messages.OnElement, _ []string) messages.Effect { return &messages.Focus{OnElement: e} }),
		a.elementCommand("fill", " VALUE", "Replace the value of a field; an empty one clears it", "  troupe fill browser:1 e2 \"Ada Lovelace\"\n  troupe fill browser:1 e2 \"\"", 3,
			func(e messages.OnElement, args []string) messages.Effect {
				return &messages.SetValue{OnElement: e, Value: args[2]}
			}),
		a.elementCommand("select", " OPTION", "Select an option of a native select by its exact value or label", "  troupe select browser:1 e6 \"In the garden\"", 3,
			func(e messages.OnElement, args []string) messages.Effect {
				return &messages.SelectOption{OnElement: e, Option: args[2]}
			}),
		a.elementCommand("date", " DATE", "Set a month or a day in a date control", "  troupe date browser:1 e5 2027-05-14\n  troupe date browser:1 e5 2027-05", 3,
			func(e messages.OnElement, args []string) messages.Effect {
				return &messages.SetDate{OnElement: e, Value: args[2]}
			}),
	}
}

// elementCommand is a verb on one element with a fixed number of arguments: browser, ref and what use adds.
func (a *app) elementCommand(name, more, short, example string, count int, effect func(messages.OnElement, []string) messages.Effect) *cobra.Command {
	return a.command(verb{
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

func (a *app) navigateCommand() *cobra.Command {
	return a.command(verb{
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

func (a *app) clickCommand() *cobra.Command {
	c := &messages.Click{}
	var held []string
	return a.command(verb{
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

func (a *app) scrollCommand() *cobra.Command {
	c := &messages.Scroll{}
	return a.command(verb{
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

func (a *app) typeCommand() *cobra.Command {
	c := &messages.InputText{}
	return a.command(verb{
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

func (a *app) pressCommand() *cobra.Command {
	return a.command(verb{
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

func (a *app) choiceCommand() *cobra.Command {
	return a.command(verb{
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

func (a *app) dragCommand() *cobra.Command {
	return a.elementCommand("drag", " REF", "Drag one element onto another", "  troupe drag browser:1 e3 e9", 3,
		func(e messages.OnElement, args []string) messages.Effect {
			return &messages.Drag{OnElement: e, TargetElementID: messages.ElementHandle(args[2])}
		})
}

func (a *app) uploadCommand() *cobra.Command {
	var root string
	return a.command(verb{
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
			if err := s.app.stageUpload(c); err != nil {
				return err
			}
			return s.act(ctx, c)
		},
	})
}

// stageUpload hands the daemon the file of an upload that names no root.
func (a *app) stageUpload(c *messages.UploadFile) error {
	if c.Root != "" {
		return nil
	}
	staged, err := a.stage(c.Path)
	if err != nil {
		return err
	}
	c.Path, c.Root = staged, stagingRoot
	return nil
}

func (a *app) batchCommand() *cobra.Command {
	var file string
	return a.command(verb{
		use: "batch BROWSER -f FILE|-", short: "Carry out up to 32 operations on one snapshot, in order",
		long: "Carry out a JSON list of operations, as the batch of the tools has them. It stops at the first that does not\n" +
			"complete, and says how far it came.",
		example: "  troupe batch browser:1 -f fill.json\n  echo '[{\"action\":\"set_value\",\"element_id\":\"e2\",\"value\":\"Ada\"}]' | troupe batch browser:1 -f -",
		least:   1, most: 1, onPage: true, acts: true,
		flags: func(cmd *cobra.Command) {
			cmd.Flags().StringVarP(&file, "file", "f", "", "file with the operations, or - for standard input")
		},
		run: func(ctx context.Context, s *session, args []string) error {
			operations, err := s.app.readAll(file, "name the operations, as in: troupe batch browser:1 -f fill.json")
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
				return usagef("the operations are not JSON: %v", err)
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
					if err := s.app.stageUpload(upload); err != nil {
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
func (a *app) readAll(name, says string) ([]byte, error) {
	in := a.in
	switch name {
	case "":
		return nil, usageError{says}
	case "-":
	default:
		file, err := os.Open(name)
		if err != nil {
			return nil, usageError{err.Error()}
		}
		defer func() { _ = file.Close() }() // it was only read
		in = file
	}
	text, err := io.ReadAll(io.LimitReader(in, inputBytesMax+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	if len(text) > inputBytesMax {
		return nil, usagef("%s has more than %d bytes", name, inputBytesMax)
	}
	return text, nil
}

func (a *app) dialogCommand() *cobra.Command {
	dialog := &cobra.Command{
		Use: "dialog accept|dismiss BROWSER", Short: "Answer the open dialog of a page",
		Example: "  troupe dialog accept browser:1\n  troupe dialog accept browser:1 \"the answer\"\n  troupe dialog dismiss browser:1",
		Args:    unknownVerb("accept or dismiss it, as in: troupe dialog accept browser:1"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	for _, accept := range []bool{true, false} {
		name, more, most := "dismiss", "", 1
		if accept {
			name, more, most = "accept", " [TEXT]", 2
		}
		dialog.AddCommand(a.command(verb{
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

// unknownVerb refuses a command that is given without one of its subcommands.
func unknownVerb(says string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usagef("%s: something is missing: %s", cmd.Name(), says)
		}
		return usagef("%s has no %q: %s", cmd.Name(), clampWord(args[0]), says)
	}
}

func (a *app) popupCommand() *cobra.Command {
	popup := &cobra.Command{
		Use: "popup close BROWSER", Short: "Close the popup that is presented, and present its opener again",
		Example: "  troupe popup close browser:1",
		Args:    unknownVerb("close it, as in: troupe popup close browser:1"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	popup.AddCommand(a.command(verb{
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

func (a *app) viewportCommand() *cobra.Command {
	return a.command(verb{
		use: "viewport BROWSER WIDTH HEIGHT|reset", short: "Set the size of the page's viewport in CSS pixels",
		example: "  troupe viewport browser:1 1280 800\n  troupe viewport browser:1 reset",
		least:   2, most: 3, onPage: true, acts: true,
		run: func(ctx context.Context, s *session, args []string) error {
			c := &messages.SetViewport{}
			if !(len(args) == 2 && args[1] == "reset") {
				if len(args) != 3 {
					return usagef("width and height go together, as in: troupe viewport browser:1 1280 800")
				}
				var err, other error
				c.Width, err = strconv.Atoi(args[1])
				c.Height, other = strconv.Atoi(args[2])
				if err != nil || other != nil || c.Width < 1 || c.Height < 1 {
					return usagef("width and height are numbers, as in: troupe viewport browser:1 1280 800")
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

func (a *app) evalCommand() *cobra.Command {
	c := &messages.Evaluate{}
	return a.command(verb{
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
				text, err := s.app.readAll("-", "")
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
