/* SPDX-License-Identifier: BSD-3-Clause
 * Fourier transforms of n complex numbers in place: the textbook's radix 2 with twiddle factors computed on the way (as
 * in Numerical Recipes), and FFTW. Included by variant.c. */
#include "variant.h"

/* Danielson-Lanczos: each stage joins pairs of transforms of half the length. A twiddle factor comes from the one
 * before it by w ← w + w (cos θ - 1, sin θ) with cos θ - 1 = -2 sin²(θ/2), and a stage's sine and cosine from the last
 * stage's by halving the angle, so that every operation is counted here and none is in a library. All this in double,
 * as the book has it, since errors add up along the recurrence. */
static void fft_radix2_run(const struct lane *lane, void *const *arrays) {
    const uint64_t n = lane->task->n;
    real *data = arrays[0];
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

/* 10 for each of the butterflies (n/2 a stage), 8 for each twiddle factor (n - 1 in all), 7 for each stage's angles. */
static void fft_radix2_work(const struct task *task, struct work *out) {
    uint64_t n = task->n;
    *out = (struct work){.flop = 5 * n * stages(n) + 8 * (n - 1) + 7 * stages(n), .pseudo_flop = fft_pseudo_flop(n)};
}

/* A few frequencies by the definition, those of small transforms all, and Parseval's sum of squares. */
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

/* FFTW's interface, as far as it is used; a plan is made by estimate, since one by measurement is another one every
 * time, so that what is counted would not be what was timed. */
#define FFTW_NAME(name) (IS_F64 ? "fftw_" name : "fftwf_" name)
enum { FFTW_FORWARD = -1, FFTW_ESTIMATE = 1 << 6 };

struct fftw {
    void *plan;
    void (*execute)(void *plan, real *in, real *out);
    void (*destroy)(void *plan);
};

static bool fftw_open(struct task *task, struct error *err) {
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
    /* An estimate looks at the address alone, and the copies have the alignment of this one. */
    real *data = aligned_alloc(64, (2 * task->n * sizeof *data + 63) / 64 * 64);
    fftw->plan = data ? plan((int)task->n, data, data, FFTW_FORWARD, FFTW_ESTIMATE) : NULL;
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

static void fftw_close(struct task *task) {
    struct fftw *fftw = task->library;
    fftw->destroy(fftw->plan);
    free(fftw);
}

static void fftw_run(const struct lane *lane, void *const *arrays) {
    const struct fftw *fftw = lane->task->library;
    fftw->execute(fftw->plan, arrays[0], arrays[0]);
}

/* The operations of a plan are FFTW's own: what it says of them (fftw_flops) holds without SIMD only. */
static void fftw_work(const struct task *task, struct work *out) {
    *out = (struct work){.flop_unknown = true, .pseudo_flop = fft_pseudo_flop(task->n)};
}

static const struct workload fft_fftw = {
    .name = "fft-fftw",
    .summary = "Fourier transform by FFTW, its plan an estimate",
    FFT_ROW,
    .own_threads = true,
    .work = fftw_work,
    .open = fftw_open,
    .close = fftw_close,
    .run = fftw_run,
};
