/* SPDX-License-Identifier: BSD-3-Clause
 * Files of other tools: samples of every format with known answers, and bad files that are rejected with the place of
 * the fault. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/import_files.h"

#define FILES(...)                                                                                                     \
    { __VA_ARGS__, NULL }

/* -1: unknown. */
static const struct known_point {
    const char *format, *files[3], *name;
    double seconds, flop, load_bytes, store_bytes, dram_read_bytes, dram_write_bytes;
    const char *type;
    unsigned threads;
} POINTS[] = {
    {"sde", FILES(SAMPLE("stream_sde_sums.txt")), "p", -1, 4000000400, 33752339756, 16117466472, -1, -1, "f64", 0},
    {"vtune", FILES(SAMPLE("stream_vtune_sums.txt")), "p", -1, -1, -1, -1, 32524205056, 15986907968, "", 0},
    /* elements, and a second operation of each fused one */
    {"sde", FILES(SAMPLE("sde_mix.txt")), "p", -1, 500 + 4 * 30e6 + 1000 + 400 + 4 * 20e6 + 1000 + 400,
     2000 * 8 + 20e6 * 32, 1000 * 4 + 10e6 * 32, -1, -1, "f64", 0},
    /* all elements counted: 2.9 + 0.1 + 2 million instructions of 8 */
    {"sde", FILES(SAMPLE("sde_mix_avx512.txt")), "p", -1, 8 * 5e6, 4e6 * 64, 2e6 * 64, -1, -1, "f64", 0},
    /* 0.1 million masked ones compute 0.3, the fused ones 15.6 + 0.15 */
    {"sde", FILES(SAMPLE("sde_mask_profile.txt"), SAMPLE("sde_mix_avx512.txt")), "p", -1,
     8 * 2.9e6 + 0.3e6 + 15.6e6 + 0.15e6, 4e6 * 64, 2e6 * 64, -1, -1, "f64", 0},
    /* two processes */
    {"sde", FILES(SAMPLE("stream_sde_sums.txt"), SAMPLE("stream_sde_sums.txt")), "p", -1, 8000000800, 67504679512,
     32234932944, -1, -1, "f64", 0},
    {"vtune", FILES(SAMPLE("vtune.csv")), "p", -1, -1, -1, -1, 64 * 2000051.0, 64 * 1000092.0, "", 0},
    {"likwid-perfctr", FILES(SAMPLE("likwid_mem_dp.csv")), "p/solve", 0.5, 2e9 * 0.5 + 2e9 * 0.48, -1, -1, 6.4e9, 3.2e9,
     "f64", 2},
    {"likwid-perfctr", FILES(SAMPLE("likwid_mem_dp.csv")), "p/setup", 0.1, 1e6, -1, -1, 0.5e9, 0.25e9, "f64", 2},
    {"likwid-perfctr", FILES(SAMPLE("likwid_flops_sp.csv"), SAMPLE("likwid_mem.csv")), "p", 1.5, 6e9, -1, -1, 12e9, -1,
     "f32", 1},
    /* loads and stores with the mean width of the arithmetic: nearly all of it 64 bytes wide */
    {"perf", FILES(SAMPLE("perf_spr.csv")), "p", 2, 1000 + 2 * 2000 + 4 * 3000 + 8e9,
     1.5e9 * ((1000.0 * 8 + 2000.0 * 16 + 3000.0 * 32 + 64e9) / 1000006000.0),
     0.5e9 * ((1000.0 * 8 + 2000.0 * 16 + 3000.0 * 32 + 64e9) / 1000006000.0), 1024.0 * (1 << 20), 512.0 * (1 << 20),
     "f64", 0},
    {"perf", FILES(SAMPLE("perf_zen.csv")), "p", -1, 1e9, -1, -1, -1, -1, "f64", 0},
    /* a triad of 512 bits, 16 million flop in a million FMA; a load-and-store is both */
    {"perf", FILES(SAMPLE("perf_zen4.csv")), "p", -1, 16e6, 2e6 * 64, 1e6 * 64, -1, -1, "f64", 0},
    /* the same loads on a core that does not tell their width: no bytes */
    {"perf", FILES(SAMPLE("perf_zen3.csv")), "p", -1, 16e6, -1, -1, -1, -1, "f64", 0},
    {"perf", FILES(SAMPLE("perf_hybrid.csv")), "p", -1, 8e6, 2e6 * 32, 1e6 * 32, -1, -1, "f64", 0},
    /* NEON alone, so that the length of SVE's vectors does not matter */
    {"perf", FILES(SAMPLE("perf_neoverse.csv")), "p", -1, 8e6, 2e6 * 16, 1e6 * 16, -1, -1, "f64", 0},
    {"nvprof", FILES(SAMPLE("nvprof_metrics.csv"), SAMPLE("nvprof_times.csv")), "p/NumBandNgpown_kernel", 0.5, 2e12, -1,
     -1, 2e9 * 32, 0.5e9 * 32, "f64", 0},
    {"nvprof", FILES(SAMPLE("nvprof_times.csv"), SAMPLE("nvprof_metrics.csv")), "p/scale_kernel", 0.005, 5e8, -1, -1,
     5 * 12.5e6 * 32, 5 * 12.5e6 * 32, "f32", 0},
    {"nsight", FILES(SAMPLE("nsight_raw.csv")), "p/axpy", 0.002, 4e8, -1, -1, 3.2e9, 1.6e9, "f64", 0},
    {"nsight", FILES(SAMPLE("nsight_details.csv")), "p/sgemm_128x64", 0.0002, 2e9 + 1000 + 40, -1, -1, 32e6, 16e6,
     "f32", 0},
    {"nsight", FILES(SAMPLE("nsight_section.csv")), "p/triad", 0.001, 3e9 + 2 * 1.5e9, -1, -1, 2e9, -1, "f32", 0},
    {"csv", FILES(SAMPLE("plain.csv")), "solve, the slow part", 0.5, 1e9, 8e9, 4e9, -1, -1, "", 4},
    {"csv", FILES(SAMPLE("plain.csv")), "gpp", 2, 4e9, 16e9, 8e9, 10e9, 5e9, "", 4},
    {"csv", FILES(SAMPLE("plain_core.csv")), "triad", -1, 2000, 24000, -1, -1, -1, "", 0},
};

static void check(const char *of, const char *what, const struct statistics *s, double wanted) {
    if (wanted < 0 ? s->n != 0 : !(s->n == 1 && fabs(s->median - wanted) <= 1e-9 * wanted))
        fail_msg("%s of %s is %.17g (n %u), not %.17g", what, of, s->median, s->n, wanted);
}

static void samples_have_known_answers(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof POINTS / sizeof POINTS[0]; i++) {
        const struct known_point *known = &POINTS[i];
        struct import import;
        struct error err;
        if (!read_files(known->format, known->files, &(struct import_request){.name = "p"}, &import, &err))
            fail_msg("%s", err.text);
        const struct app_point *point = NULL;
        for (size_t k = 0; k < import.point_count; k++)
            if (strcmp(import.points[k].name, known->name) == 0)
                point = &import.points[k];
        if (!point)
            fail_msg("%s: no point %s, but %s", known->files[0], known->name, import.points[0].name);
        check(known->files[0], "the time", &point->seconds, known->seconds);
        check(known->files[0], "the flop", &point->flop, known->flop);
        check(known->files[0], "the bytes loaded", &point->load_bytes, known->load_bytes);
        check(known->files[0], "the bytes stored", &point->store_bytes, known->store_bytes);
        check(known->files[0], "the DRAM reads", &point->dram_read_bytes, known->dram_read_bytes);
        check(known->files[0], "the DRAM writes", &point->dram_write_bytes, known->dram_write_bytes);
        assert_string_equal(point->flop_type, known->type);
        assert_int_equal(point->threads, known->threads);
        assert_true(doubts_has(point->doubts, DOUBT_IMPORTED));
        assert_int_equal(doubts_has(point->doubts, DOUBT_WIDTH_UNKNOWN),
                         strcmp(known->files[0], SAMPLE("perf_zen3.csv")) == 0);
        assert_int_equal(point->seconds_source, known->seconds < 0 ? SOURCE_UNKNOWN : SOURCE_IMPORTED);
        assert_int_equal(point->bytes_source, known->load_bytes < 0 ? SOURCE_UNKNOWN : SOURCE_IMPORTED);
        assert_int_equal(point->dram_source, known->dram_read_bytes < 0 ? SOURCE_UNKNOWN : SOURCE_IMPORTED);
        assert_int_equal(strncmp(point->origin, known->format, strlen(known->format)), 0);
        import_free(&import);
    }
}

static const struct known_roof {
    const char *format, *file, *kernel, *variant, *level;
    unsigned threads;
    double value;
} ROOFS[] = {
    {"stream", SAMPLE("stream.txt"), "stream.copy", "", "DRAM", 4, 61200.5e6},
    {"stream", SAMPLE("stream.txt"), "stream.triad", "", "DRAM", 4, 68900.1e6},
    {"stream", SAMPLE("babelstream.txt"), "babelstream.load", "", "DRAM", 0, 80220e6},
    {"likwid-bench", SAMPLE("likwid_bench.txt"), "likwid-bench.2ld1st", "stream_avx512", "L2", 4, 84006e6},
    {"likwid-bench", SAMPLE("likwid_bench.txt"), "likwid-bench.copy_mem_avx512", "", "L2", 4, 90e9},
    {"likwid-bench", SAMPLE("likwid_bench.txt"), "likwid-bench.f64.peak", "peakflops_avx51", "", 4, 358000.25e6},
    {"ert", SAMPLE("ert.json"), "ert.f32.peak", "", "", 0, 1890.25e9},
    {"ert", SAMPLE("ert.json"), "ert.update", "", "L1", 0, 1788e9},
    {"ert", SAMPLE("ert.json"), "ert.update", "", "DRAM", 0, 70.5e9},
    {"ert", SAMPLE("ert_summary.txt"), "ert.f64.peak", "", "", 36, 908.43e9},
    {"ert", SAMPLE("ert_summary.txt"), "ert.update", "", "L2", 36, 3203.86e9},
    {"nsight", SAMPLE("nsight_raw.csv"), "nsight.f64.peak", "", "", 0, 16896 * 1.5e9},
    {"nsight", SAMPLE("nsight_raw.csv"), "nsight.traffic", "", "DRAM", 0, 1500 * 2.5e9},
};

static void roofs_have_known_values(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof ROOFS / sizeof ROOFS[0]; i++) {
        const struct known_roof *known = &ROOFS[i];
        const struct import_request request = {.name = "p",
                                               .level = strcmp(known->format, "likwid-bench") == 0 ? "L2" : NULL};
        struct import import;
        struct error err;
        if (!read_files(known->format, (const char *const[]){known->file, NULL}, &request, &import, &err))
            fail_msg("%s", err.text);
        bool found = false;
        for (size_t k = 0; k < import.roof_count; k++) {
            const struct sample *roof = &import.roofs[k];
            if (strcmp(roof->kernel, known->kernel) != 0 || strcmp(roof->level, known->level) != 0 ||
                strcmp(roof->variant, known->variant) != 0)
                continue;
            found = true;
            assert_near(roof->value, known->value);
            assert_int_equal(roof->threads, known->threads);
            assert_int_equal(roof->kind, *known->level ? SAMPLE_BANDWIDTH : SAMPLE_COMPUTE);
            assert_true(doubts_has(roof->doubts, DOUBT_IMPORTED));
        }
        if (!found)
            fail_msg("%s holds no %s %s %s", known->file, known->level, known->kernel, known->variant);
        import_free(&import);
    }
}

#define RATES       "Copy: 4 1 1 1\nScale: 3 1 1 1\nAdd: 2 1 1 1\nTriad: 9.5 1 1 1\n"
#define STREAM_HEAD "Function    Best Rate MB/s  Avg time     Min time     Max time\n"
#define BABEL_RATES                                                                                                    \
    "Copy        4 1 1 1\nMul         3 1 1 1\nAdd         2 1 1 1\nTriad       9.5 1 1 1\nDot         8 1 1 1\n"
/* Every other form of output that is read: of an option, a version or a launcher. */
static const struct known_form {
    const char *form, *format, *text, *roof;
    unsigned threads;
    double value, array_bytes; /* of the roof; 0: not known */
} ROOF_FORMS[] = {
    {"5.10", "stream", "Array size = 1000000 (elements), Offset = 0\nNumber of Threads counted = 2\n" STREAM_HEAD RATES,
     "stream.triad", 2, 9.5e6, 8e6},
    {"5.10, float", "stream",
     "This system uses 4 bytes per array element.\nArray size = 1000000 (elements)\nNumber of Threads counted = "
     "2\n" STREAM_HEAD RATES,
     "stream.copy", 2, 4e6, 4e6},
    {"5.9", "stream",
     "STREAM version $Revision: 5.9 $\nThis system uses 8 bytes per DOUBLE PRECISION word.\nArray size = 1000000, "
     "Offset "
     "= 0\nTotal memory required = 22.9 MB.\nNumber of Threads requested = 2\n"
     "Function      Rate (MB/s)   Avg time     Min time     Max time\n" RATES,
     "stream.scale", 2, 3e6, 8e6},
    {"Fortran", "stream",
     " Array size =    1000000\n Number of Threads =            2\n"
     "Function     Rate (MB/s)  Avg time   Min time  Max time\n" RATES,
     "stream.add", 2, 2e6, 8e6},
    {"only memory", "stream", "Total memory required = 24 MiB\nNumber of Threads counted = 1\n" STREAM_HEAD RATES,
     "stream.add", 1, 2e6, 8 << 20},
    {"MPI", "stream",
     "Total Aggregate Array size = 1000000 (elements)\nData is distributed across 4 MPI ranks\n   Array size per MPI "
     "rank "
     "= 250000 (elements)\nNumber of Threads counted for rank 0 = 2\n" STREAM_HEAD RATES,
     "stream.triad", 8, 9.5e6, 8e6},
    {"pdsh", "stream",
     "n7: Array size = 1000000 (elements)\nn7: Number of Threads counted = 2\nn7: " STREAM_HEAD
     "n7: Copy: 4 1\nn7: Scale: 3 1\nn7: Add: 2 1\nn7: Triad: 9.5 1\n",
     "stream.triad", 2, 9.5e6, 8e6},
    {"host name", "stream", STREAM_HEAD "n7 Copy: 4 1\nn7 Scale: 3 1\nn7 Add: 2 1\nn7 Triad: 9.5 1\n", "stream.copy", 0,
     4e6, 0},
    {"mpirun --tag-output", "stream",
     STREAM_HEAD
     "[1,0]<stdout>:Copy: 4 1\n[1,0]<stdout>:Scale: 3 1\n[1,0]<stdout>:Add: 2 1\n[1,0]<stdout>:Triad: 9.5 1\n",
     "stream.triad", 0, 9.5e6, 0},
    {"BabelStream", "stream",
     "BabelStream\nVersion: 5.0\nImplementation: OpenMP\nArray size: 268.4 MB (=0.3 GB)\n"
     "Function    MBytes/sec  Min (sec)   Max         Average     \n" BABEL_RATES,
     "babelstream.load", 0, 8e6, 0},
    {"BabelStream --mibibytes", "stream", "Function    MiBytes/sec Min (sec)\n" BABEL_RATES, "babelstream.scale", 0,
     3 * 1048576.0, 0},
    {"BabelStream --csv", "stream",
     "phase,n_elements,sizeof,max_mbytes_per_sec,runtime\nInit,1000,8,7,1\nRead,1000,8,7,1\n"
     "function,num_times,n_elements,sizeof,max_mbytes_per_sec,min_runtime,max_runtime,avg_runtime\n"
     "Copy,100,1000,8,4,1,1,1\nMul,100,1000,8,3,1,1,1\nAdd,100,1000,8,2,1,1,1\nTriad,100,1000,8,9.5,1,1,1\n"
     "Dot,100,1000,8,8,1,1,1\n",
     "babelstream.triad", 0, 9.5e6, 0},
    {"likwid-bench of several work groups", "likwid-bench",
     "LIKWID MICRO BENCHMARK\nTest: load\nUsing 2 work groups\nUsing 6 threads\n"
     "Group: 1 Thread 2 Global Thread 5 running on core 7 - Vector length 100 Offset 0\nTime:\t\t\t1.5e+00 sec\n"
     "Size (Byte):\t\t4800\nSize per thread:\t800\nMFlops/s:\t\t0.00\nMByte/s:\t\t90000.50\nLoads per update:\t1\n"
     "Stores per update:\t0\n",
     "likwid-bench.load", 6, 90000.5e6, 800 / 3.0 * 6},
    {"likwid-bench before version 4", "likwid-bench",
     "LIKWID MICRO BENCHMARK\nTest: triad\nUsing 1 work groups\nUsing 2 threads\nCycles: 4500 \nIterations: 100 \n"
     "Size: 128000 \nVectorlength: 64000 \nTime: 1.5e-03 sec\nNumber of Flops: 300 "
     "\nMFlops/s:\t10.00\nMByte/s:\t160.00\n"
     "Cycles per update:\t1.0\n",
     "likwid-bench.triad", 2, 160e6, 0},
    {"likwid-bench under likwid-perfctr -m", "likwid-bench",
     "CPU name:\tIntel\nTest: store\nUsing 1 threads\nMByte/s:\t\t7.00\nLoads per update:\t0\nStores per update:\t1\n"
     "Region bench, Group 1: MEM\n+---+---+\n| Metric | HWThread 0 |\n| Memory data volume [GBytes] | 5 |\n",
     "likwid-bench.store", 1, 7e6, 0},
    {"ERT's file sum", "ert",
     "  908.43 GFLOPs\n\n  1234.56 Weight\n\n  5647.33 L1\n   103.50 DRAM\n\nMETA_DATA\nMPI_PROCS      2\n"
     "OPENMP_THREADS 4\nFLOPS          16\n",
     "ert.update", 8, 103.5e9, 0},
    {"ERT's summary of precisions", "ert", "  7818.02 FP64 GFLOPs EMP\n  15636.04 FP32 GFLOPs EMP\n", "ert.f32.peak", 0,
     15636.04e9, 0},
};

static void every_form_of_roofs_is_read(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof ROOF_FORMS / sizeof ROOF_FORMS[0]; i++) {
        const struct known_form *known = &ROOF_FORMS[i];
        struct import import;
        struct error err;
        const struct sample *found = NULL;
        fixture_write(fixture_path("form"), known->text, strlen(known->text));
        if (!read_files(known->format, (const char *const[]){fixture_path("form"), NULL},
                        &(struct import_request){.name = "p", .level = strstr(known->format, "bench") ? "L2" : NULL},
                        &import, &err))
            fail_msg("%s: %s", known->form, err.text);
        for (size_t k = 0; k < import.roof_count; k++)
            found = strcmp(import.roofs[k].kernel, known->roof) == 0 ? &import.roofs[k] : found;
        if (!found || found->threads != known->threads || fabs(found->value - known->value) > 1e-9 * known->value ||
            (known->array_bytes > 0 &&
             fabs(3 * known->array_bytes / known->threads - (double)found->working_set_bytes) > 1))
            fail_msg("%s: %s of %u threads is %g, with %g bytes a thread", known->form, known->roof,
                     found ? found->threads : 0, found ? found->value : -1,
                     found ? (double)found->working_set_bytes : -1);
        assert_int_equal(doubts_has(found->doubts, DOUBT_IN_CACHES), /* no machine says how large its caches are */
                         strcmp(known->format, "stream") == 0);
        import_free(&import);
    }
}

#define LAUNCH(id, metric, unit, value) "\"" id "\",\"k\",\"" metric "\",\"" unit "\",\"" value "\"\n"
#define FFMA                            "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"
#define NCU_HEAD                        "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
/* -1: not known. */
static const struct point_form {
    const char *form, *format, *text;
    double seconds, flop, read_bytes, write_bytes;
    bool multiplexed;
} POINT_FORMS[] = {
    {"points between thousands, all values below a million", "nsight",
     NCU_HEAD LAUNCH("0", "dram__bytes_read.sum", "byte", "960.512")
         LAUNCH("0", "dram__bytes_write.sum", "byte", "104.576") LAUNCH("0", "gpu__time_duration.sum", "ns", "117.344")
             LAUNCH("0", FFMA, "inst", "870.912"),
     117344e-9, 2 * 870912.0, 960512, 104576, false},
    {"an unused metric proves the locale", "nsight",
     NCU_HEAD LAUNCH("0", "dram__bytes_read.sum", "Kbyte", "1.234") LAUNCH("0", "dram__bytes_write.sum", "byte", "5")
         LAUNCH("0", "gpu__time_duration.sum", "us", "1.500") LAUNCH("0", FFMA, "inst", "7")
             LAUNCH("0", "sm__throughput.avg.pct_of_peak_sustained_elapsed", "%", "65,77"),
     1500e-6, 14, 1234e3, 5, false},
    {"decimal commas", "nsight",
     NCU_HEAD LAUNCH("0", "dram__bytes_read.sum", "Mbyte", "27,59")
         LAUNCH("0", "dram__bytes_write.sum", "byte", "27.595.520")
             LAUNCH("0", "gpu__time_duration.sum", "us", "1.211,94") LAUNCH("0", FFMA, "inst", "7"),
     1211.94e-6, 14, 27.59e6, 27595520, false},
    {"commas between thousands", "nsight",
     NCU_HEAD LAUNCH("0", "dram__bytes_read.sum", "byte", "960,512")
         LAUNCH("0", "dram__bytes_write.sum", "Kbyte", "1.234") LAUNCH("0", "gpu__time_duration.sum", "us", "1,211.94")
             LAUNCH("0", FFMA, "inst", "870,912"),
     1211.94e-6, 2 * 870912.0, 960512, 1234, false},
    {"--print-fp --print-units base", "nsight",
     NCU_HEAD LAUNCH("0", "dram__bytes_read.sum", "byte", "960512.000000")
         LAUNCH("0", "dram__bytes_write.sum", "byte", "5.000000")
             LAUNCH("0", "gpu__time_duration.sum", "ns", "117344.000000") LAUNCH("0", FFMA, "inst", "7.000000"),
     117344e-9, 14, 960512, 5, false},
    {"n/a bytes", "nsight",
     NCU_HEAD LAUNCH("0", "dram__bytes_read.sum", "byte", "n/a") LAUNCH("0", "dram__bytes_write.sum", "byte", "5")
         LAUNCH("0", "gpu__time_duration.sum", "us", "211.94") LAUNCH("0", FFMA, "inst", "1,000,000"),
     211.94e-6, 2e6, -1, -1, false},
    {"n/a flop of one of two launches", "nsight",
     NCU_HEAD LAUNCH("0", "dram__bytes.sum", "byte", "5") LAUNCH("0", "gpu__time_duration.sum", "ns", "10")
         LAUNCH("0", FFMA, "inst", "7") LAUNCH("1", "dram__bytes.sum", "byte", "6")
             LAUNCH("1", "gpu__time_duration.sum", "ns", "10") LAUNCH("1", FFMA, "inst", "(!) n/a"),
     20e-9, -1, 11, -1, false},
    {"n/a time", "nsight",
     NCU_HEAD LAUNCH("0", "dram__bytes.sum", "byte", "5") LAUNCH("0", "gpu__time_duration.sum", "ns", "n/a")
         LAUNCH("0", FFMA, "inst", "7"),
     -1, 14, 5, -1, false},
    {"U+202F between thousands, decimal commas", "nsight",
     NCU_HEAD LAUNCH("0", "dram__bytes_read.sum", "byte", "27\u202F595\u202F520")
         LAUNCH("0", "dram__bytes_write.sum", "Kbyte", "1,234")
             LAUNCH("0", "gpu__time_duration.sum", "us", "1\u202F211,94") LAUNCH("0", FFMA, "inst", "870\u202F912"),
     1211.94e-6, 2 * 870912.0, 27595520, 1234, false},
    {"U+00A0 between thousands", "nsight",
     NCU_HEAD LAUNCH("0", "dram__bytes_read.sum", "byte", "960\u00A0512")
         LAUNCH("0", "dram__bytes_write.sum", "byte", "2.000") LAUNCH("0", "gpu__time_duration.sum", "ns",
                                                                      "117\xA0"
                                                                      "344") LAUNCH("0", FFMA, "inst", "7"),
     117344e-9, 14, 960512, 2, false},
    {"apostrophes between thousands", "nsight",
     NCU_HEAD LAUNCH("0", "dram__bytes_read.sum", "byte", "1'960'512")
         LAUNCH("0", "dram__bytes_write.sum", "Kbyte", "2.000")
             LAUNCH("0", "gpu__time_duration.sum", "us", "1\u2019211.94") LAUNCH("0", FFMA, "inst", "870'912"),
     1211.94e-6, 2 * 870912.0, 1960512, 2000, false},
    {"stored by another program", "nsight",
     "ID,Kernel Name,Metric Name,Metric Unit,Metric Value\n0,k,dram__bytes.sum,byte,5\n0,k," FFMA ",inst,7\n", -1, 14,
     5, -1, false},
    {"-x '|'", "perf", "1000||fp_ret_sse_avx_ops.all|5000000000|100.00||\n", -1, 1000, -1, -1, false},
    {"-csv-delimiter='^'", "vtune",
     "Package^Uncore Event Count:UNC_M_CAS_COUNT.RD[UNIT0]^Uncore Event "
     "Count:UNC_M_CAS_COUNT.WR[UNIT0]\np_0^3^2\np_1^1^0\n",
     -1, -1, 256, 128, false},
    {"-csv-delimiter=tab", "vtune",
     "Package\tUncore Event Count:UNC_M_CAS_COUNT.RD\tUncore Event Count:UNC_M_CAS_COUNT.WR\np_0\t3\t2\n", -1, -1, 192,
     128, false},
    {"-csv-delimiter=semicolon", "vtune",
     "Package;Uncore Event Count:UNC_M_CAS_COUNT.RD;Uncore Event Count:UNC_M_CAS_COUNT.WR\np_0;3;2\n", -1, -1, 192, 128,
     false},
    {"the tables of likwid-perfctr as text", "likwid-perfctr",
     "Group 1: of the program\n-----\nCPU name:\tX\n-----\nGroup 1: MEM_DP\n"
     "+-------+---------+------------+------------+\n| Event | Counter | HWThread 0 | HWThread 4 |\n"
     "+-------+---------+------------+------------+\n| CAS_COUNT_RD | MBOX0C0 | 5 | 0 |\n+---+\n\n"
     "+------+\n| Event | Counter | Sum | Min | Max | Avg |\n+-----+\n| CAS_COUNT_RD STAT | MBOX0C0 | 5 | 0 | 5 | 2.5 "
     "|\n+--+\n"
     "+--------+------------+------------+\n|  Metric  | HWThread 0 | HWThread 4 |\n+--------+-----+-----+\n"
     "|   Runtime (RDTSC) [s]   |  2.0000 |  1.5000 |\n|     DP [MFLOP/s]     | 100.0000 | 200.0000 |\n"
     "| Memory read data volume [GBytes] | 3 | 0 |\n| Memory write data volume [GBytes] | 1.5000 | 0 |\n+---+\n"
     "| Metric | Sum | Min | Max | Avg |\n| DP [MFLOP/s] STAT | 300 | 100 | 200 | 150 |\n+---+\n",
     2, 500e6, 3e9, 1.5e9, false},
    {"groups that a region met equally often", "likwid-perfctr",
     "Region a, Group 1: FLOPS_DP\n+-+\n| Region Info | HWThread 0 |\n| RDTSC Runtime [s] | 2.0 |\n| call count | 3 "
     "|\n+-+\n"
     "| Metric | HWThread 0 |\n| Runtime (RDTSC) [s] | 2.0 |\n| DP [MFLOP/s] | 7 |\n+-+\n"
     "Region a, Group 2: MEM\n+-+\n| Region Info | HWThread 0 |\n| call count | 3 |\n+-+\n"
     "| Metric | HWThread 0 |\n| Runtime (RDTSC) [s] | 2.1 |\n| Memory data volume [GBytes] | 4 |\n+-+\n",
     2, 14e6, 4e9, -1, false},
    {"-r and metrics of -M", "perf",
     "1000,,fp_ret_sse_avx_ops.all,0.50%,5000000000,100.00,,\n,,,,,,1.2,insn per "
     "cycle\n4000,,cycles,0.10%,5000000000,100.00,,\n",
     -1, 1000, -1, -1, false},
    {"multiplexed, with decimal commas", "perf",
     "8000,25;msec;task-clock;8000250000;100,00;4,0;CPUs utilized\n1000;;fp_ret_sse_avx_ops.all;5000000000;50,00;;\n",
     -1, 1000, -1, -1, true},
    {"-x in a locale of decimal commas", "perf", "1000,,fp_ret_sse_avx_ops.all,5000000000,50,00,,\n", -1, 1000, -1, -1,
     true},
    {"likwid-perfctr without marks", "likwid-perfctr",
     "TABLE,Group 1 Raw,MEM,2\nEvent,Counter,HWThread 0\nCAS_COUNT_RD,MBOX0C0,1.25e+14\nTABLE,Group 1 Metric,MEM,2\n"
     "Metric,HWThread 0\nRuntime (RDTSC) [s],1.234\nMemory read data volume [GBytes],2\n"
     "Memory write data volume [GBytes],1\n",
     1.234, -1, 2e9, 1e9, false},
};

static void every_form_of_points_is_read(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof POINT_FORMS / sizeof POINT_FORMS[0]; i++) {
        const struct point_form *known = &POINT_FORMS[i];
        struct import import;
        struct error err;
        fixture_write(fixture_path("form"), known->text, strlen(known->text));
        if (!read_files(known->format, (const char *const[]){fixture_path("form"), NULL},
                        &(struct import_request){.name = "p"}, &import, &err))
            fail_msg("%s: %s", known->form, err.text);
        assert_int_equal(import.point_count, 1);
        check(known->form, "the time", &import.points[0].seconds, known->seconds);
        check(known->form, "the flop", &import.points[0].flop, known->flop);
        check(known->form, "the DRAM reads", &import.points[0].dram_read_bytes, known->read_bytes);
        check(known->form, "the DRAM writes", &import.points[0].dram_write_bytes, known->write_bytes);
        assert_int_equal(doubts_has(import.points[0].doubts, DOUBT_MULTIPLEXED), known->multiplexed);
        import_free(&import);
    }
}

static void what_is_told_twice_as_json_in_a_string(void **state) {
    (void)state;
    static const char WRAPPED[] = "\"{\\\"empirical\\\": {\\\"gflops\\\": {\\\"data\\\": [[\\\"FP64 GFLOPs\\\", 2]]}, "
                                  "\\\"gbytes\\\": {\\\"data\\\": [[\\\"DRAM\\\", 3]]}}}\"";
    struct import import;
    struct error err;
    fixture_write(fixture_path("wrapped"), WRAPPED, strlen(WRAPPED));
    if (!read_files("ert", (const char *const[]){fixture_path("wrapped"), NULL}, &(struct import_request){.name = "p"},
                    &import, &err))
        fail_msg("%s", err.text);
    assert_int_equal(import.roof_count, 2);
    assert_near(import.roofs[0].value, 2e9);
    import_free(&import);
}

static void the_machine_is_told_where_it_is(void **state) {
    (void)state;
    static const struct {
        const char *format, *file, *machine;
    } CASES[] = {{"likwid-perfctr", SAMPLE("likwid_mem_dp.csv"), "Intel(R) Xeon(R) Platinum 8360Y CPU @ 2.40GHz"},
                 {"nvprof", SAMPLE("nvprof_metrics.csv"), "Tesla V100-SXM2-16GB"},
                 {"stream", SAMPLE("stream.txt"), ""}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct import import;
        struct error err;
        assert_true(read_files(CASES[i].format, (const char *const[]){CASES[i].file, NULL},
                               &(struct import_request){.name = "p"}, &import, &err));
        assert_string_equal(import.machine, CASES[i].machine);
        import_free(&import);
    }
}

static void what_the_user_says_completes_what_is_not_told(void **state) {
    (void)state;
    const struct import_request request = {.name = "p", .region = "solve", .seconds = 3, .threads = 7};
    struct import import;
    struct error err;
    assert_true(read_files("likwid-perfctr", (const char *const[]){SAMPLE("likwid_mem_dp.csv"), NULL}, &request,
                           &import, &err));
    assert_int_equal(import.point_count, 1);
    assert_string_equal(import.points[0].name, "p/solve");
    assert_near(import.points[0].seconds.median, 0.5); /* reported */
    assert_int_equal(import.points[0].threads, 2);
    assert_int_equal(import.points[0].calls, 10);
    import_free(&import);
    const struct import_request all = {.name = "p", .seconds = 3, .threads = 7};
    assert_true(read_files("sde", (const char *const[]){SAMPLE("stream_sde_sums.txt"), NULL}, &all, &import, &err));
    assert_near(import.points[0].seconds.median, 3);
    assert_int_equal(import.points[0].threads, 7);
    import_free(&import);
    const struct import_request none = {.name = "p", .region = "nothing"};
    assert_false(
        read_files("likwid-perfctr", (const char *const[]){SAMPLE("likwid_mem_dp.csv"), NULL}, &none, &import, &err));
    assert_contains(err.text, "no region 'nothing'; there are: solve, setup");
    import_free(&import);
}

static void points_of_a_series_are_joined(void **state) {
    (void)state;
    struct import import;
    struct error err;
    assert_true(read_files("csv", (const char *const[]){SAMPLE("plain_series.csv"), NULL},
                           &(struct import_request){.name = "p"}, &import, &err));
    assert_int_equal(import.point_count, 5);
    assert_string_equal(import.points[0].series, "GPP");
    assert_int_equal(import.points[3].size, 6);
    assert_string_equal(import.points[4].series, ""); /* stands alone */
    assert_int_equal(import.points[4].size, 0);
    import_free(&import);
}

#define SDE_BEGIN   "# EMIT_GLOBAL_DYNAMIC_STATS   EMIT# 1\n"
#define SDE_END     "# END_GLOBAL_DYNAMIC_STATS\n"
#define NSIGHT_HEAD "\"ID\",\"Kernel Name\",\"Device\",\"dram__bytes.sum\",\"gpu__time_duration.sum\","
#define HYBRID_FLOP                                                                                                    \
    "5,,cpu_core/fp_arith_inst_retired.scalar_double/u,1,100\n"                                                        \
    "0,,cpu_core/fp_arith_inst_retired.128b_packed_double/u,1,100\n"                                                   \
    "0,,cpu_core/fp_arith_inst_retired.256b_packed_double/u,1,100\n"
#define LIKWID_HEAD "STRUCT,Info,3\nTABLE,Group 1 Metric,MEM,2\nMetric,Core 0,Core 1\n"
#define STREAM_ROWS "Copy: 1 1 1 1\nScale: 1 1 1 1\nAdd: 1 1 1 1\nTriad: 1 1 1 1\n"
static const struct {
    const char *format, *text, *says;
} REFUSED[] = {
    {"csv", "", "is empty"},
    {"csv", " \n\r\n", "is empty"},
    {"csv", "a\x01", "line 1, column 2: a byte 0x01: this is not a text file"},
    {"csv", "name,flop,core_bytes,gflops\na,1,2,3\n",
     "line 1, column 4: unknown column 'gflops' (did you mean `flop`?); known: name, seconds, flop, load_bytes, "
     "store_bytes, core_bytes, "
     "dram_read_bytes, dram_write_bytes, threads, size, series"},
    {"csv", "flop,core_bytes\n1,2\n", "there is no column 'name'"},
    {"csv", "name,core_bytes\na,2\n", "there is no column of flop"},
    {"csv", "name,flop\na,2\n", "there is no column of bytes"},
    {"csv", "name,flop,load_bytes\na,2,3\n",
     "load_bytes and store_bytes need both of their columns; if only their sum is known, name it core_bytes"},
    {"csv", "name,flop,core_bytes,load_bytes,store_bytes\na,2,3,1,2\n", "give only one of the two"},
    {"csv", "name,flop,core_bytes,flop\na,2,3,1\n", "a second column 'flop'"},
    {"csv", "name,flop,core_bytes\na,2\n", "line 2, column 2: a row of 2 cells below a heading of 3"},
    {"csv", "name,flop,core_bytes\na,2,12 GB\n", "line 2, column 3 (core_bytes): '12 GB' is followed by a unit"},
    {"csv", "name,flop,core_bytes\na,2,\"1,234\"\n",
     "line 2, column 3 (core_bytes): '1,234' has a thousands separator"},
    {"csv", "name,flop,core_bytes\na,2,3\na,4,5\n", "line 3, column 1 (name): 'a' occurs twice"},
    {"csv", "name,flop,core_bytes,seconds\na,2,3,0\n", "line 2, column 4 (seconds): must be above 0"},
    {"csv", "name,flop,core_bytes,threads\na,2,3,1.5\n", "column 4 (threads): must be a whole number"},
    {"csv", "name,flop,core_bytes,size\na,2,3,1\n", "two columns, series and size"},
    {"csv", "name,flop,core_bytes,series,size\na,2,3,s,0\n",
     "column 5 (size): a point of a series needs a size above 0"},
    {"csv", "name,flop,core_bytes,series,size\na,2,3,s,1.5\n", "column 5 (size): must be a whole number"},
    {"csv", "name,flop,core_bytes\n", "has a heading and no rows"},
    {"csv", "name,flop,core_bytes\n,1,2\n", "column 1 (name): is empty"},
    {"sde", "hello\n", "is not output of SDE"},
    {"sde", SDE_BEGIN "*mem-read-8  12\n", "ends inside its global section"},
    {"sde", "# EMIT_DYNAMIC_STATS FOR TID 0\n", "has no section '# EMIT_GLOBAL_DYNAMIC_STATS', only parts"},
    {"sde", SDE_BEGIN "*mem-read-8  twelve\n" SDE_END,
     "line 2, column 14: the count of *mem-read-8, 'twelve', is not a"},
    {"sde", SDE_BEGIN "*elements_fp_quad_4  1\n" SDE_END, "is an unknown row"},
    {"sde", SDE_BEGIN "VFMADD231PD  5\n" SDE_END, "run SDE with -iform 1"},
    {"sde", SDE_BEGIN SDE_END SDE_BEGIN SDE_END, "line 3, column 1: a second global section"},
    {"sde", "elements_fp_double_1 = 5\n--->Total FLOPs = 6\n",
     "line 2: it says --->Total FLOPs = 6, but its counts make 5"},
    {"sde", "elements_fp_double_1 = 5\n--->Total FLOPs = 5\n", "lacks one of its totals"},
    {"sde", "<thread>\n<thread-number> 0 </thread-number>\n", "ends inside a <thread>"},
    {"sde", "<thread>\n<thread-number> 0 </thread-number>\n</thread>\n", "is only a mask profile"},
    {"vtune", "Package,Clocks\n", "has no column 'Uncore Event Count:"},
    {"vtune", "Function\tCPU Time\nsolve\t1.5\n", "make it with -report hw-events"},
    {"vtune", "ID,Function Call Sites and Loops,Self Time\n1,loop in solve,0.5\n", "into a table for the format csv"},
    {"vtune", "Package,Uncore Event Count:UNC_E_RPQ_INSERTS\n",
     "line 1, column 2: unknown column 'Uncore Event Count:UNC_E"},
    {"vtune", "Package,Uncore Event Count:UNC_M_CAS_COUNT.RD[UNIT0]\np,1\n", "there is no column UNC_M_CAS_COUNT.WR"},
    {"vtune",
     "Package,Uncore Event Count:UNC_M_CAS_COUNT.RD[UNIT0],Uncore Event Count:UNC_M_CAS_COUNT.WR[UNIT0]\np,1,x\n",
     "line 2, column 3 (Uncore Event Count:UNC_M_CAS_COUNT.WR[UNIT0]): 'x' is not a number"},
    {"vtune", "Package,Uncore Event Count:UNC_M_CAS_COUNT.RD[UNIT0],Uncore Event Count:UNC_M_CAS_COUNT.WR[UNIT0]\n",
     "has a heading and no rows"},
    {"vtune", "UNC_M_CAS_COUNT.RD[UNIT0] = 2\nUNC_M_CAS_COUNT.WR[UNIT0] = 2\n--->Total Bytes = 128\n", "make 256"},
    {"vtune", "UNC_M_CAS_COUNT.RD[UNIT0] = 2\n", "lacks its totals"},
    {"likwid-perfctr", "| Metric | Core 0 |\n", "neither a line 'TABLE,Group 1"},
    {"likwid-perfctr", "TABLE,Region a\n", "line 1: not 'TABLE,Group N"},
    {"likwid-perfctr", LIKWID_HEAD "Runtime (RDTSC) [s],1.0\n", "line 4: Runtime (RDTSC) [s] of 1 threads where the"},
    {"likwid-perfctr", LIKWID_HEAD "Runtime (RDTSC) [s],1.0,nan\n", "of thread 2: 'nan' is not a number"},
    {"likwid-perfctr", LIKWID_HEAD "Memory data volume [GBytes],1.0,0\n", "and the group one of metrics (-g MEM_DP)"},
    {"likwid-perfctr", LIKWID_HEAD "Runtime (RDTSC) [s],1,1\nClock [MHz],1,1\n", "has neither flop nor memory volume"},
    {"likwid-perfctr", LIKWID_HEAD "Runtime (RDTSC) [s],1,1\nDP [MFLOP/s] (AVX assumed),1,1\n",
     "rests on an assumption"},
    {"likwid-perfctr",
     LIKWID_HEAD "Runtime (RDTSC) [s],1,1\nDP [MFLOP/s],1,1\n"
                 "TABLE,Group 2 Metric,FLOPS_DP,2\nMetric,Core 0,Core 1\nRuntime (RDTSC) [s],1,1\nDP [MFLOP/s],1,1\n",
     "its groups measured 'the program' in turn"},
    {"likwid-perfctr",
     LIKWID_HEAD "Runtime (RDTSC) [s],1,1\nDP [MFLOP/s],1,1\n" LIKWID_HEAD
                 "Runtime (RDTSC) [s],1,1\nDP [MFLOP/s],1,1\n",
     "group MEM has a second value of the flop of 'the program'"},
    {"likwid-perfctr",
     "TABLE,Region a,Group 1 Metric,MEM,2\nRegion Info,HWThread 0\ncall count,2\nMetric,HWThread 0\n"
     "Runtime (RDTSC) [s],1\nDP [MFLOP/s],1\nTABLE,Region a,Group 2 Metric,MEM,2\nRegion Info,HWThread 0\ncall "
     "count,3\n"
     "Metric,HWThread 0\nRuntime (RDTSC) [s],1\nMemory data volume [GBytes],1\n",
     "its groups measured 'a' in turn"},
    {"likwid-perfctr", "TABLE,Group 1 Raw,Custom,2\nEvent,Counter,HWThread 0\nhello\nRuntime (RDTSC) [s],TSC,1.0\n",
     "not of single events"},
    {"likwid-perfctr", "<?xml version=\"1.0\"?>\n<perfctr>\n<info>\n", "this is XML: use -O"},
    {"likwid-perfctr", "Measuring group FLOPS_DP\n| Metric | core 0 |\n", "likwid before version 4"},
    {"likwid-bench", "hello\n", "has no line 'Test: NAME'"},
    {"likwid-bench", "Test: load\nUsing 2 threads\n", "load ends without 'MByte/s'"},
    {"likwid-bench", "Test: load\nMByte/s: 12,5\n", "line 2, column 10: MByte/s: '12,5' has a thousands separator"},
    {"likwid-bench", "Test: load\nSize per thread: 4000\nMByte/s: 12\nLoads per update: 1\n",
     "its 4000 bytes a thread are"},
    {"likwid-perfctr", "# GID|MetricsCount|CpuCount|Total runtime [s]|DP [MFLOP/s]\n1 1 1 1.0 2000\n",
     "run likwid-perfctr without -t"},
    {"likwid-perfctr",
     "TABLE,Group 1 Raw,FLOPS_DP,2\nEvent,Counter,HWThread 0\nFP_ARITH_INST_RETIRED_SCALAR_DOUBLE,PMC0,125.344\n",
     "line 3: FP_ARITH_INST_RETIRED_SCALAR_DOUBLE of thread 1: '125.344' is not a whole number; a point"},
    {"likwid-perfctr", "{\"Group 1\": {}}\n", "this is JSON: use -O"},
    {"stream", "hello\n", "is not output of STREAM or BabelStream"},
    {"stream",
     "Function    Best Rate MB/s\n" STREAM_ROWS "     Expected Value: 1.1e+12, AvgAbsErr: 5.8e+11, AvgRelAbsErr: 0.5\n",
     "STREAM's own validation failed"},
    {"stream", "node7 Function    Best Rate MB/s\nnode7 Copy: 1 1 1 1\nnode8 Copy: 1 1 1 1\n", "occurs twice"},
    {"stream", "BabelStream\nImplementation: CUDA\n", "this is BabelStream on a GPU"},
    {"stream", "BabelStream\nRunning triad 100 times\n", "leave out --triad-only"},
    {"stream", "Function    MBytes/sec  Min (sec)\nCopy        1 1 1 1\nMul         1 1 1 1\n", "has no line 'Add '"},
    {"stream", "Array size = 0 (elements), Offset = 0\n" STREAM_HEAD RATES,
     "line 1: arrays of such a size are not possible"},
    {"stream", "Array size = 2e15 (elements)\n" STREAM_HEAD RATES, "not possible"},
    {"stream", "Array size = -8 (elements)\n" STREAM_HEAD RATES, "not possible"},
    {"stream", "This system uses 0 bytes per array element.\n" STREAM_HEAD RATES, "not possible"},
    {"stream", "Memory per array = 1e12 MiB\n" STREAM_HEAD RATES, "not possible"},
    {"stream", "function,num_times,n_elements,sizeof,max_mbytes_per_sec\nCopy,100,0,8,3\n",
     "line 2: arrays of such a size"},
    {"likwid-bench", "Number of Domains 3\nDomain 0:\n", "this is a list of likwid-bench"},
    {"likwid-bench", "Name: copy\nNumber of streams: 2\n", "this is a list of likwid-bench"},
    {"ert", "%!PS-Adobe-2.0\n", "this is a picture of ERT: import roofline.json"},
    {"ert", "set title 'x'\nset label '945.5 GFLOPs/sec (Maximum)' at 2,1134\n", "this is a script for gnuplot"},
    {"ert", "        4096           16         120.5      2097152       131072\n\nMETA_DATA\nMPI_PROCS 1\n",
     "these are single trials of ERT"},
    {"ert", "# a comment\nERT_RESULTS Results.node\n", "this is ERT's configuration"},
    {"sde", "TID: 0\nicount: 170\nuses: 19\nall_ones: 5\n", "this is SDE's simple mask profile"},
    {"sde", "{\"mix\": 1}\n", "this is JSON"},
    {"vtune", "vtune: Using result path\nElapsed Time: 17.590s\n    DP GFLOPS: 1.820\n",
     "this is VTune's summary: make it"},
    {"vtune", "Hierarchy Level,Metric Name,Metric Value\n0,Elapsed Time,149.7\n", "this is VTune's summary as CSV"},
    {"vtune", "Function,Module,Hardware Event Count:INST_RETIRED.ANY\nf,m,5\n", "report of the cores' events"},
    {"vtune", "Package    Uncore Event Count:UNC_M_CAS_COUNT.RD[UNIT0]\n---------  ----\npackage_0  1,000\n",
     "line 1: this is VTune's text: make it with"},
    {"vtune", "Function,Uncore Event Count:UNC_M_CAS_COUNT.RD,Uncore Event Count:UNC_M_CAS_COUNT.WR\nf,1,1\n",
     "unknown column 'Function'; known with -group-by=package"},
    {"perf", "# started on Fri\n\n5,,cycles,1,100\n# started on Sat\n\n6,,branches,1,100\n",
     "has several runs (--append)"},
    {"perf", "# Samples: 5K of event 'cycles'\n# Overhead  Command\n", "this is a report of samples"},
    {"nvprof", "==1== Profiling result:\n GPU activities:   67.08%  8.6348ms   14  616.77us  k\n",
     "nvprof's text: add --csv"},
    {"nvprof", "\"Device\",\"Context\",\"Stream\",\"Kernel\",\"Correlation_ID\",\"flop_count_dp\"\n",
     "this is a trace of launches"},
    {"nvprof", "\"Time (%)\",\"Total Time (ns)\",\"Instances\",\"Name\"\n", "this is a report of Nsight Systems"},
    {"nsight", "==ERROR== ERR_NVGPUCTRPERM - The user\n", "was not allowed to count"},
    {"nsight", "==WARNING== No kernels were profiled.\n", "ncu profiled no kernel"},
    {"nsight", "\"#\",\"Address\",\"Source\",\"# Samples\"\n", "this is the source page"},
    {"nsight", "  k(float *) (4, 1, 1)x(256, 1, 1)\n    Section: GPU Speed Of Light Throughput\n",
     "this is ncu's text"},
    {"nsight", "\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\"\n\"V\",\"k\",2,\"flop_count_dp\"\n",
     "use carmine import nvprof"},
    {"nsight", NCU_HEAD LAUNCH("0", "dram__bytes.sum", "byte", "1 234.567,5") LAUNCH("0", FFMA, "inst", "7"),
     "LC_ALL=C"},
    {"stream", "function,num_times,n_elements,sizeof,max_mbytes_per_sec\nCopy,100,3\n", "ends before its rate"},
    {"stream",
     "Validation failed on c[]. Average error 0.5\nFunction    MBytes/sec\nCopy 1\nMul 1\nAdd 1\nTriad 1\nDot 1\n",
     "BabelStream's own validation failed"},
    {"stream", "Function    Best Rate MB/s\nCopy: 1 1 1 1\nScale: 1 1 1 1\nAdd: 1 1 1 1\n", "has no line 'Triad:'"},
    {"stream", "Function    Best Rate MB/s\nCopy: fast\n", "line 2, column 7: the rate of Copy 'fast' is not a number"},
    {"stream",
     "STREAM version\nCopy: 1 1 1 1\nScale: 1 1 1 1\nAdd: 1 1 1 1\nTriad: 1 1 1 1\nFailed Validation on array a[]\n",
     "own validation failed"},
    {"ert", "{\"empirical\": ", "line 1, column"},
    {"ert", "1e308 DRAM EMP\n", "line 1, column 1: '1e308' is too large"},
    {"ert", "1e25 DRAM EMP\n", "line 1: ert.update is not possible: value must be possible for its kind"},
    {"stream", "STREAM version\nCopy: 1e29 1 1 1\nScale: 1 1 1 1\nAdd: 1 1 1 1\nTriad: 1 1 1 1\n",
     "stream.copy is not possible"},
    {"csv", "name,flop,core_bytes\na,1e308,2\n", "line 2, column 2 (flop): '1e308' is too large"},
    {"csv", "name,flop,core_bytes\na,5e-324,2\n", "line 2, column 2 (flop): '5e-324' is too small"},
    {"csv", "name,flop,core_bytes\na,1e29,2\n", "a: flop: must be 0, or from 1e-06 to 1e+26 flop, not 1e+29"},
    {"csv", "name,seconds,flop,core_bytes\na,1e-20,1,2\n", "a: seconds: must be 0, or from 1e-15 to 1e+10 s"},
    {"csv", "name,flop,core_bytes,threads\na,1,2,1e18\n", "(threads): must be a whole number up to 1e+09"},
    {"csv", "name,flop,core_bytes,threads\na,1,2,1.5\n", "(threads): must be a whole number"},
    {"ert", "{\"empirical\": {}}", "empirical.gflops.data must be a list"},
    {"ert", "{\"empirical\": {\"gflops\": {\"data\": [[\"FP64 GFLOPs\"]]}}}",
     "empirical.gflops.data[0] must be [name, number]"},
    {"ert", "{\"empirical\": {\"gflops\": {\"data\": [[\"FP8 GFLOPs\", 1]]}}}", "unknown ceiling 'FP8 GFLOPs'"},
    {"ert", "1 GFLOPs EMP\n2 L1 EMP\n3 L1 EMP\n", "line 3: L1 ert.update of 0 threads occurs twice"},
    {"ert", "x GFLOPs EMP\n", "line 1, column 1: 'x' is not a number"},
    {"ert", "1 DRAMM EMP\n", "unknown level 'DRAMM'"},
    {"ert", "nothing\n", "is not a result of ERT"},
    {"perf", "# started\n\n", "has no events"},
    {"perf", "cycles: 5\n", "line 1: not VALUE,UNIT,EVENT"},
    {"perf", "1.001,5,,cycles,1,100\n", "intervals (-I) are not read"},
    {"perf", "1.001,<not counted>,,cycles,0,0\n", "leave -I out"},
    {"perf", "S0,4,5,,cycles,1,100\n", "column 1: 'S0' is not a number (leave out -A, --per-core, --per-socket"},
    {"perf", "CPU0,5,,cycles,1,100\n", "column 1: 'CPU0' is not a number (leave out -A"},
    {"perf", "sleep-4711,5,,cycles,1,100\n", "column 1: 'sleep-4711' is not a number (leave out"},
    {"perf", "summary,5,,cycles,1,100\n", "column 1: 'summary' is not a number (leave out"},
    {"perf", "GHz,insn  per cycle,branch-misses of all branches,\n3.9,1.2,0.5,\n", "leave out --metric-only"},
    {"perf", "{\"counter-value\" : \"5.000000\", \"unit\" : \"\", \"event\" : \"cycles\"}\n",
     "this is perf stat's JSON (-j): run it with -x,"},
    {"perf", "\n Performance counter stats for 'sleep 1':\n\n   5,000   cycles\n", "run it with -x,"},
    {"perf", "870.912,,fp_arith_inst_retired.scalar_double,1,100\n",
     "fp_arith_inst_retired.scalar_double: '870.912' is not a whole number; a point between thousands is of another"},
    {"perf", "870.000,,fp_arith_inst_retired.scalar_double,1,100\n", "may have a point between thousands"},
    {"perf", "5,,cycles,1,100\n", "none of its 1 events counts flop or DRAM bytes"},
    {"perf", "5,,fp_arith_inst_retired.scalar_double,1,100\n", "flop also need the event FP_ARITH"},
    {"perf", "5,,fp_arith_inst_retired.vector,1,100\n", "fp_arith_inst_retired_vector is in no known formula"},
    {"perf", "5,,fp_ret_sse_avx_ops.all,1,100\n5,,fp_ret_sse_avx_ops.all:u,1,100\n",
     "line 2: fp_ret_sse_avx_ops.all occurs twice"},
    {"perf", HYBRID_FLOP, "whether the program ran on E cores is not known: count the cycles"},
    {"perf", HYBRID_FLOP "900,,cpu_core/cycles/u,1,100\n100,,cpu_atom/cycles/u,1,100\n",
     "10 % of its cycles were on E cores"},
    {"perf", "5,,cpu_atom/fp_flops_retired.all/,1,100\n", "cpu_atom/fp_flops_retired_all is in no known formula"},
    {"perf", "5,,fp_scale_ops_spec:u,1,100\n5,,fp_fixed_ops_spec:u,1,100\n",
     "FP_SCALE_OPS_SPEC counts 128-bit parts of SVE vectors, and the file does not tell their length"},
    {"perf", "<not counted>,MiB,uncore_imc/cas_count_read/,0,0\n", "<not counted>: uncore_imc/cas_count_read"},
    {"perf", "5,MiB,uncore_imc/cas_count_read/,1,100\n", "has only the reads of DRAM"},
    {"nvprof", "hello\n", "is not a CSV of nvprof"},
    {"nvprof", "==1== Profiling result:\n\"Start\",\"Duration\",\"Grid X\"\n",
     "this is a trace of launches: use --print-gpu-summary"},
    {"nvprof", "\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"\n", "of nvprof before CUDA 9"},
    {"nvprof", "\"Device\",\"Kernel\",\"Invocations\",\"Event Name\",\"Min\"\n",
     "counts of events (--events): use --metrics"},
    {"nvprof", "==1== Metric result:\nInvocations  Metric Name\n", "nvprof's text: add --csv"},
    {"nvprof", "\"Device\",\"Kernel\",\"Correlation\"\n", "line 1, column 3: unknown column 'Correlation'"},
    {"nvprof", "\"Device\",\"Kernel\",\"Invocations\"\n", "there is no column 'Metric Name'"},
    {"nvprof", "\"Type\",\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"\n", "ends behind its heading"},
    {"nvprof", "\"Type\",\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"\n,%,min,,us,us,us,\n",
     "line 2, column 3 (Time): must be a unit"},
    {"nvprof",
     "\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Metric Description\",\"Min\",\"Max\",\"Avg\"\n"
     "\"V (0)\",\"k\",2,\"flop_count_dp\",\"d\",1,1,1\n",
     "kernel p/k has no dram_read_transactions"},
    {"nsight", "hello\n", "is not a CSV of Nsight Compute"},
    {"nsight", NSIGHT_HEAD "\"Speed\"\n", "line 1, column 6: unknown column 'Speed'"},
    {"nsight", "\"ID\",\"Device\"\n", "there is no column 'Kernel Name'"},
    {"nsight", "\"ID\",\"Kernel Name\"\n", "has a heading and no rows"},
    {"nsight", "\"ID\",\"Kernel Name\",\"dram__bytes.sum\"\n\"\",\"\",\"furlong\"\n\"0\",\"k\",\"5\"\n",
     "has an unknown unit"},
    {"nsight",
     NCU_HEAD LAUNCH("0", "dram__bytes_read.sum", "byte", "2.000") LAUNCH("0", "gpu__time_duration.sum", "ns", "5"),
     "may be 2 or a thousand times as much"},
    {"nsight",
     NCU_HEAD LAUNCH("0", "dram__bytes_read.sum", "byte", "27.595.520")
         LAUNCH("0", "gpu__time_duration.sum", "us", "5.25"),
     "two locales: '27.595.520' has a decimal comma or points between thousands, '5.25' has not; make it with "
     "LC_ALL=C ncu"},
    {"nsight",
     NCU_HEAD LAUNCH("0", "dram__bytes_read.sum", "byte", "12 (1; 11)")
         LAUNCH("0", "gpu__time_duration.sum", "ns", "5"),
     "leave out --print-metric-instances"},
    {"nsight", "\"Process ID\",\"Kernel Name\",\"Invocations\"\n", "leave out --print-summary"},
    {"nsight", "\"Domain\",\"Range\",\"Kernel Name\",\"Invocations\"\n", "leave out --print-summary"},
    {"nsight", "  axpy (390625, 1, 1)x(256, 1, 1)\n    dram__bytes_read.sum  byte  5\n", "make it with ncu --csv"},
    {"nsight",
     "\"ID\",\"Kernel Name\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\",\"Rule Name\"\n"
     "\"0\",\"k\",\"GPU Speed Of Light Throughput\",\"Duration\",\"us\",\"5.25\",\"\"\n",
     "with --page raw"},
    {"nsight", "\"ID\",\"Kernel Name\",\"dram__bytes.sum\"\n\"\",\"\",\"byte\"\n\"0\",\"k\",\"5\"\n", "has no flop"},
    {"nsight",
     "\"ID\",\"Kernel "
     "Name\",\"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum\"\n\"\",\"\",\"inst\"\n\"0\",\"k\",\"5\"\n",
     "has no DRAM bytes"},
    {"nsight", "\"ID\",\"Kernel Name\",\"dram__bytes.sum\"\n\"0\",\"k\"\n",
     "line 2, column 2: a row of 2 cells below a heading of 3"},
};

static void bad_files_are_refused_with_their_place(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof REFUSED / sizeof REFUSED[0]; i++) {
        struct import import;
        struct error err = {""};
        fixture_write(fixture_path("bad"), REFUSED[i].text, strlen(REFUSED[i].text));
        if (read_files(REFUSED[i].format, (const char *const[]){fixture_path("bad"), NULL},
                       &(struct import_request){.name = "p"}, &import, &err))
            fail_msg("%s takes \"%s\"", REFUSED[i].format, REFUSED[i].text);
        if (!strstr(err.text, REFUSED[i].says))
            fail_msg("%s of \"%s\" says \"%s\", not \"%s\"", REFUSED[i].format, REFUSED[i].text, err.text,
                     REFUSED[i].says);
        assert_int_equal(strncmp(err.text, fixture_path("bad"), strlen(fixture_path("bad"))), 0);
        assert_null(strchr(err.text, '\n'));
        import_free(&import);
    }
}

static void no_text_and_no_file(void **state) {
    (void)state;
    struct import_text text;
    struct error err;
    fixture_write(fixture_path("zeros"), "ab\nc\0d", 6);
    assert_false(import_text_read(&text, fixture_path("zeros"), &err));
    assert_contains(err.text, "line 2, column 2: a byte 0x00");
    import_text_free(&text);
    assert_false(import_text_read(&text, fixture_path("not there"), &err));
    assert_contains(err.text, "cannot open");
    import_text_free(&text);
    assert_false(import_text_read(&text, fixture_folder, &err));
    assert_contains(err.text, "not a file");
    import_text_free(&text);
}

static void binary_forms_are_named(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        size_t length;
        const char *says;
    } CASES[] = {
        {"PERFILE2\0\1", 10, "this is perf.data of perf record: make counts with perf stat -x,"},
        {"NVR\0\5\0", 6, "ncu --import FILE --csv --page raw"},
        {"SQLite format 3\0\x10", 17, "nvprof --import FILE --csv --print-gpu-summary"},
        {"\xFF\xFE\"\0I\0", 6, "this is UTF-16"},
        {"\xFE\xFF\0\"", 4, "this is UTF-16"},
        {"\x1f\x8b\x08", 3, "unpack it with gunzip"},
        {"PK\3\4", 4, "a workbook"},
        {"\177ELF\2", 5, "this is a program"},
        {"NV", 2, NULL}, /* less than a mark */
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct import_text text;
        struct error err = {""};
        fixture_write(fixture_path("binary"), CASES[i].bytes, CASES[i].length);
        const bool taken = import_text_read(&text, fixture_path("binary"), &err);
        assert_int_equal(taken, CASES[i].says == NULL);
        if (CASES[i].says)
            assert_contains(err.text, CASES[i].says);
        import_text_free(&text);
    }
}

#define SDE_HEAD "# Mix output version 10\n# Intel(R) SDE version: 9.33.0 external\n# Starting tid 0,  OS-TID 7\n"
/* Sections for threads, blocks and functions hold parts of the global counts. */
static void sde_counts_the_global_section_alone(void **state) {
    (void)state;
    static const char *const FORMS[] = {
        SDE_HEAD
        "# EMIT_TOP_BLOCK_STATS FOR TID  0  OS-TID 7 EMIT  1\nBLOCK:     0   PC: 401000   ICOUNT: 80\n"
        "XDIS 401000: AVX        C5FD5800                 vaddpd ymm0, ymm0, ymmword ptr [rax]\n"
        "# END_TOP_BLOCK_STATS\n# EMIT_DYNAMIC_STATS FOR TID  0  OS-TID 7 EMIT  1\n# $dynamic-counts\n"
        "*elements_fp_double_4   6\n*mem-read-32  6\n# END_DYNAMIC_STATS\n"
        "# EMIT_DYNAMIC_STATS FOR TID  1  OS-TID 8 EMIT  1\n# $dynamic-counts\n*elements_fp_double_4   4\n"
        "*mem-read-32  4\n# END_DYNAMIC_STATS\n"
        "# EMIT_GLOBAL_DYNAMIC_STATS   EMIT# 1\n#\n# $global-dynamic-counts\n#\n#       iform      count\n"
        "*elements_fp_double_4   10\n*mem-read-32  10\n*mem-write-8  1\n*total  99\n# END_GLOBAL_DYNAMIC_STATS\n",
        /* opcodes in place of forms, and functions within the section */
        SDE_HEAD "# EMIT_GLOBAL_DYNAMIC_STATS   EMIT# 1\n# $global-dynamic-counts\n#       opcode      count\n"
                 "VADDPD  10\n*elements_fp_double_4   10\n*mem-read-32  10\n*mem-write-8  1\n"
                 "# $dynamic-counts-for-function: solve  IMG: /a at [0x1, 0x2)   90.0%\n"
                 "*elements_fp_double_4   9\n*mem-read-32  9\n# END_GLOBAL_DYNAMIC_STATS\n",
    };
    for (size_t i = 0; i < sizeof FORMS / sizeof FORMS[0]; i++) {
        struct import import;
        struct error err;
        fixture_write(fixture_path("mix"), FORMS[i], strlen(FORMS[i]));
        if (!read_files("sde", (const char *const[]){fixture_path("mix"), NULL}, &(struct import_request){.name = "p"},
                        &import, &err))
            fail_msg("%s", err.text);
        check("the mix", "the flop", &import.points[0].flop, 40);
        check("the mix", "the bytes loaded", &import.points[0].load_bytes, 320);
        check("the mix", "the bytes stored", &import.points[0].store_bytes, 8);
        import_free(&import);
    }
}

static void a_mask_profile_without_elements_fits_no_masked_mix(void **state) {
    (void)state;
    static const char EMPTY[] = "<thread>\n<thread-number> 0 </thread-number>\n</thread>\n";
    struct import import;
    struct error err;
    fixture_write(fixture_path("profile"), EMPTY, strlen(EMPTY));
    assert_false(read_files("sde", (const char *const[]){fixture_path("profile"), SAMPLE("sde_mix_avx512.txt"), NULL},
                            &(struct import_request){.name = "p"}, &import, &err));
    assert_contains(err.text, "the mask profile has none");
    import_free(&import);
}

/* The controllers' counts of one run are added up, those of two runs are not. */
static void dram_bytes_of_perf_are_of_one_run(void **state) {
    (void)state;
    static const char COUNTS[] = "3,,uncore_imc_0/cas_count_read/,1,100\n4,,uncore_imc_1/cas_count_read/,1,100\n"
                                 "1,,uncore_imc_0/cas_count_write/,1,100\n";
    char first[256];
    struct import import;
    struct error err;
    snprintf(first, sizeof first, "%s", fixture_path("first"));
    fixture_write(first, COUNTS, strlen(COUNTS));
    fixture_write(fixture_path("second"), COUNTS, strlen(COUNTS));
    const struct import_request request = {.name = "p"};
    assert_true(read_files("perf", (const char *const[]){first, NULL}, &request, &import, &err));
    check("one run", "the DRAM reads", &import.points[0].dram_read_bytes, 7 * 64);
    check("one run", "the DRAM writes", &import.points[0].dram_write_bytes, 64);
    import_free(&import);
    assert_false(
        read_files("perf", (const char *const[]){first, fixture_path("second"), NULL}, &request, &import, &err));
    assert_contains(err.text, "was counted in another file, too");
    import_free(&import);
}

/* Any part of a file is accepted or rejected, and never read beyond its end (checked by ASan). */
static void truncated_files_do_no_harm(void **state) {
    (void)state;
    static const struct {
        const char *format, *file;
    } CASES[] = {
        {"sde", SAMPLE("sde_mix.txt")},
        {"sde", SAMPLE("sde_mask_profile.txt")},
        {"sde", SAMPLE("stream_sde_sums.txt")},
        {"vtune", SAMPLE("vtune.csv")},
        {"likwid-perfctr", SAMPLE("likwid_mem_dp.csv")},
        {"likwid-bench", SAMPLE("likwid_bench.txt")},
        {"stream", SAMPLE("stream.txt")},
        {"stream", SAMPLE("babelstream.txt")},
        {"ert", SAMPLE("ert.json")},
        {"ert", SAMPLE("ert_summary.txt")},
        {"perf", SAMPLE("perf_spr.csv")},
        {"nvprof", SAMPLE("nvprof_metrics.csv")},
        {"nvprof", SAMPLE("nvprof_times.csv")},
        {"nsight", SAMPLE("nsight_raw.csv")},
        {"nsight", SAMPLE("nsight_details.csv")},
        {"csv", SAMPLE("plain.csv")},
        {"csv", SAMPLE("plain_series.csv")},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        size_t length, refused = 0, tries = 0;
        char *text = fixture_read(CASES[i].file, &length);
        for (size_t part = 1; part < length; part += length / 60 + 1, tries++) {
            struct import import;
            struct error err = {""};
            fixture_write(fixture_path("part"), text, part);
            bool taken = read_files(CASES[i].format, (const char *const[]){fixture_path("part"), NULL},
                                    &(struct import_request){.name = "p", .level = "DRAM"}, &import, &err);
            assert_true(taken || err.text[0]);
            refused += !taken;
            import_free(&import);
        }
        if (refused < tries / 5) /* most formats mark their end */
            fail_msg("of %s cut short %zu of %zu times only %zu were refused", CASES[i].file, tries, tries, refused);
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_have_known_answers),
        cmocka_unit_test(roofs_have_known_values),
        cmocka_unit_test(every_form_of_roofs_is_read),
        cmocka_unit_test(every_form_of_points_is_read),
        cmocka_unit_test(what_is_told_twice_as_json_in_a_string),
        cmocka_unit_test(the_machine_is_told_where_it_is),
        cmocka_unit_test(points_of_a_series_are_joined),
        cmocka_unit_test(what_the_user_says_completes_what_is_not_told),
        cmocka_unit_test(bad_files_are_refused_with_their_place),
        cmocka_unit_test(no_text_and_no_file),
        cmocka_unit_test(binary_forms_are_named),
        cmocka_unit_test(dram_bytes_of_perf_are_of_one_run),
        cmocka_unit_test(sde_counts_the_global_section_alone),
        cmocka_unit_test(a_mask_profile_without_elements_fits_no_masked_mix),
        cmocka_unit_test(truncated_files_do_no_harm),
    };
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
