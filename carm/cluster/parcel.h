/* SPDX-License-Identifier: BSD-3-Clause
 * A node's result in an engine's output: in lines that each name the node, so that lines of several nodes may mix.
 * Each line has PARCEL_BYTES, a power of two: launchers that read a pipe in larger powers of two take whole lines and
 * do not mix the lines of two nodes. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { PARCEL_BYTES = 1024, PARCEL_NODE_BYTES = 64 };
/* A result; the last words, which only a partial result may follow. */
enum parcel_kind { PARCEL_RESULT, PARCEL_FAILED };

struct parcel {
    char node[PARCEL_NODE_BYTES];
    enum parcel_kind kind;
    unsigned number, count; /* number of the part, from 1, and their count */
    uint64_t sum;           /* of the whole text */
    char text[PARCEL_BYTES];
};

/* Writes the text, which has neither line ends nor control characters, in as many lines as needed. */
void parcel_write(const char *node, enum parcel_kind kind, const char *text, FILE *out);

/* Reads a line, also with the engine's label of its node ("node1: "). False: another line. */
bool parcel_read(const char *line, struct parcel *out);

/* The received parts of one node's text. */
struct parcel_parts {
    unsigned count, there;
    uint64_t sum;
    char **list;
};

/* Whether the text is complete now. A part with another count or checksum starts a new text. */
bool parcel_parts_take(struct parcel_parts *parts, const struct parcel *parcel);
/* The whole text, to be freed; NULL: the checksum does not match. Frees the parts. */
char *parcel_parts_join(struct parcel_parts *parts);
void parcel_parts_free(struct parcel_parts *parts);
