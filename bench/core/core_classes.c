/* SPDX-License-Identifier: BSD-3-Clause
 * Classes of instructions by form, and their names. */
#include "core_classes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/need.h"

const struct core_class *core_class_of(const char *form) {
    for (const struct core_class *class = core_classes; class->name; class ++)
        for (unsigned i = 0; i < sizeof class->forms / sizeof *class->forms && class->forms[i]; i++)
            if (strcmp(class->forms[i], form) == 0)
                return class;
    return NULL;
}

const struct core_value *core_class_value(const struct core_class *class, const struct core_measured *measured,
                                          bool latency) {
    for (unsigned i = 0; i < sizeof class->forms / sizeof *class->forms && class->forms[i]; i++) {
        const struct core_value *value = core_measured_find(measured, class->forms[i]);
        if (value && (latency ? value->latency_cycles : value->throughput_cycles)[CORE_MEASURED] > 0)
            return value;
    }
    return NULL;
}

const char *core_class_text(const struct core_class *class, char *out, size_t size) {
    snprintf(out, size, "%s%s%s", class ? class->name : "", class && *class->variant ? ", " : "",
             class ? class->variant : "");
    return out;
}

/* Marks the chains that an item's is without. Returns whether there were more. */
static bool mark_less(const struct core_plan *plan, const struct core_item *item, bool *marked) {
    bool more = false;
    for (unsigned i = 0; i < CORE_LESS_MOST && item->less[i][0]; i++)
        for (size_t k = 0; k < plan->count; k++)
            if (!marked[k] && plan->items[k].chains && strcmp(plan->items[k].form, item->less[i]) == 0)
                more = marked[k] = true;
    return more;
}

void core_classes_keep(struct core_plan *plan) {
    bool *marked = need_calloc(plan->count + 1, sizeof *marked), more = true;
    for (size_t i = 0; i < plan->count; i++)
        marked[i] = core_class_of(plan->items[i].form) != NULL;
    while (more) {
        more = false;
        for (size_t i = 0; i < plan->count; i++)
            more |= marked[i] && mark_less(plan, &plan->items[i], marked);
    }
    size_t kept = 0;
    for (size_t i = 0; i < plan->count; i++) {
        if (!marked[i])
            continue;
        plan->items[kept] = plan->items[i];
        plan->items[kept].helps |= !core_class_of(plan->items[i].form);
        kept++;
    }
    plan->count = kept;
    free(marked);
}

bool core_classes_only(const struct core_measured *measured) {
    for (size_t i = 0; i < measured->count; i++)
        if (!core_class_of(measured->values[i].form))
            return false;
    return true;
}
