/* SPDX-License-Identifier: BSD-3-Clause
 * Lines of theory (see chart_theory.h). */
#include "chart_theory.h"

#include <math.h>
#include <string.h>

#include "render/page/units.h"

static const struct series_look LOOK = {.dash = PLOT_DASHED, .model = true};

/* What counters saw passed the machine's own caches. */
static double cache_bytes_of(const struct series_chart *chart, const struct app_point *point) {
    const struct levels *levels = &chart->model->result->levels[0];
    if (point->dram_source != SOURCE_COUNTERS || levels->count < 2)
        return 0;
    return (double)levels->level[levels->count - 2].effective_bytes;
}

/* The sizes to ask for: those that were measured, powers of two, or evenly many. Returns how many. */
static size_t choose_sizes(const struct series *series, const struct theory *theory, bool measured, double *out) {
    const double first = (double)series->entries[0].point.size,
                 last = (double)series->entries[series->count - 1].point.size;
    size_t count = 0;
    if (measured || !theory->flop || first == last)
        for (; count < series->count && count < SERIES_MODEL_SIZES; count++)
            out[count] = (double)series->entries[count].point.size;
    else if (theory->powers)
        for (double n = first; n <= last && count < SERIES_MODEL_SIZES; n *= 2)
            out[count++] = n;
    else
        for (; count < SERIES_MODEL_SIZES; count++)
            out[count] = first * pow(last / first, (double)count / (SERIES_MODEL_SIZES - 1));
    return count;
}

/* The entry of that size; NULL: there is none. */
static const struct entry *entry_of(const struct series *series, double n) {
    for (size_t i = 0; i < series->count; i++)
        if ((double)series->entries[i].point.size == n)
            return &series->entries[i];
    return NULL;
}

/* A row of the legend, unless it is there. */
static void add_row(struct series_chart *chart, const struct theory_quantity *quantity,
                    const struct theory_point *point) {
    char place[64], text[SERIES_LABEL_BYTES];
    quantity->write_place(point, place);
    snprintf(text, sizeof text, "%s (%s), %s", point->theory->bound ? quantity->bound : "by theory",
             point->theory->source, place);
    for (size_t i = 0; i < chart->text_count; i++)
        if (strcmp(chart->texts[i], text) == 0)
            return;
    char *row = chart->texts[chart->text_count++];
    memcpy(row, text, sizeof text);
    series_add_key(chart, LOOK, row);
}

static void add_series(struct series_chart *chart, const struct series *series, const struct theory *theory,
                       const struct theory_quantity *quantity) {
    double n[SERIES_MODEL_SIZES], x[SERIES_MODEL_SIZES], y[SERIES_MODEL_SIZES];
    const struct app_point *first = &series->entries[0].point;
    const struct theory_case of = theory_case_of(theory, first, cache_bytes_of(chart, first));
    const bool measured = quantity->measured_flop || !theory->flop;
    const size_t count = choose_sizes(series, theory, measured, n);
    struct theory_point point = {.theory = theory, .warm = first->data == STATE_WARM};
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        const struct entry *entry = entry_of(series, n[i]);
        point.at = theory_case_at(&of, n[i]);
        point.origin = entry ? &entry->point : first;
        point.flop = measured ? point.origin->flop.median : theory->flop(n[i]);
        x[i] = chart->options->working_set ? theory->elements(n[i]) * of.element_bytes : n[i];
        y[i] = quantity->value(&point);
        y[i] = isfinite(y[i]) && y[i] > 0 ? y[i] : (double)NAN;
        any |= !isnan(y[i]);
    }
    series_add_line(chart, series, x, y, count, LOOK);
    if (any)
        add_row(chart, quantity, &point);
}

void theory_add(struct series_chart *chart, const struct theory_quantity *quantity) {
    for (size_t i = 0; i < chart->count; i++) {
        const struct series *series = &chart->series[i];
        const struct theory *theory = theory_of(&series->entries[0].point);
        if (theory)
            add_series(chart, series, theory, quantity);
    }
}
