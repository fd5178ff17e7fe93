/* SPDX-License-Identifier: BSD-3-Clause
 * CPU models by brand: known ones, names that no list has, and random text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe/product.h"

static void known_models(void **state) {
    (void)state;
    static const struct {
        const char *brand;
        double gb_per_s; /* as the vendor states for a package; 0: not in the table */
    } rows[] = {
        {"AMD EPYC 7742 64-Core Processor", 204.8},
        {"AMD EPYC 7763 64-Core Processor", 204.8},
        {"AMD EPYC 7282 16-Core Processor", 85.3},
        {"AMD EPYC 9654 96-Core Processor", 460.8},
        {"AMD EPYC 9575F 64-Core Processor", 576},
        {"AMD EPYC 8534P 64-Core Processor", 230.4},
        {"Intel(R) Xeon(R) Silver 4108 CPU @ 1.80GHz", 115.2},
        {"Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz", 140.8},
        {"Intel(R) Xeon(R) Platinum 8380 CPU @ 2.30GHz", 204.8},
        {"Intel(R) Xeon(R) Platinum 8480+", 307.2},
        {"Intel(R) Xeon(R) CPU Max 9480", 307.2},
        {"Intel(R) Xeon(R) 6980P", 614.4},
        {"AWS Graviton2 (Neoverse N1)", 204.8},
        {"AWS Graviton3 (Neoverse V1)", 307.2},
        {"AWS Graviton4 (Neoverse V2)", 537.6},
        {"AWS Graviton5 (Neoverse V3)", 844.8},
        {"Ampere Altra (Neoverse N1)", 204.8},
        {"Fujitsu A64FX", 1024},
        {"Apple M1 (Firestorm + Icestorm)", 68.3},
        {"Apple M1 Pro (Firestorm + Icestorm)", 204.8},
        {"Apple M2 Max (Avalanche + Blizzard)", 409.6},
        {"Apple M3 (Everest + Sawtooth)", 0},
        {"AWS Graviton (Cortex-A72)", 0},
        {"AmpereOne (Ampere1)", 0},
        {"NVIDIA Grace (Neoverse V2)", 0},
        {"AMD EPYC", 0},
        {"AMD EPYC Processor", 0},
        {"AMD EPYC 7B13 64-Core Processor", 0},
        {"AMD EPYC 77420 64-Core Processor", 0},
        {"AMD EPYC 774 64-Core Processor", 0},
        {"Intel(R) Xeon(R) Platinum 8488C", 0},
        {"Intel(R) Xeon(R) Gold 6248? CPU", 0},
        {"Intel(R) Xeon(R) CPU @ 2.20GHz", 0},
        {"Intel(R) Xeon(R) Gold", 0},
        {"", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct product *product = product_find(rows[i].brand);
        const double stated = product ? product->memory_channels * product->memory_transfers_per_s * 8 / 1e9 : 0;
        if (stated < rows[i].gb_per_s * 0.999 || stated > rows[i].gb_per_s * 1.001)
            fail_msg("%s: %g GB/s", rows[i].brand, stated);
    }
}

/* Each model is in one row, and the row's text is its rate. */
static void rows(void **state) {
    (void)state;
    for (size_t i = 0; product_at(i); i++) {
        const struct product *row = product_at(i);
        const char *rate = strrchr(row->memory, '-');
        assert_non_null(rate);
        assert_true(strtod(rate + 1, NULL) * 1e6 == row->memory_transfers_per_s);
        assert_true(row->memory_channels > 0 && *row->source);
        for (const char *model = row->models; *model; model += strspn(model, " ")) {
            char brand[128];
            const size_t length = strcspn(model, " ");
            snprintf(brand, sizeof brand, "%s %.*s 8-Core Processor", row->series, (int)length, model);
            if (product_find(brand) != row)
                fail_msg("%s is in two rows", brand);
            model += length;
        }
    }
}

static void random_brands(void **state) {
    (void)state;
    static const char ALPHABET[] = "0123456789ABCPRX+*? ";
    int count = 0;
    while (product_at((size_t)count))
        count++;
    srand(20261127);
    for (int i = 0; i < 20000; i++) {
        char brand[64];
        const int start = snprintf(brand, sizeof brand, "%s", i % 3 ? product_at((size_t)(i % count))->series : "");
        const int length = rand() % (int)(sizeof brand - (size_t)start);
        for (int c = 0; c < length; c++)
            brand[start + c] = ALPHABET[(size_t)rand() % (sizeof ALPHABET - 1)];
        brand[start + length] = '\0';
        const struct product *product = product_find(brand);
        assert_true(!product || strncmp(brand, product->series, strlen(product->series)) == 0);
        assert_true(product_wide_fma_units(brand) <= 2);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_models),
        cmocka_unit_test(rows),
        cmocka_unit_test(random_brands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
