package snapshot
import ("testing";"os")
func TestDumpBoot(t *testing.T){ os.WriteFile("/tmp/js/boot.js",[]byte(BootSource()),0o644) }
