/* SPDX-License-Identifier: BSD-3-Clause
 * Makes untrusted text safe to show (see safe_text.h). */
#include "safe_text.h"

#include <string.h>

/* The length of the valid UTF-8 sequence at s (RFC 3629, section 4: no overlong forms, no surrogates), or 0. */
static size_t sequence(const unsigned char *s) {
    if (s[0] < 0x80)
        return 1;
    size_t length = s[0] >= 0xC2 && s[0] <= 0xDF ? 2 : (s[0] & 0xF0) == 0xE0 ? 3 : s[0] >= 0xF0 && s[0] <= 0xF4 ? 4 : 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    if ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F) || (s[0] == 0xF0 && s[1] < 0x90) ||
        (s[0] == 0xF4 && s[1] > 0x8F))
        return 0;
    return length;
}

/* The number of a character below U+10000, from a valid sequence. */
static uint32_t code_point(const unsigned char *s, size_t length) {
    return length == 1   ? s[0]
           : length == 2 ? (s[0] & 0x1Fu) << 6 | (s[1] & 0x3Fu)
                         : (s[0] & 0x0Fu) << 12 | (s[1] & 0x3Fu) << 6 | (s[2] & 0x3Fu);
}

enum { JOINER = 0x200D };

/* The joiner belongs to pictures of several characters ("woman, joiner, laptop"): it is kept before a picture (Unicode
 * Technical Standard 51, section 2.3: all are symbols, or from U+1F000 on), and invisible anywhere else. */
static bool joins(const char *after) {
    const unsigned char *s = (const unsigned char *)after;
    const size_t length = sequence(s);
    return length == 4 ? s[0] == 0xF0 && s[1] == 0x9F
                       : length == 3 && code_point(s, length) >= 0x2190 && code_point(s, length) <= 0x2BFF;
}

/* Unicode Standard Annex 9, section 2: characters that override, embed, isolate or mark a direction. Characters without
 * a width (Unicode 15, section 23.2): two names would look alike. No XML holds the last two. */
static const struct {
    uint32_t first, last;
    const char *instead;
} UNSAFE[] = {
    {0x00, 0x1F, " "},     {0x7F, 0x9F, " "},     {0x061C, 0x061C, "?"}, {0x200B, 0x200F, "?"},
    {0x2028, 0x202E, "?"}, {0x2060, 0x2069, "?"}, {0xFEFF, 0xFEFF, "?"}, {0xFFFE, 0xFFFF, "?"},
};

size_t safe_text_next(const char *text, const char **instead) {
    const unsigned char *s = (const unsigned char *)text;
    const size_t length = sequence(s);
    const uint32_t code = length > 0 && length < 4 ? code_point(s, length) : 0x10000;
    *instead = length == 0 ? "?" : NULL;
    for (size_t i = 0; i < sizeof UNSAFE / sizeof UNSAFE[0]; i++)
        if (code >= UNSAFE[i].first && code <= UNSAFE[i].last)
            *instead = UNSAFE[i].instead;
    if (code == JOINER && joins(text + length))
        *instead = NULL;
    return length ? length : 1;
}

uint32_t safe_text_code(const char *text) {
    return code_point((const unsigned char *)text, sequence((const unsigned char *)text));
}

bool safe_text_is(const char *text) {
    const char *instead = NULL;
    while (*text && !instead) {
        if (*text >= ' ' && *text <= '~')
            text++;
        else
            text += safe_text_next(text, &instead);
    }
    return !instead;
}

void safe_text_clean(char *text) {
    char *to = text;
    while (*text) {
        const char *instead;
        const size_t bytes = safe_text_next(text, &instead), kept = instead ? 1 : bytes;
        memmove(to, instead ? instead : text, kept);
        to += kept;
        text += bytes;
    }
    *to = '\0';
}

char *safe_text_copy(const char *text) {
    char *copy = strdup(text);
    if (copy)
        safe_text_clean(copy);
    return copy;
}

void safe_text_print(const char *text, FILE *out) {
    while (*text) {
        const char *instead;
        const size_t bytes = safe_text_next(text, &instead);
        fwrite(instead ? instead : text, 1, instead ? 1 : bytes, out);
        text += bytes;
    }
}

const char *xml_entity(char character) {
    switch (character) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    default:
        return NULL;
    }
}

/* The table of signs and their ASCII forms. */

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
