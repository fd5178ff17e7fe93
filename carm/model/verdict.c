/* SPDX-License-Identifier: BSD-3-Clause
 * Verdicts (see verdict.h): which of the fitting roofs binds a program. */
#include "verdict.h"
#include "applicable_roofs.h"
#include "memory_model.h"
#include "model_thresholds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/kernels/doubt.h"
#include "bench/kernels/levels.h"
#include "carm/store/results.h"

/* Verdicts from simulated traffic between caches. */

static const struct verdict_thresholds *const LINK_THRESHOLD = &verdict_thresholds;

/* The latency of dependent accesses by an otherwise idle core. */
static const struct roof *verdict_latency_of(const struct model *model, const char *level) {
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

/* Lines that independent random accesses of one thread have in flight at a time. */
static double most_at_a_time(const struct applicable_roofs *applicable, const struct roof *latency) {
    for (size_t i = 0; i < applicable->model->count; i++) {
        const struct roof *roof = &applicable->model->roofs[i];
        const struct sample *sample = roof->sample;
        if (model_is_random(roof) && !sample->small_pages && sample->threads > 0 &&
            strcmp(sample->level, latency->sample->level) == 0 && model_in_view(roof, &applicable->view))
            return sample->value / machine_line_bytes(&applicable->model->result->machine) * latency->sample->value /
                   sample->threads;
    }
    return 0;
}

/* Lines fetched over a link. */
static double fetched_lines(const struct point_levels *levels, unsigned link) {
    const struct point_link *moved = &levels->link[link];
    return link < levels->links ? (moved->load_bytes + moved->allocate_bytes) / HIERARCHY_LINE_BYTES : 0;
}

/* A level delivers the lines that are fetched from it but not from further out. L1 hits cause no wait. */
static void find_latency(struct verdict_waits *waits, const struct link_times *times, const struct model *model,
                         const struct app_point *point) {
    const double threads = fmax(1, app_point_at_a_time(point));
    const struct roof *memory =
        times->count > 1 ? verdict_latency_of(model, times->link[times->count - 1].level) : NULL;
    double longest_s = 0;
    waits->latency_known = true;
    for (unsigned i = 1; i < times->count; i++) {
        const double lines = fetched_lines(&point->levels, i) - fetched_lines(&point->levels, i + 1);
        const struct roof *latency = verdict_latency_of(model, times->link[i].level);
        const double level_s = lines > 0 && latency ? lines * latency->sample->value / threads : 0;
        waits->latency_known &= latency || !(lines > 0);
        waits->serial_s += level_s;
        waits->shared_s +=
            i + 2 == times->count && lines > 0 && memory ? lines * memory->sample->value / threads : level_s;
        if (level_s > longest_s) {
            longest_s = level_s;
            waits->latency = latency;
            waits->lines = lines;
        }
    }
}

static void find_pace(struct verdict_waits *waits, const struct verdict *verdict, const struct app_point *point) {
    const struct roof *roof = verdict->ceiling ? verdict->ceiling : verdict->bytes_roof;
    waits->clock_assumed = !(point->clock_hz > 0);
    waits->clock_hz = !waits->clock_assumed ? point->clock_hz : roof ? roof->sample->clock_hz : 0;
    if (point->has_count && waits->clock_hz > 0)
        waits->instructions_per_cycle = (double)point->count.instructions /
                                        (point->seconds.median * waits->clock_hz * fmax(1, app_point_at_a_time(point)));
    waits->for_instructions = waits->instructions_per_cycle >= LINK_THRESHOLD->many_per_cycle.value;
}

/* Without the binding link the next longest binds; at the ceiling of narrow code, wider code. */
static void find_next_link(struct verdict *verdict, const struct app_point *point) {
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
    if (!next || !(next_flop_per_s > verdict->attainable_flop_per_s * LINK_THRESHOLD->higher.value))
        return;
    verdict->next = next;
    verdict->next_flop_per_s = next_flop_per_s;
    verdict->next_counts = verdict->bandwidth && verdict->ratio >= LINK_THRESHOLD->reaches.value &&
                           verdict->ratio <= LINK_THRESHOLD->near.value;
}

/* Counts exclude the kernel and MPI: a roof may bind the rest of the time. */
static bool explains(double share, double ratio) {
    return share >= LINK_THRESHOLD->kernel.value &&
           (share >= LINK_THRESHOLD->one_by_one.value || ratio >= LINK_THRESHOLD->far.value * (1 - share));
}

/* For any point: whether the program waits outside of its own code, and its instructions per cycle. */
static void verdict_find_elsewhere(struct verdict *verdict, const struct app_point *point) {
    struct verdict_waits *waits = &verdict->waits;
    const double ratio = verdict->known ? verdict->ratio : verdict->bytes_ratio;
    waits->for_cpu = verdict->idle_share >= LINK_THRESHOLD->one_by_one.value;
    if (waits->for_cpu)
        verdict->why = VERDICT_WAITS;
    if (verdict->why != VERDICT_WAITS && !verdict->bytes_roof && !verdict->scarce_flop)
        return;
    if (verdict->idle_share + verdict->kernel_share <
        LINK_THRESHOLD->kernel.value) /* else most of the time is not its code's */
        find_pace(waits, verdict, point);
    if (verdict->why != VERDICT_WAITS)
        return;
    waits->for_mpi = !waits->for_cpu && point->mpi_seconds.n > 0 &&
                     explains(point->mpi_seconds.median / point->seconds.median, ratio);
    waits->for_kernel =
        !waits->for_cpu && !waits->for_mpi && app_point_is_whole(point) && explains(verdict->kernel_share, ratio);
}

/* Lines of a level that parallel pointer chases in one core had in flight; 0: not measured. */
static double most_lines(const struct model *model, const struct roof *latency) {
    struct parallel_curve curve;
    const struct memory_series *chases = memory_parallel_series(model->result, latency->sample->level);
    return chases && memory_parallel(chases, machine_line_bytes(&model->result->machine), &curve) ? curve.lines : 0;
}

/* Whether it waits for the latencies of its lines; also without flop. */
static void verdict_find_waits(struct verdict *verdict, const struct applicable_roofs *applicable,
                               const struct app_point *point) {
    struct verdict_waits *waits = &verdict->waits;
    find_latency(waits, &verdict->times, applicable->model, point);
    if (!waits->latency)
        return;
    waits->most_at_a_time = most_at_a_time(applicable, waits->latency);
    waits->most_lines = most_lines(applicable->model, waits->latency);
    const double in_flight = waits->serial_s / point->seconds.median;
    waits->fetches_much = waits->latency_known && in_flight >= LINK_THRESHOLD->one_by_one.value;
    waits->may_be_latency = waits->fetches_much && !(waits->most_at_a_time > 0 && in_flight > waits->most_at_a_time);
}

static void find_loop(struct verdict *verdict, const struct model *model, const struct app_point *point) {
    struct verdict_waits waits = {0};
    const struct roof *roof = verdict->ceiling ? verdict->ceiling : verdict->bytes_roof;
    if (!roof && model->count > 0)
        roof = &model->roofs[0];
    if (point->in_core.known)
        find_latency(&waits, &verdict->times, model, point);
    const struct loop_lines lines = {waits.latency_known ? waits.serial_s : (double)NAN, waits.shared_s,
                                     waits.latency_known && waits.latency ? most_lines(model, waits.latency) : 0};
    verdict->loop = loop_account_find(point, &verdict->times, roof, &lines);
}

static void verdict_add_loop(struct verdict_waits *waits, const struct loop_account *account, double share) {
    waits->loops_known |= account->count > 0;
    waits->own_share += loop_account_computes(account) ? share : 0;
    waits->lines_share += loop_account_fetches(account) ? share : 0;
}

/* The same traffic is that of a pointer chase and of a stream with a division for each element: what a program waits
 * for is what the accounts of its loops say. */
static void ask_loops(struct verdict *verdict, const struct model *model, const struct app_point *point) {
    struct verdict_waits *waits = &verdict->waits;
    const struct result *result = model->result;
    if (verdict->why != VERDICT_WAITS || verdict->times.longest == LINK_TIMES_NONE)
        return;
    verdict_add_loop(waits, &verdict->loop, 1);
    for (size_t i = 0; point->part == APP_PROGRAM && i < result->point_count; i++) {
        const struct app_point *loop = &result->points[i];
        if (loop->part != APP_LOOP || strcmp(loop->program, point->program) != 0 ||
            strcmp(loop->command, point->command) != 0)
            continue;
        const struct verdict of_loop = verdict_find(model, loop);
        verdict_add_loop(waits, &of_loop.loop, loop->time_share);
    }
    waits->for_latency = waits->may_be_latency && verdict->kernel_share < LINK_THRESHOLD->kernel.value &&
                         waits->lines_share >= LINK_THRESHOLD->one_by_one.value;
    waits->for_instructions |= waits->own_share >= LINK_THRESHOLD->one_by_one.value;
}

/* Judges by `verdict->times`, which has a longest member. The point has a time and flop. Returns true. */
static bool verdict_judge_links(struct verdict *verdict, const struct applicable_roofs *applicable,
                                const struct app_point *point) {
    const struct link_times *times = &verdict->times;
    const struct roof *own = applicable_own_peak(applicable);
    verdict->peak = applicable_peak(applicable);
    verdict->own_peak = own ? own : verdict->peak;
    verdict->ceiling = times->ceiling;
    verdict->bandwidth = times->longest >= 0 ? times->link[times->longest].roof : NULL;
    verdict->ratio = link_times_share(times, times->longest);
    verdict->attainable_flop_per_s = app_flop_per_s(point) / verdict->ratio;
    verdict->why = verdict->ratio > LINK_THRESHOLD->near.value                              ? VERDICT_ABOVE_ALL
                   : verdict->ratio < LINK_THRESHOLD->far.value * (1 - verdict->idle_share) ? VERDICT_WAITS
                                                                                            : VERDICT_ROOF_BINDS;
    find_next_link(verdict, point);
    if (verdict->why == VERDICT_WAITS)
        verdict_find_waits(verdict, applicable, point);
    return true;
}

static const struct verdict_thresholds *const THRESHOLD = &verdict_thresholds;

static double attainable(const struct applicable_roofs *applicable, const struct roof *ceiling,
                         const struct roof *level, double intensity) {
    return model_attainable(ceiling, applicable_bytes_per_s(applicable, level), intensity);
}

/* The slowest level that still allows this rate; NULL: none does. If the level next to the core allows hardly more than
 * that level, or than is reached, it binds wherever the data are: narrow code is bound by its loads. */
static const struct roof *binding_level(const struct applicable_roofs *applicable, double bytes_per_s, bool any_width) {
    const struct levels levels = model_levels(applicable->model, &applicable->view);
    const struct roof *slowest = NULL;
    for (unsigned i = 0; i < levels.count; i++) {
        const struct roof *roof = applicable_pattern(applicable, levels.level[i].name, any_width);
        if (roof && roof->sample->value * THRESHOLD->near.value >= bytes_per_s &&
            (!slowest || roof->sample->value <= slowest->sample->value))
            slowest = roof;
    }
    const struct roof *core = slowest ? applicable_pattern(applicable, applicable->core, any_width) : NULL;
    return core && core->sample->value <= fmax(slowest->sample->value, bytes_per_s) * THRESHOLD->higher.value ? core
                                                                                                              : slowest;
}

static const struct roof *fastest_level(const struct applicable_roofs *applicable) {
    const struct levels levels = model_levels(applicable->model, &applicable->view);
    const struct roof *fastest = NULL;
    for (unsigned i = 0; i < levels.count; i++) {
        const struct roof *roof = applicable_pattern(applicable, levels.level[i].name, true);
        if (roof && (!fastest || roof->sample->value > fastest->sample->value))
            fastest = roof;
    }
    return fastest;
}

/* The next roof: a faster level, up to the ceiling; or the highest ceiling for wider code. */
static void find_next(struct verdict *verdict, const struct applicable_roofs *applicable, const struct roof *level,
                      double intensity) {
    const struct levels levels = model_levels(applicable->model, &applicable->view);
    const double least = verdict->attainable_flop_per_s * THRESHOLD->higher.value;
    if (!verdict->bandwidth) {
        const double higher = attainable(applicable, verdict->peak, level, intensity);
        verdict->next = higher > least ? verdict->peak : NULL;
        verdict->next_flop_per_s = verdict->next ? higher : 0;
        return;
    }
    for (unsigned i = 0; i < levels.count; i++) {
        const struct roof *roof = applicable_pattern(applicable, levels.level[i].name, false);
        const double higher = roof ? attainable(applicable, verdict->ceiling, roof, intensity) : 0;
        if (higher > least && (!verdict->next || higher < verdict->next_flop_per_s)) {
            verdict->next = higher < verdict->ceiling->sample->value ? roof : verdict->ceiling;
            verdict->next_flop_per_s = higher;
        }
    }
}

/* Whether a memory-bound program is near enough to its roof for the next one to matter. */
static bool next_counts(const struct verdict *verdict) {
    return verdict->next && verdict->bandwidth && verdict->ratio >= THRESHOLD->reaches.value &&
           !verdict_is_above(verdict);
}

/* Measured memory traffic is stronger evidence than the bytes that the core requests. */
static void judge_traffic(struct verdict *verdict, const struct applicable_roofs *applicable,
                          const struct app_point *point) {
    double bytes = app_dram_bytes(point), write_share = bytes > 0 ? point->dram_write_bytes.median / bytes : 0;
    if (point->dram_source == SOURCE_UNKNOWN)
        return;
    verdict->dram_pattern = applicable_traffic(applicable, applicable->memory, write_share);
    if (!verdict->dram_pattern)
        return;
    verdict->dram_ratio = bytes / point->seconds.median / applicable_traffic_bytes_per_s(verdict->dram_pattern);
    verdict->memory = verdict->dram_ratio >= THRESHOLD->memory_binds.value ? VERDICT_MEMORY_BINDS
                      : verdict->dram_ratio < THRESHOLD->far.value         ? VERDICT_MEMORY_BINDS_NOT
                                                                           : VERDICT_MEMORY_UNSURE;
}

static enum verdict_why why_above(double ratio, bool at_home) {
    const bool above = ratio > (at_home ? THRESHOLD->near_home.value : THRESHOLD->near.value);
    return !above ? VERDICT_ROOF_BINDS : at_home ? VERDICT_ABOVE_HOME : VERDICT_ABOVE_ALL;
}

/* The share of a program's time in its own code. */
static double own_share(const struct verdict *verdict, const struct app_point *point) {
    return app_point_is_whole(point) ? fmax(0, 1 - verdict->idle_share - verdict->kernel_share) : 1;
}

static void find_why(struct verdict *verdict, const struct app_point *point, bool at_home) {
    verdict->why = why_above(verdict->ratio, at_home);
    if (verdict->ratio < THRESHOLD->far.value * own_share(verdict, point) && verdict->memory != VERDICT_MEMORY_BINDS)
        verdict->why = VERDICT_WAITS;
}

static double own_traffic_bytes_per_s(const struct applicable_roofs *applicable, const struct roof *roof) {
    const double allowed = applicable_bytes_per_s(applicable, roof);
    return fabs(allowed / roof->sample->value - 1) > THRESHOLD->own_traffic.value ? allowed : 0;
}

/* The next best pattern with the same mix, if it is clearly slower and still sufficient. */
static const struct roof *same_mix(const struct applicable_roofs *applicable, const struct roof *roof,
                                   double bytes_per_s) {
    const struct roof *other = isnan(applicable->store_share) ? NULL : applicable_other_pattern(applicable, roof);
    return other && other->sample->value * THRESHOLD->near.value < roof->sample->value &&
                   bytes_per_s <= other->sample->value * THRESHOLD->near.value
               ? other
               : NULL;
}

/* If several levels can serve the data, only an upper bound is known: the share of the slowest level's roof. */
static void find_nearest(struct verdict *verdict, const struct applicable_roofs *applicable, const struct roof *level,
                         double bytes_per_s) {
    const struct roof *nearest = applicable_pattern(applicable, applicable->core, false);
    if (nearest && bytes_per_s > nearest->sample->value * THRESHOLD->near.value)
        nearest = applicable_pattern(applicable, applicable->core, true);
    const bool binds = verdict->memory == VERDICT_MEMORY_BINDS && strcmp(level->sample->level, applicable->memory) == 0;
    if (nearest && strcmp(level->sample->level, nearest->sample->level) != 0 && !binds)
        verdict->nearest = nearest;
}

/* By simulated traffic. Far below its roof and without arithmetic, it waits. */
static void judge_bytes_of_links(struct verdict *verdict, const struct applicable_roofs *applicable,
                                 const struct app_point *point) {
    verdict->bytes_roof = verdict->times.link[verdict->times.longest].roof;
    verdict->bytes_ratio = verdict->times.link[verdict->times.longest].share;
    const bool far = verdict->basis == VERDICT_NO_FLOP && verdict->bytes_ratio < THRESHOLD->far.value;
    verdict->why = far ? VERDICT_WAITS : why_above(verdict->bytes_ratio, false);
    if (verdict->why == VERDICT_WAITS)
        verdict_find_waits(verdict, applicable, point);
}

/* Without flop there is no place on the roofline, but bytes per second can be compared with bandwidths. */
static void judge_bytes(struct verdict *verdict, const struct applicable_roofs *applicable,
                        const struct app_point *point) {
    if (verdict->times.longest >= 0 && point->seconds.median > 0) {
        judge_bytes_of_links(verdict, applicable, point);
        return;
    }
    double bytes_per_s = app_core_bytes(point) / point->seconds.median;
    const struct roof *home = bytes_per_s > 0 ? applicable_home(applicable, point) : NULL,
                      *roof = home || !(bytes_per_s > 0) ? home : binding_level(applicable, bytes_per_s, false);
    if (!roof && bytes_per_s > 0) /* other loads than those of its roofs */
        roof = binding_level(applicable, bytes_per_s, true);
    if (!roof)
        return;
    verdict->bytes_roof = roof;
    verdict->bytes_ratio = bytes_per_s / applicable_bytes_per_s(applicable, roof);
    verdict->own_traffic_bytes_per_s = own_traffic_bytes_per_s(applicable, roof);
    const bool far = verdict->bytes_ratio < THRESHOLD->far.value * own_share(verdict, point);
    verdict->why = far ? VERDICT_WAITS : why_above(verdict->bytes_ratio, home != NULL);
    if (!home)
        find_nearest(verdict, applicable, roof, bytes_per_s);
}

/* The bytes that place it on the roofline, or why there are none. */
static enum verdict_basis basis_of(const struct app_point *point, bool links) {
    uint64_t operations = 0;
    for (enum count_type type = COUNT_I8; point->has_count && type <= COUNT_I16; type++)
        for (unsigned width = 0; width < COUNT_WIDTHS; width++)
            operations += point->count.flop[type][width];
    return !(point->seconds.median > 0)            ? VERDICT_NO_TIME
           : point->flop_source == SOURCE_UNKNOWN  ? VERDICT_FLOP_UNKNOWN
           : !(point->flop.median > 0)             ? operations > 0 ? VERDICT_INTEGERS : VERDICT_NO_FLOP
           : links                                 ? VERDICT_BY_LINKS
           : point->bytes_source != SOURCE_UNKNOWN ? VERDICT_BY_CORE_BYTES
           : point->dram_source != SOURCE_UNKNOWN  ? VERDICT_BY_DRAM_BYTES
                                                   : VERDICT_BYTES_UNKNOWN;
}

/* The slowest level that allows the rate; NULL: there are no levels. */
static const struct roof *verdict_find_level(const struct applicable_roofs *applicable, double bytes_per_s) {
    const struct roof *level = binding_level(applicable, bytes_per_s, false);
    if (!level) /* its loads may be wider than its arithmetic */
        level = binding_level(applicable, bytes_per_s, true);
    return level ? level : fastest_level(applicable);
}

static void verdict_find_ceiling(struct verdict *verdict, const struct applicable_roofs *applicable,
                                 double flop_per_s) {
    const struct roof *own = applicable_own_peak(applicable);
    verdict->peak = applicable_peak(applicable);
    verdict->own_peak = own ? own : verdict->peak;
    verdict->ceiling = applicable_ceiling(applicable, flop_per_s);
}

/* The lower of the level's line, at this intensity, and the ceiling. */
static void find_bound(struct verdict *verdict, const struct roof *level, double attainable_flop_per_s,
                       double reached_flop_per_s) {
    const double ceiling_flop_per_s = verdict->ceiling->sample->value;
    verdict->bandwidth = attainable_flop_per_s < ceiling_flop_per_s ? level : NULL;
    verdict->attainable_flop_per_s = verdict->bandwidth ? attainable_flop_per_s : ceiling_flop_per_s;
    verdict->ratio = reached_flop_per_s / verdict->attainable_flop_per_s;
}

/* With memory traffic only, the original roofline judges it. */
static bool judge_by_dram_bytes(struct verdict *verdict, const struct applicable_roofs *applicable,
                                const struct app_point *point) {
    const double reached = app_flop_per_s(point), intensity = app_flop_per_dram_byte(point);
    judge_traffic(verdict, applicable, point);
    const struct roof *roof = verdict->dram_pattern;
    if (!roof)
        return false;
    verdict_find_ceiling(verdict, applicable, reached);
    find_bound(verdict, roof, intensity * applicable_traffic_bytes_per_s(roof), reached);
    if (verdict->bandwidth &&
        verdict->ceiling->sample->value > verdict->attainable_flop_per_s * THRESHOLD->higher.value) {
        verdict->next = verdict->ceiling;
        verdict->next_flop_per_s = verdict->ceiling->sample->value;
    }
    find_why(verdict, point, false);
    return true;
}

static bool judge_by_core_bytes(struct verdict *verdict, const struct applicable_roofs *applicable,
                                const struct app_point *point) {
    const double reached = app_flop_per_s(point), bytes_per_s = app_core_bytes(point) / point->seconds.median;
    const double intensity = app_core_bytes(point) > 0 ? app_flop_per_byte(point) : INFINITY; /* in registers only */
    const struct roof *home = applicable_home(applicable, point),
                      *level = home ? home : verdict_find_level(applicable, bytes_per_s);
    if (!level)
        return false;
    verdict_find_ceiling(verdict, applicable, reached);
    find_bound(verdict, level, attainable(applicable, verdict->ceiling, level, intensity), reached);
    find_next(verdict, applicable, level, intensity);
    judge_traffic(verdict, applicable, point);
    find_why(verdict, point, home != NULL);
    if (verdict->bandwidth && !home)
        find_nearest(verdict, applicable, level, bytes_per_s);
    if (verdict->nearest) /* the serving level is unknown, and so is the gain from a nearer one */
        verdict->next = NULL;
    verdict->next_counts = next_counts(verdict);
    if (verdict->bandwidth) {
        verdict->own_traffic_bytes_per_s = own_traffic_bytes_per_s(applicable, level);
        verdict->same_mix = same_mix(applicable, level, bytes_per_s);
    }
    return true;
}

/* Share of the time of its threads, or of its processes if several ran at a time. */
static double kernel_share(const struct app_point *point) {
    const double cpu_s = point->cpu_seconds.median,
                 threads_s = point->seconds.median * fmax(1, app_point_at_a_time(point)),
                 all_s = app_point_is_whole(point) ? fmax(cpu_s, threads_s) : cpu_s;
    return point->kernel_seconds.median >= THRESHOLD->ticks_s.value ? point->kernel_seconds.median / all_s : 0;
}

/* How many threads worked at a time. If fewer existed on average: that number. */
static double existing_threads(const struct app_point *point) {
    const double at_work = fmax(1, app_point_at_a_time(point));
    if (point->part != APP_PROGRAM || point->waits.samples < WAITS_LEAST_SAMPLES)
        return at_work;
    return fmin(at_work, fmax(1, waits_sum_s(&point->waits) / point->seconds.median));
}

/* For a program without ranks; ranks wait for each other in MPI. A thread that does not exist yet does not wait. */
static void find_idle(struct verdict *verdict, const struct app_point *point) {
    const double threads = verdict->existing_threads, at_work = fmax(1, app_point_at_a_time(point)),
                 ran_s = (point->seconds.median - point->idle_seconds.median) * at_work / threads,
                 idle_s = point->seconds.median - ran_s, share = idle_s / point->seconds.median;
    if (!app_point_is_whole(point) || point->ranks > 0 || !(idle_s >= THRESHOLD->ticks_s.value) ||
        !(share >= THRESHOLD->kernel.value))
        return;
    verdict->idle_share = fmin(1, share);
    verdict->delayed = point->delay_seconds.median >= THRESHOLD->one_by_one.value * idle_s;
}

/* The causes of the time without a CPU. Threads that wait for other threads or processes of the program may do so
 * because these wait for something else; or they have nothing to do. So such waits only explain what no other wait
 * does. Pipes are among them: standard input is a file in each run, so the other end is usually the program's. */
static void find_causes(struct verdict *verdict, const struct app_point *point) {
    static const enum wait_kind ORDER[] = {WAIT_CPU,   WAIT_FILES, WAIT_SOCKETS, WAIT_DEVICES,
                                           WAIT_PAGES, WAIT_OTHER, WAIT_SLEEP,   WAIT_EVENTS,
                                           WAIT_PIPES, WAIT_LOCKS, WAIT_CHILDREN};
    const struct waits *waits = &point->waits;
    struct verdict_waits *out = &verdict->waits;
    const double second_ns = 1e9 * point->seconds.median, at_work = verdict->existing_threads,
                 kernel_ns = (double)(waits->ns[WAIT_FAULTS] + waits->ns[WAIT_KERNEL]);
    double left = verdict->idle_share;
    if (kernel_ns > 0)
        out->fault_share = verdict->kernel_share * (double)waits->ns[WAIT_FAULTS] / kernel_ns;
    for (size_t i = 0; i < sizeof ORDER / sizeof ORDER[0] && waits->samples >= WAITS_LEAST_SAMPLES; i++) {
        const double threads = (double)waits->ns[ORDER[i]] / second_ns, share = fmin(left, threads / at_work);
        const struct wait_cause cause = {ORDER[i], share, threads};
        left -= share;
        if (share > out->cause[0].share)
            out->cause[1] = out->cause[0], out->cause[0] = cause;
        else if (share > out->cause[1].share)
            out->cause[1] = cause;
    }
    for (size_t i = 0; i < sizeof ORDER / sizeof ORDER[0] && waits->samples >= WAITS_LEAST_SAMPLES; i++) {
        const double threads = (double)waits->ns[ORDER[i]] / second_ns;
        if (ORDER[i] != WAIT_CHILDREN && ORDER[i] != out->cause[0].kind && threads > out->crowd.threads)
            out->crowd = (struct wait_cause){.kind = ORDER[i], .threads = threads};
    }
    out->threads = waits_sum_s(waits) / point->seconds.median;
    if (left > 0.5 * verdict->idle_share) /* most of it is something else, such as threads that have not begun */
        out->cause[0].kind = out->cause[1].kind = out->crowd.kind = WAIT_RUNS;
    if (out->cause[1].share < THRESHOLD->kernel.value)
        out->cause[1].kind = WAIT_RUNS;
    if (out->crowd.kind == out->cause[1].kind || out->crowd.threads < THRESHOLD->crowd_threads.value)
        out->crowd.kind = WAIT_RUNS;
}

struct verdict verdict_find(const struct model *model, const struct app_point *point) {
    struct verdict verdict = {.times = link_times_find(model, point)};
    verdict.kernel_share = kernel_share(point);
    verdict.existing_threads = existing_threads(point);
    find_idle(&verdict, point);
    find_causes(&verdict, point);
    verdict.scarce_flop = point->has_count && point->flop.median > 0 &&
                          point->flop.median < THRESHOLD->scarce.value * (double)point->count.instructions;
    verdict.basis = basis_of(point, verdict.times.longest != LINK_TIMES_NONE);
    struct applicable_roofs applicable;
    bool fits = applicable_make(model, point, &applicable);
    verdict.threads = applicable.view.threads;
    verdict.mix_known = !isnan(applicable.store_share);
    snprintf(verdict.type, sizeof verdict.type, "%s", applicable.view.type);
    if (verdict.basis == VERDICT_BY_LINKS)
        verdict.known = verdict_judge_links(&verdict, &applicable, point);
    else if (verdict.basis == VERDICT_BY_CORE_BYTES)
        verdict.known = fits && judge_by_core_bytes(&verdict, &applicable, point);
    else if (verdict.basis == VERDICT_BY_DRAM_BYTES)
        verdict.known = fits && judge_by_dram_bytes(&verdict, &applicable, point);
    else if (fits)
        judge_bytes(&verdict, &applicable, point);
    if (verdict.basis <= VERDICT_BY_DRAM_BYTES && !verdict.known)
        verdict.basis = point->threads == 0 && model->result->machine.core_count > 0 ? VERDICT_THREADS_UNKNOWN
                        : fits                                                       ? VERDICT_NO_BANDWIDTH
                                                                                     : VERDICT_NO_CEILING;
    verdict_find_elsewhere(&verdict, point);
    find_loop(&verdict, model, point);
    ask_loops(&verdict, model, point);
    verdict.doubts = point->doubts;
    doubts_add_if(&verdict.doubts, verdict_is_above(&verdict), DOUBT_ABOVE_ROOF);
    return verdict;
}

bool verdict_limit_known(const struct verdict *verdict) {
    return verdict->known && !verdict->nearest && verdict->why != VERDICT_WAITS;
}

bool verdict_is_above(const struct verdict *verdict) {
    return verdict->why >= VERDICT_ABOVE_HOME;
}
