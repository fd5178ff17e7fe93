/* SPDX-License-Identifier: BSD-3-Clause
 * Pictures as files: every format matches its file ending, and an error leaves the old file unchanged. With
 * CARMINE_PICTURES=DIR the demo charts stay there for viewing. */
#include "render/draw/font.h"
#include "render/page/style.h"
#include "tests/support/folder.h"
#include "tests/support/plot_demo.h"

#include <fcntl.h>
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

/* The whole file, terminated; free it. */
static char *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    char *data = malloc(1 << 24);
    assert_non_null(data);
    *size = fread(data, 1, (1 << 24) - 1, file);
    data[*size] = 0;
    fclose(file);
    return data;
}

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* Tags nest and close, attributes are quoted: enough to detect a broken SVG. */
static void assert_xml(const char *text) {
    char stack[64][64];
    size_t depth = 0, roots = 0;
    for (const char *c = text; (c = strchr(c, '<'));) {
        const char *end = c + 1;
        for (char quote = 0; *end && (quote || *end != '>'); end++)
            if (*end == '"')
                quote = quote ? 0 : '"';
        assert_int_equal(*end, '>');
        if (c[1] == '?' || c[1] == '!') {
            c = end;
            continue;
        }
        bool closes = c[1] == '/', empty = end[-1] == '/';
        const char *name = c + 1 + closes;
        size_t length = strcspn(name, " \n\t/>");
        assert_true(length > 0 && length < 64);
        if (closes) {
            assert_true(depth > 0);
            depth--;
            assert_int_equal(strlen(stack[depth]), length);
            assert_memory_equal(stack[depth], name, length);
        } else if (!empty) {
            roots += depth == 0;
            assert_true(depth < 64);
            memcpy(stack[depth], name, length);
            stack[depth++][length] = 0;
        }
        c = end;
    }
    assert_int_equal(depth, 0);
    assert_int_equal(roots, 1);
}

static void each_format_is_itself(void **state) {
    static const struct {
        const char *name, *magic;
    } rows[] = {{"a.svg", "<?xml"},
                {"a.pdf", "%PDF-"},
                {"a.eps", "%!PS-Adobe-3.0 EPSF-3.0"},
                {"a.png", "\x89PNG\r\n\x1a\n"},
                {"b.SVG", "<?xml"}};
    struct plot plots[] = {demo_roofline(), demo_staircase()};
    struct plot_error err = {.text = ""};
    (void)state;
    for (size_t i = 0; i < DEMO_COUNT(rows); i++)
        for (size_t k = 0; k < DEMO_COUNT(plots); k++) {
            const char *path = fixture_path(rows[i].name);
            size_t size = 0;
            if (!plot_write(&plots[k], path, 0, 0, &err))
                fail_msg("%s", err.text);
            char *data = read_file(path, &size);
            assert_non_null(data);
            assert_memory_equal(data, rows[i].magic, strlen(rows[i].magic));
            assert_true(size > 5000);
            if (rows[i].magic[0] == '<')
                assert_xml(data);
            if (rows[i].magic[1] == '!')
                assert_null(strstr(data, "/ImageType")); /* no transparency that needs an image */
            free(data);
        }
    assert_int_equal(fixture_folder_count(false), DEMO_COUNT(rows)); /* no temporary file is left */
}

/* With a palette: pixels of three bytes take three times as many. */
static void png_has_two_pixels_a_point(void **state) {
    struct plot plot = demo_staircase();
    struct plot_error err;
    size_t size = 0;
    (void)state;
    assert_true(plot_write(&plot, fixture_path("size.png"), 700, 500, &err));
    unsigned char *data = (unsigned char *)read_file(fixture_path("size.png"), &size);
    assert_non_null(data);
    assert_int_equal(data[18] << 8 | data[19], 1400);
    assert_int_equal(data[22] << 8 | data[23], 1000);
    assert_int_equal(data[25], 3); /* the colour type */
    free(data);
}

static uint32_t number_at(const unsigned char *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Placed by its resolution, a PNG is as large as its page. The CRCs are by zlib. */
static void png_states_its_resolution(void **state) {
    static const struct {
        const char *style;
        uint32_t pixels_per_metre, crc;
    } rows[] = {{"screen", 5669, 0x495224F0}, {"paper", 11811, 0x78A53F76}};
    (void)state;
    for (size_t i = 0; i < DEMO_COUNT(rows); i++) {
        struct plot plot = demo_roofline();
        struct plot_error err;
        size_t size = 0;
        plot.style = plot_style_named(rows[i].style);
        assert_true(plot_write(&plot, fixture_path("inch.png"), 0, 0, &err));
        unsigned char *data = (unsigned char *)read_file(fixture_path("inch.png"), &size);
        assert_non_null(data);
        const unsigned char *chunk = data + 33; /* behind the signature and IHDR */
        assert_int_equal(number_at(chunk), 9);
        assert_memory_equal(chunk + 4, "pHYs", 4);
        assert_int_equal(number_at(chunk + 8), rows[i].pixels_per_metre);
        assert_int_equal(number_at(chunk + 12), rows[i].pixels_per_metre);
        assert_int_equal(chunk[16], 1); /* the unit is a metre */
        assert_int_equal(number_at(chunk + 17), rows[i].crc);
        assert_memory_equal(data + size - 8, "IEND", 4);
        const double width_m = number_at(data + 16) / (double)rows[i].pixels_per_metre;
        assert_true(fabs(width_m - plot.style->width / 72 * 0.0254) < 1e-4);
        free(data);
    }
}

static void errors_say_what_to_do(void **state) {
    struct plot plot = demo_staircase();
    struct plot_error err = {.text = ""};
    (void)state;
    size_t before = fixture_folder_count(false);
    assert_false(plot_write(&plot, fixture_path("a.gif"), 0, 0, &err));
    assert_non_null(strstr(err.text, "a.gif"));
    assert_non_null(strstr(err.text, ".svg, .pdf, .eps or .png"));
    assert_false(plot_write(&plot, ".svg", 0, 0, &err));
    assert_false(plot_write(&plot, "", 0, 0, &err));
    assert_false(plot_write(&plot, fixture_path("nowhere/a.svg"), 0, 0, &err));
    assert_non_null(strstr(err.text, "nowhere/a.svg"));
    assert_non_null(strstr(err.text, "No such file"));
    assert_false(plot_write(&plot, fixture_path("a.svg"), 5, 5, &err));
    assert_non_null(strstr(err.text, "points"));
    plot.y.max = plot.y.min;
    assert_false(plot_write(&plot, fixture_path("a.svg"), 0, 0, &err));
    assert_non_null(strstr(err.text, "y axis"));
    assert_int_equal(fixture_folder_count(false), before);
}

static void unwritable_folder_is_an_error(void **state) {
    struct plot plot = demo_staircase();
    struct plot_error err = {.text = ""};
    (void)state;
    if (geteuid() == 0) /* root may write everywhere but here */
        assert_false(plot_write(&plot, "/proc/self/a.svg", 0, 0, &err));
    else {
        assert_int_equal(chmod(fixture_folder, 0500), 0);
        assert_false(plot_write(&plot, fixture_path("denied.svg"), 0, 0, &err));
        assert_int_equal(chmod(fixture_folder, 0700), 0);
    }
    assert_non_null(strstr(err.text, "cannot write"));
}

/* A device cannot be replaced, so it is written to, and reports that it is full. Done without root's rights: with them,
 * a mistake here would replace the machine's /dev/full by a picture. */
static void full_device_is_an_error(void **state) {
    static const char *const names[] = {"full.svg", "full.pdf", "full.png"};
    struct plot plot = demo_staircase();
    struct plot_error errors[DEMO_COUNT(names)] = {{.text = ""}};
    bool written[DEMO_COUNT(names)];
    struct stat status;
    uid_t user = geteuid();
    (void)state;
    if (stat("/dev/full", &status) != 0 || !S_ISCHR(status.st_mode))
        skip();
    for (size_t i = 0; i < DEMO_COUNT(names); i++)
        assert_int_equal(symlink("/dev/full", fixture_path(names[i])), 0);
    assert_int_equal(chmod(fixture_folder, 0711), 0);
    if (user == 0 && seteuid(65534) != 0)
        skip();
    for (size_t i = 0; i < DEMO_COUNT(names); i++)
        written[i] = plot_write(&plot, fixture_path(names[i]), 0, 0, &errors[i]);
    assert_int_equal(seteuid(user), 0);
    assert_int_equal(chmod(fixture_folder, 0700), 0);
    for (size_t i = 0; i < DEMO_COUNT(names); i++) {
        assert_false(written[i]);
        assert_non_null(strstr(errors[i].text, "No space left"));
        assert_int_equal(unlink(fixture_path(names[i])), 0);
    }
}

/* Like a full disk: the file may not grow beyond a limit. */
static void old_file_survives_a_failure(void **state) {
    static const char *const names[] = {"old.svg", "old.pdf", "old.png"};
    struct plot plot = demo_staircase();
    struct rlimit before, small;
    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 6000;
    for (size_t i = 0; i < DEMO_COUNT(names); i++) {
        struct plot_error err = {.text = ""};
        size_t size = 0, count;
        write_text(fixture_path(names[i]), "the old picture");
        count = fixture_folder_count(false);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        bool ok = plot_write(&plot, fixture_path(names[i]), 0, 0, &err);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_false(ok);
        assert_non_null(strstr(err.text, "File too large"));
        char *data = read_file(fixture_path(names[i]), &size);
        assert_string_equal(data, "the old picture");
        free(data);
        assert_int_equal(fixture_folder_count(false), count);
        assert_true(plot_write(&plot, fixture_path(names[i]), 0, 0, &err));
    }
}

static void links_and_permissions_stay(void **state) {
    struct plot plot = demo_staircase();
    struct plot_error err;
    struct stat status;
    char target[256];
    (void)state;
    snprintf(target, sizeof target, "%s", fixture_path("target.svg"));
    write_text(target, "old");
    assert_int_equal(chmod(target, 0640), 0);
    assert_int_equal(symlink("target.svg", fixture_path("link.svg")), 0);
    assert_true(plot_write(&plot, fixture_path("link.svg"), 0, 0, &err));
    assert_true(lstat(fixture_path("link.svg"), &status) == 0 && S_ISLNK(status.st_mode));
    assert_true(stat(target, &status) == 0 && status.st_size > 5000);
    assert_int_equal(status.st_mode & 0777, 0640);
    if (geteuid() != 0 || lchown(fixture_path("link.svg"), 65534, 65534) != 0) /* there are no other users */
        return;
    /* Another user's link in a folder that everybody may write to is not followed. */
    assert_int_equal(chmod(fixture_path("."), 0777), 0);
    assert_false(plot_write(&plot, fixture_path("link.svg"), 0, 0, &err));
    assert_non_null(strstr(err.text, "another user's link"));
    assert_int_equal(chmod(fixture_path("."), 0700), 0);
}

static void odd_text_is_drawn(void **state) {
    const char *notes[] = {"not \xff UTF-8", "<tag> & \"quotes\"", ""};
    double at[] = {1, 2};
    const struct plot_line line = {.count = 2, .x = at, .y = at, .label = "\xc0\xaf\x01", .color = PALETTE_BLACK};
    const struct plot plot = {.title = "",
                              .notes = notes,
                              .note_count = 3,
                              .lines = &line,
                              .line_count = 1,
                              .x = {.scale = PLOT_LINEAR, .min = 0, .max = 3},
                              .y = {.title = "y", .scale = PLOT_LINEAR, .min = 0, .max = 3}};
    struct plot_error err = {.text = ""};
    (void)state;
    if (!plot_write(&plot, fixture_path("odd.svg"), 0, 0, &err))
        fail_msg("%s", err.text);
}

/* Letters stay letters, and text from a file is text and never a tag. */
static void svg_text_is_small_and_inert(void **state) {
    const char *notes[] = {"not \xff UTF-8", "</svg><script>alert(1)</script>"};
    struct plot plots[] = {demo_roofline(), demo_staircase()};
    struct plot_error err = {.text = ""};
    char *svg;
    (void)state;
    for (size_t i = 0; i < DEMO_COUNT(plots); i++) {
        plots[i].notes = notes;
        plots[i].note_count = DEMO_COUNT(notes);
        if (!plot_svg(&plots[i], 0, 0, &svg, &err))
            fail_msg("%s", err.text);
        assert_xml(svg);
        assert_true(strlen(svg) > 5000 && strlen(svg) < 60000);
        assert_null(strstr(svg, "<script"));
        assert_non_null(strstr(svg, "&lt;script&gt;alert(1)"));
        assert_non_null(strstr(svg, plots[i].x.title));
        assert_non_null(strstr(svg, plots[i].lines[0].label));
        free(svg);
    }
    assert_false(plot_svg(&plots[0], 5, 5, &svg, &err));
    assert_null(svg);
    assert_non_null(strstr(err.text, "points"));
}

/* Lines have their colours, areas and points are filled, and what is invisible has no colour. */
static void svg_has_the_colors_of_the_plot(void **state) {
    struct plot plots[] = {demo_roofline(), demo_staircase()};
    struct plot_error err = {.text = ""};
    char *svg, wanted[32];
    (void)state;
    for (size_t i = 0; i < DEMO_COUNT(plots); i++) {
        if (!plot_svg(&plots[i], 0, 0, &svg, &err))
            fail_msg("%s", err.text);
        for (size_t k = 0; k < plots[i].line_count; k++) {
            const struct plot_color color = plots[i].lines[k].color;
            snprintf(wanted, sizeof wanted, "stroke=\"#%02lx%02lx%02lx\"", lround(255 * color.r), lround(255 * color.g),
                     lround(255 * color.b));
            assert_non_null(strstr(svg, wanted));
        }
        assert_true(plots[i].band_count == 0 || strstr(svg, "fill-opacity="));
        assert_non_null(strstr(svg, "<path d=\"M"));
        assert_null(strstr(svg, "stroke=\"none\""));
        free(svg);
    }
}

/* A file can be searched, read aloud and sent: real letters, a name, no scripts, and small. */
static void svg_files_have_text_and_a_name(void **state) {
    const char *notes[] = {"</svg><script>alert(1)</script>"};
    struct plot_style odd = plot_styles[0];
    struct plot plots[] = {demo_roofline(), demo_staircase()};
    (void)state;
    odd.font = "A 'font' & \"<b>";
    for (size_t i = 0; i < DEMO_COUNT(plots); i++)
        for (const struct plot_style *style = plot_styles; style; style = style == &odd ? NULL : style + 1) {
            struct plot_error err = {.text = ""};
            size_t size = 0;
            style = style->name ? style : &odd;
            plots[i].title = "A <title> & its \"name\"";
            plots[i].notes = notes, plots[i].note_count = DEMO_COUNT(notes), plots[i].style = style;
            if (!plot_write(&plots[i], fixture_path("text.svg"), 0, 0, &err))
                fail_msg("%s", err.text);
            char *svg = read_file(fixture_path("text.svg"), &size);
            assert_non_null(svg);
            assert_xml(svg);
            assert_true(size > 5000 && size < 60000);
            assert_null(strstr(svg, "<script"));
            assert_null(strstr(svg, "<b>"));
            assert_non_null(strstr(svg, "<title>A &lt;title&gt; &amp; its &quot;name&quot;</title>"));
            assert_non_null(strstr(svg, "role=\"img\""));
            assert_non_null(strstr(svg, "<text "));
            assert_non_null(strstr(svg, plots[i].x.title));
            free(svg);
        }
}

static void pictures_to_look_at(void **state) {
    static const double sizes[][2] = {{960, 640}, {700, 500}, {1400, 900}, {480, 360}};
    const char *kept = getenv("CARMINE_PICTURES");
    (void)state;
    if (!kept)
        skip();
    for (size_t i = 0; i < DEMO_COUNT(sizes); i++)
        for (int which = 0; which < 3; which++) {
            static const char *const names[] = {"roofline", "staircase", "right-axis"};
            struct plot plot = which == 1 ? demo_staircase() : demo_roofline();
            struct plot_error err;
            char path[512];
            if (which == 2) {
                plot.right_title = "flop per cycle at 2.80 GHz";
                plot.right_per_y = 1 / 2.8e9;
            }
            snprintf(path, sizeof path, "%s/%s-%.0f.png", kept, names[which], sizes[i][0]);
            if (!plot_write(&plot, path, sizes[i][0], sizes[i][1], &err))
                fail_msg("%s", err.text);
        }
}

/* Without cairo a table measures: of the same typeface the same, and of others a width. */
static void texts_have_a_width_without_cairo(void **state) {
    (void)state;
    static const char TEXT[] = "L1 1.4 TB/s · µop × π ≥ 2⁻³ ▲ … ÄÖü";
    char found[64];
    assert_true(font_table_width(NULL, "日本", 10, false) >= 20);
    assert_true(font_table_width(NULL, "a\xff", 10, false) > font_table_width(NULL, "a", 10, false));
    if (!font_found(STYLE_FONT, found, sizeof found) || strcmp(found, STYLE_FONT) != 0)
        skip();
    struct metrics metrics;
    font_open(&metrics, STYLE_FONT);
    for (int bold = 0; bold < 2; bold++)
        assert_true(fabs(font_table_width(NULL, TEXT, 12, bold) - metrics.width(metrics.context, TEXT, 12, bold)) <
                    0.01);
    assert_true(font_close(&metrics));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_format_is_itself),
        cmocka_unit_test(png_has_two_pixels_a_point),
        cmocka_unit_test(png_states_its_resolution),
        cmocka_unit_test(errors_say_what_to_do),
        cmocka_unit_test(unwritable_folder_is_an_error),
        cmocka_unit_test(full_device_is_an_error),
        cmocka_unit_test(old_file_survives_a_failure),
        cmocka_unit_test(links_and_permissions_stay),
        cmocka_unit_test(odd_text_is_drawn),
        cmocka_unit_test(svg_has_the_colors_of_the_plot),
        cmocka_unit_test(svg_text_is_small_and_inert),
        cmocka_unit_test(svg_files_have_text_and_a_name),
        cmocka_unit_test(texts_have_a_width_without_cairo),
        cmocka_unit_test(pictures_to_look_at),
    };
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
