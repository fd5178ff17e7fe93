/* SPDX-License-Identifier: BSD-3-Clause
 * Memory modules of recorded machines: dmidecode's text, the same as SMBIOS structures, and EDAC's files; and any text
 * or bytes at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "probe/memory_modules.h"
#include "tests/support/fixtures.h"

/* The slots of a board, as firmware describes them. */
struct slot_row {
    const char *size, *locator, *bank, *type;
    unsigned speed, configured; /* MT/s; 0: "Unknown" */
};

/* As dmidecode prints them; `unit` and `configured` changed with its versions. */
static void print_text(const struct slot_row *slots, size_t count, const char *unit, const char *configured,
                       FILE *out) {
    fputs("# dmidecode 3.4\nGetting SMBIOS data from sysfs.\nSMBIOS 3.3.0 present.\n\nHandle 0x0032, DMI type 16, 23 "
          "bytes\nPhysical Memory Array\n\tLocation: System Board Or Motherboard\n\tNumber Of Devices: 16\n\n",
          out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "Handle 0x%04zX, DMI type 17, 92 bytes\nMemory Device\n\tArray Handle: 0x0032\n", 0x40 + i);
        fprintf(out, "\tTotal Width: 72 bits\n\tData Width: 64 bits\n\tSize: %s\n\tForm Factor: DIMM\n", slots[i].size);
        fprintf(out, "\tLocator: %s\n\tBank Locator: %s\n\tType: %s\n", slots[i].locator, slots[i].bank, slots[i].type);
        if (slots[i].speed)
            fprintf(out, "\tSpeed: %u %s\n", slots[i].speed, unit);
        else
            fputs("\tSpeed: Unknown\n", out);
        if (slots[i].configured)
            fprintf(out, "\t%s: %u %s\n", configured, slots[i].configured, unit);
        fputs("\n", out);
    }
}

static struct memory_modules read_text(const struct slot_row *slots, size_t count, const char *unit,
                                       const char *configured) {
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    struct memory_modules modules;
    print_text(slots, count, unit, configured, out);
    fclose(out);
    memory_modules_text(text, &modules);
    free(text);
    return modules;
}

#define COUNT(list) (sizeof(list) / sizeof(list)[0])
#define READ(list)  read_text(list, COUNT(list), "MT/s", "Configured Memory Speed")

static void assert_modules(struct memory_modules modules, unsigned count, unsigned channels, double mt_per_s) {
    assert_int_equal(modules.module_count, count);
    assert_int_equal(modules.channel_count, channels);
    assert_near(modules.transfers_per_s, mt_per_s * 1e6);
}

/* Each vendor names slots in its own way; only some say which channel a slot is of. */
static const struct slot_row ROME[] = {
    {"32 GB", "DIMM 0", "P0 CHANNEL A", "DDR4", 3200, 2933},
    {"32 GB", "DIMM 1", "P0 CHANNEL A", "DDR4", 3200, 2933},
    {"32 GB", "DIMM 0", "P0 CHANNEL B", "DDR4", 3200, 2933},
    {"No Module Installed", "DIMM 1", "P0 CHANNEL B", "Unknown", 0, 0},
    {"32 GB", "DIMM 0", "P1 CHANNEL A", "DDR4", 3200, 3200},
    {"No Module Installed", "DIMM 0", "P1 CHANNEL B", "Unknown", 0, 0},
};
static const struct slot_row GENOA[] = {
    {"64 GB", "DIMM_P0_A1", "P0_Node0_Channel0_Dimm0", "DDR5", 4800, 4800},
    {"64 GB", "DIMM_P0_A2", "P0_Node0_Channel0_Dimm1", "DDR5", 4800, 4800},
    {"64 GB", "DIMM_P0_B1", "P0_Node0_Channel1_Dimm0", "DDR5", 4800, 4800},
    {"64 GB", "DIMM_P0_K1", "P0_Node0_Channel10_Dimm0", "DDR5", 4800, 4800},
};
static const struct slot_row DELL[] = {
    {"16384 MB", "A1", "Not Specified", "DDR4", 2666, 2400},
    {"16384 MB", "A2", "Not Specified", "DDR4", 2666, 2400},
    {"No Module Installed", "A7", "Not Specified", "DDR4", 0, 0},
};
static const struct slot_row OPTANE[] = {
    {"32 GB", "CPU1_CHANNEL_A_DIMM1", "NODE 0", "DDR4", 2933, 2666},
    {"128 GB", "CPU1_CHANNEL_A_DIMM2", "NODE 0", "Logical non-volatile device", 2666, 2666},
    {"16 GB", "HBM 0", "NODE 0", "HBM2", 3200, 3200},
};

static void dmidecode_of_real_boards(void **state) {
    (void)state;
    assert_modules(READ(ROME), 4, 3, 2933);
    assert_modules(READ(GENOA), 4, 3, 4800);
    assert_modules(READ(DELL), 2, 0, 2400);
    assert_modules(READ(OPTANE), 1, 1, 2666);
    assert_modules(read_text(DELL, COUNT(DELL), "MHz", "Configured Clock Speed"), 2, 0, 2400);
    assert_string_equal(READ(ROME).source, "dmidecode");
    assert_int_equal(READ(ROME).bus_bytes, 8);
    const struct slot_row guest[] = {{"4 GB", "DIMM 0", "Not Specified", "RAM", 0, 0}};
    assert_modules(READ(guest), 0, 0, 0);
    assert_string_equal(READ(guest).source, "");
    const struct slot_row made_for[] = {{"4 GB", "DIMM 0", "CHANNEL A", "DDR4", 3200, 0}};
    assert_modules(READ(made_for), 1, 1, 3200);
}

/* Firmware that gives two packages' channels the same names would show too few. */
static void names_that_are_not_unique(void **state) {
    (void)state;
    struct slot_row slots[8];
    for (size_t i = 0; i < COUNT(slots); i++)
        slots[i] = (struct slot_row){"32 GB", "DIMM", i % 2 ? "CHANNEL A" : "CHANNEL B", "DDR4", 3200, 3200};
    assert_modules(READ(slots), 8, 0, 3200);
    assert_modules(read_text(slots, 4, "MT/s", "Configured Memory Speed"), 4, 2, 3200);
}

/* The same slots as SMBIOS structures of type 17. */
static size_t write_table(const struct slot_row *slots, size_t count, uint8_t *out) {
    enum { BYTES = 0x5c };
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        uint8_t *at = out + n;
        const unsigned type = strcmp(slots[i].type, "DDR4") == 0    ? 0x1a
                              : strcmp(slots[i].type, "DDR5") == 0  ? 0x22
                              : strcmp(slots[i].type, "HBM2") == 0  ? 0x21
                              : strncmp(slots[i].type, "L", 1) == 0 ? 0x1f
                                                                    : 2;
        const bool wide = slots[i].configured >= 4800; /* a test of the extended fields, too */
        memset(at, 0, BYTES);
        at[0] = 17, at[1] = BYTES, at[4] = 0x32, at[8] = 72, at[0x0a] = 64;
        at[0x0c] = slots[i].size[0] == 'N' ? 0 : 0xff, at[0x0d] = slots[i].size[0] == 'N' ? 0 : 0x7f;
        at[0x10] = 1, at[0x11] = 2, at[0x12] = (uint8_t)type;
        at[0x15] = (uint8_t)slots[i].speed, at[0x16] = (uint8_t)(slots[i].speed >> 8);
        at[0x20] = wide ? 0xff : (uint8_t)slots[i].configured;
        at[0x21] = wide ? 0xff : (uint8_t)(slots[i].configured >> 8);
        at[0x58] = (uint8_t)slots[i].configured, at[0x59] = (uint8_t)(slots[i].configured >> 8);
        n += BYTES;
        n += (size_t)sprintf((char *)out + n, "%s", slots[i].locator) + 1;
        n += (size_t)sprintf((char *)out + n, "%s", slots[i].bank) + 1;
        out[n++] = 0;
    }
    memcpy(out + n, "\x7f\x04\xff\xff\0\0", 6); /* the end */
    return n + 6;
}

enum { TABLE_BYTES = 4096 };

static void smbios_says_the_same(void **state) {
    (void)state;
    static const struct {
        const struct slot_row *slots;
        size_t count;
    } boards[] = {{ROME, COUNT(ROME)}, {GENOA, COUNT(GENOA)}, {DELL, COUNT(DELL)}, {OPTANE, COUNT(OPTANE)}};
    for (size_t b = 0; b < COUNT(boards); b++) {
        uint8_t table[TABLE_BYTES];
        struct memory_modules modules;
        const struct memory_modules wanted =
            read_text(boards[b].slots, boards[b].count, "MT/s", "Configured Memory Speed");
        const size_t bytes = write_table(boards[b].slots, boards[b].count, table);
        assert_true(memory_modules_smbios(table, bytes, &modules));
        assert_modules(modules, wanted.module_count, wanted.channel_count, wanted.transfers_per_s / 1e6);
        assert_string_equal(modules.source, "SMBIOS");
    }
}

/* Cut anywhere, with any byte changed, or random: no harm under sanitizers, and never more modules than slots. */
static void damaged_tables_do_no_harm(void **state) {
    (void)state;
    uint8_t whole[TABLE_BYTES];
    const size_t bytes = write_table(ROME, COUNT(ROME), whole);
    struct memory_modules modules;
    srand(20261127);
    for (size_t cut = 0; cut <= bytes; cut++) {
        uint8_t *table = malloc(cut + 1);
        memcpy(table, whole, cut);
        memory_modules_smbios(table, cut, &modules);
        assert_true(modules.module_count <= COUNT(ROME));
        for (size_t i = 0; i < cut / 16; i++)
            table[(size_t)rand() % cut] = (uint8_t)rand();
        memory_modules_smbios(table, cut, &modules);
        free(table);
    }
}

static void any_text_does_no_harm(void **state) {
    (void)state;
    static const char *const PIECES[] = {"Memory Device\n",
                                         "\n",
                                         "\tSize: 32 GB\n",
                                         "Type: DDR4",
                                         "Locator: CHANNEL ",
                                         "Speed: ",
                                         "9e999 MT/s",
                                         "-1 MHz",
                                         ": ",
                                         "Data Width: 4294967295 bits\n",
                                         "\r\n",
                                         "CHANNEL",
                                         "Bank Locator: P0_Node0_Channel",
                                         "\xff",
                                         "\t"};
    struct memory_modules modules;
    srand(20261127);
    for (int round = 0; round < 3000; round++) {
        char text[2048] = "";
        size_t used = 0;
        for (int i = 0; i < 60 && used < sizeof text - 64; i++)
            used += (size_t)sprintf(text + used, "%s", PIECES[(size_t)rand() % COUNT(PIECES)]);
        memory_modules_text(text, &modules);
        assert_true(modules.channel_count <= modules.module_count);
        assert_true(modules.transfers_per_s >= 0 && modules.transfers_per_s < 1e12);
    }
}

static void edac_names_channels(void **state) {
    (void)state;
    char root[] = "/tmp/carmine-test-XXXXXX", command[2048];
    assert_non_null(mkdtemp(root));
    snprintf(command, sizeof command,
             "cd %s && for c in 0 1; do for d in 0 1 2; do m=sys/devices/system/edac/mc/mc$c/dimm$d; mkdir -p $m; "
             "echo 32768 >$m/size; echo Registered-DDR4 >$m/dimm_mem_type; echo channel $((d / 2)) slot $((d %% 2)) "
             ">$m/dimm_location; done; done; echo 0 >sys/devices/system/edac/mc/mc1/dimm2/size",
             root);
    assert_int_equal(system(command), 0);
    struct memory_modules modules;
    assert_true(memory_modules_read(root, &modules));
    assert_modules(modules, 5, 3, 0);
    assert_string_equal(modules.source, "EDAC");
    snprintf(command, sizeof command,
             "cd %s/sys/devices/system/edac/mc && for d in mc*/dimm*; do echo csrow ${d##*m} channel 3 "
             ">$d/dimm_location; done",
             root);
    assert_int_equal(system(command), 0); /* rows of chips are no channels */
    assert_true(memory_modules_read(root, &modules));
    assert_modules(modules, 5, 2, 0);
    snprintf(command, sizeof command, "rm -rf %s", root);
    assert_int_equal(system(command), 0);
    assert_false(memory_modules_read(root, &modules));
    assert_int_equal(modules.module_count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dmidecode_of_real_boards), cmocka_unit_test(names_that_are_not_unique),
        cmocka_unit_test(smbios_says_the_same),     cmocka_unit_test(damaged_tables_do_no_harm),
        cmocka_unit_test(any_text_does_no_harm),    cmocka_unit_test(edac_names_channels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
