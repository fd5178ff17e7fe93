/* SPDX-License-Identifier: BSD-3-Clause
 * The compiled variants, and finding a workload in them. */
#include "workload.h"
#include "probe/error.h"

#include <string.h>

#include "probe/text.h"

/* Those of other architectures are not linked. SVE of 128 bits is as wide as NEON, which serves. */
#define BOTH(ROW, isa) ROW(f64, isa) ROW(f32, isa)
/* clang-format off */
#define VARIANTS(ROW)                                                                                                  \
    BOTH(ROW, sse) BOTH(ROW, avx) BOTH(ROW, avx2) BOTH(ROW, avx512)                                                    \
    BOTH(ROW, neon) BOTH(ROW, sve256) BOTH(ROW, sve512) BOTH(ROW, sve1024) BOTH(ROW, sve2048)
/* clang-format on */
#define DECLARE(type, isa) __attribute__((weak)) extern const struct workload *const workloads_##type##_##isa[];
#define ROWS(type, isa)    {#type, #isa, workloads_##type##_##isa},
VARIANTS(DECLARE)

static const struct {
    const char *type, *isa;
    const struct workload *const *rows;
} variants[] = {VARIANTS(ROWS)};
enum { VARIANT_COUNT = sizeof variants / sizeof *variants };

const struct workload *const *workload_rows(const char *type, const char *isa) {
    for (size_t i = 0; i < VARIANT_COUNT; i++)
        if (strcmp(variants[i].type, type) == 0 && strcmp(variants[i].isa, isa) == 0)
            return variants[i].rows;
    return NULL;
}

const struct isa *workload_isa(cpu_features features) {
    const struct isa *widest = NULL;
    for (size_t i = 0; i < isa_count; i++) /* from the narrowest ISA */
        if (workload_rows("f64", isa_table[i].name) && (isa_table[i].needs & ~features) == 0)
            widest = &isa_table[i];
    return widest;
}

static const struct workload *find(const struct workload *const *rows, const char *name) {
    while (*rows && strcmp((*rows)->name, name) != 0)
        rows++;
    return *rows;
}

const struct workload *workload_find(const char *name, const char *type, const struct isa *isa, struct error *err) {
    const struct workload *const *rows = workload_rows(type, isa->name);
    const struct workload *const *every = workload_rows("f64", isa->name);
    if (!rows) {
        error_set(err, "no workloads of type '%s'; use f64 or f32", type);
        return NULL;
    }
    const struct workload *found = find(rows, name);
    if (found)
        return found;
    if (find(every, name)) {
        error_set(err, "%s is of type f64 only; leave out --type", name);
        return NULL;
    }
    char known[800] = "";
    for (; *every; every++)
        text_append(known, sizeof known, " %s", (*every)->name);
    error_set(err, "there is no workload '%s'; there are:%s", name, known);
    return NULL;
}
