package snapshot

import (
	"regexp"
	"strconv"
	"strings"
)

// sight is how the text in an element that is laid out is seen.
type sight uint8

// The kinds of sight: by everybody, only by who has it read out (text for screen readers, text that is folded away),
// and by nobody.
const (
	seenByAll sight = iota
	spoken
	gone
)

// farPixels is how far before the origin of its box a text or a box is put by those who want it out of sight, in CSS
// pixels at least.
const farPixels = 999

// Values of clip-path and of clip that leave nothing, or a pixel.
var (
	clippedAway = regexp.MustCompile(`^(?:inset\((?:50|100)%|circle\(0|polygon\(0(?:px|%)? 0(?:px|%)?(?:, 0(?:px|%)? 0(?:px|%)?)*\)$)`)
	rectAway    = regexp.MustCompile(`^rect\([01](?:px)?,? [01](?:px)?,? [01](?:px)?,? [01](?:px)?\)$`)
)

// textSight says how the text right inside an element is seen. It is the twin of page/sight.js.
func (j *joiner) textSight(p place) sight {
	around := j.sightIn(p)
	if around != gone && p != none && (j.x.style(p, styleFontSize) == "0px" || j.x.indentedAway(p)) {
		return gone
	}
	return around
}

func (j *joiner) sightIn(p place) sight {
	if p == none {
		return seenByAll
	}
	if found, ok := j.sights[p]; ok {
		return found
	}
	own := j.x.ownSight(p)
	if own != gone {
		if around := j.sightIn(j.x.parent(p)); around != seenByAll {
			own = around
		}
	}
	j.sights[p] = own
	return own
}

func (x *index) ownSight(p place) sight {
	if x.style(p, styleOpacity) == "0" {
		return gone
	}
	position := x.style(p, stylePosition)
	placed := position == "absolute" || position == "fixed"
	if placed && (pixels(x.style(p, styleLeft)) <= -farPixels || pixels(x.style(p, styleTop)) <= -farPixels) {
		return gone
	}
	if clippedAway.MatchString(x.style(p, styleClipPath)) || placed && rectAway.MatchString(x.style(p, styleClip)) {
		return spoken
	}
	if w, h, ok := x.box(p); ok && x.clips(p) && (w <= 1 || h <= 1) {
		return spoken
	}
	return seenByAll
}

func (x *index) clips(p place) bool {
	overflow := x.style(p, styleOverflow)
	return overflow == "hidden" || overflow == "clip"
}

func (x *index) indentedAway(p place) bool {
	indent := x.style(p, styleIndent)
	return pixels(indent) <= -farPixels || indent == "100%" && x.clips(p)
}

// pixels is a computed length; 0 for what is none.
func pixels(length string) float64 {
	number, err := strconv.ParseFloat(strings.TrimSuffix(length, "px"), 64)
	if err != nil {
		return 0
	}
	return number
}
