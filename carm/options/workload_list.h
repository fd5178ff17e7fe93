/* SPDX-License-Identifier: BSD-3-Clause
 * The list of workloads in carmine-workload, and their default sizes; problem sizes as options state them. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct error;

enum { SIZES_MAX = 256 };

/* Writes each size once, in the order of the text. A range ends with the last size not above its end; `..` doubles. K,
 * M and G are powers of 1000, Ki, Mi and Gi of 1024. Error: the wrong part and the correct form. */
bool sizes_parse(const char *text, uint64_t out[SIZES_MAX], size_t *count, struct error *err);

#define WORKLOAD_PROGRAM "carmine-workload"
enum { WORKLOAD_LIST_MAX = 64 };

struct workload_entry {
    char name[64], summary[160];
    char size[80];     /* its meaning: "rows and columns" */
    char missing[160]; /* why it cannot run: a missing library; "": it can */
    bool has_f32, one_thread, power_of_two;
    uint64_t size_least;
    unsigned block; /* usual rows and columns; 0: not blocked */
};
struct workload_list {
    size_t count;
    struct workload_entry entries[WORKLOAD_LIST_MAX];
};

/* Reads the list from the program. Error: it cannot be run, or prints something else. */
bool workload_list_read(const char *program, struct workload_list *out, struct error *err);
/* One row of JSON per line. Pure. */
bool workload_list_parse(const char *text, struct workload_list *out, struct error *err);

/* NULL: no such name. */
const struct workload_entry *workload_list_find(const struct workload_list *list, const char *name);

/* The workloads in `names` (separated by commas; NULL: all that can run), in the order of `names`. Error: an unknown
 * name, with a list of the known ones; one that cannot run; one without the type. */
bool workload_list_choose(const struct workload_list *list, const char *names, const char *type,
                          const struct workload_entry *out[WORKLOAD_LIST_MAX], size_t *count, struct error *err);

/* Sizes from the papers. For `validation`: small sizes, whose data fit every last-level cache. */
void workload_list_sizes(const struct workload_entry *entry, bool validation, uint64_t out[SIZES_MAX], size_t *count);

/* A table; or the same as a list of objects, with what a table has no room for. */
void workload_list_print(const struct workload_list *list, FILE *out);
json_t *workload_list_json(const struct workload_list *list);
