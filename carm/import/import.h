/* SPDX-License-Identifier: BSD-3-Clause
 * Points and roofs from the files of other tools. A format is a row in import_formats and a file of its own. There
 * are two intensities: the cache-aware one, over the bytes that the core requests, and the operational one, over the
 * bytes between caches and memory. A format has one of them, or none; neither ever replaces the other. */
#pragma once

#include "import_text.h"

#include "bench/kernels/sample.h"
#include "probe/text.h"

struct app_point;

enum { IMPORT_MAX_POINTS = 4096, IMPORT_MAX_ROOFS = 256 };

struct import_request {
    const char *name;   /* of the point, or before the names of its parts */
    const char *region; /* only this part; NULL: all */
    const char *level;  /* of a roof, if the file does not name it; NULL: unknown */
    double seconds;     /* if the file has no time; 0: unknown */
    unsigned threads;   /* number of threads, if the file does not have it; 0: unknown */
};

struct import {
    const char *format;
    char machine[64]; /* named by the files; "": not named */
    size_t point_count, roof_count;
    struct app_point *points; /* IMPORT_MAX_POINTS of them */
    struct sample *roofs;     /* IMPORT_MAX_ROOFS */
    char note[512];           /* values that were left out or assumed; "": none */
};

struct import_format {
    const char *name;    /* "sde" */
    const char *summary; /* "Intel SDE's mix output: flop and bytes that the core requests" */
    bool gpu;            /* its points are of a GPU, and belong to a GPU's result */
    /* Reads all files of one import together. Errors: with file, line and column; no usable value. */
    bool (*read)(const struct import_request *request, struct import_text *files, size_t count, struct import *out,
                 struct error *err);
};

extern const struct import_format *const import_formats[]; /* NULL at the end */

const struct import_format *import_find(const char *name); /* NULL: none */

/* Reads the files and adds sources, time of measurement and doubts. The caller ends with import_free() in any case. */
bool import_read(const struct import_format *format, const struct import_request *request, char *const *paths,
                 size_t count, struct import *out, struct error *err);
void import_free(struct import *import);

/* What the formats fill: the points and roofs of an import, and its note. */

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
