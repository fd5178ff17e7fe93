/* SPDX-License-Identifier: BSD-3-Clause
 * Commands, their options, and the parser of command lines. --help, the completion of shells and the man page are made
 * from the same tables. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct command;
struct error;

enum { CLI_DONE = 0, CLI_NO = 1, CLI_ERROR = 2 }; /* exit status: done; a check failed; wrong usage or an error */

struct cli_option {
    const char *name;     /* "threads"; the row with name NULL ends the table */
    char letter;          /* 'o', or 0 */
    const char *argument; /* "N,…"; "[=N]": optional, only after '=', "[=word]": this word; NULL: a switch; the name of
                             a set: its values */
    const char *help;     /* "{}" stands for the values of the set */
};

/* Values that options take by name: one place for parsing, help, completion and manual page. An option with the set's
 * argument takes one value, with ",…" after it a list. */
struct cli_set {
    const char *argument;     /* "STYLE"; the row with argument NULL ends the table */
    const char *what;         /* "style", for errors; NULL: the command takes other values too, and checks them */
    const char *const *names; /* ends with NULL; or */
    const char *(*name)(size_t index); /* a function for another table; NULL at the end */
    const char *free; /* "font=NAME": the command checks words of a list that begin so, up to the sign */
};
extern const struct cli_set cli_sets[];

/* The set of an option's argument, or of the first of several operands. NULL: none. */
const struct cli_set *cli_set_of(const char *argument);
const char *cli_set_name(const struct cli_set *set, size_t index); /* NULL at the end */

/* The option's help with the values of its set filled in. */
enum { CLI_HELP_BYTES = 640 };
const char *cli_help(const struct cli_option *option, char out[CLI_HELP_BYTES]);

/* The command's forms in one sentence, "--json, --csv (a row per roof)"; "": it has none. */
const char *cli_forms_text(const struct command *command, char out[CLI_HELP_BYTES]);
bool cli_is_form(const struct cli_option *option);

/* Whether the value is optional; without it, it is "". */
bool cli_value_optional(const struct cli_option *option);

enum { CLI_MAX_OPTIONS = 48 };

/* The forms of an answer other than text: a switch each, at most one of them given. */
enum cli_form { CLI_JSON, CLI_CSV, CLI_MARKDOWN, CLI_LATEX, CLI_FORMS };
extern const struct cli_option cli_forms[CLI_FORMS];

/* A former name of an option. It still works, with a notice of the current spelling. Help, manual and completion omit
 * it. */
struct cli_old_option {
    const char *name;   /* "per-cycle"; the row with name NULL ends the table */
    char letter;        /* 'o', or 0 */
    const char *option; /* "per" */
    const char *value;  /* "cycle"; "" for a switch; NULL: takes the option's value */
};

/* A removed option or value. Its use is an error that names the successor. */
struct cli_gone {
    const char *command; /* "app"; NULL: every command */
    const char *option;  /* "plot"; the row with option NULL ends the table */
    const char *value;   /* shell pattern, such as "*.tex"; NULL: the option itself was removed */
    const char *last;    /* the last version with it */
    const char *instead; /* the successor; follows a semicolon */
};
extern const struct cli_gone cli_gone_options[];

struct cli_example {
    const char *line; /* a complete command line; the row with line NULL ends the table */
    const char *what; /* its effect */
};

#define CLI_ANY_NUMBER ((size_t)-1) /* operands */

struct arguments {
    const struct command *command;
    const char *values[CLI_MAX_OPTIONS]; /* by row of cli_option_at(); "" without a value; NULL: not given */
    const char *places[CLI_MAX_OPTIONS]; /* where a default comes from: "CARMINE_STYLE"; NULL: typed, or not given */
    size_t operand_count;
    char *const *operands; /* within the parsed command line */
    char *const *program;  /* program and its arguments, NULL-terminated, for commands with runs_program */
    bool help;             /* --help was given: nothing else is checked */
    const char *line;      /* the command line as typed */
};

struct command {
    const char *name;
    const char *operands; /* "FILE…", for the usage line */
    size_t operands_min, operands_max;
    bool runs_program;        /* the first operand is a program; all words after it are its arguments */
    const char *files_option; /* "merge": if this option comes first, the operands are files; NULL: none */
    const char *summary;      /* one line */
    const char *description;  /* paragraphs */
    const struct cli_option *options;
    const char *forms[CLI_FORMS];     /* NULL: not this form; "": as usual; else what differs: "a row per roof" */
    const struct cli_old_option *old; /* NULL: none */
    const struct cli_example *examples;
    int (*run)(const struct arguments *arguments, struct error *err); /* CLI_ERROR: err says why */
};

extern const struct cli_option cli_common[];

/* The command's options one by one: its own, its forms, and the common ones that it does not define itself. NULL at the
 * end. */
const struct cli_option *cli_option_at(const struct command *command, size_t row);

/* Error: the option and its allowed values. The caller prints the help. */
bool cli_parse(const struct command *command, int argc, char **argv, struct arguments *out, struct error *err);

/* Fills in the user's defaults of options that were not typed: from CARMINE_COMMAND_OPTION, CARMINE_OPTION, then
 * "command.option = value" and "option = value" in ~/.config/carmine/config. A switch takes yes or no. `commands` ends
 * with NULL. Error: a value that the option does not take; a line of the file whose option none of the commands has. */
bool cli_defaults(struct arguments *arguments, const struct command *const *commands, struct error *err);

/* Checks a value and stores it. Error: the option does not take it. */
bool cli_take(const struct command *command, const struct cli_option *option, const char *given, const char **value,
              struct error *err);

/* A copy that is never freed, like the command line itself. */
char *cli_keep(const char *text);

/* The option's value; NULL: not given. The name must be in the command's table. */
const char *cli_value(const struct arguments *arguments, const char *name);
bool cli_knows(const struct arguments *arguments, const char *name); /* whether the command has such an option */
bool cli_given(const struct arguments *arguments, const char *name);
bool cli_typed(const struct arguments *arguments, const char *name); /* given, and not by a default */

/* Splits "a,b,c" into at most `max` names, each in `known` (NULL-terminated; NULL: any). The names stay valid. Error:
 * an unknown name, with a list of the known ones; too many. */
bool cli_names(const char *list, const char *what, const char *const *known, const char **out, size_t max,
               size_t *count, struct error *err);

/* The same for names of a set, in the set's spelling. */
bool cli_set_names(const struct cli_set *set, const char *list, const char **out, size_t max, size_t *count,
                   struct error *err);

/* The values of an option with a set. Not given: none, and `out` is unchanged. Error: too many. */
bool cli_chosen(const struct arguments *arguments, const char *option, const char **out, size_t max, size_t *count,
                struct error *err);

/* The index of an option's value in its set; `otherwise` if not given. */
size_t cli_choice(const struct arguments *arguments, const char *option, size_t otherwise);

/* Error: not a positive number. */
bool cli_number(const char *text, const char *what, double *out, struct error *err);

/* A time: 30 or 30s, 10m, 6h or 2d, up to a year. */
bool cli_duration(const char *text, const char *what, double *seconds, struct error *err);

/* Set by SIGINT, SIGTERM, SIGQUIT and SIGHUP after cli_catch_signals(). A second signal ends the program. A write to a
 * closed pipe is then an error instead of a signal. */
extern atomic_int cli_stop; /* for what stops by such a variable (probe/stop.h) */
bool cli_stopped(void);
void cli_catch_signals(void);
