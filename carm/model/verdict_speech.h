/* SPDX-License-Identifier: BSD-3-Clause
 * What the sentences of verdicts are made of (verdict_words.c, verdict_speech.c). */
#ifndef CARM_VERDICT_SPEECH_H
#define CARM_VERDICT_SPEECH_H

#include "verdict_words.h"

enum { RATE_BYTES = 32 };

/* What is said of whom, as far as it is said. */
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

/* "27.1 GB/s": what the roof allows; `out` is of RATE_BYTES. */
const char *verdict_rate(const struct roof *roof, char *out);

/* "" or "s". */
const char *verdict_plural(unsigned count);

/* What a program far below all its roofs waits for: "waiting" (for a CPU, or for nothing that it executes), "MPI",
 * "kernel", "latency", "dependency", "latency- or dependency". */
const char *verdict_waits_for(const struct verdict *verdict);

/* Its share of the ceiling; why that is so small, or so large; whose roofs it is judged by, if not its own. */
void verdict_say_compute(const struct speech *speech);
void verdict_say_why(const struct speech *speech);
void verdict_say_threads(const struct speech *speech);

/* Behind `before` how much of its time is in MPI, where it is of ranks. */
void verdict_say_mpi(const struct speech *speech, const char *before);

/* How fast it goes on, where that was worked out. */
void verdict_say_pace(const struct speech *speech);

/* What comes first: how much of its time a program had no CPU or was in the kernel, and that it has hardly any flop.
 * False: it mostly did not run, and there is no more to say. */
bool verdict_say_first(const struct speech *speech);

/* Of a part of a program, behind `before`: how much of the program's time is the kernel's; nothing where that is too
 * little to matter. */
void verdict_say_kernel(const struct speech *speech, const char *before);

/* Of VERDICT_BY_LINKS. And of links with flop or without: the lines' latencies against the time, and how fast it goes
 * on. */
void verdict_say_links(const struct speech *speech);
void verdict_say_waits(const struct speech *speech);

#endif
