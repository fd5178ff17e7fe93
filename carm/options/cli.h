/* SPDX-License-Identifier: BSD-3-Clause
 * What a command is, and how its command line is read. The same tables are the source of --help, of the shells'
 * completion and of the man page. */
#ifndef CARM_CLI_H
#define CARM_CLI_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "probe/error.h"

enum { CLI_DONE = 0, CLI_NO = 1, CLI_ERROR = 2 }; /* exit status: done; a check said no; wrong usage or impossible */

struct cli_option {
    const char *name;     /* "threads"; the row with name NULL ends the table */
    char letter;          /* 'o', or 0 */
    const char *argument; /* "N,…"; "[=N]": only behind a '=', or none; NULL for a switch; that of a set: its values */
    const char *help;     /* "{}" stands for the values of its set */
};

/* Values that options take by name. They stand here once for parsing, help, completion and manual page: an option whose
 * argument is the set's takes one of them, with ",…" behind it a list. */
struct cli_set {
    const char *argument;     /* "STYLE"; the row with argument NULL ends the table */
    const char *what;         /* "style", as errors call one; NULL: the command takes others, too, and checks them */
    const char *const *names; /* NULL ends them; or */
    const char *(*name)(size_t index); /* from another table; NULL behind the last */
};
extern const struct cli_set cli_sets[];

/* The set of an option's argument, or of the first of several operands; NULL: it has none. */
const struct cli_set *cli_set_of(const char *argument);
const char *cli_set_name(const struct cli_set *set, size_t index); /* NULL behind the last */

/* The option's help with the values of its set. */
enum { CLI_HELP_BYTES = 640 };
const char *cli_help(const struct cli_option *option, char out[CLI_HELP_BYTES]);

/* Whether its value may be left out, and is then "". */
bool cli_value_optional(const struct cli_option *option);

enum { CLI_MAX_OPTIONS = 32 };
/* What an option was once called. It is understood, a line on standard error says how it is spelled now, and help,
 * manual and completion pass over it. */
struct cli_old_option {
    const char *name;   /* "per-cycle"; the row with name NULL ends the table */
    char letter;        /* 'o', or 0 */
    const char *option; /* "per" */
    const char *value;  /* "cycle", "" of a switch; NULL: it takes one, as the option does */
};

/* An option, or a value of one, that is gone. Giving it is an error that says what to use instead. */
struct cli_gone {
    const char *command; /* "app"; NULL: of every command */
    const char *option;  /* "plot"; the row with option NULL ends the table */
    const char *value;   /* a pattern of the shell, such as "*.tex"; NULL: the option itself is gone */
    const char *since;   /* the first version without it */
    const char *instead; /* the successor, as a sentence goes on behind a semicolon */
};
extern const struct cli_gone cli_gone_options[];

struct cli_example {
    const char *line; /* a whole command line, as it is typed; the row with line NULL ends the table */
    const char *what; /* comes of it */
};

#define CLI_ANY_NUMBER ((size_t)-1) /* of operands */

struct arguments {
    const struct command *command;
    const char *values[CLI_MAX_OPTIONS]; /* by row of the command's options; "" without a value; NULL: not given */
    size_t operand_count;
    char *const *operands; /* in the command line that was parsed */
    char *const *program;  /* of a command that runs one: the program and its arguments, NULL-terminated */
    bool help;             /* --help was given; then nothing else is checked */
    const char *line;      /* the command line as typed */
};

struct command {
    const char *name;
    const char *operands; /* "FILE…", for the usage line */
    size_t operands_min, operands_max;
    bool runs_program;        /* its first operand ends the options: a program, whose arguments are its own */
    const char *files_option; /* "merge": behind this option, as the first, come files instead; NULL: there is none */
    const char *summary;      /* one line */
    const char *description;  /* paragraphs */
    const struct cli_option *options;
    const struct cli_old_option *old; /* NULL: none */
    const struct cli_example *examples;
    int (*run)(const struct arguments *arguments, struct error *err); /* CLI_ERROR: err says why */
};

/* Errors name the option and what it takes. Printing the help is left to the caller. */
bool cli_parse(const struct command *command, int argc, char **argv, struct arguments *out, struct error *err);

/* The option's value, NULL when it was not given; the name must be in the command's table. */
const char *cli_value(const struct arguments *arguments, const char *name);
bool cli_knows(const struct arguments *arguments, const char *name); /* whether the command has such an option */
bool cli_given(const struct arguments *arguments, const char *name);

/* Splits "a,b,c" into at most `max` names, each found in `known` (NULL-terminated; NULL: any). The names point into
 * storage that lasts. Error: an unknown name (the known ones are listed), too many. */
bool cli_names(const char *list, const char *what, const char *const *known, const char **out, size_t max,
               size_t *count, struct error *err);

/* The same for names of a set, which is the set's spelling. */
bool cli_set_names(const struct cli_set *set, const char *list, const char **out, size_t max, size_t *count,
                   struct error *err);

/* The values of an option that has a set; none, and `out` as it was, where it is not given. Error: too many. */
bool cli_chosen(const struct arguments *arguments, const char *option, const char **out, size_t max, size_t *count,
                struct error *err);

/* The number of the value of an option in its set, which takes no others; `otherwise` where it is not given. */
size_t cli_choice(const struct arguments *arguments, const char *option, size_t otherwise);

/* A positive number. */
bool cli_number(const char *text, const char *what, double *out, struct error *err);

/* A time with its unit, 30s, 10m, 6h or 2d, up to a year. */
bool cli_duration(const char *text, const char *what, double *seconds, struct error *err);

/* Set by SIGINT, SIGTERM, SIGQUIT and SIGHUP once cli_catch_signals() was called; a second signal ends the program.
 * From then on a write to a closed pipe is an error, and no signal. */
extern volatile sig_atomic_t cli_stop;
void cli_catch_signals(void);

#endif
