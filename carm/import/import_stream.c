/* SPDX-License-Identifier: BSD-3-Clause
 * Output of STREAM 5.x (C, Fortran or MPI) and of BabelStream (text or --csv): roofs of DRAM, if their arrays are
 * large enough. Both count the bytes that their source names, without write-allocate, like the cache-aware model.
 * Their MB/s are 10^6 bytes; the MB of STREAM 5.9's sizes are MiB. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/kernels/doubt.h"
#include "bench/kernels/levels.h"
#include "import.h"

static const double MB = 1e6, MIB = 1 << 20, ELEMENT_BYTES = 8, TIMES_CACHES = 4;
static const double MOST_ELEMENTS = 0x1p50, MOST_BYTES = 0x1p53,
                    MOST_ELEMENT_BYTES = 64; /* of an array: above the memory of any machine */
enum { ARRAYS = 3, MAX_OPERATIONS = 5 };

/* Its lines, and the patterns that carmine's own kernels have. Dot loads two arrays. */
static const struct variant {
    const char *name, *tool, *heading;
    char behind; /* a word */
    struct {
        const char *word, *pattern;
    } operations[MAX_OPERATIONS];
} STREAM = {"stream",
            "STREAM",
            "Function  Best Rate MB/s …",
            ':',
            {{"Copy", "copy"}, {"Scale", "scale"}, {"Add", "add"}, {"Triad", "triad"}}},
  BABEL = {"babelstream",
           "BabelStream",
           "Function    MBytes/sec …",
           ' ',
           {{"Copy", "copy"}, {"Mul", "scale"}, {"Add", "add"}, {"Triad", "triad"}, {"Dot", "load"}}},
  BABEL_CSV = {"babelstream",
               "BabelStream",
               "function,num_times,…",
               ',',
               {{"Copy", "copy"}, {"Mul", "scale"}, {"Add", "add"}, {"Triad", "triad"}, {"Dot", "load"}}};

struct stream {
    const struct variant *variant; /* NULL: neither */
    bool failed;
    unsigned threads, ranks;
    double unit_bytes;                           /* of its rates */
    double elements, element_bytes, array_bytes; /* NaN, or bytes of 0: not stated, or rounded to 0 MiB */
    unsigned seen;                               /* bits of operations */
};

static double array_bytes(const struct stream *stream) {
    return stream->elements > 0 ? stream->elements * stream->element_bytes : stream->array_bytes;
}

static bool check_size(const struct import_text *file, const struct stream *stream, struct error *err) {
    const bool elements = isnan(stream->elements) || (stream->elements >= 1 && stream->elements <= MOST_ELEMENTS),
               bytes = stream->array_bytes >= 0 && stream->array_bytes <= MOST_BYTES && stream->element_bytes >= 1 &&
                       stream->element_bytes <= MOST_ELEMENT_BYTES;
    return (elements && bytes) ||
           import_text_fail(file, NULL, err, "arrays of such a size are not possible; is the file complete?");
}

static bool add_roof(const struct import_request *request, struct import *out, const struct import_text *file,
                     const struct stream *stream, size_t operation, double rate, struct error *err) {
    struct sample roof = {.kind = SAMPLE_BANDWIDTH, .threads = stream->threads, .value = rate * stream->unit_bytes};
    snprintf(roof.kernel, sizeof roof.kernel, "%s.%s", stream->variant->name,
             stream->variant->operations[operation].pattern);
    snprintf(roof.level, sizeof roof.level, "%s", request->level ? request->level : "DRAM");
    if (stream->threads > 0)
        roof.working_set_bytes = import_count(ARRAYS * array_bytes(stream) / stream->threads);
    doubts_add_if(&roof.doubts, levels_is_memory(roof.level), DOUBT_IN_CACHES);
    return import_roof(out, &roof, file, err);
}

/* The text behind a word that stands alone, maybe behind the name of a host or rank: "node7 Triad:", "[1,0]:Triad:".
 * NULL: it is not in the line. */
static char *find_word(char *line, const char *word, char behind) {
    for (char *at = line; (at = strstr(at, word)); at++) {
        char *end = at + strlen(word);
        if ((at == line || strchr(" \t:>", at[-1])) && (*end == behind || (behind == ' ' && *end == '\t')))
            return end + 1;
    }
    return NULL;
}

/* "12345.6  0.0131 …" → 12345.6, and of BabelStream's CSV the fifth cell. */
static bool read_rate(const struct import_request *request, struct import *out, const struct import_text *file,
                      char *line, struct stream *stream, struct error *err) {
    const struct variant *variant = stream->variant;
    for (size_t i = 0; i < MAX_OPERATIONS && variant->operations[i].word; i++) {
        const char *word = variant->operations[i].word;
        char *value = find_word(line, word, variant->behind);
        double rate;
        int length = 0;
        if (!value)
            continue;
        if (variant->behind == ',' &&
            (sscanf(value, "%*u,%lf,%lf,%n", &stream->elements, &stream->element_bytes, &length) != 2 || !length))
            return import_text_fail(file, value, err, "the row of %s ends before its rate; is the file complete?",
                                    word);
        if (!check_size(file, stream, err))
            return false;
        value += length;
        value += strspn(value, " \t");
        value[strcspn(value, " \t,")] = '\0';
        const char *trouble = import_number(value, &rate);
        if (trouble)
            return import_text_fail(file, value, err, "the rate of %s '%.40s' %s", word, value, trouble);
        stream->seen |= 1u << i;
        return add_roof(request, out, file, stream, i, rate, err);
    }
    return true;
}

/* "Array size = 80000000 (elements)" behind any name of a host: the number behind the key. */
static bool find_number(const char *line, const char *key, double *out) {
    const char *at = strstr(line, key);
    return at && sscanf(at + strlen(key), "%lf", out) == 1;
}

/* Sizes, threads and ranks, in the words of all versions. */
static void read_setting(const char *line, unsigned stated_threads, struct stream *stream) {
    double number;
    char prefix = 0;
    unsigned count;
    const char *at = strstr(line, "Number of Threads "),
               *size = find_number(line, "Array size: ", &number) ? strstr(line, "Array size: ") : NULL;
    if (find_number(line, "Array size =", &number))
        stream->elements = number;
    if (find_number(line, "This system uses ", &number))
        stream->element_bytes = number;
    if (find_number(line, "emory per array =", &number))
        stream->array_bytes = number * MIB;
    if (find_number(line, "emory required =", &number) || find_number(line, "total memory requirement is", &number))
        stream->array_bytes = number * MIB / ARRAYS;
    if (size && sscanf(size, "Array size: %lf %c", &number, &prefix) == 2)
        stream->array_bytes = number * (prefix == 'G' ? 1e9 : prefix == 'M' ? MB : 1e3);
    if (size && strstr(size, "iB"))
        stream->array_bytes = number * (prefix == 'G' ? MIB * 1024 : prefix == 'M' ? MIB : 1024);
    if (at && strchr(at, '=') && !stated_threads && sscanf(strchr(at, '='), "= %u", &count) == 1)
        stream->threads = stream->ranks ? count * stream->ranks : count; /* "requested" or "counted", maybe of a rank */
    at = strstr(line, "distributed across ");
    if (at && sscanf(at, "distributed across %u MPI ranks", &count) == 1) {
        stream->ranks = count;
        stream->threads = stated_threads ? stated_threads : count;
    }
}

/* The program, and the unit of its rates. */
static void recognize(const char *line, struct stream *stream) {
    const bool csv = strstr(line, "function,num_times,") != NULL;
    if (strstr(line, "STREAM version") || strstr(line, "Best Rate MB/s") || strstr(line, "Rate (MB/s)"))
        stream->variant = &STREAM;
    else if (csv || (strstr(line, "Function") && strstr(line, "Bytes/sec")))
        stream->variant = csv ? &BABEL_CSV : &BABEL;
    if (stream->variant && (strstr(line, "MiBytes/sec") || strstr(line, "max_mibytes_per_sec")))
        stream->unit_bytes = MIB;
    stream->failed |= strstr(line, "Failed Validation") || strstr(line, "Validation failed on") ||
                      (strstr(line, "Expected Value:") && strstr(line, "AvgRelAbsErr:"));
}

static const char ON_GPU[] = "this is BabelStream on a GPU: state its bandwidth in a result of that GPU, with "
                             "--bandwidth of an import of its kernels",
                  TRIAD_ALONE[] = "BabelStream ran its triad alone: leave out --triad-only";

/* Runs of BabelStream that give no roof of a CPU. */
static const struct unread_form FORMS[] = {
    {"Implementation: CUDA", ON_GPU},        {"Implementation: HIP", ON_GPU},
    {"Using CUDA device", ON_GPU},           {"Using HIP device", ON_GPU},
    {"Running triad ", TRIAD_ALONE},         {"sizeof,gbytes_per_sec", TRIAD_ALONE},
    {"sizeof,gibytes_per_sec", TRIAD_ALONE}, {NULL, NULL},
};

/* STREAM's rule, from its source: each array has at least 4 times the size of all last-level caches. */
static void note_size(struct import *out, const struct import_request *request, const struct stream *stream) {
    const double mib = array_bytes(stream) / MIB;
    if (stream->ranks)
        import_note(out, "its rates are of all %u MPI ranks together, on whichever nodes", stream->ranks);
    if (request->level && levels_cache(request->level) > 0)
        return;
    if (mib > 0)
        import_note(out,
                    "its arrays have %.4g MiB each: by STREAM's rule in memory only if all last-level caches have "
                    "at most %.3g MiB together",
                    mib, mib / TIMES_CACHES);
    else
        import_note(out, "the file does not state the size of its arrays, so they may be in caches");
}

static bool read_file(const struct import_request *request, struct import *out, struct import_text *file,
                      struct error *err) {
    struct stream stream = {
        .threads = request->threads, .unit_bytes = MB, .element_bytes = ELEMENT_BYTES, .elements = (double)NAN};
    if (import_unread_form(file, FORMS, err))
        return false;
    for (char *line; (line = import_text_line(file));) {
        recognize(line, &stream);
        read_setting(line, request->threads, &stream);
        if (!check_size(file, &stream, err))
            return false;
        if (stream.variant && !read_rate(request, out, file, line, &stream, err))
            return false;
    }
    const struct variant *variant = stream.variant;
    if (!variant)
        return import_file_fail(file, err, "is not output of STREAM or BabelStream: it has no line '%s' or '%s'",
                                STREAM.heading, BABEL.heading);
    for (size_t i = 0; i < MAX_OPERATIONS && variant->operations[i].word; i++)
        if (!(stream.seen & 1u << i))
            return import_file_fail(file, err, "has no line '%s%c' behind line %u; is the file complete?",
                                    variant->operations[i].word, variant->behind, file->line);
    note_size(out, request, &stream);
    return !stream.failed || import_file_fail(file, err, "%s's own validation failed", variant->tool);
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
    .summary = "STREAM's or BabelStream's output: DRAM roofs of copy, scale, add and triad",
    .read = read,
};
