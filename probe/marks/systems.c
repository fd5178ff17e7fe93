/* SPDX-License-Identifier: BSD-3-Clause
 * The table of systems of marks (see systems.h). bench/collect/adapters/ implements them. */
#include "systems.h"
#include "collector.h"
#include "probe/error.h"

#include <string.h>

const struct mark_system mark_systems[MARKS_SYSTEMS] = {
    [MARKS_CARMINE] = {.name = "carmine"},
    [MARKS_SSC] = {.name = "ssc"},
    [MARKS_LIKWID] = {.name = "likwid"},
    [MARKS_PAPI] = {.name = "papi"},
    [MARKS_ITT] = {.name = "itt", .variable = "INTEL_LIBITTNOTIFY64"},
    [MARKS_KOKKOS] = {.name = "kokkos", .variable = "KOKKOS_TOOLS_LIBS", .former = "KOKKOS_PROFILE_LIBRARY"},
    [MARKS_CALIPER] = {.name = "caliper"},
    [MARKS_NVTX] = {.name = "nvtx", .variable = "NVTX_INJECTION64_PATH"},
};

const char *mark_systems_all(void) {
    static char all[128];
    if (!all[0])
        for (unsigned i = 0; i < MARKS_SYSTEMS; i++) {
            strcat(all, i ? "," : "");
            strcat(all, mark_systems[i].name);
        }
    return all;
}

/* "1:2" */
static bool is_pair(const char *item, size_t length) {
    static const char HEX[] = "0123456789abcdefABCDEF";
    enum { MOST_DIGITS = 8 };
    const size_t first = strspn(item, HEX), second = item[first] == ':' ? strspn(item + first + 1, HEX) : 0;
    return first > 0 && first <= MOST_DIGITS && second > 0 && second <= MOST_DIGITS && first + 1 + second == length;
}

static bool is_name(const char *item, size_t length) {
    for (unsigned i = 0; i < MARKS_SYSTEMS; i++)
        if (strlen(mark_systems[i].name) == length && strncmp(mark_systems[i].name, item, length) == 0)
            return true;
    return false;
}

bool mark_systems_check(const char *list, struct error *err) {
    if (strcmp(list, COLLECTOR_NO_MARKS) == 0)
        return true;
    unsigned pairs = 0;
    for (const char *item = list;; item++) {
        const size_t length = strcspn(item, ",");
        pairs += is_pair(item, length);
        if (!is_name(item, length) && !is_pair(item, length))
            return error_set(err,
                             "'%.*s' is not a system of marks; use %s, pairs of SSC marks in hexadecimal (1:2), "
                             "or none alone",
                             (int)length, item, mark_systems_all());
        if (pairs > COLLECTOR_SSC_PAIRS)
            return error_set(err, "more than %d pairs of SSC marks", COLLECTOR_SSC_PAIRS);
        item += length;
        if (!*item)
            return true;
    }
}

bool mark_systems_untimed(const char *region) {
    return strcmp(region, COLLECTOR_SSC_REGION) == 0 ||
           strncmp(region, COLLECTOR_SSC_PREFIX, strlen(COLLECTOR_SSC_PREFIX)) == 0;
}
