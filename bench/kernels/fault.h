/* SPDX-License-Identifier: BSD-3-Clause
 * Kernels under a handler: one that dies of a signal costs its own measurement alone. */
#ifndef BENCH_KERNELS_FAULT_H
#define BENCH_KERNELS_FAULT_H

/* From begin to end a SIGILL, SIGSEGV, SIGBUS or SIGFPE of an instruction inside of fault_guard() ends that guard; all
 * others do as before: those outside of it, and those that another process sent. Handlers are of the whole process: no
 * two of these at once. */
void fault_watch_begin(void);
void fault_watch_end(void);

/* Calls work(context) on this thread → 0, or the number of the signal that it died of: then it was left in the middle.
 * It may not hold what others wait for (locks, barriers). Takes some nanoseconds, and no system call. */
int fault_guard(void (*work)(void *context), void *context);

/* "SIGILL"; of a number that no guard returns "". */
const char *fault_name(int signal_number);

#endif
