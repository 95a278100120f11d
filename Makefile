# Every target that needs the virtual environment makes or renews it first: `make play` and `make test` work on a fresh
# clone. Paths are relative, so the checkout's own path may hold spaces. Written for GNU make 3.81 (macOS) and later.

ifeq ($(OS),Windows_NT)
$(error Bandada's built-in database does not run on native Windows: use WSL2, Docker, or pip and a REDIS_URL of your \
own (README.md, "Windows"))
endif

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
RUNTIME := .venv/.runtime
DEV := .venv/.dev
UV ?= uv
LOCK := $(UV) pip compile --quiet --universal --generate-hashes --python-version 3.11 \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock"
ARGS ?=

# What .venv lacks: `all` when there is none, its interpreter is gone or too old, or the checkout was moved (scripts in
# it hold full paths); `pip` when its making was interrupted or another tool left pip out.
LACKS := $(shell \
	if ! .venv/bin/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		test "$$(cat .venv/.root 2>/dev/null || pwd -P)" != "$$(pwd -P)"; then echo all; \
	elif ! .venv/bin/python -c 'import pip' 2>/dev/null; then echo pip; fi)
VENV_all = python=$$(PYTHON="$(PYTHON)" sh .ci/find-python) && "$$python" -m venv --clear .venv
VENV_pip = $(BIN)/python -m ensurepip >/dev/null
VENV_ = :
INSTALL := $(PIP) install --quiet --require-hashes --no-deps -r
INSTALL_PROJECT := $(PIP) install --quiet --no-deps --no-build-isolation -e .

.PHONY: help setup play test check bench golden pictures faults lock clean FORCE
.NOTPARALLEL: # two pips in one .venv would quarrel
.DELETE_ON_ERROR:

help: ## this list
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/\1 \2/p' Makefile | \
	while read -r target does; do printf 'make %-8s %s\n' "$$target" "$$does"; done

play: $(RUNTIME) ## play in the browser on this machine; options: make play ARGS="--port 9000"
	@$(BIN)/bandada play $(ARGS)

# Two more than there are cores: many tests wait for other processes.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 2)

test: $(DEV) ## all tests on all cores; options for pytest: make test ARGS="-k ayu"
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(ARGS)

check: $(DEV) ## lint, format, types and the import law
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

bench: $(DEV) ## measure; one of them: make bench ARGS=bench_rules
	@$(BIN)/python -m benchmarks $(ARGS)

golden: $(DEV) ## draw the golden pictures anew; look at the difference before committing it
	@BANDADA_GOLDEN=1 $(BIN)/python -m pytest -n auto tests/renderers $(ARGS)

pictures: $(DEV) ## draw the front page's pictures anew, by the commands in docs/pictures/README.md
	@sed -n '/^```sh$$/,/^```$$/{/^```/d;p;}' docs/pictures/README.md | PATH="$(BIN):$$PATH" sh -e

faults: $(DEV) ## kill processes while games are played; for longer: BANDADA_FAULTS_SECONDS=300 make faults
	@BANDADA_FAULTS_SECONDS=$${BANDADA_FAULTS_SECONDS:-60} $(BIN)/python -m pytest -n 2 --dist worksteal -m faults tests/faults $(ARGS)

setup: $(DEV) ## everything for development in .venv
	@echo "Ready: $$($(BIN)/python --version) with all of requirements-dev.lock in .venv"

lock: ## resolve the lock files anew (needs uv); newest versions: make lock ARGS=--upgrade
	$(LOCK) --extra build --extra dev $(ARGS) pyproject.toml -o requirements-dev.lock
	$(LOCK) --extra build -c requirements-dev.lock $(ARGS) pyproject.toml -o requirements.lock

clean: ## remove the virtual environment and all caches; games stay
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache test-results
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/.root: $(if $(LACKS),FORCE)
	@$(VENV_$(LACKS))
	@pwd -P > $@

$(RUNTIME): requirements.lock pyproject.toml .venv/.root
	@echo "Installing what Bandada runs on into .venv (once)"
	@$(INSTALL) requirements.lock
	@$(INSTALL_PROJECT)
	@touch $@

# The development lock holds the runtime lock, version for version (tests/test_locks.py): it serves `make play` too.
$(DEV): requirements-dev.lock pyproject.toml .venv/.root
	@echo "Installing what Bandada is developed with into .venv (once)"
	@$(INSTALL) requirements-dev.lock
	@$(INSTALL_PROJECT)
	@touch $(RUNTIME) $@
