/* SPDX-License-Identifier: BSD-3-Clause
 * Without Zydis the code of kernels is not proven, and no line of x86-64 is assembled. */
#include "asm/assemble_line.h"
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

size_t assemble_lines(const char *text, uint8_t *out, size_t size) {
    (void)text, (void)out, (void)size;
    return 0;
}
bool assemble_runs_here(const uint8_t *code, size_t bytes, cpu_features features) {
    (void)code, (void)bytes, (void)features;
    return false;
}
cpu_features assemble_needs(const uint8_t *code, size_t bytes) {
    (void)code, (void)bytes;
    return 0;
}
