/* SPDX-License-Identifier: BSD-3-Clause
 * What the counter has to reach in the file system: the folder of reports, its own report, and /proc. It goes there by
 * path each time, so that the program's descriptors are those that it has natively. From the moment when the program is
 * about to change its root, its user or its limits, it holds them by descriptors of its own, with high numbers, which
 * the program cannot close. */
#ifndef BENCH_COUNT_REACH_H
#define BENCH_COUNT_REACH_H

#include <stdbool.h>
#include <stdint.h>

enum reach_kind { REACH_REPORTS, REACH_PROC, REACH_OWN_REPORT, REACH_MAPS, REACH_COUNT };

/* Sets the folder of reports; the text is copied. To be called once, first. */
void reach_prepare(const char *folder);

/* Opens a file there (REACH_REPORTS, REACH_PROC) by its name, which is no link. Gives the descriptor, or a negative
 * errno. */
long reach_open(enum reach_kind folder, const char *name, int flags);

/* Removes a report. */
void reach_remove(const char *name);

/* Holds both folders and /proc/self/maps from now on; again, in the child of a fork. */
void reach_hold(void);
bool reach_holds(void);

/* Holds this file from now on in place of the one before; gives its new number, or the old one where there is none. */
long reach_keep(enum reach_kind kind, long file);

/* The descriptor that is held of that kind; negative: none. */
long reach_held(enum reach_kind kind);

/* Closes a descriptor, unless it is held. */
void reach_close(long file);

/* Has the kernel write where a descriptor's file lies to a buffer, which need not be good and gets no NUL: the length,
 * or a negative errno. */
long reach_path(uint64_t file, void *buffer, uint64_t size);

/* /proc/self/maps, to be read from its begin, and closed by reach_close(); negative: it cannot be opened. */
long reach_maps(void);

/* Whether a number is one of those that are held. */
bool reach_owns(uint64_t number);

/* The program gives this number to a file of its own: what is held there is held elsewhere. */
void reach_make_way(uint64_t number);

#endif
