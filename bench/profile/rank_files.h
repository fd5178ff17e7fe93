/* SPDX-License-Identifier: BSD-3-Clause
 * The files that the processes of a program of several ranks leave: which are of its ranks. */
#ifndef BENCH_RANK_FILES_H
#define BENCH_RANK_FILES_H

#include <dirent.h>
#include <stdint.h>

/* By whom the process of a file was started as a rank; RANK_LAUNCHERS: it is none, or the file cannot be read. */
typedef uint32_t rank_file_launcher(const char *folder, const char *name);

/* Keeps of the files, by scandir(), those of one launcher's ranks, and frees the others; how many it keeps. All, where
 * none is a rank's. */
int rank_files_alone(const char *folder, struct dirent **files, int count, rank_file_launcher *launcher_of);

#endif
