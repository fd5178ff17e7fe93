/* SPDX-License-Identifier: BSD-3-Clause
 * BLAS 1 to 3 by OpenBLAS: daxpy, dgemv and dgemm, or saxpy, sgemv and sgemm. Included by variant.c. */
#include "variant.h"

static const double GEMM_ALPHA = 0.5, GEMM_BETA = 0.5;

/* The C interface with 32-bit integers, by its numbers. */
enum { ROW_MAJOR = 101, NOT_TRANSPOSED = 111 };

struct openblas {
    void (*axpy)(int n, real alpha, const real *x, int x_step, real *y, int y_step);
    void (*gemv)(int order, int transposed, int rows, int columns, real alpha, const real *a, int a_row, const real *x,
                 int x_step, real beta, real *y, int y_step);
    void (*gemm)(int order, int a_transposed, int b_transposed, int rows, int columns, int depth, real alpha,
                 const real *a, int a_row, const real *b, int b_row, real beta, real *c, int c_row);
};

/* OpenBLAS chooses its kernels when it is loaded, and takes SSE ones for a CPU that is newer than it; so it is told
 * which are of the ISA that the workload was compiled for. */
static void openblas_choose_core(const struct isa *isa) {
    static const struct {
        const char *isa, *core;
    } cores[] = {{"avx512", "SkylakeX"}, {"avx2", "Haswell"}, {"avx", "Sandybridge"}, {"sse", "Nehalem"}};
    for (size_t i = 0; i < sizeof cores / sizeof *cores; i++)
        if (strcmp(isa->name, cores[i].isa) == 0)
            setenv("OPENBLAS_CORETYPE", cores[i].core, false);
}

static bool openblas_open(struct task *task, struct error *err) {
    openblas_choose_core(task->isa);
    void *library = library_open("libopenblas.so.0", "OpenBLAS", "libopenblas0", err);
    void (*set_threads)(int);
    const char *(*configuration)(void), *(*core)(void);
    struct openblas *blas = need_calloc(1, sizeof *blas);
    if (!library || !library_function(library, IS_F64 ? "cblas_daxpy" : "cblas_saxpy", &blas->axpy, err) ||
        !library_function(library, IS_F64 ? "cblas_dgemv" : "cblas_sgemv", &blas->gemv, err) ||
        !library_function(library, IS_F64 ? "cblas_dgemm" : "cblas_sgemm", &blas->gemm, err) ||
        !library_function(library, "openblas_set_num_threads", &set_threads, err) ||
        !library_function(library, "openblas_get_config", &configuration, err) ||
        !library_function(library, "openblas_get_corename", &core, err)) {
        free(blas);
        return false;
    }
    set_threads((int)task->threads);
    int version_length = (int)strcspn(strchr(configuration(), ' ') + 1, " ") + (int)strlen("OpenBLAS ");
    snprintf(task->library_name, sizeof task->library_name, "%.*s, %s", version_length, configuration(), core());
    task->library = blas;
    return true;
}

static void openblas_close(struct task *task) {
    free(task->library);
}

static void daxpy_openblas_run(const struct lane *lane, void *const *arrays) {
    const struct openblas *blas = lane->task->library;
    blas->axpy((int)lane->task->n, (real)ALPHA, arrays[0], 1, arrays[1], 1);
}

static void dgemv_openblas_run(const struct lane *lane, void *const *arrays) {
    const struct openblas *blas = lane->task->library;
    const int n = (int)lane->task->n;
    blas->gemv(ROW_MAJOR, NOT_TRANSPOSED, n, n, (real)GEMV_ALPHA, arrays[0], n, arrays[1], 1, (real)GEMV_BETA,
               arrays[2], 1);
}

static void dgemm_openblas_run(const struct lane *lane, void *const *arrays) {
    const struct openblas *blas = lane->task->library;
    const int n = (int)lane->task->n;
    blas->gemm(ROW_MAJOR, NOT_TRANSPOSED, NOT_TRANSPOSED, n, n, n, (real)GEMM_ALPHA, arrays[0], n, arrays[1], n,
               (real)GEMM_BETA, arrays[2], n);
}

static void daxpy_openblas_work(const struct task *task, struct work *out) {
    *out = (struct work){.flop = 2 * task->n};
}
static void dgemm_openblas_work(const struct task *task, struct work *out) {
    *out = (struct work){.flop = 2 * task->n * task->n * (task->n + 1)};
}
static double dgemm_openblas_check(const struct task *task, void *const *arrays) {
    return product_error(task, arrays, GEMM_ALPHA, GEMM_BETA);
}

#define OPENBLAS_ROW .own_threads = true, .open = openblas_open, .close = openblas_close

static const struct workload daxpy_openblas = {
    .name = "daxpy-openblas",
    .summary = "y ← αx + y by OpenBLAS",
    OPENBLAS_ROW,
    .size = "elements of each vector",
    .arrays = {{"x", size_n, READ, 0}, {"y", size_n, UPDATED, 0}},
    .work = daxpy_openblas_work,
    .run = daxpy_openblas_run,
    .expected = daxpy_expected,
    .tolerance = 2,
};
static const struct workload dgemv_openblas = {
    .name = "dgemv-openblas", DGEMV_ROW, OPENBLAS_ROW, .work = dgemv_flop, .run = dgemv_openblas_run};
static const struct workload dgemm_openblas = {
    .name = "dgemm-openblas",
    .summary = "C ← αAB + βC by OpenBLAS",
    DGEMM_ROW,
    OPENBLAS_ROW,
    .work = dgemm_openblas_work,
    .run = dgemm_openblas_run,
    .check = dgemm_openblas_check,
};
