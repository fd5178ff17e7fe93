/* SPDX-License-Identifier: BSD-3-Clause
 * carmine spec: a stored result beside documented limits and a vendor's specification, with the reason for each gap. */
#include "commands.h"

#include "carm/options/view_options.h"
#include "carm/options/terminal.h"
#include "carm/report/limits_markdown.h"
#include "carm/report/shortfall_report.h"
#include "carm/store/fields.h"
#include "carm/text/pager.h"

static const struct cli_option OPTIONS[] = {
    {"spec", 0, "FILE", "the vendor's data of this model (JSON, schema carmine.spec/1; examples in specs/)"},
    {"limits", 0, NULL, "print the table of documented limits with its sources, as Markdown"},
    {"all", 0, NULL, "print every roof at its clock and at the nominal clock, and explain each reason"},
    {"json", 0, NULL, "print JSON, schema carmine.gaps/1"},
    CHOICE_MARKDOWN,
    {0},
};

/* Prints the vendor's data alone (`model` is NULL without a result), one screen, or every roof. */
static void print(const struct arguments *arguments, const struct model *model, const struct shortfalls *shortfalls,
                  const struct spec *spec, const struct plot_terminal *terminal) {
    if (!model) {
        shortfall_report_spec(spec, stdout);
    } else if (cli_given(arguments, "all")) {
        pager_begin();
        if (spec)
            shortfall_report_spec(spec, stdout);
        shortfall_report_print(model, shortfalls, spec, stdout);
        pager_end();
    } else {
        spec_answer_print(model, shortfalls, spec, &(struct screen){terminal, stdout});
    }
}

static int command(const struct arguments *arguments, struct error *err) {
    if (cli_given(arguments, "limits")) {
        if (arguments->operand_count > 0 || cli_given(arguments, "spec") || cli_given(arguments, "json")) {
            error_set(err, "--limits takes no FILE and no other option");
            return CLI_ERROR;
        }
        limits_markdown_print(stdout);
        return CLI_DONE;
    }
    const char *spec_path = cli_value(arguments, "spec");
    struct spec stated, *spec = spec_path ? &stated : NULL;
    struct result result = {0};
    struct plot_terminal terminal;
    const bool has_result = arguments->operand_count > 0;
    if (!has_result && !spec) {
        error_set(
            err, "name a result FILE, or --spec FILE for a vendor's documented peaks alone, or --limits for the table");
        return CLI_ERROR;
    }
    if (!terminal_find(arguments, &terminal, err) || (spec && !spec_read(spec_path, spec, err)) ||
        (has_result && !results_read(arguments->operands[0], &result, err)))
        return CLI_ERROR;
    struct model model = model_build(&result);
    struct shortfalls shortfalls = shortfalls_find(&model, spec);
    if (cli_given(arguments, "json")) {
        fields_print(shortfall_report_json(has_result ? &model : NULL, &shortfalls, spec));
    } else {
        print(arguments, has_result ? &model : NULL, &shortfalls, spec, &terminal);
    }
    shortfalls_free(&shortfalls);
    model_free(&model);
    results_free(&result);
    return CLI_DONE;
}

static const struct cli_example EXAMPLES[] = {
    {"carmine spec my.json", "why roofs are below their limits"},
    {"carmine spec my.json --spec vendor.json", "with the vendor's data"},
    {"carmine spec --limits", "the table, with its sources"},
    {0},
};

const struct command command_spec = {
    .name = "spec",
    .operands = "[FILE]",
    .operands_min = 0,
    .operands_max = 1,
    .summary = "measured against documented limits, with the reason for each gap",
    .description =
        "Shows how near each roof of a stored result is to its documented limit, at its own clock and at the nominal "
        "clock, and gives the reason for every gap over 2 %, if one is known. The output starts with the number of "
        "roofs that reach their limit and of gaps explained; --all shows every roof. --spec adds the vendor's data of "
        "the model: peaks at base and turbo clock, and the memory. Without FILE it prints those alone.",
    .options = OPTIONS,
    .examples = EXAMPLES,
    .run = command,
};
