/* SPDX-License-Identifier: BSD-3-Clause
 * What was measured of a core: latency and throughput by form, and what its tables have in their heads. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "demand.h"

/* A throughput so much above a row's is worse. Instructions that write what they read are up to 1.2 times as long as
 * their ports need: the core does not spread ten chains evenly over six units (Zen 5: add 0.195 cycles, andn 0.168). */
#define CORE_WORSE 0.25

enum core_interval { CORE_MEASURED, CORE_LOW, CORE_HIGH, CORE_ENDS };

struct core_value {
    char form[DEMAND_FORM_BYTES];        /* as in demand.h; "mispredict", "load indexed": of the head */
    double latency_cycles[CORE_ENDS];    /* of a chain; 0: not measured */
    double throughput_cycles[CORE_ENDS]; /* of one of many independent ones; 0: not measured */
    bool crosses;    /* its latency is a share of a way to another kind of register and back: true in such sums alone */
    double clock_hz; /* beside it */
    bool disturbed;  /* the host disturbed it: too high rather than too low */
};
/* Two forms side by side, of two classes (pipes.h). */
struct core_pair {
    char form[DEMAND_FORM_BYTES], other[DEMAND_FORM_BYTES];
    double share; /* of the time of either that both together take longer: 0 they share no pipe, 1 all */
};
struct core_form; /* core_table.h */
struct core_measured {
    size_t count;
    struct core_value *values; /* a form once; allocated */
    size_t pair_count;
    struct core_pair *pairs; /* those whose share is known; allocated */
};

/* NULL: not measured. */
const struct core_value *core_measured_find(const struct core_measured *measured, const char *form);

/* Steady, of the form or of the first one like it (core_table.h); NULL: not measured. */
const struct core_value *core_measured_similar(const struct core_measured *measured, const char *form);

/* A row's form, with the latency and the busy cycles as measured. A throughput that is better than the row's refutes
 * it. One that is worse replaces it only if the core was alone, since a neighbour on the same core makes all rows
 * worse. */
void core_measured_apply(const struct core_value *value, bool alone, struct core_form *form);

/* Latency from the mask of an instruction on, as measured ("vaddpd zzz: mask"); 0: unknown, or it has none. */
double core_measured_mask_cycles(const struct core_measured *measured, const struct instruction_demand *demand);

/* A form of a core without a table: the latency, and the value whose throughput is its time on its pipes, of the form
 * or of one like it (core_table.h). Disturbed values tell nothing. False: unknown. */
bool core_measured_form(const struct core_measured *measured, const struct instruction_demand *demand,
                        struct core_form *out);

/* A value that the host did not disturb; NULL: none. */
const struct core_value *core_measured_steady(const struct core_measured *measured, const char *form);

/* The pair of two forms that stand for their classes, in either order; NULL: unknown. */
const struct core_pair *core_measured_pair(const struct core_measured *measured, const char *form, const char *other);

/* Of the pipes that two forms share, by the pairs of their classes; 0: none, or unknown. */
double core_measured_share(const struct core_measured *measured, const struct core_value *of,
                           const struct core_value *other);

/* The number of values that the host disturbed; false if these are nine tenths or more: then the rest is luck. */
size_t core_measured_disturbed(const struct core_measured *measured);
bool core_measured_believed(const struct core_measured *measured);

void core_measured_free(struct core_measured *measured);
