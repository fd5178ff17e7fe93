/* SPDX-License-Identifier: BSD-3-Clause
 * A stream into a text that grows, as open_memstream(); but one that notices when memory runs out: that of glibc loses
 * what it has no room for, and says nothing, neither by ferror() nor by fclose(). */
#ifndef RENDER_TEXT_STREAM_H
#define RENDER_TEXT_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* `*text`, to be freed whatever happens, holds all and `*length` tells how much once the stream is closed. NULL: there
 * is no memory. */
FILE *text_stream(char **text, size_t *length);

/* False: memory ran out, and the text is not whole. */
bool text_stream_close(FILE *stream);

#endif
