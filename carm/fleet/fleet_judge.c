/* SPDX-License-Identifier: BSD-3-Clause
 * Nodes that stand out (see fleet.h): by robust deviations of whole classes of roofs, by single roofs, and by their
 * identities. */
#include "fleet.h"
#include "fleet_thresholds.h"
#include "fleet_rules.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "probe/need.h"

/* Outliers that are alike (see fleet.h): a hundred nodes with another setting are one finding, not a hundred. */

/* Whether one of two members would stand out from the other in a class. The difference of two numbers varies sqrt(2)
 * times as much as each number. A class that only one of them has also separates them. */
static bool differ_in(const struct fleet_class *class, size_t a, size_t b) {
    const double p = class->deviations[a], q = class->deviations[b];
    return isnan(p) != isnan(q) || fleet_is_apart(class, ((1 + p) / (1 + q) - 1) / sqrt(2));
}

/* If no roof shows the fault, the texts are compared: they name, say, a cache's size or another file. */
static bool are_alike(const struct fleet *fleet, const struct fleet_group *group, const struct fleet_outlier *a,
                      const struct fleet_outlier *b) {
    const double own = (double)fleet->nodes[a->node].machine.memory_bytes,
                 other = (double)fleet->nodes[b->node].machine.memory_bytes;
    const bool by_words = a->key == FLEET_NONE || b->key == FLEET_NONE;
    if (a->group != b->group || a->diagnoses != b->diagnoses ||
        fabs(own - other) > fleet_thresholds.memory_lost.value * other || (by_words && strcmp(a->text, b->text) != 0))
        return false;
    for (size_t c = 0; c < group->class_count; c++)
        if (differ_in(&group->classes[c], a->member, b->member))
            return false;
    return true;
}

/* Sets first_alike and alike_count of all outliers. Two outliers of a group are alike if all their diagnoses are the
 * same and neither stands out from the other, in any class of roofs or in memory. */
static void fleet_find_alike(const struct fleet *fleet, const struct fleet_groups *groups,
                             struct fleet_report *report) {
    for (size_t i = 0; i < report->count; i++) {
        struct fleet_outlier *outlier = &report->outliers[i];
        size_t first = 0;
        while (first < i && !(report->outliers[first].first_alike == first &&
                              are_alike(fleet, &groups->groups[outlier->group], &report->outliers[first], outlier)))
            first++;
        outlier->first_alike = first;
        report->outliers[first].alike_count++;
    }
}

/* Facts about all nodes that judging one node needs. */
struct identities {
    const struct fleet_machine **expected;
    const struct fleet_node **namesakes;
};

/* "node0417.cluster" → "node" */
static size_t name_length(const char *host) {
    size_t length = strcspn(host, ".");
    while (length > 0 && isdigit((unsigned char)host[length - 1]))
        length--;
    return length;
}

static int by_host(const void *a, const void *b, void *nodes) {
    const size_t i = *(const size_t *)a, k = *(const size_t *)b;
    const char *p = ((const struct fleet_node *)nodes)[i].machine.host,
               *q = ((const struct fleet_node *)nodes)[k].machine.host;
    const size_t p_length = name_length(p), q_length = name_length(q);
    int order = strncmp(p, q, p_length < q_length ? p_length : q_length);
    if (!order)
        order = p_length < q_length ? -1 : p_length > q_length;
    if (!order)
        order = strcmp(p, q);
    return order ? order : i < k ? -1 : i > k;
}

static bool same_name(const struct fleet_machine *a, const struct fleet_machine *b) {
    const size_t length = name_length(a->host);
    return length == name_length(b->host) && strncmp(a->host, b->host, length) == 0;
}

/* The machine of most hosts of one name; NULL if no type has nearly all of them (Boyer and Moore's vote). */
static const struct fleet_machine *majority(const struct fleet *fleet, const size_t *order, size_t count) {
    const struct fleet_machine *winner = NULL;
    size_t votes = 0, members = 0;
    for (size_t i = 0; i < count; i++) {
        const struct fleet_machine *own = &fleet->nodes[order[i]].machine;
        if (votes == 0)
            winner = own;
        votes = votes == 0 || fleet_same_cpu(own, winner) ? votes + 1 : votes - 1;
    }
    for (size_t i = 0; i < count; i++)
        members += fleet_same_cpu(&fleet->nodes[order[i]].machine, winner);
    return (double)members >= fleet_thresholds.of_one_name.value * (double)count ? winner : NULL;
}

static struct identities identify(const struct fleet *fleet) {
    struct identities out = {.expected = need_calloc(fleet->count + 1, sizeof *out.expected),
                             .namesakes = need_calloc(fleet->count + 1, sizeof *out.namesakes)};
    size_t *order = need_calloc(fleet->count + 1, sizeof *order), count = 0;
    for (size_t i = 0; i < fleet->count; i++)
        if (!fleet->nodes[i].older)
            order[count++] = i;
    if (count)
        qsort_r(order, count, sizeof *order, by_host, fleet->nodes);
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from + 1;
             to < count && same_name(&fleet->nodes[order[from]].machine, &fleet->nodes[order[to]].machine);)
            to++;
        const struct fleet_machine *usual = majority(fleet, order + from, to - from);
        for (size_t i = from; i < to; i++) {
            const struct fleet_node *own = &fleet->nodes[order[i]];
            if (usual && !fleet_same_cpu(&own->machine, usual))
                out.expected[order[i]] = usual;
            for (size_t k = i; k-- > from && !out.namesakes[order[i]];)
                if (strcmp(fleet->nodes[order[k]].machine.host, own->machine.host) != 0)
                    break;
                else if (fleet_same_cpu(&fleet->nodes[order[k]].machine, &own->machine))
                    out.namesakes[order[i]] = &fleet->nodes[order[k]];
        }
    }
    free(order);
    return out;
}

/* Distance of an interval from the usual value, signed; 0: the interval includes it. */
static double distance(double low, double high, double usual) {
    return low > usual ? low - usual : high < usual ? high - usual : 0;
}

static void flag_classes(const struct fleet_group *group, size_t member, signed char *flags) {
    for (size_t c = 0; c < group->class_count; c++) {
        const struct fleet_class *class = &group->classes[c];
        const double off = distance(class->lows[member], class->highs[member], class->center); /* of NaN: 0 */
        const int slow = class->key.kind == SAMPLE_LATENCY ? 1 : -1;
        flags[c] = (signed char)(!fleet_is_apart(class, off) ? 0 : (off > 0) == (slow > 0) ? -1 : 1);
    }
}

/* The roof farthest below its group's although its class is not slow; SIZE_MAX: none. */
static size_t slow_alone(const struct fleet *fleet, const struct fleet_group *group, const struct fleet_node *node,
                         const signed char *flags) {
    size_t found = SIZE_MAX;
    double farthest = 0;
    for (size_t i = 0; i < node->count; i++) {
        const struct fleet_value *value = &node->values[i];
        const struct fleet_roof *roof = &group->roofs[value->key];
        const struct roof_key *key = &fleet->keys.keys[value->key];
        if (roof->class == FLEET_NONE || flags[roof->class] < 0 || !fleet_comparable(group, &node->machine, key) ||
            doubts_any(check_doubts(value->doubts, value->doubts)))
            continue;
        const struct compare_interval interval = fleet_interval(value);
        const double gain = distance(interval.low / roof->median, interval.high / roof->median, 1),
                     loss = key->kind == SAMPLE_LATENCY ? gain : -gain;
        if (loss >= roof->tolerance && loss >= fleet_thresholds.roof_sigmas.value * roof->sigma &&
            loss / roof->tolerance > farthest) {
            farthest = loss / roof->tolerance;
            found = i;
        }
    }
    return found;
}

/* The clocks of its compute roofs against the group's. Nearly all have to be low: otherwise a lower limit of one
 * instruction set would count as a low core clock. A clock counts as low only if the roof is slow, too. */
static void find_clock(const struct fleet *fleet, struct fleet_evidence *evidence) {
    const struct fleet_node *node = evidence->node;
    const struct fleet_group *group = evidence->group;
    double *clocks = need_calloc(node->count + 1, sizeof *clocks);
    size_t count = 0, low = 0;
    evidence->clock_deviation = group->clock_deviations[evidence->member];
    const double half = 1 + evidence->clock_deviation / 2;
    for (size_t i = 0; i < node->count; i++) {
        const struct fleet_value *value = &node->values[i];
        const struct fleet_roof *roof = &group->roofs[value->key];
        if (fleet->keys.keys[value->key].kind != SAMPLE_COMPUTE || !(roof->clock_hz > 0) ||
            !((double)value->clock_hz > 0))
            continue;
        clocks[count++] = (double)value->clock_hz;
        low += (double)value->clock_hz < half * roof->clock_hz && fleet_interval(value).high < roof->median;
    }
    evidence->clock_hz = count ? sample_median(clocks, count) : NAN;
    evidence->clock_low = fleet_clock_is_apart(group, evidence->member) && evidence->clock_deviation < 0 &&
                          (double)low >= fleet_thresholds.clocks_low.value * (double)count;
    free(clocks);
}

static void find_missing(const struct fleet *fleet, struct fleet_evidence *evidence) {
    const struct fleet_group *group = evidence->group;
    bool *has = need_calloc(fleet->keys.count + 1, sizeof *has);
    for (size_t i = 0; i < evidence->node->count; i++)
        has[evidence->node->values[i].key] = true;
    for (size_t k = 0; k < fleet->keys.count; k++)
        if (!has[k] && (double)group->roofs[k].holders >= fleet_thresholds.have_it.value * (double)group->count) {
            evidence->missing++;
            if (!evidence->first_missing)
                evidence->first_missing = &fleet->keys.keys[k];
        }
    free(has);
}

static bool judge(const struct fleet *fleet, const struct fleet_group *group, size_t member,
                  const struct identities *identities, struct fleet_outlier *out) {
    const size_t node = group->members[member];
    signed char *flags = need_calloc(group->class_count + 1, sizeof *flags);
    struct fleet_evidence evidence = {.fleet = fleet,
                                      .group = group,
                                      .node = &fleet->nodes[node],
                                      .member = member,
                                      .flags = flags,
                                      .clock_deviation = NAN,
                                      .clock_hz = NAN,
                                      .slow_value = SIZE_MAX,
                                      .expected = identities->expected[node],
                                      .namesake = identities->namesakes[node]};
    if (group->judged) {
        flag_classes(group, member, flags);
        evidence.slow_value = slow_alone(fleet, group, evidence.node, flags);
        find_clock(fleet, &evidence);
        find_missing(fleet, &evidence);
    }
    const bool found = fleet_diagnose(&evidence, out);
    free(flags);
    out->node = node;
    return found;
}

static int by_group(const void *a, const void *b, void *nodes) {
    const struct fleet_outlier *p = a, *q = b;
    const struct fleet_node *all = nodes;
    if (p->group != q->group)
        return p->group < q->group ? -1 : 1;
    const int order = strcmp(all[p->node].machine.host, all[q->node].machine.host);
    return order ? order : p->node < q->node ? -1 : 1;
}

struct fleet_report fleet_judge(const struct fleet *fleet, struct fleet_groups *groups) {
    struct identities identities = identify(fleet);
    struct fleet_report report = {0};
    for (size_t g = 0; g < groups->count; g++) {
        struct fleet_group *group = &groups->groups[g];
#pragma omp parallel for schedule(dynamic, 16)
        for (size_t m = 0; m < group->count; m++) {
            struct fleet_outlier outlier;
            if (!judge(fleet, group, m, &identities, &outlier))
                continue;
            outlier.group = g;
            outlier.member = m;
#pragma omp critical(fleet_outliers)
            {
                report.outliers = need_realloc(report.outliers, (report.count + 1) * sizeof *report.outliers);
                report.outliers[report.count++] = outlier;
                group->outlier_count++;
            }
        }
    }
    if (report.count)
        qsort_r(report.outliers, report.count, sizeof *report.outliers, by_group, fleet->nodes);
    fleet_find_alike(fleet, groups, &report);
    free(identities.expected);
    free(identities.namesakes);
    return report;
}

void fleet_report_free(struct fleet_report *report) {
    free(report->outliers);
    *report = (struct fleet_report){0};
}
