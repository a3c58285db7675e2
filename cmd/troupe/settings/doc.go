// Package settings is what the operator can configure. One table describes each setting once: its key, form, choices,
// default, flag and help. The flags, the variables, the keys of the file and the listing of `troupe config` derive from it.
//
// There are three layers: a flag beats the environment, which beats the file (R13). The package also knows the private
// directory of all state, which is a setting itself.
//
// A new setting is a row of the table, and the place that reads it by its key.
package settings
