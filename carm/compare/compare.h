/* SPDX-License-Identifier: BSD-3-Clause
 * Results side by side: every roof of any side, each side's value, and ratios to one of the sides. Pure. */
#pragma once

#include "carm/model/roof_key.h"

struct app_point;

enum { COMPARE_NAME_BYTES = 128 };

/* One side of a comparison: a result, or its roofs for one number of cores. */
struct compare_side {
    const struct model *model; /* borrowed */
    const char *path;          /* of the result's file; borrowed */
    /* The side has only the roofs for this number of cores (ROOF_ALL_CORES: all cores), matched with those of other
     * sides regardless of their number. 0: all roofs, matched with roofs for the same number of cores. */
    unsigned cores;
    char label[COMPARE_NAME_BYTES]; /* distinguishes the side: "Granite Rapids"; set by compare_label() */
};

/* One roof over all sides. A headline's best kernel may differ between sides: its key has none. */
struct compare_row {
    struct roof_key key;        /* what the roofs share */
    const struct roof **roofs;  /* one for each side, borrowed from the models; NULL: the side lacks it */
    const struct roof **blanks; /* of a headline: the side's best is not known, this blank roof may be it; else NULL */
};

/* An application that several sides measured. */
struct compare_application {
    const char *name;                /* of its points; borrowed */
    const struct app_point **points; /* one for each side; NULL: not measured */
    size_t first; /* the reference side: the base, or if it lacks the application, the first with it */
};

/* Several sides and their matches. */
struct comparison {
    size_t side_count, base;                             /* the number of sides; the index of the reference */
    const struct compare_side *sides;                    /* borrowed */
    size_t row_count, headline_count, application_count; /* entries of rows, headlines and applications */
    struct compare_row *rows;                            /* the base's roofs in its order, then those that it lacks */
    struct compare_row *headlines; /* the best ceiling of each type, the best bandwidth and latency of each level */
    struct compare_application *applications;
    size_t lone_points; /* applications that only one side measured */
};

/* The values to compare: of all cores together, per core, or per cycle and core. */
enum compare_per { PER_MACHINE, PER_CORE, PER_CYCLE };

/* Writes the name of a result's machine to `out` (`size` bytes) and returns `out`: its microarchitecture without the
 * core's name, or the CPU's brand if that is unknown. */
const char *compare_machine(const struct result *result, char *out, size_t size);

/* Whether all sides belong to one result. */
bool compare_is_one_result(const struct comparison *comparison);

/* Whether the machines of all sides have the same name (compare_machine()). */
bool compare_is_one_machine(const struct comparison *comparison);

/* Fills the labels, by which all answers and pictures name the sides: the machine's name, extended if several sides
 * have the same machine; only the extension if all have the same. If the machines differ in their numbers of cores,
 * names without one have it: "Zen 3 (2 cores)". */
void compare_label(struct compare_side *sides, size_t count);

/* "results/node7.json" → "node7" */
const char *compare_file_name(const char *path, char *out, size_t size);

/* Whether the machines differ in their numbers of cores; the least and the highest number. */
bool compare_cores(const struct compare_side *sides, size_t count, unsigned *least, unsigned *most);

/* Matches the roofs and applications of `count` sides; `base` is the index of the base. Borrows sides and models; the
 * caller ends with compare_free(). */
struct comparison compare_make(const struct compare_side *sides, size_t count, size_t base);

/* Frees what compare_make() allocated. */
void compare_free(struct comparison *comparison);

/* The index of the side in this turn: turn 0 is the base, the others follow in order. */
size_t compare_turn(const struct comparison *comparison, size_t turn);

/* The value of a roof in flop/s, bytes/s or s, or divided by `per`. NaN if `roof` is NULL, or if the clock or number of
 * cores is unknown. */
double compare_value(const struct roof *roof, enum compare_per per);

/* The value of a side divided by that of the base; NaN if either is unknown. */
double compare_ratio(const struct comparison *comparison, const struct compare_row *row, size_t side,
                     enum compare_per per);

/* An interval that contains a number in nine of ten cases, in its unit; NaN: unknown. */
struct compare_interval {
    double low, high;
};

/* The interval of compare_value(). Results of older versions have none. */
struct compare_interval compare_interval(const struct roof *roof, enum compare_per per);

/* The interval of compare_ratio(): from low / the base's high to high / the base's low. */
struct compare_interval compare_ratio_interval(const struct comparison *comparison, const struct compare_row *row,
                                               size_t side, enum compare_per per);

/* Whether both intervals are known and overlap: neither value is known to be higher. */
bool compare_alike(const struct roof *a, const struct roof *b, enum compare_per per);

/* Sets `out` of `most` sides (of all, if there are no more): the base, then one by one the side that differs most from
 * those already chosen: by the largest ratio of a headline whose intervals do not overlap. */
void compare_most_different(const struct comparison *comparison, size_t most, bool *out);

/* "op_per_s", "flop_per_cycle", "bytes_per_s_per_core": the unit of a roof's value in files. */
const char *compare_unit_name(const struct roof *roof, enum compare_per per);

/* Any of the row's roofs, for properties that all share. */
const struct roof *compare_any(const struct comparison *comparison, const struct compare_row *row);

/* Counts the rows that only the base has (`missing`) and those that only the side has (`more`). */
void compare_count(const struct comparison *comparison, size_t side, size_t *missing, size_t *more);

/* Writes the letter of a side in tables and pictures to `out`, and returns it: "A" for side 0. */
const char *compare_letter(size_t side, char out[2]);

/* Up to this number of sides have a column each; beyond, tables show ranges. */
enum { COMPARE_COLUMNS = 6 };
