/* SPDX-License-Identifier: BSD-3-Clause
 * carmine doctor: what limits measuring here, each with its remedy. */
#include <jansson.h>

#include "../probe/doctor.h"
#include "commands.h"

static const struct cli_option OPTIONS[] = {
    {"json", 0, NULL, "print it as JSON"},
    {0},
};

static const char *const SEVERITIES[] = {"ok", "note", "warning"};
static const char *const SIGNS[] = {"✓", "·", "▲"};

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
        if (cli_given(arguments, "json"))
            continue;
        printf("%s %-18s %s\n", SIGNS[finding->severity], finding->name, finding->what);
        if (finding->remedy[0])
            printf("  %-18s → %s\n", "", finding->remedy);
    }
    if (cli_given(arguments, "json")) {
        json_dumpf(list, stdout, JSON_INDENT(1));
        putchar('\n');
    } else {
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
