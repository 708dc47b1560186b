# The same commands for people and for CI. `make help` lists them.
PYTHON ?= python3.11
VENV   := .venv
BIN    := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
ARGS   ?=
HANDS  ?=
export PYTHON BIN
# Where bytecode is not kept, each worker and each program that a test starts compiles all modules once more.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help run foreign-parser test test-slow test-long coverage check bench format model near-equilibrium lock package clean

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "%-18s%s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(VENV)/.run: packaging/requirements.lock pyproject.toml packaging/setup.sh
	@bash packaging/setup.sh packaging/requirements.lock && touch $@

$(VENV)/.dev: packaging/requirements-dev.lock pyproject.toml packaging/setup.sh
	@bash packaging/setup.sh packaging/requirements-dev.lock && touch $@ $(VENV)/.run

# A parser that is not ours needs other packages than we do, and so a folder of its own. It asks for Python 3.11.5,
# and works in the 3.11.2 of Debian 12.
foreign-parser: $(VENV)/foreign-parser/.made  ## what a slow test reads exported hands with; `make test-slow` installs it, too
$(VENV)/foreign-parser/.made: packaging/foreign-parser.lock | $(VENV)/.dev
	@rm -rf $(@D) && $(BIN)/pip install -qq --disable-pip-version-check --no-deps --require-hashes \
	  --only-binary=:all: --ignore-requires-python --target $(@D) -r $< && touch $@

run: $(VENV)/.run  ## open the app; arguments go in ARGS="..."
	@bash packaging/libraries.sh $(ARGS)
	@$(BIN)/soulread $(ARGS)

# What Qt needs of the system to draw without a screen.
.PHONY: offscreen
offscreen: $(VENV)/.dev
	@bash packaging/libraries.sh --offscreen

PYTEST := QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest
# Whoever has no test left takes some of another's.
SHARED_OUT := $(PYTEST) -n auto --dist worksteal --durations 15

# Kernels are compiled before the tests, by two processes, rather than by each worker while tests wait for them: those
# of the app by one, those of the lab by the other, which begins with what they have in common.
APP_KERNELS := $(BIN)/python -c "from engine.kernels.jit import warm_up; warm_up(at_start=False)"
LAB_KERNELS := $(BIN)/python -c "from engine.kernels.jit import warm_up; warm_up(at_start=True); \
  from engine.lab.evolution.evaluation import warm_up; warm_up(); \
  from engine.cli import main; main('match always-call shover random --hands 10'.split())" > /dev/null
.PHONY: kernels
kernels: $(VENV)/.dev
	@$(APP_KERNELS) & $(LAB_KERNELS) && wait

test: kernels offscreen  ## the tests, some minutes; one alone: ARGS="-n 0 tests/engine/test_cards.py"
	@$(SHARED_OUT) $(ARGS)

test-slow: kernels offscreen foreign-parser  ## what takes longer: training, more values and examples of what `make test` tests with few
	@$(SHARED_OUT) -m "(slow or hypothesis) and not long" --hypothesis-profile thorough $(ARGS)

test-long: kernels offscreen foreign-parser  ## what takes many minutes: 100,000 hands against pokerkit, reference answers counted again
	@$(SHARED_OUT) -m long $(ARGS)

coverage: kernels offscreen  ## the tests, and which lines and branches of all modules they do not reach
	@$(SHARED_OUT) --cov --cov-report term-missing:skip-covered $(ARGS)

# The modules of which every branch is tested, and the tests that do so: test_cards.py for cards, if there is one.
# Windows has not the permissions that the tests of atomic files need.
COVERED := engine.cards engine.ranges engine.game.rules engine.game.observation engine.game.table
COVERED += $(if $(filter Windows_NT,$(OS)),,engine.atomic_file)
COVERING := $(wildcard $(foreach path,$(subst .,/,$(COVERED)),tests/$(dir $(path))test_$(notdir $(path)).py))

check: offscreen  ## format, lint, types, import rules, and that every branch of what must not err is tested
	@$(BIN)/ruff format --check . && $(BIN)/ruff check . && $(BIN)/mypy \
	  && $(PYTEST) -n auto tests/test_architecture.py $(COVERING) \
	    $(COVERED:%=--cov=%) --cov-branch --cov-fail-under=100 --cov-report=term-missing

bench: offscreen  ## speed beside other libraries in the same run; ARGS=--short, or engine, decisions, window, startup
	@QT_QPA_PLATFORM=offscreen QT_LOGGING_RULES=default.warning=false $(BIN)/python -m tests.bench $(ARGS)

format: $(VENV)/.dev  ## format and mend what can be mended by itself
	@$(BIN)/ruff check --fix . ; $(BIN)/ruff format .

model: $(VENV)/.dev  ## train the readers anew; the folder of hands goes in HANDS=...
	@$(BIN)/python -m engine.lab.markov_training $(HANDS)
	@$(BIN)/python -m engine.lab.training $(HANDS) $(ARGS)
	@$(BIN)/python -m engine.lab.program_tilts

near-equilibrium: $(VENV)/.dev  ## solve the small heads-up game anew, half an hour; ARGS="--seed 2 --file other.npz"
	@$(BIN)/python -m engine.lab.near_equilibrium.solving $(ARGS)

lock: $(VENV)/.dev  ## pin the dependencies of pyproject.toml anew
	@bash packaging/lock.sh

package:  ## a Debian package of the app in dist/, for players without Python, tried once it is made
	@bash packaging/deb.sh

clean:  ## remove the environment and everything built
	@rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache
