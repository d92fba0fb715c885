# A thin door to meson. `make help` lists what there is.
LLVM  ?= 14
BUILD ?= build$(if $(filter-out 14,$(LLVM)),-$(LLVM))
N     ?= 300
PREFIX ?= /usr/local

.PHONY: all demo check check-scale unit format deps deps-check deps-all build sanitized install torture csmith bench results session precision fuzz oracle clean help

all: build

help:
	@echo 'make              build $(BUILD)/sheaf'
	@echo 'make demo         install what is missing, build, show the main job on an example'
	@echo 'make check        install what is missing, build, run all tests (LLVM=16 or 19 for another LLVM)'
	@echo '                  ONLY=STAGE and FILTER=TEXT choose some of them: tools/check.py --list'
	@echo 'make check-scale  the long form of its stages scale, fleet and jobs: 200 kills each, 500 random programs'
	@echo 'make unit         NAME=expr: build and run one unit test, and nothing else'
	@echo 'make install      binary, header, runtime, manual page (PREFIX=$(PREFIX), DESTDIR=)'
	@echo "make torture      gcc's execute tests on the machine; rewrites docs/conformance.md"
	@echo 'make csmith N=300 random programs, machine against native'
	@echo 'make bench        speed, as ratios to native code in the same run'
	@echo 'make results      the techniques beside full exploration; rewrites docs/results.md'
	@echo 'make oracle       104,000 random programs, each technique against brute force (long)'
	@echo 'make fuzz         a minute of fuzzing of each parser'
	@echo 'make precision    how many decisions are in labels; rewrites docs/precision.md'
	@echo 'make session      draws the picture of a session in README.md anew (docs/session.svg)'
	@echo 'make format       lay the code out by .clang-format'
	@echo 'make clean        remove the build directories'

deps:
	@sh tools/deps.sh base $(LLVM)

deps-check:
	@sh tools/deps.sh check $(LLVM)

deps-all:
	@sh tools/deps.sh all $(LLVM)

# meson configures once; ninja repeats only what changed. RECONFIGURE keeps PREFIX true in an old directory.
$(BUILD)/build.ninja:
	meson setup $(BUILD) -Dllvm=$(LLVM) -Dbuildtype=release -Dwerror_ci=true --prefix=$(PREFIX) >/dev/null

build: $(BUILD)/build.ninja
	@ninja -C $(BUILD) --quiet

# Warnings are errors in the plain build only: with sanitizers gcc sees null pointers that are not there.
$(BUILD)-san/build.ninja:
	meson setup $(BUILD)-san -Dllvm=$(LLVM) -Dbuildtype=debugoptimized -Db_sanitize=address,undefined -Db_lundef=false >/dev/null

sanitized: $(BUILD)-san/build.ninja
	@ninja -C $(BUILD)-san --quiet

demo: deps build
	@sh tools/demo.sh $(BUILD)

# Sanitized programs are built if a chosen stage runs them; of unit tests chosen by FILTER only those are, by the stage itself.
comma := ,
STAGES = $(subst $(comma), ,$(ONLY))
SANITIZED = $(if $(STAGES),$(if $(filter machine-sanitized,$(STAGES)),sanitized,$(if $(filter unit,$(STAGES)),$(if $(FILTER),$(BUILD)-san/build.ninja,sanitized))),sanitized)
check: deps-check build $(SANITIZED)
	python3 tools/check.py --build $(BUILD) --sanitized $(BUILD)-san --llvm $(LLVM) $(if $(ONLY),--only $(ONLY)) $(if $(FILTER),--filter $(FILTER))

check-scale: deps-check build
	python3 tools/scale.py --sheaf $(BUILD)/sheaf --kills 200
	python3 tools/fleet.py --sheaf $(BUILD)/sheaf --kills 200
	python3 tools/jobs_random.py --build $(BUILD) --llvm $(LLVM) --programs 500

unit: $(BUILD)/build.ninja
	@test -n "$(NAME)" || { echo 'make unit NAME=expr: tests/unit/test_expr.c alone; there are: $(patsubst tests/unit/test_%.c,%,$(wildcard tests/unit/test_*.c))'; exit 2; }
	@ninja -C $(BUILD) --quiet tests/unit/test_$(NAME:test_%=%)
	SHEAF_SOURCE=$(CURDIR) $(BUILD)/tests/unit/test_$(NAME:test_%=%)

install: build
	meson configure $(BUILD) --prefix=$(PREFIX)
	DESTDIR=$(DESTDIR) meson install -C $(BUILD)

torture: deps-all build
	python3 tools/torture.py --sheaf $(BUILD)/sheaf --llvm $(LLVM) --table docs/conformance.md

csmith: deps-all build
	python3 tools/csmith.py --sheaf $(BUILD)/sheaf --llvm $(LLVM) --count $(N)

bench: deps build
	python3 bench/machine.py --sheaf $(BUILD)/sheaf --llvm $(LLVM)
	python3 bench/machine.py --sheaf $(BUILD)/sheaf --llvm $(LLVM) --labels
	python3 bench/labels.py --sheaf $(BUILD)/sheaf --llvm $(LLVM)
	python3 bench/labelled.py --build $(BUILD)
	python3 bench/explore.py --sheaf $(BUILD)/sheaf
	python3 bench/states.py --sheaf $(BUILD)/sheaf
	python3 bench/store.py --sheaf $(BUILD)/sheaf
	python3 bench/search.py --sheaf $(BUILD)/sheaf
	python3 bench/flow.py --build $(BUILD)
	python3 bench/reach.py --sheaf $(BUILD)/sheaf
	python3 bench/entries.py --sheaf $(BUILD)/sheaf
	python3 tools/entry_mutants.py --sheaf $(BUILD)/sheaf
	python3 bench/diff.py --sheaf $(BUILD)/sheaf
	ninja -C $(BUILD) --quiet src/solver/bench-solver && $(BUILD)/src/solver/bench-solver

# Families of random programs begin at seeds of their own: see tests/oracle/README.md.
PROGRAMS = --clang clang-$(LLVM) --runtime $(BUILD)/runtime/runtime.bc --programs
oracle: export SHEAF_SOURCE = $(CURDIR)
oracle: deps build
	$(BUILD)/tests/oracle/oracle $(PROGRAMS) 10000
	$(BUILD)/tests/oracle/oracle $(PROGRAMS) 10000 --seed 1000000
	$(BUILD)/tests/oracle/labels $(PROGRAMS) 5000
	$(BUILD)/tests/oracle/labels $(PROGRAMS) 5000 --seed 1000000
	$(BUILD)/tests/oracle/labels $(PROGRAMS) 1000 --seed 3000000
	$(BUILD)/tests/oracle/labels $(PROGRAMS) 2000 --seed 4000000
	$(BUILD)/tests/oracle/labels $(PROGRAMS) 2000 --seed 4250000
	$(BUILD)/tests/oracle/labels $(PROGRAMS) 2000 --seed 4400000
	$(BUILD)/tests/oracle/labels $(PROGRAMS) 1000 --seed 4500000
	$(BUILD)/tests/oracle/output $(PROGRAMS) 9000
	$(BUILD)/tests/oracle/output $(PROGRAMS) 1000 --seed 1000000
	$(BUILD)/tests/oracle/output $(PROGRAMS) 1000 --seed 3000000
	$(BUILD)/tests/oracle/output $(PROGRAMS) 1000 --seed 4400000
	$(BUILD)/tests/oracle/dependence $(PROGRAMS) 5000
	$(BUILD)/tests/oracle/dependence $(PROGRAMS) 3000 --seed 1000000
	$(BUILD)/tests/oracle/dependence $(PROGRAMS) 12000 --seed 2000000
	$(BUILD)/tests/oracle/dependence $(PROGRAMS) 3000 --seed 2500000
	$(BUILD)/tests/oracle/dependence $(PROGRAMS) 6000 --seed 4500000
	$(BUILD)/tests/oracle/dependence $(PROGRAMS) 3000 --seed 4700000 --uninit
	$(BUILD)/tests/oracle/dependence $(PROGRAMS) 2000 --seed 2200000 --turns 1
	$(BUILD)/tests/oracle/dependence $(PROGRAMS) 2000 --seed 2200000 --turns 169
	$(BUILD)/tests/oracle/dependence $(PROGRAMS) 4000 --explore states
	$(BUILD)/tests/oracle/dependence $(PROGRAMS) 2000 --explore states --seed 1000000
	$(BUILD)/tests/oracle/dependence $(PROGRAMS) 2000 --explore states --seed 2000000
	$(BUILD)/tests/oracle/dependence $(PROGRAMS) 2000 --explore states --seed 4500000
	python3 tools/states_random.py --sheaf $(BUILD)/sheaf --programs 1000 --seed 1000
	python3 tools/states.py --sheaf $(BUILD)/sheaf --runs 10000 --long
	$(BUILD)/tests/oracle/witness $(PROGRAMS) 1000
	$(BUILD)/tests/oracle/witness $(PROGRAMS) 1000 --seed 1000000
	$(BUILD)/tests/oracle/diff $(PROGRAMS) 3000 --edits 5
	$(BUILD)/tests/oracle/diff $(PROGRAMS) 1000 --seed 1000000 --edits 6
	$(BUILD)/tests/oracle/diff $(PROGRAMS) 1000 --seed 3000000 --edits 7
	$(BUILD)/tests/oracle/reach $(PROGRAMS) 3000 --seed 5500000
	$(BUILD)/tests/oracle/require $(PROGRAMS) 10000 --least 85
	$(BUILD)/tests/oracle/reach $(PROGRAMS) 1000 --seed 5000000
	$(BUILD)/tests/oracle/reach $(PROGRAMS) 1000 --seed 1
	$(BUILD)/tests/oracle/reach $(PROGRAMS) 2000 --seed 5500000 --cuts --watched 30
	$(BUILD)/tests/oracle/reach $(PROGRAMS) 300 --seed 5000000 --cuts

results: deps build
	python3 tools/results.py --sheaf $(BUILD)/sheaf

fuzz: deps-all build
	python3 tools/fuzz.py --sheaf $(BUILD)/sheaf --llvm $(LLVM) --seconds 60

precision: deps build
	python3 tools/precision.py --sheaf $(BUILD)/sheaf --table docs/precision.md

session: build
	python3 tools/session_svg.py --build $(BUILD) docs/session.svg

format:
	@sh tools/format.sh

clean:
	rm -rf build build-*
