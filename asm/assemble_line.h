/* SPDX-License-Identifier: BSD-3-Clause
 * Machine code from a line of assembly, for code that is made at run time from tables of texts. Each architecture has
 * its own syntax. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/isa.h"

/* Instructions separated by ';'. Returns the length of the code; 0: an instruction is unknown, or `size` too small. */
size_t assemble_lines(const char *text, uint8_t *out, size_t size);

/* Whether this CPU and the system execute all this code: `features` is a mask of enum cpu_feature. Only extensions of a
 * table count, so an unknown one is none. */
bool assemble_runs_here(const uint8_t *code, size_t bytes, cpu_features features);

/* The mask of enum cpu_feature that its vector instructions need; general registers' extensions are no part of it. */
cpu_features assemble_needs(const uint8_t *code, size_t bytes);
