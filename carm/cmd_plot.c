/* SPDX-License-Identifier: BSD-3-Clause
 * carmine plot: draw a stored result again. */
#include <stdlib.h>
#include <string.h>

#include "chart.h"
#include "choices.h"
#include "commands.h"
#include "report_html.h"
#include "terminal.h"

enum { MOST_POINTS = 64, MOST_FILES = 64 };

static const struct cli_option OPTIONS[] = {
    {"output", 'o', "FILE", "the picture: its ending says the format (.svg, .pdf, .png; .html: a report of all FILEs)"},
    {"chart", 0, "NAME", "roofline (default), dram, sweep, latency, scaling, matrix, matrix-latency"},
    {"point", 0, "LIST", "applications of these names, or of programs of these names (default: all that there are)"},
    {"no-points", 0, NULL, "the roofline without applications"},
    {"dram", 0, NULL, "in the roofline: each application's flop per DRAM byte too, as an outline joined to it"},
    {"threads", 0, "N", "the roofs of N threads (default: those of the newest application, else the most)"},
    {"node", 0, "N", "the roofline of the cores nearest to memory node N, with its other memory (HBM)"},
    {"package", 0, "N", "the roofline of the cores of package N"},
    {"type", 0, "NAME",
     "the type of the ceilings: f64, f32, f16, bf16, i8 (default: that of the newest application, else f64)"},
    {"isa", 0, "NAME", "ceilings and roofs of one instruction set"},
    {"roof", 0, "OP", "the access pattern of the levels' roofs, such as 2ld1st (default: the best of each level)"},
    {"random", 0, NULL, "in the roofline: the bandwidth of independent random lines in each level, dashed"},
    {"size", 0, "WxH", "in points (default: 960x640)"},
    {"term", 0, NULL, "draw it in the terminal, instead of a picture"},
    {"width", 0, "N", "of the drawing in the terminal, in columns (default: the terminal's, at least 80)"},
    {"color", 0, "WHEN", "colours in the terminal: auto (default), always, never"},
    {0},
};

/* A package's or node's number → 1 + that; 0 when the option is not given. */
static bool read_part(const struct arguments *arguments, const char *option, unsigned *out, struct error *err) {
    const char *value = cli_value(arguments, option);
    char *end = NULL;
    unsigned long number = value ? strtoul(value, &end, 10) : 0;
    *out = value ? (unsigned)number + 1 : 0;
    return !value || (*value >= '0' && *value <= '9' && !*end && number < 1000000) ||
           error_set(err, "--%s takes a number from 0, not '%s'", option, value);
}

static bool read_options(const struct arguments *arguments, struct chart_options *out, const struct chart **chart,
                         struct error *err) {
    const char *known[16] = {NULL}, *name = chart_table[0].name, *value = cli_value(arguments, "chart");
    size_t count, charts = 0;
    for (; chart_table[charts].name; charts++)
        known[charts] = chart_table[charts].name;
    if (value && !cli_names(value, "chart", known, &name, 1, &count, err))
        return false;
    for (*chart = chart_table; strcmp((*chart)->name, name) != 0;)
        (*chart)++;
    *out = (struct chart_options){.type = cli_value(arguments, "type"),
                                  .isa = cli_value(arguments, "isa"),
                                  .random = cli_given(arguments, "random"),
                                  .no_points = cli_given(arguments, "no-points"),
                                  .dram = cli_given(arguments, "dram")};
    if (!choices_roof(arguments, &out->op, err) || !read_part(arguments, "node", &out->node, err) ||
        !read_part(arguments, "package", &out->package, err))
        return false;
    if (out->type && !choices_types(out->type, &out->type, 1, &count, err))
        return false;
    double threads = 0;
    if ((value = cli_value(arguments, "threads")) && !cli_number(value, "--threads", &threads, err))
        return false;
    if (threads > 1e6 || threads != (unsigned)threads)
        return error_set(err, "--threads takes the number of threads of a roof, not '%s'", value);
    out->threads = (unsigned)threads;
    char end;
    if ((value = cli_value(arguments, "size")) && sscanf(value, "%lfx%lf%c", &out->width, &out->height, &end) != 2)
        return error_set(err, "--size takes WIDTHxHEIGHT in points, such as 960x640, not '%s'", value);
    return true;
}

/* Adds a name to the list unless it is there. */
static void add_name(const char **names, size_t *count, const char *name) {
    for (size_t i = 0; i < *count; i++)
        if (strcmp(names[i], name) == 0)
            return;
    names[(*count)++] = name;
}

/* --point: names of applications and of programs. */
static bool read_points(const struct arguments *arguments, const struct result *results, size_t count,
                        const char **chosen, struct chart_options *out, struct error *err) {
    const char *value = cli_value(arguments, "point");
    size_t points = 0, known_count = 0, chosen_count = 0;
    for (size_t r = 0; r < count; r++)
        points += results[r].point_count;
    const char **known = calloc(2 * points + 1, sizeof *known);
    for (size_t r = 0; r < count; r++)
        for (size_t i = 0; known && i < results[r].point_count; i++) {
            add_name(known, &known_count, results[r].points[i].name);
            add_name(known, &known_count, results[r].points[i].program);
        }
    bool done = known || error_set(err, "out of memory");
    if (done && value && points == 0)
        done = error_set(err, "the result holds no applications; `carmine app -o FILE -- COMMAND` adds one");
    else if (done && value)
        done = cli_names(value, "point", known, chosen, MOST_POINTS, &chosen_count, err);
    out->points = value ? chosen : NULL;
    free(known);
    return done;
}

static bool draw(const struct chart *chart, const struct result *results, char *const *files, size_t count,
                 const struct chart_options *options, const char *path, struct error *err) {
    struct model models[MOST_FILES];
    for (size_t i = 0; i < count; i++)
        models[i] = model_build(&results[i]);
    bool done = report_html_wanted(path) ? report_html_write(models, files, count, options, path, err)
                                         : chart->draw(&models[0], options, path, err);
    for (size_t i = 0; i < count; i++)
        model_free(&models[i]);
    return done;
}

/* Every file in turn. */
static bool draw_in_terminal(const struct chart *chart, const struct result *results, size_t count,
                             struct chart_options *options, struct error *err) {
    bool done = true;
    for (size_t i = 0; done && i < count; i++) {
        struct model model = model_build(&results[i]);
        char *text = NULL;
        options->text = &text;
        done = chart->draw(&model, options, NULL, err);
        if (done)
            printf("%s%s", i ? "\n" : "", text);
        free(text);
        model_free(&model);
    }
    return done;
}

/* Whether so many results, and this chart, can stand in a file of this kind. */
static bool suits_file(const struct arguments *arguments, const char *path, struct error *err) {
    bool report = report_html_wanted(path);
    if (report && cli_value(arguments, "chart"))
        return error_set(err, "a report holds the charts that there are: leave out --chart, or name a picture with -o");
    return report || arguments->operand_count == 1 ||
           error_set(err,
                     "a picture shows one result, and %zu are named; a report (-o FILE.html) or `carmine compare` "
                     "shows all",
                     arguments->operand_count);
}

static int command(const struct arguments *arguments, struct error *err) {
    struct chart_options options;
    struct plot_terminal terminal;
    const struct chart *chart;
    struct result results[MOST_FILES];
    const char *path = cli_value(arguments, "output"), *chosen[MOST_POINTS + 1] = {NULL};
    size_t wanted = arguments->operand_count, count = 0;
    bool term = cli_given(arguments, "term");
    if (!path == !term) {
        error_set(err,
                  term ? "--term draws in the terminal, -o into a file: choose one"
                       : "name the picture with -o FILE.svg (or .pdf, .png, .html), or draw in the terminal: --term");
        return CLI_ERROR;
    }
    if (!read_options(arguments, &options, &chart, err) || !terminal_find(arguments, &terminal, err))
        return CLI_ERROR;
    options.terminal = term ? &terminal : NULL;
    if (!term && !suits_file(arguments, path, err))
        return CLI_ERROR;
    while (count < wanted && results_read(arguments->operands[count], &results[count], err))
        count++;
    bool done = count == wanted && read_points(arguments, results, count, chosen, &options, err) &&
                (term ? draw_in_terminal(chart, results, count, &options, err)
                      : draw(chart, results, arguments->operands, count, &options, path, err));
    while (count > 0)
        results_free(&results[--count]);
    return done ? CLI_DONE : CLI_ERROR;
}

const struct command command_plot = {
    .name = "plot",
    .operands = "FILE…",
    .operands_min = 1,
    .operands_max = MOST_FILES,
    .summary = "draw a stored result again: roofline, sweep, latency, scaling, matrix",
    .description =
        "Draws a result file, on any machine, without measuring: the roofline (ceilings, roofs and applications over "
        "the flop per byte that the core asks for), the original roofline (--chart dram: over the flop per byte that "
        "passes between caches and memory), or bandwidth or latency against working-set size. A report (-o FILE.html) "
        "holds all of them, and the tables, of one or several results: it opens from disk, in any browser.",
    .options = OPTIONS,
    .run = command,
};
