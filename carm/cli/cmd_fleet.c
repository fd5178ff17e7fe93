/* SPDX-License-Identifier: BSD-3-Clause
 * carmine fleet: the nodes of a cluster against each other, and those that stand apart; with `run`, measured before. */
#include "commands.h"

#include <string.h>

#include "carm/chart/chart_fleet.h"
#include "carm/cluster/fleet_run.h"
#include "carm/options/picture_options.h"
#include "carm/options/terminal.h"
#include "carm/report/fleet_report.h"
#include "carm/store/fields.h"
#include "carm/text/pager.h"
#include "render/page/plot.h"

static const struct cli_option OPTIONS[] = {
    {"all", 0, NULL, "every outlier with what may be wrong, and what is usual of each machine type"},
    {"roofs", 0, NULL, "the same, with median and MAD of every roof of each machine type"},
    {"plot", 0, "FILE", "draw the nodes as strips of dots, outliers named (" PLOT_FORMATS ")"},
    CHOICE_PICTURE,
    {"latest", 0, NULL, "of several results of a host only the newest counts (default: where most hosts have several)"},
    {"no-index", 0, NULL, "read every file, and keep no index in DIR of what is read"},
    {"tolerance", 0, "LIST",
     "how far nodes may be off, as of `check`: dram=4%,l2=3%,'DRAM avx2.random=20%' (default: docs/fleet.md)"},
    {"csv", 0, NULL, "a row per node"},
    {"json", 0, NULL, "machine-readable, schema carmine.fleet/1"},
    CHOICE_WIDTHS,
    CHOICE_COLOR,
    CHOICE_FLEET_RUN,
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

/* How it is to be told. */
struct fleet_look {
    struct chart_options options;
    struct plot_style style;
    struct plot_terminal terminal;
    bool limited;
    struct check_limits limits; /* where limited */
};

static bool read_look(const struct arguments *arguments, struct fleet_look *out, struct error *err) {
    *out = (struct fleet_look){.limited = cli_given(arguments, "tolerance")};
    return check_read_limits(cli_value(arguments, "tolerance"), &out->limits, err) &&
           terminal_find(arguments, &out->terminal, err) &&
           picture_options_of_plot(arguments, &out->style, &out->options, err);
}

/* What these files and folders hold. */
static bool tell(const struct arguments *arguments, const struct fleet_look *look, const char *const *names,
                 size_t count, struct error *err) {
    struct result_paths paths = {.nested = true};
    struct fleet fleet = {0};
    const char *picture = cli_value(arguments, "plot");
    bool done = true;
    for (size_t i = 0; i < count && done; i++)
        done = result_paths_add(&paths, names[i], err);
    done = done && fleet_read(&paths, !cli_given(arguments, "no-index"), &fleet, err);
    done = done && check_limits_are_used(&look->limits, &(struct baseline){.keys = fleet.keys}, err);
    if (done) {
        fleet.limits = look->limited ? &look->limits : NULL;
        fleet_drop_older(&fleet, cli_given(arguments, "latest"));
        struct fleet_groups groups = fleet_group(&fleet);
        struct fleet_report report = fleet_judge(&fleet, &groups);
        if (cli_given(arguments, "json"))
            fields_print(fleet_json(&fleet, &groups, &report));
        else if (cli_given(arguments, "csv"))
            fleet_csv(&fleet, &groups, &report, stdout), fleet_print_refusals(&fleet, stderr);
        else
            print(arguments, &fleet, &groups, &report, &look->terminal);
        if (picture)
            done = chart_fleet(&fleet, &groups, &report, &look->options, picture, err);
        fleet_report_free(&report);
        fleet_groups_free(&groups);
    }
    fleet_free(&fleet);
    result_paths_free(&paths);
    return done;
}

/* What is handed on to `carmine run` on the nodes: options that make sense there. */
static bool check_run_options(const struct arguments *arguments, struct error *err) {
    static const char *const HERE[] = {"output", "plot", "resume", "dry-run", "json", "all", "topology"};
    struct arguments run;
    if (!cli_parse(&command_run, (int)arguments->operand_count, (char **)arguments->operands, &run, err))
        return false;
    for (size_t i = 0; i < sizeof HERE / sizeof HERE[0]; i++)
        if (cli_given(&run, HERE[i]))
            return error_set(err, "--%s does not go behind --, where options of the nodes' own `carmine run` stand",
                             HERE[i]);
    return !run.help || error_set(err, "see carmine run --help");
}

static int measure_fleet(const struct arguments *arguments, const struct fleet_look *look, struct error *err) {
    struct fleet_run run;
    const bool text = !cli_given(arguments, "json") && !cli_given(arguments, "csv");
    const struct screen screen = {&look->terminal, stdout};
    int status = CLI_ERROR;
    if (!fleet_run_open(&run, arguments, arguments->operands + 1, err)) {
        fleet_run_close(&run);
        return CLI_ERROR;
    }
    if (cli_given(arguments, "dry-run")) {
        measure_nodes_print(&run.campaign);
        status = CLI_DONE;
    } else if (fleet_run_measure(&run, err) && tell(arguments, look, &run.campaign.folder, 1, err)) {
        fflush(stdout);
        status = fleet_run_print_failed(&run, screen_columns(&screen), text ? stdout : stderr) ? CLI_NO : CLI_DONE;
    } else if (node_list_count(&run.campaign.nodes, NODE_FAILED)) {
        fleet_run_print_failed(&run, screen_columns(&screen), stderr);
    }
    fleet_run_close(&run);
    return status;
}

static int command(const struct arguments *arguments, struct error *err) {
    struct fleet_look look;
    const bool run = strcmp(arguments->operands[0], "run") == 0, node = strcmp(arguments->operands[0], "node") == 0;
    if ((run || node) && !check_run_options(arguments, err))
        return CLI_ERROR;
    if (!run && !fleet_run_refuse(arguments, err))
        return CLI_ERROR;
    if (node)
        return send_result(arguments->operands + 1, err) ? CLI_DONE : CLI_ERROR;
    if (!read_look(arguments, &look, err))
        return CLI_ERROR;
    if (run)
        return measure_fleet(arguments, &look, err);
    return tell(arguments, &look, (const char *const *)arguments->operands, arguments->operand_count, err) ? CLI_DONE
                                                                                                           : CLI_ERROR;
}

static const struct cli_example EXAMPLES[] = {
    {"carmine fleet nodes/", "who stands apart, and why"},
    {"carmine fleet nodes/ --plot nodes.svg", "as strips of dots"},
    {"carmine fleet run --slurm -p batch --dry-run", "the commands that measure a partition"},
    {"carmine fleet run --clush 'node[1-64]' --at-once 8 -- --quick", "nodes measured by ClusterShell"},
    {0},
};

const struct command command_fleet = {
    .name = "fleet",
    .operands = "DIR|FILE… | run [-- OPTIONS]",
    .operands_min = 1,
    .operands_max = CLI_ANY_NUMBER,
    .summary = "thousands of nodes against each other: what is usual, and who stands apart",
    .description =
        "Reads the results of many nodes, those in folders within DIR too, groups them by machine type (CPU, what "
        "its core was identified as, cores, memory), finds median and spread of every roof in each group, and names "
        "the nodes that stand apart, with the "
        "roof that gives them away and what may be wrong: a lost DIMM, a throttled socket, a partitioned L3, a dead "
        "FMA unit, a swapped host, a program that runs beside. What its own interval leaves open is no deviation. "
        "Files that are no results are named and left out. What was read is kept in DIR/.carmine-fleet-index, so that "
        "the next time only files that have changed are read; without it all is as before, but slower. Says in one "
        "screen who is the farthest off; --all tells of everyone what may be wrong. "
        "The exit status tells whether "
        "this could be done, not whether there are outliers.\n\nWith `run`, the nodes are measured first, through what "
        "the site has for starting programs on them (--slurm, --mpi or --clush), each for itself; what stands behind "
        "-- "
        "are options of their `carmine run`. No shared file system is needed for the results, which come back through "
        "the engine's output; carmine has to be on the nodes by the same path. A node that fails is named with its "
        "last "
        "words, and the exit status is 1. Ctrl-C cancels what was started; the same command "
        "again measures the nodes that have no result yet. On the nodes `carmine fleet node` is what runs. A folder of "
        "one of these names is ./run or ./node.",
    .options = OPTIONS,
    .examples = EXAMPLES,
    .run = command,
};
