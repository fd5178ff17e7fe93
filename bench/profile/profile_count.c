/* SPDX-License-Identifier: BSD-3-Clause
 * Adds up instruction costs: flop by type and width, bytes, classes. */
#include "profile.h"

const char *const count_type_names[COUNT_TYPES + 1] = {"f64", "f32", "f16", "bf16", "x87", "i8", "i16", NULL};
const char *const count_width_names[COUNT_WIDTHS + 1] = {"scalar", "128", "256", "512", "tile", NULL};

bool count_is_integer(enum count_type type) {
    return type == COUNT_I8 || type == COUNT_I16;
}

uint64_t count_flop(const struct count *count) {
    uint64_t flop = 0;
    for (enum count_type type = 0; type < COUNT_TYPES; type++)
        for (enum count_width width = 0; width < COUNT_WIDTHS && !count_is_integer(type); width++)
            flop += count->flop[type][width];
    return flop;
}

void count_add(struct count *sum, const struct count *more) {
    for (size_t i = 0; i < COUNT_WORDS; i++)
        sum->words[i] += more->words[i];
}

static enum count_type type_of(const struct effect *effect) {
    static const enum count_type types[TYPE_COUNT] = {
        [TYPE_F64] = COUNT_F64,   [TYPE_F32] = COUNT_F32, [TYPE_F16] = COUNT_F16,
        [TYPE_BF16] = COUNT_BF16, [TYPE_I8] = COUNT_I8,   [TYPE_I16] = COUNT_I16,
    };
    return effect->x87 ? COUNT_X87 : types[effect->type];
}

static enum count_width width_of(const struct effect *effect) {
    if (effect->class == CLASS_FLOP_TILE)
        return COUNT_TILE;
    return effect->flop_bytes >= 64   ? COUNT_512
           : effect->flop_bytes >= 32 ? COUNT_256
           : effect->flop_bytes >= 16 ? COUNT_128
                                      : COUNT_SCALAR;
}

static void add_flop(struct count *sum, const struct effect *effect, uint64_t flop) {
    if (flop == 0)
        return;
    sum->flop[type_of(effect)][width_of(effect)] += flop;
    if (effect->sort == SORT_FMA)
        sum->fused_flop += flop;
}

/* Whether the cost of a full mask is known. That of a repetition is not; that of a tile depends on its
 * configuration. */
static bool is_masked(const struct effect *effect) {
    return effect->dynamic == DYNAMIC_MASK || effect->dynamic == DYNAMIC_VECTOR_MASK;
}

static uint64_t full_flop(const struct effect *effect, uint64_t flop) {
    return count_is_integer(type_of(effect)) ? 0 : flop;
}

void count_executions(struct count *sum, const struct effect *effect, uint64_t executions) {
    sum->instructions += executions;
    sum->mix[effect->class] += executions;
    sum->load_instructions += effect->load_bytes > 0 ? executions : 0;
    sum->store_instructions += effect->store_bytes > 0 ? executions : 0;
    sum->bytes_unknown += effect->bytes_unknown ? executions : 0;
    sum->unknown_instructions += effect->unknown ? executions : 0;
    sum->stack_load_bytes += effect->stack_load_bytes * executions;
    sum->stack_store_bytes += effect->stack_store_bytes * executions;
    sum->unfused_flop += effect->unfused_flop * executions;
    bool fixed = effect->dynamic == DYNAMIC_NONE;
    if (fixed || effect->element_flop == 0)
        add_flop(sum, effect, effect->flop * executions);
    if (fixed || effect->element_load_bytes == 0)
        sum->load_bytes += effect->load_bytes * executions;
    if (fixed || effect->element_store_bytes == 0)
        sum->store_bytes += effect->store_bytes * executions;
    if (fixed || is_masked(effect)) {
        sum->full_flop += full_flop(effect, effect->flop * executions);
        sum->full_load_bytes += effect->load_bytes * executions;
        sum->full_store_bytes += effect->store_bytes * executions;
    }
}

void count_elements(struct count *sum, const struct effect *effect, uint64_t elements) {
    add_flop(sum, effect, effect->element_flop * elements);
    sum->load_bytes += effect->element_load_bytes * elements;
    sum->store_bytes += effect->element_store_bytes * elements;
    if (!is_masked(effect)) {
        sum->full_flop += full_flop(effect, effect->element_flop * elements);
        sum->full_load_bytes += effect->element_load_bytes * elements;
        sum->full_store_bytes += effect->element_store_bytes * elements;
    }
}
