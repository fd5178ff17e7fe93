/* SPDX-License-Identifier: BSD-3-Clause
 * JSON text → structs by tables (see fields_scan.h). */
#include "fields_scan.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/doubt.h"
#include "probe/isa.h"
#include "probe/need.h"
#include "render/page/safe_text.h"

static uint64_t scan_whole(struct scan *scan, double most) {
    const double number = scan_number(scan);
    if (number > most || number != (double)(uint64_t)number)
        scan->failed = true;
    return scan->failed ? 0 : (uint64_t)number;
}

static struct doubts scan_doubts(struct scan *scan) {
    struct doubts doubts = NO_DOUBTS;
    char name[64];
    for (bool inside = false; scan_item(scan, &inside);) {
        scan_text(scan, name, sizeof name);
        const enum doubt_id id = doubt_find(name);
        if (id == DOUBT_COUNT)
            scan->failed = true;
        else
            doubts_add(&doubts, id);
    }
    return doubts;
}

static uint32_t scan_features(struct scan *scan) {
    uint32_t bits = 0;
    char name[64];
    for (bool inside = false; scan_item(scan, &inside);) {
        scan_text(scan, name, sizeof name);
        const uint32_t bit = cpu_feature_find(name);
        if (!bit)
            scan->failed = true;
        bits |= bit;
    }
    return bits;
}

static unsigned scan_name(struct scan *scan, const char *const *names) {
    char name[32];
    scan_text(scan, name, sizeof name);
    for (unsigned i = 0; names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    scan->failed = true;
    return 0;
}

static void scan_numbers(struct scan *scan, double *out, size_t count) {
    size_t found = 0;
    for (bool inside = false; scan_item(scan, &inside); found++) {
        if (found == count) {
            scan->failed = true;
            return;
        }
        out[found] = scan_number(scan);
    }
    if (found < count)
        scan->failed = true;
}

static void scan_list(const struct field *field, struct scan *scan, void *record) {
    size_t count = 0, capacity = field->most;
    char *entries = field_entries(field, record);
    if (field->type == FIELD_ALLOCATED)
        field_set_entries(field, record, entries = need_calloc(capacity = 1, field->size));
    for (bool inside = false; scan_item(scan, &inside);) {
        if (count == field->most) {
            scan->failed = true;
            return;
        }
        if (count == capacity) {
            capacity = capacity < 512 ? 512 : 2 * capacity;
            field_set_entries(field, record, entries = need_realloc(entries, capacity * field->size));
        }
        char *entry = entries + count * field->size;
        memset(entry, 0, field->size);
        field_set_count(field, record, ++count);
        fields_scan(field->of, scan, entry);
    }
}

static void scan_value(const struct field *field, struct scan *scan, void *record) {
    void *at = (char *)record + field->offset;
    switch (field->type) {
    case FIELD_TEXT: /* one that is to be cleaned is read by fields_read() */
        scan_text(scan, at, field->size);
        scan->failed |= !safe_text_is(at);
        break;
    case FIELD_NUMBER:
    case FIELD_AMOUNT:
        *(double *)at = scan_number(scan);
        break;
    case FIELD_NUMBERS:
        scan_numbers(scan, at, field->size / sizeof(double));
        break;
    case FIELD_COUNT:
        *(unsigned *)at = (unsigned)scan_whole(scan, 1e9);
        break;
    case FIELD_PLACE:
        *(unsigned *)at = (unsigned)scan_whole(scan, 1e9) + 1;
        break;
    case FIELD_BYTES:
        *(uint64_t *)at = scan_whole(scan, 0x1p53);
        break;
    case FIELD_BOOL:
        *(bool *)at = scan_bool(scan);
        break;
    case FIELD_DOUBTS:
        *(struct doubts *)at = scan_doubts(scan);
        break;
    case FIELD_FEATURES:
        *(uint32_t *)at = scan_features(scan);
        break;
    case FIELD_NAME:
        *(unsigned *)at = scan_name(scan, field->names);
        break;
    case FIELD_CONSTANT:
        if (scan_name(scan, field->names) != 0)
            scan->failed = true;
        break;
    case FIELD_RECORD:
        field_set_count(field, record, 1);
        fields_scan(field->of, scan, at);
        break;
    case FIELD_LIST:
    case FIELD_ALLOCATED:
        scan_list(field, scan, record);
        break;
    default:
        scan->failed = true;
    }
}

static bool is_key(const char *name, const struct scan_key *key) {
    for (size_t i = 0; i < key->length; i++)
        if (name[i] != key->text[i])
            return false;
    return name[key->length] == '\0';
}

/* The row of a key, looked for from `from` on: files are written in the table's order, so it is nearly always there. */
static const struct field *row_of(const struct field *fields, const struct field *from, const struct scan_key *key) {
    const struct field *row = from;
    do {
        if (!row->key)
            row = fields;
        else if (is_key(row->key, key))
            return row;
        else
            row++;
    } while (row != from);
    return NULL;
}

void fields_scan(const struct field *fields, struct scan *scan, void *record) {
    if (fields->bare) {
        scan_value(fields, scan, record);
        return;
    }
    uint64_t seen = 0; /* a bit for each row */
    const struct field *next = fields;
    struct scan_key key;
    for (bool inside = false; scan_member(scan, &inside, &key);) {
        const struct field *row = row_of(fields, next, &key);
        next = row ? row + 1 : next;
        if (!row || !row->scanned) {
            scan_skip(scan);
            continue;
        }
        const uint64_t bit = (uint64_t)1 << (row - fields);
        if (seen & bit) { /* a list's first entries would be lost */
            scan->failed = true;
            return;
        }
        seen |= bit;
        scan_value(row, scan, record);
    }
    for (const struct field *row = fields; row->key; row++)
        if (row->scanned && !row->missing && !(seen >> (row - fields) & 1))
            scan->failed = true;
}
