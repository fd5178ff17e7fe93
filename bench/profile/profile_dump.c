/* SPDX-License-Identifier: BSD-3-Clause
 * Reads a file of counts, which may be truncated or contain anything (see profile_dump.h). */
#include "profile_dump.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probe/error.h"
#include "probe/need.h"

enum { MAX_REGIONS = 4096 };

static bool is_text(const char *text, size_t bytes) {
    return memchr(text, '\0', bytes) != NULL;
}

static bool damaged(const struct dump *dump, struct error *err, const char *what) {
    return error_set(err, "%s is damaged: %s", dump->path, what);
}

static bool map_file(struct dump *dump, struct error *err) {
    struct stat status;
    int file = open(dump->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return error_set(err, "%s can't be read: %s", dump->path, strerror(errno));
    void *bytes = MAP_FAILED;
    bool regular = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    if (regular && (uint64_t)status.st_size >= sizeof dump->header) {
        dump->size = (size_t)status.st_size;
        bytes = mmap(NULL, dump->size, PROT_READ, MAP_PRIVATE, file, 0);
    }
    close(file);
    if (bytes == MAP_FAILED)
        return damaged(dump, err, "it is too short for a header");
    dump->bytes = bytes;
    return true;
}

bool dump_open(struct dump *dump, const char *path, struct error *err) {
    *dump = (struct dump){.path = ""};
    snprintf(dump->path, sizeof dump->path, "%s", path);
    if (!map_file(dump, err))
        return false;
    struct dump_header *header = &dump->header;
    memcpy(header, dump->bytes, sizeof *header);
    if (memcmp(header->magic, DUMP_MAGIC, sizeof header->magic) != 0)
        damaged(dump, err, "it is not a file of this version's counter");
    else if (!is_text(header->program, sizeof header->program) || !is_text(header->executes, sizeof header->executes) ||
             !is_text(header->failure, sizeof header->failure))
        damaged(dump, err, "a text of its header has no end");
    else
        return true;
    dump_close(dump);
    return false;
}

void dump_close(struct dump *dump) {
    munmap((void *)(uintptr_t)dump->bytes, dump->size);
    free(dump->records);
    free(dump->slices);
    free(dump->traffic);
}

/* Copies an element of a list, which is not aligned. */
#define GETTER(type, function, list, of)                                                                               \
    struct type function(const struct of *from, size_t index) {                                                        \
        struct type out;                                                                                               \
        memcpy(&out, from->list + index * sizeof out, sizeof out);                                                     \
        return out;                                                                                                    \
    }
GETTER(dump_object, dump_object, objects, dump)
GETTER(dump_block, dump_block, blocks, dump)
GETTER(dump_region, dump_region, regions, dump)
GETTER(dump_thread, dump_thread, threads, dump)
GETTER(touched, dump_footprint, footprints, dump)
GETTER(dump_touch, dump_touch, touches, dump)
GETTER(dump_value, dump_value, values, dump_record)
GETTER(dump_traffic_value, dump_traffic_value, values, dump_record)

struct dump_slice dump_slice(const struct dump_record *record) {
    struct dump_slice slice;
    memcpy(&slice, record->values - sizeof slice, sizeof slice);
    return slice;
}

uint64_t dump_offset(const struct dump_object *object, uint64_t address) {
    return object->file_offset + (address - object->low);
}

/* The next `bytes` of the file; NULL if it ends before. */
static const uint8_t *take(const struct dump *dump, size_t *at, uint64_t bytes) {
    if (bytes > dump->size - *at)
        return NULL;
    *at += (size_t)bytes;
    return dump->bytes + *at - (size_t)bytes;
}

/* Copies a record that others follow. False: the file ends before. */
static bool take_head(const struct dump *dump, size_t *at, void *out, size_t bytes) {
    const uint8_t *head = take(dump, at, bytes);
    if (head != NULL)
        memcpy(out, head, bytes);
    return head != NULL;
}

static bool find_sections(struct dump *dump, size_t *at) {
    const struct dump_header *header = &dump->header;
    *at = sizeof *header;
    return (dump->objects = take(dump, at, header->object_count * sizeof(struct dump_object))) != NULL &&
           (dump->blocks = take(dump, at, header->block_count * sizeof(struct dump_block))) != NULL &&
           (dump->code = take(dump, at, header->code_bytes)) != NULL &&
           (dump->regions = take(dump, at, header->region_count * sizeof(struct dump_region))) != NULL &&
           (dump->threads = take(dump, at, header->thread_count * sizeof(struct dump_thread))) != NULL;
}

static bool check_blocks(const struct dump *dump, struct error *err) {
    const struct dump_header *header = &dump->header;
    uint64_t code_bytes = 0;
    for (size_t i = 0; i < header->block_count; i++) {
        struct dump_block block = dump_block(dump, i);
        code_bytes += block.code_bytes;
        if (block.object >= header->object_count)
            return damaged(dump, err, "a block names a missing object");
        if (block.counter >= header->counter_count)
            return damaged(dump, err, "a block names a missing counter");
        if (block.instruction_count > block.code_bytes)
            return damaged(dump, err, "a block has more instructions than bytes");
        struct dump_object object = dump_object(dump, block.object);
        if (block.object != 0 && (block.address < object.low || block.address >= object.high))
            return damaged(dump, err, "a block is outside of its object");
    }
    return code_bytes == header->code_bytes || damaged(dump, err, "its blocks and their code differ in size");
}

static bool check_texts(const struct dump *dump, struct error *err) {
    for (size_t i = 0; i < dump->header.object_count; i++) {
        struct dump_object object = dump_object(dump, i);
        if (!is_text(object.path, sizeof object.path))
            return damaged(dump, err, "the path of an object has no end");
    }
    for (size_t i = 0; i < dump->header.region_count; i++) {
        struct dump_region region = dump_region(dump, i);
        if (!is_text(region.name, sizeof region.name) || (region.name[0] == '\0') != (i == 0))
            return damaged(dump, err, "a region has no name");
    }
    return true;
}

static int by_region(const void *a, const void *b) {
    const struct dump_record *x = a, *y = b;
    if (x->region != y->region)
        return x->region < y->region ? -1 : 1;
    return (x->thread > y->thread) - (x->thread < y->thread);
}

static bool take_values(const struct dump *dump, size_t *at, struct dump_record *record, struct error *err) {
    record->values = take(dump, at, record->value_count * sizeof(struct dump_value));
    if (record->values == NULL)
        return damaged(dump, err, "it ends within its counts");
    for (size_t v = 0; v < record->value_count; v++)
        if (dump_value(record, v).counter >= dump->header.counter_count)
            return damaged(dump, err, "it has a count of a missing counter");
    return true;
}

static bool read_records(struct dump *dump, size_t *at, struct error *err) {
    const struct dump_header *header = &dump->header;
    if (header->count_count > (dump->size - *at) / sizeof(struct dump_counts))
        return damaged(dump, err, "it ends within its counts");
    dump->records = calloc(header->count_count + 1, sizeof *dump->records);
    if (dump->records == NULL)
        return error_set(err, "%s: not enough memory for its counts", dump->path);
    for (size_t i = 0; i < header->count_count; i++) {
        struct dump_counts counts;
        if (!take_head(dump, at, &counts, sizeof counts))
            return damaged(dump, err, "it ends within its counts");
        struct dump_record *record = &dump->records[i];
        *record = (struct dump_record){counts.region, counts.thread, counts.value_count, {0}, NULL};
        if (record->region >= header->region_count || record->thread >= header->thread_count)
            return damaged(dump, err, "it has counts of a missing region or thread");
        if (!take_values(dump, at, record, err))
            return false;
    }
    qsort(dump->records, header->count_count, sizeof *dump->records, by_region);
    return true;
}

static bool read_slices(struct dump *dump, size_t *at, struct error *err) {
    const struct dump_header *header = &dump->header;
    if (header->slice_count > (dump->size - *at) / sizeof(struct dump_slice))
        return damaged(dump, err, "it ends within its slices");
    dump->slices = need_calloc(header->slice_count + 1, sizeof *dump->slices);
    for (size_t i = 0; i < header->slice_count; i++) {
        struct dump_slice slice;
        if (!take_head(dump, at, &slice, sizeof slice))
            return damaged(dump, err, "it ends within its slices");
        dump->slices[i] = (struct dump_record){.thread = slice.thread, .value_count = slice.value_count};
        if (slice.thread >= header->thread_count || slice.counter >= header->counter_count)
            return damaged(dump, err, "it has a slice of a missing thread or counter");
        if (!take_values(dump, at, &dump->slices[i], err))
            return false;
    }
    return true;
}

static bool check_geometry(const struct dump *dump, struct error *err) {
    const struct dump_levels_request *levels = &dump->header.levels;
    if (levels->geometry.level_count > HIERARCHY_LEVELS_MAX)
        return damaged(dump, err, "it has more levels of caches than can be simulated");
    for (unsigned i = 0; i < levels->geometry.level_count; i++) {
        const struct hierarchy_level *level = &levels->geometry.levels[i];
        if (level->set_count == 0 || level->ways == 0 || level->ways > LRU_WAYS_MAX || level->level > 9)
            return damaged(dump, err, "it has a cache of no size");
    }
    return true;
}

static bool check_traffic(const struct dump *dump, const struct dump_record *record, struct error *err) {
    enum { WORDS = sizeof(struct hierarchy_counts) / sizeof(uint64_t) };
    if (record->region >= dump->header.region_count || record->thread >= dump->header.thread_count)
        return damaged(dump, err, "it has traffic of a missing region or thread");
    for (size_t v = 0; v < record->value_count; v++) {
        const struct dump_traffic_value value = dump_traffic_value(record, v);
        if (value.counter >= dump->header.counter_count || value.word >= WORDS || value.group >= SAMPLING_GROUPS_MAX)
            return damaged(dump, err, "it has traffic of a missing counter");
    }
    return true;
}

static bool read_touches(struct dump *dump, size_t *at, struct error *err) {
    struct dump_touches touches;
    if (!take_head(dump, at, &touches, sizeof touches))
        return damaged(dump, err, "it ends before its touches");
    if (touches.value_count == DUMP_NOT_KNOWN)
        return true;
    if (touches.value_count > (dump->size - *at) / sizeof(struct dump_touch))
        return damaged(dump, err, "it ends within its touches");
    dump->touch_count = (size_t)touches.value_count;
    dump->touches = take(dump, at, touches.value_count * sizeof(struct dump_touch));
    for (size_t i = 0; i < dump->touch_count; i++) {
        const struct dump_touch touch = dump_touch(dump, i);
        if (touch.counter >= dump->header.counter_count || touch.kind >= DUMP_TOUCH_KINDS)
            return damaged(dump, err, "it has a touch of a missing counter");
    }
    return true;
}

/* One record for each of the counts, if caches were simulated. */
static bool read_traffic(struct dump *dump, size_t *at, struct error *err) {
    const struct dump_header *header = &dump->header;
    if (header->levels.geometry.level_count == 0)
        return true;
    dump->footprints = take(dump, at, header->region_count * sizeof(struct touched));
    if (dump->footprints == NULL)
        return damaged(dump, err, "it ends within its footprints");
    dump->traffic = calloc(header->count_count + 1, sizeof *dump->traffic);
    if (dump->traffic == NULL)
        return error_set(err, "%s: not enough memory for its traffic", dump->path);
    for (; dump->traffic_count < header->count_count; dump->traffic_count++) {
        struct dump_traffic from;
        if (!take_head(dump, at, &from, sizeof from))
            return damaged(dump, err, "it ends within its traffic");
        struct dump_record *record = &dump->traffic[dump->traffic_count];
        *record = (struct dump_record){from.region, from.thread, from.value_count, from.footprint, NULL};
        record->values = take(dump, at, record->value_count * sizeof(struct dump_traffic_value));
        if (record->values == NULL)
            return damaged(dump, err, "it ends within its traffic");
        if (!check_traffic(dump, record, err))
            return false;
    }
    return read_touches(dump, at, err);
}

bool dump_check(struct dump *dump, struct error *err) {
    const struct dump_header *header = &dump->header;
    size_t at = 0;
    if (!find_sections(dump, &at))
        return damaged(dump, err, "it is shorter than its header states");
    if (header->object_count == 0 || header->region_count == 0 || header->thread_count == 0)
        return damaged(dump, err, "it has no object, no region or no thread");
    if (header->region_count > MAX_REGIONS)
        return damaged(dump, err, "it has more regions than a counter stores");
    /* Each counter is of a block or an instruction, so the file's size bounds the memory for them. */
    if (header->counter_count > header->block_count + header->code_bytes)
        return damaged(dump, err, "it has more counters than instructions");
    if (!check_texts(dump, err) || !check_blocks(dump, err) || !read_records(dump, &at, err) ||
        !read_slices(dump, &at, err) || !check_geometry(dump, err) || !read_traffic(dump, &at, err))
        return false;
    return at == dump->size || header->spare || damaged(dump, err, "it has data after its counts");
}
