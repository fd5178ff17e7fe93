/* SPDX-License-Identifier: BSD-3-Clause
 * perf_event_open (see perf.h). Errors as in its manual page, and EPERM from system call filters of containers. */
#include "perf.h"

#include <dirent.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "probe/osfile.h"

int perf_open(uint32_t type, uint64_t config, int cpu) {
    const bool own = cpu < 0;
    struct perf_event_attr attr = {
        .type = type,
        .size = sizeof attr,
        .config = config,
        .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
        .exclude_kernel = own,
        .exclude_hv = own,
    };
    return (int)syscall(SYS_perf_event_open, &attr, own ? 0 : -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

int perf_reference_cycles(void) {
    const int file = perf_open(PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES, -1), error = errno;
    if (file < 0)
        return error;
    close(file);
    return 0;
}

static const char DEVICES[] = "/sys/bus/event_source/devices";

static bool has_file(const char *root, const char *device, const char *name) {
    char path[384], text[32];
    snprintf(path, sizeof path, "%s/%s/%s", DEVICES, device, name);
    return osfile_text(root, path, text, sizeof text);
}

/* "cpu", or units with a list of their CPUs: a hybrid's cpu_core, Arm's armv8_pmuv3_0, armv8_cortex_a76, … (Linux
 * arm_pmu.c). Units of no core have a cpumask instead. */
bool perf_has_pmu(const char *root) {
    char path[512];
    if (has_file(root, "cpu", "type"))
        return true;
    snprintf(path, sizeof path, "%s%s", root, DEVICES);
    DIR *folder = opendir(path);
    bool found = false;
    for (const struct dirent *entry; !found && folder && (entry = readdir(folder));)
        found = has_file(root, entry->d_name, "cpus");
    if (folder)
        closedir(folder);
    return found;
}

bool perf_lacks_pmu(const char *root) {
    return has_file(root, "software", "type") && !perf_has_pmu(root);
}

char *perf_refusal(int error, bool machine, char *out, size_t out_bytes) {
    int64_t level = 0;
    const int enough = machine ? 0 : 2;
    const bool known = osfile_number("", "/proc/sys/kernel/perf_event_paranoid", &level);
    switch (error) {
    case EACCES:
        if (known && level > enough)
            snprintf(out, out_bytes, "kernel.perf_event_paranoid is %d: `sudo sysctl kernel.perf_event_paranoid=%d`",
                     (int)level, enough);
        else
            snprintf(out, out_bytes, "the kernel, or one of its security modules, permits it only to root");
        break;
    case EPERM:
        snprintf(out, out_bytes,
                 "perf_event_open is forbidden, as in a container: start it with --cap-add PERFMON and a seccomp "
                 "profile that lets the call through");
        break;
    case ENOSYS:
        snprintf(out, out_bytes, "this kernel was built without perf events");
        break;
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP:
        snprintf(out, out_bytes, "%s",
                 perf_has_pmu("") ? "the kernel has no such event on this CPU"
                                  : "the kernel sees no performance counters here");
        break;
    case EINVAL:
        snprintf(out, out_bytes, "the kernel does not take this event's code on this CPU");
        break;
    default:
        snprintf(out, out_bytes, "%s", strerror(error));
    }
    return out;
}
