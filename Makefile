# SPDX-License-Identifier: GPL-3.0-or-later
# Each target sets up what it needs: Python 3.11 or 3.13 and make are all that must be there.
# Another Python than the first found: make PYTHON=/path/to/python3.13 test

# Each process takes whole files, as long as there are some, so that what a file makes once is made once.
SHARED := -n auto --dist worksteal

# Nothing but this tree and its environment is imported.
export PYTHONPATH :=

VENV := .venv
PY := $(VENV)/bin/python
# Minutes, so that a Blender that hangs ends as a failure; systems without `timeout` do without.
limit = $(if $(shell command -v timeout 2>/dev/null),timeout --kill-after=10 $(1)m)
# The Blender versions of test-all, each in an environment of its own; 4.2 with the oldest numpy that the package
# takes, and a scipy of that age: 1.15, which pip would choose, has an nnls that does not find the least squares.
BLENDERS := 4.2 4.5 5.0 5.1 5.2
requirements_4.2 := 'numpy==1.24.*' 'scipy==1.11.*'
# What has no Blender in it is tested once more with the oldest Python and numpy, and with the newest, where a change of
# numpy would show: the files that are not long, and of the long ones hulls and the contracts, which ask every question of
# pairs of every kind. The other long files ask the same of more shapes, and would take several times as long. The files
# that are not long run with interpreted kernels there, as on a machine without a compiler.
CORES := 4.2 5.2
CONTRACTS := $(patsubst %,tests/core/test_%.py,pair_contract mesh_contract planar_contract time_of_impact hull)
# The example's planted faults are findings (1); nothing found (0) or no check at all (2 and more) is a failure.
finds_faults = || found=$$?; [ "$${found:-0}" -eq 1 ] || { echo "error: the check ended with $${found:-0}, not 1" >&2; exit 1; }

.PHONY: help
help: ## This list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 20

.PHONY: demo
demo: environment ## Build the example scene, check it, and show what collides
	@mkdir -p build/demo
	@$(call limit,5) $(PY) examples/warehouse.py build/demo/warehouse.blend
	@$(call limit,5) $(VENV)/bin/collision-kit check build/demo/warehouse.blend --picture build/demo/warehouse.png $(finds_faults)
	@$(call limit,5) $(VENV)/bin/collision-kit check build/demo/warehouse.blend --output build/demo/warehouse.json $(finds_faults)
	@echo
	@echo "The scene    build/demo/warehouse.blend"
	@echo "The report   build/demo/warehouse.json"
	@echo "The picture  build/demo/warehouse.png"

.PHONY: demo-colliders
demo-colliders: environment ## Make colliders with the tool's own operators, and validate them for Unreal
	@mkdir -p build/demo
	@$(call limit,5) $(PY) examples/colliders.py build/demo/colliders.blend
	@$(call limit,5) $(VENV)/bin/collision-kit validate build/demo/colliders.blend --engine unreal $(finds_faults)

.PHONY: demo-walk
demo-walk: environment ## Build a hall with a mezzanine, and let a character walk in it
	@mkdir -p build/demo
	@$(call limit,5) $(PY) examples/walk.py build/demo/walk.blend
	@$(call limit,5) $(VENV)/bin/collision-kit probe build/demo/walk.blend $(finds_faults)

.PHONY: test
test: lint test-core test-blender ## All quick tests, outside Blender and inside it: what must pass before a commit

.PHONY: test-fast
test-fast: style ## Style, and the tests without Blender that are not long: about a minute, for every change
	$(call limit,10) $(PY) -m pytest -q $(SHARED) --fast tests/core

.PHONY: test-all
test-all: ## What is slower: every Blender version, long fuzzing, kernels without a compiler, a window
	@$(MAKE) --no-print-directory --keep-going test-gui test-slow $(CORES:%=test-core-%) $(BLENDERS:%=test-blender-%)

.PHONY: lint
lint: style types workflows ## Style, types and workflows

.PHONY: style
style: environment
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .

.PHONY: types
types: environment build/typing/collision_kit
	MYPYPATH=build/typing $(PY) -m mypy -m collision_kit -p collision_kit.core -p collision_kit.addon -p collision_kit.command

.PHONY: workflows
workflows: environment
	$(VENV)/bin/check-jsonschema --quiet --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(VENV)/bin/check-jsonschema --quiet --builtin-schema vendor.github-actions action.yml
	$(VENV)/bin/zizmor --quiet --offline --no-progress --config .github/zizmor.yml --min-severity medium .github/workflows action.yml

.PHONY: format
format: environment ## Format the source and mend what style can mend by itself
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

.PHONY: zip
zip: environment ## Build and validate the extension for this platform, for Blender's "Install from Disk"
	@$(PY) scripts/build_extension.py build/extension

.PHONY: zips
zips: environment ## Build and validate the extension for all platforms, one zip each
	@$(PY) scripts/build_extension.py --release build/extension

.PHONY: docs
docs: ## Build the site in build/site, with the reference, and check its links
	@scripts/environment.sh build/venv-docs docs
	@NO_MKDOCS_2_WARNING=1 build/venv-docs/bin/python -m mkdocs build --quiet --strict
	@for page in $$(build/venv-docs/bin/python scripts/manual_pages.py); do test -f "build/site/$$page" || { echo "no page $$page"; exit 1; }; done
	@echo "build/site/index.html"

.PHONY: translations
translations: environment build/typing/collision_kit ## List the texts that a language does not have yet; they appear in English
	@$(PY) scripts/translations.py $(if $(STRICT),--strict)

# What is in the way of a release is said before it is made: make release TAG=v0.1.0.
.PHONY: release
release: zips docs ## Make zips, source distribution, wheel and site in build/release, and check that they install
	@$(MAKE) --no-print-directory translations STRICT=1
	@$(PY) scripts/release.py $(if $(TAG),--tag $(TAG)) build/release

.PHONY: bench
bench: environment ## Measure, beside the libraries that do the same
	@scripts/environment.sh build/venv-peers peers
	@for benchmark in benchmarks/bench_*.py; do echo "== $$benchmark"; build/venv-peers/bin/python "$$benchmark" || exit 1; done
	@for benchmark in benchmarks/blender/bench_*.py; do echo "== $$benchmark"; $(PY) "$$benchmark" || exit 1; done

# One or a few by name: make pictures ONLY='validation results'.
.PHONY: pictures
pictures: environment ## Take all pictures of the documentation anew; needs a Blender with a window, Chromium and ffmpeg
	@$(PY) -m scripts.pictures $(ONLY)

.PHONY: clip
clip: environment ## Make the clip of the documentation anew, from a Blender with a window; needs ffmpeg
	@$(PY) -m scripts.pictures clip

# Hunts go on where the last one ended: make hunt HOURS=8 FAMILY='pairs meshes', or CASES=100000 of each family.
.PHONY: hunt
hunt: environment ## Try random cases of every family for an hour, and print what is wrong as tests
	@scripts/environment.sh build/venv-peers peers
	@$(PY) tests/hunt $(FAMILY) $(if $(HOURS),--hours $(HOURS)) $(if $(CASES),--cases $(CASES))

.PHONY: coverage
coverage: ## Branch coverage of core by its quick tests, in one process
	@scripts/environment.sh build/venv-peers peers
	@build/venv-peers/bin/python scripts/mutation.py coverage

# Goes on where the last one ended: make mutation HOURS=8 SAMPLE=1000.
.PHONY: mutation
mutation: ## Which changes of core its tests notice: a random sample of them
	@scripts/environment.sh build/venv-peers peers
	@build/venv-peers/bin/python scripts/mutation.py mutants $(if $(HOURS),--hours $(HOURS)) $(if $(SAMPLE),--sample $(SAMPLE))

.PHONY: clean
clean: ## Remove everything that was built, installed or cached here
	rm -rf $(VENV) build dist .hypothesis .pytest_cache *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: environment
environment:
	@scripts/environment.sh $(VENV)

.PHONY: kernels
kernels: environment ## Compile the kernels anew if they have changed, as every target does that runs them

.PHONY: test-core
test-core: environment
	$(call limit,25) $(PY) -m pytest $(SHARED) --durations=15 tests/core

.PHONY: test-blender
test-blender: environment
	$(PY) tests/run_in_blender.py tests/blender

.PHONY: test-slow
test-slow: test-core-slow test-blender-slow ## The tests that take long, outside Blender and inside it

# With OFFLINE=1 ten times as many random cases or more, which takes hours.
.PHONY: test-core-slow
test-core-slow:
	@scripts/environment.sh build/venv-peers peers
	$(call limit,$(if $(OFFLINE),600,30)) build/venv-peers/bin/python -m pytest $(SHARED) -m slow --durations=15 tests/core

# The kernels as they are without a compiler.
.PHONY: test-core-interpreted
test-core-interpreted: environment
	COLLISION_KIT_KERNELS=interpreted $(call limit,15) $(PY) -m pytest -q $(SHARED) --durations=5 --fast tests/core

# Only files that have some: Blenders take seconds to start, and share the files among them.
.PHONY: test-blender-slow
test-blender-slow: environment
	$(PY) tests/run_in_blender.py -m slow $$(grep -lE 'mark\.slow|tests\.offline' tests/blender/test_*.py)

# With the Blender on PATH or in $BLENDER; where there is none, Debian's is installed in build/debian, which takes some
# minutes, Linux and root. Where that cannot be done either, the tests are skipped, and say why. On a machine that could do
# it, by tests/gui/skips.txt, that is a failure.
.PHONY: test-gui
test-gui: environment
	BLENDER="$${BLENDER:-$$(command -v blender || echo debian)}" $(call limit,15) $(PY) -m pytest -rsP tests/gui

# In the environment of a Blender version; without the Python that it needs they are skipped.
in_blender = @if scripts/environment.sh build/venv-bpy$* $* $(requirements_$*); then $(1); \
	elif [ $$? -eq 3 ]; then echo "SKIPPED: $@"; else exit 1; fi

core_tests = $(3) $(call limit,15) build/venv-bpy$(1)/bin/python -m pytest -q $(SHARED) --durations=5 $(2)

.PHONY: $(CORES:%=test-core-%)
$(CORES:%=test-core-%): test-core-%:
	$(call in_blender,$(call core_tests,$*,--fast tests/core,COLLISION_KIT_KERNELS=interpreted) && $(call core_tests,$*,$(CONTRACTS)))

.PHONY: $(BLENDERS:%=test-blender-%)
$(BLENDERS:%=test-blender-%): test-blender-%:
	$(call in_blender,build/venv-bpy$*/bin/python tests/run_in_blender.py tests/blender)

# mypy wants a folder of the package's name, and a clone may have any.
build/typing/collision_kit:
	@mkdir -p $(@D)
	@ln -sfn ../.. $@
