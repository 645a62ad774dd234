# Thin: every target sets itself up. `make demo` and `make test` are all a new user needs.
JOBS ?= $(shell nproc)
MKC := build/release/apps/mkc/mkc

.PHONY: demo test build sanitize bench install format clean

demo: build/release/.configured
	@cmake --build build/release --target mkc_app -j $(JOBS) -- --quiet
	@$(MKC) demo -o build/demo --force

test: build/release/.configured
	@cmake --build build/release -j $(JOBS) -- --quiet
	@scripts/run-tests build/release

build: build/release/.configured
	@cmake --build build/release -j $(JOBS)

# The tests once more with AddressSanitizer and UndefinedBehaviorSanitizer.
sanitize: build/debug/.configured
	@cmake --build build/debug -j $(JOBS)
	@scripts/run-tests build/debug

bench: build/bench/.configured
	@cmake --build build/bench -j $(JOBS)
	@for b in build/bench/benchmarks/*_bench; do $$b; done

install: build
	cmake --install build/release

format:
	@git ls-files '*.cpp' '*.hpp' | xargs clang-format -i

clean:
	rm -rf build

build/%/.configured: CMakeLists.txt CMakePresets.json scripts/bootstrap
	@scripts/bootstrap
	@cmake --preset $* >/dev/null
	@touch $@
