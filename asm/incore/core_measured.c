/* SPDX-License-Identifier: BSD-3-Clause
 * Values of a measured core by form. */
#include "core_measured.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core_table.h"
#include "pipes.h"

static const double MOST_DISTURBED = 0.9;
static const double BETTER = 0.1; /* an interval, and the loop around the instructions */

const struct core_value *core_measured_find(const struct core_measured *measured, const char *form) {
    for (size_t i = 0; i < measured->count; i++)
        if (strcmp(measured->values[i].form, form) == 0)
            return &measured->values[i];
    return NULL;
}

void core_measured_apply(const struct core_value *value, bool alone, struct core_form *form) {
    const double latency = value->latency_cycles[CORE_MEASURED], throughput = value->throughput_cycles[CORE_MEASURED],
                 typed = ports_busiest(form->uses, form->use_count).cycles;
    if (value->disturbed)
        return;
    if (latency > 0) { /* measured behind itself: what others wait in addition stays */
        form->latency_cycles = latency + form->latency_cycles - form->chained_cycles;
        form->chained_cycles = latency;
    }
    const double ratio = throughput > 0 && typed > 0 ? throughput / typed : 1;
    if (ratio < 1 - BETTER || (ratio > 1 + CORE_WORSE && alone))
        for (unsigned i = 0; i < form->use_count; i++)
            form->uses[i].cycles *= ratio;
}

const struct core_value *core_measured_steady(const struct core_measured *measured, const char *form) {
    const struct core_value *value = core_measured_find(measured, form);
    return value && !value->disturbed ? value : NULL;
}

const struct core_value *core_measured_similar(const struct core_measured *measured, const char *form) {
    char similar[DEMAND_FORM_BYTES];
    snprintf(similar, sizeof similar, "%s", form);
    for (unsigned nth = 0; similar_form(nth, similar); nth++) {
        const struct core_value *value = core_measured_find(measured, similar);
        if (value)
            return value->disturbed ? NULL : value;
    }
    return NULL;
}

double core_measured_mask_cycles(const struct core_measured *measured, const struct instruction_demand *demand) {
    char form[DEMAND_FORM_BYTES + sizeof ": mask"];
    snprintf(form, sizeof form, "%s: mask", demand->form);
    const struct core_value *value = demand->mask ? core_measured_steady(measured, form) : NULL;
    return value ? value->latency_cycles[CORE_MEASURED] : 0;
}

bool core_measured_form(const struct core_measured *measured, const struct instruction_demand *demand,
                        struct core_form *out) {
    *out = (struct core_form){.operations = 1, .row = CORE_NO_ROW};
    if (demand->zeroes || similar_only_accesses(demand))
        return true;
    const struct core_value *value = demand->moves
                                         ? core_measured_steady(measured, demand->data == 'q' ? "move q" : "move x")
                                         : core_measured_similar(measured, demand->form);
    if (!value)
        return false;
    out->latency_cycles = out->chained_cycles = value->latency_cycles[CORE_MEASURED];
    out->mask_cycles = core_measured_mask_cycles(measured, demand);
    out->busy = value->throughput_cycles[CORE_MEASURED] > 0 ? value : NULL;
    return true;
}

/* Its class; NULL: none, or it takes another time than those of the class. */
static const struct pipe_class *class_of(const struct core_measured *measured, const struct core_value *value) {
    const struct pipe_class *class = pipe_class_of(value->form);
    const struct core_value *of_class = class ? core_measured_find(measured, class->form) : NULL;
    const double ratio =
        of_class ? value->throughput_cycles[CORE_MEASURED] / of_class->throughput_cycles[CORE_MEASURED] : 0;
    return ratio > 1 / (1 + CORE_WORSE) && ratio < 1 + CORE_WORSE ? class : NULL;
}

const struct core_pair *core_measured_pair(const struct core_measured *measured, const char *form, const char *other) {
    for (size_t i = 0; i < measured->pair_count; i++) {
        const struct core_pair *pair = &measured->pairs[i];
        if ((strcmp(pair->form, form) == 0 && strcmp(pair->other, other) == 0) ||
            (strcmp(pair->form, other) == 0 && strcmp(pair->other, form) == 0))
            return pair;
    }
    return NULL;
}

double core_measured_share(const struct core_measured *measured, const struct core_value *of,
                           const struct core_value *other) {
    const struct pipe_class *a = class_of(measured, of), *b = class_of(measured, other);
    if (!a || !b || a == b)
        return a && a == b ? 1 : 0;
    const struct core_pair *pair = core_measured_pair(measured, a->form, b->form);
    return pair ? pair->share : 0;
}

size_t core_measured_disturbed(const struct core_measured *measured) {
    size_t disturbed = 0;
    for (size_t i = 0; i < measured->count; i++)
        disturbed += measured->values[i].disturbed;
    return disturbed;
}

bool core_measured_believed(const struct core_measured *measured) {
    return (double)core_measured_disturbed(measured) < MOST_DISTURBED * (double)measured->count;
}

void core_measured_free(struct core_measured *measured) {
    free(measured->values);
    free(measured->pairs);
    *measured = (struct core_measured){0};
}
