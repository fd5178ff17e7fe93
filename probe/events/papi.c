/* SPDX-License-Identifier: BSD-3-Clause
 * Whether PAPI is usable and the core counts (see papi.h). */
#include "papi.h"

#include <papi.h>
#include <pthread.h>
#include <string.h>

#include "probe/cpu.h"
#include "event_tables.h"
#include "probe/error.h"
#include "probe/isa.h"
#include "perf.h"

static const int CLOSED = PAPI_NULL;

/* PAPI_OK, or PAPI's error. */
static int cycles_open(int *set) {
    *set = PAPI_NULL;
    int status = PAPI_create_eventset(set);
    if (status != PAPI_OK)
        return status;
    /* The kernel's own name for cycles, which needs no table of events. */
    status = PAPI_add_named_event(*set, "perf::CYCLES");
    return status == PAPI_OK ? PAPI_OK : PAPI_add_event(*set, PAPI_TOT_CYC);
}

static void cycles_close(int *set) {
    PAPI_cleanup_eventset(*set);
    PAPI_destroy_eventset(set);
}

/* Counts cycles of a short loop; PAPI_OK, or PAPI's error, or PAPI_ENOEVNT when the counter does not advance. */
static int cycles_count(void) {
    int set, status = cycles_open(&set);
    if (status == PAPI_OK) {
        long long cycles = 0;
        status = PAPI_start(set);
        if (status == PAPI_OK) {
            for (volatile unsigned i = 0; i < 10000; i++)
                ;
            status = PAPI_stop(set, &cycles);
        }
        if (status == PAPI_OK && cycles <= 0)
            status = PAPI_ENOEVNT;
    }
    cycles_close(&set);
    return status;
}

struct papi_cycles papi_cycles_open(void) {
    struct papi_status status;
    struct papi_cycles cycles = {.set = CLOSED};
    papi_probe(&status);
    cycles.counting = status.counters && cycles_open(&cycles.set) == PAPI_OK && PAPI_start(cycles.set) == PAPI_OK;
    return cycles;
}

long long papi_cycles_read(const struct papi_cycles *cycles) {
    long long now = 0;
    return cycles->counting && PAPI_read(cycles->set, &now) == PAPI_OK ? now : 0;
}

void papi_cycles_close(struct papi_cycles *cycles) {
    if (cycles->counting)
        PAPI_stop(cycles->set, NULL);
    if (cycles->set != CLOSED)
        cycles_close(&cycles->set);
    cycles->counting = false;
}

static struct error start_failure; /* "": started */

static unsigned long own_thread(void) {
    return (unsigned long)pthread_self();
}

static void start_once(void) {
    struct cpu_identity cpu;
    struct event_set set;
    struct event_tables tables;
    cpu_identify(&cpu);
    events_find(&cpu, NULL, &set);
    /* Forced tables hide the kernel's own events, so force them only if there are others to count. */
    event_tables_choose(&set, perf_has_pmu("") && !(cpu.features & CPU_HYBRID), &tables);
    const int expected = (int)PAPI_VER_CURRENT, version = PAPI_library_init(expected);
    if (version != expected) {
        error_set(&start_failure, "PAPI does not initialise: %s",
                  version > 0 ? "the library's version is not the one this program was built with"
                              : PAPI_strerror(version));
        return;
    }
    int status = PAPI_thread_init(own_thread);
    if (status == PAPI_OK)
        status = PAPI_multiplex_init();
    if (status != PAPI_OK)
        error_set(&start_failure, "PAPI does not initialise for threads: %s", PAPI_strerror(status));
}

bool papi_start(struct error *err) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, start_once);
    return !*start_failure.text || error_set(err, "%s", start_failure.text);
}

void papi_probe(struct papi_status *out) {
    struct error err;
    memset(out, 0, sizeof *out);
    if (!papi_start(&err)) {
        snprintf(out->reason, sizeof out->reason, "%.191s", err.text);
        return;
    }
    out->library = true;
    snprintf(out->version, sizeof out->version, "%u.%u.%u", PAPI_VERSION_MAJOR(PAPI_VERSION),
             PAPI_VERSION_MINOR(PAPI_VERSION), PAPI_VERSION_REVISION(PAPI_VERSION));

    const int component = PAPI_get_component_index("perf_event");
    const PAPI_component_info_t *info = component < 0 ? NULL : PAPI_get_component_info(component);
    if (!info) {
        snprintf(out->reason, sizeof out->reason, "this PAPI was built without the perf_event component");
        return;
    }
    if (info->disabled) {
        snprintf(out->reason, sizeof out->reason, "PAPI's perf_event component is disabled: %.120s",
                 *info->disabled_reason ? info->disabled_reason : PAPI_strerror(info->disabled));
        return;
    }
    const int status = cycles_count();
    if (status != PAPI_OK) {
        snprintf(out->reason, sizeof out->reason, "counting cycles fails: %.120s", PAPI_strerror(status));
        return;
    }
    out->counters = true;
}
