/* SPDX-License-Identifier: BSD-3-Clause
 * Which result an application's points are judged by and added to. */
#ifndef CARM_APP_RESULTS_H
#define CARM_APP_RESULTS_H

#include "partial.h"
#include "carm/store/results.h"

struct app_target {
    struct result *result;                /* `file`, or without one `here` */
    struct result file;                   /* as it was read */
    struct result *here;                  /* of this machine, without roofs; borrowed */
    char judged_by[4096];                 /* the file's path; "" when there is none */
    const char *path;                     /* where it is written; NULL: nowhere */
    bool other_machine;                   /* its roofs are */
    const struct annotation *annotations; /* that app_target_add() adds with the points; borrowed */
    size_t annotation_count;
};

/* `path`: the file that -o names; where there is none yet, the points stand alone in `here`, a result of this machine
 * without roofs. NULL: the newest result of this machine in results/, which is not written. Error: the file is
 * no result, or one of a GPU. */
bool app_target_find(struct app_target *out, const char *path, struct result *here, struct error *err);

/* Adds the points to the result and the file, in place of points of the same names; `*replaced`: how many were. Reads
 * the file again before, since others may have added to it while the program ran, and keeps others away meanwhile. Of
 * another machine's roofs the points get their doubt. `lacking`: more are to come, and the file says so; NULL: these
 * were the last. The target's annotations take the place of the program's; without any, those of the points that are
 * replaced go. Error: it is no result any more, or it cannot be written. */
bool app_target_add(struct app_target *target, struct app_point *points, size_t count, const char *command,
                    const struct progress *lacking, size_t *replaced, struct error *err);

/* Gives points of fewer runs than were wanted a name of their own, "triad (partial)": they replace no earlier point,
 * and go when the program's next points are added. */
void app_target_name_partial(struct app_point *points, size_t count);

/* What was added of the program meanwhile goes, since nothing came of it. */
bool app_target_drop_partial(struct app_target *target, const char *program, const char *command, struct error *err);

/* Where one instance of this machine's last cache was found to end; 0 where that is as detected, or not known. */
uint64_t app_target_last_cache_bytes(const struct app_target *target);

/* On stderr: where the points are now, and how to keep them or to judge them. */
void app_target_tell(const struct app_target *target, size_t count, size_t replaced);

void app_target_free(struct app_target *target);

#endif
