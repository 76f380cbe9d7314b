# Every target works on a machine that has only the Swift toolchain and make: `make help` lists them.

SWIFT ?= $(shell command -v swift || ls /opt/swift/usr/bin/swift 2>/dev/null || echo swift)
PREFIX ?= /usr/local
# More options for the compiler, such as -Xswiftc -warnings-as-errors.
SWIFTFLAGS ?=

# Linux: one file that needs no runtimes beside it, neither Swift's nor C++'s, and starts 3 ms sooner.
# macOS has them in the system.
ifeq ($(shell uname -s),Linux)
  # Libraries are the system's: looking for them beside the program first costs a hundred system calls.
  RELEASE = -c release --static-swift-stdlib --disable-local-rpath
  # From version 2.36 on glibc reads relocations in their short form: they take 800 KB less, of the file and of memory.
  LIBC := $(shell getconf GNU_LIBC_VERSION 2>/dev/null | cut -d ' ' -f 2)
  ifeq ($(shell printf '%s\n' 2.36 "$(LIBC)" | sort -V | head -n 1),2.36)
    RELEASE += -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs
    # What lies close together takes fewer pages: a command spends a tenth of its time on mapping those of the program.
    RELEASE += -Xlinker --gc-sections -Xlinker --icf=safe
    # Nobody looks for symbols in a program. The loader does, for each that one of libcurl's thirty libraries wants.
    RELEASE += -Xlinker --no-export-dynamic -Xlinker --strip-all
    # The linker takes the first libstdc++ that it finds: a folder before the others holds the static one alone.
    LIBSTDCXX := $(wildcard $(shell clang="$$(dirname "$(SWIFT)")/clang"; \
      "$$clang" -print-file-name=libstdc++.a 2>/dev/null))
    ifneq ($(LIBSTDCXX),)
      STATIC = .build/static
      RELEASE += -Xswiftc -L$(STATIC) -Xswiftc -Xclang-linker -Xswiftc -static-libgcc
    endif
  endif
else
  RELEASE = -c release
endif

# What `install` puts below PREFIX, besides the recordings in share/market/cassettes.
BASH_COMPLETION = share/bash-completion/completions/market
ZSH_COMPLETION = share/zsh/site-functions/_market
FISH_COMPLETION = share/fish/vendor_completions.d/market.fish
MANUAL = share/man/man1/market.1
INSTALLED = bin/market share/market/exchanges.json share/market/exchanges.schema.json \
  $(BASH_COMPLETION) $(ZSH_COMPLETION) $(FISH_COMPLETION) $(MANUAL)
ROOT = $(DESTDIR)$(PREFIX)

# Every tracked Swift file; where this is no git checkout, every one there is.
SWIFT_FILES = { git ls-files -z '*.swift' 2>/dev/null || find Package.swift Plugins Sources Tests -name '*.swift' -print0; }

MARKET = $(shell "$(SWIFT)" build $(RELEASE) --show-bin-path)/market

.PHONY: help demo build test install uninstall bench format format-check clean libcurl toolchain

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

demo: build ## show made-up prices and a frame of watch, without the network
	"$(MARKET)" show BTC USDT --replay Tests/Cassettes
	"$(MARKET)" watch BTC/USDT BTC/KRW --replay Tests/Cassettes --once --screen 80x11

build: libcurl $(STATIC) ## build the release binary
	@test -x "$(MARKET)" || echo "market: building from nothing; this takes some four minutes on two cores, later builds less"
	"$(SWIFT)" build $(RELEASE) --product market $(SWIFTFLAGS)

# Without the backtrace of every error thrown in a test, most of which are expected: they take a tenth of the time.
test: export SWT_SWIFT_ERROR_BACKTRACING_ENABLED ?= 0
test: libcurl ## run all tests
	"$(SWIFT)" test $(SWIFTFLAGS)

install: build ## install into PREFIX (default /usr/local), below DESTDIR if that is set
	install -d $(foreach file,$(INSTALLED),"$(ROOT)/$(dir $(file))")
	install -m 755 "$(MARKET)" "$(ROOT)/bin/market"
	install -m 644 exchanges.json exchanges.schema.json "$(ROOT)/share/market/"
	rm -rf "$(ROOT)/share/market/cassettes"
	cp -R Tests/Cassettes "$(ROOT)/share/market/cassettes"
	chmod -R u=rwX,go=rX "$(ROOT)/share/market/cassettes"
	"$(MARKET)" completions bash >"$(ROOT)/$(BASH_COMPLETION)"
	"$(MARKET)" completions zsh >"$(ROOT)/$(ZSH_COMPLETION)"
	"$(MARKET)" completions fish >"$(ROOT)/$(FISH_COMPLETION)"
	"$(MARKET)" man >"$(ROOT)/$(MANUAL)"
	chmod 644 $(foreach file,$(BASH_COMPLETION) $(ZSH_COMPLETION) $(FISH_COMPLETION) $(MANUAL),"$(ROOT)/$(file)")

uninstall: ## remove what install put there; PREFIX and DESTDIR as for install
	rm -f $(foreach file,$(INSTALLED),"$(ROOT)/$(file)")
	rm -rf "$(ROOT)/share/market/cassettes"
	rmdir "$(ROOT)/share/market" 2>/dev/null || true

bench: build ## measure the release binary
	MARKET="$(MARKET)" RELEASE="$(RELEASE)" Tests/Benchmarks/run.sh

format: toolchain ## format all Swift files in place
	@$(SWIFT_FILES) | xargs -0 "$(SWIFT)" format format --parallel --in-place

format-check: toolchain ## fail if a Swift file is not formatted
	@$(SWIFT_FILES) | xargs -0 "$(SWIFT)" format lint --strict --parallel

clean: ## remove everything that was built
	rm -rf .build

$(STATIC):
	@mkdir -p "$@"
	@ln -sf "$(LIBSTDCXX)" "$@/libstdc++.a"

toolchain:
	@"$(SWIFT)" --version >/dev/null 2>&1 || { \
	  echo "market: cannot run '$(SWIFT)'; install Swift 6.2 or newer, or name it: make SWIFT=/path/to/swift" >&2; exit 1; }

libcurl: toolchain
	@.ci/libcurl "$(SWIFT)"
