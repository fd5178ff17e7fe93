/* SPDX-License-Identifier: BSD-3-Clause
 * An index as bytes (see fleet_index_file.h). */
#include "fleet_index_file.h"

#include <string.h>

/* To be raised when what is kept of a node, or how it is read from a file, changes. */
enum { FORM = 3 };

_Static_assert(sizeof(struct fleet_index_header) % 8 == 0 && sizeof(struct fleet_index_entry) % 8 == 0 &&
                   sizeof(struct roof_key) % 8 == 0 && sizeof(struct fleet_value) % 8 == 0,
               "the checksum is one of whole words");

struct fleet_index_header fleet_index_header_of(uint64_t keys, uint64_t entries) {
    struct fleet_index_header header;
    memset(&header, 0, sizeof header);
    snprintf(header.what, sizeof header.what, "carmine: index of a fleet\n");
    snprintf(header.version, sizeof header.version, "%s", CARMINE_VERSION);
    header.form = FORM;
    header.byte_order = 0x01020304;
    header.entry_bytes = sizeof(struct fleet_index_entry);
    header.key_bytes = sizeof(struct roof_key);
    header.value_bytes = sizeof(struct fleet_value);
    header.keys = keys;
    header.entries = entries;
    return header;
}

/* Any bit of any word changes it, and so does their order. */
static void add_to_sum(struct fleet_index_file *file, const void *bytes, size_t count) {
    for (size_t i = 0; i < count; i += 8) {
        uint64_t word;
        memcpy(&word, (const char *)bytes + i, sizeof word);
        file->sum = (file->sum ^ word) * 0x9e3779b97f4a7c15; /* 2^64 / the golden ratio, odd */
        file->sum ^= file->sum >> 32;
    }
}

bool fleet_index_take(struct fleet_index_file *file, void *out, uint64_t bytes) {
    file->failed = file->failed || bytes > file->left || fread(out, 1, bytes, file->stream) != bytes;
    if (file->failed)
        return false;
    file->left -= bytes;
    add_to_sum(file, out, bytes);
    return true;
}

void fleet_index_put(struct fleet_index_file *file, const void *bytes, size_t count) {
    file->failed = file->failed || fwrite(bytes, 1, count, file->stream) != count;
    add_to_sum(file, bytes, count);
}

size_t fleet_index_words(size_t bytes) {
    return (bytes + 7) / 8 * 8;
}
