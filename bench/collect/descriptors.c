/* SPDX-License-Identifier: BSD-3-Clause
 * Moves the descriptors of the first counters above the numbers that programs, such as scripts, use by number, and
 * closes them in executed programs. */
#include "events.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LOWEST = 100, MAX = 256 };
static int held[LOWEST];
static unsigned held_count;
static int kept[MAX]; /* of the counters */
static unsigned kept_count;

static bool is_counter(int descriptor) {
    char path[32], target[32] = "";
    snprintf(path, sizeof path, "/proc/thread-self/fd/%d", descriptor);
    return readlink(path, target, sizeof target - 1) > 0 && strcmp(target, "anon_inode:[perf_event]") == 0;
}

/* Occupies all low descriptors for a moment, while the program has only one thread. */
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

/* False: the program has closed them, and may have reused their numbers. */
bool descriptors_intact(void) {
    for (unsigned i = 0; i < kept_count; i++)
        if (!is_counter(kept[i]))
            return false;
    return true;
}

void descriptors_forget(void) {
    kept_count = 0;
}
