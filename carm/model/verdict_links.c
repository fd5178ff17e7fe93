/* SPDX-License-Identifier: BSD-3-Clause
 * Verdicts by links (see verdict_links.h). */
#include "verdict_links.h"
#include "verdict_thresholds.h"

#include <math.h>
#include <string.h>

#include "bench/caches/access.h"

static const struct verdict_thresholds *const THRESHOLD = &verdict_thresholds;

/* One access after the other, with nothing else going on. */
static const struct roof *latency_of(const struct model *model, const char *level) {
    const struct model_view one = {.threads = 1};
    for (size_t i = 0; i < model->count; i++) {
        const struct roof *roof = &model->roofs[i];
        const struct sample *sample = roof->sample;
        if (sample->kind == SAMPLE_LATENCY && !sample->small_pages && strcmp(sample->level, level) == 0 &&
            model_in_view(roof, &one) && !roof->cell)
            return roof;
    }
    return NULL;
}

/* Lines that random accesses, none of which waits for another, have on their way at a time on each thread. */
static double most_at_a_time(const struct applicable_roofs *applicable, const struct roof *latency) {
    for (size_t i = 0; i < applicable->model->count; i++) {
        const struct roof *roof = &applicable->model->roofs[i];
        const struct sample *sample = roof->sample;
        if (strcmp(roof->op, "random") == 0 && !sample->small_pages && sample->threads > 0 &&
            strcmp(sample->level, latency->sample->level) == 0 && model_in_view(roof, &applicable->view))
            return sample->value / HIERARCHY_LINE_BYTES * latency->sample->value / sample->threads;
    }
    return 0;
}

/* Lines that were fetched over a link. */
static double fetched_lines(const struct point_levels *levels, unsigned link) {
    const struct point_link *moved = &levels->link[link];
    return link < levels->links ? (moved->load_bytes + moved->allocate_bytes) / HIERARCHY_LINE_BYTES : 0;
}

/* A level delivers what is fetched from it and does not come from further out. What the core finds in L1 is no wait. */
static void find_latency(struct verdict_waits *waits, const struct link_times *times, const struct model *model,
                         const struct app_point *point) {
    const double threads = fmax(1, app_point_at_a_time(point));
    double longest_s = 0;
    waits->latency_known = true;
    for (unsigned i = 1; i < times->count; i++) {
        const double lines = fetched_lines(&point->levels, i) - fetched_lines(&point->levels, i + 1);
        const struct roof *latency = latency_of(model, times->link[i].level);
        const double level_s = lines > 0 && latency ? lines * latency->sample->value / threads : 0;
        waits->latency_known &= latency || !(lines > 0);
        waits->serial_s += level_s;
        if (level_s > longest_s) {
            longest_s = level_s;
            waits->latency = latency;
            waits->lines = lines;
        }
    }
    waits->for_latency = waits->latency_known && waits->serial_s >= THRESHOLD->one_by_one.value * point->seconds.median;
}

static void find_pace(struct verdict_waits *waits, const struct verdict *verdict, const struct app_point *point) {
    const struct roof *roof = verdict->ceiling ? verdict->ceiling : verdict->bytes_roof;
    waits->clock_assumed = !(point->clock_hz > 0);
    waits->clock_hz = !waits->clock_assumed ? point->clock_hz : roof ? roof->sample->clock_hz : 0;
    if (point->has_count && waits->clock_hz > 0)
        waits->instructions_per_cycle = (double)point->count.instructions /
                                        (point->seconds.median * waits->clock_hz * fmax(1, app_point_at_a_time(point)));
}

/* Once what binds is out of the way the next longest does; of who is at the ceiling of narrow code, wide code. */
static void find_next(struct verdict *verdict, const struct app_point *point) {
    const struct link_times *times = &verdict->times;
    const double second_s = link_times_seconds(times, times->second),
                 allowed = second_s > 0 ? point->flop.median / second_s : 0;
    const struct roof *next = link_times_roof(times, times->second);
    double next_flop_per_s = allowed;
    if (!verdict->bandwidth) {
        const double peak = verdict->peak->sample->value;
        const bool limited = next && allowed < peak;
        next_flop_per_s = limited ? allowed : peak;
        next = verdict->peak == verdict->ceiling ? NULL : limited ? next : verdict->peak;
    }
    if (!next || !(next_flop_per_s > verdict->attainable_flop_per_s * THRESHOLD->higher.value))
        return;
    verdict->next = next;
    verdict->next_flop_per_s = next_flop_per_s;
    verdict->next_counts =
        verdict->bandwidth && verdict->ratio >= THRESHOLD->reaches.value && verdict->ratio <= THRESHOLD->near.value;
}

/* What is done in the kernel or in MPI is in no count: once it is left out, a roof may bind the rest. */
static bool explains(double share, double ratio) {
    return share >= THRESHOLD->kernel.value &&
           (share >= THRESHOLD->one_by_one.value || ratio >= THRESHOLD->far.value * (1 - share));
}

void verdict_find_elsewhere(struct verdict *verdict, const struct app_point *point) {
    struct verdict_waits *waits = &verdict->waits;
    const double ratio = verdict->known ? verdict->ratio : verdict->bytes_ratio;
    waits->for_cpu = verdict->idle_share >= THRESHOLD->one_by_one.value;
    if (waits->for_cpu)
        verdict->why = VERDICT_WAITS;
    if (verdict->why != VERDICT_WAITS && !verdict->bytes_roof && !verdict->scarce_flop)
        return;
    if (verdict->idle_share + verdict->kernel_share < THRESHOLD->kernel.value) /* else most is not of its code */
        find_pace(waits, verdict, point);
    if (verdict->why != VERDICT_WAITS)
        return;
    waits->for_mpi = !waits->for_cpu && point->mpi_seconds.n > 0 &&
                     explains(point->mpi_seconds.median / point->seconds.median, ratio);
    waits->for_kernel =
        !waits->for_cpu && !waits->for_mpi && point->part == APP_PROGRAM && explains(verdict->kernel_share, ratio);
}

void verdict_find_waits(struct verdict *verdict, const struct applicable_roofs *applicable,
                        const struct app_point *point) {
    struct verdict_waits *waits = &verdict->waits;
    find_latency(waits, &verdict->times, applicable->model, point);
    if (waits->latency)
        waits->most_at_a_time = most_at_a_time(applicable, waits->latency);
}

bool verdict_judge_links(struct verdict *verdict, const struct applicable_roofs *applicable,
                         const struct app_point *point) {
    const struct link_times *times = &verdict->times;
    const struct roof *own = applicable_own_peak(applicable);
    verdict->peak = applicable_peak(applicable);
    verdict->own_peak = own ? own : verdict->peak;
    verdict->ceiling = times->ceiling;
    verdict->bandwidth = times->longest >= 0 ? times->link[times->longest].roof : NULL;
    verdict->ratio = link_times_share(times, times->longest);
    verdict->attainable_flop_per_s = app_flop_per_s(point) / verdict->ratio;
    verdict->why = verdict->ratio > THRESHOLD->near.value                              ? VERDICT_ABOVE_ALL
                   : verdict->ratio < THRESHOLD->far.value * (1 - verdict->idle_share) ? VERDICT_WAITS
                                                                                       : VERDICT_ROOF_BINDS;
    find_next(verdict, point);
    if (verdict->why == VERDICT_WAITS)
        verdict_find_waits(verdict, applicable, point);
    return true;
}
