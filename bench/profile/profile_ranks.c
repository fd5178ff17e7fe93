/* SPDX-License-Identifier: BSD-3-Clause
 * Counts by rank (see profile_ranks.h). */
#include "profile_ranks.h"
#include "profile_dump.h"
#include "rank_files.h"

#include <stdio.h>
#include <stdlib.h>

/* By whom the process of this file was started as a rank; RANK_LAUNCHERS: it is none, or the file cannot be read. */
static uint32_t launcher_of(const char *folder, const char *name) {
    struct dump dump;
    struct error ignored;
    char path[512];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path || !dump_open(&dump, path, &ignored))
        return RANK_LAUNCHERS;
    const struct rank rank = dump.header.rank;
    dump_close(&dump);
    return rank.count > 0 && rank.launcher < RANK_LAUNCHERS ? rank.launcher : RANK_LAUNCHERS;
}

int profile_ranks_alone(const char *folder, struct dirent **files, int count) {
    return rank_files_alone(folder, files, count, launcher_of);
}

static struct profile_rank *rank_of(struct profile_region *region, uint32_t number) {
    for (size_t i = 0; i < region->rank_count; i++)
        if (region->ranks[i].number == number)
            return &region->ranks[i];
    struct profile_rank *ranks = realloc(region->ranks, (region->rank_count + 1) * sizeof *ranks);
    if (!ranks)
        return NULL;
    region->ranks = ranks;
    ranks[region->rank_count] = (struct profile_rank){.number = number};
    return &ranks[region->rank_count++];
}

bool profile_rank_add(struct profile_region *region, struct rank rank, const struct count *thread, bool in_mpi) {
    if (rank.count == 0)
        return true;
    struct profile_rank *own = rank_of(region, rank.number);
    if (!own)
        return false;
    count_add(in_mpi ? &own->mpi : &own->count, thread);
    if (in_mpi)
        return true;
    struct count *threads = realloc(own->threads, (own->thread_count + 1) * sizeof *threads);
    if (!threads)
        return false;
    own->threads = threads;
    threads[own->thread_count++] = *thread;
    return true;
}
