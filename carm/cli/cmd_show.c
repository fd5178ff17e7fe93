/* SPDX-License-Identifier: BSD-3-Clause
 * carmine show: a stored result as table, JSON or CSV. */
#include "commands.h"

#include <string.h>

#include "carm/options/measure_options.h"
#include "carm/options/view_options.h"
#include "carm/report/check_report.h"
#include "carm/report/machine_report.h"
#include "carm/report/memory_report.h"
#include "carm/report/next_answers.h"
#include "carm/report/report.h"
#include "carm/report/result_answer.h"
#include "carm/report/screen.h"
#include "carm/session/partial.h"
#include "carm/soak/soak_views.h"
#include "carm/store/fields.h"
#include "carm/store/result_fields.h"
#include "carm/text/notice.h"
#include "carm/text/pager.h"
#include "probe/error.h"
#include "probe/isa.h"
#include "probe/text.h"

static const struct cli_option OPTIONS[] = {
    {"all", 0, NULL, "print every row, with documented limits, ± and warnings, and their causes and remedies"},
    {"table", 0, "TABLE", "with --csv: {} (default: the first that the file has)"},
    {"format", 0, "FLAT", "each roof by its name, value, unit and interval, for tools that keep numbers: {}"},
    {"annotate", 0, "[=NAME]",
     "the code of the hottest loop, or of the loop or function NAME, stored by `carmine app --annotate`"},
    CHOICE_ROOF,
    {"isa", 0, "SETS,…", "every row, but only of these instruction sets: {}; with --json and --csv, too"},
    {"level", 0, "LEVEL,…", "every row of these memory levels: {}"},
    {"threads", 0, "N|all,…", "every row of these thread counts: 1, all, or other numbers"},
    {"fields", 0, NULL, "print the meaning of every field of a result file, as Markdown; without FILE"},
    {0},
};

/* The code of a loop. A file may hold code of several programs. */
static bool show_code(const struct result *result, const char *name, const struct screen *screen, struct error *err) {
    const struct annotation *found = annotation_find(result->annotations, result->annotation_count, name);
    if (result->annotation_count == 0)
        return error_set(err, "the file holds no code of loops; `carmine app --annotate -o FILE -- PROGRAM` adds it");
    if (found == NULL)
        return error_set(err, "--annotate=%s: the file holds no code of that name; --annotate alone lists the names",
                         name);
    annotation_answer_print(found, result->annotations, result->annotation_count, screen);
    return true;
}

/* Rows of roofs to show. */
enum { NAMES_MOST = 16 };
struct rows {
    const char *isas[NAMES_MOST], *levels[NAMES_MOST];
    unsigned threads[VIEW_THREADS_MAX];
    size_t isa_count, level_count, thread_count; /* 0: all */
};

static bool read_rows(const struct arguments *arguments, struct rows *out, struct error *err) {
    return cli_chosen(arguments, "isa", out->isas, NAMES_MOST, &out->isa_count, err) &&
           cli_chosen(arguments, "level", out->levels, NAMES_MOST, &out->level_count, err) &&
           view_options_thread_list(arguments, out->threads, &out->thread_count, err);
}

static bool chooses(const struct rows *rows) {
    return rows->isa_count + rows->level_count + rows->thread_count > 0;
}

static bool is_chosen(const struct rows *rows, const struct roof *roof, unsigned most_threads) {
    const struct isa *own = isa_find(roof->isa);
    bool level = rows->level_count == 0, threads = rows->thread_count == 0;
    for (size_t i = 0; i < rows->level_count; i++)
        level |= strcmp(roof->sample->level, rows->levels[i]) == 0;
    for (size_t i = 0; i < rows->thread_count; i++)
        threads |= roof->sample->threads == (rows->threads[i] == ROOF_ALL_CORES ? most_threads : rows->threads[i]);
    return (rows->isa_count == 0 || (own && isa_chosen(own, rows->isas, rows->isa_count))) && level && threads;
}

static size_t keep_chosen(const struct rows *rows, unsigned most_threads, struct roof *roofs, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (is_chosen(rows, &roofs[i], most_threads))
            roofs[kept++] = roofs[i];
    return kept;
}

/* Appends a name if it is not empty and not among them. */
static void add_name(const char *name, const char **names, size_t *count) {
    size_t i = 0;
    while (i < *count && strcmp(names[i], name) != 0)
        i++;
    if (*name && i == *count && i < NAMES_MOST)
        names[(*count)++] = name;
}

/* "threads 1, 2; levels L1, L2, DRAM; instruction sets avx2, sse" */
static void list_roofs(const struct model *model, struct sentence *out) {
    const char *levels[NAMES_MOST], *isas[NAMES_MOST];
    unsigned threads[NAMES_MOST];
    const size_t count = model_threads(model, threads, NAMES_MOST);
    size_t level_count = 0, sets = 0;
    for (size_t i = 0; i < model->count; i++) {
        add_name(model->roofs[i].sample->level, levels, &level_count);
        add_name(model->roofs[i].isa, isas, &sets);
    }
    for (size_t i = 0; i < count; i++)
        text_say(out->text, "%s%u", i ? ", " : "threads ", threads[i]);
    for (size_t i = 0; i < level_count; i++)
        text_say(out->text, "%s%s", i ? ", " : "; levels ", levels[i]);
    for (size_t i = 0; i < sets; i++)
        text_say(out->text, "%s%s", i ? ", " : "; instruction sets ", isas[i]);
}

/* Leaves only the chosen roofs in the model, and no points: other roofs may limit those. Error: none is left. */
static bool keep_rows(const struct rows *rows, struct model *model, struct result *result, struct error *err) {
    unsigned most_threads = 0;
    struct sentence all = {""};
    if (!chooses(rows))
        return true;
    list_roofs(model, &all);
    for (size_t i = 0; i < model->count; i++)
        if (model->roofs[i].sample->threads > most_threads)
            most_threads = model->roofs[i].sample->threads;
    model->count = keep_chosen(rows, most_threads, model->roofs, model->count);
    model->blank_count = keep_chosen(rows, most_threads, model->blanks, model->blank_count);
    result->point_count = result->validation_count = 0;
    memory_system_free(&result->memory);
    core_measured_free(&result->core);
    return model->count + model->blank_count > 0 || error_set(err, "the file holds no such roof; it has %s", all.text);
}

/* The tables of --csv, in the order of the set. */
enum { TABLE_ROOFS, TABLE_POINTS, TABLE_MEMORY, TABLE_CORE, TABLES };

/* The requested table, else the first that the file has. Names the others. Error: the file has none of the name. */
static bool print_csv(const struct arguments *arguments, const struct model *model, struct error *err) {
    const struct cli_set *names = cli_set_of("TABLE");
    const struct result *result = model->result;
    const bool has[TABLES] = {model->count + model->blank_count > 0, result->point_count > 0, memory_parts(result) != 0,
                              result->core.count > 0};
    static const char *const ADDED_BY[TABLES] = {"run --resume FILE", "app -o FILE -- PROGRAM", "memory -o FILE",
                                                 "core -o FILE"};
    size_t table = TABLE_ROOFS;
    char others[64] = "";
    while (table < TABLE_CORE && !has[table])
        table++;
    if (!has[table]) /* nothing at all: a heading */
        table = TABLE_ROOFS;
    const size_t asked = cli_choice(arguments, "table", table);
    if (!has[asked] && cli_given(arguments, "table"))
        return error_set(err, "the file holds no %s; `carmine %s` adds some", cli_set_name(names, asked),
                         ADDED_BY[asked]);
    for (size_t i = 0; i < TABLES && !cli_given(arguments, "table"); i++)
        if (has[i] && i != asked)
            text_append(others, sizeof others, "%s%s", *others ? ", " : "", cli_set_name(names, i));
    if (*others)
        notice_print("these are the %s; --table has others: %s", cli_set_name(names, asked), others);
    if (asked == TABLE_ROOFS)
        report_csv(model, stdout);
    else if (asked == TABLE_POINTS)
        view_options_print(arguments, report_json(model), "points");
    else if (asked == TABLE_MEMORY)
        memory_csv(result, MEMORY_ALL_PARTS, stdout);
    else
        core_csv(result, stdout);
    return true;
}

/* One screen; false: the result holds nothing for one. */
static bool print_answer(const struct result_answer *answer, const struct screen *screen) {
    const struct result *result = answer->model->result;
    if (result_answer_print(answer, screen))
        return true;
    if (memory_parts(result))
        memory_answer_print(result, MEMORY_ALL_PARTS, screen);
    else if (result->core.count > 0)
        core_answer_print(result, screen);
    return memory_parts(result) != 0 || result->core.count > 0;
}

/* The result in the chosen form. */
static bool print(const struct arguments *arguments, const struct rows *rows, struct result *result,
                  const struct plot_terminal *terminal, const char *roof, struct error *err) {
    const char *path = arguments->operands[0];
    const bool json = cli_given(arguments, "json"), csv = cli_given(arguments, "csv"),
               flat = cli_given(arguments, "format");
    struct model model = model_build(result);
    bool done = keep_rows(rows, &model, result, err);
    if (done && (json || csv || flat)) /* the table shows it already */
        partial_warn(result, path);
    if (done && json) {
        fields_print(next_add(report_json(&model), next_of_result(&model, path)));
    } else if (done && csv) {
        done = print_csv(arguments, &model, err);
    } else if (done && flat) {
        flat_print(cli_value(arguments, "format"), &model, path, stdout);
    } else if (done && cli_given(arguments, "annotate")) {
        done = show_code(result, cli_value(arguments, "annotate"), &(struct screen){terminal, stdout}, err);
    } else if (done &&
               (cli_given(arguments, "all") || chooses(rows) ||
                !print_answer(&(struct result_answer){&model, roof, path, NULL}, &(struct screen){terminal, stdout}))) {
        pager_begin();
        report_print(&model, roof, stdout);
        pager_end();
    }
    model_free(&model);
    return done;
}

/* A form of output beside --format; NULL: none was typed. */
static const char *other_form(const struct arguments *arguments) {
    for (size_t i = 0; i < CLI_FORMS; i++)
        if (cli_typed(arguments, cli_forms[i].name))
            return cli_forms[i].name;
    return cli_typed(arguments, "all") ? "all" : cli_typed(arguments, "annotate") ? "annotate" : NULL;
}

/* Error: --format beside another form of output. */
static bool has_one_form(const struct arguments *arguments, struct error *err) {
    const char *other = other_form(arguments);
    return !other || !cli_typed(arguments, "format") ||
           error_set(err, "--format and --%s are two forms of output: choose one", other);
}

static int show(const struct arguments *arguments, struct error *err) {
    struct result result;
    struct rows rows = {0};
    const struct plot_terminal terminal = terminal_find();
    const char *roof;
    if (cli_typed(arguments, "table") && !cli_given(arguments, "csv")) {
        error_set(err, "--table chooses a table of CSV: add --csv, or see all of them with --all");
        return CLI_ERROR;
    }
    if (!has_one_form(arguments, err) || !measure_options_roof(arguments, true, &roof, err) ||
        !read_rows(arguments, &rows, err) || !results_read(arguments->operands[0], &result, err))
        return CLI_ERROR;
    const bool done = print(arguments, &rows, &result, &terminal, roof, err);
    results_free(&result);
    return done ? CLI_DONE : CLI_ERROR;
}

static int command(const struct arguments *arguments, struct error *err) {
    if (!cli_given(arguments, "fields") && arguments->operand_count == 0) {
        error_set(err, "missing argument: name a result FILE, or use --fields for the meaning of its fields");
        return CLI_ERROR;
    }
    if (!cli_given(arguments, "fields"))
        return soak_is(arguments->operands[0]) ? soak_show(arguments, err) : show(arguments, err);
    bool others = arguments->operand_count > 0;
    const struct cli_option *option;
    for (size_t i = 0; (option = cli_option_at(arguments->command, i)); i++)
        others |= cli_typed(arguments, option->name) && strcmp(option->name, "fields") != 0;
    if (others) {
        error_set(err, "--fields takes no FILE and no other option");
        return CLI_ERROR;
    }
    fields_markdown_print(result_fields, "The file", stdout);
    return CLI_DONE;
}

static const struct cli_example EXAMPLES[] = {
    {"carmine show my.json", "one screen"},
    {"carmine show my.json --all", "every roof, with warnings and remedies"},
    {"carmine show my.json --level L2,DRAM --threads all", "only these rows"},
    {"carmine show my.json --csv", "for other programs; --json for all of it"},
    {"carmine show my.json --format prometheus", "for monitoring; --format flat for ReFrame and SuperBench"},
    {0},
};

const struct command command_show = {
    .name = "show",
    .operands = "[FILE]",
    .operands_min = 0,
    .operands_max = 1,
    .summary = "a stored result in one screen; --all: every roof; or as JSON or CSV",
    .description =
        "Shows a stored result in one screen, as `carmine run` does after measuring: its grade, A to D "
        "(docs/method.md), the highest ceilings, the roof of each level, and the applications added by `carmine app`. "
        "± is the possible error of a value, shown above 5 %; above 25 % its interval is shown instead. For a log of "
        "`carmine soak` it shows the changes, with exit status 1 if there are any. Works on any machine.",
    .options = OPTIONS,
    .forms = {[CLI_JSON] = "schema carmine.roofs/1",
              [CLI_CSV] = "a row per roof, or per row of --table",
              [CLI_MARKDOWN] = "",
              [CLI_LATEX] = ""},
    .examples = EXAMPLES,
    .run = command,
};
