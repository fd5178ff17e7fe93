/* SPDX-License-Identifier: BSD-3-Clause
 * The table of theory.h. Written bytes count in full: a cold cache holds as much dirty data of others, and their
 * write-back replaces that of the workload's own last lines. Sources:
 *   Steinmann: "Applying the Roofline Model", master's thesis, ETH Zürich 2012, "Level 3", with C that is fetched, too;
 *   Irony, Toledo, Tiskin: "Communication lower bounds for distributed-memory matrix multiplication", JPDC 64, 2004;
 *   Hong, Kung: "I/O complexity: the red-blue pebble game", STOC 1981. */
#include "theory.h"
#include "bench/programs/app_point.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of the caches and TLBs that the exact counter simulates. */
static const double PAGE_BYTES = 4096, LINE_BYTES = 64, USUAL_BLOCK = 50, USUAL_WAYS = 16;

static double squares(double n) {
    return 3 * n * n;
}
static double line(double n) {
    return n;
}
static double complex_line(double n) {
    return 2 * n;
}
static double split_elements(double n) {
    return 4 * n; /* with the table of twiddle factors */
}

static double product_flop(double n) {
    return 2 * n * n * n;
}
static double wht_flop(double n) {
    return n * log2(n);
}
/* The butterflies, the recurrence of twiddle factors, the angle of each stage. */
static double radix2_flop(double n) {
    return 5 * n * log2(n) + 8 * (n - 1) + 7 * log2(n);
}

/* A, B and C are read once, C is written once. */
static double product_once(const struct theory_case *of) {
    return 4 * of->n * of->n * of->element_bytes;
}

static bool is_matrix_kept(const struct theory_case *of) {
    return of->n * of->n * of->element_bytes <= of->cache_bytes;
}

/* B is read again for each row of A; if the caches hold less than a column of lines, each element needs its whole line.
 */
static double triple_bytes(const struct theory_case *of) {
    const double n = of->n, e = of->element_bytes;
    if (is_matrix_kept(of))
        return product_once(of);
    return n * of->line_bytes <= of->cache_bytes ? (n * n * n + 3 * n * n) * e
                                                 : n * n * n * of->line_bytes + 3 * n * n * e;
}

/* B is read again for each row of blocks; if the caches hold less than that row of A, A is read for each column of
 * blocks. */
static double blocked_bytes(const struct theory_case *of) {
    const double n = of->n, e = of->element_bytes, again = n * n * n / of->block;
    if (is_matrix_kept(of))
        return product_once(of);
    return n * of->block * e <= of->cache_bytes ? (3 * n * n + again) * e : (2 * n * n + 2 * again) * e;
}

static double product_bound(const struct theory_case *of) {
    const double kept = of->cache_bytes / of->element_bytes, n = of->n;
    return fmax(product_once(of), (n * n * n / (2 * M_SQRT2 * sqrt(kept)) - kept) * of->element_bytes);
}

/* Each halving that does not fit passes once over all data; so does the part that is finished within the caches. */
static double wht_bytes(const struct theory_case *of) {
    const double data = of->n * of->element_bytes, halvings = ceil(log2(data / of->cache_bytes));
    return 2 * data * (1 + fmax(0, halvings));
}

/* One stage. Its butterflies join elements that are `half` apart: `half` sweeps over the data, each over every 2
 * half-th pair. Such power-of-two strides fall into one set of a cache. Lines survive from one sweep to the next only
 * if they are no more than the ways, usually 16; otherwise each pair fetches its two lines. */
static double stage_passes(const struct theory_case *of, double half) {
    const double element = 2 * of->element_bytes, touched = fmin(of->n / half, of->n * element / of->line_bytes);
    const bool stays = touched <= USUAL_WAYS && touched * of->line_bytes <= of->cache_bytes;
    return stays ? 1 : half * touched * of->line_bytes / (of->n * element);
}

/* Bit reversal: all data once, and a line for each exchange. */
static double reversal_passes(const struct theory_case *of) {
    return 1 + of->line_bytes / (4 * of->element_bytes);
}

static double radix2_bytes(const struct theory_case *of) {
    const double data = 2 * of->n * of->element_bytes;
    if (data <= of->cache_bytes)
        return 2 * data;
    double passes = reversal_passes(of);
    for (double half = 1; half < of->n; half *= 2)
        passes += stage_passes(of, half);
    return 2 * data * passes;
}

/* A half and two quarters, finished one after the other; with the twiddle table for parts that do not fit. */
static double split_bytes_of(const struct theory_case *of, double n) {
    const double e = of->element_bytes;
    if (split_elements(n) * e <= of->cache_bytes || n <= 2)
        return 4 * n * e;
    return 5 * n * e + split_bytes_of(of, n / 2) + 2 * split_bytes_of(of, n / 4);
}

static double split_bytes(const struct theory_case *of) {
    const double n = of->n, e = of->element_bytes;
    if (split_elements(n) * e <= of->cache_bytes)
        return 6 * n * e;
    return split_bytes_of(of, n) + 4 * n * e * reversal_passes(of);
}

/* With M elements in the caches a pass over the data does at most log2 M of the log2 n stages. */
static double fourier_bound(const struct theory_case *of) {
    const double kept = of->cache_bytes / (2 * of->element_bytes);
    return 4 * of->n * of->element_bytes * fmax(1, ceil(log2(of->n) / log2(kept) - 1e-9));
}

/* The pages of the three matrices once, while one of them fits. Beyond, those of B again for each row of A while the
 * pages of a column fit, else for each element of C. */
static double triple_tlb_misses(const struct theory_case *of, double entries) {
    const double n = of->n, pages = n * n * of->element_bytes / PAGE_BYTES, column = fmin(n, pages);
    if (pages < entries)
        return 3 * pages;
    return column < entries ? n * pages : n * n * column;
}

/* Only for rows longer than a page and blocks narrower than one: each row of three blocks is a page of its own. All are
 * missed again for each product of blocks if they exceed the TLB. */
static double blocked_tlb_misses(const struct theory_case *of, double entries) {
    const double n = of->n, e = of->element_bytes, pages = n * n * e / PAGE_BYTES;
    if (pages < entries)
        return 3 * pages;
    const bool said = n * e > PAGE_BYTES && of->block * e < PAGE_BYTES && 3 * of->block > entries;
    return said ? 3 * n * n * n / (of->block * of->block) : NAN;
}

#define THESIS "Steinmann"
#define LOOPS  "its loops"
#define DGEMM  .elements = squares, .flop = product_flop
#define BLOCKED                                                                                                        \
    DGEMM, .source = THESIS, .bytes = blocked_bytes, .tlb_misses = blocked_tlb_misses,                                 \
           .formula = "B kept: 4n² e; a row of blocks of A kept: (3n² + n³/N_B) e; else (2n² + 2n³/N_B) e"

/* clang-format off */
const struct theory theory_table[] = {
    {.program = "dgemm-triple", DGEMM, .source = THESIS,
     .formula = "B kept: 4n² e; a line for each row of B kept: (n³ + 3n²) e; else n³ l + 3n² e", .bytes = triple_bytes,
     .tlb_misses = triple_tlb_misses},
    {.program = "dgemm-blocked", BLOCKED},
    {.program = "dgemm-scalar-replacement", BLOCKED},
    {.program = "dgemm-", DGEMM, .source = "Irony, Toledo, Tiskin",
     .formula = "at least 4n² e, and (n³ / √(8M) - M) e with M elements kept", .bound = true, .bytes = product_bound},
    {.program = "wht", .elements = line, .flop = wht_flop, .powers = true, .source = LOOPS,
     .formula = "2n e (1 + halvings until a part is kept)", .bytes = wht_bytes},
    {.program = "fft-radix2", .elements = complex_line, .flop = radix2_flop, .powers = true, .source = LOOPS,
     .formula = "kept: 4n e; else 4n e (1 + l/4e + passes of each stage: 1 where it touches 16 lines or fewer, else "
                "up to l/2e)",
     .bytes = radix2_bytes},
    {.program = "fft-split", .elements = split_elements, .powers = true, .source = LOOPS,
     .formula = "kept: 6n e; else 4n e (1 + l/4e) + S(n), S(n) = 5n e + S(n/2) + 2 S(n/4), 4n e of parts that are kept",
     .bytes = split_bytes},
    {.program = "fft-", .elements = complex_line, .powers = true, .source = "Hong, Kung",
     .formula = "at least 4n e ⌈log n / log M⌉, with M elements kept", .bound = true, .bytes = fourier_bound},
    {0},
};
/* clang-format on */

const struct theory *theory_of(const struct app_point *point) {
    for (const struct theory *row = theory_table; row->program && point->threads == 1 && *point->series; row++) {
        const size_t length = strlen(row->program);
        const bool begins = row->program[length - 1] == '-';
        if (begins ? strncmp(point->program, row->program, length) == 0 : strcmp(point->program, row->program) == 0)
            return row;
    }
    return NULL;
}

struct theory_case theory_case_of(const struct theory *theory, const struct app_point *point, double cache_bytes) {
    const double n = (double)point->size;
    unsigned block;
    const char *named = strstr(point->series, " N_B="); /* if it is not the usual one */
    const bool own = named && sscanf(named, " N_B=%u", &block) == 1 && block > 0;
    return (struct theory_case){.n = n,
                                .element_bytes = (double)point->working_set_bytes / theory->elements(n),
                                .block = own ? block : USUAL_BLOCK,
                                .cache_bytes = point->cache_bytes > 0 ? point->cache_bytes : cache_bytes,
                                .line_bytes = LINE_BYTES};
}

struct theory_case theory_case_at(const struct theory_case *of, double n) {
    struct theory_case out = *of;
    out.n = n;
    return out;
}

double theory_bytes(const struct theory *theory, const struct theory_case *of, bool warm) {
    if (!(of->cache_bytes > 0))
        return (double)NAN;
    const bool kept = theory->elements(of->n) * of->element_bytes <= of->cache_bytes;
    return warm && kept ? 0 : theory->bytes(of);
}

double theory_tlb_misses(const struct theory *theory, const struct theory_case *of, double entries) {
    return theory->tlb_misses && entries > 0 ? theory->tlb_misses(of, entries) : (double)NAN;
}
