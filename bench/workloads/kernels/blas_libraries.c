/* SPDX-License-Identifier: BSD-3-Clause
 * BLAS 1 to 3 by libraries: daxpy, dgemv and dgemm, or saxpy, sgemv and sgemm, of OpenBLAS, BLIS and the reference in
 * Fortran, each by its C interface. Included by variant.c. */
#include "variant.h"

static const double GEMM_ALPHA = 0.5, GEMM_BETA = 0.5;

/* Constants of the C interface with 32-bit integers. */
enum { ROW_MAJOR = 101, NOT_TRANSPOSED = 111 };

struct blas {
    void (*axpy)(int n, real alpha, const real *x, int x_step, real *y, int y_step);
    void (*gemv)(int order, int transposed, int rows, int columns, real alpha, const real *a, int a_row, const real *x,
                 int x_step, real beta, real *y, int y_step);
    void (*gemm)(int order, int a_transposed, int b_transposed, int rows, int columns, int depth, real alpha,
                 const real *a, int a_row, const real *b, int b_row, real beta, real *c, int c_row);
};

/* OpenBLAS chooses its kernels when it is loaded, and takes SSE ones for a CPU newer than itself. So this sets the
 * kernels for the workload's ISA. */
static void openblas_choose_core(const struct isa *isa) {
    static const struct {
        const char *isa, *core;
    } cores[] = {{"avx512", "SkylakeX"}, {"avx2", "Haswell"}, {"avx", "Sandybridge"}, {"sse", "Nehalem"}};
    for (size_t i = 0; i < sizeof cores / sizeof *cores; i++)
        if (strcmp(isa->name, cores[i].isa) == 0)
            setenv("OPENBLAS_CORETYPE", cores[i].core, false);
}

/* Loads the functions of a library; NULL and an error: not installed. */
static void *blas_open(struct task *task, const char *file, const char *name, const char *package, struct error *err) {
    void *library = library_open(file, name, package, err);
    struct blas *blas = need_calloc(1, sizeof *blas);
    if (!library || !library_function(library, IS_F64 ? "cblas_daxpy" : "cblas_saxpy", &blas->axpy, err) ||
        !library_function(library, IS_F64 ? "cblas_dgemv" : "cblas_sgemv", &blas->gemv, err) ||
        !library_function(library, IS_F64 ? "cblas_dgemm" : "cblas_sgemm", &blas->gemm, err)) {
        free(blas);
        return NULL;
    }
    task->library = blas;
    return library;
}

static void blas_close(struct task *task) {
    free(task->library);
    task->library = NULL;
}

static bool openblas_open(struct task *task, struct error *err) {
    void (*set_threads)(int);
    const char *(*configuration)(void), *(*core)(void);
    openblas_choose_core(task->isa);
    void *library = blas_open(task, "libopenblas.so.0", "OpenBLAS", "libopenblas0", err);
    if (!library || !library_function(library, "openblas_set_num_threads", &set_threads, err) ||
        !library_function(library, "openblas_get_config", &configuration, err) ||
        !library_function(library, "openblas_get_corename", &core, err)) {
        blas_close(task);
        return false;
    }
    set_threads((int)task->threads);
    int version_length = (int)strcspn(strchr(configuration(), ' ') + 1, " ") + (int)strlen("OpenBLAS ");
    snprintf(task->library_name, sizeof task->library_name, "%.*s, %s", version_length, configuration(), core());
    return true;
}

/* BLIS chooses its kernels by the CPU alone, and starts its threads with each call. */
static bool blis_open(struct task *task, struct error *err) {
    void (*set_threads)(long);
    const char *(*version)(void), *(*core_name)(int);
    int (*core)(void);
    void *library = blas_open(task, "libblis.so.4", "BLIS", "libblis4-pthread", err);
    if (!library || !library_function(library, "bli_thread_set_num_threads", &set_threads, err) ||
        !library_function(library, "bli_info_get_version_str", &version, err) ||
        !library_function(library, "bli_arch_query_id", &core, err) ||
        !library_function(library, "bli_arch_string", &core_name, err)) {
        blas_close(task);
        return false;
    }
    set_threads((long)task->threads);
    snprintf(task->library_name, sizeof task->library_name, "BLIS %s, %s", version(), core_name(core()));
    return true;
}

/* Debian installs it in a separate folder, since all BLAS have libraries of this name. */
static bool reference_open(struct task *task, struct error *err) {
    if (!blas_open(task, "/usr/lib/" MULTIARCH "/blas/libblas.so.3", "the reference BLAS", "libblas3", err))
        return false;
    snprintf(task->library_name, sizeof task->library_name, "reference BLAS");
    return true;
}

static void daxpy_library_run(const struct lane *lane, void *const *arrays) {
    const struct blas *blas = lane->task->library;
    blas->axpy((int)lane->task->n, (real)ALPHA, arrays[0], 1, arrays[1], 1);
}

static void dgemv_library_run(const struct lane *lane, void *const *arrays) {
    const struct blas *blas = lane->task->library;
    const int n = (int)lane->task->n;
    blas->gemv(ROW_MAJOR, NOT_TRANSPOSED, n, n, (real)GEMV_ALPHA, arrays[0], n, arrays[1], 1, (real)GEMV_BETA,
               arrays[2], 1);
}

static void dgemm_library_run(const struct lane *lane, void *const *arrays) {
    const struct blas *blas = lane->task->library;
    const int n = (int)lane->task->n;
    blas->gemm(ROW_MAJOR, NOT_TRANSPOSED, NOT_TRANSPOSED, n, n, n, (real)GEMM_ALPHA, arrays[0], n, arrays[1], n,
               (real)GEMM_BETA, arrays[2], n);
}

static void daxpy_library_work(const struct task *task, struct work *out) {
    *out = (struct work){.flop = 2 * task->n};
}
static void dgemm_library_work(const struct task *task, struct work *out) {
    *out = (struct work){.flop = 2 * task->n * task->n * (task->n + 1)};
}
static double dgemm_library_check(const struct task *task, void *const *arrays) {
    return product_error(task, arrays, GEMM_ALPHA, GEMM_BETA);
}

#define OPENBLAS_ROW  .own_threads = true, .open = openblas_open, .close = blas_close
#define BLIS_ROW      .own_threads = true, .open = blis_open, .close = blas_close
#define REFERENCE_ROW .one_thread = true, .open = reference_open, .close = blas_close

#define DAXPY_LIBRARY_ROW                                                                                              \
    .size = "elements of each vector", .arrays = {{"x", size_n, READ, 0}, {"y", size_n, UPDATED, 0}},                  \
    .work = daxpy_library_work, .run = daxpy_library_run, .expected = daxpy_expected, .tolerance = 2
#define DGEMV_LIBRARY_ROW DGEMV_ROW, .work = dgemv_flop, .run = dgemv_library_run
/* A library may use other code, or a single thread, for small products. */
#define DGEMM_LIBRARY_ROW                                                                                              \
    DGEMM_ROW, .alike_from = 500, .work = dgemm_library_work, .run = dgemm_library_run, .check = dgemm_library_check

static const struct workload
    daxpy_openblas = {.name = "daxpy-openblas", .summary = "y ← αx + y by OpenBLAS", OPENBLAS_ROW, DAXPY_LIBRARY_ROW},
    dgemv_openblas = {.name = "dgemv-openblas", .summary = "y ← αAx + βy by OpenBLAS", OPENBLAS_ROW, DGEMV_LIBRARY_ROW},
    dgemm_openblas = {.name = "dgemm-openblas", .summary = "C ← αAB + βC by OpenBLAS", OPENBLAS_ROW, DGEMM_LIBRARY_ROW},
    daxpy_blis = {.name = "daxpy-blis", .summary = "y ← αx + y by BLIS", BLIS_ROW, DAXPY_LIBRARY_ROW},
    dgemv_blis = {.name = "dgemv-blis", .summary = "y ← αAx + βy by BLIS", BLIS_ROW, DGEMV_LIBRARY_ROW},
    dgemm_blis = {.name = "dgemm-blis", .summary = "C ← αAB + βC by BLIS", BLIS_ROW, DGEMM_LIBRARY_ROW},
    daxpy_reference = {.name = "daxpy-reference",
                       .summary = "y ← αx + y by the reference BLAS",
                       REFERENCE_ROW,
                       DAXPY_LIBRARY_ROW},
    dgemv_reference = {.name = "dgemv-reference",
                       .summary = "y ← αAx + βy by the reference BLAS",
                       REFERENCE_ROW,
                       DGEMV_LIBRARY_ROW},
    dgemm_reference = {
        .name = "dgemm-reference", .summary = "C ← αAB + βC by the reference BLAS", REFERENCE_ROW, DGEMM_LIBRARY_ROW};
