/* SPDX-License-Identifier: BSD-3-Clause
 * The doctor's single checks, by subject, and the way they write findings. Private to doctor*.c. */
#pragma once

#include <stdarg.h>
#include <stdio.h>

#include "doctor.h"

/* Fills `out`; the caller has set its name, and its severity to OK. */
typedef void doctor_check(const struct doctor_input *input, struct finding *out);

__attribute__((format(printf, 4, 5))) static inline void finding_say(struct finding *out, enum severity severity,
                                                                     const char *remedy, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(out->what, sizeof out->what, format, arguments);
    va_end(arguments);
    out->severity = severity;
    snprintf(out->remedy, sizeof out->remedy, "%s", remedy);
}

/* Identity and counters: doctor_cpu.c. */
doctor_check doctor_identity, doctor_virtual, doctor_microcode, doctor_caches, doctor_vector_length, doctor_pmu,
    doctor_paranoid, doctor_reference_cycles, doctor_watchdog, doctor_prefetchers;

/* CPUs, clocks and other programs: doctor_time.c. */
doctor_check doctor_cpuset, doctor_quota, doctor_offline, doctor_smt, doctor_governor, doctor_turbo, doctor_tsc,
    doctor_counter, doctor_step, doctor_load, doctor_steal;

/* Memory: doctor_memory.c. */
doctor_check doctor_huge_pages, doctor_memory, doctor_memory_limit, doctor_swap, doctor_numa_balancing;
