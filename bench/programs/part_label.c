/* SPDX-License-Identifier: BSD-3-Clause
 * Labels of parts (see part_label.h). */
#include "part_label.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench/profile/demangle.h"

int part_function(char out[PART_FUNCTION_BYTES], const char *name, const char *object) {
    char own[512];
    demangle(*name ? name : object, own, sizeof own);
    snprintf(out, PART_FUNCTION_BYTES, "%.127s", own);
    const size_t length = demangle_short(own);
    return (int)(length < PART_FUNCTION_BYTES ? length : PART_FUNCTION_BYTES - 1);
}

int part_owner(char out[PART_FUNCTION_BYTES], const struct part_source *source) {
    return part_function(out, *source->inlined ? source->inlined : source->function, source->object);
}

const char *part_cut(char *out, size_t most, const char *text) {
    static const char MARK[] = "…";
    size_t length = strlen(text);
    if (length > most) {
        length = most - strlen(MARK);
        while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80) /* not within a character */
            length--;
    }
    memmove(out, text, length);
    strcpy(out + length, text[length] ? MARK : "");
    return out;
}

const char *part_loop_label(const struct part_source *source, char out[PART_LABEL_BYTES]) {
    char function[PART_FUNCTION_BYTES];
    function[part_owner(function, source)] = '\0';
    if (source->line > 0)
        snprintf(out, PART_LABEL_BYTES, "%s:%u", part_cut(function, 48, function), source->line);
    else
        snprintf(out, PART_LABEL_BYTES, "%s loop %#" PRIx64, part_cut(function, 36, function), source->offset);
    return out;
}
