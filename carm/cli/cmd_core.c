/* SPDX-License-Identifier: BSD-3-Clause
 * carmine core: what the core needs for instructions, measured. */
#include "commands.h"

#include <stdlib.h>

#include "bench/core/core_run.h"
#include "bench/kernels/team.h"
#include "carm/options/terminal.h"
#include "carm/options/view_options.h"
#include "carm/report/core_report.h"
#include "carm/store/fields.h"
#include "carm/text/notice.h"
#include "probe/machine.h"
#include "probe/need.h"
#include "probe/now.h"

static const double BUDGET_S = 7;

static const struct cli_option OPTIONS[] = {
    {"all", 0, NULL, "print every form, instead of one screen"},
    {"json", 0, NULL, "print all values as JSON"},
    CHOICE_CSV,
    CHOICE_MARKDOWN,
    {0},
};

/* On the first core, pinned. */
static bool measure(const struct machine *machine, struct core_measured *out, struct error *err) {
    struct clock clock;
    struct core_plan plan;
    const struct core_bench bench = {.clock = &clock, .budget_s = BUDGET_S, .stop = &cli_stop};
    const double began_s = now_s();
    if (machine->recorded)
        return error_set(err, "%s is a recorded machine, which cannot be measured; unset hwloc's variables",
                         machine->topology_source);
    bool done = core_plan_make(&plan, err);
    core_plan_keep(&plan, machine->cpu.features);
    struct core_slices *slices = need_calloc(plan.count + 1, sizeof *slices);
    if (done && !team_pin(machine->cores[0].pus[0]))
        done = error_set(err, "cannot run on CPU %u, as the system allowed before", machine->cores[0].pus[0]);
    if (done)
        notice_print("measuring %zu chains and rows of instructions, at most 10 s", plan.count);
    done = done && clock_open(&clock, err) && core_run(&plan, &bench, slices, err);
    if (done)
        core_reduce(&plan, slices, out);
    free(slices);
    core_plan_free(&plan);
    if (done && out->count == 0)
        return error_set(err, "interrupted before anything was measured");
    if (done)
        notice_print("%.0f s", now_s() - began_s);
    return done;
}

static void print(const struct core_measured *measured, const struct arguments *arguments,
                  const struct plot_terminal *terminal) {
    if (cli_given(arguments, "json"))
        fields_print(core_json(measured));
    else if (cli_given(arguments, "csv"))
        core_csv(measured, stdout);
    else if (cli_given(arguments, "all"))
        core_print(measured, stdout);
    else
        core_answer_print(measured, &(struct screen){terminal, stdout});
}

static int command(const struct arguments *arguments, struct error *err) {
    struct machine machine = {0};
    struct core_measured measured = {0};
    struct plot_terminal terminal;
    bool done = terminal_find(arguments, &terminal, err) && machine_load(&machine, NULL, err);
    cli_catch_signals();
    done = done && measure(&machine, &measured, err);
    if (done)
        print(&measured, arguments, &terminal);
    if (done && cli_stop)
        done = error_set(err, "interrupted; only what was measured before is printed");
    core_measured_free(&measured);
    machine_free(&machine);
    return done ? CLI_DONE : CLI_ERROR;
}

static const struct cli_example EXAMPLES[] = {
    {"carmine core", "loads, stores in flight, branches, renaming"},
    {"carmine core --all", "latency and throughput of every form of an instruction"},
    {0},
};

const struct command command_core = {
    .name = "core",
    .operands = "",
    .summary = "what a core needs for each instruction: latency, throughput, branches",
    .description =
        "Times about a thousand forms of instructions on one core in at most 10 s: in a chain, where each one "
        "needs the result of the one before it, and many independent ones. Also loads, stores in flight, "
        "branches and renaming. Each value is the first quartile of at least 20 slices of some "
        "microseconds, in cycles of the clock that is read beside each slice; its interval goes from the "
        "first tenth to the median. Needs no counters and no rights.",
    .options = OPTIONS,
    .examples = EXAMPLES,
    .run = command,
};
