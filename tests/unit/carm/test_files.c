/* SPDX-License-Identifier: BSD-3-Clause
 * Files that several processes change at once: nothing that one of them added is lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "carm/store/file_io.h"

enum { PROCESSES = 4, ROUNDS = 20 };

static char folder[] = "/tmp/carmine.files.XXXXXX", path[64];

/* Adds one to the number in the file, by reading, changing and writing again. */
static bool count_up(void) {
    struct error err;
    char *text, number[32];
    size_t length;
    int lock;
    if (!file_lock(path, &lock, &err) || !file_read(path, 32, &text, &length, &err))
        return false;
    snprintf(number, sizeof number, "%d", atoi(text) + 1);
    const bool done = file_write(path, number, strlen(number), false, &err);
    file_unlock(path, lock);
    free(text);
    return done;
}

static int file_number(void) {
    struct error err;
    char *text;
    size_t length;
    assert_true(file_read(path, 32, &text, &length, &err));
    const int number = atoi(text);
    free(text);
    return number;
}

static void all_count(void **state) {
    (void)state;
    unlink(path); /* they make it, too */
    for (int i = 0; i < PROCESSES; i++)
        if (fork() == 0) {
            bool done = true;
            for (int round = 0; round < ROUNDS; round++)
                done &= count_up();
            _exit(done ? 0 : 1);
        }
    for (int i = 0, status; i < PROCESSES; i++) {
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    assert_int_equal(file_number(), PROCESSES * ROUNDS);
}

static void nothing_is_left(void **state) {
    (void)state;
    struct error err;
    struct stat status;
    int lock;
    unlink(path);
    assert_true(file_lock(path, &lock, &err));
    assert_false(file_stamp(path).exists); /* an empty file is none yet */
    file_unlock(path, lock);
    assert_int_not_equal(stat(path, &status), 0);
    assert_true(file_write(path, "1", 1, true, &err));
    assert_true(file_lock(path, &lock, &err));
    file_unlock(path, lock);
    assert_int_equal(file_number(), 1);
}

static void no_regular_file(void **state) {
    (void)state;
    struct error err;
    int lock;
    assert_true(file_lock("/dev/null", &lock, &err));
    file_unlock("/dev/null", lock);
    assert_false(file_lock("/missing/file", &lock, &err));
    assert_non_null(strstr(err.text, "cannot write /missing/file"));
}

/* Of two that want one new name, one gets it. */
static void fresh_names(void **state) {
    (void)state;
    struct error err;
    unlink(path);
    assert_true(file_write(path, "1", 1, true, &err));
    assert_false(file_write(path, "2", 1, true, &err));
    assert_int_equal(file_number(), 1);
    assert_true(file_write(path, "2", 1, false, &err));
    assert_int_equal(file_number(), 2);
}

static void stamps(void **state) {
    (void)state;
    struct error err;
    unlink(path);
    const struct file_stamp none = file_stamp(path);
    assert_true(file_write(path, "1", 1, false, &err));
    const struct file_stamp first = file_stamp(path), again = file_stamp(path);
    assert_true(file_write(path, "1", 1, false, &err));
    const struct file_stamp second = file_stamp(path);
    assert_false(none.exists);
    assert_false(file_same_stamp(&none, &first));
    assert_true(file_same_stamp(&first, &again));
    assert_false(file_same_stamp(&first, &second));
}

static int make_folder(void **state) {
    (void)state;
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/file", folder);
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    unlink(path);
    return rmdir(folder); /* fails when something else is left there */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_count),   cmocka_unit_test(nothing_is_left), cmocka_unit_test(no_regular_file),
        cmocka_unit_test(fresh_names), cmocka_unit_test(stamps),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
