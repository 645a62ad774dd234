# Thin: every target sets itself up. `make demo` and `make test` are all a new user needs.
JOBS ?= $(shell nproc)
MKC := build/release/apps/mkc/mkc

.PHONY: demo test python wheel deb r-package r-check docs build sanitize fuzz bench bench-docs bench-waiting screenshot experiments experiments-full experiments-docs install format lint clean

demo: build/release/.configured
	@cmake --build build/release --target mkc_app -j $(JOBS) -- --quiet
	@$(MKC) demo -o build/demo --force

test: build/release/.configured
	@scripts/bootstrap --tests
	@cmake --build build/release -j $(JOBS) -- --quiet
	@scripts/run-tests build/release

# The Python package in an environment of its own: build/python/bin/python -c "import mkc".
python: build
	@scripts/python-env build/python
	@scripts/python-wheel build/release build/python

# Self-contained wheels, build/dist, which need no other package of the system.
wheel:
	@scripts/bootstrap
	@scripts/wheel

# Debian packages of the tool and of the library: build/deb.
deb: build/release/.configured
	@scripts/bootstrap --deb
	@cmake --build build/release --target mkc_app mkc_generated mkc_evaluate -j $(JOBS) -- --quiet
	@scripts/deb build/release

# The source of the R package: build/r/mkc_VERSION.tar.gz. r-check compiles it and runs its tests; make test runs them on the
# library as it was built.
r-package:
	@scripts/bootstrap --r
	@scripts/r-package build/r --build

r-check: build/release/.configured
	@scripts/bootstrap --r
	@cmake --build build/release --target mkc_app -j $(JOBS) -- --quiet
	@mkdir -p build/release/reports
	@MKC_BINARY=$(CURDIR)/$(MKC) scripts/r-tests build/release build/release/reports/r.xml --compile

# The documentation site: build/docs/html.
docs: build/release/.configured
	@cmake --build build/release --target mkc_app mkc_generated -j $(JOBS) -- --quiet
	@scripts/docs build/release

build: build/release/.configured
	@cmake --build build/release -j $(JOBS)

# The tests once more with AddressSanitizer and UndefinedBehaviorSanitizer, those of rooms that compute
# in threads with ThreadSanitizer.
sanitize: build/debug/.configured build/threads/.configured
	@scripts/bootstrap --tests
	@cmake --build build/debug -j $(JOBS)
	@scripts/run-tests build/debug
	@cmake --build build/threads -j $(JOBS)
	@ctest --test-dir build/threads --output-on-failure -j $(JOBS) -R '^($(THREADED_ROOMS))\.'

THREADED_ROOMS := base|numeric|kernels|methods|select|api|evaluate|experiments

# Searches every reader for crashes with libFuzzer (needs clang): SECONDS_PER_FORMAT=60, or RUNS=1000000
# executions each. The tests read the seeds of fuzz/corpus and damaged copies of them with any compiler.
fuzz:
	@scripts/fuzz

# One table, build/bench/benchmarks.md and .json; SHORT=1 for two minutes instead of ten.
# bench-docs puts the last table into docs/results/speed.md. bench-waiting measures what a user waits for and
# puts it into docs/benchmarks.md; LARGE=1 adds up to 10,000 samples (an hour).
bench: build/bench/.configured
	@cmake --build build/bench -j $(JOBS) -- --quiet
	@python3 benchmarks/table.py build/bench --size $(if $(SHORT),short,full)

bench-docs:
	@python3 benchmarks/table.py --into docs/results/speed.md build/bench/benchmarks.md

bench-waiting: tool
	@mkdir -p build/bench
	@python3 benchmarks/waiting.py $(MKC) >build/bench/waiting.md
	$(if $(LARGE),@python3 benchmarks/waiting.py $(MKC) --large >build/bench/waiting-large.md)
	@cd build/bench && cat waiting.md $$(ls waiting-large.md 2>/dev/null) >waiting-all.md
	@python3 benchmarks/waiting.py --into docs/benchmarks.md build/bench/waiting-all.md

# The paper's tables and figures: short (minutes), or everything (hours). Stopped runs go on where they
# were. Data sets come from the folder MKC_DATA; without it there are the synthetic ones.
# experiments-docs puts the results into docs/results/.
EXPERIMENTS := toy literal authors dream rcv more proportion
EXPERIMENT_FOLDER := build/experiments

experiments: $(addprefix run-short-,$(EXPERIMENTS)) run-short-released

experiments-full: $(addprefix run-full-,$(EXPERIMENTS)) run-full-released

.PHONY: tool
tool: build/release/.configured
	@cmake --build build/release --target mkc_app -j $(JOBS) -- --quiet

run-short-released run-full-released: run-%-released: tool
	$(MKC) experiment toy --recipe released $(if $(filter full,$*),--full) \
	  -o $(EXPERIMENT_FOLDER)/released$(if $(filter full,$*),-full)

# A set of experiments without any data at hand is no reason to stop.
run-short-%: tool
	$(MKC) experiment $* -o $(EXPERIMENT_FOLDER)/$* || [ $$? -eq 3 ]

run-full-%: tool
	$(MKC) experiment $* --full -o $(EXPERIMENT_FOLDER)/$*-full || [ $$? -eq 3 ]

experiments-docs:
	@python3 experiments/into_docs.py $(wildcard $(EXPERIMENT_FOLDER)/*)

# The pictures of reports in README and docs.
screenshot: build/release/.configured
	@scripts/bootstrap --tests
	@cmake --build build/release --target mkc_app -j $(JOBS) -- --quiet
	@python3 scripts/report-screenshot $(MKC) docs/images

install: build
	cmake --install build/release

# clang-format and ruff, pinned in scripts/lint-requirements.txt; the tests check the same.
format:
	@scripts/lint format

# All checks of the sources, clang-tidy too. Files that passed are not read again (build/lint/tidy).
lint:
	@scripts/bootstrap --tests
	@scripts/lint check
	@scripts/lint tidy

clean:
	rm -rf build

build/%/.configured: CMakeLists.txt CMakePresets.json scripts/bootstrap
	@scripts/bootstrap
	@cmake --preset $* >/dev/null
	@touch $@
