/* SPDX-License-Identifier: BSD-3-Clause
 * The machine code of every kernel of x86-64: its cost by Zydis, what it stores, and the state that it leaves.
 * Kernels that the CPU cannot execute are still decoded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "asm/decode.h"
#include "asm/kernel.h"
#include "probe/error.h"
#include "tests/support/broken_kernels.h"

static void verify_accepts_every_kernel(void **state) {
    (void)state;
    struct error err;
    for (size_t i = 0; i < kernel_count; i++)
        if (!decode_verify(kernel_table[i], &err))
            fail_msg("%s", err.text);
    assert_true(kernel_count > 500);
}

static void verify_rejects_broken_kernels(void **state) {
    (void)state;
    for (size_t i = 0; i < broken_kernel_count; i++) {
        const struct broken_kernel *broken = &broken_kernels[i];
        struct error err = {""};
        bool accepted = decode_verify(&broken->kernel, &err);
        if (accepted != (broken->message == NULL))
            fail_msg("%s was %s %s", broken->kernel.name, accepted ? "accepted" : "rejected:", err.text);
        if (!accepted && (strstr(err.text, broken->message) == NULL || strstr(err.text, broken->kernel.name) == NULL))
            fail_msg("%s: expected \"%s\", got \"%s\"", broken->kernel.name, broken->message, err.text);
    }
}

static char *disassembled(const struct kernel *kernel) {
    struct error err;
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    assert_non_null(out);
    assert_true(decode_print(kernel, out, &err));
    fclose(out);
    return text;
}

/* Whether an FMA of this disassembled code writes the register: "231pd ymm3,". */
static bool adds_to(const char *text, const char *name) {
    char sum[16];
    snprintf(sum, sizeof sum, " %.*s,", (int)strcspn(name, "\n"), name);
    for (const char *at = strstr(text, "231"); at != NULL; at = strstr(at + 1, "231"))
        if (strncmp(at + strcspn(at, " "), sum, strlen(sum)) == 0)
            return true;
    return false;
}

/* The stores of the loop whose register is no FMA's sum: "| vmovapd [rax+0x80], ymm3". */
static unsigned stores_beside_sums(const char *text, unsigned *stores) {
    static const char move[] = "| vmov", end[] = ", ";
    unsigned others = 0;
    *stores = 0;
    for (const char *at = strstr(text, move); at != NULL; at = strstr(at + 1, move)) {
        const char *const source = at + strcspn(at, ",");
        if (at + strcspn(at, "[") > source)
            continue;
        ++*stores;
        others += !adds_to(text, source + strlen(end));
    }
    return others;
}

/* FMA beside stores: these write sums, as programs do. A constant costs some cores register reads. */
static void mixed_kernels_store_their_sums(void **state) {
    (void)state;
    for (size_t i = 0; i < kernel_count; i++) {
        const struct uarch_mix *mix = &kernel_table[i]->cost.mix;
        if (kernel_table[i]->kind != KERNEL_MIXED || mix->fma == 0 || mix->store == 0)
            continue;
        unsigned stores = 0;
        char *text = disassembled(kernel_table[i]);
        const unsigned others = stores_beside_sums(text, &stores);
        if (others > 0 || stores != mix->store)
            fail_msg("%s %s: %u of %u stores found, %u of them no sums", kernel_table[i]->name,
                     kernel_table[i]->variant, stores, mix->store, others);
        free(text);
    }
}

/* Otherwise later legacy SSE code is slower. */
static void upper_halves_are_left_clean(void **state) {
    (void)state;
    for (size_t i = 0; i < kernel_count; i++) {
        const struct kernel *kernel = kernel_table[i];
        char *text = disassembled(kernel);
        assert_non_null(strstr(text, " | "));
        bool vex = (kernel->needs & (CPU_AVX | CPU_AVX2 | CPU_AVX512)) != 0;
        assert_int_equal(strstr(text, "vzeroupper") != NULL, vex);
        free(text);
    }
}

/* The decoder cannot see in a product of tiles that all 16 rows of 64 bytes are configured. */
static void tiles_are_whole(void **state) {
    (void)state;
    enum { LINE = 64, TILES = 8, ROWS = 16, ROW_TILES = 34 };
    extern const uint32_t kernel_operands_f16[][16], kernel_operands_bf16[][16], kernel_operands_i8[][16];
    const uint32_t *const tables[] = {kernel_operands_f16[ROW_TILES], kernel_operands_bf16[ROW_TILES],
                                      kernel_operands_i8[ROW_TILES]};
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        uint8_t bytes[LINE];
        memcpy(bytes, tables[t], sizeof bytes);
        assert_int_equal(bytes[0], 1);
        for (unsigned tile = 0; tile < TILES; tile++) {
            assert_int_equal(bytes[16 + 2 * tile] | bytes[17 + 2 * tile] << 8, LINE);
            assert_int_equal(bytes[48 + tile], ROWS);
        }
    }
}

/* The flags that no kernel may raise: all except inexact. */
enum { FLAGS = 0x1f };

static void check_x87(const struct kernel *kernel) {
    struct {
        uint32_t control, status, tag, rest[4];
    } x87;
    __asm__ volatile("fnstenv %0\n\tfldenv %0" : "=m"(x87));
    if ((x87.status & FLAGS) != 0 || (x87.tag & 0xffff) != 0xffff)
        fail_msg("%s %s leaves the x87 status %#x, tags %#x", kernel->name, kernel->variant, x87.status, x87.tag);
}

/* test_kernels looks at the flags of SSE. */
static void x87_kernels_leave_its_stack_empty(void **state) {
    (void)state;
    enum { AREA = 1 << 17 };
    double *const area = aligned_alloc(4096, AREA);
    assert_non_null(area);
    for (size_t i = 0; i < kernel_count; i++) {
        const struct kernel *kernel = kernel_table[i];
        if (!kernel->isa || kernel->isa->operands != ISA_STACK)
            continue;
        for (size_t k = 0; k < AREA / sizeof *area; k++)
            area[k] = 1.25;
        __asm__ volatile("fnclex");
        kernel->entry(&(struct kernel_call){.buffer = area, .blocks = 2, .passes = 500000 / kernel->cost.instructions});
        check_x87(kernel);
    }
    free(area);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verify_accepts_every_kernel),
        cmocka_unit_test(verify_rejects_broken_kernels),
        cmocka_unit_test(mixed_kernels_store_their_sums),
        cmocka_unit_test(upper_halves_are_left_clean),
        cmocka_unit_test(tiles_are_whole),
        cmocka_unit_test(x87_kernels_leave_its_stack_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
