/* SPDX-License-Identifier: BSD-3-Clause
 * Finds the row of the microarchitecture table for a CPU, with doubts about it, and derives limits from the row's
 * ports and links. The figures themselves are in a uarch_table.c for each architecture. */
#include "uarch.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "midr.h"
#include "product.h"
#include "uarch_table.h"

#include "probe/text.h"

static const struct uarch_list *const LISTS[] = {&uarch_x86, &uarch_aarch64};
enum { LIST_COUNT = sizeof LISTS / sizeof *LISTS };

static const struct uarch_list *list_of(const struct uarch *uarch) {
    for (size_t i = 0; i < LIST_COUNT; i++)
        if (uarch >= LISTS[i]->rows && uarch < LISTS[i]->rows + LISTS[i]->count)
            return LISTS[i];
    return LISTS[0]; /* a row of a test's own */
}

const char *uarch_name(const struct uarch *uarch) {
    return uarch ? uarch->name : "not known";
}

const char *uarch_vendor(const struct uarch *uarch) {
    return uarch->vendor;
}

const struct uarch *uarch_named(const char *name) {
    for (size_t i = 0; uarch_at(i); i++) {
        const char *own = uarch_at(i)->name;
        const size_t product = strcspn(own, "(") - (strchr(own, '(') ? 1 : 0);
        if (strcasecmp(own, name) == 0 || (strlen(name) == product && strncasecmp(own, name, product) == 0))
            return uarch_at(i);
    }
    return NULL;
}

const struct uarch *uarch_at(size_t index) {
    for (size_t i = 0; i < LIST_COUNT; index -= LISTS[i++]->count)
        if (index < LISTS[i]->count)
            return &LISTS[i]->rows[index];
    return NULL;
}

cpu_features uarch_features(const struct uarch *uarch) {
    /* No CPU has the first without the others. */
    static const struct {
        cpu_features feature, others;
    } IMPLIED[] = {
        {CPU_AVX512_FP16, CPU_AVX512_BF16}, {CPU_AVX512_BF16, CPU_AVX512_VNNI}, {CPU_AVX512_VNNI, CPU_AVX512},
        {CPU_AVX512, CPU_AVX2 | CPU_FMA3},  {CPU_AVX_VNNI, CPU_AVX2},           {CPU_AVX2, CPU_AVX},
        {CPU_AVX, CPU_SSE4_1 | CPU_SSE4_2},
    };
    cpu_features features = uarch->has | list_of(uarch)->base;
    for (size_t i = 0; i < sizeof IMPLIED / sizeof *IMPLIED; i++)
        features |= features & IMPLIED[i].feature ? IMPLIED[i].others : 0;
    return features;
}

unsigned uarch_vector_bytes(const struct uarch *uarch) {
    static const struct {
        cpu_features any_of;
        unsigned bytes;
    } WIDTHS[] = {
        {CPU_SVE2048, 256}, {CPU_SVE1024, 128}, {CPU_AVX512 | CPU_SVE512, 64}, {CPU_AVX | CPU_AVX2 | CPU_SVE256, 32}};
    for (size_t i = 0; i < sizeof WIDTHS / sizeof *WIDTHS; i++)
        if (uarch->has & WIDTHS[i].any_of)
            return WIDTHS[i].bytes;
    return 16;
}

double uarch_peak_flop_per_cycle(const struct uarch *uarch) {
    if (!uarch)
        return 0;
    double peak = 0;
    for (unsigned bytes = uarch_vector_bytes(uarch); bytes >= 16; bytes /= 2) {
        const struct uarch_mix fma = {.vector_bytes = bytes, .element_bytes = 8, .fma = 1};
        const struct uarch_mix both = {.vector_bytes = bytes, .element_bytes = 8, .add = 1, .mul = 1};
        const double fused = uarch_limit(uarch, &fma, 0).per_cycle;
        const double own = 2. * bytes / 8 * (fused > 0 ? fused : uarch_limit(uarch, &both, 0).per_cycle);
        peak = own > peak ? own : peak;
    }
    return peak;
}

double uarch_sustained_bytes_per_cycle(const struct uarch *uarch, unsigned level, const char **source) {
    const bool stated = uarch && level >= 1 && level <= 3 && uarch->sustained_bytes_per_cycle[level - 1];
    *source = stated ? uarch->sustained_source : NULL;
    return stated ? uarch->sustained_bytes_per_cycle[level - 1] : 0;
}

unsigned uarch_issue_width(const struct uarch *uarch) {
    return uarch && uarch->core ? uarch->core->issue_width : 0;
}

const char *uarch_in_core(const struct uarch *uarch) {
    return uarch && uarch->core ? uarch->core->in_core : NULL;
}

bool uarch_has_ports(const struct uarch *uarch) {
    return uarch->core != NULL;
}

const char *uarch_unknown(const struct uarch *uarch, bool links) {
    return links || !uarch->core ? uarch->unknown_links : uarch->core->unknown;
}

const struct uarch_between *uarch_between(const struct uarch *uarch) {
    const struct uarch_between *row = uarch ? list_of(uarch)->between : NULL;
    while (row && row->core && row->core != uarch->core)
        row++;
    return row && row->core ? row : NULL;
}

char *uarch_sources(const struct uarch *uarch, char *out, size_t size) {
    snprintf(out, size, "%s%s%s", uarch && uarch->core ? uarch->core->source : "", uarch && uarch->core ? "; " : "",
             uarch ? uarch->source : "");
    return out;
}

static bool is_of_family(const struct uarch *row, const struct cpu_identity *cpu) {
    return strcmp(row->vendor, cpu->vendor) == 0 && row->family == cpu->family;
}

static bool model_is(const struct uarch *row, const struct cpu_identity *cpu) {
    if (!is_of_family(row, cpu))
        return false;
    if (row->last_stepping > 0 && (cpu->stepping < row->first_stepping || cpu->stepping > row->last_stepping))
        return false;
    const unsigned units = row->wide_fma_units ? product_wide_fma_units(cpu->brand) : 0;
    if (row->wide_fma_units == 1 ? units != 1 : units == 1) /* two, unless the brand says one */
        return false;
    for (unsigned i = 0; i < MAX_MODEL_RANGES && (row->models[i].last > 0 || i == 0); i++)
        if (cpu->model >= row->models[i].first && cpu->model <= row->models[i].last)
            return true;
    return false;
}

__attribute__((format(printf, 2, 3))) static void doubt_write(struct uarch_match *match, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(match->doubt, sizeof match->doubt, format, arguments);
    va_end(arguments);
}

/* A hybrid model sold without efficient cores has one kind, "", and does not report that it is hybrid. */
static bool kind_is(const struct uarch *row, const struct cpu_identity *cpu, const char *kind_name) {
    if (row->kind == 0)
        return true;
    if (*kind_name == '\0')
        return row->kind == 'P' && !(cpu->features & CPU_HYBRID);
    return *kind_name == row->kind;
}

/* "avx512_fp16, amx_tile, …": the first names of a set of features. */
static void features_list(cpu_features features, char *out, size_t out_bytes) {
    enum { NAMED = 3 };
    unsigned named = 0;
    out[0] = '\0';
    for (unsigned bit = 0; bit < 64 && named <= NAMED; bit++) {
        const char *name = features >> bit & 1 ? cpu_feature_name(UINT64_C(1) << bit) : NULL;
        if (!name)
            continue;
        text_append(out, out_bytes, "%s%s", named ? ", " : "", named < NAMED ? name : "…");
        named++;
    }
}

/* The product's name without the core's: "Granite Rapids" of "Granite Rapids (Redwood Cove)". */
static int product_length(const struct uarch *row) {
    return (int)strcspn(row->name, "(") - (strchr(row->name, '(') ? 1 : 0);
}

/* Only within the family: successors have their predecessors' features, but other ports. */
static const struct uarch *find_by_features(const struct cpu_identity *cpu) {
    for (size_t i = 0; uarch_at(i); i++) {
        const struct uarch *row = uarch_at(i);
        if (row->told_by_features && is_of_family(row, cpu) && (cpu->features & row->has) == row->has &&
            !(cpu->features & row->lacks))
            return row;
    }
    return NULL;
}

static struct uarch_match judged_by_features(const struct cpu_identity *cpu, const struct uarch *claimed) {
    struct uarch_match match = {.uarch = find_by_features(cpu)};
    char features[96], verdict[96], model[MIDR_MODEL_BYTES];
    if (match.uarch)
        snprintf(verdict, sizeof verdict, "like %.*s by its features", product_length(match.uarch), match.uarch->name);
    else
        snprintf(verdict, sizeof verdict, "its features do not fit exactly one documented CPU");
    if (claimed) {
        features_list(cpu->features & claimed->lacks, features, sizeof features);
        doubt_write(&match, "%s says model %u (%.*s), but %s are present: %s; %s", list_of(claimed)->register_name,
                    cpu->model, product_length(claimed), claimed->name, features,
                    cpu->features & CPU_HYPERVISOR ? "the hypervisor masks the CPU"
                                                   : "the model number cannot be right",
                    verdict);
    } else {
        doubt_write(&match, "no documented limits for %s; %s", midr_model(cpu, model), verdict);
    }
    return match;
}

/* Models with one unit and with two have the same identity. */
static void doubt_units(struct uarch_match *match, const struct cpu_identity *cpu) {
    if (match->uarch && match->uarch->wide_fma_units && product_wide_fma_units(cpu->brand) == 0 && !*match->doubt)
        doubt_write(match, "the CPU's name does not say whether a core has one or two 512-bit FMA units: 16 or 32 f64 "
                           "flop/cycle; judged as with two");
}

struct uarch_match uarch_find(const struct cpu_identity *of_machine, const char *core_kind_name) {
    const struct cpu_identity of_kind = midr_of_kind(of_machine, core_kind_name), *cpu = &of_kind;
    const struct uarch *row = NULL;
    char model[MIDR_MODEL_BYTES];
    bool other_kind = false;
    for (size_t i = 0; uarch_at(i) && !row; i++)
        if (model_is(uarch_at(i), cpu)) {
            if (kind_is(uarch_at(i), cpu, core_kind_name))
                row = uarch_at(i);
            else
                other_kind = true;
        }
    if (!row && other_kind && strcmp(core_kind_name, "LP-E") == 0) /* of the same core as its E cores */
        return uarch_find(cpu, "E");
    struct uarch_match match = {.uarch = row};
    if (!row && other_kind) {
        doubt_write(&match, "a hybrid CPU; whether these are its P or E cores is not known");
        return match;
    }
    /* A recording has no features: only the model number is known. */
    if (cpu->features == 0) {
        if (!row && *cpu->vendor)
            doubt_write(&match, "no documented limits for %s", midr_model(cpu, model));
        else if (!row)
            doubt_write(&match, "the CPU's vendor, family and model are not known");
        doubt_units(&match, cpu);
        return match;
    }
    /* A feature that the named CPU cannot have proves the number wrong. A missing feature does not: hypervisors and
     * firmware switch features off. */
    if (!row || cpu->features & row->lacks)
        return judged_by_features(cpu, row);
    const cpu_features missing = row->has & ~cpu->features;
    if (missing) {
        char features[96];
        features_list(missing, features, sizeof features);
        doubt_write(&match, "%s says %.*s, but hides %s: %s, or another CPU under this model number",
                    list_of(row)->register_name, product_length(row), row->name, features,
                    cpu->features & CPU_HYPERVISOR ? "switched off by the hypervisor"
                                                   : "switched off by the firmware or kernel");
    }
    doubt_units(&match, cpu);
    return match;
}

enum { SORTS_MAX = 8 }; /* number of operations in one mix */

struct counted_sort {
    enum operation_sort sort;
    unsigned count;
};

/* The documented port uses of operations of one sort; false: no row for them. */
struct demand {
    struct port_use uses[SORTS_MAX * MAX_PORT_USES];
    unsigned count;
};

static bool demand_add(struct demand *demand, const struct port_model *core, const struct counted_sort *of,
                       const struct uarch_mix *mix) {
    if (of->count == 0)
        return true;
    for (unsigned i = 0; i < MAX_OPERATIONS && core->operations[i].sorts; i++) {
        const struct operation_ports *op = &core->operations[i];
        if (!(op->sorts & of->sort) || op->vector_bytes < mix->vector_bytes || (op->sorts & OP_OF_NEON && mix->sve))
            continue;
        for (unsigned u = 0; u < MAX_PORT_USES && op->uses[u].ports; u++)
            demand->uses[demand->count++] = (struct port_use){op->uses[u].ports, of->count * op->uses[u].count};
        return op->uses[0].ports != 0;
    }
    return false;
}

/* The fewest cycles in which the ports can execute everything. For every set of ports: the operations that can only
 * use that set, spread evenly. Only unions of the operations' own port sets can be the bottleneck. */
static double demand_cycles(const struct demand *demand) {
    double worst = 0;
    for (unsigned chosen = 1; chosen < 1u << demand->count; chosen++) {
        unsigned ports = 0;
        for (unsigned i = 0; i < demand->count; i++)
            if (chosen >> i & 1)
                ports |= demand->uses[i].ports;
        double work = 0;
        for (unsigned i = 0; i < demand->count; i++)
            if (!(demand->uses[i].ports & ~ports))
                work += demand->uses[i].count;
        const double cycles = work / __builtin_popcount(ports);
        if (cycles > worst)
            worst = cycles;
    }
    return worst;
}

/* The rows for divisions, roots and dot products of elements of this many bytes; OP_NONE, which has no row: none.
 * The operands' values determine the time of x87's divider. */
static enum operation_sort sort_by_element(const struct uarch_mix *mix, enum operation_sort f64,
                                           enum operation_sort f32) {
    return mix->x87 ? OP_NONE : mix->element_bytes == 8 ? f64 : mix->element_bytes == 4 ? f32 : OP_NONE;
}

/* For dot products of f16, and for outer products, no source is cited. */
static enum operation_sort dot_sort(const struct uarch_mix *mix) {
    if (mix->outer)
        return OP_NONE;
    if (mix->matrix)
        return mix->element_bytes == 1 ? OP_MATRIX_I8 : mix->half ? OP_NONE : OP_MATRIX_BF16;
    if (mix->element_bytes == 2)
        return mix->integer ? OP_DOT_I16 : mix->half ? OP_NONE : OP_DOT_BF16;
    return mix->element_bytes == 1 ? OP_DOT_I8 : OP_NONE;
}

static enum operation_sort integer_mul_sort(const struct uarch_mix *mix) {
    return mix->element_bytes == 2   ? OP_VECTOR_MUL_16
           : mix->element_bytes == 4 ? OP_VECTOR_MUL_32
           : mix->element_bytes == 8 ? OP_VECTOR_MUL_64
                                     : OP_NONE;
}

/* The operations of the mix, by the sorts that have rows. */
static void sorts_of(const struct uarch_mix *mix, struct counted_sort out[SORTS_MAX]) {
    const bool wide = mix->element_bytes == 8, predicate = mix->sve;
    const struct counted_sort vectors[SORTS_MAX] = {{OP_VECTOR_ADD, mix->add},
                                                    {integer_mul_sort(mix), mix->mul},
                                                    {OP_VECTOR_SHIFT, mix->shift},
                                                    {predicate ? OP_PREDICATE_COMPARE
                                                     : wide    ? OP_VECTOR_EQUAL_64
                                                               : OP_VECTOR_EQUAL,
                                                     mix->equal},
                                                    {predicate ? OP_PREDICATE_COMPARE
                                                     : wide    ? OP_VECTOR_GREATER_64
                                                               : OP_VECTOR_GREATER,
                                                     mix->greater},
                                                    {dot_sort(mix), mix->dot},
                                                    {OP_LOAD, mix->load},
                                                    {OP_STORE, mix->store}};
    const struct counted_sort general[SORTS_MAX] = {{OP_GENERAL_ADD, mix->add},   {OP_GENERAL_COMPARE, mix->compare},
                                                    {OP_GENERAL_MUL, mix->mul},   {OP_GENERAL_SHIFT, mix->shift},
                                                    {OP_GENERAL_LOAD, mix->load}, {OP_GENERAL_STORE, mix->store}};
    const struct counted_sort floats[SORTS_MAX] = {
        {mix->x87 ? OP_X87_ADD : OP_ADD, mix->add},
        {mix->x87 ? OP_X87_MUL : OP_MUL, mix->mul},
        {OP_FMA, mix->fma},
        {OP_LOAD, mix->load},
        {OP_STORE, mix->store},
        {sort_by_element(mix, OP_DIV_F64, OP_DIV_F32), mix->div},
        {sort_by_element(mix, OP_SQRT_F64, OP_SQRT_F32), mix->sqrt},
        {dot_sort(mix), mix->dot},
    };
    memcpy(out, !mix->integer ? floats : mix->vector_bytes <= 8 ? general : vectors, sizeof floats);
}

/* The fewest cycles to rename them: on x86 an operation may include one load. */
static double issue_cycles(const struct port_model *core, const struct uarch_mix *mix, bool folds_loads) {
    const unsigned arithmetic = mix->add + mix->mul + mix->fma + mix->div + mix->sqrt + mix->dot + mix->shift +
                                mix->equal + mix->greater + mix->compare;
    const unsigned both = !folds_loads ? arithmetic + mix->load : arithmetic > mix->load ? arithmetic : mix->load;
    return core->issue_width > 0 && !mix->x87 ? (double)(both + mix->store) / core->issue_width : 0;
}

static double port_cycles(const struct port_model *core, const struct uarch_mix *mix, bool folds_loads) {
    struct demand demand = {.count = 0};
    struct counted_sort sorts[SORTS_MAX];
    if (mix->x87 && (mix->fma || mix->load || mix->store))
        return 0;
    if (mix->fma && mix->fma < core->fma_per_add * mix->add)
        return 0;
    sorts_of(mix, sorts);
    for (unsigned i = 0; i < SORTS_MAX; i++)
        if (!demand_add(&demand, core, &sorts[i], mix))
            return 0;
    const double ports = demand_cycles(&demand), issue = issue_cycles(core, mix, folds_loads);
    return ports > 0 && issue > ports ? issue : ports;
}

/* Bytes per cycle of a link that loads and stores share: 0 when not known. */
static double link_cycles(const struct uarch *uarch, unsigned level, double in, double out) {
    const unsigned link = level == 2 ? uarch->l2_bytes_per_cycle : level == 3 ? uarch->l3_bytes_per_cycle : 0;
    const unsigned back = level == 2 && uarch->l2_write_bytes_per_cycle ? uarch->l2_write_bytes_per_cycle : link;
    if (link == 0)
        return 0;
    const double to = in / link, from = out / back;
    return uarch->l2_duplex != DUPLEX_FULL ? to + from : to > from ? to : from;
}

struct uarch_limit uarch_limit(const struct uarch *uarch, const struct uarch_mix *mix, unsigned level) {
    const struct uarch_limit unknown = {0, NULL};
    if (!uarch || !uarch->core)
        return unknown;
    const double cycles = port_cycles(uarch->core, mix, list_of(uarch)->folds_loads);
    if (cycles <= 0)
        return unknown;
    if (level <= 1)
        return (struct uarch_limit){1 / cycles, uarch->core->source};
    /* A cache line that is stored to is first loaded and later written back. How the two share the link is
     * documented for L2 only, and not on every core. */
    double in = (double)mix->load * mix->vector_bytes;
    const double out = (double)mix->store * mix->vector_bytes;
    if (mix->store > 0)
        in = level == 2 && uarch->l2_duplex != DUPLEX_UNKNOWN ? mix->touched_bytes : 0;
    const double link = in > 0 ? link_cycles(uarch, level, in, out) : 0;
    if (link <= 0)
        return unknown;
    return (struct uarch_limit){1 / (link > cycles ? link : cycles), uarch->source};
}
