/* SPDX-License-Identifier: BSD-3-Clause
 * Files that several processes change at once: no addition is lost. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
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
#include "probe/error.h"
#include "render/draw/output_file.h"

enum { PROCESSES = 4, ROUNDS = 20 };

static char folder[] = "/tmp/carmine.files.XXXXXX", path[64];

/* Adds one to the number in the file: reads, changes and writes it. */
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
    unlink(path); /* they create it, too */
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
    assert_false(file_stamp(path).exists); /* an empty file does not count as one */
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

/* If two processes request the same new name, one gets it. */
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

enum { SOMEBODY = 65534 }; /* another user */

/* Everybody may write to /tmp, and leave a link there that leads to a file of ours. */
static void links_of_others(void **state) {
    (void)state;
    struct error err;
    struct stat status;
    char link[96], inside[128], way[96];
    int lock;
    snprintf(link, sizeof link, "%s/link", folder);
    snprintf(way, sizeof way, "%s/way", folder);
    snprintf(inside, sizeof inside, "%s/file", way);
    assert_true(file_write(path, "1", 1, false, &err));
    assert_int_equal(symlink("file", link) | symlink(".", way), 0);
    assert_int_equal(chmod(folder, 0777), 0);           /* not sticky: the kernel by itself would follow */
    assert_true(file_write(link, "2", 1, false, &err)); /* our own */
    assert_true(file_write(inside, "3", 1, false, &err));
    assert_true(lstat(link, &status) == 0 && S_ISLNK(status.st_mode));
    assert_int_equal(file_number(), 3);
    const bool given = lchown(link, SOMEBODY, SOMEBODY) == 0 && lchown(way, SOMEBODY, SOMEBODY) == 0;
    if (given) {
        const char *const ways[] = {link, inside};
        for (size_t i = 0; i < 2; i++) {
            assert_false(file_write(ways[i], "4", 1, false, &err));
            assert_non_null(strstr(err.text, "another user's link"));
            assert_false(file_writable(ways[i], &err));
            assert_false(file_lock(ways[i], &lock, &err));
        }
        assert_int_equal(file_number(), 3);
    }
    assert_int_equal(unlink(link) | unlink(way) | chmod(folder, 0700), 0);
    if (!given)
        skip(); /* only root can make another's link, and only where there are other users */
}

static void rights_are_kept(void **state) {
    (void)state;
    struct error err;
    struct stat status;
    assert_true(file_write(path, "1", 1, false, &err));
    assert_int_equal(chmod(path, 0640), 0);
    const bool given = chown(path, SOMEBODY, SOMEBODY) == 0;
    assert_true(file_write(path, "2", 1, false, &err));
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0640);
    assert_true(!given || (status.st_uid == SOMEBODY && status.st_gid == SOMEBODY));
    assert_int_equal(file_number(), 2);
}

/* A killed process leaves its half file; ours fails, and leaves none. Our process number gives at most a thousand
 * names. */
static void leftovers(void **state) {
    (void)state;
    struct error err;
    char host[65] = "", name[256];
    gethostname(host, sizeof host - 1);
    snprintf(name, sizeof name, "%s.%s.%ld.tmp", path, host, (long)getpid());
    assert_int_equal(mkdir(name, 0700), 0); /* a leftover of any kind */
    assert_true(file_write(path, "1", 1, false, &err));
    assert_int_equal(rmdir(name), 0);
    assert_false(file_write(path, "2", 1, true, &err));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_false(file_write(path, "2", 1, false, &err));
    assert_non_null(strstr(err.text, "is a directory"));
    assert_int_equal(rmdir(path), 0);
    assert_true(file_writable(path, &err));
    assert_int_equal(rmdir(folder), 0); /* nothing is in it */
    assert_int_equal(mkdir(folder, 0700), 0);
}

/* If the file system has nameless files, a process killed while it writes leaves nothing beside. */
static void killed_while_it_writes(void **state) {
    (void)state;
    int status;
    const int nameless = open(folder, O_TMPFILE | O_WRONLY, 0600);
    if (nameless < 0)
        skip();
    close(nameless);
    unlink(path);
    if (fork() == 0) {
        struct output_file file;
        if (output_file_open(&file, path) == 0 && output_file_put(file.descriptor, "1", 1) == 0)
            raise(SIGKILL);
        _exit(1);
    }
    assert_true(wait(&status) > 0 && WIFSIGNALED(status));
    assert_int_equal(rmdir(folder), 0);
    assert_int_equal(mkdir(folder, 0700), 0);
}

static void each_reason_has_its_remedy(void **state) {
    (void)state;
    static char too_long[300];
    memset(too_long, 'x', sizeof too_long - 1);
    char link[96];
    snprintf(link, sizeof link, "%s/circle", folder);
    assert_true(symlink("circle", link) == 0 && creat(path, 0600) >= 0);
    const struct {
        const char *name, *remedy;
    } ROWS[] = {{"none/file", "; make its folder"},
                {"file/below", "; choose a place within folders"},
                {too_long, "; choose a shorter name"},
                {"circle", "; choose another place: its links"}};
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        struct error err;
        char name[400];
        snprintf(name, sizeof name, "%s/%s", folder, ROWS[i].name);
        assert_false(file_writable(name, &err));
        if (!strstr(err.text, ROWS[i].remedy) || strstr(err.text, "free some space"))
            fail_msg("%s", err.text);
    }
    assert_int_equal(unlink(link) | unlink(path), 0);
    assert_non_null(strstr(output_file_remedy(EROFS), "read-only"));
    assert_non_null(strstr(output_file_remedy(EACCES), "yours to write"));
    assert_string_equal(output_file_remedy(ENOSPC), "free some space or choose another place");
    assert_non_null(strstr(output_file_remedy(OUTPUT_FILE_FOREIGN), "remove the link"));
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
    return rmdir(folder); /* fails if something else is left there */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_count),
        cmocka_unit_test(nothing_is_left),
        cmocka_unit_test(no_regular_file),
        cmocka_unit_test(fresh_names),
        cmocka_unit_test(stamps),
        cmocka_unit_test(links_of_others),
        cmocka_unit_test(rights_are_kept),
        cmocka_unit_test(leftovers),
        cmocka_unit_test(killed_while_it_writes),
        cmocka_unit_test(each_reason_has_its_remedy),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
