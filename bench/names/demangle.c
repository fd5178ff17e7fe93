/* SPDX-License-Identifier: BSD-3-Clause
 * Function names as in the source (see symbols.h). */
#include "symbols.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/need.h"

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

/* gfortran's name of a module procedure; false: another name. */
static bool name_fortran(const char *name, char *out, size_t size) {
    const char *part = strstr(name, "_MOD_");
    if (strncmp(name, "__", 2) != 0 || !part || part <= name + 2 || !part[5])
        return false;
    snprintf(out, size, "%.*s::%s", (int)(part - name - 2), name + 2, part + 5);
    return true;
}

/* rustc's names are C++ names that end in a hash, "::h" and 16 digits. What no C++ name may contain is escaped in them
 * (rustc_symbol_mangling, legacy.rs). */
static const struct {
    const char *escape, *text;
} RUST_ESCAPES[] = {{"$SP$", "@"},  {"$BP$", "*"},  {"$RF$", "&"},  {"$LT$", "<"},  {"$GT$", ">"},
                    {"$LP$", "("},  {"$RP$", ")"},  {"$C$", ","},   {"$u20$", " "}, {"$u22$", "\""},
                    {"$u27$", "'"}, {"$u2b$", "+"}, {"$u3b$", ";"}, {"$u5b$", "["}, {"$u5d$", "]"},
                    {"$u7b$", "{"}, {"$u7d$", "}"}, {"$u7e$", "~"}, {"..", "::"}};

/* The byte behind a name that ends in a hash; LLVM puts ".llvm.42" there. NULL: not rustc's name. */
static const char *rust_end(const char *name) {
    for (const char *at = strstr(name, "17h"); at; at = strstr(at + 1, "17h"))
        if (strspn(at + 3, "0123456789abcdef") == 16 && at[19] == 'E' && (!at[20] || at[20] == '.'))
            return at + 20;
    return NULL;
}

/* In place: no escape is shorter than its text. */
static void name_rust(char *plain) {
    const size_t length = strlen(plain), hash = strlen("::h0123456789abcdef");
    if (length <= hash || strncmp(plain + length - hash, "::h", 3) != 0)
        return;
    plain[length - hash] = '\0';
    char *to = plain;
    for (const char *at = plain; *at;) {
        size_t i = 0, rows = sizeof RUST_ESCAPES / sizeof RUST_ESCAPES[0];
        while (i < rows && strncmp(at, RUST_ESCAPES[i].escape, strlen(RUST_ESCAPES[i].escape)) != 0)
            i++;
        if (i < rows) {
            at += strlen(RUST_ESCAPES[i].escape);
            to = mempcpy(to, RUST_ESCAPES[i].text, strlen(RUST_ESCAPES[i].text));
        } else if (at[0] == '_' && at[1] == '$' && (at == plain || at[-1] == ':')) {
            at++; /* a name cannot begin with an escape */
        } else {
            *to++ = *at++;
        }
    }
    *to = '\0';
}

const char *demangle(const char *name, char *out, size_t size) {
    if (name_fortran(name, out, size))
        return out;
    int status = -1;
    demangler *runtime = strncmp(name, "_Z", 2) == 0 ? find_demangler() : NULL;
    const char *rust = runtime ? rust_end(name) : NULL;
    char *whole = need_strdup(name);
    whole[rust ? (size_t)(rust - name) : strlen(name)] = '\0';
    char *plain = runtime ? runtime(whole, NULL, NULL, &status) : NULL;
    if (rust && plain && status == 0)
        name_rust(plain);
    snprintf(out, size, "%s", plain && status == 0 ? plain : name);
    free(plain);
    free(whole);
    return out;
}

size_t demangle_short(const char *name) {
    const char *end = strrchr(name, ')');
    unsigned depth = 0;
    /* Parameters end the name, or a blank follows: not so in "(anonymous namespace)::", Go's "main.(*S).Norm", and
     * within brackets. */
    const char *bracket = end ? end + strcspn(end, "[]<>") : NULL;
    if (!end || (end[1] && end[1] != ' ') || *bracket == ']' || *bracket == '>')
        return strlen(name);
    for (const char *at = end; at > name; at--) {
        depth += *at == ')';
        depth -= *at == '(';
        if (depth == 0)
            return (size_t)(at - name);
    }
    return strlen(name);
}
