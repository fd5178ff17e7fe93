/* SPDX-License-Identifier: BSD-3-Clause
 * Asking libpfm4 and the kernel about events (see event_check.h). */
#include "event_check.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <papi.h>
#include <perfmon/pfmlib_perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "papi.h"
#include "perf.h"
#include "uncore.h"

static const char FORCE[] = "LIBPFM_FORCE_PMU";
static const char OF_ALL_CORES[] = "LIBPFM_ENCODE_INACTIVE"; /* names with their core before them resolve anywhere */

const char *const event_state_names[EVENT_STATE_COUNT + 1] = {
    "counts", "resolves", "of the kernel", "not known", "no pmu", "refused",
};

/* Its version macro has stayed at 4.0, so the file's name tells. */
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

/* In a child: libpfm4 reads its environment once, so this process must not use it before the choice is made. */
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
                 "%s goes by the model number and takes this CPU for another (%s=%s makes PAPI use the right tables)",
                 out->library, FORCE, name);
}

static void say(struct event_check *out, enum event_state state, const char *reason) {
    out->state = state;
    snprintf(out->reason, sizeof out->reason, "%.223s", reason);
}

/* `event` is a list of one name, as what counts wants it. */
static void check_uncore(const char (*event)[96], bool try, struct event_check *out) {
    struct uncore uncore;
    struct error err;
    if (!try) {
        say(out, EVENT_OF_KERNEL, "named by the kernel of that machine, not by libpfm4");
        return;
    }
    if (!uncore_find(&uncore, "", 1, event, &err)) {
        say(out, EVENT_NO_PMU, err.text);
        return;
    }
    uncore_close(&uncore);
    if (uncore_open(&uncore, 1, event, &err))
        out->state = EVENT_COUNTS;
    else
        say(out, EVENT_REFUSED, err.text);
    uncore_close(&uncore);
}

static void check_preset(const char (*event)[96], bool try, struct event_check *out) {
    struct papi_events counted;
    struct error err;
    int code;
    if (!papi_start(&err)) {
        say(out, EVENT_NOT_KNOWN, err.text);
    } else if (PAPI_event_name_to_code(*event, &code) != PAPI_OK) {
        say(out, EVENT_NOT_KNOWN, "PAPI has no preset of that name");
    } else if (PAPI_query_event(code) != PAPI_OK) {
        say(out, EVENT_NOT_KNOWN, "PAPI does not define it for this core");
    } else if (!try) {
        out->state = EVENT_RESOLVES;
    } else if (papi_events_open(&counted, 1, event, &err)) {
        out->state = EVENT_COUNTS;
        papi_events_close(&counted);
    } else {
        say(out, perf_has_pmu("") ? EVENT_REFUSED : EVENT_NO_PMU, err.text);
    }
}

static void check_native(const char *event, const char *tables, bool try, struct event_check *out) {
    char name[160];
    uint64_t *codes = NULL;
    int count = 0, result = pfm_initialize();
    snprintf(name, sizeof name, "%.31s%s%.96s", tables, *tables ? "::" : "", event);
    if (result == PFM_SUCCESS)
        result = pfm_get_event_encoding(name, PFM_PLM3, NULL, NULL, &codes, &count);
    if (result != PFM_SUCCESS) {
        say(out, EVENT_NOT_KNOWN, pfm_strerror(result));
        return;
    }
    out->code = count > 0 ? codes[0] : 0;
    free(codes);
    out->state = EVENT_RESOLVES;
    if (!try)
        return;
    struct perf_event_attr attr = {0};
    pfm_perf_encode_arg_t request = {.size = sizeof request, .attr = &attr};
    result = pfm_get_os_event_encoding(name, PFM_PLM3, PFM_OS_PERF_EVENT, &request);
    if (result != PFM_SUCCESS) {
        say(out, EVENT_NO_PMU, pfm_strerror(result));
        return;
    }
    const int descriptor = perf_open(attr.type, attr.config, -1);
    if (descriptor >= 0) {
        close(descriptor);
        out->state = EVENT_COUNTS;
        return;
    }
    int error = errno;
    if (attr.type != PERF_TYPE_SOFTWARE && perf_lacks_pmu(""))
        error = ENOENT; /* whatever a filter of system calls says before */
    out->state = error == ENOENT || error == ENODEV || error == EOPNOTSUPP ? EVENT_NO_PMU : EVENT_REFUSED;
    perf_refusal(error, false, out->reason, sizeof out->reason);
}

void event_check(const char *event, const char *tables, bool try, struct event_check *out) {
    char name[1][96];
    snprintf(*name, sizeof *name, "%s", event);
    const char(*const list)[96] = (const char(*)[96])name;
    *out = (struct event_check){0};
    if (uncore_is(*name))
        check_uncore(list, try, out);
    else if (strncmp(*name, "PAPI_", 5) == 0)
        check_preset(list, try, out);
    else
        check_native(event, strstr(event, "::") ? "" : tables, try, out);
}
