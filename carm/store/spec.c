/* SPDX-License-Identifier: BSD-3-Clause
 * A vendor's specification. */
#include "spec.h"
#include "fields.h"
#include "ranges.h"
#include "shape.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "probe/error.h"
#include "probe/uarch.h"

static const char SCHEMA[] = "carmine.spec/1";
enum { MAX_FILE_BYTES = 1 << 20, USUAL_BUS_BYTES = 8, MOST_COUNT = 1000000 };

const char *const spec_clock_names[SPEC_CLOCKS] = {"base", "all-core turbo", "turbo"};

static const struct field SPEC_FIELDS[] = {
    FIELD(spec, name, FIELD_TEXT),
    FIELD(spec, cores, FIELD_COUNT),
    FIELD(spec, source, FIELD_TEXT),
    FIELD_OPTIONAL(spec, vendor, FIELD_TEXT),
    FIELD_OPTIONAL(spec, uarch, FIELD_TEXT),
    FIELD_OPTIONAL(spec, threads, FIELD_COUNT),
    FIELD_OPTIONAL(spec, base_clock_hz, FIELD_NUMBER, "Hz"),
    FIELD_OPTIONAL(spec, all_core_turbo_hz, FIELD_NUMBER, "Hz"),
    FIELD_OPTIONAL(spec, turbo_clock_hz, FIELD_NUMBER, "Hz"),
    FIELD_OPTIONAL(spec, memory_channels, FIELD_COUNT),
    FIELD_OPTIONAL(spec, memory_bus_bytes, FIELD_COUNT),
    FIELD_OPTIONAL(spec, memory_transfers_per_s, FIELD_NUMBER, "Hz"),
    FIELD_OPTIONAL(spec, flop_per_cycle_per_core, FIELD_NUMBER, "per cycle and core"),
    FIELD_OPTIONAL(spec, peak_flop_per_s, FIELD_NUMBER, "flop/s"),
    FIELD_OPTIONAL(spec, memory_bytes_per_s, FIELD_NUMBER, "B/s"),
    {0},
};

json_t *spec_shape(void) {
    json_t *schema = fields_schema(SPEC_FIELDS), *properties = json_object_get(schema, "properties");
    json_object_set_new(properties, "schema", json_pack("{s:s}", "const", SCHEMA));
    json_object_set_new(properties, "note", json_pack("{s:s}", "type", "string"));
    json_array_append_new(json_object_get(schema, "required"), json_string("schema"));
    return shape_any(schema);
}

/* People write these files: a misspelt name must be an error, not a missing field. */
static bool names_known(const json_t *root, struct error *err) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)root, key, value) {
        const struct field *field = SPEC_FIELDS;
        while (field->key && strcmp(field->key, key) != 0)
            field++;
        if (!field->key && strcmp(key, "schema") != 0 && strcmp(key, "note") != 0)
            return error_set(err, "%s: unknown field; docs/spec.md lists the fields", key);
    }
    return true;
}

static bool values_fit(const struct spec *spec, struct error *err) {
    if (spec->cores == 0)
        return error_set(err, "cores: must be at least 1");
    const unsigned counts[] = {spec->cores, spec->threads, spec->memory_channels, spec->memory_bus_bytes};
    static const char *const COUNTS[] = {"cores", "threads", "memory_channels", "memory_bus_bytes"};
    for (int i = 0; i < 4; i++)
        if (counts[i] > MOST_COUNT)
            return error_set(err, "%s: must be at most %d, not %u", COUNTS[i], MOST_COUNT, counts[i]);
    if (spec->threads > 0 && spec->threads < spec->cores)
        return error_set(err, "threads: must not be fewer than the %u cores", spec->cores);
    const double clocks[] = {spec->base_clock_hz, spec->all_core_turbo_hz, spec->turbo_clock_hz};
    for (int i = 0; i < SPEC_CLOCKS; i++)
        if (clocks[i] > 0 && (clocks[i] < 1e8 || clocks[i] > 2e10))
            return error_set(err, "the %s clock: must be in Hz, such as 2.7e9, not %g", spec_clock_names[i], clocks[i]);
    if (spec->turbo_clock_hz > 0 && spec->turbo_clock_hz < spec->base_clock_hz)
        return error_set(err, "turbo_clock_hz: must not be below base_clock_hz");
    if (spec->memory_transfers_per_s > 0 && spec->memory_transfers_per_s < 1e8)
        return error_set(err,
                         "memory_transfers_per_s: must be transfers per second, such as 1.6e9 for DDR3-1600, not %g",
                         spec->memory_transfers_per_s);
    return true;
}

static bool read_root(const json_t *root, struct spec *out, struct error *err) {
    const char *schema = json_string_value(json_object_get(root, "schema"));
    if (!schema || strcmp(schema, SCHEMA) != 0)
        return error_set(err, "schema: must be \"%s\"%s%s", SCHEMA, schema ? ", not " : "", schema ? schema : "");
    return fields_read(SPEC_FIELDS, root, out, "", err) && names_known(root, err) && values_fit(out, err) &&
           ranges_hold(SPEC_FIELDS, out, err);
}

bool spec_read(const char *path, struct spec *out, struct error *err) {
    *out = (struct spec){0};
    json_t *root = fields_load(path, MAX_FILE_BYTES, err);
    if (!root)
        return false;
    struct error inner;
    bool done = read_root(root, out, &inner);
    json_decref(root);
    return done || error_set(err, "%s: %s", path, inner.text);
}

struct spec_peaks spec_peaks(const struct spec *spec) {
    struct spec_peaks peaks = {.flop_per_cycle = spec->flop_per_cycle_per_core,
                               .flop_per_cycle_stated = spec->flop_per_cycle_per_core > 0,
                               .clock_hz = {spec->base_clock_hz, spec->all_core_turbo_hz, spec->turbo_clock_hz}};
    if (!peaks.flop_per_cycle_stated)
        peaks.flop_per_cycle = uarch_peak_flop_per_cycle(uarch_named(spec->uarch));
    for (int i = 0; i < SPEC_CLOCKS; i++)
        peaks.flop_per_s[i] = spec->cores * peaks.flop_per_cycle * peaks.clock_hz[i];
    const unsigned bus_bytes = spec->memory_bus_bytes ? spec->memory_bus_bytes : USUAL_BUS_BYTES;
    peaks.memory_bytes_per_s = spec->memory_channels * spec->memory_transfers_per_s * bus_bytes;
    if (spec->memory_bytes_per_s > 0)
        peaks.memory_bytes_per_s = spec->memory_bytes_per_s;
    return peaks;
}

double spec_brand_clock(const char *brand) {
    const char *at = strrchr(brand, '@');
    if (!at)
        return 0;
    char *end;
    const double number = strtod(at + 1, &end);
    const double unit = strncmp(end, "GHz", 3) == 0 ? 1e9 : strncmp(end, "MHz", 3) == 0 ? 1e6 : 0;
    return number > 0 && number < 1e5 ? number * unit : 0;
}

double spec_base_clock(const struct spec *spec, const struct cpu_identity *cpu) {
    if (spec && spec->base_clock_hz > 0)
        return spec->base_clock_hz;
    return cpu->base_clock_hz > 0 ? cpu->base_clock_hz : spec_brand_clock(cpu->brand);
}

double spec_boost_clock(const struct spec *spec, const struct cpu_identity *cpu) {
    return spec && spec->turbo_clock_hz > 0 ? spec->turbo_clock_hz : cpu->boost_clock_hz;
}
