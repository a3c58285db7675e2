package collect_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"image/png"
	"testing"

	"github.com/troupe-browser/troupe/actors/collect"
	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

func (r *rig) shoot(command messages.TakeScreenshot, record *snapshot.Record) *messages.Screenshot {
	r.t.Helper()
	shot, err := collect.Screenshot(r.ctx, r.target(), &command, record)
	if err != nil {
		r.t.Fatal(err)
	}
	sum := sha256.Sum256(shot.Image)
	config, err := png.DecodeConfig(bytes.NewReader(shot.Image))
	if err != nil || config.Width != shot.Width || config.Height != shot.Height || shot.Bytes != len(shot.Image) || shot.SHA256 != hex.EncodeToString(sum[:]) {
		r.t.Fatalf("the picture is not what its measures say: %+v %v", config, err)
	}
	if shot.Bytes > messages.ImageInlineBytesMax || max(shot.Width, shot.Height) > messages.ImageSidePixelsMax {
		r.t.Fatalf("over the inline bound: %d bytes, %dx%d", shot.Bytes, shot.Width, shot.Height)
	}
	return shot
}

func TestScreenshotR149R150ViewportPageAndElement(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, nil)
	r.show(`<style>body{margin:0}</style><div style="height:3000px">x</div>
<button style="display:block;width:200px;height:60px;background:#f00;border:0" aria-label=Red></button>`)
	viewport := r.shoot(messages.TakeScreenshot{}, nil)
	if viewport.Scaled || viewport.Height > 900 {
		t.Errorf("viewport: %+v", viewport)
	}
	full := r.shoot(messages.TakeScreenshot{FullPage: true}, nil)
	if full.Height != 3060 {
		t.Errorf("the whole page is %d high, want 3060", full.Height)
	}
	result := r.snap(messages.TakeSnapshot{})
	element := r.shoot(messages.TakeScreenshot{}, &result.Records[0])
	if element.Width != 200 || element.Height != 60 {
		t.Errorf("the element is %dx%d, want 200x60", element.Width, element.Height)
	}
	picture, err := png.Decode(bytes.NewReader(element.Image))
	if err != nil {
		t.Fatal(err)
	}
	if red, green, _, _ := picture.At(100, 30).RGBA(); red>>8 != 255 || green != 0 {
		t.Errorf("the element's picture shows something else")
	}
	if r.js("scrollY") != "0" {
		t.Error("taking a picture scrolled the page")
	}
	r.snap(messages.TakeSnapshot{})
	if _, err := collect.Screenshot(r.ctx, r.target(), &messages.TakeScreenshot{}, &result.Records[0]); messages.AsError(err).Code != messages.CodeSnapshotStale {
		t.Errorf("an element of an older snapshot gives %v", err)
	}
}

func TestScreenshotC26IsScaledUntilItFits(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, nil)
	r.show(`<style>body{margin:0}canvas{display:block}</style><canvas width=300 height=4200></canvas><script>
const c=document.querySelector('canvas').getContext('2d');const d=c.createImageData(300,4200);
let n=7;for(let i=0;i<d.data.length;i++){n=(Math.imul(n,1664525)+1013904223)>>>0;d.data[i]=(i%4===3)?255:n>>>24}c.putImageData(d,0,0)</script>`)
	shot := r.shoot(messages.TakeScreenshot{FullPage: true}, nil)
	if !shot.Scaled || shot.OriginalHeight != 4200 || shot.OriginalBytes != len(shot.Full) || shot.OriginalBytes <= shot.Bytes {
		t.Errorf("scaled %v, original %dx%d %d bytes", shot.Scaled, shot.OriginalWidth, shot.OriginalHeight, shot.OriginalBytes)
	}
}
