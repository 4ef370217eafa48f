# modemd. `make help` lists what there is.
#   CONFIGURATION=debug|release   which build `install` takes (release)
#   DESTDIR= PREFIX=/usr          where `install` puts it
#   FUZZ_RUNS=1000000 FUZZ_TARGETS='fuzz-dns …'   how often `fuzz` runs what (all)
#   TEST_FLAGS='--filter X'       passed on to `swift test`

SHELL = /bin/sh
.SUFFIXES:

PREFIX = /usr
DESTDIR =
CONFIGURATION = release
BIN_DIR = .build/$(CONFIGURATION)
TEST_FLAGS =
SOAK_FLAGS =
SWIFT = swift
STRIP = strip
PYTHON = /usr/bin/python3
CLIENTS = .build/clients
NPM_VERSION = $(shell sed -n 's/.*"version": "\([^"]*\)".*/\1/p' clients/javascript/package.json)
INSTALL = install
INSTALL_PROGRAM = $(INSTALL) -m 0755

# The scenarios that are not for figures.
SCENARIOS = $(filter-out bench%,$(notdir $(wildcard Scenarios/*)))
PROGRAMS = modemd modemd-port modemd-web modemd-fleet modemctl modemd-run modem-simulator
STATIC_debug =
# Nothing loads the programs: the symbols that Swift's static library would have them export are 3 MB and more.
# lld writes the relocations of a position-independent program in a tenth of their size (DT_RELR: glibc 2.36), and -Osize makes the code shorter.
STATIC_release = --static-swift-stdlib -Xlinker --no-export-dynamic -Xswiftc -use-ld=lld \
  -Xlinker -z -Xlinker pack-relative-relocs -Xswiftc -Osize
# Package.swift looks here first for libstdc++, so that the programs do not load it.
FIND_LIBSTDCXX = mkdir -p .build/libstdc++ && ln -sf "$$(cc -print-file-name=libstdc++.a)" .build/libstdc++/
SOURCES = Package.swift Sources Tests Benchmarks Examples
FUZZ_RUNS = 1000000
FUZZ_TARGETS =
FORMAT = $(SWIFT) format --in-place --recursive --configuration .swift-format
# What `swift test` runs; it takes its time for the package before each run.
TEST_RUNNER = .build/debug/modemdPackageTests.xctest --testing-library swift-testing
RUN_PARTS = scripts/run-parts .build/tests Tests/parts
GENERATE = $(SWIFT) build --product varlink-generate && scripts/generate .build/debug/varlink-generate
# modemd's public interfaces; org.modemd.Port is between the two daemons, others are of other sockets.
INTERFACES = $(filter-out %/org.modemd.Port.varlink %/org.modemd.Web.varlink %/org.modemd.Fleet.varlink %/io.systemd.Metrics.varlink,$(wildcard Sources/API/*/Interfaces/*.varlink Sources/Providers/*/API/Interfaces/*.varlink))
GENERATED = $(wildcard Sources/API/*/Generated Sources/Providers/*/API/Generated)

bindir = $(DESTDIR)$(PREFIX)/bin
pythondir = $(DESTDIR)$(PREFIX)/lib/python3/dist-packages
libdir = $(DESTDIR)$(PREFIX)/lib/modemd
sharedir = $(DESTDIR)$(PREFIX)/share/modemd
scenariodir = $(DESTDIR)$(PREFIX)/share/modem-simulator/scenarios
confdir = $(DESTDIR)/etc/modemd
docdir = $(DESTDIR)$(PREFIX)/share/doc/modemd
unitdir = $(DESTDIR)$(PREFIX)/lib/systemd/system
rulesdir = $(DESTDIR)$(PREFIX)/lib/udev/rules.d
sysusersdir = $(DESTDIR)$(PREFIX)/lib/sysusers.d
tmpfilesdir = $(DESTDIR)$(PREFIX)/lib/tmpfiles.d
catalogdir = $(DESTDIR)$(PREFIX)/lib/systemd/catalog
mandir = $(DESTDIR)$(PREFIX)/share/man
# Units and scripts name /usr; another prefix is written in while they are installed.
PLACE = sed 's|/usr/lib/modemd|$(PREFIX)/lib/modemd|g' $(RELOAD)
# From systemd 253 on, systemctl waits for the end of a reload.
RELOAD = $(shell pkg-config --atleast-version=253 systemd 2>/dev/null && echo "| sed -e '/^ExecReload=/d' -e 's/^Type=notify$$/Type=notify-reload/'")

.PHONY: help build demo test test-fast check format bench kernel fuzz soak test-next generate install install-python \
  clients deb clean

help: ## list the targets
	@sed -n 's/^\([a-z][a-z-]*\):[^#]*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "make %-14s %s\n", $$1, $$2 }'

build: ## release build of all programs, Swift's library linked in
	@scripts/install-dependencies build
	$(FIND_LIBSTDCXX)
	$(SWIFT) build -c release $(STATIC_release)

demo: ## the whole path on a simulated modem and operator, over MBIM and over QMI
	@scripts/install-dependencies build demo
	$(SWIFT) build
	.build/debug/modem-simulator demo Scenarios/demo

soak: ## a day's work with faults at random: bearers, queries, chains, flows of each kind; SOAK_FLAGS='--scale 0.01'
	@scripts/install-dependencies build demo
	$(SWIFT) build
	.build/debug/modemd-soak $(SOAK_FLAGS)

# The programs are built first: tests start them. Swift Testing alone runs, so that the last lines are its own. All that it prints
# is kept in .build/tests, and what failed stands before its last lines. Worlds wait most of their time, so that the other parts of
# Tests/parts run beside them; with TEST_FLAGS one run does what they say.
test: ## build and run all tests; sets the machine up first
	@scripts/install-dependencies build demo test
	$(SWIFT) build --build-tests
	$(if $(TEST_FLAGS),scripts/run-tests .build/tests/test.log \
	  $(SWIFT) test --skip-build --disable-xctest --no-parallel --ignore-lock $(TEST_FLAGS),$(RUN_PARTS) all $(TEST_RUNNER))

test-fast: ## build and run what needs no device and no world, in under a minute; the last lines say what is left out
	$(SWIFT) build --build-tests
	$(RUN_PARTS) fast $(TEST_RUNNER)

check: ## format, scripts, units and generated sources are as they should be
	@scripts/install-dependencies build
	$(SWIFT) format lint --strict --recursive --configuration .swift-format $(SOURCES)
	for script in scripts/* systemd/modemd-proxy Tests/Kernel/run Benchmarks/run Benchmarks/in-* Benchmarks/curl-chain Benchmarks/build-times; do sh -n $$script || exit 1; done
	bash -n .ci/run
	# What is not a test target is built for release too, where there is no Testing.
	! grep -rn '^import Testing' Sources Examples Benchmarks Tests/*Support Tests/IdentityWriter Tests/OneImport Tests/Soak
	scripts/check-units
	scripts/check-traps
	scripts/check-layers
	scripts/check-clocks
	scripts/check-comments
	rm -rf .build/generated && mkdir -p .build/generated
	$(GENERATE) .build/generated
	$(FORMAT) .build/generated
	for folder in $(GENERATED); do diff -r $$folder .build/generated/$$folder || exit 1; done
	for file in $$(cd .build/generated && find clients -type f); do \
	  diff $$file .build/generated/$$file || { echo "$$file is not what the interfaces say: run make generate" >&2; exit 1; }; done
	scripts/settings-pages .build/generated
	for file in Docs/man/modemd.conf.5 Docs/man/modemd.providers.5 Docs/man/modemd.web.5 Docs/man/modemd.browser-host.5 Docs/man/modemd.fleet.5 systemd/modemd.json systemd/modemd-port.json; do \
	  diff $$file .build/generated/$$file || { echo "$$file is not what the documents say: run make generate" >&2; exit 1; }; done

format: ## format all Swift sources in place
	$(FORMAT) $(SOURCES)

bench: ## print the figures that Docs/testing.md sets limits for; also as JSON in .build/bench.json, drawn in .build/bench
	@scripts/install-dependencies build demo bench
	$(FIND_LIBSTDCXX)
	$(SWIFT) build -c release $(STATIC_release)
	Benchmarks/run .build/release .build/bench.json .build/bench

kernel: ## the programs as installed, under real drivers, udev and systemd, in a virtual machine
	@scripts/install-dependencies build kernel package
	$(SWIFT) build -c $(CONFIGURATION) $(STATIC_$(CONFIGURATION))
	scripts/build-packages .build/deb $(CONFIGURATION)
	Tests/Kernel/build-guest .build/kernel $(CONFIGURATION)
	Tests/Kernel/run .build/kernel

test-next: ## run the backends' tests with the libraries of Debian's next release
	@scripts/install-dependencies build test
	LD_LIBRARY_PATH=$$(scripts/next-libraries .build/next-libraries) SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$$(nproc) \
	  $(SWIFT) test --disable-xctest --filter 'BackendTests|CrashCost'

fuzz: ## feed bad input to every reader of what comes from radio, network or socket
	@scripts/install-dependencies build
	scripts/fuzz $(FUZZ_RUNS) $(FUZZ_TARGETS)

generate: ## write the wire types from the .varlink files, and the pages of settings from the documents
	$(GENERATE)
	$(FORMAT) $(GENERATED)
	scripts/settings-pages

# Programs are built when they are missing, not when they are old: installing as root must not compile as root.
$(PROGRAMS:%=$(BIN_DIR)/%):
	$(SWIFT) build -c $(CONFIGURATION) $(STATIC_$(CONFIGURATION)) --product $(@F)

install: $(PROGRAMS:%=$(BIN_DIR)/%) ## put everything in place under DESTDIR and PREFIX
	$(INSTALL) -d $(bindir) $(libdir) $(sharedir)/varlink $(docdir)/examples $(unitdir) $(rulesdir) $(sysusersdir) $(tmpfilesdir) $(catalogdir)
	$(INSTALL_PROGRAM) $(BIN_DIR)/modemctl $(BIN_DIR)/modem-simulator $(bindir)/
	$(INSTALL_PROGRAM) $(BIN_DIR)/modemd $(BIN_DIR)/modemd-port $(BIN_DIR)/modemd-web $(BIN_DIR)/modemd-fleet $(BIN_DIR)/modemd-run $(libdir)/
	$(STRIP) $(bindir)/modemctl $(bindir)/modem-simulator $(libdir)/modemd $(libdir)/modemd-port $(libdir)/modemd-web $(libdir)/modemd-fleet $(libdir)/modemd-run
	$(INSTALL) -m 0755 systemd/modemd-proxy $(libdir)/
	for unit in modemd.service modemd.socket modemd-bearer-proxy.socket modemd-metrics.socket modemd-metrics-http.socket modemd-port@.service modemd-web.service modemd-web-fetch@.service modemd-fleet.service modemd-mbim-proxy.service modemd-qmi-proxy.service; do \
	  cat systemd/$$unit | $(PLACE) >$(unitdir)/$$unit && chmod 0644 $(unitdir)/$$unit || exit 1; done
	# ModemManager wants the proxies too, whenever it starts.
	$(INSTALL) -d $(unitdir)/ModemManager.service.wants
	for unit in modemd-mbim-proxy.service modemd-qmi-proxy.service; do \
	  ln -sf ../$$unit $(unitdir)/ModemManager.service.wants/$$unit || exit 1; done
	$(INSTALL) -m 0644 udev/70-modemd.rules $(rulesdir)/
	# systemd puts it into its database: on Debian at the package's installation, else `journalctl --update-catalog` does.
	$(INSTALL) -m 0644 systemd/modemd.catalog $(catalogdir)/
	for name in modemd modemd-web modemd-fleet; do \
	  $(INSTALL) -m 0644 systemd/$$name.sysusers $(sysusersdir)/$$name.conf && \
	  $(INSTALL) -m 0644 systemd/$$name.tmpfiles $(tmpfilesdir)/$$name.conf || exit 1; done
	$(INSTALL) -m 0644 $(INTERFACES) $(sharedir)/varlink/
	$(INSTALL) -d $(confdir)/providers
	# What the administrator has written there stays.
	for file in modemd.json modemd-port.json; do \
	  [ -e $(confdir)/$$file ] || $(INSTALL) -m 0644 systemd/$$file $(confdir)/ || exit 1; done
	for file in $(SCENARIOS:%=Scenarios/%/*); do \
	  $(INSTALL) -D -m 0644 $$file $(scenariodir)/$${file#Scenarios/} || exit 1; done
	$(INSTALL) -m 0644 README.md CHANGELOG.md Docs/*.md Docs/*.svg $(docdir)/
	for page in $(wildcard Docs/providers/*.md); do \
	  $(INSTALL) -D -m 0644 $$page $(docdir)/providers/$${page##*/} || exit 1; done
	for page in Docs/tutorials/*.md; do \
	  $(INSTALL) -D -m 0644 $$page $(docdir)/tutorials/$${page##*/} || exit 1; done
	$(INSTALL) -m 0644 systemd/examples/* $(docdir)/examples/
	for file in $$(find -L Examples -type f ! -path '*/__pycache__/*'); do \
	  $(INSTALL) -D -m 0644 $$file $(docdir)/examples/$${file#Examples/} || exit 1; done
	# What browsers start, and the extension with what sets it up.
	for file in $$(cd clients/browser-extension && find modemd.js source system -type f); do \
	  $(INSTALL) -d $(sharedir)/browser-extension/$$(dirname $$file) && \
	  cat clients/browser-extension/$$file | $(PLACE) >$(sharedir)/browser-extension/$$file && \
	  chmod 0644 $(sharedir)/browser-extension/$$file || exit 1; done
	$(INSTALL) -m 0755 clients/browser-extension/set-up $(sharedir)/browser-extension/
	cat clients/browser-extension/modemd-browser-host | $(PLACE) >$(libdir)/modemd-browser-host
	chmod 0755 $(libdir)/modemd-browser-host
	for page in Docs/man/*; do \
	  $(INSTALL) -D -m 0644 $$page $(mandir)/man$${page##*.}/$${page##*/} || exit 1; done
	$(INSTALL) -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/vendor-completions \
	  $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	$(BIN_DIR)/modemctl --generate-completion-script bash | sed '1{/^#!/d}' >$(DESTDIR)$(PREFIX)/share/bash-completion/completions/modemctl
	$(BIN_DIR)/modemctl --generate-completion-script zsh >$(DESTDIR)$(PREFIX)/share/zsh/vendor-completions/_modemctl
	$(BIN_DIR)/modemctl --generate-completion-script fish >$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/modemctl.fish

clients: ## the wheel of the client for Python and the archive of that for JavaScript, in .build/clients
	$(PYTHON) -B clients/python/build_backend/wheel.py $(CLIENTS)
	tar --create --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 --mode=u=rwX,go=rX \
	  --transform='s|^|package/|' --directory=clients/javascript \
	  package.json README.md index.js index.d.ts source generated | gzip -9n >$(CLIENTS)/modemd-$(NPM_VERSION).tgz

install-python: ## put the client for Python in place, as the Debian package does
	$(INSTALL) -d $(pythondir)
	$(PYTHON) -B clients/python/build_backend/wheel.py $(pythondir)
	cd $(pythondir) && $(PYTHON) -m zipfile -e modemd-*.whl . && rm -f modemd-*.whl modemd-*.dist-info/RECORD
	find $(pythondir)/modemd* -type f -exec chmod 0644 {} +

deb: ## the Debian packages, in .build/deb, and what lintian says about them
	@scripts/install-dependencies build package
	scripts/build-packages .build/deb $(CONFIGURATION)
	scripts/check-packages .build/deb $(CONFIGURATION)

clean: ## remove what was built
	rm -rf .build
