/* SPDX-License-Identifier: BSD-3-Clause
 * Defaults of options that a user has chosen: in the environment, and in a file of lines "option = value". */
#include "cli.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "carm/store/file_io.h"
#include "carm/import/import_text.h"
#include "carm/text/notice.h"
#include "carm/text/suggestion.h"
#include "probe/error.h"
#include "probe/need.h"

enum { MOST_BYTES = 64 << 10, NAME_BYTES = 64, PATH_BYTES = 4096 };

/* Options whose meaning is the same in every command: only these can have a default for all of them. */
static const char *const EVERYWHERE[] = {"quiet",    "style", "size",      "json",  "csv",
                                         "markdown", "latex", "statistic", "pages", NULL};

static bool is_one_of(const char *name, const char *const *names) {
    for (; *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

/* The file's text, cut into lines: its values are the options'. */
struct config {
    char path[PATH_BYTES];
    size_t count;
    struct config_line {
        unsigned number;
        const char *name, *value; /* "plot.style", "paper" */
    } * lines;
};

/* False: there is none. */
static bool find_file(char path[PATH_BYTES]) {
    const char *folder = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    const bool own = folder && *folder == '/';
    const int length = snprintf(path, PATH_BYTES, "%s%s/carmine/config",
                                own    ? folder
                                : home ? home
                                       : "",
                                own ? "" : "/.config");
    return (own || home) && length < PATH_BYTES && access(path, F_OK) == 0 && !file_is_folder(path) &&
           !file_is_stream(path);
}

/* Without blanks and the line end of other systems. */
static char *trimmed(char *text) {
    text[strcspn(text, "\r")] = '\0';
    return import_trim(text);
}

/* Whether only this user, or root, can have written the file: its lines name files that are replaced. ssh and git ask
 * the same of theirs. */
static bool is_own(const char *path, const struct stat *status, struct error *err) {
    if (status->st_uid != geteuid() && status->st_uid != 0)
        return error_set(err, "%s belongs to another user (number %u): `chown` it, or set XDG_CONFIG_HOME", path,
                         (unsigned)status->st_uid);
    return !(status->st_mode & S_IWOTH) || error_set(err, "all users may write %s: `chmod o-w` it", path);
}

/* The text lives as long as the options' values. NULL: no file. Error: it is too large, cannot be read, or is not the
 * user's. */
static bool read_text(struct config *config, char **out, struct error *err) {
    static char *kept;
    static const char MARK[] = "\xef\xbb\xbf"; /* of UTF-8, by editors of other systems */
    struct stat status;
    size_t length;
    free(kept);
    *out = kept = NULL;
    if (!find_file(config->path))
        return true;
    const bool found = stat(config->path, &status) == 0;
    if (found && !is_own(config->path, &status, err))
        return false;
    if (found && status.st_size > MOST_BYTES)
        return error_set(err, "%s: larger than %d KiB: no file of defaults", config->path, MOST_BYTES >> 10);
    if (!file_read(config->path, MOST_BYTES, &kept, &length, err))
        return kept = NULL, false;
    *out = kept + (strncmp(kept, MARK, strlen(MARK)) == 0 ? strlen(MARK) : 0);
    return true;
}

/* Error: a line is no "option = value", besides those of read_text(). */
static bool read_config(struct config *out, struct error *err) {
    char *line, *rest;
    unsigned number = 0;
    if (!read_text(out, &rest, err))
        return false;
    while (rest && (line = strsep(&rest, "\n"))) {
        number++;
        char *value = strchr(line, '=');
        line = trimmed(line);
        if (!*line || *line == '#')
            continue;
        if (!value)
            return error_set(err, "%s:%u: '%s' is no line \"option = value\"", out->path, number, line);
        *value++ = '\0';
        out->lines = need_realloc(out->lines, (out->count + 1) * sizeof *out->lines);
        out->lines[out->count++] = (struct config_line){number, trimmed(line), trimmed(value)};
    }
    return true;
}

static bool has_option(const struct command *command, const char *name) {
    return strcmp(name, "help") != 0 && cli_knows(&(struct arguments){.command = command}, name);
}

/* The row of a removed option, named with its command ("plot.term") or without; NULL: it is none. */
static const struct cli_gone *gone_option(const char *name) {
    const char *dot = strchr(name, '.'), *option = dot ? dot + 1 : name;
    for (const struct cli_gone *row = cli_gone_options; row->option; row++)
        if (!row->value && strcmp(row->option, option) == 0 &&
            (!dot || !row->command ||
             (strncmp(row->command, name, (size_t)(dot - name)) == 0 && !row->command[dot - name])))
            return row;
    return NULL;
}

static bool refuse_line(const struct config *config, const struct config_line *line, struct error *err) {
    const struct cli_gone *gone = gone_option(line->name);
    return gone ? error_set(err, "%s:%u: %s was removed after %s; %s", config->path, line->number, line->name,
                            gone->last, gone->instead)
                : error_set(err, "%s:%u: no command has an option '%s'; see carmine COMMAND --help", config->path,
                            line->number, line->name);
}

/* Error: no command has the option of a line, or there is no such command. */
static bool check_names(const struct config *config, const struct command *const *commands, struct error *err) {
    for (size_t i = 0; i < config->count; i++) {
        const char *name = config->lines[i].name, *dot = strchr(name, '.');
        bool known = false;
        for (size_t c = 0; commands[c]; c++)
            known |= (!dot || (strlen(commands[c]->name) == (size_t)(dot - name) &&
                               strncmp(commands[c]->name, name, (size_t)(dot - name)) == 0)) &&
                     has_option(commands[c], dot ? dot + 1 : name);
        if (!known)
            return refuse_line(config, &config->lines[i], err);
        if (!dot && !is_one_of(name, EVERYWHERE))
            return error_set(err, "%s:%u: commands differ in %s: name one, as in run.%s", config->path,
                             config->lines[i].number, name, name);
    }
    return true;
}

/* "CARMINE_PLOT_STYLE" or, without a command, "CARMINE_STYLE". */
static const char PREFIX[] = "CARMINE_";
static const char *variable_name(const char *command, const char *option, char name[NAME_BYTES]) {
    snprintf(name, NAME_BYTES, "%s%s%s%s", PREFIX, command, *command ? "_" : "", option);
    for (char *c = name; *c; c++)
        *c = *c == '-' ? '_' : (char)toupper((unsigned char)*c);
    return name;
}

/* NULL: unset or empty. */
static const char *variable(const char *command, const char *option, char name[NAME_BYTES]) {
    const char *value = getenv(variable_name(command, option, name));
    return value && *value ? value : NULL;
}

/* Considers the variables of a command's options. Whether `given` is one of them. */
static bool consider_variables(const struct command *command, const char *given, struct suggestion *near) {
    const size_t prefix = sizeof PREFIX - 1;
    const struct cli_option *option;
    char name[NAME_BYTES];
    for (size_t i = 0; (option = cli_option_at(command, i)); i++) {
        const char *own = cli_keep(variable_name(command->name, option->name, name) + prefix);
        const bool everywhere = is_one_of(option->name, EVERYWHERE),
                   same = strcmp(variable_name("", option->name, name) + prefix, given) == 0;
        if (strcmp(own, given) == 0 || (same && everywhere))
            return true;
        if (same && (!near->name || near->distance > 0)) /* its command is missing */
            near->name = own, near->distance = 0;
        suggestion_consider(near, own);
        if (everywhere)
            suggestion_consider(near, cli_keep(name + prefix));
    }
    return false;
}

/* The row of the removed option whose default the variable was, with or without its command; NULL: it is none. */
static const struct cli_gone *gone_variable(const struct command *const *commands, const char *given) {
    const size_t prefix = sizeof PREFIX - 1;
    char name[NAME_BYTES];
    for (const struct cli_gone *row = cli_gone_options; row->option; row++) {
        if (row->value)
            continue;
        if (strcmp(variable_name("", row->option, name) + prefix, given) == 0)
            return row;
        for (size_t c = 0; commands[c]; c++)
            if ((!row->command || strcmp(row->command, commands[c]->name) == 0) &&
                strcmp(variable_name(commands[c]->name, row->option, name) + prefix, given) == 0)
                return row;
    }
    return NULL;
}

/* Notes a variable that is nearly that of a default, or of a removed option: it has no effect. */
static void note_misspelt(const struct command *const *commands) {
    extern char **environ;
    for (char **entry = environ; *entry; entry++) {
        char *given = *entry;
        if (strncmp(given, PREFIX, sizeof PREFIX - 1) != 0 || !strchr(given, '='))
            continue;
        given = cli_keep(given + sizeof PREFIX - 1);
        *strchr(given, '=') = '\0';
        struct suggestion near = suggestion_for(given);
        bool known = false;
        for (size_t c = 0; commands[c] && !known; c++)
            known = consider_variables(commands[c], given, &near);
        const struct cli_gone *gone = known ? NULL : gone_variable(commands, given);
        if (gone)
            notice_print("%s%s was removed after %s; %s", PREFIX, given, gone->last, gone->instead);
        else if (!known && near.name)
            notice_print("%s%s has no effect%s", PREFIX, given, suggestion_text(&near, PREFIX));
    }
}

/* The last line counts, as the last option of a command line does. */
static const char *configured(const struct config *config, const char *command, const char *option) {
    const char *value = NULL;
    char name[NAME_BYTES];
    snprintf(name, sizeof name, "%s%s%s", command, *command ? "." : "", option);
    for (size_t i = 0; i < config->count; i++)
        if (strcmp(config->lines[i].name, name) == 0)
            value = config->lines[i].value;
    return value;
}

/* The default of an option, and where it is from; NULL: none. */
static const char *find_default(const struct config *config, const char *command, const char *option,
                                const char **place) {
    char name[NAME_BYTES];
    const char *const commands[] = {command, ""}, *value;
    const size_t count = is_one_of(option, EVERYWHERE) ? 2 : 1;
    for (size_t i = 0; i < count; i++)
        if ((value = variable(commands[i], option, name)))
            return *place = cli_keep(name), value;
    for (size_t i = 0; i < count; i++)
        if ((value = configured(config, commands[i], option)))
            return *place = cli_keep(config->path), value;
    return NULL;
}

/* Error: neither yes nor no. */
static bool read_switch(const char *text, bool *on, struct error *err) {
    static const char *const WORDS[] = {"no", "0", "false", "yes", "1", "true"}; /* the first three: off */
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++)
        if (strcasecmp(WORDS[i], text) == 0)
            return *on = i >= 3, true;
    return error_set(err, "a switch takes yes or no, not '%s'", text);
}

/* Whether a form of output is chosen already: by the command line, or by an earlier default. */
static bool has_form(const struct arguments *arguments) {
    for (size_t i = 0; i < CLI_FORMS; i++)
        if (cli_given(arguments, cli_forms[i].name))
            return true;
    return cli_given(arguments, "format");
}

/* Gives the option of this row its default, if it has one. */
static bool take_default(struct arguments *arguments, size_t row, const struct config *config, struct error *err) {
    const struct cli_option *option = cli_option_at(arguments->command, row);
    const char *place, *value = find_default(config, arguments->command->name, option->name, &place);
    struct error why;
    bool on = true;
    if (!value || arguments->values[row] || strcmp(option->name, "help") == 0 ||
        (cli_is_form(option) && has_form(arguments)))
        return true;
    const bool switched = (!option->argument || cli_value_optional(option)) && read_switch(value, &on, &why);
    if ((!option->argument && !switched) ||
        (on && !cli_take(arguments->command, option, switched ? "" : value, &arguments->values[row], &why)))
        return error_set(err, "the default of --%s in %s: %s", option->name, place, why.text);
    arguments->places[row] = on ? place : NULL;
    return true;
}

bool cli_defaults(struct arguments *arguments, const struct command *const *commands, struct error *err) {
    struct config config = {.count = 0};
    note_misspelt(commands);
    bool done = read_config(&config, err) && check_names(&config, commands, err);
    for (size_t i = 0; done && cli_option_at(arguments->command, i); i++)
        done = take_default(arguments, i, &config, err);
    free(config.lines);
    return done;
}
