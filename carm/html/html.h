/* SPDX-License-Identifier: BSD-3-Clause
 * A page that needs nothing beside it: the template in carm/html/, with its style and script, filled. */
#ifndef CARM_HTML_HTML_H
#define CARM_HTML_HTML_H

#include <stdbool.h>
#include <stdio.h>

struct html_page {
    const char *title;
    const char *picture; /* SVG, as plot_svg makes it: what is seen without JavaScript; "" for none */
    const char *data;    /* JSON, which the script reads; may hold any text */
};

/* False when it could not be written. */
bool html_print(const struct html_page *page, FILE *out);

#endif
