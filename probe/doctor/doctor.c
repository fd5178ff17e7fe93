/* SPDX-License-Identifier: BSD-3-Clause
 * The list of the doctor's checks; the checks are in doctor_cpu.c, doctor_time.c and doctor_memory.c. */
#include "doctor.h"

#include <stdio.h>
#include <string.h>

#include "doctor_checks.h"
#include "probe/events/perf.h"

static const struct {
    const char *name;
    doctor_check *check;
} checks[] = {
    {"identity", doctor_identity},
    {"virtual machine", doctor_virtual},
    {"microcode", doctor_microcode},
    {"caches", doctor_caches},
    {"counters", doctor_pmu},
    {"perf_event_paranoid", doctor_paranoid},
    {"reference cycles", doctor_reference_cycles},
    {"nmi watchdog", doctor_watchdog},
    {"prefetchers", doctor_prefetchers},
    {"cpuset", doctor_cpuset},
    {"cpu quota", doctor_quota},
    {"offline cpus", doctor_offline},
    {"smt", doctor_smt},
    {"governor", doctor_governor},
    {"turbo", doctor_turbo},
    {"tsc", doctor_tsc},
    {"load", doctor_load},
    {"steal time", doctor_steal},
    {"huge pages", doctor_huge_pages},
    {"memory", doctor_memory},
    {"memory limit", doctor_memory_limit},
    {"swap", doctor_swap},
    {"numa balancing", doctor_numa_balancing},
};
enum { CHECK_COUNT = sizeof checks / sizeof *checks };
_Static_assert((int)CHECK_COUNT <= (int)DOCTOR_MAX_FINDINGS, "callers hold too few findings");

unsigned doctor_examine(const struct doctor_input *input, struct finding out[DOCTOR_MAX_FINDINGS]) {
    memset(out, 0, DOCTOR_MAX_FINDINGS * sizeof *out);
    for (unsigned i = 0; i < CHECK_COUNT; i++) {
        snprintf(out[i].name, sizeof out[i].name, "%s", checks[i].name);
        checks[i].check(input, &out[i]);
    }
    return CHECK_COUNT;
}

unsigned doctor_examine_live(const struct machine *machine, const struct papi_status *papi,
                             struct finding out[DOCTOR_MAX_FINDINGS]) {
    struct doctor_input input = {
        .root = "", .machine = machine, .papi = papi, .reference_cycles = perf_reference_cycles()};
    input.cache_count = cpu_caches(input.caches, MACHINE_MAX_CACHES);
    return doctor_examine(&input, out);
}
