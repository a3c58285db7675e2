// Package program is what every command stands on: the streams, the settings in force, whom the command works for, the
// runtime that it starts, exit statuses, and how tables and words are shown. It knows no command.
package program
