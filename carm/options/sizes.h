/* SPDX-License-Identifier: BSD-3-Clause
 * Parses problem sizes: "1000,2000", "100:3000:+300", "1000:1M:*2", "2^5..2^22". Pure. */
#ifndef CARM_SIZES_H
#define CARM_SIZES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;

enum { SIZES_MAX = 256 };

/* Writes each size once, in the order of the text. A range ends with the last size not above its end; `..` doubles. K,
 * M and G are powers of 1000, Ki, Mi and Gi of 1024. Error: the wrong part and the correct form. */
bool sizes_parse(const char *text, uint64_t out[SIZES_MAX], size_t *count, struct error *err);

#endif
