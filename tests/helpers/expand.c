/* SPDX-License-Identifier: BSD-3-Clause
 * `expand FOLDER` prints the number of executions of each address in marked regions (which must not nest), in step's
 * format: "OBJECT OFFSET COUNT", and for rep-prefixed instructions "OBJECT OFFSET COUNT ITERATIONS". `expand FOLDER
 * whole`: in the whole program. It reads the counter's file itself, because it also checks bench/profile/profile.c. */
#include <dirent.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/x86/effect.h"
#include "asm/x86/newer.h"
#include "bench/profile/dump.h"

struct place { /* an instruction of a block */
    const char *object;
    uint64_t file_offset, count, iterations;
    bool repeats;
};

static int compare_places(const void *left, const void *right) {
    const struct place *a = left, *b = right;
    int by_object = strcmp(a->object, b->object);
    return by_object ? by_object : (a->file_offset > b->file_offset) - (a->file_offset < b->file_offset);
}

static uint8_t *read_whole(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        return NULL;
    size_t bytes = (size_t)ftell(file);
    uint8_t *content = malloc(bytes);
    rewind(file);
    if (fread(content, 1, bytes, file) != bytes)
        return NULL;
    fclose(file);
    return content;
}

/* A copy of the next `count` items of a file, whose parts need not be aligned. */
static void *take(const uint8_t **next, size_t count, size_t bytes) {
    void *things = malloc(count * bytes + 1);
    memcpy(things, *next, count * bytes);
    *next += count * bytes;
    return things;
}

/* Sums over all threads, of the marked regions or of the whole program. */
static uint64_t *sum_counters(const struct dump_header *header, const uint8_t *next, bool whole) {
    uint64_t *counters = calloc(header->counter_count + 1, sizeof *counters);
    for (uint32_t i = 0; i < header->count_count; i++) {
        struct dump_counts *counts = take(&next, 1, sizeof *counts);
        struct dump_value *values = take(&next, counts->value_count, sizeof *values);
        for (uint32_t j = 0; j < counts->value_count && (counts->region == 0) == whole; j++)
            counters[values[j].counter] += values[j].value;
        free(values);
        free(counts);
    }
    return counters;
}

static int print_places(const uint8_t *next, bool whole) {
    struct dump_header *header = take(&next, 1, sizeof *header);
    struct dump_object *objects = take(&next, header->object_count, sizeof *objects);
    struct dump_block *blocks = take(&next, header->block_count, sizeof *blocks);
    uint8_t *all_code = take(&next, header->code_bytes, 1), *code = all_code;
    next += header->region_count * sizeof(struct dump_region) + header->thread_count * sizeof(struct dump_thread);
    uint64_t *counters = sum_counters(header, next, whole);
    size_t place_count = 0;
    for (uint32_t i = 0; i < header->block_count; i++)
        place_count += blocks[i].instruction_count;
    struct place *places = calloc(place_count + 1, sizeof *places), *place = places;
    ZydisDecoder decoder;
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    for (uint32_t i = 0; i < header->block_count; i++) {
        const struct dump_block *block = &blocks[i];
        const struct dump_object *object = &objects[block->object];
        uint64_t counter = block->counter;
        for (uint32_t at = 0; at < block->code_bytes; place++) {
            ZydisDecodedInstruction instruction;
            ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
            struct effect effect;
            if (!newer_decode(&decoder, code + at, block->code_bytes - at, &instruction, operands))
                return 1;
            effect_find(&instruction, operands, &effect);
            counter += effect.dynamic != DYNAMIC_NONE;
            place->object = object->path;
            place->file_offset = block->address + at - object->low + object->file_offset;
            place->count = counters[block->counter];
            place->repeats = effect.dynamic == DYNAMIC_REPEAT;
            place->iterations = place->repeats ? counters[counter] : 0;
            at += instruction.length;
        }
        code += block->code_bytes;
    }
    qsort(places, place_count, sizeof *places, compare_places);
    for (size_t i = 0; i < place_count; i++) {
        if (i + 1 < place_count && compare_places(&places[i], &places[i + 1]) == 0) { /* blocks overlap */
            places[i + 1].count += places[i].count;
            places[i + 1].iterations += places[i].iterations;
        } else if (places[i].count > 0) {
            printf("%s %#" PRIx64 " %" PRIu64, places[i].object, places[i].file_offset, places[i].count);
            if (places[i].repeats)
                printf(" %" PRIu64, places[i].iterations);
            putchar('\n');
        }
    }
    free(places);
    free(counters);
    free(all_code);
    free(blocks);
    free(objects);
    free(header);
    return 0;
}

int main(int argc, char **argv) {
    const bool whole = argc == 3 && strcmp(argv[2], "whole") == 0;
    DIR *folder = argc == 2 + whole ? opendir(argv[1]) : NULL;
    if (!folder) {
        fprintf(stderr, "usage: expand FOLDER [whole]\n");
        return 2;
    }
    int status = 2;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
        uint8_t *content = strncmp(entry->d_name, "count.", 6) == 0 ? read_whole(path) : NULL;
        if (content)
            status = print_places(content, whole);
        free(content);
    }
    closedir(folder);
    return status;
}
