/* SPDX-License-Identifier: BSD-3-Clause
 * The measuring core: one kernel call, timed again and again on a team, with the core clock read after each time. */
#ifndef BENCH_KERNELS_TIMING_H
#define BENCH_KERNELS_TIMING_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "sample.h"
#include "team.h"

#include "asm/kernel.h"
#include "probe/clock.h"

/* The linked list that a pointer chase follows. */

/* 64 MiB of lines, so that a chain fills most caches; fewer where they are flushed, which is slow. */
enum { CHAIN_MAX_ELEMENTS = 1 << 20, CHAIN_MAX_FLUSHED = 1 << 18 };

/* Links one random line in each of at most CHAIN_MAX_ELEMENTS (flushed: CHAIN_MAX_FLUSHED) equal cells of the buffer
 * into one cycle in random order; every line where there are fewer. `flush` then puts them out of all caches. Returns
 * the first element. */
void *chain_build(void *buffer, uint64_t bytes, bool flush);

/* Zeroes all elements of the cycle. Left behind, pointers are denormal numbers to a floating-point load. */
void chain_erase(void *element);

enum { TIMING_LEAST = 8 };

struct timing_request {
    const struct clock *clock;
    const struct team *team;
    const struct kernel *kernel;
    struct kernel_call call; /* of every thread, but for the buffer and the random sequence */
    void **buffers;          /* by thread; a chase leaves there where it stopped, so that the next goes on */
    unsigned segments;       /* > 1: repetition i walks over segment first_segment + i of the buffer, */
    unsigned first_segment;  /* and after the last one over the first */
    void *const *sets;       /* by thread; read in again, untimed, before each start: then others of a shared cache */
    uint64_t set_bytes;      /* have no time to evict lines that the kernel loads; 0: nothing is read */
    bool cached;             /* the kernel's data are meant to lie in a cache, or it has none */
    uint64_t settle_blocks;  /* untimed pieces before each start, so that the clock has settled; 0: none */
    unsigned repetitions;
    double limit_s;                    /* after that, and TIMING_LEAST repetitions, it ends; 0: no limit */
    const volatile sig_atomic_t *stop; /* ends it after the repetition under way; NULL: nothing does */
};

struct timing {
    unsigned count, lanes;
    struct repetition *repetitions; /* [i * lanes + lane] */
    bool harmful_operands;          /* an SSE exception flag other than inexact was raised */
    bool stopped;                   /* by the flag */
    double taken_s;                 /* in which a thread did not run: of the thread that waited most */
    int died_of;                    /* the signal that ended the kernel and with it all threads' work; 0: none did */
    unsigned died_on_cpu;           /* the operating system's number */
};

/* A kernel that dies is no error: then `died_of` says so. Error: as team_run(). timing_free() may follow in any case.
 */
bool timing_run(const struct timing_request *request, struct timing *out, struct error *err);
void timing_free(struct timing *timing);

/* A kernel that died of a signal: one entry for each kernel and signal, whatever the variant and the level.
 * carm/model/describe.h describes it. */
struct kernel_death {
    char kernel[48], variant[16]; /* "avx512.f64.fma", "12x2": of the first time */
    char signal[16];              /* "SIGILL" */
    unsigned cpu;                 /* the operating system's number, of the first time */
};

/* "SIGILL"; of a number that no guard returns "". */
const char *fault_name(int signal_number);

#endif
