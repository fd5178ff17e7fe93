/* SPDX-License-Identifier: BSD-3-Clause
 * Completion scripts of the shells, written from the tables of commands and options. */
#include <stdio.h>
#include <string.h>

#include "commands.h"

static const struct cli_set shells = {.names = (const char *const[]){"bash", "zsh", "fish", NULL}},
                            schemas = {.name = schema_name};

/* Whether an option's value or the operands are files: "FILE|DIR", "FORMAT FILE…". */
static bool takes_files(const char *argument) {
    return argument && (strstr(argument, "FILE") || strstr(argument, "DIR"));
}

struct operand {
    const struct cli_set *set; /* NULL: no known values */
    bool each;                 /* "FILE…" */
};

/* The next word of "FORMAT FILE…" or "FILE FILE [ROOF]". False: there is none. */
static bool next_operand(const char **text, struct operand *out) {
    char name[24];
    *text += strspn(*text, " [");
    const size_t length = strcspn(*text, "…] ");
    snprintf(name, sizeof name, "%.*s", (int)length, *text);
    *text += length;
    *out = (struct operand){cli_set_of(name), strncmp(*text, "…", strlen("…")) == 0};
    *text += strspn(*text, "…]");
    return length > 0;
}

/* Whether the first operand is a result: "FILE…", not "FORMAT FILE…" or "PROGRAM ARGUMENTS…". */
static bool takes_results(const struct command *command) {
    const char *text = command->operands;
    struct operand first;
    return !command->runs_program && takes_files(text) && next_operand(&text, &first) && !first.set;
}

/* Single quotes work in all three shells. Escapes `special` by a backslash, which zsh needs inside of them. */
static void print_quoted(const char *text, const char *special) {
    for (; *text; text++) {
        if (*text == '\'')
            printf("'\\''");
        else
            printf(strchr(special, *text) ? "\\%c" : "%c", *text);
    }
}

static void completion_print_names(const char *before, const char *between) {
    for (size_t i = 0; commands_table[i]; i++)
        printf("%s%s", i ? between : before, commands_table[i]->name);
}

/* Separated by blanks. */
static void print_values(const struct cli_set *set) {
    for (size_t i = 0; cli_set_name(set, i); i++)
        printf("%s%s", i ? " " : "", cli_set_name(set, i));
}

/* "    run:--isa) _carmine_values sse avx; return ;;", for options that take known values or files. */
static void print_bash_option(const struct command *command, const struct cli_option *row) {
    const struct cli_set *set = cli_set_of(row->argument);
    if (cli_value_optional(row) || (!set && !takes_files(row->argument)))
        return;
    printf("    %s:--%s", command->name, row->name);
    if (row->letter)
        printf(" | %s:-%c", command->name, row->letter);
    printf(set ? ") _carmine_values " : ") COMPREPLY=($(compgen -f -- \"$word\"))");
    if (set)
        print_values(set);
    puts("; return ;;");
}

/* The command's options, those whose value is the next word, and the operands' files. */
static void print_bash_command(const struct command *command) {
    printf("    %s) COMPREPLY=($(compgen -W \"", command->name);
    const struct cli_option *option;
    for (size_t i = 0; (option = cli_option_at(command, i)); i++)
        printf("%s--%s", i ? " " : "", option->name);
    printf("\" -- \"$word\"))%s; valued=\"", takes_results(command) ? "; files='!*.json*'" : "");
    for (size_t i = 0; (option = cli_option_at(command, i)); i++)
        if (option->argument && !cli_value_optional(option))
            printf(option->letter ? " --%s -%c" : " --%s", option->name, option->letter);
    puts("\" ;;");
}

/* "    import:0) _carmine_values csv plain; return ;;", for operands with known values. */
static void print_bash_operands(const struct command *command) {
    const char *text = command->operands;
    struct operand operand;
    for (size_t number = 0; next_operand(&text, &operand); number++) {
        if (!operand.set)
            continue;
        printf(operand.each ? "    %s:*) _carmine_values " : "    %s:%zu) _carmine_values ", command->name, number);
        print_values(operand.set);
        puts("; return ;;");
    }
}

static void print_bash_functions(void) {
    puts("# bash completion for carmine\n"
         "_carmine_values() { # of a list what follows its last comma and is not in it\n"
         "    local given=${word%\"${word##*,}\"} left= value\n"
         "    for value; do [[ ,$given == *\",$value,\"* ]] || left+=\" $value\"; done\n"
         "    COMPREPLY=($(compgen -P \"$given\" -W \"$left\" -- \"${word##*,}\"))\n}\n"
         "_carmine_operands() { # sets their number before the word\n"
         "    operands=0\n    local i\n    for ((i = 2; i < COMP_CWORD; i++)); do\n"
         "        case ${COMP_WORDS[i]} in\n        =) ((i++)) ;;\n"
         "        -*) [[ \"$valued \" != *\" ${COMP_WORDS[i]} \"* || ${COMP_WORDS[i + 1]} == = ]] || ((i++)) ;;\n"
         "        *) ((operands++)) ;;\n        esac\n    done\n}");
}

static void print_bash(void) {
    print_bash_functions();
    puts("_carmine() {\n    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
         "    local files= valued= operands\n"
         "    [ \"$word\" != = ] || word=\n    [ \"$before\" != = ] || before=${COMP_WORDS[COMP_CWORD - 2]}");
    completion_print_names("    local commands=\"", " ");
    puts("\"\n    if [ \"$COMP_CWORD\" = 1 ]; then\n"
         "        COMPREPLY=($(compgen -W \"$commands help --help --version --schema\" -- \"$word\"))\n        "
         "return\n    fi\n"
         "    case \"${COMP_WORDS[1]}  ${COMP_WORDS[*]:2:COMP_CWORD-2} \" in");
    for (size_t i = 0; commands_table[i]; i++)
        if (commands_table[i]->runs_program)
            printf("    \"%s \"*\" -- \"*) # a command, and its files\n"
                   "        COMPREPLY=($({ [ \"$before\" != -- ] || compgen -c -- \"$word\"; compgen -f -- \"$word\"; "
                   "} | sort -u))\n"
                   "        return ;;\n",
                   commands_table[i]->name);
    puts("    esac\n    case ${COMP_WORDS[1]}:$before in");
    const struct cli_option *option;
    for (size_t i = 0; commands_table[i]; i++)
        for (size_t j = 0; (option = cli_option_at(commands_table[i], j)); j++)
            print_bash_option(commands_table[i], option);
    printf(
        "    esac\n    case ${COMP_WORDS[1]} in\n"
        "    help | --man)\n        [ \"${COMP_WORDS[1]}\" = --man ] || commands+=\" agents\"\n"
        "        COMPREPLY=($(compgen -W \"$commands\" -- \"$word\")); return ;;\n    --completion) _carmine_values ");
    print_values(&shells);
    printf("; return ;;\n    --schema) _carmine_values ");
    print_values(&schemas);
    puts("; return ;;");
    for (size_t i = 0; commands_table[i]; i++)
        print_bash_command(commands_table[i]);
    puts("    esac\n    [[ $word != -* ]] || return\n    _carmine_operands\n    case ${COMP_WORDS[1]}:$operands in");
    for (size_t i = 0; commands_table[i]; i++)
        print_bash_operands(commands_table[i]);
    puts("    esac\n    COMPREPLY+=($(compgen -f -X \"$files\" -- \"$word\"))\n"
         "    [ -z \"$files\" ] || COMPREPLY+=($(compgen -d -- \"$word\"))\n}\n"
         "complete -o filenames -F _carmine carmine");
}

/* '(-o --output)'{-o,--output}'[the result]:FILE:_files', as _arguments reads it. */
static void print_zsh_option(const struct cli_option *row) {
    const struct cli_set *set = cli_set_of(row->argument);
    char help[CLI_HELP_BYTES];
    if (row->letter)
        printf(" \\\n            '(-%c --%s)'{-%c,--%s}'[", row->letter, row->name, row->letter, row->name);
    else /* "-": only a value behind '=' counts */
        printf(" \\\n            '--%s%s[", row->name, cli_value_optional(row) ? "=-" : "");
    print_quoted(cli_help(row, help), "[]\\:");
    printf("]");
    if (row->argument) {
        printf(cli_value_optional(row) ? "::" : ":");
        print_quoted(row->argument, "\\:[]");
        printf(":%s", takes_files(row->argument) ? "_files" : "");
    }
    if (set) { /* a leading blank makes it a command: _arguments adds nothing to it */
        printf(strchr(row->argument, ',') ? " _values -s , value " : "(");
        print_values(set);
        printf(strchr(row->argument, ',') ? "" : ")");
    }
    printf("'");
}

static void print_zsh_command(const struct command *command) {
    printf("    %s)\n", command->name);
    if (command->runs_program) /* words behind -- are completed like a command line of their own */
        puts("        local -i dashes=${words[(i)--]}\n        if (( dashes < CURRENT )); then\n"
             "            shift $dashes words\n            (( CURRENT -= dashes ))\n            _normal\n"
             "            return\n        fi");
    printf("        _arguments -s -S");
    const struct cli_option *option;
    for (size_t i = 0; (option = cli_option_at(command, i)); i++)
        print_zsh_option(option);
    if (command->runs_program)
        printf(" \\\n            '*::program:_normal'");
    else if (takes_results(command))
        printf(" \\\n            '*:file:_files -g \"*.json*\"'");
    else if (takes_files(command->operands))
        printf(" \\\n            '*:file:_files'");
    const char *operands = command->operands;
    struct operand operand;
    for (size_t number = 1; next_operand(&operands, &operand); number++) {
        if (!operand.set)
            continue;
        printf(operand.each ? " \\\n            '*:name:(" : " \\\n            '%zu:name:(", number);
        print_values(operand.set);
        printf(")'");
    }
    puts(" ;;");
}

static void print_zsh(void) {
    puts("#compdef carmine\n# zsh completion for carmine\n_carmine() {\n    local -a known=(");
    for (size_t i = 0; commands_table[i]; i++) {
        printf("        '%s:", commands_table[i]->name);
        print_quoted(commands_table[i]->summary, "\\");
        puts("'");
    }
    puts("    )\n    if (( CURRENT == 2 )); then\n"
         "        _describe command known\n        compadd -- help --help --version --schema\n        return\n    fi\n"
         "    local chosen=$words[2]\n    shift words\n    (( CURRENT-- ))\n    case $chosen in\n    help | --man)\n"
         "        [[ $chosen != help ]] || compadd -- agents\n        _describe command known ;;\n    --completion)");
    printf("        compadd -- ");
    print_values(&shells);
    printf(" ;;\n    --schema)\n        compadd -- ");
    print_values(&schemas);
    puts(" ;;");
    for (size_t i = 0; commands_table[i]; i++)
        print_zsh_command(commands_table[i]);
    puts("    esac\n}\n"
         "if [ \"$funcstack[1]\" = _carmine ]; then # loaded by its name\n    _carmine \"$@\"\nelse\n"
         "    compdef _carmine carmine\nfi");
}

static void print_fish_option(const struct command *command, const struct cli_option *row) {
    const struct cli_set *set = cli_set_of(row->argument);
    char help[CLI_HELP_BYTES];
    printf("complete -c carmine -n '__fish_seen_subcommand_from %s' -l %s", command->name, row->name);
    if (row->letter)
        printf(" -s %c", row->letter);
    if (row->argument && !cli_value_optional(row))
        printf(takes_files(row->argument) ? " -r -F" : " -x");
    if (set) {
        printf(strchr(row->argument, ',') ? " -a '(__fish_append , " : " -a '");
        print_values(set);
        printf(strchr(row->argument, ',') ? ")'" : "'");
    }
    printf(" -d '");
    print_quoted(cli_help(row, help), "\\");
    puts("'");
}

static void print_fish_operands(const struct command *command) {
    const char *text = command->operands;
    struct operand operand;
    for (size_t token = 2; next_operand(&text, &operand); token++) {
        if (!operand.set)
            continue;
        printf("complete -c carmine -n '__fish_seen_subcommand_from %s", command->name);
        if (!operand.each)
            printf("; and __fish_is_nth_token %zu", token);
        printf("' -a '");
        print_values(operand.set);
        puts("'");
    }
}

static void print_fish(void) {
    fputs("# fish completion for carmine\ncomplete -c carmine -f\n"
          "complete -c carmine -n __fish_use_subcommand -l help -s h -d 'print this help'\n"
          "complete -c carmine -n __fish_use_subcommand -l version -s V -d 'print the version'\n"
          "complete -c carmine -n __fish_use_subcommand -l schema -x -d 'print a JSON Schema' -a '",
          stdout);
    print_values(&schemas);
    puts("'\n"
         "complete -c carmine -n __fish_use_subcommand -a help -d 'explain a command'");
    completion_print_names("complete -c carmine -n '__fish_seen_subcommand_from help' -a 'agents ", " ");
    puts("'");
    for (size_t i = 0; commands_table[i]; i++) {
        const struct command *command = commands_table[i];
        printf("complete -c carmine -n __fish_use_subcommand -a %s -d '", command->name);
        print_quoted(command->summary, "\\");
        puts("'");
        if (takes_results(command))
            printf("complete -c carmine -n '__fish_seen_subcommand_from %s' -k -a '(__fish_complete_suffix .json)'\n",
                   command->name);
        else if (command->runs_program || takes_files(command->operands))
            printf("complete -c carmine -n '__fish_seen_subcommand_from %s' -F\n", command->name);
        print_fish_operands(command);
        const struct cli_option *option;
        for (size_t j = 0; (option = cli_option_at(command, j)); j++)
            print_fish_option(command, option);
    }
}

bool help_print_completion(const char *shell, struct error *err) {
    static void (*const PRINT[])(void) = {print_bash, print_zsh, print_fish};
    const char *name;
    size_t count, i = 0;
    if (!cli_names(shell, "shell", shells.names, &name, 1, &count, err))
        return false;
    while (shells.names[i] != name)
        i++;
    PRINT[i]();
    return true;
}
