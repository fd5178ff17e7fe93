/* SPDX-License-Identifier: BSD-3-Clause
 * A growing text behind a stream. */
#include "text_stream.h"

#include <stdlib.h>
#include <string.h>

struct growing {
    char **text;
    size_t *length, room;
};

/* Writing less than `bytes` makes the stream fail. */
static ssize_t append(void *cookie, const char *from, size_t bytes) {
    struct growing *growing = cookie;
    const size_t needed = *growing->length + bytes + 1;
    if (needed > growing->room) {
        const size_t room = 2 * growing->room > needed ? 2 * growing->room : needed;
        char *grown = realloc(*growing->text, room);
        if (!grown)
            return 0;
        *growing->text = grown;
        growing->room = room;
    }
    memcpy(*growing->text + *growing->length, from, bytes);
    *growing->length += bytes;
    (*growing->text)[*growing->length] = '\0';
    return (ssize_t)bytes;
}

static int release(void *cookie) {
    free(cookie);
    return 0;
}

FILE *text_stream(char **text, size_t *length) {
    enum { FIRST_BYTES = 4096 };
    struct growing *growing = malloc(sizeof *growing);
    *text = calloc(1, FIRST_BYTES);
    *length = 0;
    FILE *out = NULL;
    if (growing && *text) {
        *growing = (struct growing){.text = text, .length = length, .room = FIRST_BYTES};
        out = fopencookie(growing, "w", (cookie_io_functions_t){.write = append, .close = release});
    }
    if (!out)
        free(growing);
    return out;
}

bool text_stream_close(FILE *stream) {
    const bool whole = fflush(stream) == 0 && !ferror(stream);
    return fclose(stream) == 0 && whole;
}
