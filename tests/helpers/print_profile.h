/* SPDX-License-Identifier: BSD-3-Clause
 * Profiles as text: one line per region, function (with more than 0.1 % of the region's instructions) and thread, each
 * a list of names and numbers; zeros are left out. */
#pragma once

#include <stdio.h>
#include <string.h>

#include "bench/profile/profile.h"

static void print_number(const char *name, uint64_t value) {
    if (value != 0)
        printf(" %s %llu", name, (unsigned long long)value);
}

static void print_count(const struct count *count) {
    printf(" instructions %llu flop %llu", (unsigned long long)count->instructions,
           (unsigned long long)count_flop(count));
    for (enum count_type type = 0; type < COUNT_TYPES; type++)
        for (enum count_width width = 0; width < COUNT_WIDTHS; width++) {
            char name[32];
            snprintf(name, sizeof name, "%s.%s", count_type_names[type], count_width_names[width]);
            print_number(name, count->flop[type][width]);
        }
    printf(" load %llu store %llu", (unsigned long long)count->load_bytes, (unsigned long long)count->store_bytes);
    print_number("stack_load", count->stack_load_bytes);
    print_number("stack_store", count->stack_store_bytes);
    print_number("loads", count->load_instructions);
    print_number("stores", count->store_instructions);
    if (count->full_flop != count_flop(count))
        print_number("full_flop", count->full_flop);
    if (count->full_load_bytes != count->load_bytes)
        print_number("full_load", count->full_load_bytes);
    if (count->full_store_bytes != count->store_bytes)
        print_number("full_store", count->full_store_bytes);
    print_number("unknown", count->bytes_unknown);
    print_number("unknown_instructions", count->unknown_instructions);
    print_number("waiting", count->waiting_instructions);
    print_number("waiting_bytes", count->waiting_bytes);
}

static void print_mix(const struct count *count) {
    printf("mix");
    for (enum effect_class class = 0; class < CLASS_COUNT; class ++)
        if (count->mix[class] != 0)
            printf(" \"%s\" %llu", effect_class_names[class], (unsigned long long)count->mix[class]);
    putchar('\n');
}

/* "traffic of triad L1 loads 10 … L2 …": one line, with the counts of the sampled lines. */
static void print_traffic(const char *name, const struct profile_traffic *traffic) {
    struct hierarchy_counts sum = {0};
    uint64_t *to = (uint64_t *)&sum;
    if (traffic == NULL)
        return;
    for (unsigned group = 0; group < SAMPLING_GROUPS_MAX; group++)
        for (size_t i = 0; i < sizeof sum / sizeof *to; i++)
            to[i] += ((const uint64_t *)&traffic->of_group[group])[i];
    printf("traffic of \"%s\"", name);
    for (unsigned level = 0; level < HIERARCHY_LEVELS_MAX; level++) {
        const struct hierarchy_link *link = &sum.outside[level];
        if (link->loads + link->allocates + link->write_backs + link->victims == 0)
            continue;
        printf(" L%u", level + 1);
        print_number("loads", link->loads);
        print_number("allocates", link->allocates);
        print_number("write_backs", link->write_backs);
        print_number("victims", link->victims);
    }
    print_number("nontemporal", sum.nontemporal_lines);
    print_number("partial", sum.nontemporal_partial);
    print_number("left", sum.left_lines);
    print_number("left_used", sum.left_used_bytes);
    print_number("tlb1", sum.tlb_misses[0]);
    print_number("tlb2", sum.tlb_misses[1]);
    putchar('\n');
}

static void print_touched(const char *name, struct touched touched) {
    if (touched.pages > 0)
        printf("footprint of \"%s\" lines %llu pages %llu\n", name, (unsigned long long)touched.lines,
               (unsigned long long)touched.pages);
}

static void print_region(const struct profile_region *region) {
    printf("region \"%s\" calls %llu threads %zu open %u mismatched %u", region->name,
           (unsigned long long)region->calls, region->thread_count, region->open, region->mismatched);
    print_count(&region->count);
    putchar('\n');
    print_mix(&region->count);
    print_touched(region->name, region->touched);
    print_traffic(region->name, region->traffic);
    for (size_t i = 0; i < region->function_count; i++) {
        const struct profile_function *function = &region->functions[i];
        if (function->count.instructions * 1000 <= region->count.instructions)
            break;
        printf("function %s %s", function->name[0] != '\0' ? function->name : "-", function->object);
        print_count(&function->count);
        putchar('\n');
        print_traffic(function->name, function->traffic);
        print_touched(function->name, function->touched);
    }
    for (size_t i = 0; i < region->thread_count; i++) {
        printf("thread %zu", i);
        print_count(&region->threads[i]);
        putchar('\n');
        if (region->thread_touched != NULL)
            print_touched("thread", region->thread_touched[i]);
    }
}

/* "solve", "dot in solve", "libm.so.6", and the place: "solve.c:17", or "+0x1a4". */
static void print_source(const char *what, const struct part_source *source) {
    const char *slash = strrchr(source->file, '/'), *file = slash ? slash + 1 : source->file;
    printf("%s %s", what, source->inlined[0] ? source->inlined : source->function[0] ? source->function : "-");
    if (source->inlined[0])
        printf(" in %s", source->function[0] ? source->function : "-");
    if (source->line > 0)
        printf(" at %s:%u", file, source->line);
    else
        printf(" at +%#llx", (unsigned long long)source->offset);
    printf(" of %s", source->object);
}

static __attribute__((unused)) void print_loops(const struct profile_parts *parts) {
    for (size_t i = 0; i < parts->loop_count; i++) {
        const struct profile_loop *loop = &parts->loops[i];
        print_source("loop", &loop->source);
        printf(" depth %u iterations %llu", loop->depth, (unsigned long long)loop->iterations);
        if (loop->entries_known)
            printf(" entries %llu", (unsigned long long)loop->entries);
        print_count(&loop->count);
        printf(" own %llu\n", (unsigned long long)loop->own.instructions);
        print_traffic("loop", loop->traffic);
        print_touched("loop", loop->touched);
    }
    printf("outside");
    print_count(&parts->outside);
    printf("\n");
}

static __attribute__((unused)) void print_lines(const struct profile_parts *parts) {
    for (size_t i = 0; i < parts->line_count; i++) {
        print_source("line", &parts->lines[i].source);
        print_count(&parts->lines[i].count);
        putchar('\n');
        print_traffic("line", parts->lines[i].traffic);
        print_touched("line", parts->lines[i].touched);
    }
}
