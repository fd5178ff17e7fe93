/* SPDX-License-Identifier: BSD-3-Clause */
#include "app_points.h"
#include "app_runs.h"

#include <stdlib.h>
#include <string.h>

#include "bench/kernels/doubt.h"
#include "probe/error.h"
#include "probe/need.h"

/* A point of a rank, and its file. */
struct merge_part {
    const struct app_point *point;
    const struct merge_source *source;
};
struct merge {
    struct merge_part *parts; /* in the order of the files */
    size_t count;
    const struct app_point *first;
    double *values; /* buffer for one value per part */
};

static void collect(struct merge *merge, const struct merge_source *sources, size_t count) {
    size_t room = 0;
    for (size_t i = 0; i < count; i++)
        room += sources[i].count;
    merge->parts = need_calloc(room + 1, sizeof *merge->parts);
    merge->values = need_calloc(room + 1, sizeof *merge->values);
    for (size_t i = 0; i < count; i++)
        for (size_t p = 0; p < sources[i].count; p++)
            if (sources[i].points[p].rank > 0)
                merge->parts[merge->count++] = (struct merge_part){&sources[i].points[p], &sources[i]};
}

static bool fit(const struct merge *merge, struct error *err) {
    const struct merge_part *a = &merge->parts[0];
    for (size_t i = 1; i < merge->count; i++) {
        const struct merge_part *b = &merge->parts[i];
        const struct {
            const char *what, *of_a, *of_b;
        } texts[] = {{"programs", a->point->program, b->point->program},
                     {"command lines", a->point->command, b->point->command},
                     {"kinds of CPU, and so no common roofs", a->source->cpu, b->source->cpu}};
        for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++)
            if (strcmp(texts[t].of_a, texts[t].of_b) != 0)
                return error_set(err, "%s and %s have different %s: %.80s, %.80s", a->source->path, b->source->path,
                                 texts[t].what, texts[t].of_a, texts[t].of_b);
        if (a->point->ranks != b->point->ranks)
            return error_set(err,
                             "%s is from a launch of %u ranks, and %s of %u; merge files with equal numbers of ranks",
                             a->source->path, a->point->ranks, b->source->path, b->point->ranks);
        if (b->point->rank > b->point->ranks)
            return error_set(err, "%s has a rank %u of %u", b->source->path, b->point->rank - 1, b->point->ranks);
    }
    return true;
}

static bool is_of(const struct app_point *point, const char *region, unsigned rank) {
    return point->rank == rank && strcmp(point->region, region) == 0;
}

/* How often the rank's program was timed, and whether it was counted. */
static void look(const struct merge *merge, unsigned rank, size_t *timed, bool *counted) {
    *timed = 0;
    *counted = false;
    for (size_t i = 0; i < merge->count; i++) {
        const struct app_point *point = merge->parts[i].point;
        if (!is_of(point, "", rank))
            continue;
        *timed += point->seconds.n > 0;
        *counted |= point->has_count;
    }
}

static bool complete(const struct merge *merge, struct error *err) {
    size_t timed, timed_first;
    bool counted, counted_first;
    look(merge, 1, &timed_first, &counted_first);
    for (unsigned rank = 1; rank <= merge->first->ranks; rank++) {
        look(merge, rank, &timed, &counted);
        if (timed == 0 && !counted)
            return error_set(err, "rank %u of %u is in none of the files; name the files of all nodes", rank - 1,
                             merge->first->ranks);
        if (timed != timed_first)
            return error_set(
                err, "rank 0 was timed in %zu launches, and rank %u in %zu; omit the files of unfinished launches",
                timed_first, rank - 1, timed);
        if (counted != counted_first)
            return error_set(err, "rank %u was counted, and rank %u was not; omit the files of unfinished launches",
                             counted ? rank - 1 : 0, counted ? 0 : rank - 1);
    }
    return true;
}

static struct statistics over_launches(const struct merge *merge, const char *region, unsigned rank, bool of_mpi) {
    size_t count = 0;
    for (size_t i = 0; i < merge->count; i++) {
        const struct app_point *point = merge->parts[i].point;
        const struct statistics *s = of_mpi ? &point->mpi_seconds : &point->seconds;
        if (is_of(point, region, rank) && s->n > 0)
            merge->values[count++] = s->median;
    }
    return sample_statistics(merge->values, count);
}

/* False: the rank has no point of this region. */
static bool merge_rank(const struct merge *merge, const char *region, unsigned rank, struct app_point *out) {
    const struct app_point *counted = NULL, *last = NULL;
    for (size_t i = 0; i < merge->count; i++) {
        const struct app_point *point = merge->parts[i].point;
        if (!is_of(point, region, rank))
            continue;
        last = point;
        if (point->has_count && (!counted || strcmp(point->measured_utc, counted->measured_utc) >= 0))
            counted = point;
    }
    if (!last)
        return false;
    *out = counted ? *counted : *last;
    const struct statistics seconds = over_launches(merge, region, rank, false);
    out->mpi_seconds = over_launches(merge, region, rank, true);
    out->seconds = seconds;
    out->doubts = doubts_without(out->doubts, DOUBTS(DOUBT_UNSTABLE, DOUBT_TOO_SHORT));
    if (seconds.n > 0)
        app_point_set_time(out, seconds, 0);
    return true;
}

static void add_counts(struct app_point *whole, const struct app_point *rank) {
    count_add(&whole->count, &rank->count);
    whole->has_count = true;
    whole->flop = app_once(whole->flop.median + rank->flop.median);
    whole->load_bytes = app_once(whole->load_bytes.median + rank->load_bytes.median);
    whole->store_bytes = app_once(whole->store_bytes.median + rank->store_bytes.median);
    whole->flop_source = rank->flop_source;
    whole->bytes_source = rank->bytes_source;
    whole->mpi_instructions += rank->mpi_instructions;
    whole->mpi_bytes += rank->mpi_bytes;
}

static void add_name(struct app_point *whole) {
    if (whole->region[0])
        snprintf(whole->name, sizeof whole->name, "%.31s/%.60s", whole->program, whole->region);
    else
        snprintf(whole->name, sizeof whole->name, "%.63s", whole->program);
}

/* Sum of the ranks' points of one region; at least one. */
static struct app_point sum(const struct merge *merge, const struct app_point *ranks, size_t count) {
    struct app_point whole = {.part = ranks[0].region[0] ? APP_REGION : APP_PROGRAM, .ranks = ranks[0].ranks};
    double *own_seconds = need_calloc(count, sizeof *own_seconds), mpi_seconds = 0;
    snprintf(whole.program, sizeof whole.program, "%s", ranks[0].program);
    snprintf(whole.region, sizeof whole.region, "%s", ranks[0].region);
    snprintf(whole.command, sizeof whole.command, "%s", ranks[0].command);
    snprintf(whole.measured_utc, sizeof whole.measured_utc, "%s", merge->first->measured_utc);
    add_name(&whole);
    for (size_t i = 0; i < count; i++) {
        const struct app_point *rank = &ranks[i];
        own_seconds[i] = rank->seconds.median - rank->mpi_seconds.median;
        mpi_seconds += rank->mpi_seconds.median / (double)count;
        whole.processes += rank->processes;
        whole.threads += rank->threads;
        whole.mpi_calls += rank->mpi_calls;
        doubts_join(&whole.doubts, rank->doubts);
        if (rank->has_count)
            add_counts(&whole, rank);
        if (rank->seconds.median > whole.seconds.median) {
            whole.seconds = rank->seconds;
            whole.seconds_source = rank->seconds_source;
        }
    }
    if (mpi_seconds > 0)
        whole.mpi_seconds = app_once(mpi_seconds);
    const double imbalance = whole.seconds.n > 0 ? app_ranks_imbalance(own_seconds, count) : 0;
    if (imbalance > 0)
        whole.imbalance = app_once(imbalance);
    free(own_seconds);
    return whole;
}

/* Whether the point is the first of its region. */
static bool begins_region(const struct merge *merge, size_t at) {
    for (size_t i = 0; i < at; i++)
        if (strcmp(merge->parts[i].point->region, merge->parts[at].point->region) == 0)
            return false;
    return true;
}

/* First the sums of all ranks, by region; then the ranks. */
static void make(const struct merge *merge, struct app_points *out) {
    const unsigned ranks = merge->first->ranks;
    struct app_point *all = need_calloc(merge->count, sizeof *all), *own = need_calloc(ranks, sizeof *own);
    size_t all_count = 0;
    bool marked = false;
    for (size_t i = 0; i < merge->count; i++)
        marked |= merge->parts[i].point->region[0] != '\0';
    out->points = need_calloc(2 * merge->count + 1, sizeof *out->points);
    for (size_t i = 0; i < merge->count; i++) {
        const char *region = merge->parts[i].point->region;
        size_t count = 0;
        if (!begins_region(merge, i))
            continue;
        for (unsigned rank = 1; rank <= ranks; rank++)
            count += merge_rank(merge, region, rank, &own[count]);
        const struct app_point whole = sum(merge, own, count);
        if (!*region)
            out->program = whole;
        if (!*region && marked)
            continue; /* as in `carmine app`: then the regions are the points */
        out->points[out->count++] = whole;
        for (size_t r = 0; r < count && ranks > 1; r++)
            all[all_count++] = own[r];
    }
    memcpy(out->points + out->count, all, all_count * sizeof *all);
    out->count += all_count;
    out->program.time_share = out->program.seconds.n > 0;
    for (size_t i = 0; i < out->count; i++)
        if (out->program.seconds.median > 0)
            out->points[i].time_share = out->points[i].seconds.median / out->program.seconds.median;
    free(all);
    free(own);
}

bool app_merge(const struct merge_source *sources, size_t count, struct app_points *out, struct error *err) {
    struct merge merge = {.count = 0};
    *out = (struct app_points){.count = 0};
    collect(&merge, sources, count);
    bool done = merge.count > 0 || error_set(err,
                                             "%s: it has no points of single ranks; `mpirun … carmine app -o FILE -- "
                                             "PROGRAM` leaves them in FILE.ranks/",
                                             count ? sources[0].path : "");
    if (done)
        merge.first = merge.parts[0].point;
    done = done && fit(&merge, err) && complete(&merge, err);
    if (done)
        make(&merge, out);
    free(merge.parts);
    free(merge.values);
    return done;
}
