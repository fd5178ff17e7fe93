/* SPDX-License-Identifier: BSD-3-Clause
 * The table of patterns, in measuring order, without a function: tests link a longer one in its place. The build-time
 * generator links it too.
 *
 * Groups per iteration are listed with the first guess first. The best number differs by level. In the L1 the stride
 * prefetcher sees each load instruction step by one block, and its requests take load slots (seen: 115 instead of 128
 * bytes/cycle). It does not learn from a pass of one or two blocks: hence blocks of about 4, 8 and 16 KiB for buffers
 * of 8 to 32. Shorter blocks are better in the L2. In memory, several stretches of half a KiB or more are slow on a Zen
 * 4: 2ld1st moves 3.8 bytes/cycle with 16 groups, 10.4 with two; arrays that are far apart move 9.8.
 *
 * The widest ISA measures all patterns. The newest ISA of each vector width measures the best patterns of some level of
 * some machine, so that it has roofs of its own. */
#include "pattern.h"

/* clang-format off */
const struct pattern pattern_table[] = {
    /* op        label             loads, stores, in place, nontemporal, scattered, ISAs, quick, groups */
    {"load",    "load",               1, 0, false, false, false, PATTERN_EVERY_ISA, true,  {64, 16, 128, 256, 8, 32}},
    {"2ld1st",  NULL,                 2, 1, false, false, false, PATTERN_EVERY_ISA, true,  {16, 32, 64, 85, 8, 2}},
    {"store",   "store",              0, 1, false, false, false, PATTERN_WIDEST,    true,  {16, 32, 64, 8}},
    {"update",  "update",             1, 1, true,  false, false, PATTERN_VECTORS,   true,  {32, 16, 64, 8}},
    {"axpy",    "axpy",               2, 1, true,  false, false, PATTERN_VECTORS,   true,  {32, 64, 96, 128, 16, 8, 2}},
    {"1ld1st",  NULL,                 1, 1, false, false, false, PATTERN_WIDEST,    false, {32, 16, 64, 8, 2}},
    {"3ld1st",  NULL,                 3, 1, false, false, false, PATTERN_WIDEST,    false, {16, 32, 64, 8, 2}},
    {"ntstore", "non-temporal store", 0, 1, false, true,  false, PATTERN_WIDEST,    false, {16, 32, 64, 8}},
    {"random",  "random lines",       1, 0, false, false, true,  PATTERN_WIDEST,    false, {0}},
    {"chase",   "pointer chase",      1, 0, false, false, true,  PATTERN_NO_ISA,    false, {0}},
};
/* clang-format on */
const size_t pattern_count = sizeof pattern_table / sizeof pattern_table[0];

const unsigned pattern_chases[] = {
    1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20, 22, 24, 28, 32, 36, PATTERN_MOST_CHASES, 0};

const struct store_way store_ways[] = {
    {"ntzero", "non-temporal store of zeros", .zeros = true, .nontemporal = true},
    {"demote", "store, then cldemote", .demoted = true, .needs = CPU_CLDEMOTE},
    {"clzero", "clzero", .zeros = true, .nontemporal = true, .whole_line = true, .needs = CPU_CLZERO},
    {"dczva", "dc zva", .zeros = true, .nontemporal = true, .whole_line = true, .needs = CPU_DC_ZVA},
    {0},
};
