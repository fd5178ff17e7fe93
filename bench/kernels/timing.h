/* SPDX-License-Identifier: BSD-3-Clause
 * One kernel call, timed repeatedly on a team, with the core clock read after each repetition. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "chain.h"
#include "sample.h"
#include "team.h"

#include "asm/kernel.h"
#include "probe/clock.h"

enum { TIMING_LEAST = 8 };

struct timing_request {
    const struct clock *clock;
    const struct team *team;
    const struct kernel *kernel;
    struct kernel_call call; /* for every thread, except the buffer and the random sequence */
    void **buffers;    /* [thread]; a pointer chase stores where it stopped, so that the next one continues there */
    unsigned segments; /* > 1: repetition i walks over segment first_segment + i of the buffer */
    unsigned first_segment; /* and wraps around after the last one */
    void *const *sets;      /* [thread]; read again, untimed, before each start, so that other users of a shared */
    uint64_t set_bytes;     /* cache have no time to evict the lines that the kernel loads; 0: nothing is read */
    bool cached;            /* the kernel's data should lie in a cache, or it has none */
    uint64_t settle_blocks; /* untimed pieces before each start, so that the clock settles; 0: none */
    unsigned repetitions;
    double limit_s;         /* ends the timing after TIMING_LEAST repetitions or later; 0: no limit */
    const atomic_int *stop; /* ends the timing after the current repetition; NULL: never */
};

struct timing {
    unsigned count, lanes;
    struct repetition *repetitions; /* [i * lanes + lane] */
    bool harmful_operands;          /* an SSE exception flag other than inexact was raised */
    bool stopped;                   /* by the stop flag */
    double taken_s;                 /* longest time in which a thread did not run */
    int died_of;                    /* signal that ended the kernel, and with it the work of all threads; 0: none */
    unsigned died_on_cpu;           /* the operating system's number */
};

/* A kernel that dies is not an error: `died_of` reports it. Error: as team_run(). timing_free() may follow in any
 * case. */
bool timing_run(const struct timing_request *request, struct timing *out, struct error *err);
void timing_free(struct timing *timing);

/* A thread that starts so late was asleep, and other programs have used the caches. */
bool timing_is_late(double late_s);

/* A kernel that died of a signal: one entry for each kernel and signal, whatever the variant and the level.
 * carm/model/describe.h describes it. */
struct kernel_death {
    char kernel[48], variant[16]; /* "avx512.f64.fma", "12x2": at the first death */
    char signal[16];              /* "SIGILL" */
    unsigned cpu;                 /* the operating system's number, at the first death */
};

/* "SIGILL"; "" for a signal that timing does not catch. */
const char *fault_name(int signal_number);
