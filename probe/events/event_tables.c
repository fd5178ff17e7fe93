/* SPDX-License-Identifier: BSD-3-Clause
 * Chooses libpfm4's tables, before anything uses them (see event_tables.h). */
#include "event_tables.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <perfmon/pfmlib_perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char FORCE[] = "LIBPFM_FORCE_PMU";
static const char OF_ALL_CORES[] = "LIBPFM_ENCODE_INACTIVE"; /* names with a core in front resolve anywhere */

/* Its version macro has stayed at 4.0, so the version is read from the file's name. */
static void library_name(char *out, size_t out_bytes) {
    Dl_info info;
    char path[PATH_MAX] = "";
    const char *version = NULL;
    if (dladdr((void *)(uintptr_t)pfm_initialize, &info) && info.dli_fname && realpath(info.dli_fname, path))
        version = strstr(path, ".so.");
    snprintf(out, out_bytes, "libpfm4%s%.16s", version ? " " : "", version ? version + strlen(".so.") : "");
}

enum knows { UNKNOWN, KNOWN, DETECTED };

static enum knows library_knows(const char *pmu) {
    for (int i = 0; i < PFM_PMU_MAX; i++) {
        pfm_pmu_info_t info = {.size = sizeof info};
        if (pfm_get_pmu_info((pfm_pmu_t)i, &info) == PFM_SUCCESS && strcmp(info.name, pmu) == 0)
            return info.is_present ? DETECTED : KNOWN;
    }
    return UNKNOWN;
}

/* In a child: libpfm4 reads its environment only once, so this process must not use it before the choice. */
static enum knows ask(const char *pmu) {
    if (*pmu == '\0')
        return UNKNOWN;
    const pid_t child = fork();
    if (child == 0) {
        unsetenv(FORCE);
        _exit(pfm_initialize() == PFM_SUCCESS ? (int)library_knows(pmu) : (int)UNKNOWN);
    }
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return UNKNOWN;
    return child > 0 && WIFEXITED(status) ? (enum knows)WEXITSTATUS(status) : UNKNOWN;
}

void event_tables_of_all_cores(void) {
    setenv(OF_ALL_CORES, "1", 1);
}

void event_tables_choose(const struct event_set *set, bool force, struct event_tables *out) {
    *out = (struct event_tables){0};
    library_name(out->library, sizeof out->library);
    const char *users = getenv(FORCE);
    if (users && *users) {
        snprintf(out->name, sizeof out->name, "%.31s", ask(users) == UNKNOWN ? "" : users);
        out->forced = true;
        if (strcmp(users, set->pmu) != 0)
            snprintf(out->note, sizeof out->note, "%s=%.31s is set%s", FORCE, users,
                     *out->name ? ", so that its tables are read" : ", which it does not know");
        return;
    }
    if (*set->pmu == '\0')
        return;
    enum knows own = ask(set->pmu), other = own == UNKNOWN ? ask(set->stand_in) : UNKNOWN;
    if (own == UNKNOWN && other == UNKNOWN) {
        snprintf(out->note, sizeof out->note, "%s does not know this core (%s)", out->library, set->pmu);
        return;
    }
    const char *name = own == UNKNOWN ? set->stand_in : set->pmu;
    snprintf(out->name, sizeof out->name, "%s", name);
    if (own == DETECTED || other == DETECTED)
        return;
    out->forced = force && setenv(FORCE, name, 1) == 0;
    if (own == UNKNOWN)
        snprintf(out->note, sizeof out->note,
                 "%s does not know %s; its tables of %s have these events under the same names and codes (%s=%s makes "
                 "PAPI use them)",
                 out->library, set->pmu, name, FORCE, name);
    else
        snprintf(out->note, sizeof out->note,
                 "%s uses the model number and takes this CPU for another (%s=%s makes PAPI use the right tables)",
                 out->library, FORCE, name);
}

const char *event_tables_find(const char *name, uint64_t *code) {
    uint64_t *codes = NULL;
    int count = 0, result = pfm_initialize();
    if (result == PFM_SUCCESS)
        result = pfm_get_event_encoding(name, PFM_PLM3, NULL, NULL, &codes, &count);
    *code = result == PFM_SUCCESS && count > 0 ? codes[0] : 0;
    free(codes);
    return result == PFM_SUCCESS ? NULL : pfm_strerror(result);
}

const char *event_tables_encode(const char *name, uint32_t *type, uint64_t *config) {
    struct perf_event_attr attr = {0};
    pfm_perf_encode_arg_t request = {.size = sizeof request, .attr = &attr};
    const int result = pfm_get_os_event_encoding(name, PFM_PLM3, PFM_OS_PERF_EVENT, &request);
    *type = attr.type;
    *config = attr.config;
    return result == PFM_SUCCESS ? NULL : pfm_strerror(result);
}
