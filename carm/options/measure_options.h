/* SPDX-License-Identifier: BSD-3-Clause
 * The options that choose what to measure, shared by the commands that measure. */
#ifndef CARM_MEASURE_OPTIONS_H
#define CARM_MEASURE_OPTIONS_H

#include "cli.h"

#include "bench/kernels/plan.h"
#include "carm/session/measure.h"
#include "probe/error.h"

#define CHOICE_ISA                                                                                                     \
    { "isa", 0, "ISA,…", "instruction sets: {} (default: all that the CPU has)" }
#define CHOICE_TYPE                                                                                                    \
    {                                                                                                                  \
        "type", 0, "TYPE,…",                                                                                           \
            "{} (default: the first five as far as the CPU has them, from f16 on "                                     \
            "in its widest ISA; of i8 dot products alone)"                                                             \
    }
#define CHOICE_THREADS                                                                                                 \
    {                                                                                                                  \
        "threads", 0, "N|all,…",                                                                                       \
            "thread counts, one thread per core, such as 1,2,all; .. stands for doubling, as in 1,..,all "             \
            "(default: 1,all, and the parts of a larger machine)"                                                      \
    }
#define CHOICE_SMT                                                                                                     \
    { "smt", 0, NULL, "use every allowed CPU of a core before the next core (default: of one core, and of all)" }
#define CHOICE_LEVEL                                                                                                   \
    { "level", 0, "LEVEL,…", "memory levels only: {} (default: all, and the compute ceilings)" }
#define CHOICE_MIX                                                                                                     \
    { "mix", 0, "OPERATION,…", "operations: {}" }
#define CHOICE_QUICK                                                                                                   \
    { "quick", 0, NULL, "a rougher picture in 10 s" }
#define CHOICE_BUDGET                                                                                                  \
    {                                                                                                                  \
        "budget", 0, "SECONDS",                                                                                        \
            "how long the whole may take (default: 60, with --quick 10); it ends sooner when all is settled"           \
    }
#define CHOICE_STATISTIC                                                                                               \
    { "statistic", 0, "STATISTIC", "how repetitions become a number: {} (default: upper-quartile)" }
#define CHOICE_PAGES                                                                                                   \
    { "pages", 0, "PAGES", "the pages under the buffers: {} (default: huge)" }
#define CHOICE_TOPOLOGY                                                                                                \
    { "topology", 0, "FILE", "a machine recorded by hwloc (lstopo FILE.xml) instead of this one" }

#define CHOICE_ROOF                                                                                                    \
    {                                                                                                                  \
        "roof", 0, "OP",                                                                                               \
            "the access pattern of the levels' roofs, such as 2ld1st; median: of all sizes of a sweep (default: each " \
            "level's best)"                                                                                            \
    }

/* Reads those of the options that were given and that the command has. */
bool measure_options_read(const struct arguments *arguments, struct plan_options *out, struct error *err);

/* A recording that does not tell the ISAs has those that the user names. Error: none are named; it is of an
 * architecture without kernels. */
bool measure_options_recorded_isas(const struct plan_options *options, struct machine *machine, struct error *err);

/* Error: the machine is a recorded one. */
bool measure_options_measurable(const struct machine *machine, struct error *err);

/* How to measure: --statistic, --pages, and that signals stop it. */
struct session_options measure_options_session(const struct arguments *arguments);

/* The pattern that --roof names, NULL when it is not given. Error: no kernel has such a pattern. */
bool measure_options_roof(const struct arguments *arguments, const char **out, struct error *err);

#endif
