/* SPDX-License-Identifier: BSD-3-Clause
 * Child processes while counting: processes WAY [PROGRAM], where PROGRAM is run instead of this one. Parent and
 * children do work of known flop in region "work"; the sum is printed. */
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "carmine.h"
#include "work.h"

extern char **environ;

enum { PARENT_FLOP = 1000, CHILD_FLOP = 10, CHILD_STATUS = 3 };

static void work_in_region(long flop) {
    carmine_region_begin("work");
    work(flop);
    carmine_region_end("work");
}
static int wait_for(pid_t child) {
    int status;
    waitpid(child, &status, 0);
    return WEXITSTATUS(status);
}

static int fork_only(char **command) {
    (void)command;
    pid_t child = fork();
    if (child == 0) {
        work_in_region(CHILD_FLOP);
        exit(CHILD_STATUS);
    }
    return wait_for(child);
}
static int fork_and_exit_at_once(char **command) {
    (void)command;
    pid_t child = fork();
    if (child == 0) {
        work_in_region(CHILD_FLOP);
        _exit(CHILD_STATUS);
    }
    return wait_for(child);
}
static int fork_and_exec(char **command) {
    pid_t child = fork();
    if (child == 0) {
        execv(command[0], command);
        _exit(127);
    }
    return wait_for(child);
}
static int vfork_and_exec(char **command) {
    pid_t child = vfork();
    if (child == 0) {
        execv(command[0], command);
        _exit(127);
    }
    return wait_for(child);
}
static int vfork_and_fail(char **command) { /* the exec does; a second child does the work */
    pid_t child = vfork();
    if (child == 0) {
        execl("/does/not/exist", "exist", NULL);
        _exit(127);
    }
    return wait_for(child) == 127 ? vfork_and_exec(command) : -1;
}
static int spawn(char **command) {
    pid_t child;
    return posix_spawn(&child, command[0], NULL, NULL, command, environ) == 0 ? wait_for(child) : -1;
}
static int spawn_through_shell(char **command) {
    char line[4096];
    snprintf(line, sizeof line, "%s %s", command[0], command[1]);
    return WEXITSTATUS(system(line));
}
static int spawn_with_pipe(char **command) {
    char line[4096];
    snprintf(line, sizeof line, "%s %s", command[0], command[1]);
    FILE *pipe = popen(line, "r");
    while (fgets(line, sizeof line, pipe))
        fputs(line, stdout);
    return WEXITSTATUS(pclose(pipe));
}
/* A helper that does its part, tells so, and waits for more until its parent ends it. */
static int end_helper(int signal) {
    int told[2];
    char byte = 0;
    if (pipe(told) != 0)
        return -1;
    pid_t child = fork();
    if (child == 0) {
        work_in_region(CHILD_FLOP);
        byte = write(told[1], "", 1) == 1;
        for (;;)
            pause();
    }
    if (read(told[0], &byte, 1) != 1)
        return -1;
    kill(child, signal);
    return wait_for(child);
}
static int terminate(char **command) {
    (void)command;
    return end_helper(SIGTERM);
}
static int kill_helper(char **command) {
    (void)command;
    return end_helper(SIGKILL);
}
static int exec_itself(char **command) { /* the second image of the same process */
    fflush(stdout);
    execv(command[0], command);
    return -1;
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        int (*run)(char **command);
    } ways[] = {
        {"fork", fork_only},
        {"_exit", fork_and_exit_at_once},
        {"exec", fork_and_exec},
        {"vfork", vfork_and_exec},
        {"failing", vfork_and_fail},
        {"spawn", spawn},
        {"system", spawn_through_shell},
        {"popen", spawn_with_pipe},
        {"itself", exec_itself},
        {"terminate", terminate},
        {"kill", kill_helper},
    };
    const char *way = argc > 1 ? argv[1] : "";
    if (strcmp(way, "child") == 0) {
        work_in_region(CHILD_FLOP);
        return CHILD_STATUS;
    }
    char *command[] = {argc > 2 ? argv[2] : argv[0], "child", NULL};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(way, ways[i].name) == 0) {
            work_in_region(PARENT_FLOP);
            printf("region \"work\" flop %d\n", PARENT_FLOP + CHILD_FLOP);
            printf("region \"\" flop %d\n", PARENT_FLOP + CHILD_FLOP); /* nothing else computes */
            fflush(stdout);
            return ways[i].run(command);
        }
    return 2;
}
