/* SPDX-License-Identifier: BSD-3-Clause
 * Access to the struct members that rows describe: counts, entries, and safe texts. */
#include "fields.h"

#include <string.h>

#include "render/page/safe_text.h"

static size_t counted(const struct field *field, const void *record) {
    const char *at = (const char *)record + field->counter.offset;
    switch (field->counter.size) {
    case sizeof(bool):
        return *(const bool *)at;
    case sizeof(unsigned):
        return *(const unsigned *)at;
    case sizeof(size_t):
        return *(const size_t *)at;
    }
    return 1; /* a record that always exists */
}

/* A record exists once, whatever else its counter counts. */
size_t field_count(const struct field *field, const void *record) {
    const size_t count = counted(field, record);
    return field->type == FIELD_RECORD && count > 1 ? 1 : count;
}

void field_set_count(const struct field *field, void *record, size_t count) {
    char *at = (char *)record + field->counter.offset;
    switch (field->counter.size) {
    case sizeof(bool):
        *(bool *)at = count > 0;
        break;
    case sizeof(unsigned):
        *(unsigned *)at = (unsigned)count;
        break;
    case sizeof(size_t):
        *(size_t *)at = count;
        break;
    }
}

void *field_entries(const struct field *field, const void *record) {
    char *at = (char *)record + field->offset;
    void *entries = at;
    if (field->type == FIELD_ALLOCATED) /* avoids reading a pointer of another type as void * */
        memcpy(&entries, at, sizeof entries);
    return entries;
}

void field_set_entries(const struct field *field, void *record, void *entries) {
    memcpy((char *)record + field->offset, &entries, sizeof entries);
}

void fields_clean(const struct field *fields, void *record) {
    for (const struct field *row = fields; row->key; row++) {
        if (row->type == FIELD_TEXT || row->type == FIELD_LABEL)
            safe_text_clean((char *)record + row->offset);
        char *entries = row->of ? field_entries(row, record) : NULL;
        for (size_t i = 0; entries && i < field_count(row, record); i++)
            fields_clean(row->of, entries + i * row->size);
    }
}
