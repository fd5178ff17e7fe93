/* SPDX-License-Identifier: BSD-3-Clause
 * Paths of preloaded libraries (see preload.h). */
#include "preload.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool preload_path(const char *collectors, const char *library, const struct scratch *scratch,
                  char out[PRELOAD_PATH_BYTES], struct error *err) {
    static const char SEPARATORS[] = " :\t\n";
    snprintf(out, PRELOAD_PATH_BYTES, "%s/%s", collectors, library);
    if (!strpbrk(out, SEPARATORS))
        return true;
    char link[PRELOAD_PATH_BYTES];
    snprintf(link, sizeof link, "%s/%s", scratch->path, library);
    if ((access(link, F_OK) != 0 && symlink(out, link) != 0) || strpbrk(link, SEPARATORS))
        return error_set(err,
                         "%s: its path holds blanks or colons, and so does that of %s; set TMPDIR to another folder",
                         out, scratch->path);
    strcpy(out, link);
    return true;
}
