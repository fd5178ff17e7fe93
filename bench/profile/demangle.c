/* SPDX-License-Identifier: BSD-3-Clause
 * Demangling (see demangle.h). */
#include "demangle.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Itanium C++ ABI, 3.4. The result is allocated. */
typedef char *demangler(const char *name, char *buffer, size_t *length, int *status);

static demangler *find_demangler(void) {
    static const char *const RUNTIMES[] = {"libstdc++.so.6", "libc++abi.so.1"};
    static demangler *found;
    for (size_t i = 0; i < sizeof RUNTIMES / sizeof RUNTIMES[0] && !found; i++) {
        void *library = dlopen(RUNTIMES[i], RTLD_LAZY | RTLD_LOCAL);
        if (library)
            *(void **)&found = dlsym(library, "__cxa_demangle");
    }
    return found;
}

/* gfortran's name of a procedure in a module; false: it is none. */
static bool name_fortran(const char *name, char *out, size_t size) {
    const char *part = strstr(name, "_MOD_");
    if (strncmp(name, "__", 2) != 0 || !part || part <= name + 2 || !part[5])
        return false;
    snprintf(out, size, "%.*s::%s", (int)(part - name - 2), name + 2, part + 5);
    return true;
}

const char *demangle(const char *name, char *out, size_t size) {
    if (name_fortran(name, out, size))
        return out;
    int status = -1;
    demangler *runtime = strncmp(name, "_Z", 2) == 0 ? find_demangler() : NULL;
    char *plain = runtime ? runtime(name, NULL, NULL, &status) : NULL;
    snprintf(out, size, "%s", plain && status == 0 ? plain : name);
    free(plain);
    return out;
}

size_t demangle_short(const char *name) {
    const char *end = strrchr(name, ')');
    unsigned depth = 0;
    if (!end || end[1] == ':') /* of "(anonymous namespace)::" */
        return strlen(name);
    for (const char *at = end; at > name; at--) {
        depth += *at == ')';
        depth -= *at == '(';
        if (depth == 0)
            return (size_t)(at - name);
    }
    return strlen(name);
}
