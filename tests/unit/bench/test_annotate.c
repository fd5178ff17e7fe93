/* SPDX-License-Identifier: BSD-3-Clause
 * The code of loops in a made-up profile: the hottest loop, the instructions that stay if there are too many, the lines
 * between those with code, and how names find loops and functions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "bench/programs/annotate.h"
#include "bench/names/lines.h"
#include "probe/error.h"

enum { INNER_PLACES = 300, PLACES = INNER_PLACES + 2 };
static const char OBJECT[] = "prog", FUNCTION[] = "solve.constprop.0", INLINED[] = "_Z6squared", NONE[] = "", *source;

/* A loop of three instructions, one of them inlined, around a loop of 300; `solve` has both. */
struct made_up {
    struct profile_loop loops[2];
    struct profile_line lines[3];
    struct profile_place places[PLACES];
    struct profile_parts parts;
    unsigned hits[PLACES];
    const char *names[2];
    struct annotate_from from;
};

static void make(struct made_up *out) {
    *out = (struct made_up){.loops = {{.parent = PART_NONE, .depth = 1, .own.instructions = 20},
                                      {.parent = 0, .depth = 2, .own.instructions = 3000}}};
    const unsigned lines[3] = {5, 8, 2};
    for (unsigned i = 0; i < 3; i++)
        out->lines[i].source = (struct part_source){OBJECT, FUNCTION, i == 2 ? INLINED : NONE, source, lines[i], 0};
    for (unsigned i = 0; i < 2; i++)
        out->loops[i].source = out->lines[i].source;
    for (unsigned i = 0; i < PLACES; i++) {
        out->places[i] = (struct profile_place){.path = "/prog",
                                                .start = 0x1000 + i,
                                                .function_start = 0x1000,
                                                .executions = 10 + i,
                                                .flop = i == 1 ? 22 : 0,
                                                .loop = i >= 2,
                                                .line = i == 0   ? 0
                                                        : i == 1 ? 2
                                                                 : 1,
                                                .code_bytes = 1,
                                                .code = {0x90}};
        out->hits[i] = i == 2 ? 50 : 0;
    }
    out->places[1].executions = 1000;
    out->hits[0] = 60;
    out->parts = (struct profile_parts){
        .loop_count = 2, .line_count = 3, .place_count = PLACES, .loops = out->loops, .lines = out->lines};
    out->parts.places = out->places;
    out->from = (struct annotate_from){&out->parts, out->hits, 200, "prog", NULL, out->names};
}

static struct annotation *annotated(const struct made_up *from, const char *wanted, size_t *count) {
    struct annotation *found;
    struct error err;
    if (!annotate(&from->from, wanted, &found, count, &err))
        fail_msg("%s", err.text);
    return found;
}

static void hottest_is_by_its_own_code(void **state) {
    struct made_up from;
    size_t count;
    (void)state;
    make(&from);
    struct annotation *found = annotated(&from, "", &count);
    assert_int_equal(count, 2);
    assert_string_equal(found[0].name, "prog/solve.constprop.0:5");
    assert_float_equal(found[0].time_share, 110. / 200, 1e-9);
    annotations_free(found, count);
    from.from.all_hits = 20; /* too few samples: by executions */
    from.names[1] = "prog/inner";
    found = annotated(&from, "", &count);
    assert_string_equal(found[0].name, "prog/inner");
    annotations_free(found, count);
}

static void too_many_instructions(void **state) {
    struct made_up from;
    size_t count;
    (void)state;
    make(&from);
    struct annotation *found = annotated(&from, "solve.constprop.0:8", &count);
    assert_int_equal(found[0].instruction_count, ANNOTATION_INSTRUCTIONS);
    assert_int_equal(found[0].left_out, INNER_PLACES - ANNOTATION_INSTRUCTIONS);
    assert_int_equal(found[0].instructions[0].offset, 2); /* sampled, although executed the least */
    assert_int_equal(found[0].instructions[1].offset, PLACES - ANNOTATION_INSTRUCTIONS + 1);
    assert_float_equal(found[0].time_share, 50. / 200, 1e-9);
    annotations_free(found, count);
}

static void lines_and_inlined_functions(void **state) {
    struct made_up from;
    size_t count;
    (void)state;
    make(&from);
    struct annotation *found = annotated(&from, "solve", &count); /* the function, without suffixes of compilers */
    const struct annotated_line *lines = found[0].lines;
    assert_false(found[0].is_loop);
    assert_int_equal(found[0].line_count, 5); /* 5 to 8, and the inlined 2 */
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(lines[i].line, 5 + i);
    assert_string_equal(lines[0].text, "    five");
    assert_string_equal(lines[4].inlined, "square");
    assert_string_equal(lines[4].text, "two");
    annotations_free(found, count);
    found = annotated(&from, "prog/solve.constprop.0:5", &count);
    const struct annotated_instruction *inlined = &found[0].instructions[0];
    while (inlined->offset != 1)
        inlined++;
    assert_int_equal(inlined->line, 5);
    assert_int_equal(inlined->flop, 22);
    assert_string_equal(inlined->text, "nop");
    annotations_free(found, count);
}

static void long_names_are_cut(void **state) {
    (void)state;
    char out[16];
    assert_string_equal(part_cut(out, 15, "run(int)"), "run(int)");
    assert_string_equal(part_cut(out, 8, "run(int)"), "run(int)");
    assert_string_equal(part_cut(out, 8, "run(long)"), "run(l…");
    assert_string_equal(part_cut(out, 7, "runää(x)"), "run…"); /* not half a character */
}

static void unknown_names_are_refused(void **state) {
    struct made_up from;
    struct annotation *found;
    struct error err;
    size_t count;
    (void)state;
    make(&from);
    assert_false(annotate(&from.from, "solv", &found, &count, &err));
    assert_non_null(strstr(err.text, "--annotate=solv: "));
    assert_non_null(strstr(err.text, "; did you mean solve.constprop.0, solve.constprop.0:5, solve.constprop.0:8?"));
    assert_null(strstr(err.text, "--by loop lists others"));
    annotations_free(found, count);
    assert_false(annotate(&from.from, "Solve.konstprop.0:8", &found, &count, &err));
    assert_non_null(strstr(err.text, "did you mean solve.constprop.0:8, "));
    annotations_free(found, count);
    assert_false(annotate(&from.from, "gemm", &found, &count, &err));
    assert_non_null(strstr(err.text, "--by loop lists others"));
    assert_null(strstr(err.text, "did you mean"));
    annotations_free(found, count);
    from.parts.loop_count = from.parts.place_count = 0;
    assert_false(annotate(&from.from, "", &found, &count, &err));
    assert_non_null(strstr(err.text, "executed no loop"));
    annotations_free(found, count);
}

static void instructions_read_as_text(void **state) {
    static const struct {
        uint8_t code[12];
        const char *text;
    } KNOWN[] = {
        {{0xc5, 0xfd, 0x10, 0x04, 0x07}, "vmovupd ymm0, [rdi+rax*1]"},
        {{0x75, 0xfe}, "jnz 0x100"}, /* to itself */
        {{0xf2, 0x0f, 0x58, 0x05, 0x10, 0x20, 0, 0}, "addsd xmm0, [rip+0x2010]"},
        {{0x06}, "(bad)"},
    };
    char text[96];
    (void)state;
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
        assert_string_equal(instruction_text(KNOWN[i].code, sizeof KNOWN[i].code, 0x100, text, sizeof text),
                            KNOWN[i].text);
}

int main(void) {
    char path[] = "/tmp/carmine-source.XXXXXX";
    const int file = mkstemp(path);
    static const char TEXT[] = "one\ntwo\nthree\nfour\n\tfive\nsix\nseven\neight\n";
    if (file < 0 || write(file, TEXT, sizeof TEXT - 1) != (ssize_t)sizeof TEXT - 1)
        return 1;
    close(file);
    source = path;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hottest_is_by_its_own_code),  cmocka_unit_test(too_many_instructions),
        cmocka_unit_test(lines_and_inlined_functions), cmocka_unit_test(unknown_names_are_refused),
        cmocka_unit_test(long_names_are_cut),          cmocka_unit_test(instructions_read_as_text),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
