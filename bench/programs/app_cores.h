/* SPDX-License-Identifier: BSD-3-Clause
 * The cores that a program runs on while the CPU's events are counted. On a hybrid CPU the events of flop are those of
 * the P cores, and the E cores have none: what they did would be missing without a word. So the program is kept on the
 * P cores, and a program that leaves them is refused. */
#pragma once

#include <sched.h>
#include <stdbool.h>

#include "regions.h"

struct error;
struct machine;

struct app_cores {
    bool p_only;     /* this thread, and the processes that it starts, are kept on the P cores; otherwise on all */
    cpu_set_t all;   /* before */
    char strays[96]; /* the event to count besides: instructions on E cores; "" none is known */
};

/* Error: only E cores are allowed. */
bool app_cores_keep(const struct machine *machine, struct app_cores *out, struct error *err);

/* Error: a run that counted `strays` left the P cores. */
bool app_cores_kept(const struct app_cores *cores, const struct regions_report *report, struct error *err);

void app_cores_release(struct app_cores *cores);
