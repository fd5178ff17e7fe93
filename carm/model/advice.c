/* SPDX-License-Identifier: BSD-3-Clause
 * Rules of advice (see advice.h): a row for each. */
#include "advice.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carm/store/results.h"
#include "model_thresholds.h"
#include "render/page/units.h"

/* The input of a rule and its result. */
struct proposal {
    const struct model *model;
    const struct app_point *point;
    const struct verdict *verdict;
    struct link_times after; /* starts as the present times */
    char text[ADVICE_BYTES];
};

static struct link_time *binding(struct proposal *proposal) {
    const int longest = proposal->verdict->times.longest;
    return longest >= 1 ? &proposal->after.link[longest] : NULL;
}

static bool binds_memory(const struct proposal *proposal) {
    return proposal->verdict->times.longest == (int)proposal->after.count - 1 && proposal->after.count > 1;
}

static void scale(struct link_time *link, double factor) {
    link->seconds *= factor;
}

/* Each touched line must cross a link once. */
static bool blocking(struct proposal *p) {
    struct link_time *link = binding(p);
    char bytes[UNITS_BYTES], footprint[UNITS_BYTES];
    if (!link || !(p->point->levels.footprint_bytes > 0))
        return false;
    const struct point_link *moved = &p->point->levels.link[p->verdict->times.longest];
    const double fetched = moved->load_bytes + moved->allocate_bytes, least = p->point->levels.footprint_bytes;
    if (fetched < verdict_thresholds.again.value * least)
        return false;
    scale(link, least / fetched);
    snprintf(p->text, sizeof p->text, "blocking, or fused passes: %s cross %s, but only %s are distinct",
             units_si(bytes, sizeof bytes, fetched, "B"), link->name,
             units_si(footprint, sizeof footprint, least, "B"));
    return true;
}

/* Lines that are written to memory anyway need no fetch. */
static bool nontemporal_stores(struct proposal *p) {
    struct link_time *link = binding(p);
    char bytes[UNITS_BYTES];
    if (!link || !binds_memory(p))
        return false;
    const struct point_link *moved = &p->point->levels.link[p->verdict->times.longest];
    if (!(moved->allocate_bytes > 0) ||
        moved->write_back_bytes < verdict_thresholds.written_back.value * moved->allocate_bytes)
        return false;
    scale(link, 1 - moved->allocate_bytes / (link->bytes - moved->victim_bytes));
    snprintf(p->text, sizeof p->text,
             "non-temporal stores, if they write whole cache lines: %s are fetched only to be overwritten",
             units_si(bytes, sizeof bytes, moved->allocate_bytes, "B"));
    return true;
}

static bool layout(struct proposal *p) {
    struct link_time *link = binding(p);
    const double used = p->point->levels.utilisation;
    if (!link || !binds_memory(p) || !(used > 0) || used > verdict_thresholds.unused.value)
        return false;
    scale(link, used);
    snprintf(p->text, sizeof p->text, "another data layout: %.0f %% of each cache line from memory is used",
             100 * used);
    return true;
}

/* Applies to arithmetic and to loads and stores, whichever binds. */
static bool wider_vectors(struct proposal *p) {
    const struct verdict *verdict = p->verdict;
    struct link_time *core = &p->after.link[0];
    struct applicable_roofs applicable;
    if (verdict->times.longest > 0 || !applicable_make(p->model, p->point, &applicable))
        return false;
    const struct roof *asked = applicable_pattern(&applicable, core->level, true),
                      *peak = applicable_wider_peak(&applicable, verdict->ceiling),
                      *narrow = verdict->times.longest == 0 ? core->roof : verdict->ceiling,
                      *wide = verdict->times.longest == 0 ? asked : peak;
    if (!wide || !applicable_is_wider(wide, narrow))
        return false;
    if (core->roof && asked && applicable_is_wider(asked, core->roof) &&
        asked->sample->value > core->roof->sample->value)
        scale(core, core->roof->sample->value / asked->sample->value);
    if (peak)
        p->after.ceiling_seconds = p->point->flop.median / peak->sample->value;
    snprintf(p->text, sizeof p->text, "wider vectors: %s instead of %s", wide->sample->kernel, narrow->sample->kernel);
    return true;
}

/* Its multiply-add pairs run at the FMA roof, the other flop as now. */
static bool fused(struct proposal *p) {
    struct applicable_roofs applicable;
    const double pairs = p->point->has_count ? (double)p->point->count.unfused_flop : 0;
    if (p->verdict->times.longest != LINK_TIMES_CEILING || !(pairs > 0) ||
        !applicable_make(p->model, p->point, &applicable))
        return false;
    const struct roof *roof = applicable_fused_peak(&applicable);
    if (!roof)
        return false;
    p->after.ceiling_seconds += pairs / roof->sample->value - pairs / p->verdict->ceiling->sample->value;
    snprintf(p->text, sizeof p->text,
             "fused multiply-adds (`-mfma`): %.0f %% of its flop are multiply-add pairs that FMA could fuse",
             100 * pairs / p->point->flop.median);
    return true;
}

/* As many threads as cores: the same bytes and flop below their roofs. */
static bool threads(struct proposal *p) {
    struct app_point more = *p->point;
    const unsigned cores = p->model->result->machine.core_count;
    if (p->point->threads >= cores || p->point->processes > 1)
        return false;
    more.threads = cores;
    p->after = link_times_find(p->model, &more);
    snprintf(p->text, sizeof p->text, "%u threads instead of %u, if its work can be divided", cores, p->point->threads);
    return p->after.longest != LINK_TIMES_NONE;
}

static const struct {
    const char *name;
    bool (*propose)(struct proposal *proposal); /* false: the numbers do not support it */
} RULES[] = {{"blocking", blocking},
             {"non-temporal stores", nontemporal_stores},
             {"layout", layout},
             {"wider vectors", wider_vectors},
             {"fused multiply-adds", fused},
             {"threads", threads}};
_Static_assert(sizeof RULES / sizeof RULES[0] <= ADVICE_MAX, "each rule has room");

static double longest_of(const struct link_times *times) {
    double longest = times->ceiling ? times->ceiling_seconds : 0;
    for (unsigned i = 0; i < times->count; i++)
        longest = fmax(longest, times->link[i].seconds);
    return longest;
}

static size_t insert(struct advice *list, size_t count, const struct advice *advice) {
    size_t at = count;
    for (; at > 0 && list[at - 1].seconds < advice->seconds; at--)
        list[at] = list[at - 1];
    list[at] = *advice;
    return count + 1;
}

/* What a loop's account promises: the part that binds it, without it. */
static size_t advise_loop(const struct app_point *point, const struct loop_account *loop, struct advice *out) {
    const struct loop_part *longest = &loop->part[loop->longest];
    char times[UNITS_BYTES];
    if (loop->faster <= verdict_thresholds.higher.value)
        return 0;
    *out = (struct advice){.rule = "accumulators", .seconds = point->seconds.median * (1 - 1 / loop->faster_at_most)};
    units_number_digits(times, sizeof times, loop->faster, 2);
    if (loop->accumulators > 1)
        snprintf(out->text, sizeof out->text,
                 "%u accumulators instead of one, about %s × faster: the chain of %s takes %.3g cycles per "
                 "iteration, all else %.2g",
                 loop->accumulators, times, point->in_core.chain_of, longest->cycles, loop->part[loop->second].cycles);
    else if (longest->kind == LOOP_FETCH) {
        out->rule = "alignment";
        snprintf(out->text, sizeof out->text,
                 "an aligned loop (`-falign-loops=64`), about %s × faster: its code crosses %.0f cache lines", times,
                 longest->cycles);
    } else if (longest->kind == LOOP_DIVIDER) {
        out->rule = "divisions";
        snprintf(out->text, sizeof out->text,
                 "multiplications by the reciprocal, about %s × faster: the divider takes %.3g cycles per "
                 "iteration, all else %.2g",
                 times, longest->cycles, loop->part[loop->second].cycles);
    } else
        return 0;
    return 1;
}

size_t advice_find(const struct model *model, const struct app_point *point, const struct verdict *verdict,
                   struct advice out[ADVICE_MAX]) {
    size_t count = 0;
    if (verdict->loop.binds)
        return advise_loop(point, &verdict->loop, out);
    if (verdict->basis != VERDICT_BY_LINKS || verdict->why != VERDICT_ROOF_BINDS)
        return 0;
    for (size_t i = 0; i < sizeof RULES / sizeof RULES[0]; i++) {
        struct proposal proposal = {.model = model, .point = point, .verdict = verdict, .after = verdict->times};
        if (!RULES[i].propose(&proposal))
            continue;
        const double faster = longest_of(&verdict->times) / longest_of(&proposal.after);
        struct advice advice = {.rule = RULES[i].name, .seconds = point->seconds.median * (1 - 1 / faster)};
        snprintf(advice.text, sizeof advice.text, "%s", proposal.text);
        if (faster > verdict_thresholds.higher.value)
            count = insert(out, count, &advice);
    }
    return count;
}
