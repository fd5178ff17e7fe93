/* SPDX-License-Identifier: BSD-3-Clause
 * Memory modules (see memory_modules.h). Offsets and codes are those of the SMBIOS specification (DMTF DSP0134),
 * structure type 17; EDAC's files those of Linux, Documentation/admin-guide/ras.rst. */
#include "memory_modules.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "need.h"
#include "osfile.h"

static const char TABLE[] = "/sys/firmware/dmi/tables/DMI", CONTROLLERS[] = "/sys/devices/system/edac/mc";

enum {
    MOST_TABLE_BYTES = 1 << 20,
    MOST_CHANNELS = 512,
    MOST_MODULES_PER_CHANNEL = 3,
    TEXT_BYTES = 64,
    PATH_BYTES = 1024
};

/* A slot, as both forms describe it. */
struct memory_slot {
    char array[TEXT_BYTES], locator[TEXT_BYTES], bank[TEXT_BYTES]; /* its array's handle, and its two names */
    bool filled, dram;
    unsigned width_bits;
    double transfers_per_s, rated_transfers_per_s;
};

struct survey {
    struct memory_modules modules;
    bool unnamed;                                     /* a module's channel has no name */
    char channels[MOST_CHANNELS][2 * TEXT_BYTES + 2]; /* names of those with a module */
    unsigned channel_count;
};

/* "P0_Node0_Channel1_Dimm0" → the length of "P0_Node0_Channel1"; 0: no channel is named. */
static size_t channel_length(const char *name) {
    static const char WORD[] = "channel";
    const char *at = strcasestr(name, WORD);
    if (!at)
        return 0;
    at += strlen(WORD);
    at += strspn(at, " _-:");
    const char *end = at;
    if (isdigit((unsigned char)*end))
        end += strspn(end, "0123456789");
    else
        end += isalpha((unsigned char)*end) != 0;
    return end > at ? (size_t)(end - name) : 0;
}

static void add_channel(struct survey *survey, const char *name) {
    for (unsigned i = 0; i < survey->channel_count; i++)
        if (strcmp(survey->channels[i], name) == 0)
            return;
    if (survey->channel_count < MOST_CHANNELS)
        snprintf(survey->channels[survey->channel_count++], sizeof survey->channels[0], "%s", name);
}

static double slower(double known, double other) {
    return known > 0 && (other <= 0 || known < other) ? known : other;
}

static void add_slot(struct survey *survey, const struct memory_slot *slot) {
    struct memory_modules *modules = &survey->modules;
    if (!slot->filled || !slot->dram)
        return;
    const char *name = channel_length(slot->bank) ? slot->bank : slot->locator;
    char channel[sizeof survey->channels[0]];
    snprintf(channel, sizeof channel, "%s %.*s", slot->array, (int)channel_length(name), name);
    if (channel_length(name))
        add_channel(survey, channel);
    else
        survey->unnamed = true;
    modules->module_count++;
    modules->bus_bytes = slot->width_bits / 8 > modules->bus_bytes ? slot->width_bits / 8 : modules->bus_bytes;
    const double rate = slot->transfers_per_s > 0 ? slot->transfers_per_s : slot->rated_transfers_per_s;
    modules->transfers_per_s = slower(modules->transfers_per_s, rate);
}

/* Some firmware gives the channels of two packages the same name: more modules than a channel has slots show it. */
static bool memory_modules_finish(struct survey *survey, const char *source, struct memory_modules *out) {
    *out = survey->modules;
    const bool named =
        !survey->unnamed && out->module_count <= survey->channel_count * (unsigned)MOST_MODULES_PER_CHANNEL;
    out->channel_count = named ? survey->channel_count : 0;
    snprintf(out->source, sizeof out->source, "%s", out->module_count ? source : "");
    free(survey);
    return out->module_count > 0;
}

/* SMBIOS. */

enum {
    DEVICE = 17,
    DEVICE_ARRAY = 4,
    DEVICE_DATA_WIDTH = 0x0a,
    DEVICE_SIZE = 0x0c,
    DEVICE_LOCATOR = 0x10,
    DEVICE_BANK = 0x11,
    DEVICE_TYPE = 0x12,
    DEVICE_SPEED = 0x15,
    DEVICE_CONFIGURED = 0x20,
    DEVICE_TECHNOLOGY = 0x28,
    DEVICE_EXTENDED_SPEED = 0x54,
    DEVICE_EXTENDED_CONFIGURED = 0x58,
    TECHNOLOGY_PERSISTENT = 7,
    HEAD_BYTES = 4,
    UNKNOWN_16 = 0xffff
};

/* A structure: its formatted part, and the strings behind it up to two zeros. */
struct structure {
    const uint8_t *at, *strings, *end;
    unsigned bytes;
};

static unsigned field(const struct structure *structure, unsigned offset, unsigned bytes) {
    unsigned value = 0;
    for (unsigned i = bytes; i-- > 0 && offset + bytes <= structure->bytes;)
        value = value << 8 | structure->at[offset + i];
    return value;
}

/* The string of that number, counted from 1; "" for none. */
static void string_at(const struct structure *structure, unsigned offset, char out[TEXT_BYTES]) {
    const char *text = (const char *)structure->strings, *end = (const char *)structure->end;
    const unsigned number = field(structure, offset, 1);
    for (unsigned i = 1; i < number && text < end; i++)
        text += strnlen(text, (size_t)(end - text)) + 1;
    const size_t left = number && text < end ? strnlen(text, (size_t)(end - text)) : 0;
    snprintf(out, TEXT_BYTES, "%.*s", (int)(left < TEXT_BYTES ? left : TEXT_BYTES - 1), left ? text : "");
}

/* DDR, DDR2, DDR3, DDR4, LPDDR to LPDDR4, DDR5 and LPDDR5. */
static bool is_dram(unsigned type) {
    return type == 0x12 || type == 0x13 || (type >= 0x18 && type <= 0x1e) || type == 0x22 || type == 0x23;
}

/* In MT/s; a rate that does not fit 16 bits is in another field. */
static double rate_at(const struct structure *structure, unsigned offset, unsigned extended) {
    const unsigned rate = field(structure, offset, 2);
    return 1e6 * (rate == UNKNOWN_16 ? field(structure, extended, 4) & 0x7fffffff : rate);
}

static void memory_modules_read_device(struct survey *survey, const struct structure *structure) {
    const unsigned width = field(structure, DEVICE_DATA_WIDTH, 2);
    struct memory_slot slot = {.filled = field(structure, DEVICE_SIZE, 2) != 0,
                               .dram = is_dram(field(structure, DEVICE_TYPE, 1)) &&
                                       field(structure, DEVICE_TECHNOLOGY, 1) != TECHNOLOGY_PERSISTENT,
                               .width_bits = width == UNKNOWN_16 ? 0 : width,
                               .transfers_per_s = rate_at(structure, DEVICE_CONFIGURED, DEVICE_EXTENDED_CONFIGURED),
                               .rated_transfers_per_s = rate_at(structure, DEVICE_SPEED, DEVICE_EXTENDED_SPEED)};
    snprintf(slot.array, sizeof slot.array, "%u", field(structure, DEVICE_ARRAY, 2));
    string_at(structure, DEVICE_LOCATOR, slot.locator);
    string_at(structure, DEVICE_BANK, slot.bank);
    add_slot(survey, &slot);
}

bool memory_modules_smbios(const uint8_t *table, size_t bytes, struct memory_modules *out) {
    struct survey *survey = need_calloc(1, sizeof *survey);
    const uint8_t *end = table + bytes;
    for (const uint8_t *at = table; end - at >= HEAD_BYTES && at[1] >= HEAD_BYTES && at[1] <= end - at;) {
        const uint8_t *strings = at + at[1], *last = strings;
        while (end - last >= 2 && (last[0] || last[1]))
            last++;
        const struct structure structure = {at, strings, last, at[1]};
        if (at[0] == DEVICE)
            memory_modules_read_device(survey, &structure);
        at = end - last >= 2 ? last + 2 : end;
    }
    return memory_modules_finish(survey, "SMBIOS", out);
}

/* dmidecode's text. */

/* "3200 MT/s", of older versions "2400 MHz" → 3.2e9, 2.4e9; 0: "Unknown". */
static double text_rate(const char *value) {
    char *end;
    const double rate = strtod(value, &end);
    const bool known = strncmp(end, " MT/s", 5) == 0 || strncmp(end, " MHz", 4) == 0;
    return known && rate > 0 && rate < 1e6 ? rate * 1e6 : 0;
}

static void memory_modules_read_line(struct memory_slot *slot, const char *key, const char *value) {
    if (strcmp(key, "Array Handle") == 0)
        snprintf(slot->array, sizeof slot->array, "%s", value);
    else if (strcmp(key, "Locator") == 0)
        snprintf(slot->locator, sizeof slot->locator, "%s", value);
    else if (strcmp(key, "Bank Locator") == 0)
        snprintf(slot->bank, sizeof slot->bank, "%s", value);
    else if (strcmp(key, "Size") == 0)
        slot->filled = isdigit((unsigned char)*value) && *value != '0';
    else if (strcmp(key, "Type") == 0)
        slot->dram = strncmp(value, "DDR", 3) == 0 || strncmp(value, "LPDDR", 5) == 0;
    else if (strcmp(key, "Data Width") == 0)
        slot->width_bits = (unsigned)strtoul(value, NULL, 10) & 0xfff;
    else if (strcmp(key, "Speed") == 0)
        slot->rated_transfers_per_s = text_rate(value);
    else if (strcmp(key, "Configured Memory Speed") == 0 || strcmp(key, "Configured Clock Speed") == 0)
        slot->transfers_per_s = text_rate(value);
    else if (strcmp(key, "Memory Technology") == 0 && strstr(value, "persistent"))
        slot->filled = false;
}

bool memory_modules_text(const char *text, struct memory_modules *out) {
    struct survey *survey = need_calloc(1, sizeof *survey);
    struct memory_slot slot = {.filled = false};
    bool inside = false;
    while (*text) {
        char line[256];
        const size_t length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)(length < sizeof line ? length : sizeof line - 1), text);
        text += length + (text[length] == '\n');
        char *key = line + strspn(line, " \t"), *colon = strstr(key, ": ");
        line[strcspn(line, "\r")] = '\0';
        if (inside && colon) {
            *colon = '\0';
            memory_modules_read_line(&slot, key, colon + 2);
        } else if (inside && !*key) {
            add_slot(survey, &slot);
            inside = false;
        } else if (strcmp(key, "Memory Device") == 0) {
            slot = (struct memory_slot){.filled = false};
            inside = true;
        }
    }
    if (inside)
        add_slot(survey, &slot);
    return memory_modules_finish(survey, "dmidecode", out);
}

/* EDAC: each module is a folder mcN/dimmM (or rankM). */

static void read_edac_module(struct survey *survey, const char *root, const char *controller, const char *name) {
    char path[2 * PATH_BYTES], type[TEXT_BYTES];
    struct memory_slot slot = {.filled = true};
    int64_t mebibytes;
    if (snprintf(path, sizeof path, "%s/%s/size", controller, name) >= (int)sizeof path ||
        !osfile_number(root, path, &mebibytes) || mebibytes <= 0)
        return;
    snprintf(path, sizeof path, "%s/%s/dimm_mem_type", controller, name);
    slot.dram = osfile_text(root, path, type, sizeof type) && strstr(type, "DDR");
    snprintf(path, sizeof path, "%s/%s/dimm_location", controller, name);
    osfile_text(root, path, slot.bank, sizeof slot.bank);
    const char *channel = strstr(slot.bank, "channel"); /* "csrow 0 channel 3": the rows are of one channel */
    if (channel)
        memmove(slot.bank, channel, strlen(channel) + 1);
    snprintf(slot.array, sizeof slot.array, "%.*s", TEXT_BYTES - 1, strrchr(controller, '/'));
    add_slot(survey, &slot);
}

static void read_edac_controller(struct survey *survey, const char *root, const char *controller) {
    char path[PATH_BYTES];
    if (snprintf(path, sizeof path, "%s%s", root, controller) >= (int)sizeof path)
        return;
    DIR *folder = opendir(path);
    for (const struct dirent *entry; folder && (entry = readdir(folder));)
        if (strncmp(entry->d_name, "dimm", 4) == 0 || strncmp(entry->d_name, "rank", 4) == 0)
            read_edac_module(survey, root, controller, entry->d_name);
    if (folder)
        closedir(folder);
}

static bool read_edac(const char *root, struct memory_modules *out) {
    struct survey *survey = need_calloc(1, sizeof *survey);
    char path[PATH_BYTES];
    DIR *folder = snprintf(path, sizeof path, "%s%s", root, CONTROLLERS) < (int)sizeof path ? opendir(path) : NULL;
    for (const struct dirent *entry; folder && (entry = readdir(folder));)
        if (strncmp(entry->d_name, "mc", 2) == 0 && isdigit((unsigned char)entry->d_name[2]) &&
            snprintf(path, sizeof path, "%s/%s", CONTROLLERS, entry->d_name) < (int)sizeof path)
            read_edac_controller(survey, root, path);
    if (folder)
        closedir(folder);
    return memory_modules_finish(survey, "EDAC", out);
}

static bool read_smbios(const char *root, struct memory_modules *out) {
    char path[PATH_BYTES];
    FILE *file = snprintf(path, sizeof path, "%s%s", root, TABLE) < (int)sizeof path ? fopen(path, "re") : NULL;
    *out = (struct memory_modules){.module_count = 0};
    if (!file)
        return false;
    uint8_t *table = need_calloc(1, MOST_TABLE_BYTES);
    const size_t bytes = fread(table, 1, MOST_TABLE_BYTES, file);
    fclose(file);
    const bool found = memory_modules_smbios(table, bytes, out);
    free(table);
    return found;
}

bool memory_modules_read(const char *root, struct memory_modules *out) {
    struct memory_modules counted;
    if (!read_smbios(root, out))
        return read_edac(root, out);
    if (out->channel_count == 0 && read_edac(root, &counted)) /* EDAC always names the channels */
        out->channel_count = counted.channel_count;
    return true;
}
