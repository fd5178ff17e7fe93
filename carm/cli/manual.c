/* SPDX-License-Identifier: BSD-3-Clause
 * The manual pages of the program and of each command, in the order of sections of man-pages(7). */
#include <ctype.h>
#include <stdio.h>

#include "commands.h"

/* A name and its meaning. The row without a name ends a table. */
struct term {
    const char *name, *text;
};

static const struct term STATUSES[] = {
    {"0", "done"},
    {"1",
     "a check failed: check, validate --tolerance, workload --validate, kernels --verify, doctor --counters; soak, "
     "and show of its log: a change; fleet run: some nodes have no result"},
    {"2", "wrong usage, or an error; one line on standard error shows the reason and the remedy"},
    {"other", "exit status of carmine app: that of its program, 128 + the signal's number if a signal ended it"},
    {0},
};

static const struct term VARIABLES[] = {
    {"CARMINE_OPTION, CARMINE_COMMAND_OPTION",
     "your defaults of options, such as CARMINE_STYLE=paper or CARMINE_RUN_BUDGET=90; a switch takes yes or no"},
    {"TERM, COLORTERM, NO_COLOR, CLICOLOR_FORCE", "whether and with how many colours to draw in the terminal"},
    {"COLUMNS", "columns of tables and screens (default: the terminal's; in a pipe tables have all columns)"},
    {"LC_ALL, LC_CTYPE, LANG", "the first that is set decides whether the terminal shows UTF-8"},
    {"TMPDIR", "folder of temporary files while programs are measured; else /tmp"},
    {"PATH", "where carmine app searches its program"},
    {"HWLOC_XMLFILE, HWLOC_SYNTHETIC, HWLOC_FSROOT, HWLOC_CPUID_PATH",
     "use a recorded or made-up machine, as with --topology; nothing can be measured on it"},
    {"HWLOC_THISSYSTEM", "1: the machine in these variables is this machine"},
    {"LIBPFM_FORCE_PMU", "the core whose events are used, by libpfm4's name, as with doctor --counters=NAME"},
    {0},
};

static const struct term FILES[] = {
    {"~/.config/carmine/config",
     "your defaults, as lines \"option = value\" or \"command.option = value\"; the environment "
     "comes before it, the command line before both"},
    {"results/",
     "folder of carmine run's results, named by host and time, unless -o is given; carmine app uses the newest"},
    {"FILE.json", "a result: all measurements, readable on any machine years later; docs/result-file.md and carmine "
                  "show --fields explain the fields"},
    {"FILE.svg", "the picture beside it"},
    {"FILE.json.partial",
     "measurements of a killed run that would have replaced FILE.json; carmine run --resume measures the rest"},
    {"PREFIX/lib/carmine", "the collectors that carmine app preloads into programs, and the built-in workloads"},
    {"PREFIX/share/doc/carmine", "the documentation: README.md, and docs/ that messages name"},
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

static void print_options(const struct command *command) {
    const struct cli_option *option;
    char forms[CLI_HELP_BYTES];
    bool said = false;
    for (size_t i = 0; (option = cli_option_at(command, i)); i++) {
        if (!cli_is_form(option)) {
            print_option(option);
        } else if (!said) {
            puts(".TP\n.B Output");
            print_roff(cli_forms_text(command, forms));
            said = true;
        }
    }
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

/* "CARMINE-RUN 1", and what it is. */
static void print_title(const char *command, const char *summary) {
    printf(".TH CARMINE%s", *command ? "\\-" : "");
    for (const char *letter = command; *letter; letter++)
        putchar(toupper((unsigned char)*letter));
    printf(" 1 \"" CARMINE_DATE "\" \"carmine " CARMINE_VERSION "\"\n.SH NAME\ncarmine%s%s \\- ", *command ? "\\-" : "",
           command);
    print_roff(summary);
}

static void print_command(const struct command *command) {
    print_title(command->name, command->summary);
    printf(".SH SYNOPSIS\n.B carmine %s\n[options]\n", command->name);
    print_roff(command->operands);
    puts(".SH DESCRIPTION");
    print_roff(command->description);
    puts(".SH OPTIONS");
    print_options(command);
    print_terms("EXIT STATUS", STATUSES);
    puts(".SH EXAMPLES");
    print_examples(command);
    puts(".SH SEE ALSO\n.BR carmine (1)");
}

/* The page of the program: its commands with their pages, and what all have. */
static void print_program(void) {
    print_title("", "cache-aware roofline benchmark suite");
    puts(".SH SYNOPSIS\n.B carmine\n.I COMMAND\n[options]\n.br\n.B carmine help\n.RI [ COMMAND ]\n.SH DESCRIPTION\n"
         "Measures what a CPU can reach, and draws it as a cache\\-aware roofline: the compute ceilings of every "
         "instruction set, and the bandwidth of every memory level. Puts programs on it, and machines side by side.\n"
         ".SH COMMANDS");
    for (size_t i = 0; commands_table[i]; i++) {
        printf(".TP\n.BR carmine\\-%s (1)\n", commands_table[i]->name);
        print_roff(commands_table[i]->summary);
    }
    puts(".SH OPTIONS\nThose of every command.");
    for (const struct cli_option *option = cli_common; option->name; option++)
        print_option(option);
    print_terms("EXIT STATUS", STATUSES);
    print_terms("ENVIRONMENT", VARIABLES);
    print_terms("FILES", FILES);
    puts(".SH EXAMPLES");
    print_examples(commands_table[0]);
    puts(".SH SEE ALSO\n.BR lstopo (1),\n.BR perf (1)");
}

void help_print_man(const struct command *command) {
    if (command)
        print_command(command);
    else
        print_program();
}
