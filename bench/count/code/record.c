/* SPDX-License-Identifier: BSD-3-Clause
 * Plans of records, and the code that writes records (see record.h). */
#include "record.h"

#include "bench/count/base/fail.h"
#include "bench/count/base/system.h"
#include "context.h"
#include "emit.h"

enum {
    MOST_PLANS = 1 << 19,
    MOST_ACCESSES = 1 << 22,
    MOST_RUNS = 1 << 21,
    MOST_VALUES = 1 << 22,
    NEAR_BYTES = 512, /* largest extent of a group */
    HEADER_WORDS = 1,
    END_WORDS = 1, /* of a loop's record */
    WORD_BYTES = 8,
    LINE_BYTES = 64,
};

struct record_plans record_plans = {.plan_count = 1};
static uint32_t access_count = 1, value_count, run_count; /* access 0 means none */

static struct address_recipe recipe;
static int held;
static uint32_t number; /* of the plan being emitted; 0: none */

void record_start(void) {
    sequence_need_operands();
    record_plans = (struct record_plans){
        .plan_count = 1,
        .plans = fail_or_map(sizeof *record_plans.plans * MOST_PLANS),
        .groups = fail_or_map(sizeof *record_plans.groups * RECORD_GROUPS_MOST),
        .reaches = fail_or_map(sizeof *record_plans.reaches * RECORD_GROUPS_MOST),
        .runs = fail_or_map(sizeof *record_plans.runs * MOST_RUNS),
        .accesses = fail_or_map(sizeof *record_plans.accesses * MOST_ACCESSES),
        .group_of = fail_or_map(sizeof *record_plans.group_of * MOST_ACCESSES),
        .next_access = fail_or_map(sizeof *record_plans.next_access * MOST_ACCESSES),
        .values = fail_or_map(sizeof *record_plans.values * MOST_VALUES),
    };
}

bool record_is_on(void) {
    return record_plans.plans != NULL;
}

static bool record_is_alone(const struct recipe_access *access) {
    return access->lanes > 0 || access->end != RECIPE_NONE || access->in_thread || access->is_32_bit ||
           access->bytes > NEAR_BYTES;
}

static bool record_group_fits(const struct record_group *group, const struct recipe_access *access) {
    return !group->alone && group->base == access->base && group->index == access->index &&
           group->scale == access->scale && access->offset - group->low < NEAR_BYTES &&
           group->high - access->offset < NEAR_BYTES;
}

/* Whether the access follows the group's last access as that one followed its predecessor. */
static void note_step(struct record_group *group, const struct recipe_access *access, struct recipe_access *before) {
    const uint16_t step = (uint16_t)(access->instruction - before->instruction);
    const int64_t stride = access->offset - before->offset;
    if (group->count == 0) {
        group->bytes = access->bytes;
        group->kind = access->kind;
        group->step = 1;
    } else if (group->count == 1 && step > 0 && stride > 0 && stride < NEAR_BYTES) {
        group->step = step;
        group->stride_bytes = (int32_t)stride;
    } else if (group->step != step || group->stride_bytes != stride) {
        group->step = 0;
    }
    if (access->bytes != group->bytes || access->kind != group->kind)
        group->step = 0;
    group->count++;
    *before = *access;
}

static bool is_dense(const struct record_group *group) {
    enum { MOST_SPAN = 2048 };
    static uint8_t bytes[MOST_SPAN];
    const int64_t span = group->high - group->low + 1;
    if (group->alone || span > MOST_SPAN)
        return false;
    __builtin_memset(bytes, 0, (size_t)span);
    for (uint32_t i = group->first_access; i != RECORD_NO_ACCESS; i = record_next_access(i)) {
        const struct recipe_access *access = &record_plans.accesses[i];
        if (access->kind != group->kind)
            return false;
        for (unsigned b = 0; b < (access->bytes ? access->bytes : 1u); b++)
            bytes[access->offset - group->low + b] = 1;
    }
    for (int64_t b = 0; b < span; b++)
        if (!bytes[b])
            return false;
    return true;
}

/* The bytes of an access from a group's or run's first byte on, as bits. */
static uint64_t used_of(const struct recipe_access *access, int64_t first) {
    return access->bytes > 0 ? UINT64_MAX >> (LINE_BYTES - access->bytes) << (access->offset - first) : 0;
}

static uint64_t group_used(const struct record_group *group) {
    uint64_t used = 0;
    for (uint32_t i = group->first_access; i != RECORD_NO_ACCESS; i = record_next_access(i))
        if (record_access(i)->offset + record_access(i)->bytes <= group->low + LINE_BYTES)
            used |= used_of(record_access(i), group->low);
    return used;
}

static struct record_reach reach_of(const struct record_group *group) {
    const bool has_base = group->base != RECIPE_NONE, has_index = group->index != RECIPE_NONE;
    const uint64_t base_step = has_base ? (uint64_t)recipe.values[group->base].step : 0,
                   index_step = has_index ? (uint64_t)recipe.values[group->index].step : 0;
    return (struct record_reach){.low = group->low,
                                 .step = base_step + group->scale * index_step,
                                 .span = (uint32_t)(group->high - group->low),
                                 .base_at = (int16_t)(has_base ? recipe.values[group->base].at : -1),
                                 .index_at = (int16_t)(has_index ? recipe.values[group->index].at : -1),
                                 .base_mask = has_base ? UINT64_MAX : 0,
                                 .scale = has_index ? group->scale : 0,
                                 .used = group_used(group),
                                 .first = group->first,
                                 .alone = group->alone,
                                 .kind = group->kind};
}

static void group_accesses(struct record_plan *plan, uint32_t instructions) {
    static struct recipe_access before[RECIPE_ACCESSES]; /* last access of each group */
    plan->first_group = record_plans.group_count;
    plan->first_access = access_count;
    plan->access_count = recipe.access_count;
    for (uint32_t i = 0; i < recipe.access_count; i++) {
        const struct recipe_access *access = &recipe.accesses[i];
        const int64_t last = access->offset + (access->bytes ? access->bytes : 1) - 1;
        uint32_t g = plan->first_group;
        while (g < record_plans.group_count &&
               (record_is_alone(access) || !record_group_fits(&record_plans.groups[g], access)))
            g++;
        if (g == record_plans.group_count)
            record_plans.groups[record_plans.group_count++] = (struct record_group){.low = access->offset,
                                                                                    .high = last,
                                                                                    .first = access->instruction,
                                                                                    .base = access->base,
                                                                                    .index = access->index,
                                                                                    .scale = access->scale,
                                                                                    .alone = record_is_alone(access)};
        struct record_group *group = &record_plans.groups[g];
        note_step(group, access, &before[g - plan->first_group]);
        group->low = access->offset < group->low ? access->offset : group->low;
        group->high = last > group->high ? last : group->high;
        if (group->last_access != RECORD_NO_ACCESS)
            record_plans.next_access[group->last_access] = access_count;
        else
            group->first_access = access_count;
        group->last_access = access_count;
        record_plans.group_of[access_count] = (uint16_t)(g - plan->first_group);
        record_plans.accesses[access_count++] = *access;
    }
    plan->group_count = (uint16_t)(record_plans.group_count - plan->first_group);
    plan->by_lines = plan->part_by_lines = plan->group_count <= RECORD_GROUPS_TOGETHER;
    for (uint16_t g = 0; g < plan->group_count; g++) {
        struct record_group *group = &record_plans.groups[plan->first_group + g];
        group->dense = is_dense(group);
        record_plans.reaches[plan->first_group + g] = reach_of(group);
        plan->looks_alone = plan->looks_alone || group->alone;
        plan->by_lines = plan->by_lines && !group->alone && (group->step > 0 || group->dense);
        plan->part_by_lines = plan->part_by_lines && !group->alone && group->step > 0;
    }
    plan->instructions = instructions;
    plan->small = plan->by_lines && plan->loop.copies == 0 ? instructions : UINT32_MAX;
}

/* Whether an access can be a run: an ordinary one. */
static bool runs(const struct recipe_access *access) {
    return !record_is_alone(access) && access->bytes <= LINE_BYTES && access->kind != RECIPE_NONTEMPORAL;
}

/* Adds the next access to a run of earlier ones. */
static bool extend(struct record_run *run, const struct recipe_access *access) {
    const int64_t end = run->offset + run->span + 1, access_end = access->offset + (access->bytes ? access->bytes : 1),
                  low = access->offset < run->offset ? access->offset : run->offset,
                  high = access_end > end ? access_end : end;
    if (run->span == LINE_BYTES || !runs(access) || high - low > LINE_BYTES)
        return false;
    const bool loads = run->kind == RECIPE_LOAD || run->kind == RECIPE_TOUCH,
               stores = access->kind == RECIPE_STORE || access->kind == RECIPE_UPDATE;
    run->used = run->used << (run->offset - low) | used_of(access, low);
    run->kind = loads && stores ? RECIPE_UPDATE : run->kind;
    run->offset = low;
    run->span = (uint8_t)(high - low - 1);
    run->count++;
    return true;
}

static void make_runs(struct record_plan *plan) {
    plan->first_run = run_count;
    for (uint32_t i = plan->first_access; i < access_count && !plan->by_lines; i++) {
        const struct recipe_access *access = record_access(i);
        const uint32_t group = plan->first_group + *record_group_of(i);
        struct record_run *run = &record_plans.runs[run_count];
        if (run_count > plan->first_run && run[-1].group == group && extend(run - 1, access))
            continue;
        *run = (struct record_run){.offset = access->offset,
                                   .used = runs(access) ? used_of(access, access->offset) : 0,
                                   .group = group,
                                   .first_access = i,
                                   .count = 1,
                                   .span = (uint8_t)(!runs(access)   ? LINE_BYTES
                                                     : access->bytes ? access->bytes - 1
                                                                     : 0),
                                   .kind = access->kind};
        run_count++;
    }
    plan->run_count = run_count - plan->first_run;
}

static const ZydisDecodedInstruction *get(const void *code, uint32_t index, const ZydisDecodedOperand **operands,
                                          uint64_t *next) {
    const struct instruction *instruction = &((const struct sequence *)code)->instructions[index];
    *operands = instruction->operands;
    *next = instruction->address + instruction->decoded.length;
    return &instruction->decoded;
}

/* Fills in `recipe`. */
static bool fits_record(const struct sequence *sequence, uint32_t copies) {
    const struct recipe_code code = {
        .instruction_count = sequence->count, .copies = copies, .loops = sequence->loops, .get = get, .code = sequence};
    address_recipe_make(&code, &recipe);
    return !recipe.incomplete && recipe.words + HEADER_WORDS + END_WORDS <= RECORD_WORDS_MOST;
}

bool record_fits(const struct sequence *sequence) {
    return !record_is_on() || fits_record(sequence, 1);
}

uint32_t record_copies(const struct sequence *sequence, uint32_t copies) {
    while (record_is_on() && copies > 1 && !fits_record(sequence, copies))
        copies /= 2;
    return copies;
}

static void check_room(void) {
    const struct record_plans *all = &record_plans;
    if (all->plan_count == MOST_PLANS || all->group_count + recipe.access_count > RECORD_GROUPS_MOST ||
        access_count + recipe.access_count > MOST_ACCESSES || run_count + recipe.access_count > MOST_RUNS ||
        value_count + recipe.value_count > MOST_VALUES)
        fail_program("it has more code than the counter's tables of accesses hold", 0);
}

static struct record_loop loop_of(uint32_t copies) {
    if (recipe.rounds_by == RECIPE_NONE)
        return (struct record_loop){0};
    const struct recipe_value *value = &recipe.values[recipe.rounds_by];
    return (struct record_loop){
        .copies = copies, .rounds_by = value->at, .reg = value->reg, .copy_step = value->step / (int64_t)copies};
}

void record_make_plan(const struct sequence *sequence, struct block *block) {
    number = 0;
    held = -1;
    if (!record_is_on() || !fits_record(sequence, block->copies) || recipe.access_count == 0)
        return;
    check_room();
    struct record_plan *plan = &record_plans.plans[record_plans.plan_count];
    *plan = (struct record_plan){.block = (uint32_t)(block - cache_block(0)),
                                 .first_value = value_count,
                                 .value_count = recipe.value_count,
                                 .loop = loop_of(block->copies)};
    plan->words = (uint16_t)(HEADER_WORDS + recipe.words + (plan->loop.copies ? END_WORDS : 0));
    group_accesses(plan, sequence->count * block->copies);
    make_runs(plan);
    for (uint32_t i = 0; i < recipe.value_count; i++)
        record_plans.values[value_count++] = recipe.values[i];
    block->record = number = record_plans.plan_count++;
    held = recipe.unused;
    block->held = (int8_t)held;
}

/* ModRM and displacement of an operand at this distance from a register. */
static void emit_behind(unsigned reg, unsigned base, int32_t distance) {
    emit_byte(0x80 | (reg & 7) << 3 | (base & 7));
    if ((base & 7) == RSP)
        emit_byte(0x24);
    emit_u32((uint32_t)distance);
}

/* Distance of a word of the record from the record's end. */
static int32_t record_distance_of(unsigned word) {
    return WORD_BYTES * ((int32_t)word - record_plans.plans[number].words);
}

static void emit_rex(unsigned reg, unsigned base) {
    emit_byte(0x48 | (reg >> 3) << 2 | base >> 3);
}

/* The end of the record in a register that the program does not need meanwhile: the held one, or a briefly borrowed one
 * other than `other`. */
static unsigned emit_borrow(unsigned other) {
    if (held >= 0)
        return (unsigned)held;
    const unsigned reg = other == RAX ? RCX : RAX;
    emit_store(reg, PASSING_OFFSET(held));
    emit_load(reg, CONTEXT_OFFSET(records_end));
    return reg;
}
static void emit_give_back(unsigned reg) {
    if (held < 0)
        emit_load(reg, PASSING_OFFSET(held));
}

/* Writes the plan's number into a new record, then takes its place: other threads never see a record without a
 * number. */
static void emit_take_place(unsigned reg) {
    emit_rex(0, reg);
    emit_byte(0xc7); /* movq $number, 0(%reg) */
    emit_behind(0, reg, 0);
    emit_u32(number);
    emit_rex(reg, reg);
    emit_byte(0x8d); /* lea bytes(%reg), %reg */
    emit_behind(reg, reg, -record_distance_of(0));
    emit_store(reg, CONTEXT_OFFSET(records_end));
}

static bool is_of_rounds(uint32_t plan) {
    return plan > 0 && record_plan(plan)->loop.copies > 0;
}

/* vmovdqu of 16 or 32 bytes; vmovdqu32 of 64, or of the upper registers. */
static void emit_vector(unsigned vector, unsigned bytes, unsigned base, int32_t distance) {
    if (bytes == 64 || vector >= 16) {
        emit_byte(0x62);
        emit_byte((vector & 8 ? 0 : 0x80) | 0x40 | (base & 8 ? 0 : 0x20) | (vector & 16 ? 0 : 0x10) | 1);
        emit_byte(0x7e);
        emit_byte((bytes == 64 ? 0x40 : bytes == 32 ? 0x20 : 0) | 0x08);
    } else {
        emit_byte(0xc4);
        emit_byte((vector & 8 ? 0 : 0x80) | 0x40 | (base & 8 ? 0 : 0x20) | 1);
        emit_byte(0x7a | (bytes == 32 ? 4 : 0));
    }
    emit_byte(0x7f);
    emit_behind(vector & 7, base, distance);
}

/* kmovw: 16 bits, enough for all lanes. */
static void emit_mask(unsigned mask, unsigned base, int32_t distance) {
    emit_byte(0xc4);
    emit_byte(0x80 | 0x40 | (base & 8 ? 0 : 0x20) | 1);
    emit_byte(0x78);
    emit_byte(0x91);
    emit_behind(mask, base, distance);
}

static void emit_value(const struct recipe_value *value) {
    const unsigned reg = emit_borrow(value->kind == RECIPE_GENERAL ? value->reg : RSP);
    const int32_t distance = record_distance_of(HEADER_WORDS + value->at);
    switch (value->kind) {
    case RECIPE_GENERAL:
        emit_rex(value->reg, reg);
        emit_byte(0x89); /* mov */
        emit_behind(value->reg, reg, distance);
        break;
    case RECIPE_VECTOR:
        emit_vector(value->reg, value->bytes, reg, distance);
        break;
    default:
        emit_mask(value->reg, reg, distance);
        break;
    }
    emit_give_back(reg);
}

static void emit_values(uint32_t instruction) {
    for (uint32_t i = 0; i < recipe.value_count; i++)
        if (recipe.values[i].instruction == instruction)
            emit_value(&recipe.values[i]);
}

static void emit_record(void) {
    const unsigned reg = emit_borrow(RSP);
    emit_take_place(reg);
    emit_give_back(reg);
    if (is_of_rounds(number))
        emit_values(0);
    record_plans.plans[number].begun_at = (uint64_t)emit_at;
}

void record_emit_begin(void) {
    if (number == 0)
        return;
    if (held >= 0) {
        emit_store((unsigned)held, PASSING_OFFSET(held));
        emit_load((unsigned)held, CONTEXT_OFFSET(records_end));
    }
    if (is_of_rounds(number))
        emit_record();
}

void record_emit_again(void) {
    if (number > 0 && !is_of_rounds(number))
        emit_record();
}

void record_emit_values(uint32_t instruction) {
    if (number > 0 && !is_of_rounds(number))
        emit_values(instruction);
}

static void emit_complete(uint32_t executed) {
    const struct record_plan *plan = &record_plans.plans[number];
    if (plan->loop.copies > 0)
        emit_value(&(struct recipe_value){
            .kind = RECIPE_GENERAL, .reg = plan->loop.reg, .at = (uint16_t)(plan->words - HEADER_WORDS - END_WORDS)});
    const unsigned reg = emit_borrow(RSP);
    if (reg >> 3)
        emit_byte(0x41);
    emit_byte(0xc7); /* movl $executed, 4-bytes(%reg) */
    emit_behind(0, reg, record_distance_of(0) + 4);
    emit_u32(executed);
    emit_give_back(reg);
}

void record_emit_round(uint32_t executed) {
    if (number > 0 && !is_of_rounds(number))
        emit_complete(executed);
}

void record_emit_complete(uint32_t executed) {
    if (number > 0)
        emit_complete(executed);
}

void record_emit_end(void) {
    if (number > 0 && held >= 0)
        emit_load((unsigned)held, PASSING_OFFSET(held));
}

bool record_is_of_rounds(const struct block *block) {
    return is_of_rounds(block->record);
}

/* Stores the values from before this instruction, which may not have been stored yet. */
static void keep_values(const struct record_plan *plan, uint32_t instruction, const uint64_t *registers,
                        uint64_t *words) {
    const uint32_t end = plan->first_value + plan->value_count;
    for (uint32_t i = plan->first_value; i < end; i++) {
        const struct recipe_value *value = record_value(i);
        if (value->instruction == instruction && value->kind == RECIPE_GENERAL)
            words[value->at] = registers[value->reg];
    }
}

void record_interrupt(const struct block *block, const struct record_interruption *at) {
    const struct record_plan *plan = record_plan(block->record);
    uint64_t *record = (uint64_t *)at->records_end - plan->words, *words = record + HEADER_WORDS;
    struct record_header *header = (struct record_header *)record;
    uint32_t executed = at->executed;
    if (at->code < plan->begun_at || header->plan != block->record || header->executed > 0)
        return;
    if (plan->loop.copies > 0) {
        record[plan->words - END_WORDS] = at->registers[plan->loop.reg];
        executed = plan->instructions;
    } else {
        executed += at->repeats;
        keep_values(plan, executed, at->registers, words);
    }
    __atomic_store_n(&header->executed, executed, __ATOMIC_RELEASE);
}
