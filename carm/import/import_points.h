/* SPDX-License-Identifier: BSD-3-Clause
 * What formats fill: the points and roofs of an import, and its note. */
#ifndef CARM_IMPORT_POINTS_H
#define CARM_IMPORT_POINTS_H

#include "import.h"

/* The point of that region ("": the whole program) or of that GPU kernel, made where there is none yet;
 * NULL when there are too many. */
struct app_point *import_region(struct import *import, const struct import_request *request, const char *region);
struct app_point *import_kernel(struct import *import, const struct import_request *request, const char *kernel);

/* Adds to what is known of a quantity. */
void import_add(struct statistics *quantity, double value);

/* Keeps a roof, named "format.type.op", or "format.op" of a memory level. Error, with the place in `text`:
 * it was there already, or there are too many. */
bool import_roof(struct import *import, const struct sample *roof, const struct import_text *text, struct error *err);

/* Adds to the note, behind a semicolon where there is one already. */
void import_note(struct import *import, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
