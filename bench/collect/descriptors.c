/* SPDX-License-Identifier: BSD-3-Clause
 * Keeps the descriptors of the first counters out of the program's way: above those that programs name by number, as
 * scripts do, and not for programs that it executes. */
#include "descriptors.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LOWEST = 100, MAX = 256 };
static int held[LOWEST];
static unsigned held_count;
static int kept[MAX]; /* the counters' */
static unsigned kept_count;

static bool is_counter(int descriptor) {
    char path[32], target[32] = "";
    snprintf(path, sizeof path, "/proc/thread-self/fd/%d", descriptor);
    return readlink(path, target, sizeof target - 1) > 0 && strcmp(target, "anon_inode:[perf_event]") == 0;
}

/* Takes all low descriptors, for a moment in which the program has no other thread. */
void descriptors_hold(void) {
    int descriptor;
    while (held_count < LOWEST && (descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0) {
        held[held_count++] = descriptor;
        if (descriptor >= LOWEST - 1)
            break;
    }
}

void descriptors_release(void) {
    while (held_count > 0)
        close(held[--held_count]);
    for (int descriptor = LOWEST; descriptor < LOWEST + MAX; descriptor++)
        if (is_counter(descriptor) && fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0)
            kept[kept_count++] = descriptor;
}

/* False: the program has closed them, and what has their numbers now is its own. */
bool descriptors_intact(void) {
    for (unsigned i = 0; i < kept_count; i++)
        if (!is_counter(kept[i]))
            return false;
    return true;
}

void descriptors_forget(void) {
    kept_count = 0;
}
