/* SPDX-License-Identifier: BSD-3-Clause
 * Folders of carmine's separate files: collectors and workloads. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct error;

/* The path of this program; "": not known. */
void install_paths_self(char *out, size_t size);

/* The folder of `file`: this program's own in the build folder, ../lib/carmine when installed. Error: it is in neither.
 */
bool install_paths_folder(const char *file, char *out, size_t size, struct error *err);
