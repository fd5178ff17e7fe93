/* SPDX-License-Identifier: BSD-3-Clause
 * likwid-perfctr's CSV (-O): flop, time and DRAM bytes from the metrics of groups such as MEM_DP, FLOPS_DP, MEM and
 * HBM_CACHE, by region if the program has marks. Threads are columns; counts of the memory controllers are in the
 * column of one thread of each socket. Several files are groups of one program. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import_points.h"
#include "probe/need.h"

enum { MAX_THREADS = 1024, MAX_CELLS = MAX_THREADS + 2 };

enum what { SECONDS, F64_RATE, F32_RATE, READ_BYTES, WRITE_BYTES, ALL_BYTES, WHATS };
static const struct likwid_metric_name {
    const char *name; /* as printed by likwid's group files */
    enum what what;
    double factor;
} METRICS[] = {
    {"Runtime (RDTSC) [s]", SECONDS, 1},
    {"DP [MFLOP/s]", F64_RATE, 1e6},
    {"DP MFLOP/s", F64_RATE, 1e6},
    {"SP [MFLOP/s]", F32_RATE, 1e6},
    {"SP MFLOP/s", F32_RATE, 1e6},
    {"Memory read data volume [GBytes]", READ_BYTES, 1e9},
    {"Memory load data volume [GBytes]", READ_BYTES, 1e9},
    {"Memory write data volume [GBytes]", WRITE_BYTES, 1e9},
    {"Memory evict data volume [GBytes]", WRITE_BYTES, 1e9},
    {"Memory data volume [GBytes]", ALL_BYTES, 1e9},
    {"MCDRAM Memory read data volume [GBytes]", READ_BYTES, 1e9},
    {"MCDRAM Memory writeback data volume [GBytes]", WRITE_BYTES, 1e9},
    {"MCDRAM Memory data volume [GBytes]", ALL_BYTES, 1e9},
};

/* The metrics of one region and group. */
struct likwid_block {
    bool used;
    char region[64], group[64];
    unsigned number, threads;
    uint64_t calls;
    bool known[WHATS];
    double values[WHATS][MAX_THREADS];
};

static size_t split(char *line, char **cells) {
    size_t count = 0;
    for (char *cell; count < MAX_CELLS && (cell = strsep(&line, ","));)
        cells[count++] = import_trim(cell);
    while (count > 0 && !*cells[count - 1]) /* rows are padded to the widest */
        count--;
    return count;
}

static double sum(const struct likwid_block *block, enum what what) {
    double all = 0;
    for (unsigned i = 0; i < block->threads; i++)
        all += block->values[what][i];
    return all;
}

static double flop(const struct likwid_block *block, enum what rate) {
    double all = 0;
    for (unsigned i = 0; i < block->threads && block->known[rate]; i++)
        all += block->values[rate][i] * block->values[SECONDS][i];
    return all;
}

/* A quantity may have only one value: if two groups measure a region in turn, each has only a part of it. */
static bool set_once(struct statistics *quantity, double value, const char *what, const struct likwid_block *block,
                     const struct import_text *file, struct error *err) {
    if (quantity->n > 0)
        return import_text_fail(file, NULL, err, "group %s has a second value of the %s of '%s'", block->group, what,
                                block->region[0] ? block->region : "the program");
    import_add(quantity, value);
    return true;
}

static bool finish_block(const struct import_request *request, struct import *out, const struct import_text *file,
                         struct likwid_block *block, struct error *err) {
    if (!block->used)
        return true;
    block->used = false;
    struct app_point *point = import_region(out, request, block->region);
    if (!point)
        return import_text_fail(file, NULL, err, "more than %d regions", IMPORT_MAX_POINTS);
    if (!block->known[SECONDS])
        return import_text_fail(file, NULL, err, "group %s ends without its Runtime (RDTSC) [s]; is the file complete?",
                                block->group);
    double seconds = 0, f64 = flop(block, F64_RATE), f32 = flop(block, F32_RATE);
    for (unsigned i = 0; i < block->threads; i++)
        seconds = fmax(seconds, block->values[SECONDS][i]);
    if (point->seconds.n == 0)
        import_add(&point->seconds, seconds);
    point->threads = block->threads > point->threads ? block->threads : point->threads;
    point->calls = block->calls;
    if (block->known[F64_RATE] || block->known[F32_RATE]) {
        if (!set_once(&point->flop, f64 + f32, "flop", block, file, err))
            return false;
        snprintf(point->flop_type, sizeof point->flop_type, "%s", f32 > f64 ? "f32" : "f64");
    }
    bool apart = block->known[READ_BYTES] && block->known[WRITE_BYTES];
    if (!apart && !block->known[ALL_BYTES])
        return true;
    return set_once(&point->dram_read_bytes, sum(block, apart ? READ_BYTES : ALL_BYTES), "memory volume", block, file,
                    err) &&
           (!apart || set_once(&point->dram_write_bytes, sum(block, WRITE_BYTES), "memory volume", block, file, err));
}

/* "TABLE,Region solve,Group 1 Metric,MEM_DP,22", or without the region: finds its block. `*kind` is "Raw", "Metric"
 * or one of these with STAT. */
static bool read_table(char **cells, size_t count, struct likwid_block *out, const char **kind) {
    size_t at = 1;
    int length = 0;
    *out = (struct likwid_block){.used = true};
    if (count > 2 && strncmp(cells[1], "Region ", 7) == 0)
        snprintf(out->region, sizeof out->region, "%.63s", cells[at++] + 7);
    if (count < at + 2 || sscanf(cells[at], "Group %u %n", &out->number, &length) != 1 || !length)
        return false;
    *kind = cells[at] + length;
    snprintf(out->group, sizeof out->group, "%.63s", cells[at + 1]);
    return true;
}

static bool is_same(const struct likwid_block *a, const struct likwid_block *b) {
    return a->used && a->number == b->number && strcmp(a->region, b->region) == 0;
}

static bool read_metric(struct likwid_block *block, const struct import_text *file, char **cells, size_t count,
                        struct error *err) {
    for (size_t m = 0; m < sizeof METRICS / sizeof METRICS[0]; m++) {
        enum what what = METRICS[m].what;
        if (strcmp(cells[0], METRICS[m].name) != 0)
            continue;
        if (count - 1 != block->threads)
            return import_text_fail(file, NULL, err,
                                    "%s of %zu threads where the heading has %u; is the file complete?", cells[0],
                                    count - 1, block->threads);
        for (size_t i = 0; i + 1 < count; i++) {
            const char *trouble = import_number(cells[i + 1], &block->values[what][i]);
            if (trouble)
                return import_text_fail(file, NULL, err, "%s of thread %zu: '%.40s' %s", cells[0], i + 1, cells[i + 1],
                                        trouble);
            block->values[what][i] *= METRICS[m].factor;
        }
        block->known[what] = true;
    }
    if (strstr(cells[0], "[MFLOP/s] (") || strstr(cells[0], "MFLOP/s ("))
        return import_text_fail(file, NULL, err,
                                "'%.60s' rests on an assumption that only you can check; import its "
                                "flop as csv",
                                cells[0]);
    return true;
}

/* "EVENT,COUNTER,COUNT,…": its counts are not used, but show a locale with points between thousands. Registers of energy,
 * temperature and voltage have decimals. */
static bool check_counts(const struct import_text *file, char **cells, size_t count, struct error *err) {
    static const char *const NO_COUNTERS[] = {"PWR", "TMP", "VTG"};
    bool counts = isalpha((unsigned char)*cells[1]);
    for (size_t i = 0; i < sizeof NO_COUNTERS / sizeof NO_COUNTERS[0]; i++)
        counts = counts && strncmp(cells[1], NO_COUNTERS[i], strlen(NO_COUNTERS[i])) != 0;
    for (size_t i = 2; i < count && counts; i++) {
        const size_t digits = strspn(cells[i], "0123456789.");
        double number;
        const char *trouble = digits > 0 && !cells[i][digits] ? import_whole_number(cells[i], &number) : NULL;
        if (trouble)
            return import_text_fail(file, NULL, err, "%s of thread %zu: '%.40s' %s", cells[0], i - 1, cells[i],
                                    trouble);
    }
    return true;
}

static bool read_file(const struct import_request *request, struct import *out, struct import_text *file,
                      struct likwid_block *block, struct error *err) {
    char *cells[MAX_CELLS];
    const char *kind = "";
    bool tables = false;
    block->used = false;
    for (char *line; (line = import_text_line(file));) {
        bool table = strncmp(line, "TABLE,", 6) == 0, info = strncmp(line, "STRUCT,", 7) == 0;
        if (info && !finish_block(request, out, file, block, err))
            return false;
        if (info || *line == '-')
            kind = "";
        if (strstr(line, "GID") && strstr(line, "MetricsCount"))
            return import_text_fail(file, NULL, err, "a timeline is not read: run likwid-perfctr without -t");
        size_t count = split(line, cells);
        if (count == 0)
            continue;
        if (strcmp(cells[0], "CPU name:") == 0 && count > 1)
            snprintf(out->machine, sizeof out->machine, "%.63s", cells[1]);
        if (table) {
            struct likwid_block next;
            if (!read_table(cells, count, &next, &kind))
                return import_text_fail(file, NULL, err, "not 'TABLE,Group N Raw or Metric,NAME,…'");
            if (!is_same(block, &next)) {
                if (!finish_block(request, out, file, block, err))
                    return false;
                *block = next;
            }
            tables = true;
        } else if (strcmp(cells[0], "call count") == 0 && count > 1) {
            double calls;
            block->calls = import_number(cells[1], &calls) ? 0 : import_count(calls);
        } else if (strcmp(kind, "Raw") == 0 && !check_counts(file, cells, count, err)) {
            return false;
        } else if (strcmp(kind, "Metric") == 0 && strcmp(cells[0], "Metric") == 0) {
            block->threads = (unsigned)(count - 1 < MAX_THREADS ? count - 1 : MAX_THREADS);
        } else if (strcmp(kind, "Metric") == 0 && !read_metric(block, file, cells, count, err)) {
            return false;
        }
    }
    if (!tables)
        return import_file_fail(file, err,
                                "is not a CSV of likwid-perfctr: it has no line 'TABLE,Group 1 …'; make it with "
                                "likwid-perfctr -O");
    return finish_block(request, out, file, block, err);
}

/* Error: a point with neither flop nor memory volume. */
static bool check(const struct import *out, const struct import_text *file, struct error *err) {
    char known[512] = "";
    for (size_t m = 1, length = 0; m < sizeof METRICS / sizeof METRICS[0] && length < sizeof known; m++)
        length += (size_t)snprintf(known + length, sizeof known - length, "%s%s", m > 1 ? ", " : "", METRICS[m].name);
    for (size_t i = 0; i < out->point_count; i++)
        if (out->points[i].flop.n == 0 && out->points[i].dram_read_bytes.n == 0)
            return import_file_fail(file, err, "has neither flop nor memory volume of '%s'; known metrics: %.190s, …",
                                    out->points[i].name, known);
    return true;
}

static bool read(const struct import_request *request, struct import_text *files, size_t count, struct import *out,
                 struct error *err) {
    struct likwid_block *block = need_calloc(1, sizeof *block);
    bool done = true;
    for (size_t i = 0; done && i < count; i++)
        done = read_file(request, out, &files[i], block, err);
    free(block);
    return done && check(out, &files[0], err);
}

const struct import_format import_likwid_perfctr = {
    .name = "likwid-perfctr",
    .summary = "likwid-perfctr's CSV (-O): time, flop and DRAM bytes by region",
    .read = read,
};
