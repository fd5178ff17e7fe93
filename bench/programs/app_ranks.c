/* SPDX-License-Identifier: BSD-3-Clause */
#include "app_runs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "probe/error.h"
#include "probe/need.h"

static const char *file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool same_file(const char *a, const char *b) {
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

void app_ranks_name(char *const *argv, const struct regions_report *report, char out[64]) {
    out[0] = '\0';
    if (report->ranks == 0)
        return;
    snprintf(out, 64, "%.63s", file_name(report->program));
    for (argv++; *argv; argv++) {
        struct program program;
        struct error ignored;
        if (!program_find(*argv, &program, &ignored) ||
            !(same_file(program.path, report->program) || same_file(program.interpreter, report->program)))
            continue;
        snprintf(out, 64, "%.63s", file_name(*argv));
        return;
    }
}

bool app_ranks_complete(const struct regions_report *report, struct error *err) {
    unsigned here = 0;
    for (unsigned rank = 0; rank < report->ranks; rank++)
        here += regions_rank(report, rank, 0) != NULL;
    if (here < report->ranks && report->killed_count > 0)
        return error_set(err, "%u of %u ranks left no times: they were killed, or they crashed", report->ranks - here,
                         report->ranks);
    return here == report->ranks ||
           error_set(err,
                     "%u of %u ranks ran on other nodes, where nothing is measured; start carmine on each rank: "
                     "`mpirun … carmine app -o FILE -- PROGRAM`",
                     report->ranks - here, report->ranks);
}

/* The region's index in the run's report; -1: not entered, or no report. */
static long region_of(const struct app_run *run, const char *name) {
    for (size_t i = 0; run->reported && i < run->report.region_count; i++)
        if (strcmp(run->report.regions[i].name, name) == 0)
            return (long)i;
    return -1;
}

double app_ranks_imbalance(double *seconds, size_t count) {
    const struct statistics s = sample_statistics(seconds, count);
    return count > 1 && s.median > 0 ? s.max / s.median : 0;
}

/* The ranks in one region of one run. */
struct ranks_in_run {
    double mpi_seconds, imbalance; /* of the mean rank; 0: unknown */
    uint64_t mpi_calls;
};

static struct ranks_in_run look(const struct regions_report *report, unsigned region) {
    struct ranks_in_run out = {.mpi_calls = report->regions[region].mpi_calls};
    double *own_seconds = need_calloc(report->rank_time_count + 1, sizeof *own_seconds);
    size_t count = 0;
    for (size_t i = 0; i < report->rank_time_count; i++) {
        const struct rank_times *times = &report->rank_times[i];
        if (times->region == region)
            own_seconds[count++] = times->seconds - times->mpi_seconds;
    }
    out.mpi_seconds = report->regions[region].mpi_seconds / (double)(count ? count : 1);
    out.imbalance = app_ranks_imbalance(own_seconds, count);
    free(own_seconds);
    return out;
}

static void set_times(const struct app_runs *runs, const char *region, struct app_point *point) {
    double *mpi_seconds = need_calloc(2 * runs->run_count + 1, sizeof *mpi_seconds),
           *imbalance = mpi_seconds + runs->run_count;
    size_t mpi_count = 0, imbalance_count = 0;
    for (size_t i = 0; i < runs->run_count; i++) {
        const long r = region_of(&runs->runs[i], region);
        if (r < 0)
            continue;
        const struct ranks_in_run ranks = look(&runs->runs[i].report, (unsigned)r);
        point->ranks = runs->runs[i].report.ranks;
        point->mpi_calls = ranks.mpi_calls;
        if (ranks.mpi_calls > 0)
            mpi_seconds[mpi_count++] = ranks.mpi_seconds;
        if (ranks.imbalance > 0)
            imbalance[imbalance_count++] = ranks.imbalance;
    }
    point->mpi_seconds = sample_statistics(mpi_seconds, mpi_count);
    point->imbalance = sample_statistics(imbalance, imbalance_count);
    free(mpi_seconds);
}

static void set_mpi_count(struct app_point *point, const struct count *mpi) {
    point->mpi_instructions = mpi->instructions + mpi->waiting_instructions;
    point->mpi_bytes = mpi->load_bytes + mpi->store_bytes + mpi->waiting_bytes;
}

void app_ranks_describe(const struct app_runs *runs, const char *region, struct app_point *point) {
    const struct profile_region *counted = runs->counted ? profile_region_find(&runs->profile, region) : NULL;
    set_times(runs, region, point);
    if (counted)
        set_mpi_count(point, &counted->mpi);
    if (point->threads < point->ranks)
        point->threads = point->ranks;
}

const struct profile_rank *app_ranks_counted(const struct app_runs *runs, const char *region, unsigned rank) {
    const struct profile_region *counted = runs->counted ? profile_region_find(&runs->profile, region) : NULL;
    for (size_t i = 0; counted && i < counted->rank_count; i++)
        if (counted->ranks[i].number == rank)
            return &counted->ranks[i];
    return NULL;
}

static void set_rank_times(const struct app_runs *runs, struct app_point *point) {
    double *seconds = need_calloc(2 * runs->run_count + 1, sizeof *seconds), *mpi = seconds + runs->run_count;
    size_t count = 0, mpi_count = 0;
    point->mpi_calls = 0;
    for (size_t i = 0; i < runs->run_count; i++) {
        const long r = region_of(&runs->runs[i], point->region);
        const struct rank_times *times =
            r < 0 ? NULL : regions_rank(&runs->runs[i].report, point->rank - 1, (unsigned)r);
        if (!times)
            continue;
        seconds[count++] = times->seconds;
        point->mpi_calls = times->mpi_calls;
        if (times->mpi_calls > 0)
            mpi[mpi_count++] = times->mpi_seconds;
    }
    if (count > 0)
        app_point_set_time(point, sample_statistics(seconds, count), (double)point->calls);
    point->mpi_seconds = sample_statistics(mpi, mpi_count);
    free(seconds);
}

struct app_point app_ranks_point(const struct app_runs *runs, const struct app_point *whole, unsigned rank) {
    struct app_point point = {.part = APP_RANK, .rank = rank + 1, .ranks = whole->ranks, .processes = 1, .threads = 1};
    snprintf(point.name, sizeof point.name, "%.80s rank %u", whole->name, rank);
    snprintf(point.program, sizeof point.program, "%s", whole->program);
    snprintf(point.region, sizeof point.region, "%s", whole->region);
    snprintf(point.command, sizeof point.command, "%s", whole->command);
    snprintf(point.measured_utc, sizeof point.measured_utc, "%s", whole->measured_utc);
    set_rank_times(runs, &point);
    if (whole->seconds.median > 0 && whole->time_share > 0)
        point.time_share = whole->time_share * point.seconds.median / whole->seconds.median;
    const struct profile_rank *counted = app_ranks_counted(runs, whole->region, rank);
    if (!counted)
        return point;
    app_point_set_count(&point, &counted->count);
    set_mpi_count(&point, &counted->mpi);
    return point;
}
