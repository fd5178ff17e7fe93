/* SPDX-License-Identifier: BSD-3-Clause
 * carmine kernels: the generated kernels with their costs, proven from their machine code. */
#include <fnmatch.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "asm/decode.h"
#include "asm/kernel.h"
#include "probe/machine.h"
#include "carm/options/suggestion.h"
#include "commands.h"
#include "carm/text/table.h"

static const struct cli_option OPTIONS[] = {
    {"verify", 0, NULL, "decode each kernel's machine code and prove its cost; exit status 1 if one fails"},
    {"disassemble", 0, NULL, "print the machine code with the loop marked"},
    {"json", 0, NULL, "print JSON"},
    {0},
};

/* A name, a pattern ("avx2.*"), or a name with its variant ("avx512.f64.fma:12x2"). */
static bool matches(const struct kernel *kernel, const struct arguments *arguments) {
    char full[96];
    snprintf(full, sizeof full, "%s:%s", kernel->name, kernel->variant);
    for (size_t i = 0; i < arguments->operand_count; i++)
        if (fnmatch(arguments->operands[i], kernel->name, 0) == 0 || fnmatch(arguments->operands[i], full, 0) == 0)
            return true;
    return arguments->operand_count == 0;
}

/* Error: none of the names matches. */
static bool refuse_names(const struct arguments *arguments, struct error *err) {
    struct suggestion near = suggestion_for(arguments->operands[0]);
    for (size_t i = 0; i < kernel_count; i++)
        suggestion_consider(&near, kernel_table[i]->name);
    return error_set(err, "no kernel matches '%s'%s; `carmine kernels` lists them", arguments->operands[0],
                     suggestion_text(&near, ""));
}

static int verify(const struct arguments *arguments, const struct machine *machine, struct error *err) {
    size_t proven = 0, failed = 0, executable = 0;
    for (size_t i = 0; i < kernel_count; i++) {
        const struct kernel *kernel = kernel_table[i];
        struct error why;
        if (!matches(kernel, arguments))
            continue;
        if (decode_verify(kernel, &why)) {
            proven++;
            executable += machine_has(machine, kernel->needs);
        } else {
            printf("%s:%s: %s\n", kernel->name, kernel->variant, why.text);
            failed++;
        }
    }
    if (proven + failed == 0) {
        refuse_names(arguments, err);
        return CLI_ERROR;
    }
    printf("%zu kernels proven from their machine code, %zu of them for this CPU; %zu failed\n", proven, executable,
           failed);
    return failed ? CLI_NO : CLI_DONE;
}

static void add_row(struct table *table, const struct kernel *kernel, bool here) {
    char(*row)[TABLE_CELL_BYTES] = table_row(table);
    table_set(row, 0, "%s", kernel->name);
    table_set(row, 1, "%s", kernel->variant);
    table_set(row, 2, "%u%s", kernel->cost.flop, element_table[kernel->type].integer ? " op" : "");
    table_set(row, 3, "%u", kernel->cost.load_bytes);
    table_set(row, 4, "%u", kernel->cost.store_bytes);
    table_set(row, 5, "%u", kernel->cost.instructions);
    table_set(row, 6, "%s", here ? "" : "not on this CPU");
}

static json_t *kernel_json(const struct kernel *kernel, bool here) {
    bool integer = element_table[kernel->type].integer;
    return json_pack("{s:s,s:s,s:i,s:i,s:i,s:i,s:i,s:i,s:b}", "name", kernel->name, "variant", kernel->variant, "flop",
                     integer ? 0 : (int)kernel->cost.flop, "op", integer ? (int)kernel->cost.flop : 0, "load_bytes",
                     (int)kernel->cost.load_bytes, "store_bytes", (int)kernel->cost.store_bytes, "instructions",
                     (int)kernel->cost.instructions, "block_bytes", (int)kernel->block_bytes, "executable", here);
}

static int list(const struct arguments *arguments, const struct machine *machine, struct error *err) {
    struct table table = table_begin("llrrrrl");
    const char *const names[] = {"kernel", "variant", "flop", "load bytes", "store bytes", "instructions", ""};
    json_t *json = json_array();
    table_head(&table, names, sizeof names / sizeof names[0]);
    for (size_t i = 0; i < kernel_count; i++) {
        if (!matches(kernel_table[i], arguments))
            continue;
        bool here = machine_has(machine, kernel_table[i]->needs);
        add_row(&table, kernel_table[i], here);
        json_array_append_new(json, kernel_json(kernel_table[i], here));
    }
    bool none = table.rows == 1;
    if (none || cli_given(arguments, "json")) {
        free(table.cells);
        if (!none) {
            json_dumpf(json, stdout, JSON_INDENT(1));
            putchar('\n');
        }
    } else {
        table_print(&table, stdout);
        puts("\nper iteration of the loop; integer operations are marked op");
    }
    json_decref(json);
    if (none)
        refuse_names(arguments, err);
    return none ? CLI_ERROR : CLI_DONE;
}

static int disassemble(const struct arguments *arguments, struct error *err) {
    size_t printed = 0;
    for (size_t i = 0; i < kernel_count; i++)
        if (matches(kernel_table[i], arguments)) {
            printf("%s%s:%s\n", printed++ ? "\n" : "", kernel_table[i]->name, kernel_table[i]->variant);
            if (!decode_print(kernel_table[i], stdout, err))
                return CLI_ERROR;
        }
    if (!printed)
        refuse_names(arguments, err);
    return printed ? CLI_DONE : CLI_ERROR;
}

static int command(const struct arguments *arguments, struct error *err) {
    struct machine machine;
    int status = CLI_ERROR;
    if (!machine_load(&machine, NULL, err))
        goto out;
    if (cli_given(arguments, "verify"))
        status = verify(arguments, &machine, err);
    else if (cli_given(arguments, "disassemble"))
        status = disassemble(arguments, err);
    else
        status = list(arguments, &machine, err);
out:
    machine_free(&machine);
    return status;
}

static const struct cli_example EXAMPLES[] = {
    {"carmine kernels 'avx2.f64.*'", "what they execute per iteration"},
    {"carmine kernels --verify", "prove all of them from their machine code"},
    {"carmine kernels --disassemble avx512.f64.fma", "show the code"},
    {0},
};

const struct command command_kernels = {
    .name = "kernels",
    .operands = "[NAME…]",
    .operands_max = CLI_ANY_NUMBER,
    .summary = "the kernels and their costs; --verify proves each cost from machine code",
    .description = "Lists the generated kernels with flop, bytes and instructions per iteration, as the generator "
                   "counted them. NAME may be a pattern ('avx2.*') or a variant ('avx512.f64.fma:12x2').",
    .options = OPTIONS,
    .examples = EXAMPLES,
    .run = command,
};
