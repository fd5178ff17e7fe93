/* SPDX-License-Identifier: BSD-3-Clause
 * The steps after an answer (see next_step.h): a row for each. */
#include "next_step.h"
#include "shell_word.h"

#include <stdio.h>
#include <stdlib.h>

#include "probe/need.h"
#include "render/page/text_stream.h"

const struct next_step next_steps[NEXT_IDS] = {
    [NEXT_NOTHING] = {NULL, "the answer is complete"},
    [NEXT_RESUME] = {"carmine run --resume", "roofs are uncertain, blank or not measured"},
    [NEXT_RUN] = {"carmine run", "there are no roofs to judge by"},
    [NEXT_LEVELS] = {"carmine app --levels", "the memory level that serves its data is not known"},
    [NEXT_LOOPS] = {"carmine app --by loop", "what each of its loops waits for is not known"},
    [NEXT_CORE] = {"carmine core -o", "what this core needs for the loop's instructions is not known"},
    [NEXT_WHY] = {"carmine why", "what makes the difference: clock, work per cycle or cores"},
    [NEXT_DOCTOR] = {"carmine doctor", "what disturbs measurements here"},
    [NEXT_SOAK] = {"carmine soak --resume", "the log is too short to judge"},
    [NEXT_APP] = {"carmine app", "what binds a program on this machine"},
};

char *next_command(enum next_id id, const char *path) {
    char *word = shell_word(path ? path : "FILE"), *line;
    size_t length;
    FILE *out = need_made(text_stream(&line, &length));
    fprintf(out, "%s %s", next_steps[id].command, word);
    if (!text_stream_close(out))
        need_end();
    free(word);
    return line;
}
