/* SPDX-License-Identifier: BSD-3-Clause
 * A stream into a growing text, as open_memstream(), but one that reports a lack of memory: glibc's loses text
 * without reporting it by ferror() or fclose(). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Opens a stream; NULL: no memory. After it is closed, `*text` has all that was written, `*length` bytes. `*text` is
 * to be freed in any case. */
FILE *text_stream(char **text, size_t *length);

/* Closes the stream. False: memory ran out, and the text is incomplete. */
bool text_stream_close(FILE *stream);
