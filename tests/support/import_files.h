/* SPDX-License-Identifier: BSD-3-Clause
 * Files of other tools, read for the tests. Include cmocka.h before it. */
#pragma once

#include "carm/import/import_result.h"
#include "fixtures.h"

#define SAMPLE(name) "tests/imports/" name

static inline bool read_files(const char *format, const char *const *files, const struct import_request *request,
                              struct import *out, struct error *err) {
    char paths[3][256], *pointers[3];
    size_t count = 0;
    for (; files[count]; count++) {
        snprintf(paths[count], sizeof paths[count], "%s", files[count]);
        pointers[count] = paths[count];
    }
    assert_non_null(import_find(format));
    return import_read(import_find(format), request, pointers, count, out, err);
}
