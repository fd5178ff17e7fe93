/* SPDX-License-Identifier: BSD-3-Clause
 * The log of a soak: headline roofs measured round after round, with what the system tells of heat, throttling, memory
 * errors and other programs. A file of JSON lines: the first says what is measured and on which machine, each other one
 * is a round. A line that was cut off when the program was killed is no fault. */
#ifndef CARM_SOAK_H
#define CARM_SOAK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "carm/store/results.h"
#include "probe/error.h"

struct soak_value {
    double value, low, high; /* as in samples; 0: not measured */
    double clock_hz;         /* 0: not known */
    struct doubts doubts;
};

struct soak_round {
    char utc[32]; /* when it ended: "2026-11-20T15:04:05Z" */
    double at_s;  /* since the start, of what was resumed too: never falls */
    double seconds;
    size_t value_count;
    struct soak_value *values;       /* one for each sample of the header's result, in its order */
    double clock_hz;                 /* under the load of the first of them; 0: not known */
    double temperature_c;            /* the highest; 0: not known */
    uint64_t throttled;              /* since the boot, as the two after it */
    uint64_t corrected, uncorrected; /* memory errors */
    double stolen_cpus, others_cpus; /* on average, of the round */
};

struct soak {
    double for_s;       /* that it was asked for */
    uint64_t started_s; /* since 1970, UTC */
    char reads[256];    /* in words: "temperature (k10temp, 2 sensors), steal time, other programs" */
    char absent[256];   /* likewise, what the system does not tell; "": it tells all */
    bool has_temperature, has_throttling, has_memory_errors, has_activity;
    struct result result; /* the machine, its levels, and the samples that each round measures again */
    size_t count, capacity;
    struct soak_round *rounds;
    size_t whole_bytes; /* of the file: its whole lines */
    bool cut;           /* the last line was not whole, and is left out */
};

/* Whether the file begins as a soak's log does. */
bool soak_is(const char *path);

/* Error: no such file, a line that is none of such a log (with its number). */
bool soak_read(const char *path, struct soak *out, struct error *err);
void soak_free(struct soak *soak);

/* A new round at the end, empty but for room for its values. */
struct soak_round *soak_add(struct soak *soak);

/* The time that its rounds took in all. */
double soak_measured_s(const struct soak *soak);

/* The file while it is written: line by line, each whole and on the disk before the next round begins. What cannot be
 * written, as on a full disk, waits, and is tried again with the next line. */
struct soak_log {
    int file;             /* -1: not open */
    bool regular, failed; /* failed: that it could not be written was said */
    const char *path;
    off_t end;     /* of the whole lines in it */
    char *pending; /* lines that are not */
    size_t pending_bytes;
};

/* A new log, or an empty file. Error: there is one already, another program writes it, cannot write. */
bool soak_log_create(struct soak_log *out, const char *path, struct error *err);

/* The one that was read: what follows its whole lines is cut off. Error: another program writes it, cannot write. */
bool soak_log_resume(struct soak_log *out, const char *path, const struct soak *soak, struct error *err);

/* Write the first line, and the last round, whose numbers then are those of the log: with no more digits. Where a line
 * cannot be written this is said once. */
void soak_log_header(struct soak_log *log, const struct soak *soak);
void soak_log_round(struct soak_log *log, struct soak *soak);

/* Error: some lines could not be written. */
bool soak_log_close(struct soak_log *log, struct error *err);

#endif
