/* SPDX-License-Identifier: BSD-3-Clause
 * The memory modules of a machine: from the firmware's SMBIOS tables, which only root may read, from EDAC, or from the
 * text of `dmidecode -t memory`. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Modules of DRAM in all packages; no HBM and no persistent memory. Unknown numbers are 0. */
struct memory_modules {
    char source[16];        /* "SMBIOS", "EDAC", "dmidecode"; "": nothing is known */
    unsigned module_count;  /* slots with a module */
    unsigned channel_count; /* channels with a module, if their names say so */
    unsigned bus_bytes;     /* of a channel, without ECC */
    double transfers_per_s; /* as configured, of the slowest module; as it is made for, if only that is known */
};

/* This machine's; `root` as in osfile.h. False: neither SMBIOS nor EDAC can be read, or neither names a module. */
bool memory_modules_read(const char *root, struct memory_modules *out);

/* From SMBIOS structures, or from dmidecode's text. False: they name no module of DRAM. Any input is safe. */
bool memory_modules_smbios(const uint8_t *table, size_t bytes, struct memory_modules *out);
bool memory_modules_text(const char *text, struct memory_modules *out);
