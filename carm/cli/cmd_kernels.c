/* SPDX-License-Identifier: BSD-3-Clause
 * carmine kernels: the generated kernels with their costs, proven from their machine code. */
#include <fnmatch.h>
#include <jansson.h>
#include <string.h>

#include "asm/arithmetic.h"
#include "asm/decode.h"
#include "asm/kernel.h"
#include "asm/pattern.h"
#include "carm/text/suggestion.h"
#include "carm/options/view_options.h"
#include "carm/report/next_answers.h"
#include "carm/report/screen.h"
#include "carm/store/fields.h"
#include "carm/text/columns.h"
#include "carm/text/pager.h"
#include "commands.h"
#include "probe/error.h"
#include "probe/machine.h"
#include "probe/text.h"
#include "render/page/units.h"

static const struct cli_option OPTIONS[] = {
    {"verify", 0, NULL, "decode each kernel's machine code and prove its cost; exit status 1 if one fails"},
    {"disassemble", 0, NULL, "print the machine code with the loop marked"},
    {"all", 0, NULL, "print a row for each variant of each kernel, as the name of a kernel or '*' does"},
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

static void kernel_columns(struct column_walk *to, const struct kernel *kernel, bool here) {
    const bool integer = element_table[kernel->type].integer;
    char flop[UNITS_BYTES];
    snprintf(flop, sizeof flop, "%u%s", kernel->cost.flop, integer ? " op" : "");
    column(to, cell_text(kernel->name), .title = "kernel", .key = "name", .text = {STAYS}, .csv = 1, .json = 1);
    column(to, cell_text(kernel->variant), .title = "variant", .key = "variant", .text = {STAYS}, .csv = 2, .json = 2);
    column(to, cell_text(flop), .title = "flop", .right = true, .text = {STAYS});
    column(to, cell_amount(true, integer ? 0 : kernel->cost.flop), .key = "flop", .csv = 3, .json = 3);
    column(to, cell_amount(true, integer ? kernel->cost.flop : 0), .key = "op", .csv = 4, .json = 4);
    column(to, cell_amount(true, kernel->cost.load_bytes), .title = "load bytes", .key = "load_bytes",
           .format = COLUMN_WHOLE, .text = {STAYS}, .csv = 5, .json = 5);
    column(to, cell_amount(true, kernel->cost.store_bytes), .title = "store bytes", .key = "store_bytes",
           .format = COLUMN_WHOLE, .text = {STAYS}, .csv = 6, .json = 6);
    column(to, cell_amount(true, kernel->cost.instructions), .title = "instructions", .key = "instructions",
           .format = COLUMN_WHOLE, .text = {1}, .csv = 7, .json = 7);
    column(to, cell_amount(true, kernel->block_bytes), .key = "block_bytes", .csv = 8, .json = 8);
    column(to, cell_bool(true, here), .key = "executable", .csv = 9, .json = 9);
    column(to, cell_text(here ? "" : "not on this CPU"), .title = "", .text = {2});
}

/* The next kernel that the command line names; kernel_count: none. */
static size_t next_match(size_t i, const struct arguments *arguments) {
    while (i < kernel_count && !matches(kernel_table[i], arguments))
        i++;
    return i;
}

static json_t *kernel_json(const struct kernel *kernel, bool here) {
    struct column_walk to = columns_json();
    kernel_columns(&to, kernel, here);
    return columns_end_json(&to);
}

static json_t *list_json(json_t *kernels) {
    return json_pack("{s:s,s:o}", "schema", "carmine.kernels/1", "kernels", kernels);
}

json_t *kernels_described(const struct model *model) {
    (void)model;
    return list_json(json_pack("[o]", kernel_json(kernel_table[0], true)));
}

static void print_json(const struct arguments *arguments, const struct machine *machine) {
    json_t *list = json_array();
    for (size_t i = 0; (i = next_match(i, arguments)) < kernel_count; i++)
        json_array_append_new(list, kernel_json(kernel_table[i], machine_has(machine, kernel_table[i]->needs)));
    fields_print(next_add(list_json(list), next_step_json(NEXT_NOTHING, "", NULL)));
}

static void print_csv(const struct arguments *arguments, const struct machine *machine) {
    struct column_walk to = columns_csv_rows();
    for (size_t i = 0; (i = next_match(i, arguments)) < kernel_count; i++) {
        kernel_columns(&to, kernel_table[i], machine_has(machine, kernel_table[i]->needs));
        columns_end_csv(&to, stdout);
    }
}

static void print_rows(const struct arguments *arguments, const struct machine *machine) {
    struct column_walk to = columns_table(0);
    for (size_t i = 0; (i = next_match(i, arguments)) < kernel_count; i++) {
        columns_row(&to);
        kernel_columns(&to, kernel_table[i], machine_has(machine, kernel_table[i]->needs));
    }
    pager_begin();
    columns_print(&to, stdout);
    puts("\nper iteration of the loop; integer operations are marked op");
    pager_end();
}

/* Of the kernels whose names begin with the ISA and a dot: how many names and variants, and their operations. */
static void print_isa(struct table *table, const char *isa, const struct machine *machine) {
    char prefix[32];
    const char *last = "";
    size_t variants = 0, names = 0;
    bool here = false;
    const size_t length = (size_t)snprintf(prefix, sizeof prefix, "%s.", isa);
    for (size_t i = 0; i < kernel_count; i++) {
        if (strncmp(kernel_table[i]->name, prefix, length) != 0)
            continue;
        variants++;
        names += strcmp(kernel_table[i]->name, last) != 0;
        last = kernel_table[i]->name;
        here |= machine_has(machine, kernel_table[i]->needs);
    }
    if (variants == 0) /* of another architecture */
        return;
    char(*row)[TABLE_CELL_BYTES] = table_row(table);
    table_set(row, 0, "%s", isa);
    table_set(row, 1, "%zu", names);
    table_set(row, 2, "%zu", variants);
    table_set(row, 3, "%s", here ? "" : "not on this CPU");
}

/* One that every architecture has: of 256 bits, with FMA. */
static const char *example_isa(void) {
    size_t i = 0;
    while (kernel_isa(i + 1) && !(kernel_isa(i)->fma && kernel_isa(i)->vector_bytes == 32))
        i++;
    return kernel_isa(i)->name;
}

static void print_answer(const struct machine *machine, const struct screen *screen) {
    const char *const names[] = {"ISA", "kernels", "variants", ""};
    struct table table = screen_table(screen, "lrrl", "0001");
    struct error absent;
    char text[400] = "";
    size_t here = 0;
    for (size_t i = 0; i < kernel_count; i++)
        here += machine_has(machine, kernel_table[i]->needs);
    snprintf(text, sizeof text, "%zu generated kernels, %zu of them for this CPU%s", kernel_count, here,
             decode_readable(&absent) ? "; --verify proves the cost of each" : "");
    screen_say(screen, text, "");
    table_head(&table, names, sizeof names / sizeof names[0]);
    for (size_t i = 0; i < isa_count; i++)
        print_isa(&table, isa_table[i].name, machine);
    table_print_section(&table, screen->out);
    fputc('\n', screen->out);
    *text = '\0';
    for (size_t i = 0; kernel_arithmetic(i); i++)
        text_append(text, sizeof text, "%s%s", i ? ", " : "", kernel_arithmetic(i)->op);
    screen_note(screen, "Compute", "ISA.type.operation: %s", text);
    *text = '\0';
    for (size_t i = 0; i < pattern_count; i++)
        text_append(text, sizeof text, "%s%s", i ? ", " : "", pattern_table[i].op);
    screen_note(screen, "Memory", "ISA.pattern, and chase without one: %s", text);
    screen_note(screen, "Rows", "carmine kernels '%s.*'; all %zu: --all", example_isa(), kernel_count);
}

static int list(const struct arguments *arguments, const struct machine *machine, struct error *err) {
    const struct plot_terminal terminal = terminal_find();
    if (next_match(0, arguments) == kernel_count) {
        refuse_names(arguments, err);
        return CLI_ERROR;
    }
    if (cli_given(arguments, "json"))
        print_json(arguments, machine);
    else if (cli_given(arguments, "csv"))
        print_csv(arguments, machine);
    else if (arguments->operand_count || cli_given(arguments, "all"))
        print_rows(arguments, machine);
    else
        print_answer(machine, &(struct screen){&terminal, stdout});
    return CLI_DONE;
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
    if (!machine_load(&machine, NULL, err) ||
        ((cli_given(arguments, "verify") || cli_given(arguments, "disassemble")) && !decode_readable(err)))
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
    {"carmine kernels 'scalar.f64.*'", "what they execute per iteration"},
    {"carmine kernels --verify", "prove all of them from their machine code"},
    {"carmine kernels --disassemble scalar.f64.fma", "show the code"},
    {0},
};

const struct command command_kernels = {
    .name = "kernels",
    .operands = "[KERNEL…]",
    .operands_max = CLI_ANY_NUMBER,
    .summary = "the kernels and their costs; --verify proves each cost from machine code",
    .description = "Lists the generated kernels with flop, bytes and instructions per iteration, as the generator "
                   "counted them. KERNEL may be a pattern ('*.f64.fma') or a variant ('scalar.f64.fma:12x2').",
    .options = OPTIONS,
    .forms = {[CLI_JSON] = "", [CLI_CSV] = "", [CLI_MARKDOWN] = ""},
    .examples = EXAMPLES,
    .run = command,
};
