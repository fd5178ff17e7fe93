/* SPDX-License-Identifier: BSD-3-Clause
 * Parses a command line by the table of its command. */
#include "cli.h"
#include "carm/text/notice.h"
#include "probe/error.h"
#include "probe/need.h"
#include "carm/text/suggestion.h"
#include "probe/stop.h"
#include "probe/text.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

atomic_int cli_stop = 0;

enum { SET_MAX = 64 }; /* most names of a set */

static const int STOPPING[] = {SIGINT, SIGTERM, SIGQUIT, SIGHUP};
enum { STOPPING_COUNT = sizeof STOPPING / sizeof STOPPING[0] };

/* A second signal ends the program, except SIGHUP: a closing terminal and its shell both send it. */
static void stop_on_signal(int number) {
    (void)number;
    atomic_store_explicit(&cli_stop, 1, memory_order_relaxed);
    for (size_t i = 0; i < STOPPING_COUNT; i++)
        if (STOPPING[i] != SIGHUP)
            signal(STOPPING[i], SIG_DFL);
}

bool cli_stopped(void) {
    return stop_requested(&cli_stop);
}

void cli_catch_signals(void) {
    struct sigaction action = {.sa_handler = stop_on_signal}, was;
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < STOPPING_COUNT; i++) {
        sigaction(STOPPING[i], &action, &was);
        if (STOPPING[i] == SIGHUP && was.sa_handler == SIG_IGN) /* nohup stays effective */
            sigaction(STOPPING[i], &was, NULL);
    }
    signal(SIGPIPE, SIG_IGN); /* the reader of the output may be gone; the result must be written anyway */
}

const struct cli_option cli_common[] = {
    {"quiet", 'q', NULL, "no progress and no notices; errors stay"},
    {"help", 'h', NULL, "print this help"},
    {0},
};

const struct cli_option cli_forms[CLI_FORMS] = {
    [CLI_JSON] = {"json", 0, NULL, "print JSON"},
    [CLI_CSV] = {"csv", 0, NULL, "print CSV, in units without prefix"},
    [CLI_MARKDOWN] = {"markdown", 0, NULL, "print the tables in Markdown, for issues and wikis"},
    [CLI_LATEX] = {"latex", 0, NULL, "print the tables in LaTeX (booktabs), all else as comments"},
};

bool cli_is_form(const struct cli_option *option) {
    return option >= cli_forms && option < cli_forms + CLI_FORMS;
}

const char *cli_forms_text(const struct command *command, char out[CLI_HELP_BYTES]) {
    *out = '\0';
    for (size_t i = 0; i < CLI_FORMS; i++) {
        const char *special = command->forms[i];
        if (special)
            text_append(out, CLI_HELP_BYTES, "%s--%s%s%s%s", *out ? ", " : "", cli_forms[i].name, *special ? " (" : "",
                        special, *special ? ")" : "");
    }
    return out;
}

static bool defines(const struct command *command, const char *name) {
    for (const struct cli_option *row = command->options; row->name; row++)
        if (strcmp(row->name, name) == 0)
            return true;
    return false;
}

const struct cli_option *cli_option_at(const struct command *command, size_t row) {
    for (const struct cli_option *own = command->options; own->name; own++)
        if (row-- == 0)
            return own;
    for (size_t i = 0; i < CLI_FORMS; i++)
        if (command->forms[i] && row-- == 0)
            return &cli_forms[i];
    for (const struct cli_option *common = cli_common; common->name; common++)
        if (!defines(command, common->name) && row-- == 0)
            return common;
    return NULL;
}

/* The row of an option by its name; that behind the last if there is none. */
static size_t cli_row_of(const struct command *command, const char *name) {
    size_t row = 0;
    for (const struct cli_option *option; (option = cli_option_at(command, row)); row++)
        if (strcmp(option->name, name) == 0)
            break;
    return row;
}

/* The options in getopt's form. getopt returns FIRST_OPTION + row, or FIRST_OLD + row for an old spelling.
 */
struct getopt_tables {
    size_t count, length;
    struct option longs[2 * CLI_MAX_OPTIONS + 2];
    char shorts[4 * CLI_MAX_OPTIONS + 5];
};
enum { FIRST_OPTION = 256, FIRST_OLD = FIRST_OPTION + CLI_MAX_OPTIONS };

bool cli_value_optional(const struct cli_option *option) {
    return option->argument && option->argument[0] == '[';
}

/* `takes`: no_argument, required_argument or optional_argument. */
static void add_option(struct getopt_tables *out, const char *name, char letter, int takes, size_t number) {
    out->longs[out->count++] = (struct option){name, takes, NULL, (int)number};
    if (letter)
        out->shorts[out->length++] = letter;
    if (letter && takes == required_argument)
        out->shorts[out->length++] = ':';
}

/* Whether the command line is like `carmine app --merge FILE…`. */
static bool cli_takes_files(const struct command *command, int argc, char **argv) {
    return command->files_option && argc > 1 && strncmp(argv[1], "--", 2) == 0 &&
           strcmp(argv[1] + 2, command->files_option) == 0;
}

/* no_argument, required_argument or optional_argument. */
static int cli_value_of(const struct cli_option *option) {
    return cli_value_optional(option) ? optional_argument : option->argument ? required_argument : no_argument;
}

static void make_tables(const struct command *command, bool runs_program, struct getopt_tables *out) {
    *out = (struct getopt_tables){0};
    out->length = (size_t)sprintf(out->shorts, "%s:", runs_program ? "+" : "");
    const struct cli_option *option;
    for (size_t i = 0; (option = cli_option_at(command, i)); i++)
        add_option(out, option->name, option->letter, cli_value_of(option), FIRST_OPTION + i);
    for (size_t i = 0; command->old && command->old[i].name; i++)
        add_option(out, command->old[i].name, command->old[i].letter,
                   command->old[i].value ? no_argument : required_argument, FIRST_OLD + i);
}

/* Error: the option or its value was removed. `value` NULL: the command has no such option. */
static bool not_gone(const struct command *command, const char *option, const char *value, struct error *err) {
    for (const struct cli_gone *row = cli_gone_options; row->option; row++)
        if ((!row->command || strcmp(row->command, command->name) == 0) && strcmp(row->option, option) == 0 &&
            (row->value ? value && fnmatch(row->value, value, FNM_CASEFOLD) == 0 : !value))
            return error_set(err, "--%s%s%s was removed after %s; %s", option, row->value ? " " : "",
                             row->value ? value : "", row->last, row->instead);
    return true;
}

/* Error for an unknown name, or for an ambiguous beginning of one. */
static bool refuse_name(const struct command *command, const char *word, struct error *err) {
    char typed[SUGGESTION_MAX_NAME + 1] = "", several[256] = "";
    size_t count = 0;
    if (strncmp(word, "--", 2) == 0)
        snprintf(typed, sizeof typed, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    if (!not_gone(command, typed, NULL, err))
        return false;
    struct suggestion near = suggestion_for(typed);
    const struct cli_option *row;
    for (size_t i = 0; (row = cli_option_at(command, i)); i++) {
        suggestion_consider(&near, row->name);
        if (*typed && strncmp(row->name, typed, strlen(typed)) == 0) {
            text_append(several, sizeof several, "%s--%s", count ? ", " : "", row->name);
            count++;
        }
    }
    return count > 1 ? error_set(err, "%s is ambiguous: %s; see carmine %s --help", word, several, command->name)
                     : error_set(err, "unknown option %s%s; see carmine %s --help", word, suggestion_text(&near, "--"),
                                 command->name);
}

/* `found`: ':' if a value is missing, else '?'. `word`: the last word read. */
static bool refuse_option(const struct command *command, int found, const char *word, struct error *err) {
    /* For letters in one word use optopt: `word` may be another word. */
    const char letter[] = {'-', (char)optopt, '\0'}, *given = optopt > 0 && optopt < 256 ? letter : word;
    if (found == '?' && optopt < 256)
        return refuse_name(command, given, err);
    return error_set(err,
                     found == ':' ? "%s needs a value; see carmine %s --help"
                                  : "%s: this option takes no value; see carmine %s --help",
                     given, command->name);
}

static bool takes_list(const struct cli_option *option) {
    return option->argument && (strcmp(option->argument, "LIST") == 0 || strstr(option->argument, ",…"));
}

/* Whether "[=roofs]" has this value: nothing, or that word. */
static bool is_the_word(const struct cli_option *option, const char *given, struct error *err) {
    const char *word = option->argument + strlen("[=");
    const size_t length = strcspn(word, "]");
    return !*given || (strncmp(word, given, length) == 0 && !given[length]) ||
           error_set(err, "--%s takes no value, or %.*s as in --%s=%.*s; not '%s'", option->name, (int)length, word,
                     option->name, (int)length, word, given);
}

/* Whether the option has this value. */
static bool cli_is_known(const struct cli_option *option, const char *given, struct error *err) {
    if (cli_value_optional(option) && islower((unsigned char)option->argument[strlen("[=")]))
        return is_the_word(option, given, err);
    const struct cli_set *set = cli_set_of(option->argument);
    const char *names[SET_MAX];
    size_t count;
    for (char *rest = set && set->free ? cli_keep(given) : NULL, *word; (word = strsep(&rest, ","));)
        if (strncmp(word, set->free, strcspn(set->free, "=") + 1) != 0 &&
            !cli_set_names(set, word, names, 1, &count, err))
            return false;
    return !set || !set->what || set->free ||
           cli_set_names(set, given, names, takes_list(option) ? SET_MAX : 1, &count, err);
}

/* The last value counts, so that it can override one in a script. Two different lists are an error, because the first
 * would be lost silently. */
bool cli_take(const struct command *command, const struct cli_option *option, const char *given, const char **value,
              struct error *err) {
    if (!not_gone(command, option->name, given, err))
        return false;
    if (!cli_is_known(option, given, err))
        return false;
    if (*value && takes_list(option) && strcmp(*value, given) != 0)
        return error_set(err, "--%s is given twice; give one list: --%s %s,%s", option->name, option->name, *value,
                         given);
    *value = given;
    return true;
}

/* Replaces an old spelling by the current option, with a notice. */
static bool take_old(const struct cli_old_option *old, struct arguments *out, struct error *err) {
    const char letter[] = {old->letter, '\0'};
    const size_t row = cli_row_of(out->command, old->option);
    if (!cli_take(out->command, cli_option_at(out->command, row), old->value ? old->value : optarg, &out->values[row],
                  err))
        return false;
    notice_print("-%s%s is an old spelling of --%s%s%s; it still works", old->letter ? "" : "-",
                 old->letter ? letter : old->name, old->option, old->value && *old->value ? " " : "",
                 old->value ? old->value : "");
    return true;
}

static bool take_option(int found, struct arguments *out, struct error *err) {
    const struct command *command = out->command;
    const struct cli_option *option;
    for (size_t i = 0; (option = cli_option_at(command, i)); i++)
        if ((found == FIRST_OPTION + (int)i || (found < 256 && found == option->letter)) &&
            !cli_take(command, option, optarg ? optarg : "", &out->values[i], err))
            return false;
    for (size_t i = 0; command->old && command->old[i].name; i++)
        if ((found == FIRST_OLD + (int)i || (found < 256 && found == command->old[i].letter)) &&
            !take_old(&command->old[i], out, err))
            return false;
    return true;
}

/* Operands, or a program with its arguments. */
static bool take_operands(const struct command *command, int argc, char **argv, struct arguments *out,
                          struct error *err) {
    const bool files = cli_takes_files(command, argc, argv);
    if (command->runs_program && !files && optind < argc) {
        out->program = argv + optind;
        return true;
    }
    out->operands = argv + optind; /* getopt has moved them to the end */
    out->operand_count = (size_t)(argc - optind);
    if (out->operand_count > command->operands_max && !files)
        return error_set(err, "unexpected argument %s; usage: carmine %s [options] %s",
                         out->operands[command->operands_max], command->name, command->operands);
    if (out->operand_count < command->operands_min)
        return error_set(err, "missing argument; usage: carmine %s [options] %s", command->name, command->operands);
    return true;
}

bool cli_parse(const struct command *command, int argc, char **argv, struct arguments *out, struct error *err) {
    struct getopt_tables tables;
    *out = (struct arguments){.command = command};
    const bool files = cli_takes_files(command, argc, argv);
    make_tables(command, command->runs_program && !files, &tables);
    optind = 0; /* glibc: restart */
    opterr = 0;
    for (int found; (found = getopt_long(argc, argv, tables.shorts, tables.longs, NULL)) != -1;) {
        if (found == '?' || found == ':')
            return refuse_option(command, found, argv[optind - 1], err);
        if (found == 'h' || found == FIRST_OPTION + (int)cli_row_of(command, "help")) {
            out->help = true;
            return true;
        }
        if (!take_option(found, out, err))
            return false;
        notice_quiet(cli_given(out, "quiet")); /* also about old spellings that follow */
    }
    return take_operands(command, argc, argv, out, err);
}

const char *cli_value(const struct arguments *arguments, const char *name) {
    const size_t row = cli_row_of(arguments->command, name);
    return cli_option_at(arguments->command, row) ? arguments->values[row] : NULL;
}

bool cli_knows(const struct arguments *arguments, const char *name) {
    return cli_option_at(arguments->command, cli_row_of(arguments->command, name)) != NULL;
}

bool cli_given(const struct arguments *arguments, const char *name) {
    return cli_value(arguments, name) != NULL;
}

bool cli_typed(const struct arguments *arguments, const char *name) {
    return cli_given(arguments, name) && !arguments->places[cli_row_of(arguments->command, name)];
}

static bool list_known(const char *what, const char *name, const char *const *known, struct error *err) {
    char all[900] = "";
    struct suggestion near = suggestion_for(name);
    for (size_t i = 0; known[i]; i++) {
        suggestion_consider(&near, known[i]);
        text_append(all, sizeof all, "%s%s", i ? ", " : "", known[i]);
    }
    return error_set(err, "unknown %s '%s'%s; known: %s", what, name, suggestion_text(&near, ""), all);
}

char *cli_keep(const char *text) {
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
    for (char *rest = cli_keep(list), *name; (name = strsep(&rest, ","));) {
        const char *match = known ? NULL : name;
        for (size_t i = 0; known && known[i]; i++)
            if (strcasecmp(known[i], name) == 0)
                match = known[i];
        if (!match || !*name)
            return known ? list_known(what, name, known, err) : error_set(err, "empty name in '%s'", list);
        if (*count == max)
            return error_set(err, "too many names in '%s': at most %zu", list, max);
        out[(*count)++] = match;
    }
    return true;
}

const struct cli_set *cli_set_of(const char *argument) {
    for (const struct cli_set *set = cli_sets; argument && set->argument; set++) {
        const size_t length = strlen(set->argument);
        if (strncmp(set->argument, argument, length) == 0 && (!argument[length] || strchr(" ,", argument[length])))
            return set;
    }
    return NULL;
}

const char *cli_set_name(const struct cli_set *set, size_t index) {
    return set->names ? set->names[index] : set->name(index);
}

bool cli_set_names(const struct cli_set *set, const char *list, const char **out, size_t max, size_t *count,
                   struct error *err) {
    const char *known[SET_MAX + 2] = {NULL};
    size_t names = 0;
    for (; names < SET_MAX && cli_set_name(set, names); names++)
        known[names] = cli_set_name(set, names);
    known[names] = set->free;
    return cli_names(list, set->what, set->what ? known : NULL, out, max, count, err);
}

/* NULL: none, or the command has no such option. */
static const struct cli_set *set_of_option(const struct arguments *arguments, const char *name) {
    const struct cli_option *option = cli_option_at(arguments->command, cli_row_of(arguments->command, name));
    return option ? cli_set_of(option->argument) : NULL;
}

bool cli_chosen(const struct arguments *arguments, const char *option, const char **out, size_t max, size_t *count,
                struct error *err) {
    const char *value = cli_value(arguments, option);
    *count = 0;
    return !value || cli_set_names(set_of_option(arguments, option), value, out, max, count, err);
}

size_t cli_choice(const struct arguments *arguments, const char *option, size_t otherwise) {
    const struct cli_set *set = set_of_option(arguments, option);
    const char *value = cli_value(arguments, option);
    for (size_t i = 0; value && cli_set_name(set, i); i++)
        if (strcasecmp(cli_set_name(set, i), value) == 0)
            return i;
    return otherwise;
}

const char *cli_help(const struct cli_option *option, char out[CLI_HELP_BYTES]) {
    const struct cli_set *set = cli_set_of(option->argument);
    const char *place = set ? strstr(option->help, "{}") : NULL;
    if (!place)
        return option->help;
    snprintf(out, CLI_HELP_BYTES, "%.*s", (int)(place - option->help), option->help);
    for (size_t i = 0; cli_set_name(set, i); i++)
        text_append(out, CLI_HELP_BYTES, "%s%s", i ? ", " : "", cli_set_name(set, i));
    text_append(out, CLI_HELP_BYTES, "%s", place + strlen("{}"));
    return out;
}

bool cli_number(const char *text, const char *what, double *out, struct error *err) {
    char *end;
    errno = 0;
    *out = strtod(text, &end);
    if (errno || end == text || *end || !isfinite(*out) || *out <= 0)
        return error_set(err, "%s must be a positive number, not '%s'", what, text);
    return true;
}

bool cli_duration(const char *text, const char *what, double *seconds, struct error *err) {
    static const double MOST_S = 366 * 86400.0;
    static const struct {
        const char *name;
        double seconds;
    } UNITS[] = {{"", 1}, {"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}};
    char *end = (char *)text;
    const double number = isdigit((unsigned char)*text) && !strpbrk(text, "xX") ? strtod(text, &end) : 0;
    for (size_t i = 0; i < sizeof UNITS / sizeof UNITS[0]; i++)
        if (strcmp(end, UNITS[i].name) == 0 && number > 0 && number * UNITS[i].seconds <= MOST_S) {
            *seconds = number * UNITS[i].seconds;
            return true;
        }
    return error_set(err, "%s takes a time such as 30 (seconds), 30s, 10m, 6h or 2d, up to a year; not '%s'", what,
                     text);
}
