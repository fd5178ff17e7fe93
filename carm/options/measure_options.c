/* SPDX-License-Identifier: BSD-3-Clause
 * The options that choose what to measure. */
#include "measure_options.h"

#include <stdlib.h>
#include <string.h>

#include "asm/kernel.h"
#include "carm/model/model.h"
#include "carm/text/suggestion.h"
#include "probe/arch.h"
#include "probe/error.h"
#include "probe/text.h"
#include "probe/uarch.h"

static bool read_threads(const char *list, struct plan_options *out, struct error *err) {
    const char *names[PLAN_MAX_CHOICES];
    if (!cli_names(list, "thread count", NULL, names, PLAN_MAX_CHOICES, &out->thread_count, err))
        return false;
    for (size_t i = 0; i < out->thread_count; i++) {
        char *end = NULL;
        bool all = strcmp(names[i], "all") == 0, doubling = strcmp(names[i], "..") == 0 || strcmp(names[i], "…") == 0;
        long count = all ? PLAN_ALL : doubling ? PLAN_DOUBLING : strtol(names[i], &end, 10);
        if (end && (*end || count < 1 || count > 1000000))
            return error_set(err,
                             "--threads takes counts from 1, 'all', and '..' for the doublings between, such as "
                             "1,2,all or 1,..,all; not '%s'",
                             names[i]);
        out->threads[i] = (unsigned)count;
    }
    return true;
}

/* The operations of all kernels. */
static bool read_mixes(const char *list, struct plan_options *out, struct error *err) {
    if (!cli_names(list, "operation", NULL, out->mixes, PLAN_MAX_CHOICES, &out->mix_count, err))
        return false;
    for (size_t i = 0; i < out->mix_count; i++) {
        struct suggestion near = suggestion_for(out->mixes[i]);
        bool found = false;
        for (size_t k = 0; k < kernel_count && !found; k++) {
            found = strcmp(kernel_table[k]->op, out->mixes[i]) == 0;
            suggestion_consider(&near, kernel_table[k]->op);
        }
        if (!found)
            return error_set(err, "unknown operation '%s'%s; `carmine kernels` lists them (the name's last part)",
                             out->mixes[i], suggestion_text(&near, ""));
    }
    return true;
}

bool measure_options_read(const struct arguments *arguments, struct plan_options *out, struct error *err) {
    *out = (struct plan_options){.quick = cli_value(arguments, "quick") != NULL,
                                 .smt = cli_value(arguments, "smt") != NULL};
    const char *value;
    if (!cli_chosen(arguments, "isa", out->isas, PLAN_MAX_CHOICES, &out->isa_count, err) ||
        !cli_chosen(arguments, "type", out->types, PLAN_MAX_CHOICES, &out->type_count, err) ||
        !cli_chosen(arguments, "level", out->levels, PLAN_MAX_CHOICES, &out->level_count, err))
        return false;
    if ((value = cli_value(arguments, "threads")) && !read_threads(value, out, err))
        return false;
    if ((value = cli_value(arguments, "mix")) && !read_mixes(value, out, err))
        return false;
    return !(value = cli_value(arguments, "budget")) || cli_duration(value, "--budget", &out->budget_s, err);
}

/* The features that all cores of an identified CPU have by its documents; 0: a core is not identified. */
static cpu_features documented_features(const struct machine *machine) {
    cpu_features features = ~UINT64_C(0);
    for (unsigned k = 0; k < machine->kind_count; k++) {
        const struct uarch *uarch = uarch_find(&machine->cpu, machine->kinds[k].name).uarch;
        features &= uarch ? uarch_features(uarch) : 0;
    }
    return features;
}

bool measure_options_recorded_isas(const struct plan_options *options, struct machine *machine, struct error *err) {
    if (!machine->recorded || machine->isa_known)
        return true;
    if (machine_is_foreign(machine))
        return error_set(err, "%s is of %s, which has no kernels; they exist for %s", machine->topology_source,
                         machine->architecture, ARCH_NAME);
    const cpu_features documented = documented_features(machine);
    cpu_features features = 0;
    bool known = documented > 0; /* x86's scalar code needs no feature */
    for (size_t i = 0; i < options->isa_count; i++) {
        const struct isa *isa = isa_find(options->isas[i]);
        known |= isa != NULL;
        features |= isa ? isa->needs : documented;
    }
    machine->cpu.features |= options->isa_count > 0 ? features : documented;
    return known ||
           error_set(err,
                     "%s does not name the instruction sets of the machine, and its CPU is not a known one; give them "
                     "with --isa",
                     machine->topology_source);
}

bool measure_options_measurable(const struct machine *machine, struct error *err) {
    return !machine->recorded ||
           error_set(err, "%s is a recorded machine and cannot be measured; --dry-run shows the plan",
                     machine->topology_source);
}

bool measure_options_roof(const struct arguments *arguments, bool imported, const char **out, struct error *err) {
    static const char *const OF_STREAM[] = {"copy", "scale", "add", "triad"};
    *out = cli_value(arguments, "roof");
    struct suggestion near = suggestion_for(*out ? *out : "");
    bool found = !*out || strcmp(*out, MODEL_MEDIAN) == 0;
    for (size_t i = 0; i < sizeof OF_STREAM / sizeof OF_STREAM[0] && !found && imported; i++) {
        found = strcmp(OF_STREAM[i], *out) == 0;
        suggestion_consider(&near, OF_STREAM[i]);
    }
    for (size_t i = 0; i < kernel_count && !found; i++) {
        if (kernel_table[i]->kind != KERNEL_MEMORY)
            continue;
        found = strcmp(kernel_table[i]->op, *out) == 0;
        suggestion_consider(&near, kernel_table[i]->op);
    }
    return found ||
           error_set(err, "--roof takes an access pattern such as load, 2ld1st or update, or median, not '%s'%s", *out,
                     suggestion_text(&near, ""));
}

struct session_options measure_options_session(const struct arguments *arguments) {
    return (struct session_options){
        .stop = &cli_stop,
        .statistic = (enum sample_statistic)cli_choice(arguments, "statistic", STATISTIC_UPPER_QUARTILE),
        .huge_pages = cli_choice(arguments, "pages", 0) == 0};
}

/* Reads the options of simulated caches. */

enum { REPEAT_MOST = 1000 };

static bool read_repeat(const char *text, unsigned *out, struct error *err) {
    char *end;
    const unsigned long number = *text >= '0' && *text <= '9' ? strtoul(text, &end, 10) : 0;
    if (number < 1 || number > REPEAT_MOST || *end)
        return error_set(err, "--levels: repeat= takes a number from 1 to %d, not '%s'", REPEAT_MOST, text);
    *out = (unsigned)number;
    return true;
}

bool levels_options_read(const struct arguments *arguments, struct levels_choice *out, unsigned *repeat,
                         struct error *err) {
    static const char REPEAT[] = "repeat=";
    const char *list = cli_value(arguments, "levels");
    char caches[256] = "";
    bool other = false;
    *out = (struct levels_choice){.one_of = list ? LEVELS_SAMPLED_ONE_OF : 0};
    for (char *rest = list && *list ? cli_keep(list) : NULL, *word; (word = strsep(&rest, ","));) {
        if (strcmp(word, "exact") == 0) {
            out->one_of = 1;
        } else if (repeat && strncmp(word, REPEAT, strlen(REPEAT)) == 0) {
            if (!read_repeat(word + strlen(REPEAT), repeat, err))
                return false;
        } else if (!strchr(word, '=')) {
            return error_set(err,
                             "--levels simulates a sample of cache lines, --levels=exact all, --levels=L3=30M "
                             "another cache; not '%s'",
                             word);
        } else {
            text_append(caches, sizeof caches, "%s%s", other ? "," : "", word);
            other = true;
        }
    }
    return !other || cache_wishes_parse(caches, out->wishes, &out->wish_count, err);
}
