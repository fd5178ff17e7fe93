/* SPDX-License-Identifier: BSD-3-Clause
 * The table of patterns. The build-time generator links it too.
 *
 * Groups per iteration stand with the first guess at the best first. What helps differs by level. In the L1 the stride
 * prefetcher sees each load instruction step by one block, and its requests take load slots from us (seen: 115 instead
 * of 128 bytes/cycle): it does not learn where a pass has one or two blocks, hence blocks of about 4, 8 and 16 KiB for
 * buffers of 8 to 32. Shorter ones are better in the L2. In memory a Zen 4 follows several stretches of half a KiB and
 * more badly: 2ld1st moves 3.8 bytes/cycle with 16 groups, 10.4 with two; arrays that are far apart move 9.8. */
#include "pattern.h"

#include <string.h>

/* clang-format off */
const struct pattern pattern_table[] = {
    /* op     loads stores in place nontemporal groups */
    {"load",    1,    0,   false,   false,      {64, 16, 128, 256, 8, 32}},
    {"store",   0,    1,   false,   false,      {16, 32, 64, 8}},
    {"ntstore", 0,    1,   false,   true,       {16, 32, 64, 8}},
    {"1ld1st",  1,    1,   false,   false,      {32, 16, 64, 8, 2}},
    {"2ld1st",  2,    1,   false,   false,      {16, 32, 64, 85, 8, 2}},
    {"3ld1st",  3,    1,   false,   false,      {16, 32, 64, 8, 2}},
    {"update",  1,    1,   true,    false,      {32, 16, 64, 8}},
    {"axpy",    2,    1,   true,    false,      {32, 64, 96, 128, 16, 8, 2}},
};
/* clang-format on */
const size_t pattern_count = sizeof pattern_table / sizeof pattern_table[0];

const struct pattern *pattern_find(const char *op) {
    for (size_t i = 0; i < pattern_count; i++)
        if (strcmp(pattern_table[i].op, op) == 0)
            return &pattern_table[i];
    return NULL;
}
