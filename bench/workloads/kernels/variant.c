/* SPDX-License-Identifier: BSD-3-Clause
 * All families for one element type and one instruction set, compiled once for each, like templates. The compiler's
 * command line defines TYPE_f64 or TYPE_f32, and VARIANT as the name of this table. */
#include "variant.h"
#include "probe/error.h"
#include "probe/need.h"

#include "blas1.c"
#include "dgemv.c"
#include "dgemm.c"
#include "blas_libraries.c"
#include "wht.c"
#include "fft.c"
#include "stream.c"
#include "bandwidth.c"
#ifdef TYPE_f64
#include "intensity.c"
#include "order.c"
#include "cg.c"
#endif

extern const struct workload *const VARIANT[];
const struct workload *const VARIANT[] = {
    &daxpy,
    &daxpy_openblas,
    &daxpy_blis,
    &daxpy_reference,
    &dgemv,
    &dgemv_openblas,
    &dgemv_blis,
    &dgemv_reference,
    &dgemm_triple,
    &dgemm_blocked,
    &dgemm_replaced,
    &dgemm_openblas,
    &dgemm_blis,
    &dgemm_reference,
    &fft_radix2,
    &fft_split,
    &fft_fftw_scalar,
    &fft_fftw,
    &wht,
    &stream_copy,
    &stream_scale,
    &stream_add,
    &stream_triad,
    &add_register,
    &mul_register,
    &memory_read,
    &memory_write,
    &memory_write_stream,
    &thesis_triad,
#ifdef TYPE_f64
    &intensity_sixteenth,
    &intensity_sixteenth_fma,
    &intensity_eight,
    &intensity_eight_fma,
    &cg,
    &order_rows,
    &order_columns,
#endif
    NULL,
};
