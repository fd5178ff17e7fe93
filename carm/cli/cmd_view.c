/* SPDX-License-Identifier: BSD-3-Clause
 * carmine view: walk through a stored roofline in the terminal. */
#include <stdlib.h>

#include "carm/options/terminal.h"
#include "carm/session/partial.h"
#include "carm/view/walk.h"
#include "commands.h"

static const struct cli_option OPTIONS[] = {
    {"color", 0, "WHEN", "colours: {} (default: auto)"},
    {0},
};

static void go(const struct model *model, struct plot_terminal *terminal) {
    struct roof_walk walk = {.model = model};
    for (int key = WALK_OTHER; key != WALK_LEAVE; walk_key(&walk, key)) {
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
    struct plot_terminal terminal;
    struct result result;
    if (!terminal_find(arguments, &terminal, err) || !results_read(arguments->operands[0], &result, err))
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
    {"carmine view my.json", "its roofline; arrow keys or the mouse choose a point or a roof, Enter tells its numbers"},
    {0},
};

const struct command command_view = {
    .name = "view",
    .operands = "FILE",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "walk through a stored roofline in the terminal",
    .description =
        "Shows the roofline of FILE in the whole terminal. The arrow keys go from point to point and from roof to "
        "roof, which is brought out; Enter shows its verdict, its numbers and its doubts, and hides them again. The "
        "digits hide levels and show them, i goes through the instruction sets, t through numbers of threads and parts "
        "of the machine, c shows rates per cycle; q leaves. With a mouse a click chooses the nearest point or roof, or "
        "does what the word below the chart says that it is on, and the wheel goes through all; with Shift held most "
        "terminals select text, as without.",
    .options = OPTIONS,
    .examples = EXAMPLES,
    .run = command,
};
