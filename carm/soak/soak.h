/* SPDX-License-Identifier: BSD-3-Clause
 * The log of a soak: headline roofs measured round after round, with the system's temperature, throttling, memory
 * errors and other programs. A file of JSON lines: the first describes the samples and the machine, each other line
 * is a round. A last line cut off by a kill is no error. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "carm/store/results.h"

struct error;

struct soak_value {
    double value, low, high; /* as in samples; 0: not measured */
    double clock_hz;         /* 0: unknown */
    struct doubts doubts;
};

struct soak_round {
    char utc[32]; /* its end: "2026-11-20T15:04:05Z" */
    double at_s;  /* since the first start, also after --resume; never falls */
    double seconds;
    size_t value_count;
    struct soak_value *values;       /* one for each sample of the header's result, in its order */
    double clock_hz;                 /* under the load of the first sample; 0: unknown */
    double temperature_c;            /* the highest; 0: unknown */
    uint64_t throttled;              /* since the boot, as the next two */
    uint64_t corrected, uncorrected; /* memory errors */
    double stolen_cpus, others_cpus; /* average over the round */
};

struct soak {
    double for_s;       /* requested duration */
    uint64_t started_s; /* since 1970, UTC */
    char reads[256];    /* in words: "temperature (k10temp, 2 sensors), steal time, other programs" */
    char absent[256];   /* the same for values that the system does not have; "": it has all */
    bool has_temperature, has_throttling, has_memory_errors, has_activity;
    struct result result; /* the machine, its levels, and the samples that each round measures again */
    size_t count, capacity;
    struct soak_round *rounds;
    size_t whole_bytes; /* of the complete lines of the file */
    bool cut;           /* the last line was incomplete, and is left out */
};

/* The schema of a line, the first one or a round, for descriptions (shape.h). */
json_t *soak_shape(void);

/* Whether the file begins like a soak's log. */
bool soak_is(const char *path);

/* Error: no such file, a line that does not belong to such a log (with its number). */
bool soak_read(const char *path, struct soak *out, struct error *err);
void soak_free(struct soak *soak);

/* Adds a new round, empty except for the space of its values. */
struct soak_round *soak_add(struct soak *soak);

/* The total time of its rounds. */
double soak_measured_s(const struct soak *soak);

/* The file while it is written: line by line, each complete and on the disk before the next round begins. Lines that
 * cannot be written, as on a full disk, are tried again with the next line. */
struct soak_log {
    int file;             /* -1: not open */
    bool regular, failed; /* failed: a failed write was reported */
    const char *path;
    off_t end;     /* of the complete lines in it */
    char *pending; /* lines that are not written yet */
    size_t pending_bytes;
};

/* Creates a log, or takes an empty file. Error: it exists already, another program writes it, cannot write. */
bool soak_log_create(struct soak_log *out, const char *path, struct error *err);

/* Opens the log that was read, and cuts off all after its complete lines. Error: another program writes it, cannot
 * write. */
bool soak_log_resume(struct soak_log *out, const char *path, const struct soak *soak, struct error *err);

/* Write the first line, and the last round, whose numbers are rounded as in the log. The first failed write is
 * reported. */
void soak_log_header(struct soak_log *log, const struct soak *soak);
void soak_log_round(struct soak_log *log, struct soak *soak);

/* Error: some lines could not be written. */
bool soak_log_close(struct soak_log *log, struct error *err);
