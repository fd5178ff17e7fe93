/* SPDX-License-Identifier: BSD-3-Clause
 * The place of a run's result: the named file, or a new name in a folder. It never overwrites a file that another
 * process wrote in the meantime, on this node or another one with the same file system. */
#pragma once

#include "carm/store/file_io.h"
#include "measure.h"
#include "partial.h"

struct result_target {
    bool new_name; /* path is a proposal in this folder */
    char folder[4096], path[4096];
    struct file_stamp before; /* stamp of the named file, as found or as written here */
    bool keeps;               /* only a complete result may replace the file */
    char partial[4200];       /* partial results are written here; "": not yet */
    bool saved;               /* a partial result was written here or to path */
};

/* `named`: a file, an existing folder, or NULL for results/. Error: it could not be written. Prints a notice if an
 * earlier run left a partial result. */
bool result_target_choose(struct result_target *out, const struct session *session, const char *named,
                          struct error *err);

/* Like result_target_choose(), for a file whose content is part of the session's result: replacing it loses nothing. */
bool result_target_choose_same(struct result_target *out, const struct session *session, const char *named,
                               struct error *err);

/* Writes the session's samples so far, marked as partial: "run: 34 of 302 samples". An existing file remains; then
 * FILE.partial is written. */
bool result_target_save(struct result_target *target, struct session *session, const struct progress *progress,
                        struct error *err);

/* Saves partial results at each checkpoint: checkpoint_begin(result_target_checkpoint, &saving). */
struct result_saving {
    struct session *session;
    struct result_target *target;
    size_t planned; /* total of `how_far` */
    struct progress (*how_far)(const struct result *result, size_t planned);
};
bool result_target_checkpoint(void *saving, struct error *err);

/* The file of result_target_save(); NULL: it was not called, or has no place (/dev/null). */
const char *result_target_saved(const struct result_target *target);

/* Writes the session's result, sets `path` to its place, and removes a partial one. Prints a notice if the place is not
 * the requested one. Error: where a partial result remains. */
bool result_target_write(struct result_target *target, const struct session *session, struct error *err);

/* The picture beside it: "dir/name.json" → "dir/name.svg". */
void result_target_picture(const struct result_target *target, char *out, size_t size);

/* Whether that picture could be written. A pipe or /dev/null has none. Error: the reason. */
bool result_target_picture_writable(const struct result_target *target, struct error *err);
