/* SPDX-License-Identifier: BSD-3-Clause
 * What else ran on the machine (see activity.h). */
#include "activity.h"

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "probe/now.h"

static const double SHORTEST_S = 0.04; /* four ticks */

static double seconds(struct timeval time) {
    return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

struct activity activity_now(const char *proc_stat_path) {
    struct activity now = {0};
    static const int OWN[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
    now.wall_s = now_s();
    for (size_t i = 0; i < sizeof OWN / sizeof OWN[0]; i++) {
        struct rusage own;
        if (getrusage(OWN[i], &own) == 0)
            now.own_s += seconds(own.ru_utime) + seconds(own.ru_stime);
    }
    FILE *file = fopen(proc_stat_path, "r");
    unsigned long long user, nice, system, stolen = 0;
    if (file && fscanf(file, "cpu %llu %llu %llu %*u %*u %*u %*u %llu", &user, &nice, &system, &stolen) >= 3) {
        const double ticks_per_s = (double)sysconf(_SC_CLK_TCK);
        now.known = true;
        now.busy_s = (double)(user + nice + system) / ticks_per_s;
        now.stolen_s = (double)stolen / ticks_per_s;
    }
    if (file)
        fclose(file);
    return now;
}

/* CPUs on average, of seconds between the two. */
static double rate(const struct activity *before, const struct activity *after, double seconds_between) {
    const double wall_s = after->wall_s - before->wall_s;
    const bool told = before->known && after->known && wall_s >= SHORTEST_S;
    return told && seconds_between > 0 ? seconds_between / wall_s : 0;
}

double activity_of_others(const struct activity *before, const struct activity *after) {
    return rate(before, after, (after->busy_s - before->busy_s) - (after->own_s - before->own_s));
}

double activity_stolen(const struct activity *before, const struct activity *after) {
    return rate(before, after, after->stolen_s - before->stolen_s);
}
