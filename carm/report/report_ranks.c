/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks and MPI, and threads (see report_ranks.h). */
#include "report_ranks.h"

/* Of the time, 0 to 1. */
static double mpi_share(const struct app_point *point) {
    const double share = point->seconds.median > 0 ? point->mpi_seconds.median / point->seconds.median : 0;
    return share < 1 ? share : 1;
}

const char *report_ranks_words(const struct app_point *point, char out[REPORT_RANKS_BYTES]) {
    size_t length = 0;
    out[0] = '\0';
    if (point->ranks > 0)
        length += (size_t)snprintf(out, REPORT_RANKS_BYTES, "%u", point->ranks);
    if (point->imbalance.n > 0)
        length += (size_t)snprintf(out + length, REPORT_RANKS_BYTES - length,
                                   "; the slowest takes %.2f times as long as the median one%s",
                                   point->imbalance.median, point->mpi_seconds.n > 0 ? ", outside of MPI" : "");
    if (point->mpi_seconds.n > 0)
        length +=
            (size_t)snprintf(out + length, REPORT_RANKS_BYTES - length, "%s%.0f %% of the time is in MPI%s",
                             length ? "; " : "", 100 * mpi_share(point),
                             point->mpi_instructions > 0 ? ", whose instructions and bytes are counted apart" : "");
    return out;
}

size_t report_threads_count(const struct app_point *points, size_t count) {
    size_t threads = 0;
    for (size_t i = 0; i < count; i++)
        threads += points[i].part == APP_THREAD;
    return threads;
}

const char *report_threads_words(const struct app_point *points, size_t count, char out[REPORT_THREADS_BYTES]) {
    const size_t threads = report_threads_count(points, count);
    const struct app_point *most = NULL;
    out[0] = '\0';
    for (size_t i = 0; i < count; i++)
        if (points[i].part == APP_THREAD && (!most || points[i].imbalance.median > most->imbalance.median))
            most = &points[i];
    if (threads > 1 && most->imbalance.n > 0)
        snprintf(out, REPORT_THREADS_BYTES, "%zu; %s does %.2f times the %s of the median one", threads, most->name,
                 most->imbalance.median, most->flop.median > 0 ? "flop" : "instructions");
    return out;
}
