/* SPDX-License-Identifier: BSD-3-Clause
 * Addresses as callgrind tells them → instructions (see callgrind_code.h). */
#include "callgrind_code.h"

#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind_marks.h"
#include "bench/profile/names/symbols.h"
#include "probe/marks/collector.h"
#include "probe/need.h"

struct callgrind_object {
    char *path;
    struct symbols *symbols; /* NULL: it can't be read */
    bool is_foreign;
};
struct known_instruction { /* an entry of the hash table; offset 0 of object 0 is no code, so all zero is an empty one
                            */
    size_t object;
    uint64_t offset;
    struct code_instruction instruction;
};
struct mapping {
    uint64_t low, high, offset;
    char path[4096];
};
struct code {
    size_t object_count, function_count, known_count, known_room, mapping_count;
    struct callgrind_object *objects;
    struct callgrind_function *functions;
    struct known_instruction *known;
    char *maps; /* the process that `mappings` are of */
    struct mapping *mappings;
};

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static size_t find_object(struct code *code, const char *path) {
    for (size_t i = 0; i < code->object_count; i++)
        if (strcmp(code->objects[i].path, path) == 0)
            return i;
    code->objects = need_realloc(code->objects, (code->object_count + 1) * sizeof *code->objects);
    const char *base = base_name(path);
    code->objects[code->object_count] = (struct callgrind_object){
        .path = need_strdup(path),
        .symbols = symbols_open(path),
        .is_foreign = strncmp(base, COLLECTOR_LIBRARIES, strlen(COLLECTOR_LIBRARIES)) == 0 ||
                      strncmp(base, "vgpreload_", strlen("vgpreload_")) == 0,
    };
    return code->object_count++;
}

static size_t find_function(struct code *code, const struct callgrind_function *function) {
    for (size_t i = 0; i < code->function_count; i++)
        if (strcmp(code->functions[i].name, function->name) == 0 &&
            strcmp(code->functions[i].object, function->object) == 0)
            return i;
    code->functions = need_realloc(code->functions, (code->function_count + 1) * sizeof *code->functions);
    code->functions[code->function_count] = *function;
    return code->function_count++;
}

struct code *code_open(void) {
    struct code *code = need_calloc(1, sizeof *code);
    find_object(code, ""); /* of code that lies in no file */
    return code;
}

void code_close(struct code *code) {
    for (size_t i = 0; i < code->object_count; i++) {
        symbols_close(code->objects[i].symbols);
        free(code->objects[i].path);
    }
    free(code->objects);
    free(code->functions);
    free(code->known);
    free(code->maps);
    free(code->mappings);
    free(code);
}

static void read_maps(struct code *code, const char *path) {
    if (code->maps && strcmp(code->maps, path) == 0)
        return;
    free(code->maps);
    code->maps = need_strdup(path);
    code->mapping_count = 0;
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t size = 0;
    while (file && need_line(&line, &size, file)) {
        struct mapping mapping;
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %4095[^\n]", &mapping.low, &mapping.high,
                   &mapping.offset, mapping.path) != 4)
            continue;
        code->mappings = need_realloc(code->mappings, (code->mapping_count + 1) * sizeof *code->mappings);
        code->mappings[code->mapping_count++] = mapping;
    }
    free(line);
    if (file)
        fclose(file);
}

/* Of an unknown object valgrind tells the address in memory: the process's map tells the file. */
static bool locate_in_memory(struct code *code, const struct slice *slice, uint64_t address, size_t *object,
                             uint64_t *offset) {
    read_maps(code, slice->maps);
    for (size_t i = 0; i < code->mapping_count; i++) {
        const struct mapping *mapping = &code->mappings[i];
        if (address < mapping->low || address >= mapping->high)
            continue;
        *object = find_object(code, mapping->path);
        *offset = mapping->offset + (address - mapping->low);
        return true;
    }
    return false;
}

/* A static program leaves no map, but most lie where their files say. */
static bool locate_in_program(struct code *code, const struct slice *slice, uint64_t address, size_t *object,
                              uint64_t *offset) {
    const char *path = "???";
    for (size_t i = 0; i < slice->part->line_count && path[0] != '/'; i++)
        path = slice->part->lines[i].object;
    *object = find_object(code, path);
    const struct symbols *symbols = code->objects[*object].symbols;
    uint64_t bytes = 0;
    const uint8_t *head = symbols ? symbols_code(symbols, 0, &bytes) : NULL;
    return head && bytes >= sizeof(Elf64_Ehdr) && ((const Elf64_Ehdr *)(const void *)head)->e_type == ET_EXEC &&
           symbols_offset(symbols, address, offset);
}

/* valgrind knows of an object what lies in .text and .plt, not what lies in .init or .plt.sec. */
static bool locate(struct code *code, const struct slice *slice, const struct callgrind_line *line, size_t *object,
                   uint64_t *offset) {
    if (line->object[0] != '/')
        return locate_in_memory(code, slice, line->address, object, offset) ||
               locate_in_program(code, slice, line->address, object, offset);
    *object = find_object(code, line->object);
    const struct symbols *symbols = code->objects[*object].symbols;
    return symbols && symbols_offset(symbols, line->address, offset);
}

static struct known_instruction *slot_of(const struct code *code, size_t object, uint64_t offset) {
    const uint64_t SPREAD = 0x9e3779b97f4a7c15; /* 2^64 / golden ratio */
    size_t at = (size_t)((offset + (object << 40)) * SPREAD >> 20);
    for (;; at++) {
        struct known_instruction *known = &code->known[at & (code->known_room - 1)];
        if ((known->object == object && known->offset == offset) || (known->object == 0 && known->offset == 0))
            return known;
    }
}

static void make_room(struct code *code) {
    if (2 * (code->known_count + 1) <= code->known_room)
        return;
    struct code grown = *code;
    grown.known_room = code->known_room ? 2 * code->known_room : 1 << 14;
    grown.known = need_calloc(grown.known_room, sizeof *grown.known);
    for (size_t i = 0; i < code->known_room; i++)
        if (code->known[i].object || code->known[i].offset)
            *slot_of(&grown, code->known[i].object, code->known[i].offset) = code->known[i];
    free(code->known);
    *code = grown;
}

static void decode(struct code *code, size_t object, uint64_t offset, struct code_instruction *out) {
    const struct callgrind_object *from = &code->objects[object];
    struct callgrind_function function = {.object = base_name(from->path), .name = "", .is_foreign = from->is_foreign};
    struct decoded_instruction instruction;
    uint64_t bytes = 0;
    const uint8_t *machine_code = from->symbols ? symbols_code(from->symbols, offset, &bytes) : NULL;
    const char *name = from->symbols ? symbols_find(from->symbols, offset) : NULL;
    *out = (struct code_instruction){0};
    if (name) {
        function.name = name;
        function.is_mark = strcmp(name, "carmine_region_begin") == 0 || strcmp(name, "carmine_region_end") == 0;
    }
    if (machine_code && instruction_decode(machine_code, bytes, &instruction)) {
        out->effect = instruction.effect;
        out->compares = instruction.compares;
        out->known = true;
    }
    out->function = find_function(code, &function);
}

const struct code_instruction *code_find(struct code *code, const struct slice *slice,
                                         const struct callgrind_line *line) {
    size_t object;
    uint64_t offset = line->address;
    if (!locate(code, slice, line, &object, &offset))
        object = 0, offset = UINT64_MAX;
    make_room(code);
    struct known_instruction *known = slot_of(code, object, offset);
    if (known->offset != offset || known->object != object) {
        struct known_instruction found = {.object = object, .offset = offset};
        decode(code, object, offset, &found.instruction);
        *known = found;
        code->known_count++;
    }
    return &known->instruction;
}

const struct callgrind_function *code_function(const struct code *code, size_t function) {
    return &code->functions[function];
}
