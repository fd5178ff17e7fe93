/* SPDX-License-Identifier: BSD-3-Clause
 * Comparisons as pictures: what is drawn of 1 to 12 machines with up to 500 points, and that it can be read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../carm/chart_compare.h"
#include "../carm/overlay.h"
#include "fixtures.h"
#include "readable.h"

enum { MOST_MACHINES = 12 };

static const struct {
    const char *uarch, *host;
    unsigned cores;
    double compute, memory; /* against the first */
} MACHINES[MOST_MACHINES] = {
    {"Granite Rapids (Redwood Cove)", "granite01", 128, 1, 1},
    {"Zen 4", "genoa-node-17", 96, 0.52, 1.2},
    {"Zen 5", "turin", 128, 1.02, 1.5},
    {"Sapphire Rapids (Golden Cove)", "spr001.cluster.example.org", 56, 0.997, 0.7},
    {"Cascade Lake", "clx", 24, 0.8, 0.4},
    {"Haswell", "an-old-machine-with-a-long-name", 18, 0.3, 0.15},
    {"Ice Lake", "icl", 40, 0.9, 0.6},
    {"Zen 3", "milan", 64, 0.5, 0.6},
    {"", "unknown", 4, 0.2, 0.1},
    {"Zen 3", "milan2", 64, 0.5, 0.61},
    {"Emerald Rapids", "emr", 60, 1, 0.8},
    {"Alder Lake", "laptop", 1, 1.1, 0.9},
};

struct scene {
    size_t count;
    struct result results[MOST_MACHINES];
    struct model models[MOST_MACHINES];
    struct compare_side sides[MOST_MACHINES];
    struct comparison comparison;
};

static double uniform(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 40) / 0x1p24;
}

/* An application on all cores, anywhere below the roofs; each machine has it elsewhere. */
static struct app_point point_of(const char *name, unsigned cores, uint64_t *seed) {
    struct app_point p = fixture_point(name);
    const double flop = 1e9, intensity = exp2(-6 + 10 * uniform(seed)), seconds = 0.01 * exp2(6 * uniform(seed));
    p.threads = cores;
    p.flop = app_once(flop);
    p.load_bytes = app_once(flop / intensity);
    p.store_bytes = app_once(0);
    p.seconds = app_once(seconds);
    p.clock_hz = 3e9;
    return p;
}

static void scene_make(struct scene *s, size_t machines, size_t points) {
    memset(s, 0, sizeof *s);
    for (size_t i = 0; i < machines; i++) {
        struct result *r = &s->results[s->count++];
        uint64_t seed = 7 * i + 1;
        *r = fixture_result(fixture_machine(MACHINES[i].cores, FIXTURE_AVX512), NULL);
        snprintf(r->uarch, sizeof r->uarch, "%s", MACHINES[i].uarch);
        snprintf(r->machine.host, sizeof r->machine.host, "%s", MACHINES[i].host);
        for (size_t k = 0; k < r->sample_count; k++) {
            const double factor = r->samples[k].kind == SAMPLE_COMPUTE ? MACHINES[i].compute : MACHINES[i].memory;
            r->samples[k].value *= factor;
            r->samples[k].per_cycle *= factor;
            r->samples[k].doubts = i % 3 == 1 && k % 2 ? DOUBT_UNSTABLE : 0;
        }
        r->points = calloc(points + 1, sizeof *r->points);
        for (size_t k = 0; k < points; k++) {
            char name[64];
            snprintf(name, sizeof name, k % 5 ? "solver/region %zu" : "program %zu", k);
            r->points[r->point_count++] = point_of(name, MACHINES[i].cores, &seed);
        }
        s->models[i] = model_build(r);
        s->sides[i] = (struct compare_side){.model = &s->models[i], .path = "x.json"};
    }
    if (machines == 1) { /* as carmine compares a file with itself */
        s->sides[0].cores = 1;
        s->sides[1] = s->sides[0];
        s->sides[1].cores = ROOF_ALL_CORES;
    }
    compare_label(s->sides, machines == 1 ? 2 : machines);
    s->comparison = compare_make(s->sides, machines == 1 ? 2 : machines, 0);
}

static void scene_free(struct scene *s) {
    compare_free(&s->comparison);
    for (size_t i = 0; i < s->count; i++) {
        model_free(&s->models[i]);
        results_free(&s->results[i]);
    }
}

static void overlay_of(const struct scene *s, const struct picture_view *view, struct picture *out) {
    struct error err = {""};
    if (!overlay_make(&s->comparison, view, out, &err))
        fail_msg("%s", err.text);
}

static void ratios_of(const struct scene *s, const struct picture_view *view, struct picture *out) {
    struct error err = {""};
    if (!ratios_make(&s->comparison, view, out, &err))
        fail_msg("%s", err.text);
}

static void is_readable(const struct plot *plot, double width, double height) {
    struct page page;
    char text[160];
    const char *trouble = plot_trouble(plot, width, height, text, sizeof text);
    if (trouble)
        fail_msg("%s", trouble);
    layout_plot(&page, plot, width, height, &metrics);
    assert_readable(&page);
    page_free(&page);
}

static void no_labels_overlap(void **state) {
    static const size_t machines[] = {1, 2, 6, 12}, points[] = {0, 1, 50, 500};
    (void)state;
    for (size_t m = 0; m < 4; m++)
        for (size_t p = 0; p < 4; p++) {
            static struct scene s;
            scene_make(&s, machines[m], points[p]);
            for (int per = PER_MACHINE; per <= PER_CYCLE; per++) {
                struct picture picture;
                const struct picture_view view = {.per = (enum compare_per)per};
                if (s.comparison.side_count <= COMPARE_COLUMNS) {
                    overlay_of(&s, &view, &picture);
                    is_readable(&picture.plot, PLOT_WIDTH, PLOT_HEIGHT);
                    is_readable(&picture.plot, 640, 480);
                    picture_free(&picture);
                }
                ratios_of(&s, &view, &picture);
                is_readable(&picture.plot, PLOT_WIDTH, picture.height > 0 ? picture.height : PLOT_HEIGHT);
                picture_free(&picture);
            }
            scene_free(&s);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_labels_overlap),
    };
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
