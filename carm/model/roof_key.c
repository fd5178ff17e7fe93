/* SPDX-License-Identifier: BSD-3-Clause */
#include "roof_key.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "asm/kernel.h"
#include "carm/store/results.h"
#include "probe/machine.h"
#include "probe/need.h"

unsigned roof_cores(const struct roof *roof) {
    return roof->sample->cores ? roof->sample->cores : roof->sample->threads;
}

/* All cores of that place: for a part of the machine, or an unknown machine, the most that were measured. */
static unsigned all_cores(const struct model *model, const struct sample *sample) {
    const struct machine *machine = &model->result->machine;
    unsigned most = machine->core_count;
    for (unsigned k = 0; k < machine->kind_count; k++)
        if (machine->kinds[k].name[0] && strcmp(machine->kinds[k].name, sample->core_kind) == 0)
            most = machine->kinds[k].core_count;
    if (!sample->package && !sample->node && most)
        return most;
    most = 0;
    for (size_t i = 0; i < model->count; i++) {
        const struct sample *other = model->roofs[i].sample;
        const unsigned cores = roof_cores(&model->roofs[i]);
        if (other->package == sample->package && other->node == sample->node && cores > most &&
            strcmp(other->core_kind, sample->core_kind) == 0)
            most = cores;
    }
    return most;
}

/* Copies a text that fits, with zeros behind it; thousands of results have millions of them. */
static void copy_text(char *out, size_t size, const char *text) {
    const size_t length = strlen(text);
    memcpy(out, text, length < size ? length : size - 1);
}

static unsigned char small_page_kib(const struct machine *machine) {
    const uint64_t kib = machine_page_bytes(machine) >> 10;
    return kib > 0 && kib <= UINT8_MAX ? (unsigned char)kib : 4; /* of a file */
}

struct roof_key roof_key_make(const struct model *model, const struct roof *roof) {
    const struct sample *sample = roof->sample;
    struct roof_key key;
    memset(&key, 0, sizeof key);
    key.kind = sample->kind;
    key.cores = roof_cores(roof);
    key.figure = roof->figure;
    if (key.cores == 0 || (key.cores > 1 && (key.figure || key.cores == all_cores(model, sample))))
        key.cores = ROOF_ALL_CORES; /* imports do not always state the number */
    key.package = sample->package;
    key.node = sample->node;
    key.memory_node = sample->memory_node;
    key.smt = sample->cores > 0;
    key.small_pages = sample->small_pages ? small_page_kib(&model->result->machine) : 0;
    copy_text(key.kernel, sizeof key.kernel, sample->kernel);
    copy_text(key.level, sizeof key.level, sample->level);
    copy_text(key.core_kind, sizeof key.core_kind, sample->core_kind);
    return key;
}

const char *roof_key_pages(const struct roof_key *key, char out[ROOF_KEY_PAGES_BYTES]) {
    *out = '\0';
    if (key->small_pages)
        snprintf(out, ROOF_KEY_PAGES_BYTES, " (%u KiB pages)", key->small_pages);
    return out;
}

const char *roof_key_place(const struct roof_key *key, char *out, size_t size) {
    struct sample where = {.threads = key->cores,
                           .cores = key->smt,
                           .package = key->package,
                           .node = key->node,
                           .memory_node = key->memory_node};
    char count[32], place[160];
    snprintf(where.core_kind, sizeof where.core_kind, "%s", key->core_kind);
    model_place_text(&where, place, sizeof place);
    if (key->cores == ROOF_ALL_CORES)
        snprintf(count, sizeof count, "all cores");
    else if (key->cores == 1)
        snprintf(count, sizeof count, "one core");
    else
        snprintf(count, sizeof count, "%u cores", key->cores);
    snprintf(out, size, "%s%s%s", key->cores ? count : "", key->cores && *place ? ", " : "", place);
    return out;
}

const char *roof_key_text(const struct roof_key *key, char *out, size_t size) {
    char place[192], pages[ROOF_KEY_PAGES_BYTES];
    roof_key_place(key, place, sizeof place);
    snprintf(out, size, "%s%s%s%s%s%s", key->level, *key->level ? " " : "", key->kernel, roof_key_pages(key, pages),
             *place ? ", " : "", place);
    return out;
}

enum element_type roof_key_type(const struct roof_key *key) {
    return kernel_type(key->kernel);
}

const char *roof_key_operation(const struct roof_key *key) {
    return kernel_operation(key->kernel);
}

/* "avx512.i8.dot" counts op, not flop. */
static bool is_integer(const struct roof_key *key) {
    return key->kind == SAMPLE_COMPUTE && element_table[roof_key_type(key)].integer;
}

const char *roof_key_unit(const struct roof_key *key) {
    return is_integer(key) ? "op/s" : model_unit(key->kind);
}

const char *roof_key_unit_name(const struct roof_key *key) {
    static const char *const NAMES[] = {"flop_per_s", "bytes_per_s", "s"};
    return is_integer(key) ? "op_per_s" : NAMES[key->kind];
}

bool roof_key_same(const struct roof_key *a, const struct roof_key *b) {
    return a->kind == b->kind && a->cores == b->cores && a->package == b->package && a->node == b->node &&
           a->memory_node == b->memory_node && a->smt == b->smt && !a->small_pages == !b->small_pages &&
           a->figure == b->figure && strcmp(a->kernel, b->kernel) == 0 && strcmp(a->level, b->level) == 0 &&
           strcmp(a->type, b->type) == 0 && strcmp(a->core_kind, b->core_kind) == 0;
}

/* FNV-1a (Fowler, Noll and Vo). */
static uint64_t hash_number(uint64_t hash, unsigned number) {
    return (hash ^ number) * 0x100000001b3;
}

static uint64_t hash_text(uint64_t hash, const char *text) {
    for (; *text; text++)
        hash = hash_number(hash, (unsigned char)*text);
    return hash_number(hash, 0);
}

static size_t hash_of(const struct roof_key *key) {
    const unsigned numbers[] = {key->kind,        key->cores,         key->package,         key->node,
                                key->memory_node, (unsigned)key->smt, key->small_pages > 0, (unsigned)key->figure};
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        hash = hash_number(hash, numbers[i]);
    hash = hash_text(hash_text(hash_text(hash_text(hash, key->kernel), key->level), key->type), key->core_kind);
    return (size_t)(hash ^ hash >> 32);
}

/* The slot of the key, or the free slot for it. */
static size_t *slot_of(const struct roof_keys *keys, const struct roof_key *key) {
    size_t at = hash_of(key) % (2 * keys->capacity);
    while (keys->slots[at] && !roof_key_same(&keys->keys[keys->slots[at] - 1], key))
        at = (at + 1) % (2 * keys->capacity);
    return &keys->slots[at];
}

static void grow(struct roof_keys *keys) {
    keys->capacity = keys->capacity ? 2 * keys->capacity : 256;
    keys->keys = need_realloc(keys->keys, keys->capacity * sizeof *keys->keys);
    free(keys->slots);
    keys->slots = need_calloc(2 * keys->capacity, sizeof *keys->slots);
    for (size_t i = 0; i < keys->count; i++)
        *slot_of(keys, &keys->keys[i]) = i + 1;
}

size_t roof_keys_put(struct roof_keys *keys, const struct roof_key *key) {
    if (keys->count == keys->capacity)
        grow(keys);
    size_t *slot = slot_of(keys, key);
    if (!*slot) {
        keys->keys[keys->count] = *key;
        *slot = ++keys->count;
    }
    return *slot - 1;
}

size_t roof_keys_find(const struct roof_keys *keys, const struct roof_key *key) {
    return keys->count ? *slot_of(keys, key) - 1 : ROOF_KEYS_NONE; /* a free slot holds 0 */
}

void roof_keys_free(struct roof_keys *keys) {
    free(keys->keys);
    free(keys->slots);
    *keys = (struct roof_keys){0};
}
