/* SPDX-License-Identifier: BSD-3-Clause
 * What the rows of engines share (see engine.h). */
#include "engine.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "carm/text/shell_word.h"
#include "probe/need.h"

/* Beginnings of Slurm's states of nodes that take no job. */
static const char *const AWAY[] = {"down", "drain", "fail", "future", "inval", "unk"};

char *engine_command(const struct engine_request *request,
                     void (*write)(const struct engine_request *request, FILE *out)) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = need_made(open_memstream(&text, &bytes));
    write(request, out);
    fclose(out);
    return need_made(text);
}

void engine_word(FILE *out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *word = need_malloc((size_t)length + 1);
    va_start(arguments, format);
    vsnprintf(word, (size_t)length + 1, format, arguments);
    va_end(arguments);
    char *quoted = shell_word(word);
    fprintf(out, " %s", quoted);
    free(quoted);
    free(word);
}

void engine_words(FILE *out, char *const *words) {
    for (size_t i = 0; words[i]; i++)
        engine_word(out, "%s", words[i]);
}

/* A '*' behind the state: the node does not respond. */
static bool is_away(const char *state) {
    bool away = strchr(state, '*') != NULL;
    for (size_t i = 0; i < sizeof AWAY / sizeof AWAY[0]; i++)
        away |= strncasecmp(state, AWAY[i], strlen(AWAY[i])) == 0;
    return away;
}

void engine_input(FILE *out, const struct engine_request *request) {
    if (request->input) {
        fputs(" <", out);
        engine_word(out, "%s", request->input);
    }
}

bool engine_read_node(const char *line, struct engine_node *out) {
    char state[32] = "", reason[100] = "";
    *out = (struct engine_node){.has_state = strchr(line, '|') != NULL};
    if (sscanf(line, "%63[^| \t\r\n]|%31[^|]|%99[^\r\n]", out->name, state, reason) < 1)
        return false;
    const char *behind = line + strlen(out->name);
    if (*behind != '|' && behind[strspn(behind, " \t\r\n")]) /* words, or half of another node's name */
        return false;
    /* The name becomes a file's name and a word of a command. */
    if (strspn(out->name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.") != strlen(out->name) ||
        out->name[0] == '.' || out->name[0] == '-')
        return false;
    if (strcmp(reason, "none") == 0)
        snprintf(reason, sizeof reason, "%s", strchr(state, '*') ? "not responding" : "");
    if (is_away(state))
        snprintf(out->unavailable, sizeof out->unavailable, "%s%s%s", state, *reason ? ": " : "", reason);
    return true;
}
