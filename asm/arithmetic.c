/* SPDX-License-Identifier: BSD-3-Clause
 * The table of arithmetic, in measuring order. The build-time generator links it too.
 *
 * The peak is not always FMA. If adds have ports of their own (Golden Cove: one more port at 256 bit; Zen: two add
 * pipes beside two FMA pipes), a mix of both is the roof. The order within a mix matters if ports are chosen at rename
 * (seen on Redwood Cove, 256-bit, of 12 flop per cycle: 11.6 for "ma", 11.98 for "maam"). The shares of accumulators
 * also matter: two FMA pipes and two add pipes with latencies of four and three cycles need eight and six (seen on Zen
 * 4, 256-bit, of 24 flop per cycle: 20.2 with seven and six, 24.0 with these). Where sixteen registers are too few, one
 * operation alone accumulates (seen on Zen 5, 256-bit, of 24: 19.2 with eight and six, 24.0 with ten and none). */
#include "arithmetic.h"

#include <string.h>

/* clang-format off */
const struct arithmetic arithmetic_table[] = {
    /* op        label               sort   on request, quick, peak, drawn, assembled, orders */
    {"fma",     NULL,               FUSED,   false, true,  true,  false, "f",    {{"f", NULL}}},
    {"fmaadd",  "FMA + ADD",        FUSED,   false, false, false, false, "ffa",  {{"ffa", NULL}, {"fa", NULL}, {"ffaa", "ffffaaa"}, {"fa", "fffff"}, {"ffaa", "fffff"}}},
    {"addmul",  "ADD + MUL",        PLAIN,   false, false, false, false, "maam", {{"ma", NULL}, {"maam", NULL}, {"mamaam", NULL}, {"ma", "aaaaa"}, {"maam", "aaaaa"}}},
    {"add2mul", "ADD + MUL 2:1",    PLAIN,   false, false, false, false, "ama",  {{"ama", NULL}}},
    {"add",     NULL,               PLAIN,   false, false, false, true,  "a",    {{"a", NULL}}},
    {"mul",     NULL,               PLAIN,   false, false, false, false, "m",    {{"m", NULL}}},
    {"dot",     "dot products",     DOT,     false, true,  true,  false, NULL,   {{"p", NULL}}},
    {"dotss",   "dot products, signed",   DOT, true, false, true,  false, NULL,  {{"p", NULL}}},
    {"dotus",   "dot products, unsigned by signed", DOT, true, false, true, false, NULL, {{"p", NULL}}},
    {"dotuu",   "dot products, unsigned", DOT, true, false, true,  false, NULL,  {{"p", NULL}}},
    {"mmla",    "matrix products",  DOT,     false, true,  true,  false, NULL,   {{"x", NULL}}},
    {"mopa",    "outer products",   DOT,     false, true,  true,  false, NULL,   {{"o", NULL}}},
    {"mopauu",  "outer products, unsigned", DOT, true, false, true, false, NULL, {{"o", NULL}}},
    {"div",     "divisions",        PLAIN,   true,  false, false, false, NULL,   {{"d", NULL}}},
    {"sqrt",    "square roots",     PLAIN,   true,  false, false, false, NULL,   {{"s", NULL}}},
    {"shift",   "shifts",           INTEGER, false, false, false, false, NULL,   {{"l", NULL}}},
    {"cmpeq",   "compare, equal",   INTEGER, false, false, false, false, NULL,   {{"e", NULL}}},
    {"cmpgt",   "compare, greater", INTEGER, false, false, false, false, NULL,   {{"g", NULL}}},
    {"cmp",     "compare",          INTEGER, false, false, false, false, NULL,   {{"c", NULL}}},
};
/* clang-format on */
const size_t arithmetic_count = sizeof arithmetic_table / sizeof arithmetic_table[0];

const struct arithmetic *arithmetic_find(const char *op) {
    for (size_t i = 0; i < arithmetic_count; i++)
        if (strcmp(arithmetic_table[i].op, op) == 0)
            return &arithmetic_table[i];
    return NULL;
}

bool arithmetic_is_single(const struct arithmetic *arithmetic) {
    return arithmetic->sort != DOT && arithmetic->orders[0].parts[1] == '\0';
}

bool arithmetic_is_peak(const char *kernel) {
    const char *last = strrchr(kernel, '.');
    const struct arithmetic *arithmetic = last ? arithmetic_find(last + 1) : NULL;
    return arithmetic && arithmetic->peak;
}
