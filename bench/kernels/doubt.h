/* SPDX-License-Identifier: BSD-3-Clause
 * Reasons not to believe a number, in the sets of doubts.h. They accompany the number in tables, files and pictures.
 * Each doubt is a row of doubt_rows.inc. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "doubts.h"

enum doubt_id {
#define DOUBT(NAME, ...) DOUBT_##NAME,
#include "doubt_rows.inc"
#undef DOUBT
    DOUBT_COUNT
};

enum doubt_kind {
    DOUBTS_MEASUREMENT, /* concerns one measurement: kept if any visit of a step has it */
    DOUBTS_PASSING,     /* temporary: kept if all visits have it */
    DOUBTS_CONDITION,   /* concerns the machine or its settings: ignored in a comparison if both sides have it */
    DOUBTS_PROGRAM,     /* concerns how any tool timed or counted a program: samples never have it */
};

struct doubt {
    enum doubt_kind kind;
    const char *name; /* "unstable": used in files and tables, never renamed */
    const char *cause;
    const char *remedy;
};

extern const struct doubt doubt_table[DOUBT_COUNT]; /* [enum doubt_id] */

enum doubt_id doubt_find(const char *name); /* DOUBT_COUNT if no doubt has that name */

/* The set of the named doubts: DOUBTS(DOUBT_UNSTABLE, DOUBT_TOO_SHORT). */
#define DOUBTS(...)                                                                                                    \
    doubts_listed((const enum doubt_id[]){__VA_ARGS__},                                                                \
                  sizeof((const enum doubt_id[]){__VA_ARGS__}) / sizeof(enum doubt_id))
struct doubts doubts_listed(const enum doubt_id *ids, size_t count);
struct doubts doubts_of_kind(enum doubt_kind kind);
struct doubts doubts_all(void);

void doubts_add(struct doubts *set, enum doubt_id id);
void doubts_add_if(struct doubts *set, bool condition, enum doubt_id id);
void doubts_remove(struct doubts *set, enum doubt_id id);

bool doubts_has(struct doubts set, enum doubt_id id);
