# The same commands for people and for CI. `make help` lists them.
PYTHON ?= python3.11
VENV   := .venv
BIN    := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
ARGS   ?=
HANDS  ?=
export PYTHON BIN

.DEFAULT_GOAL := help
.PHONY: help run test test-slow check bench format model lock clean

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "%-14s%s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(VENV)/.run: packaging/requirements.lock pyproject.toml packaging/setup.sh
	@bash packaging/setup.sh packaging/requirements.lock && touch $@

$(VENV)/.dev: packaging/requirements-dev.lock pyproject.toml packaging/setup.sh
	@bash packaging/setup.sh packaging/requirements-dev.lock && touch $@ $(VENV)/.run

run: $(VENV)/.run  ## open the app; arguments go in ARGS="..."
	@bash packaging/libraries.sh $(ARGS)
	@$(BIN)/soulread $(ARGS)

# What Qt needs of the system to draw without a screen.
.PHONY: offscreen
offscreen: $(VENV)/.dev
	@bash packaging/libraries.sh --offscreen

test: offscreen  ## the tests, a few minutes
	@QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest $(ARGS)

test-slow: offscreen  ## the tests that take longer (100,000 hands against pokerkit, ...)
	@QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -m slow $(ARGS)

check: offscreen  ## format, lint, types, import rules
	@$(BIN)/ruff format --check . && $(BIN)/ruff check . && $(BIN)/mypy \
	  && $(BIN)/python -m pytest tests/test_architecture.py

bench: offscreen  ## speed beside other libraries in the same run; ARGS=--short, or engine, decisions, window, startup
	@QT_QPA_PLATFORM=offscreen QT_LOGGING_RULES=default.warning=false $(BIN)/python -m tests.bench $(ARGS)

format: $(VENV)/.dev  ## format and mend what can be mended by itself
	@$(BIN)/ruff check --fix . ; $(BIN)/ruff format .

model: $(VENV)/.dev  ## train the readers anew; the folder of hands goes in HANDS=...
	@$(BIN)/python -m engine.lab.markov_training $(HANDS)
	@$(BIN)/python -m engine.lab.training $(HANDS) $(ARGS)

lock: $(VENV)/.dev  ## pin the dependencies of pyproject.toml anew
	@bash packaging/lock.sh

clean:  ## remove the environment and everything built
	@rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache
