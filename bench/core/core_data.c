/* SPDX-License-Identifier: BSD-3-Clause
 * The operands that an item's code begins with. */
#include "core_plan.h"

#include <stdlib.h>
#include <string.h>

static void fill_doubles(uint8_t line[64], double value) {
    for (unsigned i = 0; i < 64; i += sizeof value)
        memcpy(line + i, &value, sizeof value);
}

static void fill_singles(uint8_t line[64], float value) {
    for (unsigned i = 0; i < 64; i += sizeof value)
        memcpy(line + i, &value, sizeof value);
}

static void fill_halves(uint8_t line[64], uint16_t bits) {
    for (unsigned i = 0; i < 64; i += sizeof bits)
        memcpy(line + i, &bits, sizeof bits);
}

static void fill_indices(uint8_t line[64], size_t index_bytes) {
    memset(line, 0, 64);
    for (size_t i = 0; i < 64 / index_bytes; i++)
        line[i * index_bytes] = (uint8_t)(8 * i); /* words of the table in a line */
}

/* A factor so near to 1 that a call's products stay far from overflow and from denormal numbers; what is or-ed in sets
 * the exponent of numbers from 1 to 2 and bits all over the fraction, so that no divider finishes early. */
static void set_vectors(struct core_data *data, enum core_operands operands) {
    if (operands == CORE_SINGLES) {
        fill_singles(data->start, 1.5f);
        fill_singles(data->constant, 1.0000019f);
        fill_singles(data->keep, 1.3331299f);
    } else if (operands == CORE_HALVES) {
        fill_halves(data->start, 0x3e00);    /* 1.5 */
        fill_halves(data->constant, 0x3c01); /* 1 and a bit */
        fill_halves(data->keep, 0x3d55);     /* 1.333 */
    } else if (operands == CORE_ROUND) {     /* 1 / 4 gets the exponent of 1 again */
        fill_doubles(data->start, 1);
        fill_doubles(data->constant, 4);
        fill_doubles(data->keep, 1);
    } else if (operands == CORE_INDICES_4 || operands == CORE_INDICES_8) {
        fill_indices(data->start, operands == CORE_INDICES_4 ? 4 : 8);
        memcpy(data->constant, data->start, sizeof data->constant);
    } else if (operands == CORE_DOUBLES || operands == CORE_X87) {
        fill_doubles(data->start, 1.5);
        fill_doubles(data->constant, 1.0000000123456789);
        fill_doubles(data->keep, 1.3333129882817);
    } else
        memset(data->start, operands == CORE_INTEGERS ? 0x11 : 0, 3 * sizeof data->start);
}

void core_data_set(struct core_data *data, enum core_operands operands, uint64_t random) {
    uint64_t general = operands == CORE_ZEROS   ? 0
                       : operands == CORE_SMALL ? 7
                       : operands == CORE_LARGE ? 0xe8d4a51007123457
                                                : 0xe8d4a51007; /* 40 bits */
    set_vectors(data, operands);
    /* a chain that comes back to a vector leaves it normal */
    if (operands == CORE_DOUBLES || operands == CORE_SINGLES || operands == CORE_HALVES)
        memcpy(&general, data->start, sizeof general);
    for (unsigned i = 0; i < CORE_GENERAL; i++)
        data->general[i] = general;
    for (unsigned i = 0; i < CORE_TABLE_WORDS; i++)
        data->table[i] = i;
    if (operands == CORE_CHASE)
        data->table[0] = data->general[0] = (uint64_t)(uintptr_t)data->table;
    if (operands == CORE_INDEX)
        data->general[0] = 1, data->general[1] = (uint64_t)(uintptr_t)data->table;
    if (operands == CORE_PREDICTED || operands == CORE_RANDOM) {
        const uint64_t of[] = {random, 0, 6364136223846793005u, 1442695040888963407u,
                               operands == CORE_RANDOM ? 1ull << 62 : 0}; /* Knuth's MMIX generator */
        memcpy(data->general, of, sizeof of);
    }
}

void core_plan_free(struct core_plan *plan) {
    free(plan->items);
    *plan = (struct core_plan){0};
}
