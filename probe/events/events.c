/* SPDX-License-Identifier: BSD-3-Clause
 * Choosing a core's events, and the language of formulas: what a file and the table's rows are written in. */
#include "events.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "event_table.h"
#include "probe/isa.h"
#include "probe/uarch.h"

const char *const metric_names[METRIC_COUNT + 1] = {
    "f64_flop", "f32_flop",     "f16_flop",        "any_flop",         "loads", "stores", "tlb_misses",
    "cycles",   "instructions", "dram_read_bytes", "dram_write_bytes",
};

static const char *skip_blanks(const char *text) {
    return text + strspn(text, " \t\r\n");
}

/* `event * factor + event …`. Error: what is wrong in it, without a place. */
static bool formula_parse(const char *text, struct event_formula *out, struct error *err) {
    static const char AFTER_NAME[] = " \t\r\n*+";
    *out = (struct event_formula){0};
    for (text = skip_blanks(text);; text = skip_blanks(text + 1)) {
        const size_t length = strcspn(text, AFTER_NAME);
        if (length == 0)
            return error_set(err, "an event's name is missing%s%.20s", *text ? " before " : " at the end", text);
        if (out->term_count == EVENTS_MAX_TERMS)
            return error_set(err, "more than %d events in one formula", EVENTS_MAX_TERMS);
        if (length >= sizeof out->terms[0].event)
            return error_set(err, "the event's name %.20s… is longer than %zu characters", text,
                             sizeof out->terms[0].event - 1);
        memcpy(out->terms[out->term_count].event, text, length);
        double factor = 1;
        text = skip_blanks(text + length);
        if (*text == '*') {
            char *end;
            factor = strtod(text + 1, &end);
            if (end == text + 1 || !isfinite(factor) || factor == 0)
                return error_set(err, "after %s * there must be a number that is not 0",
                                 out->terms[out->term_count].event);
            text = skip_blanks(end);
        }
        out->terms[out->term_count++].factor = factor;
        if (*text == '\0')
            return true;
        if (*text != '+')
            return error_set(err, "+ is missing before %.20s", text);
    }
}

static void formula_from_row(const char *text, const char *prefix, struct event_formula *out) {
    struct error err;
    if (!text || !formula_parse(text, out, &err))
        return; /* a row that does not parse is empty, which a test finds */
    for (unsigned i = 0; i < out->term_count && *prefix; i++) {
        char name[sizeof out->terms[0].event];
        memcpy(name, out->terms[i].event, sizeof name);
        snprintf(out->terms[i].event, sizeof name, "%.30s::%.63s", prefix, name);
    }
}

static void set_from_core(const struct event_core *core, const char *prefix, struct event_set *out) {
    for (unsigned m = 0; m < METRIC_COUNT; m++) {
        formula_from_row(core->formulas[m], prefix, &out->metrics[m]);
        snprintf(out->doubt[m], sizeof out->doubt[m], "%s", core->doubts[m] ? core->doubts[m] : "");
    }
}

static void set_from_row(const struct event_row *row, struct event_set *out) {
    static const char WHOLE_MACHINE[] = "of the whole machine, other programs too";
    static const char NO_MEMORY_EVENT[] = "no event that tells reads from writes is cited";
    memset(out, 0, sizeof *out);
    snprintf(out->core, sizeof out->core, "%s", uarch_name(uarch_named(row->product)));
    snprintf(out->pmu, sizeof out->pmu, "%s", row->pmu);
    snprintf(out->stand_in, sizeof out->stand_in, "%s", row->stand_in ? row->stand_in : "");
    snprintf(out->source, sizeof out->source, "%s%s%s", row->core->source, row->memory ? "; " : "",
             row->memory ? row->memory->source : "");
    set_from_core(row->core, row->hybrid ? row->pmu : "", out);
    for (unsigned m = METRIC_DRAM_READ_BYTES; m <= METRIC_DRAM_WRITE_BYTES; m++) {
        if (row->memory)
            formula_from_row(m == METRIC_DRAM_READ_BYTES ? row->memory->read : row->memory->write, "",
                             &out->metrics[m]);
        snprintf(out->doubt[m], sizeof out->doubt[m], "%s", row->memory ? WHOLE_MACHINE : NO_MEMORY_EVENT);
    }
}

static bool row_is(const struct event_row *row, const struct uarch *uarch, unsigned model) {
    if (!uarch || uarch_named(row->product) != uarch)
        return false;
    for (unsigned i = 0; i < EVENT_MAX_MODELS && row->models[i]; i++)
        if (row->models[i] == model)
            return true;
    return row->models[0] == 0;
}

void events_find_kind(const struct cpu_identity *cpu, const char *core_kind, struct event_set *out) {
    const struct uarch *uarch = uarch_find(cpu, core_kind).uarch;
    for (size_t i = 0; i < event_row_count; i++)
        if (row_is(&event_rows[i], uarch, cpu->model)) {
            set_from_row(&event_rows[i], out);
            return;
        }
    memset(out, 0, sizeof *out);
    snprintf(out->source, sizeof out->source, "%s", event_presets.source);
    set_from_core(&event_presets, "", out);
}

void events_find(const struct cpu_identity *cpu, const char *pmu, struct event_set *out) {
    for (size_t i = 0; pmu && i < event_row_count; i++)
        if (strcmp(event_rows[i].pmu, pmu) == 0) {
            set_from_row(&event_rows[i], out);
            return;
        }
    events_find_kind(cpu, cpu->features & CPU_HYBRID ? "P" : "", out);
}

const char *events_pmu_at(size_t index) {
    size_t distinct = 0;
    for (size_t i = 0; i < event_row_count; i++) {
        bool seen = false;
        for (size_t j = 0; j < i; j++)
            seen |= strcmp(event_rows[j].pmu, event_rows[i].pmu) == 0;
        if (!seen && distinct++ == index)
            return event_rows[i].pmu;
    }
    return NULL;
}

static bool line_read(char *line, struct event_set *out, bool *replaced, struct error *err) {
    line[strcspn(line, "#\n")] = '\0';
    const char *start = skip_blanks(line);
    if (*start == '\0')
        return true;
    const size_t length = strcspn(start, " \t\r=");
    const char *equals = skip_blanks(start + length);
    if (*equals != '=')
        return error_set(err, "`metric = event * factor + event …` is expected");
    for (unsigned m = 0; m < METRIC_COUNT; m++) {
        if (strlen(metric_names[m]) != length || strncmp(metric_names[m], start, length) != 0)
            continue;
        if (replaced[m])
            return error_set(err, "%s for the second time", metric_names[m]);
        replaced[m] = true;
        out->doubt[m][0] = '\0';
        return formula_parse(equals + 1, &out->metrics[m], err);
    }
    char known[256] = "";
    for (unsigned m = 0; m < METRIC_COUNT; m++)
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", m ? ", " : "", metric_names[m]);
    return error_set(err, "%.*s is no metric; the metrics are %s", (int)(length < 40 ? length : 40), start, known);
}

bool events_load(const char *path, struct event_set *out, struct error *err) {
    char line[4096];
    bool replaced[METRIC_COUNT] = {false}, any = false, good = true;
    FILE *file = fopen(path, "r");
    if (!file)
        return error_set(err, "%s cannot be read: %s", path, strerror(errno));
    for (unsigned number = 1; good && fgets(line, sizeof line, file); number++) {
        struct error why;
        good = strlen(line) < sizeof line - 1 ? line_read(line, out, replaced, &why)
                                              : error_set(&why, "longer than %zu characters", sizeof line - 2);
        if (!good)
            error_set(err, "%s, line %u: %.900s", path, number, why.text);
    }
    if (good && ferror(file))
        good = error_set(err, "%s cannot be read: %s", path, strerror(errno));
    for (unsigned m = 0; m < METRIC_COUNT; m++)
        any |= replaced[m];
    if (good && !any)
        good = error_set(err, "%s holds no formula; a line is `metric = event * factor + event …`", path);
    fclose(file);
    return good;
}

bool events_evaluate(const struct event_formula *formula, size_t count, const char (*names)[96], const double *values,
                     double *out) {
    double sum = 0;
    for (unsigned t = 0; t < formula->term_count; t++) {
        size_t i = 0;
        while (i < count && strcmp(names[i], formula->terms[t].event) != 0)
            i++;
        if (i == count)
            return false;
        sum += formula->terms[t].factor * values[i];
    }
    *out = sum;
    return formula->term_count > 0;
}
