/* SPDX-License-Identifier: BSD-3-Clause
 * Accounts of loops (see loop_account.h). */
#include "loop_account.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "render/page/units.h"
#include "verdict_thresholds.h"

/* A loop's own code has at least this share of its instructions: what its inner loops do is in their accounts. */
static const double OWN = 0.9;
/* A part that needs more than so many times the measured cycles is not what happened. */
static const double ABOUT = 1.1;

/* More accumulators would not stay in registers. */
static const double REGISTERS = 32;

static void add_part(struct loop_account *account, enum loop_part_kind kind, const char *name, double cycles) {
    if (!(cycles > 0) || account->count == LOOP_PARTS_MOST)
        return;
    struct loop_part *part = &account->part[account->count++];
    *part = (struct loop_part){.kind = kind, .cycles = cycles};
    snprintf(part->name, sizeof part->name, "%s", name);
}

/* Passes through a short loop overlap in the core: the chain ends with each. */
static double overlapped(const struct app_point *point, double cycles) {
    const double trips = point->entries > 0 ? (double)point->iterations / (double)point->entries : INFINITY;
    return cycles * fmin(1, trips / point->in_core.flight);
}

/* A pointer chase: its chain is one load. */
static bool chases(const struct point_in_core *in_core) {
    return in_core->chain_memory > 0.5 * in_core->chain;
}

static void add_in_core(struct loop_account *account, const struct app_point *point, double serial_cycles) {
    const struct point_in_core *in_core = &point->in_core;
    char name[sizeof account->part[0].name];
    snprintf(name, sizeof name, "chain of %s", chases(in_core) ? "loads" : in_core->chain_of);
    add_part(account, LOOP_CHAIN, name, overlapped(point, in_core->chain + (chases(in_core) ? serial_cycles : 0)));
    snprintf(name, sizeof name, "port%s %s", strchr(in_core->busiest_ports, ',') ? "s" : "", in_core->busiest_ports);
    add_part(account, LOOP_PORTS, name, in_core->ports);
    add_part(account, LOOP_RENAMING, "renaming", in_core->renaming);
    add_part(account, LOOP_DIVIDER, "the divider", in_core->divider);
    if (in_core->fetch <= ABOUT * account->measured_cycles) /* else a buffer held the loop's code */
        add_part(account, LOOP_FETCH, "code across cache lines", in_core->fetch);
}

static void find_longest(struct loop_account *account) {
    account->longest = account->second = -1;
    for (int i = 0; i < (int)account->count; i++)
        if (account->longest < 0 || account->part[i].cycles > account->part[account->longest].cycles) {
            account->second = account->longest;
            account->longest = i;
        } else if (account->second < 0 || account->part[i].cycles > account->part[account->second].cycles)
            account->second = i;
}

static void find_gain(struct loop_account *account, const struct point_in_core *in_core) {
    const struct loop_part *longest = &account->part[account->longest];
    const double second = account->second >= 0 ? account->part[account->second].cycles : 0;
    account->share = account->measured_cycles > 0 ? longest->cycles / account->measured_cycles : 0;
    account->binds = account->share >= verdict_thresholds.reaches.value;
    if (!account->binds || !(second > 0))
        return;
    account->faster = fmax(1, fmin(longest->cycles, account->measured_cycles) / second);
    if (longest->kind == LOOP_CHAIN && in_core->accumulates)
        account->accumulators = (unsigned)fmin(REGISTERS, ceil(account->faster - 0.01));
}

struct loop_account loop_account_find(const struct app_point *point, const struct link_times *times,
                                      const struct roof *roof, double serial_s, double lines) {
    const struct point_in_core *in_core = &point->in_core;
    struct loop_account account = {.longest = -1, .second = -1};
    const double iterations = (double)point->iterations, threads = fmax(1, app_point_at_a_time(point));
    if (!in_core->known || !(iterations > 0) ||
        in_core->instructions * iterations < OWN * (double)point->count.instructions)
        return account;
    account.clock_assumed = !(point->clock_hz > 0);
    account.clock_hz = point->clock_hz > 0 ? point->clock_hz : roof ? roof->sample->clock_hz : 0;
    const double per_second = account.clock_hz * threads / iterations; /* cycles per iteration of a second's work */
    const double cpu_s =
        point->cpu_seconds.n > 0 ? point->cpu_seconds.median * point->time_share : point->seconds.median * threads;
    account.measured_cycles = point->seconds.median > 0 ? cpu_s * account.clock_hz / iterations : 0;
    account.serial_cycles = serial_s * per_second;
    account.unknown = in_core->unknown_instructions;
    account.branch_cycles = (in_core->rarer_ways + (double)point->entries / iterations) * in_core->mispredict;
    account.lines_known = times->count > 0;
    add_in_core(&account, point, account.serial_cycles);
    for (unsigned i = 1; i < times->count; i++)
        add_part(&account, LOOP_LINK, times->link[i].name, times->link[i].seconds * per_second);
    if (!chases(in_core) && lines > 0)
        add_part(&account, LOOP_MISSES, "cache misses", serial_s / lines * per_second);
    find_longest(&account);
    if (account.longest >= 0)
        find_gain(&account, in_core);
    return account;
}

static bool is_plural(const struct loop_part *part) {
    return strncmp(part->name, "ports ", 6) == 0 || part->kind == LOOP_MISSES;
}

/* What no part explains. */
static const char *say_rest(const struct loop_account *account, char *out, size_t size) {
    char cycles[UNITS_BYTES], unknown[UNITS_BYTES + 32] = "";
    if (account->unknown > 0) {
        units_number_digits(cycles, sizeof cycles, account->unknown, 2);
        snprintf(unknown, sizeof unknown, "%s unknown instruction%s, ", cycles, account->unknown == 1 ? "" : "s");
    }
    const double rest = account->measured_cycles - account->part[account->longest].cycles,
                 enough = verdict_thresholds.one_by_one.value * rest;
    if (account->serial_cycles >= enough)
        snprintf(out, size, "the rest may be %sits cache lines (%s cycles one after the other) or the kernel", unknown,
                 units_number_digits(cycles, sizeof cycles, account->serial_cycles, 3));
    else if (account->branch_cycles >= enough)
        snprintf(out, size, "the rest may be %smispredicted branches (up to %s cycles)", unknown,
                 units_number_digits(cycles, sizeof cycles, account->branch_cycles, 2));
    else
        snprintf(out, size, "the rest may be %s%scode around it or the kernel", unknown,
                 account->lines_known ? "" : "cache lines (`--levels` tells), ");
    return out;
}

const char *loop_account_words(const struct loop_account *account, char out[LOOP_WORDS_BYTES]) {
    char cycles[UNITS_BYTES], measured[UNITS_BYTES], second[UNITS_BYTES], times[UNITS_BYTES], rest[192];
    out[0] = '\0';
    if (account->longest < 0)
        return out;
    const struct loop_part *longest = &account->part[account->longest];
    const struct loop_part *next = account->second >= 0 ? &account->part[account->second] : NULL;
    const bool chain = longest->kind == LOOP_CHAIN;
    units_number_digits(cycles, sizeof cycles, longest->cycles, 3);
    units_number_digits(measured, sizeof measured, account->measured_cycles, 3);
    size_t length;
    if (!(account->measured_cycles > 0))
        length = (size_t)snprintf(out, LOOP_WORDS_BYTES, "needs %s cycles per iteration for %s%s", cycles,
                                  chain ? "its " : "", longest->name);
    else if (account->binds)
        length = (size_t)snprintf(out, LOOP_WORDS_BYTES,
                                  account->share > ABOUT
                                      ? "bound by %s%s: %s cycles per iteration by its instructions, %s measured"
                                      : "bound by %s%s: %s of %s cycles per iteration",
                                  chain ? "its " : "", longest->name, cycles, measured);
    else
        length =
            (size_t)snprintf(out, LOOP_WORDS_BYTES, "takes %s cycles per iteration, of which %s%s explain%s %s: %s",
                             measured, chain ? "its " : "", longest->name, is_plural(longest) ? "" : "s", cycles,
                             say_rest(account, rest, sizeof rest));
    if (next && length < LOOP_WORDS_BYTES)
        length += (size_t)snprintf(
            out + length, LOOP_WORDS_BYTES - length, "; %s%s %s %s", next->kind == LOOP_CHAIN ? "its " : "", next->name,
            is_plural(next) ? "need" : "needs", units_number_digits(second, sizeof second, next->cycles, 2));
    if (account->accumulators > 1 && length < LOOP_WORDS_BYTES)
        snprintf(out + length, LOOP_WORDS_BYTES - length, "; %u accumulators would make it up to %s × faster",
                 account->accumulators, units_number_digits(times, sizeof times, account->faster, 2));
    return out;
}
