package inspect

import _ "embed" // The scripts below.

// The private functions of the page: each is an expression whose value is the
// function that the module page/<name>.js exports.
var (
	//go:embed page/bundle/wait.js
	waitFunction string
	//go:embed page/bundle/field.js
	fieldFunction string
	//go:embed page/bundle/storage.js
	storageFunction string
	//go:embed page/bundle/evaluate.js
	evaluateFunction string
)
