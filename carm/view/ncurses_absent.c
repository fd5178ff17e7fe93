/* SPDX-License-Identifier: BSD-3-Clause
 * Without ncurses there is no interactive roofline (see walk.h). */
#include "walk.h"
#include "probe/error.h"

bool screen_open(struct plot_terminal *terminal, struct error *err) {
    (void)terminal;
    return error_set(err, BUILT_WITHOUT);
}

void screen_close(void) {
}

size_t screen_size(struct plot_terminal *terminal) {
    (void)terminal;
    return 0;
}

void screen_paint(const char *text) {
    (void)text;
}

int screen_key(struct walk_place *place) {
    (void)place;
    return WALK_LEAVE;
}
