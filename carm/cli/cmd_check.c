/* SPDX-License-Identifier: BSD-3-Clause
 * carmine check: a result against a baseline, with a verdict that scripts can read. */
#include <string.h>
#include <sys/stat.h>

#include "carm/comparisons/check_report.h"
#include "carm/options/view_options.h"
#include "commands.h"
#include "carm/store/fields.h"
#include "carm/store/file_io.h"
#include "carm/fleet/fleet.h"
#include "carm/session/partial.h"
#include "carm/store/results_scan.h"
#include "carm/text/notice.h"

static const struct cli_option OPTIONS[] = {
    {"baseline", 0, "FILE|DIR",
     "what to compare with: a result, or the medians of a folder's results of this machine type"},
    {"tolerance", 0, "LIST",
     "what roofs may lose, by kind or by name: \"dram=8%,L3 avx512.random=25%\" (default: "
     "compute=3%,l1=3%,l2=5%,l3=10%,dram=10%,latency=10%)"},
    {"per", 0, "cycle", "compare values per cycle and core, where the clock is not fixed"},
    {"strict", 0, NULL, "doubtful roofs fail too"},
    {"junit", 0, "FILE", "write the verdicts as JUnit XML, for CI"},
    {"json", 0, NULL, "machine-readable, schema carmine.check/1"},
    {0},
};

static bool same_file(const char *a, const char *b) {
    struct stat p, q;
    return stat(a, &p) == 0 && stat(b, &q) == 0 && p.st_dev == q.st_dev && p.st_ino == q.st_ino;
}

static void add_result(const struct result *result, struct baseline *out) {
    struct model model = model_build(result);
    baseline_add(out, &model);
    model_free(&model);
}

static bool read_file(const char *path, const char *file, const struct fleet_machine *own, struct baseline *out,
                      struct error *err) {
    struct result result;
    if (!results_read_values(path, &result, err))
        return false;
    const struct fleet_machine machine = fleet_machine_of(&result);
    if (!fleet_same_cpu(&machine, own))
        notice_print("%s is of another machine type", path);
    if (same_file(path, file))
        notice_print("%s is compared with itself", path);
    partial_warn(&result, path);
    add_result(&result, out);
    results_free(&result);
    return true;
}

/* Only results of the machine's own type count, and not the file itself; what is no result is left out. */
static bool read_folder(const char *path, const char *file, const struct fleet_machine *own, struct baseline *out,
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
        notice_print("%zu of the results in %s left out: of other machine types", others, path);
    return out->result_count > 0 ||
           error_set(err, "%s: holds no other result of this machine type (%s, %u cores)", path, own->cpu, own->cores);
}

static bool read_baseline(const char *path, const char *file, const struct result *result, struct baseline *out,
                          struct error *err) {
    const struct fleet_machine own = fleet_machine_of(result);
    const bool done = (file_is_folder(path) ? read_folder : read_file)(path, file, &own, out, err);
    baseline_finish(out);
    return done && (out->keys.count > 0 || error_set(err, "%s: the baseline holds no roofs", path));
}

static int command(const struct arguments *arguments, struct error *err) {
    const char *baseline_path = cli_value(arguments, "baseline"), *tolerance = cli_value(arguments, "tolerance"),
               *junit = cli_value(arguments, "junit");
    struct check_limits limits;
    struct result result;
    struct baseline baseline = {0};
    if (!baseline_path) {
        error_set(err, "name what to compare with: --baseline FILE, or a DIR of results");
        return CLI_ERROR;
    }
    if (!view_options_per(arguments, false, &baseline.per, err) || !check_read_limits(tolerance, &limits, err) ||
        !results_read(arguments->operands[0], &result, err))
        return CLI_ERROR;
    int status = CLI_ERROR;
    struct model model = model_build(&result);
    partial_warn(&result, arguments->operands[0]);
    if (read_baseline(baseline_path, arguments->operands[0], &result, &baseline, err) &&
        check_limits_are_used(&limits, &baseline, err)) {
        struct check check = check_make(&model, &baseline, &limits);
        const struct check_setting setting = {.path = arguments->operands[0],
                                              .baseline_path = baseline_path,
                                              .result = &result,
                                              .baseline = &baseline,
                                              .strict = cli_given(arguments, "strict")};
        if (!junit || check_junit(&check, &setting, junit, err))
            status = check_failures(&check, &setting) ? CLI_NO : CLI_DONE;
        if (status != CLI_ERROR && cli_given(arguments, "json"))
            fields_print(check_json(&check, &setting));
        else if (status != CLI_ERROR)
            check_print(&check, &setting, stdout);
        check_free(&check);
    }
    baseline_free(&baseline);
    model_free(&model);
    results_free(&result);
    return status;
}

static const struct cli_example EXAMPLES[] = {
    {"carmine check new.json --baseline old.json", "status 1 where a roof is slower"},
    {"carmine check new.json --baseline nodes/ --tolerance 'dram=8%' --junit verdicts.xml", "against its like, for CI"},
    {0},
};

const struct command command_check = {
    .name = "check",
    .operands = "FILE",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "a result against a baseline: a verdict per roof, for CI",
    .description =
        "Compares each roof of FILE with the baseline's: pass, better, fail (slower than the tolerance allows), "
        "missing (a failure too), or doubtful, where the numbers themselves are in doubt. Where values have intervals, "
        "only what is beyond the tolerance at every end of both fails or is better. A folder's baseline is the "
        "median of its results. Exit status 1 when a roof fails or is missing. See docs/compare.md.",
    .options = OPTIONS,
    .examples = EXAMPLES,
    .run = command,
};
