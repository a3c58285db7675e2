package effect

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

// resolveFile asks the configured roots for the file, and looks at it once more:
// the browser takes a missing path without a word (CDP.md 4).
func (j *job) resolveFile(c *messages.UploadFile) (string, *messages.Error) {
	if j.env.Files == nil {
		return "", messages.NewError(messages.CodeUploadProjectUnavailable, "")
	}
	return j.env.Files.Resolve(c.Root, c.Path)
}

// upload gives a file of a configured root to a file input (R134, R227).
func (j *job) upload(c *messages.UploadFile, r *snapshot.Record) outcome {
	path, err := j.resolveFile(c)
	if err != nil {
		return refused(err)
	}
	return j.giveFile(path, r)
}

// givenFile is a file as the page will see it.
type givenFile struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
}

// fileArgs is the argument of prepare for an upload.
type fileArgs struct {
	fence
	Files []givenFile `json:"files"`
}

// giveFile puts the file into the input that the element is or holds, and reads
// name and size back.
func (j *job) giveFile(path string, r *snapshot.Record) outcome {
	info, failed := os.Stat(path)
	switch {
	case errors.Is(failed, fs.ErrNotExist):
		return refused(messages.NewError(messages.CodeUploadFileUnavailable, ""))
	case failed != nil:
		return refused(messages.NewError(messages.CodeIOError, ""))
	case !info.Mode().IsRegular():
		return refused(messages.NewError(messages.CodeUploadFileInvalid, ""))
	case info.Size() > messages.UploadBytesMax:
		return refused(messages.NewError(messages.CodeUploadFileTooLarge, ""))
	}
	args := fileArgs{j.fence(r, "upload_file"), []givenFile{{filepath.Base(path), info.Size()}}}
	var plan prepared
	if err := j.checkedAct("prepare", args, &plan); err != nil {
		return refused(err)
	}
	object, err := j.fileInput(args)
	if err != nil {
		return refused(err)
	}
	if err := j.begin(); err != nil {
		return refused(err)
	}
	set := j.input("DOM.setFileInputFiles", map[string]any{"files": []string{path}, "objectId": object})
	out := outcome{record: r, want: wantValue, note: plan.Note}
	if !j.watch.await(set) {
		return out
	}
	if err := set.Wait(nil); err != nil {
		out.err = j.after(err, true)
		return out
	}
	states := j.observe(j.ctx, []*snapshot.Record{r})
	gone := len(states) == 1 && states[0].OK && (states[0].Judged == nil || !*states[0].Judged)
	switch {
	case !gone:
	case j.takenFiles(args):
		out.note = strings.TrimSpace(out.note + " " + takenNote)
	case states[0].Judged != nil:
		out.err = messages.UnknownOutcome(messages.CodeFormControlRejected, "The input does not hold the file that it was given.")
	}
	return out
}

// takenNote is said of an input that the page saw the file arrive at and then emptied
// or replaced: drop zones do so with what they take, forms with what they refuse.
const takenNote = "The page took the file out of the input at once; look at the page for what became of it."

// takenFiles reports whether the page saw the file arrive, which is the proof for
// an input that the page empties right away, as drop zones do.
func (j *job) takenFiles(args fileArgs) bool {
	var answer struct {
		answered
		Taken bool `json:"taken"`
	}
	return j.act("taken", args, &answer) == nil && answer.Taken
}

// fileInput returns a handle of the input, which holds only in the document of
// the fence.
func (j *job) fileInput(args fileArgs) (string, *messages.Error) {
	data, err := json.Marshal(args)
	if err != nil {
		return "", messages.NewError(messages.CodeInternalError, "")
	}
	call := j.session().Send(j.ctx, "Runtime.evaluate", target.Evaluation{
		Expression: "troupeActs.fileInput(" + string(data) + ")", UniqueContextID: string(j.world().Context),
	})
	if !j.watch.await(call) {
		return "", messages.NewError(messages.CodeDialogOpen, "")
	}
	var answer struct {
		Result struct {
			ObjectID string `json:"objectId"`
		} `json:"result"`
	}
	if err := call.Wait(&answer); err != nil {
		return "", j.before(err)
	}
	if answer.Result.ObjectID == "" {
		return "", messages.NewError(messages.CodeElementNotActionable, "The element has no file input any more. Take a snapshot.")
	}
	return answer.Result.ObjectID, nil
}
