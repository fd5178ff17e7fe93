/* SPDX-License-Identifier: BSD-3-Clause
 * The result that judges and stores an application's points. */
#pragma once

#include "partial.h"
#include "carm/store/results.h"

struct app_target {
    struct result *result;                /* `file`, or without one `here` */
    struct result file;                   /* as read */
    struct result *here;                  /* of this machine, without roofs; borrowed */
    char judged_by[4096];                 /* path of the file; "": none */
    const char *path;                     /* output file; NULL: not written */
    bool other_machine;                   /* its roofs are from another machine */
    const struct annotation *annotations; /* added with the points by app_target_add(); borrowed */
    size_t annotation_count;
    const struct app_course *course; /* likewise; NULL: none */
};

/* `path`: the -o file; if missing, the points get `here`, a result of this machine without roofs. NULL: the newest
 * result of this machine in results/, which is not written. Error: the file is no result, or one of a GPU. */
bool app_target_find(struct app_target *out, const char *path, struct result *here, struct error *err);

/* Adds the points to the result and the file. They replace points of the same names; `*replaced` is their number. Reads
 * the file again under a lock first, because others may have added to it while the program ran. With another machine's
 * roofs the points get a doubt. `lacking`: more points will follow, and the file records that; NULL: these are the
 * last. The target's annotations and course replace those of the program; without any, annotations of replaced points
 * are removed. Error: it is no result any more, or cannot be written. */
bool app_target_add(struct app_target *target, struct app_point *points, size_t count, const char *command,
                    const struct progress *lacking, size_t *replaced, struct error *err);

/* Names points of too few runs "triad (partial)". They replace no earlier point. The program's next points remove them.
 */
void app_target_name_partial(struct app_point *points, size_t count);

/* Removes the partial points of the program. */
bool app_target_drop_partial(struct app_target *target, const char *program, const char *command, struct error *err);

/* Effective size of one instance of this machine's last cache; 0: as detected, or not known. */
uint64_t app_target_last_cache_bytes(const struct app_target *target);

/* What `carmine core` measured of this machine's core; without values if the file has none. NULL: of another machine.
 */
const struct core_measured *app_target_core(const struct app_target *target);

/* Prints on stderr where the points are, and how to store or judge them. */
void app_target_tell(const struct app_target *target, size_t count, size_t replaced);

void app_target_free(struct app_target *target);
