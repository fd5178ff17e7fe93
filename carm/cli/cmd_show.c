/* SPDX-License-Identifier: BSD-3-Clause
 * carmine show: a stored result as table, JSON or CSV. */
#include "carm/options/measure_options.h"
#include "commands.h"
#include "carm/store/fields.h"
#include "carm/session/partial.h"
#include "carm/tables/report.h"

static const struct cli_option OPTIONS[] = {
    {"json", 0, NULL, "the stable machine-readable form, schema carmine.roofs/1"},
    {"csv", 0, NULL, "a row per roof"},
    {"roof", 0, "OP", "the access pattern of the levels' roofs, such as 2ld1st (default: the best of each level)"},
    {0},
};

static int command(const struct arguments *arguments, struct error *err) {
    struct result result;
    const char *roof;
    if (!measure_options_roof(arguments, &roof, err) || !results_read(arguments->operands[0], &result, err))
        return CLI_ERROR;
    struct model model = model_build(&result);
    if (cli_given(arguments, "json") || cli_given(arguments, "csv")) /* the table says it itself */
        partial_warn(&result, arguments->operands[0]);
    if (cli_given(arguments, "json")) {
        fields_print(report_json(&model));
    } else if (cli_given(arguments, "csv")) {
        report_csv(&model, stdout);
    } else {
        report_print(&model, roof, stdout);
    }
    model_free(&model);
    results_free(&result);
    return CLI_DONE;
}

const struct command command_show = {
    .name = "show",
    .operands = "FILE",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "the roofs and applications of a stored result, as table, JSON or CSV",
    .description = "Derives the roofs from the samples in FILE, as `carmine run` does after measuring, and judges the "
                   "applications that `carmine app` added. First it tells how far the result can be trusted, A to D "
                   "(docs/method.md); ± is how far a value may be off. Works on any machine.",
    .options = OPTIONS,
    .run = command,
};
