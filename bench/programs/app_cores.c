/* SPDX-License-Identifier: BSD-3-Clause
 * Keeps a program on the P cores of a hybrid CPU (see app_runs.h). */
#include "app_runs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "probe/error.h"
#include "probe/events/events.h"
#include "probe/isa.h"
#include "probe/machine.h"
#include "probe/midr.h"

static bool is_p(const struct machine *machine, const struct core *core) {
    const char *kind = machine->kinds[core->kind].name;
    if (midr_is_arm(&machine->cpu)) /* kinds are named by their parts, the fastest first */
        return core->kind == 0;
    return strcmp(kind, "P") == 0 || strcmp(kind, "kind1") == 0; /* the fastest, where nothing names them */
}

/* The allowed CPUs of P cores; returns whether there are others. */
static bool find_p(const struct machine *machine, cpu_set_t *out) {
    bool others = false;
    CPU_ZERO(out);
    for (unsigned i = 0; i < machine->core_count; i++) {
        const struct core *core = &machine->cores[i];
        others |= !is_p(machine, core);
        for (unsigned pu = 0; is_p(machine, core) && pu < core->pu_count && pu < MACHINE_MAX_PUS; pu++)
            CPU_SET(core->pus[pu], out);
    }
    return others;
}

bool app_cores_keep(const struct machine *machine, struct app_cores *out, struct error *err) {
    cpu_set_t p;
    struct event_set e;
    *out = (struct app_cores){.p_only = false};
    if (!(machine->cpu.features & CPU_HYBRID) || !find_p(machine, &p))
        return true;
    if (CPU_COUNT(&p) == 0)
        return error_set(err,
                         "only E cores are allowed here (taskset, cpuset), and they have no event for flop; allow P "
                         "cores, or count exactly (--counters count)");
    if (sched_getaffinity(0, sizeof out->all, &out->all) != 0 || sched_setaffinity(0, sizeof p, &p) != 0)
        return error_set(err, "the program cannot be kept on the P cores, which alone count flop: %s", strerror(errno));
    out->p_only = true;
    events_find_kind(&machine->cpu, "E", &e);
    if (*e.pmu && e.metrics[METRIC_INSTRUCTIONS].term_count > 0)
        snprintf(out->strays, sizeof out->strays, "%s", e.metrics[METRIC_INSTRUCTIONS].terms[0].event);
    return true;
}

bool app_cores_kept(const struct app_cores *cores, const struct regions_report *report, struct error *err) {
    for (unsigned i = 0; *cores->strays && report->region_count > 0 && i < report->event_count; i++)
        if (strcmp(report->events[i], cores->strays) == 0 && report->regions[0].events[i] > 0)
            return error_set(
                err, "it chooses its cores itself (taskset, mpirun --bind-to, pthread_setaffinity_np) and ran on E "
                     "cores, which have no event for flop; keep it on P cores, or count exactly (--counters count)");
    return true;
}

void app_cores_release(struct app_cores *cores) {
    if (cores->p_only)
        sched_setaffinity(0, sizeof cores->all, &cores->all);
    cores->p_only = false;
}
