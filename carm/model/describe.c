/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/kernels/doubt.h"
#include "describe.h"
#include "memory_model.h"
#include "model_thresholds.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/arithmetic.h"
#include "asm/kernel.h"
#include "asm/pattern.h"
#include "bench/kernels/estimate.h"
#include "bench/kernels/number_thresholds.h"
#include "probe/text.h"
#include "bench/kernels/levels.h"
#include "bench/kernels/others.h"
#include "bench/kernels/timing.h"
#include "carm/store/results.h"
#include "probe/machine.h"
#include "probe/midr.h"
#include "render/page/units.h"

/* Removes every `word` from the text. */
static void strip(char *text, const char *word) {
    for (char *at; (at = strstr(text, word));)
        memmove(at, at + strlen(word), strlen(at + strlen(word)) + 1);
}

bool describe_is_vague(const struct sample *sample) {
    const double uncertainty = estimate_uncertainty(sample);
    return isfinite(uncertainty) && uncertainty > model_thresholds.vague.value;
}

/* "0.78–1.06 TB/s": both ends in the unit of the higher one, unless the lower one is far below it. */
static char *describe_range(const struct sample *sample, const char *unit, char *out, size_t size) {
    char low[UNITS_BYTES], high[UNITS_BYTES];
    units_column(low, sizeof low, sample->low, unit);
    units_column(high, sizeof high, sample->high, unit);
    char *own = strchr(low, ' '), *others = strchr(high, ' ');
    const double ratio = sample->low / sample->high;
    if (own && others && strcmp(own, others) == 0) {
        *own = '\0';
    } else if (others && ratio >= model_thresholds.far_below.value) {
        const char *point = strchr(high, '.');
        snprintf(low, sizeof low, "%.*f", point ? (int)(others - point) - 1 : 0, ratio * strtod(high, NULL));
    }
    snprintf(out, size, "%s–%s", low, high);
    return out;
}

char *describe_value(const struct sample *sample, const char *unit, char *out, size_t size) {
    const double uncertainty = estimate_uncertainty(sample);
    char value[UNITS_BYTES];
    if (describe_is_vague(sample))
        return describe_range(sample, unit, out, size);
    units_column(value, sizeof value, sample->value, unit);
    if (isfinite(uncertainty) && uncertainty > number_thresholds.unpaced_bound.value)
        snprintf(out, size, "%s ±%.0f %%", value, 100 * uncertainty);
    else
        snprintf(out, size, "%s", value);
    return out;
}

const char *describe_cpu(const struct result *result, char *out, size_t size) {
    char brand[sizeof result->machine.cpu.brand];
    snprintf(brand, sizeof brand, "%s",
             result->machine.cpu.brand[0] ? result->machine.cpu.brand : result->machine.cpu.vendor);
    strip(brand, "(R)");
    strip(brand, "(TM)");
    strip(brand, "(tm)");
    const bool named = midr_is_arm(&result->machine.cpu); /* after its cores */
    snprintf(out, size, "%s%s%s", brand, !named && result->uarch[0] ? " · " : "", named ? "" : result->uarch);
    return out;
}

void describe_machine(const struct result *result, char *out, size_t size) {
    const struct machine *machine = &result->machine;
    char name[160];
    describe_cpu(result, name, sizeof name);
    if (machine->core_count == 0) { /* other tools report only its name */
        snprintf(out, size, "%s", name);
        return;
    }
    snprintf(out, size, "%s · %u package%s, %u of %u core%s · %s", name, machine->package_count,
             machine->package_count == 1 ? "" : "s", machine->core_count, machine->machine_core_count,
             machine->machine_core_count == 1 ? "" : "s", machine->host);
}

void describe_conditions(const struct result *result, char *out, size_t size) {
    const struct environment *environment = &result->environment;
    char clock[UNITS_BYTES], page[UNITS_BYTES], pages[UNITS_BYTES + 16] = "";
    uint64_t least_page = UINT64_MAX, most_page = 0;
    bool smt = false;
    for (size_t i = 0; i < result->sample_count; i++) {
        smt |= result->samples[i].cores > 0;
        const struct sample *sample = &result->samples[i];
        if (sample->small_pages || sample->page_bytes == 0) /* requested ones are no condition of the run */
            continue;
        least_page = sample->page_bytes < least_page ? sample->page_bytes : least_page;
        most_page = sample->page_bytes > most_page ? sample->page_bytes : most_page;
    }
    bool measured = result->sample_count > 0; /* a result may hold applications alone */
    if (result->machine.core_count == 0) {
        snprintf(out, size, "imported · %.10s · carmine %s", environment->started_utc, environment->version);
        return;
    }
    if (most_page > 0)
        snprintf(pages, sizeof pages, "%s pages · ",
                 least_page < most_page ? "mixed" : units_binary(page, sizeof page, (double)most_page));
    snprintf(out, size, "%s%s%s%s%s%s · %.10s · carmine %s",
             measured ? units_si_digits(clock, sizeof clock, environment->rest_clock_hz, "Hz", 3) : "",
             measured ? " at rest · " : "", pages,
             !measured ? ""
             : smt     ? "pinned threads · "
                       : "one pinned thread per core · ",
             result->machine.cpu.hypervisor[0] ? "virtual machine · " : "", environment->kernel,
             environment->started_utc, environment->version);
}

size_t describe_level_notes(const struct result *result, char (*out)[160], size_t max) {
    size_t count = 0;
    for (unsigned k = 0; k < result->kind_count; k++)
        for (unsigned i = 0; i < result->levels[k].count && count < max; i++) {
            const struct level *level = &result->levels[k].level[i];
            char detected[UNITS_BYTES], effective[UNITS_BYTES];
            if (level->disagrees)
                snprintf(out[count++], sizeof out[0],
                         "%s detected as %s, but the sweep leaves its plateau near %s; measured there", level->name,
                         units_binary(detected, sizeof detected, (double)level->detected_bytes),
                         units_binary(effective, sizeof effective, (double)level->effective_bytes));
        }
    for (unsigned i = 0; i < result->machine.node_count && count < max; i++) {
        const struct memory_node *node = &result->machine.nodes[i];
        char size[UNITS_BYTES];
        if (node->memory_side_cache_bytes == 0)
            continue;
        snprintf(out[count++], sizeof out[0],
                 "node %u lies behind a memory-side cache of %s: data that fit into it are read from there",
                 node->os_index, units_binary(size, sizeof size, (double)node->memory_side_cache_bytes));
        break; /* the other nodes of such a machine have one too */
    }
    return count;
}

const char *describe_death(const struct kernel_death *death, char *out, size_t size) {
    const bool refused = strcmp(death->signal, "SIGILL") == 0;
    snprintf(out, size, "%s (%s) died of %s on CPU %u, so its roofs are missing: %s", death->kernel, death->variant,
             death->signal, death->cpu,
             refused
                 ? "the CPU or its hypervisor rejects an instruction that it reports as supported; --isa selects other "
                   "instruction sets"
                 : "a defect of the kernel or of the machine; please report it with the output of `carmine machine`");
    return out;
}

const char *describe_quota(const struct result *result, char *out, size_t size) {
    *out = '\0';
    if (result->environment.cpu_quota_cpus > 0)
        snprintf(out, size,
                 "a control group grants %.2f of %u CPUs' time: programs get that share of these numbers, which are "
                 "from repetitions that it did not interrupt",
                 result->environment.cpu_quota_cpus, result->machine.allowed_pu_count);
    return out;
}

const char *describe_apart(const struct result *result, char *out, size_t size) {
    const double share = result->environment.apart_share;
    *out = '\0';
    if (share > 0)
        snprintf(
            out, size,
            "in %.0f %% of the visits of several cores the host of this virtual machine ran CPUs apart that share a "
            "cache by the topology: there programs may get more of L3 and memory than these roofs, which are from "
            "the other visits unless they say `%s`",
            fmax(1, 100 * share), doubt_table[DOUBT_CORES_APART].name);
    return out;
}

const char *describe_others(const struct result *result, char *out, size_t size) {
    const struct environment *environment = &result->environment;
    char busiest[OTHERS_NAME_BYTES + 32] = "";
    *out = '\0';
    if (environment->others_cpus < number_thresholds.others_work.value)
        return out;
    if (environment->busiest_other_cpus >= number_thresholds.others_matter.value)
        snprintf(busiest, sizeof busiest, ", \"%s\" %.1f", environment->busiest_other, environment->busiest_other_cpus);
    snprintf(out, size,
             "other programs kept %.1f CPUs busy during the measurement (%.1f of the measured CPUs%s): shared "
             "resources such as L3 "
             "and memory were slower",
             environment->others_cpus, environment->others_allowed_cpus, busiest);
    return out;
}

const char *describe_operation(const char *op, char out[DESCRIBE_OPERATION_BYTES]) {
    const struct pattern *pattern = pattern_find(op);
    const struct arithmetic *arithmetic = arithmetic_find(op);
    const char *label = pattern ? pattern->label : arithmetic ? arithmetic->label : NULL;
    if (label)
        return label;
    snprintf(out, DESCRIBE_OPERATION_BYTES, "%s", op);
    for (char *c = out; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    return out;
}

const char *describe_traffic(const char *kernel, char out[DESCRIBE_TRAFFIC_BYTES]) {
    const char *op = kernel_operation(kernel);
    const struct pattern *pattern = pattern_find(op);
    char ratio[PATTERN_RATIO_BYTES];
    if (!pattern || (pattern->in_place && pattern->loads == pattern->stores))
        snprintf(out, DESCRIBE_TRAFFIC_BYTES, "%.40s", op);
    else
        snprintf(out, DESCRIBE_TRAFFIC_BYTES, "%s%s", pattern->nontemporal ? "non-temporal " : "",
                 pattern_ratio(pattern, ratio));
    return out;
}

const char *describe_pages(bool small, uint64_t page_bytes, char out[DESCRIBE_PAGES_BYTES]) {
    char page[UNITS_BYTES];
    *out = '\0';
    if (small)
        snprintf(out, DESCRIBE_PAGES_BYTES, " (%s pages)",
                 units_binary(page, sizeof page, (double)(page_bytes > 0 ? page_bytes : 4096)));
    return out;
}

const char *describe_memory_place(const struct memory_series *series, char out[DESCRIBE_PLACE_BYTES]) {
    out[0] = '\0';
    if (series->node && series->memory_node && series->node != series->memory_node)
        snprintf(out, DESCRIBE_PLACE_BYTES, "node %u → node %u", series->node - 1, series->memory_node - 1);
    else if (series->node || series->memory_node)
        snprintf(out, DESCRIBE_PLACE_BYTES, "node %u", (series->node ? series->node : series->memory_node) - 1);
    char page[UNITS_BYTES];
    if (memory_has_small_pages(series))
        text_append(out, DESCRIBE_PLACE_BYTES, "%s%s pages", *out ? ", " : "",
                    units_binary(page, sizeof page, (double)series->page_bytes));
    return out;
}
