/* SPDX-License-Identifier: BSD-3-Clause
 * Finds the ranks' files among those that the processes of a program leave. */
#pragma once

#include <dirent.h>
#include <stdint.h>

/* The launcher that started the process of a file as a rank; RANK_LAUNCHERS: it is no rank, or the file cannot be
 * read. */
typedef uint32_t rank_file_launcher(const char *folder, const char *name);

/* If some files from scandir() are of ranks, frees all but those of one launcher's ranks. Returns the number of files
 * left. */
int rank_files_alone(const char *folder, struct dirent **files, int count, rank_file_launcher *launcher_of);
