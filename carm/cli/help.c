/* SPDX-License-Identifier: BSD-3-Clause
 * Help, completion and manual page (see help.h). */
#include "help.h"

#include <stdio.h>

#include "carm/text/wrap.h"
#include "commands.h"

enum { COLUMNS = 100 };

static void print_option(const struct cli_option *row) {
    char left[64];
    snprintf(left, sizeof left, "%c%c%s--%s%s%s", row->letter ? '-' : ' ', row->letter ? row->letter : ' ',
             row->letter ? ", " : "  ", row->name, row->argument ? " " : "", row->argument ? row->argument : "");
    printf("  %-26s  %s\n", left, row->help);
}

static void print_examples(const struct cli_example *examples) {
    puts("\nExamples:");
    for (size_t i = 0; examples[i].line; i++)
        printf("  # %s\n  %s\n", examples[i].what, examples[i].line);
}

void help_print(const struct command *command) {
    if (command) {
        printf("carmine %s [options]%s%s\n\n", command->name, *command->operands ? " " : "", command->operands);
        wrap_print(command->description, COLUMNS, "", stdout);
        puts("\nOptions:");
        for (size_t i = 0; command->options[i].name; i++)
            print_option(&command->options[i]);
        print_option(&(struct cli_option){"help", 'h', NULL, "print this"});
        print_examples(command->examples);
        return;
    }
    puts("carmine COMMAND [options]\n\nMeasures what a CPU can reach, and draws it as a cache-aware "
         "roofline.\n\nCommands:");
    for (size_t i = 0; commands_table[i]; i++)
        printf("  %-10s  %s\n", commands_table[i]->name, commands_table[i]->summary);
    puts("\ncarmine help COMMAND tells more, with examples; carmine --version (-V) prints the version.\n"
         "Exit status: 0 done, 1 a check said no, 2 wrong usage or it could not be done.");
}

void help_print_completion(void) {
    puts("# bash completion for carmine\n_carmine() {\n    local word=${COMP_WORDS[COMP_CWORD]}\n"
         "    if [ \"$COMP_CWORD\" = 1 ]; then");
    printf("        COMPREPLY=($(compgen -W \"");
    for (size_t i = 0; commands_table[i]; i++)
        printf("%s ", commands_table[i]->name);
    puts("--help --version\" -- \"$word\"))\n        return\n    fi\n    case ${COMP_WORDS[1]} in");
    for (size_t i = 0; commands_table[i]; i++) {
        printf("    %s) COMPREPLY=($(compgen -W \"--help", commands_table[i]->name);
        for (size_t j = 0; commands_table[i]->options[j].name; j++)
            printf(" --%s", commands_table[i]->options[j].name);
        puts("\" -- \"$word\")) ;;");
    }
    puts("    esac\n    [[ $word != -* ]] && COMPREPLY+=($(compgen -f -- \"$word\"))\n}\n"
         "complete -o filenames -F _carmine carmine");
}

/* One character of UTF-8 as a code point; `*text` moves behind it. */
static unsigned take_character(const char **text) {
    unsigned first = (unsigned char)*(*text)++, code = first < 0xc0 ? first : first < 0xe0 ? first & 0x1f : first & 0xf;
    for (; first >= 0xc0 && (**text & 0xc0) == 0x80; (*text)++)
        code = code << 6 | (**text & 0x3f);
    return code;
}

/* Text as roff takes it: plain ASCII, hyphens that can be copied, and no line that looks like a request. */
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

void help_print_man(void) {
    printf(".TH CARMINE 1 \"\" \"carmine %s\"\n.SH NAME\ncarmine \\- cache\\-aware roofline benchmark suite\n.SH "
           "SYNOPSIS\n"
           ".B carmine\n.I COMMAND\n[options]\n.SH COMMANDS\n",
           CARMINE_VERSION);
    for (size_t i = 0; commands_table[i]; i++) {
        const struct command *command = commands_table[i];
        printf(".SS carmine %s [options] ", command->name);
        print_roff(command->operands);
        print_roff(command->description);
        for (size_t j = 0; command->options[j].name; j++) {
            const struct cli_option *row = &command->options[j];
            char letter[8] = "", name[64];
            if (row->letter)
                snprintf(letter, sizeof letter, "-%c, ", row->letter);
            snprintf(name, sizeof name, "%s--%s%s%s", letter, row->name, row->argument ? " " : "",
                     row->argument ? row->argument : "");
            printf(".TP\n.B ");
            print_roff(name);
            print_roff(row->help);
        }
    }
    puts(".SH EXIT STATUS\n0 done, 1 a check said no, 2 wrong usage or it could not be done.");
}
