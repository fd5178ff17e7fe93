/* SPDX-License-Identifier: BSD-3-Clause */
#include "marks.h"

#include <stddef.h>

#include "bench/count/base/system.h"

static bool carmine, ssc;
static uint32_t pair_count;
static struct mark_pair pairs[COLLECTOR_SSC_PAIRS + 1];

static void add_pair(uint32_t begin, uint32_t end) {
    struct text region = {.length = 0};
    struct mark_pair *pair = &pairs[pair_count++];
    text_add(&region, COLLECTOR_SSC_PREFIX);
    text_add_number(&region, begin, 16);
    *pair = (struct mark_pair){.begin = begin, .end = end};
    text_copy(pair->region, region.bytes, sizeof pair->region);
}

static uint32_t digit(char c) {
    if (c >= '0' && c <= '9')
        return (uint32_t)(c - '0');
    c |= 'a' - 'A';
    return c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10) : 16;
}

/* A hexadecimal number; moves `*text` past it. */
static uint32_t number_at(const char **text) {
    uint32_t number = 0;
    while (digit(**text) < 16)
        number = number << 4 | digit(*(*text)++);
    return number;
}

void marks_prepare(const char *list) {
    carmine = collector_takes(list, "carmine");
    ssc = collector_takes(list, "ssc");
    if (ssc)
        add_pair(0xface, 0xdead); /* the most common pair besides 0x111 and 0x222, also in Intel SDE's examples */
    while (list && *list && pair_count <= COLLECTOR_SSC_PAIRS) {
        const uint32_t begin = number_at(&list);
        if (*list == ':') {
            list++;
            add_pair(begin, number_at(&list));
        }
        while (*list && *list++ != ',')
            ;
    }
}

bool marks_take_carmine(void) {
    return carmine;
}
bool marks_take_ssc(void) {
    return ssc;
}

const struct mark_pair *marks_begun_pair(uint32_t number) {
    for (uint32_t i = 0; i < pair_count; i++)
        if (pairs[i].begin == number)
            return &pairs[i];
    return NULL;
}
const struct mark_pair *marks_ended_pair(uint32_t number) {
    for (uint32_t i = 0; i < pair_count; i++)
        if (pairs[i].end == number)
            return &pairs[i];
    return NULL;
}

bool marks_know(uint32_t number) {
    return number == SSC_MARK_BEGIN || number == SSC_MARK_END ||
           (number >= MARK_NAME_BEGIN && number <= MARK_REGION_END) || number == MPI_MARK_BEGIN ||
           number == MPI_MARK_END || marks_begun_pair(number) || marks_ended_pair(number);
}

bool marks_end_here(uint32_t number) {
    return number == SSC_MARK_END || number == MARK_REGION_END || marks_ended_pair(number);
}
