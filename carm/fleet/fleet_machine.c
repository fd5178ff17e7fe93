/* SPDX-License-Identifier: BSD-3-Clause
 * The machine of a result, and whether two are of one type (see fleet.h). A hypervisor may write any brand and model
 * number, and hide instructions; it cannot add instructions, nor make a core's caches hold more. */
#include "fleet.h"
#include "fleet_thresholds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/levels.h"
#include "bench/kernels/number_thresholds.h"
#include "carm/model/memory_peak.h"
#include "carm/store/results.h"
#include "probe/isa.h"
#include "probe/need.h"
#include "render/page/units.h"

/* Settings of nodes, and their values within a group (see fleet.h). */

static void write_text(const char *value, char *out) {
    snprintf(out, FLEET_SETTING_BYTES, "%s", *value ? value : "not known");
}

static void write_governor(const struct fleet_machine *machine, char *out) {
    write_text(machine->governor, out);
}

static void write_huge_pages(const struct fleet_machine *machine, char *out) {
    write_text(machine->huge_pages, out);
}

static void write_microcode(const struct fleet_machine *machine, char *out) {
    write_text(machine->microcode, out);
}

static void write_threads(const struct fleet_machine *machine, char *out) {
    snprintf(out, FLEET_SETTING_BYTES, "%u", machine->pus);
}

static void write_nodes(const struct fleet_machine *machine, char *out) {
    snprintf(out, FLEET_SETTING_BYTES, "%u", machine->memory_nodes);
}

const struct fleet_setting fleet_settings[] = {
    {"governor", "governor", write_governor},
    {"huge pages", "huge_pages", write_huge_pages},
    {"microcode", "microcode", write_microcode},
    {"hardware threads (SMT)", "hardware_threads", write_threads},
    {"memory nodes (NPS)", "memory_nodes", write_nodes},
    {0},
};

static int by_count(const void *a, const void *b) {
    const struct fleet_setting_value *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count ? 1 : -1) : strcmp(x->text, y->text);
}

size_t fleet_setting_values(const struct fleet *fleet, const struct fleet_group *group,
                            const struct fleet_setting *setting, struct fleet_setting_value **out) {
    size_t count = 0;
    *out = NULL;
    for (size_t m = 0; m < group->count; m++) {
        char text[FLEET_SETTING_BYTES];
        setting->write(&fleet->nodes[group->members[m]].machine, text);
        size_t at = 0;
        while (at < count && strcmp((*out)[at].text, text) != 0)
            at++;
        if (at == count) {
            *out = need_realloc(*out, (count + 1) * sizeof **out);
            (*out)[count] = (struct fleet_setting_value){.first_node = group->members[m]};
            memcpy((*out)[count++].text, text, sizeof text);
        }
        (*out)[at].count++;
    }
    if (count > 0)
        qsort(*out, count, sizeof **out, by_count);
    return count;
}

/* Bits that describe no instructions, but clock, kernel and hypervisor; and instructions that older files do not name.
 */
static const cpu_features NO_INSTRUCTIONS =
    CPU_INVARIANT_TSC | CPU_RDTSCP | CPU_HYPERVISOR | CPU_HYBRID | CPU_CLZERO | CPU_CLDEMOTE | CPU_DC_ZVA;

/* A cache holds at least as much as a sweep found. A smaller find may be due to other programs. If these ran
 * meanwhile, a larger one may be, too: then the size is unknown. */
static uint64_t core_cache_bytes(const struct result *result, const char *name) {
    const struct levels *levels = &result->levels[0];
    const int at = levels_find(levels, name);
    if (at < 0)
        return 0;
    const uint64_t detected = levels->level[at].detected_bytes, found = levels->level[at].found_bytes;
    if ((double)found <= number_thresholds.levels_agree.value * (double)detected)
        return detected;
    return result->environment.others_cpus < number_thresholds.others_work.value ? found : 0;
}

struct fleet_machine fleet_machine_of(const struct result *result) {
    const struct machine *machine = &result->machine;
    struct fleet_machine out = {.family = machine->cpu.family,
                                .model = machine->cpu.model,
                                .features = machine->cpu.features,
                                .packages = machine->package_count,
                                .cores = machine->machine_core_count,
                                .allowed_cores = machine->core_count,
                                .allowed_pus = machine->allowed_pu_count,
                                .pus = machine->pu_count,
                                .memory_nodes = machine->node_count,
                                .cpu_quota_cpus = result->environment.cpu_quota_cpus,
                                .memory_bytes = machine->memory_total_bytes,
                                .dram_bytes_per_s = machine->core_count == machine->machine_core_count
                                                        ? memory_peak_find(result, NULL).bytes_per_s
                                                        : 0,
                                .l1_bytes = core_cache_bytes(result, "L1"),
                                .l2_bytes = core_cache_bytes(result, "L2")};
    snprintf(out.host, sizeof out.host, "%s", machine->host);
    snprintf(out.cpu, sizeof out.cpu, "%s", machine->cpu.brand);
    snprintf(out.uarch, sizeof out.uarch, "%s", result->uarch);
    snprintf(out.governor, sizeof out.governor, "%s", result->environment.governor);
    snprintf(out.huge_pages, sizeof out.huge_pages, "%s", result->environment.huge_pages);
    snprintf(out.microcode, sizeof out.microcode, "%s", result->environment.microcode);
    return out;
}

static bool same_brand(const struct fleet_machine *a, const struct fleet_machine *b) {
    return strcmp(a->cpu, b->cpu) == 0;
}

static void tell_brand(const struct fleet_machine *own, const struct fleet_machine *other, char *out, size_t bytes) {
    (void)other;
    snprintf(out, bytes, "%s", *own->cpu ? own->cpu : "a CPU without a name");
}

/* For an identified core the model number adds nothing, and a missing instruction set is switched off. For any other
 * core family, model number and instructions are all that is known. */
static bool same_core(const struct fleet_machine *a, const struct fleet_machine *b) {
    if (*a->uarch || *b->uarch)
        return strcmp(a->uarch, b->uarch) == 0;
    return a->family == b->family && a->model == b->model && !((a->features ^ b->features) & ~NO_INSTRUCTIONS);
}

static void tell_core(const struct fleet_machine *own, const struct fleet_machine *other, char *out, size_t bytes) {
    const cpu_features more = own->features & ~other->features & ~NO_INSTRUCTIONS,
                       less = other->features & ~own->features & ~NO_INSTRUCTIONS, told = more ? more : less;
    const char *name = told ? cpu_feature_name(told & -told) : NULL;
    if (*own->uarch)
        snprintf(out, bytes, "%s", own->uarch);
    else if (name && own->family == other->family && own->model == other->model)
        snprintf(out, bytes, "%s %s", more ? "with" : "without", name);
    else
        snprintf(out, bytes, "family %u model %u", own->family, own->model);
}

static bool same_size(uint64_t a, uint64_t b) {
    return a == 0 || b == 0 || fabs(log((double)a / (double)b)) < log(fleet_thresholds.same_size.value);
}

static bool same_caches(const struct fleet_machine *a, const struct fleet_machine *b) {
    return same_size(a->l1_bytes, b->l1_bytes) && same_size(a->l2_bytes, b->l2_bytes);
}

static void tell_caches(const struct fleet_machine *own, const struct fleet_machine *other, char *out, size_t bytes) {
    const bool first = !same_size(own->l1_bytes, other->l1_bytes);
    char size[UNITS_BYTES];
    snprintf(out, bytes, "%s of %s", first ? "L1" : "L2",
             units_binary(size, sizeof size, (double)(first ? own->l1_bytes : own->l2_bytes)));
}

static bool same_counts(const struct fleet_machine *a, const struct fleet_machine *b) {
    return a->cores == b->cores && a->packages == b->packages;
}

static void tell_counts(const struct fleet_machine *own, const struct fleet_machine *other, char *out, size_t bytes) {
    (void)other;
    snprintf(out, bytes, "%u core%s in %u package%s", own->cores, own->cores == 1 ? "" : "s", own->packages,
             own->packages == 1 ? "" : "s");
}

/* Machines of one type agree in all of these; the first difference is reported. */
static const struct trait {
    bool (*same)(const struct fleet_machine *a, const struct fleet_machine *b);
    void (*tell)(const struct fleet_machine *own, const struct fleet_machine *other, char *out, size_t bytes);
} TRAITS[] = {{same_brand, tell_brand}, {same_core, tell_core}, {same_caches, tell_caches}, {same_counts, tell_counts}};

/* NULL: no difference */
static const struct trait *first_difference(const struct fleet_machine *a, const struct fleet_machine *b) {
    for (size_t i = 0; i < sizeof TRAITS / sizeof TRAITS[0]; i++)
        if (!TRAITS[i].same(a, b))
            return &TRAITS[i];
    return NULL;
}

bool fleet_difference(const struct fleet_machine *own, const struct fleet_machine *other,
                      char out[FLEET_DIFFERENCE_BYTES]) {
    const struct trait *trait = first_difference(own, other);
    *out = '\0';
    if (trait)
        trait->tell(own, other, out, FLEET_DIFFERENCE_BYTES);
    return trait != NULL;
}

bool fleet_same_host(const struct fleet_machine *a, const struct fleet_machine *b) {
    return strcmp(a->host, b->host) == 0 && fleet_same_cpu(a, b);
}

bool fleet_same_cpu(const struct fleet_machine *a, const struct fleet_machine *b) {
    return !first_difference(a, b);
}

uint64_t fleet_memory_class(uint64_t bytes) {
    if (bytes == 0)
        return 0;
    const double power = exp2(floor(log2((double)bytes))), sizes[] = {power, power + power / 2, 2 * power};
    double best = sizes[0];
    for (size_t i = 1; i < 3; i++)
        if (fabs(log(sizes[i] / (double)bytes)) < fabs(log(best / (double)bytes)))
            best = sizes[i];
    return (uint64_t)best;
}
