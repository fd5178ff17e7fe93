/* SPDX-License-Identifier: BSD-3-Clause
 * Without Zydis the code of kernels is not proven. */
#include "asm/decode.h"

#include "probe/error.h"

bool decode_readable(struct error *err) {
    return error_set(err, BUILT_WITHOUT);
}

bool decode_verify(const struct kernel *kernel, struct error *err) {
    (void)kernel;
    return decode_readable(err);
}
bool decode_print(const struct kernel *kernel, FILE *out, struct error *err) {
    (void)kernel, (void)out;
    return decode_readable(err);
}
