/* SPDX-License-Identifier: BSD-3-Clause
 * What the counter is asked for (see levels_request.h). */
#include "levels_request.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "bench/profile/dump.h"

bool levels_request_write(const char *folder, const struct hierarchy_geometry *caches, const struct levels_how *how,
                          struct error *err) {
    char path[640];
    snprintf(path, sizeof path, "%s/" DUMP_LEVELS_REQUEST, folder);
    struct dump_levels_request request = {.one_of = how->one_of,
                                          .how = (how->in_step ? DUMP_IN_STEP : 0) |
                                                 (how->write_back ? DUMP_WRITE_BACK : 0) |
                                                 (how->by_code ? DUMP_BY_CODE : 0),
                                          .seed = how->seed};
    request.geometry = *caches;
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    const bool done = file >= 0 && write(file, &request, sizeof request) == sizeof request;
    if (file >= 0)
        close(file);
    return done || error_set(err, "%s can't be written: %s", path, strerror(errno));
}
