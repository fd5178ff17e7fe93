/* SPDX-License-Identifier: BSD-3-Clause
 * carmine spec: a stored result beside documented limits and a vendor's specification, with the reason for each gap. */
#include "commands.h"

#include <stdlib.h>
#include <string.h>

#include "carm/options/view_options.h"
#include "carm/report/next_answers.h"
#include "carm/report/shortfall_report.h"
#include "carm/store/file_io.h"
#include "carm/store/results.h"
#include "carm/text/notice.h"
#include "carm/text/pager.h"
#include "probe/error.h"
#include "probe/memory_modules.h"
#include "probe/uarch.h"

static const struct cli_option OPTIONS[] = {
    {"spec", 0, "FILE", "the vendor's data of this model (JSON, schema carmine.spec/1; examples in specs/)"},
    {"memory", 0, "FILE",
     "the memory modules, as `dmidecode -t memory` prints them; - is standard input. (`run` reads them itself if it "
     "may)"},
    {"limits", 0, NULL, "print the table of documented limits with its sources, as Markdown"},
    {"all", 0, NULL, "print every roof at its clock and at the nominal clock, and explain each reason"},
    {0},
};

/* Prints the vendor's data alone (`model` is NULL without a result), one screen, or every roof. */
static void print(const struct arguments *arguments, const struct spec_answer *answer,
                  const struct plot_terminal *terminal) {
    const struct screen screen = {terminal, stdout};
    if (!answer->model) {
        shortfall_report_spec(answer->spec, stdout);
    } else if (cli_given(arguments, "all")) {
        pager_begin();
        specification_print(answer->specification, &screen);
        putchar('\n');
        if (answer->spec)
            shortfall_report_spec(answer->spec, stdout);
        shortfall_report_print(answer->model, answer->shortfalls, answer->spec, stdout);
        pager_end();
    } else {
        spec_answer_print(answer, &screen);
    }
}

/* Replaces the result's memory modules by those of a file. */
static bool read_modules(const char *path, struct result *result, struct error *err) {
    enum { MOST_BYTES = 1 << 20 };
    char *text;
    size_t length;
    if (!file_read(strcmp(path, "-") == 0 ? "/dev/stdin" : path, MOST_BYTES, &text, &length, err))
        return false;
    const bool found = memory_modules_text(text, &result->machine.memory_modules);
    free(text);
    return found || error_set(err,
                              "%s: names no module of DRAM; it must be the output of `sudo dmidecode -t memory`, of "
                              "no virtual machine",
                              path);
}

/* Error: the vendor's file is of another core. Only a note if the CPU hides which one it is. */
static bool is_of_core(const struct result *result, const struct spec *spec, const struct arguments *arguments,
                       struct error *err) {
    const struct uarch *own = uarch_named(result->uarch), *stated = uarch_named(spec->uarch);
    const char *path = cli_value(arguments, "spec");
    const char *name = stated ? uarch_name(stated) : spec->uarch; /* of a core that is in no table */
    if (!own || !*name || own == stated)
        return true;
    if (!result->uarch_doubt[0])
        return error_set(err, "%s is the specification of a %s, but %s is the result of a %s", path, name,
                         arguments->operands[0], uarch_name(own));
    notice_print("%s is the specification of a %s, and the result was judged as a %s", path, name, uarch_name(own));
    return true;
}

/* Judges the result, which is empty if none is named. Status as of `carmine check`: 1 if a figure is below, 2 if none
 * can be told. */
static int answer(const struct arguments *arguments, const struct result *result, const struct spec *spec,
                  const struct plot_terminal *terminal) {
    static const int STATUSES[SPEC_VERDICTS] = {
        [SPEC_REACHED] = CLI_DONE, [SPEC_BELOW] = CLI_NO, [SPEC_UNKNOWN] = CLI_ERROR};
    const bool has_result = arguments->operand_count > 0;
    const char *path = has_result ? arguments->operands[0] : NULL;
    struct model model = model_build(result);
    struct shortfalls shortfalls = shortfalls_find(&model, spec);
    const struct specification specification = specification_judge(&model, &shortfalls, spec);
    const struct spec_answer all = {has_result ? &model : NULL, &shortfalls, has_result ? &specification : NULL, spec};
    if (view_options_data(arguments))
        view_options_print(arguments, next_add(shortfall_report_json(&all), next_of_specification(&all, path)),
                           "roofs");
    else
        print(arguments, &all, terminal);
    shortfalls_free(&shortfalls);
    model_free(&model);
    return has_result ? STATUSES[specification_verdict(&specification)] : CLI_DONE;
}

static int command(const struct arguments *arguments, struct error *err) {
    if (cli_given(arguments, "limits")) {
        if (arguments->operand_count > 0 || cli_given(arguments, "spec") || view_options_data(arguments)) {
            error_set(err, "--limits takes no FILE and no other option");
            return CLI_ERROR;
        }
        limits_markdown_print(stdout);
        return CLI_DONE;
    }
    static const char *const OF_RESULTS[] = {"memory", "csv"};
    const char *spec_path = cli_value(arguments, "spec");
    struct spec stated, *spec = spec_path ? &stated : NULL;
    struct result result = {0};
    const struct plot_terminal terminal = terminal_find();
    const bool has_result = arguments->operand_count > 0;
    if (!has_result && !spec) {
        error_set(
            err, "name a result FILE, or --spec FILE for a vendor's documented peaks alone, or --limits for the table");
        return CLI_ERROR;
    }
    for (size_t i = 0; i < sizeof OF_RESULTS / sizeof OF_RESULTS[0] && !has_result; i++)
        if (cli_given(arguments, OF_RESULTS[i])) {
            error_set(err, "--%s is for a result: name its FILE, too", OF_RESULTS[i]);
            return CLI_ERROR;
        }
    if ((spec && !spec_read(spec_path, spec, err)) ||
        (has_result && !results_read(arguments->operands[0], &result, err)))
        return CLI_ERROR;
    if ((spec && has_result && !is_of_core(&result, spec, arguments, err)) ||
        (cli_given(arguments, "memory") && !read_modules(cli_value(arguments, "memory"), &result, err))) {
        results_free(&result);
        return CLI_ERROR;
    }
    const int status = answer(arguments, &result, spec, &terminal);
    results_free(&result);
    return status;
}

static const struct cli_example EXAMPLES[] = {
    {"carmine spec my.json", "why roofs are below their limits"},
    {"carmine spec my.json --spec vendor.json", "with the vendor's data"},
    {"sudo dmidecode -t memory | carmine spec my.json --memory -", "with the memory modules, which only root may read"},
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
        "Does the machine reach what its vendor states? The output starts with a verdict on FMA of each "
        "precision, loads from L1 and L2, memory, and the base and boost clock: as specified, below and why, or "
        "cannot tell and which file tells. Then it counts the roofs at their documented limit and gives the "
        "reason for every gap over 2 %, if one is known; --all shows every roof, at its own clock and at the "
        "nominal clock. --spec adds the vendor's data of the model. Without FILE it prints those alone. Exit "
        "status 1: a figure is below; 2: none can be told.",
    .options = OPTIONS,
    .forms = {[CLI_JSON] = "schema carmine.gaps/1", [CLI_CSV] = "", [CLI_MARKDOWN] = ""},
    .examples = EXAMPLES,
    .run = command,
};
