# profpivot: the build.  GNU make; see `make help`.
#
# Flags come from two response files that are written when a recipe runs, not
# when this file is read: `make deps demo` on a fresh machine must find the
# libraries that its first goal has just installed.

VERSION = 0.1.0
BUILD ?= build
PREFIX ?= /usr/local
DESTDIR ?=
CC ?= cc
ifeq ($(origin CC),default)
CC = gcc
endif
AR ?= ar
PKG_CONFIG ?= pkg-config
CLANG ?= clang
CLANG_TIDY ?= clang-tidy
PYTHON ?= /usr/bin/python3
FUZZ_S ?= 60
FUZZ_SECONDS ?= $(FUZZ_S)

# ---------------------------------------------------------------- sources

# EXCLUDE: files to leave out of the build, by path
EXCLUDE ?=
SRC := $(filter-out readers/fuzz.c $(EXCLUDE), $(sort \
	$(wildcard readers/*.c readers/client/*.c) \
	$(wildcard model/*.c model/*/*.c) \
	$(wildcard writers/*.c) $(wildcard cli/*.c)))
LIB_SRC := $(filter-out cli/main.c, $(SRC))
TEST_SRC := $(filter-out $(EXCLUDE), $(sort $(wildcard tests/test_*.c)))

LIB_OBJ := $(LIB_SRC:%.c=$(BUILD)/%.o)
MAIN_OBJ := $(BUILD)/cli/main.o
TEST_OBJ := $(TEST_SRC:%.c=$(BUILD)/%.o)
TESTS := $(TEST_SRC:%.c=$(BUILD)/%)
LIB := $(BUILD)/libprofpivot.a
PROG := $(BUILD)/profpivot
MAN := $(wildcard man/*.[1-9])
SHARE := $(wildcard share/*)

# ------------------------------------------------------------------ flags

LIBS_PC = libxml-2.0 zlib sqlite3 libzip libdeflate libcrypto xlsxwriter

WARN = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion \
	-Wstrict-prototypes -Wmissing-prototypes -Wcast-qual \
	-Wwrite-strings -Wundef -Wvla -Wformat=2 -Wnull-dereference \
	-Wswitch-enum
ifeq ($(WERROR),1)
WARN += -Werror
endif

BASE_CFLAGS = -std=c17 -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64 \
	$(WARN) \
	-fvisibility=hidden -fstack-protector-strong -pthread \
	-DPP_VERSION=\\\"$(VERSION)\\\"
BASE_LDFLAGS = -Wl,--as-needed -pthread
ifeq ($(DEBUG),1)
BASE_CFLAGS += -DPP_DEBUG
endif
ifeq ($(SAN),1)
# the sanitisers and _FORTIFY_SOURCE intercept the same calls
SAN_FLAGS = -fsanitize=address,undefined -fno-sanitize-recover=all
BASE_CFLAGS += -O1 -g -fno-omit-frame-pointer $(SAN_FLAGS)
BASE_LDFLAGS += $(SAN_FLAGS)
else ifeq ($(TSAN),1)
SAN_FLAGS = -fsanitize=thread
BASE_CFLAGS += -O1 -g -fno-omit-frame-pointer $(SAN_FLAGS)
BASE_LDFLAGS += $(SAN_FLAGS)
else
BASE_CFLAGS += -O2 -g -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
endif
ifeq ($(FUZZING),1)
BASE_CFLAGS += -fsanitize=fuzzer-no-link
endif

# ------------------------------------------------------------------ goals

.PHONY: all deps deps-apt deps-npm check demo bench bench-sql bench-compare fuzz fuzz-run lint tidy golden install \
	uninstall clean dist help tests FORCE
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:

all: $(PROG)

help:
	@echo 'all        build $(PROG)'
	@echo 'deps       install what building and testing need (Debian)'
	@echo 'check      build and run every test'
	@echo 'demo       convert a shipped trace to demo.xlsx and demo-csv/'
	@echo 'bench      speed and memory on a grown trace, kept in a history'
	@echo 'bench-sql  speed of digests, BENCH_OTHER: another program beside it'
	@echo 'bench-compare BASE=REV   the same beside another revision'
	@echo 'fuzz       fuzz readers and digests for FUZZ_S seconds ($(FUZZ_S))'
	@echo 'lint       include rules, headers, man pages, clang; tidy: clang-tidy'
	@echo 'golden     write the expected results of the tests anew'
	@echo 'install uninstall (PREFIX, DESTDIR)   dist   clean'
	@echo 'Variables: CC CFLAGS LDFLAGS BUILD WERROR=1 SAN=1 TSAN=1 DEBUG=1'

# ---------------------------------------------------------------- compile

# Rewritten only when the flags change, and everything depends on it.
$(BUILD)/cflags: FORCE
	@mkdir -p $(BUILD)
	@if ! $(PKG_CONFIG) --print-errors --exists $(LIBS_PC); then \
	    echo 'libraries are missing: run "make deps"' >&2; exit 1; fi
	@{ echo "$(BASE_CFLAGS)"; \
	    $(PKG_CONFIG) --cflags $(LIBS_PC) | \
		sed 's/^-I/-isystem /; s/ -I/ -isystem /g'; \
	    printf '%s\n' '#if __has_include(<bzlib.h>)' \
		'-DPP_HAVE_BZ2' '#endif' '#if __has_include(<lzma.h>)' \
		'-DPP_HAVE_LZMA' '#endif' '#if __has_include(<zstd.h>)' \
		'-DPP_HAVE_ZSTD' '#endif' | $(CC) -E -P -x c -; \
	    printf '%s\n' '$(CPPFLAGS) $(CFLAGS)'; } > $@.new
	@$(CC) --version | sed -n '1s/[^A-Za-z0-9]/_/g; 1s/^/-DPP_CC_/p' \
	    >> $@.new
	@cmp -s $@.new $@ && rm -f $@.new || mv $@.new $@

$(BUILD)/libs: $(BUILD)/cflags
	@{ $(PKG_CONFIG) --libs $(LIBS_PC); echo -lcsv; \
	    sed -n -e 's/^-DPP_HAVE_BZ2$$/-lbz2/p' \
		-e 's/^-DPP_HAVE_LZMA$$/-llzma/p' \
		-e 's/^-DPP_HAVE_ZSTD$$/-lzstd/p' $(BUILD)/cflags; } > $@

# `make -j deps check`: the libraries first
ifneq ($(filter deps,$(MAKECMDGOALS)),)
$(BUILD)/cflags: | deps
endif

# An object is as old as the beginning of its compilation, so that a header
# saved meanwhile is newer.
$(BUILD)/%.o: %.c $(BUILD)/cflags
	@mkdir -p $(@D) && touch $@.began
	$(CC) @$(BUILD)/cflags -MMD -MP -c -o $@ $<
	@touch -r $@.began $@ && rm -f $@.began

# The list of members is part of the library's name for its contents: a file
# that went away must not stay in it.
$(LIB): $(LIB_OBJ) $(BUILD)/members
	@rm -f $@
	$(AR) rcs $@ @$(BUILD)/members

$(BUILD)/members: FORCE
	@mkdir -p $(BUILD)
	@printf '%s\n' $(LIB_OBJ) > $@.new
	@cmp -s $@.new $@ && rm -f $@.new || mv $@.new $@

$(PROG): $(MAIN_OBJ) $(LIB) $(BUILD)/libs
	$(CC) $(BASE_LDFLAGS) $(LDFLAGS) -o $@ $(MAIN_OBJ) $(LIB) \
	    @$(BUILD)/libs

$(TESTS): $(BUILD)/%: $(BUILD)/%.o $(LIB) $(BUILD)/libs
	$(CC) $(BASE_LDFLAGS) $(LDFLAGS) -o $@ $< $(LIB) @$(BUILD)/libs \
	    -lcmocka

tests: $(TESTS)

-include $(LIB_OBJ:.o=.d) $(MAIN_OBJ:.o=.d) $(TEST_OBJ:.o=.d)

# ------------------------------------------------------------------ tests

check: all tests
	@BUILD='$(BUILD)' PYTHON='$(PYTHON)' sh tests/run.sh

golden: all
	@BUILD='$(BUILD)' PYTHON='$(PYTHON)' PP_BLESS=1 \
	    sh tests/run.sh tests/golden*.test.*

DEMO_TRACE = corpora/oracle10046/ok/demo.trc

demo: all
	$(PROG) convert $(DEMO_TRACE) -o demo.xlsx
	$(PROG) convert $(DEMO_TRACE) -t csv -o demo-csv
	$(PROG) show $(DEMO_TRACE)

bench: all
	@BUILD='$(BUILD)' PYTHON='$(PYTHON)' sh tests/bench.sh

bench-sql: all
	@$(PYTHON) tests/bench_sql.py $(PROG) "$${TMPDIR:-/tmp}" \
	    "$${BENCH_RUNS:-3}" $(BENCH_OTHER)

# make bench-compare BASE=REVISION
BASE ?= HEAD
bench-compare: all
	@BUILD='$(BUILD)' PYTHON='$(PYTHON)' MAKE='$(MAKE)' CC='$(CC)' \
	    BENCH_BASE='$(BASE)' sh tests/bench.sh

lint:
	@MAKE='$(MAKE)' BUILD='$(BUILD)' CC='$(CC)' CLANG='$(CLANG)' \
	    sh tests/lint.sh

# memcpy and friends are named insecure for want of Annex K, which no libc has;
# what printf returns is asked once, by ferror at the end; slices end without a
# NUL; arrays of pointers are meant; and va_list is misjudged by clang 14
TIDY = -*,bugprone-*,cert-*,clang-analyzer-*,misc-*,performance-*,portability-*
TIDY := $(TIDY),-bugprone-easily-swappable-parameters,-misc-no-recursion
TIDY := $(TIDY),-clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling
TIDY := $(TIDY),-cert-err33-c,-bugprone-not-null-terminated-result
TIDY := $(TIDY),-bugprone-sizeof-expression,-performance-no-int-to-ptr
TIDY := $(TIDY),-clang-analyzer-valist.Uninitialized
TIDY := $(TIDY),-clang-analyzer-optin.performance.Padding

tidy: $(BUILD)/cflags
	$(CLANG_TIDY) --quiet --checks='$(TIDY)' $(SRC) -- \
	    -std=c17 -D_POSIX_C_SOURCE=200809L -DPP_VERSION='"$(VERSION)"' \
	    $$(grep -E '^-(isystem|DPP_HAVE)' $(BUILD)/cflags)

# One harness, built once a reader.  The library is built by clang with the
# coverage that the fuzzer steers by, in a folder of its own.
READERS := $(shell sed -n 's/^PP_READER(\(.*\))$$/\1/p' readers/readers.def)
# FUZZERS: which of them to run, such as FUZZERS=trace
FUZZERS ?= $(READERS) $(patsubst tests/fuzz_%.c,%,$(wildcard tests/fuzz_*.c))
FUZZ_SEEDS_archive = tests/archive
# row sets reach their readers through the client's
FUZZ_SEEDS_client = corpora/client/*/ corpora/digests corpora/psevents/*/ \
	corpora/psevents/ok/server corpora/showprofile/*/
FUZZ_SEEDS_sql = corpora/digest
FUZZ_SEEDS_trace = corpora/oracle10046/ok corpora/oracle10046/bad
FUZZ_DICT_trace = readers/oracle10046.dict
FUZZ_SEEDS_psevents = corpora/psevents/ok corpora/psevents/ok/server \
	corpora/psevents/bad
FUZZ_DICT_psevents = readers/client.dict

fuzz:
	@$(MAKE) --no-print-directory BUILD='$(BUILD)/fuzz' CC='$(CLANG)' \
	    SAN=1 FUZZING=1 fuzz-run

fuzz-run: $(FUZZERS:%=fuzz-run-%)

fuzz-run-%: $(LIB) $(BUILD)/libs
	@src=tests/fuzz_$*.c; test -f $$src || src=readers/fuzz.c; \
	$(CC) @$(BUILD)/cflags -fsanitize=fuzzer -DPP_FUZZ_READER=$* \
	    -o $(BUILD)/fuzz_$* $$src $(LIB) @$(BUILD)/libs || exit 1; \
	mkdir -p $(BUILD)/corpus_$* $(BUILD)/crashes_$*; \
	dict='$(or $(FUZZ_DICT_$*),readers/$*.dict)'; \
	seeds='$(or $(FUZZ_SEEDS_$*),corpora/$*/*/)'; \
	test -f $$dict && dict=-dict=$$dict || dict=; \
	echo "fuzz $*: $(FUZZ_SECONDS) s"; \
	$(BUILD)/fuzz_$* -max_total_time=$(FUZZ_SECONDS) \
	    -timeout=20 -rss_limit_mb=1024 -print_final_stats=1 $$dict \
	    -artifact_prefix=$(BUILD)/crashes_$*/ \
	    $(BUILD)/corpus_$* $$(ls -d $$seeds) \
	    > $(BUILD)/fuzz_$*.log 2>&1 || { \
	    tail -n 40 $(BUILD)/fuzz_$*.log; exit 1; }; \
	grep -E '^(stat::number_of|Done)' $(BUILD)/fuzz_$*.log

# ---------------------------------------------------------------- install

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/profpivot
	install -m 755 $(PROG) $(DESTDIR)$(PREFIX)/bin/profpivot
	$(PROG) list schema > $(BUILD)/profpivot-1.xsd
	$(PROG) list schema --xml nested > $(BUILD)/profpivot-1-nested.xsd
	install -m 644 $(BUILD)/profpivot-1.xsd \
	    $(BUILD)/profpivot-1-nested.xsd $(DESTDIR)$(PREFIX)/share/profpivot/
	@for m in $(MAN); do \
	    d=$(DESTDIR)$(PREFIX)/share/man/man$${m##*.}; \
	    install -d $$d && install -m 644 $$m $$d/ || exit 1; done
	@for f in LICENSE README.md $(SHARE) $(wildcard $(DEMO_TRACE)); do \
	    test ! -f $$f || install -m 644 $$f \
		$(DESTDIR)$(PREFIX)/share/profpivot/ || exit 1; done

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/profpivot
	@for m in $(MAN); do \
	    rm -f $(DESTDIR)$(PREFIX)/share/man/man$${m##*.}/$${m##*/}; done
	rm -rf $(DESTDIR)$(PREFIX)/share/profpivot

dist:
	@mkdir -p $(BUILD)
	git archive --format=tar.gz --prefix=profpivot-$(VERSION)/ \
	    -o $(BUILD)/profpivot-$(VERSION).tar.gz HEAD

clean:
	rm -rf $(BUILD) demo.xlsx demo-csv demo-csv.tmp

# ------------------------------------------------------------------- deps

DEPS_BUILD = gcc make pkg-config libc6-dev libxml2-dev zlib1g-dev \
	libcsv-dev libxlsxwriter-dev libzip-dev libssl-dev libdeflate-dev \
	libsqlite3-dev libbz2-dev liblzma-dev libzstd-dev
DEPS_TEST = libcmocka-dev python3 python3-openpyxl libxml2-utils unzip \
	mandoc libreoffice-calc python3-uno mariadb-server clang \
	libclang-rt-14-dev valgrind clang-format clang-tidy poppler-utils \
	sqlite3 bzip2 xz-utils zstd git pigz

# A node or npm that did not come from a package serves as well.  The runtime
# of clang's sanitisers has its release in its name: left out where that is
# another one.
deps: deps-npm

deps-apt:
	@want='$(DEPS_BUILD) $(DEPS_TEST)'; need=; \
	command -v node >/dev/null || want="$$want nodejs"; \
	command -v npm >/dev/null || want="$$want npm"; \
	for p in $$want; do \
	    s=$$(dpkg-query -W -f '$${db:Status-Status}\n' "$$p" 2>/dev/null | \
		grep -m1 -x installed) || need="$$need $$p"; \
	done; \
	if [ -z "$$need" ]; then echo 'deps: all installed'; exit 0; fi; \
	echo "deps: installing$$need"; \
	sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	$$sudo env DEBIAN_FRONTEND=noninteractive apt-get update -q || exit 1; \
	have=; for p in $$need; do \
	    case $$p in libclang-rt-*) apt-cache show "$$p" >/dev/null 2>&1 || \
		continue; esac; have="$$have $$p"; done; \
	$$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -q -y \
	    --no-install-recommends $$have

# Independent readers of what profpivot writes.  Without them, as where the
# registry cannot be reached, their tests are skipped.
NPM = tests/npm

deps-npm: deps-apt
	@if cmp -s $(NPM)/package-lock.json $(NPM)/node_modules/.installed; then \
	    echo 'deps: npm packages are there'; \
	elif (cd $(NPM) && npm ci --no-audit --no-fund) && \
	    cp $(NPM)/package-lock.json $(NPM)/node_modules/.installed; then :; \
	else echo 'deps: no npm packages: tests that need them are skipped'; fi
