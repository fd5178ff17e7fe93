/* SPDX-License-Identifier: BSD-3-Clause
 * What was read of a folder's files, kept in the folder: a file that is as it was is not read again. The index speeds
 * up and never decides: in any doubt about it (another version, damage, a file too fresh to tell) the files are read,
 * and where it cannot be written all goes on without. */
#ifndef CARM_FLEET_INDEX_H
#define CARM_FLEET_INDEX_H

#include <stdio.h>

#include "fleet.h"

/* In the folder; hidden, so that it is no result. */
#define FLEET_INDEX_NAME ".carmine-fleet-index"

/* A file as it was before it was read. Whoever writes to it, or puts another in its place, changes one of these. */
struct fleet_mark {
    uint64_t bytes, inode;
    int64_t written_s, written_ns, changed_s, changed_ns; /* mtime and ctime; changed_s 0: there is no such file */
};

/* Files on their way into a fleet; the arrays have an entry for each path. */
struct fleet_reading {
    const struct result_paths *paths;
    struct fleet_mark *marks;
    struct fleet_node *nodes;
    bool *done;            /* the node is known */
    struct roof_keys keys; /* which the nodes' values name */
    double began_s;        /* when the marks were taken, by a clock that is never set */
};

/* How much of an index was of use. */
struct fleet_index {
    size_t entries, used; /* that it holds; 0: there is none. And those whose files are as they were */
};

/* Marks all files. */
void fleet_index_mark(struct fleet_reading *reading);

/* Takes the nodes of those files of the folder that are as the index says. */
struct fleet_index fleet_index_read(const struct result_folder *folder, struct fleet_reading *reading);

/* Writes the index of all nodes of the folder that are known, if it differs from the one that was read. A file that was
 * changed so shortly before its mark was taken that it may have been changed again under the same time is left out. */
void fleet_index_write(const struct result_folder *folder, const struct fleet_reading *reading,
                       const struct fleet_index *read);

/* The form of an index: a header, the keys (struct roof_key), of each file an entry, its name and its values (struct
 * fleet_value), and a checksum over all of that. In words of 8 bytes, as this machine has them in memory. */

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
