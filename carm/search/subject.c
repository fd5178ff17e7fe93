/* SPDX-License-Identifier: BSD-3-Clause
 * Kernels and plans of a search (see search.h). */
#include "search.h"

#include "asm/assemble.h"
#include "asm/element.h"
#include "asm/instruction.h"
#include "probe/error.h"

/* The program's kernel of the same operation; NULL: this CPU has none, or none that can be assembled. */
static const struct kernel *program_kernel(const struct machine *machine, const struct isa *isa, const char *op,
                                           const struct plan_options *options) {
    enum kernel_kind kind;
    char name[48];
    if (!assemble_knows(isa, op, &kind))
        return NULL;
    bool typed = kind == KERNEL_COMPUTE;
    snprintf(name, sizeof name, "%s%s%s.%s", isa->name, typed ? "." : "",
             !typed                ? ""
             : options->type_count ? options->types[0]
                                   : "f64",
             op);
    const struct kernel *const *found = kernel_find(name, NULL);
    return found && machine_has(machine, (*found)->needs) ? *found : NULL;
}

/* The kernels of one operation: in each named ISA, else in the widest that has it. */
static size_t add_kernels(const struct machine *machine, const struct plan_options *options, const char *op,
                          const struct kernel **out, size_t most) {
    size_t count = 0;
    for (size_t k = 0; k < options->isa_count && count < most; k++)
        if ((out[count] = program_kernel(machine, isa_find(options->isas[k]), op, options)))
            count++;
    for (size_t i = isa_count; i-- > 0 && options->isa_count == 0 && count == 0 && most > 0;)
        if ((out[count] = program_kernel(machine, &isa_table[i], op, options)))
            count++;
    return count;
}

size_t subject_kernels(const struct session *session, const struct plan_options *options, const char *const *defaults,
                       const struct kernel **out, size_t most, struct error *err) {
    const struct machine *machine = &session->result.machine;
    size_t count = 0;
    if (!instruction_readable(err))
        return 0;
    for (size_t o = 0; o < options->mix_count; o++)
        count += add_kernels(machine, options, options->mixes[o], out + count, most - count);
    for (size_t o = 0; options->mix_count == 0 && defaults[o] && count == 0; o++)
        count = add_kernels(machine, options, defaults[o], out, most);
    if (count > 0)
        return count;
    const struct isa *asked = options->isa_count ? isa_find(options->isas[0]) : NULL;
    if (asked && !machine_has(machine, asked->needs))
        error_set(err, "this CPU (or its operating system) does not have %s; see `carmine machine`", asked->label);
    else
        error_set(err,
                  "this CPU runs no kernel %s%s%s with selectable accumulators or streams; --mix takes add, mul, "
                  "addmul, add2mul, fma, fmaadd, or a pattern of loads and stores (see `carmine kernels`)",
                  asked ? asked->name : "", asked ? "." : "", options->mix_count ? options->mixes[0] : defaults[0]);
    return 0;
}

bool subject_plan(const struct session *session, const struct plan_options *options, const struct kernel *kernel,
                  const char *level, struct plan *out, struct error *err) {
    const bool compute = kernel->kind == KERNEL_COMPUTE;
    const struct plan_options one = {.isas = {kernel->isa->name},
                                     .types = {compute ? element_table[kernel->type].name : "f64"},
                                     .mixes = {kernel->op},
                                     .levels = {level},
                                     .threads = {options->thread_count ? options->threads[0] : 1},
                                     .isa_count = 1,
                                     .type_count = 1,
                                     .mix_count = 1,
                                     .level_count = !compute,
                                     .thread_count = 1,
                                     .only_kind = session->result.machine.kind_count > 1};
    return plan_roofs(out, &session->result.machine, session->result.levels, &one, err);
}

bool subject_start(struct session *session, const struct arguments *arguments, const struct plan *const *plans,
                   size_t count, struct error *err) {
    const struct session_options how = measure_options_session(arguments);
    for (size_t i = 0; i < count; i++)
        session_reserve(session, plans[i]);
    cli_catch_signals();
    return session_start(session, &how, err);
}
