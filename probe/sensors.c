/* SPDX-License-Identifier: BSD-3-Clause
 * Sensors of the kernel (see sensors.h). Their places: Documentation/hwmon/sysfs-interface.rst,
 * arch/x86/kernel/cpu/mce/therm_throt.c and Documentation/admin-guide/ras.rst of Linux. */
#include "sensors.h"
#include "osfile.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

static const char HWMON[] = "/sys/class/hwmon", CPUS[] = "/sys/devices/system/cpu",
                  CONTROLLERS[] = "/sys/devices/system/edac/mc";
/* hwmon devices of cores and packages, of Ampere's the last two; others belong to boards, disks and network cards. */
static const char *const DRIVERS[] = {"coretemp",    "k10temp",   "zenpower",    "k8temp",
                                      "cpu_thermal", "apm_xgene", "altra_hwmon", NULL};
/* Absent sensors read as -128, 0 or 255 °C and the like. */
static const double COLDEST_C = -60, HOTTEST_C = 200;

enum { PATH_BYTES = 1024 };

static bool is_driver(const char *name) {
    size_t i = 0;
    while (DRIVERS[i] && strcmp(DRIVERS[i], name) != 0)
        i++;
    return DRIVERS[i] != NULL;
}

/* Whether `name` is `before`, a number and `after`: "temp12_input". */
static bool is_numbered(const char *name, const char *before, const char *after) {
    const size_t length = strlen(before);
    if (strncmp(name, before, length) != 0)
        return false;
    const size_t digits = strspn(name + length, "0123456789");
    return digits > 0 && strcmp(name + length + digits, after) == 0;
}

/* Calls `visit` with the path of each entry of a folder whose name is `before`, a number and `after`. */
static void each(const char *root, const char *folder, const char *before, const char *after,
                 void (*visit)(const char *root, const char *path, struct sensors *out), struct sensors *out) {
    char path[PATH_BYTES];
    if (snprintf(path, sizeof path, "%s%s", root, folder) >= (int)sizeof path)
        return;
    DIR *opened = opendir(path);
    for (const struct dirent *entry; opened && (entry = readdir(opened));)
        if (is_numbered(entry->d_name, before, after) &&
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < (int)sizeof path)
            visit(root, path, out);
    if (opened)
        closedir(opened);
}

static void read_temperature(const char *root, const char *path, struct sensors *out) {
    int64_t millidegrees;
    if (!osfile_number(root, path, &millidegrees))
        return;
    const double degrees = (double)millidegrees / 1000;
    if (degrees <= COLDEST_C || degrees >= HOTTEST_C)
        return;
    if (!out->has_temperature || degrees > out->temperature_c)
        out->temperature_c = degrees;
    out->has_temperature = true;
    out->temperatures++;
}

static void read_device(const char *root, const char *path, struct sensors *out) {
    char file[PATH_BYTES], name[sizeof out->driver];
    if (snprintf(file, sizeof file, "%s/name", path) >= (int)sizeof file ||
        !osfile_text(root, file, name, sizeof name) || !is_driver(name))
        return;
    each(root, path, "temp", "_input", read_temperature, out);
    if (out->has_temperature)
        snprintf(out->driver, sizeof out->driver, "%s", name);
}

/* False: no such count. */
static bool add_count(const char *root, const char *folder, const char *name, uint64_t *sum) {
    char path[PATH_BYTES];
    int64_t count;
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path || !osfile_number(root, path, &count) ||
        count < 0)
        return false;
    *sum += (uint64_t)count;
    return true;
}

static void read_throttling(const char *root, const char *path, struct sensors *out) {
    const bool core = add_count(root, path, "thermal_throttle/core_throttle_count", &out->throttled),
               package = add_count(root, path, "thermal_throttle/package_throttle_count", &out->throttled);
    out->has_throttling |= core || package;
    out->counters += core || package;
}

static void read_controller(const char *root, const char *path, struct sensors *out) {
    const bool corrected = add_count(root, path, "ce_count", &out->corrected),
               uncorrected = add_count(root, path, "ue_count", &out->uncorrected);
    out->has_memory_errors |= corrected || uncorrected;
    out->controllers += corrected || uncorrected;
}

struct sensors sensors_read(const char *root) {
    struct sensors out = {.driver = ""};
    each(root, HWMON, "hwmon", "", read_device, &out);
    each(root, CPUS, "cpu", "", read_throttling, &out);
    each(root, CONTROLLERS, "mc", "", read_controller, &out);
    return out;
}
