/* SPDX-License-Identifier: BSD-3-Clause
 * Tests on cores that nobody has at hand: linked into the unit tests, and with all of carmine into a program of this
 * name. Where TEST_CORE names a core's table ("haswell"), a product ("Sandy Bridge") or "none", CPUID seems to report
 * that CPU, with the features that it and this host both have. `none` is in no table and has SSE alone. Kernels and
 * programs still run on this host's core, so times are this host's.
 * For plans alone, features may also be pretended: TEST_HAS="amx_tile amx_fp16" adds them, TEST_UNSAVED those that the
 * operating system does not save. TEST_TILES is its answer to a request for tiles: empty if it grants them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/cpu.h"
#include "probe/isa.h"
#include "probe/uarch.h"
#include "probe/uarch_table.h"

void __real_cpu_identify(struct cpu_identity *out);
void __wrap_cpu_identify(struct cpu_identity *out);
const char *__real_cpu_tiles_refusal(void);
const char *__wrap_cpu_tiles_refusal(void);

static const struct uarch *row_of(const char *name) {
    for (size_t i = 0; uarch_at(i); i++) {
        const char *core = uarch_in_core(uarch_at(i));
        if (core && strcmp(core, name) == 0)
            return uarch_at(i);
    }
    return uarch_named(name);
}

/* Features that a table's rows are sure of; of the others a CPU may have any. */
static cpu_features sure_features(void) {
    cpu_features sure = 0;
    for (size_t i = 0; i < isa_count; i++)
        sure |= isa_table[i].needs;
    for (size_t i = 0; uarch_at(i); i++)
        sure |= uarch_at(i)->has;
    return sure & ~(cpu_features)CPU_CLFLUSHOPT; /* rows that lack it say so */
}

/* The features that a variable names, separated by blanks. */
static cpu_features pretended(const char *variable) {
    const char *value = getenv(variable);
    char names[256], *rest = names;
    cpu_features features = 0;
    snprintf(names, sizeof names, "%s", value ? value : "");
    for (const char *name = strtok_r(names, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
        if (!cpu_feature_find(name)) {
            fprintf(stderr, "%s: %s is no feature of probe/isa.c\n", variable, name);
            exit(2);
        }
        features |= cpu_feature_find(name);
    }
    return features;
}

const char *__wrap_cpu_tiles_refusal(void) {
    const char *answer = getenv("TEST_TILES");
    return answer ? *answer ? answer : NULL : __real_cpu_tiles_refusal();
}

static void identify_as(const char *name, struct cpu_identity *out) {
    const struct uarch *row = strcmp(name, "none") == 0 ? NULL : row_of(name);
    if (!row && strcmp(name, "none") != 0) {
        fprintf(
            stderr,
            "TEST_CORE=%s: neither a table of asm/incore/x86/cores, a product of a uarch_table.c, nor none\n",
            name);
        exit(2);
    }
    const cpu_features features = row ? uarch_features(row) : CPU_X87 | CPU_SSE2 | CPU_SSE4_1 | CPU_SSE4_2;
    static const char *const MODELS[] = {"", "Intel(R) Xeon(R) Silver 4108 ",
                                         "Intel(R) Xeon(R) Gold 6130 "}; /* by units */
    snprintf(out->brand, sizeof out->brand, "%s%.26s by TEST_CORE", MODELS[row ? row->wide_fma_units : 0],
             row ? row->name : name);
    snprintf(out->vendor, sizeof out->vendor, "%s", row ? row->vendor : "GenuineOther");
    out->family = row ? row->family : 1;
    out->model = row ? row->models[0].first : 1;
    out->stepping = row ? row->first_stepping : 1;
    out->features &= (features | ~sure_features()) & ~(row ? row->lacks : (uint32_t)CPU_CLFLUSHOPT);
}

void __wrap_cpu_identify(struct cpu_identity *out) {
    const char *name = getenv("TEST_CORE");
    __real_cpu_identify(out);
    if (name && *name)
        identify_as(name, out);
    out->features |= pretended("TEST_HAS");
    out->unsaved |= pretended("TEST_UNSAVED");
}
