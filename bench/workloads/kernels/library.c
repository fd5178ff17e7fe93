/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/error.h"
#include "workload.h"

#include <dlfcn.h>
#include <string.h>

void *library_open(const char *file, const char *name, const char *package, struct error *err) {
    void *library = dlopen(file, RTLD_NOW | RTLD_GLOBAL);
    if (!library)
        error_set(err, "%s is not installed (%s); on Debian, install %s", name, dlerror(), package);
    return library;
}

bool library_function(void *library, const char *name, void *function, struct error *err) {
    void *found = dlsym(library, name);
    if (!found)
        return error_set(err, "%s", dlerror());
    memcpy(function, &found, sizeof found);
    return true;
}

void library_text(void *library, const char *name, char *out, size_t size) {
    const char *text = dlsym(library, name);
    snprintf(out, size, "%s", text ? text : "");
}
