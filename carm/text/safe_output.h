/* SPDX-License-Identifier: BSD-3-Clause
 * What the program prints, made safe where it leaves: whichever of its hundreds of lines quotes a name, a path or a
 * system's message, no character reaches the terminal that steers it (render/page/safe_text.h); line ends and tabs are
 * the program's own. Lines that quote others are kept to one line by what makes them: notice_print(), table_set(), and
 * results, whose texts are cleaned when they come in. */
#ifndef CARM_SAFE_OUTPUT_H
#define CARM_SAFE_OUTPUT_H

#include <stdio.h>

/* From now on stdout and stderr are streams that filter; as they were buffered. Nothing was printed before. */
void safe_output_begin(void);

/* The program's own colours and erased lines, behind what was printed so far. `stream` is stdout or stderr; of others'
 * text there is only such as was made safe. */
void safe_output_own(const char *text, FILE *stream);

#endif
