/* SPDX-License-Identifier: BSD-3-Clause
 * The C library's functions that start threads, end the process or replace it. */
#ifndef BENCH_COLLECT_WRAP_H
#define BENCH_COLLECT_WRAP_H

#include <signal.h>

int real_sigaction(int signal, const struct sigaction *action, struct sigaction *old);

#endif
