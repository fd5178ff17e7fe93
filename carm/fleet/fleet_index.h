/* SPDX-License-Identifier: BSD-3-Clause
 * The values of a folder's files, stored in the folder: an unchanged file is not read again. The index saves time and
 * decides nothing: if it is doubtful in any way (other version, damage, a file too new to judge), the files are read.
 * If it cannot be written, all works without it. */
#pragma once

#include <stdio.h>

#include "fleet.h"

/* In the folder; hidden, so that it is not taken for a result. */
#define FLEET_INDEX_NAME ".carmine-fleet-index"

/* A file before it was read. Writing to the file or replacing it changes one of these. */
struct fleet_mark {
    uint64_t bytes, inode;
    int64_t written_s, written_ns, changed_s, changed_ns; /* mtime and ctime; changed_s 0: no such file */
};

/* Files while they are read into a fleet; the arrays have an entry for each path. */
struct fleet_reading {
    const struct result_paths *paths;
    struct fleet_mark *marks;
    struct fleet_node *nodes;
    bool *done;            /* the node is known */
    struct roof_keys keys; /* the nodes' values refer to these */
    double began_s;        /* when the marks were taken, by the monotonic clock */
};

/* How much of an index was useful. */
struct fleet_index {
    size_t entries, used; /* its entries, 0: no index; entries whose files are unchanged */
};

/* Marks all files. */
void fleet_index_mark(struct fleet_reading *reading);

/* Reads the nodes of all files of the folder that are unchanged by their marks. */
struct fleet_index fleet_index_read(const struct result_folder *folder, struct fleet_reading *reading);

/* Writes the index of all known nodes of the folder if it differs from the index that was read. Left out are files
 * changed so shortly before their mark that a later change might have the same time. */
void fleet_index_write(const struct result_folder *folder, const struct fleet_reading *reading,
                       const struct fleet_index *read);

/* The form of an index: a header, the keys (struct roof_key), for each file an entry, its name and its values
 * (struct fleet_value), and a checksum over all of that. In words of 8 bytes, in this machine's byte order. */

enum { FLEET_INDEX_LONGEST_NAME = 4096 };

struct fleet_index_header {
    char what[32], version[32];                                               /* of carmine */
    uint32_t form, byte_order, entry_bytes, key_bytes, value_bytes, reserved; /* differ in any other kind of index */
    uint64_t keys, entries;
};

/* The name follows, padded with NULs to whole words. */
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

/* An index while it is read or written, from its start. */
struct fleet_index_file {
    FILE *stream;
    uint64_t sum;  /* of the words so far; the checksum at the end */
    uint64_t left; /* bytes still to be read */
    bool failed;   /* nothing more is read or written */
};

void fleet_index_put(struct fleet_index_file *file, const void *bytes, size_t count);
