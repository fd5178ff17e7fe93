/* SPDX-License-Identifier: BSD-3-Clause
 * Finds the installed parts of carmine. */
#include "install_paths.h"
#include "probe/error.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

/* Without /proc it uses the name that the program was started by (getauxval(3)). */
void install_paths_self(char *out, size_t size) {
    const ssize_t length = readlink("/proc/self/exe", out, size - 1);
    out[length > 0 ? length : 0] = '\0';
    const char *named = (const char *)(uintptr_t)getauxval(AT_EXECFN);
    char *whole = length <= 0 && named ? realpath(named, NULL) : NULL;
    if (whole)
        snprintf(out, size, "%s", whole);
    free(whole);
}

bool install_paths_folder(const char *file, char *out, size_t size, struct error *err) {
    static const char *const PLACES[] = {"", "/../lib/carmine"};
    char self[2048], path[2400];
    install_paths_self(self, sizeof self);
    char *slash = strrchr(self, '/');
    if (slash)
        *slash = '\0';
    for (size_t i = 0; i < sizeof PLACES / sizeof PLACES[0]; i++) {
        snprintf(path, sizeof path, "%s%s/%.256s", self, PLACES[i], file);
        snprintf(out, size, "%s%s", self, PLACES[i]);
        if (access(path, R_OK) == 0)
            return true;
    }
    return error_set(err, "%s is neither in %s nor in %s/../lib/carmine; build or install all of carmine (make)", file,
                     self, self);
}
