/* SPDX-License-Identifier: BSD-3-Clause
 * Fourier transforms of n complex numbers in place: the textbook's radix 2 with twiddle factors computed on the way (as
 * in Numerical Recipes), a recursive split radix with a table of them, and FFTW. Included by variant.c. */
#include "variant.h"

/* Element i swaps places with the element at the bit-reversed index. */
static void reverse_bits(real *data, uint64_t n) {
    for (uint64_t i = 0, reversed = 0; i < n; i++) {
        if (reversed > i) {
            real swap_re = data[2 * i], swap_im = data[2 * i + 1];
            data[2 * i] = data[2 * reversed];
            data[2 * i + 1] = data[2 * reversed + 1];
            data[2 * reversed] = swap_re;
            data[2 * reversed + 1] = swap_im;
        }
        uint64_t bit = n / 2;
        for (; bit > 0 && reversed & bit; bit /= 2)
            reversed ^= bit;
        reversed |= bit;
    }
}

/* Danielson-Lanczos: each stage joins pairs of transforms of half the length. The next twiddle factor is w ← w + w
 * (cos θ - 1, sin θ) with cos θ - 1 = -2 sin²(θ/2). A stage's sine and cosine are computed from the previous stage's
 * by halving the angle, so every operation is counted here and none is in a library. All this is in double, as in
 * the book, since errors accumulate along the recurrence. */
static void fft_radix2_run(const struct lane *lane, void *const *arrays) {
    const uint64_t n = lane->task->n;
    real *data = arrays[0];
    reverse_bits(data, n);
    double sine = 0, half_sine = 1, half_cosine = 0; /* θ = π */
    for (uint64_t half = 1; half < n; half *= 2) {
        const double step_re = -2 * half_sine * half_sine, step_im = -sine;
        double w_re = 1, w_im = 0;
        for (uint64_t m = 0; m < half; m++) {
            const real wr = (real)w_re, wi = (real)w_im;
            for (uint64_t i = m; i < n; i += 2 * half) {
                real *low = data + 2 * i, *high = low + 2 * half;
                const real re = wr * high[0] - wi * high[1], im = wr * high[1] + wi * high[0];
                high[0] = low[0] - re;
                high[1] = low[1] - im;
                low[0] += re;
                low[1] += im;
            }
            const double last_re = w_re;
            w_re += w_re * step_re - w_im * step_im;
            w_im += w_im * step_re + last_re * step_im;
        }
        sine = half_sine;
        half_cosine = sqrt((1 + half_cosine) * 0.5);
        half_sine /= 2 * half_cosine;
    }
}

static uint64_t fft_elements(const struct task *task) {
    return 2 * task->n;
}
static uint64_t fft_pseudo_flop(uint64_t n) {
    return 5 * n * stages(n);
}

/* 10 for each butterfly (n/2 per stage), 8 for each twiddle factor (n - 1 in all), 7 for each stage's angles. */
static void fft_radix2_work(const struct task *task, struct work *out) {
    uint64_t n = task->n;
    *out = (struct work){.flop = 5 * n * stages(n) + 8 * (n - 1) + 7 * stages(n), .pseudo_flop = fft_pseudo_flop(n)};
}

/* The error of a few frequencies (of all for small transforms) against the definition, and of Parseval's sum of
 * squares. */
static double fft_check(const struct task *task, void *const *arrays) {
    enum { LOOKED_AT = 16, ALL_UP_TO = 256 };
    const uint64_t n = task->n, step = n > ALL_UP_TO ? n / LOOKED_AT + 1 : 1;
    const real *data = arrays[0];
    double *circle = calloc(n, 2 * sizeof *circle), *in = calloc(n, 2 * sizeof *in);
    double before = 0, after = 0, worst = circle && in ? 0 : NAN;
    for (uint64_t i = 0; circle && in && i < 2 * n; i++) {
        in[i] = workload_value(task, 0, i);
        before += in[i] * in[i];
        after += (double)data[i] * (double)data[i];
        double angle = 2 * M_PI * (double)(i / 2) / (double)n;
        circle[i] = i % 2 ? -sin(angle) : cos(angle);
    }
    for (uint64_t k = 0; circle && in && k < n; k += step) {
        double re = 0, im = 0;
        for (uint64_t i = 0; i < n; i++) {
            const double *w = circle + 2 * (i * k % n);
            re += in[2 * i] * w[0] - in[2 * i + 1] * w[1];
            im += in[2 * i] * w[1] + in[2 * i + 1] * w[0];
        }
        double error = hypot((double)data[2 * k] - re, (double)data[2 * k + 1] - im) / sqrt(before);
        worst = worst_of(worst, error);
    }
    free(circle);
    free(in);
    return worst_of(worst, fabs(after / ((double)n * before) - 1));
}

#define FFT_ROW                                                                                                        \
    .size = "complex numbers, a power of two", .size_least = 2, .power_of_two = true,                                  \
    .arrays = {{"data", fft_elements, UPDATED, 0}}, .value = transform_value, .check = fft_check, .tolerance = 64,     \
    .sums = true

static const struct workload fft_radix2 = {
    .name = "fft-radix2",
    .summary = "Fourier transform in place: radix 2",
    FFT_ROW,
    .one_thread = true,
    .work = fft_radix2_work,
    .run = fft_radix2_run,
};

/* Split radix, decimation in frequency: a transform of n becomes one of n/2 and two of n/4, depth first, so that
 * small ones run in caches of any size. For each quarter's element k the table has w^k and w^3k, w = exp(-2πi/n);
 * the factors for length n start at real n - 4. */
static void split_radix(real *data, uint64_t n, const real *table) {
    if (n == 2) {
        const real re = data[0] - data[2], im = data[1] - data[3];
        data[0] += data[2];
        data[1] += data[3];
        data[2] = re;
        data[3] = im;
    }
    if (n < 4)
        return;
    real *a = data, *b = data + n / 2, *c = data + n, *d = data + n + n / 2;
    const real *w = table + n - 4;
    for (uint64_t at = 0; at < n / 2; at += 2, w += 4) {
        const real even_re = a[at] - c[at], even_im = a[at + 1] - c[at + 1];
        const real odd_re = b[at] - d[at], odd_im = b[at + 1] - d[at + 1];
        a[at] += c[at];
        a[at + 1] += c[at + 1];
        b[at] += d[at];
        b[at + 1] += d[at + 1];
        const real one_re = even_re + odd_im, one_im = even_im - odd_re;
        const real three_re = even_re - odd_im, three_im = even_im + odd_re;
        c[at] = one_re * w[0] - one_im * w[1];
        c[at + 1] = one_re * w[1] + one_im * w[0];
        d[at] = three_re * w[2] - three_im * w[3];
        d[at + 1] = three_re * w[3] + three_im * w[2];
    }
    split_radix(data, n / 2, table);
    split_radix(c, n / 4, table);
    split_radix(d, n / 4, table);
}

static void fft_split_run(const struct lane *lane, void *const *arrays) {
    split_radix(arrays[0], lane->task->n, arrays[1]);
    reverse_bits(arrays[0], lane->task->n);
}

static double fft_split_value(const struct task *task, unsigned array, uint64_t index) {
    if (array == 0)
        return transform_value(task, array, index);
    uint64_t length = 4;
    while (2 * length - 4 <= index)
        length *= 2;
    const uint64_t in_length = index - (length - 4), power = in_length / 4 * (in_length % 4 < 2 ? 1 : 3);
    const double angle = 2 * M_PI * (double)power / (double)length;
    return in_length % 2 ? -sin(angle) : cos(angle);
}

/* 24 for each element of a quarter, and 4 for each pair at the end. */
static uint64_t split_radix_flop(uint64_t n) {
    uint64_t shorter[2] = {4, 0}; /* flop for half and for a quarter of the next length */
    for (uint64_t length = 4; length <= n; length *= 2) {
        const uint64_t flop = 6 * length + shorter[0] + 2 * shorter[1];
        shorter[1] = shorter[0];
        shorter[0] = flop;
    }
    return shorter[0];
}
static void fft_split_work(const struct task *task, struct work *out) {
    *out = (struct work){.flop = split_radix_flop(task->n), .pseudo_flop = fft_pseudo_flop(task->n)};
}

static const struct workload fft_split = {
    .name = "fft-split",
    .summary = "Fourier transform in place: split radix",
    .size = "complex numbers, a power of two",
    .size_least = 2,
    .power_of_two = true,
    .one_thread = true,
    .arrays = {{"data", fft_elements, UPDATED, 0}, {"twiddles", fft_elements, READ, 0}},
    .value = fft_split_value,
    .check = fft_check,
    .tolerance = 64,
    .sums = true,
    .work = fft_split_work,
    .run = fft_split_run,
};

/* The used part of FFTW's interface. Plans are estimates: a measured plan differs from run to run, so the counted
 * one would not be the timed one. */
#define FFTW_NAME(name) (IS_F64 ? "fftw_" name : "fftwf_" name)
enum { FFTW_FORWARD = -1, FFTW_ESTIMATE = 1 << 6, FFTW_NO_SIMD = 1 << 17 };

struct fftw {
    void *plan;
    void (*execute)(void *plan, real *in, real *out);
    void (*destroy)(void *plan);
};

static bool fftw_plan(struct task *task, unsigned how, struct error *err) {
    const char *package = IS_F64 ? "libfftw3-double3" : "libfftw3-single3";
    void *library = library_open(IS_F64 ? "libfftw3.so.3" : "libfftw3f.so.3", "FFTW", package, err);
    void *threads = task->threads == 1
                        ? NULL
                        : library_open(IS_F64 ? "libfftw3_omp.so.3" : "libfftw3f_omp.so.3", "FFTW", package, err);
    if (!library || (task->threads > 1 && !threads))
        return false;
    void *(*plan)(int, real *, real *, int, unsigned);
    int (*start_threads)(void);
    void (*use_threads)(int);
    struct fftw *fftw = need_calloc(1, sizeof *fftw);
    if (!library_function(library, FFTW_NAME("plan_dft_1d"), &plan, err) ||
        !library_function(library, FFTW_NAME("execute_dft"), &fftw->execute, err) ||
        !library_function(library, FFTW_NAME("destroy_plan"), &fftw->destroy, err) ||
        (threads && (!library_function(threads, FFTW_NAME("init_threads"), &start_threads, err) ||
                     !library_function(threads, FFTW_NAME("plan_with_nthreads"), &use_threads, err)))) {
        free(fftw);
        return false;
    }
    if (threads) {
        start_threads();
        use_threads((int)task->threads);
    }
    /* An estimate depends only on the alignment of the address, and the copies have the same alignment. */
    real *data = aligned_alloc(64, (2 * task->n * sizeof *data + 63) / 64 * 64);
    fftw->plan = data ? plan((int)task->n, data, data, FFTW_FORWARD, FFTW_ESTIMATE | how) : NULL;
    free(data);
    if (!fftw->plan) {
        free(fftw);
        return error_set(err, "FFTW has no plan for %llu complex numbers; try a smaller size",
                         (unsigned long long)task->n);
    }
    task->library = fftw;
    library_text(library, FFTW_NAME("version"), task->library_name, sizeof task->library_name);
    return true;
}

static bool fftw_open(struct task *task, struct error *err) {
    return fftw_plan(task, 0, err);
}
static bool fftw_scalar_open(struct task *task, struct error *err) {
    return fftw_plan(task, FFTW_NO_SIMD, err);
}

static void fftw_close(struct task *task) {
    struct fftw *fftw = task->library;
    fftw->destroy(fftw->plan);
    free(fftw);
}

static void fftw_run(const struct lane *lane, void *const *arrays) {
    const struct fftw *fftw = lane->task->library;
    fftw->execute(fftw->plan, arrays[0], arrays[0]);
}

/* FFTW defines the operations of a plan: its own count (fftw_flops) is valid only without SIMD. */
static void fftw_work(const struct task *task, struct work *out) {
    *out = (struct work){.flop_unknown = true, .pseudo_flop = fft_pseudo_flop(task->n)};
}

#define FFTW_ROW FFT_ROW, .own_threads = true, .work = fftw_work, .close = fftw_close, .run = fftw_run

static const struct workload fft_fftw = {
    .name = "fft-fftw", .summary = "Fourier transform by FFTW, its plan an estimate", FFTW_ROW, .open = fftw_open};
static const struct workload fft_fftw_scalar = {
    .name = "fft-fftw-scalar",
    .summary = "Fourier transform by FFTW without SIMD",
    FFTW_ROW,
    .open = fftw_scalar_open,
};
