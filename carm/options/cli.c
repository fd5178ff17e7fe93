/* SPDX-License-Identifier: BSD-3-Clause
 * Reading a command line by its command's table, and what is printed from the same tables (see cli.h). */
#include "cli.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

volatile sig_atomic_t cli_stop = 0;

static const int STOPPING[] = {SIGINT, SIGTERM, SIGQUIT, SIGHUP};
enum { STOPPING_COUNT = sizeof STOPPING / sizeof STOPPING[0] };

/* A second one ends the program; but of SIGHUP, since a terminal that goes sends it, and its shell once more. */
static void stop_on_signal(int number) {
    (void)number;
    cli_stop = 1;
    for (size_t i = 0; i < STOPPING_COUNT; i++)
        if (STOPPING[i] != SIGHUP)
            signal(STOPPING[i], SIG_DFL);
}

void cli_catch_signals(void) {
    struct sigaction action = {.sa_handler = stop_on_signal}, was;
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < STOPPING_COUNT; i++) {
        sigaction(STOPPING[i], &action, &was);
        if (STOPPING[i] == SIGHUP && was.sa_handler == SIG_IGN) /* nohup stays nohup */
            sigaction(STOPPING[i], &was, NULL);
    }
    signal(SIGPIPE, SIG_IGN); /* who read what is printed may be gone: the result is to be written all the same */
    signal(SIGXFSZ, SIG_IGN); /* a file beyond `ulimit -f` is like a full disk */
}

static size_t option_count(const struct command *command) {
    size_t count = 0;
    while (command->options[count].name)
        count++;
    return count;
}

bool cli_parse(const struct command *command, int argc, char **argv, struct arguments *out, struct error *err) {
    *out = (struct arguments){.command = command};
    struct option longs[CLI_MAX_OPTIONS + 2] = {0};
    char shorts[2 * CLI_MAX_OPTIONS + 5];
    size_t count = option_count(command), length;
    length = (size_t)sprintf(shorts, "%s:h", command->runs_program ? "+" : "");
    for (size_t i = 0; i < count; i++) {
        const struct cli_option *row = &command->options[i];
        longs[i] = (struct option){row->name, row->argument ? required_argument : no_argument, NULL, 256 + (int)i};
        if (row->letter) {
            shorts[length++] = row->letter;
            if (row->argument)
                shorts[length++] = ':';
        }
    }
    longs[count] = (struct option){"help", no_argument, NULL, 256 + (int)count};
    shorts[length] = '\0';
    optind = 0; /* glibc: start anew */
    opterr = 0;
    for (int found; (found = getopt_long(argc, argv, shorts, longs, NULL)) != -1;) {
        if (found == '?' || found == ':') {
            /* A letter may stand among others; then the word before is not the culprit. */
            const char letter[] = {'-', (char)optopt, '\0'},
                       *given = optopt > 0 && optopt < 256 ? letter : argv[optind - 1];
            return error_set(err,
                             found == ':'    ? "%s needs a value; see carmine %s --help"
                             : optopt >= 256 ? "%s: this option takes no value; see carmine %s --help"
                                             : "unknown or ambiguous option %s; see carmine %s --help",
                             given, command->name);
        }
        if (found == 'h' || found == 256 + (int)count) {
            out->help = true;
            return true;
        }
        for (size_t i = 0; i < count; i++)
            if (found == 256 + (int)i || (found < 256 && found == command->options[i].letter))
                out->values[i] = optarg ? optarg : "";
    }
    if (command->runs_program && optind < argc) {
        out->program = argv + optind;
        return true;
    }
    out->operands = argv + optind; /* getopt has put them last */
    out->operand_count = (size_t)(argc - optind);
    if (out->operand_count > command->operands_max)
        return error_set(err, "unexpected argument %s; usage: carmine %s [options] %s",
                         out->operands[command->operands_max], command->name, command->operands);
    if (out->operand_count < command->operands_min)
        return error_set(err, "missing argument; usage: carmine %s [options] %s", command->name, command->operands);
    return true;
}

const char *cli_value(const struct arguments *arguments, const char *name) {
    for (size_t i = 0; arguments->command->options[i].name; i++)
        if (strcmp(arguments->command->options[i].name, name) == 0)
            return arguments->values[i];
    return NULL;
}

bool cli_given(const struct arguments *arguments, const char *name) {
    return cli_value(arguments, name) != NULL;
}

static bool list_known(const char *what, const char *name, const char *const *known, struct error *err) {
    char all[900] = "";
    for (size_t i = 0, length = 0; known[i] && length < sizeof all; i++)
        length += (size_t)snprintf(all + length, sizeof all - length, "%s%s", i ? ", " : "", known[i]);
    return error_set(err, "unknown %s '%s'; known are: %s", what, name, all);
}

/* A copy that lasts as long as the program, like the command line itself. */
static char *keep(const char *text) {
    static struct kept {
        struct kept *before;
        char text[];
    } *last = NULL;
    size_t bytes = strlen(text) + 1;
    struct kept *now = malloc(sizeof *now + bytes);
    now->before = last;
    last = now;
    return memcpy(now->text, text, bytes);
}

bool cli_names(const char *list, const char *what, const char *const *known, const char **out, size_t max,
               size_t *count, struct error *err) {
    *count = 0;
    for (char *rest = keep(list), *name; (name = strsep(&rest, ","));) {
        const char *match = known ? NULL : name;
        for (size_t i = 0; known && known[i]; i++)
            if (strcasecmp(known[i], name) == 0)
                match = known[i];
        if (!match || !*name)
            return known ? list_known(what, name, known, err) : error_set(err, "an empty name in '%s'", list);
        if (*count == max)
            return error_set(err, "too many names in '%s': at most %zu", list, max);
        out[(*count)++] = match;
    }
    return true;
}

bool cli_number(const char *text, const char *what, double *out, struct error *err) {
    char *end;
    errno = 0;
    *out = strtod(text, &end);
    if (errno || end == text || *end || !isfinite(*out) || *out <= 0)
        return error_set(err, "%s must be a positive number, not '%s'", what, text);
    return true;
}

static void print_option(const struct cli_option *row) {
    char left[64];
    snprintf(left, sizeof left, "%c%c%s--%s%s%s", row->letter ? '-' : ' ', row->letter ? row->letter : ' ',
             row->letter ? ", " : "  ", row->name, row->argument ? " " : "", row->argument ? row->argument : "");
    printf("  %-26s  %s\n", left, row->help);
}

static void print_wrapped(const char *text, size_t width) {
    for (size_t column = 0; *text;) {
        size_t word = strcspn(text, " \n");
        if (column && column + 1 + word > width) {
            putchar('\n');
            column = 0;
        }
        column += (size_t)printf("%s%.*s", column ? " " : "", (int)word, text);
        text += word;
        if (*text == '\n') {
            putchar('\n');
            column = 0;
        }
        text += *text != '\0';
    }
    putchar('\n');
}

void cli_print_help(const struct command *command) {
    if (command) {
        printf("carmine %s [options]%s%s\n\n", command->name, *command->operands ? " " : "", command->operands);
        print_wrapped(command->description, 100);
        puts("\nOptions:");
        for (size_t i = 0; command->options[i].name; i++)
            print_option(&command->options[i]);
        print_option(&(struct cli_option){"help", 'h', NULL, "print this"});
        return;
    }
    puts("carmine COMMAND [options]\n\nMeasures what a CPU can reach, and draws it as a cache-aware "
         "roofline.\n\nCommands:");
    for (size_t i = 0; cli_commands[i]; i++)
        printf("  %-10s  %s\n", cli_commands[i]->name, cli_commands[i]->summary);
    puts("\ncarmine COMMAND --help tells more; carmine --version prints the version.\n"
         "Exit status: 0 done, 1 a check said no, 2 wrong usage or it could not be done.");
}

void cli_print_completion(void) {
    puts("# bash completion for carmine\n_carmine() {\n    local word=${COMP_WORDS[COMP_CWORD]}\n"
         "    if [ \"$COMP_CWORD\" = 1 ]; then");
    printf("        COMPREPLY=($(compgen -W \"");
    for (size_t i = 0; cli_commands[i]; i++)
        printf("%s ", cli_commands[i]->name);
    puts("--help --version\" -- \"$word\"))\n        return\n    fi\n    case ${COMP_WORDS[1]} in");
    for (size_t i = 0; cli_commands[i]; i++) {
        printf("    %s) COMPREPLY=($(compgen -W \"--help", cli_commands[i]->name);
        for (size_t j = 0; cli_commands[i]->options[j].name; j++)
            printf(" --%s", cli_commands[i]->options[j].name);
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

void cli_print_man(void) {
    printf(".TH CARMINE 1 \"\" \"carmine %s\"\n.SH NAME\ncarmine \\- cache\\-aware roofline benchmark suite\n.SH "
           "SYNOPSIS\n"
           ".B carmine\n.I COMMAND\n[options]\n.SH COMMANDS\n",
           CARMINE_VERSION);
    for (size_t i = 0; cli_commands[i]; i++) {
        const struct command *command = cli_commands[i];
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
