package effect

import (
	"testing"
	"time"

	"github.com/troupe-browser/troupe/messages"
)

func TestClickCompletes(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := open(t, `<button id=b onclick="n++">Go</button><script>n=0</script>`)
	r.take("#b")
	for range 3 {
		start := time.Now()
		receipt := r.do(&messages.Click{OnElement: on("#b")})
		t.Log(time.Since(start), receipt.Stability)
		r.want(receipt, messages.Completed, "")
	}
	r.equal("n", r.js("n"), "3")
}
