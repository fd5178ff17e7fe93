/* SPDX-License-Identifier: BSD-3-Clause
 * Style and size of a picture, and lengths with units. */
#include "picture_options.h"


#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carm/text/suggestion.h"
#include "probe/text.h"
#include "probe/error.h"

#define PIXELS_PER_INCH 96.0 /* CSS Values and Units 3, 6.2 */

static const struct {
    const char *name;
    double inch; /* units per inch */
} UNITS[] = {{"cm", 2.54}, {"mm", 25.4}, {"in", 1}, {"pt", PLOT_POINTS_PER_INCH}, {"px", PIXELS_PER_INCH}};
enum { UNIT_COUNT = sizeof UNITS / sizeof UNITS[0] };

bool picture_length(const char *text, bool bare, const char **end, double *points, bool *pixels) {
    const size_t letters = strspn(text, "0123456789."); /* strtod() accepts blanks, signs, "0x" and "inf" too */
    char *rest;
    const double number = strtod(text, &rest);
    *end = text + letters;
    *points = number;
    *pixels = false;
    if (rest != *end || !(number > 0) || !isfinite(number))
        return false;
    for (size_t i = 0; i < UNIT_COUNT; i++)
        if (strncmp(*end, UNITS[i].name, 2) == 0) {
            *points = number / UNITS[i].inch * PLOT_POINTS_PER_INCH;
            *pixels = strcmp(UNITS[i].name, "px") == 0;
            *end += 2;
            return true;
        }
    return bare;
}

static bool refuse_size(const char *value, struct error *err) {
    char names[256] = "";
    struct suggestion near = suggestion_for(value);
    for (size_t i = 0; column_width_name(i); i++) {
        text_append(names, sizeof names, "%s%s", i ? ", " : "", column_width_name(i));
        suggestion_consider(&near, column_width_name(i));
    }
    return error_set(err,
                     "--size takes a width with its unit, such as 8.5cm, 85mm, 3.3in, 240pt or 1200px, or a column: "
                     "%s; or WIDTHxHEIGHT in points or with units, such as 960x640 or 12cmx8cm; not '%s'%s",
                     names, value, suggestion_text(&near, ""));
}

/* A width alone needs its unit; the style's height follows it. */
static bool read_size(const char *value, struct chart_options *out, bool *pixels, struct error *err) {
    const char *end;
    bool high_in_pixels;
    if (column_width_find(value, &out->width))
        return true;
    if (picture_length(value, false, &end, &out->width, pixels) && !*end)
        return true;
    return (picture_length(value, true, &end, &out->width, pixels) && *end == 'x' &&
            picture_length(end + 1, true, &end, &out->height, &high_in_pixels) && !*end) ||
           refuse_size(value, err);
}

/* The parts of a look that --style names, each at most once. */
enum look_part { LOOK_STYLE, LOOK_NOTES, LOOK_FONT, LOOK_PARTS };

/* The NAME of "font=NAME", also of "font='NAME'": no shell removes the quotes in a file of defaults. NULL: another
 * word. */
static const char *family_of(char *word) {
    static const char FONT[] = "font=";
    if (strncmp(word, FONT, strlen(FONT)) != 0)
        return NULL;
    char *family = word + strlen(FONT), *last = strchr(family, '\0') - 1;
    if (last <= family || !strchr("'\"", *family) || *last != *family)
        return family;
    *last = '\0';
    return family + 1;
}

/* A style's name, "notes", "no-notes" or "font=NAME", whose family alone is kept. Error: another one of its part came
 * before. */
static bool read_look(char *word, const char *words[LOOK_PARTS], struct error *err) {
    const char *family = family_of(word), *name = family;
    const bool is_font = family != NULL;
    size_t count;
    if (is_font && (!*family || strpbrk(family, "'\",;<>\\:") || strlen(family) > 100))
        return error_set(err, "--style font=NAME takes the name of one family, such as 'Liberation Serif', not '%s'",
                         family);
    if (!is_font && !cli_set_names(cli_set_of("STYLE"), word, &name, 1, &count, err))
        return false;
    const char **before = &words[is_font ? LOOK_FONT : plot_style_named(name) ? LOOK_STYLE : LOOK_NOTES];
    if (*before && strcmp(*before, name) != 0)
        return error_set(err, "--style: %s and %s exclude each other; name one of them", *before, name);
    *before = name;
    return true;
}

/* --style, whose words may come in any order. */
static bool read_style(const struct arguments *arguments, struct plot_style *style, struct chart_options *out,
                       struct error *err) {
    const char *value = cli_value(arguments, "style"), *words[LOOK_PARTS] = {NULL};
    bool done = true;
    for (char *rest = value ? cli_keep(value) : NULL, *word; done && (word = strsep(&rest, ","));)
        done = read_look(word, words, err);
    *style = words[LOOK_STYLE] ? *plot_style_named(words[LOOK_STYLE]) : plot_styles[0];
    style->font = words[LOOK_FONT];
    out->no_notes = words[LOOK_NOTES] ? strcmp(words[LOOK_NOTES], "no-notes") == 0 : style->captioned;
    return done;
}

bool picture_options_read(const struct arguments *arguments, struct plot_style *style, struct chart_options *out,
                          struct error *err) {
    const char *size = cli_value(arguments, "size");
    bool pixels = false;
    if ((size && !read_size(size, out, &pixels, err)) || !read_style(arguments, style, out, err))
        return false;
    if (pixels) /* the PNG has exactly this number of pixels */
        style->pixels_per_point = PIXELS_PER_INCH / PLOT_POINTS_PER_INCH;
    out->style = style;
    out->title = cli_value(arguments, "title");
    return true;
}

bool picture_options_of_plot(const struct arguments *arguments, struct plot_style *style, struct chart_options *out,
                             struct error *err) {
    return (cli_given(arguments, "plot") || picture_options_refuse(arguments, "add --plot FILE", err)) &&
           picture_options_read(arguments, style, out, err);
}

bool picture_limits_read(const struct arguments *arguments, const char *refused, struct chart_options *out,
                         struct error *err) {
    const struct {
        const char *option;
        struct limits_side *side;
    } SIDES[] = {{"xlim", &out->limits.x}, {"ylim", &out->limits.y}};
    for (size_t i = 0; i < sizeof SIDES / sizeof SIDES[0]; i++) {
        const char *option = SIDES[i].option, *value = cli_value(arguments, option);
        SIDES[i].side->by_default = !cli_typed(arguments, option);
        if (refused && cli_typed(arguments, option))
            return error_set(err, "--%s needs a picture: %s", option, refused);
        if (value && !refused && !limits_read(option, value, SIDES[i].side, err))
            return false;
    }
    return true;
}

bool picture_options_refuse(const struct arguments *arguments, const char *why, struct error *err) {
    static const char *const NAMES[] = {"style", "size", "title"};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        if (cli_typed(arguments, NAMES[i]))
            return error_set(err, "--%s needs a picture: %s", NAMES[i], why);
    return true;
}
