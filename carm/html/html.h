/* SPDX-License-Identifier: BSD-3-Clause
 * A self-contained page: the filled template of carm/html/ with its style and script. */
#pragma once

#include <stdbool.h>

struct error;

enum html_template { HTML_REPORT, HTML_FLEET };

struct html_page {
    enum html_template of;
    const char *title;
    const char *sections; /* HTML of sections of a report that only some results have; NULL: none */
    const char *picture;  /* SVG by plot_svg(), shown without JavaScript; "": none */
    const char *data;     /* JSON for the script; may contain any text */
};

/* Error: the file cannot be written. */
bool html_write(const struct html_page *page, const char *path, struct error *err);
