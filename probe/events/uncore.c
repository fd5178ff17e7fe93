/* SPDX-License-Identifier: BSD-3-Clause
 * Units, formats and names of events as the kernel lists them in /sys/bus/event_source/devices, its ABI (see
 * uncore.h). */
#include "uncore.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe/error.h"
#include "probe/osfile.h"
#include "perf.h"

static const char DEVICES[] = "/sys/bus/event_source/devices";
enum { NAME_BYTES = 64, TEXT_BYTES = 256 };

/* "uncore_imc" and "event=0x05,umask=0xcf" of "uncore_imc/event=0x05,umask=0xcf/". */
struct parts {
    char unit[NAME_BYTES], what[NAME_BYTES];
};

static bool split(const char *event, struct parts *out) {
    return sscanf(event, "%63[^/]/%63[^/]/", out->unit, out->what) == 2 && event[strlen(event) - 1] == '/';
}

bool uncore_is(const char *event) {
    struct parts parts;
    return split(event, &parts);
}

/* "uncore_imc" is itself, and uncore_imc_0, but not uncore_imc_free_running_0. */
static bool is_unit(const char *device, const char *unit) {
    const size_t length = strlen(unit);
    if (strncmp(device, unit, length) != 0)
        return false;
    const char *rest = device + length;
    return *rest == '\0' || (*rest == '_' && rest[1] && rest[1 + strspn(rest + 1, "0123456789")] == '\0');
}

/* Puts a field's value where its format says: "config:0-7,32-35", the value's lowest bits first. */
static bool place_bits(const char *format, uint64_t value, uint64_t *config) {
    static const char KEY[] = "config:";
    if (strncmp(format, KEY, sizeof KEY - 1) != 0)
        return false;
    const char *at = format + sizeof KEY - 1;
    while (*at) {
        char *end;
        const unsigned long first = strtoul(at, &end, 10), last = *end == '-' ? strtoul(end + 1, &end, 10) : first;
        if (end == at || first > last || last > 63)
            return false;
        for (unsigned long bit = first; bit <= last; bit++, value >>= 1)
            *config |= (value & 1) << bit;
        at = *end == ',' ? end + 1 : end;
        if (*end && *end != ',')
            return false;
    }
    return value == 0;
}

/* "event=0x04,umask=0x03" in the unit's format; a field without a value means 1. */
static bool encode(const char *root, const char *device, const char *fields, uint64_t *config) {
    char text[TEXT_BYTES], path[TEXT_BYTES], format[NAME_BYTES], *state;
    snprintf(text, sizeof text, "%s", fields);
    *config = 0;
    for (char *field = strtok_r(text, ",", &state); field; field = strtok_r(NULL, ",", &state)) {
        char *equals = strchr(field, '='), *end = NULL;
        const uint64_t value = equals ? strtoull(equals + 1, &end, 0) : 1;
        if (equals && (end == equals + 1 || *end))
            return false;
        field[strcspn(field, "=")] = '\0';
        snprintf(path, sizeof path, "%s/%.80s/format/%.80s", DEVICES, device, field);
        if (!osfile_text(root, path, format, sizeof format) || !place_bits(format, value, config))
            return false;
    }
    return true;
}

static bool add(struct uncore *out, struct uncore_counter counter) {
    if (out->counter_count == UNCORE_MAX_COUNTERS)
        return false;
    out->counters[out->counter_count++] = counter;
    return true;
}

/* A counter on each CPU of the unit's mask, "0,24" or "0-1": one per package. Without a mask: on CPU 0. */
static bool add_cpus(struct uncore *out, const char *mask, struct uncore_counter counter) {
    if (!*mask) {
        counter.cpu = 0;
        return add(out, counter);
    }
    for (const char *at = mask; *at;) {
        char *end;
        const long first = strtol(at, &end, 10), last = *end == '-' ? strtol(end + 1, &end, 10) : first;
        if (end == at || first < 0 || last < first || last > 1 << 20)
            return false;
        for (long cpu = first; cpu <= last; cpu++) {
            counter.cpu = (int)cpu;
            if (!add(out, counter))
                return false;
        }
        at = *end == ',' ? end + 1 : end;
        if (*end && *end != ',')
            return false;
    }
    return true;
}

static bool add_unit(struct uncore *out, const char *root, const char *device, unsigned event, const char *what) {
    char path[TEXT_BYTES], fields[TEXT_BYTES], mask[TEXT_BYTES];
    struct uncore_counter counter = {.event = event, .fd = -1};
    int64_t type;
    snprintf(path, sizeof path, "%s/%.80s/type", DEVICES, device);
    if (!osfile_number(root, path, &type) || type < 0)
        return false;
    counter.type = (unsigned)type;
    snprintf(path, sizeof path, "%s/%.80s/events/%.80s", DEVICES, device, what);
    if (!osfile_text(root, path, fields, sizeof fields))
        snprintf(fields, sizeof fields, "%s", what);
    snprintf(path, sizeof path, "%s/%.80s/cpumask", DEVICES, device);
    osfile_text(root, path, mask, sizeof mask);
    return encode(root, device, fields, &counter.config) && add_cpus(out, mask, counter);
}

static bool find_event(struct uncore *out, const char *root, unsigned index, const char *event, struct error *err) {
    struct parts parts;
    char path[512];
    const size_t before = out->counter_count;
    if (!split(event, &parts))
        return error_set(err, "%s is not an event of the form unit/event/", event);
    snprintf(path, sizeof path, "%s%s", root, DEVICES);
    DIR *folder = opendir(path);
    bool good = true;
    for (struct dirent *entry; good && folder && (entry = readdir(folder));)
        if (is_unit(entry->d_name, parts.unit) && !add_unit(out, root, entry->d_name, index, parts.what))
            good = error_set(err, "the kernel's %.80s has no event %s", entry->d_name, parts.what);
    if (folder)
        closedir(folder);
    if (good && out->counter_count == before)
        return error_set(err, "the kernel sees no %s: no driver for this machine's memory controllers", parts.unit);
    return good;
}

bool uncore_find(struct uncore *out, const char *root, size_t count, const char (*events)[96], struct error *err) {
    *out = (struct uncore){.event_count = count};
    out->counters = calloc(UNCORE_MAX_COUNTERS, sizeof *out->counters);
    if (!out->counters)
        return error_set(err, "no memory for counters");
    for (size_t i = 0; i < count; i++)
        if (!find_event(out, root, (unsigned)i, events[i], err)) {
            uncore_close(out);
            return false;
        }
    return true;
}

bool uncore_open(struct uncore *out, size_t count, const char (*events)[96], struct error *err) {
    if (!uncore_find(out, "", count, events, err))
        return false;
    for (size_t i = 0; i < out->counter_count; i++) {
        struct uncore_counter *counter = &out->counters[i];
        counter->fd = perf_open(counter->type, counter->config, counter->cpu);
        if (counter->fd < 0) {
            char why[256];
            error_set(err, "%s: %s", events[counter->event], perf_refusal(errno, true, why, sizeof why));
            uncore_close(out);
            return false;
        }
    }
    return true;
}

bool uncore_read(const struct uncore *uncore, double *values, struct error *err) {
    for (size_t i = 0; i < uncore->event_count; i++)
        values[i] = 0;
    for (size_t i = 0; i < uncore->counter_count; i++) {
        struct {
            uint64_t value, enabled, running;
        } now;
        if (read(uncore->counters[i].fd, &now, sizeof now) != sizeof now)
            return error_set(err, "a counter of the memory controllers cannot be read: %s", strerror(errno));
        if (now.running == 0 && now.enabled > 0)
            return error_set(err, "a counter of the memory controllers did not run: other programs use all of them");
        const double scale = now.running > 0 ? (double)now.enabled / (double)now.running : 1;
        values[uncore->counters[i].event] += (double)now.value * scale;
    }
    return true;
}

void uncore_close(struct uncore *uncore) {
    for (size_t i = 0; i < uncore->counter_count; i++)
        if (uncore->counters[i].fd >= 0)
            close(uncore->counters[i].fd);
    free(uncore->counters);
    *uncore = (struct uncore){0};
}
