/* SPDX-License-Identifier: BSD-3-Clause
 * Optional libraries: used if they are installed, not needed for the build. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct error;

/* Stays loaded until the end. NULL and an error with the Debian package: not installed. */
void *library_open(const char *file, const char *name, const char *package, struct error *err);

/* `function` points to a function pointer. Error: the library has no function of this name. */
bool library_function(void *library, const char *name, void *function, struct error *err);

/* The string in the library's character array of this name; "" if there is none. */
void library_text(void *library, const char *name, char *out, size_t size);
