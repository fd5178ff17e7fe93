/* SPDX-License-Identifier: BSD-3-Clause
 * carmine compare: results side by side. Reads, matches, prints, draws. */
#include "commands.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "carm/chart/chart_compare.h"
#include "carm/options/picture_options.h"
#include "carm/options/view_options.h"
#include "carm/report/compare_report.h"
#include "carm/report/next_answers.h"
#include "carm/session/partial.h"
#include "carm/store/fields.h"
#include "carm/store/file_io.h"
#include "carm/store/results.h"
#include "carm/text/notice.h"
#include "carm/text/pager.h"
#include "probe/error.h"
#include "probe/need.h"
#include "render/page/plot.h"

static const struct cli_option OPTIONS[] = {
    {"baseline", 0, "FILE|N", "baseline of the ratios: this file, or the N-th (default: the first)"},
    {"per", 0, "PER", "values and ratios per cycle or per core (default: all cores together)"},
    {"plot", 0, "FILE", "draw the comparison (" PLOT_FORMATS ")"},
    {"chart", 0, "KIND",
     "overlay: rooflines over each other (default for up to 3 machines, at most 6); ratios: bars or strips"},
    {"threads", 0, "N|all",
     "for pictures: roofs of N threads, or of all cores (default: all, but 1 if all applications have one thread)"},
    {"type", 0, "TYPE", "for pictures: type of the ceilings: {} (default: f64)"},
    CHOICE_LIMITS,
    CHOICE_PICTURE,
    {"all", 0, NULL, "print every roof with values and ratios, and causes and remedies of warnings"},
    CHOICE_LABELS,
    {0},
};
static const struct cli_old_option OLD[] = {{"base", 0, "baseline", NULL}, {0}};

/* The files, and the options of the comparison. */
struct sides {
    size_t file_count, count;
    struct result_paths paths;
    struct result *results;
    struct model *models;
    struct compare_side *sides;
};

static void free_sides(struct sides *s) {
    for (size_t i = 0; i < s->file_count; i++) {
        model_free(&s->models[i]);
        results_free(&s->results[i]);
    }
    result_paths_free(&s->paths);
    free(s->results);
    free(s->models);
    free(s->sides);
}

/* One file alone is compared with itself: one number of cores against another. */
static bool split_file(struct sides *s, const char *path, struct error *err) {
    enum { MAX = COMPARE_COLUMNS };
    unsigned cores[MAX];
    size_t count = 0;
    for (size_t i = 0; i < s->models[0].count; i++) {
        const struct roof *roof = &s->models[0].roofs[i];
        const struct roof_key key = roof_key_make(&s->models[0], roof);
        size_t at = 0;
        while (at < count && cores[at] < key.cores)
            at++;
        if (key.package || key.node || key.smt || key.memory_node || count == MAX ||
            (at < count && cores[at] == key.cores))
            continue;
        memmove(&cores[at + 1], &cores[at], (count - at) * sizeof *cores);
        cores[at] = key.cores;
        count++;
    }
    if (count < 2)
        return error_set(err, "one file with the roofs of one number of cores: nothing to compare; name another file");
    s->sides = need_realloc(s->sides, count * sizeof *s->sides);
    s->count = count;
    for (size_t i = 0; i < count; i++)
        s->sides[i] = (struct compare_side){.model = &s->models[0], .path = path, .cores = cores[i]};
    notice_print("one file: its roofs by the number of cores, side by side");
    return true;
}

static bool read_sides(const struct arguments *arguments, struct sides *s, struct error *err) {
    for (size_t i = 0; i < arguments->operand_count; i++)
        if (!result_paths_add(&s->paths, arguments->operands[i], err))
            return false;
    s->count = s->paths.count;
    s->results = need_calloc(s->count, sizeof *s->results);
    s->models = need_calloc(s->count, sizeof *s->models);
    s->sides = need_calloc(s->count, sizeof *s->sides);
    for (size_t i = 0; i < s->count; i++) {
        const char *path = s->paths.list[i];
        if (s->paths.folder_count > 0 && file_is_stream(path))
            return error_set(err, "%s: a pipe or a device, not a file", path);
        if (!results_read(path, &s->results[i], err))
            return false;
        s->file_count = i + 1;
        partial_warn(&s->results[i], path);
        s->models[i] = model_build(&s->results[i]);
        s->sides[i] = (struct compare_side){.model = &s->models[i], .path = path};
        if (model_compared_count(&s->models[i]) == 0 && s->results[i].point_count == 0 && s->results[i].core.count == 0)
            return s->models[i].blank_count
                       ? error_set(err, "%s: all its roofs are blank; `carmine run --resume %s` measures them again",
                                   path, path)
                       : error_set(err, "%s: holds neither roofs nor applications nor a measured core", path);
    }
    return s->count > 1 || split_file(s, s->paths.list[0], err);
}

static void note_same_files(const struct result_paths *paths) {
    struct stat *files = need_calloc(paths->count, sizeof *files);
    bool noted = false;
    for (size_t i = 0; i < paths->count && !noted; i++) {
        stat(paths->list[i], &files[i]);
        for (size_t k = 0; k < i && !noted; k++) {
            noted = files[i].st_ino == files[k].st_ino && files[i].st_dev == files[k].st_dev;
            if (noted)
                notice_print("%s and %s are the same file", paths->list[k], paths->list[i]);
        }
    }
    free(files);
}

/* The names of machines and applications. */
static bool read_labels(const struct arguments *arguments, struct sides *s, struct error *err) {
    struct labels labels;
    compare_label(s->sides, s->count);
    if (!labels_read(arguments, &labels, err))
        return false;
    labels_rename_points(&labels, s->results, s->file_count);
    return labels_rename_sides(&labels, s->sides, s->count, err) && labels_check(&labels, err);
}

static bool read_base(const struct arguments *arguments, const struct sides *s, size_t *out, struct error *err) {
    const char *value = cli_value(arguments, "baseline");
    *out = 0;
    if (!value)
        return true;
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(value, s->sides[i].path) == 0 || strcmp(value, s->sides[i].label) == 0) {
            *out = i;
            return true;
        }
    char *end;
    const unsigned long number = strtoul(value, &end, 10);
    if (*value < '0' || *value > '9' || *end || number < 1 || number > s->count)
        return error_set(err, "--baseline takes one of the files, or its number from 1 to %zu, not '%s'", s->count,
                         value);
    *out = number - 1;
    return true;
}

static bool read_view(const struct arguments *arguments, struct picture_view *out, struct error *err) {
    size_t count;
    *out = (struct picture_view){.per = view_options_per(arguments)};
    return cli_chosen(arguments, "type", &out->type, 1, &count, err) &&
           view_options_threads(arguments, &out->cores, err);
}

static bool draw(const struct arguments *arguments, const struct comparison *c, const struct picture_view *view,
                 const struct chart_options *options, struct error *err) {
    const char *path = cli_value(arguments, "plot");
    const bool chosen = cli_given(arguments, "chart"), ratios = cli_choice(arguments, "chart", 0) == 1;
    if (!path)
        return !chosen || error_set(err, "--chart needs a picture: add --plot FILE");
    if (chosen)
        return (ratios ? chart_ratios : chart_overlay)(c, view, options, path, err);
    if (c->side_count > COMPARE_COLUMNS)
        notice_print("%zu rooflines over each other are unreadable: ratios are drawn as strips", c->side_count);
    else if (several_are_ratios(c))
        notice_print("%zu machines: ratios are drawn; --chart overlay draws the rooflines over each other",
                     c->side_count);
    return chart_several(c, view, options, path, err);
}

/* One screen, or every row. */
static void print(const struct arguments *arguments, const struct comparison *c, enum compare_per per,
                  const struct plot_terminal *terminal) {
    if (!cli_given(arguments, "all") && compare_answer_print(c, per, &(struct screen){terminal, stdout}))
        return;
    pager_begin();
    compare_print(c, per, stdout);
    pager_end();
}

static int command(const struct arguments *arguments, struct error *err) {
    struct sides s = {0};
    struct picture_view view;
    struct plot_style style;
    struct chart_options options = {0};
    const struct plot_terminal terminal = terminal_find();
    size_t base;
    bool done =
        read_view(arguments, &view, err) && picture_options_of_plot(arguments, &style, &options, err) &&
        picture_limits_read(arguments, cli_given(arguments, "plot") ? NULL : "add --plot FILE", &options, err) &&
        read_sides(arguments, &s, err) && read_labels(arguments, &s, err) && read_base(arguments, &s, &base, err);
    if (done) {
        note_same_files(&s.paths);
        struct comparison comparison = compare_make(s.sides, s.count, base);
        done = draw(arguments, &comparison, &view, &options, err);
        if (done && cli_given(arguments, "json"))
            fields_print(next_add(compare_json(&comparison), next_of_comparison(&comparison)));
        else if (done && cli_given(arguments, "csv"))
            compare_csv(&comparison, stdout);
        else if (done)
            print(arguments, &comparison, view.per, &terminal);
        compare_free(&comparison);
    }
    free_sides(&s);
    return done ? CLI_DONE : CLI_ERROR;
}

static const struct cli_example EXAMPLES[] = {
    {"carmine compare old.json new.json", "every roof with its ratio"},
    {"carmine compare old.json new.json --per cycle", "the differences that the clock does not explain"},
    {"carmine compare old.json new.json --plot both.svg", "the rooflines over each other"},
    {"carmine compare my.json", "one core against all"},
    {0},
};

const struct command command_compare = {
    .name = "compare",
    .operands = "FILE|DIR…",
    .operands_min = 1,
    .operands_max = CLI_ANY_NUMBER,
    .summary = "results side by side in one screen; --all: every roof; pictures",
    .description =
        "Shows how much faster one machine is than another, roof by roof, from results of `carmine run`: the same "
        "level, kernel, place and number of cores, and applications that several results hold. The output starts with "
        "the overall speed and the share of the clock. The roofs with the largest differences follow, or every roof "
        "with --all. Ratios are against the first file. ≈ marks no difference: the intervals of both values overlap. ▲ "
        "marks a value that may be off by more than 25 %. For more than six files it prints the range of each ratio, "
        "with the machines at its ends. One file alone is compared with itself: one core against all. A DIR means all "
        "its *.json. See docs/compare.md.",
    .options = OPTIONS,
    .forms = {[CLI_JSON] = "schema carmine.compare/1",
              [CLI_CSV] = "a row per roof and file",
              [CLI_MARKDOWN] = "",
              [CLI_LATEX] = ""},
    .old = OLD,
    .examples = EXAMPLES,
    .run = command,
};
