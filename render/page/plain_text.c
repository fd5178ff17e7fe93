/* SPDX-License-Identifier: BSD-3-Clause
 * The table of signs and their ASCII forms. */
#include "plain_text.h"

#include <string.h>

#include "safe_text.h"

static const struct {
    const char *sign, *plain; /* "^2": raised */
} FORMS[] = {
    {"·", "|"},  {"…", "..."},   {"▲", "!"},    {"✓", "+"},     {"–", "-"},      {"—", "-"},  {"−", "-"},
    {"×", "x"},  {"±", "+-"},    {"≈", "~"},    {"≠", "!="},    {"≤", "<="},     {"≥", ">="}, {"→", "->"},
    {"←", "<-"}, {"↔", "<->"},   {"⇄", "<->"},  {"↑", "^"},     {"↓", "v"},      {"°", ""},   {"µ", "u"},
    {"μ", "u"},  {"α", "alpha"}, {"β", "beta"}, {"θ", "theta"}, {"λ", "lambda"}, {"π", "pi"}, {"√", "sqrt"},
    {"⌈", "["},  {"⌉", "]"},     {"₀", "0"},    {"₂", "2"},     {"⁻", "^-"},     {"⁰", "^0"}, {"¹", "^1"},
    {"²", "^2"}, {"³", "^3"},    {"⁴", "^4"},   {"⁵", "^5"},    {"⁶", "^6"},     {"⁷", "^7"}, {"⁸", "^8"},
    {"⁹", "^9"}, {"“", "\""},    {"”", "\""},   {"’", "'"},     {"ä", "ae"},     {"ö", "oe"}, {"ü", "ue"},
    {"Ä", "Ae"}, {"─", "-"},     {"█", "#"},    {"▉", "#"},     {"▊", "#"},      {"▋", "#"},  {"▌", "#"},
    {"▍", ""},   {"▎", ""},      {"▏", ""},
};

size_t plain_text_next(const char *text, bool *raised, const char **plain) {
    const char *none;
    const size_t bytes = safe_text_next(text, &none);
    *plain = NULL;
    if ((unsigned char)*text < 0x80) {
        *raised = false;
        return 1;
    }
    *plain = "?";
    for (size_t i = 0; i < sizeof FORMS / sizeof FORMS[0]; i++)
        if (strlen(FORMS[i].sign) == bytes && strncmp(text, FORMS[i].sign, bytes) == 0)
            *plain = FORMS[i].plain;
    const bool raises = **plain == '^' && (*plain)[1];
    *plain += *raised && raises;
    *raised = raises;
    return bytes;
}
