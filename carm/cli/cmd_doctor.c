/* SPDX-License-Identifier: BSD-3-Clause
 * carmine doctor: what disturbs measurements here, with a remedy for each. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "probe/doctor/doctor.h"
#include "commands.h"
#include "carm/options/view_options.h"
#include "carm/report/next_answers.h"
#include "carm/session/counters.h"
#include "carm/store/fields.h"
#include "carm/text/csv.h"
#include "carm/text/table.h"
#include "probe/text.h"
#include "probe/error.h"
#include "probe/machine.h"

static const struct cli_option OPTIONS[] = {
    {"fix-hints", 0, NULL, "print only the remedies, as shell lines; comments where you have to decide"},
    {"counters", 0, "[=CORE]",
     "check hardware events: those of each metric, whether they can be counted here, and whether they count right; "
     "CORE: of another core, by libpfm4's name (skx, spr, amd64_fam19h_zen4, …), as LIBPFM_FORCE_PMU does"},
    {"events", 0, "FILE", "with --counters: your own formulas, as lines \"metric = event * factor + event …\""},
    {0},
};

static const char *const SEVERITIES[] = {"ok", "note", "warning"};
static const char *const SIGNS[] = {"✓", "·", "▲"};

/* A remedy that starts with a command name can be pasted into a shell; the others are advice. */
static bool is_command(const char *remedy) {
    static const char *const FIRST_WORDS[] = {"echo ",      "sysctl ",  "sudo ",   "modprobe ", "cpupower ", "swapoff ",
                                              "systemctl ", "taskset ", "ulimit ", "apt-get ",  "tee "};
    for (size_t i = 0; i < sizeof FIRST_WORDS / sizeof FIRST_WORDS[0]; i++)
        if (strncmp(remedy, FIRST_WORDS[i], strlen(FIRST_WORDS[i])) == 0)
            return true;
    return false;
}

static void print_fix_hint(const struct finding *finding) {
    if (finding->severity == SEVERITY_OK || !finding->remedy[0])
        return;
    printf("# %s: %s\n%s%s\n", finding->name, finding->what, is_command(finding->remedy) ? "" : "# ", finding->remedy);
}

/* An entry of a list; a table of texts this long would be cut. */
static void print_finding_markdown(const struct finding *finding) {
    const char *quote = is_command(finding->remedy) ? "`" : "";
    printf("- %s **%s**: %s", SIGNS[finding->severity], finding->name, finding->what);
    if (finding->remedy[0])
        printf(" → %s%s%s", quote, finding->remedy, quote);
    putchar('\n');
}

static void print_finding(const struct finding *finding) {
    if (table_form() == TABLE_MARKDOWN) {
        print_finding_markdown(finding);
        return;
    }
    static const char INDENT[] = "                     ", REMEDY[] = "                       ";
    char line[sizeof finding->what + sizeof finding->remedy + 64];
    snprintf(line, sizeof line, "%s %-18s %s", SIGNS[finding->severity], finding->name, finding->what);
    wrap_fitted(line, INDENT, stdout);
    if (!finding->remedy[0])
        return;
    snprintf(line, sizeof line, "%s→ %s", INDENT, finding->remedy);
    wrap_fitted(line, REMEDY, stdout);
}

/* The answer, and the findings: warnings first. */
static void print_findings(const struct finding *findings, unsigned count) {
    char names[512] = "";
    unsigned warnings = 0;
    for (unsigned i = 0; i < count; i++)
        if (findings[i].severity == SEVERITY_WARNING)
            text_append(names, sizeof names, "%s%s", warnings++ ? ", " : "", findings[i].name);
    char line[sizeof names + 64];
    snprintf(line, sizeof line, warnings ? "%u %s measurements here: %s" : "nothing disturbs measurements here",
             warnings, warnings == 1 ? "thing disturbs" : "things disturb", names);
    wrap_fitted(line, "  ", stdout);
    putchar('\n');
    for (int severity = SEVERITY_WARNING; severity >= SEVERITY_OK; severity--)
        for (unsigned i = 0; i < count; i++)
            if ((int)findings[i].severity == severity)
                print_finding(&findings[i]);
}

/* Findings about counters, printed before the events. */
static void print_findings_of_counters(const struct machine *machine, const struct papi_status *papi) {
    static const char *const NAMES[] = {"identity", "virtual machine", "counters", "perf_event_paranoid",
                                        "nmi watchdog"};
    struct finding findings[DOCTOR_MAX_FINDINGS];
    const unsigned count = doctor_examine_live(machine, papi, findings);
    for (unsigned i = 0; i < count; i++)
        for (size_t n = 0; n < sizeof NAMES / sizeof NAMES[0]; n++)
            if (strcmp(findings[i].name, NAMES[n]) == 0)
                print_finding(&findings[i]);
    putchar('\n');
}

static int look_at_counters(const struct arguments *arguments, const struct machine *machine, struct error *err) {
    const char *core = cli_value(arguments, "counters");
    struct counters *counters = counters_examine(machine, *core ? core : NULL, cli_value(arguments, "events"), err);
    if (!counters)
        return CLI_ERROR;
    if (cli_given(arguments, "json")) {
        fields_print(next_add(counters_json(counters),
                              next_step_json(NEXT_NOTHING, "", *counters->papi.reason ? counters->papi.reason : NULL)));
    } else if (cli_given(arguments, "csv")) {
        counters_csv(counters, stdout);
    } else {
        if (!counters->foreign)
            print_findings_of_counters(machine, &counters->papi);
        counters_print(counters);
    }
    const bool good = counters_good(counters);
    free(counters);
    return good ? CLI_DONE : CLI_NO;
}

static json_t *finding_rows(const struct finding *findings, unsigned count) {
    json_t *list = json_array();
    for (unsigned i = 0; i < count; i++)
        json_array_append_new(list, json_pack("{s:s,s:s,s:s,s:s}", "name", findings[i].name, "severity",
                                              SEVERITIES[findings[i].severity], "what", findings[i].what, "remedy",
                                              findings[i].remedy));
    return list;
}

static json_t *findings_json(const struct finding *findings, unsigned count) {
    return json_pack("{s:s,s:o}", "schema", "carmine.doctor/1", "findings", finding_rows(findings, count));
}

json_t *doctor_described(const struct model *model) {
    (void)model;
    return findings_json(&(struct finding){.name = ""}, 1);
}

/* The remedy of the first warning; without one, measuring. */
static json_t *next_of_findings(const struct finding *findings, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        if (findings[i].severity == SEVERITY_WARNING && findings[i].remedy[0])
            return next_step_json(NEXT_NOTHING, "", findings[i].remedy);
    return next_step_json(NEXT_RUN, "", "nothing disturbs measurements here");
}

static int look_at_system(const struct arguments *arguments, const struct machine *machine) {
    struct papi_status papi;
    papi_probe(&papi);
    struct finding findings[DOCTOR_MAX_FINDINGS];
    const unsigned count = doctor_examine_live(machine, &papi, findings);
    if (cli_given(arguments, "json"))
        fields_print(next_add(findings_json(findings, count), next_of_findings(findings, count)));
    else if (cli_given(arguments, "csv"))
        csv_print_rows(finding_rows(findings, count), stdout);
    else if (!cli_given(arguments, "fix-hints"))
        print_findings(findings, count);
    else
        for (unsigned i = 0; i < count; i++)
            print_fix_hint(&findings[i]);
    return CLI_DONE;
}

static int command(const struct arguments *arguments, struct error *err) {
    const bool of_counters = cli_given(arguments, "counters");
    if (!of_counters && cli_given(arguments, "events")) {
        error_set(err, "--events needs --counters");
        return CLI_ERROR;
    }
    if (of_counters && cli_given(arguments, "fix-hints")) {
        error_set(err, "--fix-hints and --counters exclude each other");
        return CLI_ERROR;
    }
    struct machine machine;
    int status = CLI_ERROR;
    if (machine_load(&machine, NULL, err))
        status = of_counters ? look_at_counters(arguments, &machine, err) : look_at_system(arguments, &machine);
    machine_free(&machine);
    return status;
}

static const struct cli_example EXAMPLES[] = {
    {"carmine doctor", "what to fix before measuring"},
    {"carmine doctor --fix-hints", "only the commands to type"},
    {"carmine doctor --counters=skx", "the events of another core"},
    {0},
};

const struct command command_doctor = {
    .name = "doctor",
    .operands = "",
    .summary = "what disturbs measurements here, with a remedy for each",
    .description =
        "Shows what disturbs measurements on this machine, and how to fix it: counters, permissions, CPU sets, "
        "governor, turbo, huge pages, virtualisation, load and clocks. It changes nothing.\nWith --counters it checks "
        "hardware events instead: the formula of each metric, whether libpfm4 knows its events, whether the kernel "
        "counts them, and whether the counts are right for kernels with known flop, loads and stores (1 is right). "
        "Exit status 1: libpfm4 does not know an event, or a metric is off by more than 2 %.",
    .options = OPTIONS,
    .forms = {[CLI_JSON] = "", [CLI_CSV] = "", [CLI_MARKDOWN] = "findings as a list"},
    .examples = EXAMPLES,
    .run = command,
};
