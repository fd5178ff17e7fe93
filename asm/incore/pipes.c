/* SPDX-License-Identifier: BSD-3-Clause
 * The busiest pipes (see pipes.h). */
#include "pipes.h"

#include <stdio.h>
#include <string.h>

struct busiest_pipes pipes_busiest(const struct pipe_use *uses, size_t count) {
    struct busiest_pipes busiest = {0};
    for (size_t i = 0; i < count; i++) {
        double cycles = 0;
        for (size_t k = 0; k < count; k++)
            cycles += uses[k].of == uses[i].of ? uses[k].cycles : 0;
        if (cycles > busiest.cycles)
            busiest = (struct busiest_pipes){cycles, uses[i].of};
    }
    return busiest;
}

/* By the letters of demand.h. */
static void name_of(const char *form, char *out, size_t size) {
    const char *letters = form + strcspn(form, " ");
    if (strchr(letters, 'm'))
        snprintf(out, size, "%s", letters[1] == 'm' ? "stores" : "loads");
    else
        snprintf(out, size, "%.*s", (int)(letters - form), form);
}

char *pipes_text(const struct busiest_pipes *pipes, char *out, size_t size) {
    char name[DEMAND_FORM_BYTES];
    *out = '\0';
    if (pipes->of) {
        name_of(pipes->of->form, name, sizeof name);
        snprintf(out, size, "of %s", name);
    }
    return out;
}
