/* SPDX-License-Identifier: BSD-3-Clause */
#include "workload.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probe/error.h"
#include "probe/need.h"

/* A number that is not negative; null if theory gives no exact value. */
static bool read_amount(const json_t *root, const char *key, double *out, struct error *err) {
    const json_t *value = json_object_get(root, key);
    *out = json_number_value(value);
    return (json_is_null(value) || json_is_number(value)) && *out >= 0 && isfinite(*out)
               ? true
               : error_set(err, "carmine-workload: %s must be a number or null", key);
}

static bool read_whole(const json_t *root, const char *key, uint64_t least, uint64_t most, uint64_t *out,
                       struct error *err) {
    const json_t *value = json_object_get(root, key);
    json_int_t number = json_integer_value(value);
    *out = (uint64_t)number;
    return json_is_integer(value) && number >= (json_int_t)least && number <= (json_int_t)most
               ? true
               : error_set(err, "carmine-workload: %s must be a whole number", key);
}

static bool read_text(const json_t *root, const char *key, char *out, size_t size, struct error *err) {
    const json_t *value = json_object_get(root, key);
    if (!json_is_string(value) || json_string_length(value) >= size)
        return error_set(err, "carmine-workload: %s must be a text, and not so long", key);
    strcpy(out, json_string_value(value));
    return true;
}

static bool read_state(const json_t *root, const char *key, enum app_state first, enum app_state *out,
                       struct error *err) {
    char name[16];
    if (!read_text(root, key, name, sizeof name, err))
        return false;
    for (*out = first; app_state_names[*out]; ++*out)
        if (strcmp(app_state_names[*out], name) == 0)
            return true;
    return error_set(err, "carmine-workload: %s must be cold or warm", key);
}

/* The TLB's state is unknown if each run uses another copy of the data. */
static bool read_states(const json_t *root, struct workload_report *out, struct error *err) {
    return read_state(root, "data", STATE_COLD, &out->data, err) &&
           read_state(root, "code", STATE_COLD, &out->code, err) &&
           read_state(root, "tlb", STATE_UNKNOWN, &out->tlb, err);
}

static bool read_seconds(const json_t *root, struct workload_report *out, struct error *err) {
    const json_t *list = json_object_get(root, "seconds");
    size_t count = json_array_size(list);
    if (count == 0)
        return error_set(err, "carmine-workload: seconds must be a list");
    out->seconds = need_calloc(count, sizeof *out->seconds);
    for (size_t i = 0; i < count; i++) {
        const json_t *value = json_array_get(list, i);
        out->seconds[i] = json_number_value(value);
        if (!json_is_number(value) || !(out->seconds[i] > 0))
            return error_set(err, "carmine-workload: seconds must be more than 0");
    }
    out->seconds_count = count;
    return true;
}

/* Read after each repetition; 0 if not readable. */
static double median_clock(const json_t *root) {
    const json_t *list = json_object_get(root, "clock_hz");
    double *clocks = need_calloc(json_array_size(list) + 1, sizeof *clocks);
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(list); i++)
        if (json_number_value(json_array_get(list, i)) > 0)
            clocks[count++] = json_number_value(json_array_get(list, i));
    double median = sample_statistics(clocks, count).median;
    free(clocks);
    return median;
}

bool workload_report_read(const char *text, struct workload_report *out, struct error *err) {
    enum { MAX_THREADS = 1 << 16, MAX_RUNS = 1 << 30 };
    const uint64_t most = (uint64_t)1 << 62;
    json_error_t where;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &where);
    uint64_t threads = 0, runs = 0;
    double allocate_bytes = 0;
    *out = (struct workload_report){0};
    if (!json_is_object(root)) {
        json_decref(root);
        return error_set(err, "carmine-workload printed no report, but '%.80s' (%s)", text,
                         *where.text ? where.text : "no object");
    }
    json_t *ok = json_object_get(root, "ok"), *check_error = json_object_get(root, "check_error");
    bool done = read_text(root, "workload", out->workload, sizeof out->workload, err) &&
                read_text(root, "type", out->type, sizeof out->type, err) &&
                read_text(root, "isa", out->isa, sizeof out->isa, err) &&
                read_whole(root, "size", 1, most, &out->size, err) &&
                read_whole(root, "working_set_bytes", 0, most, &out->working_set_bytes, err) &&
                read_whole(root, "threads", 1, MAX_THREADS, &threads, err) &&
                read_whole(root, "runs", 1, MAX_RUNS, &runs, err) && read_states(root, out, err) &&
                read_amount(root, "flop", &out->flop, err) && read_amount(root, "load_bytes", &out->load_bytes, err) &&
                read_amount(root, "store_bytes", &out->store_bytes, err) &&
                read_amount(root, "read_bytes", &out->read_bytes, err) &&
                read_amount(root, "allocate_bytes", &allocate_bytes, err) &&
                read_amount(root, "write_bytes", &out->write_bytes, err) &&
                read_amount(root, "pseudo_flop", &out->pseudo_flop, err) && read_seconds(root, out, err) &&
                (json_is_boolean(ok) || error_set(err, "carmine-workload: ok must be true or false"));
    if (json_object_get(root, "library") && !json_is_null(json_object_get(root, "library")))
        done = done && read_text(root, "library", out->library, sizeof out->library, err);
    if (json_object_get(root, "block") && !json_is_null(json_object_get(root, "block")))
        done = done && read_whole(root, "block", 0, most, &out->block, err);
    if (done) {
        out->threads = (unsigned)threads, out->runs = (unsigned)runs;
        out->ok = json_is_true(ok);
        out->flop_known = json_is_number(json_object_get(root, "flop"));
        out->read_bytes += allocate_bytes;
        out->clock_hz = median_clock(root);
        out->check_error = json_is_number(check_error) ? json_number_value(check_error) : (double)NAN;
    } else {
        workload_report_free(out);
    }
    json_decref(root);
    return done;
}

void workload_report_free(struct workload_report *report) {
    free(report->seconds);
    *report = (struct workload_report){0};
}
