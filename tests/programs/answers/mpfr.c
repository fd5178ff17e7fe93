/* SPDX-License-Identifier: BSD-3-Clause
 * libmpfr: pi by its own way, by Machin's formula and as an arc cosine, which have to agree, printed with 100
 * digits; and functions that undo each other. */
#include <mpfr.h>
#include <stdio.h>

enum { BITS = 4000 };

static int is_near(const mpfr_t a, const mpfr_t b) {
    mpfr_t difference;
    mpfr_init2(difference, BITS);
    mpfr_sub(difference, a, b, MPFR_RNDN);
    const int near = mpfr_zero_p(difference) || mpfr_get_exp(difference) < 32 - BITS;
    mpfr_clear(difference);
    return near;
}

static void machin(mpfr_t pi) { /* 16 atan(1/5) - 4 atan(1/239) */
    mpfr_t part;
    mpfr_init2(part, BITS);
    mpfr_set_ui(pi, 1, MPFR_RNDN);
    mpfr_div_ui(pi, pi, 5, MPFR_RNDN);
    mpfr_atan(pi, pi, MPFR_RNDN);
    mpfr_mul_ui(pi, pi, 16, MPFR_RNDN);
    mpfr_set_ui(part, 1, MPFR_RNDN);
    mpfr_div_ui(part, part, 239, MPFR_RNDN);
    mpfr_atan(part, part, MPFR_RNDN);
    mpfr_mul_ui(part, part, 4, MPFR_RNDN);
    mpfr_sub(pi, pi, part, MPFR_RNDN);
    mpfr_clear(part);
}

int main(void) {
    mpfr_t pi, other, back;
    mpfr_inits2(BITS, pi, other, back, (mpfr_ptr)0);
    mpfr_const_pi(pi, MPFR_RNDN);
    machin(other);
    int right = is_near(pi, other);
    mpfr_acos(other, (mpfr_set_si(back, -1, MPFR_RNDN), back), MPFR_RNDN);
    right += is_near(pi, other);
    mpfr_log(other, pi, MPFR_RNDN);
    mpfr_exp(back, other, MPFR_RNDN);
    right += is_near(pi, back);
    mpfr_sqrt(other, pi, MPFR_RNDN);
    mpfr_sqr(back, other, MPFR_RNDN);
    right += is_near(pi, back);
    mpfr_printf("%d right\n%.100RDf\n", right, pi);
    mpfr_clears(pi, other, back, (mpfr_ptr)0);
    mpfr_free_cache();
    return right != 4;
}
