/* SPDX-License-Identifier: BSD-3-Clause
 * The options that choose what to measure, shared by the commands that measure. */
#ifndef CARM_MEASURE_OPTIONS_H
#define CARM_MEASURE_OPTIONS_H

#include "bench/plan/plan.h"
#include "carm/session/measure.h"
#include "probe/error.h"
#include "cli.h"

#define CHOICE_ISA                                                                                                     \
    { "isa", 0, "LIST", "instruction sets: x87, scalar, sse, avx, avx2, avx512, amx (default: all that the CPU has)" }
#define CHOICE_TYPE                                                                                                    \
    {                                                                                                                  \
        "type", 0, "LIST",                                                                                             \
            "f64, f32, f16, bf16, i8, i16, i32, i64 (default: the first five as far as the CPU has them, from f16 on " \
            "in its widest ISA; of i8 dot products alone)"                                                             \
    }
#define CHOICE_THREADS                                                                                                 \
    {                                                                                                                  \
        "threads", 0, "LIST",                                                                                          \
            "thread counts, one thread per core, such as 1,2,all; .. stands for doubling, as in 1,..,all "             \
            "(default: 1,all, and the parts of a larger machine)"                                                      \
    }
#define CHOICE_SMT                                                                                                     \
    { "smt", 0, NULL, "use every allowed CPU of a core before the next core (default: of one core, and of all)" }
#define CHOICE_LEVEL                                                                                                   \
    { "level", 0, "LIST", "memory levels only: L1, L2, L3, DRAM (default: all, and the compute ceilings)" }
#define CHOICE_MIX                                                                                                     \
    {                                                                                                                  \
        "mix", 0, "LIST",                                                                                              \
            "operations: load, store, ntstore, 1ld1st, 2ld1st, 3ld1st, update, axpy, random, chase, add, mul, fma, "   \
            "dot, div, …"                                                                                            \
    }
#define CHOICE_QUICK                                                                                                   \
    { "quick", 0, NULL, "a rougher picture in 10 s" }
#define CHOICE_BUDGET                                                                                                  \
    {                                                                                                                  \
        "budget", 0, "SECONDS",                                                                                        \
            "how long the whole may take (default: 60, with --quick 10); it ends sooner when all is settled"           \
    }
#define CHOICE_STATISTIC                                                                                               \
    { "statistic", 0, "NAME", "how repetitions become a number: upper-quartile (default), median, best" }
#define CHOICE_PAGES                                                                                                   \
    { "pages", 0, "KIND", "huge (default) or small: the pages under the buffers" }
#define CHOICE_TOPOLOGY                                                                                                \
    { "topology", 0, "FILE", "a machine recorded by hwloc (lstopo FILE.xml) instead of this one" }

#define CHOICE_ROOF                                                                                                    \
    {                                                                                                                  \
        "roof", 0, "OP",                                                                                               \
            "the access pattern of the levels' roofs, such as 2ld1st; median: of all sizes of a sweep (default: each " \
            "level's best)"                                                                                            \
    }

/* Names of element types, separated by commas. Error: an unknown one. */
bool measure_options_types(const char *list, const char **out, size_t max, size_t *count, struct error *err);

/* Reads those of the options that were given and that the command has. */
bool measure_options_read(const struct arguments *arguments, struct plan_options *out, struct error *err);

/* A recording that does not tell the ISAs has those that the user names. Error: none are named; it is of an
 * architecture without kernels. */
bool measure_options_recorded_isas(const struct plan_options *options, struct machine *machine, struct error *err);

/* Error: the machine is a recorded one. */
bool measure_options_measurable(const struct machine *machine, struct error *err);

/* How to measure: --statistic, --pages, and that signals stop it. Error: an unknown name. */
bool measure_options_session(const struct arguments *arguments, struct session_options *out, struct error *err);

/* The pattern that --roof names, NULL when it is not given. Error: no kernel has such a pattern. */
bool measure_options_roof(const struct arguments *arguments, const char **out, struct error *err);

#endif
