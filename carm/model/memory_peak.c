/* SPDX-License-Identifier: BSD-3-Clause */
#include "memory_peak.h"

#include <string.h>

#include "probe/memory_kind.h"
#include "bench/kernels/sample.h"
#include "carm/store/results.h"
#include "probe/memory_modules.h"
#include "probe/product.h"

enum { USUAL_BUS_BYTES = 8 };

static unsigned packages_of(const struct result *result) {
    return result->machine.package_count ? result->machine.package_count : 1;
}

static struct memory_figure stated_of(const struct result *result, const struct spec *spec) {
    const unsigned packages = packages_of(result);
    if (spec && spec_peaks(spec).memory_bytes_per_s > 0)
        return (struct memory_figure){packages * spec->memory_channels, spec->memory_transfers_per_s,
                                      packages * spec_peaks(spec).memory_bytes_per_s, NULL, spec->source};
    const struct product *product = product_find(result->machine.cpu.brand);
    if (!product || cpu_is_guest(&result->machine.cpu))
        return (struct memory_figure){0};
    const unsigned channels = packages * product->memory_channels;
    return (struct memory_figure){channels, product->memory_transfers_per_s,
                                  channels * product->memory_transfers_per_s * USUAL_BUS_BYTES, product->memory,
                                  product->source};
}

/* Modules whose names do not give their channels are spread over all channels first, as vendors ask for. */
static struct memory_figure fitted_of(const struct memory_modules *modules, const struct memory_figure *stated) {
    const unsigned spread = modules->module_count < stated->channels ? modules->module_count : stated->channels,
                   bus_bytes = modules->bus_bytes ? modules->bus_bytes : USUAL_BUS_BYTES;
    struct memory_figure fitted = {.channels = modules->channel_count ? modules->channel_count : spread,
                                   .transfers_per_s = modules->transfers_per_s,
                                   .source = modules->source};
    if (fitted.transfers_per_s <= 0)
        fitted.transfers_per_s = stated->transfers_per_s;
    fitted.bytes_per_s = fitted.channels * fitted.transfers_per_s * bus_bytes;
    return fitted;
}

const char *memory_peak_level(const char *brand) {
    const struct product *product = product_find(brand);
    return memory_kind_of_modules(product ? product->memory : "")->name;
}

/* More channels than stated: the CPU cannot use them all at once. */
struct memory_peak memory_peak_find(const struct result *result, const struct spec *spec) {
    struct memory_peak peak = {.stated = stated_of(result, spec),
                               .level = memory_peak_level(result->machine.cpu.brand)};
    peak.fitted = fitted_of(&result->machine.memory_modules, &peak.stated);
    const bool more = peak.stated.channels && peak.fitted.channels > peak.stated.channels;
    const struct memory_figure *limit = peak.fitted.bytes_per_s > 0 && !more ? &peak.fitted : &peak.stated;
    peak.bytes_per_s = limit->bytes_per_s;
    peak.source = limit->source;
    return peak;
}

/* A run uses the memory of all packages as one, unless it is restricted to a package or node. Channels are spread
 * evenly over the nodes. */
double memory_peak_of(const struct memory_peak *peak, const struct result *result, const struct sample *sample) {
    unsigned nodes = 0;
    for (unsigned i = 0; i < result->machine.node_count; i++)
        nodes += strcmp(result->machine.nodes[i].kind, peak->level) == 0;
    if (sample->kind != SAMPLE_BANDWIDTH || strcmp(sample->level, peak->level) != 0)
        return 0;
    if (sample->node || sample->memory_node)
        return nodes ? peak->bytes_per_s / nodes : 0;
    return sample->package ? peak->bytes_per_s / packages_of(result) : peak->bytes_per_s;
}

bool memory_peak_uses_all_cores(const struct result *result, const struct sample *sample) {
    const unsigned cores = result->machine.machine_core_count, packages = sample->package ? packages_of(result) : 1;
    return cores > 0 && !sample->node && !sample->memory_node && sample_cores(sample) >= cores / packages;
}
