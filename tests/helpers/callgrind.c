/* SPDX-License-Identifier: BSD-3-Clause
 * Runs a program under callgrind: `callgrind count|traffic FOLDER LIBRARY COMMAND…`. Writes FOLDER/profile: what
 * profile prints, or the DRAM traffic of each region with a last level of 1 MiB; or FOLDER/error: why it can't.
 * Ends as the program does. LIBRARY is libcarmine-valgrind.so, or - for none. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/program/child.h"
#include "bench/callgrind/traffic.h"
#include "print_profile.h"

/* What follows is printed there. */
static void print_to(const char *folder, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!freopen(path, "we", stdout))
        abort();
}

static bool count(const struct traffic_run *run, int *status, struct error *err) {
    struct profile profile;
    if (!callgrind_count(run, &profile, status, err))
        return false;
    print_to(run->folder, "profile");
    printf("processes %u\n", profile.process_count);
    for (size_t i = 0; i < profile.region_count; i++)
        print_region(&profile.regions[i]);
    profile_free(&profile);
    return true;
}

static bool simulate(const struct traffic_run *run, int *status, struct error *err) {
    static const struct traffic_cache CACHE = {
        .l1_bytes = 48 << 10, .l1_ways = 12, .llc_bytes = 1 << 20, .llc_ways = 16, .line_bytes = 64};
    struct traffic traffic[TRAFFIC_MAX];
    size_t regions;
    if (!traffic_simulate(run, &CACHE, traffic, &regions, status, err))
        return false;
    print_to(run->folder, "profile");
    for (size_t i = 0; i < regions; i++)
        printf("region \"%s\" read %" PRIu64 " write %" PRIu64 "\n", traffic[i].name, traffic[i].dram_read_bytes,
               traffic[i].dram_write_bytes);
    return true;
}

int main(int argc, char **argv) {
    if (argc < 5) {
        fprintf(stderr, "usage: callgrind count|traffic FOLDER LIBRARY COMMAND…\n");
        return 2;
    }
    const struct traffic_run run = {.argv = argv + 4,
                                    .folder = argv[2],
                                    .collector = strcmp(argv[3], "-") == 0 ? NULL : argv[3],
                                    .in = STDIN_FILENO,
                                    .out = STDOUT_FILENO,
                                    .err = STDERR_FILENO};
    struct error err;
    int status = 0;
    if (!(strcmp(argv[1], "count") == 0 ? count : simulate)(&run, &status, &err)) {
        print_to(run.folder, "error");
        puts(err.text);
    }
    return child_exit_status(status);
}
