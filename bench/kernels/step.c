/* SPDX-License-Identifier: BSD-3-Clause
 * A step as the choice of its code sees it (see step.h). */
#include "step.h"

#include <string.h>

enum { HOPELESS_VISITS = 2 };

bool step_is_hopeless(const struct campaign_step *step) {
    return step->visit_count == 0 && step->visited >= HOPELESS_VISITS;
}

bool step_same_code(const struct campaign_code *a, const struct campaign_code *b) {
    return a->kernel == b->kernel && a->width == b->width && a->unroll == b->unroll;
}

const char *step_operation_of(const char *kernel) {
    const char *dot = strrchr(kernel, '.');
    return dot ? dot + 1 : kernel;
}

bool step_same_kind_of_place(const struct plan_step *a, const struct plan_step *b) {
    return a->level == b->level && a->memory == b->memory && (a->size_count > 0) == (b->size_count > 0);
}

bool step_same_work(const struct campaign_step *a, const struct campaign_step *b) {
    return a->plan->paced && strcmp(a->plan->kernel, b->plan->kernel) == 0 &&
           a->plan->core_kind == b->plan->core_kind && a->plan->place.smt == b->plan->place.smt;
}

const struct kernel *const *step_variants_of(const struct campaign_step *step, size_t *count) {
    *count = 0;
    return kernel_find(step->plan->kernel, count);
}

const struct campaign_step *step_relative_of(const struct campaign *campaign, const struct campaign_step *step) {
    const struct campaign_step *relative = step->relative < campaign->count ? &campaign->steps[step->relative] : NULL;
    return relative && relative->wanted && !step_is_hopeless(relative) ? relative : NULL;
}

bool step_searches_everything(const struct campaign *campaign, size_t at) {
    return campaign->options.every_shape && at == 0;
}

double step_reached(const struct campaign_step *step) {
    const struct sample *number = &step->number;
    return number->documented_per_cycle > 0 ? number->per_cycle / number->documented_per_cycle : 0;
}

/* Code that one of them alone has found may be as much better. */
static const double SHORT = 0.02, SHORT_OF_OTHER_CODE = 0.1;

static bool shares_its_level(const struct campaign *campaign, const struct plan_step *step) {
    const struct machine *machine = campaign->bench->machine;
    if (step->level == PLAN_REGISTERS)
        return false;
    for (unsigned k = 0; k < machine->kind_count; k++)
        if ((step->core_kind == TEAM_ANY_KIND || step->core_kind == (int)k) &&
            machine->kinds[k].caches[step->level].sharing_core_count > 1)
            return true;
    return false;
}

double step_shortfall(const struct campaign *campaign, const struct campaign_step *step) {
    const struct campaign_step *fewer = step_relative_of(campaign, step);
    if (!fewer || !step_same_work(fewer, step) || fewer->plan->threads >= step->plan->threads ||
        fewer->number.per_cycle <= 0 || step->number.per_cycle <= 0 || shares_its_level(campaign, step->plan))
        return 0;
    const double lacks = 1 - step->number.per_cycle / fewer->number.per_cycle;
    const bool same = step_same_code(&fewer->code, &step->code) && fewer->size == step->size;
    return lacks > (same ? SHORT : SHORT_OF_OTHER_CODE) ? lacks : 0;
}

bool step_may_gain(const struct campaign *campaign, const struct campaign_step *step) {
    const double share = step_reached(step);
    return share > 0 ? share < STEP_ENOUGH : step_relative_of(campaign, step) == NULL;
}
