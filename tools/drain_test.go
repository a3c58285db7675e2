package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/troupe-browser/troupe/messages"
)

// held keeps what was written until the other side has closed.
type held struct{ bytes.Buffer }

func (*held) Close() error { return nil }

const helloLines = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// What was asked before the input ended is answered before the session ends: at once where the answer is known, and with
// what is known of it where it takes longer than drainMax.
func TestAnswersAfterTheInputEnded(t *testing.T) {
	for name, c := range map[string]struct {
		call, want string
	}{
		"known at once": {`{"name":"observe_browser","arguments":{"action":"browsers"}}`, `"browsers":[]`},
		"takes long":    {`{"name":"observe_browser","arguments":{"action":"wait","browser_id":"b","page_id":"p","text":"x"}}`, `"code":"cancelled"`},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				gateway := newFake(func(ctx context.Context, _ messages.Caller, command messages.Command) (messages.Reply, error) {
					if command.Action() == "browsers" {
						return &messages.BrowserList{}, nil
					}
					<-ctx.Done()
					return nil, messages.NewError(messages.CodeCancelled, "")
				})
				server := NewServer(NewFacade(gateway), ServerOptions{Grants: messages.DefaultGrants()})
				out := &held{}
				input := helloLines + `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":` + c.call + "}\n"
				// How the session ended is the client's affair.
				_ = server.ServeStream(context.Background(), io.NopCloser(strings.NewReader(input)), out)
				server.Close()
				if got := out.String(); strings.Count(got, "\n") != 2 || !strings.Contains(got, c.want) {
					t.Errorf("the answers are\n%swant %s in the second", got, c.want)
				}
			})
		})
	}
}

// A call over HTTP that is in flight when the server closes is answered with what is known of it.
func TestAnswerOverHTTPWhileClosing(t *testing.T) {
	for range 20 {
		began, ended := make(chan messages.Action, 1), make(chan messages.Action, 1)
		gateway := blocking(began, ended)
		server := NewServer(NewFacade(gateway), ServerOptions{Grants: messages.DefaultGrants()})
		web := httptest.NewServer(server.Handler())
		session, err := mcp.NewClient(&mcp.Implementation{Name: "t"}, nil).Connect(context.Background(),
			&mcp.StreamableClientTransport{Endpoint: web.URL, DisableStandaloneSSE: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		request, err := http.NewRequest(http.MethodPost, web.URL, strings.NewReader(
			`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"observe_browser","arguments":{"action":"wait","browser_id":"b","page_id":"p","text":"x"}}}`))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Accept", "application/json, text/event-stream")
		request.Header.Set("Mcp-Session-Id", session.ID())
		answered := make(chan string, 1)
		go func() {
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				answered <- err.Error()
				return
			}
			text, err := io.ReadAll(response.Body)
			_ = response.Body.Close() // it was read to its end
			if err != nil {
				text = []byte(err.Error())
			}
			answered <- string(text)
		}()
		<-began
		server.Close()
		<-ended
		var answer struct {
			Result struct {
				Structured struct {
					Code messages.Code `json:"code"`
				} `json:"structuredContent"`
			} `json:"result"`
		}
		text := <-answered
		if err := json.Unmarshal([]byte(text), &answer); err != nil || answer.Result.Structured.Code != messages.CodeCancelled {
			t.Errorf("the answer is %q, %v", text, err)
		}
		_ = session.Close() // the server has closed it
		web.Close()
	}
}
