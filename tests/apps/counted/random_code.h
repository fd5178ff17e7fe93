/* SPDX-License-Identifier: BSD-3-Clause
 * A file of random programs: written by tests/helpers/random_code, executed by random.c. The header, the entries'
 * addresses, and from the next page on the code. All addresses are fixed, so that a program computes the same in each run.
 * Its memory has a writable part, which it may change as it likes, and constants behind that. */
#pragma once

#include <stdint.h>

enum {
    RANDOM_PAGE_BYTES = 4096,
    RANDOM_MEMORY_BYTES = 32768, /* of the writable part */
    RANDOM_STACK_BYTES = 16384,
    RANDOM_INDICES = 64,         /* constants, 64-bit numbers below 256: indices of gathers and scatters */
    RANDOM_EXIT_AT = RANDOM_MEMORY_BYTES + 8 * RANDOM_INDICES, /* where the address is to which a program jumps at its end */
};

struct random_header {
    uint64_t first_seed, programs;
    uint64_t code, code_at, code_bytes; /* address, place in the file */
    uint64_t memory, stack;             /* addresses */
};
