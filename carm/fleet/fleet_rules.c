/* SPDX-License-Identifier: BSD-3-Clause
 * The rules of diagnosis (see fleet_rules.h), one row each, the gravest first. Several may apply. */
#include "fleet_rules.h"
#include "fleet_thresholds.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bench/kernels/number_thresholds.h"
#include "bench/kernels/others.h"
#include "probe/text.h"
#include "render/page/units.h"
#include "bench/kernels/levels.h"

static const struct fleet_thresholds *const THRESHOLD = &fleet_thresholds;

/* Which classes of a node's roofs are slow, and which roof shows the fault. */

/* The classes of roofs that a rule looks at. */
struct fleet_scope {
    bool compute, fma, other; /* compute roofs: all, FMA, all other operations */
    bool bandwidth, latency;  /* bandwidths; latencies */
    bool streams, one_core;   /* of bandwidths only streams, not random lines; only those of one core */
    bool figure;              /* figures of the memory system instead of roofs */
    const char *level;        /* roofs of this level: "L3", or "memory" for all that are not caches; NULL: any level */
    const char *isa;          /* roofs of this instruction set; NULL: any */
};

static bool fleet_rules_is_in(const struct fleet_class *class, const struct fleet_scope *scope) {
    const struct roof_key *key = &class->key;
    const bool memory = levels_cache(key->level) == 0;
    const bool kind = key->kind == SAMPLE_COMPUTE     ? scope->compute || (class->fma ? scope->fma : scope->other)
                      : key->kind == SAMPLE_BANDWIDTH ? scope->bandwidth
                                                      : scope->latency;
    const bool left_out = (scope->streams && class->random) || (scope->one_core && key->cores != 1);
    return kind && !left_out && key->figure == scope->figure && (!scope->isa || strcmp(scope->isa, class->isa) == 0) &&
           (!scope->level || (strcmp(scope->level, "memory") == 0 ? memory : strcmp(scope->level, key->level) == 0));
}

/* The index in group->classes of the class with this flag (-1 slow, 1 fast) that deviates most within the scope, as a
 * multiple of its tolerance. Classes of one core and of random lines count half. FLEET_NONE: none has the flag. */
static size_t evidence_worst(const struct fleet_evidence *e, const struct fleet_scope *scope, int flag) {
    size_t found = FLEET_NONE;
    double most = 0;
    for (size_t c = 0; c < e->group->class_count; c++) {
        const struct fleet_class *class = &e->group->classes[c];
        const bool random = class->random || (class->key.figure && class->key.kind == SAMPLE_BANDWIDTH);
        const double off = fabs(class->deviations[e->member] - class->center) / class->tolerance *
                           (class->key.cores == 1 ? 0.5 : 1) * (random ? 0.5 : 1);
        if (e->flags[c] == flag && fleet_rules_is_in(class, scope) && off > most) {
            most = off;
            found = c;
        }
    }
    return found;
}

/* The share (0 to 1) of the node's classes in the scope that have this flag. 0: it has no class there. */
static double evidence_share(const struct fleet_evidence *e, const struct fleet_scope *scope, int flag) {
    size_t all = 0, flagged = 0;
    for (size_t c = 0; c < e->group->class_count; c++) {
        const struct fleet_class *class = &e->group->classes[c];
        if (!fleet_rules_is_in(class, scope) || isnan(class->deviations[e->member]))
            continue;
        all++;
        flagged += e->flags[c] == flag;
    }
    return all ? (double)flagged / (double)all : 0;
}

/* The node's deviation from the group's usual value in this class (an index in group->classes): -0.3 is 30 % below. */
static double evidence_off(const struct fleet_evidence *e, size_t class) {
    return e->group->classes[class].deviations[e->member] - e->group->classes[class].center;
}

/* Names this value of the node as the roof that shows the fault: sets key, value, median, deviation and doubts of
 * `out`. */
static void evidence_set_roof(const struct fleet_evidence *e, struct fleet_outlier *out,
                              const struct fleet_value *value) {
    const struct fleet_roof *roof = &e->group->roofs[value->key];
    out->key = value->key;
    out->value = (double)value->value;
    out->median = roof->median;
    out->deviation = (double)value->value / roof->median - 1;
    out->doubts = check_doubts(value->doubts, value->doubts);
}

/* Names the roof of this class (an index in group->classes) that deviates most as the one that shows the fault; also
 * sets class and z of `out`. Does nothing if a graver rule has named a roof already. */
static void evidence_blame(const struct fleet_evidence *e, struct fleet_outlier *out, size_t class) {
    const struct fleet_class *of = &e->group->classes[class];
    const struct fleet_value *most = NULL;
    double farthest = -1;
    if (out->key != FLEET_NONE)
        return;
    for (size_t i = 0; i < e->node->count; i++) {
        const struct fleet_value *value = &e->node->values[i];
        const double own = (double)value->value / e->group->roofs[value->key].median - 1;
        if (e->group->roofs[value->key].class == class && own * evidence_off(e, class) > 0 && fabs(own) > farthest) {
            farthest = fabs(own);
            most = value;
        }
    }
    out->class = class;
    out->z = evidence_off(e, class) / of->sigma;
    if (most)
        evidence_set_roof(e, out, most);
}

/* Other programs as the cause of slow roofs: whether they used more than is usual, and how much that explains. */

/* What other programs used beyond the group's usual. */
struct fleet_disturbance {
    double cpus, usual_cpus; /* on this node; the group's median. Both 0: no more than is usual */
    const char *program;     /* that used them; both numbers are then its own. "": several programs, or unknown ones */
};

/* The excess over the usual value; 0: too little to matter. */
static double excess(double cpus, const struct fleet_usual *usual) {
    const double more = cpus - usual->median;
    const bool matters = more >= number_thresholds.others_matter.value;
    return matters && more >= THRESHOLD->others_sigmas.value * usual->sigma ? more : 0;
}

/* One program is named if it used most of the excess. It may stand out although the sum does not: a node that is a
 * container sees the time of the whole host, but only its own processes. */
static struct fleet_disturbance others_of_node(const struct fleet_evidence *e) {
    const struct others *own = &e->node->others;
    const struct fleet_group *group = e->group;
    const double all = group->judged ? excess(own->cpus, &group->others) : 0,
                 one = group->judged ? excess(own->busiest_cpus, &group->busiest_other) : 0;
    if (one > 0 && one >= all / 2)
        return (struct fleet_disturbance){own->busiest_cpus, group->busiest_other.median, own->busiest};
    if (all > 0)
        return (struct fleet_disturbance){own->cpus, group->others.median, ""};
    return (struct fleet_disturbance){.program = ""};
}

/* Whether other programs share the caches or memory of this level: "L3", "DRAM", … */
static bool others_share(const char *level) {
    return !levels_is_paced(level);
}

/* Whether so many CPUs can take the bandwidth that a roof of several cores lacks. True if that is unknown. */
static bool can_take(const struct fleet_evidence *e, const struct fleet_value *value, double cpus) {
    struct roof_key one_core = e->fleet->keys.keys[value->key];
    one_core.cores = 1;
    const size_t key = roof_keys_find(&e->fleet->keys, &one_core);
    const double lost = e->group->roofs[value->key].median - (double)value->value;
    return key == ROOF_KEYS_NONE || isnan(e->group->roofs[key].median) ||
           lost <= THRESHOLD->taken.value * cpus * e->group->roofs[key].median;
}

/* Whether other programs may explain why the node is slow in this class (an index in group->classes): cores share
 * its level, and so many CPUs can take the missing bandwidth. */
static bool others_explain(const struct fleet_evidence *e, size_t class) {
    const struct roof_key *key = &e->group->classes[class].key;
    const struct fleet_disturbance others = others_of_node(e);
    bool explained = others.cpus > 0 && key->kind != SAMPLE_COMPUTE && others_share(key->level);
    for (size_t i = 0; i < e->node->count && explained && key->kind == SAMPLE_BANDWIDTH && key->cores != 1; i++)
        if (e->group->roofs[e->node->values[i].key].class == class)
            explained = can_take(e, &e->node->values[i], others.cpus);
    return explained;
}

/* The lowest bandwidth beyond its tolerance, even if its interval includes the usual value: intervals are wide while
 * other programs come and go. */
static size_t lowest(const struct fleet_evidence *e) {
    size_t found = FLEET_NONE;
    double most = 1;
    for (size_t c = 0; c < e->group->class_count; c++) {
        const struct fleet_class *class = &e->group->classes[c];
        const double lost = -evidence_off(e, c) / class->tolerance;
        if (class->key.kind == SAMPLE_BANDWIDTH && lost >= most && others_explain(e, c)) {
            most = lost;
            found = c;
        }
    }
    return found;
}

/* The worst slow class that other programs explain. If they worked and there is none: the lowest bandwidth, whatever
 * its interval. FLEET_NONE: neither. */
static size_t others_worst(const struct fleet_evidence *e) {
    static const struct fleet_scope SCOPES[] = {{.bandwidth = true, .level = "memory"},
                                                {.bandwidth = true, .level = "L3"},
                                                {.latency = true, .level = "memory"},
                                                {.latency = true, .level = "L3"}};
    for (size_t i = 0; i < sizeof SCOPES / sizeof SCOPES[0]; i++) {
        const size_t class = evidence_worst(e, &SCOPES[i], -1);
        if (class != FLEET_NONE && others_explain(e, class))
            return class;
    }
    return others_of_node(e).cpus >= number_thresholds.others_work.value ? lowest(e) : FLEET_NONE;
}

enum { TEXT_BYTES = 32 };

/* Adds a statement. */
#define say(out, ...) text_say_next((out)->text, "; ", __VA_ARGS__)

/* "31 % below", "12 % above" */
static const char *amount(double deviation, char out[TEXT_BYTES]) {
    snprintf(out, TEXT_BYTES, "%.0f %% %s", fabs(100 * deviation), deviation < 0 ? "below" : "above");
    return out;
}

static const char *quantity(const struct fleet_evidence *e, size_t class) {
    return e->group->classes[class].key.kind == SAMPLE_LATENCY ? "latency" : "bandwidth";
}

static bool incomplete(const struct fleet_evidence *e, struct fleet_outlier *out) {
    char first[160];
    if (e->missing == 0)
        return false;
    roof_key_text(e->first_missing, first, sizeof first);
    say(out, "%zu roof%s of its group %s missing (%s%s): %s", e->missing, e->missing == 1 ? "" : "s",
        e->missing == 1 ? "is" : "are", first, e->missing > 1 ? ", …" : "",
        e->node->interrupted ? "its run was interrupted"
                             : "an instruction set may be switched off by firmware, kernel or hypervisor");
    return true;
}

static bool swapped(const struct fleet_evidence *e, struct fleet_outlier *out) {
    char own[FLEET_DIFFERENCE_BYTES], other[FLEET_DIFFERENCE_BYTES];
    if (!e->expected || !fleet_difference(&e->node->machine, e->expected, own) ||
        !fleet_difference(e->expected, &e->node->machine, other))
        return false;
    say(out, "it has another CPU: %s; hosts with such names have %s", own, other);
    return true;
}

static const char *time_text(int64_t since_1970_s, char out[TEXT_BYTES]) {
    struct tm when;
    const time_t time = (time_t)since_1970_s;
    strftime(out, TEXT_BYTES, "%Y-%m-%d %H:%M:%S", gmtime_r(&time, &when));
    return out;
}

static bool duplicate(const struct fleet_evidence *e, struct fleet_outlier *out) {
    if (!e->namesake)
        return false;
    char own[TEXT_BYTES], other[TEXT_BYTES];
    say(out,
        "%s names the same host, measured at %s (this one at %s): two nodes have one name, or the node was "
        "measured again (--latest)",
        e->namesake->path, time_text(e->namesake->started_s, other), time_text(e->node->started_s, own));
    return true;
}

static bool other_cores(const struct fleet_evidence *e, struct fleet_outlier *out) {
    const struct fleet_machine *own = &e->node->machine;
    const unsigned usual = e->group->typical.allowed_cores;
    if (!e->group->judged || own->allowed_cores == usual)
        return false;
    say(out, "%u of its %u cores were measured (usual: %u): %s", own->allowed_cores, own->cores, usual,
        own->allowed_cores < usual ? "the batch system or a container gave it fewer CPUs"
                                   : "the batch system or a container gave it more CPUs");
    return true;
}

static bool less_time(const struct fleet_evidence *e, struct fleet_outlier *out) {
    const struct fleet_machine *own = &e->node->machine;
    const double usual = e->group->typical.cpu_quota_cpus;
    char others[TEXT_BYTES] = "no limit";
    if (!e->group->judged || !(own->cpu_quota_cpus > 0) ||
        (usual > 0 && own->cpu_quota_cpus >= THRESHOLD->quota_low.value * usual))
        return false;
    if (usual > 0)
        snprintf(others, sizeof others, "%.2f", usual);
    say(out,
        "a control group grants %.2f of its %u CPUs' time (usual: %s): the batch system, a container or systemd "
        "limits it, and pauses programs in between",
        own->cpu_quota_cpus, own->allowed_pus, others);
    return true;
}

static bool all_is_slow(const struct fleet_evidence *e) {
    return evidence_share(e, &(struct fleet_scope){.compute = true}, -1) >= THRESHOLD->all_slow.value;
}

/* Slow arithmetic or a low clock also explains slow units, and all that runs at the core clock. */
static bool is_throttled(const struct fleet_evidence *e) {
    return e->clock_low || all_is_slow(e);
}

static bool throttled(const struct fleet_evidence *e, struct fleet_outlier *out) {
    const struct fleet_scope compute = {.compute = true};
    const size_t slow = evidence_worst(e, &compute, -1),
                 class = slow == FLEET_NONE ? evidence_worst(e, &compute, 0) : slow;
    char below[TEXT_BYTES], clock[TEXT_BYTES], usual[TEXT_BYTES];
    if (class == FLEET_NONE || !is_throttled(e))
        return false;
    evidence_blame(e, out, class);
    if (e->clock_low || e->clock_deviation < -THRESHOLD->low_clock.value)
        say(out,
            "all arithmetic is slow (%s the group's), and the core clock is low, %s (usual: %s): cooling, a "
            "power limit, or a frequency limit",
            amount(evidence_off(e, class), below), units_si_digits(clock, sizeof clock, e->clock_hz, "Hz", 3),
            units_si_digits(usual, sizeof usual, e->clock_hz / (1 + e->clock_deviation), "Hz", 3));
    else
        say(out,
            "all arithmetic is slow (%s the group's), at the usual clock: throttling or other programs take "
            "cycles away",
            amount(evidence_off(e, class), below));
    return true;
}

static bool dead_unit(const struct fleet_evidence *e, struct fleet_outlier *out) {
    const size_t class = evidence_worst(e, &(struct fleet_scope){.fma = true}, -1);
    char below[TEXT_BYTES];
    if (class == FLEET_NONE || all_is_slow(e) || evidence_off(e, class) > -THRESHOLD->unit_lost.value)
        return false;
    const char *isa = e->group->classes[class].isa;
    const bool rest = evidence_worst(e, &(struct fleet_scope){.other = true, .isa = isa}, -1) != FLEET_NONE;
    evidence_blame(e, out, class);
    say(out,
        "%s of %s is %s the group's while other instruction sets are as usual: one of its %s units is dead or "
        "switched off",
        rest ? "all arithmetic" : "FMA", isa, amount(evidence_off(e, class), below), rest ? "vector" : "FMA");
    return true;
}

static bool slow_isa(const struct fleet_evidence *e, struct fleet_outlier *out) {
    const size_t class = evidence_worst(e, &(struct fleet_scope){.compute = true}, -1);
    char below[TEXT_BYTES], operations[FLEET_OPERATIONS_BYTES];
    if (class == FLEET_NONE || is_throttled(e) || evidence_off(e, class) <= -THRESHOLD->unit_lost.value)
        return false;
    evidence_blame(e, out, class);
    say(out, "%s is %s the group's while other arithmetic is as usual: a lower clock limit of such code",
        fleet_operations(&e->group->classes[class], operations), amount(evidence_off(e, class), below));
    return true;
}

/* One core streams slowly from L3 and from memory. A memory channel does not affect L3, and part of L3 does not
 * affect memory. Random lines and latency, which no prefetcher helps, are as usual. */
static size_t without_prefetchers(const struct fleet_evidence *e) {
    const struct fleet_scope streams = {.bandwidth = true, .streams = true, .one_core = true, .level = "memory"},
                             l3 = {.bandwidth = true, .streams = true, .one_core = true, .level = "L3"},
                             others = {.latency = true, .level = "memory"};
    const size_t class = evidence_worst(e, &streams, -1);
    if (class == FLEET_NONE || evidence_worst(e, &l3, -1) == FLEET_NONE ||
        evidence_worst(e, &others, -1) != FLEET_NONE || others_explain(e, class))
        return FLEET_NONE;
    for (size_t c = 0; c < e->group->class_count; c++) {
        if (e->group->classes[c].random && e->flags[c] < 0)
            return FLEET_NONE;
    }
    return class;
}

static bool prefetchers_off(const struct fleet_evidence *e, struct fleet_outlier *out) {
    const size_t class = without_prefetchers(e);
    char below[TEXT_BYTES];
    if (class == FLEET_NONE)
        return false;
    evidence_blame(e, out, class);
    say(out,
        "one core's bandwidth of L3 and %s is low (%s the group's), random access and latency are as usual: hardware "
        "prefetchers are switched off",
        e->group->classes[class].key.level, amount(evidence_off(e, class), below));
    return true;
}

static bool lost_memory(const struct fleet_evidence *e, struct fleet_outlier *out) {
    const size_t class = evidence_worst(e, &(struct fleet_scope){.bandwidth = true, .level = "memory"}, -1);
    const double own = (double)e->node->machine.memory_bytes, usual = (double)e->group->typical.memory_bytes;
    const bool less = own < (1 - THRESHOLD->memory_lost.value) * usual;
    char below[TEXT_BYTES], has[TEXT_BYTES], others[TEXT_BYTES];
    const bool slow = class != FLEET_NONE && !others_explain(e, class) && without_prefetchers(e) == FLEET_NONE;
    if (!slow && !less)
        return false;
    if (slow) {
        evidence_blame(e, out, class);
        say(out, "%s bandwidth is %s the group's: a DIMM or memory channel is missing or slow",
            e->group->classes[class].key.level, amount(evidence_off(e, class), below));
    }
    if (less)
        say(out, "the system shows %s of memory (usual: %s)%s", units_binary(has, sizeof has, own),
            units_binary(others, sizeof others, usual), !slow ? ": a DIMM is missing" : "");
    return true;
}

/* Compares cache sizes with the group's; `found`: also the size at which the sweep saw the end. */
static bool other_size(const struct fleet_evidence *e, struct fleet_outlier *out, const char *level, bool found) {
    bool any = false;
    for (unsigned i = 0; i < e->node->cache_count && i < e->group->cache_count; i++) {
        const struct fleet_cache *own = &e->node->caches[i], *usual = &e->group->caches[i];
        const struct {
            const char *what;
            double own, usual;
        } sizes[] = {{"is detected as", (double)own->detected_bytes, (double)usual->detected_bytes},
                     {"is found to end near", (double)own->found_bytes, (double)usual->found_bytes}};
        for (size_t s = 0; s < (found ? 2 : 1) && strcmp(own->level, level) == 0; s++) {
            const double ratio = sizes[s].own / sizes[s].usual;
            char has[TEXT_BYTES], others[TEXT_BYTES];
            if (!(sizes[s].own > 0 && sizes[s].usual > 0) ||
                (ratio > THRESHOLD->size_low.value && ratio < THRESHOLD->size_high.value))
                continue;
            say(out, "%s %s %s (usual: %s)", level, sizes[s].what, units_binary(has, sizeof has, sizes[s].own),
                units_binary(others, sizeof others, sizes[s].usual));
            any = true;
        }
    }
    return any;
}

static bool small_cache(const struct fleet_evidence *e, struct fleet_outlier *out) {
    const size_t class =
        evidence_worst(e, &(struct fleet_scope){.bandwidth = true, .latency = true, .level = "L3"}, -1);
    char below[TEXT_BYTES];
    const bool disturbed = others_of_node(e).cpus > 0,
               slow = class != FLEET_NONE && !others_explain(e, class) && without_prefetchers(e) == FLEET_NONE,
               size = other_size(e, out, "L3", !disturbed);
    if (!slow && !size)
        return false;
    if (slow) {
        evidence_blame(e, out, class);
        say(out, "L3 %s is %s the group's", quantity(e, class), amount(evidence_off(e, class), below));
    }
    say(out, "part of L3 is not available: partitioned (resctrl, a hypervisor), or shared with other programs");
    return true;
}

static bool slow_core_cache(const struct fleet_evidence *e, struct fleet_outlier *out) {
    static const char *const LEVELS[] = {"L1", "L2"};
    bool any = false;
    for (size_t i = 0; i < 2; i++) {
        const size_t class =
            evidence_worst(e, &(struct fleet_scope){.bandwidth = true, .latency = true, .level = LEVELS[i]}, -1);
        char below[TEXT_BYTES];
        bool size = other_size(e, out, LEVELS[i], true);
        any |= size;
        if (class == FLEET_NONE || is_throttled(e)) /* they run at the core's clock */
            continue;
        evidence_blame(e, out, class);
        say(out, "%s %s is %s the group's: prefetchers or firmware settings differ", LEVELS[i], quantity(e, class),
            amount(evidence_off(e, class), below));
        any = true;
    }
    return any;
}

static bool slow_latency(const struct fleet_evidence *e, struct fleet_outlier *out) {
    const size_t class = evidence_worst(e, &(struct fleet_scope){.latency = true, .level = "memory"}, -1);
    char above[TEXT_BYTES];
    if (class == FLEET_NONE || others_explain(e, class))
        return false;
    evidence_blame(e, out, class);
    say(out, "memory latency is %s the group's: slower memory or interconnect, or another NUMA setting",
        amount(evidence_off(e, class), above));
    return true;
}

/* Unless a roof explains it. */
static bool slow_under_load(const struct fleet_evidence *e, struct fleet_outlier *out) {
    const size_t class =
        evidence_worst(e, &(struct fleet_scope){.bandwidth = true, .latency = true, .figure = true}, -1);
    char off[TEXT_BYTES], name[160];
    if (class == FLEET_NONE || out->key != FLEET_NONE || others_explain(e, class))
        return false;
    evidence_blame(e, out, class);
    say(out, "%s is %s the group's, while the roofs are as usual: another setting of memory, NUMA, snooping or pages",
        roof_key_text(&e->group->classes[class].key, name, sizeof name), amount(evidence_off(e, class), off));
    return true;
}

/* Whether other programs may explain a single slow roof. */
static bool is_theirs(const struct fleet_evidence *e) {
    return e->slow_value != SIZE_MAX && others_of_node(e).cpus > 0 &&
           others_share(e->fleet->keys.keys[e->node->values[e->slow_value].key].level);
}

static void blame_value(const struct fleet_evidence *e, struct fleet_outlier *out) {
    const struct fleet_value *value = &e->node->values[e->slow_value];
    evidence_set_roof(e, out, value);
    out->z = out->deviation / e->group->roofs[value->key].sigma;
}

/* Reported even if no roof is slow: numbers measured beside other programs are not comparable. */
static bool others_active(const struct fleet_evidence *e, struct fleet_outlier *out) {
    const struct fleet_disturbance others = others_of_node(e);
    const size_t class = others_worst(e);
    char below[TEXT_BYTES], roof[160] = "", who[OTHERS_NAME_BYTES + 8] = "other programs";
    if (!(others.cpus > 0) ||
        (class == FLEET_NONE && !is_theirs(e) && others.cpus < number_thresholds.others_work.value))
        return false;
    if (class != FLEET_NONE)
        evidence_blame(e, out, class);
    else if (is_theirs(e) && out->key == FLEET_NONE)
        blame_value(e, out);
    if (!out->diagnoses)
        snprintf(out->detail, sizeof out->detail, *others.program ? "%.1f CPUs: \"%s\"" : "%.1f CPUs%s", others.cpus,
                 others.program);
    if (class != FLEET_NONE)
        snprintf(roof, sizeof roof, "%s %s is %s the group's, and ", e->group->classes[class].key.level,
                 quantity(e, class), amount(evidence_off(e, class), below));
    if (*others.program)
        snprintf(who, sizeof who, "\"%s\"", others.program);
    say(out,
        "%s%s used %.2f CPUs while it was measured (usual: %.2f): measure again when "
        "the node is idle",
        roof, who, others.cpus, others.usual_cpus);
    return true;
}

static bool one_roof(const struct fleet_evidence *e, struct fleet_outlier *out) {
    if (e->slow_value == SIZE_MAX || out->key != FLEET_NONE || is_theirs(e))
        return false;
    const struct fleet_value *value = &e->node->values[e->slow_value];
    char below[TEXT_BYTES], name[160];
    blame_value(e, out);
    say(out, "%s alone is %s the group's: measure again",
        roof_key_text(&e->fleet->keys.keys[value->key], name, sizeof name), amount(out->deviation, below));
    return true;
}

static bool faster(const struct fleet_evidence *e, struct fleet_outlier *out) {
    const size_t class =
        evidence_worst(e, &(struct fleet_scope){.compute = true, .bandwidth = true, .latency = true}, 1);
    char above[TEXT_BYTES], operations[FLEET_OPERATIONS_BYTES];
    if (class == FLEET_NONE || out->text[0])
        return false;
    const struct fleet_class *of = &e->group->classes[class];
    const bool compute = of->key.kind == SAMPLE_COMPUTE;
    evidence_blame(e, out, class);
    say(out, "%s%s %s is %s the group's: other settings (turbo, SMT, power limit), or newer parts",
        of->key.cores == 1 ? "one core's " : "", compute ? fleet_operations(of, operations) : of->key.level,
        compute ? "arithmetic" : quantity(e, class), amount(evidence_off(e, class), above));
    return true;
}

static const struct rule {
    const char *diagnosis;
    bool (*fits)(const struct fleet_evidence *, struct fleet_outlier *);
} RULES[] = {
    {"swapped host", swapped},
    {"duplicate host name", duplicate},
    {"other number of cores", other_cores},
    {"CPU quota", less_time},
    {"throttled socket", throttled},
    {"prefetchers off", prefetchers_off},
    {"lost DIMM or channel", lost_memory},
    {"L3 partition", small_cache},
    {"dead FMA unit", dead_unit},
    {"incomplete", incomplete},
    {"slow instruction set", slow_isa},
    {"slow core cache", slow_core_cache},
    {"slow memory latency", slow_latency},
    {"slow under load", slow_under_load},
    {"others active", others_active},
    {"one slow roof", one_roof},
    {"faster than its group", faster},
};

bool fleet_diagnose(const struct fleet_evidence *evidence, struct fleet_outlier *out) {
    *out = (struct fleet_outlier){
        .key = FLEET_NONE, .class = FLEET_NONE, .value = NAN, .median = NAN, .deviation = NAN, .z = NAN};
    for (size_t i = 0; i < sizeof RULES / sizeof RULES[0]; i++)
        if (RULES[i].fits(evidence, out)) {
            if (!out->diagnoses)
                snprintf(out->diagnosis, sizeof out->diagnosis, "%s", RULES[i].diagnosis);
            out->diagnoses |= 1U << i;
        }
    return out->diagnoses != 0;
}
