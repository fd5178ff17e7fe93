/* SPDX-License-Identifier: BSD-3-Clause
 * A separate folder for a group of tests: cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove). */
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char fixture_folder[64] __attribute__((unused));

static inline int fixture_folder_make(void **state) {
    (void)state;
    strcpy(fixture_folder, "/tmp/carmine-test-XXXXXX");
    return mkdtemp(fixture_folder) ? 0 : -1;
}

static inline unsigned fixture_folder_count(bool clear) {
    unsigned count = 0;
    DIR *dir = opendir(fixture_folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        if (entry->d_name[0] != '.') {
            count++;
            if (clear)
                unlinkat(dirfd(dir), entry->d_name, 0);
        }
    if (dir)
        closedir(dir);
    return count;
}

static inline int fixture_folder_remove(void **state) {
    (void)state;
    fixture_folder_count(true);
    return rmdir(fixture_folder);
}

static inline const char *fixture_path(const char *name) {
    static char path[4][128];
    static unsigned next;
    char *out = path[next++ % 4];
    snprintf(out, sizeof path[0], "%s/%s", fixture_folder, name);
    return out;
}
