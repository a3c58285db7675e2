// Package cut shortens texts to a bound, in bytes or in characters, always between
// characters. It knows nothing of what a text means, so every layer may use it.
package cut
