# SPDX-License-Identifier: BSD-3-Clause
CC      ?= gcc
PREFIX  ?= /usr/local
BUILD   ?= build
VERSION := 0.1.0

PACKAGES := hwloc papi cairo jansson
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Werror
# clang's -fopenmp=libgomp silently runs one thread, so each compiler gets its own runtime.
OPENMP   := $(if $(findstring clang,$(CC)),-fopenmp=libomp,-fopenmp)
CFLAGS   ?= -O2 -g
override CFLAGS += -std=gnu11 -D_GNU_SOURCE $(WARNINGS) $(OPENMP) $(SANITIZE) -MMD -MP -DCARMINE_VERSION='"$(VERSION)"'
LIBRARIES = $(shell pkg-config --libs $(PACKAGES)) -lZydis -lm $(OPENMP) $(SANITIZE)
INCLUDES  = $(shell pkg-config --cflags $(PACKAGES))

# One generated file per ISA, compiled with that ISA's flags (gcc refuses zmm16-31 as clobbers without -mavx512f).
ISAS         := common x87 scalar sse avx avx2 avx512
FLAGS_avx    := -mavx
FLAGS_avx2   := -mavx2 -mfma
FLAGS_avx512 := -mavx512f -mavx512vl -mavx512dq -mavx512bw

MAIN      := carm/main.c
GENERATOR := $(wildcard asm/generate*.c)
SOURCES   := $(filter-out $(MAIN) $(GENERATOR),$(wildcard probe/*.c asm/*.c bench/*.c carm/*.c render/*.c))
GENERATED := $(ISAS:%=$(BUILD)/asm/kernels_%.c) $(BUILD)/asm/kernel_table.c
OBJECTS   := $(SOURCES:%.c=$(BUILD)/%.o) $(GENERATED:%.c=%.o)
TESTS     := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/test_*.c))

.PHONY: all run test check deps layers format install clean help
.DELETE_ON_ERROR:
.SECONDARY:

all: $(BUILD)/carmine

run: deps
	@$(MAKE) --no-print-directory all
	$(BUILD)/carmine run

test: deps
	@$(MAKE) --no-print-directory check

check: all $(TESTS) layers
	tests/run $(BUILD)

deps:
	@./deps.sh

$(BUILD)/carmine: $(BUILD)/carm/main.o $(OBJECTS)
	$(CC) -o $@ $^ $(LIBRARIES)

$(BUILD)/generate: $(GENERATOR) asm/generate.h asm/kernel.h probe/isa.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -o $@ $(filter %.c,$^) -lm

$(GENERATED) &: $(BUILD)/generate
	@mkdir -p $(BUILD)/asm
	$(BUILD)/generate $(BUILD)/asm

$(BUILD)/asm/kernels_%.o: $(BUILD)/asm/kernels_%.c
	$(CC) $(CFLAGS) $(FLAGS_$*) -Iasm -c -o $@ $<

$(BUILD)/asm/kernel_table.o: $(BUILD)/asm/kernel_table.c
	$(CC) $(CFLAGS) -Iasm -c -o $@ $<

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(INCLUDES) -c -o $@ $<

$(BUILD)/tests/%: tests/%.c $(OBJECTS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(INCLUDES) -o $@ $^ $(LIBRARIES) -lcmocka

layers:
	@tests/layers

format:
	clang-format -i $(wildcard probe/*.[ch] asm/*.[ch] bench/*.[ch] carm/*.[ch] render/*.[ch] tests/*.[ch])

clean:
	rm -rf $(BUILD)

-include $(wildcard $(BUILD)/*/*.d $(BUILD)/*.d)
