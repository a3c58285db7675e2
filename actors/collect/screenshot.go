package collect

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	"image/png"
	"math"

	"golang.org/x/image/draw"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

// Bounds of a picture beyond those of the vocabulary.
const (
	// captureSideMax is the longest side in pixels that the browser is asked to
	// draw; a longer page is drawn smaller. Larger surfaces are refused or
	// repeated by graphics drivers.
	captureSideMax = 16384
	// scaleRounds bounds the attempts to fit a picture into the inline bound. Each
	// one at least halves the excess; at the bound the smallest is refused.
	scaleRounds = 8
	// contentDelivery is how a picture reaches a model (R149).
	contentDelivery = "mcp_image"
	mimePNG         = "image/png"
)

// clip is the area of the document that is drawn, in CSS pixels.
type clip struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
	Scale  float64 `json:"scale"`
}

type captureScreenshot struct {
	Format string `json:"format"`
	Clip   *clip  `json:"clip,omitempty"`
	Beyond bool   `json:"captureBeyondViewport,omitempty"`
}

// Screenshot takes a PNG of the viewport, of the whole page, or of the element of
// a record, which must be of the page's current generation (R149, R150, C26). The
// page is not scrolled. A picture over the inline bound is scaled down until it
// fits; Full then holds it as the browser drew it.
//
// It ends by messages.ScreenshotTimeout, since the browser may never answer. The
// error is a *messages.Error or the *cdp.CallError of a connection that failed.
func Screenshot(ctx context.Context, page target.Page, command *messages.TakeScreenshot, record *snapshot.Record) (*messages.Screenshot, error) {
	own, cancel := context.WithTimeout(ctx, messages.ScreenshotTimeout-replyMargin)
	defer cancel()
	data, err := capturePNG(own, &page, command, record)
	if err != nil {
		if kindOf(err) == cdp.KindTimeout && ctx.Err() == nil {
			return nil, messages.NewError(messages.CodePageUnresponsive, "The browser delivered no picture in time. Try again, or present the page first.")
		}
		return nil, documentLost(err)
	}
	out := &messages.Screenshot{BrowserID: page.BrowserID, PageID: page.PageID, MIME: mimePNG, ContentDelivery: contentDelivery, Full: data}
	if err := fit(out, data); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(out.Image)
	out.SHA256, out.Bytes = hex.EncodeToString(sum[:]), len(out.Image)
	return out, nil
}

func capturePNG(ctx context.Context, page *target.Page, command *messages.TakeScreenshot, record *snapshot.Record) ([]byte, error) {
	params := captureScreenshot{Format: "png"}
	var err error
	switch {
	case record != nil:
		params.Clip, err = elementClip(ctx, page, record)
	case command.FullPage:
		params.Clip, err = pageClip(ctx, page)
	}
	if err != nil {
		return nil, err
	}
	params.Beyond = params.Clip != nil
	var reply struct {
		Data []byte `json:"data"`
	}
	if err := page.Session.Execute(ctx, "Page.captureScreenshot", params, &reply); err != nil {
		if kindOf(err) == cdp.KindRefused {
			return nil, messages.NewError(messages.CodeInvalidImage, "The browser could not draw the page.")
		}
		return nil, err
	}
	return reply.Data, nil
}

// rectExpression gives the box of a registered element in document coordinates of
// the outermost frame, or the refusal of the fence.
const rectExpression = `(() => {
  const held = troupe.handle({g: %d, i: %d});
  if (typeof held === "string") return held;
  const box = (el) => Element.prototype.getBoundingClientRect.call(el);
  const r = box(held);
  let x = r.left, y = r.top, doc = held.ownerDocument;
  for (let hops = 0; doc !== document && hops < 64; hops++) {
    const frame = doc.defaultView.frameElement;
    const f = box(frame);
    x += f.left + frame.clientLeft; y += f.top + frame.clientTop;
    doc = frame.ownerDocument;
  }
  return JSON.stringify({ok: true, x: x + scrollX, y: y + scrollY, width: r.width, height: r.height});
})()`

func elementClip(ctx context.Context, page *target.Page, record *snapshot.Record) (*clip, error) {
	var rect struct {
		target.Refusal
		clip
	}
	p := evaluate(ctx, page.Session, page.Main, fmt.Sprintf(rectExpression, record.Generation, record.Index))
	if err := target.Finish(p, "rect", &rect); err != nil {
		return nil, err
	}
	if refusal := rect.Err(); refusal != nil {
		return nil, refusal
	}
	if rect.Width < 1 || rect.Height < 1 {
		return nil, messages.NewError(messages.CodeInvalidImageDimensions, "The element has no visible box.")
	}
	return bounded(&rect.clip), nil
}

func pageClip(ctx context.Context, page *target.Page) (*clip, error) {
	var metrics struct {
		Content clip `json:"cssContentSize"`
	}
	if err := page.Session.Execute(ctx, "Page.getLayoutMetrics", nil, &metrics); err != nil {
		return nil, err
	}
	c := &clip{Width: metrics.Content.Width, Height: metrics.Content.Height}
	if c.Width < 1 || c.Height < 1 {
		return nil, messages.NewError(messages.CodeInvalidImageDimensions, "The page has no size.")
	}
	return bounded(c), nil
}

// bounded draws an area smaller when its longest side is over the bound.
func bounded(c *clip) *clip {
	c.Scale = min(1, captureSideMax/max(c.Width, c.Height))
	return c
}

// fit stores the picture within the inline bounds and tells whether it was scaled.
func fit(out *messages.Screenshot, data []byte) error {
	config, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil || config.Width < 1 || config.Height < 1 || config.Width > 2*captureSideMax || config.Height > 2*captureSideMax {
		return messages.NewError(messages.CodeInvalidImage, "The browser delivered no readable PNG.")
	}
	out.Image, out.Width, out.Height = data, config.Width, config.Height
	if inline(out) {
		return nil
	}
	whole, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return messages.NewError(messages.CodeInvalidImage, "The browser delivered no readable PNG.")
	}
	out.Scaled, out.OriginalWidth, out.OriginalHeight, out.OriginalBytes = true, config.Width, config.Height, len(data)
	factor := 1.0
	for range scaleRounds {
		excess := max(float64(len(out.Image))/messages.ImageInlineBytesMax, 1)
		side := max(float64(max(out.Width, out.Height))/messages.ImageSidePixelsMax, 1)
		factor *= min(0.95/math.Sqrt(excess), 1/side)
		if err := scale(out, whole, factor); err != nil {
			return err
		}
		if inline(out) {
			return nil
		}
	}
	return messages.NewError(messages.CodeImageTooLarge, "")
}

func inline(out *messages.Screenshot) bool {
	return len(out.Image) <= messages.ImageInlineBytesMax && max(out.Width, out.Height) <= messages.ImageSidePixelsMax
}

// scale draws the whole picture at a factor into out.
func scale(out *messages.Screenshot, whole image.Image, factor float64) error {
	size := whole.Bounds().Size()
	out.Width = max(1, int(float64(size.X)*factor))
	out.Height = max(1, int(float64(size.Y)*factor))
	small := image.NewRGBA(image.Rect(0, 0, out.Width, out.Height))
	draw.ApproxBiLinear.Scale(small, small.Bounds(), whole, whole.Bounds(), draw.Src, nil)
	var encoded bytes.Buffer
	if err := png.Encode(&encoded, small); err != nil {
		return messages.NewError(messages.CodeInvalidImage, "The picture could not be scaled.")
	}
	out.Image = encoded.Bytes()
	return nil
}
