/* SPDX-License-Identifier: BSD-3-Clause
 * carmine view: an interactive view of a stored roofline in the terminal. */
#include <stdlib.h>

#include "carm/options/view_options.h"
#include "carm/session/partial.h"
#include "carm/store/results.h"
#include "carm/view/walk.h"
#include "commands.h"

static const struct cli_option OPTIONS[] = {
    {0},
};

static void go(const struct model *model, struct plot_terminal *terminal) {
    struct roof_walk walk = {.model = model};
    for (int key = WALK_OTHER; walk_key(&walk, key);) {
        struct walk_place place;
        const size_t lines = screen_size(terminal);
        char *text = walk_screen(&walk, terminal, lines);
        screen_paint(text);
        free(text);
        key = screen_key(&place);
        if (key == SCREEN_CLICK)
            key = walk_click(&walk, terminal, lines, place);
    }
}

static int command(const struct arguments *arguments, struct error *err) {
    struct plot_terminal terminal = terminal_find();
    struct result result;
    if (!results_read(arguments->operands[0], &result, err))
        return CLI_ERROR;
    struct model model = model_build(&result);
    const bool opened = screen_open(&terminal, err);
    if (opened) {
        go(&model, &terminal);
        screen_close();
        partial_warn(&result, arguments->operands[0]);
    }
    model_free(&model);
    results_free(&result);
    return opened ? CLI_DONE : CLI_ERROR;
}

static const struct cli_example EXAMPLES[] = {
    {"carmine view my.json", "arrow keys or the mouse choose a point or a roof, Enter shows its numbers"},
    {0},
};

const struct command command_view = {
    .name = "view",
    .operands = "FILE",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "explore a stored roofline in the terminal",
    .description =
        "Shows the roofline of FILE in the whole terminal. Arrow keys move from point to point and from roof to roof, "
        "and highlight it; Enter shows or hides its verdict, numbers and warnings. Digits show or hide levels, i "
        "changes the instruction set, t the number of threads or the part of the machine, c switches to rates per "
        "cycle, ? lists the keys, Esc closes what is open, q quits. With a mouse, a click chooses the nearest point or "
        "roof or uses a word below the chart, and "
        "the wheel steps through all; in most terminals Shift and drag selects text.",
    .options = OPTIONS,
    .examples = EXAMPLES,
    .run = command,
};
