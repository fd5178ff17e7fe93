/* SPDX-License-Identifier: BSD-3-Clause
 * The quick reader of results (see results_scan.h). */
#include "results_scan.h"

#include <stdlib.h>

#include "fields_scan.h"
#include "file_io.h"
#include "result_fields.h"

bool results_scan(const char *path, struct result *out) {
    struct error err;
    char *text;
    size_t length;
    *out = (struct result){0};
    if (!file_read(path, RESULT_MOST_BYTES, &text, &length, &err))
        return false;
    struct scan scan = {.at = text};
    fields_scan(result_fields, &scan, out);
    const bool done = scan_is_end(&scan) && (size_t)(scan.at - text) == length;
    free(text);
    if (!done)
        results_free(out);
    return done;
}

bool results_read_values(const char *path, struct result *out, struct error *err) {
    *out = (struct result){0};
    if (file_is_stream(path))
        return error_set(err, "%s: a pipe or a device, not a file", path);
    return results_scan(path, out) || results_read(path, out, err);
}
