/* SPDX-License-Identifier: BSD-3-Clause
 * Pages and constants of a kernel assembled at run time. */
#include "assemble_pages.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "element.h"
#include "probe/error.h"

enum { START_COUNT = 32 };

/* Few bits each, so that subtraction is exact in f32 too. */
static double row_value(unsigned row, unsigned lane) {
    switch (row) {
    case ROW_STEP:
        return (9 + lane) / 32.0;
    case ROW_NEGATIVE:
        return -1;
    case ROW_FACTOR:
        return 0.546875;
    default:
        return 2 + (row * 16 + lane) * 37 % 64 / 64.0;
    }
}

bool pages_open(struct pages *out, enum element_type type, unsigned char trap, struct error *err) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), element_bytes = element_table[type].bytes;
    *out = (struct pages){.bytes = page + PAGES_CODE_BYTES};
    void *base = mmap(NULL, out->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED)
        return error_set(err, "no memory for a kernel of %zu bytes: %s", out->bytes, strerror(errno));
    out->base = base;
    out->code = out->base + page;
    memset(out->code, trap, PAGES_CODE_BYTES); /* a decoder may read a few bytes beyond the end */
    for (unsigned row = 0; row < ROW_START + START_COUNT; row++)
        for (unsigned lane = 0; lane < PAGES_LINE_BYTES / element_bytes; lane++) {
            double wide = row_value(row, lane);
            float narrow = (float)wide;
            memcpy(out->base + row * PAGES_LINE_BYTES + lane * element_bytes,
                   type == TYPE_F32 ? (const void *)&narrow : &wide, element_bytes);
        }
    return true;
}

/* An instruction cache may hold stale code after a store, except on x86-64. */
bool pages_seal(const struct pages *pages, struct error *err) {
    __builtin___clear_cache((char *)pages->base, (char *)pages->base + pages->bytes);
    if (mprotect(pages->base, pages->bytes, PROT_READ | PROT_EXEC) == 0)
        return true;
    return error_set(err,
                     "this system does not let memory become executable (%s), which kernels assembled at run time "
                     "need; allow it (SELinux: execmem; systemd: MemoryDenyWriteExecute=no), or use `carmine run`, "
                     "whose kernels are part of the program",
                     strerror(errno));
}

void pages_release(struct pages *pages) {
    if (pages->base != NULL)
        munmap(pages->base, pages->bytes);
    *pages = (struct pages){0};
}
