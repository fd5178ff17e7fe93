/* SPDX-License-Identifier: BSD-3-Clause */
#include "commands.h"

#include <stdio.h>
#include <string.h>

#include "carm/text/table.h"

enum { COLUMNS = 100, PIPED_COLUMNS = 80, OPTION_COLUMNS = 22 };
static const char INDENT[] = "                          "; /* of an option's text behind its first line */

/* Of the terminal, but lines that are easy to read; without one as many as screens have. */
static size_t columns(void) {
    const size_t width = table_usual_width();
    return width == 0 ? PIPED_COLUMNS : width < COLUMNS ? width : COLUMNS;
}

static void print_option(const struct cli_option *row) {
    char left[64], help[CLI_HELP_BYTES], line[CLI_HELP_BYTES + 96];
    snprintf(left, sizeof left, "%c%c%s--%s%s%s", row->letter ? '-' : ' ', row->letter ? row->letter : ' ',
             row->letter ? ", " : "  ", row->name, row->argument && !cli_value_optional(row) ? " " : "",
             row->argument ? row->argument : "");
    const int width = OPTION_COLUMNS + (int)(strlen(left) - table_width_of(left, strlen(left)));
    snprintf(line, sizeof line, "  %-*s  %s", width, left, cli_help(row, help));
    wrap_print(line, columns(), INDENT, stdout);
}

/* One entry for all forms of the output. */
static void print_forms(const struct command *command) {
    char forms[CLI_HELP_BYTES], line[CLI_HELP_BYTES + 96];
    snprintf(line, sizeof line, "  %-*s  %s", OPTION_COLUMNS, "Output:", cli_forms_text(command, forms));
    wrap_print(line, columns(), INDENT, stdout);
}

/* Behind its line if all examples fit so, else above it. */
static void print_examples(const struct cli_example *examples) {
    size_t line = 0, what = 0;
    for (size_t i = 0; examples[i].line; i++) {
        const size_t lengths[] = {strlen(examples[i].line), strlen(examples[i].what)};
        line = lengths[0] > line ? lengths[0] : line;
        what = lengths[1] > what ? lengths[1] : what;
    }
    const bool beside = strlen("    # ") + line + what <= columns();
    puts("\nExamples:");
    for (size_t i = 0; examples[i].line; i++) {
        if (beside)
            printf("  %-*s  # %s\n", (int)line, examples[i].line, examples[i].what);
        else
            printf("  # %s\n  %s\n", examples[i].what, examples[i].line);
    }
}

/* Name and summary, wrapped. */
static void print_command(const struct command *command) {
    char line[320];
    snprintf(line, sizeof line, "  %-10s  %s", command->name, command->summary);
    wrap_print(line, columns(), "              ", stdout);
}

/* The title of a group, before its first command. */
static void print_group(const struct command *command) {
    for (const struct command_group *group = command_groups; group->title; group++)
        if (group->first == command)
            printf("\n%s:\n", group->title);
}

void help_print(const struct command *command) {
    if (command) {
        printf("carmine %s [options]%s%s\n\n", command->name, *command->operands ? " " : "", command->operands);
        wrap_print(command->description, columns(), "", stdout);
        puts("\nOptions:");
        const struct cli_option *option;
        bool said = false;
        for (size_t i = 0; (option = cli_option_at(command, i)); i++) {
            if (!cli_is_form(option))
                print_option(option);
            else if (!said)
                print_forms(command), said = true;
        }
        print_examples(command->examples);
        return;
    }
    puts("carmine COMMAND [options]\n\nMeasures what a CPU can reach, and draws it as a cache-aware "
         "roofline.");
    for (size_t i = 0; commands_table[i]; i++) {
        print_group(commands_table[i]);
        print_command(commands_table[i]);
    }
    puts("\ncarmine help COMMAND shows options and examples; carmine -V prints the version.\n"
         "carmine help agents shows programs and assistants how to use it.\n"
         "Exit status: 0 done, 1 a check failed, 2 wrong usage or an error.");
}

/* `carmine help agents`: the page docs/agents.md, which is part of the program. */

/* The path begins at the repository's root, where make runs. */
__asm__(".pushsection .rodata\nagents_page:\n.incbin \"docs/agents.md\"\n.byte 0\n.popsection\n");
extern const char agents_page[] __attribute__((visibility("hidden")));

void help_print_agents(void) {
    fputs(agents_page, stdout);
}
