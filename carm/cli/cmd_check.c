/* SPDX-License-Identifier: BSD-3-Clause
 * carmine check: judges a result against a baseline, for scripts. */
#include "commands.h"

#include <string.h>
#include <sys/stat.h>

#include "carm/fleet/fleet.h"
#include "carm/fleet/node_health.h"
#include "carm/options/measure_options.h"
#include "carm/options/view_options.h"
#include "carm/report/check_report.h"
#include "carm/session/partial.h"
#include "carm/store/file_io.h"
#include "carm/store/results.h"
#include "carm/text/notice.h"
#include "carm/text/pager.h"
#include "probe/error.h"

static const struct cli_option OPTIONS[] = {
    {"baseline", 0, "FILE|DIR", "baseline: a result, or a folder (the medians of its results of this machine type)"},
    {"tolerance", 0, "LIST",
     "allowed loss of roofs, by kind or by name: \"dram=8%,L3 avx512.random=25%\" (default: "
     "compute=3%,l1=3%,l2=5%,l3=10%,dram=10%,latency=10%)"},
    {"per", 0, "cycle", "compare values per cycle and core, if the clock is not fixed"},
    {"health", 0, NULL,
     "measure this node instead, in seconds; exit status 0 like the results in --baseline, 1 slower, 2 unclear"},
    {"strict", 0, NULL, "doubtful roofs fail too"},
    {"all", 0, NULL, "print the verdict of every roof, with causes and remedies of warnings"},
    {"format", 0, "FORM", "output for other programs: {}; nagios has exit status 0, 1, 2 or 3"},
    {"output", 'o', "FILE", "write the output of --format, or the result of --health, into FILE"},
    {"junit", 0, "FILE", "also write JUnit XML into FILE, as --format junit -o FILE does"},
    {0},
};

static bool same_file(const char *a, const char *b) {
    struct stat p, q;
    return stat(a, &p) == 0 && stat(b, &q) == 0 && p.st_dev == q.st_dev && p.st_ino == q.st_ino;
}

/* The baseline as requested, and per cycle: the second shows whether the clock explains failures. */
struct baselines {
    struct baseline asked, per_cycle;
};

static void add_result(const struct result *result, struct baselines *out) {
    struct model model = model_build(result);
    baseline_add(&out->asked, &model);
    baseline_add(&out->per_cycle, &model);
    model_free(&model);
}

static bool read_file(const char *path, const char *file, const struct fleet_machine *own, struct baselines *out,
                      struct error *err) {
    struct result result;
    if (!results_read_values(path, &result, err))
        return false;
    const struct fleet_machine machine = fleet_machine_of(&result);
    if (!fleet_same_cpu(&machine, own))
        notice_print("%s is from another machine type", path);
    if (same_file(path, file))
        notice_print("%s is compared with itself", path);
    partial_warn(&result, path);
    add_result(&result, out);
    results_free(&result);
    return true;
}

/* Uses only results of the same machine type, without the file itself. Skips files that are no results. */
static bool read_folder(const char *path, const char *file, const struct fleet_machine *own, struct baselines *out,
                        struct error *err) {
    struct result_paths paths = {0};
    size_t others = 0, refused = 0;
    struct error why = {""};
    if (!result_paths_add(&paths, path, err)) {
        result_paths_free(&paths);
        return false;
    }
    for (size_t i = 0; i < paths.count; i++) {
        struct result result;
        if (same_file(paths.list[i], file))
            continue;
        if (!results_read_values(paths.list[i], &result, &why)) {
            refused++;
            continue;
        }
        const struct fleet_machine machine = fleet_machine_of(&result);
        if (fleet_same_cpu(&machine, own))
            add_result(&result, out);
        else
            others++;
        results_free(&result);
    }
    result_paths_free(&paths);
    if (refused)
        notice_print("%zu file%s left out that %s no result: %s", refused, refused == 1 ? "" : "s",
                     refused == 1 ? "is" : "are", why.text);
    if (others)
        notice_print("%zu of the results in %s left out: other machine types", others, path);
    return out->asked.result_count > 0 ||
           error_set(err, "%s: holds no other result of this machine type (%s, %u cores)", path, own->cpu, own->cores);
}

static bool read_baseline(const char *path, const char *file, const struct result *result, struct baselines *out,
                          struct error *err) {
    const struct fleet_machine own = fleet_machine_of(result);
    const bool done = (file_is_folder(path) ? read_folder : read_file)(path, file, &own, out, err);
    baseline_finish(&out->asked);
    baseline_finish(&out->per_cycle);
    return done && (out->asked.keys.count > 0 || error_set(err, "%s: the baseline holds no roofs", path));
}

/* Form and place of the verdicts. */
struct telling {
    const struct check_format *format; /* machine-readable; NULL: for people */
    const char *path, *junit_path;     /* NULL: standard output, and no JUnit XML */
    struct plot_terminal terminal;
};

/* Verdicts written over a result would destroy it. */
static bool spares_results(const struct arguments *arguments, const char *path, struct error *err) {
    const char *const results[] = {arguments->operand_count ? arguments->operands[0] : NULL,
                                   cli_value(arguments, "baseline")};
    for (size_t i = 0; path && i < sizeof results / sizeof results[0]; i++)
        if (results[i] && same_file(path, results[i]))
            return error_set(err, "verdicts into %s would overwrite the result there; name another file", path);
    return true;
}

static bool read_telling(const struct arguments *arguments, struct telling *out, struct error *err) {
    const char *name = cli_given(arguments, "json") ? "json" : cli_given(arguments, "csv") ? "csv" : NULL;
    size_t count;
    *out = (struct telling){.terminal = terminal_find(),
                            .path = cli_value(arguments, "output"),
                            .junit_path = cli_value(arguments, "junit")};
    if (name && cli_given(arguments, "format"))
        return error_set(err, "--%s is --format %s: name one form", name, name);
    if (!name && !cli_chosen(arguments, "format", &name, 1, &count, err))
        return false;
    out->format = name ? check_format_find(name) : NULL;
    if (out->path && !name)
        return error_set(err, "-o needs a form: name one, such as --format prometheus");
    return spares_results(arguments, out->path, err) && spares_results(arguments, out->junit_path, err);
}

static bool tell(const struct arguments *arguments, const struct telling *telling, const struct check *check,
                 const struct check *per_cycle, const struct check_setting *setting, struct error *err) {
    if (telling->junit_path &&
        !check_format_write(check_format_find("junit"), check, setting, telling->junit_path, err))
        return false;
    if (telling->path)
        return check_format_write(telling->format, check, setting, telling->path, err);
    if (telling->format) {
        telling->format->print(check, setting, stdout);
    } else if (cli_given(arguments, "all")) {
        pager_begin();
        check_print(check, setting, stdout);
        pager_end();
    } else {
        check_answer_print(check, per_cycle, setting, &(struct screen){&telling->terminal, stdout});
    }
    return true;
}

/* Judges, writes and prints. Returns the exit status. */
static int judge(const struct arguments *arguments, const struct model *model, const struct baselines *baselines,
                 const struct check_limits *limits, const struct telling *telling, struct error *err) {
    struct check check = check_make(model, &baselines->asked, limits),
                 per_cycle = check_make(model, &baselines->per_cycle, limits);
    const struct check_setting setting = {.path = arguments->operands[0],
                                          .baseline_path = cli_value(arguments, "baseline"),
                                          .result = model->result,
                                          .baseline = &baselines->asked,
                                          .strict = cli_given(arguments, "strict")};
    static const int STATUSES[] = {[CHECK_PASSED] = CLI_DONE, [CHECK_FAILED] = CLI_NO, [CHECK_UNKNOWN] = CLI_ERROR};
    int status = CLI_ERROR;
    if (tell(arguments, telling, &check, baselines->asked.per == PER_CYCLE ? NULL : &per_cycle, &setting, err))
        status = telling->format ? check_format_status(telling->format, &check, &setting)
                                 : STATUSES[check_outcome(&check, &setting)];
    check_free(&check);
    check_free(&per_cycle);
    return status;
}

/* Reads all files and judges. Returns the exit status. */
static int check(const struct arguments *arguments, const struct telling *telling, struct error *err) {
    const char *baseline_path = cli_value(arguments, "baseline"), *tolerance = cli_value(arguments, "tolerance");
    struct check_limits limits;
    struct result result;
    if (arguments->operand_count == 0) {
        error_set(err, "missing argument; usage: carmine check [options] FILE, or carmine check --health");
        return CLI_ERROR;
    }
    if (!baseline_path) {
        error_set(err, "name a baseline: --baseline FILE, or a DIR of results");
        return CLI_ERROR;
    }
    if (!check_read_limits(tolerance, &limits, err) || !results_read(arguments->operands[0], &result, err))
        return CLI_ERROR;
    struct baselines baselines = {.asked.per = view_options_per(arguments), .per_cycle.per = PER_CYCLE};
    struct model model = model_build(&result);
    int status = CLI_ERROR;
    partial_warn(&result, arguments->operands[0]);
    if (read_baseline(baseline_path, arguments->operands[0], &result, &baselines, err) &&
        check_limits_are_used(&limits, &baselines.asked, err))
        status = judge(arguments, &model, &baselines, &limits, telling, err);
    baseline_free(&baselines.asked);
    baseline_free(&baselines.per_cycle);
    model_free(&model);
    results_free(&result);
    return status;
}

/* Rejects options that do not fit --health. */
static bool health_alone(const struct arguments *arguments, struct error *err) {
    const struct cli_option *option;
    for (size_t i = 0; (option = cli_option_at(arguments->command, i)); i++)
        if (cli_given(arguments, option->name) && strcmp(option->name, "health") != 0 &&
            strcmp(option->name, "baseline") != 0 && strcmp(option->name, "output") != 0 &&
            strcmp(option->name, "quiet") != 0)
            return error_set(err, "--health takes only --baseline and -o, not --%s", option->name);
    return arguments->operand_count == 0 || error_set(err, "--health measures this node: leave out FILE");
}

/* Measures this node and prints a line. Returns the exit status: 0 as its group, 1 slower, 2 unclear. */
static int check_health(const struct arguments *arguments, struct error *err) {
    static const char *const WORDS[] = {"OK", "SLOW", "UNKNOWN"};
    const char *baseline = cli_value(arguments, "baseline");
    const struct session_options how = measure_options_session(arguments);
    struct node_health node;
    if (!baseline) {
        error_set(err, "name the group's results: --baseline DIR");
        return CLI_ERROR;
    }
    cli_catch_signals();
    if (!node_health_find(baseline, cli_value(arguments, "output"), arguments->line, &how, &node, err))
        return CLI_ERROR;
    printf("%s %s: %s\n", WORDS[node.health.verdict], node.host, node.health.text);
    return (int)node.health.verdict;
}

static int command(const struct arguments *arguments, struct error *err) {
    struct telling telling;
    if (cli_given(arguments, "health"))
        return health_alone(arguments, err) ? check_health(arguments, err) : CLI_ERROR;
    if (!read_telling(arguments, &telling, err))
        return CLI_ERROR;
    const int status = check(arguments, &telling, err);
    if (status != CLI_ERROR || !err->text[0] || !telling.format)
        return status;
    if (telling.format->print_unknown)
        telling.format->print_unknown(err->text, stdout);
    return telling.format->unknown;
}

static const struct cli_example EXAMPLES[] = {
    {"carmine check new.json --baseline old.json", "status 1 if a roof is slower"},
    {"carmine check new.json --baseline nodes/ --tolerance 'dram=8%' --junit verdicts.xml",
     "against machines of its type, for CI"},
    {"carmine check new.json --baseline nodes/ --format prometheus -o carmine.prom", "for monitoring"},
    {"carmine check --health --baseline /shared/carmine/nodes", "this node in seconds, before or after a job"},
    {0},
};

const struct command command_check = {
    .name = "check",
    .operands = "FILE",
    .operands_min = 0,
    .operands_max = 1,
    .summary = "a result against a baseline: pass or fail, for CI; --all: a verdict per roof",
    .description =
        "Judges each roof of FILE against the baseline: pass, better, fail (slower than the tolerance allows), missing "
        "(a failure too), or doubtful (the numbers themselves are uncertain). If values have intervals, a roof fails "
        "or is better only if the whole interval is beyond the tolerance. The baseline of a folder is the median of "
        "its results. The output starts with pass or fail and whether the clock explains the failures. The worst roofs "
        "follow, or every roof with --all. Exit status 1: a roof fails or is missing; 2: too few roofs could be "
        "judged. --health measures a few roofs of this node and judges them against its group, for prologs of batch "
        "systems. See docs/compare.md, docs/cluster.md.",
    .options = OPTIONS,
    .forms = {[CLI_JSON] = "schema carmine.check/2", [CLI_CSV] = "", [CLI_MARKDOWN] = ""},
    .examples = EXAMPLES,
    .run = command,
};
