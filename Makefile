# SPDX-License-Identifier: BSD-3-Clause
# `make run` installs what is missing, builds, and characterises this machine; `make help` lists the rest.
VERSION  := 0.3.0
DATE     := 2026-11-28
TARBALL  := carmine-$(VERSION).tar.xz
# CROSS=aarch64-linux-gnu builds for that system, with its compiler, and libraries below SYSROOT if they are not the system's own.
CROSS    ?=
SYSROOT  ?=
BUILD    ?= build$(CROSS:%=/%)
PREFIX   ?= /usr/local
LIBDIR   ?= $(PREFIX)/lib
comma    := ,
# Programs find libcarmine-roofs where it is installed, unless the system looks there itself. (libcarmine is linked as an archive: with a
# run path, static position-independent programs crash under glibc 2.36.)
RPATH     = $(if $(filter /usr/lib% /lib%,$(LIBDIR)),,-Wl$(comma)-rpath$(comma)$${libdir})
# An installed tree may be moved: carmine finds its parts from where it lies itself, and pkg-config from where its file lies.
MOVABLE   = $(if $(filter /usr,$(PREFIX)),/usr,$${pcfiledir}/$(shell realpath -m --relative-to=$(LIBDIR)/pkgconfig $(PREFIX)))
# DWARF 4, because valgrind 3.19, which tests use, gives up on that of version 5 from clang.
CFLAGS   ?= -O2 -gdwarf-4
# SANITIZE=-fsanitize=address,undefined (with a BUILD of its own) tests with sanitizers.
SANITIZE ?=
ifeq ($(origin CC),default)
CC := $(CROSS:%=%-)gcc$(SYSROOT:%= --sysroot=%)
AR := $(CROSS:%=%-)ar
endif
# The folders x86/ and aarch64/ hold code of one architecture; `generate` runs on the machine that builds.
ARCH     := $(if $(filter aarch64%,$(shell $(CC) -dumpmachine)),aarch64,x86)
HOSTED   := $(BUILD)$(CROSS:%=/host)

# Several functions deep a stack of 256 KiB has to do; sanitizers put more on it.
FRAMES   := $(if $(SANITIZE),,-Wframe-larger-than=65536)
# Warnings are errors where WERROR is set, as in CI. clang 19 has one for C++: in C a constant of an enum is an int.
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wno-enum-float-conversion $(if $(WERROR),-Werror)
# An atomic variable is never used without the name of an order (docs/memory-order.md).
ORDERED  := $(if $(findstring clang,$(CC)),-Watomic-implicit-seq-cst)
# clang's -fopenmp=libgomp silently runs one thread, so each compiler gets its own runtime.
OPENMP   := $(if $(findstring clang,$(CC)),-fopenmp=libomp,-fopenmp)
PLAIN     = $(CC) -std=gnu11 -I. -D_GNU_SOURCE -DCARMINE_VERSION='"$(VERSION)"' -DCARMINE_DATE='"$(DATE)"' $(WARNINGS) $(ORDERED) $(FRAMES) -fPIE $(HARDENED) $(ABSENCE) $(CFLAGS) -MMD -MP
COMPILE   = $(PLAIN) $(OPENMP) $(CHECKED)
CHECKED  := $(if $(SANITIZE),$(SANITIZE) -fno-sanitize-recover=all -fno-omit-frame-pointer)
# The program is hardened, and so are all links. Code within measured programs is not: it runs before their C library, or beside their loops.
FORTIFIED = $(if $(findstring _FORTIFY_SOURCE,$(CFLAGS)),,$(if $(filter-out -O0,$(filter -O%,$(CFLAGS))),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2))
HARDENED  = $(if $(SANITIZE),,-fstack-protector-strong $(FORTIFIED))
$(addprefix $(BUILD)/,pic/asm/% pic/bench/% pic/probe/% workloads/%): HARDENED :=
NOW      := -Wl,-z,relro,-z,now

# Libraries that may be missing: pkg-config's name or -l, the files that NAME_absent.c replaces, the loss, and Debian's names.
LIBRARY_papi    := papi
FILES_papi      := $(addprefix probe/events/,event_check.c papi.c papi_events.c) bench/collect/papi.c
LOSS_papi       := PAPI, so it counts no hardware events
DEBIAN_papi     := libpapi-dev
LIBRARY_pfm     := -lpfm
FILES_pfm       := probe/events/event_tables.c
LOSS_pfm        := libpfm4, so it knows no native events of a core
DEBIAN_pfm      := libpfm4-dev
LIBRARY_zydis   := -lZydis
FILES_zydis     := asm/incore/x86/demand.c $(patsubst %,asm/x86/%.c,address_recipe assemble assemble_line decode effect effect_class effect_table instruction listing newer prefetches)
LOSS_zydis      := Zydis, so it decodes no instructions (app --counters count, workload --validate, core, sweep --dlp, kernels --verify)
DEBIAN_zydis    := libzydis-dev
NEVER_aarch64   := zydis
ALONE_zydis     := programs are decoded, and counted exactly, on x86-64 alone (app --counters count, app --by loop, workload --validate, sweep --dlp)
LIBRARY_elf     := libelf libdw
FILES_elf       := bench/names/lines.c bench/names/symbols.c
LOSS_elf        := elfutils, so it names no functions, loops and lines of programs
DEBIAN_elf      := libelf-dev and libdw-dev
LIBRARY_cairo   := cairo libpng
FILES_cairo     := $(patsubst %,render/draw/%.c,draw_cairo font png_file)
LOSS_cairo      := cairo, so it draws into SVG files alone, and takes texts to be as wide as in DejaVu Sans
DEBIAN_cairo    := libcairo2-dev
LIBRARY_ncurses := ncursesw
FILES_ncurses   := carm/view/screen.c
LOSS_ncurses    := ncurses, so it has no `view` (`plot` draws in the terminal)
DEBIAN_ncurses  := libncurses-dev
OPTIONAL := papi pfm zydis elf cairo ncurses
# Where pkg-config looks in a cross build.
FIND     := $(if $(CROSS),PKG_CONFIG_SYSROOT_DIR=$(SYSROOT) PKG_CONFIG_LIBDIR=$(SYSROOT)/usr/lib/$(CROSS)/pkgconfig:$(SYSROOT)/usr/share/pkgconfig)
# WITHOUT='papi cairo' builds as if these were missing.
DEPS     := CROSS='$(CROSS)' SYSROOT='$(SYSROOT)' CC='$(CC)' FLAGS='$(CFLAGS) $(LDFLAGS)' WITHOUT='$(WITHOUT) $(NEVER_$(ARCH))' ./deps.sh
ABSENT   := $(sort $(shell $(DEPS) absent))
REPLACED := $(foreach each,$(OPTIONAL),$(if $(filter $(each),$(ABSENT)),$(FILES_$(each)),%/$(each)_absent.c))
$(foreach each,$(ABSENT),$(eval $(BUILD)/%/$(each)_absent.o: ABSENCE = -DBUILT_WITHOUT='"$(if $(filter $(each),$(NEVER_$(ARCH))),$$(ALONE_$(each)),this carmine was built without $$(LOSS_$(each)); install $$(DEBIAN_$(each)) and build it again)"'))
PRESENT  := $(foreach each,$(filter-out $(ABSENT),$(OPTIONAL)),$(LIBRARY_$(each)))

# pkg-config is asked once, and only when something is compiled: `make deps` has to run where there is none.
PACKAGES := hwloc jansson $(filter-out -l%,$(PRESENT))
ask       = $(shell $(FIND) pkg-config $(1) $(PACKAGES))$(if $(filter-out 0,$(.SHELLSTATUS)),$(error hwloc or jansson is missing; `make deps` installs it))
INCLUDES  = $(eval INCLUDES := $(call ask,--cflags))$(INCLUDES)
LIBRARIES = $(eval LIBRARIES := $(call ask,--libs) $(filter -l%,$(PRESENT)) -lm)$(LIBRARIES)

# One generated file per ISA, compiled with that ISA's flags (gcc refuses zmm16-31 as clobbers without -mavx512f).
ISAS_x86     := common x87 scalar sse avx avx2 avx512 amx
ISAS_aarch64 := common scalar neon sve128 sve256 sve512 sve1024 sve2048 sme128 sme256 sme512 sme1024 sme2048
ISAS         := $(ISAS_$(ARCH))
FLAGS_kernels_avx    := -mavx
FLAGS_kernels_avx2   := -mavx2 -mfma -mavxvnni
FLAGS_kernels_avx512 := -mavx512f -mavx512vl -mavx512dq -mavx512bw -mavx512fp16 -mavx512bf16 -mavx512vnni
FLAGS_kernels_amx    := -mamx-tile -mamx-bf16 -mamx-int8
FLAGS_kernels_neon   := -march=armv8.2-a+fp16+dotprod+bf16+i8mm
$(foreach each,128 256 512 1024 2048,$(eval FLAGS_kernels_sve$(each) := -march=armv8.2-a+sve+fp16+bf16+i8mm))
$(foreach each,128 256 512 1024 2048,$(eval FLAGS_kernels_sme$(each) := -march=armv8.2-a+sve))

# What goes into measured programs: the marks (libcarmine), and the collectors that `carmine app` preloads. Never sanitized.
MARKS     := probe/marks/region.c
COUNTER   := $(wildcard bench/count/*.c bench/count/*/*.c bench/caches/*.c asm/x86/effect*.c) \
             asm/x86/address_recipe.c asm/x86/dots.c asm/x86/newer.c asm/element.c probe/marks/ranks.c
TIMER     := $(filter-out $(REPLACED),$(wildcard bench/collect/*.c)) probe/marks/ranks.c probe/$(ARCH)/clock_chains.c
MPI       := $(wildcard bench/collect/mpi/*.c)
# Adapters of other systems' marks: what is preloaded, and what their programs load by a variable of the environment.
TOOLS     := $(patsubst %,bench/collect/adapters/%.c,itt kokkos nvtx)
OVERTAKER := $(patsubst %,bench/collect/adapters/%.c,caliper likwid papi original)
ADAPTER   := $(filter-out $(TOOLS) $(OVERTAKER),$(wildcard bench/collect/adapters/*.c)) probe/marks/systems.c
LIBS      := $(addprefix $(BUILD)/libcarmine,.a .so -papi.so $(if $(filter zydis,$(ABSENT)),,-count.so) -marks.so -tools.so -mpi.so -roofs.so)

# Of the other architecture only its tables of machines are built: results are read everywhere.
FOREIGN   := $(filter-out $(ARCH),x86 aarch64)
FOLDERS   := $(shell find probe asm bench carm render -type d ! -path '*/$(FOREIGN)' ! -path '*/$(FOREIGN)/*')
# For programs: the marks and the roofs. The other libraries are `carmine app`'s own.
PUBLIC    := $(BUILD)/libcarmine.so $(BUILD)/libcarmine-roofs.so
OWN_LIBS   = $(filter-out $(PUBLIC) %.a,$(LIBS))
HEADERS   := probe/marks/carmine.h probe/marks/carmine.f90 bench/workloads/carmine_workload.h carm/library/carmine_roofs.h carm/library/carmine_roofs.f90
APART     := carm/library carm/node% bench/collect/adapters bench/collect bench/count% bench/collect/mpi bench/workloads% asm/generate%
ISA       := probe/isa.c
GENERATOR  = $(wildcard asm/generate/*.c asm/generate/$(1)/*.c asm/$(1)/dots.c) asm/element.c asm/pattern.c asm/pattern_facts.c asm/arithmetic.c $(ISA)
SOURCES   := $(filter-out $(REPLACED) carm/cli/main.c $(MARKS),$(wildcard $(patsubst %,%/*.c,$(filter-out $(APART),$(FOLDERS)))) $(wildcard probe/$(FOREIGN)/*_table.c))
GENERATED := $(ISAS:%=$(BUILD)/asm/kernels_%.c) $(BUILD)/asm/kernel_table.c
OBJECTS   := $(SOURCES:%.c=$(BUILD)/%.o) $(GENERATED:.c=.o)
# What tests/run skips without a library is not built.
SKIPPED   := $(patsubst %,\%/%.c,$(foreach each,$(ABSENT) $(FOREIGN),$(shell sed -n 's/^$(each): //p' tests/needs)))
TESTS     := $(patsubst %.c,$(BUILD)/%,$(filter-out $(SKIPPED) $(LEAVE_OUT:%=\%/%.c),$(filter $(or $(ONLY:%=\%/%.c),%),$(wildcard tests/unit/*/test_*.c))))
# The machines of these tests are x86's: elsewhere they know its kernels, without the code.
MADE_UP   := $(if $(filter x86,$(FOREIGN)),$(filter $(shell sed -n 's/^made-up: //p' tests/needs | tr ' ' '\n' | sed 's|^|%/|'),$(TESTS)))
HELPERS   := $(patsubst %.c,$(BUILD)/%,$(filter-out $(SKIPPED),$(wildcard tests/helpers/*.c)))
APPS      := $(patsubst %.c,$(BUILD)/apps/%,$(notdir $(filter-out $(SKIPPED) tests/apps/mpi_%,$(wildcard tests/apps/*.c tests/apps/counted/*.c))))
EXAMPLES  := $(patsubst examples/%.c,$(BUILD)/examples/%,$(filter-out $(if $(filter zydis,$(ABSENT)),examples/counted.c),$(wildcard examples/*.c)))
# Where man and the shells look below PREFIX/share.
PAGE          := man/man1/carmine.1
COMMANDS      := $(patsubst carm/cli/cmd_%.c,%,$(wildcard carm/cli/cmd_*.c))
COMPLETE_BASH := bash-completion/completions/carmine
COMPLETE_ZSH  := zsh/site-functions/_carmine
COMPLETE_FISH := fish/vendor_completions.d/carmine.fish
# One build for tests under sanitizers and for fuzzing.
SANITIZED := CC=clang-14 BUILD=$(BUILD)/sanitized CFLAGS='-O1 -gline-tables-only' \
             SANITIZE=-fsanitize=address,undefined,float-cast-overflow,fuzzer-no-link
PROGRAMS  := $(BUILD)/carmine $(BUILD)/generate $(BUILD)/generate_x86 $(TESTS) $(HELPERS) $(BUILD)/tests/fuzz/fuzz

# One short line per step; V=1 shows the commands.
Q   := $(if $(V),,@)
say  = @$(if $(V),:,printf '%-8s %s\n' $(1) $(patsubst $(BUILD)/%,%,$@))

.PHONY: all node run test test-all check metal golden wisdom cores tables sanitized fuzz analyze experiments deps layers format install uninstall dist distcheck clean help
.DELETE_ON_ERROR:
.SECONDARY:

all: $(BUILD)/carmine $(BUILD)/carmine-workload $(LIBS) $(PUBLIC:%=%.1) $(EXAMPLES) ## build
node: $(BUILD)/carmine-node $(BUILD)/carmine-node.notices ## link carmine-node: one file that measures any Linux of this architecture, without any library
run: deps                     ## install what is missing, build, characterise this machine (ARGS=… for `carmine run`)
	@$(MAKE) --no-print-directory all
	$(BUILD)/carmine run $(ARGS)
test:                         ## install what is missing, build, run all tests
	@$(DEPS) test
	@$(MAKE) --no-print-directory check
check: all $(TESTS) $(HELPERS) $(APPS) $(if $(CROSS),,layers) ## build and test, without installing anything (ALL=1: with a browser, too; ONLY=test_spec: these)
	@$(if $(ALL),,LEAVE_OUT="$(LEAVE_OUT) cli_browser") tests/run $(BUILD) $(ONLY)
test-all:                     ## what CI runs: tests on a fresh system, with a browser and a cluster, under sanitizers; fuzzing, analyzers
	@.ci/run
metal: all                    ## what only a real machine can prove, into one archive to send (docs/aarch64.md)
	@! pkg-config --exists cmocka || $(MAKE) --no-print-directory $(TESTS)
	@tests/metal $(BUILD)
golden: all $(HELPERS) $(BUILD)/tests/unit/carm/test_unroll_map ## write what tests/golden/ keeps of the answers anew; `git diff` then shows what changed
	@GOLDEN=write tests/run $(BUILD) cli_golden test_unroll_map
wisdom: all                   ## write the table of winning code by microarchitecture anew from results/ (RESULTS='FILE…')
	bench/kernels/wisdom $(BUILD)/carmine $(or $(RESULTS),$(wildcard results/*.json)) >$(BUILD)/wisdom_table.c
	mv $(BUILD)/wisdom_table.c bench/kernels/wisdom_table.c
cores: all                    ## write docs/core-tables.md and core-published.md anew: measured cores of results/ against tables, and published ones
	asm/incore/agreement $(BUILD)/carmine $(wildcard results/*.json) >$(BUILD)/core-tables.md
	mv $(BUILD)/core-tables.md docs/core-tables.md
	tests/peers/published_core/figures $(BUILD)/carmine >$(BUILD)/core-published.md
	mv $(BUILD)/core-published.md docs/core-published.md
sanitized:                    ## build with clang under ASan and UBSan, as fuzzing does, and run the tests
	@CC=clang-14 ./deps.sh fuzz
	@$(MAKE) --no-print-directory $(SANITIZED) check
fuzz:                         ## feed the readers of files with anything at all, each for SECONDS (60; ONLY=result: one)
	@CC=clang-14 ./deps.sh fuzz
	@$(MAKE) --no-print-directory $(SANITIZED) $(addprefix $(BUILD)/sanitized/,carmine tests/fuzz/fuzz)
	@tests/fuzz/run $(BUILD)/sanitized $(or $(SECONDS),60) $(ONLY)
analyze:                      ## what gcc's analyzer and clang-tidy say of the code (SINCE=HEAD~5: of what was changed since)
	@CC=gcc ./deps.sh analyze
	@$(MAKE) --no-print-directory CC=gcc BUILD=$(BUILD)/analyze CFLAGS='-O2 $(ANALYZER)' analyzed
tables: all $(BUILD)/tests/helpers/json ## write the tables of docs/validation.md anew from the results that they name
	@docs/experiments/tables $(BUILD) docs/validation.md
experiments: all $(BUILD)/tests/helpers/json ## remake pictures and tables of docs/experiments (ONLY=dgemm: of one; PROTOCOL=quick, paper, thesis)
	@docs/experiments/run $(BUILD) $(ONLY)
deps:                         ## install the packages that the build needs
	@$(DEPS)
layers: all                   ## check that rooms use what is below them alone
	@CC='$(CC)' tests/house/layers $(BUILD)
format:                       ## lay out the code by .clang-format
	clang-format -i $(wildcard $(FOLDERS:%=%/*.[ch]) tests/*/*.[ch] tests/unit/*/*.[ch])
# What the program prints into files is the same for all users. UNDER=qemu-aarch64-static runs that of a cross build.
install: export LC_ALL := C.UTF-8
install: all                  ## install under PREFIX (/usr/local), below DESTDIR if given
	install -D -m 755 $(BUILD)/carmine $(DESTDIR)$(PREFIX)/bin/carmine
	install -d $(addprefix $(DESTDIR)$(PREFIX)/share/,$(dir $(PAGE) $(COMPLETE_BASH) $(COMPLETE_ZSH) $(COMPLETE_FISH)))
	$(UNDER) $(BUILD)/carmine --man > $(DESTDIR)$(PREFIX)/share/$(PAGE)
	for each in $(COMMANDS); do $(UNDER) $(BUILD)/carmine --man $$each > $(DESTDIR)$(PREFIX)/share/$(PAGE:.1=)-$$each.1 || exit 1; done
	$(UNDER) $(BUILD)/carmine --completion bash > $(DESTDIR)$(PREFIX)/share/$(COMPLETE_BASH)
	$(UNDER) $(BUILD)/carmine --completion zsh > $(DESTDIR)$(PREFIX)/share/$(COMPLETE_ZSH)
	$(UNDER) $(BUILD)/carmine --completion fish > $(DESTDIR)$(PREFIX)/share/$(COMPLETE_FISH)
	install -d $(DESTDIR)$(PREFIX)/share/carmine/schema $(DESTDIR)$(PREFIX)/share/doc/carmine/docs
	install -D -m 644 python/carmine.py $(DESTDIR)$(PREFIX)/share/carmine/python/carmine.py
	for each in $$($(UNDER) $(BUILD)/carmine --schema | tr / .); do $(UNDER) $(BUILD)/carmine --schema $${each%.*}/$${each##*.} > \
		$(DESTDIR)$(PREFIX)/share/carmine/schema/$$each.json || exit 1; done
	install -m 644 README.md LICENSE $(wildcard $(BUILD)/carmine-node.notices) $(DESTDIR)$(PREFIX)/share/doc/carmine
	install -m 644 $(wildcard docs/*.md) $(DESTDIR)$(PREFIX)/share/doc/carmine/docs
	install -d $(DESTDIR)$(PREFIX)/include $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(PREFIX)/lib/carmine
	install -m 644 $(HEADERS) $(DESTDIR)$(PREFIX)/include
	install -m 644 $(BUILD)/libcarmine.a $(DESTDIR)$(LIBDIR)
	for each in $(notdir $(PUBLIC)); do install -m 755 $(BUILD)/$$each $(DESTDIR)$(LIBDIR)/$$each.1 && \
		ln -sf $$each.1 $(DESTDIR)$(LIBDIR)/$$each || exit 1; done
	install -m 755 $(OWN_LIBS) $(BUILD)/carmine-workload $(wildcard $(BUILD)/carmine-node) $(DESTDIR)$(PREFIX)/lib/carmine
	for each in probe/marks/carmine carm/library/carmine-roofs; do sed 's|@PREFIX@|$(MOVABLE)|; s|@LIBDIR@|$(LIBDIR:$(PREFIX)/%=$${prefix}/%)|; s|@RPATH@|$(RPATH)|; s|@VERSION@|$(VERSION)|' $$each.pc.in \
		> $(DESTDIR)$(LIBDIR)/pkgconfig/$${each##*/}.pc || exit 1; done
	@$(if $(DESTDIR),:,printf '%s\n' '' 'export PATH="$(PREFIX)/bin:$$PATH" PKG_CONFIG_PATH="$(LIBDIR)/pkgconfig"' \
		'carmine run                                           # this machine' \
		'cc -O2 two.c $$(pkg-config --cflags --libs carmine)    # a program with marks, for `carmine app -- ./a.out`')
uninstall:                    ## remove what install installed
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/,bin/carmine $(addprefix share/,$(PAGE) $(COMMANDS:%=$(PAGE:.1=)-%.1) $(COMPLETE_BASH) $(COMPLETE_ZSH) $(COMPLETE_FISH)) \
		$(addprefix include/,$(notdir $(HEADERS))) )
	rm -rf $(DESTDIR)$(PREFIX)/share/doc/carmine $(DESTDIR)$(PREFIX)/share/carmine
	rm -f $(addprefix $(DESTDIR)$(LIBDIR)/,libcarmine.a $(foreach each,$(notdir $(PUBLIC)),$(each) $(each).1) pkgconfig/carmine.pc pkgconfig/carmine-roofs.pc)
	rm -f $(patsubst $(BUILD)/%,$(DESTDIR)$(PREFIX)/lib/carmine/%,$(OWN_LIBS) $(BUILD)/carmine-workload $(BUILD)/carmine-node)
	-rmdir $(DESTDIR)$(PREFIX)/lib/carmine
dist:                         ## pack what is committed but packaging/, each time the same: BUILD/carmine-VERSION.tar.xz
	@mkdir -p $(BUILD)
	@git rev-parse --verify -q HEAD:Makefile >/dev/null || { echo 'make dist packs what git has committed; this is no checkout' >&2; exit 2; }
	$(Q)git -c tar.umask=0022 archive --format=tar --prefix=$(TARBALL:.tar.xz=)/ -o $(BUILD)/$(TARBALL:.xz=) HEAD
	$(Q)xz -T1 -f $(BUILD)/$(TARBALL:.xz=)
distcheck: dist               ## build and install from the tarball alone, in an empty folder and without git
	@CC='$(CC)' tests/packages/tarball $(BUILD)/$(TARBALL)
clean:                        ## remove the build folder
	rm -rf $(BUILD)
help:                         ## print this
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1  \2/p' Makefile | while read -r m t s; do printf '%s %-11s %s\n' "$$m" "$$t" "$$s"; done

# Says once what is missing; where that changes, what has been linked is linked anew.
$(BUILD)/carmine $(BUILD)/objects.a $(BUILD)/libcarmine-papi.so: $(BUILD)/absent
$(BUILD)/absent: FORCE
	@mkdir -p $(@D)
	@echo '$(ABSENT) $(FOREIGN)' | cmp -s - $@ || { echo '$(ABSENT) $(FOREIGN)' >$@; $(foreach each,$(filter-out $(NEVER_$(ARCH)),$(filter $(OPTIONAL),$(ABSENT))),echo 'without  $(LOSS_$(each)); install $(DEBIAN_$(each)) and build it again'; )}
.PHONY: FORCE
$(BUILD)/carmine: $(BUILD)/carm/cli/main.o $(OBJECTS)
$(BUILD)/generate: $(patsubst %.c,$(HOSTED)/%.o,$(call GENERATOR,$(ARCH)))
$(BUILD)/generate_x86: $(patsubst %.c,$(HOSTED)/%.o,$(call GENERATOR,x86))
$(if $(CROSS),$(foreach each,generate generate_x86,$(eval $(BUILD)/$(each) $(BUILD)/host/%: private override CC := gcc)$(eval $(BUILD)/$(each): private LIBRARIES := -lm)))
$(BUILD)/tests/x86/kernel_table.c: $(BUILD)/generate_x86
	@mkdir -p $(@D)
	$(Q)$< $(@D) && sed -i '/^kernel_entry /d; s/ \.entry = [a-z0-9_]*,//' $@
$(BUILD)/tests/x86/kernel_table.o: $(BUILD)/tests/x86/kernel_table.c
	$(call say,compile)
	$(Q)$(COMPILE) -Iasm -c -o $@ $<
$(MADE_UP): $(BUILD)/tests/x86/kernel_table.o
# A test gets only what it uses of an archive: it links in a fifth of the time, and is a tenth as large.
$(TESTS) $(HELPERS) $(BUILD)/tests/fuzz/fuzz: $(BUILD)/%: $(BUILD)/%.o $(BUILD)/objects.a
$(BUILD)/tests/unit/asm/test_kernel_code: $(BUILD)/tests/support/broken_kernels.o
$(BUILD)/tests/unit/carm/test_library: $(BUILD)/pic/carm/library/roofs.o
$(BUILD)/tests/unit/bench/test_core: $(BUILD)/asm/aarch64/forms.o $(BUILD)/asm/aarch64/forms_table.o
$(BUILD)/tests/unit/bench/test_core_aarch64: $(patsubst %,$(BUILD)/%.o,$(addprefix asm/aarch64/,forms forms_table assemble_line) asm/incore/aarch64/demand $(addprefix bench/core/aarch64/core_,code plan rows))
$(BUILD)/tests/unit/count/test_common_decode: $(BUILD)/bench/count/code/common.o $(BUILD)/bench/count/code/decode.o
$(BUILD)/tests/unit/count/test_neutral $(BUILD)/tests/unit/count/test_copy: $(patsubst %,$(BUILD)/bench/count/code/%.o,common copy decode emit sequence)
$(BUILD)/tests/unit/count/test_links: $(patsubst %,$(BUILD)/bench/count/%.o,code/cache code/emit code/links base/system)
$(BUILD)/tests/fuzz/fuzz: private LDFLAGS += -fsanitize=fuzzer
$(TESTS): CMOCKA := -lcmocka
# The CPU's identity is replaced on demand: in unit tests, and in carmine for scripts (tests/helpers/other_core.c).
OTHER_CORE := $(BUILD)/tests/helpers/other_core
$(OTHER_CORE): $(BUILD)/carm/cli/main.o | $(BUILD)/tests/lib/carmine
$(TESTS): $(OTHER_CORE).o
$(TESTS) $(OTHER_CORE): private LDFLAGS += -Wl,--wrap=cpu_identify,--wrap=cpu_tiles_refusal
$(BUILD)/tests/lib/carmine: # where that carmine finds its libraries
	$(Q)mkdir -p $(@D) && ln -sfn ../.. $@
$(BUILD)/tests/%: private FRAMES :=
$(BUILD)/tests/%: private ORDERED :=
$(BUILD)/tests/%: private CFLAGS += -O1
$(BUILD)/tests/unit/probe/test_papi: CMOCKA := -lcmocka -lsde
$(PROGRAMS):
	$(call say,link)
	$(Q)$(CC) -pie $(NOW) $(OPENMP) $(CHECKED) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LIBRARIES) $(CMOCKA)

# carmine-node: the program without these libraries, linked statically and packed. Of Zydis there may be no archive.
NODE_WITHOUT   := papi pfm elf cairo ncurses
NODE_LIBRARIES := hwloc jansson gomp m c
NODE_SOURCES   := $(wildcard carm/node/*.c) $(filter $(NODE_WITHOUT:%=\%/%_absent.c),$(wildcard $(patsubst %,%/*.c,$(filter-out $(APART),$(FOLDERS)))))
NODE_SHARED     = $(if $(filter zydis,$(ABSENT)),,$(shell $(CC) -print-file-name=libZydis.so) 33554432)
NODE_PACKED    := -ffreestanding -fno-stack-protector -fno-tree-loop-distribute-patterns -fcf-protection=none -fno-pie -no-pie -static -nostdlib -s -Wl,-Ttext-segment=0x60000000 -Wl,-z,noexecstack
$(foreach each,$(NODE_WITHOUT),$(eval $(BUILD)/node/%/$(each)_absent.o: ABSENCE = -DBUILT_WITHOUT='"carmine-node has no $$(LOSS_$(each)); the whole carmine has"'))
$(BUILD)/node/%.o: %.c
	$(call say,compile)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) $(INCLUDES) -c -o $@ $<
$(BUILD)/node/shared.s: carm/node/shared_as_assembly $(BUILD)/absent
	@mkdir -p $(@D)
	$(Q)$(if $(NODE_SHARED),$< $(NODE_SHARED)) >$@
$(BUILD)/node/program: $(BUILD)/carm/cli/main.o $(NODE_SOURCES:%.c=$(BUILD)/node/%.o) $(BUILD)/node/shared.s $(BUILD)/objects.a
	$(foreach each,$(NODE_LIBRARIES),$(if $(filter /%,$(shell $(CC) -print-file-name=lib$(each).a)),,$(error make node links statically, and there is no lib$(each).a)))
	$(call say,link)
	$(Q)$(CC) -static -no-pie -s $(NOW) -Wl,--wrap=dlopen,--defsym=__wrap_dlopen=node_dlopen $(OPENMP) $(LDFLAGS) -o $@ $^ $(if $(NODE_SHARED),`carm/node/shared_as_assembly $(NODE_SHARED) flags`) -lhwloc -ljansson -lm -Wl,-t >$(@D)/linked
$(BUILD)/carmine-node.notices: carm/node/notices $(BUILD)/node/program
	$(Q)SYSROOT='$(SYSROOT)' $< $$(grep -vF $(BUILD)/ $(BUILD)/node/linked) $(firstword $(NODE_SHARED)) >$@
$(BUILD)/carmine-node: carm/node/packed/unpack.c carm/node/packed/$(ARCH)/start.c $(BUILD)/node/program
	$(call say,pack)
	$(Q)gzip -9nc $(BUILD)/node/program >$(BUILD)/node/program.gz
	$(Q)$(CC) -std=gnu11 -I. $(WARNINGS) -O2 $(NODE_PACKED) -DPACKED='"$(BUILD)/node/program.gz"' -o $@ $(filter %.c,$^)

$(GENERATED) &: $(BUILD)/generate
	$(call say,generate)
	@mkdir -p $(BUILD)/asm
	$(Q)$(BUILD)/generate $(BUILD)/asm

$(BUILD)/asm/%.o: $(BUILD)/asm/%.c
	$(call say,compile)
	$(Q)$(COMPILE) $(FLAGS_$*) -Iasm -c -o $@ $<

$(BUILD)/%.o: %.c
	$(call say,compile)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) $(INCLUDES) -c -o $@ $<

$(BUILD)/host/%.o: %.c
	$(call say,compile)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -c -o $@ $<

# The page's template is part of the program.
$(BUILD)/carm/html/html.o: $(wildcard carm/html/*.js carm/html/*.css carm/html/*.html)
# And so is the page for programs.
$(BUILD)/carm/cli/help.o: docs/agents.md
# And so is the result that schemas describe.
$(BUILD)/carm/cli/schemas.o: carm/cli/one_of_each.json
# And so are the tables of cores.
$(BUILD)/asm/incore/core_texts.o: $(wildcard asm/incore/*/cores/*.core)
# And so is the header of users' own workloads.
$(BUILD)/bench/programs/program.o: bench/workloads/carmine_workload.h

# gcc 12 does not follow an invariant from one function to another: what is switched off found 15 things here, and none true.
ANALYZER := -fanalyzer $(addprefix -Wno-analyzer-,null-dereference null-argument use-of-uninitialized-value malloc-leak)
CHANGED   = $(if $(SINCE),$(shell git diff --name-only $(SINCE) -- '*.c'),%)
ANALYZED  = $(filter $(CHANGED),$(SOURCES) carm/cli/main.c $(MARKS) $(TIMER) $(MPI) $(wildcard bench/collect/adapters/*.c carm/library/*.c carm/node/*.c) $(wildcard bench/count/*.c bench/count/*/*.c asm/generate/*.c asm/generate/*/*.c))
analyzed: $(ANALYZED:%.c=$(BUILD)/%.tidy)
compiled: $(ANALYZED:%.c=$(BUILD)/%.o) # what tests/compilers asks for
$(BUILD)/%.tidy: $(BUILD)/%.o .clang-tidy
	$(call say,tidy)
	$(Q)clang-tidy-14 --quiet --warnings-as-errors='*' $*.c -- -std=gnu11 -I. -D_GNU_SOURCE -DCARMINE_VERSION='"$(VERSION)"' -DCARMINE_DATE='"$(DATE)"' \
		$(INCLUDES) >$@.log 2>&1 || { cat $@.log; false; }
	@touch $@

$(BUILD)/libcarmine.a: $(MARKS:%.c=$(BUILD)/pic/%.o)
$(BUILD)/objects.a: $(OBJECTS)
$(BUILD)/libcarmine.a $(BUILD)/objects.a:
	$(call say,archive)
	$(Q)rm -f $@ && $(AR) rcs $@ $(filter %.o,$^)
$(BUILD)/libcarmine.so: $(MARKS:%.c=$(BUILD)/pic/%.o)
$(BUILD)/libcarmine-roofs.so: $(patsubst %,$(BUILD)/pic/%.o,carm/library/roofs asm/pattern asm/pattern_facts)
$(BUILD)/libcarmine.so: SHARED := -Wl,-soname,libcarmine.so.1
$(BUILD)/libcarmine-roofs.so: SHARED := -Wl,-soname,libcarmine-roofs.so.1 -ljansson -lm
$(PUBLIC:%=%.1): %.1: % # programs that are linked with -L$(BUILD) look for it by that name
	$(Q)ln -sf $(<F) $@
$(BUILD)/libcarmine-papi.so: $(patsubst %.c,$(BUILD)/pic/%.o,$(TIMER) probe/events/uncore.c probe/events/perf.c probe/osfile.c)
$(BUILD)/libcarmine-papi.so: SHARED := $(if $(filter papi,$(ABSENT)),,-lpapi)
$(BUILD)/libcarmine-mpi.so: $(MPI:%.c=$(BUILD)/pic/%.o)
# What stands beside a call of the program calls no function of the C library for its own loops.
$(BUILD)/libcarmine-marks.so: $(patsubst %.c,$(BUILD)/pic/%.o,$(OVERTAKER) $(ADAPTER))
$(BUILD)/libcarmine-tools.so: $(patsubst %.c,$(BUILD)/pic/%.o,$(TOOLS) $(ADAPTER))
$(BUILD)/libcarmine-tools.so: SHARED := -Wl,-z,nodelete
$(BUILD)/pic/bench/collect/adapters/%.o: PIC := -ffreestanding
# The counter takes over before any other constructor runs, and may use no vector register of the program's.
$(BUILD)/libcarmine-count.so: $(COUNTER:%.c=$(BUILD)/pic/%.o)
$(BUILD)/libcarmine-count.so: SHARED := -Wl,-z,initfirst -Wl,-e,counter_load -lZydis
$(COUNTER:%.c=$(BUILD)/pic/%.o): PIC := -mgeneral-regs-only -ffreestanding
$(filter %.so,$(LIBS)):
	$(call say,link)
	$(Q)$(CC) -shared $(NOW) $(LDFLAGS) -o $@ $(filter %.o,$^) $(SHARED)
$(BUILD)/pic/%.o: %.c
	$(call say,compile)
	@mkdir -p $(@D)
	$(Q)$(PLAIN) -fPIC -fvisibility=hidden $(PIC) -c -o $@ $<

# The built-in workloads, a program to be measured: compiled once for each element type and instruction set. Their vectors
# are explicit, since what compilers make of loops has no known bytes and flop.
FLAGS_workload_avx    := -mavx
FLAGS_workload_avx2   := -mavx2 -mfma
FLAGS_workload_avx512 := $(FLAGS_workload_avx2) -mavx512f -mavx512vl -mavx512dq -mavx512bw
WIDTHS_x86     := sse avx avx2 avx512
WIDTHS_aarch64 := neon sve256 sve512 sve1024 sve2048
$(foreach each,256 512 1024 2048,$(eval FLAGS_workload_sve$(each) := -march=armv8.2-a+sve -msve-vector-bits=$(each)))
VARIANTS     := $(foreach type,f64 f32,$(foreach isa,$(WIDTHS_$(ARCH)),$(BUILD)/workloads/$(type).$(isa).o))
WORKLOADS    := $(VARIANTS) $(patsubst %,$(BUILD)/workloads/%.o,caches data file measure request $(ARCH)/caches_code $(addprefix kernels/,library table workload))
PLACE        := asm/element bench/kernels/memory bench/kernels/team probe/cgroup probe/clock probe/$(ARCH)/clock_chains probe/$(ARCH)/cpu $(ISA:.c=) probe/machine probe/memory_kind probe/memory_modules probe/midr probe/need probe/osfile probe/product probe/text probe/topology probe/topology_source probe/uarch $(basename $(wildcard probe/*/*_table.c))
$(BUILD)/carmine-workload: $(BUILD)/workloads/main.o $(WORKLOADS) $(PLACE:%=$(BUILD)/workloads/%.o) $(BUILD)/libcarmine.a
	$(call say,link)
	$(Q)$(CC) -pie $(NOW) $(OPENMP) -Wl,--as-needed $(LDFLAGS) -o $@ $^ $(LIBRARIES)
$(BUILD)/tests/unit/bench/test_workloads: $(WORKLOADS) $(MARKS:%.c=$(BUILD)/pic/%.o)
$(VARIANTS): $(BUILD)/workloads/%.o: bench/workloads/kernels/variant.c
	$(call say,compile)
	@mkdir -p $(@D)
	$(Q)$(PLAIN) $(OPENMP) -O3 -fno-tree-vectorize -fno-tree-slp-vectorize $(FLAGS_workload_$(subst .,,$(suffix $*))) -DMULTIARCH='"$(shell $(CC) -print-multiarch)"' -DTYPE_$(basename $*) -DVARIANT=workloads_$(subst .,_,$*) -c -o $@ $<
$(BUILD)/workloads/%.o: bench/workloads/%.c
	$(call say,compile)
	@mkdir -p $(@D)
	$(Q)$(PLAIN) $(OPENMP) -c -o $@ $<
$(BUILD)/workloads/%.o: %.c
	$(call say,compile)
	@mkdir -p $(@D)
	$(Q)$(PLAIN) $(OPENMP) $(INCLUDES) -c -o $@ $<

# Programs to be measured: by the tests, and by a reader of the examples.
FLAGS_app_triad := $(OPENMP) -O3
FLAGS_app_waiting := $(OPENMP) -pthread
FLAGS_app_timed := -pthread
FLAGS_app_traffic_levels := -pthread
FLAGS_app_pool := -pthread
FLAGS_app_waits := -pthread
FLAGS_app_uneven := -pthread
FLAGS_app_regions := $(OPENMP)
FLAGS_app_faults := $(OPENMP)
LIBS_app_own_events := -lsde
FLAGS_app_heap := -no-pie -fno-pie
FLAGS_app_static := -static
FLAGS_app_static_region := -static
FLAGS_app_cg := -fno-tree-vectorize -fno-tree-slp-vectorize
FLAGS_app_cg_vector := -O3 -ffast-math -mprefer-vector-width=512
FLAGS_app_dgemm = $(shell $(FIND) pkg-config --exists openblas && echo -DWITH_OPENBLAS `pkg-config --cflags openblas`)
LIBS_app_dgemm   = $(shell $(FIND) pkg-config --silence-errors --libs openblas)
FLAGS_app_fft   = $(shell $(FIND) pkg-config --exists fftw3 && echo -DWITH_FFTW `pkg-config --cflags fftw3`)
LIBS_app_fft     = $(shell $(FIND) pkg-config --silence-errors --libs fftw3)
LIBS_app_written := -Wl,-z,execstack
$(APPS) $(EXAMPLES): $(BUILD)/libcarmine.a
LIBS_example_counted := -lZydis
LIBS_example_attainable := -L$(BUILD) -lcarmine-roofs -Wl,-rpath,'$$ORIGIN/..'
$(BUILD)/examples/attainable: $(BUILD)/libcarmine-roofs.so.1
define compile_app
	$(call say,compile)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -D_GNU_SOURCE -O2 -gdwarf-4 -Wall -Wextra -Iprobe/marks -Itests/apps $(FLAGS_app_$*) -o $@ $< $(BUILD)/libcarmine.a $(LIBS_app_$*) -lm
endef
$(BUILD)/apps/%: tests/apps/%.c
	$(compile_app)
$(BUILD)/apps/%: tests/apps/counted/%.c
	$(compile_app)
TUNED_x86     := -march=native -mprefer-vector-width=512
TUNED_aarch64 := $(if $(CROSS),,-mcpu=native)
$(BUILD)/examples/%: examples/%.c
	$(call say,compile)
	@mkdir -p $(@D)
	$(Q)$(CC) -O3 $(TUNED_$(ARCH)) -gdwarf-4 -Wall -Wextra -Iprobe/marks -Icarm/library $(OPENMP) -o $@ $< $(BUILD)/libcarmine.a $(LIBS_example_$*) -lm

-include $(wildcard $(BUILD)/*/*.d $(BUILD)/*/*/*.d $(BUILD)/*/*/*/*.d $(BUILD)/*/*/*/*/*.d)
