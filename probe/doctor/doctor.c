/* SPDX-License-Identifier: BSD-3-Clause
 * The list of the doctor's checks; the checks are in doctor_cpu.c, doctor_time.c and doctor_memory.c. */
#include "doctor.h"

#include <stdio.h>
#include <string.h>

#include "doctor_checks.h"
#include "probe/clock.h"
#include "probe/error.h"
#include "probe/machine.h"
#include "probe/events/perf.h"

/* Machines of which a check says something. */
enum machines { ALL, OF_X86, OF_ARM };

static const struct {
    const char *name;
    doctor_check *check;
    enum machines machines;
} checks[] = {
    {"identity", doctor_identity, ALL},
    {"virtual machine", doctor_virtual, ALL},
    {"microcode", doctor_microcode, OF_X86},
    {"caches", doctor_caches, ALL},
    {"vector length", doctor_vector_length, OF_ARM},
    {"counters", doctor_pmu, ALL},
    {"perf_event_paranoid", doctor_paranoid, ALL},
    {"reference cycles", doctor_reference_cycles, ALL},
    {"nmi watchdog", doctor_watchdog, ALL},
    {"prefetchers", doctor_prefetchers, OF_X86},
    {"cpuset", doctor_cpuset, ALL},
    {"cpu quota", doctor_quota, ALL},
    {"offline cpus", doctor_offline, ALL},
    {"smt", doctor_smt, ALL},
    {"governor", doctor_governor, ALL},
    {"turbo", doctor_turbo, ALL},
    {"tsc", doctor_tsc, OF_X86},
    {"system counter", doctor_counter, OF_ARM},
    {"clock step", doctor_step, ALL},
    {"load", doctor_load, ALL},
    {"steal time", doctor_steal, ALL},
    {"huge pages", doctor_huge_pages, ALL},
    {"memory", doctor_memory, ALL},
    {"memory limit", doctor_memory_limit, ALL},
    {"swap", doctor_swap, ALL},
    {"numa balancing", doctor_numa_balancing, ALL},
};
enum { CHECK_COUNT = sizeof checks / sizeof *checks };
_Static_assert((int)CHECK_COUNT <= (int)DOCTOR_MAX_FINDINGS, "callers hold too few findings");

unsigned doctor_examine(const struct doctor_input *input, struct finding out[DOCTOR_MAX_FINDINGS]) {
    memset(out, 0, DOCTOR_MAX_FINDINGS * sizeof *out);
    const enum machines other = input->machine->cpu.features & CPU_AARCH64 ? OF_X86 : OF_ARM;
    unsigned count = 0;
    for (unsigned i = 0; i < CHECK_COUNT; i++)
        if (checks[i].machines != other) {
            snprintf(out[count].name, sizeof out[count].name, "%s", checks[i].name);
            checks[i].check(input, &out[count++]);
        }
    return count;
}

unsigned doctor_examine_live(const struct machine *machine, const struct papi_status *papi,
                             struct finding out[DOCTOR_MAX_FINDINGS]) {
    struct doctor_input input = {
        .root = "", .machine = machine, .papi = papi, .reference_cycles = perf_reference_cycles()};
    struct clock clock;
    struct error ignored;
    input.cache_count = cpu_caches(input.caches, MACHINE_MAX_CACHES);
    input.step_s = clock_open_tick(&clock, &ignored) ? clock_step_s(&clock) : 0;
    return doctor_examine(&input, out);
}
