/* SPDX-License-Identifier: BSD-3-Clause
 * libcarmine: the marks of regions (see carmine.h). Hooks for a collector, and SSC marks; nothing else. */
#include "carmine.h"

#include "collector.h"

#define SSC_MARK(number) __asm__ volatile("mov %0, %%ebx\n\t.byte 0x64, 0x67, 0x90" ::"i"(number) : "ebx", "memory")

__attribute__((visibility("default"))) void carmine_region_begin(const char *name) {
    (void)name;
    SSC_MARK(SSC_MARK_BEGIN);
}

__attribute__((visibility("default"))) void carmine_region_end(const char *name) {
    (void)name;
    SSC_MARK(SSC_MARK_END);
}
