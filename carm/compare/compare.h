/* SPDX-License-Identifier: BSD-3-Clause
 * Results side by side: every roof that any of them has, what each side has of it, and ratios against one of the sides.
 * Pure. */
#ifndef CARM_COMPARE_H
#define CARM_COMPARE_H

#include "bench/programs/app_point.h"
#include "carm/model/roof_key.h"

/* One side of a comparison: a result, or those roofs of a result that are of one number of cores. */
struct compare_side {
    const struct model *model; /* borrowed */
    const char *path;          /* of the result's file; borrowed */
    /* The side has only the roofs of this number of cores (ROOF_ALL_CORES: of all), which are matched with those of
     * other sides whatever their number. 0: it has all roofs, which are matched with roofs of the same number of cores.
     */
    unsigned cores;
    char label[96]; /* tells the side from the others: "Granite Rapids"; set by compare_label() */
};

/* One roof over all sides. The best kernel may be another one on each side, so that the kernel in the key of a headline
 * is the element type of a ceiling, and empty for a bandwidth or a latency. */
struct compare_row {
    struct roof_key key;       /* what the roofs share */
    const struct roof **roofs; /* one for each side, borrowed from the models; NULL: the side lacks it */
};

/* An application that several sides measured. */
struct compare_application {
    const char *name;                /* of its points; borrowed */
    const struct app_point **points; /* one for each side; NULL: the side has not measured it */
    size_t first; /* the side that others are compared with: the base, or where it lacks it the first that has it */
};

/* Several sides with all that matches. */
struct comparison {
    size_t side_count, base;                             /* the number of sides; the index of that which others go by */
    const struct compare_side *sides;                    /* borrowed */
    size_t row_count, headline_count, application_count; /* entries of rows, headlines and applications */
    struct compare_row *rows;                            /* the base's roofs in its order, then those that it lacks */
    struct compare_row *headlines; /* the best ceiling of each type, the best bandwidth and latency of each level */
    struct compare_application *applications;
    size_t lone_points; /* applications that just one side has measured */
};

/* What values are compared: those of all cores together, values divided by the cores, or values per cycle and core. */
enum compare_per { PER_MACHINE, PER_CORE, PER_CYCLE };

/* Writes the name of a result's machine to `out` (`size` bytes) and returns `out`: its microarchitecture without the
 * name of the core, or the CPU's brand where that is not known. */
const char *compare_machine(const struct result *result, char *out, size_t size);

/* Whether all sides are of one and the same result. */
bool compare_is_one_result(const struct comparison *comparison);

/* Whether the machines of all sides have one name (compare_machine()). */
bool compare_is_one_machine(const struct comparison *comparison);

/* Fills the labels. A label is the name of the machine; where several sides have the same machine, with what tells them
 * apart; where all sides have the same one, only what tells them apart. */
void compare_label(struct compare_side *sides, size_t count);

/* Matches the roofs and applications of `count` sides, of which the one with index `base` is the base. It borrows sides
 * and models; the caller ends with compare_free(). */
struct comparison compare_make(const struct compare_side *sides, size_t count, size_t base);

/* Frees what compare_make() allocated. */
void compare_free(struct comparison *comparison);

/* The index of the side whose turn it is: turn 0 is the base's, and the others follow in their order. */
size_t compare_turn(const struct comparison *comparison, size_t turn);

/* The value of a roof in flop/s, bytes/s or s, or divided as `per` says. NaN where `roof` is NULL, or where the clock
 * or the number of cores by which to divide is not known. */
double compare_value(const struct roof *roof, enum compare_per per);

/* The value of a side divided by that of the base; NaN where either is not known. */
double compare_ratio(const struct comparison *comparison, const struct compare_row *row, size_t side,
                     enum compare_per per);

/* An interval that a number lies in, in its unit, in nine of ten cases; NaN: not known. */
struct compare_interval {
    double low, high;
};

/* The interval of compare_value(). Results of older versions have none. */
struct compare_interval compare_interval(const struct roof *roof, enum compare_per per);

/* The interval of compare_ratio(): from the side's low over the base's high to the side's high over the base's low. */
struct compare_interval compare_ratio_interval(const struct comparison *comparison, const struct compare_row *row,
                                               size_t side, enum compare_per per);

/* Whether both values' intervals are known and overlap, so that nobody can tell which is higher. */
bool compare_alike(const struct roof *a, const struct roof *b, enum compare_per per);

/* "op_per_s", "flop_per_cycle", "bytes_per_s_per_core": the unit of a roof's value as files say it. */
const char *compare_unit_name(const struct roof *roof, enum compare_per per);

/* One of the row's roofs, no matter of which side, to ask for what all of them share. */
const struct roof *compare_any(const struct comparison *comparison, const struct compare_row *row);

/* Counts the rows that the base has and the side lacks (`missing`), and those that the side has and the base lacks
 * (`more`). */
void compare_count(const struct comparison *comparison, size_t side, size_t *missing, size_t *more);

/* Writes the letter that stands for a side in tables and pictures to `out`, and returns it: "A" for side 0. */
const char *compare_letter(size_t side, char out[2]);

/* Up to this number of sides have a column each; tables of more sides show the range of their values. */
enum { COMPARE_COLUMNS = 6 };

/* A relative deviation too small to show in a percentage with one decimal. */
#define COMPARE_SAME 5e-4

#endif
