/* SPDX-License-Identifier: BSD-3-Clause
 * Checks counters: the tables, each event, and the calibration. */
#include "counters.h"

#include <stdlib.h>
#include <string.h>

#include "probe/error.h"
#include "probe/isa.h"
#include "probe/events/perf.h"
#include "probe/machine.h"
#include "probe/need.h"
#include "probe/text.h"

static bool has_row(const char *pmu, struct error *err) {
    char known[1024] = "";
    for (size_t i = 0; events_pmu_at(i); i++) {
        if (strcmp(events_pmu_at(i), pmu) == 0)
            return true;
        text_append(known, sizeof known, "%s%s", i ? ", " : "", events_pmu_at(i));
    }
    return error_set(err, "no events are listed for %.40s; known cores: %s", pmu, known);
}

static bool is_own(const struct machine *machine, const char *pmu) {
    for (unsigned k = 0; k < machine->kind_count; k++) {
        struct event_set set;
        events_find_kind(&machine->cpu, machine->kinds[k].name, &set);
        if (strcmp(set.pmu, pmu) == 0)
            return true;
    }
    return false;
}

/* Finds the cores to check, with their formulas. */
static bool cores_find(struct counters *out, const struct machine *machine, const char *pmu, struct error *err) {
    if (pmu && !has_row(pmu, err))
        return false;
    out->foreign = pmu && !is_own(machine, pmu);
    if (out->foreign) {
        out->core_count = 1;
        events_find(&machine->cpu, pmu, &out->cores[0].set);
    } else {
        out->core_count = machine->kind_count;
        for (unsigned k = 0; k < machine->kind_count; k++) {
            snprintf(out->cores[k].kind, sizeof out->cores[k].kind, "%s", machine->kinds[k].name);
            events_find_kind(&machine->cpu, machine->kinds[k].name, &out->cores[k].set);
        }
    }
    for (unsigned k = 0; k < out->core_count && *out->events_file; k++)
        if (!events_load(out->events_file, &out->cores[k].set, err))
            return false;
    return true;
}

static bool counts(const struct counters_core *core, enum metric metric) {
    const struct event_formula *formula = &core->set.metrics[metric];
    for (unsigned t = 0; t < formula->term_count; t++)
        if (core->checks[metric][t].state != EVENT_COUNTS)
            return false;
    return formula->term_count > 0;
}

/* Calibrates the countable metrics. Reasons for the others are in their checks already. */
static void calibrate(struct counters_core *core, const struct machine *machine, unsigned kind) {
    struct event_set countable = core->set;
    bool any = false;
    for (unsigned m = 0; m < METRIC_COUNT; m++) {
        if (!counts(core, m))
            countable.metrics[m].term_count = 0;
        any |= countable.metrics[m].term_count > 0;
    }
    if (!any)
        return;
    const struct calibrate_subject subject = {.machine = machine,
                                              .kind = kind,
                                              .set = &countable,
                                              .memory = counts(core, METRIC_DRAM_READ_BYTES) ||
                                                        counts(core, METRIC_DRAM_WRITE_BYTES)};
    struct calibrate_counters context;
    const struct calibrate_reader reader = calibrate_counters_reader(&context);
    struct error err;
    if (!calibrate_run(&subject, &reader, core->calibrations, &core->calibration_count, &err))
        snprintf(core->not_calibrated, sizeof core->not_calibrated, "%.255s", err.text);
}

/* Checks an event. If libpfm4 does not know the core, its names have no meaning or another one. */
static void check(const struct counters *counters, const char *event, struct event_check *out) {
    const bool nameless = *counters->cores[0].set.pmu && *counters->tables.name == '\0' && !*counters->events_file;
    if (!nameless || uncore_is(event)) {
        event_check(event, counters->tables.name, !counters->foreign, out);
        return;
    }
    *out = (struct event_check){.state = EVENT_NOT_KNOWN};
    snprintf(out->reason, sizeof out->reason, "%.223s", counters->tables.note);
}

static unsigned count_at_once(const struct counters_core *core) {
    char fitting[PAPI_MAX_EVENTS][96];
    unsigned count = 0;
    for (unsigned m = 0; m < METRIC_COUNT; m++)
        for (unsigned t = 0; t < core->set.metrics[m].term_count && count < PAPI_MAX_EVENTS; t++) {
            const char *event = core->set.metrics[m].terms[t].event;
            bool more = core->checks[m][t].state == EVENT_COUNTS && !uncore_is(event);
            for (unsigned i = 0; i < count && more; i++)
                more = strcmp(fitting[i], event) != 0;
            memcpy(fitting[count], event, sizeof fitting[0]);
            count += more && papi_events_fit(count + 1, (const char(*)[96])fitting);
        }
    return count;
}

struct counters *counters_examine(const struct machine *machine, const char *pmu, const char *events_file,
                                  struct error *err) {
    struct counters *out = need_calloc(1, sizeof *out);
    const char *users = getenv("LIBPFM_FORCE_PMU");
    if (!pmu && users && *users)
        pmu = users;
    snprintf(out->events_file, sizeof out->events_file, "%s", events_file ? events_file : "");
    if (!cores_find(out, machine, pmu, err)) {
        free(out);
        return NULL;
    }
    unsetenv("LIBPFM_FORCE_PMU"); /* the core is chosen; event_tables_choose() finds its tables */
    const bool force = !out->foreign && perf_has_pmu("") && !(machine->cpu.features & CPU_HYBRID);
    event_tables_of_all_cores();
    event_tables_choose(&out->cores[0].set, force, &out->tables);
    if (!out->foreign)
        papi_probe(&out->papi);
    else if (strcmp(out->tables.name, out->cores[0].set.pmu) == 0)
        *out->tables.note = '\0'; /* a foreign core is expected here */
    for (unsigned k = 0; k < out->core_count; k++) {
        struct counters_core *core = &out->cores[k];
        for (unsigned m = 0; m < METRIC_COUNT; m++)
            for (unsigned t = 0; t < core->set.metrics[m].term_count; t++)
                check(out, core->set.metrics[m].terms[t].event, &core->checks[m][t]);
        if (!out->foreign)
            calibrate(core, machine, k);
    }
    out->at_once = count_at_once(&out->cores[0]);
    return out;
}

bool counters_good(const struct counters *counters) {
    /* Without the core's tables its event names cannot be checked. */
    const bool names_matter = *counters->tables.name || *counters->events_file;
    for (unsigned k = 0; k < counters->core_count; k++) {
        const struct counters_core *core = &counters->cores[k];
        for (unsigned m = 0; m < METRIC_COUNT; m++)
            for (unsigned t = 0; t < core->set.metrics[m].term_count; t++)
                if (names_matter && core->checks[m][t].state == EVENT_NOT_KNOWN)
                    return false;
        for (size_t i = 0; i < core->calibration_count; i++)
            if (calibration_doubtful(&core->calibrations[i]))
                return false;
    }
    return true;
}
