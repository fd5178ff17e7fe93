/* SPDX-License-Identifier: BSD-3-Clause
 * `perf stat -x,`: events by name become flop, bytes and DRAM bytes through the formulas of probe/events/events.h.
 * perf writes the elapsed time only if the event duration_time was counted. Several files are runs of one program,
 * each with other events. */
#include "import_points.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/doubt.h"
#include "probe/events/events.h"
#include "probe/need.h"

enum { MAX_EVENTS = 512, NAME_BYTES = 96 };
static const double WORD_BYTES = 8, MAX_BYTES = 64, MIB = 1 << 20, LINE_BYTES = 64;

/* perf's names of events that libpfm4 and the formulas call otherwise. */
static const char *const ALIASES[][2] = {
    {"fp_ret_sse_avx_ops.all", "RETIRED_SSE_AVX_FLOPS:ANY"},
    {"fp_ret_sse_avx_ops.add_sub_flops", "RETIRED_SSE_AVX_FLOPS:ADD_SUB_FLOPS"},
};

/* Events of memory controllers, which perf counts by machine; perf's own unit, MiB, takes precedence over the
 * factor. */
static const struct traffic_event {
    const char *end; /* the name without its PMU */
    bool writes;
    double factor; /* bytes per event; 0: the row must have the unit MiB */
} TRAFFIC[] = {
    {"cas_count_read", false, LINE_BYTES},
    {"cas_count_write", true, LINE_BYTES},
    {"unc_m_cas_count.rd", false, LINE_BYTES},
    {"unc_m_cas_count.wr", true, LINE_BYTES},
    {"unc_m_cas_count_sch0.rd", false, LINE_BYTES},
    {"unc_m_cas_count_sch0.wr", true, LINE_BYTES},
    {"unc_m_cas_count_sch1.rd", false, LINE_BYTES},
    {"unc_m_cas_count_sch1.wr", true, LINE_BYTES},
    {"data_reads", false, 0},
    {"data_writes", true, 0},
    {"data_read", false, 0},
    {"data_write", true, 0},
    {"umc_cas_cmd.rd", false, LINE_BYTES},
    {"umc_cas_cmd.wr", true, LINE_BYTES},
};

static const struct flop_metric {
    enum metric metric;
    const char *type;
    double element_bytes;
} FLOP[] = {
    {METRIC_F64_FLOP, "f64", 8}, {METRIC_F32_FLOP, "f32", 4}, {METRIC_F16_FLOP, "f16", 2}, {METRIC_ANY_FLOP, "f64", 8}};

struct counts {
    size_t count;
    char names[MAX_EVENTS][NAME_BYTES];
    double values[MAX_EVENTS];
    bool used[MAX_EVENTS];
    double seconds, dram_bytes[2];
    bool has_seconds, has_dram[2], multiplexed;
};

/* perf's "fp_arith_inst_retired.scalar_double:u" and libpfm4's "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE" are one event. */
static void plain_name(const char *name, char out[NAME_BYTES]) {
    size_t length = 0;
    for (; *name && length + 1 < NAME_BYTES; name++)
        out[length++] = (char)(*name == ':' || *name == '.' ? '_' : tolower((unsigned char)*name));
    out[length] = '\0';
}

/* Cuts off the modifiers: ":u", ":ppp". */
static void cut_modifiers(char *name) {
    char *colon = strrchr(name, ':');
    if (colon && colon[1] && colon[1 + strspn(colon + 1, "ukhGHIpPSDeWb")] == '\0')
        *colon = '\0';
}

/* "uncore_imc_0/cas_count_read/" → "cas_count_read"; "cpu/fp_arith…/" likewise. */
static const char *inner_name(char *name) {
    char *slash = strchr(name, '/');
    if (!slash)
        return name;
    slash[1 + strcspn(slash + 1, "/")] = '\0';
    return slash + 1;
}

static const struct traffic_event *find_traffic(const char *name, const char *unit) {
    for (size_t i = 0; i < sizeof TRAFFIC / sizeof TRAFFIC[0]; i++)
        if (strcasecmp(TRAFFIC[i].end, name) == 0 && (strcmp(unit, "MiB") == 0 || TRAFFIC[i].factor > 0))
            return &TRAFFIC[i];
    return NULL;
}

static bool add_event(struct counts *counts, const struct import_text *file, char *name, const char *unit, double value,
                      struct error *err) {
    char plain[NAME_BYTES];
    cut_modifiers(name);
    const char *inner = inner_name(name);
    if (strcmp(inner, "duration_time") == 0) { /* nanoseconds */
        counts->seconds = counts->has_seconds ? counts->seconds : value * 1e-9;
        counts->has_seconds = true;
        return true;
    }
    const struct traffic_event *traffic = find_traffic(inner, unit);
    if (traffic) {
        counts->dram_bytes[traffic->writes] += value * (strcmp(unit, "MiB") == 0 ? MIB : traffic->factor);
        counts->has_dram[traffic->writes] = true;
        return true;
    }
    for (size_t i = 0; i < sizeof ALIASES / sizeof ALIASES[0]; i++)
        if (strcasecmp(inner, ALIASES[i][0]) == 0)
            inner = ALIASES[i][1];
    plain_name(inner, plain);
    for (size_t i = 0; i < counts->count; i++)
        if (strcmp(counts->names[i], plain) == 0) /* another run with the same event, or another kind of core */
            return import_text_fail(file, NULL, err, "%s occurs twice", name);
    if (counts->count == MAX_EVENTS)
        return import_text_fail(file, NULL, err, "more than %d events", MAX_EVENTS);
    memcpy(counts->names[counts->count], plain, sizeof plain);
    counts->values[counts->count++] = value;
    return true;
}

/* Events that could not be counted are left out, but an uncounted DRAM event is an error. */
static bool skip_uncounted(const struct import_text *file, const struct csv_row *row, struct error *err) {
    cut_modifiers(row->cells[2]);
    return !find_traffic(inner_name(row->cells[2]), "MiB") ||
           import_text_fail(file, NULL, err, "%.40s: %.60s", row->cells[0], row->cells[2]);
}

/* perf's forms with other rows, each by the first cells of one. */
static bool check_form(const struct import_text *file, const struct csv_row *row, struct error *err) {
    const char *first = row->cells[0];
    double number;
    if (strstr(first, "Performance counter stats"))
        return import_text_fail(file, NULL, err, "this is perf stat's text: run it with -x,");
    if (row->count < 3)
        return import_text_fail(file, NULL, err, "not VALUE,UNIT,EVENT,…: is this output of perf stat -x, ?");
    if (*first == '<')
        return true;
    const char *trouble = import_number(first, &number);
    const bool second = !import_number(row->cells[1], &number) || *row->cells[1] == '<';
    if (trouble && second)
        return csv_fail(file, row, NULL, 1, err,
                        "'%.40s' %s (leave out -A, --per-core, --per-socket and the like, and --summary: counts of "
                        "parts are not read)",
                        first, trouble);
    if (trouble && isalpha((unsigned char)*first))
        return csv_fail(file, row, NULL, 1, err, "'%.40s' in place of a count: leave out --metric-only", first);
    return !second ||
           csv_fail(file, row, NULL, 2, err, "a number in place of a unit: intervals (-I) are not read, leave -I out");
}

/* perf writes counts as whole numbers, except times of older versions and values with a unit. */
static const char *read_value(const struct csv_row *row, double *out) {
    const bool count = !*row->cells[1] && !strstr(row->cells[2], "clock");
    return (count ? import_whole_number : import_number)(row->cells[0], out);
}

/* "50,00" of a locale with decimal commas; with -x perf writes nothing between thousands. */
static char *with_point(char *number) {
    char *comma = strchr(number, ',');
    if (comma)
        *comma = '.';
    return number;
}

/* VALUE,UNIT,EVENT,…,RUNNING NANOSECONDS,PERCENT,… */
static bool read_row(struct counts *counts, const struct import_text *file, const struct csv_row *row,
                     struct error *err) {
    double value, number, percent;
    const char *first = with_point(row->cells[0]);
    if (*first == '#' || (row->count > 3 && !*first && !*row->cells[1] && !*row->cells[2])) /* another metric of -M */
        return true;
    if (!check_form(file, row, err))
        return false;
    if (*first == '<')
        return skip_uncounted(file, row, err);
    const char *trouble = read_value(row, &value);
    if (trouble)
        return csv_fail(file, row, NULL, 1, err, "%.40s: '%.40s' %s", row->cells[2], first, trouble);
    for (size_t i = 3; i + 1 < row->count; i++) /* with -r a deviation precedes these two */
        counts->multiplexed |= !import_number(row->cells[i], &number) && number > 1e3 &&
                               !import_number(with_point(row->cells[i + 1]), &percent) && percent < 99.995;
    return add_event(counts, file, row->cells[2], row->cells[1], value, err);
}

static bool read_file(struct counts *counts, struct import_text *file, struct error *err) {
    struct csv_row row;
    char *line;
    while ((line = import_text_line(file)) && (*line == '#' || !*line))
        ;
    if (!line)
        return import_file_fail(file, err, "has no events; is it output of perf stat -x, ?");
    if (*line == '{')
        return import_text_fail(file, NULL, err, "JSON (-j) is not read: run perf stat with -x, instead");
    char separator = csv_separator(line);
    import_text_back(file);
    do {
        if (!csv_read(file, separator, &row, err) || (row.count > 0 && !read_row(counts, file, &row, err)))
            return false;
    } while (row.count > 0);
    return true;
}

static long find(const struct counts *counts, const char *event) {
    char plain[NAME_BYTES];
    plain_name(event, plain);
    for (size_t i = 0; i < counts->count; i++)
        if (strcmp(counts->names[i], plain) == 0)
            return (long)i;
    return -1;
}

static unsigned present(const struct counts *counts, const struct event_formula *formula) {
    unsigned found = 0;
    for (unsigned t = 0; t < formula->term_count; t++)
        found += find(counts, formula->terms[t].event) >= 0;
    return found;
}

/* Chooses, among the formulas of all CPUs, the one with most counted events; `missing` names an event that it lacks. */
static bool choose(const struct counts *counts, enum metric metric, struct event_formula *out, char *missing,
                   size_t size) {
    struct event_set *set = need_malloc(sizeof *set);
    unsigned most = 0;
    *out = (struct event_formula){.term_count = 0};
    for (size_t i = 0; set && events_pmu_at(i); i++) {
        events_find(&(struct cpu_identity){.family = 0}, events_pmu_at(i), set);
        const struct event_formula *formula = &set->metrics[metric];
        unsigned found = present(counts, formula);
        if (found > most || (found == most && found > 0 && formula->term_count < out->term_count)) {
            most = found;
            *out = *formula;
        }
    }
    free(set);
    *missing = '\0';
    for (unsigned t = 0; t < out->term_count; t++)
        if (find(counts, out->terms[t].event) < 0)
            snprintf(missing, size, "%s", out->terms[t].event);
    return most > 0;
}

static double evaluate(struct counts *counts, const struct event_formula *formula) {
    double value = 0;
    for (unsigned t = 0; t < formula->term_count; t++) {
        long at = find(counts, formula->terms[t].event);
        counts->used[at] = true;
        value += counts->values[at] * formula->terms[t].factor;
    }
    return value;
}

/* Adds to the mean width of the counted instructions: a term's factor is its number of elements. */
static void add_width(const struct counts *counts, const struct event_formula *formula, double element_bytes,
                      double *instructions, double *bytes) {
    for (unsigned t = 0; t < formula->term_count; t++) {
        double width = formula->terms[t].factor * element_bytes,
               value = counts->values[find(counts, formula->terms[t].event)];
        *instructions += value;
        *bytes += value * (width > MAX_BYTES ? MAX_BYTES : width);
    }
}

/* Flop, and bytes estimated as by `carmine app --counters papi`. Error: events of a formula are missing. */
static bool make_core(struct counts *counts, struct app_point *point, const struct import_text *file,
                      struct error *err) {
    struct event_formula formula;
    char missing[NAME_BYTES];
    double instructions = 0, bytes = 0, most = -1;
    for (size_t m = 0; m < sizeof FLOP / sizeof FLOP[0]; m++) {
        if (!choose(counts, FLOP[m].metric, &formula, missing, sizeof missing))
            continue;
        if (*missing)
            return import_file_fail(file, err, "its %s flop also need the event %s", FLOP[m].type, missing);
        double flop = evaluate(counts, &formula);
        import_add(&point->flop, flop);
        add_width(counts, &formula, FLOP[m].element_bytes, &instructions, &bytes);
        if (flop > most)
            snprintf(point->flop_type, sizeof point->flop_type, "%s", FLOP[m].type);
        most = flop > most ? flop : most;
    }
    double width = instructions > 0 ? bytes / instructions : WORD_BYTES;
    struct event_formula loads, stores;
    if (choose(counts, METRIC_LOADS, &loads, missing, sizeof missing) && !*missing &&
        choose(counts, METRIC_STORES, &stores, missing, sizeof missing) && !*missing) {
        import_add(&point->load_bytes, width * evaluate(counts, &loads));
        import_add(&point->store_bytes, width * evaluate(counts, &stores));
        doubts_add(&point->doubts, DOUBT_ESTIMATED_BYTES);
    }
    for (size_t i = 0; i < counts->count; i++)
        if (strncmp(counts->names[i], "fp_", 3) == 0 && !counts->used[i])
            return import_file_fail(file, err,
                                    "%s is in no known formula; flop would be counted twice or not at "
                                    "all",
                                    counts->names[i]);
    return true;
}

static bool read(const struct import_request *request, struct import_text *files, size_t count, struct import *out,
                 struct error *err) {
    struct counts *counts = need_calloc(1, sizeof *counts);
    struct app_point *point = import_region(out, request, "");
    bool done = true;
    for (size_t i = 0; done && i < count; i++)
        done = read_file(counts, &files[i], err);
    done = done && make_core(counts, point, &files[0], err);
    if (done && counts->has_dram[0] != counts->has_dram[1])
        done = import_file_fail(&files[0], err, "has only the %s of DRAM; both are needed",
                                counts->has_dram[0] ? "reads" : "writes");
    if (done && counts->has_seconds)
        import_add(&point->seconds, counts->seconds);
    if (done && counts->has_dram[0])
        import_add(&point->dram_read_bytes, counts->dram_bytes[0]);
    if (done && counts->has_dram[1])
        import_add(&point->dram_write_bytes, counts->dram_bytes[1]);
    if (done && counts->multiplexed)
        doubts_add(&point->doubts, DOUBT_MULTIPLEXED);
    if (done && point->flop.n == 0 && !counts->has_dram[0] && !counts->has_dram[1])
        done = import_file_fail(&files[0], err,
                                "none of its %zu events counts flop or DRAM bytes; known: "
                                "fp_arith_inst_retired.*, fp_ret_sse_avx_ops.all, cas_count_read and "
                                "_write, data_reads and data_writes (in MiB)",
                                counts->count);
    free(counts);
    return done;
}

const struct import_format import_perf = {
    .name = "perf",
    .summary = "perf stat -x,: flop, bytes and DRAM bytes from the events that carmine knows",
    .read = read,
};
