/* SPDX-License-Identifier: BSD-3-Clause
 * Thousands of result files, read in parallel; only the compared values of each are stored. */
#include "fleet_index.h"

#include <jansson.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/kernels/team.h"
#include "carm/store/results.h"
#include "probe/error.h"
#include "probe/need.h"
#include "render/page/safe_text.h"

/* "2026-11-20T17:58:35Z" → seconds since 1970; 0: another format. */
static int64_t seconds_of(const char *utc) {
    struct tm when = {0};
    return strptime(utc, "%Y-%m-%dT%H:%M:%SZ", &when) ? (int64_t)timegm(&when) : 0;
}

static void keep_caches(struct fleet_node *node, const struct result *result) {
    const struct levels *levels = &result->levels[0];
    for (unsigned i = 0; i < levels->count && result->kind_count > 0 && node->cache_count < FLEET_LEVELS; i++) {
        const struct level *level = &levels->level[i];
        if (levels_cache(level->name) == 0)
            continue;
        struct fleet_cache *cache = &node->caches[node->cache_count++];
        *cache = (struct fleet_cache){.detected_bytes = level->detected_bytes, .found_bytes = level->found_bytes};
        snprintf(cache->level, sizeof cache->level, "%s", level->name);
    }
}

/* Results of one fleet mostly have the same roofs in the same order: then it is the key after the last. */
static size_t put_behind(struct roof_keys *keys, const struct roof_key *key, size_t last) {
    const bool is_next = last + 1 < keys->count && roof_key_same(&keys->keys[last + 1], key);
    return is_next ? last + 1 : roof_keys_put(keys, key);
}

/* The keys are the fleet's; one thread at a time may add to them. */
static void keep_roofs(struct fleet_node *node, const struct model *model, struct roof_keys *shared) {
    const size_t count = model_compared_count(model);
    struct roof_key *keys = need_calloc(count + 1, sizeof *keys);
    node->values = need_calloc(count + 1, sizeof *node->values);
    for (size_t i = 0; i < count; i++) {
        const struct roof *roof = model_compared(model, i);
        const struct sample *sample = roof->sample;
        if (roof->cell || !(sample->value > 0))
            continue;
        keys[node->count] = roof_key_make(model, roof);
        node->values[node->count++] = (struct fleet_value){.doubts = sample->doubts,
                                                           .value = (float)sample->value,
                                                           .clock_hz = (float)sample->clock_hz,
                                                           .low = (float)sample->low,
                                                           .high = (float)sample->high};
    }
#pragma omp critical(fleet_keys)
    for (size_t i = 0, number = ROOF_KEYS_NONE; i < node->count; i++)
        node->values[i].key = (uint32_t)(number = put_behind(shared, &keys[i], number));
    free(keys);
}

static struct others others_of(const struct environment *environment) {
    struct others out = {.cpus = environment->others_cpus,
                         .allowed_cpus = environment->others_allowed_cpus,
                         .busiest_cpus = environment->busiest_other_cpus};
    memcpy(out.busiest, environment->busiest_other, sizeof out.busiest);
    return out;
}

static bool read_node(const char *path, struct fleet_node *node, struct roof_keys *shared, struct error *err) {
    struct result result;
    if (!results_read_values(path, &result, err))
        return false;
    struct model model = model_build(&result);
    if (model.count == 0 && model.blank_count > 0) {
        model_free(&model);
        results_free(&result);
        return error_set(err, "%s: all its roofs are blank; `carmine run --resume %s` measures them again", path, path);
    }
    *node = (struct fleet_node){.path = path,
                                .machine = fleet_machine_of(&result),
                                .started_s = seconds_of(result.environment.started_utc),
                                .elapsed_s = result.environment.elapsed_s,
                                .others = others_of(&result.environment),
                                .interrupted = result.environment.interrupted};
    keep_caches(node, &result);
    keep_roofs(node, &model, shared);
    model_free(&model);
    results_free(&result);
    return true;
}

/* In the order of the files, whichever thread or index came first; keys that no node has are dropped. */
static void number_keys(struct fleet_reading *reading) {
    struct roof_keys ordered = {0};
    size_t *numbers = need_calloc(reading->keys.count + 1, sizeof *numbers); /* 1 + the new number; 0: none yet */
    for (size_t n = 0; n < reading->paths->count; n++) {
        struct fleet_node *node = &reading->nodes[n];
        for (size_t i = 0; reading->done[n] && i < node->count; i++) {
            size_t *number = &numbers[node->values[i].key];
            if (*number == 0)
                *number = 1 + roof_keys_put(&ordered, &reading->keys.keys[node->values[i].key]);
            node->values[i].key = (uint32_t)(*number - 1);
        }
    }
    free(numbers);
    roof_keys_free(&reading->keys);
    reading->keys = ordered;
}

/* Reads each file from an index or by itself; a refused file's error is in `errors`. */
static void read_nodes(struct fleet_reading *reading, bool indexed, struct error *errors) {
    const struct result_paths *paths = reading->paths;
    const size_t folders = indexed ? paths->folder_count : 0;
    struct fleet_index *indexes = need_calloc(folders + 1, sizeof *indexes);
    if (folders)
        fleet_index_mark(reading);
    for (size_t f = 0; f < folders; f++)
        indexes[f] = fleet_index_read(&paths->folders[f], reading);
#pragma omp parallel for schedule(dynamic, 4)
    for (size_t i = 0; i < paths->count; i++)
        if (!reading->done[i])
            reading->done[i] = read_node(paths->list[i], &reading->nodes[i], &reading->keys, &errors[i]);
    number_keys(reading);
    for (size_t f = 0; f < folders; f++)
        fleet_index_write(&paths->folders[f], reading, &indexes[f]);
    free(indexes);
}

bool fleet_read(const struct result_paths *paths, bool indexed, struct fleet *out, struct error *err) {
    struct error *errors = need_calloc(paths->count, sizeof *errors);
    struct fleet_reading reading = {.paths = paths,
                                    .marks = need_calloc(paths->count, sizeof *reading.marks),
                                    .nodes = need_calloc(paths->count, sizeof *reading.nodes),
                                    .done = need_calloc(paths->count, sizeof *reading.done)};
    omp_set_num_threads((int)team_startable((unsigned)omp_get_max_threads())); /* for all work on a fleet */
    json_object_seed(0); /* before the threads start: each would do it */
    read_nodes(&reading, indexed, errors);
    *out = (struct fleet){
        .nodes = reading.nodes, .keys = reading.keys, .refusals = need_calloc(paths->count, sizeof *out->refusals)};
    for (size_t i = 0; i < paths->count; i++) {
        if (reading.done[i]) {
            out->nodes[out->count++] = reading.nodes[i];
            continue;
        }
        struct fleet_refusal *refusal = &out->refusals[out->refusal_count++];
        refusal->path = paths->list[i];
        snprintf(refusal->why, sizeof refusal->why, "%.250s", errors[i].text);
        safe_text_clean(refusal->why);
    }
    free(errors);
    free(reading.marks);
    free(reading.done);
    if (out->count > 0)
        return true;
    if (out->refusal_count == 1)
        error_set(err, "%s", out->refusals[0].why);
    else
        error_set(err, "none of the %zu files is a result of carmine run; the first: %s", out->refusal_count,
                  out->refusal_count ? out->refusals[0].why : "");
    return false;
}

void fleet_free(struct fleet *fleet) {
    for (size_t i = 0; i < fleet->count; i++)
        free(fleet->nodes[i].values);
    free(fleet->nodes);
    free(fleet->refusals);
    roof_keys_free(&fleet->keys);
    *fleet = (struct fleet){0};
}
