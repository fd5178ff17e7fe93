/* SPDX-License-Identifier: BSD-3-Clause
 * Reading a command line by its command's table (see cli.h). */
#include "cli.h"
#include "probe/need.h"

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
}

static size_t option_count(const struct command *command) {
    size_t count = 0;
    while (command->options[count].name)
        count++;
    return count;
}

/* The command's options as getopt wants them; a long one is told by HELP_OPTION or its row's number after it. */
struct getopt_tables {
    struct option longs[CLI_MAX_OPTIONS + 2];
    char shorts[2 * CLI_MAX_OPTIONS + 5];
};
enum { HELP_OPTION = 256, FIRST_OPTION };

static void make_tables(const struct command *command, struct getopt_tables *out) {
    const size_t count = option_count(command);
    *out = (struct getopt_tables){0};
    size_t length = (size_t)sprintf(out->shorts, "%s:h", command->runs_program ? "+" : "");
    for (size_t i = 0; i < count; i++) {
        const struct cli_option *row = &command->options[i];
        out->longs[i] =
            (struct option){row->name, row->argument ? required_argument : no_argument, NULL, FIRST_OPTION + (int)i};
        if (row->letter) {
            out->shorts[length++] = row->letter;
            if (row->argument)
                out->shorts[length++] = ':';
        }
    }
    out->longs[count] = (struct option){"help", no_argument, NULL, HELP_OPTION};
}

/* `found`: ':' where a value is missing, '?' else; `word`: the last one read. */
static bool refuse_option(const struct command *command, int found, const char *word, struct error *err) {
    /* A letter may stand among others; then the word before is not the culprit. */
    const char letter[] = {'-', (char)optopt, '\0'}, *given = optopt > 0 && optopt < 256 ? letter : word;
    return error_set(err,
                     found == ':'    ? "%s needs a value; see carmine %s --help"
                     : optopt >= 256 ? "%s: this option takes no value; see carmine %s --help"
                                     : "unknown or ambiguous option %s; see carmine %s --help",
                     given, command->name);
}

/* Operands, or a program with its arguments. */
static bool take_operands(const struct command *command, int argc, char **argv, struct arguments *out,
                          struct error *err) {
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

bool cli_parse(const struct command *command, int argc, char **argv, struct arguments *out, struct error *err) {
    struct getopt_tables tables;
    *out = (struct arguments){.command = command};
    make_tables(command, &tables);
    optind = 0; /* glibc: start anew */
    opterr = 0;
    for (int found; (found = getopt_long(argc, argv, tables.shorts, tables.longs, NULL)) != -1;) {
        if (found == '?' || found == ':')
            return refuse_option(command, found, argv[optind - 1], err);
        if (found == 'h' || found == HELP_OPTION) {
            out->help = true;
            return true;
        }
        for (size_t i = 0; command->options[i].name; i++)
            if (found == FIRST_OPTION + (int)i || (found < 256 && found == command->options[i].letter))
                out->values[i] = optarg ? optarg : "";
    }
    return take_operands(command, argc, argv, out, err);
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
    static struct kept_text {
        struct kept_text *before;
        char text[];
    } *last = NULL;
    size_t bytes = strlen(text) + 1;
    struct kept_text *now = need_malloc(sizeof *now + bytes);
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
