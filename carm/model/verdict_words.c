/* SPDX-License-Identifier: BSD-3-Clause
 * Verdicts in words (see verdict_words.h). Words follow from the verdict's facts; nothing is judged here. */
#include "verdict_words.h"
#include "applicable_roofs.h"
#include "model_thresholds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "probe/text.h"
#include "render/page/units.h"

enum { RATE_BYTES = 32 };

/* A verdict in words so far. */
struct speech {
    const struct verdict *verdict;
    const struct app_point *point;
    char *text; /* of VERDICT_WORDS_BYTES */
};

/* Appends. */
#define verdict_say(speech, ...) text_append((speech)->text, VERDICT_WORDS_BYTES, __VA_ARGS__)

static bool verdict_is_least(double ratio) {
    return ratio > 0 && ratio < 0.001;
}

/* "82 %", "0.4 %"; `out` is of RATE_BYTES. */
static const char *verdict_percent(double ratio, char *out) {
    if (verdict_is_least(ratio))
        snprintf(out, RATE_BYTES, "under 0.1 %%");
    else
        snprintf(out, RATE_BYTES, "%.*f %%", ratio < 0.0995 ? 1 : 0, 100 * ratio);
    return out;
}

/* "27.1 GB/s": the roof's value; `out` is of RATE_BYTES. */
static const char *verdict_rate(const struct roof *roof, char *out) {
    return units_si(out, RATE_BYTES, roof->sample->value, model_roof_unit(roof));
}

/* "" or "s". */
static const char *verdict_plural(unsigned count) {
    return count == 1 ? "" : "s";
}

/* Its share of the ceiling; the reason for a very small or large share; the roofs that judge it, if not its own. */
static void verdict_say_compute(const struct speech *speech) {
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

static bool executes_many(const struct verdict *verdict) {
    return verdict->waits.instructions_per_cycle >= verdict_thresholds.many_per_cycle.value;
}

/* "executes 0.5 instructions per cycle at 3 GHz", if known. */
static void say_pace(const struct speech *speech, const char *before) {
    char number[RATE_BYTES], clock[RATE_BYTES];
    const struct verdict_waits *waits = &speech->verdict->waits;
    if (waits->instructions_per_cycle > 0)
        verdict_say(speech, "%s%s instructions per cycle at %s%s", before,
                    units_number_digits(number, sizeof number, waits->instructions_per_cycle, 2),
                    units_si_digits(clock, sizeof clock, waits->clock_hz, "Hz", 3),
                    waits->clock_assumed ? ", the clock of its roofs" : "");
}

/* Very many were said first. */
static void verdict_say_pace(const struct speech *speech) {
    if (!executes_many(speech->verdict))
        say_pace(speech, ". It executes ");
}

/* After `before`: the share of its time in MPI, if it has ranks. */
static void verdict_say_mpi(const struct speech *speech, const char *before) {
    char share[RATE_BYTES];
    const struct app_point *point = speech->point;
    if (point->mpi_seconds.n > 0)
        verdict_say(speech, "%s%s of its time is in MPI", before,
                    verdict_percent(fmin(1, point->mpi_seconds.median / point->seconds.median), share));
}

/* "48 % of its time is spent in the kernel (49 k page faults)", or "page faults take 40 % of its time (49 k of 0.7 µs
 * each; …)" */
static void say_kernel(const struct speech *speech, const char *before) {
    char share[RATE_BYTES], faults[RATE_BYTES], each[RATE_BYTES];
    const double kernel_share = speech->verdict->kernel_share, fault_share = speech->verdict->waits.fault_share;
    if (fault_share >= verdict_thresholds.kernel.value &&
        fault_share >= verdict_thresholds.one_by_one.value * kernel_share)
        verdict_say(
            speech, "%spage faults take %s of its time (%s of %s each; touch memory once, or use huge pages)", before,
            verdict_percent(fault_share, share), units_si(faults, sizeof faults, speech->point->page_faults.median, ""),
            units_seconds(each, sizeof each,
                          1e-9 * (double)speech->point->waits.ns[WAIT_FAULTS] / speech->point->page_faults.median));
    else if (kernel_share >= verdict_thresholds.kernel.value)
        verdict_say(speech, "%s%s of its %s is spent in the kernel (%s page faults)", before,
                    verdict_percent(kernel_share, share),
                    app_point_is_whole(speech->point) ? "time" : "program's CPU time",
                    units_si(faults, sizeof faults, speech->point->page_faults.median, ""));
}

/* For a part of a program, after `before`: the share of the program's time in the kernel; nothing if that is too small
 * to matter. */
static void verdict_say_kernel(const struct speech *speech, const char *before) {
    if (!app_point_is_whole(speech->point))
        say_kernel(speech, before);
}

/* A whole program, whose loops can be examined. */
static bool has_unseen_loops(const struct app_point *point) {
    return point->has_count && point->part == APP_PROGRAM;
}

/* A loop that nobody can account for: its core is not known. */
static bool lacks_account(const struct verdict *verdict, const struct app_point *point) {
    return verdict->loop.count == 0 && point->part == APP_LOOP && point->iterations > 0 && !point->in_core.known;
}

bool verdict_is_delayed(const struct verdict *verdict) {
    return verdict->delayed || verdict->waits.cause[0].kind == WAIT_CPU;
}

enum next_id verdict_next(const struct verdict *verdict, const struct app_point *point, bool loops) {
    const struct verdict_waits *waits = &verdict->waits;
    const bool elsewhere = waits->for_cpu || waits->for_mpi || waits->for_kernel;
    if (verdict->basis == VERDICT_NO_CEILING || verdict->basis == VERDICT_NO_BANDWIDTH)
        return NEXT_RUN;
    if (lacks_account(verdict, point))
        return NEXT_CORE;
    if (verdict->loop.binds || (elsewhere && !verdict_is_delayed(verdict)))
        return NEXT_NOTHING;
    if (verdict->why == VERDICT_WAITS && !loops && has_unseen_loops(point))
        return NEXT_LOOPS;
    if (verdict->nearest)
        return NEXT_LEVELS;
    return !loops && has_unseen_loops(point) ? NEXT_LOOPS : NEXT_NOTHING;
}

static void say_by_loop(const struct speech *speech) {
    if (has_unseen_loops(speech->point))
        verdict_say(speech, ". `%s` tells what each loop waits for", next_steps[NEXT_LOOPS].command);
}

static void verdict_say_why(const struct speech *speech) {
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
    const bool named = waits->for_kernel || waits->for_instructions;
    if (speech->verdict->why != VERDICT_WAITS || !named)
        verdict_say(speech, "%s", WHY[speech->verdict->why]);
    if (speech->verdict->why != VERDICT_WAITS)
        return;
    if (!named && speech->point->part == APP_PHASE && speech->point->kernel_seconds.n == 0)
        verdict_say(speech, "; or for the kernel (the phase has too few samples of its threads to tell)");
    verdict_say_mpi(speech, "; ");
    verdict_say_kernel(speech, ". ");
    verdict_say_pace(speech);
    say_by_loop(speech);
}

/* What it did; in tables wait_kind_names. */
static const char *const WAITED[WAIT_KINDS] = {
    [WAIT_CPU] = "waited for a CPU",
    [WAIT_LOCKS] = "waited for locks (futex)",
    [WAIT_SLEEP] = "slept",
    [WAIT_FILES] = "waited for files",
    [WAIT_PIPES] = "waited for a pipe",
    [WAIT_SOCKETS] = "waited for a socket",
    [WAIT_DEVICES] = "waited for a terminal or another device",
    [WAIT_EVENTS] = "waited for events (poll, epoll, signals)",
    [WAIT_CHILDREN] = "waited for its child processes",
    [WAIT_PAGES] = "waited for pages (from disk, or that other threads map)",
    [WAIT_OTHER] = "waited in other system calls",
};

/* "3 of 4 threads", in tenths; `out` is of RATE_BYTES. */
static const char *threads_of_all(const struct wait_cause *cause, const struct verdict_waits *waits, char *out) {
    const double all = fmax(1, round(waits->threads)), some = fmin(all, round(10 * cause->threads) / 10);
    snprintf(out, RATE_BYTES, "%.*f of %.0f thread%s", some == round(some) ? 0 : 1, some, all, all > 1 ? "s" : "");
    return out;
}

/* "66 % of its time it waited for locks (futex): 3 of 4 threads at a time; 22 % it slept", "99 % of its time it slept;
 * 3 of 4 threads waited for locks (futex)" */
static void verdict_words_say_causes(const struct speech *speech) {
    char text[RATE_BYTES];
    const struct verdict_waits *waits = &speech->verdict->waits;
    const struct wait_cause *most = &waits->cause[0], *second = &waits->cause[1], *crowd = &waits->crowd;
    verdict_say(speech, "%s of its time it %s", verdict_percent(most->share, text), WAITED[most->kind]);
    if (most->kind == WAIT_LOCKS)
        verdict_say(speech, ": %s at a time", threads_of_all(most, waits, text));
    if (second->kind != WAIT_RUNS)
        verdict_say(speech, "; %s it %s", verdict_percent(second->share, text), WAITED[second->kind]);
    if (crowd->kind != WAIT_RUNS)
        verdict_say(speech, "; %s %s", threads_of_all(crowd, waits, text), WAITED[crowd->kind]);
}

/* "8.1 of its 16 threads existed at a time; 88 % of its time it waited (sleep, I/O or other programs)" */
static void say_idle(const struct speech *speech) {
    char share[RATE_BYTES];
    const struct verdict *verdict = speech->verdict;
    const unsigned threads = app_point_at_a_time(speech->point);
    if (verdict->existing_threads < verdict_thresholds.existing.value * threads)
        verdict_say(speech, "%.*f of its %u threads existed at a time", verdict->existing_threads < 10,
                    verdict->existing_threads, threads);
    if (verdict->idle_share == 0)
        return;
    verdict_say(speech, "%s", *speech->text ? "; " : "");
    if (verdict->waits.cause[0].kind != WAIT_RUNS) {
        verdict_words_say_causes(speech);
        return;
    }
    verdict_percent(verdict->idle_share, share);
    if (threads > 1)
        verdict_say(speech, "%s of the time its %u threads had no CPU (%s", share, threads,
                    verdict->delayed ? "" : "they waited for each other, ");
    else
        verdict_say(speech, "%s of its time it waited (", share);
    verdict_say(speech, "%s)",
                verdict->delayed ? "mostly while other programs had the CPU" : "sleep, I/O or other programs");
}

/* The beginning: the share of its time without a CPU or in the kernel, and scarce flop. False: it mostly did not run,
 * and nothing else is reported. */
static bool verdict_say_first(const struct speech *speech) {
    const struct verdict *verdict = speech->verdict;
    const struct verdict_waits *waits = &verdict->waits;
    char every[RATE_BYTES];
    say_idle(speech);
    if (waits->for_cpu)
        return false;
    if (waits->for_kernel)
        verdict_say(speech, "%skernel-bound: ", *speech->text ? "; " : "");
    if (app_point_is_whole(speech->point))
        say_kernel(speech, *speech->text && !waits->for_kernel ? "; " : "");
    if (verdict->scarce_flop)
        verdict_say(
            speech, "%shardly any flop (one in %s instructions)", *speech->text ? "; " : "",
            units_si(every, sizeof every, (double)speech->point->count.instructions / speech->point->flop.median, ""));
    if (executes_many(verdict))
        say_pace(speech, *speech->text ? "; executes many instructions: " : "executes many instructions: ");
    if (*speech->text)
        verdict_say(speech, "; ");
    return true;
}

static void verdict_say_threads(const struct speech *speech) {
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

/* What a program far below all its roofs waits for: "waiting" (for a CPU, or without executing) or the cause of that,
 * "MPI", "kernel", "instruction", "latency", "dependency", "latency- or dependency". */
static const char *verdict_waits_for(const struct verdict *verdict) {
    const enum wait_kind cause = verdict->waits.cause[0].kind;
    return verdict->waits.for_cpu            ? cause == WAIT_RUNS ? "waiting" : wait_kind_names[cause]
                      : verdict->waits.for_mpi ? "MPI"
           : verdict->waits.for_kernel       ? "kernel"
           : verdict->waits.for_instructions ? "instruction"
           : verdict->waits.for_latency      ? "latency"
           : !verdict->waits.latency_known || verdict->waits.fetches_much ? "latency- or dependency"
                                                                          : "dependency";
}

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
static void verdict_words_say_longest(const struct speech *speech) {
    char share[RATE_BYTES];
    const struct verdict *verdict = speech->verdict;
    const int longest = verdict->times.longest;
    const bool least = verdict_is_least(verdict->ratio);
    verdict_say(speech, "no link and no ceiling needs %s%s of its time (%s)", least ? "" : "more than ",
                least ? "0.1 %" : verdict_percent(verdict->ratio, share),
                longest >= 0 ? verdict->times.link[longest].name : verdict->ceiling->sample->kernel);
}

/* Lines of the level with the longest latencies that each thread has in flight (Little's law), if parallel pointer
 * chases had more; 0: unknown, or it waits for something else. */
static double lines_at_a_time(const struct speech *speech) {
    const struct verdict_waits *waits = &speech->verdict->waits;
    if (waits->for_cpu || waits->for_mpi || waits->for_kernel || waits->for_instructions || !waits->latency ||
        !waits->may_be_latency)
        return 0;
    const double lines = waits->lines * waits->latency->sample->value /
                         (fmax(1, app_point_at_a_time(speech->point)) * speech->point->seconds.median);
    return lines <= waits->most_lines ? lines : 0;
}

/* "latency-bound: 3.1 lines at a time of the 22 that this core can have", "instruction-bound: 77 % of its time is in
 * loops that their own instructions bind" */
static void say_wait(const struct speech *speech) {
    char lines[RATE_BYTES], most[RATE_BYTES], share[RATE_BYTES];
    const struct verdict_waits *waits = &speech->verdict->waits;
    verdict_say(speech, "%s-bound", verdict_waits_for(speech->verdict));
    if (waits->own_share >= verdict_thresholds.one_by_one.value)
        verdict_say(speech, ": %s of its time is in loops that their own instructions bind",
                    verdict_percent(fmin(1, waits->own_share), share));
    if (lines_at_a_time(speech) > 0)
        verdict_say(speech, ": %s lines at a time of the %s that this core can have",
                    units_number_digits(lines, sizeof lines, lines_at_a_time(speech), 2),
                    units_number_digits(most, sizeof most, speech->verdict->waits.most_lines, 2));
}

/* The latencies of its lines against its time. */
static void say_lines(const struct speech *speech) {
    char lines[RATE_BYTES], each[RATE_BYTES], all[RATE_BYTES], number[RATE_BYTES];
    const struct verdict_waits *waits = &speech->verdict->waits;
    const double seconds = speech->point->seconds.median;
    if (waits->latency && waits->fetches_much) {
        verdict_say(speech, ". Its cache lines, %s from %s at %s each, would take %s one after the other",
                    units_si(lines, sizeof lines, waits->lines, ""), waits->latency->sample->level,
                    units_seconds(each, sizeof each, waits->latency->sample->value),
                    units_seconds(all, sizeof all, waits->serial_s));
        if (lines_at_a_time(speech) > 0) /* said before */
            return;
        verdict_say(speech, ": %s are in flight at a time",
                    units_number_digits(number, sizeof number, waits->serial_s / seconds, 2));
        if (waits->most_at_a_time > 0)
            verdict_say(speech,
                        waits->may_be_latency
                            ? "; independent random accesses reach %s"
                            : ", more than the %s of independent random accesses, so most were prefetched",
                        units_number_digits(number, sizeof number, waits->most_at_a_time, 2));
    } else if (waits->latency_known)
        verdict_say(speech, ". Cache lines from beyond L1 take %s of its time even one after the other%s",
                    verdict_percent(waits->serial_s / seconds, number),
                    waits->for_instructions
                        ? ""
                        : ": it waits for results of its own instructions, branches, page walks or the "
                          "kernel, or it executes many other instructions");
}

static void verdict_say_waits(const struct speech *speech) {
    const struct verdict_waits *waits = &speech->verdict->waits;
    if (!waits->for_mpi && !waits->for_kernel)
        say_lines(speech);
    verdict_say_pace(speech);
    if (!speech->verdict->known || !waits->for_mpi)
        verdict_say_mpi(speech, ". ");
    verdict_say_kernel(speech, ". ");
    if (waits->fetches_much && !waits->loops_known && !waits->for_mpi && !waits->for_kernel)
        say_by_loop(speech);
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

/* For VERDICT_BY_LINKS; and for links with flop or without: the latencies of its lines against its time, and its
 * instructions per cycle. */
static void verdict_say_links(const struct speech *speech) {
    const struct verdict *verdict = speech->verdict;
    if (verdict->why == VERDICT_WAITS) {
        if (!verdict->waits.for_kernel) { /* said before */
            say_wait(speech);
            const bool more =
                lines_at_a_time(speech) > 0 || verdict->waits.own_share >= verdict_thresholds.one_by_one.value;
            verdict_say(speech, "%s ", more ? ";" : ":");
        }
        if (verdict->waits.for_mpi) {
            verdict_say_mpi(speech, "");
            verdict_say(speech, "; ");
        }
        verdict_words_say_longest(speech);
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

static const char *verdict_words_name_of(const struct roof *roof) {
    return roof->sample->level[0] ? roof->sample->level : roof->sample->kernel;
}

/* "DRAM roof for 2 loads : 1 store (avx512.2ld1st, 27.1 GB/s)" */
static void say_level(const struct speech *speech, const struct roof *roof) {
    const struct verdict *verdict = speech->verdict;
    char rate[RATE_BYTES], mix[PATTERN_RATIO_BYTES];
    verdict_say(speech, "%s roof%s%s (%s, %s", roof->sample->level, verdict->mix_known ? " for " : "",
                verdict->mix_known ? applicable_mix(roof, mix) : "", roof->sample->kernel, verdict_rate(roof, rate));
    if (verdict->own_traffic_bytes_per_s > 0)
        verdict_say(speech, "; by its own traffic, %s",
                    units_si(rate, sizeof rate, verdict->own_traffic_bytes_per_s, "B/s"));
    verdict_say(speech, ")");
}

static void say_memory(const struct speech *speech) {
    char rate[RATE_BYTES], share[RATE_BYTES];
    const struct roof *other = speech->verdict->same_mix;
    verdict_say(speech, "%sat %s of the ", speech->verdict->why == VERDICT_WAITS ? "" : "memory-bound: ",
                verdict_percent(speech->verdict->ratio, share));
    say_level(speech, speech->verdict->bandwidth);
    if (other)
        verdict_say(speech, "; %s, of the same mix, allows %s", other->sample->kernel, verdict_rate(other, rate));
}

/* For a roof whose level is unknown: roofs have a few per cent of uncertainty, and no program exceeds its roof. */
static double at_most(double ratio) {
    return fmin(1, ratio);
}

/* Any level that is fast enough may serve its bytes. */
static void say_unknown_level(const struct speech *speech) {
    char share[RATE_BYTES];
    const struct verdict *verdict = speech->verdict;
    const double ratio = at_most(verdict->known ? verdict->ratio : verdict->bytes_ratio);
    verdict_say(speech, "%s%s of the ", verdict_is_least(ratio) ? "" : "at most ", verdict_percent(ratio, share));
    say_level(speech, verdict->known ? verdict->bandwidth : verdict->bytes_roof);
    verdict_say(speech, "; `%s` finds its level", next_steps[NEXT_LEVELS].command);
}

/* At its roof, the next roof is of interest. */
static void say_next(const struct speech *speech) {
    char rate[RATE_BYTES], times[RATE_BYTES];
    const struct verdict *verdict = speech->verdict;
    if (!verdict->next_counts)
        return;
    units_si(rate, sizeof rate, verdict->next_flop_per_s, "flop/s");
    units_number_digits(times, sizeof times, verdict->next_flop_per_s / verdict->attainable_flop_per_s, 2);
    if (verdict->next->sample->kind == SAMPLE_COMPUTE)
        verdict_say(speech, ". With its data nearer to the core it could reach %s, the ceiling: %s times as much", rate,
                    times);
    else
        verdict_say(speech, ". With its data in %s it could reach %s, %s times as much", verdict->next->sample->level,
                    rate, times);
}

static void say_traffic(const struct speech *speech) {
    static const char *const BINDS[] = {[VERDICT_MEMORY_BINDS] = "binds", [VERDICT_MEMORY_BINDS_NOT] = "does not bind"};
    char rate[RATE_BYTES], most[RATE_BYTES], share[RATE_BYTES];
    const struct verdict *verdict = speech->verdict;
    const struct app_point *point = speech->point;
    const struct roof *roof = verdict->dram_pattern;
    if (!roof)
        return;
    units_si(rate, sizeof rate, app_dram_bytes(point) / point->seconds.median, "B/s");
    units_si(most, sizeof most, applicable_traffic_bytes_per_s(roof), "B/s");
    verdict_say(speech, ". Its %s traffic of %s (%s) is %s of what %s moves, %s", roof->sample->level, rate,
                app_source_names[point->dram_source], verdict_percent(verdict->dram_ratio, share), roof->sample->kernel,
                most);
    if (verdict->memory != VERDICT_MEMORY_UNSURE)
        verdict_say(speech, ": %s %s it", roof->sample->level, BINDS[verdict->memory]);
}

static void say_by_core_bytes(const struct speech *speech) {
    if (speech->verdict->nearest)
        say_unknown_level(speech);
    else if (speech->verdict->bandwidth)
        say_memory(speech);
    else
        verdict_say_compute(speech);
    verdict_say_why(speech);
    if (speech->verdict->scarce_flop && speech->verdict->why != VERDICT_WAITS)
        verdict_say_pace(speech);
    say_next(speech);
    say_traffic(speech);
    verdict_say_threads(speech);
}

static void say_by_dram_bytes(const struct speech *speech) {
    char rate[RATE_BYTES], share[RATE_BYTES];
    const struct roof *roof = speech->verdict->dram_pattern;
    if (speech->verdict->bandwidth)
        verdict_say(speech, "%sat %s of what %s moves (%s, %s)",
                    speech->verdict->why == VERDICT_WAITS ? "" : "memory-bound: ",
                    verdict_percent(speech->verdict->ratio, share), roof->sample->level, roof->sample->kernel,
                    units_si(rate, sizeof rate, applicable_traffic_bytes_per_s(roof), "B/s"));
    else
        verdict_say_compute(speech);
    verdict_say(speech, ", by its %s bytes only; the bytes that the core requests are not known", roof->sample->level);
    verdict_say_why(speech);
}

/* Without flop there is no place on the roofline, but bytes per second can be compared with bandwidths. */
static void say_no_place(const struct speech *speech) {
    static const char *const MISSING[] = {
        [VERDICT_NO_TIME] = "no time was measured",
        [VERDICT_FLOP_UNKNOWN] = "its flop are not known: count them, or state them with --flop",
        [VERDICT_BYTES_UNKNOWN] = "its bytes are not known: count them, or state them with --bytes",
        [VERDICT_INTEGERS] = "its dot products are integer operations, not flop",
        [VERDICT_NO_FLOP] = "it has no flop",
    };
    char rate[RATE_BYTES], share[RATE_BYTES];
    const struct verdict *verdict = speech->verdict;
    verdict_say(speech, "no place on the roofline: %s", MISSING[verdict->basis]);
    if (!verdict->bytes_roof)
        return;
    units_si(rate, sizeof rate, app_core_bytes(speech->point) / speech->point->seconds.median, "B/s");
    const bool links = verdict->times.longest >= 0;
    if (links)
        verdict_say(speech, ". Its slowest link is %s: %s of its time at that roof (%s)",
                    verdict->times.link[verdict->times.longest].name, verdict_percent(verdict->bytes_ratio, share),
                    verdict->bytes_roof->sample->kernel);
    else if (verdict->nearest) {
        verdict_say(speech, ". It requests %s, ", rate);
        say_unknown_level(speech);
    } else {
        verdict_say(speech, ". It requests %s, %s of the ", rate, verdict_percent(verdict->bytes_ratio, share));
        say_level(speech, verdict->bytes_roof);
    }
    if (links && verdict->why == VERDICT_WAITS) {
        if (!verdict->waits.for_kernel) {
            verdict_say(speech, ". It is ");
            say_wait(speech);
        }
        verdict_say_waits(speech);
    } else
        verdict_say_why(speech);
    if (verdict->why != VERDICT_WAITS)
        verdict_say_pace(speech);
    if (speech->point->cores > 0) /* with bytes only, nothing else about its threads is reported */
        verdict_say_threads(speech);
}

static void say_no_roofs(const struct speech *speech) {
    const struct verdict *verdict = speech->verdict;
    bool bandwidth = verdict->basis == VERDICT_NO_BANDWIDTH;
    const char *type = bandwidth ? "" : verdict->type, *what = bandwidth ? "bandwidth" : " ceiling";
    unsigned threads = app_point_cores(speech->point);
    if (verdict->basis == VERDICT_THREADS_UNKNOWN)
        verdict_say(speech, "not judged: how many threads took part is not known");
    else if (threads == 0)
        verdict_say(speech, "not judged: the result holds no %s%s", type, what);
    else
        verdict_say(speech, "not judged: there is no %s%s of %u thread%s or more; `%s` measures it", type, what,
                    threads, verdict_plural(threads), next_steps[NEXT_RUN].command);
}

/* What binds a loop; then its share of the roof that fits it. */
static void say_loop(const struct speech *speech) {
    char words[LOOP_WORDS_BYTES], rate[RATE_BYTES], share[RATE_BYTES];
    const struct verdict *verdict = speech->verdict;
    const struct roof *roof = verdict->bandwidth ? verdict->bandwidth : verdict->ceiling;
    verdict_say(speech, "%s", loop_account_words(&verdict->loop, words));
    if (verdict->known && roof)
        verdict_say(speech, ". It is at %s of %s (%s)", verdict_percent(verdict->ratio, share), roof->sample->kernel,
                    verdict_rate(roof, rate));
    if (verdict_is_above(verdict))
        verdict_say_why(speech);
    verdict_say_kernel(speech, ". ");
}

const char *verdict_words(const struct verdict *verdict, const struct app_point *point, char out[VERDICT_WORDS_BYTES]) {
    static void (*const SAY[])(const struct speech *) = {
        [VERDICT_BY_LINKS] = verdict_say_links,      [VERDICT_BY_CORE_BYTES] = say_by_core_bytes,
        [VERDICT_BY_DRAM_BYTES] = say_by_dram_bytes, [VERDICT_NO_TIME] = say_no_place,
        [VERDICT_FLOP_UNKNOWN] = say_no_place,       [VERDICT_BYTES_UNKNOWN] = say_no_place,
        [VERDICT_INTEGERS] = say_no_place,           [VERDICT_NO_FLOP] = say_no_place,
        [VERDICT_THREADS_UNKNOWN] = say_no_roofs,    [VERDICT_NO_CEILING] = say_no_roofs,
        [VERDICT_NO_BANDWIDTH] = say_no_roofs,
    };
    const struct speech speech = {verdict, point, out};
    out[0] = '\0';
    if (verdict->loop.count > 0)
        say_loop(&speech);
    else if (verdict_say_first(&speech)) {
        SAY[verdict->basis](&speech);
        if (lacks_account(verdict, point))
            verdict_say(&speech,
                        ". Its instructions have no account: its core has no table, and was not measured (`%s FILE`)",
                        next_steps[NEXT_CORE].command);
    }
    return out;
}

const char *verdict_ratio_of(const struct verdict *verdict) {
    const struct roof *roof = verdict->known ? verdict->bandwidth : verdict->bytes_roof;
    return roof ? roof->sample->level : verdict->known ? "compute" : "";
}

const char *verdict_bound_by(const struct verdict *verdict) {
    static const char *const PARTS[] = {
        [LOOP_CHAIN] = "chain", [LOOP_PORTS] = "ports", [LOOP_RENAMING] = "renaming", [LOOP_DIVIDER] = "divider",
        [LOOP_FETCH] = "fetch", [LOOP_LINK] = NULL,     [LOOP_MISSES] = "latency",    [LOOP_BRANCHES] = "branches"};
    const struct verdict_waits *waits = &verdict->waits;
    if (verdict->loop.binds) {
        const struct loop_part *part = &verdict->loop.part[verdict->loop.longest];
        return PARTS[part->kind] ? PARTS[part->kind] : part->name;
    }
    const bool elsewhere = waits->for_cpu || waits->for_mpi || waits->for_kernel;
    if (verdict->why == VERDICT_WAITS && (elsewhere || verdict->basis == VERDICT_BY_LINKS))
        return verdict_waits_for(verdict);
    return verdict_limit_known(verdict) ? verdict_ratio_of(verdict) : "";
}

const char *verdict_bound_cell(const struct verdict *verdict) {
    const struct loop_account *loop = &verdict->loop;
    const char *by = loop->binds ? loop->part[loop->longest].name : verdict_bound_by(verdict);
    return *by || !verdict->known ? by : "unknown";
}

const char *verdict_work_cell(const struct verdict *verdict) {
    const char *by = verdict_bound_cell(verdict);
    if (*by || !verdict->bytes_roof)
        return by;
    return verdict->nearest || verdict->why == VERDICT_WAITS ? "unknown" : verdict->bytes_roof->sample->level;
}

/* "82 %"; "≤ 22 % of DRAM" if the level is unknown; "2 % of compute" if that does not limit it. */
const char *verdict_reached_cell(const struct verdict *verdict, char *out, size_t size) {
    const double ratio = verdict->known ? verdict->ratio : verdict->bytes_ratio;
    const bool limits = verdict->why != VERDICT_WAITS && !verdict->nearest;
    out[0] = '\0';
    if (verdict->known || verdict->bytes_roof)
        snprintf(out, size, "%s%.0f %%%s%s", verdict->nearest ? "≤ " : "",
                 100 * (verdict->nearest ? at_most(ratio) : ratio), limits ? "" : " of ",
                 limits ? "" : verdict_ratio_of(verdict));
    return out;
}

const char *verdict_ratio_cell(double ratio, char *out, size_t size) {
    snprintf(out, size, "%.0f %%", 100 * ratio);
    return out;
}

const char *verdict_next_cell(const struct verdict *verdict, char *out, size_t size) {
    char times[RATE_BYTES];
    out[0] = '\0';
    if (verdict->next)
        snprintf(
            out, size, "%s ×%s", verdict_words_name_of(verdict->next),
            units_number_digits(times, sizeof times, verdict->next_flop_per_s / verdict->attainable_flop_per_s, 2));
    return out;
}

const char *verdict_gain_cell(const struct verdict *verdict, const struct app_point *point, char *out, size_t size) {
    char times[RATE_BYTES];
    out[0] = '\0';
    if (verdict->next)
        snprintf(out, size, "%s, %s×", verdict_words_name_of(verdict->next),
                 units_number_digits(times, sizeof times, verdict->next_flop_per_s / app_flop_per_s(point), 2));
    return out;
}

const char *verdict_zone(const struct verdict *verdict) {
    return !verdict->known                 ? ""
           : verdict->why == VERDICT_WAITS ? "waits"
           : verdict->nearest              ? "level not known"
           : verdict->bandwidth            ? "memory-bound"
                                           : "compute-bound";
}

const char *verdict_bound_line(const struct verdict *verdict, char *out, size_t size) {
    char rate[RATE_BYTES], needed[LOOP_CYCLES_BYTES], measured[RATE_BYTES];
    const struct loop_account *loop = &verdict->loop;
    out[0] = '\0';
    if (loop->binds)
        snprintf(out, size, "%s: %s of %s cycles", loop->part[loop->longest].name,
                 loop_cycles_words(&loop->part[loop->longest], 2, needed),
                 units_number_digits(measured, sizeof measured, loop->measured_cycles, 2));
    if (loop->binds || !verdict->known)
        return out;
    units_si(rate, sizeof rate, verdict->attainable_flop_per_s, "flop/s");
    if (verdict_limit_known(verdict))
        snprintf(out, size, "%s, %.0f %% of %s", verdict_ratio_of(verdict), 100 * verdict->ratio, rate);
    else
        snprintf(out, size, "%s%.0f %% of %s (%s)", verdict->nearest ? "at most " : "",
                 100 * (verdict->nearest ? at_most(verdict->ratio) : verdict->ratio), rate, verdict_ratio_of(verdict));
    return out;
}

const char *verdict_next_line(const struct verdict *verdict, char *out, size_t size) {
    char rate[RATE_BYTES];
    out[0] = '\0';
    if (verdict->next)
        snprintf(out, size, "%s allows %s", verdict_words_name_of(verdict->next),
                 units_si(rate, sizeof rate, verdict->next_flop_per_s, "flop/s"));
    return out;
}

const char *verdict_mark(const struct verdict *verdict, const char *by, double ratio, bool unseen, char *out,
                         size_t size) {
    const int digits = ratio < 0.1 ? 1 : 0;
    if (!verdict->known)
        snprintf(out, size, "not judged");
    else if (unseen)
        snprintf(out, size, "≤ %.*f %% of %s", digits, 100 * at_most(ratio), by);
    else
        snprintf(out, size, "%s %.*f %%", by, digits, 100 * ratio);
    return out;
}
