/* SPDX-License-Identifier: BSD-3-Clause
 * Facts about roofs (see roof_facts.h). */
#include "roof_facts.h"

#include <stdio.h>
#include <string.h>

#include "carm/model/describe.h"
#include "render/page/units.h"

/* The roof that vendors state as the peak; NULL where the peak itself is that one. */
static const struct roof *plain_fma(const struct model *model, const struct model_view *view, const struct roof *peak) {
    for (size_t i = 0; i < model->count && strcmp(peak->op, "fma") != 0; i++) {
        const struct roof *roof = &model->roofs[i];
        if (roof->sample->kind == SAMPLE_COMPUTE && !roof->stated_limit && model_in_view(roof, view) &&
            strcmp(roof->isa, peak->isa) == 0 && strcmp(roof->op, "fma") == 0)
            return roof;
    }
    return NULL;
}

char *roof_facts_peak(const struct model *model, const struct model_view *view, char *out, size_t size) {
    struct model_view of_type = *view;
    char number[UNITS_BYTES], fma[UNITS_BYTES + 48] = "", op[DESCRIBE_OPERATION_BYTES];
    of_type.type = "f64";
    const struct roof *peak = model_peak(model, &of_type), *plain = peak ? plain_fma(model, &of_type, peak) : NULL;
    out[0] = '\0';
    if (!peak || !(peak->sample->per_cycle > 0) || !*peak->op)
        return out;
    const double limit = peak->sample->documented_per_cycle;
    if (plain)
        snprintf(fma, sizeof fma, " (FMA, as vendors count: %s)",
                 units_si(number, sizeof number, plain->sample->value, "flop/s"));
    snprintf(out, size, "f64 is %s, %s flop/cycle%s", describe_operation(peak->op, op),
             units_number(number, sizeof number, limit > 0 ? limit : peak->sample->per_cycle), fma);
    return out;
}

const char *roof_facts_pages(const struct model *model, const char *level) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < model->count; i++) {
        const struct sample *sample = model->roofs[i].sample;
        if (sample->small_pages || strcmp(sample->level, level) != 0)
            continue;
        if (bytes && sample->page_bytes != bytes)
            return NULL;
        bytes = sample->page_bytes;
    }
    return bytes == 4096 ? "4 KiB" : bytes == 2 << 20 ? "2 MiB" : NULL;
}

bool roof_facts_documented(const struct model *model) {
    for (size_t i = 0; i < model->count; i++)
        if (model->roofs[i].documented_ratio > 0)
            return true;
    return false;
}
