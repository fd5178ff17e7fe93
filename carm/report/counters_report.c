/* SPDX-License-Identifier: BSD-3-Clause
 * Facts about counters as text and JSON (see counters.h). */
#include <inttypes.h>
#include <string.h>

#include "asm/instruction.h"
#include "bench/kernels/number_thresholds.h"
#include "carm/session/counters.h"
#include "carm/text/csv.h"
#include "carm/text/table.h"
#include "probe/error.h"
#include "render/page/units.h"

struct totals {
    unsigned of_core, of_kernel; /* event names of libpfm4 and of the kernel */
    unsigned unknown, counting;
};

static struct totals totals_of(const struct counters *counters) {
    struct totals totals = {0};
    for (unsigned k = 0; k < counters->core_count; k++)
        for (unsigned m = 0; m < METRIC_COUNT; m++)
            for (unsigned t = 0; t < counters->cores[k].set.metrics[m].term_count; t++) {
                const bool of_kernel = uncore_is(counters->cores[k].set.metrics[m].terms[t].event);
                const enum event_state state = counters->cores[k].checks[m][t].state;
                totals.of_core += !of_kernel;
                totals.of_kernel += of_kernel;
                totals.unknown += state == EVENT_NOT_KNOWN;
                totals.counting += state == EVENT_COUNTS;
            }
    return totals;
}

static void print_formulas(const struct counters_core *core) {
    struct table table = table_begin("lllll");
    char(*row)[TABLE_CELL_BYTES] = table_row(&table);
    table_set(row, 0, "metric");
    table_set(row, 1, "event");
    table_set(row, 2, "factor");
    table_set(row, 3, "code");
    table_set(row, 4, "state");
    for (unsigned m = 0; m < METRIC_COUNT; m++) {
        const struct event_formula *formula = &core->set.metrics[m];
        for (unsigned t = 0; t < formula->term_count; t++) {
            const struct event_check *check = &core->checks[m][t];
            row = table_row(&table);
            table_set(row, 0, "%s", t ? "" : metric_names[m]);
            table_set(row, 1, "%s%s", t ? "+ " : "", formula->terms[t].event);
            table_set(row, 2, "× %g", formula->terms[t].factor);
            if (check->code)
                table_set(row, 3, "0x%" PRIx64, check->code);
            table_set(row, 4, "%s", event_state_names[check->state]);
        }
    }
    table_print(&table, stdout);
    for (unsigned m = 0; m < METRIC_COUNT; m++)
        if (*core->set.doubt[m])
            printf("%s %s: %s\n", core->set.metrics[m].term_count ? "▲" : "·", metric_names[m], core->set.doubt[m]);
    printf("source: %s\n", core->set.source);
}

/* Each reason once. */
static void print_reasons(const struct counters *counters) {
    const char *said[METRIC_COUNT * EVENTS_MAX_TERMS];
    unsigned count = 0;
    for (unsigned k = 0; k < counters->core_count; k++)
        for (unsigned m = 0; m < METRIC_COUNT; m++)
            for (unsigned t = 0; t < counters->cores[k].set.metrics[m].term_count; t++) {
                const struct event_check *check = &counters->cores[k].checks[m][t];
                bool repeated = !*check->reason || count == sizeof said / sizeof said[0] ||
                                strcmp(check->reason, counters->tables.note) == 0;
                for (unsigned i = 0; i < count && !repeated; i++)
                    repeated = strcmp(said[i], check->reason) == 0;
                if (repeated)
                    continue;
                said[count++] = check->reason;
                printf("%s %s: %s\n", check->state == EVENT_OF_KERNEL ? "·" : "▲", event_state_names[check->state],
                       check->reason);
            }
}

static void print_calibrations(const struct counters_core *core) {
    if (*core->not_calibrated)
        printf("\n▲ not calibrated: %s\n", core->not_calibrated);
    if (core->calibration_count == 0)
        return;
    struct table table = table_begin("lllrrrl");
    char(*row)[TABLE_CELL_BYTES] = table_row(&table), expected[32];
    unsigned doubtful = 0;
    printf("\ncalibration: measured over expected\n");
    table_set(row, 1, "metric");
    table_set(row, 2, "kernel");
    table_set(row, 3, "expected");
    table_set(row, 4, "median");
    table_set(row, 5, "worst");
    for (size_t i = 0; i < core->calibration_count; i++) {
        const struct calibration *one = &core->calibrations[i];
        doubtful += calibration_doubtful(one);
        row = table_row(&table);
        table_set(row, 0, "%s", *one->failure || calibration_doubtful(one) ? "▲" : "✓");
        table_set(row, 1, "%s", metric_names[one->metric]);
        table_set(row, 2, "%s", one->kernel);
        table_set(row, 3, "%s", units_number_digits(expected, sizeof expected, one->expected, 4));
        if (*one->failure) {
            table_set(row, 6, "%.150s", one->failure);
            continue;
        }
        table_set(row, 4, "%.3f", one->median);
        table_set(row, 5, "%.3f", one->worst);
    }
    table_print(&table, stdout);
    if (doubtful)
        printf("▲ %u of %zu are outside of %g to %g: these metrics are unreliable for such code\n", doubtful,
               core->calibration_count, number_thresholds.counter_low.value, number_thresholds.counter_high.value);
}

static void print_uncounted(void) {
    struct error none;
    printf("\nNothing can be counted or calibrated here. ");
    puts(instruction_readable(&none)
             ? "`carmine app` counts every instruction exactly instead\n"
               "(--counters count, the choice of auto): flop and bytes are then no estimates, but the counted run is "
               "slower.\nDRAM traffic is known only from a simulated cache (--levels)."
             : "Nor does this `carmine app` count exactly:\n--flop N --bytes N state what a program does.");
}

void counters_print(const struct counters *counters) {
    for (unsigned k = 0; k < counters->core_count; k++) {
        const struct counters_core *core = &counters->cores[k];
        printf("%sevents of %s%s%s%s%s\n", k ? "\n" : "",
               *core->set.core ? core->set.core : "an unknown core: PAPI's presets", *core->kind ? ", " : "",
               core->kind, *core->kind ? " cores" : "", *counters->events_file ? ", with formulas of your own" : "");
        if (k == 0 && *counters->tables.note)
            printf("%s %s\n", *counters->tables.name ? "·" : "▲", counters->tables.note);
        putchar('\n');
        print_formulas(core);
    }
    print_reasons(counters);
    const struct totals totals = totals_of(counters);
    if (*counters->tables.name)
        printf("\n%u of %u events resolve with %s's tables of %s", totals.of_core - totals.unknown, totals.of_core,
               counters->tables.library, counters->tables.name);
    else
        printf("\nno event can be resolved: %s has no tables for this core", counters->tables.library);
    printf(totals.of_kernel ? "; %u more are the kernel's\n" : "\n", totals.of_kernel);
    if (counters->foreign)
        return;
    if (totals.counting > 0) {
        printf("%u of all are counted here", totals.counting);
        printf(counters->at_once ? ", %u at once\n" : "\n", counters->at_once);
        for (unsigned k = 0; k < counters->core_count; k++)
            print_calibrations(&counters->cores[k]);
        return;
    }
    print_uncounted();
}

static json_t *core_json(const struct counters_core *core) {
    json_t *metrics = json_array(), *calibrations = json_array();
    for (unsigned m = 0; m < METRIC_COUNT; m++) {
        json_t *events = json_array();
        for (unsigned t = 0; t < core->set.metrics[m].term_count; t++) {
            const struct event_check *check = &core->checks[m][t];
            json_array_append_new(
                events, json_pack("{s:s,s:f,s:I,s:s,s:s}", "event", core->set.metrics[m].terms[t].event, "factor",
                                  core->set.metrics[m].terms[t].factor, "code", (json_int_t)check->code, "state",
                                  event_state_names[check->state], "reason", check->reason));
        }
        json_array_append_new(metrics, json_pack("{s:s,s:s,s:o}", "metric", metric_names[m], "doubt",
                                                 core->set.doubt[m], "events", events));
    }
    for (size_t i = 0; i < core->calibration_count; i++) {
        const struct calibration *one = &core->calibrations[i];
        json_array_append_new(
            calibrations, json_pack("{s:s,s:s,s:f,s:f,s:f,s:b,s:s}", "metric", metric_names[one->metric], "kernel",
                                    one->kernel, "expected", one->expected, "median_ratio", one->median, "worst_ratio",
                                    one->worst, "doubtful", calibration_doubtful(one), "failure", one->failure));
    }
    return json_pack("{s:s,s:s,s:s,s:s,s:o,s:o,s:s}", "core", core->set.core, "kind", core->kind, "pmu", core->set.pmu,
                     "source", core->set.source, "metrics", metrics, "calibrations", calibrations, "not_calibrated",
                     core->not_calibrated);
}

void counters_csv(const struct counters *counters, FILE *out) {
    json_t *rows = json_array(), *metric, *event;
    for (unsigned k = 0; k < counters->core_count; k++) {
        json_t *core = core_json(&counters->cores[k]);
        size_t m, e;
        json_array_foreach(json_object_get(core, "metrics"), m, metric) {
            json_array_foreach(json_object_get(metric, "events"), e, event) {
                json_t *row = json_pack("{s:O,s:O}", "core", json_object_get(core, "core"), "metric",
                                        json_object_get(metric, "metric"));
                json_object_update(row, event);
                json_array_append_new(rows, row);
            }
        }
        json_decref(core);
    }
    csv_print_rows(rows, out);
}

json_t *counters_json(const struct counters *counters) {
    json_t *cores = json_array();
    for (unsigned k = 0; k < counters->core_count; k++)
        json_array_append_new(cores, core_json(&counters->cores[k]));
    return json_pack("{s:s,s:b,s:s,s:s,s:b,s:s,s:s,s:b,s:i,s:s,s:b,s:o}", "schema", "carmine.counters/1",
                     "this_machine", !counters->foreign, "library", counters->tables.library, "tables",
                     counters->tables.name, "tables_forced", counters->tables.forced, "tables_note",
                     counters->tables.note, "papi", counters->papi.version, "counting", counters->papi.counters,
                     "counters_at_once", (int)counters->at_once, "not_counting", counters->papi.reason, "good",
                     counters_good(counters), "cores", cores);
}
