/* SPDX-License-Identifier: BSD-3-Clause
 * What the kernels do that are assembled while the program runs (see assemble.h). How instructions are encoded and
 * counted is assemble_emit.c's. */
#include "asm/assemble.h"

#include <stdlib.h>
#include <string.h>

#include "assemble_emit.h"
#include "asm/arithmetic.h"
#include "asm/decode.h"
#include "asm/element.h"
#include "asm/pattern.h"

enum { STREAMS_MAX = 8, LINE_BYTES = 64, BODY_MAX = 1024, LOAD_REGISTERS = 8 };

/* With so few accumulators each letter's visits come too close together in longer orders. */
static const char *const X87_ADDMUL = "ma";

static const char *parts_find(const struct isa *isa, const char *op) {
    if (strcmp(isa->name, "x87") == 0 && strcmp(op, "addmul") == 0)
        return X87_ADDMUL;
    const struct arithmetic *arithmetic = arithmetic_find(op);
    return arithmetic ? arithmetic->assembled : NULL;
}

bool assemble_knows(const struct isa *isa, const char *op, enum kernel_kind *kind) {
    const char *parts = parts_find(isa, op);
    bool x87 = strcmp(isa->name, "x87") == 0;
    *kind = parts != NULL ? KERNEL_COMPUTE : KERNEL_MEMORY;
    if (isa >= isa_table + isa_vector_count) /* tiles */
        return false;
    if (parts != NULL)
        return strchr(parts, 'f') == NULL || (!x87 && strcmp(isa->name, "avx") != 0);
    const struct pattern *pattern = pattern_find(op);
    return pattern != NULL && !pattern->scattered && !x87 &&
           !(pattern->nontemporal && strcmp(isa->name, "scalar") == 0);
}

unsigned assemble_width_max(const struct isa *isa, const char *op) {
    const char *parts = parts_find(isa, op);
    if (parts == NULL)
        return STREAMS_MAX;
    return isa->register_count - (strcmp(isa->name, "x87") == 0 ? 1 : emit_constants(parts));
}

static unsigned stretches(const struct pattern *pattern) {
    return pattern->in_place ? pattern->loads : pattern->loads + pattern->stores;
}

static unsigned instructions_per_group(const struct recipe *recipe, const struct pattern *pattern) {
    return (pattern->loads + pattern->stores) * LINE_BYTES / recipe->isa->vector_bytes +
           (recipe->prefetch.hint != PREFETCH_NONE ? stretches(pattern) : 0);
}

bool assemble_fits(const struct recipe *recipe) {
    const struct pattern *pattern = pattern_find(recipe->op);
    return recipe->width * recipe->unroll * (pattern != NULL ? instructions_per_group(recipe, pattern) : 1) <= BODY_MAX;
}

unsigned assemble_block_bytes(const struct recipe *recipe) {
    const struct pattern *pattern = pattern_find(recipe->op);
    return pattern != NULL ? recipe->width * recipe->unroll * stretches(pattern) * LINE_BYTES : 0;
}

/* Of one stream in a block; 0 where there is one alone. */
static unsigned stretch_bytes(const struct recipe *recipe) {
    const unsigned stretch = recipe->unroll * LINE_BYTES;
    return stretch < assemble_block_bytes(recipe) ? stretch : 0;
}

/* The n-th operation is the parts' n-th letter in turn; each letter has accumulators of its own and visits them in
 * turn. With fewer accumulators than letters, the letters share. */
static unsigned accumulator_of(const char *parts, unsigned accumulators, unsigned n) {
    unsigned length = (unsigned)strlen(parts), own[32], count = 0, nth = 0;
    for (unsigned i = 0; i < accumulators; i++)
        if (parts[i % length] == parts[n % length])
            own[count++] = i;
    for (unsigned i = 0; i < n; i++)
        nth += parts[i % length] == parts[n % length];
    return count > 0 ? own[nth % count] : n % accumulators;
}

static void arithmetic_body(struct emission *e, const struct recipe *recipe) {
    const char *parts = parts_find(recipe->isa, recipe->op);
    unsigned length = (unsigned)strlen(parts);
    unsigned operations = (recipe->width * recipe->unroll + length - 1) / length * length; /* the mix stays exact */
    emit_constants_load(e, parts, recipe->width);
    emit_loop(e);
    for (unsigned n = 0; n < operations; n++)
        emit_operation(e, parts[n % length], accumulator_of(parts, recipe->width, n));
    emit_loop_end(e, 0);
}

/* Of the line at `offset` in the block: where its stream is so much later, which may be in one of the next blocks. */
static void prefetch_line(struct emission *e, const struct recipe *recipe, unsigned offset) {
    const unsigned stretch_bytes = recipe->unroll * LINE_BYTES, ahead = recipe->prefetch.distance_bytes;
    const unsigned later = offset % stretch_bytes + ahead;
    emit_prefetch(e, recipe->prefetch.hint,
                  offset / stretch_bytes * stretch_bytes + later / stretch_bytes * assemble_block_bytes(recipe) +
                      later % stretch_bytes);
}

/* The k-th access of a group, with its line's prefetch before the line's first. */
static void group_access(struct emission *e, const struct recipe *recipe, unsigned k, unsigned line_offset,
                         unsigned part, unsigned nth) {
    const struct pattern *pattern = pattern_find(recipe->op);
    const bool store = k >= pattern->loads, loaded_before = store && pattern->in_place;
    const enum emitted_access access = !store ? EMIT_LOAD : pattern->nontemporal ? EMIT_STORE_PAST_CACHES : EMIT_STORE;
    if (recipe->prefetch.hint != PREFETCH_NONE && part == 0 && !loaded_before)
        prefetch_line(e, recipe, line_offset);
    emit_access(e, access, line_offset + part * recipe->isa->vector_bytes, nth % LOAD_REGISTERS);
}

/* Each stream's loads and stores walk stretches of the block of their own, `unroll` lines each; the streams take turns,
 * group by group. */
static void memory_body(struct emission *e, const struct recipe *recipe) {
    const struct pattern *pattern = pattern_find(recipe->op);
    unsigned parts = LINE_BYTES / recipe->isa->vector_bytes, per_group = pattern->loads + pattern->stores;
    unsigned n = 0;
    emit_constants_load(e, "", 0);
    emit_loop(e);
    for (unsigned group = 0; group < recipe->unroll; group++)
        for (unsigned stream = 0; stream < recipe->width; stream++)
            for (unsigned part = 0; part < parts; part++)
                for (unsigned k = 0; k < per_group; k++) {
                    unsigned stretch =
                        stream * stretches(pattern) + (k >= pattern->loads && pattern->in_place ? k - 1 : k);
                    group_access(e, recipe, k, (stretch * recipe->unroll + group) * LINE_BYTES, part, n++);
                }
    emit_loop_end(e, assemble_block_bytes(recipe));
}

void assemble_variant(const struct recipe *recipe, char *out, size_t size) {
    char prefetch[16] = "";
    if (recipe->prefetch.hint != PREFETCH_NONE)
        snprintf(prefetch, sizeof prefetch, " %s+%u", prefetch_suffix(recipe->prefetch.hint),
                 recipe->prefetch.distance_bytes);
    snprintf(out, size, "%ux%u%s", recipe->width, recipe->unroll, prefetch);
}

bool assemble_kernel(const struct recipe *recipe, struct assembled *out, struct error *err) {
    const char *parts = parts_find(recipe->isa, recipe->op);
    struct emission e;
    *out = (struct assembled){0};
    snprintf(out->name, sizeof out->name, "%s%s%s.%s", recipe->isa->name, recipe->type == TYPE_NONE ? "" : ".",
             element_table[recipe->type].name, recipe->op);
    assemble_variant(recipe, out->variant, sizeof out->variant);
    if (!emit_begin(&e, recipe->isa, recipe->type, parts != NULL && strchr(parts, 'f') != NULL, err))
        return false;
    out->kernel = (struct kernel){.name = out->name,
                                  .variant = out->variant,
                                  .op = recipe->op,
                                  .isa = recipe->isa,
                                  .type = recipe->type,
                                  .kind = parts != NULL ? KERNEL_COMPUTE : KERNEL_MEMORY,
                                  .needs = recipe->isa->needs | (e.fused ? CPU_AVX | CPU_FMA3 : 0),
                                  .accumulators = parts != NULL ? recipe->width : 0,
                                  .unroll = recipe->unroll,
                                  .stretch_bytes = stretch_bytes(recipe),
                                  .prefetch = recipe->prefetch};
    if (parts != NULL)
        arithmetic_body(&e, recipe);
    else
        memory_body(&e, recipe);
    bool done = emit_end(&e, err);
    out->pages = e.pages;
    out->kernel.cost = e.cost;
    out->kernel.block_bytes = e.step_bytes;
    out->kernel.entry = (kernel_entry *)(uintptr_t)e.pages.code;
    if (done && decode_verify(&out->kernel, err))
        return true;
    assemble_free(out);
    return false;
}

void assemble_free(struct assembled *assembled) {
    pages_release(&assembled->pages);
    *assembled = (struct assembled){0};
}
