/* SPDX-License-Identifier: BSD-3-Clause
 * Reads JSON from standard input. Exit status 2: invalid. Each argument is a path such as roofs.0.name: prints its
 * value, or the length of a list or an object; exit status 1 if there is none. In a path, * stands for each element;
 * for an element without the value, prints null. */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int print_value(const json_t *value) {
    if (json_is_array(value) || json_is_object(value))
        return printf("%zu\n", json_is_array(value) ? json_array_size(value) : json_object_size(value)) < 0;
    if (json_is_string(value))
        return puts(json_string_value(value)) < 0;
    json_dumpf(value, stdout, JSON_ENCODE_ANY);
    return putchar('\n') < 0;
}

/* `each`: one of several values, each on its own line. */
static int print_at(const json_t *value, const char *path, bool each) {
    char key[64];
    size_t length = strcspn(path, ".");
    const char *rest = path[length] ? path + length + 1 : path + length;
    int status = 0;
    if (!*path)
        return print_value(value);
    snprintf(key, sizeof key, "%.*s", (int)length, path);
    if (strcmp(key, "*") == 0) {
        for (size_t i = 0; i < json_array_size(value); i++)
            status |= print_at(json_array_get(value, i), rest, true);
        return status;
    }
    const json_t *next =
        json_is_array(value) ? json_array_get(value, strtoul(key, NULL, 10)) : json_object_get(value, key);
    return next ? print_at(next, rest, each) : each ? puts("null") < 0 : 1;
}

int main(int argc, char **argv) {
    json_error_t where;
    json_t *root = json_loadf(stdin, JSON_REJECT_DUPLICATES, &where);
    int status = 0;
    if (!root)
        fprintf(stderr, "line %d: %s\n", where.line, where.text);
    for (int i = 1; root && i < argc; i++)
        status |= print_at(root, argv[i], false);
    json_decref(root);
    return root ? status : 2;
}
