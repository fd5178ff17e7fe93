/* SPDX-License-Identifier: BSD-3-Clause
 * Replaces the kernel's memory controllers, preloaded (tests/cli/programs/cli_with_counters.sh). FAKE_DEVICES stands
 * for /sys/bus/event_source/devices. A counter of type 4242 is a file of readings; "mc:CONFIG" is its event in the
 * record. */
#include <dirent.h>
#include <dlfcn.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fake_recorded.h"

enum { TYPE = 4242, READINGS = 4096, ARGUMENTS = 6 };

static const char *redirected(const char *path, char out[512]) {
    static const char DEVICES[] = "/sys/bus/event_source/devices";
    const char *root = getenv("FAKE_DEVICES");
    if (!root || strncmp(path, DEVICES, sizeof DEVICES - 1) != 0)
        return path;
    snprintf(out, 512, "%s%s", root, path + sizeof DEVICES - 1);
    return out;
}

FILE *fopen(const char *path, const char *mode) {
    char other[512];
    FILE *(*const real)(const char *, const char *) = dlsym(RTLD_NEXT, "fopen");
    return real(redirected(path, other), mode);
}
DIR *opendir(const char *path) {
    char other[512];
    DIR *(*const real)(const char *) = dlsym(RTLD_NEXT, "opendir");
    return real(redirected(path, other));
}

/* Each reading of the file takes the next value. */
static int open_counter(uint64_t config) {
    char event[32];
    snprintf(event, sizeof event, "mc:%llu", (unsigned long long)config);
    const uint64_t rise = (uint64_t)recorded_rise(event);
    const int file = memfd_create("counter", MFD_CLOEXEC);
    for (uint64_t i = 0; i < READINGS; i++) {
        const uint64_t reading[3] = {i * rise, 1, 1}; /* value, time enabled, time running */
        if (write(file, reading, sizeof reading) != sizeof reading)
            abort();
    }
    lseek(file, 0, SEEK_SET);
    return file;
}

long syscall(long number, ...) {
    long a[ARGUMENTS];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < ARGUMENTS; i++)
        a[i] = va_arg(list, long);
    va_end(list);
    const struct perf_event_attr *attr = (const struct perf_event_attr *)a[0];
    if (number == SYS_perf_event_open && attr->type == TYPE)
        return open_counter(attr->config);
    long (*const real)(long, ...) = dlsym(RTLD_NEXT, "syscall");
    return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
