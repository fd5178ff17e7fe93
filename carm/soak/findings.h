/* SPDX-License-Identifier: BSD-3-Clause
 * The findings of a soak: the changes of each quantity, and the verdict. Pure. */
#pragma once

#include "series.h"
#include "soak.h"

/* Roofs decide the verdict; the other quantities are shown beside them. */
enum quantity_kind { QUANTITY_RATE, QUANTITY_LATENCY, QUANTITY_CLOCK, QUANTITY_HEAT, QUANTITY_CPUS };

struct quantity {
    char name[64];    /* "DRAM, 2 cores" */
    const char *unit; /* "B/s" */
    enum quantity_kind kind;
    double *values; /* one for each round; NaN: unknown */
    struct series_changes changes;
};

/* The system's counters since its boot: throttlings, corrected and uncorrected memory errors. */
enum { FINDINGS_COUNTERS = 3 };
extern const struct findings_counter {
    const char *one, *many; /* "throttling" */
    size_t offset;          /* of its uint64_t in a round */
} findings_counters[FINDINGS_COUNTERS];

enum soak_verdict { SOAK_STEADY, SOAK_TOO_SHORT, SOAK_CHANGED };

enum { FINDINGS_TEXT_BYTES = 512 };

struct findings {
    const struct soak *soak; /* borrowed */
    size_t rounds;
    double *at_s, span_s, measured_s; /* span: from the first round to the last */
    size_t count;
    struct quantity *quantities;         /* roofs first, in the log's order */
    uint64_t counted[FINDINGS_COUNTERS]; /* during the soak */
    size_t doubtful;                     /* rounds with a warning about some roof */
    enum soak_verdict verdict;
    char text[FINDINGS_TEXT_BYTES]; /* "No roof stepped or drifted in 6 h, 3600 rounds" */
};

struct findings findings_make(const struct soak *soak);
void findings_free(struct findings *findings);

bool quantity_is_roof(const struct quantity *quantity);

/* Whether it has values. False also for CPUs that were always idle. */
bool quantity_is_shown(const struct quantity *quantity);

/* The counter's rise during the round after this one; 0 if it restarted after a boot. */
uint64_t findings_rise(const struct soak *soak, size_t round, const struct findings_counter *counter);

/* "−6 %", "+12 °C", "+0.8 CPUs": a change in the quantity's unit; of roofs and the clock as a share of `from`. */
char *quantity_change(const struct quantity *quantity, double change, double from, char *out, size_t size);

/* "14:32", or with the day if the log spans several: "23 Nov 14:32". UTC. */
char *findings_time(const struct findings *findings, double at_s, char *out, size_t size);

/* "2026-11-23 14:05": its start, UTC. */
char *findings_date(const struct findings *findings, char *out, size_t size);

/* "6 h", "10 min", "90 s": a duration with two digits. */
char *findings_duration(double seconds, char *out, size_t size);
