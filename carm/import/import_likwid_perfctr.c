/* SPDX-License-Identifier: BSD-3-Clause
 * likwid-perfctr's tables, as CSV (-O) or text: flop, time and DRAM bytes from the metrics of groups such as MEM_DP,
 * FLOPS_DP, MEM and HBM_CACHE, by region if the program has marks. Threads are columns; counts of the memory
 * controllers are in the column of one thread of each socket. Several files are groups of one program. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/programs/app_point.h"
#include "import.h"
#include "probe/need.h"
#include "probe/text.h"

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

struct likwid_title {
    char region[64], group[64]; /* "": the program */
    unsigned number;            /* of the group */
};

/* The metrics of one region and group. */
struct likwid_block {
    bool used;
    struct likwid_title title;
    unsigned threads;
    uint64_t calls;
    bool known[WHATS];
    double values[WHATS][MAX_THREADS];
};

static const struct unread_form FORMS[] = {
    {"MetricsCount", "this is a timeline: run likwid-perfctr without -t"},
    {"^{", "this is JSON: use -O, or a name for -o that ends in .csv or .txt"},
    {"<perfctr>", "this is XML: use -O, or a name for -o that ends in .csv or .txt"},
    {"^Measuring group ", "this is the text of likwid before version 4: use a newer one, with -O"},
    {NULL, NULL},
};

/* "a,b,,", or "|  a  |  b  |". */
static size_t import_likwid_perfctr_split(char *line, char **cells) {
    const char separator[] = {*line == '|' ? '|' : ',', '\0'};
    size_t count = 0;
    line += *line == '|';
    for (char *cell; count < MAX_CELLS && (cell = strsep(&line, separator));)
        cells[count++] = import_trim(cell);
    while (count > 0 && !*cells[count - 1]) /* rows are padded to the widest */
        count--;
    return count;
}

static double import_likwid_perfctr_sum(const struct likwid_block *block, enum what what) {
    double all = 0;
    for (unsigned i = 0; i < block->threads; i++)
        all += block->values[what][i];
    return all;
}

static double import_likwid_perfctr_flop(const struct likwid_block *block, enum what rate) {
    double all = 0;
    for (unsigned i = 0; i < block->threads && block->known[rate]; i++)
        all += block->values[rate][i] * block->values[SECONDS][i];
    return all;
}

static const char *import_likwid_perfctr_name_of(const struct likwid_block *block) {
    return block->title.region[0] ? block->title.region : "the program";
}

/* A quantity may have only one value: if two groups measure a region in turn, each has only a part of it. */
static bool import_likwid_perfctr_set_once(struct statistics *quantity, double value, const char *what,
                                           const struct likwid_block *block, const struct import_text *file,
                                           struct error *err) {
    if (quantity->n > 0)
        return import_text_fail(file, NULL, err, "group %s has a second value of the %s of '%s'", block->title.group,
                                what, import_likwid_perfctr_name_of(block));
    import_add(quantity, value);
    return true;
}

static bool finish_block(const struct import_request *request, struct import *out, const struct import_text *file,
                         struct likwid_block *block, struct error *err) {
    if (!block->used)
        return true;
    block->used = false;
    struct app_point *point = import_region(out, request, block->title.region);
    if (!point)
        return import_text_fail(file, NULL, err, "more than %d regions", IMPORT_MAX_POINTS);
    if (!block->known[SECONDS])
        return import_text_fail(
            file, NULL, err,
            "group %s ends without its Runtime (RDTSC) [s]; is the file complete, and the group one of metrics "
            "(-g MEM_DP), not of single events?",
            block->title.group);
    if (block->title.number > 1 && point->seconds.n > 0 && (block->calls == 0 || block->calls != point->calls))
        return import_text_fail(file, NULL, err,
                                "its groups measured '%s' in turn, each only a part of it; run likwid-perfctr once for "
                                "each group, and import the files together",
                                import_likwid_perfctr_name_of(block));
    double seconds = 0, f64 = import_likwid_perfctr_flop(block, F64_RATE),
           f32 = import_likwid_perfctr_flop(block, F32_RATE);
    for (unsigned i = 0; i < block->threads; i++)
        seconds = fmax(seconds, block->values[SECONDS][i]);
    if (point->seconds.n == 0)
        import_add(&point->seconds, seconds);
    point->threads = block->threads > point->threads ? block->threads : point->threads;
    point->calls = block->calls;
    if (block->known[F64_RATE] || block->known[F32_RATE]) {
        if (!import_likwid_perfctr_set_once(&point->flop, f64 + f32, "flop", block, file, err))
            return false;
        snprintf(point->flop_type, sizeof point->flop_type, "%s", f32 > f64 ? "f32" : "f64");
    }
    bool apart = block->known[READ_BYTES] && block->known[WRITE_BYTES];
    if (!apart && !block->known[ALL_BYTES])
        return true;
    return import_likwid_perfctr_set_once(&point->dram_read_bytes,
                                          import_likwid_perfctr_sum(block, apart ? READ_BYTES : ALL_BYTES),
                                          "memory volume", block, file, err) &&
           (!apart ||
            import_likwid_perfctr_set_once(&point->dram_write_bytes, import_likwid_perfctr_sum(block, WRITE_BYTES),
                                           "memory volume", block, file, err));
}

/* "TABLE,Region solve,Group 1 Metric,MEM_DP,22", or without the region: finds its block. */
static bool import_likwid_perfctr_read_table(char **cells, size_t count, struct likwid_title *out) {
    size_t at = 1;
    *out = (struct likwid_title){.number = 0};
    if (count > 2 && strncmp(cells[1], "Region ", 7) == 0)
        snprintf(out->region, sizeof out->region, "%.63s", cells[at++] + 7);
    if (count < at + 2 || sscanf(cells[at], "Group %u ", &out->number) != 1)
        return false;
    snprintf(out->group, sizeof out->group, "%.63s", cells[at + 1]);
    return true;
}

/* "Region solve, Group 1: MEM_DP", or without the region: the title of a table as text. */
static bool read_title(const char *line, struct likwid_title *out) {
    *out = (struct likwid_title){.number = 0};
    return sscanf(line, "Region %63[^,], Group %u: %63[^ \t]", out->region, &out->number, out->group) == 3 ||
           (*out->region = '\0', sscanf(line, "Group %u: %63[^ \t]", &out->number, out->group) == 2);
}

static bool import_likwid_perfctr_is_of(const struct likwid_block *block, const struct likwid_title *title) {
    return block->used && block->title.number == title->number && strcmp(block->title.region, title->region) == 0;
}

static bool import_likwid_perfctr_read_metric(struct likwid_block *block, const struct import_text *file, char **cells,
                                              size_t count, struct error *err) {
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

/* "EVENT,COUNTER,COUNT,…": its counts are not used, but show a locale with points between thousands. Registers of
 * energy, temperature and voltage have decimals. */
static bool check_counts(const struct import_text *file, char **cells, size_t count, struct error *err) {
    static const char *const NO_COUNTERS[] = {"PWR", "TMP", "VTG"};
    bool counts = count > 2 && isalpha((unsigned char)*cells[1]);
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

/* A reader of one file. */
struct likwid_reader {
    const struct import_request *request;
    struct import *out;
    struct import_text *file;
    struct likwid_block block;
    enum { NO_ROWS, RAW_ROWS, METRIC_ROWS } rows; /* of the table */
    bool tables;                                  /* the file has some */
};

static bool import_likwid_perfctr_finish(struct likwid_reader *reader, struct error *err) {
    return finish_block(reader->request, reader->out, reader->file, &reader->block, err);
}

static bool begin_block(struct likwid_reader *reader, const struct likwid_title *title, struct error *err) {
    reader->tables = true;
    if (!import_likwid_perfctr_finish(reader, err))
        return false;
    memset(&reader->block, 0, sizeof reader->block);
    reader->block.used = true;
    reader->block.title = *title;
    return true;
}

/* "CPU name:,Intel …,,," or, before tables as text, "CPU name:\tIntel …". */
static void read_machine(struct import *out, const char *line) {
    const char *name = line + strlen("CPU name:");
    name += strspn(name, " \t,");
    snprintf(out->machine, sizeof out->machine, "%.*s", (int)strcspn(name, ","), name);
}

/* The heading of a table: "Event,Counter,HWThread 0", "Metric,HWThread 0", of statistics "Metric,Sum,Min,Max,Avg". */
static bool import_likwid_perfctr_read_heading(struct likwid_reader *reader, char **cells, size_t count) {
    const bool raw = strcmp(cells[0], "Event") == 0, metrics = strcmp(cells[0], "Metric") == 0;
    const size_t first = raw ? 2 : 1;
    if (!raw && !metrics && strcmp(cells[0], "Region Info") != 0)
        return false;
    const bool threads = count > first && strcmp(cells[first], "Sum") != 0;
    reader->rows = threads && raw ? RAW_ROWS : threads && metrics ? METRIC_ROWS : NO_ROWS;
    if (reader->rows == METRIC_ROWS)
        reader->block.threads = (unsigned)(count - 1 < MAX_THREADS ? count - 1 : MAX_THREADS);
    return true;
}

static bool read_cells(struct likwid_reader *reader, char **cells, size_t count, struct error *err) {
    struct likwid_title next;
    if (strcmp(cells[0], "TABLE") == 0) {
        if (!import_likwid_perfctr_read_table(cells, count, &next))
            return import_text_fail(reader->file, NULL, err, "not 'TABLE,Group N Raw or Metric,NAME,…'");
        return import_likwid_perfctr_is_of(&reader->block, &next) || begin_block(reader, &next, err);
    }
    if (import_likwid_perfctr_read_heading(reader, cells, count))
        return true;
    if (strcmp(cells[0], "call count") == 0 && count > 1) {
        double calls;
        reader->block.calls = import_number(cells[1], &calls) ? 0 : import_count(calls);
    }
    return reader->rows == RAW_ROWS ? check_counts(reader->file, cells, count, err)
           : reader->rows == METRIC_ROWS
               ? import_likwid_perfctr_read_metric(&reader->block, reader->file, cells, count, err)
               : true;
}

static bool import_likwid_perfctr_read_file(struct likwid_reader *reader, struct error *err) {
    char *cells[MAX_CELLS];
    struct likwid_title next;
    reader->block.used = reader->tables = false;
    reader->rows = NO_ROWS;
    for (char *line; (line = import_text_line(reader->file));) {
        const bool info = strncmp(line, "STRUCT,", 7) == 0,
                   title = *reader->file->next == '+' && read_title(line, &next);
        if ((info && !import_likwid_perfctr_finish(reader, err)) || (title && !begin_block(reader, &next, err)))
            return false;
        if (info || title || *line == '-')
            reader->rows = NO_ROWS;
        if (strncmp(line, "CPU name:", 9) == 0)
            read_machine(reader->out, line);
        const size_t count = import_likwid_perfctr_split(line, cells);
        if (count > 0 && !read_cells(reader, cells, count, err))
            return false;
    }
    if (!reader->tables)
        return !import_unread_form(reader->file, FORMS, err) &&
               import_file_fail(
                   reader->file, err,
                   "has no table of likwid-perfctr: neither a line 'TABLE,Group 1 …' nor 'Group 1: …'; make "
                   "it with likwid-perfctr -O");
    return import_likwid_perfctr_finish(reader, err);
}

/* Error: a point with neither flop nor memory volume. */
static bool import_likwid_perfctr_check(const struct import *out, const struct import_text *file, struct error *err) {
    char known[512] = "";
    for (size_t m = 1; m < sizeof METRICS / sizeof METRICS[0]; m++)
        text_append(known, sizeof known, "%s%s", m > 1 ? ", " : "", METRICS[m].name);
    for (size_t i = 0; i < out->point_count; i++)
        if (out->points[i].flop.n == 0 && out->points[i].dram_read_bytes.n == 0)
            return import_file_fail(file, err, "has neither flop nor memory volume of '%s'; known metrics: %.190s, …",
                                    out->points[i].name, known);
    return true;
}

static bool import_likwid_perfctr_read(const struct import_request *request, struct import_text *files, size_t count,
                                       struct import *out, struct error *err) {
    struct likwid_reader *reader = need_calloc(1, sizeof *reader);
    bool done = true;
    *reader = (struct likwid_reader){.request = request, .out = out};
    for (size_t i = 0; done && i < count; i++) {
        reader->file = &files[i];
        done = import_likwid_perfctr_read_file(reader, err);
    }
    free(reader);
    return done && import_likwid_perfctr_check(out, &files[0], err);
}

const struct import_format import_likwid_perfctr = {
    .name = "likwid-perfctr",
    .summary = "likwid-perfctr's tables (CSV of -O, or text): time, flop and DRAM bytes by region",
    .read = import_likwid_perfctr_read,
};
