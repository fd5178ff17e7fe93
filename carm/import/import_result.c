/* SPDX-License-Identifier: BSD-3-Clause
 * Imported points and roofs in a result (see import_result.h). */
#include "import_result.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/kernels/doubt.h"
#include "bench/programs/app_point.h"
#include "carm/store/file_io.h"
#include "probe/memory_kind.h"
#include "probe/error.h"
#include "probe/need.h"
#include "probe/text.h"
#include "render/page/safe_text.h"

static void make_fresh(struct result *out, const struct import_format *format, const char *machine,
                       const char *command_line) {
    time_t now = time(NULL);
    *out = (struct result){.kind_count = 1};
    out->machine.recorded = true;
    out->machine.nodes = need_calloc(1, sizeof *out->machine.nodes);
    if (format->gpu) {
        out->machine.node_count = 1;
        snprintf(out->machine.nodes[0].kind, sizeof out->machine.nodes[0].kind, "GPU");
    }
    snprintf(out->machine.cpu.brand, sizeof out->machine.cpu.brand, "%.63s", machine);
    snprintf(out->machine.cache_source, sizeof out->machine.cache_source, "none");
    struct environment *environment = &out->environment;
    snprintf(environment->version, sizeof environment->version, "%s", CARMINE_VERSION);
    snprintf(environment->command_line, sizeof environment->command_line, "%s", command_line);
    snprintf(environment->statistic, sizeof environment->statistic, "imported");
    strftime(environment->started_utc, sizeof environment->started_utc, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    results_clean(out);
}

bool import_target_open(struct import_target *out, const char *path, const struct import_format *format,
                        const struct import *import, const char *machine, const char *command_line, struct error *err) {
    char name[sizeof out->result.machine.cpu.brand];
    snprintf(name, sizeof name, "%.63s", machine ? machine : import->machine);
    safe_text_clean(name);
    *out = (struct import_target){.replaced = 0};
    if (!path || !file_stamp(path).exists) {
        make_fresh(&out->result, format, name, command_line);
        return *name ||
               error_set(err, "the files do not name the machine that they were made on: name it with --machine, or "
                              "add them to a result of that machine (-o)");
    }
    if (!results_read(path, &out->result, err))
        return false;
    const char *brand = out->result.machine.cpu.brand;
    out->other_machine = *name && strcmp(name, brand) != 0;
    if (results_of_gpu(&out->result) != format->gpu)
        return error_set(err, "%s is a result of a %s, but %s has points of a %s: give them a result of their own",
                         path, format->gpu ? "CPU" : "GPU", format->name, format->gpu ? "GPU" : "CPU");
    if (out->other_machine && import->roof_count > 0)
        return error_set(err, "%s is a result of '%s', but these roofs are of '%s': give them a result of their own",
                         path, brand, name);
    return true;
}

/* Order of levels: memory last, and HBM before other memory. */
static int level_rank(const char *name) {
    const int cache = (int)levels_cache(name);
    return cache ? 2 * cache + levels_is_between(name) : memory_kind_of(name)->fast ? 100 : 101;
}

/* A result of carmine has all levels of its machine; any other gets its levels from the roofs. */
static bool need_level(struct result *result, const char *name, struct error *err) {
    struct levels *levels = &result->levels[0];
    char known[128] = "";
    for (size_t i = 0; i < levels->count; i++)
        text_append(known, sizeof known, "%s%s", i ? ", " : "", levels->level[i].name);
    if (levels_find(levels, name) >= 0)
        return true;
    if (result->machine.kind_count > 0)
        return error_set(err, "the result has no level '%s'; its levels are: %s", name, known);
    if (levels->count == sizeof levels->level / sizeof levels->level[0])
        return error_set(err, "level '%s' is one too many; there are: %s", name, known);
    unsigned at = levels->count++;
    for (; at > 0 && level_rank(levels->level[at - 1].name) > level_rank(name); at--)
        levels->level[at] = levels->level[at - 1];
    levels->level[at] = (struct level){.judged = false};
    snprintf(levels->level[at].name, sizeof levels->level[at].name, "%s", name);
    return true;
}

/* The last-level caches of a machine that `threads` threads can reach, in bytes; 0: not known. */
static double last_caches_bytes(const struct machine *machine, unsigned threads) {
    double most = 0;
    for (unsigned k = 0; k < machine->kind_count; k++) {
        const struct core_kind *kind = &machine->kinds[k];
        const struct cache *last = kind->cache_count ? &kind->caches[kind->cache_count - 1] : NULL;
        const unsigned count = !last ? 0 : last->instance_count < threads ? last->instance_count : threads;
        const double bytes = last ? (double)machine_largest_cache(last) * count : 0;
        most = bytes > most ? bytes : most; /* kinds may share them */
    }
    return most;
}

/* Compares the three arrays of STREAM with the machine's caches. Error: they fit. */
static bool check_size(const struct machine *machine, struct sample *roof, struct error *err) {
    enum { STREAM_ARRAYS = 3, STREAM_TIMES_CACHES = 4 };
    const double bytes = (double)roof->working_set_bytes * roof->threads, MIB = 1 << 20;
    const double reached = last_caches_bytes(machine, roof->threads), all = last_caches_bytes(machine, UINT_MAX);
    if (!doubts_has(roof->doubts, DOUBT_IN_CACHES) || !(bytes > 0) || !(all > 0))
        return true;
    if (bytes <= reached)
        return error_set(err,
                         "%s: its arrays of %.4g MiB in all fit into the machine's last-level caches of %.4g MiB, so "
                         "this is no bandwidth of %s; repeat it with larger arrays (STREAM demands %.4g MiB for each: "
                         "-DSTREAM_ARRAY_SIZE=%.0f), or name their level with --level",
                         roof->kernel, bytes / MIB, reached / MIB, roof->level, STREAM_TIMES_CACHES * all / MIB,
                         STREAM_TIMES_CACHES * all / sizeof(double));
    if (bytes >= STREAM_ARRAYS * STREAM_TIMES_CACHES * all)
        doubts_remove(&roof->doubts, DOUBT_IN_CACHES);
    return true;
}

static bool add_roof(struct import_target *target, struct sample *roof, struct error *err) {
    struct result *result = &target->result;
    size_t at = 0;
    if (!check_size(&result->machine, roof, err))
        return false;
    if (roof->level[0] && !need_level(result, roof->level, err))
        return false;
    for (; at < result->sample_count; at++) {
        const struct sample *other = &result->samples[at];
        if (strcmp(other->kernel, roof->kernel) == 0 && strcmp(other->variant, roof->variant) == 0 &&
            strcmp(other->level, roof->level) == 0 && other->threads == roof->threads)
            break;
    }
    target->replaced += at < result->sample_count;
    result->sample_count += at == result->sample_count;
    result->samples[at] = *roof;
    return true;
}

/* The parts of "sde, …; vtune, …" except the one that begins with `format`, followed by `origin`. */
static void join_origin(const char *before, const char *format, const char *origin, char *out, size_t size) {
    *out = '\0';
    for (const char *part = before; *part;) {
        size_t end = strcspn(part, ";"), name = strcspn(part, ",;");
        if (!(name == strlen(format) && strncmp(part, format, name) == 0))
            text_append(out, size, "%.*s; ", (int)end, part);
        part += end + strspn(part + end, "; ");
    }
    text_append(out, size, "%s", origin);
}

struct imported_quantity {
    const char *name;
    size_t source, values[2];
    unsigned value_count;
};
#define AT(member) offsetof(struct app_point, member)
static const struct imported_quantity QUANTITIES[] = {
    {"time", AT(seconds_source), {AT(seconds)}, 1},
    {"flop", AT(flop_source), {AT(flop)}, 1},
    {"bytes", AT(bytes_source), {AT(load_bytes), AT(store_bytes)}, 2},
    {"DRAM bytes", AT(dram_source), {AT(dram_read_bytes), AT(dram_write_bytes)}, 2},
};
enum { QUANTITY_COUNT = sizeof QUANTITIES / sizeof QUANTITIES[0] };

static enum app_source *source_at(struct app_point *point, const struct imported_quantity *quantity) {
    return (enum app_source *)((char *)point + quantity->source);
}

static bool join_point(struct app_point *into, struct app_point *from, const char *format, struct error *err) {
    char origin[sizeof into->origin];
    if (into->threads && from->threads && into->threads != from->threads)
        return error_set(err, "%s is of %u threads in the result and of %u here; choose another --name", into->name,
                         into->threads, from->threads);
    for (size_t i = 0; i < QUANTITY_COUNT; i++) {
        const struct imported_quantity *quantity = &QUANTITIES[i];
        enum app_source *old = source_at(into, quantity), new = *source_at(from, quantity);
        if (new == SOURCE_UNKNOWN)
            continue;
        if (*old != SOURCE_UNKNOWN && *old != SOURCE_IMPORTED)
            return error_set(err, "carmine itself measured the %s of %s; choose another --name", quantity->name,
                             into->name);
        *old = new;
        for (unsigned v = 0; v < quantity->value_count; v++)
            memcpy((char *)into + quantity->values[v], (char *)from + quantity->values[v], sizeof(struct statistics));
    }
    if (from->flop_type[0])
        memcpy(into->flop_type, from->flop_type, sizeof into->flop_type);
    if (from->threads)
        into->threads = from->threads;
    join_origin(into->origin, format, from->origin, origin, sizeof origin);
    memcpy(into->origin, origin, sizeof origin);
    memcpy(into->measured_utc, from->measured_utc, sizeof into->measured_utc);
    doubts_join(&into->doubts, from->doubts);
    return true;
}

static bool add_point(struct import_target *target, struct app_point *point, const char *format, struct error *err) {
    struct result *result = &target->result;
    size_t at = 0;
    if (target->other_machine)
        doubts_add(&point->doubts, DOUBT_OTHER_MACHINE);
    while (at < result->point_count && strcmp(result->points[at].name, point->name) != 0)
        at++;
    if (at < result->point_count) {
        target->replaced++;
        return join_point(&result->points[at], point, format, err);
    }
    result->points[result->point_count++] = *point;
    return true;
}

bool import_target_add(struct import_target *target, const struct import *import, struct error *err) {
    struct result *result = &target->result;
    result->samples =
        need_realloc(result->samples, (result->sample_count + import->roof_count + 1) * sizeof *result->samples);
    result->points =
        need_realloc(result->points, (result->point_count + import->point_count + 1) * sizeof *result->points);
    for (size_t i = 0; i < import->roof_count; i++)
        if (!add_roof(target, &import->roofs[i], err))
            return false;
    for (size_t i = 0; i < import->point_count; i++)
        if (!add_point(target, &import->points[i], import->format, err))
            return false;
    return true;
}

void import_target_free(struct import_target *target) {
    results_free(&target->result);
}
