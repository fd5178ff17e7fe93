/* SPDX-License-Identifier: BSD-3-Clause
 * Results side by side: every roof that any of them has, what each side has of it, and ratios against one of the sides.
 * Pure. */
#ifndef CARM_COMPARE_H
#define CARM_COMPARE_H

#include "bench/app/app_point.h"
#include "carm/model/roof_key.h"

/* One result, or of one result the roofs of one number of cores. */
struct compare_side {
    const struct model *model;
    const char *path;
    unsigned cores; /* only roofs of so many (ROOF_ALL_CORES: of all); they match those of other sides, whatever their
                       number. 0: all roofs, which match roofs of as many */
    char label[96]; /* what machine it is: "Granite Rapids"; of one side alone */
};

struct compare_row {
    struct roof_key
        key; /* of a headline its kernel is empty, or the type of a peak: the best may be another everywhere */
    const struct roof **roofs; /* of each side; NULL: it has none */
};

/* An application that several sides measured. */
struct compare_application {
    const char *name;
    const struct app_point **points; /* of each side; NULL: not measured */
    size_t first; /* what others are compared with: the base, or where that lacks it, the first side */
};

struct comparison {
    size_t side_count, base;
    const struct compare_side *sides; /* borrowed */
    size_t row_count, headline_count, application_count;
    struct compare_row *rows;      /* the base's in its order, then what only others have */
    struct compare_row *headlines; /* the best of each type, level and latency */
    struct compare_application *applications;
    size_t lone_points; /* applications of one side alone */
};

/* The values of a comparison: of all cores together, divided by the cores, or per cycle and core. */
enum compare_per { PER_MACHINE, PER_CORE, PER_CYCLE };

/* The microarchitecture without its core's name, else the CPU's brand. */
const char *compare_machine(const struct result *result, char *out, size_t size);

/* Whether all sides are of one result, or of machines of one name. */
bool compare_is_one_result(const struct comparison *comparison);
bool compare_is_one_machine(const struct comparison *comparison);

/* Fills the labels: the machine, and where several sides have the same, what tells them apart; where all have, that
 * alone. */
void compare_label(struct compare_side *sides, size_t count);

struct comparison compare_make(const struct compare_side *sides, size_t count, size_t base);
void compare_free(struct comparison *comparison);

/* The sides in turns 0, 1, …: first the base, then the others in their order. */
size_t compare_turn(const struct comparison *comparison, size_t turn);

/* NaN for a missing roof, or where its clock, or of how many cores it is, is not known. */
double compare_value(const struct roof *roof, enum compare_per per);

/* Of a side against the base. */
double compare_ratio(const struct comparison *comparison, const struct compare_row *row, size_t side,
                     enum compare_per per);

/* Where a roof's value lies in nine of ten cases; NaN: not known, as in files of before. */
struct compare_interval {
    double low, high;
};
struct compare_interval compare_interval(const struct roof *roof, enum compare_per per);

/* Of the ratio: from one's low over the base's high to the opposite. */
struct compare_interval compare_ratio_interval(const struct comparison *comparison, const struct compare_row *row,
                                               size_t side, enum compare_per per);

/* Whether both values' intervals are known and overlap, so that nobody can tell which is higher. */
bool compare_alike(const struct roof *a, const struct roof *b, enum compare_per per);

/* "op_per_s", "flop_per_cycle", "bytes_per_s_per_core": the unit of a roof's value as files say it. */
const char *compare_unit_name(const struct roof *roof, enum compare_per per);

/* Any of the row's roofs, for what all of them share. */
const struct roof *compare_any(const struct comparison *comparison, const struct compare_row *row);

/* How many rows a side lacks that the base has, and has that the base lacks. */
void compare_count(const struct comparison *comparison, size_t side, size_t *missing, size_t *more);

/* "A", "B", … of those that stand beside each other; in pictures too. */
const char *compare_letter(size_t side, char out[2]);

enum { COMPARE_COLUMNS = 6 }; /* so many sides stand beside each other; of more there is the range */

#define COMPARE_SAME 5e-4 /* a deviation that no decimal of a percentage shows */

#endif
