/* SPDX-License-Identifier: BSD-3-Clause
 * carmine app: runs a program, places it on the roofline, adds its points to a result, prints and draws. */
#include "commands.h"
#include "ranks_merge.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "asm/instruction.h"
#include "bench/names/symbols.h"
#include "bench/programs/app_points.h"
#include "bench/programs/child.h"
#include "bench/programs/preload.h"
#include "carm/chart/chart.h"
#include "carm/options/install_paths.h"
#include "carm/options/measure_options.h"
#include "carm/options/view_options.h"
#include "carm/report/next_answers.h"
#include "carm/report/report_app.h"
#include "carm/report/result_answer.h"
#include "carm/session/app_results.h"
#include "carm/session/measure.h"
#include "carm/store/fields.h"
#include "carm/store/file_io.h"
#include "carm/store/result_fields.h"
#include "carm/text/csv.h"
#include "carm/text/notice.h"
#include "carm/text/pager.h"
#include "carm/text/shell_word.h"
#include "probe/error.h"
#include "probe/marks/systems.h"
#include "probe/need.h"
#include "probe/text.h"
#include "render/page/plot.h"
#include "render/page/safe_text.h"
#include "render/page/text_stream.h"
#include "render/page/units.h"

static const struct cli_option OPTIONS[] = {
    {"output", 'o', "FILE", "add the points to this result of `carmine run` (created without roofs if missing)"},
    {"name", 0, "NAME", "name of the point and prefix of its regions' names (default: the program's file name)"},
    {"repeat", 0, "N", "timed native runs (default: 20, or as many as fit in one minute, at least 3)"},
    {"counters", 0, "WAY", "how to count flop and bytes: {} (default: auto)"},
    {"by", 0, "PART", "one point per: {} (default: regions if the program marks any)"},
    {"every", 0, "TIME",
     "show the program over time: its phases, and intervals of this length (100ms, 1s); -o stores them"},
    {"annotate", 0, "[=NAME]",
     "show the code of the hottest loop, or of loop or function NAME, with counts per instruction; -o stores it"},
    {"marks", 0, "SYSTEM,…", "whose marks define regions: {} (default: all)"},
    {"flop", 0, "N", "flop of the program, if you know them (one point only)"},
    {"bytes", 0, "N", "bytes that the core loads and stores, if you know them (one point only)"},
    LEVELS_OPTION(""),
    {"events", 0, "FILE", "native counter events, as lines of metric = event * factor + …"},
    {"run", 0, "RUN", "in `mpirun … carmine app`: purpose of its one run: {} (default: count)"},
    {"merge", 0, NULL, "merge ranks' files into one point: `carmine app --merge FILE… -o FILE`"},
    {"force", 0, NULL, "add points even if the program wrote something else when it was counted"},
    {"plot", 0, "FILE", "draw the roofline with the points (" PLOT_FORMATS ")"},
    {"instructions", 0, NULL, "print flop by type and width, and instructions by kind"},
    {"all", 0, NULL, "print everything known of each point, its source, and the verdict in words"},
    {0},
};
static const struct cli_old_option OLD[] = {{"mix", 0, "instructions", ""}, {0}};

enum { REPEAT = 20, MAX_REPEAT = 10000 };
static const double BUDGET_S = 60, EVERY_S = 0.1, LEAST_EVERY_S = 0.01;

static bool cmd_app_read_amount(const struct arguments *arguments, const char *option, double *out, struct error *err) {
    char what[32];
    snprintf(what, sizeof what, "--%s", option);
    return !cli_value(arguments, option) || cli_number(cli_value(arguments, option), what, out, err);
}

/* The command as typed, cut to the size of `out`. */
static void cmd_app_join(char *const *argv, char *out, size_t size) {
    out[0] = '\0';
    for (; *argv; argv++)
        text_append(out, size, "%s%s", *out ? " " : "", *argv);
}

/* Phases need two runs of one program, so that one knows the times, and the other the work. */
static bool read_every(const struct arguments *arguments, struct app_request *out, struct error *err) {
    const char *every = cli_value(arguments, "every");
    out->every_s = EVERY_S;
    if (every && !cli_duration(every, "--every", &out->every_s, err))
        return error_set(err, "--every takes a time such as 100ms or 2s, not '%s'", every);
    if (every && out->every_s < LEAST_EVERY_S)
        return error_set(err, "--every %s: the least is 10ms, because the kernel samples a program every 4 ms at best",
                         every);
    if (every && out->by != APP_BY_WHAT_IS_MARKED && out->by != APP_BY_PHASE)
        return error_set(err, "--every shows phases; leave out %s%s",
                         cli_given(arguments, "annotate") ? "--annotate" : "--by ",
                         cli_given(arguments, "annotate") ? "" : app_by_names[out->by]);
    if (every)
        out->by = APP_BY_PHASE;
    if (out->by == APP_BY_PHASE && out->counters == APP_PAPI)
        return error_set(err, "phases need exact counts; leave out --counters papi");
    if (out->by == APP_BY_PHASE && out->rank.count > 0)
        return error_set(err, "phases need the times and the counts of the same launch: start carmine outside, as in "
                              "`carmine app --every 100ms -- mpirun -n 4 ./program`");
    return true;
}

/* Whether this build has what counts the program, if nothing replaces that, and names its parts. */
static bool is_built(const struct app_request *request, struct error *err) {
    const bool exact = request->counters == APP_COUNT || app_by_counts(request->by);
    struct error why;
    if (request->rank.count > 0 && !instruction_readable(&why))
        return error_set(err,
                         "carmine in each rank needs the exact counter, which this build lacks: start carmine outside, "
                         "as in `carmine app -- mpirun -n 4 ./program`");
    return (request->counters == APP_PAPI || !exact || instruction_readable(err)) &&
           (!app_by_code(request->by) || symbols_readable(err));
}

static bool may_simulate(const struct app_request *request, struct error *err) {
    if (request->levels.one_of > 0 && request->counters == APP_PAPI)
        return error_set(err, "--levels simulates caches while the program is counted; it needs --counters count");
    return request->levels.one_of == 0 || instruction_readable(err);
}

static bool cmd_app_read_request(const struct arguments *arguments, struct app_request *out, struct error *err) {
    const char *name = cli_value(arguments, "name"), *program = arguments->program[0], *slash = strrchr(program, '/');
    double repeat = REPEAT;
    const size_t counters = cli_choice(arguments, "counters", APP_AUTO);
    const size_t by = cli_given(arguments, "by") ? 1 + cli_choice(arguments, "by", 0) : APP_BY_WHAT_IS_MARKED;
    if (!cmd_app_read_amount(arguments, "flop", &out->stated_flop, err) ||
        !cmd_app_read_amount(arguments, "bytes", &out->stated_bytes, err) ||
        !cmd_app_read_amount(arguments, "repeat", &repeat, err))
        return false;
    if (repeat != floor(repeat) || repeat > MAX_REPEAT)
        return error_set(err, "--repeat takes a number of runs from 1 to %d, not '%s'", MAX_REPEAT,
                         cli_value(arguments, "repeat"));
    if (name && (!*name || strlen(name) >= sizeof out->name))
        return error_set(err, "--name takes a name of at most %zu bytes", sizeof out->name - 1);
    out->by = cli_given(arguments, "annotate") ? APP_BY_LOOP : (enum app_by)by;
    out->rank = rank_launch_find(program);
    out->counters = (enum app_counters)counters;
    if (!read_every(arguments, out, err) || !is_built(out, err))
        return false;
    if (app_by_counts(out->by) && (out->stated_flop > 0 || out->stated_bytes > 0))
        return error_set(err, "--flop and --bytes apply to one point, not to %ss", app_by_names[out->by]);
    if (cli_given(arguments, "annotate") && by != APP_BY_WHAT_IS_MARKED && by != APP_BY_LOOP)
        return error_set(err, "--annotate shows loops; leave out --by %s", app_by_names[by]);
    const char *wanted = cli_value(arguments, "annotate");
    if (wanted && *wanted && wanted[strlen(wanted) - 1] == ':')
        return error_set(err, "--annotate=%s: a loop's name ends with its line, as solve:17; a function's has no colon",
                         wanted);
    out->marks = cli_value(arguments, "marks");
    if (out->marks && !mark_systems_check(out->marks, err))
        return false;
    out->argv = arguments->program;
    snprintf(out->name, sizeof out->name, "%.63s", name ? name : slash ? slash + 1 : program);
    out->named = name != NULL;
    out->force = cli_given(arguments, "force");
    cmd_app_join(arguments->program, out->command, sizeof out->command);
    safe_text_clean(out->name);
    out->repeat = (unsigned)repeat;
    out->budget_s = cli_given(arguments, "repeat") ? 0 : BUDGET_S;
    if (!levels_options_read(arguments, &out->levels, NULL, err) || !may_simulate(out, err))
        return false;
    out->out = view_options_data(arguments) || cli_given(arguments, "latex") ? STDERR_FILENO : STDOUT_FILENO;
    return true;
}

static void cmd_app_show_progress(const char *what, unsigned run, unsigned runs) {
    if (!what)
        status_line_clear();
    else if (runs && run > 1) /* the first run's output is the program's own */
        status_line_show("  %s %u of %u", what, run, runs);
    else if (!runs)
        status_line_show("  %s", what);
}

static void show_waiting(const char *what, double seconds, const double expected_s[2]) {
    char least[UNITS_BYTES], most[UNITS_BYTES];
    status_line_show("  %s: %.0f s so far, of %s to %s", what, seconds,
                     units_seconds(least, sizeof least, expected_s[0]),
                     units_seconds(most, sizeof most, expected_s[1]));
}

/* Whether irreducible loops are a good part of the program. One iteration has about ten instructions. */
static bool goes_round_without_loops(const struct app_runs *runs) {
    const struct profile_parts *parts = runs->counted ? runs->profile.parts : NULL;
    return parts && 200 * parts->irreducible_turns > runs->profile.regions[0].count.instructions;
}

/* Notes beside the points, one line each. Returns their number. */
enum { MAX_NOTES = 14, NOTE_BYTES = 1200 };
static size_t find_course_notes(const struct app_request *request, const struct app_course *course,
                                char (*notes)[NOTE_BYTES]) {
    size_t count = 0;
    if (course)
        snprintf(notes[count++], NOTE_BYTES,
                 "phases are of the run nearest to the median; their borders are estimates, within about %.0f ms, and "
                 "the sums of their work are exact",
                 1e3 * course->border_s);
    if (course && course->every_s > request->every_s)
        snprintf(notes[count++], NOTE_BYTES, "intervals are %.3g s long, because there would be more than %d",
                 course->every_s, COURSE_INTERVALS);
    return count;
}

/* "(c4 e2 73 50 c1: VEX map 2, opcode 50) 1000 times, …"; "": none. */
static void find_unknown(const struct app_runs *runs, char *out, size_t size) {
    *out = '\0';
    for (unsigned i = 0; runs->counted && i < UNKNOWN_CODES; i++) {
        const struct unknown_code *code = &runs->profile.unknown[i];
        char text[128];
        if (code->executions == 0)
            continue;
        instruction_text(code->bytes, code->length, 0, text, sizeof text);
        text_append(out, size, "%s%s %" PRIu64 " time%s", *out ? ", " : "", text + strcspn(text, "("), code->executions,
                    code->executions == 1 ? "" : "s");
    }
    if (*out && runs->profile.unknown[UNKNOWN_CODES - 1].length)
        text_append(out, size, ", …");
}

/* Why they are not known, and the way out; "": they are. Returns `out`. */
static char *find_no_flop(const struct app_request *request, const struct app_runs *runs, char *out, size_t size) {
    const char *why = runs->counted || !runs->event_set ? NULL : events_without_flop(runs->event_set);
    *out = '\0';
    if (why && !(request->stated_flop > 0))
        snprintf(out, size, "%s; --flop N states them, and `carmine import csv` takes what another tool counted", why);
    return out;
}

static size_t find_notes(const struct app_request *request, const struct app_runs *runs,
                         const struct app_course *course, char (*notes)[NOTE_BYTES]) {
    const struct regions_report *last = &runs->runs[runs->run_count - 1].report;
    char text[96], unknown[512], no_flop[256];
    const struct {
        const char *about, *text;
    } rows[] = {{"timed from start to end, from outside", runs->no_report},
                {"not counted exactly", runs->not_counted},
                {"events were not counted", last->failure},
                {"flop are not known", find_no_flop(request, runs, no_flop, sizeof no_flop)},
                {"not sampled", last->unsampled},
                {"another output when counted", runs->other_output},
                {"output", runs->varying_output}};
    size_t count = 0;
    find_unknown(runs, unknown, sizeof unknown);
    if (unknown[0])
        snprintf(notes[count++], NOTE_BYTES, "unknown instructions, whose flop are missing: %s", unknown);
    if (child_stopped())
        snprintf(notes[count++], NOTE_BYTES, "interrupted: %zu of %u runs", runs->run_count, runs->wanted_runs);
    else if (runs->run_count < runs->wanted_runs)
        snprintf(notes[count++], NOTE_BYTES,
                 "%zu of %u runs, because all would take longer than %.0f s; --repeat %u does all", runs->run_count,
                 runs->wanted_runs, request->budget_s, runs->wanted_runs);
    if (runs->status)
        snprintf(notes[count++], NOTE_BYTES, "%s each time", child_status_text(runs->status, text, sizeof text));
    if (runs->counted && runs->levels.note[0])
        snprintf(notes[count++], NOTE_BYTES, "simulated caches: %s", runs->levels.note);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].text[0])
            snprintf(notes[count++], NOTE_BYTES, "%s: %s", rows[i].about, rows[i].text);
    count += find_course_notes(request, course, notes + count);
    if (runs->marks_elsewhere[0])
        snprintf(notes[count++], NOTE_BYTES,
                 "marks are passed to the library in %s and make no regions here; unset it to get regions",
                 runs->marks_elsewhere);
    if (request->by == APP_BY_WHAT_IS_MARKED && runs->runs[0].reported && runs->runs[0].report.region_count == 1 &&
        app_regions_untimed(runs) > 0)
        snprintf(notes[count++], NOTE_BYTES, "regions of SSC marks are counted and not timed; see --by region");
    if (request->by == APP_BY_LOOP && goes_round_without_loops(runs))
        snprintf(notes[count++], NOTE_BYTES,
                 "a cycle with several entries is no loop; it counts with the loop or function around it (--by line, "
                 "--by function)");
    for (size_t i = 0; i < count; i++)
        safe_text_clean(notes[i]);
    return count;
}

/* Everything to show of a program. */
struct app_told {
    const struct app_runs *runs;
    const struct model *model;
    struct app_point *points; /* first the program's own, if the others are parts of it; allocated */
    size_t count, note_count;
    char (*notes)[NOTE_BYTES];
    const struct annotation *annotations; /* of the requested code; NULL: not requested */
    size_t annotation_count;
};

static struct app_told told_of(const struct app_runs *runs, const struct app_points *points, const struct model *model,
                               char (*notes)[NOTE_BYTES], size_t note_count) {
    const bool parts = points->points[0].part != APP_PROGRAM;
    struct app_told told = {
        .runs = runs, .model = model, .count = points->count + parts, .note_count = note_count, .notes = notes};
    told.points = need_calloc(told.count, sizeof *told.points);
    told.points[0] = points->program;
    memcpy(told.points + parts, points->points, points->count * sizeof *told.points);
    return told;
}

/* "./program 'an input'": the measured command line, ready for a shell; to be freed. */
static char *shell_line(char *const *words) {
    char *line;
    size_t length;
    FILE *out = need_made(text_stream(&line, &length));
    for (size_t i = 0; words[i]; i++) {
        char *word = shell_word(words[i]);
        fprintf(out, "%s%s", i ? " " : "", word);
        free(word);
    }
    if (!text_stream_close(out))
        need_end();
    return line;
}

static void cmd_app_print_json(const struct app_told *told, const struct app_points *points,
                               const struct arguments *arguments) {
    const bool mix = cli_given(arguments, "instructions");
    char *program = shell_line(arguments->program);
    const struct next_program next = {.model = told->model,
                                      .points = told->points,
                                      .count = told->count,
                                      .path = cli_value(arguments, "output"),
                                      .program = program,
                                      .exit_status = child_exit_status(told->runs->status)};
    json_t *texts = json_array();
    for (size_t i = 0; i < told->note_count; i++)
        json_array_append_new(texts, fields_text(told->notes[i]));
    json_t *answer = report_app_json(&(struct report_app){.model = told->model,
                                                          .points = points,
                                                          .runs = told->runs->run_count,
                                                          .exit_status = child_exit_status(told->runs->status),
                                                          .notes = texts,
                                                          .mix = mix,
                                                          .annotations = told->annotations,
                                                          .annotation_count = told->annotation_count});
    fields_print(next_add(answer, next_of_program(&next)));
    free(program);
}

static void cmd_app_print_all(const struct app_told *told, bool mix, const struct screen *screen) {
    pager_begin();
    report_points_print(told->model, told->points, told->count, stdout);
    if (mix)
        report_mix_print(told->points, told->count, stdout);
    if (told->annotations)
        annotation_answer_print(told->annotations, told->annotations, told->annotation_count, screen);
    printf("\n%zu run%s\n", told->runs->run_count, told->runs->run_count == 1 ? "" : "s");
    for (size_t i = 0; i < told->note_count; i++)
        printf("▲ %s\n", told->notes[i]);
    pager_end();
}

static void cmd_app_print_answer(const struct app_told *told, bool mix, const struct screen *screen) {
    app_answer_print(told->model, told->points, told->count, screen);
    for (size_t i = 0; i < told->note_count; i++)
        screen_note(screen, "▲", "%s", told->notes[i]);
    screen_note(screen, "Rows", "%zu run%s; --all: all amounts, their sources, and a verdict of each part",
                told->runs->run_count, told->runs->run_count == 1 ? "" : "s");
    if (mix)
        report_mix_print(told->points, told->count, stdout);
    if (told->annotations) {
        fputc('\n', stdout);
        annotation_answer_print(told->annotations, told->annotations, told->annotation_count, screen);
    }
}

static void cmd_app_print_table(const struct app_told *told, const struct arguments *arguments) {
    const struct plot_terminal terminal = terminal_find();
    printf("\n");
    const struct screen screen = {&terminal, stdout};
    if (cli_given(arguments, "all"))
        cmd_app_print_all(told, cli_given(arguments, "instructions"), &screen);
    else
        cmd_app_print_answer(told, cli_given(arguments, "instructions"), &screen);
}

/* Checked before the program has run for long. */
static bool cmd_app_drawable(const struct app_target *target, const struct arguments *arguments, struct error *err) {
    if (cli_given(arguments, "plot") && target->result->sample_count == 0)
        return error_set(
            err,
            "--plot: there are no roofs to draw; measure them with `carmine run -o FILE`, then name that FILE with -o");
    return view_options_plot(arguments, err);
}

static bool cmd_app_draw(const struct model *model, const char *path, struct error *err) {
    return !path || chart_roofline(model, &(struct chart_options){0}, path, err);
}

static struct progress progress_of(const struct app_runs *runs) {
    return (struct progress){"app", runs->run_count, runs->wanted_runs, "runs"};
}

/* The state to save during the measurement. */
struct app_saving {
    const struct app_request *request;
    const struct app_runs *runs;
    struct app_target *target;
    struct checkpoint checkpoint;
    bool saved;
};

static bool cmd_app_save(void *context, struct error *err) {
    struct app_saving *saving = context;
    struct app_points points;
    size_t replaced;
    const struct progress progress = progress_of(saving->runs);
    app_points_make(saving->request, saving->runs, &points);
    app_target_name_partial(points.points, points.count);
    const bool done = app_target_add(saving->target, points.points, points.count, "app", &progress, &replaced, err);
    app_points_free(&points);
    saving->saved |= done;
    return done;
}

static void save_runs(void *context, const struct app_runs *runs) {
    struct app_saving *saving = context;
    saving->runs = runs;
    checkpoint_if_due(&saving->checkpoint);
}

/* Adds the annotated code, if requested. An error about missing code is reported after everything else is stored. */
static bool annotate_points(const struct app_request *request, const struct app_runs *runs,
                            const struct app_points *points, const struct arguments *arguments, struct annotation **out,
                            size_t *count, struct error *err) {
    const char *wanted = cli_value(arguments, "annotate");
    *out = NULL;
    *count = 0;
    const bool found = !wanted || !runs->counted || !runs->profile.parts ||
                       app_parts_annotate(request, runs, points, wanted, out, count, err);
    for (size_t i = 0; i < *count; i++)
        fields_clean(result_annotation_fields, &(*out)[i]);
    return found;
}

/* After the run: points, file, table, picture. Points are shown even if they cannot be stored. */
static bool cmd_app_finish(const struct app_request *request, const struct app_runs *runs, struct app_target *target,
                           const struct arguments *arguments, struct error *err) {
    struct app_points points;
    char notes[MAX_NOTES][NOTE_BYTES];
    app_points_make(request, runs, &points);
    size_t note_count = find_notes(request, runs, points.course, notes), replaced;
    fields_clean(result_point_fields, &points.program);
    const struct progress lacking = progress_of(runs);
    struct annotation *annotations;
    struct error unfound;
    const bool found =
        annotate_points(request, runs, &points, arguments, &annotations, &target->annotation_count, &unfound);
    target->annotations = annotations;
    target->course = points.course;
    if (points.course)
        fields_clean(result_course_fields, points.course);
    if (child_stopped())
        app_target_name_partial(points.points, points.count);
    const bool kept =
        app_target_add(target, points.points, points.count, "app", child_stopped() ? &lacking : NULL, &replaced, err);
    struct model model = model_build(target->result);
    struct app_told told = told_of(runs, &points, &model, notes, note_count);
    told.annotations = found ? annotations : NULL;
    told.annotation_count = target->annotation_count;
    if (cli_given(arguments, "json"))
        cmd_app_print_json(&told, &points, arguments);
    else if (cli_given(arguments, "csv"))
        csv_print_rows(report_points_json(&model, told.points, told.count), stdout);
    else
        cmd_app_print_table(&told, arguments);
    free(told.points);
    fflush(stdout);
    bool done = kept && cmd_app_draw(&model, cli_value(arguments, "plot"), err);
    if (done)
        app_target_tell(target, points.count, replaced);
    if (done && !found)
        *err = unfound;
    model_free(&model);
    annotations_free(annotations, target->annotation_count);
    target->annotation_count = 0;
    target->course = NULL;
    app_points_free(&points);
    return done && found;
}

/* Stores and shows the points. Returns the program's own exit status if there is one. */
static int conclude(struct app_saving *saving, const struct app_runs *runs, bool measured,
                    const struct arguments *arguments, struct error *err) {
    const struct app_request *request = saving->request;
    struct error ignored;
    if (child_stopped() && runs->enough) {
        if (cmd_app_finish(request, runs, saving->target, arguments, err))
            error_set(err, "interrupted after %zu of %u runs", runs->run_count, runs->wanted_runs);
        return 128 + child_stopped();
    }
    if (child_stopped()) {
        error_set(err, "interrupted; nothing was added");
        return 128 + child_stopped();
    }
    if (measured)
        return cmd_app_finish(request, runs, saving->target, arguments, err) ? child_exit_status(runs->status)
                                                                             : CLI_ERROR;
    if (saving->saved)
        app_target_drop_partial(saving->target, app_points_program(request, runs), "app", &ignored);
    return WIFSIGNALED(runs->status) ? child_exit_status(runs->status) : CLI_ERROR;
}

static int cmd_app_command(const struct arguments *arguments, struct error *err) {
    if (cli_given(arguments, "merge"))
        return ranks_merge_files(arguments, err) ? CLI_DONE : CLI_ERROR;
    struct app_request request = {.progress = cmd_app_show_progress,
                                  .waiting = status_line_is_seen() ? show_waiting : NULL};
    struct session session = {0};
    struct app_target target = {0};
    struct app_runs *runs = need_calloc(1, sizeof *runs);
    struct event_set *events = need_calloc(2, sizeof *events), *own_events = &events[1];
    char collectors[4096];
    int status = CLI_ERROR;
    if (!cmd_app_read_request(arguments, &request, err) || !view_options_output(arguments, err) ||
        !install_paths_folder(PRELOAD_TIMER, collectors, sizeof collectors, err) ||
        !session_open(&session, NULL, arguments->line, err))
        goto out;
    const struct machine *machine = &session.result.machine;
    events_find(&machine->cpu, NULL, events);
    const char *named = cli_value(arguments, "events");
    if ((named && (!events_load(named, events, err) || !events_load(named, own_events, err))) ||
        !app_target_find(&target, cli_value(arguments, "output"), &session.result, err) ||
        (target.path && !file_writable(target.path, err)) || !cmd_app_drawable(&target, arguments, err))
        goto out;
    request.collectors = collectors;
    request.machine = machine, request.core = app_target_core(&target), request.result_path = target.path;
    request.events = events;
    request.own_events = named ? own_events : NULL;
    request.llc_bytes = app_target_last_cache_bytes(&target);
    child_catch_signals();
    struct app_saving saving = {.request = &request, .target = &target};
    saving.checkpoint = checkpoint_begin(target.path ? cmd_app_save : NULL, &saving);
    request.save = save_runs;
    request.context = &saving;
    if (request.rank.count > 0) {
        status = rank_launch(&request, arguments, &target, err);
        goto out;
    }
    const bool measured = app_measure(&request, runs, err);
    status = conclude(&saving, runs, measured, arguments, err);
out:
    app_runs_free(runs);
    free(runs);
    app_target_free(&target);
    session_close(&session);
    free(events);
    return status;
}

static const struct cli_example EXAMPLES[] = {
    {"carmine app -o my.json -- ./program input.txt", "a point of my.json: its place and its limit"},
    {"carmine app -o my.json --by function --plot my.svg -- ./program", "a point per function, drawn"},
    {"carmine app -o my.json --by loop -- ./program", "a point per loop, with iterations and trip counts"},
    {"carmine app -o my.json --every 100ms -- ./program", "its phases over time, and what binds each"},
    {"carmine app --annotate -- ./program", "the code of the hottest loop, instruction by instruction"},
    {"carmine app --levels -- ./program", "with the traffic between L1, L2, L3 and memory, in simulated caches"},
    {"carmine app --marks likwid,kokkos -- ./program",
     "a point for each region that LIKWID or Kokkos marks, other marks ignored"},
    {"carmine app -o my.json -- mpirun -n 4 ./program", "one point of four ranks together, and one of each"},
    {0},
};

const struct command command_app = {
    .name = "app",
    .operands = "-- PROGRAM ARGUMENTS…",
    .operands_min = 1,
    .operands_max = 1,
    .runs_program = true,
    .files_option = "merge",
    .summary = "measure a program and add its point to a result",
    .description =
        "Shows where an unmodified program is on the roofline and what limits it. Runs it several times for its time "
        "and once more to count flop and bytes exactly, instruction by instruction, without hardware counters. "
        "Regions that the program marks become points of their own: with libcarmine (carmine.h), or, without changes "
        "to the program, with LIKWID, PAPI, ITT, Kokkos, Caliper or NVTX. -o adds the points to a result of this "
        "machine. Without -o the newest result "
        "in results/ judges them, and nothing is written.\nThe first run has your terminal, the others are silent. "
        "Standard input that is not a terminal is replayed to every run. All arguments after PROGRAM belong to the "
        "program. The exit status is the program's, 128 + the signal's number if a signal ended it, or 2 if it could "
        "not be measured.",
    .options = OPTIONS,
    .forms = {[CLI_JSON] = "the program writes to standard error",
              [CLI_CSV] = "a row for the program and one per part",
              [CLI_MARKDOWN] = "",
              [CLI_LATEX] = ""},
    .old = OLD,
    .examples = EXAMPLES,
    .run = cmd_app_command,
};
