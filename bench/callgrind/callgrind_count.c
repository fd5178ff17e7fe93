/* SPDX-License-Identifier: BSD-3-Clause
 * Executions of instructions, as callgrind counts them, → what the program did (see traffic.h).
 *
 * callgrind counts each pass through a repeated string instruction (rep movsb), and how often it jumps to itself. Those
 * that compare (cmps, scas) come to that jump once in each iteration; the others jump back once in each. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind.h"
#include "callgrind_code.h"
#include "probe/need.h"

struct sums { /* of a region */
    size_t function_count, thread_count;
    struct count *functions, *threads;
};
struct counting {
    struct code *code;
    size_t region_count;
    struct sums *regions;
    uint64_t instructions, unknown;
};

/* Element `at` of a growing array of counts. */
static struct count *count_at(struct count **counts, size_t *count, size_t at) {
    if (at >= *count) {
        size_t more = at + 1 > 2 * *count ? at + 1 : 2 * *count;
        *counts = need_realloc(*counts, more * sizeof **counts);
        memset(*counts + *count, 0, (more - *count) * sizeof **counts);
        *count = more;
    }
    return &(*counts)[at];
}

static void add(struct count *sum, const struct code_instruction *instruction, const struct callgrind_line *line) {
    const struct effect *effect = &instruction->effect;
    if (!instruction->known) {
        sum->instructions += line->executions;
        sum->bytes_unknown += line->executions;
        sum->mix[CLASS_OTHER] += line->executions;
        return;
    }
    uint64_t executions = line->executions, elements = 0;
    switch (effect->dynamic) {
    case DYNAMIC_NONE:
        break;
    case DYNAMIC_REPEAT:
        executions -= line->self_jumps; /* sums of all lines are right, one alone may wrap around */
        elements = instruction->compares ? line->self_chances : line->self_jumps;
        break;
    case DYNAMIC_VECTOR_MASK:
        elements = executions * effect->elements_most;
        sum->bytes_unknown += executions;
        break;
    default: /* AVX-512 and AMX, which valgrind does not run */
        break;
    }
    count_executions(sum, effect, executions);
    count_elements(sum, effect, elements);
}

static struct sums *region_sums(struct counting *counting, size_t region) {
    if (region >= counting->region_count) {
        counting->regions = need_realloc(counting->regions, (region + 1) * sizeof *counting->regions);
        memset(counting->regions + counting->region_count, 0,
               (region + 1 - counting->region_count) * sizeof *counting->regions);
        counting->region_count = region + 1;
    }
    return &counting->regions[region];
}

/* The code of the marks is the program's, but not a region's. */
static bool take(void *context, const struct slice *slice, struct error *err) {
    (void)err;
    struct counting *counting = context;
    for (size_t i = 0; i < slice->part->line_count; i++) {
        const struct callgrind_line *line = &slice->part->lines[i];
        const struct code_instruction *instruction = code_find(counting->code, slice, line);
        const struct callgrind_function *function = code_function(counting->code, instruction->function);
        if (function->is_foreign)
            continue;
        counting->instructions += line->executions;
        counting->unknown += instruction->known ? 0 : line->executions;
        for (size_t k = 0; k < (function->is_mark ? 1 : slice->region_count); k++) {
            struct sums *sums = region_sums(counting, slice->regions[k]);
            add(count_at(&sums->functions, &sums->function_count, instruction->function), instruction, line);
            add(count_at(&sums->threads, &sums->thread_count, slice->thread), instruction, line);
        }
    }
    return true;
}

static int by_instructions(const void *a, const void *b) {
    const struct profile_function *x = a, *y = b;
    return x->count.instructions < y->count.instructions ? 1 : x->count.instructions > y->count.instructions ? -1 : 0;
}

static void fill_region(const struct counting *counting, const struct slices_region *region, const struct sums *sums,
                        struct profile_region *out) {
    *out = (struct profile_region){.calls = region->calls, .open = region->open, .mismatched = region->mismatched};
    snprintf(out->name, sizeof out->name, "%s", region->name);
    out->functions = need_calloc(sums->function_count + 1, sizeof *out->functions);
    out->threads = need_calloc(sums->thread_count + 1, sizeof *out->threads);
    for (size_t i = 0; i < sums->function_count; i++) {
        if (sums->functions[i].instructions == 0)
            continue;
        const struct callgrind_function *function = code_function(counting->code, i);
        struct profile_function *to = &out->functions[out->function_count++];
        snprintf(to->name, sizeof to->name, "%s", function->name);
        snprintf(to->object, sizeof to->object, "%s", function->object);
        to->count = sums->functions[i];
        count_add(&out->count, &to->count);
    }
    qsort(out->functions, out->function_count, sizeof *out->functions, by_instructions);
    for (size_t i = 0; i < sums->thread_count; i++)
        if (sums->threads[i].instructions > 0)
            out->threads[out->thread_count++] = sums->threads[i];
}

bool callgrind_read_counts(const char *folder, struct profile *out, struct error *err) {
    enum {
        UNKNOWN_MAX = 1000
    }; /* one in so many: libraries that were unloaded, position-independent static programs */
    struct counting counting = {.code = code_open()};
    struct slices slices;
    bool ok = slices_read(folder, take, &counting, &slices, err);
    if (ok && counting.unknown > counting.instructions / UNKNOWN_MAX)
        ok = error_set(err,
                       "%" PRIu64 " of the program's %" PRIu64
                       " instructions lie in no file, so callgrind does not tell "
                       "what they do (code that the program wrote itself?)",
                       counting.unknown, counting.instructions);
    if (ok) {
        *out = (struct profile){.process_count = slices.process_count, .region_count = slices.region_count};
        out->regions = need_calloc(slices.region_count, sizeof *out->regions);
        for (size_t i = 0; i < slices.region_count; i++)
            fill_region(&counting, &slices.regions[i], region_sums(&counting, i), &out->regions[i]);
    }
    slices_free(&slices);
    for (size_t i = 0; i < counting.region_count; i++) {
        free(counting.regions[i].functions);
        free(counting.regions[i].threads);
    }
    free(counting.regions);
    code_close(counting.code);
    return ok;
}

bool callgrind_count(const struct traffic_run *run, struct profile *out, int *status, struct error *err) {
    /* What runs in the PLT is otherwise added to the instruction that calls it. */
    static const char *const OPTIONS[] = {"--dump-instr=yes", "--collect-jumps=yes", "--skip-plt=no", NULL};
    return callgrind_run(run, OPTIONS, status, err) && callgrind_read_counts(run->folder, out, err);
}
