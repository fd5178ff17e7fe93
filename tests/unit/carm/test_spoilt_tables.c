/* SPDX-License-Identifier: BSD-3-Clause
 * Accounts of random loops by cores' tables with wrong rows, typed ones and measured ones: in each of 50 rounds a third
 * of all values is twice or half the true one. Loops take what the true table asks for, and some take longer for a
 * reason that no table knows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "bench/programs/loop_time.h"
#include "carm/model/loop_account.h"
#include "carm/model/model_thresholds.h"
#include "tests/support/chance.h"
#include "tests/support/loop_code.h"

enum { ROUNDS = 50, LOOPS = 60, ITERATIONS = 1000000, ENTRIES = 100, ISSUE_WIDTH = 6, MOST_BODY = 14 };

/* Instructions before their last byte, which has the registers: of vectors (x), general ones (q), or one of these with
 * memory at rdi. */
static const struct {
    const char *hex;
    bool vectors, memory;
} CODES[] = {{"f20f58", true, false}, {"f20f59", true, false}, {"f20f5e", true, false},    {"f20f51", true, false},
             {"f20f58", true, true},  {"f20f59", true, true},  {"f20f10", true, true},     {"f20f11", true, true},
             {"660ffe", true, false}, {"660ff4", true, false}, {"660f3840", true, false},  {"0f14", true, false},
             {"0f54", true, false},   {"f30f5b", true, false}, {"4801", false, false},     {"480faf", false, false},
             {"4809", false, false},  {"4829", false, false},  {"f3480fb8", false, false}, {"480f45", false, false},
             {"488b", false, true},   {"4889", false, true},   {"4803", false, true},      {"480faf", false, true}};

static unsigned chance_below(unsigned count) {
    return (unsigned)chance_uniform(0, count) % count;
}

/* Some instructions, dec rcx and jnz. Few registers make chains. */
static void make_loop(struct loop_code *out) {
    static const unsigned GENERAL[] = {0, 2, 3, 5, 6};
    char hex[2 * MOST_CODE + 1];
    size_t length = 0;
    const unsigned body = 1 + chance_below(MOST_BODY), registers = 1 + chance_below(5);
    for (unsigned i = 0; i < body; i++) {
        const unsigned code = chance_below(sizeof CODES / sizeof *CODES), x = chance_below(registers),
                       y = chance_below(registers), of = CODES[code].vectors ? x : GENERAL[x],
                       other = CODES[code].vectors ? y : GENERAL[y];
        length += (size_t)snprintf(hex + length, sizeof hex - length, "%s%02x", CODES[code].hex,
                                   CODES[code].memory ? 0x47 | of << 3 : 0xc0 | of << 3 | other);
        if (CODES[code].memory)
            length += (size_t)snprintf(hex + length, sizeof hex - length, "%02x", 8 * chance_below(4));
    }
    length += (size_t)snprintf(hex + length, sizeof hex - length, "48ffc975");
    snprintf(hex + length, sizeof hex - length, "%02x", (unsigned)-((int)length / 2 + 1) & 0xff);
    read_loop(hex, 0, out);
}

/* 1, 2 or ½: the same each time in one round. */
static double spoilt(unsigned round, const char *form, unsigned value) {
    uint64_t mixed = round * 2654435761u + value * 40503u;
    for (const char *c = form; *c; c++)
        mixed = (mixed ^ (unsigned char)*c) * 1099511628211u;
    const unsigned which = (unsigned)(mixed >> 40) % 6;
    return round == 0 || which > 1 ? 1 : which == 1 ? 2 : 0.5;
}

/* What `table` asks of the loop, round 0: the truth. No-ops are as fast as documented, so worse values count, too. */
static struct app_point ask(const struct core_table *typed, bool untyped, const struct loop_code *loop,
                            unsigned round) {
    struct values_core values;
    values_of(typed, loop, &values);
    for (size_t i = 0; i < values.measured.count; i++) {
        struct core_value *value = &values.values[i];
        const bool flag = strncmp(value->form, "move ", 5) == 0 || strcmp(value->form, "add constant") == 0;
        for (unsigned k = 0; k < CORE_ENDS && !flag && strcmp(value->form, "nop") != 0; k++) {
            value->latency_cycles[k] *= spoilt(round, value->form, 0);
            value->throughput_cycles[k] *= spoilt(round, value->form, 1);
        }
    }
    struct core_table *table = core_overlay_make(untyped ? NULL : typed, ISSUE_WIDTH, &values.measured);
    const struct loop_core core = {table, ISSUE_WIDTH, table};
    struct profile_place places[MOST_INSTRUCTIONS] = {{0}};
    for (size_t i = 0; i < loop->count; i++) {
        places[i] = (struct profile_place){.start = loop->instructions[i].address,
                                           .function_start = 4096,
                                           .executions = ITERATIONS,
                                           .code_bytes = (uint8_t)loop->instructions[i].code_bytes};
        memcpy(places[i].code, loop->instructions[i].code, places[i].code_bytes);
    }
    struct profile_loop of = {.iterations = ITERATIONS};
    const struct profile_parts parts = {.loop_count = 1, .loops = &of, .place_count = loop->count, .places = places};
    struct app_point point = {.part = APP_LOOP,
                              .threads = 1,
                              .processes = 1,
                              .iterations = ITERATIONS,
                              .entries = ENTRIES,
                              .time_share = 1,
                              .clock_hz = 1e9,
                              .has_count = true};
    loop_time_find(&parts, 0, &core, &point.in_core);
    free(table);
    point.count.instructions = (uint64_t)(point.in_core.instructions * ITERATIONS);
    return point;
}

static struct loop_account judge(struct app_point *point, double cycles) {
    static const struct link_times NO_LINKS = {.longest = LINK_TIMES_NONE};
    point->seconds = point->cpu_seconds = app_once(cycles * ITERATIONS / point->clock_hz);
    return loop_account_find(point, &NO_LINKS, NULL, &(struct loop_lines){0, 0, 0});
}

static double needed_cycles(const struct point_in_core *in_core, enum loop_part_kind kind) {
    return kind == LOOP_CHAIN      ? in_core->chain
           : kind == LOOP_PORTS    ? in_core->ports
           : kind == LOOP_RENAMING ? in_core->renaming
           : kind == LOOP_DIVIDER  ? in_core->divider
                                   : 0;
}

static double longest_of(const struct point_in_core *in_core) {
    double longest = 0;
    for (enum loop_part_kind kind = LOOP_CHAIN; kind <= LOOP_DIVIDER; kind++)
        longest = fmax(longest, needed_cycles(in_core, kind));
    return longest;
}

struct tally {
    unsigned named, right;
};

/* By the account, against the truth: what binds is right if by the true values it would explain the time, too. */
static void check(const struct app_point *truth, const struct app_point *point, const struct loop_account *account,
                  struct tally *tally) {
    const double most = verdict_thresholds.refuted.value * account->measured_cycles * 1.000001;
    if (!account->binds) {
        assert_true(account->faster == 0 && account->accumulators == 0);
        return;
    }
    const struct loop_part *part = &account->part[account->longest];
    const double asked = needed_cycles(&point->in_core, part->kind);
    if (asked > most || part->cycles > most)
        fail_msg("bound by %s: %g of %g cycles", part->name, asked, account->measured_cycles);
    tally->named++;
    tally->right +=
        needed_cycles(&truth->in_core, part->kind) >= verdict_thresholds.reaches.value * account->measured_cycles;
}

/* Judges random loops, of which each takes at most so many times what the true values ask for. */
static struct tally judge_loops(const char *core, bool untyped, unsigned round, double most) {
    const struct core_table *typed = core_table_named(core);
    struct tally tally = {0};
    for (unsigned i = 0; i < LOOPS; i++) {
        struct loop_code loop;
        make_loop(&loop);
        const struct app_point truth = ask(typed, untyped, &loop, 0);
        struct app_point point = ask(typed, untyped, &loop, round);
        const double times = chance_uniform(0, 1) < 0.8 ? chance_uniform(1, fmin(most, 1.05)) : chance_uniform(1, most);
        const struct loop_account account = judge(&point, times * longest_of(&truth.in_core));
        check(&truth, &point, &account, &tally);
    }
    return tally;
}

static const char *const CORES[] = {"zen5", "zen4", "golden-cove", "haswell"};
enum { CORE_COUNT = sizeof CORES / sizeof *CORES };

static void true_values_name_every_reason(void **state) {
    (void)state;
    chance_seed = 19;
    for (unsigned i = 0; i < 2 * CORE_COUNT; i++) {
        const struct tally tally = judge_loops(CORES[i / 2], i % 2, 0, 1.2);
        assert_int_equal(tally.named, LOOPS);
        assert_int_equal(tally.right, LOOPS);
    }
}

static void wrong_values_name_few_wrong_reasons(void **state) {
    (void)state;
    for (unsigned i = 0; i < 2 * CORE_COUNT; i++) {
        struct tally sum = {0};
        chance_seed = 20 + i;
        for (unsigned round = 1; round <= ROUNDS; round++) {
            const struct tally tally = judge_loops(CORES[i / 2], i % 2, round, 3);
            sum.named += tally.named, sum.right += tally.right;
        }
        print_message("%s, %s: %u of %u reasons are right, of %u loops\n", CORES[i / 2], i % 2 ? "measured" : "typed",
                      sum.right, sum.named, ROUNDS * LOOPS);
        assert_true(sum.named > ROUNDS * LOOPS / 3); /* silence proves nothing */
        assert_true(sum.right >= 0.9 * sum.named);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(true_values_name_every_reason),
        cmocka_unit_test(wrong_values_name_few_wrong_reasons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
