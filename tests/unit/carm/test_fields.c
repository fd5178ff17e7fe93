/* SPDX-License-Identifier: BSD-3-Clause
 * The table of a result file's fields: complete, equal for both readers, and equal to the document. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/store/fields.h"
#include "carm/store/ranges.h"
#include "carm/store/result_fields.h"
#include "carm/store/results.h"
#include "tests/support/fixtures.h"

/* Each row has a description. */
static void rows_are_told(const struct field *fields) {
    size_t count = 0;
    for (const struct field *row = fields; row->key; row++, count++) {
        if (!row->meaning || !row->meaning[0])
            fail_msg("%s: what does it mean?", row->key);
        if (row->missing && !row->missing[0])
            fail_msg("%s: what does it mean that it is missing?", row->key);
        for (const struct field *other = fields; other != row; other++)
            assert_string_not_equal(other->key, row->key);
        if (row->of)
            rows_are_told(row->of);
        assert_true(!row->scanned || count < 64); /* fields_scan() notes them in 64 bits */
    }
    assert_true(count > 0);
}

/* A unit without a range would take any number. */
static void rows_have_a_range(const struct field *fields) {
    for (const struct field *row = fields; row->key; row++) {
        const bool numbers = row->type == FIELD_NUMBER || row->type == FIELD_AMOUNT || row->type == FIELD_NUMBERS ||
                             row->type == FIELD_STATISTICS;
        const struct unit_range *range = range_of(row->unit);
        if (numbers && (!range || !(range->low > 0) || !(range->high < 1e30)))
            fail_msg("%s: its unit '%s' has no range (carm/store/ranges.c)", row->key, row->unit);
        if (row->of)
            rows_have_a_range(row->of);
    }
}

static void every_number_has_a_range(void **state) {
    (void)state;
    rows_have_a_range(result_fields);
}

static void every_row_is_told(void **state) {
    (void)state;
    rows_are_told(result_fields);
}

/* The document's tables equal the code's. */
static void the_document_is_the_table(void **state) {
    (void)state;
    char *text = NULL;
    size_t length = 0, document_length;
    FILE *memory = open_memstream(&text, &length);
    fields_markdown_print(result_fields, "The file", memory);
    fclose(memory);
    char *document = fixture_read("docs/result-file.md", &document_length), *begin = strstr(document, "<!-- fields");
    assert_non_null(begin);
    begin = strchr(begin, '\n') + 1;
    if (strncmp(begin, text, length) != 0 || strncmp(begin + length, "<!-- end", 8) != 0)
        fail_msg("docs/result-file.md is not the table; carm/store/result_fields.h says how to write it again");
    free(document);
    free(text);
}

static void same_rows(const struct field *fields, const void *scanned, const void *read, const char *path);

static void same_row(const struct field *row, const void *scanned, const void *read, const char *path) {
    static const char ZEROS[1 << 16];
    const char *a = (const char *)scanned + row->offset, *b = (const char *)read + row->offset;
    if (!row->of) {
        const char *wanted = row->scanned ? b : ZEROS;
        assert_true(row->size <= sizeof ZEROS);
        if (row->type == FIELD_TEXT ? strcmp(a, wanted) != 0 : memcmp(a, wanted, row->size) != 0)
            fail_msg("%s.%s is not the same", path, row->key);
        return;
    }
    const size_t count = field_count(row, scanned);
    if (row->counter.size > 0)
        assert_int_equal(count, row->scanned ? field_count(row, read) : 0);
    for (size_t i = 0; row->scanned && i < count; i++)
        same_rows(row->of, (const char *)field_entries(row, scanned) + i * row->size,
                  (const char *)field_entries(row, read) + i * row->size, row->key);
}

/* What is scanned equals the result of results_read(). */
static void same_rows(const struct field *fields, const void *scanned, const void *read, const char *path) {
    for (const struct field *row = fields; row->key; row++)
        same_row(row, scanned, read, path);
}

static void both_readers_agree_on(const char *path) {
    struct result scanned, read;
    struct error err;
    if (!results_scan(path, &scanned))
        fail_msg("%s: not as it is written", path);
    assert_true(results_read(path, &read, &err));
    same_rows(result_fields, &scanned, &read, "");
    results_free(&scanned);
    results_free(&read);
}

static void both_readers_agree(void **state) {
    (void)state;
    struct error err;
    struct result hybrid = fixture_result(fixture_hybrid(2, 4), NULL);
    hybrid.samples[0].package = 2, hybrid.samples[1].node = 1, hybrid.samples[1].memory_node = 3;
    hybrid.samples[2].cores = 1, hybrid.samples[2].per_cycle = 0, hybrid.samples[2].small_pages = true;
    hybrid.samples[2].doubts = DOUBTS(DOUBT_UNSTABLE, DOUBT_NO_HUGE_PAGES);
    strcpy(hybrid.environment.partial, "run: 3 of 9 samples");
    assert_true(results_write(&hybrid, fixture_path("hybrid.json"), true, &err));
    results_free(&hybrid);
    both_readers_agree_on(fixture_path("hybrid.json"));
    both_readers_agree_on("results/granite-rapids-1-core-vm.json");
    both_readers_agree_on("results/granite-rapids-2-cores-vm.json");
    both_readers_agree_on("results/zen3-2-cores-vm.json");
}

/* A text with every field, and others that lack one, or have an extra or a different one. */
struct pair {
    unsigned first;
    double second;
    char name[8];
};
static const struct field PAIR_FIELDS[] = {
    FIELD(pair, first, FIELD_COUNT, NULL, "a count", .scanned = true),
    FIELD(pair, second, FIELD_NUMBER, NULL, "a number", .missing = "none", .scanned = true),
    FIELD(pair, name, FIELD_TEXT, NULL, "a name"),
    {0},
};

static void what_the_scanner_refuses(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool taken;
    } rows[] = {
        {"{\"first\": 1, \"second\": 2.5, \"name\": \"x\"}", true},
        {"{\"name\": {\"any\": [1, 2]}, \"second\": 2.5, \"other\": null, \"first\": 1}", true},
        {"{\"first\": 1}", true},
        {"{}", false},
        {"{\"second\": 2.5}", false},
        {"{\"first\": 1, \"first\": 1}", false},
        {"{\"first\": 1.5}", false},
        {"{\"first\": 4294967297}", false},
        {"{\"first\": -1}", false},
        {"{\"first\": 1, \"second\": null}", false},
        {"{\"first\": 1, \"second\": 1e999}", false},
        {"{\"first\": 1, \"second\": 0x10}", false},
        {"{\"fir\": 1}", false},
        {"{\"first2\": 1}", false},
        {"{\"\\u0066irst\": 1}", false},
        {"{\"first\": 1", false},
        {"{\"first\": 1} 2", false},
        {"{\"first\": 1, \"name\": \"x\n}", false},
        {"[1]", false},
        {"", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scan scan = {.at = rows[i].text};
        struct pair pair = {0};
        fields_scan(PAIR_FIELDS, &scan, &pair);
        if (scan_is_end(&scan) != rows[i].taken)
            fail_msg("%s is %s", rows[i].text, rows[i].taken ? "refused" : "taken");
        if (rows[i].taken)
            assert_true(pair.first == 1 && (pair.second == 2.5 || pair.second == 0) && !pair.name[0]);
    }
}

/* If a file is odd in the middle, the quick reader leaves nothing to free, and the thorough reader takes over. */
static void odd_files_are_left_to_the_other(void **state) {
    (void)state;
    static const char *const ODD[][2] = {
        {"\"samples\": [", "\"samples\": [], \"samples\": ["},
        {"\"kernel\":\"avx2.load\"", "\"colonel\":\"avx2.load\""},
        {"\"fixture\"", "\"\\u0066ixture\""},
    };
    struct result small =
        fixture_result(fixture_machine(2, FIXTURE_AVX2),
                       &(struct plan_options){.mixes = {"load"}, .mix_count = 1, .isas = {"avx2"}, .isa_count = 1});
    struct result out;
    struct error err;
    size_t length;
    assert_true(results_write(&small, fixture_path("small.json"), false, &err));
    char *text = fixture_read(fixture_path("small.json"), &length), *changed = malloc(length + 64);
    for (size_t i = 0; i < sizeof ODD / sizeof ODD[0]; i++) {
        const char *at = strstr(text, ODD[i][0]);
        if (!at)
            fail_msg("the file does not hold %s", ODD[i][0]);
        const int size =
            snprintf(changed, length + 64, "%.*s%s%s", (int)(at - text), text, ODD[i][1], at + strlen(ODD[i][0]));
        fixture_write(fixture_path("odd.json"), changed, (size_t)size);
        assert_false(results_scan(fixture_path("odd.json"), &out));
        assert_true(out.samples == NULL);
        const bool is_result = results_read_values(fixture_path("odd.json"), &out, &err);
        assert_int_equal(is_result, i == 2);
        if (is_result)
            results_free(&out);
    }
    free(changed);
    free(text);
    results_free(&small);
}

/* To the last bit as strtod() reads them, short or long. */
static void numbers_are_exact(void **state) {
    (void)state;
    static const char *const TEXTS[] = {"0",
                                        "1",
                                        "0.1",
                                        "123456789012345",
                                        "1234567890123456789",
                                        "9007199254740993",
                                        "1e22",
                                        "1e23",
                                        "8.5e-22",
                                        "8.5e-23",
                                        "1.7e308",
                                        "4.9e-324",
                                        "2.2250738585072011e-308",
                                        "1e0022",
                                        "0.0e0",
                                        "1.08379e+11",
                                        "3E4",
                                        "0.000001",
                                        "2.5e-0",
                                        "179769313486231570e291",
                                        "5e-022"};
    unsigned long long random = 1;
    for (size_t i = 0; i < 20000; i++) {
        char made[64];
        const char *text = made;
        random = random * 6364136223846793005ULL + 1442695040888963407ULL;
        if (i < sizeof TEXTS / sizeof TEXTS[0])
            text = TEXTS[i];
        else
            snprintf(made, sizeof made, "%.*e", (int)(i % 17),
                     (double)(random >> 11) * pow(10, (double)(random % 50) - 40));
        struct scan scan = {.at = text};
        const double number = scan_number(&scan), wanted = strtod(text, NULL);
        assert_true(scan_is_end(&scan));
        if (memcmp(&number, &wanted, sizeof wanted) != 0)
            fail_msg("%s is read as %.17g, not %.17g", text, number, wanted);
    }
}

/* Its levels appear once, although their counter gives the number of links */
static void what_lies_behind_is_not_cleaned(void **state) {
    enum { ROOM = 2 }; /* points */
    struct app_point *point = calloc(ROOM, sizeof *point);
    (void)state;
    assert_non_null(point);
    char *own = point->levels.caches, *behind = (char *)point + (own - (char *)point) + (ptrdiff_t)sizeof point->levels;
    assert_true(behind < (char *)(point + ROOM));
    point->levels.links = 2;
    *own = *behind = '\n';
    fields_clean(result_point_fields, point);
    assert_int_equal(*own, ' ');
    assert_int_equal(*behind, '\n');
    free(point);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_told),         cmocka_unit_test(every_number_has_a_range),
        cmocka_unit_test(the_document_is_the_table), cmocka_unit_test(both_readers_agree),
        cmocka_unit_test(what_the_scanner_refuses),  cmocka_unit_test(odd_files_are_left_to_the_other),
        cmocka_unit_test(numbers_are_exact),         cmocka_unit_test(what_lies_behind_is_not_cleaned),
    };
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
