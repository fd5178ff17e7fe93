/* SPDX-License-Identifier: BSD-3-Clause */
#include "loop_account.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "asm/incore/core_table.h"
#include "model_thresholds.h"
#include "probe/text.h"
#include "render/page/units.h"

static const struct verdict_thresholds *const THRESHOLD = &verdict_thresholds;

/* Beyond the longest of the runs, and beyond what right tables and the clock may be off. */
static bool is_refuted(const struct loop_account *account, double cycles) {
    return account->measured_cycles > 0 &&
           cycles > fmax(THRESHOLD->refuted.value * account->measured_cycles, account->most_cycles);
}

static struct loop_part *loop_account_add_part(struct loop_account *account, enum loop_part_kind kind, const char *name,
                                               double cycles) {
    if (!(cycles > 0) || account->count == LOOP_PARTS_MOST)
        return NULL;
    struct loop_part *part = &account->part[account->count++];
    *part = (struct loop_part){kind, .cycles = cycles, .most_cycles = cycles, .refuted = is_refuted(account, cycles)};
    snprintf(part->name, sizeof part->name, "%s", name);
    return part;
}

/* The least share of its chain that a short loop takes. Its passes overlap if they need nothing of each other: a pass
 * begins once the reorder buffer has room, so with an iteration that ends so many iterations (`flight`) before it,
 * which ends in order, behind all passes before its own. */
static double overlapped(const struct app_point *point) {
    const double trips = point->entries > 0 ? (double)point->iterations / (double)point->entries : INFINITY,
                 passes = floor(point->in_core.flight / trips), more = point->in_core.flight / trips - passes;
    return fmax(1 / (passes + 2), (1 - more) / (passes + 1));
}

/* A pointer chase: its chain is one load. */
static bool chases(const struct point_in_core *in_core) {
    return in_core->chain_memory > THRESHOLD->loads.value * in_core->chain;
}

/* The chain; of a pointer chase with its lines one after the other, unless something brought them earlier. */
static double chained(const struct loop_account *account, const struct app_point *point) {
    const double chain = point->in_core.chain,
                 cycles = chain + (account->serial_cycles > 0 ? account->serial_cycles : 0);
    return account->chases && !is_refuted(account, cycles * overlapped(point)) ? cycles : chain;
}

static void loop_account_add_chain(struct loop_account *account, const struct app_point *point) {
    char name[sizeof account->part[0].name];
    const double cycles = chained(account, point), share = overlapped(point);
    const bool clear = share * THRESHOLD->refuted.value < 1; /* the difference between its ends */
    snprintf(name, sizeof name, "chain of %s", account->chases ? "loads" : point->in_core.chain_of);
    struct loop_part *part = loop_account_add_part(account, LOOP_CHAIN, name, clear ? share * cycles : cycles);
    if (!part)
        return;
    account->chain = (int)(part - account->part);
    part->most_cycles = cycles;
}

static void add_in_core(struct loop_account *account, const struct app_point *point) {
    const struct point_in_core *in_core = &point->in_core;
    char name[sizeof account->part[0].name];
    loop_account_add_chain(account, point);
    const bool several = strchr(in_core->busiest_ports, ',') || strncmp(in_core->busiest_ports, "of ", 3) == 0;
    snprintf(name, sizeof name, "port%s %s", several ? "s" : "", in_core->busiest_ports);
    loop_account_add_part(account, LOOP_PORTS, name, in_core->ports);
    loop_account_add_part(account, LOOP_RENAMING, "renaming", in_core->renaming);
    loop_account_add_part(account, LOOP_DIVIDER, "the divider", in_core->divider);
    loop_account_add_part(account, LOOP_BRANCHES, "taken branches", in_core->branches);
    if (!is_refuted(account, in_core->fetch)) /* else a buffer held the loop's code */
        loop_account_add_part(account, LOOP_FETCH, "code across cache lines", in_core->fetch);
}

/* Latencies of lines are no statement about the loop: prefetched ones are shorter. */
static bool is_wrong(const struct loop_part *part) {
    return part->refuted && part->kind != LOOP_MISSES;
}

static bool is_longer(const struct loop_account *account, unsigned i, int than) {
    return than < 0 || account->part[i].cycles > account->part[than].cycles;
}

static void loop_account_find_longest(struct loop_account *account) {
    account->longest = account->second = account->refuted = -1;
    for (unsigned i = 0; i < account->count; i++) {
        if (is_wrong(&account->part[i]) && is_longer(account, i, account->refuted))
            account->refuted = (int)i;
        if (account->part[i].refuted)
            continue;
        if (is_longer(account, i, account->longest)) {
            account->second = account->longest;
            account->longest = (int)i;
        } else if (is_longer(account, i, account->second))
            account->second = (int)i;
    }
}

/* The longest part's cycles within the measured ones: passes overlap by as much as these show. */
static double explained_cycles(const struct loop_account *account) {
    const struct loop_part *longest = &account->part[account->longest];
    return fmax(longest->cycles, fmin(longest->most_cycles, account->measured_cycles));
}

/* A part's cycles per iteration without the longest one, or with so many chains in its place: then as many iterations
 * share one way back. A buffer may hold the code. */
static double cycles_after(const struct loop_account *account, unsigned i, unsigned chains) {
    const struct loop_part *part = &account->part[i];
    const double shared = 1 / (double)chains;
    const bool longest = (int)i == account->longest;
    if (part->refuted || part->kind == LOOP_FETCH || (longest && part->kind != LOOP_CHAIN))
        return 0;
    if (part->kind == LOOP_RENAMING)
        return part->cycles * (1 - account->way_back * (1 - shared));
    return longest ? part->most_cycles * shared : part->kind == LOOP_BRANCHES ? part->cycles * shared : part->cycles;
}

static double longest_after(const struct loop_account *account, unsigned chains) {
    double longest = 0;
    for (unsigned i = 0; i < account->count; i++)
        longest = fmax(longest, cycles_after(account, i, chains));
    return longest;
}

/* What a core needs for parts that are side by side: more than for the longest, the more equal they are. */
static double side_by_side(const struct loop_account *account, unsigned chains) {
    const double longest = longest_after(account, chains), power = THRESHOLD->side_by_side.value;
    double sum = 0;
    for (unsigned i = 0; i < account->count; i++)
        sum += pow(cycles_after(account, i, chains) / longest, power);
    return longest * pow(sum, 1 / power);
}

/* As few as are worth it: all that registers hold would not gain more. */
static unsigned chains_worth(const struct loop_account *account) {
    const unsigned most = (unsigned)THRESHOLD->registers.value;
    unsigned chains = 1;
    while (chains < most && side_by_side(account, chains) > THRESHOLD->higher.value * side_by_side(account, most))
        chains++;
    return chains;
}

/* A refuted part may be as long as the loop: then nothing is promised, and another part binds only if it is, too. */
static void find_gain(struct loop_account *account, const struct point_in_core *in_core) {
    const struct loop_part *longest = &account->part[account->longest];
    const double least = account->refuted >= 0 ? 1 / THRESHOLD->refuted.value : THRESHOLD->reaches.value,
                 now = fmin(longest->most_cycles, account->measured_cycles);
    account->share = account->measured_cycles > 0 ? explained_cycles(account) / account->measured_cycles : 0;
    account->binds = account->share >= least;
    if (!account->binds || account->second < 0 || account->refuted >= 0)
        return;
    const unsigned chains = longest->kind == LOOP_CHAIN ? chains_worth(account) : 1;
    account->faster = fmax(1, now / side_by_side(account, chains));
    account->faster_at_most = fmax(1, now / longest_after(account, chains));
    if (longest->kind == LOOP_CHAIN && in_core->accumulates)
        account->accumulators = chains;
}

/* Branches per iteration that can be mispredicted: the rarer way of each, and each exit; without known passes, of each
 * iteration. */
static double branches_of(const struct app_point *point) {
    return point->in_core.rarer_ways + (point->entries > 0 ? (double)point->entries / (double)point->iterations : 1);
}

/* Of the busiest part that two programs on a core divide: beside the other one it takes up to twice as long. */
static double loop_account_busy_cycles(const struct loop_account *account) {
    double cycles = 0;
    for (unsigned i = 0; i < account->count; i++)
        if (account->part[i].kind != LOOP_CHAIN && !account->part[i].refuted)
            cycles = fmax(cycles, account->part[i].cycles);
    return cycles;
}

/* What is unknown may be the rest, as far as it can be long enough. */
static void find_rest(struct loop_account *account, const struct app_point *point) {
    const struct point_in_core *in_core = &point->in_core;
    const double explained = account->longest >= 0 ? account->part[account->longest].cycles : 0,
                 chain = account->chain >= 0 ? account->part[account->chain].most_cycles : 0,
                 enough = THRESHOLD->one_by_one.value * (account->measured_cycles - explained);
    if (account->binds || !(account->measured_cycles > 0))
        return;
    const bool lines = account->serial_cycles >= enough || account->shared_cycles >= enough,
               branches = account->branch_cycles >= enough;
    account->may[LOOP_CAUSE_INSTRUCTIONS] = account->unknown > 0;
    account->may[LOOP_CAUSE_REFUTED] = account->refuted >= 0;
    account->may[LOOP_CAUSE_PASSES] = chain - explained >= enough && account->refuted != account->chain;
    account->may[LOOP_CAUSE_CALLS] = account->calls > 0;
    account->may[LOOP_CAUSE_LINES] = lines || isnan(account->serial_cycles);
    account->may[LOOP_CAUSE_BRANCHES] =
        branches ||
        (isnan(account->branch_cycles) && branches_of(point) * THRESHOLD->mispredicted_cycles.value >= enough);
    account->may[LOOP_CAUSE_FETCH] = !(in_core->fetch > 0) && in_core->instructions >= enough;
    account->may[LOOP_CAUSE_NEIGHBOUR] = account->neighbour * loop_account_busy_cycles(account) >= enough;
    account->may[LOOP_CAUSE_AROUND] = !lines && !branches;
    account->may[LOOP_CAUSE_KERNEL] = !branches;
}

/* By CPU time: of a part, its share. */
static void find_measured(struct loop_account *account, const struct app_point *point, double per_cpu_second) {
    const bool cpu = point->cpu_seconds.n > 0;
    const struct statistics *seconds = cpu ? &point->cpu_seconds : &point->seconds;
    const double part = cpu ? point->time_share : fmax(1, app_point_at_a_time(point));
    if (!(point->seconds.median > 0))
        return;
    account->measured_cycles = seconds->median * part * per_cpu_second;
    account->most_cycles = seconds->max * part * per_cpu_second;
}

struct loop_account loop_account_find(const struct app_point *point, const struct link_times *times,
                                      const struct roof *roof, const struct loop_lines *lines) {
    const struct point_in_core *in_core = &point->in_core;
    const struct core_table *table = core_table_named(in_core->core);
    struct loop_account account = {.longest = -1, .second = -1, .chain = -1, .refuted = -1};
    const double iterations = (double)point->iterations, threads = fmax(1, app_point_at_a_time(point));
    if (!in_core->known || !(iterations > 0) ||
        in_core->instructions * iterations < THRESHOLD->own_code.value * (double)point->count.instructions)
        return account;
    account.clock_assumed = !(point->clock_hz > 0);
    account.clock_hz = point->clock_hz > 0 ? point->clock_hz : roof ? roof->sample->clock_hz : 0;
    const double per_second = account.clock_hz * threads / iterations; /* cycles per iteration of a second's work */
    find_measured(&account, point, per_second / threads);
    account.serial_cycles = lines->serial_s * per_second;
    account.shared_cycles = point->neighbour_share > 0 ? lines->shared_s * per_second : 0;
    account.lines_known = times->count > 0;
    if (!account.lines_known && !(lines->serial_s > 0))
        account.serial_cycles = (double)NAN;
    account.measured_core = strcmp(in_core->core, "measured") == 0;
    account.from_documents = table && !*table->measured_on;
    account.unknown = in_core->unknown_instructions;
    account.chases = chases(in_core);
    account.streams = in_core->strided >= 1;
    account.calls = in_core->calls;
    account.way_back =
        fmin(1, THRESHOLD->way_back.value / fmax(1, in_core->instructions - 1)); /* a comparison and its jump are one */
    account.neighbour = point->neighbour_share;
    account.branch_cycles =
        in_core->mispredict > 0 ? branches_of(point) * in_core->mispredict + in_core->rarer_wait : (double)NAN;
    add_in_core(&account, point);
    for (unsigned i = 1; i < times->count; i++)
        loop_account_add_part(&account, LOOP_LINK, times->link[i].name, times->link[i].seconds * per_second);
    if (!account.chases && !account.streams && lines->in_flight > 0)
        loop_account_add_part(&account, LOOP_MISSES, "cache misses", account.serial_cycles / lines->in_flight);
    loop_account_find_longest(&account);
    if (account.longest >= 0)
        find_gain(&account, in_core);
    find_rest(&account, point);
    return account;
}

static bool is_plural(const struct loop_part *part) {
    return strncmp(part->name, "ports ", 6) == 0 || part->kind == LOOP_MISSES || part->kind == LOOP_BRANCHES;
}

/* "its chain of mulsd", "ports 0, 1". */
static const char *part_words(const struct loop_part *part, char *out, size_t size) {
    snprintf(out, size, "%s%s", part->kind == LOOP_CHAIN ? "its " : "", part->name);
    return out;
}

const char *loop_cause_words(const struct loop_account *account, enum loop_cause cause, char out[LOOP_CAUSE_BYTES]) {
    static const char *const WORDS[LOOP_CAUSES] = {
        [LOOP_CAUSE_CALLS] = "a chain through the functions that it calls",
        [LOOP_CAUSE_LINES] = "cache lines",
        [LOOP_CAUSE_BRANCHES] = "mispredicted branches",
        [LOOP_CAUSE_FETCH] = "reading its code",
        [LOOP_CAUSE_AROUND] = "code around it",
        [LOOP_CAUSE_KERNEL] = "the kernel",
    };
    char cycles[UNITS_BYTES];
    snprintf(out, LOOP_CAUSE_BYTES, "%s", WORDS[cause] ? WORDS[cause] : "");
    if (cause == LOOP_CAUSE_INSTRUCTIONS)
        snprintf(out, LOOP_CAUSE_BYTES, "%s unknown instruction%s",
                 units_number_digits(cycles, sizeof cycles, account->unknown, 2), account->unknown == 1 ? "" : "s");
    else if (cause == LOOP_CAUSE_REFUTED)
        part_words(&account->part[account->refuted], out, LOOP_CAUSE_BYTES);
    else if (cause == LOOP_CAUSE_PASSES)
        snprintf(out, LOOP_CAUSE_BYTES, "its %s (up to %s cycles if its passes do not overlap)",
                 account->part[account->chain].name,
                 units_number_digits(cycles, sizeof cycles, account->part[account->chain].most_cycles, 2));
    else if (cause == LOOP_CAUSE_NEIGHBOUR)
        snprintf(out, LOOP_CAUSE_BYTES, "something else on its core (there %.0f %% of the time)",
                 100 * account->neighbour);
    else if (cause == LOOP_CAUSE_LINES && account->streams)
        snprintf(out, LOOP_CAUSE_BYTES, "cache lines that are fetched too late%s",
                 account->lines_known ? "" : " (`--levels` tells)");
    else if (cause == LOOP_CAUSE_LINES && !account->lines_known)
        snprintf(out, LOOP_CAUSE_BYTES, "cache lines (`--levels` tells)");
    else if (cause == LOOP_CAUSE_LINES && account->shared_cycles > 2 * account->serial_cycles)
        snprintf(out, LOOP_CAUSE_BYTES,
                 "its cache lines (%s cycles one after the other, if others fill the last cache)",
                 units_number_digits(cycles, sizeof cycles, account->shared_cycles, 3));
    else if (cause == LOOP_CAUSE_LINES && account->serial_cycles > 0)
        snprintf(out, LOOP_CAUSE_BYTES, "its cache lines (%s cycles one after the other)",
                 units_number_digits(cycles, sizeof cycles, account->serial_cycles, 3));
    else if (cause == LOOP_CAUSE_BRANCHES && account->branch_cycles > 0)
        snprintf(out, LOOP_CAUSE_BYTES, "mispredicted branches (up to %s cycles)",
                 units_number_digits(cycles, sizeof cycles, account->branch_cycles, 2));
    return out;
}

enum { REST_BYTES = 448 };

/* "the rest may be cache lines (`--levels` tells), code around it or the kernel". */
static const char *say_rest(const struct loop_account *account, char out[REST_BYTES]) {
    char words[LOOP_CAUSE_BYTES];
    unsigned left = 0;
    snprintf(out, REST_BYTES, "the rest may be ");
    for (unsigned i = 0; i < LOOP_CAUSES; i++)
        left += account->may[i];
    for (enum loop_cause cause = 0; cause < LOOP_CAUSES; cause++)
        if (account->may[cause]) {
            left--;
            text_append(out, REST_BYTES, "%s%s", loop_cause_words(account, cause, words),
                        left > 1    ? ", "
                        : left == 1 ? " or "
                                    : "");
        }
    return out;
}

/* What refutes a part: "its table asks for 13 cycles of port ALU0, the core took 6.09". */
static const char *say_refuted(const struct loop_account *account, char *out, size_t size) {
    const struct loop_part *part = &account->part[account->refuted];
    const char *source = part->kind == LOOP_LINK ? "roof" : account->measured_core ? "measurement" : "table";
    char cycles[UNITS_BYTES], measured[UNITS_BYTES], name[sizeof part->name + 8];
    snprintf(out, size, "its %s asks for %s cycles of %s, the core took %s", source,
             units_number_digits(cycles, sizeof cycles, part->cycles, 3), part_words(part, name, sizeof name),
             units_number_digits(measured, sizeof measured, account->measured_cycles, 3));
    return out;
}

const char *loop_cycles_words(const struct loop_part *part, int digits, char out[LOOP_CYCLES_BYTES]) {
    char least[UNITS_BYTES], most[UNITS_BYTES];
    const bool range = part->most_cycles > part->cycles;
    units_number_digits(least, sizeof least, part->cycles, range ? 2 : digits);
    units_number_digits(most, sizeof most, part->most_cycles, 2);
    snprintf(out, LOOP_CYCLES_BYTES, "%s%s%s", least, range ? " to " : "", range ? most : "");
    return out;
}

/* What binds it, or explains part of it. */
static void loop_account_say_longest(const struct loop_account *account, char out[LOOP_WORDS_BYTES]) {
    const struct loop_part *longest = &account->part[account->longest];
    const char *per =
        account->calls > 0 ? "cycles per iteration without the functions that it calls" : "cycles per iteration";
    char cycles[LOOP_CYCLES_BYTES], measured[UNITS_BYTES], name[sizeof longest->name + 8], rest[REST_BYTES], took[128];
    part_words(longest, name, sizeof name);
    loop_cycles_words(longest, 3, cycles);
    units_number_digits(measured, sizeof measured, account->measured_cycles, 3);
    snprintf(took, sizeof took, "takes %s %s", measured, per);
    if (!(account->measured_cycles > 0))
        snprintf(out, LOOP_WORDS_BYTES, "needs %s cycles per iteration for %s", cycles, name);
    else if (account->binds)
        snprintf(out, LOOP_WORDS_BYTES, "bound by %s: %s of %s %s", name, cycles, measured, per);
    else
        snprintf(out, LOOP_WORDS_BYTES, "%s, of which %s explain%s %s: %s",
                 account->refuted >= 0 ? say_refuted(account, took, sizeof took) : took, name,
                 is_plural(longest) ? "" : "s", cycles, say_rest(account, rest));
}

const char *loop_account_words(const struct loop_account *account, char out[LOOP_WORDS_BYTES]) {
    char second[LOOP_CYCLES_BYTES], times[UNITS_BYTES], most[UNITS_BYTES], text[128];
    out[0] = '\0';
    if (account->longest >= 0)
        loop_account_say_longest(account, out);
    const struct loop_part *next = account->second >= 0 ? &account->part[account->second] : NULL;
    if (next)
        text_append(out, LOOP_WORDS_BYTES, "; %s %s %s", part_words(next, text, sizeof text),
                    is_plural(next) ? "need" : "needs", loop_cycles_words(next, 2, second));
    if (account->accumulators > 1)
        text_append(out, LOOP_WORDS_BYTES, "; %u accumulators would make it about %s × faster, at most %s ×",
                    account->accumulators, units_number_digits(times, sizeof times, account->faster, 2),
                    units_number_digits(most, sizeof most, account->faster_at_most, 2));
    if (account->refuted >= 0 && (account->binds || account->longest < 0))
        text_append(out, LOOP_WORDS_BYTES, "%s%s", *out ? "; " : "", say_refuted(account, text, sizeof text));
    return out;
}

/* Latencies of lines, in a chain or side by side. */
static bool is_of_lines(const struct loop_account *account, const struct loop_part *part) {
    return part->kind == LOOP_MISSES || (part->kind == LOOP_CHAIN && account->chases);
}

bool loop_account_computes(const struct loop_account *account) {
    if (!account->binds)
        return false;
    const struct loop_part *longest = &account->part[account->longest];
    return longest->kind != LOOP_LINK && !is_of_lines(account, longest);
}

bool loop_account_fetches(const struct loop_account *account) {
    if (account->binds)
        return is_of_lines(account, &account->part[account->longest]);
    if (account->streams)
        return false;
    for (unsigned i = 0; i < LOOP_CAUSES; i++)
        if (account->may[i] && i != LOOP_CAUSE_LINES && i != LOOP_CAUSE_KERNEL)
            return false;
    return account->may[LOOP_CAUSE_LINES] && account->serial_cycles > 0;
}
