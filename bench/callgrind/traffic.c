/* SPDX-License-Identifier: BSD-3-Clause
 * DRAM traffic from callgrind's cache simulation (see traffic.h, and docs/traffic.md for what it is worth). */
#include "traffic.h"

#include <inttypes.h>

#include "callgrind.h"
#include "callgrind_slices.h"

/* valgrind holds a cache's size in an int. */
static const uint64_t LARGEST_BYTES = INT32_MAX;

static double deviation(double value, double wanted) {
    return value > wanted ? value / wanted : wanted / value;
}

/* The number of sets has to be a power of two, so another number of ways makes up for the size: that decides, and a
 * number of ways twice or half as large is a hundred times less important than a size that much off. */
static void possible_size(uint64_t wanted_bytes, unsigned wanted_ways, unsigned line_bytes, uint64_t *bytes,
                          unsigned *ways) {
    double least = 0;
    *bytes = *ways = 0;
    for (uint64_t row_bytes = line_bytes; row_bytes <= wanted_bytes; row_bytes *= 2) {
        uint64_t most = LARGEST_BYTES / row_bytes, rounded = (wanted_bytes + row_bytes / 2) / row_bytes;
        uint64_t tried = rounded < most ? rounded : most;
        if (tried < 1 || tried > 4 * wanted_ways)
            continue;
        double off =
            deviation((double)(tried * row_bytes), (double)wanted_bytes) + 0.01 * deviation((double)tried, wanted_ways);
        if (*ways == 0 || off < least) {
            *ways = (unsigned)tried;
            *bytes = tried * row_bytes;
            least = off;
        }
    }
}

void traffic_geometry(const struct machine *machine, uint64_t llc_bytes, unsigned threads, struct traffic_cache *out) {
    enum { USUAL_WAYS = 16 }; /* for a fully associative cache too: beyond this there is little difference */
    static const struct cache USUAL_L1 = {.size_bytes = 32 << 10, .line_bytes = 64, .associativity = 8};
    static const struct cache USUAL_LAST = {.size_bytes = 8 << 20, .line_bytes = 64, .associativity = USUAL_WAYS};
    const struct core_kind *kind = machine->kind_count > 0 ? &machine->kinds[0] : NULL;
    const struct cache *l1 = kind && kind->cache_count > 0 ? &kind->caches[0] : &USUAL_L1;
    const struct cache *last = kind && kind->cache_count > 1 ? &kind->caches[kind->cache_count - 1] : &USUAL_LAST;
    bool assumed = last == &USUAL_LAST && llc_bytes == 0;

    unsigned sharing = last->sharing_core_count > 0 ? last->sharing_core_count : 1;
    unsigned instances = threads > 0 ? (threads + sharing - 1) / sharing : 1;
    if (instances > last->instance_count)
        instances = last->instance_count > 0 ? last->instance_count : 1;
    uint64_t wanted_bytes = (llc_bytes > 0 ? llc_bytes : last->size_bytes) * instances;
    unsigned line_bytes = last->line_bytes > 0 ? last->line_bytes : USUAL_LAST.line_bytes;
    unsigned l1_ways = l1->associativity > 0 ? (unsigned)l1->associativity : USUAL_WAYS;
    unsigned last_ways = last->associativity > 0 ? (unsigned)last->associativity : USUAL_WAYS;

    *out = (struct traffic_cache){.line_bytes = line_bytes};
    possible_size(l1->size_bytes, l1_ways, line_bytes, &out->l1_bytes, &out->l1_ways);
    possible_size(wanted_bytes, last_ways, line_bytes, &out->llc_bytes, &out->llc_ways);

    const double MIB = 1 << 20;
    int used = 0;
    if (assumed)
        used = snprintf(out->note, sizeof out->note, "the size of the last-level cache is not known");
    else if (instances > 1)
        used = snprintf(out->note, sizeof out->note, "%u last-level caches as one", instances);
    if (deviation((double)out->llc_bytes, (double)wanted_bytes) > 1.001)
        snprintf(out->note + used, sizeof out->note - (size_t)used, "%s%.4g MiB of last-level cache as %.4g MiB",
                 used ? "; " : "", (double)wanted_bytes / MIB, (double)out->llc_bytes / MIB);
}

struct simulated {
    uint64_t line_bytes;
    struct traffic *regions;
};

/* Every miss of the last level fetches a line, those of stores too (write-allocate); a dirty one also writes one back.
 */
static bool take(void *context, const struct slice *slice, struct error *err) {
    static const char *const READS[] = {"ILmr", "DLmr", "DLmw"}, *const WRITES[] = {"ILdmr", "DLdmr", "DLdmw"};
    struct simulated *simulated = context;
    uint64_t read_lines = 0, written_lines = 0, lines;
    for (size_t i = 0; i < sizeof READS / sizeof READS[0]; i++) {
        if (!callgrind_total(slice->part, READS[i], &lines, err))
            return false;
        read_lines += lines;
        if (!callgrind_total(slice->part, WRITES[i], &lines, err))
            return false;
        written_lines += lines;
    }
    for (size_t i = 0; i < slice->region_count; i++) {
        size_t region = slice->regions[i];
        if (region >= TRAFFIC_MAX)
            return error_set(err, "the program has more than %d regions", TRAFFIC_MAX - 1);
        simulated->regions[region].dram_read_bytes += read_lines * simulated->line_bytes;
        simulated->regions[region].dram_write_bytes += written_lines * simulated->line_bytes;
    }
    return true;
}

bool callgrind_read_traffic(const char *folder, unsigned line_bytes, struct traffic out[TRAFFIC_MAX], size_t *count,
                            struct error *err) {
    struct simulated simulated = {.line_bytes = line_bytes, .regions = out};
    struct slices slices;
    for (size_t i = 0; i < TRAFFIC_MAX; i++)
        out[i] = (struct traffic){0};
    if (!slices_read(folder, take, &simulated, &slices, err))
        return false;
    *count = slices.region_count;
    bool fits = slices.region_count <= TRAFFIC_MAX;
    for (size_t i = 0; fits && i < slices.region_count; i++)
        snprintf(out[i].name, sizeof out[i].name, "%s", slices.regions[i].name);
    slices_free(&slices);
    return fits || error_set(err, "the program has more than %d regions", TRAFFIC_MAX - 1);
}

bool traffic_simulate(const struct traffic_run *run, const struct traffic_cache *cache, struct traffic out[TRAFFIC_MAX],
                      size_t *count, int *status, struct error *err) {
    char i1[64], d1[64], ll[64];
    snprintf(i1, sizeof i1, "--I1=32768,8,%u", cache->line_bytes);
    snprintf(d1, sizeof d1, "--D1=%" PRIu64 ",%u,%u", cache->l1_bytes, cache->l1_ways, cache->line_bytes);
    snprintf(ll, sizeof ll, "--LL=%" PRIu64 ",%u,%u", cache->llc_bytes, cache->llc_ways, cache->line_bytes);
    const char *const options[] = {
        "--cache-sim=yes", "--simulate-wb=yes", "--simulate-hwpref=no", i1, d1, ll, NULL,
    };
    return callgrind_run(run, options, status, err) &&
           callgrind_read_traffic(run->folder, cache->line_bytes, out, count, err);
}
