/* SPDX-License-Identifier: BSD-3-Clause
 * What the formats fill: the points and roofs of an import, and its note. */
#pragma once

#include "import.h"

#include "probe/text.h"

/* The point of a region ("": the whole program) or of a GPU kernel, made if it is new; NULL: too many points. */
struct app_point *import_region(struct import *import, const struct import_request *request, const char *region);
struct app_point *import_kernel(struct import *import, const struct import_request *request, const char *kernel);

/* Adds to the value of a quantity. */
void import_add(struct statistics *quantity, double value);

/* Adds a roof, named "format.type.op", or "format.op" of a memory level. Error, with the place in `text`: a second
 * roof of that name and level, too many roofs, or a useless value. */
bool import_roof(struct import *import, const struct sample *roof, const struct import_text *text, struct error *err);

/* Appends to the note, after a semicolon if it is not empty. */
#define import_note(import, ...) text_say_next((import)->note, "; ", __VA_ARGS__)
