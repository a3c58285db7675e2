// Package operate is what an operator runs: doctor, demo, engine, configuration, audit and version.
package operate
