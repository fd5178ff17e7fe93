/* SPDX-License-Identifier: BSD-3-Clause
 * Limits on measuring on this machine: one finding per check, good or bad, each with a remedy. It changes nothing
 * and prints nothing. Data that the system does not report is "not known". */
#pragma once

#include "probe/cpu.h"
#include "probe/machine_limits.h"
#include "probe/events/papi.h"

enum severity {
    SEVERITY_OK,      /* as it should be */
    SEVERITY_NOTE,    /* useful for reading results; or not known */
    SEVERITY_WARNING, /* results suffer */
};

struct finding {
    enum severity severity;
    char name[24];    /* "governor" */
    char what[256];   /* "core clocks are governed by powersave" */
    char remedy[160]; /* a command or advice; "" when there is nothing to do */
};

enum { DOCTOR_NOT_TRIED = -1 };

struct doctor_input {
    const char *root; /* of /proc and /sys: "" for this machine, or a recorded tree's folder */
    const struct machine *machine;
    const struct papi_status *papi;              /* NULL: not tried */
    int reference_cycles;                        /* 0: they can be counted; else errno, or DOCTOR_NOT_TRIED */
    struct cpu_cache caches[MACHINE_MAX_CACHES]; /* from CPUID */
    unsigned cache_count;                        /* 0: not queried */
    double step_s;                               /* of the clock that times; 0: not measured */
};

enum { DOCTOR_MAX_FINDINGS = 32 };

/* Fills `out` in a fixed order; returns how many findings there are. */
unsigned doctor_examine(const struct doctor_input *input, struct finding out[DOCTOR_MAX_FINDINGS]);

/* Examines this machine, with the caches from CPUID; fills `out` and returns as doctor_examine() does. */
unsigned doctor_examine_live(const struct machine *machine, const struct papi_status *papi,
                             struct finding out[DOCTOR_MAX_FINDINGS]);
