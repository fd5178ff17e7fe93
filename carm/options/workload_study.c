/* SPDX-License-Identifier: BSD-3-Clause
 * Makes a study of workloads from the command line. */
#include "workload_study.h"
#include "measure_options.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "asm/element.h"
#include "bench/kernels/team.h"
#include "probe/error.h"

enum { MAX_REPEAT = 10000 };
static const double BUDGET_S = 20, QUICK_BUDGET_S = 2, QUICK_CYCLES = 1e7;

static bool read_states(const struct arguments *arguments, struct workload_request *request, struct error *err) {
    const char *words[WORKLOAD_STATES];
    const struct workload_state *states[WORKLOAD_STATES];
    size_t count;
    if (!cli_chosen(arguments, "state", words, WORKLOAD_STATES, &count, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        for (states[i] = workload_states; states[i]->word != words[i];)
            states[i]++;
        for (size_t k = 0; k < i; k++)
            if (states[k]->field == states[i]->field)
                return error_set(err, "--state: %s and %s exclude each other", words[k], words[i]);
        void *field = (char *)request + states[i]->field;
        if (states[i]->write_back)
            *(const char **)field = states[i]->write_back;
        else
            *(enum app_state *)field = states[i]->state;
    }
    request->data = request->data ? request->data : STATE_COLD;
    request->code = request->code ? request->code : STATE_WARM;
    if (request->write_back && !cli_given(arguments, "levels") && !request->tlb_misses)
        return error_set(err, "--state write-back-%s changes DRAM bytes, which cannot be counted here: add --levels",
                         request->write_back);
    return true;
}

static bool read_count(const struct arguments *arguments, const char *option, unsigned most, unsigned *out,
                       struct error *err) {
    const char *value = cli_value(arguments, option);
    char *end;
    unsigned long number = value ? strtoul(value, &end, 10) : 0;
    if (value && (*value < '0' || *value > '9' || *end || number < 1 || number > most))
        return error_set(err, "--%s takes a number from 1 to %u, not '%s'", option, most, value);
    *out = value ? (unsigned)number : *out;
    return true;
}

/* "median", "min-of-10" */
static bool read_statistic(const struct arguments *arguments, unsigned *least_of, struct error *err) {
    enum { MAX_LEAST_OF = 1000 };
    static const char LEAST[] = "min-of-";
    const char *value = cli_value(arguments, "statistic");
    *least_of = 1;
    if (!value || strcmp(value, "median") == 0)
        return true;
    char *end = NULL;
    const char *number = value + strlen(LEAST);
    unsigned long of =
        strncmp(value, LEAST, strlen(LEAST)) == 0 && *number >= '0' && *number <= '9' ? strtoul(number, &end, 10) : 0;
    if (of < 1 || of > MAX_LEAST_OF || *end)
        return error_set(err, "--statistic takes median, or min-of-K with a K from 1 to %d, not '%s'", MAX_LEAST_OF,
                         value);
    *least_of = (unsigned)of;
    return true;
}

/* --levels simulates one core per thread; threads that share a core would share its caches. */
static bool fits(const struct arguments *arguments, const struct machine *machine, unsigned threads,
                 struct error *err) {
    const unsigned most = TEAM_TURNS_MOST * team_spread(machine, UINT_MAX).cpus;
    if (threads > most)
        return error_set(err, "--threads: %u cores have %u CPUs, for at most %u threads (%d on each), not %u",
                         machine->core_count, most / TEAM_TURNS_MOST, most, TEAM_TURNS_MOST, threads);
    if (threads > machine->core_count && cli_given(arguments, "levels"))
        return error_set(err, "--levels simulates one core per thread: this machine has %u cores, not %u",
                         machine->core_count, threads);
    return true;
}

static bool read_threads(const struct arguments *arguments, const struct machine *machine, struct workload_study *out,
                         struct error *err) {
    struct plan_options options;
    out->threads[0] = 1;
    out->thread_count = 1;
    if (!cli_given(arguments, "threads"))
        return true;
    if (!measure_options_read(arguments, &options, err))
        return false;
    for (size_t i = 0; i < options.thread_count; i++)
        if (options.threads[i] != PLAN_ALL && options.threads[i] != PLAN_DOUBLING &&
            !fits(arguments, machine, options.threads[i], err))
            return false;
    out->thread_count = plan_threads(&options, machine->core_count, out->threads);
    return true;
}

static bool read_options(const struct arguments *arguments, const struct machine *machine, struct workload_study *out,
                         struct error *err) {
    struct workload_request *request = &out->request;
    const char *value;
    size_t count;
    bool quick = cli_given(arguments, "quick");
    request->type = "f64";
    request->repeat = 20;
    request->traffic_repeat = 1;
    request->budget_s = cli_given(arguments, "repeat") ? 0 : quick ? QUICK_BUDGET_S : BUDGET_S;
    request->cycles = quick ? QUICK_CYCLES : 0;
    if (!cli_chosen(arguments, "type", &request->type, 1, &count, err) ||
        !cli_chosen(arguments, "isa", &request->isa, 1, &count, err))
        return false;
    if ((value = cli_value(arguments, "sizes")) && !sizes_parse(value, out->sizes, &out->size_count, err))
        return false;
    return read_threads(arguments, machine, out, err) && read_states(arguments, request, err) &&
           read_count(arguments, "block", 1 << 20, &request->block, err) &&
           read_count(arguments, "repeat", MAX_REPEAT, &request->repeat, err) &&
           levels_options_read(arguments, &request->levels, &request->traffic_repeat, err) &&
           read_statistic(arguments, &request->least_of, err);
}

size_t workload_study_sizes(const struct workload_study *study, const struct workload_entry *entry, bool validation,
                            uint64_t sizes[SIZES_MAX]) {
    size_t count = study->size_count;
    if (count == 0)
        workload_list_sizes(entry, validation, sizes, &count);
    else
        memcpy(sizes, study->sizes, sizeof study->sizes);
    return count;
}

/* Named workloads are all required; --validate without names takes all that can run. */
static bool choose(const struct arguments *arguments, const struct workload_list *list, struct workload_study *out,
                   struct error *err) {
    const char *names = arguments->operand_count ? arguments->operands[0] : NULL;
    bool own;
    if (!workload_file_read(arguments, &out->file, &own, err))
        return false;
    if (own) {
        out->own = (struct workload_entry){.has_f32 = true, .size_least = 1};
        snprintf(out->own.name, sizeof out->own.name, "%s", out->file.name);
        out->workloads[out->workload_count++] = &out->own;
        return true;
    }
    if (!names && !cli_given(arguments, "validate"))
        return error_set(err, "name workloads, such as daxpy,dgemv, or your own file; `carmine workload` lists them");
    return workload_list_choose(list, names, out->request.type, out->workloads, &out->workload_count, err);
}

bool workload_study_read(const struct arguments *arguments, const struct workload_list *list,
                         const struct machine *machine, struct workload_study *out, struct error *err) {
    if (!read_options(arguments, machine, out, err) || !choose(arguments, list, out, err))
        return false;
    unsigned most = 1;
    for (size_t i = 0; i < out->thread_count; i++)
        most = out->threads[i] > most ? out->threads[i] : most;
    for (size_t i = 0; i < out->workload_count; i++)
        if (most > 1 && out->workloads[i]->one_thread)
            return error_set(err, "%s runs on one thread only, not on %u", out->workloads[i]->name, most);
    return true;
}

/* The user's own workload. */

/* The file's name, limited to the characters of region names. */
static void name_after(const char *file, char *out, size_t size) {
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file, *dot = strrchr(base, '.');
    const size_t length = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    snprintf(out, size, "%.*s", (int)length, base);
    for (char *c = out; *c; c++)
        *c = isalnum((unsigned char)*c) || strchr("+-._", *c) ? *c : '_';
}

static bool name_points(const struct arguments *arguments, struct workload_file *out, struct error *err) {
    const char *name = cli_value(arguments, "name"), *cc = out->wish.compiler, *flags = out->wish.flags;
    const int length = name ? snprintf(out->label, sizeof out->label, "%s", name)
                            : snprintf(out->label, sizeof out->label, "%s%s%s%s%s", out->name, cc ? " " : "",
                                       cc ? cc : "", flags && *flags ? " " : "", flags ? flags : "");
    if (name && !*name)
        return error_set(err, "--name must not be empty");
    return (size_t)length < sizeof out->label ||
           error_set(err, "%s is too long for the names of points; give a --name of less than %zu characters",
                     name ? "--name" : "--cflags", sizeof out->label);
}

/* "-O2", or "clang -O2": another compiler is before its flags. */
static void read_compiler(const char *value, struct compile_wish *out) {
    const size_t length = value && *value != '-' ? strcspn(value, " ") : 0;
    out->flags = value;
    if (length == 0)
        return;
    char *compiler = cli_keep(value);
    compiler[length] = '\0';
    out->compiler = compiler;
    out->flags = value[length] ? value + length + 1 : NULL;
}

bool workload_file_read(const struct arguments *arguments, struct workload_file *out, bool *given, struct error *err) {
    static const char *const WITH_FILE[] = {"cflags", "name", "annotate"}, *const BUILT_IN[] = {"isa", "block"};
    const char *operand = arguments->operand_count ? arguments->operands[0] : "";
    *given = strpbrk(operand, "./"); /* no name of a workload has these */
    *out = (struct workload_file){.wish = {.file = *given ? operand : NULL}};
    read_compiler(cli_value(arguments, "cflags"), &out->wish);
    for (size_t i = 0; i < sizeof WITH_FILE / sizeof *WITH_FILE; i++)
        if (!*given && cli_given(arguments, WITH_FILE[i]))
            return error_set(err, "--%s needs a file of your own, such as my.c", WITH_FILE[i]);
    if (!*given)
        return true;
    for (size_t i = 0; i < sizeof BUILT_IN / sizeof *BUILT_IN; i++)
        if (cli_given(arguments, BUILT_IN[i]))
            return error_set(err, "--%s is for built-in workloads; use --cflags, such as -O2 or -DN=8", BUILT_IN[i]);
    if (!cli_given(arguments, "sizes"))
        return error_set(err, "%s needs --sizes, such as 1K:1M:*10: only the file defines the meaning of a size",
                         operand);
    name_after(operand, out->name, sizeof out->name);
    return name_points(arguments, out, err);
}

/* Prints the compiler's errors and warnings. */
static bool compile(const struct compile_wish *wish, const struct scratch *scratch, const char *path,
                    struct error *err) {
    char *messages;
    const bool done = compile_library(wish, scratch, path, &messages, err);
    if (messages)
        fputs(messages, stderr);
    free(messages);
    return done;
}

bool workload_file_compile(struct workload_file *file, const struct workload_request *request,
                           const struct scratch *scratch, struct error *err) {
    struct compile_wish wish = file->wish;
    wish.more = element_find(request->type) == TYPE_F32 ? "-DCARMINE_F32" : "";
    snprintf(file->library, sizeof file->library, "%s/native.so", scratch->path);
    if (!compile_describe(&wish, scratch, file->compiler, sizeof file->compiler, err) ||
        !compile(&wish, scratch, file->library, err))
        return false;
    file->own = (struct workload_own){wish.file, file->label, file->library, file->compiler};
    return true;
}
