package actors

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/messages"
)

const largeDownload = 200 << 20

func depot(t *testing.T) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><title>Depot</title><a href="/small">Small</a> <a href="/large">Large</a> <a href="/endless">Endless</a>
<a href="/small" target=_blank>Tab</a> <iframe srcdoc='<a id=i href="/small">Inner</a>'></iframe> <input type=file aria-label=File onchange="out.textContent=this.files[0].name+this.files[0].size"> <p id=out></p>`)
	})
	mux.HandleFunc("/small", func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="../../re:port.txt"`)
		fmt.Fprint(w, "small secret text")
	})
	mux.HandleFunc("/large", func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=large.bin")
		w.Header().Set("Content-Length", fmt.Sprint(largeDownload))
		block := make([]byte, 1<<20)
		for range largeDownload / len(block) {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	})
	mux.HandleFunc("/endless", func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=endless.bin")
		for q.Context().Err() == nil {
			if _, err := w.Write(make([]byte, 1000)); err != nil {
				return
			}
			w.(http.Flusher).Flush()
			time.Sleep(20 * time.Millisecond)
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server
}

func (r *rig) downloads(browser messages.BrowserID, wait time.Duration) *messages.DownloadList {
	r.t.Helper()
	return observed[*messages.DownloadList](r, &messages.ListDownloads{BrowserID: browser, Wait: wait})
}

func (r *rig) click(page messages.PageAddress, name string) *messages.Receipt {
	r.t.Helper()
	return r.effect(&messages.Click{OnElement: on(page, r.element(r.snapshot(page), "link", name))})
}

// begun waits until the browser has announced a number of downloads.
func (r *rig) begun(browser messages.BrowserID, count int) []messages.Download {
	r.t.Helper()
	var list []messages.Download
	r.eventually(fmt.Sprint(count, " downloads"), func() bool {
		list = r.downloads(browser, 0).Downloads
		return len(list) >= count
	})
	return list
}

// Downloads on a real browser: events without a session, names, frames, uploads, cancel, and 200 MB (R128, R129, R130, R131, R132, R133, R134).
func TestChromium_Downloads(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	config := chromiumConfig(t)
	r := newRig(t, config)
	r.caller = r.runtime.As(inspector)
	site := depot(t)
	browser := r.launch().BrowserID
	page := r.open(browser, site.URL+"/")
	dir := filepath.Join(config.StateDir, "browser", "downloads", string(browser))

	t.Run("a file gets its harmless name when it is read of", func(t *testing.T) {
		receipt := r.click(page, "Small")
		r.begun(browser, 1)
		list := r.downloads(browser, 20*time.Second)
		if len(list.Downloads) != 1 || list.Running != 0 {
			t.Fatalf("got %+v", list)
		}
		d := list.Downloads[0]
		if d.State != messages.DownloadCompleted || strings.ContainsAny(d.FileName, `/\:`) || !strings.HasSuffix(d.FileName, "port.txt") ||
			d.PageID != page.PageID || d.Received != 17 {
			t.Errorf("got %+v", d)
		}
		if d.OperationID != receipt.OperationID {
			t.Errorf("the download is of %q, the click was %q", d.OperationID, receipt.OperationID)
		}
		if data, err := os.ReadFile(filepath.Join(dir, d.FileName)); err != nil || string(data) != "small secret text" || d.Path != filepath.Join(dir, d.FileName) {
			t.Errorf("the file holds %q, %v, and lies at %s", data, err, d.Path)
		}
	})
	t.Run("a second one of that name is numbered, and knows its page", func(t *testing.T) {
		r.click(page, "Tab")
		r.begun(browser, 2)
		list := r.downloads(browser, 20*time.Second)
		if len(list.Downloads) != 2 || !strings.Contains(list.Downloads[1].FileName, " (2).txt") {
			t.Errorf("got %+v", list.Downloads)
		}
	})
	t.Run("one of a frame belongs to the page", func(t *testing.T) {
		r.effect(&messages.Evaluate{PageAddress: page, Script: `document.querySelector("iframe").contentDocument.getElementById("i").click()`})
		r.begun(browser, 3)
		list := r.downloads(browser, 20*time.Second)
		if d := list.Downloads[2]; d.PageID != page.PageID || !strings.Contains(d.FileName, " (3).txt") {
			t.Errorf("got %+v", d)
		}
	})
	t.Run("what was downloaded can be uploaded", func(t *testing.T) {
		name := r.downloads(browser, 0).Downloads[0].FileName
		s := r.snapshot(page)
		var file messages.ElementHandle
		for _, n := range s.Nodes {
			if strings.HasPrefix(n.Name, "File") {
				file = messages.ElementHandle(n.ElementID)
			}
		}
		r.effect(&messages.UploadFile{OnElement: on(page, file), Root: "downloads", Path: name})
		observed[*messages.WaitMet](r, &messages.WaitFor{PageAddress: page, Text: name + "17"})
	})
	t.Run("cancel and clear", func(t *testing.T) {
		r.click(page, "Endless")
		list := r.begun(browser, 4)
		d := list[3]
		began := time.Now()
		if waited := r.downloads(browser, 600*time.Millisecond); waited.Running != 1 || time.Since(began) < 500*time.Millisecond {
			t.Errorf("after %v: %+v", time.Since(began), waited)
		}
		r.effect(&messages.CancelDownload{BrowserID: browser, DownloadID: d.DownloadID})
		ended := r.downloads(browser, 20*time.Second)
		if got := ended.Downloads[3]; got.State != messages.DownloadCanceled || ended.Running != 0 {
			t.Errorf("got %+v", got)
		}
		receipt, err := r.caller.Effect(r.ctx, &messages.CancelDownload{BrowserID: browser, DownloadID: d.DownloadID})
		if err == nil || receipt.Code != messages.CodeInvalidRequest {
			t.Errorf("cancelling again gives %+v", receipt)
		}
		r.effect(&messages.ClearDownloads{BrowserID: browser})
		if left := r.downloads(browser, 0).Downloads; len(left) != 0 {
			t.Errorf("left are %+v", left)
		}
		r.eventually("an empty directory", func() bool {
			files, err := os.ReadDir(dir)
			return err == nil && len(files) == 0
		})
	})
	t.Run("200 MB pass by", func(t *testing.T) {
		before := heap()
		began := time.Now()
		r.click(page, "Large")
		r.begun(browser, 1)
		asked := time.Now()
		r.snapshot(page)
		snapshot := time.Since(asked)
		list := r.downloads(browser, 60*time.Second)
		if len(list.Downloads) != 1 || list.Downloads[0].State != messages.DownloadCompleted || list.Downloads[0].Received != largeDownload {
			t.Fatalf("got %+v", list)
		}
		after := heap()
		if after > before+(4<<20) {
			t.Errorf("the heap grew from %d to %d KB", before>>10, after>>10)
		}
		t.Logf("200 MB in %v, a snapshot meanwhile in %v, heap %d -> %d KB", time.Since(began), snapshot, before>>10, after>>10)
	})
	r.effect(&messages.CloseBrowser{BrowserID: browser})
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the downloads outlive their browser: %v", err)
	}
}

// Without files:download the engine denies, and the record says so (C5).
func TestChromium_DownloadsAreDenied(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	config := chromiumConfig(t)
	config.Retention = time.Hour
	r := newRig(t, config)
	site := depot(t)
	browser := r.launch().BrowserID
	page := r.open(browser, site.URL+"/")
	r.click(page, "Small")
	r.begun(browser, 1)
	list := r.downloads(browser, 20*time.Second)
	if d := list.Downloads[0]; d.State != messages.DownloadDenied || d.FileName != "" || d.Path != "" || d.PageID != page.PageID {
		t.Errorf("got %+v", d)
	}
	if _, err := os.Stat(filepath.Join(config.StateDir, "browser", "downloads")); !os.IsNotExist(err) {
		t.Errorf("a directory for denied downloads: %v", err)
	}
}

// Downloads that are kept outlive their browser and are removed by a later start when they are old (R129).
func TestChromium_DownloadsAreKept(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	config := chromiumConfig(t)
	config.Retention = 7 * 24 * time.Hour
	r := newRig(t, config)
	r.caller = r.runtime.As(inspector)
	site := depot(t)
	browser := r.launch().BrowserID
	page := r.open(browser, site.URL+"/")
	r.click(page, "Small")
	r.begun(browser, 1)
	path := r.downloads(browser, 20*time.Second).Downloads[0].Path
	r.effect(&messages.CloseBrowser{BrowserID: browser})
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("the file is gone with its browser: %v", err)
	}
	r.runtime.Shutdown(r.ctx)
	old := time.Now().Add(-8 * 24 * time.Hour)
	for _, name := range []string{path, filepath.Dir(path)} {
		if err := os.Chtimes(name, old, old); err != nil {
			t.Fatal(err)
		}
	}
	next := newRig(t, config)
	next.eventually("the old directory to go", func() bool {
		_, err := os.Stat(filepath.Dir(path))
		return os.IsNotExist(err)
	})
}
