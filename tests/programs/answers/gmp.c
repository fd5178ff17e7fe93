/* SPDX-License-Identifier: BSD-3-Clause
 * libgmp, whose assembly carries from limb to limb, against arithmetic with digits of 32 bits that needs no carry flag.
 * Prints each wrong result, and the number of checks. */
#include <gmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 100 /* limbs */ };

static unsigned checks, wrong;

static void check(const char *what, mp_size_t n, int right) {
    checks++;
    wrong += !right;
    if (!right)
        printf("%s of %ld limbs is wrong\n", what, (long)n);
}

/* Digits of 32 bits, the least one first: limbs in memory are such. */
typedef uint32_t __attribute__((may_alias)) digit;

static void plus(digit *sum, const digit *a, const digit *b, size_t n) { /* sum: n + 1 */
    uint64_t carry = 0;
    for (size_t i = 0; i < n; i++, carry >>= 32)
        sum[i] = (digit)(carry += (uint64_t)a[i] + b[i]);
    sum[n] = (digit)carry;
}

static void times(digit *product, const digit *a, size_t n, const digit *b, size_t m) { /* product: n + m */
    memset(product, 0, (n + m) * sizeof *product);
    for (size_t i = 0; i < n; i++) {
        uint64_t carry = 0;
        for (size_t j = 0; j < m; j++, carry >>= 32)
            product[i + j] = (digit)(carry += (uint64_t)a[i] * b[j] + product[i + j]);
        product[i + m] = (digit)carry;
    }
}

static int same(const void *a, const void *b, mp_size_t n) {
    return memcmp(a, b, (size_t)n * sizeof(mp_limb_t)) == 0;
}

/* Limbs of ones carry furthest. */
static void fill(mp_limb_t *a, mp_size_t n, unsigned kind) {
    static uint64_t state = 1;
    for (mp_size_t i = 0; i < n; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        a[i] = kind == 0 || (kind == 1 && state >> 63) ? ~(mp_limb_t)0 : state ^ state >> 29;
    }
}

static void linear(mp_size_t n, unsigned kind) {
    mp_limb_t a[MOST], b[MOST], got[2 * MOST], wanted[2 * MOST + 1] = {0};
    fill(a, n, kind);
    fill(b, n, kind);
    b[0] |= 1;
    got[n] = mpn_add_n(got, a, b, n);
    plus((digit *)wanted, (digit *)a, (digit *)b, 2 * (size_t)n);
    check("mpn_add_n", n, same(got, wanted, n) && got[n] == (digit)wanted[n]);
    const mp_limb_t borrow = mpn_sub_n(got, got, b, n);
    check("mpn_sub_n", n, same(got, a, n) && borrow == (digit)wanted[n]);
    got[n] = mpn_mul_1(got, a, n, b[0]);
    times((digit *)wanted, (digit *)a, 2 * (size_t)n, (digit *)b, 2);
    check("mpn_mul_1", n, same(got, wanted, n + 1));
    got[n] -= mpn_submul_1(got, a, n, b[0] - 1);
    check("mpn_submul_1", n, same(got, a, n) && got[n] == 0);
    got[n] += mpn_addmul_1(got, a, n, b[0] - 1);
    check("mpn_addmul_1", n, same(got, wanted, n + 1));
}

static void quadratic(mp_size_t n, unsigned kind) {
    mp_limb_t a[MOST], b[MOST], got[2 * MOST], quotient[MOST + 1], rest[2 * MOST], wanted[2 * MOST + 1] = {0};
    fill(a, n, kind);
    fill(b, n, kind);
    b[n - 1] |= 1;
    mpn_mul_n(got, a, b, n);
    times((digit *)wanted, (digit *)a, 2 * (size_t)n, (digit *)b, 2 * (size_t)n);
    check("mpn_mul_n", n, same(got, wanted, 2 * n));
    mpn_tdiv_qr(quotient, rest, 0, got, 2 * n, b, n);
    check("mpn_tdiv_qr", n, same(quotient, a, n) && quotient[n] == 0 && mpn_zero_p(rest, n));
    mpn_sqr(got, a, n);
    times((digit *)wanted, (digit *)a, 2 * (size_t)n, (digit *)a, 2 * (size_t)n);
    check("mpn_sqr", n, same(got, wanted, 2 * n));
    if (got[2 * n - 1] != 0)
        check("mpn_sqrtrem", n, mpn_sqrtrem(quotient, rest, got, 2 * n) == 0 && same(quotient, a, n));
}

/* Mersenne primes and a composite one, by Lucas and Lehmer, and by Fermat: the known ones. */
static void primes(void) {
    static const struct {
        unsigned exponent;
        int prime;
    } KNOWN[] = {{127, 1}, {521, 1}, {523, 0}, {607, 1}, {1279, 1}, {1283, 0}};
    mpz_t m, s, e;
    mpz_inits(m, s, e, NULL);
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
        mpz_set_ui(m, 1);
        mpz_mul_2exp(m, m, KNOWN[i].exponent);
        mpz_sub_ui(m, m, 1);
        mpz_set_ui(s, 4);
        for (unsigned step = 2; step < KNOWN[i].exponent; step++) {
            mpz_mul(s, s, s);
            mpz_sub_ui(s, s, 2);
            mpz_mod(s, s, m);
        }
        check("Lucas and Lehmer's test", KNOWN[i].exponent, (mpz_sgn(s) == 0) == KNOWN[i].prime);
        mpz_set_ui(s, 3);
        mpz_sub_ui(e, m, 1);
        mpz_powm(s, s, e, m);
        check("mpz_powm", KNOWN[i].exponent, (mpz_cmp_ui(s, 1) == 0) == KNOWN[i].prime);
        mpz_set_ui(s, 3);
        mpz_powm_sec(s, s, e, m);
        check("mpz_powm_sec", KNOWN[i].exponent, (mpz_cmp_ui(s, 1) == 0) == KNOWN[i].prime);
    }
    mpz_clears(m, s, e, NULL);
}

int main(void) {
    mpz_t a, m;
    for (unsigned kind = 0; kind < 3; kind++) {
        for (mp_size_t n = 1; n <= 40; n++)
            linear(n, kind);
        for (mp_size_t n = 1; n <= MOST; n += n < 40 ? 1 : 19)
            quadratic(n, kind);
    }
    primes();
    printf("%u checks, %u wrong\n", checks, wrong);
    mpz_inits(a, m, NULL);
    mpz_fac_ui(a, 3000);
    mpz_ui_pow_ui(m, 10, 300);
    mpz_add_ui(m, m, 7);
    mpz_mod(a, a, m);
    mpz_out_str(stdout, 10, a);
    mpz_clears(a, m, NULL);
    puts("");
    return wrong != 0;
}
