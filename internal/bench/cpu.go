package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// group is the process group of a browser, all of whose processes are in it.
type group int

// cpu is the processor time that the processes of the group have used, those that
// have ended left out. It is zero where the system does not tell: it is read from
// /proc, in nanoseconds.
func (g group) cpu() time.Duration {
	var total time.Duration
	for _, p := range processes() {
		if p.group != g {
			continue
		}
		tasks, err := filepath.Glob("/proc/" + strconv.Itoa(p.id) + "/task/*/schedstat")
		if err != nil {
			continue
		}
		for _, task := range tasks {
			data, err := os.ReadFile(task)
			if err != nil {
				continue // The thread ended meanwhile.
			}
			first, _, _ := bytes.Cut(data, []byte(" "))
			used, err := strconv.ParseInt(string(first), 10, 64)
			if err == nil {
				total += time.Duration(used)
			}
		}
	}
	return total
}

// childGroup is the group of a child of this process that is not the given one: the
// runtime says of its browser no more than that it exists.
func childGroup(other group) group {
	for _, p := range processes() {
		if p.parent == os.Getpid() && p.group != other && int(p.group) == p.id {
			return p.group
		}
	}
	return 0
}

type process struct {
	id, parent int
	group      group
}

// processes lists all processes of the machine that can be read.
func processes() []process {
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil
	}
	var found []process
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			continue // It ended meanwhile.
		}
		// The name stands in brackets and may hold anything.
		fields := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:])
		if len(fields) < 3 {
			continue
		}
		var p process
		p.id, _ = strconv.Atoi(filepath.Base(filepath.Dir(file))) // The pattern lets only numbers through.
		p.parent, _ = strconv.Atoi(string(fields[1]))
		number, _ := strconv.Atoi(string(fields[2]))
		p.group = group(number)
		found = append(found, p)
	}
	return found
}
