# Every target makes what it needs with python3 -m venv and pip, and nothing else.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: chromium postgresql demo test lint docs gallery bench validity validity-models clean

demo: .venv/.installed
	$(BIN)/justesse demo

test: .venv/.installed-test chromium postgresql
	$(BIN)/python -m pytest -n auto

# The browser tests use Debian's Chromium: root installs it, others do without those tests.
chromium:
	@command -v chromium >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null; } || true

# The tests of stores start Debian's PostgreSQL as another user: root installs it, others do without those tests.
postgresql:
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql >/dev/null; } || true

lint: .venv/.installed-lint
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: .venv/.installed-docs
	$(BIN)/python docs/make/reference.py
	$(BIN)/python docs/make/notebook.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

# Pictures of pages and terminal output, kept in docs/images: run it after either has changed.
gallery: .venv/.installed-test chromium
	$(BIN)/python docs/make/gallery.py
	$(BIN)/python docs/make/served.py
	$(BIN)/python docs/make/terminal.py

bench: .venv/.installed-test
	$(BIN)/python -m benchmarks

# Figures that are recorded in docs/validity.csv are kept: `python -m studies.validity PART --again` measures a part anew.
validity: .venv/.installed-test
	$(BIN)/python -m studies.validity

validity-models: .venv/.installed-test
	$(BIN)/python -m studies.validity --models

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/.installed: .venv/bin/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	touch $@

.venv/.installed-%: .venv/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[$*]'
	touch $@

clean:
	rm -rf .venv site demo build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
