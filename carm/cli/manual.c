/* SPDX-License-Identifier: BSD-3-Clause
 * The manual page, in the order of sections of man-pages(7). */
#include <stdio.h>

#include "carm/options/measure_options.h"
#include "help.h"
#include "commands.h"

/* A name and its meaning. The row without a name ends a table. */
struct term {
    const char *name, *text;
};

static const struct term STATUSES[] = {
    {"0", "done"},
    {"1", "a check failed: check, validate --tolerance, workload --validate, kernels --verify, doctor --counters"},
    {"2", "wrong usage, or an error; one line on standard error shows the reason and the remedy"},
    {"other", "exit status of carmine app: that of its program, 128 + the signal's number if a signal ended it"},
    {0},
};

static const struct term VARIABLES[] = {
    {"TERM, COLORTERM, NO_COLOR", "whether and with how many colours to draw in the terminal; --color overrides them"},
    {"COLUMNS", "columns, if the terminal does not report them; --width overrides it"},
    {"LC_ALL, LC_CTYPE, LANG", "the first that is set decides whether the terminal shows UTF-8"},
    {"TMPDIR", "folder of temporary files while programs are measured; else /tmp"},
    {"PATH", "where carmine app searches its program"},
    {"HWLOC_XMLFILE, HWLOC_SYNTHETIC, HWLOC_FSROOT, HWLOC_CPUID_PATH",
     "use a recorded or made-up machine, as with --topology; nothing can be measured on it"},
    {"HWLOC_THISSYSTEM", "1: the machine in these variables is this machine"},
    {"LIBPFM_FORCE_PMU", "the core whose events are used, by libpfm4's name, as with doctor --pmu"},
    {0},
};

static const struct term FILES[] = {
    {"results/",
     "folder of carmine run's results, named by host and time, unless -o is given; carmine app uses the newest"},
    {"FILE.json", "a result: all measurements, readable on any machine years later; docs/result-file.md and carmine "
                  "show --fields explain the fields"},
    {"FILE.svg", "the picture beside it"},
    {"FILE.json.partial",
     "measurements of a killed run that would have replaced FILE.json; carmine run --resume measures the rest"},
    {"PREFIX/lib/carmine", "the collectors that carmine app preloads into programs, and the built-in workloads"},
    {"PREFIX/include/carmine.h", "marks for regions of programs, with libcarmine"},
    {0},
};

/* Reads one UTF-8 character as a code point and moves `*text` behind it. */
static unsigned take_character(const char **text) {
    unsigned first = (unsigned char)*(*text)++, code = first < 0xc0 ? first : first < 0xe0 ? first & 0x1f : first & 0xf;
    for (; first >= 0xc0 && (**text & 0xc0) == 0x80; (*text)++)
        code = code << 6 | (**text & 0x3f);
    return code;
}

/* Text for roff: plain ASCII, hyphens that can be copied, and no line that looks like a request. */
static void print_roff(const char *text) {
    for (unsigned before = '\n', code; *text; before = code) {
        code = take_character(&text);
        if (before == '\n' && (code == '.' || code == '\''))
            printf("\\&");
        if (code > 0x7f)
            printf("\\[u%04X]", code);
        else if (code == '-' || code == '\\')
            printf(code == '-' ? "\\-" : "\\e");
        else
            putchar((int)code);
    }
    putchar('\n');
}

static void print_terms(const char *title, const struct term *terms) {
    printf(".SH %s\n", title);
    for (; terms->name; terms++) {
        printf(".TP\n.B ");
        print_roff(terms->name);
        print_roff(terms->text);
    }
}

static void print_option(const struct cli_option *row) {
    char letter[8] = "", name[64], help[CLI_HELP_BYTES];
    if (row->letter)
        snprintf(letter, sizeof letter, "-%c, ", row->letter);
    snprintf(name, sizeof name, "%s--%s%s%s", letter, row->name, row->argument && !cli_value_optional(row) ? " " : "",
             row->argument ? row->argument : "");
    printf(".TP\n.B ");
    print_roff(name);
    print_roff(cli_help(row, help));
}

static void print_command(const struct command *command) {
    printf(".SS carmine %s [options] ", command->name);
    print_roff(command->operands);
    print_roff(command->description);
    const struct cli_option *option;
    for (size_t i = 0; (option = cli_option_at(command, i)); i++)
        print_option(option);
}

static void print_examples(const struct command *command) {
    for (size_t i = 0; command->examples[i].line; i++) {
        puts(".PP");
        print_roff(command->examples[i].what);
        puts(".RS 4\n.EX");
        print_roff(command->examples[i].line);
        puts(".EE\n.RE");
    }
}

void help_print_man(void) {
    printf(".TH CARMINE 1 \"\" \"carmine %s\"\n.SH NAME\ncarmine \\- cache\\-aware roofline benchmark suite\n.SH "
           "SYNOPSIS\n.B carmine\n.I COMMAND\n[options]\n.br\n.B carmine help\n.RI [ COMMAND ]\n.SH DESCRIPTION\n"
           "Measures what a CPU can reach, and draws it as a cache\\-aware roofline: the compute ceilings of every "
           "instruction set, and the bandwidth of every memory level. Puts programs on it, and machines side by "
           "side.\n.SH COMMANDS\n",
           CARMINE_VERSION);
    for (size_t i = 0; commands_table[i]; i++)
        print_command(commands_table[i]);
    print_terms("EXIT STATUS", STATUSES);
    print_terms("ENVIRONMENT", VARIABLES);
    print_terms("FILES", FILES);
    puts(".SH EXAMPLES");
    for (size_t i = 0; commands_table[i]; i++)
        print_examples(commands_table[i]);
    puts(".SH SEE ALSO\n.BR lstopo (1),\n.BR perf (1)");
}
