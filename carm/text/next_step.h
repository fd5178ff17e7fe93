/* SPDX-License-Identifier: BSD-3-Clause
 * What to do after an answer: each command that an answer may name is a row. Texts quote the row's command; JSON has
 * it as "next" (carm/report/next_answers.h). */
#pragma once

enum next_id {
    NEXT_NOTHING,
    NEXT_RESUME,
    NEXT_RUN,
    NEXT_LEVELS,
    NEXT_LOOPS,
    NEXT_CORE,
    NEXT_WHY,
    NEXT_DOCTOR,
    NEXT_SOAK,
    NEXT_APP,
    NEXT_IDS
};

struct next_step {
    const char *command; /* "carmine run --resume"; NULL: no command helps */
    const char *reason;  /* what is not known without it */
};
extern const struct next_step next_steps[NEXT_IDS]; /* [enum next_id] */

/* The row's command for a file (NULL: "FILE"): "carmine run --resume my.json". To be freed. */
char *next_command(enum next_id id, const char *path);
