/* SPDX-License-Identifier: BSD-3-Clause */
#include "table.h"

#include <stdbool.h>
#include <string.h>

#include "probe/need.h"
#include "render/page/safe_text.h"

/* clang-format off */
static const struct { const char *sign, *latex; } SIGNS[] = {
    {"\\", "\\textbackslash{}"}, {"~", "\\textasciitilde{}"}, {"^", "\\textasciicircum{}"}, {"%", "\\%"}, {"&", "\\&"},
    {"_", "\\_"}, {"#", "\\#"}, {"$", "\\$"}, {"{", "\\{"}, {"}", "\\}"}, {"<", "$<$"}, {">", "$>$"}, {"|", "$|$"},
    {"\"", "''"}, {"--", "-{}"}, {"[", "{[}"}, {"*", "{*}"},
    {"–", "--"}, {"—", "---"}, {"…", "\\ldots{}"}, {"·", "$\\cdot$"}, {"×", "$\\times$"}, {"±", "$\\pm$"},
    {"−", "$-$"}, {"µ", "$\\mu$"}, {"≤", "$\\leq$"}, {"≥", "$\\geq$"}, {"≠", "$\\neq$"}, {"≈", "$\\approx$"},
    {"→", "$\\rightarrow$"}, {"←", "$\\leftarrow$"}, {"⇄", "$\\leftrightarrow$"}, {"↑", "$\\uparrow$"},
    {"↓", "$\\downarrow$"}, {"▲", "$\\triangle$"}, {"✓", "$\\surd$"}, {"√", "$\\surd$"}, {"²", "$^2$"}, {"³", "$^3$"}, {"°", "$^\\circ$"},
};
/* clang-format on */
enum { SIGN_COUNT = sizeof SIGNS / sizeof *SIGNS };

/* Names keep their letters: LaTeX reads UTF-8. Bars and arrows (U+2000 to U+2BFF) and pictures (of four bytes) are in
 * no usual font. */
static bool is_letter(const char *text, size_t bytes) {
    const uint32_t code = safe_text_code(text);
    return bytes == 1 || (bytes < 4 && (code < 0x2000 || code > 0x2BFF));
}

void latex_print(const char *text, FILE *out) {
    while (*text) {
        const char *instead;
        size_t sign = 0;
        const size_t bytes = safe_text_next(text, &instead);
        while (sign < SIGN_COUNT && strncmp(SIGNS[sign].sign, text, strlen(SIGNS[sign].sign)) != 0)
            sign++;
        if (sign < SIGN_COUNT)
            fputs(SIGNS[sign].latex, out);
        else if (instead)
            fputs(instead, out);
        else if (is_letter(text, bytes))
            fwrite(text, 1, bytes, out);
        text += bytes;
    }
}

/* Begins a line of LaTeX, and never reaches the output. */
static const char MARK = '\x01';

void latex_line(FILE *out) {
    fputc(MARK, out);
}

static ssize_t comment(void *cookie, const char *from, size_t bytes) {
    static bool within; /* a line has begun */
    FILE *plain = cookie;
    for (size_t i = 0; i < bytes; i++) {
        const bool latex = !within && from[i] == MARK;
        if (!within && !latex && from[i] != '\n')
            fputs("% ", plain);
        within = from[i] != '\n';
        if (!latex)
            fputc(from[i], plain);
    }
    return ferror(plain) || fflush(plain) != 0 ? 0 : (ssize_t)bytes;
}

void latex_comment_rest(void) {
    stdout = need_made(fopencookie(stdout, "w", (cookie_io_functions_t){.write = comment}));
}
