package downloads

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// A suggested name cannot leave the directory (R128).
func TestSafeName(t *testing.T) {
	cases := map[string]string{
		"report.pdf":                         "report.pdf",
		"../../etc/passwd":                   "passwd",
		`C:\windows\system32\a.dll`:          "a.dll",
		"..":                                 fallbackName,
		".":                                  fallbackName,
		"":                                   fallbackName,
		"/":                                  fallbackName,
		"...":                                fallbackName,
		" . ":                                fallbackName,
		".env":                               "_env",
		"a\x00b\nc.txt":                      "a_b_c.txt",
		`a<b>c:d"e|f?g*h`:                    "a_b_c_d_e_f_g_h",
		"invoice\u202Efdp.exe":               "invoice_fdp.exe",
		"name. . ":                           "name",
		"CON":                                "_CON",
		"nul.txt":                            "_nul.txt",
		"console.txt":                        "console.txt",
		"Bericht März (final).docx":          "Bericht März (final).docx",
		"bad\xff.txt":                        "bad_.txt",
		strings.Repeat("x", 300):             strings.Repeat("x", 180),
		strings.Repeat("ü", 300):             strings.Repeat("ü", 90),
		strings.Repeat("x", 300) + ".tar.gz": strings.Repeat("x", 173) + ".tar.gz",
	}
	for suggested, want := range cases {
		if got := SafeName(suggested); got != want {
			t.Errorf("SafeName(%q) = %q, want %q", suggested, got, want)
		}
	}
}

func TestNumbered(t *testing.T) {
	for name, want := range map[string]string{
		"a.txt": "a (2).txt", "a": "a (2)", "a.tar.gz": "a (2).tar.gz", "a.b.c": "a.b (2).c", "_env": "_env (2)",
		"a.extensionthatisfartoolongtobeone": "a.extensionthatisfartoolongtobeone (2)",
	} {
		if got := numbered(name, 2); got != want {
			t.Errorf("numbered(%q) = %q, want %q", name, got, want)
		}
	}
}

// Whatever is suggested, the name stays inside the directory and within its bound.
func FuzzSafeName(f *testing.F) {
	for _, seed := range []string{"a.txt", "../..", `..\..`, "\x00", "con.", "\u202e", strings.Repeat("ß.", 200), "/..", " .tar.gz", "…", "\xff\xfe"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, suggested string) {
		name := SafeName(suggested)
		for _, candidate := range []string{name, numbered(name, numberMax)} {
			if !filepath.IsLocal(candidate) || strings.ContainsAny(candidate, reserved) || candidate == "." || candidate[0] == '.' ||
				!utf8.ValidString(candidate) || len(candidate) > 255 || filepath.Base(candidate) != candidate {
				t.Errorf("%q gives %q", suggested, candidate)
			}
		}
		if len(name) > nameBytesMax || SafeName(name) != name {
			t.Errorf("%q gives %q of %d bytes, and that gives %q", suggested, name, len(name), SafeName(name))
		}
	})
}
