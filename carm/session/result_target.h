/* SPDX-License-Identifier: BSD-3-Clause
 * Where a run's result goes: into the file that was named, or under a new name into a folder; and never over what
 * another process wrote meanwhile, on this node or on another that shares the file system. */
#ifndef CARM_RESULT_TARGET_H
#define CARM_RESULT_TARGET_H

#include "carm/store/file_io.h"
#include "measure.h"
#include "partial.h"

struct result_target {
    bool new_name; /* path is a proposal, in this folder */
    char folder[4096], path[4096];
    struct file_stamp before; /* of the named file, as it was or as it was written here */
    bool keeps;               /* that file is not to be replaced by less than a whole result */
    char partial[4200];       /* so what there is goes here meanwhile; "": nothing has yet */
    bool saved;               /* something has, or to path */
};

/* `named`: a file, a folder that exists, or NULL for results/. Error: nothing could be written there. Says so when
 * there is a partial result of an earlier run. */
bool result_target_choose(struct result_target *out, const struct session *session, const char *named,
                          struct error *err);

/* Chooses as result_target_choose() does, a file whose content is part of the session's result: to replace it loses
 * nothing. */
bool result_target_choose_same(struct result_target *out, const struct session *session, const char *named,
                               struct error *err);

/* Writes what the session has measured so far, marked as partial: "run: 34 of 302 samples". A file that was there
 * before stays; then it is written beside, into FILE.partial. */
bool result_target_save(struct result_target *target, struct session *session, const struct progress *progress,
                        struct error *err);

/* Saves so at each checkpoint: checkpoint_begin(result_target_checkpoint, &saving). */
struct result_saving {
    struct session *session;
    struct result_target *target;
    size_t planned; /* of what `how_far` counts */
    struct progress (*how_far)(const struct result *result, size_t planned);
};
bool result_target_checkpoint(void *saving, struct error *err);

/* Where result_target_save() has put it; NULL: it was not called, or there is no such place (/dev/null). */
const char *result_target_saved(const struct result_target *target);

/* Writes the session's result; `path` is then where it is, and there is no partial one. Says so when it is not where it
 * should have been; the error says where a partial one is left. */
bool result_target_write(struct result_target *target, const struct session *session, struct error *err);

/* The picture beside it: "dir/name.json" → "dir/name.svg". */
void result_target_picture(const struct result_target *target, char *out, size_t size);

/* Whether that picture could be written; there is none beside a pipe or /dev/null. Error: why not. */
bool result_target_picture_writable(const struct result_target *target, struct error *err);

#endif
