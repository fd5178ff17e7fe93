/* SPDX-License-Identifier: BSD-3-Clause
 * carmine workload: measures built-in numerical kernels like applications, in series of sizes. */
#include "commands.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "asm/instruction.h"
#include "bench/programs/child.h"
#include "carm/chart/chart.h"
#include "carm/model/verdict_words.h"
#include "carm/options/install_paths.h"
#include "carm/options/measure_options.h"
#include "carm/options/view_options.h"
#include "carm/options/workload_study.h"
#include "carm/report/next_answers.h"
#include "carm/report/report.h"
#include "carm/report/report_app.h"
#include "carm/report/result_answer.h"
#include "carm/report/validate_report.h"
#include "carm/session/app_results.h"
#include "carm/session/measure.h"
#include "carm/store/fields.h"
#include "carm/store/file_io.h"
#include "carm/text/csv.h"
#include "carm/text/notice.h"
#include "probe/error.h"
#include "probe/events/papi.h"
#include "probe/need.h"
#include "render/page/plot.h"

static const struct cli_option OPTIONS[] = {
    {"output", 'o', "FILE", "add the points to this result of `carmine run` (created without roofs if missing)"},
    {"cflags", 0, "FLAGS",
     "of MY.c: flags, perhaps behind a compiler: 'clang -O2' (default: " COMPILE_FLAGS " of $CC or cc, for C++ $CXX or "
     "c++)"},
    {"name", 0, "TEXT", "of MY.c: name of the points (default: the file's, with --cflags)"},
    {"annotate", 0, NULL, "of MY.c: show the code of its run() at the first size, instruction by instruction"},
    {"sizes", 0, "LIST",
     "sizes, such as 1000,2000 or 100:3000:+300, 1000:10M:*2, 2^5..2^22 (default: some for each level)"},
    {"type", 0, "FLOAT", "{} (default: f64)"},
    {"isa", 0, "SIMD", "instruction set of its code: {} (default: the widest of the CPU)"},
    {"threads", 0, "N|all,…",
     "thread counts, such as 1,2,all (default: 1): one per core; more threads share cores (SMT) or take turns"},
    {"state", 0, "STATE,…",
     "data, code and TLB before each run, and in DRAM bytes the lines that it leaves changed: {} (default: "
     "cold,code-warm)"},
    {"block", 0, "N", "block size of blocked workloads (default: their own)"},
    {"repeat", 0, "N", "repetitions (default: 20, or fewer if they would take over 20 s)"},
    {"statistic", 0, "NAME", "median (default), or min-of-K: each repetition is the fastest of K runs"},
    {"quick", 0, NULL, "measure in a tenth of the time"},
    {"events", 0, "FILE", "native counter events for DRAM bytes and TLB misses: see docs/counters.md"},
    LEVELS_OPTION("; repeat=3: three times, each with other lines, for the quartiles of DRAM bytes"),
    {"plot", 0, "FILE", "draw the roofline with these points (" PLOT_FORMATS ")"},
    {"validate", 0, NULL, "compare counts with theory, for all or the named workloads; status 1 if they differ"},
    {0},
};

/* All measured points, and the result that stores them. */
struct record {
    struct app_target target;
    size_t count, capacity, planned, printed, replaced;
    struct workload_outcome *outcomes;
    struct plot_terminal terminal;
    bool annotate; /* of the first point of each series */
};

static void cmd_workload_show_progress(const struct workload_request *request, const char *what) {
    if (what)
        status_line_show("  %s %" PRIu64 ": %s", request->name, request->size, what);
    else
        status_line_clear();
}

static struct app_point *cmd_workload_points_of(const struct workload_outcome *outcomes, size_t count) {
    struct app_point *points = need_calloc(count + 1, sizeof *points);
    for (size_t i = 0; i < count; i++)
        points[i] = outcomes[i].point;
    return points;
}

/* Prints all outcomes not printed yet. */
static void print_series(struct record *record, const struct workload_request *request) {
    const size_t from = record->printed, count = record->count - from;
    if (count == 0)
        return;
    record->printed = record->count;
    struct model model = model_build(record->target.result);
    struct app_point *points = cmd_workload_points_of(record->outcomes + from, count);
    printf("%s── %s ──\n\n", from ? "\n" : "", points[0].series);
    report_workload_print(&model, points, count, stdout);
    report_workload_notes_print(request, record->outcomes + from, count, stdout);
    if (request->own)
        workload_validation_print_claim(request->own->file, record->outcomes + from, count, stdout);
    const struct annotation *code = record->outcomes[from].annotations;
    if (code)
        fputc('\n', stdout);
    if (code)
        annotation_answer_print(code, code, 1, &(struct screen){&record->terminal, stdout});
    fflush(stdout);
    free(points);
    model_free(&model);
}

/* Adds the point to the file at once, so that nothing measured is lost. */
static bool cmd_workload_keep(struct record *record, const struct workload_outcome *outcome, struct error *err) {
    if (record->count == record->capacity) {
        record->capacity = record->capacity ? 2 * record->capacity : 16;
        record->outcomes = need_realloc(record->outcomes, record->capacity * sizeof *record->outcomes);
    }
    struct workload_outcome *kept = &record->outcomes[record->count];
    size_t replaced;
    *kept = *outcome;
    record->target.annotations = kept->annotations;
    record->target.annotation_count = kept->annotation_count;
    const struct progress lacking = {"workload", record->count + 1, record->planned, "points"};
    if (!app_target_add(&record->target, &kept->point, 1, "workload", lacking.done < lacking.planned ? &lacking : NULL,
                        &replaced, err))
        return false;
    record->replaced += replaced;
    record->count++;
    return true;
}

/* All points of the study, series after series. Returns their number. */
static size_t plan_points(const struct workload_study *study, bool validation, bool annotate,
                          struct workload_request **out) {
    const size_t thread_count = validation ? 1 : study->thread_count;
    struct workload_request *requests = need_calloc(study->workload_count * thread_count * SIZES_MAX, sizeof *requests);
    uint64_t sizes[SIZES_MAX];
    size_t count = 0;
    for (size_t w = 0; w < study->workload_count; w++)
        for (size_t t = 0; t < thread_count; t++) {
            const size_t size_count = workload_study_sizes(study, study->workloads[w], validation, sizes);
            for (size_t i = 0; i < size_count; i++) {
                struct workload_request *request = &requests[count++];
                *request = study->request;
                request->name = study->workloads[w]->name;
                request->size = sizes[i];
                request->annotate = annotate && i == 0;
                workload_place(request, study->threads[t]);
            }
        }
    *out = requests;
    return count;
}

/* Times the counted points one after the other, with nothing else running. `data`: prints no series. */
static bool time_points(const struct workload_request *requests, size_t counted, struct workload_outcome *outcomes,
                        struct record *record, bool data, struct error *err) {
    for (size_t i = 0; i < counted; i++) {
        if (child_stopped() || !workload_time(&requests[i], &outcomes[i], err) ||
            !cmd_workload_keep(record, &outcomes[i], err))
            return false;
        const bool last = record->count == record->planned || !workload_same_series(&requests[i], &requests[i + 1]);
        if (last && !data)
            print_series(record, &requests[i]);
    }
    return true;
}

static bool measure_all(const struct workload_study *study, struct record *record, bool data, struct error *err) {
    struct workload_request *requests;
    record->planned = plan_points(study, false, record->annotate, &requests);
    struct workload_outcome *outcomes = need_calloc(record->planned, sizeof *outcomes);
    bool done = true;
    while (done && record->count < record->planned) {
        struct workload_request *next = &requests[record->count];
        const size_t counted = workload_count_some(next, record->planned - record->count, outcomes, err);
        done = counted > 0 && time_points(next, counted, outcomes, record, data, err);
    }
    if (!data && record->count > 0) /* also after a failure */
        print_series(record, &requests[record->count - 1]);
    free(outcomes);
    free(requests);
    return done;
}

static bool cmd_workload_draw(const struct record *record, const char *path, struct error *err) {
    const char **names = need_calloc(record->count + 1, sizeof *names);
    for (size_t i = 0; i < record->count; i++)
        names[i] = record->outcomes[i].point.name;
    struct model model = model_build(record->target.result);
    bool done = chart_roofline(&model, &(struct chart_options){.points = names}, path, err);
    model_free(&model);
    free(names);
    return done;
}

static json_t *workload_json(const struct model *model, const struct app_point *points, size_t count) {
    return json_pack("{s:s,s:o}", "schema", "carmine.workload/1", "points", report_points_json(model, points, count));
}

json_t *workload_described(const struct model *model) {
    return workload_json(model, model->result->points, 1);
}

/* The last point's verdict is the reason that nothing is next. */
static void cmd_workload_print_data(const struct arguments *arguments, const struct record *record) {
    char words[VERDICT_WORDS_BYTES];
    struct model model = model_build(record->target.result);
    struct app_point *points = cmd_workload_points_of(record->outcomes, record->count);
    const struct verdict verdict = verdict_find(&model, &points[record->count - 1]);
    json_t *next = next_step_json(NEXT_NOTHING, "", verdict_words(&verdict, &points[record->count - 1], words));
    view_options_print(arguments, next_add(workload_json(&model, points, record->count), next), "points");
    free(points);
    model_free(&model);
}

/* Checked before anything is measured. */
static bool cmd_workload_drawable(const struct record *record, const struct arguments *arguments, struct error *err) {
    if (cli_given(arguments, "plot") && record->target.result->sample_count == 0)
        return error_set(
            err,
            "--plot: there are no roofs to draw; measure them with `carmine run -o FILE`, then name that FILE with -o");
    return view_options_plot(arguments, err);
}

/* Stores and prints the points measured so far, also after a failure. */
static int study_run(const struct arguments *arguments, struct workload_study *study, struct record *record,
                     struct error *err) {
    const char *plot = cli_value(arguments, "plot");
    const bool data = view_options_data(arguments);
    record->annotate = cli_given(arguments, "annotate");
    child_catch_signals();
    bool done = measure_all(study, record, data, err);
    if (data && record->count > 0)
        cmd_workload_print_data(arguments, record);
    fflush(stdout);
    if (record->count > 0)
        app_target_tell(&record->target, record->count, record->replaced);
    if (child_stopped()) {
        error_set(err, "interrupted; %zu point%s measured", record->count, record->count == 1 ? " was" : "s were");
        return 128 + child_stopped();
    }
    return done && (!plot || cmd_workload_draw(record, plot, err)) ? CLI_DONE : CLI_ERROR;
}

/* Counts without timing. */
static int validate(const struct arguments *arguments, struct workload_study *study, struct error *err) {
    struct workload_request *requests;
    struct workload_validation *rows = need_calloc(study->workload_count, sizeof *rows);
    const size_t count = plan_points(study, true, false, &requests);
    struct workload_outcome *outcomes = need_calloc(count, sizeof *outcomes);
    uint64_t sizes[SIZES_MAX];
    bool done = true, passed = true;
    child_catch_signals();
    for (size_t counted = 0, some; done && counted < count; counted += some) {
        some = workload_count_some(&requests[counted], count - counted, &outcomes[counted], err);
        done = some > 0;
    }
    for (size_t w = 0, from = 0; w < study->workload_count && done; w++) {
        const size_t size_count = workload_study_sizes(study, study->workloads[w], true, sizes);
        rows[w] = workload_validation_make(&outcomes[from], size_count);
        passed &= rows[w].passed;
        from += size_count;
    }
    if (done && view_options_data(arguments))
        view_options_print(
            arguments,
            next_add(workload_validation_json(rows, study->workload_count), next_step_json(NEXT_NOTHING, "", NULL)),
            "workloads");
    else if (done)
        workload_validation_print(rows, study->workload_count, stdout);
    free(rows);
    free(outcomes);
    free(requests);
    return child_stopped() ? 128 + child_stopped() : !done ? CLI_ERROR : passed ? CLI_DONE : CLI_NO;
}

/* The events of --events, else of the core. `tlb_misses`: whether TLB misses can be counted here. */
static bool choose_events(const struct arguments *arguments, const struct machine *machine, struct event_set *out,
                          bool *tlb_misses, struct error *err) {
    const char *named = cli_value(arguments, "events");
    struct papi_status papi = {.counters = named != NULL};
    events_find(&machine->cpu, NULL, out);
    if (named && !events_load(named, out, err))
        return false;
    if (!named && !cli_given(arguments, "validate")) /* --validate times nothing */
        papi_probe(&papi);
    *tlb_misses = papi.counters;
    return true;
}

static bool compile_own(struct workload_study *study, const struct arguments *arguments, struct scratch *scratch,
                        struct error *err) {
    child_catch_signals(); /* else the folder would remain */
    if (!scratch_make(scratch, err) || !workload_file_compile(&study->file, &study->request, scratch, err))
        return child_stopped() ? error_set(err, "interrupted") : false;
    study->request.own = &study->file.own;
    study->request.command = arguments->line;
    return true;
}

/* Whether nothing was typed that says what or how to measure. */
static bool is_bare(const struct arguments *arguments) {
    const struct cli_option *option;
    for (size_t i = 0; (option = cli_option_at(arguments->command, i)); i++)
        if (cli_typed(arguments, option->name) && !cli_is_form(option) && strcmp(option->name, "quiet") != 0)
            return false;
    return arguments->operand_count == 0;
}

static json_t *list_answer(const struct workload_list *list) {
    return json_pack("{s:s,s:o}", "schema", "carmine.workloads/1", "workloads", workload_list_json(list));
}

json_t *workloads_described(const struct model *model) {
    (void)model;
    return list_answer(&(struct workload_list){.count = 1});
}

static void print_workloads(const struct arguments *arguments, const struct workload_list *list) {
    if (cli_given(arguments, "json"))
        fields_print(next_add(list_answer(list), next_step_json(NEXT_NOTHING, "", NULL)));
    else if (cli_given(arguments, "csv"))
        csv_print_rows(workload_list_json(list), stdout);
    else
        workload_list_print(list, stdout);
}

/* Without the exact counter theory tells the work; what counts alone tell is refused. */
static bool cmd_workload_find_counts(const struct arguments *arguments, struct event_set *events,
                                     struct workload_request *request, struct error *err) {
    request->uncounted = !instruction_readable(err);
    if (request->uncounted &&
        (cli_given(arguments, "validate") || cli_given(arguments, "annotate") || cli_given(arguments, "levels")))
        return false;
    if (request->uncounted)
        notice_print("flop and bytes are those of theory: %s", err->text);
    request->events = events;
    return choose_events(arguments, request->machine, events, &request->tlb_misses, err);
}

static int cmd_workload_command(const struct arguments *arguments, struct error *err) {
    struct workload_study *study = need_calloc(1, sizeof *study);
    struct workload_list *list = need_calloc(1, sizeof *list);
    struct record record = {.terminal = terminal_find()};
    struct scratch scratch = {0};
    struct session session = {0};
    struct event_set *events = need_calloc(1, sizeof *events);
    char folder[4096], program[4200];
    int status = CLI_ERROR;
    if (!install_paths_folder(WORKLOAD_PROGRAM, folder, sizeof folder, err))
        goto out;
    snprintf(program, sizeof program, "%s/" WORKLOAD_PROGRAM, folder);
    if (!workload_list_read(program, list, err))
        goto out;
    if (is_bare(arguments)) {
        print_workloads(arguments, list);
        status = CLI_DONE;
        goto out;
    }
    if (!session_open(&session, NULL, arguments->line, err))
        goto out;
    const struct machine *machine = &session.result.machine;
    study->request = (struct workload_request){.program = program, .collectors = folder, .machine = machine};
    study->request.progress = cmd_workload_show_progress;
    if (!cmd_workload_find_counts(arguments, events, &study->request, err) ||
        !workload_study_read(arguments, list, machine, study, err) || !view_options_output(arguments, err) ||
        !app_target_find(&record.target, cli_value(arguments, "output"), &session.result, err) ||
        (record.target.path && !file_writable(record.target.path, err)) ||
        !cmd_workload_drawable(&record, arguments, err) ||
        (study->file.wish.file && !compile_own(study, arguments, &scratch, err)))
        goto out;
    study->request.own_llc_bytes = app_target_last_cache_bytes(&record.target);
    status =
        cli_given(arguments, "validate") ? validate(arguments, study, err) : study_run(arguments, study, &record, err);
out:
    scratch_remove(&scratch);
    for (size_t i = 0; i < record.count; i++)
        annotations_free(record.outcomes[i].annotations, record.outcomes[i].annotation_count);
    free(record.outcomes);
    app_target_free(&record.target);
    session_close(&session);
    free(events);
    free(list);
    free(study);
    return status;
}

static const struct cli_example EXAMPLES[] = {
    {"carmine workload", "the available workloads"},
    {"carmine workload daxpy,dgemv -o my.json", "two of them, at sizes for every level"},
    {"carmine workload dgemm-blocked --sizes 100:3000:+300 --threads 1,all --plot dgemm.svg -o my.json",
     "a series of sizes, drawn"},
    {"carmine workload my.c --cflags '-O3 -march=native' --sizes 1K:1M:*10 -o my.json", "your own workload"},
    {"carmine workload --validate", "counts against theory"},
    {0},
};

const struct command command_workload = {
    .name = "workload",
    .operands = "[NAME,…|MY.c]",
    .operands_min = 0,
    .operands_max = 1,
    .summary = "measure built-in numerical kernels in series of sizes",
    .description =
        "Shows numerical kernels on the roofline whose work and traffic are known: BLAS, Fourier and Walsh-Hadamard "
        "transforms, STREAM, conjugate gradients and others; without a NAME they are listed. Each size runs in its own "
        "processes: "
        "once to count flop and bytes exactly, one size per CPU at a time; then, with nothing else running, --repeat "
        "times for its time, each time for 10^8 cycles (10^7 with --quick). Data is cold before each run unless "
        "--state "
        "warm is given; with code-cold or tlb-cold a repetition is one run. Prints measurements beside theory and "
        "beside the roofs. -o adds each point to a result of this machine as soon as it is measured; `carmine plot` "
        "joins the points of a series.\n--validate only counts and compares: status 1 if a workload differs from "
        "theory.\nMY.c is your own workload, compiled from a C or C++ file with two functions: buffers() and "
        "run() of carmine_workload.h (docs/workloads.md).",
    .options = OPTIONS,
    .forms = {[CLI_JSON] = "",
              [CLI_CSV] = "a row per point, of --validate and the list one per workload",
              [CLI_MARKDOWN] = ""},
    .examples = EXAMPLES,
    .run = cmd_workload_command,
};
