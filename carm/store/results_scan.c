/* SPDX-License-Identifier: BSD-3-Clause
 * The quick reader of results (see results_scan.h). */
#include "results_scan.h"

#include <stdlib.h>
#include <string.h>

#include "bench/sample/doubt.h"
#include "file_io.h"
#include "scan.h"

enum { MOST_BYTES = 16 << 20, MOST_SAMPLES = 100000, KEY_BYTES = 32 };

static unsigned scan_count(struct scan *scan) {
    const double number = scan_number(scan);
    if (number != (unsigned)number || number > 1e9)
        scan->failed = true;
    return scan->failed ? 0 : (unsigned)number;
}

static uint64_t scan_bytes(struct scan *scan) {
    const double number = scan_number(scan);
    if (number > 0x1p53)
        scan->failed = true;
    return scan->failed ? 0 : (uint64_t)number;
}

static void scan_cpu(struct scan *scan, struct cpu_identity *out) {
    char key[KEY_BYTES];
    for (bool inside = false; scan_member(scan, &inside, key, sizeof key);) {
        if (strcmp(key, "vendor") == 0)
            scan_text(scan, out->vendor, sizeof out->vendor);
        else if (strcmp(key, "brand") == 0)
            scan_text(scan, out->brand, sizeof out->brand);
        else if (strcmp(key, "family") == 0)
            out->family = scan_count(scan);
        else if (strcmp(key, "model") == 0)
            out->model = scan_count(scan);
        else if (strcmp(key, "stepping") == 0)
            out->stepping = scan_count(scan);
        else
            scan_skip(scan);
    }
}

static void scan_kinds(struct scan *scan, struct machine *out) {
    char key[KEY_BYTES];
    for (bool inside = false; scan_item(scan, &inside);) {
        if (out->kind_count == MACHINE_MAX_KINDS) {
            scan->failed = true;
            return;
        }
        struct core_kind *kind = &out->kinds[out->kind_count++];
        for (bool within = false; scan_member(scan, &within, key, sizeof key);) {
            if (strcmp(key, "name") == 0)
                scan_text(scan, kind->name, sizeof kind->name);
            else if (strcmp(key, "core_count") == 0)
                kind->core_count = scan_count(scan);
            else
                scan_skip(scan);
        }
    }
}

static void scan_machine(struct scan *scan, struct machine *out) {
    char key[KEY_BYTES];
    for (bool inside = false; scan_member(scan, &inside, key, sizeof key);) {
        if (strcmp(key, "host") == 0)
            scan_text(scan, out->host, sizeof out->host);
        else if (strcmp(key, "package_count") == 0)
            out->package_count = scan_count(scan);
        else if (strcmp(key, "machine_core_count") == 0)
            out->machine_core_count = scan_count(scan);
        else if (strcmp(key, "core_count") == 0)
            out->core_count = scan_count(scan);
        else if (strcmp(key, "memory_total_bytes") == 0)
            out->memory_total_bytes = scan_bytes(scan);
        else if (strcmp(key, "cpu") == 0)
            scan_cpu(scan, &out->cpu);
        else if (strcmp(key, "kinds") == 0)
            scan_kinds(scan, out);
        else
            scan_skip(scan);
    }
}

static void scan_environment(struct scan *scan, struct environment *out) {
    char key[KEY_BYTES];
    for (bool inside = false; scan_member(scan, &inside, key, sizeof key);) {
        if (strcmp(key, "started_utc") == 0)
            scan_text(scan, out->started_utc, sizeof out->started_utc);
        else if (strcmp(key, "elapsed_s") == 0)
            out->elapsed_s = scan_number(scan);
        else if (strcmp(key, "rest_clock_hz") == 0)
            out->rest_clock_hz = scan_number(scan);
        else if (strcmp(key, "interrupted") == 0)
            out->interrupted = scan_bool(scan);
        else if (strcmp(key, "partial") == 0)
            scan_text(scan, out->partial, sizeof out->partial);
        else
            scan_skip(scan);
    }
}

static void scan_levels(struct scan *scan, struct result *out) {
    char key[KEY_BYTES];
    for (bool kinds = false; scan_item(scan, &kinds); out->kind_count++) {
        if (out->kind_count > 0) {
            scan_skip(scan);
            continue;
        }
        struct levels *levels = &out->levels[0];
        for (bool inside = false; scan_item(scan, &inside);) {
            if (levels->count == sizeof levels->level / sizeof levels->level[0]) {
                scan->failed = true;
                return;
            }
            struct level *level = &levels->level[levels->count++];
            for (bool within = false; scan_member(scan, &within, key, sizeof key);) {
                if (strcmp(key, "name") == 0)
                    scan_text(scan, level->name, sizeof level->name);
                else if (strcmp(key, "detected_bytes") == 0)
                    level->detected_bytes = scan_bytes(scan);
                else if (strcmp(key, "effective_bytes") == 0)
                    level->effective_bytes = scan_bytes(scan);
                else if (strcmp(key, "found_bytes") == 0)
                    level->found_bytes = scan_bytes(scan);
                else
                    scan_skip(scan);
            }
        }
    }
    if (out->kind_count > MACHINE_MAX_KINDS)
        scan->failed = true;
}

static uint32_t scan_doubts(struct scan *scan) {
    uint32_t doubts = 0;
    char name[64];
    for (bool inside = false; scan_item(scan, &inside);) {
        scan_text(scan, name, sizeof name);
        const struct doubt *doubt = doubt_find(name);
        if (!doubt)
            scan->failed = true;
        doubts |= doubt ? doubt->bit : 0;
    }
    return doubts;
}

static enum sample_kind scan_kind(struct scan *scan) {
    char name[16];
    unsigned kind = 0;
    scan_text(scan, name, sizeof name);
    while (results_kind_names[kind] && strcmp(results_kind_names[kind], name) != 0)
        kind++;
    if (!results_kind_names[kind])
        scan->failed = true;
    return scan->failed ? SAMPLE_COMPUTE : (enum sample_kind)kind;
}

/* The first of [median, min, max]. */
static double scan_clock(struct scan *scan) {
    double clock_hz = 0;
    size_t count = 0;
    for (bool inside = false; scan_item(scan, &inside); count++) {
        if (count == 0)
            clock_hz = scan_number(scan);
        else
            scan_skip(scan);
    }
    return clock_hz;
}

static void scan_sample(struct scan *scan, struct sample *out) {
    char key[KEY_BYTES];
    bool valued = false;
    for (bool inside = false; scan_member(scan, &inside, key, sizeof key);) {
        if (strcmp(key, "kernel") == 0)
            scan_text(scan, out->kernel, sizeof out->kernel);
        else if (strcmp(key, "kind") == 0)
            out->kind = scan_kind(scan);
        else if (strcmp(key, "threads") == 0)
            out->threads = scan_count(scan);
        else if (strcmp(key, "cores") == 0)
            out->cores = scan_count(scan);
        else if (strcmp(key, "core_kind") == 0)
            scan_text(scan, out->core_kind, sizeof out->core_kind);
        else if (strcmp(key, "package") == 0)
            out->package = scan_count(scan) + 1;
        else if (strcmp(key, "node") == 0)
            out->node = scan_count(scan) + 1;
        else if (strcmp(key, "memory_node") == 0)
            out->memory_node = scan_count(scan) + 1;
        else if (strcmp(key, "level") == 0)
            scan_text(scan, out->level, sizeof out->level);
        else if (strcmp(key, "small_pages") == 0)
            out->small_pages = scan_bool(scan);
        else if (strcmp(key, "value") == 0)
            out->value = scan_number(scan), valued = true;
        else if (strcmp(key, "low") == 0)
            out->low = scan_number(scan);
        else if (strcmp(key, "high") == 0)
            out->high = scan_number(scan);
        else if (strcmp(key, "per_cycle") == 0)
            out->per_cycle = scan_number(scan);
        else if (strcmp(key, "clock_hz") == 0)
            out->clock_hz = scan_clock(scan);
        else if (strcmp(key, "doubts") == 0)
            out->doubts = scan_doubts(scan);
        else
            scan_skip(scan);
    }
    if (!out->kernel[0] || !out->threads || !valued)
        scan->failed = true;
}

static void scan_samples(struct scan *scan, struct result *out) {
    size_t capacity = 0;
    for (bool inside = false; scan_item(scan, &inside);) {
        if (out->sample_count == MOST_SAMPLES) {
            scan->failed = true;
            return;
        }
        if (out->sample_count == capacity)
            out->samples = realloc(out->samples, (capacity = capacity ? 2 * capacity : 512) * sizeof *out->samples);
        struct sample *sample = &out->samples[out->sample_count++];
        memset(sample, 0, sizeof *sample);
        scan_sample(scan, sample);
    }
}

static bool scan_root(struct scan *scan, struct result *out) {
    char key[KEY_BYTES], schema[KEY_BYTES] = "";
    for (bool inside = false; scan_member(scan, &inside, key, sizeof key);) {
        if (strcmp(key, "schema") == 0)
            scan_text(scan, schema, sizeof schema);
        else if (strcmp(key, "uarch") == 0)
            scan_text(scan, out->uarch, sizeof out->uarch);
        else if (strcmp(key, "machine") == 0)
            scan_machine(scan, &out->machine);
        else if (strcmp(key, "environment") == 0)
            scan_environment(scan, &out->environment);
        else if (strcmp(key, "levels") == 0)
            scan_levels(scan, out);
        else if (strcmp(key, "samples") == 0 && !out->samples)
            scan_samples(scan, out);
        else
            scan_skip(scan);
    }
    return scan_is_end(scan) && strcmp(schema, "carmine.result/1") == 0 && out->machine.kind_count > 0 && out->samples;
}

bool results_scan(const char *path, struct result *out) {
    struct error err;
    char *text;
    size_t length;
    *out = (struct result){0};
    if (!file_read(path, MOST_BYTES, &text, &length, &err))
        return false;
    struct scan scan = {.at = text};
    const bool done = strlen(text) == length && scan_root(&scan, out);
    free(text);
    if (!done)
        results_free(out);
    return done;
}

bool results_read_values(const char *path, struct result *out, struct error *err) {
    return results_scan(path, out) || results_read(path, out, err);
}
