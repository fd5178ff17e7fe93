/* SPDX-License-Identifier: BSD-3-Clause
 * Memory channels and rates of chips whose name the core's part number, or that with the firmware's names, gives (see
 * aarch64/midr_table.c). Left out: AmpereOne (8 or 12 channels), Kunpeng 920 (8, fewer on desktops) and Grace (the rate
 * depends on the capacity), since their names tell no model; Cobalt 100, Axion and Yitian 710, of which no source has
 * the rate. HBM and LPDDR are counted in channels of 64 bits. */
#include "probe/product.h"

#define AWS   "AWS Graviton Technical Guide (channels); "
#define APPLE "Apple, press releases (GB/s); Wikipedia, Apple M1 and Apple M2 (the interface)"

static const struct product ROWS[] = {
    {"AWS", "Graviton2", 8, 3.2e9, "DDR4-3200", AWS "Amazon EC2 M6g (rate)"},
    {"AWS", "Graviton3", 8, 4.8e9, "DDR5-4800", AWS "WikiChip, AWS Graviton3"},
    {"AWS", "Graviton4", 12, 5.6e9, "DDR5-5600", AWS "The Next Platform, Graviton 4 (rate)"},
    {"AWS", "Graviton5", 12, 8.8e9, "DDR5-8800",
     "The Next Platform, Graviton5 (a dozen controllers); epium, AWS Enterprise Processor (DDR5-8800, over 800 GB/s)"},
    {"Ampere", "Altra", 8, 3.2e9, "DDR4-3200", "Ampere, Altra and Altra Max: eight channels of each model"},
    {"Fujitsu", "A64FX", 64, 2e9, "HBM2-2000",
     "Fujitsu, A64FX Microarchitecture Manual 1.8.1, table 10-3: 256 GB/s of each of four"},
    {"Apple M1", "Pro", 4, 6.4e9, "LPDDR5-6400", APPLE},
    {"Apple M1", "Max", 8, 6.4e9, "LPDDR5-6400", APPLE},
    {"Apple", "M1", 2, 4.266e9, "LPDDR4X-4266", APPLE},
    {"Apple M2", "Pro", 4, 6.4e9, "LPDDR5-6400", APPLE},
    {"Apple M2", "Max", 8, 6.4e9, "LPDDR5-6400", APPLE},
    {"Apple", "M2", 2, 6.4e9, "LPDDR5-6400", APPLE},
};
const struct product_list product_aarch64 = {ROWS, sizeof ROWS / sizeof *ROWS};
