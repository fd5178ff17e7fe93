/* SPDX-License-Identifier: BSD-3-Clause
 * The identity of Arm cores: the Main ID Register (MIDR_EL1) as the kernel reports it of each CPU, the names of
 * implementers, parts and products, and what is documented of a product's caches. In every build, since recordings of
 * Arm machines are read anywhere. In struct cpu_identity the vendor is the implementer ("Arm"), the family 8, the model
 * the part number, the stepping 16 * variant + revision. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "cpu.h"

enum { MIDR_FAMILY = 8, MIDR_NO_PART = 0x1000 /* beyond all */ };

/* Of the CPU with this number; `root` as in osfile.h. False: the system does not report it, or is not of Arm. */
bool midr_read(const char *root, unsigned cpu, uint32_t *out);

/* From texts as in /proc/cpuinfo: "0x41", "0x1", "0xd40", "1"; "" for 0. */
uint32_t midr_of_texts(const char *implementer, const char *variant, const char *part, const char *revision);

/* The same texts. */
void midr_texts(uint32_t midr, char out[4][8]);

/* "Cortex-A725", "Firestorm"; NULL: the part is not known. */
const char *midr_part_name(uint32_t midr);

/* The part of a product whose parts have numbers of their own, the fastest with rank 0: "Apple M1" has two. The product
 * of a part; NULL: its number does not tell. */
bool midr_of_product(const char *product, unsigned rank, uint32_t *out);
const char *midr_product(uint32_t midr);

/* Fills the identity, without features. `midrs` has one of each kind of core, the fastest first; `platform` is what the
 * firmware says of the machine: the vendor, the product and the chip, "" if it says nothing. */
enum { MIDR_PLATFORM_BYTES = 320 };
void midr_identify(const uint32_t *midrs, unsigned count, const char *platform, struct cpu_identity *out);

/* The text for midr_identify(). */
void midr_platform(const char *root, char out[MIDR_PLATFORM_BYTES]);

/* The hypervisor's name, as the firmware tells it; "": the system runs on the hardware, or nothing says otherwise. */
enum { MIDR_HYPERVISOR_BYTES = 16 };
void midr_hypervisor(const char *root, char out[MIDR_HYPERVISOR_BYTES]);

/* True if an identity is one of Arm. */
bool midr_is_arm(const struct cpu_identity *cpu);

/* The identity of one kind of core, whose name begins with its part's. "" and "P" are the
 * fastest kind, whose identity is the machine's; another name is that of a kind of which no part is known: the model is
 * MIDR_NO_PART. */
struct cpu_identity midr_of_kind(const struct cpu_identity *cpu, const char *kind_name);

/* "Arm part 0xd40"; of other architectures "GenuineIntel family 6 model 143". Returns `out`. */
enum { MIDR_MODEL_BYTES = 64 };
const char *midr_model(const struct cpu_identity *cpu, char out[MIDR_MODEL_BYTES]);

/* The documented caches of the product, as cpu_caches() has them; 0: none are documented, or they differ by core. */
unsigned midr_caches(const struct cpu_identity *cpu, struct cpu_cache *out, unsigned max);
