package effect

import (
	_ "embed" // The script below.
	"encoding/json"
	"fmt"
	"strings"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// actsSource is an expression that installs this package's page functions
// (page/api.js).
//
//go:embed page/bundle/acts.js
var actsSource string

// actsAbsent is what a call answers in a document where the functions are not
// installed yet: nothing ran.
const actsAbsent = `{"absent":true}`

// act calls one of this package's page functions in the document of the
// operation, and installs them first where they are not there yet. Its errors are
// those of target.Call, and call.ErrDialog.
func (j *job) act(function string, argument, out any) error {
	data, err := j.actOnce(function, argument)
	if err != nil {
		return err
	}
	if strings.HasPrefix(string(data), `{"absent"`) {
		if err := j.install(); err != nil {
			return err
		}
		if data, err = j.actOnce(function, argument); err != nil {
			return err
		}
	}
	if json.Unmarshal(data, out) != nil {
		return &target.ScriptError{Function: function}
	}
	return nil
}

func (j *job) actOnce(function string, argument any) (raw, error) {
	var out raw
	err := j.finish(j.startAct(function, argument), function, &out)
	return out, err
}

// startAct sends a call without waiting, for callers that know that the
// functions are installed.
func (j *job) startAct(function string, argument any) *cdp.Pending {
	data, err := json.Marshal(argument)
	if err != nil {
		// Arguments are structs of this package made of strings, numbers and bools.
		panic(fmt.Sprintf("effect: argument of %s cannot be encoded: %v", function, err))
	}
	return j.evaluate("globalThis.troupeActs && troupeActs.home === document ? troupeActs." + function + "(" + string(data) + ") : '" + actsAbsent + "'")
}

func (j *job) evaluate(expression string) *cdp.Pending {
	return j.session().SendIf(j.ctx, j.env.Progress.Live, "Runtime.evaluate", target.Evaluation{
		Expression: expression, UniqueContextID: string(j.world().Context), ReturnByValue: true, AwaitPromise: true,
	})
}

// install puts the functions into the document's world.
func (j *job) install() error {
	return j.finish(j.evaluate(strings.TrimSpace(actsSource)+",'{}'"), "install", nil)
}

// checkedAct is checked for this package's own functions.
func (j *job) checkedAct(function string, argument any, out refuser) *messages.Error {
	if err := j.act(function, argument, out); err != nil {
		return j.before(err)
	}
	return out.refusal()
}
