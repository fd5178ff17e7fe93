/* SPDX-License-Identifier: BSD-3-Clause
 * A program over time: equal intervals, and the phases in which it does different things. Plain data of one native
 * run. */
#pragma once

#include <stddef.h>

enum { COURSE_INTERVALS = 20000, COURSE_PHASES = 2000 };

struct app_course_interval { /* all threads together */
    double cpu_s, ready_s;   /* CPU time; time that threads were ready to run and other programs had the CPU */
    double instructions, flop, load_bytes, store_bytes;
};
struct app_course_phase {
    double from_s, to_s; /* since the program's begin */
    char point[96];      /* the name of its point */
};
struct app_course {
    char program[64]; /* as in its points */
    double seconds;   /* of the run */
    double every_s;   /* length of the intervals; the last one may be shorter */
    double border_s;  /* estimated error of the borders in time */
    size_t interval_count, phase_count;
    struct app_course_interval *intervals;
    struct app_course_phase *phases; /* in order, without gaps */
};

void course_free(struct app_course *course);                 /* frees its arrays */
void courses_free(struct app_course *courses, size_t count); /* NULL, 0: no effect */
