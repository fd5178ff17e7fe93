/* SPDX-License-Identifier: BSD-3-Clause
 * Identities of Arm cores (see midr.h). Fields of MIDR_EL1: Arm Architecture Reference Manual, D24.2. The names are in
 * aarch64/midr_table.c. */
#include "midr.h"
#include "midr_table.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "osfile.h"
#include "text.h"

static unsigned implementer_of(uint32_t midr) {
    return midr >> 24;
}

static unsigned part_of(uint32_t midr) {
    return midr >> 4 & 0xfff;
}

static uint32_t midr_make(unsigned implementer, unsigned variant, unsigned part, unsigned revision) {
    enum { BY_FEATURES = 0xf }; /* the architecture's field since ARMv8: see the registers of features */
    return (implementer & 0xff) << 24 | (variant & 0xf) << 20 | BY_FEATURES << 16 | (part & 0xfff) << 4 |
           (revision & 0xf);
}

static unsigned number(const char *text) {
    return (unsigned)strtoul(text, NULL, 0);
}

uint32_t midr_of_texts(const char *implementer, const char *variant, const char *part, const char *revision) {
    return midr_make(number(implementer), number(variant), number(part), number(revision));
}

void midr_texts(uint32_t midr, char out[4][8]) {
    enum { TEXT_BYTES = 8 };
    snprintf(out[0], TEXT_BYTES, "0x%02x", implementer_of(midr));
    snprintf(out[1], TEXT_BYTES, "0x%x", midr >> 20 & 0xf);
    snprintf(out[2], TEXT_BYTES, "0x%03x", part_of(midr));
    snprintf(out[3], TEXT_BYTES, "%u", midr & 0xf);
}

/* A line of /proc/cpuinfo: "CPU part\t: 0xd40". */
static void cpuinfo_line(const char *line, const char *key, char *value, size_t value_bytes) {
    const size_t length = strlen(key);
    if (strncmp(line, key, length) == 0 && strchr("\t :", line[length]))
        snprintf(value, value_bytes, "%s", line + length + strspn(line + length, "\t :"));
}

/* Older kernels have no other source. The lines of a CPU follow the one with its number. Later ones are not read: on a
 * large machine, and on one of another architecture, they would take milliseconds. */
static bool read_cpuinfo(const char *root, unsigned cpu, uint32_t *out) {
    char path[4096], line[4096], texts[4][32] = {"", "", "", ""}, own[32] = "";
    static const char *const KEYS[] = {"CPU implementer", "CPU variant", "CPU part", "CPU revision"};
    if (snprintf(path, sizeof path, "%s/proc/cpuinfo", root) >= (int)sizeof path)
        return false;
    FILE *file = fopen(path, "re");
    bool done = false;
    while (file && !done && fgets(line, sizeof line, file)) {
        cpuinfo_line(line, "processor", own, sizeof own);
        const bool is_own = *own && number(own) == cpu;
        for (size_t i = 0; i < 4 && is_own; i++)
            cpuinfo_line(line, KEYS[i], texts[i], sizeof texts[i]);
        done = is_own && (*line == '\n' || *texts[3]);
    }
    if (file)
        fclose(file);
    *out = midr_of_texts(texts[0], texts[1], texts[2], texts[3]);
    return *texts[0] && *texts[2];
}

bool midr_read(const char *root, unsigned cpu, uint32_t *out) {
    char path[96];
    int64_t value;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/regs/identification/midr_el1", cpu);
    if (!osfile_number(root, path, &value))
        return read_cpuinfo(root, cpu, out);
    *out = (uint32_t)value;
    return true;
}

static const char *vendor_name(unsigned implementer) {
    const struct midr_vendor *row = midr_vendor_table;
    while (row->name && row->implementer != implementer)
        row++;
    return row->name;
}

/* The row without a name: none. */
static const struct midr_part *part_row(unsigned implementer, unsigned part) {
    const struct midr_part *row = midr_part_table;
    while (row->name && (row->implementer != implementer || row->part != part))
        row++;
    return row;
}

const char *midr_part_name(uint32_t midr) {
    return part_row(implementer_of(midr), part_of(midr))->name;
}

const char *midr_product(uint32_t midr) {
    return part_row(implementer_of(midr), part_of(midr))->product;
}

bool midr_of_product(const char *product, unsigned rank, uint32_t *out) {
    const struct midr_part *found[2] = {NULL, NULL}; /* the efficient cores have the lower number */
    for (const struct midr_part *row = midr_part_table; row->name; row++)
        if (row->product && strcmp(row->product, product) == 0) {
            found[1] = found[0];
            found[0] = row;
        }
    if (rank > 1 || !found[1])
        return false;
    *out = midr_make(found[rank]->implementer, 0, found[rank]->part, 0);
    return true;
}

/* NULL: nothing tells it. */
static const char *product_name(uint32_t midr, const char *platform) {
    const char *own = midr_product(midr);
    if (own)
        return own;
    const struct midr_product *row = midr_product_table;
    while (row->name &&
           (row->implementer != implementer_of(midr) || row->part != part_of(midr) || !strstr(platform, row->platform)))
        row++;
    return row->name;
}

static bool is_repeated(const uint32_t *midrs, unsigned index) {
    unsigned i = 0;
    while (part_of(midrs[i]) != part_of(midrs[index]))
        i++;
    return i < index;
}

/* "Firestorm + Icestorm": each part once. */
static void parts_list(const uint32_t *midrs, unsigned count, char *out, size_t out_bytes) {
    char name[32];
    *out = '\0';
    for (unsigned i = 0; i < count; i++) {
        if (is_repeated(midrs, i))
            continue;
        const char *known = midr_part_name(midrs[i]);
        if (known)
            snprintf(name, sizeof name, "%s", known);
        else
            snprintf(name, sizeof name, "part 0x%03x", part_of(midrs[i]));
        text_append(out, out_bytes, "%s%s", *out ? " + " : "", name);
    }
}

void midr_identify(const uint32_t *midrs, unsigned count, const char *platform, struct cpu_identity *out) {
    const uint32_t first = midrs[0];
    const char *vendor = vendor_name(implementer_of(first)), *product = product_name(first, platform);
    char parts[sizeof out->brand];
    if (vendor)
        snprintf(out->vendor, sizeof out->vendor, "%s", vendor);
    else
        snprintf(out->vendor, sizeof out->vendor, "0x%02x", implementer_of(first));
    out->family = MIDR_FAMILY;
    out->model = part_of(first);
    out->stepping = 16 * (first >> 20 & 0xf) + (first & 0xf);
    parts_list(midrs, count, parts, sizeof parts);
    *out->brand = '\0';
    text_append(out->brand, sizeof out->brand, product ? "%s (%s)" : "%s %s", product ? product : out->vendor, parts);
}

void midr_platform(const char *root, char out[MIDR_PLATFORM_BYTES]) {
    static const char *const FILES[] = {"/sys/class/dmi/id/sys_vendor", "/sys/class/dmi/id/product_name",
                                        "/sys/class/dmi/id/chassis_asset_tag", "/sys/devices/soc0/soc_id"};
    char text[64];
    *out = '\0';
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++)
        if (osfile_text(root, FILES[i], text, sizeof text))
            text_append(out, MIDR_PLATFORM_BYTES, "%s%s", *out ? " " : "", text);
}

/* An EL1 kernel sees no register that says it. The words are those by which systemd-detect-virt knows virtual machines;
 * the first row that fits applies. */
void midr_hypervisor(const char *root, char out[MIDR_HYPERVISOR_BYTES]) {
    static const char VENDOR[] = "/sys/class/dmi/id/sys_vendor", PRODUCT[] = "/sys/class/dmi/id/product_name",
                      TREE[] = "/proc/device-tree/hypervisor/compatible";
    static const struct {
        const char *file, *word, *name;
    } SIGNS[] = {
        {PRODUCT, ".metal", ""}, /* of Amazon's, whose vendor is that of its guests */
        {"/sys/hypervisor/type", "xen", "Xen"},
        {TREE, "kvm", "KVM"},
        {TREE, "xen", "Xen"},
        {TREE, "vmware", "VMware"},
        {VENDOR, "Amazon EC2", "Amazon EC2"},
        {PRODUCT, "Google Compute Engine", "Google"},
        {PRODUCT, "Alibaba Cloud ECS", "Alibaba"},
        {PRODUCT, "OpenStack", "OpenStack"},
        {PRODUCT, "KubeVirt", "KubeVirt"},
        {PRODUCT, "KVM", "KVM"},
        {PRODUCT, "vServer", "KVM"}, /* of Hetzner's */
        {PRODUCT, "Virtual Machine", "Hyper-V"},
        {PRODUCT, "VMware", "VMware"},
        {PRODUCT, "VirtualBox", "VirtualBox"},
        {PRODUCT, "Parallels", "Parallels"},
        {VENDOR, "QEMU", "QEMU"},
        {VENDOR, "VMware", "VMware"},
        {VENDOR, "Xen", "Xen"},
        {VENDOR, "Apple Virtual", "Apple"},
        {PRODUCT, "Apple Virtual", "Apple"},
        {"/sys/bus/acpi/devices/QEMU0002:00/hid", "QEMU", "QEMU"},
    };
    char text[64];
    *out = '\0';
    for (size_t i = 0; i < sizeof SIGNS / sizeof *SIGNS; i++)
        if (osfile_text(root, SIGNS[i].file, text, sizeof text) && strstr(text, SIGNS[i].word)) {
            snprintf(out, MIDR_HYPERVISOR_BYTES, "%s", SIGNS[i].name);
            return;
        }
}

static bool implementer_find(const char *vendor, unsigned *out) {
    const struct midr_vendor *row = midr_vendor_table;
    while (row->name && strcmp(row->name, vendor) != 0)
        row++;
    *out = row->name ? row->implementer : number(vendor);
    return row->name || strncmp(vendor, "0x", 2) == 0;
}

bool midr_is_arm(const struct cpu_identity *cpu) {
    unsigned implementer;
    return cpu->family == MIDR_FAMILY && implementer_find(cpu->vendor, &implementer);
}

/* A second kind of the same part has a number: "Firestorm2", "Cortex-A720-2". */
static bool is_kind_of(const char *name, const char *part) {
    const size_t length = strlen(part);
    if (strncmp(name, part, length) != 0)
        return false;
    const char *rest = name + length;
    if (*rest && isdigit((unsigned char)part[length - 1]) && *rest++ != '-')
        return false;
    return rest[strspn(rest, "0123456789")] == '\0';
}

struct cpu_identity midr_of_kind(const struct cpu_identity *cpu, const char *kind_name) {
    struct cpu_identity own = *cpu;
    unsigned implementer;
    if (!midr_is_arm(cpu) || !*kind_name || strcmp(kind_name, "P") == 0 || !implementer_find(cpu->vendor, &implementer))
        return own;
    const char *product = part_row(implementer, cpu->model)->product;
    own.model = strncmp(kind_name, "0x", 2) == 0 ? number(kind_name) : MIDR_NO_PART;
    for (const struct midr_part *row = midr_part_table; row->name; row++)
        if (row->implementer == implementer && is_kind_of(kind_name, row->name) &&
            (!product || !row->product || strcmp(row->product, product) == 0)) /* chips with equal cores */
            own.model = row->part;
    return own;
}

const char *midr_model(const struct cpu_identity *cpu, char out[MIDR_MODEL_BYTES]) {
    if (!midr_is_arm(cpu))
        snprintf(out, MIDR_MODEL_BYTES, "%s family %u model %u", cpu->vendor, cpu->family, cpu->model);
    else if (cpu->model == MIDR_NO_PART)
        snprintf(out, MIDR_MODEL_BYTES, "these cores of %s, whose part is not known", cpu->vendor);
    else
        snprintf(out, MIDR_MODEL_BYTES, "%s part 0x%03x", cpu->vendor, cpu->model);
    return out;
}

unsigned midr_caches(const struct cpu_identity *cpu, struct cpu_cache *out, unsigned max) {
    const struct midr_caches *row = midr_caches_table;
    while (row->brand && strncmp(cpu->brand, row->brand, strlen(row->brand)) != 0)
        row++;
    unsigned count = 0;
    while (row->brand && count < 3 && count < max && row->levels[count].kib) {
        out[count] = (struct cpu_cache){.level = count + 1,
                                        .line_bytes = row->line_bytes,
                                        .associativity = row->levels[count].ways,
                                        .sharing_pu_count = row->levels[count].sharing_pu_count,
                                        .size_bytes = (uint64_t)row->levels[count].kib << 10};
        count++;
    }
    return count;
}
