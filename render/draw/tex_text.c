/* SPDX-License-Identifier: BSD-3-Clause
 * What LaTeX does not take as it is (see tex_text.h). */
#include "tex_text.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static const struct {
    const char *text, *tex;
} SIGNS[] = {
    {"\\", "\\textbackslash{}"},
    {"{", "\\{"},
    {"}", "\\}"},
    {"$", "\\$"},
    {"&", "\\&"},
    {"#", "\\#"},
    {"%", "\\%"},
    {"_", "\\_"},
    {"^", "\\textasciicircum{}"},
    {"~", "\\textasciitilde{}"},
    {"<", "\\textless{}"},
    {">", "\\textgreater{}"},
    {"|", "\\textbar{}"},
    {"\"", "\\textquotedbl{}"},
    {"  ", "\\enspace{}"},
    {"[", "{[}"},
    {"]", "{]}"},
    {"·", "\\textperiodcentered{}"},
    {"×", "$\\times$"},
    {"µ", "$\\mu$"},
    {"±", "$\\pm$"},
    {"…", "\\dots{}"},
    {"▲", "$\\triangle$"},
    {"–", "--"},
    {"—", "---"},
    {"≥", "$\\geq$"},
    {"≤", "$\\leq$"},
    {"≈", "$\\approx$"},
    {"→", "$\\rightarrow$"},
    {"−", "$-$"},
    {"∞", "$\\infty$"},
    {"⁰", "$^0$"},
    {"¹", "$^1$"},
    {"²", "$^2$"},
    {"³", "$^3$"},
    {"⁴", "$^4$"},
    {"⁵", "$^5$"},
    {"⁶", "$^6$"},
    {"⁷", "$^7$"},
    {"⁸", "$^8$"},
    {"⁹", "$^9$"},
    {"⁻", "$^-$"},
};
enum { SIGN_COUNT = sizeof SIGNS / sizeof SIGNS[0] };

/* How many bytes of the text it has written. */
static size_t write_sign(FILE *out, const char *text) {
    for (size_t i = 0; i < SIGN_COUNT; i++)
        if (strncmp(text, SIGNS[i].text, strlen(SIGNS[i].text)) == 0) {
            fputs(SIGNS[i].tex, out);
            return strlen(SIGNS[i].text);
        }
    const unsigned char first = (unsigned char)*text;
    if (first < 0x80) {
        fputc(first < ' ' || first == 0x7F ? ' ' : first, out);
        return 1;
    }
    size_t length = 1;
    while (((unsigned char)text[length] & 0xC0) == 0x80)
        length++;
    if (length == 2 && (first == 0xC3 || first == 0xC4 || first == 0xC5)) /* Latin letters */
        fwrite(text, 1, length, out);
    else
        fputc('?', out);
    return length;
}

void tex_text(FILE *out, const char *text) {
    while (*text)
        text += write_sign(out, text);
}

void tex_cell(FILE *out, const char *text) {
    for (bool blank = false; *text; text++) {
        const bool plain = (unsigned char)*text < 0x80 && (isalnum((unsigned char)*text) || strchr(".+-/:()", *text));
        if (plain)
            fputc(*text, out);
        else if (!blank)
            fputc(' ', out);
        blank = !plain;
    }
}
