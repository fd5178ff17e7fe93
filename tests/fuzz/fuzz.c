/* SPDX-License-Identifier: BSD-3-Clause
 * Readers of files that others wrote, given anything at all by libFuzzer: they may refuse it, but neither crash nor
 * leak, nor claim more memory than the input is worth (tests/fuzz/run has the limits). A target is a row of the table
 * below, and each import format is one by itself, "import-csv"; FUZZ in the environment names it. Several files stand
 * in one input, between lines of "=====". */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "asm/instruction.h"
#include "bench/profile/profile.h"
#include "bench/programs/app_samples.h"
#include "bench/programs/regions.h"
#include "bench/programs/workload.h"
#include "carm/chart/chart.h"
#include "carm/compare/check.h"
#include "carm/fleet/fleet_index.h"
#include "carm/html/html.h"
#include "carm/import/import_result.h"
#include "carm/options/workload_list.h"
#include "carm/report/report.h"
#include "carm/soak/soak_views.h"
#include "carm/store/file_io.h"
#include "carm/store/results.h"
#include "carm/store/spec.h"
#include "probe/error.h"
#include "probe/events/events.h"
#include "probe/memory_modules.h"
#include "render/draw/term.h"

enum { MAX_FILES = 3, PATH_BYTES = 300 };

/* Where an input's files lie: in a folder that is removed at the end (after a crash by tests/fuzz/run). */
static char folder[PATH_BYTES - 64];
static char paths[MAX_FILES][PATH_BYTES];
static size_t path_count; /* of the input at hand */
static FILE *nowhere;

struct target {
    const char *name;
    const char *files[MAX_FILES];    /* what they are called in the folder; NULL: fewer, or any name does */
    bool (*read)(struct error *err); /* true: it was taken */
};

/* What has been read can be written, and read again. */
static void write_and_read(const struct result *result) {
    struct result again;
    struct error err = {""};
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/again", folder);
    if (!results_write(result, path, false, &err) || !results_read(path, &again, &err)) {
        fprintf(stderr, "written, but: %s\n", err.text);
        abort();
    }
    results_free(&again);
    unlink(path);
}

static bool read_result(struct error *err) {
    struct result result;
    if (results_scan(paths[0], &result))
        results_free(&result);
    if (!results_read(paths[0], &result, err))
        return false;
    write_and_read(&result);
    results_free(&result);
    return true;
}

/* All that tables say of a result, alone and beside itself. */
static bool read_tables(struct error *err) {
    struct result result;
    if (!results_read(paths[0], &result, err))
        return false;
    struct model model = model_build(&result);
    report_print(&model, NULL, nowhere);
    report_csv(&model, nowhere);
    json_decref(report_json(&model));
    struct compare_side sides[] = {{.model = &model, .path = "a"}, {.model = &model, .path = "b"}};
    compare_label(sides, 2);
    struct comparison comparison = compare_make(sides, 2, 0);
    compare_free(&comparison);
    struct baseline baseline = {.per = PER_MACHINE};
    struct check_limits limits;
    baseline_add(&baseline, &model);
    baseline_finish(&baseline);
    if (check_read_limits(NULL, &limits, err)) {
        struct check check = check_make(&model, &baseline, &limits);
        check_free(&check);
    }
    baseline_free(&baseline);
    model_free(&model);
    results_free(&result);
    return true;
}

/* Every chart, as a picture and in a terminal. */
static bool read_charts(struct error *err) {
    struct result result;
    if (!results_read(paths[0], &result, err))
        return false;
    struct model model = model_build(&result);
    for (const struct chart *chart = chart_table; chart->name; chart++) {
        char *svg = NULL, *text = NULL;
        const struct plot_terminal terminal = {.unicode = true};
        struct error refused;
        chart->draw(&model, &(struct chart_options){.svg = &svg}, NULL, &refused);
        chart->draw(&model, &(struct chart_options){.terminal = &terminal, .text = &text}, NULL, &refused);
        free(svg);
        free(text);
    }
    model_free(&model);
    results_free(&result);
    return true;
}

static bool read_page(struct error *err) {
    struct result result;
    char page[PATH_BYTES], *const files[] = {paths[0]};
    if (!results_read(paths[0], &result, err))
        return false;
    snprintf(page, sizeof page, "%s/page.html", folder);
    struct model model = model_build(&result);
    const bool done = report_html_write(&model, files, 1, &(struct chart_options){0}, page, err);
    assert(done);
    unlink(page);
    model_free(&model);
    results_free(&result);
    return true;
}

/* As dmidecode's text, and as SMBIOS structures. */
static bool read_modules(struct error *err) {
    struct memory_modules modules;
    char *text;
    size_t length;
    if (!file_read(paths[0], 1 << 20, &text, &length, err))
        return false;
    memory_modules_smbios((const uint8_t *)text, length, &modules);
    const bool found = memory_modules_text(text, &modules);
    free(text);
    return found || error_set(err, "no module");
}

static bool read_spec(struct error *err) {
    struct spec spec;
    if (!spec_read(paths[0], &spec, err))
        return false;
    spec_peaks(&spec);
    return true;
}

static bool read_events(struct error *err) {
    struct event_set events = {0};
    return events_load(paths[0], &events, err);
}

static bool read_regions(struct error *err) {
    struct regions_report report;
    struct app_samples samples;
    if (!regions_read(folder, &report, err))
        return false;
    app_samples_resolve(&report, &samples);
    app_samples_free(&samples);
    regions_free(&report);
    return true;
}

static bool read_profile(struct error *err) {
    struct profile profile;
    if (!profile_read_parts(folder, 0, &profile, err))
        return false;
    profile_free(&profile);
    return true;
}

/* The text of a file that is none, but what a program printed. */
static char *read_text(struct error *err) {
    char *text;
    size_t length;
    return file_read(paths[0], 1 << 20, &text, &length, err) ? text : NULL;
}

static bool read_workload_report(struct error *err) {
    struct workload_report report;
    char *text = read_text(err);
    const bool done = text && workload_report_read(text, &report, err);
    if (done)
        workload_report_free(&report);
    free(text);
    return done;
}

static bool read_workload_list(struct error *err) {
    static struct workload_list list;
    char *text = read_text(err);
    const bool done = text && workload_list_parse(text, &list, err);
    free(text);
    return done;
}

static bool read_instructions(struct error *err) {
    char *code;
    size_t length, at = 0;
    if (!file_read(paths[0], 1 << 20, &code, &length, err))
        return false;
    for (struct decoded_instruction instruction; instruction_decode(code + at, length - at, &instruction);) {
        assert(instruction.length_bytes > 0 && instruction.length_bytes <= length - at);
        at += instruction.length_bytes;
    }
    free(code);
    return at == length;
}

/* With the header and the checksum of a sound index, and its first file as if unchanged (there is none to compare
 * with). */
static bool seal_index(struct error *err) {
    struct fleet_index_header header = {0};
    char *bytes;
    size_t count;
    uint64_t sum;
    if (!file_read(paths[0], 1 << 20, &bytes, &count, err))
        return false;
    const bool whole = count >= sizeof header + sizeof sum && count % 8 == 0;
    if (whole) {
        struct fleet_index_file file = {.stream = fopen(paths[0], "w")};
        assert(file.stream);
        memcpy(&header, bytes, sizeof header);
        header = fleet_index_header_of(header.keys, header.entries);
        memcpy(bytes, &header, sizeof header);
        const size_t entries = count - sizeof header - sizeof sum;
        if (header.keys <= entries / sizeof(struct roof_key) &&
            entries - header.keys * sizeof(struct roof_key) >= sizeof(struct fleet_mark))
            memset(bytes + sizeof header + header.keys * sizeof(struct roof_key), 0, sizeof(struct fleet_mark));
        fleet_index_put(&file, bytes, count - sizeof sum);
        sum = file.sum;
        fleet_index_put(&file, &sum, sizeof sum);
        fclose(file.stream);
    }
    free(bytes);
    return whole;
}

/* Beside one result, x.json. */
static bool read_fleet_index(struct error *err) {
    char result[PATH_BYTES + 8], *list[] = {result};
    struct result_folder of = {folder, 0, 1};
    const struct result_paths files = {.count = 1, .list = list, .folder_count = 1, .folders = &of};
    struct fleet_mark mark = {0};
    struct fleet_node node = {0};
    bool done = false;
    struct fleet_reading reading = {.paths = &files, .marks = &mark, .nodes = &node, .done = &done};
    snprintf(result, sizeof result, "%s/x.json", folder);
    if (!seal_index(err))
        return false;
    const struct fleet_index index = fleet_index_read(&of, &reading);
    for (size_t i = 0; done && i < node.count; i++)
        assert(node.values[i].key < reading.keys.count);
    free(done ? node.values : NULL);
    roof_keys_free(&reading.keys);
    return index.used > 0;
}

/* What is said and drawn of a soak's log. */
static bool read_soak(struct error *err) {
    const struct plot_terminal terminal = {.columns = 80};
    struct soak soak;
    char *text = NULL;
    if (!soak_read(paths[0], &soak, err))
        return false;
    struct findings findings = findings_make(&soak);
    const struct chart_options options = {.terminal = &terminal, .text = &text};
    soak_answer_print(&findings, paths[0], &(struct screen){&terminal, nowhere});
    soak_answer_csv(&findings, nowhere);
    json_decref(soak_answer_json(&findings));
    struct error ignored;
    soak_chart(&findings, &options, NULL, &ignored);
    free(text);
    findings_free(&findings);
    soak_free(&soak);
    return true;
}

static const struct target TARGETS[] = {
    {"result", {NULL}, read_result},
    {"tables", {NULL}, read_tables},
    {"charts", {NULL}, read_charts},
    {"page", {NULL}, read_page},
    {"spec", {NULL}, read_spec},
    {"modules", {NULL}, read_modules},
    {"events", {NULL}, read_events},
    {"regions", {"regions.1.0", "regions.1.1", "regions.2.0"}, read_regions},
    {"profile", {"count.1.0", "count.2.0", "exec.3.0"}, read_profile},
    {"workload-report", {NULL}, read_workload_report},
    {"workload-list", {NULL}, read_workload_list},
    {"soak", {NULL}, read_soak},
    {"instructions", {NULL}, read_instructions},
    {"fleet-index", {FLEET_INDEX_NAME}, read_fleet_index},
};
enum { TARGET_COUNT = sizeof TARGETS / sizeof TARGETS[0] };

static const struct target *target; /* NULL: an import */
static const struct import_format *format;
static size_t input_count, taken_count;

/* Into a result of its own, as `carmine import` does it. */
static bool read_import(struct error *err) {
    const struct import_request request = {.name = "program", .level = "L2"};
    struct import import;
    struct import_target into = {0};
    char *const files[] = {paths[0], paths[1], paths[2]};
    bool done = import_read(format, &request, files, path_count, &import, err);
    if (done) {
        done = import_target_open(&into, NULL, format, &import, "machine", "fuzz", err) &&
               import_target_add(&into, &import, err);
        if (done)
            write_and_read(&into.result);
        import_target_free(&into);
    }
    import_free(&import);
    return done;
}

static void list_targets(void) {
    for (size_t i = 0; i < TARGET_COUNT; i++)
        puts(TARGETS[i].name);
    for (size_t i = 0; import_formats[i]; i++)
        printf("import-%s\n", import_formats[i]->name);
    exit(0);
}

static void finish(void) {
    printf("%zu of %zu inputs taken\n", taken_count, input_count);
    for (size_t i = 0; i < MAX_FILES; i++)
        unlink(paths[i]);
    rmdir(folder);
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    const char *name = getenv("FUZZ"), *place = getenv("TMPDIR");
    if (!name)
        list_targets();
    for (size_t i = 0; i < TARGET_COUNT; i++)
        if (strcmp(TARGETS[i].name, name) == 0)
            target = &TARGETS[i];
    format = strncmp(name, "import-", 7) == 0 ? import_find(name + 7) : NULL;
    snprintf(folder, sizeof folder, "%s/carmine-fuzz-XXXXXX", place ? place : "/tmp");
    if ((!target && !format) || !mkdtemp(folder)) {
        fprintf(stderr, "FUZZ=%s: %s\n", name, target || format ? folder : "no such target");
        exit(2);
    }
    for (size_t i = 0; i < MAX_FILES; i++) {
        const char *file = target ? target->files[i] : NULL;
        snprintf(paths[i], sizeof paths[i], "%s/%s", folder, file ? file : (const char *[]){"0", "1", "2"}[i]);
    }
    nowhere = fopen("/dev/null", "w");
    atexit(finish);
    return 0;
}

static void write_file(const char *path, const uint8_t *bytes, size_t count) {
    FILE *file = fopen(path, "w");
    assert(file && (count == 0 || fwrite(bytes, 1, count, file) == count));
    fclose(file);
}

/* Into one file each; those of the input before, if it had more of them, are removed. */
static void write_files(const uint8_t *bytes, size_t count) {
    static const char BETWEEN[] = "=====\n";
    const size_t had = path_count;
    path_count = 0;
    do {
        const uint8_t *end = count ? memmem(bytes, count, BETWEEN, sizeof BETWEEN - 1) : NULL;
        const size_t part = end ? (size_t)(end - bytes) : count, skipped = end ? part + sizeof BETWEEN - 1 : count;
        write_file(paths[path_count++], bytes, part);
        bytes += skipped;
        count -= skipped;
    } while (count > 0 && path_count < MAX_FILES);
    for (size_t i = path_count; i < had; i++)
        unlink(paths[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    struct error err = {""};
    write_files(bytes, count);
    const bool taken = target ? target->read(&err) : read_import(&err);
    assert(taken || err.text[0] || target); /* each import that is refused says why */
    if (!taken && getenv("FUZZ_TELL"))
        fprintf(stderr, "refused: %s\n", err.text);
    input_count++;
    taken_count += taken;
    return 0;
}
