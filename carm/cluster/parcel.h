/* SPDX-License-Identifier: BSD-3-Clause
 * How a node's result travels through an engine's output: in lines that each name the node, so that those of several
 * nodes may come in any order, and between others. All are of PARCEL_BYTES, a power of two: who reads them from a pipe
 * in larger ones, as launchers do, takes whole lines, and does not mix them with another node's. */
#ifndef CARM_PARCEL_H
#define CARM_PARCEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { PARCEL_BYTES = 1024, PARCEL_NODE_BYTES = 64 };
/* Measuring begins; a result; the last words, behind which only a part of a result may follow. */
enum parcel_kind { PARCEL_BEGIN, PARCEL_RESULT, PARCEL_FAILED };

struct parcel {
    char node[PARCEL_NODE_BYTES];
    enum parcel_kind kind;
    unsigned number, count; /* which part, from 1, of how many */
    uint64_t sum;           /* of the whole text */
    char text[PARCEL_BYTES];
};

/* Writes the text, which has neither line ends nor control characters, in as many lines as it takes. */
void parcel_write(const char *node, enum parcel_kind kind, const char *text, FILE *out);

/* What the line holds, which may begin with the engine's label of its node ("node1: "). False: it is no such line. */
bool parcel_read(const char *line, struct parcel *out);

/* The parts of one node's text, as they come in. */
struct parcel_parts {
    unsigned count, there;
    uint64_t sum;
    char **list;
};

/* Whether the text is complete now. A part of another count or checksum begins anew. */
bool parcel_parts_take(struct parcel_parts *parts, const struct parcel *parcel);
/* The whole text, to be freed; NULL: it is not what was sent. The parts are gone. */
char *parcel_parts_join(struct parcel_parts *parts);
void parcel_parts_free(struct parcel_parts *parts);

#endif
