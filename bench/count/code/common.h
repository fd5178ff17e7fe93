/* SPDX-License-Identifier: BSD-3-Clause
 * Decodes the most frequent instructions with a table instead of Zydis, which takes ten times as long: decoding is the
 * main cost of code that runs once. The results equal those of Zydis (tests/unit/bench/test_common_decode.c). */
#pragma once

#include "decode.h"

/* Like decode_instruction(), without operands and effect, for instructions that need no counter of their own: sets
 * `common`. False: another instruction, or none. */
bool common_decode(uint64_t address, uint64_t most, struct instruction *out);
