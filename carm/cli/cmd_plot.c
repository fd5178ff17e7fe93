/* SPDX-License-Identifier: BSD-3-Clause
 * carmine plot: draws a stored result. */
#include "commands.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "bench/programs/app_point.h"
#include "carm/chart/chart.h"
#include "carm/chart/chart_compare.h"
#include "carm/html/html.h"
#include "carm/options/measure_options.h"
#include "carm/options/picture_options.h"
#include "carm/options/view_options.h"
#include "carm/session/partial.h"
#include "carm/soak/soak_views.h"
#include "carm/text/notice.h"
#include "carm/text/safe_output.h"
#include "carm/text/suggestion.h"
#include "probe/error.h"
#include "probe/isa.h"
#include "probe/need.h"

enum { MAX_POINTS = 64, MAX_EXTRAS = 16 };

static const struct cli_option OPTIONS[] = {
    {"output", 'o', "FILE", "picture (" PLOT_FORMATS ") or report (.html) instead of the terminal"},
    {"chart", 0, "CHART", "{} (default: the first)"},
    {"of", 0, "WHAT", "its quantity, such as core or dram"},
    {"point", 0, "LIST", "only these applications, programs, series; or none"},
    {"add", 0, "EXTRA,…", "{} (docs/pictures.md)"},
    {"per", 0, "cycle", "rates per cycle, by the clock of each roof"},
    {"threads", 0, "N|all,…",
     "of the roofs (default: the newest application's); rooflines: up to three, such as 1,all"},
    {"place", 0, "PLACE", "part of the machine: node0 (with its HBM), package1"},
    {"type", 0, "TYPE", "{} (ceilings)"},
    {"isa", 0, "ISA|TOOL", "ceilings and roofs of one instruction set"},
    CHOICE_ROOF,
    CHOICE_LABELS,
    CHOICE_LIMITS,
    CHOICE_PICTURE,
    {0},
};
static const struct cli_old_option OLD[] = {{"per-cycle", 0, "per", "cycle"},
                                            {"no-points", 0, "point", "none"},
                                            {"dram", 0, "add", "dram"},
                                            {"pseudo-flop", 0, "add", "pseudo-flop"},
                                            {"working-set", 0, "add", "working-set"},
                                            {"intensities", 0, "add", "intensities"},
                                            {"documented", 0, "add", "documented"},
                                            {"deviation", 0, "add", "deviation"},
                                            {"random", 0, "add", "random"},
                                            {0}};

/* --place: "node0" or "package1". A default is for a picture of one result with one number of threads. */
static bool cmd_plot_read_place(const struct arguments *arguments, struct chart_options *out, struct error *err) {
    const struct {
        const char *kind;
        unsigned *number; /* plus 1 */
    } KINDS[] = {{"node", &out->node}, {"package", &out->package}};
    const bool fits = arguments->operand_count == 1 && out->fewer_count == 0;
    const char *value = fits || cli_typed(arguments, "place") ? cli_value(arguments, "place") : NULL;
    for (size_t i = 0; value && i < sizeof KINDS / sizeof KINDS[0]; i++) {
        const size_t length = strlen(KINDS[i].kind);
        char *end = (char *)value;
        const unsigned long number = strncmp(value, KINDS[i].kind, length) == 0 && isdigit((unsigned char)value[length])
                                         ? strtoul(value + length, &end, 10)
                                         : 0;
        if (end > value && !*end && number < 1000000)
            return *KINDS[i].number = (unsigned)number + 1, true;
    }
    return !value || error_set(err, "--place takes a part of the machine, such as node0 or package1, not '%s'", value);
}

/* --of: the quantity that the chart shows. */
static bool read_of(const struct arguments *arguments, const struct chart *chart, const char **out, struct error *err) {
    const char *value = cli_value(arguments, "of"), *known[sizeof chart->of / sizeof *chart->of + 1] = {NULL};
    size_t count;
    memcpy(known, chart->of, sizeof chart->of);
    *out = NULL;
    if (value && !*known)
        return error_set(
            err,
            "--of is not for the chart %s; it chooses for read, write, intensity, tlb, ratio, distribution, loaded "
            "and cores",
            chart->name);
    return !value || cli_names(value, "choice", known, out, 1, &count, err);
}

/* --threads: one number, or several for rooflines; of_machine() sorts them. */
static bool cmd_plot_read_threads(const struct arguments *arguments, const struct chart *chart,
                                  struct chart_options *out, struct error *err) {
    unsigned threads[VIEW_THREADS_MAX];
    size_t count;
    const char *path = cli_value(arguments, "output"), *value = cli_value(arguments, "threads");
    if (!view_options_thread_list(arguments, threads, &count, err))
        return false;
    out->threads = count ? threads[0] : 0;
    out->fewer_count = count ? count - 1 : 0;
    memcpy(out->fewer, threads + 1, out->fewer_count * sizeof threads[0]);
    if (count < 2)
        return true;
    if (path && report_html_wanted(path))
        return error_set(err, "--threads %s: readers choose in the report; name one number, or leave it out", value);
    if (!chart->takes_fewer || cli_typed(arguments, "place"))
        return error_set(err,
                         "--threads %s: several numbers need the charts roofline, dram, read or write of the whole "
                         "machine; name one",
                         value);
    return arguments->operand_count == 1 ||
           error_set(err, "--threads %s: several numbers need a picture of one result, and %zu are named", value,
                     arguments->operand_count);
}

/* --add: sets the bools of the options that it names. */
static bool read_extras(const struct arguments *arguments, struct chart_options *out, struct error *err) {
    const char *names[MAX_EXTRAS];
    size_t count = 0;
    if (!cli_chosen(arguments, "add", names, MAX_EXTRAS, &count, err))
        return false;
    for (size_t i = 0; i < count; i++)
        for (const struct chart_extra *extra = chart_extras; extra->name; extra++)
            if (strcmp(extra->name, names[i]) == 0)
                *(bool *)((char *)out + extra->field) = true;
    return !(out->joined && out->unjoined) ||
           error_set(err, "--add: joined and unjoined exclude each other; name one of them");
}

static bool cmd_plot_read_options(const struct arguments *arguments, struct chart_options *out,
                                  const struct chart **chart, struct error *err) {
    size_t count;
    *chart = &chart_table[cli_choice(arguments, "chart", 0)];
    *out = (struct chart_options){.per_cycle = view_options_per(arguments) == PER_CYCLE,
                                  .isa = cli_value(arguments, "isa")};
    return read_extras(arguments, out, err) && read_of(arguments, *chart, &out->of, err) &&
           cmd_plot_read_threads(arguments, *chart, out, err) && measure_options_roof(arguments, true, &out->op, err) &&
           cmd_plot_read_place(arguments, out, err) && cli_chosen(arguments, "type", &out->type, 1, &count, err);
}

/* Style and size. */
static bool read_looks(const struct arguments *arguments, struct plot_style *style,
                       const struct plot_terminal *terminal, struct chart_options *out, struct error *err) {
    const char *path = cli_value(arguments, "output");
    static const char OF_BROWSER[] = "a report has the look of its reader's browser";
    if (path && report_html_wanted(path))
        return picture_options_refuse(arguments, OF_BROWSER, err) &&
               picture_limits_read(arguments, OF_BROWSER, out, err) &&
               (!cli_typed(arguments, "labels") || error_set(err, "--labels needs a picture: %s", OF_BROWSER));
    if (!picture_limits_read(arguments, NULL, out, err))
        return false;
    if (path)
        return picture_options_read(arguments, style, out, err);
    out->terminal = terminal;
    return picture_options_refuse(arguments, "without -o characters draw it", err);
}

/* Adds a name to the list once. */
static void cmd_plot_add_name(const char **names, size_t *count, const char *name) {
    for (size_t i = 0; i < *count; i++)
        if (strcmp(names[i], name) == 0)
            return;
    names[(*count)++] = name;
}

static bool cmd_plot_is_known(const char *const *known, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcasecmp(known[i], name) == 0)
            return true;
    return false;
}

/* The known names of a list of `count` names, in place; a notice for each other one: a library may be absent here.
 * Misspelt names stay. Unchanged if none is known. */
static size_t leave_out_unknown(const char **names, size_t count, const char *const *known, size_t known_count) {
    size_t found = 0, kept = 0;
    for (size_t i = 0; i < count; i++)
        found += cmd_plot_is_known(known, known_count, names[i]);
    for (size_t i = 0; i < count; i++) {
        struct suggestion near = suggestion_for(names[i]);
        for (size_t k = 0; k < known_count; k++)
            suggestion_consider(&near, known[k]);
        if (found == 0 || cmd_plot_is_known(known, known_count, names[i]) || *suggestion_text(&near, ""))
            names[kept++] = names[i];
        else
            notice_print("no point '%s': drawn without it", names[i]);
    }
    return kept;
}

/* --point: names of applications, of programs and of series. */
static bool read_points(const struct arguments *arguments, const struct result *results, size_t count,
                        const char **chosen, struct chart_options *out, struct error *err) {
    const char *value = cli_value(arguments, "point");
    out->no_points = value && strcmp(value, "none") == 0;
    if (out->no_points)
        return true;
    size_t points = 0, known_count = 0, chosen_count = 0;
    for (size_t r = 0; r < count; r++)
        points += results[r].point_count;
    const char **known = need_calloc(3 * points + 1, sizeof *known);
    for (size_t r = 0; r < count; r++)
        for (size_t i = 0; i < results[r].point_count; i++) {
            cmd_plot_add_name(known, &known_count, results[r].points[i].name);
            cmd_plot_add_name(known, &known_count, results[r].points[i].program);
            if (*results[r].points[i].series)
                cmd_plot_add_name(known, &known_count, results[r].points[i].series);
        }
    bool done = true;
    if (value && points == 0)
        done = error_set(err, "the result holds no applications; `carmine app -o FILE -- COMMAND` adds one");
    for (size_t i = 0; value && i < known_count && !chosen[0]; i++)
        chosen[0] = strcmp(value, known[i]) == 0 ? known[i] : NULL; /* a name may hold a comma */
    if (done && value && !chosen[0]) {
        const char *typed[MAX_POINTS];
        done = cli_names(value, "point", NULL, typed, MAX_POINTS, &chosen_count, err);
        chosen_count = done ? leave_out_unknown(typed, chosen_count, known, known_count) : 0;
        for (size_t i = 0; i < chosen_count && done; i++) {
            size_t one;
            done = cli_names(typed[i], "point", known, &chosen[i], 1, &one, err);
        }
    }
    out->points = value ? chosen : NULL;
    free(known);
    return done;
}

static int cmd_plot_most_first(const void *a, const void *b) {
    const unsigned p = *(const unsigned *)a, q = *(const unsigned *)b;
    return p > q ? -1 : p < q;
}

/* Replaces `all` by the machine's cores, unless the machine does not report them. Sorts the numbers and removes
 * duplicates. */
static struct chart_options of_machine(const struct chart_options *options, const struct result *result) {
    struct chart_options out = *options;
    unsigned threads[VIEW_THREADS_MAX] = {options->threads}, last = 0;
    memcpy(threads + 1, options->fewer, options->fewer_count * sizeof threads[0]);
    for (size_t i = 0; i <= options->fewer_count; i++)
        threads[i] = threads[i] == ROOF_ALL_CORES ? result->machine.core_count : threads[i];
    qsort(threads, options->fewer_count + 1, sizeof threads[0], cmd_plot_most_first);
    out.threads = last = threads[0];
    out.fewer_count = 0;
    for (size_t i = 1; i <= options->fewer_count; i++)
        if (threads[i] != last)
            out.fewer[out.fewer_count++] = last = threads[i];
    return out;
}

/* What is drawn, and its other names. */
struct drawn {
    struct result *results;
    char *const *files;
    size_t count;
    struct labels labels;
};

/* Side by side, or the same picture as `carmine compare --plot`. */
static bool cmd_plot_draw_several(const struct chart *chart, const struct model *models, struct drawn *drawn,
                                  const struct chart_options *options, const char *path, struct error *err) {
    const size_t count = drawn->count;
    const struct picture_view view = {
        .type = options->type, .cores = options->threads, .per = options->per_cycle ? PER_CYCLE : PER_MACHINE};
    struct compare_side *sides = need_calloc(count, sizeof *sides);
    for (size_t i = 0; i < count; i++)
        sides[i] = (struct compare_side){.model = &models[i], .path = drawn->files[i]};
    compare_label(sides, count);
    struct comparison comparison = compare_make(sides, count, 0);
    const bool done = labels_rename_sides(&drawn->labels, sides, count, err) && labels_check(&drawn->labels, err) &&
                      (chart->beside ? chart->beside(&comparison, options, path, err)
                                     : chart_several(&comparison, &view, options, path, err));
    compare_free(&comparison);
    free(sides);
    return done;
}

/* The instruction set of a kernel, or the name that another tool gave it, if a user can mean it by `name`; else NULL.
 */
static const char *isa_meant(const char *kernel, const char *name) {
    const size_t length = strcspn(kernel, ".");
    for (size_t i = 0; i < isa_count; i++)
        if (isa_named(&isa_table[i], name) && strncmp(kernel, isa_table[i].name, length) == 0 &&
            !isa_table[i].name[length])
            return isa_table[i].name;
    return kernel[length] && strncmp(kernel, name, length) == 0 && !name[length] ? name : NULL;
}

/* --isa: an instruction set with kernels, or one in the names of another tool's roofs. */
static bool read_isa(const struct arguments *arguments, const struct result *results, size_t count, const char **out,
                     struct error *err) {
    const char *value = cli_value(arguments, "isa"), *meant;
    size_t names;
    for (size_t r = 0; value && r < count; r++)
        for (size_t i = 0; i < results[r].sample_count; i++)
            if ((meant = isa_meant(results[r].samples[i].kernel, value))) {
                *out = meant;
                return true;
            }
    return !value || cli_set_names(cli_set_of("SETS"), value, out, 1, &names, err);
}

static bool cmd_plot_draw(const struct chart *chart, struct drawn *drawn, const struct chart_options *asked,
                          const char *path, struct error *err) {
    const size_t count = drawn->count;
    const struct chart_options of_first = of_machine(asked, &drawn->results[0]),
                               *options = count > 1 ? asked : &of_first; /* `all` differs between machines */
    struct model *models = need_calloc(count, sizeof *models);
    for (size_t i = 0; i < count; i++)
        models[i] = model_build(&drawn->results[i]);
    bool done = report_html_wanted(path) ? report_html_write(models, drawn->files, count, options, path, err)
                : count > 1              ? cmd_plot_draw_several(chart, models, drawn, options, path, err)
                            : labels_check(&drawn->labels, err) && chart->draw(&models[0], options, path, err);
    for (size_t i = 0; i < count; i++)
        model_free(&models[i]);
    free(models);
    return done;
}

/* Draws the files one after the other. */
static bool cmd_plot_draw_in_terminal(const struct chart *chart, struct drawn *drawn, const struct chart_options *asked,
                                      struct error *err) {
    bool done = labels_check(&drawn->labels, err);
    for (size_t i = 0; done && i < drawn->count; i++) {
        struct model model = model_build(&drawn->results[i]);
        struct chart_options options = of_machine(asked, &drawn->results[i]);
        char *text = NULL;
        options.text = &text;
        done = chart->draw(&model, &options, NULL, err);
        if (done)
            fputs(i ? "\n" : "", stdout), safe_output_own(text, stdout);
        free(text);
        model_free(&model);
    }
    return done;
}

/* Checks that the format takes this number of results and these options. */
static bool suits_file(const struct arguments *arguments, const struct chart *chart,
                       const struct chart_options *options, const char *path, struct error *err) {
    static const char *const OF_ONE[] = {"chart", "of", "point", "add", "place", "isa", "roof"};
    if (report_html_wanted(path))
        return report_html_takes(arguments->operand_count, options, err) &&
               (!cli_value(arguments, "chart") ||
                error_set(err, "a report holds all charts: leave out --chart, or name a picture with -o"));
    for (size_t i = 0; i < sizeof OF_ONE / sizeof OF_ONE[0] && arguments->operand_count > 1; i++)
        if (cli_given(arguments, OF_ONE[i]) && !(i == 0 && chart->beside) &&
            (strcmp(OF_ONE[i], "place") != 0 || options->node || options->package))
            return error_set(
                err,
                "--%s needs a picture of one result, and %zu are named; a report (-o FILE.html) or the terminal "
                "shows each of them, `carmine compare` compares them",
                OF_ONE[i], arguments->operand_count);
    return true;
}

/* A default part of the machine that the result does not have is left out. */
static void leave_out_place(const struct arguments *arguments, const struct result *result,
                            struct chart_options *options) {
    bool has = cli_typed(arguments, "place");
    for (size_t i = 0; i < result->sample_count && !has; i++)
        has = (!options->node || result->samples[i].node == options->node) &&
              (!options->package || result->samples[i].package == options->package);
    if (!has)
        options->node = options->package = 0;
}

/* Reads the files, chooses and renames their points, and draws. */
static bool draw_files(const struct arguments *arguments, const struct chart *chart, struct chart_options *options,
                       struct error *err) {
    const size_t wanted = arguments->operand_count;
    const char *chosen[MAX_POINTS + 1] = {NULL}, *path = cli_value(arguments, "output");
    struct drawn drawn = {.results = need_calloc(wanted, sizeof *drawn.results), .files = arguments->operands};
    while (drawn.count < wanted && results_read(drawn.files[drawn.count], &drawn.results[drawn.count], err)) {
        partial_warn(&drawn.results[drawn.count], drawn.files[drawn.count]);
        drawn.count++;
    }
    bool done = drawn.count == wanted && read_isa(arguments, drawn.results, wanted, &options->isa, err) &&
                read_points(arguments, drawn.results, wanted, chosen, options, err) &&
                labels_read(arguments, &drawn.labels, err);
    if (done) { /* the names of chosen points change with theirs */
        labels_rename_points(&drawn.labels, drawn.results, wanted);
        leave_out_place(arguments, &drawn.results[0], options);
    }
    done = done && (path ? cmd_plot_draw(chart, &drawn, options, path, err)
                         : cmd_plot_draw_in_terminal(chart, &drawn, options, err));
    while (drawn.count > 0)
        results_free(&drawn.results[--drawn.count]);
    free(drawn.results);
    return done;
}

static int cmd_plot_command(const struct arguments *arguments, struct error *err) {
    struct chart_options options;
    const struct plot_terminal terminal = terminal_find();
    struct plot_style style;
    const struct chart *chart;
    const char *path = cli_value(arguments, "output");
    if (path && !plot_format_known(path) && !report_html_wanted(path)) {
        error_set(err, "%s: unknown picture format; name a file that ends in " PLOT_FORMATS ", or .html for a report",
                  path);
        return CLI_ERROR;
    }
    if (path && plot_refusal(path)) {
        error_set(err, "%s: %s", path, plot_refusal(path));
        return CLI_ERROR;
    }
    if (!cmd_plot_read_options(arguments, &options, &chart, err) ||
        !read_looks(arguments, &style, &terminal, &options, err))
        return CLI_ERROR;
    if (options.deviation && (!path || report_html_wanted(path))) {
        error_set(err,
                  "--add deviation: only pictures show bars (" PLOT_FORMATS "); name one with -o, or leave it out");
        return CLI_ERROR;
    }
    if (soak_is(arguments->operands[0]))
        return soak_plot(arguments, &options, err);
    if (path && !suits_file(arguments, chart, &options, path, err))
        return CLI_ERROR;
    return draw_files(arguments, chart, &options, err) ? CLI_DONE : CLI_ERROR;
}

static const struct cli_example EXAMPLES[] = {
    {"carmine plot my.json -o my.svg", "the roofline"},
    {"carmine plot my.json", "in the terminal"},
    {"carmine plot my.json --threads 1,all -o both.svg", "one core and all cores"},
    {"carmine plot my.json --chart sweep -o sweep.png", "bandwidth by size"},
    {"carmine plot old.json new.json -o report.html", "all charts and tables"},
    {0},
};

const struct command command_plot = {
    .name = "plot",
    .operands = "FILE…",
    .operands_min = 1,
    .operands_max = CLI_ANY_NUMBER,
    .summary = "draw a stored result again: roofline, series by size, sweep, latency, scaling, matrix",
    .description =
        "Draws a stored result, on any machine: the roofline (ceilings, roofs and applications over flop per "
        "byte that the core loads and stores), or another --chart. A report (-o FILE.html) holds all charts "
        "and tables of up to 50 results, of up to 500 the best roofs. Other pictures of several results are "
        "those of `carmine compare`. A log of `carmine soak` is drawn over time. "
        "docs/pictures.md explains --of, --add, --size and --style.",
    .options = OPTIONS,
    .old = OLD,
    .examples = EXAMPLES,
    .run = cmd_plot_command,
};
