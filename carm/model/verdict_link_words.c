/* SPDX-License-Identifier: BSD-3-Clause
 * Verdicts by links in words (see verdict_speech.h). */
#include "verdict_speech.h"

#include "render/page/units.h"

/* "bound by L2 ⇄ L3: 71 % of its time at that roof (avx2.load moves 76 GB/s of such traffic)" */
static void say_link(const struct speech *speech) {
    char rate[RATE_BYTES], share[RATE_BYTES];
    const struct verdict *verdict = speech->verdict;
    const struct link_time *link = &verdict->times.link[verdict->times.longest];
    verdict_say(speech, "bound by %s: %s of its time at that roof (%s: %s)", link->name,
                verdict_percent(verdict->ratio, share), link->roof->sample->kernel,
                units_si(rate, sizeof rate, link->allowed_bytes_per_s, "B/s"));
}

/* What the longest of them needs, where it is far from the whole time. */
static void say_longest(const struct speech *speech) {
    char share[RATE_BYTES];
    const struct verdict *verdict = speech->verdict;
    const int longest = verdict->times.longest;
    const bool least = verdict_is_least(verdict->ratio);
    verdict_say(speech, "no link and no ceiling needs %s%s of its time (%s)", least ? "" : "more than ",
                least ? "0.1 %" : verdict_percent(verdict->ratio, share),
                longest >= 0 ? verdict->times.link[longest].name : verdict->ceiling->sample->kernel);
}

/* Its lines' latencies against its time. */
static void say_lines(const struct speech *speech) {
    char lines[RATE_BYTES], each[RATE_BYTES], all[RATE_BYTES], number[RATE_BYTES];
    const struct verdict_waits *waits = &speech->verdict->waits;
    const double seconds = speech->point->seconds.median;
    if (waits->latency && waits->for_latency) {
        verdict_say(
            speech,
            ". Its lines, %s of them from %s at %s each, would take %s one after the other: %s are on their way at a "
            "time",
            units_si(lines, sizeof lines, waits->lines, ""), waits->latency->sample->level,
            units_seconds(each, sizeof each, waits->latency->sample->value),
            units_seconds(all, sizeof all, waits->serial_s),
            units_number_digits(number, sizeof number, waits->serial_s / seconds, 2));
        if (waits->most_at_a_time > 0)
            verdict_say(speech, "; random lines that do not wait for each other get %s",
                        units_number_digits(number, sizeof number, waits->most_at_a_time, 2));
    } else if (waits->latency_known)
        verdict_say(
            speech,
            ". Lines from beyond L1 come to %s of its time, even one after the other: it waits for results of its own "
            "instructions, for branches, or for what is not in these: page walks, and the kernel; or it has "
            "that much else to execute",
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
        if (!verdict->waits.for_kernel) /* said already */
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
