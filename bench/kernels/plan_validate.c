/* SPDX-License-Identifier: BSD-3-Clause
 * The plan of a validation (see plan_validate.h). Roofs come from plan_roofs(), so that they are measured as `run`
 * does; a mixed kernel takes its level's place in the bandwidth's step. */
#include "plan_validate.h"
#include "team.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOWEST_EXPONENT = -6, HIGHEST_EXPONENT = 6, MAX_KERNELS = HIGHEST_EXPONENT - LOWEST_EXPONENT + 1 };
/* With 4 KiB blocks a pass has two of them, and the L1's stride prefetcher stays out of the way (see
 * generate_memory.c). */
static const uint64_t L1_BYTES = 8192;
static const double GUESSED_FLOP_PER_CYCLE_AND_BYTE = 0.5, GUESSED_HZ = 3e9;
/* Where arithmetic takes so many times as long as the data, a smaller working set tells the same, and its repetitions
 * are short enough for one time slice of a busy machine. */
static const double MOSTLY_ARITHMETIC = 2;
enum { SMALLER_MEMORY = 8 };

double plan_intensity(const struct kernel *mixed) {
    return (double)mixed->cost.flop / ((double)mixed->cost.load_bytes + mixed->cost.store_bytes);
}

const char *plan_mixed_peak(const struct kernel *mixed) {
    return mixed->cost.mix.fma > 0 ? "fma" : "addmul";
}

const char *plan_mixed_pattern(const struct kernel *mixed) {
    return mixed->cost.mix.store > 0 ? "2ld1st" : "load";
}

static bool is_candidate(const struct kernel *kernel, const struct isa *isa, enum element_type type,
                         const char *pattern) {
    return kernel->kind == KERNEL_MIXED && kernel->isa == isa && kernel->type == type &&
           strcmp(plan_mixed_pattern(kernel), pattern) == 0;
}

size_t plan_mixed_kernels(const struct isa *isa, enum element_type type, const char *pattern, bool quick,
                          const struct kernel **out, size_t max) {
    size_t count = 0;
    for (int exponent = LOWEST_EXPONENT; exponent <= HIGHEST_EXPONENT && count < max; exponent += quick ? 2 : 1) {
        const struct kernel *nearest = NULL;
        double distance = quick ? 1 : 0.5; /* in doublings; further off another power of two is nearer */
        for (size_t i = 0; i < kernel_count; i++) {
            double own = is_candidate(kernel_table[i], isa, type, pattern)
                             ? fabs(log2(plan_intensity(kernel_table[i])) - exponent)
                             : INFINITY;
            if (own < distance || (own <= distance && !nearest)) {
                nearest = kernel_table[i];
                distance = own;
            }
        }
        if (nearest && (count == 0 || plan_intensity(nearest) > plan_intensity(out[count - 1])))
            out[count++] = nearest;
    }
    return count;
}

/* The bandwidth's place and repetitions, other work. `least_bytes`: the smallest working set of that level. */
static void append_mixed(struct plan *plan, const struct plan_step *bandwidth, const struct kernel *mixed,
                         uint64_t least_bytes) {
    struct plan_step *step = plan_append(plan, bandwidth);
    size_t variants = 1;
    kernel_find(mixed->name, &variants);
    snprintf(step->kernel, sizeof step->kernel, "%s", mixed->name);
    step->kind = SAMPLE_COMPUTE;
    double flop_per_s = mixed->cost.mix.vector_bytes * GUESSED_FLOP_PER_CYCLE_AND_BYTE * GUESSED_HZ;
    bool outer = step->memory || step->level > 1; /* one pass takes longer than repetition_s */
    if (outer && plan_intensity(mixed) * PLAN_GUESSED_BYTES_PER_S > MOSTLY_ARITHMETIC * flop_per_s)
        step->size_bytes[0] = step->memory ? step->size_bytes[0] / SMALLER_MEMORY / 4096 * 4096 : least_bytes;
    double bytes = (double)step->size_bytes[0] / (step->memory ? step->repetitions : 1);
    double pass_s = fmax(bytes / PLAN_GUESSED_BYTES_PER_S, plan_intensity(mixed) * bytes / flop_per_s);
    step->expected_s = (double)(variants - 1) * step->search_s * PLAN_SEARCH_OVERHEAD +
                       step->repetitions * fmax(step->memory ? 0 : step->repetition_s, pass_s) * PLAN_OVERHEAD;
}

static const struct plan_step *find_peak(const struct plan *peaks, const struct kernel *mixed,
                                         const struct plan_step *bandwidth) {
    char name[48];
    snprintf(name, sizeof name, "%s.%s.%s", mixed->isa->name, element_table[mixed->type].name, plan_mixed_peak(mixed));
    for (size_t i = 0; i < peaks->count; i++)
        if (strcmp(peaks->steps[i].kernel, name) == 0 && peaks->steps[i].threads == bandwidth->threads &&
            peaks->steps[i].core_kind == bandwidth->core_kind)
            return &peaks->steps[i];
    return NULL;
}

/* One level of one placement: the roofs and the mixed kernels. The campaign visits them in turns. */
static void append_series(struct plan *plan, const struct plan_step *bandwidth, uint64_t least_bytes,
                          const struct plan *peaks, enum element_type type, bool quick) {
    const struct kernel *memory = *kernel_find(bandwidth->kernel, NULL), *mixed[MAX_KERNELS];
    size_t count = plan_mixed_kernels(memory->isa, type, memory->op, quick, mixed, MAX_KERNELS);
    const struct plan_step *peak = count ? find_peak(peaks, mixed[0], bandwidth) : NULL;
    if (!peak)
        return;
    plan_append(plan, peak);
    plan_append(plan, bandwidth);
    for (size_t i = 0; i < count; i++)
        append_mixed(plan, bandwidth, mixed[i], least_bytes);
}

static bool check_mixes(const struct plan_options *options, struct error *err) {
    for (size_t i = 0; i < options->mix_count; i++) {
        bool found = false;
        for (size_t k = 0; k < kernel_count && !found; k++)
            found = kernel_table[k]->kind == KERNEL_MIXED &&
                    strcmp(plan_mixed_pattern(kernel_table[k]), options->mixes[i]) == 0;
        if (!found)
            return error_set(err, "no mixed kernel has the pattern %s; --mix takes load and 2ld1st", options->mixes[i]);
    }
    return true;
}

/* What nobody asked otherwise: loads by one thread, in the widest ISA. */
static struct plan_options with_defaults(const struct plan_options *options, const struct machine *machine) {
    struct plan_options out = *options;
    const char *widest = plan_widest_load(machine, options);
    if (out.isa_count == 0 && widest) {
        out.isas[0] = (*kernel_find(widest, NULL))->isa->name;
        out.isa_count = 1;
    }
    if (out.thread_count == 0) {
        out.threads[0] = 1;
        out.thread_count = 1;
    }
    if (out.mix_count == 0) {
        out.mixes[0] = "load";
        out.mix_count = 1;
    }
    return out;
}

/* The same without memory: the peaks of all that mixed kernels are made of. */
static struct plan_options peaks_of(const struct plan_options *options) {
    struct plan_options out = *options;
    out.level_count = 0;
    out.mixes[0] = "fma";
    out.mixes[1] = "addmul";
    out.mix_count = 2;
    return out;
}

/* One working set is enough to compare with. Returns the smallest that the level may have. */
static uint64_t keep_one_size(struct plan_step *step) {
    const uint64_t least_bytes = step->size_bytes[0];
    step->size_bytes[0] = step->size_bytes[step->size_count / 2];
    if (step->level == 0 && step->size_bytes[0] > L1_BYTES)
        step->size_bytes[0] = L1_BYTES;
    step->expected_s /= step->size_count;
    step->size_count = 1;
    return least_bytes < step->size_bytes[0] ? least_bytes : step->size_bytes[0];
}

bool plan_validate(struct plan *out, const struct machine *machine, const struct levels *levels,
                   const struct plan_options *options, struct error *err) {
    *out = (struct plan){0};
    const struct plan_options memory = with_defaults(options, machine), compute = peaks_of(&memory);
    if (!check_mixes(options, err))
        return false;
    struct plan bandwidths, peaks = {0};
    if (!plan_roofs(&bandwidths, machine, levels, &memory, err) ||
        !plan_roofs(&peaks, machine, levels, &compute, err)) {
        plan_free(&bandwidths);
        return false;
    }
    for (size_t i = 0; i < bandwidths.count; i++) {
        struct plan_step *step = &bandwidths.steps[i];
        const uint64_t least_bytes = keep_one_size(step);
        if (options->type_count == 0)
            append_series(out, step, least_bytes, &peaks, TYPE_F64, options->quick);
        for (size_t t = 0; t < options->type_count; t++)
            append_series(out, step, least_bytes, &peaks, element_find(options->types[t]), options->quick);
    }
    plan_free(&bandwidths);
    plan_free(&peaks);
    for (size_t i = 0; i < out->count; i++)
        out->expected_s += out->steps[i].expected_s;
    return out->count > 0 ||
           error_set(err, "no mixed kernels of these instruction sets and types; `carmine kernels` lists them");
}
