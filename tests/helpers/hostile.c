/* SPDX-License-Identifier: BSD-3-Clause
 * Hostile text, and whether any of it comes through.
 *
 *   hostile COUNT                  prints the number of sorts
 *   hostile text SORT              prints one; SORT "all": all of them, one after the other
 *   hostile fill SORT <RESULT      prints the result with it appended to every text of a result (result_fields)
 *   hostile find <OUTPUT           exit status 1, and the place, if the output could control a terminal, turn the
 *                                         direction of writing, or has a line that hostile text began
 *
 * It has its own list of the characters, independent of the program's. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "carm/store/result_fields.h"

static const char *const SORTS[] = {
    "\x1b[31m",
    "\xc2\x9b"
    "31m",
    "\xc2\x85"
    "FORGED",
    "\nFORGED",
    "\r\x1b[K",
    "\tx",
    "\x07",
    "\x7f",
    "\xd8\x9c",
    "\xe2\x80\x8e",
    "\xe2\x80\xae",
    "\xe2\x80\xa8",
    "\xe2\x81\xa6",
    "\xe2\x80\x8b",
    "\xef\xbf\xbe",
};
enum { SORT_COUNT = sizeof SORTS / sizeof SORTS[0], MOST_BYTES = 64 << 20 };

/* Appended to the present text: all of it if the field has room, else a short one. */
static json_t *hostile(const char *before, const char *sort, size_t size) {
    char text[4096];
    const char *piece = strlen(before) + strlen(sort) < size ? sort : strlen(before) + 2 < size ? "\xc2\x9b" : "";
    snprintf(text, sizeof text, "%s%s", before, piece);
    return json_string(text);
}

static void fill(const struct field *fields, json_t *object, const char *sort) {
    for (const struct field *row = fields; row->key; row++) {
        json_t *value = row->bare ? object : json_object_get(object, row->key), *entry;
        const char *text = json_string_value(value);
        size_t i;
        if (row->type == FIELD_TEXT || row->type == FIELD_LABEL)
            json_object_set_new(object, row->key, hostile(text ? text : "", sort, row->size));
        else if (row->of && json_is_array(value))
            json_array_foreach(value, i, entry) fill(row->of, entry, sort);
        else if (row->of && value)
            fill(row->of, value, sort);
    }
}

/* The code point at s, 0 if there is none; its length. */
static unsigned long decode(const unsigned char *s, size_t left, size_t *length) {
    static const unsigned long LEAST[] = {0, 0, 0x80, 0x800, 0x10000};
    *length = s[0] < 0x80 ? 1 : s[0] >> 5 == 6 ? 2 : s[0] >> 4 == 14 ? 3 : s[0] >> 3 == 30 ? 4 : 0;
    if (*length == 0 || *length > left)
        return 0;
    unsigned long code = *length == 1 ? s[0] : s[0] & (0x7fu >> *length);
    for (size_t i = 1; i < *length; i++) {
        if (s[i] >> 6 != 2)
            return 0;
        code = code << 6 | (s[i] & 0x3f);
    }
    return code < LEAST[*length] || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff ? 0 : code;
}

static const char *trouble(unsigned long code) {
    if (code == 0)
        return "no UTF-8";
    if ((code < ' ' && code != '\n') || (code >= 0x7f && code <= 0x9f))
        return "a control character";
    bool turns = code == 0x61c || code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
                 (code >= 0x2066 && code <= 0x2069);
    if ((code >= 0x200b && code <= 0x200d) || code == 0xfeff)
        return "a character without a width";
    if (code == 0xfffe || code == 0xffff)
        return "a character that XML does not allow";
    return turns ? "what turns the direction or ends a line" : NULL;
}

static int find(const char *text, size_t length) {
    static const char FORGED[] = "FORGED";
    size_t line = 1, bytes;
    for (size_t i = 0; i < length; i += bytes) {
        const unsigned long code = decode((const unsigned char *)text + i, length - i, &bytes);
        const bool begins = i == 0 || text[i - 1] == '\n';
        const char *why = begins && strncmp(text + i, FORGED, strlen(FORGED)) == 0 ? "a forged line" : trouble(code);
        if (why) {
            printf("line %zu: %s (U+%04lX)\n", line, why, code);
            return 1;
        }
        line += code == '\n';
    }
    return 0;
}

int main(int argc, char **argv) {
    char every[256] = "";
    for (size_t i = 0; i < SORT_COUNT; i++)
        strcat(every, SORTS[i]);
    const char *sort = argc <= 2                     ? ""
                       : strcmp(argv[2], "all") == 0 ? every
                                                     : SORTS[strtoul(argv[2], NULL, 10) % SORT_COUNT];
    if (argc > 1 && strcmp(argv[1], "text") == 0)
        return fputs(sort, stdout) < 0;
    if (argc > 1 && strcmp(argv[1], "fill") == 0) {
        json_t *root = json_loadf(stdin, 0, NULL);
        if (!root)
            return 2;
        fill(result_fields, root, sort);
        return json_dumpf(root, stdout, JSON_COMPACT);
    }
    if (argc > 1 && strcmp(argv[1], "find") == 0) {
        char *text = calloc(1, MOST_BYTES);
        return text ? find(text, fread(text, 1, MOST_BYTES - 1, stdin)) : 2;
    }
    return printf("%d\n", SORT_COUNT) < 0;
}
