/* SPDX-License-Identifier: BSD-3-Clause
 * carmine sweep: the staircase of bandwidth or latency against working-set size. */
#include "commands.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "asm/kernel.h"
#include "asm/pattern.h"
#include "carm/chart/chart.h"
#include "carm/options/measure_options.h"
#include "carm/options/view_options.h"
#include "carm/report/next_answers.h"
#include "carm/report/report.h"
#include "carm/search/search.h"
#include "carm/session/measure.h"
#include "carm/session/result_target.h"
#include "carm/store/fields.h"
#include "carm/text/notice.h"
#include "carm/text/table.h"
#include "probe/error.h"
#include "probe/need.h"
#include "render/page/plot.h"
#include "render/page/units.h"

static const struct cli_option OPTIONS[] = {
    {"output", 'o', "FILE|DIR",
     "write a result file, or a new file in a folder, and the picture beside it; add the curves to a file with "
     "roofs, and draw nothing"},
    {"plot", 0, "FILE", "draw the curves, or the surface of --dlp, or the curves of --prefetch (" PLOT_FORMATS ")"},
    CHOICE_ISA,
    CHOICE_THREADS,
    CHOICE_SMT,
    CHOICE_MIX,
    {"dlp", 0, NULL, "search the best number of accumulators (or streams) and unroll instead"},
    {"type", 0, "FLOAT", "with --dlp: {} (default: f64)"},
    {"prefetch", 0, "[=SHAPE]",
     "search the best prefetch instruction and distance of an access pattern instead, in the best shape without "
     "prefetch, or in this one: 4x8 (streams x lines)"},
    {"level", 0, "LEVEL",
     "with --dlp: {} (default: L1), for an access pattern such as --mix load; with --prefetch (default: DRAM)"},
    {"budget", 0, "TIME", "with --dlp or --prefetch: time limit (default: 15s; most searches take 2 to 5 s)"},
    {"per-octave", 0, "N", "sizes per doubling, 1 to 16 (default: 4)"},
    CHOICE_QUICK,
    CHOICE_STATISTIC,
    CHOICE_PAGES,
    CHOICE_TOPOLOGY,
    {"dry-run", 0, NULL, "print the sizes and measure nothing"},
    {"all", 0, NULL, "print a row for each size"},
    {0},
};

static const double CURVE_BUDGET_S = 10; /* for disturbed points, after a visit to each; else two visits to each */
enum { MAX_SWEEPS = 16, MAX_PLANS = MAX_SWEEPS * PLAN_MAX_CHOICES };

/* The requested kernels: each operation in the widest chosen ISA. Default: load, 2ld1st and update. */
static size_t choose_kernels(const struct machine *machine, const struct plan_options *options, char (*names)[48]) {
    static const char *const DEFAULT[] = {"load", "2ld1st", "update"};
    size_t count = 0, ops = options->mix_count ? options->mix_count : 3;
    for (size_t o = 0; o < ops && count < MAX_SWEEPS; o++) {
        const char *op = options->mix_count ? options->mixes[o] : DEFAULT[o];
        snprintf(names[count], 48, "%s", op); /* the pointer chase has no ISA */
        bool found = kernel_find(names[count], NULL) != NULL;
        for (size_t i = isa_count; i-- > 0 && !found;) {
            snprintf(names[count], 48, "%s.%s", isa_table[i].name, op);
            const struct kernel *const *kernel = kernel_find(names[count], NULL);
            found = isa_chosen(&isa_table[i], options->isas, options->isa_count) && kernel &&
                    machine_has(machine, (*kernel)->needs) &&
                    ((*kernel)->block_bytes > 0 || (*kernel)->kind == KERNEL_RANDOM);
        }
        count += found;
    }
    return count;
}

/* Default: one thread; with SMT all threads of one core. */
static size_t choose_threads(const struct machine *machine, const struct plan_options *options, unsigned *threads) {
    const struct place everywhere = {.smt = options->smt};
    threads[0] = options->smt ? machine->cores[0].pu_count : 1;
    return options->thread_count ? plan_threads(options, team_capacity(machine, TEAM_ANY_KIND, &everywhere), threads)
                                 : 1;
}

static bool draw_with(const struct result *result, const struct chart_options *options, const char *path,
                      struct error *err) {
    struct model model = model_build(result);
    bool latency = result->curves[0].kind == SAMPLE_LATENCY;
    bool done = (latency ? chart_latency : chart_sweep)(&model, options, path, err);
    model_free(&model);
    return done;
}

static bool cmd_sweep_draw(const struct result *result, const char *path, struct error *err) {
    return draw_with(result, &(struct chart_options){0}, path, err);
}

/* The answer with the staircase, which has no place in Markdown. A curve of one size has none. */
static void cmd_sweep_print_answer(const struct result *result, const struct plot_terminal *terminal) {
    struct plot_terminal low = *terminal;
    char *text = NULL;
    struct error none;
    low.rows = 12;
    if (table_form() == TABLE_TEXT)
        draw_with(result, &(struct chart_options){.terminal = &low, .text = &text, .title = "", .no_notes = true}, NULL,
                  &none);
    curves_answer_print(result, text ? text : "", &(struct screen){terminal, stdout});
    free(text);
}

/* Every form of output of the curves. */
static void cmd_sweep_print(const struct result *result, const struct arguments *arguments) {
    const struct plot_terminal terminal = terminal_find();
    if (cli_given(arguments, "json"))
        fields_print(next_add(curves_json(result), next_step_json(NEXT_NOTHING, "", NULL)));
    else if (cli_given(arguments, "csv"))
        curves_csv(result, stdout);
    else if (cli_given(arguments, "all"))
        curves_print(result, stdout);
    else
        cmd_sweep_print_answer(result, &terminal);
}

/* Whether -o names a result with roofs or points, to which the curves are added. Errors: it cannot be read as a result,
 * so nobody knows what would be lost; it is of another machine. */
static bool cmd_sweep_find_others(const char *path, const struct session *session, bool *adds, struct error *err) {
    struct result file;
    struct stat status;
    struct error why;
    *adds = false;
    if (!path || stat(path, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0)
        return true;
    if (!results_read(path, &file, &why))
        return error_set(err, "%s; remove it, or write another file with -o", why.text);
    *adds = file.sample_count + file.point_count + file.validation_count > 0;
    const bool done = !*adds || session_is_here(session, &file, path, "sweep", err);
    results_free(&file);
    return done;
}

/* Adds copies of the complete curves to a result, in the place of those of the same kernel, threads and pages. */
static void put_curves(struct result *result, const struct curve *curves, size_t count) {
    result->curves = need_realloc(result->curves, (result->curve_count + count) * sizeof *result->curves);
    for (size_t i = 0; i < count; i++) {
        const struct curve *own = &curves[i];
        size_t at = 0;
        if (own->partial)
            continue;
        while (at < result->curve_count &&
               (strcmp(result->curves[at].kernel, own->kernel) != 0 || result->curves[at].threads != own->threads ||
                result->curves[at].small_pages != own->small_pages ||
                strcmp(result->curves[at].core_kind, own->core_kind) != 0))
            at++;
        if (at == result->curve_count)
            result->curve_count++;
        else
            free(result->curves[at].points);
        result->curves[at] = *own;
        result->curves[at].points = need_calloc(own->count + 1, sizeof *own->points);
        memcpy(result->curves[at].points, own->points, own->count * sizeof *own->points);
    }
}

/* Adds the curves to the current file under its lock. What is not complete stays in FILE.partial. */
static bool cmd_sweep_add_to(const struct result_target *target, const struct result *own, struct error *err) {
    struct result now;
    struct error why;
    int lock;
    size_t partial = 0;
    for (size_t i = 0; i < own->curve_count; i++)
        partial += own->curves[i].partial;
    if (!file_lock(target->path, &lock, err))
        return false;
    bool done = results_read(target->path, &now, &why);
    if (done) {
        put_curves(&now, own->curves, own->curve_count);
        done = results_write(&now, target->path, false, &why);
        results_free(&now);
    }
    file_unlock(target->path, lock);
    if (!done)
        return error_set(err, "%s%s%s", why.text, target->partial[0] ? "; the last saved state is in " : "",
                         target->partial);
    if (!partial && target->partial[0])
        remove(target->partial);
    notice_print("%zu of %zu curves added to %s%s%s", own->curve_count - partial, own->curve_count, target->path,
                 partial && target->partial[0] ? "; the last saved state of the others is in " : "",
                 partial ? target->partial : "");
    return true;
}

/* Writes the result, and its picture: --plot names it, or it stands beside the result. The picture beside a result with
 * roofs shows those, and stays. */
static bool cmd_sweep_keep(const struct session *session, struct result_target *target, bool adds, const char *plot,
                           struct error *err) {
    char beside[sizeof target->path + 8];
    if (target && !(adds ? cmd_sweep_add_to(target, &session->result, err) : result_target_write(target, session, err)))
        return false;
    if (adds && !plot)
        return true;
    if (target)
        result_target_picture(target, beside, sizeof beside);
    return (!target && !plot) || cmd_sweep_draw(&session->result, plot ? plot : beside, err);
}

/* Progress of the sweep. */
static struct progress cmd_sweep_how_far(const struct result *result, size_t planned) {
    size_t done = 0;
    for (size_t i = 0; i < result->curve_count; i++)
        done += result->curves[i].count;
    return (struct progress){"sweep", done, planned, "sizes"};
}

static bool cmd_sweep_measure(struct session *session, const struct arguments *arguments, const struct plan *plans,
                              size_t count, bool quick, struct error *err) {
    const struct session_options how = measure_options_session(arguments);
    for (size_t i = 0; i < count; i++)
        session_reserve(session, &plans[i]);
    cli_catch_signals();
    if (!session_start(session, &how, err))
        return false;
    const struct campaign_options campaign = {.budget_s = CURVE_BUDGET_S, .first_only = quick, .whole_pass = true};
    for (size_t i = 0; i < count && !cli_stopped(); i++)
        if (!session_sweep(session, &plans[i], &campaign, err))
            return false;
    session_finish(session);
    return cli_stopped() ? error_set(err, "interrupted%s",
                                     cli_given(arguments, "output") ? "; the complete curves are where -o says" : "")
                         : session_all_lived(session, err);
}

static bool both_pages(const struct arguments *arguments, const char *name) {
    return !cli_given(arguments, "pages") && pattern_of_kernel(name)->scattered;
}

static bool read_per_octave(const struct arguments *arguments, unsigned *out, struct error *err) {
    const char *text = cli_value(arguments, "per-octave");
    double number = 4;
    if (text && !cli_number(text, "--per-octave", &number, err))
        return false;
    if (number < 1 || number > 16)
        return error_set(err, "--per-octave takes 1 to 16");
    *out = (unsigned)number;
    return true;
}

/* One plan per curve. */
struct curve_plans {
    size_t count;
    struct plan plans[MAX_PLANS];
};

/* Plans each kernel with each number of threads, and in small pages too if each access is in another page. */
static bool plan_curves(struct curve_plans *out, const struct arguments *arguments, const struct session *session,
                        const struct plan_options *options, unsigned per_octave, struct error *err) {
    const struct machine *machine = &session->result.machine;
    char names[MAX_SWEEPS][48];
    unsigned threads[PLAN_MAX_THREADS];
    const size_t kernel_names = choose_kernels(machine, options, names);
    const size_t counts = choose_threads(machine, options, threads);
    if (kernel_names == 0)
        return error_set(err,
                         "no kernel of these operations accesses memory and runs on this CPU; see `carmine kernels`");
    for (size_t k = 0; k < kernel_names; k++)
        for (size_t t = 0; t < counts && out->count + 2 <= MAX_PLANS; t++)
            for (int small = 0; small <= (both_pages(arguments, names[k]) ? 1 : 0); small++) {
                const struct plan_curve curve = {names[k], per_octave, threads[t]};
                struct plan *plan = &out->plans[out->count++];
                if (!plan_sweep(plan, machine, &session->result.levels[0], options, &curve, err))
                    return false;
                for (size_t i = 0; i < plan->count; i++)
                    plan->steps[i].small_pages = small;
            }
    return true;
}

static void print_sizes(const struct curve_plans *plans) {
    const struct plan *first = &plans->plans[0];
    char text[32];
    for (size_t i = 0; i < first->count; i++)
        printf("%s%s", i ? ", " : "", units_binary(text, sizeof text, (double)first->steps[i].size_bytes[0]));
    printf("\n%zu curves of %zu sizes\n", plans->count, first->count);
}

/* Measures the curves, stores them as -o says, and prints them even if they cannot be stored. */
static bool cmd_sweep_run(struct session *session, const struct curve_plans *plans, const struct arguments *arguments,
                          bool quick, struct error *err) {
    const char *path = cli_value(arguments, "output"), *plot = cli_value(arguments, "plot");
    const struct result *result = &session->result;
    struct result_target target;
    bool adds;
    if (!view_options_plot(arguments, err) || !view_options_output(arguments, err) ||
        !cmd_sweep_find_others(path, session, &adds, err) ||
        (path && !result_target_choose(&target, session, path, err)) ||
        (path && !plot && !adds && !result_target_picture_writable(&target, err)))
        return false;
    struct result_saving saving = {.session = session, .target = &target, .how_far = cmd_sweep_how_far};
    for (size_t i = 0; i < plans->count; i++)
        saving.planned += plans->plans[i].count;
    if (path)
        session->checkpoint = checkpoint_begin(result_target_checkpoint, &saving);
    const bool done = cmd_sweep_measure(session, arguments, plans->plans, plans->count, quick, err);
    if (result->curve_count == 0)
        return false;
    const char *pages = cli_value(arguments, "pages");
    for (size_t i = 0; i < result->curve_count && adds && pages && strcmp(pages, "small") == 0; i++)
        result->curves[i].small_pages = true; /* the result's own pages may be huge */
    struct error unkept;
    const bool kept = cmd_sweep_keep(session, path ? &target : NULL, adds, plot, &unkept);
    cmd_sweep_print(result, arguments);
    if (!kept)
        *err = unkept;
    return done && kept;
}

static int staircase_command(const struct arguments *arguments, struct error *err) {
    struct plan_options options;
    struct session session = {0};
    struct curve_plans *plans = need_calloc(1, sizeof *plans);
    unsigned per_octave = 0;
    bool done = measure_options_read(arguments, &options, err) && read_per_octave(arguments, &per_octave, err) &&
                session_open(&session, cli_value(arguments, "topology"), arguments->line, err) &&
                measure_options_recorded_isas(&options, &session.result.machine, err) &&
                plan_curves(plans, arguments, &session, &options, per_octave, err);
    if (done && cli_given(arguments, "dry-run"))
        print_sizes(plans);
    else
        done = done && measure_options_measurable(&session.result.machine, err) &&
               cmd_sweep_run(&session, plans, arguments, options.quick, err);
    for (size_t i = 0; i < plans->count; i++)
        plan_free(&plans->plans[i]);
    free(plans);
    session_close(&session);
    return done ? CLI_DONE : CLI_ERROR;
}

/* Earlier versions named the picture by -o. */
static struct arguments as_spelled_today(const struct arguments *arguments) {
    const char *path = cli_value(arguments, "output");
    struct arguments out = *arguments;
    if (!path || !plot_format_known(path) || cli_given(arguments, "plot"))
        return out;
    for (size_t i = 0; OPTIONS[i].name; i++)
        out.values[i] = strcmp(OPTIONS[i].name, "output") == 0 ? NULL
                        : strcmp(OPTIONS[i].name, "plot") == 0 ? path
                                                               : out.values[i];
    notice_print("-o %s is an old spelling of --plot %s, and still understood", path, path);
    return out;
}

static int cmd_sweep_command(const struct arguments *as_spelled, struct error *err) {
    static const struct {
        const char *option, *with;
    } SEARCH_ONLY[] = {{"type", "--dlp"}, {"level", "--dlp or --prefetch"}, {"budget", "--dlp or --prefetch"}};
    static const char *const STAIRCASE_ONLY[] = {"all", "markdown"};
    const struct arguments today = as_spelled_today(as_spelled), *arguments = &today;
    const bool searches = cli_given(arguments, "prefetch") || cli_given(arguments, "dlp");
    for (size_t i = 0; i < sizeof STAIRCASE_ONLY / sizeof *STAIRCASE_ONLY && searches; i++)
        if (cli_typed(arguments, STAIRCASE_ONLY[i])) {
            error_set(err, "--%s is not for --dlp and --prefetch; --json and --csv are", STAIRCASE_ONLY[i]);
            return CLI_ERROR;
        }
    if (cli_given(arguments, "prefetch"))
        return distances_command(arguments, err);
    if (cli_given(arguments, "dlp"))
        return unroll_map_command(arguments, err);
    for (size_t i = 0; i < sizeof SEARCH_ONLY / sizeof *SEARCH_ONLY; i++)
        if (cli_typed(arguments, SEARCH_ONLY[i].option)) {
            error_set(err, "--%s needs %s", SEARCH_ONLY[i].option, SEARCH_ONLY[i].with);
            return CLI_ERROR;
        }
    return staircase_command(arguments, err);
}

static const struct cli_example EXAMPLES[] = {
    {"carmine sweep --plot staircase.svg", "bandwidth against size"},
    {"carmine sweep --mix chase -o sweep.json", "latency, stored"},
    {"carmine sweep --dlp --mix fma --plot surface.svg", "the best number of accumulators of fma"},
    {"carmine sweep --prefetch --mix load --level DRAM --plot prefetch.svg", "which prefetch, and at which distance"},
    {0},
};

const struct command command_sweep = {
    .name = "sweep",
    .operands = "",
    .summary = "bandwidth or latency against working-set size; --dlp: the best accumulators × unroll",
    .description = "Shows the effective capacity of each level as a staircase: bandwidth (or with --mix chase latency) "
                   "at sizes from 4 KiB to four times the last-level cache. --dlp searches the best number of "
                   "accumulators and unroll of an operation (default: f64 fma of the widest ISA), or of streams and "
                   "unroll of an access pattern, and prints flop or bytes per cycle of everything tried; --plot draws "
                   "it. For several operations or ISAs it prints a row each. --prefetch puts a prefetch before every "
                   "cache line of an access pattern, tries each instruction at distances from 0 to 8 KiB, and prints "
                   "the bandwidth beside that without prefetch; prefetched bytes are not counted.",
    .options = OPTIONS,
    .forms = {[CLI_JSON] = "", [CLI_CSV] = "", [CLI_MARKDOWN] = ""},
    .examples = EXAMPLES,
    .run = cmd_sweep_command,
};
