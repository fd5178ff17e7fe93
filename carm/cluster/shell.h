/* SPDX-License-Identifier: BSD-3-Clause
 * A command line of the shell: run, and its output read line by line. */
#pragma once

#include <stdbool.h>

struct error;

/* Gets each line of standard output, without its end; NULL: nobody. */
struct shell_reader {
    void (*line)(void *context, char *line);
    void *context;
};

/* Runs it to its end and returns its status, as from waitpid(). `*said` gets its standard error, to be freed.
 * `stop_signal` is sent to it when carmine is stopped (cli_stopped()), and SIGKILL if it does not end then; 0: carmine
 * waits for it. Error, and -1: it cannot be started. */
int shell_run(const char *text, int stop_signal, const struct shell_reader *reader, char **said, struct error *err);

/* The same for one that must succeed, and is not stopped. Error: its last words. */
bool shell_lines(const char *text, const struct shell_reader *reader, struct error *err);
