/* SPDX-License-Identifier: BSD-3-Clause
 * Running programs: what is executed, with which environment and input, how it ends, and what stops it. */
#include <elf.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "bench/programs/child.h"
#include "bench/programs/program.h"
#include "bench/programs/scratch.h"
#include "probe/arch.h"
#include "tests/support/emulated.h"
#include "tests/support/fixtures.h"

/* Runs `sh -c script` with its output in the file "out"; returns the output; free it. */
static char *shell(const char *script, struct child child, struct child_end *end) {
    char *const argv[] = {(char[]){"sh"}, (char[]){"-c"}, strdup(script), NULL};
    struct error err;
    size_t length;
    int out = open(fixture_path("out"), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    child.path = "/bin/sh", child.argv = argv, child.out = out, child.err = -1;
    if (!child_run(&child, end, &err))
        fail_msg("%s", err.text);
    close(out);
    free(argv[2]);
    return fixture_read(fixture_path("out"), &length);
}

static void assert_prints(const char *script, struct child child, const char *wanted) {
    struct child_end end;
    char *text = shell(script, child, &end);
    assert_string_equal(text, wanted);
    free(text);
}

static void environment_and_descriptors(void **state) {
    (void)state;
    const struct child_variable variables[] = {{"CARMINE_TEST", "new"}, {"CARMINE_OTHER", "a=b c"}};
    struct child child = {.in = -1, .variables = variables, .variable_count = 2};
    setenv("CARMINE_TEST", "old", 1);
    setenv("CARMINE_TEST_LONGER", "kept", 1);
    unsetenv("LD_PRELOAD");
    assert_prints("echo $CARMINE_TEST $CARMINE_OTHER $CARMINE_TEST_LONGER ${LD_PRELOAD-unset}", child,
                  "new a=b c kept unset\n");
    assert_prints("tr '\\0' '\\n' </proc/$$/environ | grep ^CARMINE_TEST=", child, "CARMINE_TEST=new\n");
    child.preload = "/no/such/library.so"; /* the loader reports it and continues */
    assert_prints("echo $LD_PRELOAD", child, "/no/such/library.so\n");
    setenv("LD_PRELOAD", "/no/other.so", 1);
    assert_prints("echo $LD_PRELOAD", child, "/no/such/library.so:/no/other.so\n");
    child.preload = NULL;
    assert_prints("echo $LD_PRELOAD", child, "/no/other.so\n");
    unsetenv("LD_PRELOAD");
    assert_prints("cat; readlink /proc/self/fd/0 /proc/self/fd/2", child, "/dev/null\n/dev/null\n");
    assert_prints("ls -l /proc/self/fd | grep -c /out", child, "0\n"); /* nothing else is passed on */
}

static void how_it_ends(void **state) {
    (void)state;
    static const struct {
        const char *script, *text;
        int exit_status;
    } rows[] = {{"exit 0", "exit status 0", 0},
                {"exit 3", "exit status 3", 3},
                {"kill -SEGV $$", "killed by signal 11 (Segmentation fault)", 139},
                {"kill -KILL $$", "killed by signal 9 (Killed)", 137}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct child_end end;
        char text[96];
        free(shell(rows[i].script, (struct child){.in = -1}, &end));
        assert_string_equal(child_status_text(end.status, text, sizeof text), rows[i].text);
        assert_int_equal(child_exit_status(end.status), rows[i].exit_status);
        assert_true(end.seconds > 0 && end.seconds < 60);
        assert_true(end.cpu_s >= 0 && end.cpu_s < 60);
        assert_true(end.kernel_s >= 0 && end.kernel_s <= end.cpu_s && end.page_faults > 0);
    }
    if (emulated()) /* there the failure of execve() ends the child alone */
        return;
    struct child_end end;
    struct error err;
    char *const argv[] = {(char[]){"x"}, NULL};
    assert_false(child_run(&(struct child){.path = "/no/such", .argv = argv, .in = -1}, &end, &err));
    assert_contains(err.text, "/no/such");
    assert_contains(err.text, strerror(ENOENT));
}

/* Sends signals to this process while a program runs that waits for the first and survives it. */
static char ready[128];
static void *send_signals(void *argument) {
    sigset_t all; /* only for the thread that starts the program; it blocks them meanwhile */
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    for (const int *number = argument; *number; number++) {
        while (access(ready, F_OK) != 0)
            usleep(1000);
        kill(getpid(), *number);
        while (!child_stopped())
            usleep(1000);
        usleep(20000);
    }
    return NULL;
}

static int stopped_by(const char *script, int *numbers) {
    struct child_end end;
    pthread_t sender;
    char *text = malloc(512);
    snprintf(ready, sizeof ready, "%s", fixture_path("ready"));
    snprintf(text, 512, script, ready);
    unlink(ready);
    child_continue();
    pthread_create(&sender, NULL, send_signals, numbers);
    free(shell(text, (struct child){.in = -1}, &end));
    pthread_join(sender, NULL);
    free(text);
    return end.status;
}

static void what_stops_it(void **state) {
    (void)state;
    child_catch_signals();
    /* The first signal is passed on unchanged; this process survives. */
    int status = stopped_by("touch %s; sleep 60", (int[]){SIGTERM, 0});
    assert_int_equal(child_exit_status(status), 128 + SIGTERM);
    assert_int_equal(child_stopped(), SIGTERM);
    status = stopped_by("trap 'exit 5' INT; touch %s; while :; do sleep 0.01; done", (int[]){SIGINT, 0});
    assert_int_equal(child_exit_status(status), 5);
    assert_int_equal(child_stopped(), SIGINT);
    /* A program that ignores it is killed by the second. */
    status = stopped_by("trap '' INT TERM; touch %s; while :; do sleep 0.01; done", (int[]){SIGINT, SIGINT, 0});
    assert_int_equal(child_exit_status(status), 128 + SIGKILL);
    assert_int_equal(child_stopped(), SIGINT);
    child_continue();
}

static void *sleep_amid_signals(void *ended) {
    while (!atomic_load((atomic_bool *)ended))
        usleep(1000);
    return NULL;
}

/* While a process starts, the thread that starts it has blocked them, and others have not. */
static void no_other_thread_handles_signals(void **state) {
    (void)state;
    sigset_t all, before;
    pthread_t other;
    atomic_bool ended = false;
    child_catch_signals();
    pthread_create(&other, NULL, sleep_amid_signals, &ended);
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    kill(getpid(), SIGINT);
    usleep(20000);
    assert_int_equal(child_stopped(), 0);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    while (child_stopped() == 0) /* the other thread may not have passed it on yet */
        usleep(1000);
    atomic_store(&ended, true);
    pthread_join(other, NULL);
    assert_int_equal(child_stopped(), SIGINT);
    child_continue();
}

static void make_file(const char *name, const void *bytes, size_t count, mode_t mode) {
    fixture_write(fixture_path(name), bytes, count);
    assert_int_equal(chmod(fixture_path(name), mode), 0);
}

/* The smallest file that looks like such a program. */
static void make_program(const char *name, unsigned char class, Elf64_Half machine, const char *loader) {
    struct {
        Elf64_Ehdr header;
        Elf64_Phdr segment;
        char loader[64];
    } file = {.header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, class},
                         .e_machine = machine,
                         .e_phoff = sizeof(Elf64_Ehdr),
                         .e_phentsize = sizeof(Elf64_Phdr),
                         .e_phnum = loader ? 1 : 0},
              .segment = {.p_type = PT_INTERP, .p_offset = sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr)}};
    snprintf(file.loader, sizeof file.loader, "%s", loader ? loader : "");
    make_file(name, &file, sizeof file, 0755);
}

static enum program_kind kind_of(const char *name) {
    struct program program;
    struct error err;
    if (!program_find(fixture_path(name), &program, &err))
        fail_msg("%s", err.text);
    assert_string_equal(program.path, fixture_path(name));
    assert_int_equal(program_refusal(program.kind)[0] == '\0', program.kind == PROGRAM_DYNAMIC);
    return program.kind;
}

static void which_programs_take_a_library(void **state) {
    (void)state;
    struct program program;
    struct error err;
    assert_true(program_find("sh", &program, &err)); /* along PATH */
    assert_int_equal(program.kind, emulated() ? PROGRAM_FOREIGN : PROGRAM_DYNAMIC);
    assert_int_equal(access(program.path, X_OK), 0);
    make_program("dynamic", ELFCLASS64, ARCH_ELF_MACHINE, "/lib64/ld-linux-any.so.2");
    make_program("static", ELFCLASS64, ARCH_ELF_MACHINE, NULL);
    make_program("musl", ELFCLASS64, ARCH_ELF_MACHINE, "/lib/ld-musl-any.so.1");
    make_program("small", ELFCLASS32, EM_386, NULL);
    make_program("other", ELFCLASS64, EM_S390, "/lib/ld-linux-other.so.1");
    assert_int_equal(kind_of("dynamic"), PROGRAM_DYNAMIC);
    assert_int_equal(kind_of("static"), PROGRAM_STATIC);
    assert_int_equal(kind_of("musl"), PROGRAM_STATIC);
    assert_int_equal(kind_of("small"), PROGRAM_FOREIGN);
    assert_int_equal(kind_of("other"), PROGRAM_FOREIGN);
    char script[512];
    int length = snprintf(script, sizeof script, "#! %s -e\necho\n", fixture_path("static"));
    make_file("script", script, (size_t)length, 0755);
    assert_int_equal(kind_of("script"), PROGRAM_STATIC); /* its interpreter */
    length = snprintf(script, sizeof script, "#!%s\n", fixture_path("script"));
    make_file("script of a script", script, (size_t)length, 0755);
    assert_int_equal(kind_of("script of a script"), PROGRAM_STATIC);
    if (geteuid() == 0 && chown(fixture_path("dynamic"), 65534, 65534) == 0) { /* also where there are other users */
        assert_int_equal(kind_of("dynamic"), PROGRAM_DYNAMIC);
        assert_int_equal(chmod(fixture_path("dynamic"), 04755), 0);
        assert_int_equal(kind_of("dynamic"), PROGRAM_PRIVILEGED);
        assert_int_equal(chmod(fixture_path("dynamic"), 02755), 0);
        assert_int_equal(kind_of("dynamic"), PROGRAM_PRIVILEGED);
        assert_int_equal(chown(fixture_path("dynamic"), 0, 0), 0);
        assert_int_equal(chmod(fixture_path("dynamic"), 04755), 0);
        assert_int_equal(kind_of("dynamic"), PROGRAM_DYNAMIC); /* the owner is already the user */
    }
}

static void what_is_no_program(void **state) {
    (void)state;
    static const char LOOP[] = "#!%s\n";
    char script[256];
    make_file("text", "echo\n", 5, 0755);
    make_file("closed", "#!/bin/sh\n", 10, 0644);
    make_file("orphan", "#!/no/such/shell\n", 17, 0755);
    make_file("nobody", "#!\n", 3, 0755);
    make_file("empty", "", 0, 0755);
    int length = snprintf(script, sizeof script, LOOP, fixture_path("loop"));
    make_file("loop", script, (size_t)length, 0755);
    static const struct {
        const char *name, *says;
    } rows[] = {{"text", "#!/bin/sh"}, {"closed", "not executable"}, {"orphan", "/no/such/shell"},
                {"nobody", "nothing"}, {"empty", "neither"},         {"missing", "No such file"},
                {"loop", "neither"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct program program;
        struct error err;
        if (program_find(fixture_path(rows[i].name), &program, &err))
            fail_msg("%s was taken for a program", rows[i].name);
        assert_contains(err.text, rows[i].name);
        assert_contains(err.text, rows[i].says);
    }
    struct program program;
    struct error err;
    assert_false(program_find(fixture_folder, &program, &err));
    assert_contains(err.text, "folder");
    assert_false(program_find("no-such-program-anywhere", &program, &err));
    assert_contains(err.text, "PATH");
    assert_false(program_find("", &program, &err));
}

/* The output of `cat` in one more run. */
static void assert_run_gets(struct input *input, const char *script, const char *wanted) {
    struct error err;
    struct child child = {0};
    assert_true(input_begin(input, &child.in, &err));
    assert_prints(script, child, wanted);
    assert_true(input_end(input, &err));
}

static void every_run_gets_its_input(void **state) {
    (void)state;
    struct input input;
    struct error err;
    fixture_write(fixture_path("in"), "read\none\ntwo\n", 13);
    int file = open(fixture_path("in"), O_RDONLY | O_CLOEXEC);
    lseek(file, 5, SEEK_SET); /* someone has read the first line */
    assert_true(input_open(&input, file, fixture_folder, &err));
    for (int run = 0; run < 3; run++)
        assert_run_gets(&input, "cat", "one\ntwo\n");
    input_close(&input);
    close(file);

    /* A pipe whose other end stays open: a program that does not read does not wait for it. */
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    assert_int_equal(write(ends[1], "one\ntwo\n", 8), 8);
    assert_true(input_open(&input, ends[0], fixture_folder, &err));
    assert_run_gets(&input, "read a; echo $a", "one\n");
    assert_run_gets(&input, "cat", "one\ntwo\n");
    assert_run_gets(&input, "cat", "one\ntwo\n");
    input_close(&input);
    assert_true(input_open(&input, ends[0], fixture_folder, &err));
    assert_run_gets(&input, "echo none", "none\n");
    input_close(&input);

    /* A long one that ends. */
    pid_t writer = fork();
    if (writer == 0) {
        close(ends[0]);
        for (int i = 0; i < 50000; i++)
            if (write(ends[1], "0123456789\n", 11) != 11)
                _exit(1);
        _exit(0);
    }
    close(ends[1]);
    assert_true(input_open(&input, ends[0], fixture_folder, &err));
    for (int run = 0; run < 3; run++)
        assert_run_gets(&input, "wc -c", "550000\n");
    input_close(&input);
    waitpid(writer, NULL, 0);
    close(ends[0]);

    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    assert_true(input_open(&input, null, fixture_folder, &err));
    for (int run = 0; run < 2; run++)
        assert_run_gets(&input, "wc -c", "0\n");
    input_close(&input);
    close(null);
    assert_true(input_open(&input, 1000, fixture_folder, &err)); /* closed */
    assert_run_gets(&input, "wc -c", "0\n");
    input_close(&input);
    assert_int_equal(access(fixture_path("input"), F_OK), -1); /* the copy has no name */
}

static void a_folder_goes_away(void **state) {
    (void)state;
    struct scratch scratch;
    struct error err;
    char path[600], inner[600], file[700];
    setenv("TMPDIR", fixture_folder, 1);
    assert_true(scratch_make(&scratch, &err));
    assert_true(strncmp(scratch.path, fixture_folder, strlen(fixture_folder)) == 0);
    assert_true(scratch_folder(&scratch, "run", path, sizeof path, &err));
    assert_false(scratch_folder(&scratch, "run", inner, sizeof inner, &err)); /* it is there */
    snprintf(file, sizeof file, "%s/report", path);
    fixture_write(file, "x", 1);
    snprintf(file, sizeof file, "%s/link", path);
    assert_int_equal(mkdir(fixture_path("kept"), 0700), 0);
    fixture_write(fixture_path("kept/file"), "x", 1);
    assert_int_equal(symlink(fixture_path("kept"), file), 0);
    snprintf(path, sizeof path, "%s", scratch.path);
    scratch_remove(&scratch);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(unlink(fixture_path("kept/file")), 0); /* links are not followed */
    assert_int_equal(rmdir(fixture_path("kept")), 0);
    scratch_remove(&scratch); /* nothing else */
    setenv("TMPDIR", "/no/such/folder", 1);
    assert_false(scratch_make(&scratch, &err));
    assert_contains(err.text, "TMPDIR");
    scratch_remove(&scratch);
    unsetenv("TMPDIR");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(environment_and_descriptors),
        cmocka_unit_test(how_it_ends),
        cmocka_unit_test(what_stops_it),
        cmocka_unit_test(no_other_thread_handles_signals),
        cmocka_unit_test(which_programs_take_a_library),
        cmocka_unit_test(what_is_no_program),
        cmocka_unit_test(every_run_gets_its_input),
        cmocka_unit_test(a_folder_goes_away),
    };
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
