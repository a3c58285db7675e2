package downloads

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/troupe-browser/troupe/internal/cut"
)

const (
	// nameBytesMax bounds a file's name in bytes; a longer one is cut
	// before its extension.
	nameBytesMax = 180

	// extensionBytesMax bounds what counts as an extension.
	extensionBytesMax = 20

	// fallbackName is the name of a file for which nothing usable was suggested.
	fallbackName = "download"
)

// reserved are the characters that some file system does not take in a name.
const reserved = `<>:"/\|?*`

// devices are the names that Windows keeps for devices, whatever their extension.
var devices = map[string]bool{
	"con": true, "prn": true, "aux": true, "nul": true,
	"com1": true, "com2": true, "com3": true, "com4": true, "com5": true, "com6": true, "com7": true, "com8": true, "com9": true,
	"lpt1": true, "lpt2": true, "lpt3": true, "lpt4": true, "lpt5": true, "lpt6": true, "lpt7": true, "lpt8": true, "lpt9": true,
}

// SafeName returns the file-name part of what a server suggested, made harmless:
// control, invisible and reserved characters become "_", a hidden or device name
// gets a "_" in front, and at most nameBytesMax bytes are kept. It is never empty,
// never "." or "..", and holds no separator (R128, R130).
func SafeName(suggested string) string {
	if i := strings.LastIndexAny(suggested, `/\`); i >= 0 {
		suggested = suggested[i+1:]
	}
	name := strings.Map(func(r rune) rune {
		if r == utf8.RuneError || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Zl, r) ||
			unicode.Is(unicode.Zp, r) || strings.ContainsRune(reserved, r) {
			return '_'
		}
		return r
	}, strings.ToValidUTF8(suggested, "_"))
	name = shorten(strings.TrimSpace(name), nameBytesMax)
	name = strings.TrimRight(strings.TrimSpace(name), ". ")
	if strings.Trim(name, "._ ") == "" {
		return fallbackName
	}
	if name[0] == '.' {
		name = "_" + name[1:]
	}
	stem, _, _ := strings.Cut(name, ".")
	if devices[strings.ToLower(strings.TrimSpace(stem))] {
		name = shorten("_"+name, nameBytesMax)
	}
	return name
}

// shorten cuts a name before its extension, on a character boundary.
func shorten(name string, limit int) string {
	if len(name) <= limit {
		return name
	}
	stem, extension := split(name)
	kept, _ := cut.Bytes(stem, max(limit-len(extension), 0))
	return strings.TrimRight(kept, ". ") + extension
}

// split parts a name from its extension, of which ".tar.gz" is one.
func split(name string) (stem, extension string) {
	i := strings.LastIndexByte(name, '.')
	if i <= 0 || len(name)-i > extensionBytesMax {
		return name, ""
	}
	if j := strings.LastIndexByte(name[:i], '.'); j > 0 && strings.EqualFold(name[j:i], ".tar") {
		i = j
	}
	return name[:i], name[i:]
}

// numbered returns the name with " (n)" before its extension.
func numbered(name string, n int) string {
	stem, extension := split(name)
	return fmt.Sprintf("%s (%d)%s", stem, n, extension)
}
