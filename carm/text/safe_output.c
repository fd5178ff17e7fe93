/* SPDX-License-Identifier: BSD-3-Clause
 * Filtering streams in place of stdout and stderr, which are variables in glibc. */
#include "safe_output.h"

#include <string.h>
#include <unistd.h>

#include "render/draw/output_file.h"
#include "render/page/safe_text.h"

enum { LONGEST = 7, CHUNK_BYTES = 4096, MOST_GROWTH = 3 }; /* growth: "λ" has two bytes, "lambda" six */

struct safe_output {
    int descriptor;
    char begun[LONGEST]; /* the beginning of a character, and the joiner before it */
    size_t begun_bytes;
    bool lost;   /* direct output failed, and the stream has not reported it yet */
    bool plain;  /* in ASCII */
    bool raised; /* the last character was a superscript */
};
static struct safe_output outputs[] = {{.descriptor = STDOUT_FILENO}, {.descriptor = STDERR_FILENO}};

/* Whether the rest may be the beginning of a character, or is a joiner whose emoji follows. */
static bool is_begun(const char *rest, size_t bytes) {
    static const char JOINER[] = "\xE2\x80\x8D";
    const size_t joiner = sizeof JOINER - 1, before = bytes >= joiner && memcmp(rest, JOINER, joiner) == 0 ? joiner : 0;
    const unsigned char first = (unsigned char)rest[before];
    return bytes - before < (first >= 0xF0 ? 4u : first >= 0xE0 ? 3u : first >= 0xC0 ? 2u : 1u);
}

/* Appends a character of so many bytes. Returns the new length. */
static size_t append(struct safe_output *output, char *to, size_t length, const char *from, size_t bytes) {
    const char *plain = NULL;
    if (output->plain)
        plain_text_next(from, &output->raised, &plain);
    if (plain)
        return (size_t)(stpcpy(to + length, plain) - to);
    memcpy(to + length, from, bytes);
    return length + bytes;
}

/* `text` ends in NUL, and may contain NUL. */
static bool put_clean(struct safe_output *output, const char *text, size_t bytes) {
    char clean[MOST_GROWTH * (CHUNK_BYTES + 2 * LONGEST)];
    size_t length = 0;
    for (const char *end = text + bytes; text < end;) {
        const char *instead;
        const size_t taken = safe_text_next(text, &instead);
        if (instead && *instead == '?' && is_begun(text, (size_t)(end - text))) {
            output->begun_bytes = (size_t)(end - text);
            memcpy(output->begun, text, output->begun_bytes);
            break;
        }
        const bool own = *text == '\n' || *text == '\t', kept = own || !instead;
        length = append(output, clean, length, kept ? text : instead, kept ? taken : 1);
        text += taken;
    }
    return output_file_put(output->descriptor, clean, length) == 0;
}

static ssize_t put(void *cookie, const char *from, size_t bytes) {
    struct safe_output *output = cookie;
    if (output->lost) {
        output->lost = false;
        return 0;
    }
    for (size_t done = 0; done < bytes;) {
        char text[CHUNK_BYTES + LONGEST + 1];
        const size_t begun = output->begun_bytes, more = bytes - done < CHUNK_BYTES ? bytes - done : CHUNK_BYTES;
        memcpy(text, output->begun, begun);
        memcpy(text + begun, from + done, more);
        text[begun + more] = '\0';
        output->begun_bytes = 0;
        if (!put_clean(output, text, begun + more))
            return 0; /* becomes the stream's error */
        done += more;
    }
    return (ssize_t)bytes;
}

static FILE *filtering(struct safe_output *output, FILE *plain, char *buffer, int mode) {
    FILE *stream = fopencookie(output, "w", (cookie_io_functions_t){.write = put});
    if (!stream)
        return plain;
    setvbuf(stream, buffer, mode, BUFSIZ);
    return stream;
}

void safe_output_begin(bool plain) {
    static char buffer[BUFSIZ]; /* static, so that output is not lost without memory */
    outputs[0].plain = outputs[1].plain = plain;
    stdout = filtering(&outputs[0], stdout, buffer, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF);
    stderr = filtering(&outputs[1], stderr, NULL, _IONBF);
}

void safe_output_data(void) {
    outputs[0].plain = false;
}

bool safe_output_plain(void) {
    return outputs[0].plain;
}

void safe_output_own(const char *text, FILE *stream) {
    const int plain = fileno(stream); /* -1 for a filtering stream */
    if (plain >= 0)
        fputs(text, stream);
    else if (fflush(stream) == 0 && output_file_put(outputs[stream == stderr].descriptor, text, strlen(text)) != 0) {
        outputs[stream == stderr].lost = true;
        fputc('\n', stream); /* not written: it raises the stream's error */
    }
}
