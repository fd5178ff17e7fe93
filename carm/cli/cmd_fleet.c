/* SPDX-License-Identifier: BSD-3-Clause
 * carmine fleet: compares the nodes of a cluster and names outliers; `run` measures the nodes first. */
#include "commands.h"

#include <stdlib.h>
#include <string.h>

#include "carm/chart/chart_compare.h"
#include "carm/cluster/fleet_run.h"
#include "carm/html/html.h"
#include "carm/options/picture_options.h"
#include "carm/options/view_options.h"
#include "carm/report/fleet_report.h"
#include "carm/report/next_answers.h"
#include "carm/store/fields.h"
#include "carm/text/pager.h"
#include "probe/error.h"
#include "probe/need.h"
#include "render/page/plot.h"

static const struct cli_option OPTIONS[] = {
    {"all", 0, "[=roofs]",
     "print every outlier with its likely cause, and the usual values of each machine type; roofs: with median and MAD "
     "of every roof"},
    {"plot", 0, "FILE",
     "draw the nodes as strips of dots with names of outliers (" PLOT_FORMATS
     "; .html: a page with tables of outliers, "
     "usual values and nodes, too)"},
    CHOICE_PICTURE,
    {"latest", 0, NULL, "of several results of a host use only the newest (default: if most hosts have several)"},
    {"index", 0, NULL, "store the values of all files in DIR/.carmine-fleet-index, and read only changed files again"},
    {"tolerance", 0, "LIST",
     "allowed deviation of nodes, as in `check`: dram=4%,l2=3%,'DRAM avx2.random=20%' (default: docs/fleet.md)"},
    CHOICE_FLEET_RUN,
    {0},
};

/* One screen, or all of it. */
static void print(const struct arguments *arguments, const struct fleet *fleet, const struct fleet_groups *groups,
                  const struct fleet_report *report, const struct plot_terminal *terminal) {
    const char *all = cli_value(arguments, "all");
    if (!all) {
        fleet_answer_print(fleet, groups, report, &(struct screen){terminal, stdout});
        return;
    }
    pager_begin();
    fleet_print(fleet, groups, report, *all != '\0', stdout);
    pager_end();
}

/* The form of the output. */
struct fleet_look {
    struct chart_options options;
    struct plot_style style;
    struct plot_terminal terminal;
    bool limited;
    struct check_limits limits; /* if `limited` */
};

static bool read_look(const struct arguments *arguments, struct fleet_look *out, struct error *err) {
    const char *picture = cli_value(arguments, "plot");
    *out = (struct fleet_look){.terminal = terminal_find(), .limited = cli_given(arguments, "tolerance")};
    return check_read_limits(cli_value(arguments, "tolerance"), &out->limits, err) &&
           (picture && report_html_wanted(picture)
                ? picture_options_refuse(arguments, "a page has the look of its reader's browser", err)
                : picture_options_of_plot(arguments, &out->style, &out->options, err));
}

/* Reads the files and folders, judges the nodes, and prints. */
static bool tell(const struct arguments *arguments, const struct fleet_look *look, const char *const *names,
                 size_t count, struct error *err) {
    struct result_paths paths = {.nested = true};
    struct fleet fleet = {0};
    const char *picture = cli_value(arguments, "plot");
    bool done = true;
    for (size_t i = 0; i < count && done; i++)
        done = result_paths_add(&paths, names[i], err);
    done = done && fleet_read(&paths, cli_given(arguments, "index"), &fleet, err);
    done = done && check_limits_are_used(&look->limits, &(struct baseline){.keys = fleet.keys}, err);
    if (done) {
        fleet.limits = look->limited ? &look->limits : NULL;
        fleet_drop_older(&fleet, cli_given(arguments, "latest"));
        struct fleet_groups groups = fleet_group(&fleet);
        struct fleet_report report = fleet_judge(&fleet, &groups);
        if (cli_given(arguments, "json"))
            fields_print(next_add(fleet_json(&fleet, &groups, &report), next_of_fleet(&report)));
        else if (cli_given(arguments, "csv"))
            fleet_csv(&fleet, &groups, &report, stdout), fleet_print_refusals(&fleet, stderr);
        else
            print(arguments, &fleet, &groups, &report, &look->terminal);
        if (picture)
            done = report_html_wanted(picture) ? fleet_html_write(&fleet, &groups, &report, picture, err)
                                               : chart_fleet(&fleet, &groups, &report, &look->options, picture, err);
        fleet_report_free(&report);
        fleet_groups_free(&groups);
    }
    fleet_free(&fleet);
    result_paths_free(&paths);
    return done;
}

/* Words behind --: options that `carmine run` has are its own, with their values; all others are the engine's. */
struct words_behind {
    char **run; /* the first word is a name */
    char **own;
    size_t run_count, own_count;
};

static const struct cli_option *option_of_run(const char *word) {
    const struct cli_option *option;
    for (size_t i = 0; (option = cli_option_at(&command_run, i)); i++) {
        const size_t length = strlen(option->name);
        if ((strncmp(word, "--", 2) == 0 && strncmp(word + 2, option->name, length) == 0 &&
             strchr("=", word[2 + length])) ||
            (word[0] == '-' && option->letter && word[1] == option->letter))
            break;
    }
    return option;
}

static struct words_behind sort_words(const struct arguments *arguments) {
    const size_t count = arguments->operand_count;
    struct words_behind words = {need_calloc(count + 1, sizeof *words.run), need_calloc(count + 1, sizeof *words.own),
                                 0, 0};
    bool is_run = true;
    for (size_t i = 0; i < count; i++) {
        char *word = arguments->operands[i];
        if (word[0] == '-')
            is_run = option_of_run(word) != NULL;
        if (is_run)
            words.run[words.run_count++] = word;
        else
            words.own[words.own_count++] = word;
    }
    return words;
}

static void free_words(struct words_behind *words) {
    free(words->run);
    free(words->own);
}

/* Checks the options for `carmine run` on the nodes. */
static bool check_run_options(char **words, size_t count, struct error *err) {
    static const char *const HERE[] = {"output", "plot", "resume", "dry-run", "json", "all", "topology"};
    struct arguments run;
    if (!cli_parse(&command_run, (int)count, words, &run, err))
        return false;
    for (size_t i = 0; i < sizeof HERE / sizeof HERE[0]; i++)
        if (cli_given(&run, HERE[i]))
            return error_set(err, "--%s has no use behind --, which is for options of `carmine run` on the nodes",
                             HERE[i]);
    return !run.help || error_set(err, "see carmine run --help");
}

static int measure_nodes(struct fleet_run *run, const struct arguments *arguments, const struct fleet_look *look,
                         struct error *err) {
    const bool text = !cli_given(arguments, "json") && !cli_given(arguments, "csv");
    const size_t columns = screen_columns(&(struct screen){&look->terminal, stdout});
    if (!fleet_run_measure(run, err)) {
        fleet_run_print_failed(run, columns, stderr);
        return CLI_ERROR;
    }
    if (!run->campaign.detach && !tell(arguments, look, &run->campaign.folder, 1, err))
        return CLI_ERROR;
    fflush(stdout);
    return fleet_run_print_failed(run, columns, text ? stdout : stderr) ? CLI_NO : CLI_DONE;
}

static int run_fleet(const struct arguments *arguments, const struct words_behind *words, struct error *err) {
    struct fleet_look look;
    struct fleet_run run;
    int status = CLI_ERROR;
    if (!read_look(arguments, &look, err))
        return CLI_ERROR;
    if (!fleet_run_open(&run, arguments, words->run + 1, words->own, err)) {
        fleet_run_close(&run);
        return CLI_ERROR;
    }
    if (cli_given(arguments, "dry-run")) {
        campaign_print(&run.campaign);
        status = CLI_DONE;
    } else {
        status = measure_nodes(&run, arguments, &look, err);
    }
    fleet_run_close(&run);
    return status;
}

static int run_or_node(const struct arguments *arguments, bool run, struct error *err) {
    struct words_behind words = sort_words(arguments);
    int status = CLI_ERROR;
    if (check_run_options(words.run, words.run_count, err)) {
        if (run)
            status = run_fleet(arguments, &words, err);
        else if (send_result(cli_value(arguments, "output"), words.run + 1, err))
            status = CLI_DONE;
    }
    free_words(&words);
    return status;
}

static int command(const struct arguments *arguments, struct error *err) {
    struct fleet_look look;
    const bool run = strcmp(arguments->operands[0], "run") == 0, node = strcmp(arguments->operands[0], "node") == 0;
    if (run || node)
        return run_or_node(arguments, run, err);
    if (!fleet_run_refuse(arguments, err) || !read_look(arguments, &look, err))
        return CLI_ERROR;
    return tell(arguments, &look, (const char *const *)arguments->operands, arguments->operand_count, err) ? CLI_DONE
                                                                                                           : CLI_ERROR;
}

static const struct cli_example EXAMPLES[] = {
    {"carmine fleet nodes/", "the outliers, and likely causes"},
    {"carmine fleet nodes/ --plot nodes.svg", "drawn as strips of dots"},
    {"carmine fleet nodes/ --plot nodes.html", "the same with all tables, for a browser"},
    {"carmine fleet run --by slurm -p batch --dry-run", "the commands that measure a partition"},
    {"carmine fleet run --by slurm -p batch --detach -- --quick --time=10", "leave the jobs in Slurm's queue"},
    {"carmine fleet run --by clush -w 'node[1-64]' -- --quick --fanout=8", "measure the nodes with ClusterShell"},
    {0},
};

const struct command command_fleet = {
    .name = "fleet",
    .operands = "DIR|FILE… | run [-- OPTIONS]",
    .operands_min = 1,
    .operands_max = CLI_ANY_NUMBER,
    .summary = "compare thousands of nodes: usual values, outliers and likely causes",
    .description =
        "Shows which nodes of a cluster are outliers, and why: a lost DIMM, a throttled socket, a partitioned L3, a "
        "dead FMA unit, a swapped host, or another program on the node. Reads the results in DIR and in its "
        "subfolders, groups them by machine type (CPU, identified core, cores, memory), finds median and spread of "
        "every roof in each group, and names outliers with the roof that shows it. A deviation within the value's own "
        "interval does not count. Files that are no results are named and skipped. Nothing is written "
        "into DIR unless --index is given, which makes repeated reports of thousands of files several times faster. "
        "One screen shows the largest deviations; --all shows the likely cause of each outlier. The exit "
        "status shows whether the command worked, not whether there are outliers.\n\n`run` measures the nodes first, "
        "each by itself, through the site's own launcher (--by). Options after -- that "
        "`carmine run` has are passed to it on the nodes, all others to the launcher. Slurm gets a job for each node, "
        "which writes its result into the folder; through others results return in the launcher's output, so no "
        "shared file system is needed. carmine-node beside carmine (`make node`) is sent to the nodes, which then need "
        "no carmine, and carmine-node-aarch64 to those of that architecture; without it, and by MPICH, Intel MPI or "
        "pdsh, carmine must have the same path on every node. A "
        "failed node is reported with its last output, and the exit status is 1. Ctrl-C cancels all jobs; the same "
        "command again takes up the jobs "
        "that there are, and measures the nodes that have no result yet. On the nodes `carmine fleet node` runs. To "
        "read a folder called run or node, write ./run or ./node.",
    .options = OPTIONS,
    .forms = {[CLI_JSON] = "schema carmine.fleet/1", [CLI_CSV] = "a row per node", [CLI_MARKDOWN] = ""},
    .examples = EXAMPLES,
    .run = command,
};
