/* SPDX-License-Identifier: BSD-3-Clause
 * Output of likwid-bench: a roof per run. The output does not name the level of its working set, so --level does.
 * Bytes are those that its kernels load and store, without write-allocate; its MByte are 10^6 bytes. */
#include <stdio.h>
#include <string.h>

#include "import.h"

enum { NAME_BYTES = 48 };

struct likwid_run {
    char test[NAME_BYTES]; /* "stream_avx512"; "": no run yet */
    unsigned threads;
    double bytes_per_s, flop_per_s, size_per_thread_bytes, loads, stores;
    bool has_bytes, has_flop;
};

/* Values behind a key in the output. */
static const struct value {
    const char *key;
    size_t offset;
    double factor;
} VALUES[] = {
    {"MByte/s", offsetof(struct likwid_run, bytes_per_s), 1e6},
    {"MFlops/s", offsetof(struct likwid_run, flop_per_s), 1e6},
    {"Size per thread", offsetof(struct likwid_run, size_per_thread_bytes), 1},
    {"Loads per update", offsetof(struct likwid_run, loads), 1},
    {"Stores per update", offsetof(struct likwid_run, stores), 1},
};

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* The access pattern by the name of carmine's own kernels, from the loads and stores of an update. Kernels that end
 * in _mem store past the caches; others keep their own names. */
static void write_pattern(const struct likwid_run *run, char *out, size_t size) {
    bool past_caches = strstr(run->test, "_mem") != NULL;
    if (begins(run->test, "update"))
        snprintf(out, size, "update");
    else if (begins(run->test, "daxpy") || begins(run->test, "saxpy"))
        snprintf(out, size, "axpy");
    else if (run->loads > 0 && run->stores == 0)
        snprintf(out, size, "load");
    else if (run->loads == 0 && run->stores > 0)
        snprintf(out, size, past_caches ? "ntstore" : "store");
    else if (!past_caches && run->stores == 1 && run->loads >= 1 && run->loads <= 3)
        snprintf(out, size, "%.0fld1st", run->loads);
    else
        snprintf(out, size, "%.20s", run->test);
}

static bool add_roof(const struct import_request *request, struct import *out, const struct import_text *file,
                     const struct likwid_run *run, struct error *err) {
    struct sample roof = {.threads = run->threads, .value = run->flop_per_s};
    char pattern[24];
    if (begins(run->test, "peakflops")) {
        if (!run->has_flop)
            return import_text_fail(file, NULL, err, "%s ends without 'MFlops/s'; is the file complete?", run->test);
        snprintf(roof.kernel, sizeof roof.kernel, "likwid-bench.%s.peak", strstr(run->test, "_sp") ? "f32" : "f64");
        snprintf(roof.variant, sizeof roof.variant, "%.15s", run->test);
        return import_roof(out, &roof, file, err);
    }
    if (!run->has_bytes)
        return import_text_fail(file, NULL, err, "%s ends without 'MByte/s'; is the file complete?", run->test);
    if (!request->level)
        return import_text_fail(
            file, NULL, err,
            "likwid-bench does not show in which level its %.0f bytes a thread are; name the level: "
            "--level L1, L2, … or DRAM",
            run->size_per_thread_bytes);
    write_pattern(run, pattern, sizeof pattern);
    if (!begins(run->test, pattern))
        snprintf(roof.variant, sizeof roof.variant, "%.15s", run->test);
    roof.kind = SAMPLE_BANDWIDTH;
    roof.value = run->bytes_per_s;
    roof.working_set_bytes = import_count(run->size_per_thread_bytes);
    snprintf(roof.level, sizeof roof.level, "%s", request->level);
    snprintf(roof.kernel, sizeof roof.kernel, "likwid-bench.%s", pattern);
    return import_roof(out, &roof, file, err);
}

static bool read_value(const struct import_text *file, struct likwid_run *run, char *line, struct error *err) {
    char *colon = strchr(line, ':');
    for (size_t i = 0; colon && i < sizeof VALUES / sizeof VALUES[0]; i++) {
        double number;
        if (strlen(VALUES[i].key) != (size_t)(colon - line) || !begins(line, VALUES[i].key))
            continue;
        const char *value = colon + 1 + strspn(colon + 1, " \t"), *trouble = import_number(value, &number);
        if (trouble)
            return import_text_fail(file, value, err, "%s: '%.40s' %s", VALUES[i].key, value, trouble);
        *(double *)((char *)run + VALUES[i].offset) = number * VALUES[i].factor;
        run->has_bytes |= VALUES[i].offset == offsetof(struct likwid_run, bytes_per_s);
        run->has_flop |= VALUES[i].offset == offsetof(struct likwid_run, flop_per_s);
    }
    return true;
}

static const char LIST[] = "this is a list of likwid-bench: give the output of likwid-bench -t KERNEL -w …";

static const struct unread_form FORMS[] = {
    {"^Number of Domains", LIST},
    {"^Number of streams:", LIST},
    {"^clcopy - ", LIST},
    {NULL, NULL},
};

static bool read_file(const struct import_request *request, struct import *out, struct import_text *file,
                      struct error *err) {
    struct likwid_run run = {.threads = 0};
    char test[NAME_BYTES];
    for (char *line; (line = import_text_line(file));) {
        if (sscanf(line, "Test: %47s", test) == 1) {
            if (run.test[0] && !add_roof(request, out, file, &run, err))
                return false;
            run = (struct likwid_run){.threads = request->threads};
            memcpy(run.test, test, sizeof test);
        }
        unsigned threads;
        if (sscanf(line, "Using %u threads", &threads) == 1 && !request->threads)
            run.threads = threads;
        if (run.test[0] && !read_value(file, &run, line, err))
            return false;
    }
    if (!run.test[0])
        return !import_unread_form(file, FORMS, err) &&
               import_file_fail(file, err, "is not output of likwid-bench: it has no line 'Test: NAME'");
    return add_roof(request, out, file, &run, err);
}

static bool read(const struct import_request *request, struct import_text *files, size_t count, struct import *out,
                 struct error *err) {
    bool done = true;
    for (size_t i = 0; done && i < count; i++)
        done = read_file(request, out, &files[i], err);
    return done;
}

const struct import_format import_likwid_bench = {
    .name = "likwid-bench",
    .summary = "likwid-bench's output: a roof of the level in --level, or a ceiling (peakflops)",
    .read = read,
};
