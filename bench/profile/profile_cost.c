/* SPDX-License-Identifier: BSD-3-Clause
 * Computes the costs of the counters of machine-code blocks (see profile_cost.h). */
#include "profile_cost.h"
#include "code_graph.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/names/lines.h"
#include "bench/names/symbols.h"
#include "bench/names/written_names.h"
#include "probe/error.h"
#include "probe/marks/collector.h"
#include "probe/need.h"

/* How often a program read the time (see profile_cost.h). */

/* One execution is one reading: the kernel's functions return once; a program's own code has an instruction for it. */
static bool reads_clock(const struct code_block *block, bool is_kernels) {
    for (uint32_t i = 0; i < block->count && !is_kernels; i++)
        if (block->instructions[i].reads_clock)
            return true;
    return is_kernels && block->count > 0 && block->instructions[block->count - 1].flow == FLOW_AWAY;
}

uint64_t code_clock_readings(const struct dump *dump, const struct code_cost *cost) {
    bool *reads = need_calloc(dump->header.counter_count + 1, sizeof *reads);
    uint64_t readings = 0;
    for (size_t i = 0; i < dump->header.block_count; i++) {
        const struct dump_block block = dump_block(dump, i);
        reads[block.counter] =
            reads_clock(&cost->code[i], strcmp(cost->objects[block.object].from.path, "[vdso]") == 0);
    }
    for (size_t i = 0; i < dump->header.count_count; i++)
        for (size_t v = 0; dump->records[i].region == 0 && v < dump->records[i].value_count; v++) {
            const struct dump_value value = dump_value(&dump->records[i], v);
            readings += reads[value.counter] ? value.value : 0;
        }
    free(reads);
    return readings;
}

static uint64_t executions_of(const struct dump *dump, uint32_t counter) {
    uint64_t executions = 0;
    for (size_t i = 0; i < dump->header.count_count; i++)
        for (size_t v = 0; dump->records[i].region == 0 && v < dump->records[i].value_count; v++) {
            const struct dump_value value = dump_value(&dump->records[i], v);
            executions += value.counter == counter ? value.value : 0;
        }
    return executions;
}

static void add_unknown(const uint8_t *bytes, unsigned length, uint64_t executions,
                        struct unknown_code out[UNKNOWN_CODES]) {
    unsigned i = 0;
    while (i < UNKNOWN_CODES && out[i].length && (out[i].length != length || memcmp(out[i].bytes, bytes, length) != 0))
        i++;
    if (i == UNKNOWN_CODES)
        return;
    out[i].length = (uint8_t)length;
    memcpy(out[i].bytes, bytes, length);
    out[i].executions += executions;
}

void code_cost_add_unknown(const struct dump *dump, const struct code_cost *cost,
                           struct unknown_code out[UNKNOWN_CODES]) {
    for (size_t i = 0; i < dump->header.block_count; i++) {
        const struct code_block *block = &cost->code[i];
        for (uint32_t j = 0, at = 0; j < block->count; at += block->instructions[j++].length_bytes)
            if (block->instructions[j].effect.unknown && !cost->block_waits[i])
                add_unknown(block->code + at, block->instructions[j].length_bytes,
                            executions_of(dump, dump_block(dump, i).counter), out);
    }
}

/* A source of code: a file, or the names of the code that a process wrote while it ran. */
struct code_file {
    char path[256];
    uint32_t pid;            /* process that wrote it; 0: a file */
    struct symbols *symbols; /* NULL: not readable, as for the vdso */
    struct written_names *written;
    struct lines *lines; /* NULL: none, or not opened yet */
    bool lines_sought;
};

size_t code_files_open(struct code_files *files, const struct dump *dump, uint32_t object) {
    const struct dump_object from = dump_object(dump, object);
    const char *path = from.path;
    const char *written = written_names_dump(path);
    const uint32_t pid = written ? dump->header.pid : 0;
    for (size_t i = 0; i < files->count; i++)
        if (files->files[i].pid == pid && strcmp(files->files[i].path, path) == 0)
            return i;
    files->files = need_realloc(files->files, (files->count + 1) * sizeof *files->files);
    struct code_file *file = &files->files[files->count];
    *file = (struct code_file){.pid = pid};
    snprintf(file->path, sizeof file->path, "%s", path);
    file->symbols = path[0] == '/' ? symbols_open(path) : NULL;
    file->written = written ? written_names_open(pid, written) : NULL;
    return files->count++;
}

static const char *code_file_name(const struct code_file *file, uint64_t offset, uint64_t *start) {
    const char *name = file->symbols != NULL   ? symbols_find(file->symbols, offset, start)
                       : file->written != NULL ? written_names_find_start(file->written, offset, start)
                                               : NULL;
    return name != NULL ? name : "";
}

struct lines *code_files_lines(struct code_files *files, size_t index) {
    struct code_file *file = &files->files[index];
    if (!file->lines_sought && file->symbols != NULL)
        file->lines = lines_open(file->path);
    file->lines_sought = true;
    return file->lines;
}

void code_files_close(struct code_files *files) {
    for (size_t i = 0; i < files->count; i++) {
        symbols_close(files->files[i].symbols);
        written_names_close(files->files[i].written);
        lines_close(files->files[i].lines);
    }
    free(files->files);
    code_instructions_free(&files->instructions);
}

void code_object_name(const struct dump_object *object, char *out, size_t size) {
    const char *slash = strrchr(object->path, '/'), *file = slash != NULL ? slash + 1 : object->path;
    if (written_names_dump(object->path))
        file = COLLECTOR_WRITTEN;
    snprintf(out, size, "%.*s", (int)size - 1, file[0] != '\0' ? file : "[unknown]");
}

/* A block that waits for its function's number. */
struct placed {
    struct code_function function;
    size_t block;
};

static int profile_cost_by_function(const void *a, const void *b) {
    const struct placed *x = a, *y = b;
    if (x->function.object != y->function.object)
        return x->function.object < y->function.object ? -1 : 1;
    return strcmp(x->function.name, y->function.name);
}

/* Fills out->functions, and the function and its start for each block. */
static bool find_functions(const struct dump *dump, struct code_files *files, struct code_cost *out) {
    const size_t block_count = dump->header.block_count, object_count = dump->header.object_count;
    struct placed *placed = calloc(block_count + 1, sizeof *placed);
    size_t *opened = calloc(object_count, sizeof *opened);
    out->functions = calloc(block_count + 1, sizeof *out->functions);
    bool done = placed != NULL && opened != NULL && out->functions != NULL;
    for (size_t i = 1; done && i < object_count; i++) /* [0] is not a mapping */
        opened[i] = code_files_open(files, dump, (uint32_t)i);
    for (size_t i = 0; done && i < block_count; i++) {
        struct dump_block block = dump_block(dump, i);
        uint64_t offset = dump_offset(&out->objects[block.object].from, block.address);
        const char *name =
            block.object != 0 ? code_file_name(&files->files[opened[block.object]], offset, &out->block_starts[i]) : "";
        placed[i] = (struct placed){{block.object, name}, i};
    }
    if (done)
        qsort(placed, block_count, sizeof *placed, profile_cost_by_function);
    for (size_t i = 0; done && i < block_count; i++) {
        if (i == 0 || profile_cost_by_function(&placed[i], &placed[i - 1]) != 0)
            out->functions[out->function_count++] = placed[i].function;
        out->block_functions[placed[i].block] = (uint32_t)out->function_count - 1;
    }
    free(placed);
    free(opened);
    return done;
}

/* Stores the words that are not zero. */
static bool set_counter(struct code_cost *out, size_t counter, uint32_t function, const struct count *count) {
    if (out->share_most - out->share_count < COUNT_WORDS) {
        size_t most = out->share_most * 2 + COUNT_WORDS;
        struct cost_share *shares = realloc(out->shares, most * sizeof *shares);
        if (shares == NULL)
            return false;
        out->shares = shares;
        out->share_most = most;
    }
    struct counter_cost *cost = &out->counters[counter];
    *cost = (struct counter_cost){.function = function, .first_share = out->share_count};
    for (uint32_t i = 0; i < COUNT_WORDS; i++)
        if (count->words[i] != 0)
            out->shares[out->share_count++] = (struct cost_share){count->words[i], i};
    cost->share_count = (uint32_t)(out->share_count - cost->first_share);
    return true;
}

/* The work of a waiting loop, counted as waiting only. */
static struct count as_waiting(const struct count *count) {
    return (struct count){.waiting_instructions = count->instructions,
                          .waiting_bytes = count->load_bytes + count->store_bytes};
}

/* The dynamic linker saves registers while it looks up a symbol. Their unknown number of bytes is ignored. */
static bool is_linker(const char *path) {
    const char *slash = strrchr(path, '/');
    return strncmp(slash != NULL ? slash + 1 : path, "ld-linux", strlen("ld-linux")) == 0;
}

/* The collector's hooks and the adapters of other systems' marks are not work of the program. */
static bool is_own_code(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash && strncmp(slash + 1, COLLECTOR_LIBRARIES, strlen(COLLECTOR_LIBRARIES)) == 0;
}

static struct code_object *list_objects(const struct dump *dump) {
    struct code_object *objects = need_calloc(dump->header.object_count + 1, sizeof *objects);
    for (size_t i = 0; i < dump->header.object_count; i++) {
        const struct dump_object from = dump_object(dump, i);
        objects[i] = (struct code_object){from, is_linker(from.path), is_own_code(from.path)};
    }
    return objects;
}

struct block_kind code_cost_kind(const struct code_cost *cost, uint32_t object, size_t block) {
    return (struct block_kind){cost->block_waits[block], cost->objects[object].links, cost->objects[object].is_own};
}

static void adjust(struct block_kind kind, struct count *count) {
    if (kind.links)
        count->bytes_unknown = 0;
    if (kind.waits)
        *count = as_waiting(count);
    if (kind.is_own)
        *count = (struct count){0};
}

void code_cost_instruction(struct block_kind kind, const struct decoded_instruction *instruction,
                           struct count *executed, struct count *element) {
    *executed = *element = (struct count){0};
    count_executions(executed, &instruction->effect, 1);
    adjust(kind, executed);
    if (instruction->effect.dynamic != DYNAMIC_NONE) {
        count_elements(element, &instruction->effect, 1);
        adjust(kind, element);
    }
}

static bool block_cost(const struct dump *dump, size_t index, struct code_cost *out, struct error *err) {
    const struct dump_block block = dump_block(dump, index);
    const struct block_kind kind = code_cost_kind(out, block.object, index);
    const struct code_block *code = &out->code[index];
    const uint32_t function = out->block_functions[index];
    struct count all = {0};
    uint64_t counter = block.counter;
    uint32_t at = 0;
    for (uint32_t i = 0; i < block.instruction_count; i++) {
        const struct decoded_instruction *instruction = &code->instructions[i];
        if (i == code->count)
            return error_set(err, "%s is damaged: the code at %#" PRIx64 " is no instruction", dump->path,
                             block.address + at);
        at += instruction->length_bytes;
        count_executions(&all, &instruction->effect, 1);
        if (instruction->effect.dynamic == DYNAMIC_NONE)
            continue;
        struct count element = {0};
        count_elements(&element, &instruction->effect, 1);
        adjust(kind, &element);
        if (++counter >= dump->header.counter_count)
            return error_set(err, "%s is damaged: the %s at %#" PRIx64 " has no counter", dump->path,
                             instruction->mnemonic, block.address + at - instruction->length_bytes);
        if (!set_counter(out, counter, function, &element))
            return error_set(err, "not enough memory for the costs of %s", dump->path);
    }
    if (at != block.code_bytes)
        return error_set(err, "%s is damaged: the block at %#" PRIx64 " has code after its last instruction",
                         dump->path, block.address);
    adjust(kind, &all);
    return set_counter(out, block.counter, function, &all) ||
           error_set(err, "not enough memory for the costs of %s", dump->path);
}

bool code_cost_find(const struct dump *dump, struct code_files *files, struct code_cost *out, struct error *err) {
    const size_t count = dump->header.block_count;
    *out = (struct code_cost){.objects = list_objects(dump),
                              .code = code_instructions_find(&files->instructions, dump),
                              .counters = calloc(dump->header.counter_count + 1, sizeof *out->counters),
                              .block_functions = calloc(count + 1, sizeof *out->block_functions),
                              .block_starts = calloc(count + 1, sizeof *out->block_starts),
                              .block_waits = calloc(count + 1, sizeof *out->block_waits)};
    bool done = out->counters != NULL && out->block_functions != NULL && out->block_starts != NULL &&
                out->block_waits != NULL && find_functions(dump, files, out);
    if (!done)
        error_set(err, "not enough memory for the blocks of %s", dump->path);
    if (done)
        waiting_find(dump, out->code, out->block_waits);
    for (size_t i = 0; done && i < count; i++)
        done = block_cost(dump, i, out, err);
    return done;
}

void code_cost_free(struct code_cost *cost) {
    free(cost->objects);
    free(cost->code);
    free(cost->functions);
    free(cost->block_functions);
    free(cost->block_starts);
    free(cost->block_waits);
    free(cost->counters);
    free(cost->shares);
}

void code_cost_add(const struct code_cost *cost, size_t counter, uint64_t steps, struct count *sum) {
    const struct counter_cost *one = &cost->counters[counter];
    for (size_t i = one->first_share; i < one->first_share + one->share_count; i++)
        sum->words[cost->shares[i].word] += cost->shares[i].amount * steps;
}

/* A function with work, by name. */
struct called_function {
    const char *object, *name; /* each text is stored once */
    size_t function;
};

static int by_texts(const void *a, const void *b) {
    const struct called_function *x = a, *y = b;
    if (x->object != y->object)
        return x->object < y->object ? -1 : 1;
    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    return (x->function > y->function) - (x->function < y->function);
}

size_t *code_cost_namesakes(const struct code_cost *cost, const struct count *counts) {
    struct called_function *called = need_calloc(cost->function_count + 1, sizeof *called);
    size_t *namesakes = need_calloc(cost->function_count + 1, sizeof *namesakes), count = 0;
    struct texts texts = {0};
    for (size_t i = 0; i < cost->function_count; i++) {
        char object[128];
        if (counts[i].instructions + counts[i].waiting_instructions == 0)
            continue;
        code_object_name(&cost->objects[cost->functions[i].object].from, object, sizeof object);
        called[count++] =
            (struct called_function){texts_keep(&texts, object), texts_keep(&texts, cost->functions[i].name), i};
    }
    qsort(called, count, sizeof *called, by_texts);
    for (size_t i = 0; i < count; i++) {
        const bool again = i > 0 && called[i].object == called[i - 1].object && called[i].name == called[i - 1].name;
        namesakes[called[i].function] = again ? namesakes[called[i - 1].function] : called[i].function;
    }
    texts_free(&texts);
    free(called);
    return namesakes;
}

uint64_t texts_hash(const char *text) {
    uint64_t hash = 0xcbf29ce484222325;
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
    return hash;
}

/* The slot of the text, or the free one for it. */
static size_t texts_slot_of(const struct texts *texts, const char *text) {
    size_t slot = (size_t)texts_hash(text) & (texts->most - 1);
    while (texts->slots[slot] != NULL && strcmp(texts->slots[slot], text) != 0)
        slot = (slot + 1) & (texts->most - 1);
    return slot;
}

static void texts_grow(struct texts *texts) {
    const struct texts old = *texts;
    texts->most = old.most > 0 ? 2 * old.most : 256;
    texts->slots = need_calloc(texts->most, sizeof *texts->slots);
    for (size_t i = 0; i < old.most; i++)
        if (old.slots[i] != NULL)
            texts->slots[texts_slot_of(texts, old.slots[i])] = old.slots[i];
    free(old.slots);
}

const char *texts_keep(struct texts *texts, const char *text) {
    if (2 * texts->count >= texts->most)
        texts_grow(texts);
    const size_t slot = texts_slot_of(texts, text);
    if (texts->slots[slot] == NULL) {
        texts->slots[slot] = need_strdup(text);
        texts->count++;
    }
    return texts->slots[slot];
}

void texts_free(struct texts *texts) {
    for (size_t i = 0; i < texts->most; i++)
        free(texts->slots[i]);
    free(texts->slots);
    *texts = (struct texts){.count = 0};
}
