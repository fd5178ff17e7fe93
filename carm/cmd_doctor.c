/* SPDX-License-Identifier: BSD-3-Clause
 * carmine doctor: what limits measuring here, each with its remedy. */
#include <jansson.h>
#include <string.h>

#include "../probe/doctor.h"
#include "commands.h"

static const struct cli_option OPTIONS[] = {
    {"fix-hints", 0, NULL,
     "print only what to do, as lines for a shell: commands, or comments where it takes a decision"},
    {"json", 0, NULL, "print it as JSON"},
    {0},
};

static const char *const SEVERITIES[] = {"ok", "note", "warning"};
static const char *const SIGNS[] = {"✓", "·", "▲"};

/* A remedy that starts with a command's name can be pasted; the others are advice. */
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

static int command(const struct arguments *arguments, struct error *err) {
    struct machine machine;
    if (!machine_load(&machine, NULL, err)) {
        machine_free(&machine);
        return CLI_ERROR;
    }
    struct papi_status papi;
    papi_probe(&papi);
    struct finding findings[DOCTOR_MAX_FINDINGS];
    unsigned count = doctor_examine_live(&machine, &papi, findings), warnings = 0;
    json_t *list = json_array();
    for (unsigned i = 0; i < count; i++) {
        const struct finding *finding = &findings[i];
        warnings += finding->severity == SEVERITY_WARNING;
        json_array_append_new(list, json_pack("{s:s,s:s,s:s,s:s}", "name", finding->name, "severity",
                                              SEVERITIES[finding->severity], "what", finding->what, "remedy",
                                              finding->remedy));
        if (cli_given(arguments, "fix-hints"))
            print_fix_hint(finding);
        if (cli_given(arguments, "json") || cli_given(arguments, "fix-hints"))
            continue;
        printf("%s %-18s %s\n", SIGNS[finding->severity], finding->name, finding->what);
        if (finding->remedy[0])
            printf("  %-18s → %s\n", "", finding->remedy);
    }
    if (cli_given(arguments, "json")) {
        json_dumpf(list, stdout, JSON_INDENT(1));
        putchar('\n');
    } else if (!cli_given(arguments, "fix-hints")) {
        printf("\n%u thing%s here that results suffer from\n", warnings, warnings == 1 ? "" : "s");
    }
    json_decref(list);
    machine_free(&machine);
    return CLI_DONE;
}

const struct command command_doctor = {
    .name = "doctor",
    .operands = "",
    .summary = "what limits measuring here, each with its remedy",
    .description = "Looks at counters, permissions, CPU sets, governor, turbo, huge pages, virtualisation, load and "
                   "clocks, and says of "
                   "each whether results suffer from it and what to do. It changes nothing.",
    .options = OPTIONS,
    .run = command,
};
