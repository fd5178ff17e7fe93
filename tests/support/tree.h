/* SPDX-License-Identifier: BSD-3-Clause
 * A folder of files in place of /proc and /sys. Include it after cmocka.h. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct file {
    const char *path, *text;
};

/* Up to the first file without a path. */
static inline void tree_make(char root[static 32], const struct file *files, size_t count) {
    strcpy(root, "/tmp/carmine-test-XXXXXX");
    assert_non_null(mkdtemp(root));
    for (size_t i = 0; i < count && files[i].path; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s%s", root, files[i].path);
        for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
            *slash = '\0';
            mkdir(path, 0777);
            *slash = '/';
        }
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fputs(files[i].text, file);
        fclose(file);
    }
}

static inline void tree_remove(const char *root) {
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", root);
    assert_int_equal(system(command), 0);
}
