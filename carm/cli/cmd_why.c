/* SPDX-License-Identifier: BSD-3-Clause
 * carmine why: the ratio of two results as a product of factors, in words and as a waterfall. */
#include "commands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "carm/chart/chart_compare.h"
#include "carm/options/measure_options.h"
#include "carm/options/picture_options.h"
#include "carm/options/view_options.h"
#include "carm/report/next_answers.h"
#include "carm/report/why_report.h"
#include "carm/session/partial.h"
#include "carm/store/fields.h"
#include "carm/text/notice.h"
#include "carm/text/pager.h"
#include "carm/text/safe_output.h"
#include "probe/error.h"
#include "probe/text.h"
#include "render/page/plot.h"

static const struct cli_option OPTIONS[] = {
    {"plot", 0, "FILE", "draw ROOF, or all roofs, as waterfalls (" PLOT_FORMATS "), or `term`: in the terminal"},
    {"threads", 0, "N|all", "roofs of one core (1), of all cores (all), or of N cores (default: all, else 1)"},
    {"type", 0, "TYPE", "type of the peak: {} (default: f64)"},
    CHOICE_LABELS,
    CHOICE_SIZE,
    {"all", 0, NULL, "explain each ratio in words, with warnings"},
    {0},
};

struct pair {
    size_t read; /* number of files read */
    struct result results[2];
    struct model models[2];
    struct compare_side sides[2];
};

/* The options. */
struct choice {
    unsigned cores;   /* --threads; 0: not given */
    const char *type; /* of the peak */
    const char *roof; /* NULL: all headline roofs */
    const char *path; /* of the picture; NULL: none */
    bool all, json, csv;
    struct plot_terminal terminal;
    struct plot_style style;
    struct chart_options options;
};

static bool in_terminal(const struct choice *choice) {
    return choice->path && strcmp(choice->path, "term") == 0;
}

static void free_pair(struct pair *pair) {
    for (size_t i = 0; i < pair->read; i++) {
        model_free(&pair->models[i]);
        results_free(&pair->results[i]);
    }
}

static void note_same_file(const char *a, const char *b) {
    struct stat p, q;
    if (stat(a, &p) == 0 && stat(b, &q) == 0 && p.st_dev == q.st_dev && p.st_ino == q.st_ino)
        notice_print("%s and %s are the same file: every ratio is 1", a, b);
}

static bool read_pair(const struct arguments *arguments, struct pair *pair, struct error *err) {
    struct labels labels;
    if (!labels_read(arguments, &labels, err))
        return false;
    for (size_t i = 0; i < 2; i++) {
        const char *path = arguments->operands[i];
        if (!results_read(path, &pair->results[i], err))
            return false;
        pair->read = i + 1;
        partial_warn(&pair->results[i], path);
        pair->models[i] = model_build(&pair->results[i]);
        pair->sides[i] = (struct compare_side){.model = &pair->models[i], .path = path};
    }
    note_same_file(arguments->operands[0], arguments->operands[1]);
    compare_label(pair->sides, 2);
    return labels_rename_sides(&labels, pair->sides, 2, err) && labels_check(&labels, err);
}

static bool read_cores(const struct arguments *arguments, unsigned *out, struct error *err) {
    const char *value = cli_value(arguments, "threads");
    double number = 0;
    if (value && strcmp(value, "all") != 0 &&
        (!cli_number(value, "--threads", &number, err) || number > 1e6 || number != floor(number)))
        return error_set(err, "--threads takes a number of cores, or all, not '%s'", value);
    *out = value && strcmp(value, "all") == 0 ? ROOF_ALL_CORES : (unsigned)number;
    return true;
}

static bool read_choice(const struct arguments *arguments, struct choice *out, struct error *err) {
    size_t count;
    *out = (struct choice){.terminal = terminal_find(),
                           .type = "f64",
                           .roof = arguments->operand_count > 2 ? arguments->operands[2] : NULL,
                           .path = cli_value(arguments, "plot"),
                           .all = cli_given(arguments, "all"),
                           .json = cli_given(arguments, "json"),
                           .csv = cli_given(arguments, "csv")};
    if (!read_cores(arguments, &out->cores, err) || !cli_chosen(arguments, "type", &out->type, 1, &count, err))
        return false;
    if (!picture_options_of_plot(arguments, &out->style, &out->options, err))
        return false;
    if (in_terminal(out) && (out->json || out->csv))
        return error_set(err, "--%s and --plot term both want standard output: name a FILE to draw into",
                         out->json ? "json" : "csv");
    return true;
}

/* Draws one roof if one is chosen, else all. */
static bool draw(const struct comparison *c, const struct why_list *list, struct choice *choice, struct error *err) {
    const bool term = in_terminal(choice);
    char *text = NULL;
    choice->options.terminal = term ? &choice->terminal : NULL;
    choice->options.text = &text;
    const bool done = choice->roof ? chart_waterfall(c, list->list, &choice->options, choice->path, err)
                                   : chart_waterfalls(c, list, &choice->options, choice->path, err);
    if (done && term)
        fputs("\n", stdout), safe_output_own(text, stdout);
    free(text);
    return done;
}

/* The names that ROOF can have besides kernels: "f64 peak, L1, L2, DRAM, L1 latency". */
static void name_all(const struct why_list *list, char *out, size_t size) {
    *out = '\0';
    char name[128];
    for (size_t i = 0; i < list->count; i++)
        text_append(out, size, "%s%s", i ? ", " : "", why_name(&list->list[i], name, sizeof name));
}

/* Reduces the list to the chosen roof. */
static bool choose_roof(const struct comparison *c, unsigned cores, const char *roof, struct why_list *list,
                        struct error *err) {
    char names[400];
    struct why why;
    if (!why_find(c, cores, roof, &why)) {
        name_all(list, names, sizeof names);
        return error_set(
            err, "no roof '%.60s' in both files; they share %s, and the kernels that `carmine compare %s %s` lists",
            roof, names, c->sides[0].path, c->sides[1].path);
    }
    list->list[0] = why;
    list->count = 1;
    return true;
}

static void print_all(const struct comparison *c, const struct why_list *list, const struct plot_terminal *terminal) {
    pager_begin();
    why_print(c, list, terminal, stdout);
    pager_end();
}

/* Draws a picture file first, so that an error comes before any output. */
static bool tell(const struct comparison *c, const struct why_list *list, struct choice *choice, struct error *err) {
    if (choice->path && !in_terminal(choice) && !draw(c, list, choice, err))
        return false;
    if (choice->json)
        fields_print(next_add(why_json(c, list), next_step_json(NEXT_NOTHING, "", NULL)));
    else if (choice->csv)
        why_csv(list, stdout);
    else if (choice->roof)
        why_print_roof(c, list->list, &choice->terminal, stdout);
    else if (choice->all)
        print_all(c, list, &choice->terminal);
    else
        why_answer_print(c, list, &(struct screen){&choice->terminal, stdout});
    return !in_terminal(choice) || draw(c, list, choice, err);
}

static bool explain(const struct comparison *c, struct choice *choice, struct error *err) {
    const unsigned cores = why_cores(c, choice->cores);
    struct why_list list = why_headlines(c, cores, choice->type);
    bool done = list.count > 0 && (cores || !choice->cores);
    if (!done)
        error_set(err,
                  "%s and %s have no roofs%s in common; `carmine show FILE` lists the roofs of each, `carmine run` "
                  "measures all",
                  c->sides[0].path, c->sides[1].path, choice->cores ? " of that many cores" : "");
    done = done && (!choice->roof || choose_roof(c, cores, choice->roof, &list, err)) && tell(c, &list, choice, err);
    free(list.list);
    return done;
}

static int command(const struct arguments *arguments, struct error *err) {
    struct pair pair = {0};
    struct choice choice;
    bool done = read_choice(arguments, &choice, err) && read_pair(arguments, &pair, err);
    if (done) {
        struct comparison comparison = compare_make(pair.sides, 2, 0);
        done = explain(&comparison, &choice, err);
        compare_free(&comparison);
    }
    free_pair(&pair);
    return done ? CLI_DONE : CLI_ERROR;
}

static const struct cli_example EXAMPLES[] = {
    {"carmine why old.json new.json", "the factors of each headline roof's ratio, a line each"},
    {"carmine why old.json new.json --all", "explained in words"},
    {"carmine why old.json new.json DRAM", "one roof in detail"},
    {"carmine why old.json new.json f64 --plot why.svg", "the same as a waterfall"},
    {0},
};

const struct command command_why = {
    .name = "why",
    .operands = "FILE FILE [ROOF]",
    .operands_min = 2,
    .operands_max = 3,
    .summary = "why two results differ: each ratio as clock × per cycle × cores",
    .description = "Shows why the second machine, B, is faster or slower than the first, A: splits the ratio of B to A "
                   "into factors whose "
                   "product it is. The factors are the clock, the work of a core per cycle, the cores (their number, "
                   "and the speed that each retains when all work), and the level, if it differs. One screen has a "
                   "line for each headline roof; --all explains them. One ROOF (\"f64\", \"DRAM\", \"DRAM latency\", "
                   "\"L3 avx512.load\") is shown in full detail, with --plot as a waterfall. See docs/compare.md.",
    .options = OPTIONS,
    .forms = {[CLI_JSON] = "schema carmine.why/1", [CLI_CSV] = "", [CLI_MARKDOWN] = ""},
    .examples = EXAMPLES,
    .run = command,
};
