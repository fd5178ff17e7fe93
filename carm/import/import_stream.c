/* SPDX-License-Identifier: BSD-3-Clause
 * Output of STREAM 5.x (its four patterns, C or Fortran): roofs of DRAM. STREAM counts the bytes that its source
 * names, without write-allocate, like the cache-aware model. Its MB are 10^6 bytes. */
#include <stdio.h>
#include <string.h>

#include "import_points.h"

static const char *const PATTERNS[] = {"Copy", "Scale", "Add", "Triad"};
enum { PATTERN_COUNT = sizeof PATTERNS / sizeof PATTERNS[0] };
static const double MB = 1e6, MIB = 1 << 20;

struct stream {
    bool is_stream, failed;
    unsigned threads;
    double memory_mib; /* of the three arrays; 0: unknown */
    unsigned seen;     /* bits of PATTERNS */
};

static bool add_roof(const struct import_request *request, struct import *out, const struct import_text *file,
                     const struct stream *stream, size_t pattern, double rate_mb_per_s, struct error *err) {
    struct sample roof = {.kind = SAMPLE_BANDWIDTH, .threads = stream->threads, .value = rate_mb_per_s * MB};
    snprintf(roof.kernel, sizeof roof.kernel, "stream.%s", PATTERNS[pattern]);
    roof.kernel[strlen("stream.")] |= 0x20; /* lower case */
    snprintf(roof.level, sizeof roof.level, "%s", request->level ? request->level : "DRAM");
    if (stream->memory_mib > 0 && stream->threads > 0)
        roof.working_set_bytes = import_count(stream->memory_mib * MIB / stream->threads);
    return import_roof(out, &roof, file, err);
}

/* "Triad:  12345.6  0.0131  0.0130  0.0139" */
static bool read_rate(const struct import_request *request, struct import *out, const struct import_text *file,
                      char *line, struct stream *stream, struct error *err) {
    for (size_t p = 0; p < PATTERN_COUNT; p++) {
        size_t length = strlen(PATTERNS[p]);
        double rate;
        if (strncmp(line, PATTERNS[p], length) != 0 || line[length] != ':')
            continue;
        char *value = line + length + 1 + strspn(line + length + 1, " \t");
        value[strcspn(value, " \t")] = '\0';
        const char *trouble = import_number(value, &rate);
        if (trouble)
            return import_text_fail(file, value, err, "the rate of %s '%.40s' %s", PATTERNS[p], value, trouble);
        stream->seen |= 1u << p;
        return add_roof(request, out, file, stream, p, rate, err);
    }
    return true;
}

static bool read_file(const struct import_request *request, struct import *out, struct import_text *file,
                      struct error *err) {
    struct stream stream = {.threads = request->threads};
    unsigned threads;
    for (char *line; (line = import_text_line(file));) {
        stream.is_stream |= strstr(line, "STREAM version") != NULL || strstr(line, "Best Rate MB/s") != NULL ||
                            strstr(line, "Rate (MB/s)") != NULL;
        stream.failed |= strstr(line, "Failed Validation") != NULL;
        if (sscanf(line, "Number of Threads counted = %u", &threads) == 1 ||
            sscanf(line, " Number of Threads = %u", &threads) == 1)
            stream.threads = request->threads ? request->threads : threads;
        sscanf(line, "Total memory required = %lf MiB", &stream.memory_mib);
        if (stream.is_stream && !read_rate(request, out, file, line, &stream, err))
            return false;
    }
    if (!stream.is_stream)
        return import_file_fail(file, err, "is not output of STREAM: it has no line 'Function  Best Rate MB/s …'");
    for (size_t p = 0; p < PATTERN_COUNT; p++)
        if (!(stream.seen & 1u << p))
            return import_file_fail(file, err, "has no line '%s:' behind line %u; is the file complete?", PATTERNS[p],
                                    file->line);
    return !stream.failed || import_file_fail(file, err, "STREAM's own validation failed");
}

static bool read(const struct import_request *request, struct import_text *files, size_t count, struct import *out,
                 struct error *err) {
    bool done = true;
    for (size_t i = 0; done && i < count; i++)
        done = read_file(request, out, &files[i], err);
    import_note(out, "these bandwidths exclude write-allocate: STREAM counts the bytes that its source names");
    return done;
}

const struct import_format import_stream = {
    .name = "stream",
    .summary = "STREAM's output: DRAM roofs of copy, scale, add and triad",
    .read = read,
};
