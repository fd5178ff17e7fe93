/* SPDX-License-Identifier: BSD-3-Clause
 * carmine fleet: the nodes of a cluster against each other, and those that stand apart. */
#include "carm/answer/fleet_answer.h"
#include "carm/options/terminal.h"
#include "commands.h"
#include "render/page/plot.h"
#include "carm/options/picture_options.h"
#include "carm/store/fields.h"
#include "carm/comparisons/fleet_report.h"
#include "carm/side_by_side/chart_fleet.h"
#include "carm/text/pager.h"

static const struct cli_option OPTIONS[] = {
    {"all", 0, NULL, "every outlier with what may be wrong, and what is usual of each machine type"},
    {"roofs", 0, NULL, "the same, with median and MAD of every roof of each machine type"},
    {"plot", 0, "FILE", "draw the nodes as strips of dots, outliers named (" PLOT_FORMATS ")"},
    CHOICE_PICTURE,
    {"latest", 0, NULL, "of several results of a host only the newest counts (default: where most hosts have several)"},
    {"csv", 0, NULL, "a row per node"},
    {"json", 0, NULL, "machine-readable, schema carmine.fleet/1"},
    CHOICE_WIDTHS,
    CHOICE_COLOR,
    {0},
};

/* The answer in one screen, or all of it. */
static void print(const struct arguments *arguments, const struct fleet *fleet, const struct fleet_groups *groups,
                  const struct fleet_report *report, const struct plot_terminal *terminal) {
    const bool roofs = cli_given(arguments, "roofs");
    if (!roofs && !cli_given(arguments, "all")) {
        fleet_answer_print(fleet, groups, report, &(struct screen){terminal, stdout});
        return;
    }
    pager_begin();
    fleet_print(fleet, groups, report, roofs, stdout);
    pager_end();
}

static int command(const struct arguments *arguments, struct error *err) {
    struct result_paths paths = {.nested = true};
    struct fleet fleet = {0};
    struct chart_options options = {0};
    struct plot_style style;
    struct plot_terminal terminal;
    const char *picture = cli_value(arguments, "plot");
    bool done = terminal_find(arguments, &terminal, err) && picture_options_of_plot(arguments, &style, &options, err);
    for (size_t i = 0; i < arguments->operand_count && done; i++)
        done = result_paths_add(&paths, arguments->operands[i], err);
    done = done && fleet_read(&paths, &fleet, err);
    if (done) {
        fleet_drop_older(&fleet, cli_given(arguments, "latest"));
        struct fleet_groups groups = fleet_group(&fleet);
        struct fleet_report report = fleet_judge(&fleet, &groups);
        if (cli_given(arguments, "json"))
            fields_print(fleet_json(&fleet, &groups, &report));
        else if (cli_given(arguments, "csv"))
            fleet_csv(&fleet, &groups, &report, stdout), fleet_print_refusals(&fleet, stderr);
        else
            print(arguments, &fleet, &groups, &report, &terminal);
        if (picture)
            done = chart_fleet(&fleet, &groups, &report, &options, picture, err);
        fleet_report_free(&report);
        fleet_groups_free(&groups);
    }
    fleet_free(&fleet);
    result_paths_free(&paths);
    return done ? CLI_DONE : CLI_ERROR;
}

static const struct cli_example EXAMPLES[] = {
    {"carmine fleet nodes/", "who stands apart, and why"},
    {"carmine fleet nodes/ --plot nodes.svg", "as strips of dots"},
    {0},
};

const struct command command_fleet = {
    .name = "fleet",
    .operands = "DIR|FILE…",
    .operands_min = 1,
    .operands_max = CLI_ANY_NUMBER,
    .summary = "thousands of nodes against each other: what is usual, and who stands apart",
    .description =
        "Reads the results of many nodes, those in folders within DIR too, groups them by machine type (CPU, what "
        "its core was identified as, cores, memory), finds median and spread of every roof in each group, and names "
        "the nodes that stand apart, with the "
        "roof that gives them away and what may be wrong: a lost DIMM, a throttled socket, a partitioned L3, a dead "
        "FMA unit, a swapped host. What its own interval leaves open is no deviation. Files that are no results are "
        "named and left out. Says in one screen who is the farthest off; --all tells of everyone what may be wrong. "
        "The exit status tells whether "
        "this could be done, not whether there are outliers.",
    .options = OPTIONS,
    .examples = EXAMPLES,
    .run = command,
};
