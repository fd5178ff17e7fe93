/* SPDX-License-Identifier: BSD-3-Clause
 * Reads small procfs and sysfs files. A missing file is an answer ("not known"), never an error. */
#include "osfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

static bool path_join(const char *root, const char *path, char out[PATH_BYTES]) {
    return snprintf(out, PATH_BYTES, "%s%s", root, path) < PATH_BYTES;
}

static FILE *file_open(const char *root, const char *path) {
    char full[PATH_BYTES];
    return path_join(root, path, full) ? fopen(full, "re") : NULL;
}

static void trim_end(char *text) {
    size_t n = strlen(text);
    while (n > 0 && strchr(" \t\r\n", text[n - 1]))
        text[--n] = '\0';
}

bool osfile_text(const char *root, const char *path, char *out, size_t out_bytes) {
    out[0] = '\0';
    FILE *file = file_open(root, path);
    if (!file)
        return false;
    const size_t n = fread(out, 1, out_bytes - 1, file);
    /* Some sysfs files open but cannot be read: intel_pstate's under a hypervisor, or a folder in place of a file. */
    const bool ok = !ferror(file);
    fclose(file);
    out[ok ? n : 0] = '\0';
    trim_end(out);
    return ok;
}

bool osfile_bytes(const char *root, const char *path, int64_t offset, void *out, size_t bytes) {
    char full[PATH_BYTES];
    if (!path_join(root, path, full))
        return false;
    const int file = open(full, O_RDONLY | O_CLOEXEC);
    const bool done = file >= 0 && pread(file, out, bytes, offset) == (ssize_t)bytes;
    if (file >= 0)
        close(file);
    return done;
}

static bool number_parse(const char *text, int64_t *out) {
    char *end;
    errno = 0;
    const long long value = strtoll(text, &end, 0);
    if (end == text || errno == ERANGE)
        return false;
    *out = value;
    return true;
}

bool osfile_number(const char *root, const char *path, int64_t *out) {
    char text[64];
    return osfile_text(root, path, text, sizeof text) && number_parse(text, out);
}

bool osfile_line(const char *root, const char *path, const char *key, char *out, size_t out_bytes) {
    out[0] = '\0';
    FILE *file = file_open(root, path);
    if (!file)
        return false;
    const size_t key_length = strlen(key);
    char *line = NULL;
    size_t line_bytes = 0;
    bool found = false;
    while (!found && getline(&line, &line_bytes, file) >= 0) {
        if (strncmp(line, key, key_length) != 0)
            continue;
        const char *rest = line + key_length;
        /* "file" must not find "file_mapped". */
        if (key_length > 0 && key[key_length - 1] != ':' && !strchr(" \t:\n", *rest))
            continue;
        rest += strspn(rest, " \t:");
        snprintf(out, out_bytes, "%s", rest);
        trim_end(out);
        found = true;
    }
    free(line);
    fclose(file);
    return found;
}

bool osfile_field(const char *root, const char *path, const char *key, int64_t *out) {
    char text[64];
    return osfile_line(root, path, key, text, sizeof text) && number_parse(text, out);
}
