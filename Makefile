# `make` alone prints the targets. Nothing here needs more than make, sh and Go; what a target needs beyond that is
# named, and where possible installed, by .ci/prepare.

SHELL := /bin/sh
.DEFAULT_GOAL := help

# Chromium refuses to start its sandbox as root. The tests and the demo then run without it; anybody else keeps it.
ifeq ($(shell id -u),0)
export TROUPE_SANDBOX ?= off
endif

# Packages tested at the same time. Two keeps the number of running browsers, and so the memory, the same everywhere.
PARALLEL ?= 2
# Simulated seeds of `make sim`, seed and time of `make chaos`, time per target of `make fuzz`.
SEEDS ?= 200
SEED ?= 1
DURATION ?= 60s
FUZZTIME ?= 30s
# Test name (a pattern), repetitions and packages of `make flake`.
T ?= .
N ?= 50
PKG ?= ./...

# What `troupe version` and the MCP server tell of the source; empty where git does not know it.
REVISION = $(shell git describe --always --dirty --abbrev=12 --exclude='*' 2>/dev/null)

STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

# Unit tests of page-side modules that need no document.
PAGE_UNITS = if command -v node >/dev/null 2>&1; then node --test --test-reporter=spec snapshot/page actors/effect/page; \
	else echo "left out: the unit tests of the page-side modules, which need node"; fi

.PHONY: help build test test-quick soak demo check bench chaos sim fuzz flake headed

help: ## Print this list.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' Makefile

build: ## Build bin/troupe.
	@.ci/prepare go
	go build -buildvcs=false -ldflags '-X github.com/troupe-browser/troupe/cmd/troupe/program.revision=$(REVISION)' -o bin/troupe ./cmd/troupe

test: ## All tests, real browser included; the race detector where goroutines meet. As root a missing Chromium is installed.
	@.ci/prepare go browser compiler
	@$(PAGE_UNITS)
	@go run ./internal/suite -p $(PARALLEL) -race "$$(.ci/prepare race)" -- -shuffle=on -timeout 30m
	@if [ -n "$$(.ci/prepare screen)" ]; then $(MAKE) --no-print-directory headed; fi

test-quick: ## The tests that need no browser, without the race detector: under a minute.
	@.ci/prepare go
	@go run ./internal/suite -p $(PARALLEL) -- -short

soak: ## All tests with their full repetitions, for a release. It takes an hour or more.
	@.ci/prepare go browser compiler
	@TROUPE_TEST_SOAK=1 go run ./internal/suite -p $(PARALLEL) -race "$$(.ci/prepare race)" -- -count=1 -shuffle=on -timeout 6h

headed: ## The tests of a visible browser, under Xvfb. As root a missing Xvfb is installed.
	@.ci/prepare go browser display
	go test -count=1 -tags headed -timeout 10m -run '^TestHeaded' ./actors

demo: ## Build troupe and let it drive its own demo site, printing every receipt.
	@.ci/prepare go browser
	@$(MAKE) --no-print-directory build
	bin/troupe demo --screenshot bin/demo.png

check: ## What needs no browser: format, vet, staticcheck, the lint tests, a tidy go.mod.
	@.ci/prepare go
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then echo "not formatted, run gofmt -w on:"; echo "$$unformatted"; exit 1; fi
	go vet ./...
	go run $(STATICCHECK) ./...
	go test -count=1 ./internal/lint
	go mod tidy -diff
	go test -count=1 ./internal/pagebuild
	@$(PAGE_UNITS)
	@if command -v node >/dev/null 2>&1 && command -v tsc >/dev/null 2>&1; then tsc -p .; \
	else echo "left out: the types of the page-side modules, which need node and tsc (npm install -g typescript)"; fi

bench: ## Measure against a raw floor in the same run, and print the ratios.
	@.ci/prepare go browser
	go run ./internal/bench

chaos: ## Seeded faults on a real browser. SEED=1 DURATION=60s
	@.ci/prepare go browser compiler
	go test $$(.ci/prepare race) -count=1 -timeout 60m -run '^TestChaos' ./actors/chaostest -args -chaos.seed=$(SEED) -chaos.duration=$(DURATION)

sim: ## Seeded simulation of the machines alone. SEEDS=200
	@.ci/prepare go
	go test -tags invariants -count=1 -timeout 60m -run '^TestSim' ./actors/page ./actors/root -args -sim.seeds=$(SEEDS)

fuzz: ## Every fuzz target, one after the other. FUZZTIME=30s
	@.ci/prepare go
	@grep -rl --include='*_test.go' '^func Fuzz' . | sort | while read -r file; do \
	  for target in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$$file"); do \
	    echo "$$(dirname "$$file") $$target"; \
	    go test -tags invariants -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) "$$(dirname "$$file")" </dev/null || exit 1; \
	  done || exit 1; \
	done

flake: ## Repeat a test until it fails. T=TestName N=50 PKG=./...
	@.ci/prepare go browser compiler
	go test $$(.ci/prepare race) -shuffle=on -failfast -timeout 60m -p $(PARALLEL) -count $(N) -run '$(T)' $(PKG)
