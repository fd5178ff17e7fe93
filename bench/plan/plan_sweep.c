/* SPDX-License-Identifier: BSD-3-Clause
 * The plan of a sweep: one kernel at sizes from the smallest to well beyond the last cache (see plan.h). */
#include <math.h>

#include "asm/kernel.h"
#include "plan_spot.h"

static const uint64_t SMALLEST_BYTES = 4096;
enum { SWEEP_REPETITIONS = 16 };

/* The innermost level that holds so many bytes, or the memory. */
static int level_of(const struct levels *levels, uint64_t bytes) {
    for (unsigned l = 0; l + 1 < levels->count; l++)
        if (bytes <= levels->level[l].effective_bytes)
            return (int)l;
    return (int)levels->count - 1;
}

static void add_size(struct plan *plan, const struct kernel *kernel, const struct levels *levels,
                     const struct spot *spot, uint64_t size_bytes) {
    const int level = level_of(levels, size_bytes);
    struct plan_step *step = plan_add_step(plan, kernel->name, level, spot);
    plan_pace(step, kernel, levels);
    step->size_count = 1;
    step->size_bytes[0] = size_bytes;
    step->repetitions = SWEEP_REPETITIONS;
    plan_estimate(step);
}

bool plan_sweep(struct plan *out, const struct machine *machine, const struct levels *levels,
                const struct plan_options *options, const struct plan_curve *curve, struct error *err) {
    struct spot spot = {.kind = options->only_kind ? (int)options->only_kind - 1 : TEAM_ANY_KIND,
                        .threads = curve->threads};
    const struct levels own = plan_levels(machine, levels, spot.kind);
    const struct kernel *kernel = curve->kernel ? plan_find_kernel(machine, curve->kernel) : NULL;
    struct doubts doubts = NO_DOUBTS;
    *out = (struct plan){0};
    if (!kernel)
        return error_set(err, "no kernel %s that this machine can execute; see `carmine kernels`",
                         curve->kernel ? curve->kernel : "");
    uint64_t largest = plan_memory_bytes(machine, levels, &spot, options->quick, &doubts);
    if (options->quick && largest > 512u << 20)
        largest = 512u << 20;
    spot.place.smt = options->smt;
    double octaves = log2((double)largest / (double)SMALLEST_BYTES);
    unsigned last = (unsigned)ceil(octaves * curve->per_octave);
    for (unsigned i = 0; i <= last; i++) {
        double bytes = i == last ? (double)largest : (double)SMALLEST_BYTES * exp2((double)i / curve->per_octave);
        uint64_t size_bytes = (uint64_t)bytes / 4096 * 4096;
        if (out->count == 0 || out->steps[out->count - 1].size_bytes[0] != size_bytes)
            add_size(out, kernel, &own, &spot, size_bytes); /* small sizes are few pages apart: none twice */
    }
    out->expected_s = plan_total(out);
    return true;
}
