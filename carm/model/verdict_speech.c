/* SPDX-License-Identifier: BSD-3-Clause
 * Sentences that several verdicts share (see verdict_speech.h). */
#include "verdict_speech.h"
#include "verdict_thresholds.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "render/page/units.h"

/* Verdicts by links. */

/* "bound by L2 ⇄ L3: 71 % of its time at that roof (avx2.load: 76 GB/s)" */
static void say_link(const struct speech *speech) {
    char rate[RATE_BYTES], share[RATE_BYTES];
    const struct verdict *verdict = speech->verdict;
    const struct link_time *link = &verdict->times.link[verdict->times.longest];
    verdict_say(speech, "bound by %s: %s of its time at that roof (%s: %s)", link->name,
                verdict_percent(verdict->ratio, share), link->roof->sample->kernel,
                units_si(rate, sizeof rate, link->allowed_bytes_per_s, "B/s"));
}

/* The share of the longest one, if it is far from the whole time. */
static void say_longest(const struct speech *speech) {
    char share[RATE_BYTES];
    const struct verdict *verdict = speech->verdict;
    const int longest = verdict->times.longest;
    const bool least = verdict_is_least(verdict->ratio);
    verdict_say(speech, "no link and no ceiling needs %s%s of its time (%s)", least ? "" : "more than ",
                least ? "0.1 %" : verdict_percent(verdict->ratio, share),
                longest >= 0 ? verdict->times.link[longest].name : verdict->ceiling->sample->kernel);
}

/* The latencies of its lines against its time. */
static void say_lines(const struct speech *speech) {
    char lines[RATE_BYTES], each[RATE_BYTES], all[RATE_BYTES], number[RATE_BYTES];
    const struct verdict_waits *waits = &speech->verdict->waits;
    const double seconds = speech->point->seconds.median;
    if (waits->latency && waits->for_latency) {
        verdict_say(
            speech,
            ". Its cache lines, %s from %s at %s each, would take %s one after the other: %s are in flight at a time",
            units_si(lines, sizeof lines, waits->lines, ""), waits->latency->sample->level,
            units_seconds(each, sizeof each, waits->latency->sample->value),
            units_seconds(all, sizeof all, waits->serial_s),
            units_number_digits(number, sizeof number, waits->serial_s / seconds, 2));
        if (waits->most_at_a_time > 0)
            verdict_say(speech, "; independent random accesses reach %s",
                        units_number_digits(number, sizeof number, waits->most_at_a_time, 2));
    } else if (waits->latency_known)
        verdict_say(
            speech,
            ". Cache lines from beyond L1 take %s of its time even one after the other: it waits for results of its "
            "own instructions, branches, page walks or the kernel, or it executes many other instructions",
            verdict_percent(waits->serial_s / seconds, number));
}

void verdict_say_waits(const struct speech *speech) {
    const struct verdict_waits *waits = &speech->verdict->waits;
    if (!waits->for_mpi && !waits->for_kernel)
        say_lines(speech);
    verdict_say_pace(speech);
    if (!speech->verdict->known || !waits->for_mpi)
        verdict_say_mpi(speech, ". ");
    verdict_say_kernel(speech, ". ");
}

static void say_next_link(const struct speech *speech) {
    char times[RATE_BYTES];
    const struct verdict *verdict = speech->verdict;
    const int second = verdict->times.second;
    if (verdict->next_counts)
        verdict_say(
            speech, ". Without that traffic %s would bind it, %s times as fast",
            second >= 0 ? verdict->times.link[second].name : verdict->next->sample->kernel,
            units_number_digits(times, sizeof times, verdict->next_flop_per_s / verdict->attainable_flop_per_s, 2));
}

void verdict_say_links(const struct speech *speech) {
    const struct verdict *verdict = speech->verdict;
    if (verdict->why == VERDICT_WAITS) {
        if (!verdict->waits.for_kernel) /* said before */
            verdict_say(speech, "%s-bound: ", verdict_waits_for(verdict));
        if (verdict->waits.for_mpi) {
            verdict_say_mpi(speech, "");
            verdict_say(speech, "; ");
        }
        say_longest(speech);
        verdict_say_waits(speech);
    } else {
        if (verdict->bandwidth)
            say_link(speech);
        else
            verdict_say_compute(speech);
        verdict_say_why(speech);
        say_next_link(speech);
        verdict_say_kernel(speech, ". ");
    }
    verdict_say_threads(speech);
}

void verdict_say(const struct speech *speech, const char *format, ...) {
    size_t length = strlen(speech->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(speech->text + length, VERDICT_WORDS_BYTES - length, format, arguments);
    va_end(arguments);
}

bool verdict_is_least(double ratio) {
    return ratio > 0 && ratio < 0.001;
}

const char *verdict_percent(double ratio, char *out) {
    if (verdict_is_least(ratio))
        snprintf(out, RATE_BYTES, "under 0.1 %%");
    else
        snprintf(out, RATE_BYTES, "%.*f %%", ratio < 0.0995 ? 1 : 0, 100 * ratio);
    return out;
}

const char *verdict_rate(const struct roof *roof, char *out) {
    return units_si(out, RATE_BYTES, roof->sample->value, model_roof_unit(roof));
}

const char *verdict_plural(unsigned count) {
    return count == 1 ? "" : "s";
}

void verdict_say_compute(const struct speech *speech) {
    char rate[RATE_BYTES], share[RATE_BYTES];
    const struct roof *ceiling = speech->verdict->ceiling, *peak = speech->verdict->peak;
    bool own = ceiling != peak;
    if (speech->verdict->why == VERDICT_WAITS)
        verdict_say(speech, "at ");
    else
        verdict_say(speech, "compute-bound%s: at ", own ? " by its own code" : "");
    verdict_say(speech, "%s of %s (%s)", verdict_percent(speech->verdict->ratio, share), ceiling->sample->kernel,
                verdict_rate(ceiling, rate));
    if (own)
        verdict_say(speech, "; %s allows %s", peak->sample->kernel, verdict_rate(peak, rate));
}

void verdict_say_why(const struct speech *speech) {
    static const char *const WHY[] = {
        [VERDICT_ROOF_BINDS] = "",
        [VERDICT_WAITS] = ". So far below its roof it waits for something else: latency, dependencies, branches, or "
                          "cache lines of which it uses little",
        [VERDICT_ABOVE_HOME] = ". That is above the roof of the level that should hold its data: they may be in a "
                               "faster level, or the roofs were measured at a lower clock",
        [VERDICT_ABOVE_ALL] = ". That is above every roof: its flop or bytes, its time or its number of threads may be "
                              "wrong, or the roofs were measured at a lower clock",
    };
    const struct verdict_waits *waits = &speech->verdict->waits;
    if (speech->verdict->why != VERDICT_WAITS || !waits->for_kernel)
        verdict_say(speech, "%s", WHY[speech->verdict->why]);
    if (speech->verdict->why != VERDICT_WAITS)
        return;
    verdict_say_mpi(speech, "; ");
    verdict_say_kernel(speech, ". ");
    verdict_say_pace(speech);
}

void verdict_say_pace(const struct speech *speech) {
    char number[RATE_BYTES], clock[RATE_BYTES];
    const struct verdict_waits *waits = &speech->verdict->waits;
    if (waits->instructions_per_cycle > 0)
        verdict_say(speech, ". It executes %s instructions per cycle at %s%s",
                    units_number_digits(number, sizeof number, waits->instructions_per_cycle, 2),
                    units_si_digits(clock, sizeof clock, waits->clock_hz, "Hz", 3),
                    waits->clock_assumed ? ", the clock of its roofs" : "");
}

void verdict_say_mpi(const struct speech *speech, const char *before) {
    char share[RATE_BYTES];
    const struct app_point *point = speech->point;
    if (point->mpi_seconds.n > 0)
        verdict_say(speech, "%s%s of its time is in MPI", before,
                    verdict_percent(fmin(1, point->mpi_seconds.median / point->seconds.median), share));
}

/* "48 % of its time is spent in the kernel (49 k page faults)" */
static void say_kernel(const struct speech *speech, const char *before) {
    char share[RATE_BYTES], faults[RATE_BYTES];
    const double kernel_share = speech->verdict->kernel_share;
    if (kernel_share >= verdict_thresholds.kernel.value)
        verdict_say(speech, "%s%s of its %s is spent in the kernel (%s page faults)", before,
                    verdict_percent(kernel_share, share),
                    speech->point->part == APP_PROGRAM ? "time" : "program's CPU time",
                    units_si(faults, sizeof faults, speech->point->page_faults.median, ""));
}

void verdict_say_kernel(const struct speech *speech, const char *before) {
    if (speech->point->part != APP_PROGRAM)
        say_kernel(speech, before);
}

/* "88 % of its time it waited (sleep, I/O or other programs)" */
static void say_idle(const struct speech *speech) {
    char share[RATE_BYTES];
    const struct verdict *verdict = speech->verdict;
    const unsigned threads = app_point_at_a_time(speech->point);
    if (verdict->idle_share == 0)
        return;
    verdict_percent(verdict->idle_share, share);
    if (threads > 1)
        verdict_say(speech, "%s of the time its %u threads had no CPU (they waited for each other, ", share, threads);
    else
        verdict_say(speech, "%s of its time it waited (", share);
    verdict_say(speech, "%s)",
                verdict->delayed ? "mostly while other programs had the CPU" : "sleep, I/O or other programs");
}

bool verdict_say_first(const struct speech *speech) {
    const struct verdict *verdict = speech->verdict;
    const struct verdict_waits *waits = &verdict->waits;
    char every[RATE_BYTES];
    say_idle(speech);
    if (waits->for_cpu)
        return false;
    if (waits->for_kernel)
        verdict_say(speech, "%skernel-bound: ", *speech->text ? "; " : "");
    if (speech->point->part == APP_PROGRAM)
        say_kernel(speech, *speech->text && !waits->for_kernel ? "; " : "");
    if (verdict->scarce_flop)
        verdict_say(
            speech, "%shardly any flop (one in %s instructions)", *speech->text ? "; " : "",
            units_si(every, sizeof every, (double)speech->point->count.instructions / speech->point->flop.median, ""));
    if (*speech->text)
        verdict_say(speech, "; ");
    return true;
}

void verdict_say_threads(const struct speech *speech) {
    const struct app_point *point = speech->point;
    unsigned own = app_point_at_a_time(point), judged = speech->verdict->threads;
    char threads[APP_THREADS_BYTES];
    if (point->cores > 0 && judged > 0) {
        app_threads_text(point->threads, point->cores, point->cpus, threads);
        verdict_say(speech, ". %s%s: judged by the roofs of %u %s", threads, point->cpus ? ", which take turns" : "",
                    judged,
                    judged == 1             ? "core"
                    : judged > point->cores ? "CPUs that share cores"
                                            : "cores");
        return;
    }
    if (own != judged && own > 0 && judged == 0)
        verdict_say(speech, ". Judged by roofs with an unknown number of threads");
    else if (own != judged && own > 0)
        verdict_say(speech, ". Judged by the roofs of %u thread%s: there are none for %u", judged,
                    verdict_plural(judged), own);
}

const char *verdict_waits_for(const struct verdict *verdict) {
    return verdict->waits.for_cpu          ? "waiting"
           : verdict->waits.for_mpi        ? "MPI"
           : verdict->waits.for_kernel     ? "kernel"
           : !verdict->waits.latency_known ? "latency- or dependency"
           : verdict->waits.for_latency    ? "latency"
                                           : "dependency";
}
