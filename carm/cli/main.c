/* SPDX-License-Identifier: BSD-3-Clause
 * The program: finds the command, parses, runs it, and returns the exit status. */
#include "commands.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "bench/programs/child.h"
#include "carm/text/suggestion.h"
#include "carm/options/view_options.h"
#include "carm/store/fields.h"
#include "carm/text/notice.h"
#include "carm/text/safe_output.h"
#include "carm/text/table.h"
#include "probe/error.h"
#include "probe/need.h"

static const struct command *find_command(const char *name) {
    for (size_t i = 0; commands_table[i]; i++)
        if (strcmp(commands_table[i]->name, name) == 0)
            return commands_table[i];
    return NULL;
}

static int refuse_command(const char *name) {
    static const char *const OTHERS[] = {"help", "--help", "--version", "--completion", "--man", "--schema"};
    struct suggestion near = suggestion_for(name);
    for (size_t i = 0; commands_elsewhere[i]; i++)
        if (strcmp(commands_elsewhere[i], name) == 0) {
            notice_print("this carmine-node has no %s; the whole carmine has", name);
            return CLI_ERROR;
        }
    for (size_t i = 0; commands_table[i]; i++)
        suggestion_consider(&near, commands_table[i]->name);
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++)
        suggestion_consider(&near, OTHERS[i]);
    notice_print("no command '%s'%s; carmine --help lists them", name, suggestion_text(&near, ""));
    return CLI_ERROR;
}

static int help_of(const char *name) {
    const struct command *command = find_command(name);
    if (strcmp(name, "agents") == 0) {
        help_print_agents();
        return CLI_DONE;
    }
    if (!command)
        return refuse_command(name);
    help_print(command);
    return CLI_DONE;
}

/* NULL: of the program. */
static int manual_of(const char *name) {
    const struct command *command = name ? find_command(name) : NULL;
    if (name && !command)
        return refuse_command(name);
    help_print_man(command);
    return CLI_DONE;
}

static int completion_of(const char *shell) {
    struct error err;
    if (help_print_completion(shell, &err))
        return CLI_DONE;
    notice_print("%s", err.text);
    return CLI_ERROR;
}

/* NULL: their names. */
static int schema_of(const char *name) {
    json_t *schema = name ? schema_make(name) : NULL;
    struct suggestion near = suggestion_for(name ? name : "");
    for (size_t i = 0; schema_name(i) && !schema; i++) {
        suggestion_consider(&near, schema_name(i));
        if (!name)
            puts(schema_name(i));
    }
    if (name && !schema) {
        notice_print("no schema '%s'%s; carmine --schema lists them", name, suggestion_text(&near, ""));
        return CLI_ERROR;
    }
    if (schema)
        fields_print(schema);
    return CLI_DONE;
}

/* An error if help was not requested: the command is missing. */
static int help_of_all(bool asked) {
    help_print(NULL);
    return asked ? CLI_DONE : CLI_ERROR;
}

static bool is_one_of(const char *word, const char *name, const char *letter) {
    return strcmp(word, name) == 0 || strcmp(word, letter) == 0;
}

/* " --style paper" for each of the user's defaults. */
static void print_defaults(const struct arguments *arguments, FILE *out) {
    const struct cli_option *option;
    for (size_t i = 0; (option = cli_option_at(arguments->command, i)); i++)
        if (arguments->places[i])
            fprintf(out, " --%s%s%s", option->name,
                    !*arguments->values[i]       ? ""
                    : cli_value_optional(option) ? "="
                                                 : " ",
                    arguments->values[i]);
}

/* The command line as one text, for the result file: defaults stand as if they were typed. To be freed. */
static char *join(int argc, char **argv, const struct arguments *arguments) {
    char *line = NULL;
    size_t length;
    FILE *out = need_made(open_memstream(&line, &length));
    for (int i = 0; i < argc; i++) {
        fprintf(out, "%s%s", i ? " " : "", argv[i]);
        if (i == 1)
            print_defaults(arguments, out);
    }
    fclose(out);
    return need_made(line);
}

/* The error that ended the command; where an option that it names was not typed, its place. */
static void refuse(const struct arguments *arguments, const char *why) {
    const struct cli_option *option;
    struct error text;
    char name[64];
    error_set(&text, "%s", why);
    for (size_t i = 0; (option = cli_option_at(arguments->command, i)); i++) {
        snprintf(name, sizeof name, "--%s", option->name);
        if (arguments->places[i] && strstr(why, name) && !strstr(why, arguments->places[i]))
            error_set(&text, "%s; your default of %s is in %s", why, name, arguments->places[i]);
    }
    notice_error(arguments->command->name, text.text);
}

/* An error if the output could not be written: the disk is full, or a pipe is closed. */
static int finish(int status) {
    if (fflush(stdout) != 0 || ferror(stdout)) {
        notice_print("cannot write the output; is the disk full, or `ulimit -f` too low?");
        return CLI_ERROR;
    }
    return status;
}

/* Opens /dev/null for closed streams. The next opened file would get their number, and messages would be written into
 * it. */
static void hold_streams(void) {
    int held;
    do
        held = open("/dev/null", O_RDONLY); /* so that writing still fails */
    while (held >= 0 && held <= STDERR_FILENO);
    if (held >= 0)
        close(held);
}

/* With a smaller stack a command may crash anywhere. */
static bool has_stack(void) {
    enum { LEAST_BYTES = 256 << 10 };
    struct rlimit stack;
    return getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur >= LEAST_BYTES;
}

/* All forms but text are data. Error: two forms of output are chosen. */
static bool choose_form(const struct arguments *arguments, struct error *err) {
    enum cli_form chosen = CLI_FORMS;
    for (enum cli_form i = 0; i < CLI_FORMS; i++) {
        if (!cli_given(arguments, cli_forms[i].name))
            continue;
        if (chosen < CLI_FORMS)
            return error_set(err, "--%s and --%s are two forms of output: choose one", cli_forms[chosen].name,
                             cli_forms[i].name);
        chosen = i;
    }
    if (chosen < CLI_FORMS || cli_given(arguments, "format"))
        safe_output_data();
    table_use(chosen == CLI_LATEX ? TABLE_LATEX : chosen == CLI_MARKDOWN ? TABLE_MARKDOWN : TABLE_TEXT);
    if (chosen == CLI_LATEX)
        latex_comment_rest();
    return true;
}

/* Results store their date with a year of four digits. */
static void check_date(void) {
    static const time_t AFTER_9999 = 253402300800;
    const time_t now = time(NULL);
    if (now < 0 || now >= AFTER_9999)
        notice_print(
            "the system's clock shows a date outside the years 1970 to 9999: dates in results are wrong; set it "
            "(`date -s`)");
}

static int run(int argc, char **argv, struct arguments *arguments, struct error *err) {
    if (arguments->help) {
        help_print(arguments->command);
        return CLI_DONE;
    }
    if (!cli_defaults(arguments, commands_table, err) || !choose_form(arguments, err))
        return CLI_ERROR;
    notice_quiet(cli_given(arguments, "quiet"));
    check_date();
    char *line = join(argc, argv, arguments);
    arguments->line = line;
    const int status = arguments->command->run(arguments, err);
    free(line);
    return status;
}

int main(int argc, char **argv) {
    hold_streams();
    child_ignore_file_limit();
    safe_output_begin(!terminal_has_utf8());
    if (!has_stack()) {
        notice_print("carmine needs a stack of 256 KiB; raise `ulimit -s`");
        return CLI_ERROR;
    }
    terminal_fit_tables();
    json_set_alloc_funcs(need_malloc, free);
    const char *name = argc > 1 ? argv[1] : "--help";
    if (is_one_of(name, "--help", "-h") || strcmp(name, "help") == 0)
        return finish(argc > 2 ? help_of(argv[2]) : help_of_all(argc > 1));
    if (is_one_of(name, "--version", "-V")) {
        printf("carmine %s\n", CARMINE_VERSION);
        return finish(CLI_DONE);
    }
    if (strcmp(name, "--completion") == 0)
        return finish(completion_of(argc > 2 ? argv[2] : "bash"));
    if (strcmp(name, "--man") == 0)
        return finish(manual_of(argc > 2 ? argv[2] : NULL));
    if (strcmp(name, "--schema") == 0)
        return finish(schema_of(argc > 2 ? argv[2] : NULL));
    const struct command *command = find_command(name);
    if (!command)
        return refuse_command(name);
    struct arguments arguments;
    struct error err = {""};
    int status = CLI_ERROR;
    if (cli_parse(command, argc - 1, argv + 1, &arguments, &err))
        status = run(argc, argv, &arguments, &err);
    if (status != CLI_DONE && err.text[0]) /* a measured program's own status comes without a message */
        refuse(&arguments, err.text);
    return finish(status);
}
