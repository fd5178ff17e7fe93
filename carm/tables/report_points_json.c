/* SPDX-License-Identifier: BSD-3-Clause
 * Points as JSON (see report_app.h). */
#include "report_app.h"

#include <math.h>

#include "carm/model/advice.h"
#include "carm/model/verdict_words.h"
#include "carm/store/fields.h"
#include "carm/text/or_null.h"
#include "carm/theory/theory.h"
#include "report_doubts.h"
#include "report_levels.h"
#include "report_ranks.h"

static json_t *known(bool is_known, double value) {
    return is_known ? json_real(value) : json_null();
}

/* Exact where it is a count. */
static json_t *amount(bool is_known, double value) {
    return is_known && value == floor(value) && value < 0x1p53 ? json_integer((json_int_t)value)
                                                               : known(is_known, value);
}

static json_t *quartiles_json(const struct statistics *s) {
    return s->n > 0 ? json_pack("[f,f]", s->q1, s->q3) : json_null();
}

static json_t *interval_json(const struct app_point *point) {
    const struct median_interval interval = app_median_interval(point);
    return interval.high > 0 ? json_pack("[f,f]", interval.low, interval.high) : json_null();
}

static json_t *source_json(enum app_source source) {
    return source == SOURCE_UNKNOWN ? json_null() : json_string(app_source_names[source]);
}

static json_t *state_json(enum app_state state) {
    return state == STATE_UNKNOWN ? json_null() : json_string(app_state_names[state]);
}

static json_t *next_json(const struct verdict *verdict) {
    const struct roof *next = verdict->next;
    return !next ? json_null()
                 : json_pack("{s:s,s:o,s:f}", "roof", next->sample->kernel, "level", text_or_null(next->sample->level),
                             "flop_per_s", verdict->next_flop_per_s);
}

struct json_entry {
    const char *key;
    json_t *value; /* taken over */
};

static void add_entries(json_t *object, const struct json_entry *entries, size_t count) {
    for (size_t i = 0; i < count; i++)
        json_object_set_new(object, entries[i].key, entries[i].value);
}

static void add_identity(json_t *object, const struct app_point *point) {
    const struct json_entry entries[] = {
        {"name", fields_text(point->name)},
        {"program", fields_text(point->program)},
        {"part", json_string(app_part_names[point->part])},
        {"region", point->region[0] ? fields_text(point->region) : json_null()},
        {"function", point->function[0] ? fields_text(point->function) : json_null()},
        {"command", fields_text(point->command)},
        {"measured_utc", fields_text(point->measured_utc)},
        {"threads", json_integer(point->threads)},
        {"cores", point->cores ? json_integer(point->cores) : json_null()},
        {"cpus", point->cpus ? json_integer(point->cpus) : json_null()},
        {"processes", json_integer(point->processes)},
        {"calls", json_integer((json_int_t)point->calls)},
        {"repetitions", json_integer(point->seconds.n)},
    };
    add_entries(object, entries, sizeof entries / sizeof entries[0]);
}

/* Of a loop or a line; null of everything else. */
static void add_code(json_t *object, const struct app_point *point) {
    const bool loop = point->part == APP_LOOP;
    const struct json_entry entries[] = {
        {"inlined_in", point->inlined_in[0] ? fields_text(point->inlined_in) : json_null()},
        {"file", point->file[0] ? fields_text(point->file) : json_null()},
        {"line", point->line > 0 ? json_integer(point->line) : json_null()},
        {"depth", loop ? json_integer(point->depth) : json_null()},
        {"iterations", amount(loop, (double)point->iterations)},
        {"entries", amount(point->entries > 0, (double)point->entries)},
    };
    add_entries(object, entries, sizeof entries / sizeof entries[0]);
}

static void add_amounts(json_t *object, const struct app_point *point) {
    bool flop = point->flop_source != SOURCE_UNKNOWN, bytes = point->bytes_source != SOURCE_UNKNOWN,
         dram = point->dram_source != SOURCE_UNKNOWN;
    const struct count *count = &point->count;
    const struct json_entry entries[] = {
        {"seconds", known(point->seconds.n > 0, point->seconds.median)},
        {"seconds_quartiles", quartiles_json(&point->seconds)},
        {"seconds_interval", interval_json(point)},
        {"time_share", json_real(point->time_share)},
        {"flop", amount(flop, point->flop.median)},
        {"executed_flop", amount(point->has_count, (double)count_flop(&point->count))},
        {"core_bytes", amount(bytes, app_core_bytes(point))},
        {"load_bytes", amount(bytes, point->load_bytes.median)},
        {"store_bytes", amount(bytes, point->store_bytes.median)},
        {"stack_bytes", amount(point->has_count, (double)(count->stack_load_bytes + count->stack_store_bytes))},
        {"waiting_bytes", amount(point->has_count, (double)point->count.waiting_bytes)},
        {"dram_bytes", amount(dram, app_dram_bytes(point))},
        {"dram_read_bytes", amount(dram, point->dram_read_bytes.median)},
        {"dram_write_bytes", amount(dram, point->dram_write_bytes.median)},
        {"instructions", amount(point->has_count, (double)point->count.instructions)},
        {"flop_per_s", known(flop && point->seconds.median > 0, app_flop_per_s(point))},
        {"flop_per_byte", known(flop && app_core_bytes(point) > 0, app_flop_per_byte(point))},
        {"flop_per_dram_byte", known(flop && app_dram_bytes(point) > 0, app_flop_per_dram_byte(point))},
        {"bandwidth_bound", known(dram && app_core_bytes(point) > 0, app_bandwidth_bound(point))},
    };
    add_entries(object, entries, sizeof entries / sizeof entries[0]);
}

static void add_verdict(json_t *object, const struct verdict *verdict, const struct app_point *point) {
    const char *bound_by = verdict_bound_by(verdict);
    char words[VERDICT_WORDS_BYTES];
    const struct json_entry entries[] = {
        {"bound_by", *bound_by ? json_string(bound_by) : json_null()},
        {"level_known", verdict->known ? json_boolean(!verdict->nearest) : json_null()},
        {"attainable_flop_per_s", known(verdict->known, verdict->attainable_flop_per_s)},
        {"ratio", known(verdict->known, verdict->ratio)},
        {"ratio_of", verdict->known ? json_string(verdict_ratio_of(verdict)) : json_null()},
        {"next", next_json(verdict)},
        {"verdict", fields_text(verdict_words(verdict, point, words))},
        {"sources", json_pack("{s:o,s:o,s:o,s:o}", "seconds", source_json(point->seconds_source), "flop",
                              source_json(point->flop_source), "core_bytes", source_json(point->bytes_source),
                              "dram_bytes", source_json(point->dram_source))},
        {"origin", point->origin[0] ? fields_text(point->origin) : json_null()},
        {"doubts", doubts_json(verdict->doubts)},
    };
    add_entries(object, entries, sizeof entries / sizeof entries[0]);
}

/* What the settings say of a workload, and what it does at least. */
static void add_workload(json_t *object, const struct app_point *point) {
    double analytic_bytes = point->analytic_load_bytes + point->analytic_store_bytes;
    const struct json_entry entries[] = {
        {"series", point->series[0] ? fields_text(point->series) : json_null()},
        {"size", amount(point->size > 0, (double)point->size)},
        {"working_set_bytes", amount(point->size > 0, (double)point->working_set_bytes)},
        {"data", state_json(point->data)},
        {"code", state_json(point->code)},
        {"tlb", state_json(point->tlb)},
        {"clock_hz", known(point->clock_hz > 0, point->clock_hz)},
        {"analytic_flop", amount(point->size > 0, point->analytic_flop)},
        {"analytic_bytes", amount(analytic_bytes > 0, analytic_bytes)},
        {"compulsory_read_bytes", amount(point->size > 0, point->compulsory_read_bytes)},
        {"compulsory_write_bytes", amount(point->size > 0, point->compulsory_write_bytes)},
        {"compiler", point->compiler[0] ? fields_text(point->compiler) : json_null()},
        {"pseudo_flop", amount(point->pseudo_flop > 0, point->pseudo_flop)},
    };
    add_entries(object, entries, sizeof entries / sizeof entries[0]);
}

/* What theory says of its size (carm/theory): bytes of memory, and misses of the simulated TLBs, the first one first.
 */
static void add_theory(json_t *object, const struct app_point *point) {
    const struct theory *theory = theory_of(point);
    const struct theory_case of = theory ? theory_case_of(theory, point, 0) : (struct theory_case){0};
    double bytes = theory ? theory_bytes(theory, &of, point->data == STATE_WARM) : (double)NAN;
    json_t *misses = json_array();
    for (unsigned i = 0; i < HIERARCHY_TLBS; i++) {
        double count = theory ? theory_tlb_misses(theory, &of, point->levels.tlb_entries[i]) : (double)NAN;
        json_array_append_new(misses, known(isfinite(count), count));
    }
    const struct json_entry entries[] = {
        {"theory_dram_bytes", known(isfinite(bytes), bytes)},
        {"theory_tlb_misses", misses},
        {"theory_is_bound", theory ? json_boolean(theory->bound) : json_null()},
    };
    add_entries(object, entries, sizeof entries / sizeof entries[0]);
}

static json_t *advice_json(const struct model *model, const struct app_point *point, const struct verdict *verdict) {
    struct advice advice[ADVICE_MAX];
    const size_t count = advice_find(model, point, verdict, advice);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_pack("{s:s,s:f,s:o}", "rule", advice[i].rule, "seconds", advice[i].seconds,
                                              "text", fields_text(advice[i].text)));
    return list;
}

static json_t *point_json(const struct model *model, const struct app_point *point) {
    const struct verdict verdict = verdict_find(model, point);
    json_t *object = json_object();
    add_identity(object, point);
    add_code(object, point);
    add_amounts(object, point);
    add_verdict(object, &verdict, point);
    report_levels_json(object, &verdict.times, point);
    report_ranks_json(object, point);
    add_workload(object, point);
    add_theory(object, point);
    json_object_set_new(object, "advice", advice_json(model, point, &verdict));
    json_object_set_new(object, "bytes_ratio", known(verdict.bytes_roof != NULL, verdict.bytes_ratio));
    return object;
}

json_t *report_points_json(const struct model *model, const struct app_point *points, size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, point_json(model, &points[i]));
    return list;
}
