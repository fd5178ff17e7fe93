/* SPDX-License-Identifier: BSD-3-Clause
 * `perf stat -x,`: events by name become flop, bytes and DRAM bytes through the formulas of probe/events/events.h.
 * perf writes the elapsed time only if the event duration_time was counted. Several files are runs of one program,
 * each with other events. On hybrid CPUs the E cores (cpu_atom) have no event for flop, so their share of the cycles
 * must be known and small. */
#include "import.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/doubt.h"
#include "bench/programs/app_point.h"
#include "probe/events/events.h"
#include "probe/isa.h"
#include "probe/need.h"

enum { MAX_EVENTS = 512, NAME_BYTES = 96 };
static const double MIB = 1 << 20, LINE_BYTES = 64;

/* perf's names of events that libpfm4 and the formulas call otherwise. */
static const char *const ALIASES[][2] = {
    {"fp_ret_sse_avx_ops.all", "RETIRED_SSE_AVX_FLOPS:ANY"},
    {"fp_ret_sse_avx_ops.add_sub_flops", "RETIRED_SSE_AVX_FLOPS:ADD_SUB_FLOPS"},
    {"fp_ops_retired_by_width.scalar_uops_retired", "RETIRED_FP_OPS_BY_WIDTH:SCALAR_UOPS_RETIRED"},
    {"fp_ops_retired_by_width.pack_128_uops_retired", "RETIRED_FP_OPS_BY_WIDTH:PACK128_UOPS_RETIRED"},
    {"fp_ops_retired_by_width.pack_256_uops_retired", "RETIRED_FP_OPS_BY_WIDTH:PACK256_UOPS_RETIRED"},
    {"fp_ops_retired_by_width.pack_512_uops_retired", "RETIRED_FP_OPS_BY_WIDTH:PACK512_UOPS_RETIRED"},
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
} FLOP[] = {{METRIC_F64_FLOP, "f64"}, {METRIC_F32_FLOP, "f32"}, {METRIC_F16_FLOP, "f16"}, {METRIC_ANY_FLOP, "f64"}};
enum { FLOP_METRICS = sizeof FLOP / sizeof FLOP[0] };

/* How perf begins the names of events of one kind of core. */
static const char P_CORES[] = "cpu_core/", E_CORES[] = "cpu_atom/";

/* Formulas of SVE count parts of 128 bits, each row alike. */
static const struct cpu_identity ANY_CPU = {.features = CPU_SVE128};

struct counts {
    size_t count;
    char names[MAX_EVENTS][NAME_BYTES];
    double values[MAX_EVENTS];
    bool used[MAX_EVENTS];
    double seconds, dram_bytes[2];
    bool has_seconds, has_dram[2], multiplexed;
    const struct import_text *dram_from[2]; /* the file that has them */
    bool hybrid, has_e_cycles;
    double p_cycles, e_cycles;
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

static bool is_cycles(const char *inner) {
    return strcmp(inner, "cycles") == 0 || strcmp(inner, "cpu-cycles") == 0;
}

/* Whether an event is of E cores. */
static bool note_kind(struct counts *counts, char *name, double value) {
    const bool of_p = strncmp(name, P_CORES, strlen(P_CORES)) == 0, of_e = strncmp(name, E_CORES, strlen(E_CORES)) == 0;
    counts->hybrid |= of_p || of_e;
    if ((of_p || of_e) && is_cycles(inner_name(name))) {
        *(of_p ? &counts->p_cycles : &counts->e_cycles) += value;
        counts->has_e_cycles |= of_e;
    }
    return of_e;
}

static bool import_perf_add_event(struct counts *counts, const struct import_text *file, char *name, const char *unit,
                                  double value, struct error *err) {
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
        if (counts->has_dram[traffic->writes] && counts->dram_from[traffic->writes] != file)
            return import_text_fail(file, NULL, err, "%s was counted in another file, too; one of them is enough",
                                    name);
        counts->has_dram[traffic->writes] = true;
        counts->dram_from[traffic->writes] = file;
        return true;
    }
    for (size_t i = 0; i < sizeof ALIASES / sizeof ALIASES[0]; i++)
        if (strcasecmp(inner, ALIASES[i][0]) == 0)
            inner = ALIASES[i][1];
    plain_name(note_kind(counts, name, value) ? name : inner, plain); /* the formulas are those of P cores */
    for (size_t i = 0; i < counts->count; i++)
        if (strcmp(counts->names[i], plain) == 0) /* another run with the same event, or another kind of core */
            return import_text_fail(file, NULL, err, "%s occurs twice", name);
    if (counts->count == MAX_EVENTS)
        return import_text_fail(file, NULL, err, "more than %d events", MAX_EVENTS);
    memcpy(counts->names[counts->count], plain, sizeof plain);
    counts->values[counts->count++] = value;
    return true;
}

/* Events that could not be counted are left out, but an uncounted DRAM event is an error. perf calls events of cores
 * on which the program never ran "not counted". */
static bool skip_uncounted(struct counts *counts, const struct import_text *file, const struct csv_row *row,
                           struct error *err) {
    cut_modifiers(row->cells[2]);
    if (strcmp(row->cells[0], "<not counted>") == 0)
        note_kind(counts, row->cells[2], 0);
    return !find_traffic(inner_name(row->cells[2]), "MiB") ||
           import_text_fail(file, NULL, err, "%.40s: %.60s", row->cells[0], row->cells[2]);
}

static const struct unread_form FORMS[] = {
    {"Performance counter stats for", "this is perf stat's text: run it with -x,"},
    {"^{", "this is perf stat's JSON (-j): run it with -x, instead"},
    {"^# Overhead", "this is a report of samples: make counts with perf stat -x,"},
    {"^# To display the perf.data header", "this is a report of samples: make counts with perf stat -x,"},
    {NULL, NULL},
};

/* perf's forms with other rows, each by the first cells of one. */
static bool check_form(const struct import_text *file, const struct csv_row *row, struct error *err) {
    const char *first = row->cells[0];
    double number;
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
static const char *import_perf_read_value(const struct csv_row *row, double *out) {
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
static bool import_perf_read_row(struct counts *counts, const struct import_text *file, const struct csv_row *row,
                                 struct error *err) {
    double value, number, percent;
    const char *first = with_point(row->cells[0]);
    if (*first == '#' || (row->count > 3 && !*first && !*row->cells[1] && !*row->cells[2])) /* another metric of -M */
        return true;
    if (!check_form(file, row, err))
        return false;
    if (*first == '<')
        return skip_uncounted(counts, file, row, err);
    const char *trouble = import_perf_read_value(row, &value);
    if (trouble)
        return csv_fail(file, row, NULL, 1, err, "%.40s: '%.40s' %s", row->cells[2], first, trouble);
    for (size_t i = 3; i + 1 < row->count; i++) /* with -r a deviation precedes these two */
        counts->multiplexed |= !import_number(row->cells[i], &number) && number > 1e3 &&
                               !import_number(with_point(row->cells[i + 1]), &percent) && percent < 99.995;
    return import_perf_add_event(counts, file, row->cells[2], row->cells[1], value, err);
}

/* perf stat -o FILE --append. */
static bool has_several_runs(const struct import_text *file) {
    static const char BEGIN[] = "# started on ";
    const char *first = strstr(file->text, BEGIN);
    return first && strstr(first + 1, BEGIN);
}

static bool import_perf_read_file(struct counts *counts, struct import_text *file, struct error *err) {
    struct csv_row row;
    char *line;
    if (import_unread_form(file, FORMS, err))
        return false;
    if (has_several_runs(file))
        return import_file_fail(file, err, "has several runs (--append): give a file of one run");
    while ((line = import_text_line(file)) && (*line == '#' || !*line))
        ;
    if (!line)
        return import_file_fail(file, err, "has no events; is it output of perf stat -x, ?");
    char separator = csv_separator(line);
    import_text_back(file);
    do {
        if (!csv_read(file, separator, &row, err) || (row.count > 0 && !import_perf_read_row(counts, file, &row, err)))
            return false;
    } while (row.count > 0);
    return true;
}

static long import_perf_find(const struct counts *counts, const char *event) {
    char plain[NAME_BYTES];
    plain_name(event, plain);
    for (size_t i = 0; i < counts->count; i++)
        if (strcmp(counts->names[i], plain) == 0)
            return (long)i;
    return -1;
}

/* An event of several unit masks, "LS_DISPATCH:LD_DISPATCH:LD_ST_DISPATCH", is also the sum of events of one each.
 * `use`: it becomes part of a result. False: it was not counted. */
static bool import_perf_value_of(struct counts *counts, const char *event, bool use, double *out) {
    const size_t base = strcspn(event, ":");
    const long whole = import_perf_find(counts, event);
    *out = 0;
    for (const char *mask = event + base; whole < 0 && *mask; mask += 1 + strcspn(mask + 1, ":")) {
        char part[2 * NAME_BYTES];
        snprintf(part, sizeof part, "%.*s%.*s", (int)base, event, (int)(1 + strcspn(mask + 1, ":")), mask);
        const long at = strcmp(part, event) == 0 ? -1 : import_perf_find(counts, part);
        if (at < 0)
            return false;
        counts->used[at] |= use;
        *out += counts->values[at];
    }
    if (whole >= 0) {
        counts->used[whole] |= use;
        *out = counts->values[whole];
    }
    return whole >= 0 || event[base] == ':';
}

static unsigned present(struct counts *counts, const struct event_formula *formula) {
    unsigned found = 0;
    double value;
    for (unsigned t = 0; t < formula->term_count; t++)
        found += import_perf_value_of(counts, formula->terms[t].event, false, &value);
    return found;
}

/* Chooses, among the formulas of all CPUs, the one with most counted events; `missing` names an event that it lacks. */
static bool import_perf_choose(struct counts *counts, enum metric metric, struct event_formula *out, char *missing,
                               size_t size) {
    struct event_set *set = need_malloc(sizeof *set);
    unsigned most = 0;
    *out = (struct event_formula){.term_count = 0};
    for (size_t i = 0; set && events_pmu_at(i); i++) {
        events_find(&ANY_CPU, events_pmu_at(i), set);
        const struct event_formula *formula = &set->metrics[metric];
        unsigned found = present(counts, formula);
        if (found > most || (found == most && found > 0 && formula->term_count < out->term_count)) {
            most = found;
            *out = *formula;
        }
    }
    free(set);
    *missing = '\0';
    double value;
    for (unsigned t = 0; t < out->term_count; t++)
        if (!import_perf_value_of(counts, out->terms[t].event, false, &value))
            snprintf(missing, size, "%s", out->terms[t].event);
    return most > 0;
}

/* The widths of operations are known by another name (ALIASES), or of kinds that have none. */
static bool is_flop(const char *plain) {
    static const char WIDTHS[] = "fp_ops_retired_by_width";
    plain += strncmp(plain, E_CORES, strlen(E_CORES)) == 0 ? strlen(E_CORES) : 0;
    return strncmp(plain, "fp_", 3) == 0 && strncmp(plain, WIDTHS, strlen(WIDTHS)) != 0;
}

static double import_perf_evaluate(struct counts *counts, const struct event_formula *formula) {
    double sum = 0, value;
    for (unsigned t = 0; t < formula->term_count; t++)
        if (import_perf_value_of(counts, formula->terms[t].event, true, &value))
            sum += value * formula->terms[t].factor;
    return sum;
}

/* Whether the event is one of a type's flop of which nothing was counted: then the program is taken to have none. */
static bool of_absent_type(struct counts *counts, const struct event_set *set, const char *event) {
    for (size_t m = 0; m < FLOP_METRICS; m++) {
        const struct event_formula *formula = &set->metrics[FLOP[m].metric];
        for (unsigned t = 0; t < formula->term_count; t++)
            if (strcmp(formula->terms[t].event, event) == 0)
                return present(counts, formula) == 0;
    }
    return false;
}

/* An event of SVE that occurred: its vectors' length is not in the file. */
static const char *of_sve(struct counts *counts, const struct event_formula *formula) {
    double value;
    for (unsigned t = 0; t < formula->term_count; t++)
        if (formula->sve_terms & 1u << t && import_perf_value_of(counts, formula->terms[t].event, false, &value) &&
            value > 0)
            return formula->terms[t].event;
    return NULL;
}

/* By the row with most counted events of the width; 0: not known. */
static double find_width_bytes(struct counts *counts) {
    struct event_set *set = need_malloc(sizeof *set);
    double out = 0;
    unsigned most = 0;
    for (size_t i = 0; events_pmu_at(i); i++) {
        double values[EVENTS_MAX_TERMS] = {0};
        events_find(&ANY_CPU, events_pmu_at(i), set);
        const struct event_formula *formula = &set->metrics[METRIC_WIDTH_BYTES];
        const unsigned found = present(counts, formula);
        bool whole = found > most;
        for (unsigned t = 0; whole && t < formula->term_count; t++)
            whole = import_perf_value_of(counts, formula->terms[t].event, false, &values[t]) ||
                    of_absent_type(counts, set, formula->terms[t].event);
        if (whole) {
            out = of_sve(counts, formula) ? 0 : events_width_bytes(set, values);
            most = found;
        }
    }
    free(set);
    return out;
}

/* Bytes, estimated as by `carmine app --counters papi`. */
static void add_bytes(struct counts *counts, struct app_point *point) {
    struct event_formula loads, stores;
    char missing[NAME_BYTES];
    if (!import_perf_choose(counts, METRIC_LOADS, &loads, missing, sizeof missing) || *missing ||
        !import_perf_choose(counts, METRIC_STORES, &stores, missing, sizeof missing) || *missing)
        return;
    const double width_bytes = find_width_bytes(counts);
    if (width_bytes > 0) {
        import_add(&point->load_bytes, width_bytes * import_perf_evaluate(counts, &loads));
        import_add(&point->store_bytes, width_bytes * import_perf_evaluate(counts, &stores));
    }
    doubts_add(&point->doubts, width_bytes > 0 ? DOUBT_ESTIMATED_BYTES : DOUBT_WIDTH_UNKNOWN);
}

/* Flop of E cores are in no event. */
static bool ran_on_p_cores(const struct counts *counts, const struct import_text *file, struct error *err) {
    const double tolerated = 0.01, cycles = counts->p_cycles + counts->e_cycles;
    if (!counts->hybrid)
        return true;
    if (!counts->has_e_cycles)
        return import_file_fail(
            file, err,
            "its flop are those of P cores (cpu_core), and whether the program ran on E cores is not "
            "known: count the cycles too (perf stat -e cycles,…)");
    return counts->e_cycles <= tolerated * cycles ||
           import_file_fail(
               file, err,
               "%.0f %% of its cycles were on E cores (cpu_atom), which have no event for flop; keep it on P "
               "cores (taskset -c)",
               100 * counts->e_cycles / cycles);
}

/* Error: events of a formula are missing. */
static bool import_perf_make_core(struct counts *counts, struct app_point *point, const struct import_text *file,
                                  struct error *err) {
    struct event_formula formula;
    char missing[NAME_BYTES];
    double most = -1;
    for (size_t m = 0; m < FLOP_METRICS; m++) {
        if (!import_perf_choose(counts, FLOP[m].metric, &formula, missing, sizeof missing))
            continue;
        if (*missing)
            return import_file_fail(file, err, "its %s flop also need the event %s", FLOP[m].type, missing);
        const char *sve = of_sve(counts, &formula);
        if (sve)
            return import_file_fail(file, err,
                                    "%s counts 128-bit parts of SVE vectors, and the file does not tell their length: "
                                    "measure with `carmine app --counters papi` there, or give flop in a table "
                                    "(import csv)",
                                    sve);
        double flop = import_perf_evaluate(counts, &formula);
        import_add(&point->flop, flop);
        if (flop > most)
            snprintf(point->flop_type, sizeof point->flop_type, "%s", FLOP[m].type);
        most = flop > most ? flop : most;
    }
    if (point->flop.n > 0 && !ran_on_p_cores(counts, file, err))
        return false;
    add_bytes(counts, point);
    for (size_t i = 0; i < counts->count; i++)
        if (is_flop(counts->names[i]) && !counts->used[i])
            return import_file_fail(file, err,
                                    "%s is in no known formula; flop would be counted twice or not at "
                                    "all",
                                    counts->names[i]);
    return true;
}

static bool import_perf_read(const struct import_request *request, struct import_text *files, size_t count,
                             struct import *out, struct error *err) {
    struct counts *counts = need_calloc(1, sizeof *counts);
    struct app_point *point = import_region(out, request, "");
    bool done = true;
    for (size_t i = 0; done && i < count; i++)
        done = import_perf_read_file(counts, &files[i], err);
    done = done && import_perf_make_core(counts, point, &files[0], err);
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
        done =
            import_file_fail(&files[0], err,
                             "none of its %zu events counts flop or DRAM bytes; known: "
                             "fp_arith_inst_retired.*, fp_ret_sse_avx_ops.all, fp_fixed_ops_spec, cas_count_read and "
                             "_write, data_reads and data_writes (in MiB)",
                             counts->count);
    free(counts);
    return done;
}

const struct import_format import_perf = {
    .name = "perf",
    .summary = "perf stat -x,: flop, bytes and DRAM bytes from the events that carmine knows",
    .read = import_perf_read,
};
