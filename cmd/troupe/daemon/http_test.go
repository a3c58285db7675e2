package daemon

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Only a request that names this listener as Host, comes from no other origin and knows the token gets through.
func TestGuardHTTP(t *testing.T) {
	const address, token = "127.0.0.1:7411", "0123456789abcdefghijklmnop"
	reached := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	guarded := guardHTTP(address, token, reached)
	for _, c := range []struct {
		name, host, origin, authorization string
		want                              int
	}{
		{"as it should be", address, "", "Bearer " + token, http.StatusTeapot},
		{"by the name localhost", "localhost:7411", "http://localhost:7411", "Bearer " + token, http.StatusTeapot},
		{"by the other loopback", "[::1]:7411", "", "Bearer " + token, http.StatusTeapot},
		{"no token", address, "", "", http.StatusUnauthorized},
		{"another token", address, "", "Bearer " + token[1:] + "x", http.StatusUnauthorized},
		{"the beginning of the token", address, "", "Bearer " + token[:10], http.StatusUnauthorized},
		{"the token without its kind", address, "", token, http.StatusUnauthorized},
		{"a name that was rebound", "evil.example:7411", "", "Bearer " + token, http.StatusForbidden},
		{"another port", "127.0.0.1:80", "", "Bearer " + token, http.StatusForbidden},
		{"a page of another origin", address, "https://evil.example", "Bearer " + token, http.StatusForbidden},
		{"a page without an origin", address, "null", "Bearer " + token, http.StatusForbidden},
		{"a page on another local port", address, "http://127.0.0.1:3000", "Bearer " + token, http.StatusForbidden},
		{"a rebound name is told nothing of the token", "evil.example", "", "", http.StatusForbidden},
	} {
		t.Run(c.name, func(t *testing.T) {
			request := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader("{}"))
			request.Host = c.host
			if c.origin != "" {
				request.Header.Set("Origin", c.origin)
			}
			if c.authorization != "" {
				request.Header.Set("Authorization", c.authorization)
			}
			w := httptest.NewRecorder()
			guarded.ServeHTTP(w, request)
			if w.Code != c.want {
				t.Errorf("the status is %d, want %d", w.Code, c.want)
			}
		})
	}
}

func TestCheckLoopback(t *testing.T) {
	for address, good := range map[string]bool{
		"127.0.0.1:0": true, "localhost:7411": true, "[::1]:7411": true, "127.9.9.9:1": true,
		"0.0.0.0:7411": false, ":7411": false, "192.168.1.2:7411": false, "example.com:80": false, "7411": false,
	} {
		if err := checkLoopback(address); (err == nil) != good {
			t.Errorf("%s gives %v", address, err)
		}
	}
}

// The token is made once, private, and one that others could read or guess is refused.
func TestReadToken(t *testing.T) {
	path := filepath.Join(t.TempDir(), "token")
	made, err := readToken(path)
	if err != nil || len(made) < 2*tokenCharsMin {
		t.Fatalf("it is %q, %v", made, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}
	if again, err := readToken(path); err != nil || again != made {
		t.Errorf("the second time it is %q, %v", again, err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := readToken(path); err == nil {
		t.Error("a file that others can read is accepted")
	}
	short := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(short, []byte("guess me"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readToken(short); err == nil {
		t.Error("a short token is accepted")
	}
	link := filepath.Join(t.TempDir(), "token")
	if err := os.Symlink(short, link); err != nil {
		t.Fatal(err)
	}
	if _, err := readToken(link); err == nil {
		t.Error("a link is accepted")
	}
}
