/* SPDX-License-Identifier: BSD-3-Clause
 * Points and roofs from the files of other tools. A format is a row in import_formats and a file of its own.
 *
 * Two intensities are told apart: the cache-aware one, over bytes that the core asks for, and the operational one, over
 * bytes that pass between caches and memory. A format carries one of them, or none; a number of one kind never takes
 * the place of the other. */
#ifndef CARM_IMPORT_H
#define CARM_IMPORT_H

#include "import_csv.h"

#include "bench/kernels/sample.h"
#include "bench/programs/app_point.h"

enum { IMPORT_MAX_POINTS = 4096, IMPORT_MAX_ROOFS = 256 };

struct import_request {
    const char *name;   /* of the point, or before the names of its parts */
    const char *region; /* only this part; NULL: all */
    const char *level;  /* that a roof is of, where the file does not tell; NULL: not said */
    double seconds;     /* where the file does not tell; 0: not said */
    unsigned threads;   /* that took part, where the file does not tell; 0: not said */
};

struct import {
    const char *format;
    char machine[64]; /* as the files name it; "": they do not */
    size_t point_count, roof_count;
    struct app_point *points; /* IMPORT_MAX_POINTS of them */
    struct sample *roofs;     /* IMPORT_MAX_ROOFS */
    char note[512];           /* what was left out or taken for granted; "" nothing */
};

struct import_format {
    const char *name;    /* "sde" */
    const char *summary; /* "Intel SDE's mix output: flop and bytes that the core asks for" */
    bool gpu;            /* its points are of a GPU, and belong into a result of one */
    /* All files of one import together. Errors: with file, line and column; nothing in it that can be used. */
    bool (*read)(const struct import_request *request, struct import_text *files, size_t count, struct import *out,
                 struct error *err);
};

extern const struct import_format *const import_formats[]; /* NULL at the end */

const struct import_format *import_find(const char *name); /* NULL: there is none */

/* Reads the files and completes what they told: sources, time of measuring, doubts. import_free in any case. */
bool import_read(const struct import_format *format, const struct import_request *request, char *const *paths,
                 size_t count, struct import *out, struct error *err);
void import_free(struct import *import);

#endif
