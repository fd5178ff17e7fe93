/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks in the reports of a run (see region_ranks.h). */
#include "region_ranks.h"

#include <stdlib.h>
#include <string.h>

#include "bench/profile/rank_files.h"
#include "probe/marks/ranks.h"

/* By whom the process of this report was started as a rank; RANK_LAUNCHERS: it is none. Its second line tells. */
static uint32_t launcher_of(const char *folder, const char *name) {
    char path[4096], line[8192];
    unsigned rank, ranks, launcher;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "re");
    const bool told = file && fgets(line, sizeof line, file) && fgets(line, sizeof line, file) &&
                      sscanf(line, "rank\t%u\t%u\t%u", &rank, &ranks, &launcher) == 3 && launcher < RANK_LAUNCHERS;
    if (file)
        fclose(file);
    return told ? launcher : RANK_LAUNCHERS;
}

int region_ranks_alone(const char *folder, struct dirent **files, int count) {
    return rank_files_alone(folder, files, count, launcher_of);
}

/* The intervals of one rank become the times of `own`, which has the report's regions. */
static bool sum_rank(const struct region_intervals *intervals, unsigned rank, struct regions_report *own) {
    static const bool of_machine[REGIONS_MAX_EVENTS];
    struct region_intervals part = {.count = 0};
    bool done = true;
    memset(own->regions, 0, own->region_count * sizeof *own->regions);
    for (size_t i = 0; done && i < intervals->count; i++) {
        const struct region_interval *interval = &intervals->all[i];
        if (interval->rank != rank)
            continue;
        done = region_intervals_add(&part, interval);
        own->regions[interval->region].mpi_seconds += interval->mpi_seconds;
        own->regions[interval->region].mpi_calls += interval->mpi_calls;
    }
    if (done)
        region_intervals_sum(&part, of_machine, own);
    region_intervals_free(&part);
    return done;
}

bool region_ranks_sum(const struct region_intervals *intervals, struct regions_report *report) {
    struct regions_report own = {.region_count = report->region_count};
    own.regions = calloc(report->region_count, sizeof *own.regions);
    /* each has been in a process, so there are no more than intervals */
    report->rank_times = calloc(intervals->count + 1, sizeof *report->rank_times);
    bool done = own.regions && report->rank_times;
    for (unsigned rank = 0; done && rank < report->ranks; rank++) {
        done = sum_rank(intervals, rank, &own);
        for (unsigned r = 0; done && r < report->region_count; r++)
            if (own.regions[r].seconds > 0)
                report->rank_times[report->rank_time_count++] = (struct rank_times){
                    rank, r, own.regions[r].seconds, own.regions[r].mpi_seconds, own.regions[r].mpi_calls};
    }
    free(own.regions);
    return done;
}

const struct rank_times *regions_rank(const struct regions_report *report, unsigned rank, unsigned region) {
    for (size_t i = 0; i < report->rank_time_count; i++)
        if (report->rank_times[i].rank == rank && report->rank_times[i].region == region)
            return &report->rank_times[i];
    return NULL;
}
