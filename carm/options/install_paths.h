/* SPDX-License-Identifier: BSD-3-Clause
 * Where the parts of carmine are that are files of their own: the collectors and the workloads. */
#ifndef CARM_INSTALL_PATHS_H
#define CARM_INSTALL_PATHS_H

#include <stdbool.h>
#include <stddef.h>

#include "probe/error.h"

/* The path of this program; "" where nobody tells. */
void install_paths_self(char *out, size_t size);

/* The folder that holds `file`: that of this program in the build folder, ../lib/carmine where it is installed. Error:
 * it is in neither. */
bool install_paths_folder(const char *file, char *out, size_t size, struct error *err);

#endif
