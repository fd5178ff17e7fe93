/* SPDX-License-Identifier: BSD-3-Clause
 * The options that choose what to measure, shared by several commands. */
#pragma once

#include "cli.h"

#include "bench/kernels/plan.h"
#include "bench/programs/levels_geometry.h"
#include "carm/session/measure.h"

struct error;

/* clang-format off */
#define CHOICE_ISA {"isa", 0, "ISA,…", "instruction sets: {} (default: all of the CPU)"}
#define CHOICE_TYPE {"type", 0, "TYPE,…", "{} (default: the first five, if the CPU has them; f16 and later ones in " \
                     "its widest ISA, i8 only as dot products)"}
#define CHOICE_THREADS {"threads", 0, "N|all,…", "thread counts, one thread per core, such as 1,2,all; .. doubles, " \
                        "as in 1,..,all (default: 1,all, and the parts of a larger machine)"}
#define CHOICE_SMT {"smt", 0, NULL, "fill all allowed CPUs of a core before the next core (default: of one core, " \
                    "and of all cores)"}
#define CHOICE_LEVEL {"level", 0, "LEVEL,…", "only these memory levels: {} (default: all, and the compute ceilings)"}
#define CHOICE_MIX {"mix", 0, "OPERATION,…", "operations: {}"}
#define CHOICE_QUICK {"quick", 0, NULL, "rougher results, in 10 s"}
#define CHOICE_BUDGET {"budget", 0, "TIME", "time limit, such as 90 or 5m (default: 60s, with --quick 10s); ends " \
                       "sooner when all roofs are known well enough"}
#define CHOICE_STATISTIC {"statistic", 0, "HOW", "how to combine repetitions: {} (default: upper-quartile)"}
#define CHOICE_PAGES {"pages", 0, "PAGES", "pages of the buffers: {} (default: huge)"}
#define CHOICE_TOPOLOGY {"topology", 0, "FILE", "use a machine recorded by hwloc (lstopo FILE.xml) instead of this one"}
#define CHOICE_ROOF {"roof", 0, "OP", "access pattern of the levels' roofs, such as 2ld1st, or median, of a sweep " \
                     "(default: each level's best)"}
/* clang-format on */

/* Reads the given options of this header that the command has. */
bool measure_options_read(const struct arguments *arguments, struct plan_options *out, struct error *err);

/* A recording without ISAs gets those in --isa, else the documented ones of its CPU. Error: none are named and the CPU
 * is unknown, or its architecture has no kernels. */
bool measure_options_recorded_isas(const struct plan_options *options, struct machine *machine, struct error *err);

/* Error: the machine is a recorded one. */
bool measure_options_measurable(const struct machine *machine, struct error *err);

/* How to measure: --statistic, --pages, and the stop by signals. */
struct session_options measure_options_session(const struct arguments *arguments);

/* The pattern in --roof; NULL: not given. `imported`: those of STREAM are allowed, too. Error: no such pattern. */
bool measure_options_roof(const struct arguments *arguments, bool imported, const char **out, struct error *err);

/* Options of the caches that are simulated while a program is counted. */

/* `more`: further words of the list. */
/* clang-format off */
#define LEVELS_OPTION(more) {"levels", 0, "[=LIST]", "simulate all caches and print the traffic between them; exact: " \
                             "all cache lines; L1=48K:12,L3=none: other sizes and ways" more}
/* clang-format on */

/* `repeat`: set by "repeat=N"; NULL: the command does not take it. Error: a wrong value. */
bool levels_options_read(const struct arguments *arguments, struct levels_choice *out, unsigned *repeat,
                         struct error *err);
