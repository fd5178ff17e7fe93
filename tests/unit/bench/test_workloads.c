/* SPDX-License-Identifier: BSD-3-Clause
 * The workloads: their results in every instruction set of this CPU, their analytic numbers, the machine code of the
 * intensity kernels, and the order of runs on cold data. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "asm/x86/effect.h"
#include "asm/x86/listing.h"
#include "bench/kernels/memory.h"
#include "bench/programs/levels_geometry.h"
#include "bench/workloads/measure.h"
#include "bench/workloads/request.h"
#include "probe/error.h"
#include "probe/machine.h"

static struct machine machine;
static struct clock clock_here;

static int open_machine(void **state) {
    (void)state;
    struct error err;
    return clock_open(&clock_here, &err) && machine_load(&machine, NULL, &err) ? 0 : -1;
}
static int close_machine(void **state) {
    (void)state;
    machine_free(&machine);
    return 0;
}

static struct task task_of(const struct workload *row, const struct isa *isa, const char *type, uint64_t n,
                           unsigned threads) {
    return (struct task){.workload = row,
                         .isa = isa,
                         .n = n,
                         .threads = threads,
                         .block = row->block_default,
                         .element_bytes = strcmp(type, "f32") == 0 ? 4 : 8};
}

static struct task task_named(const char *name, uint64_t n) {
    struct error err;
    const struct workload *row = workload_find(name, "f64", isa_find("sse"), &err);
    assert_non_null(row);
    return task_of(row, isa_find("sse"), "f64", n, 1);
}

/* A size that leaves a remainder in every loop. */
static uint64_t odd_size(const struct workload *row) {
    if (row->power_of_two)
        return 4096;
    return strncmp(row->name, "dgem", 4) == 0 ? 107 : strcmp(row->name, "cg") == 0 ? 7 : 2221;
}

/* The array that check() reads: the first written one, else the last. */
static unsigned result_of(const struct workload *row) {
    unsigned count = workload_array_count(row);
    for (unsigned i = 0; i < count; i++)
        if (row->arrays[i].access & WRITTEN)
            return i;
    return count - 1;
}

static void spoil(const struct task *task, void *array) {
    if (task->element_bytes == 4)
        *(float *)array += 1;
    else
        *(double *)array += 1;
}

/* A correct run, a result with one wrong element, and one with a NaN. */
static void check_row(struct task *task, const char *type) {
    struct error err;
    struct team team;
    struct data data;
    if (task->workload->open && !task->workload->open(task, &err)) {
        print_message("%s: %s\n", task->workload->name, err.text);
        return;
    }
    assert_true(team_choose(&team, &machine, TEAM_ANY_KIND, task->threads, &err));
    assert_true(data_open(&data, task, &team, 1, &err));
    assert_true(data_fill(&data, false, &err));
    assert_true(measure_once(&(struct measuring){.clock = &clock_here, .data = &data}, &err));
    double error = workload_error(task, data.arrays[0]), allowed = workload_tolerance(task);
    if (!(error <= allowed))
        fail_msg("%s %s %s, %u threads: error %g, allowed %g", task->workload->name, type, task->isa->name,
                 task->threads, error, allowed);
    void *result = data.arrays[0][result_of(task->workload)];
    spoil(task, result);
    if (workload_error(task, data.arrays[0]) <= allowed)
        fail_msg("%s %s %s: a wrong result passes", task->workload->name, type, task->isa->name);
    memset(result, 0xff, task->element_bytes);
    if (strcmp(task->workload->name, "read") != 0 && workload_error(task, data.arrays[0]) <= allowed)
        fail_msg("%s %s %s: NaN passes", task->workload->name, type, task->isa->name);
    data_close(&data);
    team_free(&team);
    if (task->workload->close)
        task->workload->close(task);
}

static void results_are_right_and_wrong_ones_are_seen(void **state) {
    (void)state;
    static const char *const types[] = {"f64", "f32"};
    for (size_t i = 0; i < isa_count; i++)
        for (size_t t = 0; t < 2; t++) {
            const struct workload *const *rows = workload_rows(types[t], isa_table[i].name);
            for (; rows && machine_has(&machine, isa_table[i].needs) && *rows; rows++)
                for (unsigned threads = 1; threads <= (machine.core_count > 1 && !(*rows)->one_thread ? 2 : 1);
                     threads++) {
                    struct task task = task_of(*rows, &isa_table[i], types[t], odd_size(*rows), threads);
                    check_row(&task, types[t]);
                }
        }
}

/* Ofenbeck et al., table I; Williams' and others' kernels by hand. */
static void work_and_traffic_are_those_of_the_papers(void **state) {
    (void)state;
    static const struct {
        const char *name;
        uint64_t n, flop, read_bytes, write_bytes, allocate_bytes, load_bytes, store_bytes;
    } rows[] = {
        {"daxpy", 1000, 2000, 16000, 8000, 0, 16000, 8000},
        {"dgemv", 80, 2 * 6400 + 160, 8 * 6400 + 1280, 640, 0, 8 * (6400 + 80 * 10 + 80), 640},
        {"dgemm-triple", 100, 2000000, 240000, 80000, 0, 16080000, 80000},
        {"stream-copy", 1000, 0, 8000, 8000, 8000, 8000, 8000},
        {"stream-scale", 1000, 1000, 8000, 8000, 8000, 8000, 8000},
        {"stream-add", 1000, 1000, 16000, 8000, 8000, 16000, 8000},
        {"stream-triad", 1000, 2000, 16000, 8000, 8000, 16000, 8000},
        {"read", 1000, 0, 8000, 0, 0, 8000, 16},
        {"write", 1000, 0, 0, 8000, 8000, 0, 8000},
        {"write-stream", 1000, 0, 0, 8000, 0, 0, 8000},
        {"triad", 1000, 2000, 16000, 8000, 8000, 16000, 8000},
        {"intensity-1/16", 1000, 1000, 8000, 8000, 0, 8000, 8000},
        {"intensity-1/16-fma", 1000, 2000, 24000, 8000, 0, 24000, 8000},
        {"intensity-8", 1000, 128000, 8000, 8000, 0, 8000, 8000},
        {"intensity-8-fma", 1000, 128000, 8000, 8000, 0, 8000, 8000},
        {"order-rows", 1000, 4000, 32000, 32000, 0, 32000, 32000},
        {"wht", 1024, 10240, 8192, 8192, 0, 8 * 8192, 8 * 8192},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct task task = task_named(rows[i].name, rows[i].n);
        const struct work work = workload_work(&task);
        const struct workload_traffic traffic = workload_traffic(&task);
        assert_int_equal(work.flop, rows[i].flop);
        assert_true(work.bytes_exact);
        assert_int_equal(work.load_bytes, rows[i].load_bytes);
        assert_int_equal(work.store_bytes, rows[i].store_bytes);
        assert_int_equal(traffic.read_bytes, rows[i].read_bytes);
        assert_int_equal(traffic.write_bytes, rows[i].write_bytes);
        assert_int_equal(traffic.allocate_bytes, rows[i].allocate_bytes);
    }
    struct task fft = task_named("fft-radix2", 1024), cg = task_named("cg", 10);
    assert_int_equal(workload_work(&fft).pseudo_flop, 5 * 1024 * 10);
    assert_int_equal(workload_traffic(&cg).read_bytes, 28 * 28 * 28 * 12 + 1001 * 8 + 8000);
}

/* Flop per byte of each innermost loop; returns how many there are. */
static unsigned check_loops(const char *name, const void *code, double flop_per_byte) {
    struct listing listing;
    struct error err;
    unsigned loops = 0;
    if (!listing_make(&listing, code, &err))
        fail_msg("%s: %s", name, err.text);
    for (size_t last = 0; last < listing.count; last++) {
        const size_t first = listing.entries[last].target;
        bool innermost = first <= last;
        for (size_t i = first; i < last && innermost; i++)
            innermost = listing.entries[i].target == LISTING_NONE || listing.entries[i].target > last;
        double flop = 0, bytes = 0;
        for (size_t i = first; i <= last && innermost; i++) {
            ZydisDecodedInstruction instruction;
            ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
            struct effect effect;
            listing_decode(&listing, i, &instruction, operands);
            effect_find(&instruction, operands, &effect);
            flop += effect.flop;
            bytes += effect.load_bytes + effect.store_bytes;
        }
        if (innermost && flop != flop_per_byte * bytes)
            fail_msg("%s: the loop at +%#x has %g flop and %g bytes", name, listing.entries[first].offset, flop, bytes);
        loops += innermost;
    }
    listing_free(&listing);
    return loops;
}

static void intensity_kernels_have_their_intensity(void **state) {
    (void)state;
    static const struct {
        const char *name;
        double flop_per_byte;
    } kernels[] = {
        {"intensity-1/16", 1 / 16.}, {"intensity-1/16-fma", 1 / 16.}, {"intensity-8", 8}, {"intensity-8-fma", 8}};
    for (size_t i = 0; i < isa_count; i++) /* decoded, not run: in every instruction set */
        for (size_t k = 0; k < 4 && workload_rows("f64", isa_table[i].name); k++) {
            struct error err;
            const struct workload *row = workload_find(kernels[k].name, "f64", &isa_table[i], &err);
            const void *code;
            memcpy(&code, &row->run, sizeof code);
            assert_in_range(check_loops(row->name, code, kernels[k].flop_per_byte), 3, 4);
        }
}

/* Compilers may transform a constant's sum or product. */
static void arithmetic_kernels_do_what_they_say(void **state) {
    (void)state;
    static const struct {
        const char *name;
        enum sort sort;
    } kernels[] = {{"add", SORT_ADD}, {"mul", SORT_MUL}};
    for (size_t i = 0; i < 2 * isa_count; i++) {
        const struct isa *isa = &isa_table[i / 2];
        struct error err;
        struct listing listing;
        unsigned found = 0;
        if (!workload_rows("f64", isa->name))
            continue;
        const struct workload *row = workload_find(kernels[i % 2].name, "f64", isa, &err);
        const void *code;
        memcpy(&code, &row->run, sizeof code);
        assert_true(listing_make(&listing, code, &err));
        for (size_t k = 0; k < listing.count; k++) {
            ZydisDecodedInstruction instruction;
            ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
            struct effect effect;
            listing_decode(&listing, k, &instruction, operands);
            effect_find(&instruction, operands, &effect);
            if (effect.flop > 0 && effect.sort != kernels[i % 2].sort)
                fail_msg("%s of %s: %s", row->name, isa->name, ZydisMnemonicGetString(instruction.mnemonic));
            found += effect.flop > 0;
        }
        assert_true(found > 1);
        listing_free(&listing);
    }
}

static void lanes_share_all_in_whole_lines(void **state) {
    (void)state;
    for (unsigned threads = 1; threads < 9; threads++)
        for (uint64_t n = 1; n < 100; n++) {
            struct task task = task_named("daxpy", n);
            uint64_t next = 0;
            task.threads = threads;
            for (unsigned t = 0; t < threads; t++) {
                const struct lane lane = lane_of(&task, t, n);
                assert_int_equal(lane.first, next);
                assert_true(lane.end >= lane.first && (lane.end % 8 == 0 || lane.end == n));
                next = lane.end;
            }
            assert_int_equal(next, n);
        }
}

static void arrays_lie_apart(void **state) {
    (void)state;
    struct error err;
    struct team team;
    struct data data;
    struct task task = task_named("stream-triad", 1000);
    assert_true(team_choose(&team, &machine, TEAM_ANY_KIND, 1, &err));
    assert_true(data_open(&data, &task, &team, 30, &err));
    assert_true(data_fill(&data, true, &err));
    assert_true(data_grow(&data, 30, &err));
    for (unsigned copy = 0; copy < 30; copy++) {
        char *b = data.arrays[copy][0], *c = data.arrays[copy][1], *a = data.arrays[copy][2];
        assert_true(c >= b + 8000 && a >= c + 8000 && a + 8000 <= b + data.copy_bytes);
        assert_int_equal((uintptr_t)a % 4096, 0); /* written arrays come first */
        assert_int_equal((uintptr_t)b % 4096, 64);
        assert_int_equal((uintptr_t)c % 4096, 128);
        assert_memory_equal(b, data.arrays[0][0], 8000);
    }
    data_close(&data);
    team_free(&team);
}

static void many_copies_where_they_fit_else_flushing(void **state) {
    (void)state;
    enum { KIB = 1024, MIB = 1024 * KIB };
    const struct task task = task_named("daxpy", 65536); /* 1 MiB */
    const struct caches_wish cold = {.data_cold = true}, warm = {.code_cold = true};
    const struct caches_wish copies = {.data_cold = true, .by = COLD_BY_COPIES};
    const struct caches_wish flush = {.data_cold = true, .by = COLD_BY_FLUSH};
    const struct last_level desktop = {8 * MIB, 16}, server = {480ull * MIB, 16}, unknown = {0};
    struct caches_plan plan;
    struct error err;
    assert_true(caches_plan(&plan, &task, &cold, &desktop, 16384ull * MIB, 0, &err));
    assert_int_equal(plan.by, COLD_BY_COPIES); /* 8 MiB × 16, and the one in use */
    assert_int_equal(plan.copies, 129);
    assert_int_equal(plan.fill_bytes, 8 * MIB); /* before the first of them */
    assert_true(caches_plan(&plan, &task, &(struct caches_wish){.data_cold = true, .code_cold = true}, &desktop,
                            16384ull * MIB, 0, &err));
    assert_int_equal(plan.copies, 129);
    assert_int_equal(plan.fill_bytes, 8 * MIB);
    assert_true(caches_plan(&plan, &task, &cold, &server, 16384ull * MIB, 0, &err));
    assert_int_equal(plan.by, COLD_BY_FLUSH);
    assert_in_range(plan.copies, 250, 256);
    assert_int_equal(plan.fill_bytes, 480ull * MIB);
    assert_true(caches_plan(&plan, &task, &copies, &server, 32768ull * MIB, 0, &err));
    assert_int_equal(plan.copies, 7681);
    assert_false(caches_plan(&plan, &task, &copies, &server, 1024ull * MIB, 0, &err));
    assert_non_null(strstr(err.text, "--cold-by flush"));
    assert_true(caches_plan(&plan, &task, &cold, &desktop, 64 * MIB, 0, &err)); /* 129 MiB do not fit */
    assert_int_equal(plan.by, COLD_BY_FLUSH);
    assert_in_range(plan.copies, 15, 16);
    assert_true(caches_plan(&plan, &task, &cold, &unknown, 16384ull * MIB, 0, &err));
    assert_int_equal(plan.by, COLD_BY_FLUSH);
    assert_int_equal(plan.fill_bytes, 0);
    assert_true(caches_plan(&plan, &task, &flush, &desktop, 16384ull * MIB, 7, &err)); /* a copy for each run */
    assert_int_equal(plan.copies, 7);
    assert_false(caches_plan(&plan, &task, &flush, &desktop, 64 * MIB, 1000, &err));
    assert_non_null(strstr(err.text, "fewer runs"));
    assert_true(caches_plan(&plan, &task, &warm, &desktop, 16384ull * MIB, 0, &err));
    assert_int_equal(plan.by, COLD_BY_ANY);
    assert_int_equal(plan.copies, 1);
    assert_int_equal(plan.fill_bytes, 8 * MIB); /* cold code */
    assert_false(caches_plan(&plan, &task, &warm, &desktop, MIB / 2, 0, &err));
    assert_non_null(strstr(err.text, "use a smaller size"));
}

/* A workload that notes which copy each run gets. */
static void *noted[4096];
static unsigned noted_count, note_first; /* index of the first measured run */
static double note_once_s;               /* time of an earlier run, and the time budget */
static uint64_t note_ring_at;            /* where filling the caches continues */
static uint64_t note_copies;             /* copies at the end */
static uint64_t note_filled_bytes;       /* bytes of the last filling of the caches */
static uint64_t note_elements(const struct task *task) {
    return task->n;
}
static void note_run(const struct lane *lane, void *const *arrays) {
    (void)lane;
    noted[noted_count++ % 4096] = arrays[0];
}
static const struct workload note = {.name = "note",
                                     .arrays = {{"a", note_elements, UPDATED, 0}},
                                     .each = {.flop = 1, .loads = 1, .stores = 1},
                                     .run = note_run};

/* Measures it in `repetitions` of `runs` (0: as few as possible) and returns the runs per repetition. */
/* Caches are cold only if the larger ones of a level are cold, too. */
static void the_largest_last_level_counts(void **state) {
    (void)state;
    struct machine recorded;
    struct team team;
    struct error err;
    assert_true(machine_load(&recorded, "tests/topologies/full_and_dense.xml", &err));
    assert_true(team_choose(&team, &recorded, TEAM_ANY_KIND, 4, &err));
    assert_int_equal(caches_last_level(&recorded, &team).bytes, 16u << 20);
    team_free(&team);
    assert_true(team_choose(&team, &recorded, TEAM_ANY_KIND, 12, &err));
    assert_in_range(caches_last_level(&recorded, &team).bytes, 24u << 20, 32u << 20);
    team_free(&team);
    machine_free(&recorded);
}

static uint64_t measure_notes(const struct caches_wish *wish, const struct last_level *last_level, uint64_t runs,
                              unsigned repetitions) {
    struct error err;
    struct team team;
    struct data data;
    struct caches caches;
    struct caches_plan plan;
    double seconds[8], clock_hz[8];
    struct task task = {.workload = &note, .isa = isa_find("sse"), .n = 512, .threads = 1, .element_bytes = 8};
    assert_true(caches_plan(&plan, &task, wish, last_level, 1ull << 30, runs, &err));
    assert_true(team_choose(&team, &machine, TEAM_ANY_KIND, 1, &err));
    assert_true(data_open(&data, &task, &team, plan.copies, &err));
    assert_true(caches_open(&caches, wish, &plan, &task, &err));
    assert_true(data_fill(&data, true, &err));
    struct measuring measuring = {.clock = &clock_here,
                                  .data = &data,
                                  .caches = &caches,
                                  .runs = runs,
                                  .repetition_s = 1e-9,
                                  .repetitions = repetitions,
                                  .once_s = note_once_s,
                                  .budget_s = note_once_s};
    noted_count = 0;
    assert_true(measure_runs(&measuring, &err));
    note_first = noted_count;
    assert_true(measure_repetitions(&measuring, seconds, clock_hz, &err));
    for (unsigned i = 0; i < repetitions; i++)
        assert_true(seconds[i] > 0);
    assert_int_equal(noted_count, note_first + repetitions * measuring.runs);
    note_filled_bytes = caches.filled_bytes;
    note_copies = data.count;
    note_ring_at = caches.ring_at;
    caches_close(&caches);
    data_close(&data);
    team_free(&team);
    return measuring.runs;
}

static void cold_runs_never_meet_their_own_data(void **state) {
    (void)state;
    enum { DATA_BYTES = 4096, PASSING_BYTES = 64 * DATA_BYTES };
    const struct last_level small = {PASSING_BYTES / 4, 4};
    const struct caches_wish copies = {.data_cold = true, .by = COLD_BY_COPIES};
    /* However long a run takes, a repetition has no more runs than the time requires. */
    assert_int_equal(measure_notes(&copies, &small, 0, 8), 1);
    assert_int_equal(note_ring_at, small.bytes / 2); /* twice, because copies were made twice: round the ring */
    assert_int_equal(note_first, 1);
    note_once_s = 100;
    assert_int_equal(measure_notes(&copies, &small, 0, 8), 1);
    assert_int_equal(note_first, 0); /* it is known to be long enough */
    note_once_s = 0;
    assert_int_equal(note_filled_bytes, small.bytes); /* copying left some of them in the caches */
    measure_notes(&copies, &small, PASSING_BYTES / DATA_BYTES + 1, 8);
    for (unsigned i = 0; i < noted_count; i++)
        for (unsigned j = i + 1; j < noted_count && j <= i + PASSING_BYTES / DATA_BYTES; j++) {
            ptrdiff_t apart = (char *)noted[j] - (char *)noted[i];
            assert_int_not_equal(apart, 0);
            if (j == i + 1) /* nor data next to the last run's */
                assert_true(apart > DATA_BYTES || apart < -DATA_BYTES);
        }
    measure_notes(&copies, &small, 30, 8);
    assert_int_equal(noted_count - note_first, 240);
    for (unsigned i = 0; i < noted_count; i++) /* with few runs per repetition, each continues after the last one */
        for (unsigned j = i + 1; j < noted_count && j <= i + PASSING_BYTES / DATA_BYTES; j++)
            assert_ptr_not_equal(noted[i], noted[j]);
    assert_int_equal(note_copies, 65);
    measure_notes(&copies, &small, 2, 3); /* as many copies as runs, or twice the cache's size */
    assert_int_equal(note_copies, 33);
    measure_notes(&copies, &small, 5, 8);
    assert_int_equal(note_copies, 40);
    for (unsigned i = 0; i < noted_count; i++)
        for (unsigned j = i + 1; j < noted_count; j++)
            assert_ptr_not_equal(noted[i], noted[j]);
    uint64_t runs = measure_notes(&(struct caches_wish){.data_cold = true, .by = COLD_BY_FLUSH}, &small, 50, 3);
    for (unsigned r = 0; r < 3; r++)
        for (uint64_t i = note_first + r * runs; i < note_first + (r + 1) * runs && i < 4096; i++)
            for (uint64_t j = i + 1; j < note_first + (r + 1) * runs && j < 4096; j++)
                assert_ptr_not_equal(noted[i], noted[j]); /* flushed once, used once */
}

static void warm_runs_have_one_copy_and_cold_code_one_run(void **state) {
    (void)state;
    const struct last_level small = {1 << 18, 4};
    assert_int_equal(measure_notes(&(struct caches_wish){0}, &small, 50, 3), 50);
    for (unsigned i = 0; i < noted_count && i < 4096; i++)
        assert_ptr_equal(noted[i], noted[0]);
    assert_int_equal(measure_notes(&(struct caches_wish){.code_cold = true}, &small, 0, 3), 1);
    assert_int_equal(measure_notes(&(struct caches_wish){.data_cold = true, .code_cold = true}, &small, 0, 3), 1);
    assert_int_equal(measure_notes(&(struct caches_wish){.tlb_cold = true}, &small, 0, 3), 1);
    for (unsigned by = COLD_BY_COPIES; by <= COLD_BY_FLUSH; by++)
        assert_int_equal(
            measure_notes(&(struct caches_wish){.data_cold = true, .tlb_cold = true, .by = by}, &small, 0, 3), 1);
}

static void more_pages_than_any_tlb_has_entries(void **state) {
    (void)state;
    for (unsigned i = 0; uarch_caches_at(i); i++)
        assert_true(uarch_caches_at(i)->tlbs[1].entries * 2 <= TLB_SMALL_PAGES);
    const uint64_t here = machine_page_bytes(&machine);
    for (uint64_t page = here; page <= 16 * here; page *= 4) { /* also as if they were larger than they are */
        struct tlb_pages pages;
        struct error err;
        assert_true(tlb_open(&pages, page, &err));
        assert_int_equal((uintptr_t)pages.base % MEMORY_UNIT_BYTES, 0);
        assert_int_equal(pages.huge_pages > 0, machine_huge_page_of(page) <= TLB_LARGEST_PAGE);
        tlb_empty(&pages);
        assert_int_equal(memory_page_bytes(pages.base, TLB_SMALL_PAGES * page), here);
        tlb_close(&pages);
    }
}

/* `line` is split at blanks. */
static bool request(const char *line, struct process_request *out, struct error *err) {
    static char text[256];
    char *argv[16] = {(char[]){"carmine-workload"}};
    int argc = 1;
    snprintf(text, sizeof text, "%s", line);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    return request_read(argc, argv, out, err);
}

static void requests_are_read(void **state) {
    (void)state;
    struct process_request r;
    struct error err;
    assert_true(request("daxpy size=100,1e6", &r, &err));
    assert_string_equal(r.workload, "daxpy");
    assert_true(r.size_count == 2 && r.sizes[0] == 100 && r.sizes[1] == 1000000);
    assert_true(r.repetitions == 20 && r.threads == 1 && r.cycles == 1e8 && r.runs == 0 && !r.counted && !r.list);
    assert_true(r.caches.data_cold && !r.caches.code_cold && !r.caches.tlb_cold && r.caches.by == COLD_BY_ANY);
    assert_true(request(
        "cg size=9 data=warm code=cold tlb=cold threads=2 counted=1 cold-by=flush file=/a/b=c.so isa=avx", &r, &err));
    assert_true(!r.caches.data_cold && r.caches.code_cold && r.caches.tlb_cold && r.caches.by == COLD_BY_FLUSH);
    assert_true(r.threads == 2 && r.counted && !r.simulated);
    assert_string_equal(r.file, "/a/b=c.so");
    assert_string_equal(r.isa, "avx");
    assert_true(request("daxpy size=9 write-back=left-out", &r, &err) && r.caches.by == COLD_BY_FLUSH);
    assert_true(request("list", &r, &err) && r.list);
    static const char *const REFUSED[] = {"daxpy size=0",
                                          "daxpy size=2.5",
                                          "daxpy size=1,,2",
                                          "daxpy size=5 data=col",
                                          "daxpy size=5 cycles=-1",
                                          "daxpy size=5 threads=65537",
                                          "daxpy size=5 sized=5",
                                          "daxpy size=5 cg",
                                          "daxpy size=5 threads",
                                          "daxpy",
                                          ""};
    for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++)
        if (request(REFUSED[i], &r, &err))
            fail_msg("'%s' was accepted", REFUSED[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_right_and_wrong_ones_are_seen),
        cmocka_unit_test(work_and_traffic_are_those_of_the_papers),
        cmocka_unit_test(intensity_kernels_have_their_intensity),
        cmocka_unit_test(arithmetic_kernels_do_what_they_say),
        cmocka_unit_test(lanes_share_all_in_whole_lines),
        cmocka_unit_test(arrays_lie_apart),
        cmocka_unit_test(many_copies_where_they_fit_else_flushing),
        cmocka_unit_test(the_largest_last_level_counts),
        cmocka_unit_test(cold_runs_never_meet_their_own_data),
        cmocka_unit_test(warm_runs_have_one_copy_and_cold_code_one_run),
        cmocka_unit_test(more_pages_than_any_tlb_has_entries),
        cmocka_unit_test(requests_are_read),
    };
    return cmocka_run_group_tests(tests, open_machine, close_machine);
}
