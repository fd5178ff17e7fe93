/* SPDX-License-Identifier: BSD-3-Clause
 * The workloads that there are, as carmine-workload lists them, and the sizes that are measured unless others are
 * named.
 */
#ifndef CARM_WORKLOAD_LIST_H
#define CARM_WORKLOAD_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "probe/error.h"
#include "sizes.h"

#define WORKLOAD_PROGRAM "carmine-workload"
enum { WORKLOAD_LIST_MAX = 64 };

struct workload_entry {
    char name[64], summary[160];
    char size[80];     /* what it counts: "rows and columns" */
    char missing[160]; /* why it cannot run: a library is absent; "" */
    bool has_f32, one_thread, power_of_two;
    uint64_t size_least;
    unsigned block; /* rows and columns, as usual; 0: it has none */
};
struct workload_list {
    size_t count;
    struct workload_entry entries[WORKLOAD_LIST_MAX];
};

/* Asks the program. Error: it cannot be run, or says something else. */
bool workload_list_read(const char *program, struct workload_list *out, struct error *err);
/* One row of JSON per line. Pure. */
bool workload_list_parse(const char *text, struct workload_list *out, struct error *err);

/* NULL: there is none of that name. */
const struct workload_entry *workload_list_find(const struct workload_list *list, const char *name);

/* Those of `names` (separated by commas; NULL: all that can run), in their order; returns how many through `*count`.
 * Error: an unknown name (the known ones are listed), one that cannot run, one without that type. */
bool workload_list_choose(const struct workload_list *list, const char *names, const char *type,
                          const struct workload_entry *out[WORKLOAD_LIST_MAX], size_t *count, struct error *err);

/* Sizes of the papers for such a workload; for `validation` small ones, whose data fits every last-level cache. */
void workload_list_sizes(const struct workload_entry *entry, bool validation, uint64_t out[SIZES_MAX], size_t *count);

void workload_list_print(const struct workload_list *list, FILE *out);

#endif
