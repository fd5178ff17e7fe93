/* SPDX-License-Identifier: BSD-3-Clause
 * A file of bench/profile/dump.h, mapped and checked. After dump_check() readers need no checks of sizes and indices,
 * except for the code of the blocks. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump.h"

struct error;

struct dump_record { /* a struct dump_counts or a struct dump_traffic, with its values */
    uint32_t region, thread, value_count;
    struct touched footprint; /* for struct dump_traffic only */
    const uint8_t *values;
};
struct dump {
    char path[512];
    const uint8_t *bytes;
    size_t size;
    struct dump_header header;
    const uint8_t *objects, *blocks, *code, *regions, *threads;
    struct dump_record *records; /* by region, then by thread */
    struct dump_record *slices;  /* as many as in the header: a thread's in order; `region` is 0 */
    const uint8_t *footprints;   /* by region; NULL: no caches were simulated */
    size_t traffic_count;
    struct dump_record *traffic;
    size_t touch_count;
    const uint8_t *touches; /* which code touched what; NULL: unknown */
};

/* Maps the file and reads its header. Errors: not readable, no such file, another version. dump_close() after
 * success. */
bool dump_open(struct dump *dump, const char *path, struct error *err);
void dump_close(struct dump *dump);

/* Checks the rest of a complete file. Error: damaged, and where. */
bool dump_check(struct dump *dump, struct error *err);

/* The data after the header is unaligned: these functions copy it. */
struct dump_object dump_object(const struct dump *dump, size_t index);
struct dump_block dump_block(const struct dump *dump, size_t index);
struct dump_region dump_region(const struct dump *dump, size_t index);
struct dump_thread dump_thread(const struct dump *dump, size_t index);
struct dump_slice dump_slice(const struct dump_record *record);
struct dump_value dump_value(const struct dump_record *record, size_t index);
struct touched dump_footprint(const struct dump *dump, size_t region); /* if there are any */
struct dump_touch dump_touch(const struct dump *dump, size_t index);
struct dump_traffic_value dump_traffic_value(const struct dump_record *record, size_t index);

/* The file offset of an address in the object. */
uint64_t dump_offset(const struct dump_object *object, uint64_t address);
