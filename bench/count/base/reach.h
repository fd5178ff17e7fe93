/* SPDX-License-Identifier: BSD-3-Clause
 * The counter's access to the file system: the folder of reports, its own report, and /proc. It opens them by path each
 * time, so that the program gets the same descriptor numbers as without the counter. Before the program changes its
 * root, user or limits, the counter opens its own descriptors with high numbers, which the program cannot close. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum reach_kind { REACH_REPORTS, REACH_PROC, REACH_OWN_REPORT, REACH_MAPS, REACH_COUNT };

/* Sets the folder of reports; copies the text. Call once, before all others. */
void reach_prepare(const char *folder);

/* Opens a file in a folder (REACH_REPORTS, REACH_PROC) by name, without following a link. Returns the descriptor, or a
 * negative errno. */
long reach_open(enum reach_kind folder, const char *name, int flags);

/* Removes a report. */
void reach_remove(const char *name);

/* Holds both folders and /proc/self/maps from now on. Call again in the child of a fork. */
void reach_hold(void);
bool reach_holds(void);

/* Holds this file in place of the previous one. Returns its new number, or the old one if no number is free. */
long reach_keep(enum reach_kind kind, long file);

/* The held descriptor of that kind; negative: none. */
long reach_held(enum reach_kind kind);

/* Closes a descriptor unless it is held. */
void reach_close(long file);

/* Writes the path of a descriptor's file to a buffer, which may be invalid, without a NUL. Returns the length, or a
 * negative errno. */
long reach_path(uint64_t file, void *buffer, uint64_t size);

/* Opens /proc/self/maps at its beginning; close it with reach_close(). Negative: it cannot be opened. */
long reach_maps(void);

/* Whether a descriptor with this number is held. */
bool reach_owns(uint64_t number);

/* The program is about to give this number to its own file: moves a held descriptor to another number. */
void reach_make_way(uint64_t number);
