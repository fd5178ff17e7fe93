/* SPDX-License-Identifier: BSD-3-Clause
 * Reading the command line (see options.h). */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char options_help[] =
    "usage: carmine-workload NAME --size N,… [options]\n"
    "       carmine-workload --list\n"
    "Runs a built-in workload and prints one JSON object a line for each size. `carmine workload` measures with it.\n"
    "  --size N,…        sizes; what they count is the workload's\n"
    "  --type f64|f32    element type (f64)\n"
    "  --threads N       one on each core (1)\n"
    "  --repeat N        repetitions (20)\n"
    "  --budget S        repetitions end when they took so long, one at least (no limit)\n"
    "  --runs N|auto     runs of a repetition (auto: as many as take --cycles)\n"
    "  --cycles N        what a repetition takes at least (1e8)\n"
    "  --min-seconds S   the same in seconds\n"
    "  --data cold|warm  whether data is in the caches before a run (cold)\n"
    "  --code warm|cold  whether code is; cold: one run a repetition (warm)\n"
    "  --tlb warm|cold   whether the TLB has the data's pages; cold: one run a repetition (warm, as far as data is)\n"
    "  --cold-by auto|copies|flush  how data is made cold: by a copy for every run, or flushed lines (auto)\n"
    "  --write-back even|counted|left-out  of what a run leaves changed in the caches: others' lines make up for it\n"
    "                    (even); it is written back at the end, within the mark and not the time; or not. The last "
    "two:\n"
    "                    one run a repetition, and no others' changed lines\n"
    "  --last-level B    bytes of the last cache, where a simulated one is to be cold (this machine's)\n"
    "  --block N         block size of the workloads that have one\n"
    "  --isa NAME        instruction set: sse, avx, avx2, avx512 (the widest here)\n"
    "  --file LIBRARY    a workload of one's own, compiled (bench/workloads/carmine_workload.h); NAME is what it is "
    "called\n"
    "  --counted         to be counted: a thread that is done sleeps instead of spinning, and no clock is read\n"
    "  --simulated       caches are simulated meanwhile: the result isn't checked, and warm data has a run before "
    "that\n"
    "                    does not count\n"
    "  --list            the workloads, one JSON object a line\n";

enum option_number {
    SIZE = 256,
    TYPE,
    THREADS,
    REPEAT,
    BUDGET,
    RUNS,
    CYCLES,
    MIN_SECONDS,
    DATA,
    CODE,
    TLB,
    COLD_BY,
    WRITE_BACK,
    LAST_LEVEL,
    BLOCK,
    ISA,
    COUNTED,
    SIMULATED,
    OWN_FILE,
    LIST,
    HELP
};
static const struct option option_table[] = {
    {"size", required_argument, NULL, SIZE},
    {"type", required_argument, NULL, TYPE},
    {"threads", required_argument, NULL, THREADS},
    {"repeat", required_argument, NULL, REPEAT},
    {"budget", required_argument, NULL, BUDGET},
    {"runs", required_argument, NULL, RUNS},
    {"cycles", required_argument, NULL, CYCLES},
    {"min-seconds", required_argument, NULL, MIN_SECONDS},
    {"data", required_argument, NULL, DATA},
    {"code", required_argument, NULL, CODE},
    {"tlb", required_argument, NULL, TLB},
    {"cold-by", required_argument, NULL, COLD_BY},
    {"write-back", required_argument, NULL, WRITE_BACK},
    {"last-level", required_argument, NULL, LAST_LEVEL},
    {"block", required_argument, NULL, BLOCK},
    {"isa", required_argument, NULL, ISA},
    {"counted", no_argument, NULL, COUNTED},
    {"simulated", no_argument, NULL, SIMULATED},
    {"file", required_argument, NULL, OWN_FILE},
    {"list", no_argument, NULL, LIST},
    {"help", no_argument, NULL, HELP},
    {NULL, 0, NULL, 0},
};

/* A whole number from 1 to `most`; "1e6" is one, too. */
static bool parse_count(const char *text, const char *what, double most, uint64_t *out, struct error *err) {
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value >= 1 && value <= most) || value != floor(value))
        return error_set(err, "%s takes a whole number from 1 to %g, not '%s'", what, most, text);
    *out = (uint64_t)value;
    return true;
}

static bool parse_positive(const char *text, const char *what, double *out, struct error *err) {
    char *end;
    *out = strtod(text, &end);
    if (end == text || *end || !(*out > 0) || isinf(*out))
        return error_set(err, "%s takes a positive number, not '%s'", what, text);
    return true;
}

/* The index of `text` among words separated by '|'. */
static bool parse_choice(const char *text, const char *what, const char *words, unsigned *out, struct error *err) {
    const size_t length = strlen(text);
    unsigned index = 0;
    for (const char *word = words; word; word = strchr(word, '|') ? strchr(word, '|') + 1 : NULL, index++)
        if (strcspn(word, "|") == length && strncmp(word, text, length) == 0) {
            *out = index;
            return true;
        }
    return error_set(err, "%s takes %s, not '%s'", what, words, text);
}

static bool parse_sizes(char *text, struct options *out, struct error *err) {
    static const double MAX = 1e15;
    char *rest = text;
    for (char *word; (word = strsep(&rest, ","));) {
        if (out->size_count == OPTIONS_MAX_SIZES)
            return error_set(err, "--size takes at most %d sizes", OPTIONS_MAX_SIZES);
        if (!parse_count(word, "--size", MAX, &out->sizes[out->size_count++], err))
            return false;
    }
    return true;
}

static bool parse_option(int option, char *value, struct options *out, struct error *err) {
    static const double MAX_THREADS = 65536, MAX = 1e9, MAX_BYTES = 0x1p40;
    uint64_t count = 0;
    unsigned choice = 0;
    bool done = true;
    switch (option) {
    case SIZE:
        return parse_sizes(value, out, err);
    case TYPE:
        out->type = value;
        return true;
    case THREADS:
        done = parse_count(value, "--threads", MAX_THREADS, &count, err);
        out->threads = (unsigned)count;
        return done;
    case REPEAT:
        done = parse_count(value, "--repeat", MAX, &count, err);
        out->repetitions = (unsigned)count;
        return done;
    case BUDGET:
        return parse_positive(value, "--budget", &out->budget_s, err);
    case RUNS:
        return strcmp(value, "auto") == 0 || parse_count(value, "--runs", MAX, &out->runs, err);
    case CYCLES:
        return parse_positive(value, "--cycles", &out->cycles, err);
    case MIN_SECONDS:
        return parse_positive(value, "--min-seconds", &out->seconds, err);
    case DATA:
        done = parse_choice(value, "--data", "warm|cold", &choice, err);
        out->caches.data_cold = choice;
        return done;
    case CODE:
        done = parse_choice(value, "--code", "warm|cold", &choice, err);
        out->caches.code_cold = choice;
        return done;
    case TLB:
        done = parse_choice(value, "--tlb", "warm|cold", &choice, err);
        out->caches.tlb_cold = choice;
        return done;
    case COLD_BY:
        done = parse_choice(value, "--cold-by", "auto|copies|flush", &choice, err);
        out->caches.by = (enum cold_by)choice;
        return done;
    case WRITE_BACK:
        done = parse_choice(value, "--write-back", "even|counted|left-out", &choice, err);
        out->caches.write_back = (enum write_back)choice;
        return done;
    case LAST_LEVEL:
        return parse_count(value, "--last-level", MAX_BYTES, &out->last_level_bytes, err);
    case BLOCK:
        return parse_count(value, "--block", MAX, &out->block, err);
    case ISA:
        out->isa = value;
        return true;
    case COUNTED:
        return out->counted = true;
    case SIMULATED:
        return out->simulated = true;
    case OWN_FILE:
        out->file = value;
        return true;
    case LIST:
        return out->list = true;
    default:
        return out->help = true;
    }
}

/* Copies leave changed lines of runs before. */
static bool options_write_back(struct options *out, struct error *err) {
    if (out->caches.write_back == WRITE_BACK_EVEN)
        return true;
    if (out->runs > 1 || out->caches.by == COLD_BY_COPIES)
        return error_set(err, "with --write-back a repetition is one run on flushed data; leave out %s",
                         out->runs > 1 ? "--runs" : "--cold-by copies");
    out->caches.by = out->caches.data_cold ? COLD_BY_FLUSH : out->caches.by;
    return true;
}

bool options_parse(int argc, char **argv, struct options *out, struct error *err) {
    *out =
        (struct options){.type = "f64", .threads = 1, .repetitions = 20, .cycles = 1e8, .caches = {.data_cold = true}};
    opterr = 0;
    optind = 0; /* from the start */
    for (int option; (option = getopt_long(argc, argv, "", option_table, NULL)) != -1;) {
        if (option == '?')
            return error_set(err, "%s: unknown, or without its value; see carmine-workload --help", argv[optind - 1]);
        if (!parse_option(option, optarg, out, err))
            return false;
    }
    if (out->help || out->list)
        return true;
    if (argc - optind != 1)
        return error_set(err, "name one workload; carmine-workload --list prints them");
    out->workload = argv[optind];
    if (out->size_count == 0)
        return error_set(err, "--size is missing; carmine-workload --list says what it counts");
    if ((out->caches.code_cold || out->caches.tlb_cold) && out->runs > 1)
        return error_set(err, "with %s a repetition is one run; leave out --runs",
                         out->caches.code_cold ? "cold code" : "a cold TLB");
    return options_write_back(out, err);
}
