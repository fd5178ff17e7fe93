/* SPDX-License-Identifier: BSD-3-Clause
 * The form of an index: a header, the keys (struct roof_key), of each file an entry, its name and its values (struct
 * fleet_value), and a checksum over all of that. In words of 8 bytes, as this machine has them in memory. */
#ifndef CARM_FLEET_INDEX_FILE_H
#define CARM_FLEET_INDEX_FILE_H

#include <stdio.h>

#include "fleet_index.h"

enum { FLEET_INDEX_LONGEST_NAME = 4096 };

struct fleet_index_header {
    char what[32], version[32];                                               /* of carmine */
    uint32_t form, byte_order, entry_bytes, key_bytes, value_bytes, reserved; /* no other index agrees in them */
    uint64_t keys, entries;
};

/* The name behind it is filled up with NULs to whole words. */
struct fleet_index_entry {
    struct fleet_mark mark;
    struct fleet_machine machine;
    struct fleet_cache caches[FLEET_LEVELS];
    struct others others;
    int64_t started_s;
    double elapsed_s;
    uint32_t interrupted, cache_count;
    uint64_t name_bytes, value_count;
};

struct fleet_index_header fleet_index_header_of(uint64_t keys, uint64_t entries);

/* An index that is read or written, from its beginning on. */
struct fleet_index_file {
    FILE *stream;
    uint64_t sum;  /* of what has passed: the checksum, where it is due */
    uint64_t left; /* bytes that are still to be read */
    bool failed;   /* then nothing is read or written any more */
};

/* Whole words. False: there are not so many. */
bool fleet_index_take(struct fleet_index_file *file, void *out, uint64_t bytes);
void fleet_index_put(struct fleet_index_file *file, const void *bytes, size_t count);

/* So many bytes, rounded up. */
size_t fleet_index_words(size_t bytes);

#endif
