/* SPDX-License-Identifier: BSD-3-Clause
 * `carmine help agents`: the page docs/agents.md, which is part of the program. */
#include "help.h"

#include <stdio.h>

/* The path begins at the repository's root, where make runs. */
__asm__(".pushsection .rodata\nagents_page:\n.incbin \"docs/agents.md\"\n.byte 0\n.popsection\n");
extern const char agents_page[] __attribute__((visibility("hidden")));

void help_print_agents(void) {
    fputs(agents_page, stdout);
}
