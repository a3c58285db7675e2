// Package procstat reads what Linux says of a process in /proc/<pid>/stat.
package procstat
