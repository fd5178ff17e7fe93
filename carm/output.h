/* SPDX-License-Identifier: BSD-3-Clause
 * Where a run's result goes: into the file that was named, or under a new name into a folder; and never over what
 * another process wrote meanwhile, on this node or on another that shares the file system. */
#ifndef CARM_OUTPUT_H
#define CARM_OUTPUT_H

#include "files.h"
#include "measure.h"

struct output {
    bool new_name; /* path is a proposal, in this folder */
    char folder[4096], path[4096];
    struct file_stamp before; /* of the named file */
};

/* `named`: a file, a folder that exists, or NULL for results/. Error: nothing could be written there. */
bool output_choose(struct output *out, const struct session *session, const char *named, struct error *err);

/* Writes the session's result; `path` is then where it is. Says so when it is not where it should have been. */
bool output_write(struct output *output, const struct session *session, struct error *err);

#endif
