/* SPDX-License-Identifier: BSD-3-Clause
 * The parts of verdict sentences (verdict_words.c, verdict_speech.c). */
#ifndef CARM_VERDICT_SPEECH_H
#define CARM_VERDICT_SPEECH_H

#include "verdict_words.h"

enum { RATE_BYTES = 32 };

/* A verdict in words so far. */
struct speech {
    const struct verdict *verdict;
    const struct app_point *point;
    char *text; /* of VERDICT_WORDS_BYTES */
};

/* Appends. */
__attribute__((format(printf, 2, 3))) void verdict_say(const struct speech *speech, const char *format, ...);

/* "82 %", "0.4 %"; `out` is of RATE_BYTES. */
const char *verdict_percent(double ratio, char *out);
bool verdict_is_least(double ratio); /* "under 0.1 %" */

/* "27.1 GB/s": the roof's value; `out` is of RATE_BYTES. */
const char *verdict_rate(const struct roof *roof, char *out);

/* "" or "s". */
const char *verdict_plural(unsigned count);

/* What a program far below all its roofs waits for: "waiting" (for a CPU, or without executing), "MPI", "kernel",
 * "latency", "dependency", "latency- or dependency". */
const char *verdict_waits_for(const struct verdict *verdict);

/* Its share of the ceiling; the reason for a very small or large share; the roofs that judge it, if not its own. */
void verdict_say_compute(const struct speech *speech);
void verdict_say_why(const struct speech *speech);
void verdict_say_threads(const struct speech *speech);

/* After `before`: the share of its time in MPI, if it has ranks. */
void verdict_say_mpi(const struct speech *speech, const char *before);

/* Its instructions per cycle, if known. */
void verdict_say_pace(const struct speech *speech);

/* The beginning: the share of its time without a CPU or in the kernel, and scarce flop. False: it mostly did not run,
 * and nothing else is reported. */
bool verdict_say_first(const struct speech *speech);

/* For a part of a program, after `before`: the share of the program's time in the kernel; nothing if that is too small
 * to matter. */
void verdict_say_kernel(const struct speech *speech, const char *before);

/* For VERDICT_BY_LINKS; and for links with flop or without: the latencies of its lines against its time, and its
 * instructions per cycle. */
void verdict_say_links(const struct speech *speech);
void verdict_say_waits(const struct speech *speech);

#endif
