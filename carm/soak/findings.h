/* SPDX-License-Identifier: BSD-3-Clause
 * What a soak has found: the changes of each quantity, what came at the same time, and the verdict. Pure. */
#ifndef CARM_SOAK_FINDINGS_H
#define CARM_SOAK_FINDINGS_H

#include "series.h"
#include "soak.h"

/* Roofs decide the verdict; the others are told beside them. */
enum quantity_kind { QUANTITY_RATE, QUANTITY_LATENCY, QUANTITY_CLOCK, QUANTITY_HEAT, QUANTITY_CPUS };

struct quantity {
    char name[64];    /* "DRAM, 2 cores" */
    const char *unit; /* "B/s" */
    enum quantity_kind kind;
    double *values; /* one for each round; NaN: not known */
    struct series_changes changes;
};

enum soak_verdict { SOAK_STEADY, SOAK_TOO_SHORT, SOAK_CHANGED };

enum { FINDINGS_TEXT_BYTES = 512 };

struct findings {
    const struct soak *soak; /* borrowed */
    size_t rounds;
    double *at_s, span_s, measured_s; /* span: from the first round to the last */
    size_t count;
    struct quantity *quantities;                /* roofs first, in the log's order */
    uint64_t throttled, corrected, uncorrected; /* during the soak */
    size_t doubtful;                            /* rounds with a doubt about some roof */
    enum soak_verdict verdict;
    char text[FINDINGS_TEXT_BYTES]; /* "OK: 6 h, 3,600 rounds: nothing moved by more than 1 %" */
};

struct findings findings_make(const struct soak *soak);
void findings_free(struct findings *findings);

bool quantity_is_roof(const struct quantity *quantity);

/* Of roofs and the clock in parts of the median, so that 0.01 is a percent; of the others in their unit. */
double quantity_share(const struct quantity *quantity, double change);

/* What a step moves it by: where it is told in parts, of what it was before, so that quantity_share() gives that. */
double quantity_step(const struct quantity *quantity, const struct series_step *step);

/* "−6 %", "+12 °C", "+0.8 CPUs": what quantity_share() makes of a change. */
char *quantity_change(const struct quantity *quantity, double change, char *out, size_t size);

/* "14:32", or with the day where the log spans more than one: "23 Nov 14:32". UTC. */
char *findings_time(const struct findings *findings, double at_s, char *out, size_t size);

/* "2026-11-23 14:05": when it began, UTC. */
char *findings_date(const struct findings *findings, char *out, size_t size);

/* "6 h", "10 min", "90 s": a time of such a length, to two digits. */
char *findings_duration(double seconds, char *out, size_t size);

/* How much the counter rose from round to round, in all rounds up to this time and not before the other; a counter that
 * begins anew, after a boot, does not fall. */
uint64_t findings_rise(const struct soak *soak, uint64_t (*counter)(const struct soak_round *), double from_s,
                       double to_s);
uint64_t findings_throttled(const struct soak_round *round);
uint64_t findings_corrected(const struct soak_round *round);
uint64_t findings_uncorrected(const struct soak_round *round);

/* Sets verdict and text from all the rest. */
void findings_judge(struct findings *findings);

#endif
