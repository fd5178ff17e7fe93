/* SPDX-License-Identifier: BSD-3-Clause
 * Nodes measured through engines: their command lines, their recorded output, and results in parcels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "carm/cluster/engine.h"
#include "carm/cluster/launch.h"
#include "carm/cluster/node_list.h"
#include "carm/cluster/parcel.h"
#include "probe/error.h"

static void assert_words(struct command_words *words, const char *text) {
    char *own = command_words_text(words);
    assert_string_equal(own, text);
    free(own);
    command_words_free(words);
}

static void words_are_quoted_where_needed(void **state) {
    (void)state;
    struct command_words words = {0};
    command_words_add(&words, "a-b=%d", 1);
    command_words_add(&words, "it's");
    command_words_add(&words, "n[1-4]");
    command_words_add(&words, "%s", "");
    assert_words(&words, "a-b=1 'it'\\''s' 'n[1-4]' ''");
}

static void engines_have_their_commands(void **state) {
    (void)state;
    struct command_words measure = {0}, words = {0};
    command_words_add(&measure, "/opt/my carmine");
    command_words_add(&measure, "fleet");
    const struct engine_node a = {.name = "a", .cpus = 64}, b = {.name = "b"}, *nodes[] = {&a, &b};
    struct engine_request request = {.program = "mpirun", .job = "carmine-x", .measure = &measure, .at_once = 2};
    engine_slurm.launch(&request, nodes, 1, &words);
    assert_words(&words, "srun --job-name=carmine-x --nodes=1 --ntasks=1 --nodelist a --exclusive --cpus-per-task=64 "
                         "--cpu-bind=none '/opt/my carmine' fleet");
    engine_slurm.cancel(&request, &words);
    assert_words(&words, "scancel --quiet --name=carmine-x");
    engine_open_mpi.launch(&request, nodes, 2, &words);
    assert_words(&words, "mpirun -N 1 --bind-to none --host a,b '/opt/my carmine' fleet");
    engine_hydra.launch(&request, nodes, 2, &words);
    assert_words(&words, "mpirun -ppn 1 -bind-to none -hosts a,b -n 2 '/opt/my carmine' fleet");
    engine_clush.launch(&request, nodes, 2, &words);
    assert_words(&words, "clush -w a,b -f 2 ''\\''/opt/my carmine'\\'' fleet'");
    measure.input = "carmine-node"; /* all nodes of a launch get it */
    engine_open_mpi.launch(&request, nodes, 2, &words);
    assert_string_equal(words.input, "carmine-node");
    assert_words(&words, "mpirun -N 1 --bind-to none --host a,b --stdin all '/opt/my carmine' fleet");
    engine_clush.launch(&request, nodes, 2, &words);
    assert_string_equal(words.input, "carmine-node");
    assert_words(&words, "clush -w a,b -f 2 ''\\''/opt/my carmine'\\'' fleet'");
    assert_false(engine_hydra.sends);
    measure.input = NULL;
    request.partition = "batch";
    request.allocated = true;
    engine_slurm.launch(&request, nodes, 1, &words);
    assert_words(&words, "srun --job-name=carmine-x --partition=batch --nodes=1 --ntasks=1 --nodelist a "
                         "--cpu-bind=none '/opt/my carmine' fleet");
    assert_true(engine_open_mpi.list(&request, &words));
    assert_words(&words, "mpirun -N 1 --bind-to none hostname");
    assert_false(engine_slurm.names(&request, &words)); /* Slurm's list has all nodes */
    request.nodes = "a,b";
    assert_true(engine_slurm.names(&request, &words));
    assert_words(&words, "scontrol show hostnames a,b");
    assert_false(engine_hydra.list(&request, &words));
    command_words_free(&measure);
}

static void listed_nodes_are_read(void **state) {
    (void)state;
    static const struct {
        const char *line, *name, *unavailable;
        unsigned cpus;
    } ROWS[] = {/* as printed by Slurm 22.05 */
                {"node1|idle|2|none", "node1", "", 2},
                {"node3|drained|2|bad fan", "node3", "drained: bad fan", 2},
                {"node2|down*|2|Not responding", "node2", "down*: Not responding", 2},
                {"node2|idle*|2|none", "node2", "idle*: not responding", 2},
                {"node4|unknown|128|none", "node4", "unknown", 128},
                {"node4|allocated|128|none", "node4", "", 128},
                {"login-1.site.org\n", "login-1.site.org", "", 0}};
    struct engine_node node;
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        assert_true(engine_read_node(ROWS[i].line, &node));
        assert_string_equal(node.name, ROWS[i].name);
        assert_string_equal(node.unavailable, ROWS[i].unavailable);
        assert_int_equal(node.cpus, ROWS[i].cpus);
    }
    static const char *const NONE[] = {"",
                                       "Welcome to n",
                                       "a234567890123456789012345678901234567890123456789012345678901234|idle",
                                       "|idle|2|none",
                                       "../x|idle|2|none",
                                       "-w",
                                       "a;b",
                                       ".x",
                                       "node[1-4]"};
    for (size_t i = 0; i < sizeof NONE / sizeof NONE[0]; i++)
        assert_false(engine_read_node(NONE[i], &node));
}

/* Whoever gives up a process leaves it neither running nor as a zombie. */
static void nothing_is_left_running(void **state) {
    (void)state;
    struct command_words words = {0};
    struct launch launch;
    struct error err = {""};
    command_words_add(&words, "sleep");
    command_words_add(&words, "1000");
    assert_true(launch_start(&words, &launch, &err));
    const pid_t pid = launch.pid;
    assert_true(pid > 0 && kill(pid, 0) == 0 && !launch_ended(&launch));
    launch_free(&launch);
    assert_true(kill(pid, 0) < 0 && errno == ESRCH);
    assert_int_equal(launch.pid, 0);
    command_words_free(&words);
}

static void launchers_of_mpi_are_told_apart(void **state) {
    (void)state;
    assert_ptr_equal(engine_of_mpi("mpirun.openmpi (OpenRTE) 4.1.4"), &engine_open_mpi);
    assert_ptr_equal(engine_of_mpi("mpirun (Open MPI) 5.0.3"), &engine_open_mpi);
    assert_ptr_equal(engine_of_mpi("HYDRA build details:"), &engine_hydra);
    assert_ptr_equal(engine_of_mpi("Intel(R) MPI Library for Linux* OS, Version 2021.9"), &engine_hydra);
    assert_null(engine_of_mpi("slurm-wlm 22.05.8"));
}

/* The lines of a text, as they are sent. */
static size_t send(const char *node, const char *text, char lines[][PARCEL_BYTES + 1], size_t most) {
    FILE *file = tmpfile();
    size_t count = 0;
    assert_non_null(file);
    parcel_write(node, PARCEL_RESULT, text, file);
    assert_int_equal(ftell(file) % PARCEL_BYTES, 0);
    rewind(file);
    while (count < most && fgets(lines[count], PARCEL_BYTES + 1, file))
        count++;
    fclose(file);
    return count;
}

static void parcels_come_in_any_order(void **state) {
    (void)state;
    enum { TEXT_BYTES = 5000, MOST = 16 };
    static char text[TEXT_BYTES + 1], lines[MOST][PARCEL_BYTES + 1];
    struct parcel_parts parts = {0};
    for (size_t i = 0; i < TEXT_BYTES; i++)
        text[i] = " ab. \"{}"[i * 7 / 3 % 8];
    const size_t count = send("node1", text, lines, MOST);
    assert_true(count > 4 && count < MOST);
    for (size_t i = count; i-- > 0;) {
        struct parcel parcel;
        assert_true(parcel_read(lines[i], &parcel));
        assert_string_equal(parcel.node, "node1");
        assert_false(i > 0 && parcel_parts_take(&parts, &parcel));
        assert_false(i > 0 && parcel_parts_take(&parts, &parcel)); /* the same once more */
        assert_true(i > 0 || parcel_parts_take(&parts, &parcel));
    }
    char *whole = parcel_parts_join(&parts);
    assert_string_equal(whole, text);
    free(whole);
}

/* Each byte of each line, changed: the text is not accepted as the sent one. */
static void parcels_that_were_changed(void **state) {
    (void)state;
    enum { TEXT_BYTES = 1500, MOST = 4 };
    static char text[TEXT_BYTES + 1], lines[MOST][PARCEL_BYTES + 1];
    memset(text, '7', TEXT_BYTES);
    const size_t count = send("node1", text, lines, MOST);
    for (size_t at = 0; at < count * PARCEL_BYTES; at++) {
        char *byte = &lines[at / PARCEL_BYTES][at % PARCEL_BYTES];
        struct parcel_parts parts = {0};
        const char was = *byte;
        bool whole = false;
        *byte = was == '8' ? '9' : '8';
        for (size_t i = 0; i < count; i++) {
            struct parcel parcel;
            whole |=
                parcel_read(lines[i], &parcel) && parcel.kind == PARCEL_RESULT && parcel_parts_take(&parts, &parcel);
        }
        char *joined = whole ? parcel_parts_join(&parts) : NULL;
        assert_true(!joined || strcmp(joined, text) == 0);
        free(joined);
        parcel_parts_free(&parts);
        *byte = was;
    }
}

static void parcels_stand_among_other_lines(void **state) {
    (void)state;
    static char lines[2][PARCEL_BYTES + 1], line[2 * PARCEL_BYTES];
    struct parcel parcel;
    assert_int_equal(send("vm", "text", lines, 2), 1);
    snprintf(line, sizeof line, "node7: %s", lines[0]);
    assert_true(parcel_read(line, &parcel)); /* as passed on by ClusterShell */
    assert_string_equal(parcel.node, "node7");
    assert_string_equal(parcel.text, "text");
    assert_int_equal(parcel.kind, PARCEL_RESULT);
    assert_false(parcel_read("srun: error: node3: task 0: Exited with exit code 3", &parcel));
    static const char *const BROKEN[] = {"#carmine 2 a result 1/1 1f half", "#carmine 2 a result 2/1 1f x.",
                                         "#carmine 2 a result 0/1 1f x.",   "#carmine 2 a result 1/99999999 1f x.",
                                         "#carmine 2 a nothing 1/1 1f x.",  "#carmine 1 a result 1/1 1f x.",
                                         "#carmine 2 a result 1/1 1f#carm", "#carmine 2 a result 1/1 x."};
    for (size_t i = 0; i < sizeof BROKEN / sizeof BROKEN[0]; i++)
        assert_false(parcel_read(BROKEN[i], &parcel));
}

static struct node_list list_of(const char *const *names) {
    struct node_list list = {0};
    for (size_t i = 0; names[i]; i++) {
        struct engine_node node = {.cpus = 1};
        snprintf(node.name, sizeof node.name, "%s", names[i]);
        node_list_add(&list, &node);
    }
    return list;
}

static void failed_nodes_come_last_and_alone(void **state) {
    (void)state;
    struct node_list list = list_of((const char *const[]){"a", "b", "c.site", "a", NULL});
    size_t next[3];
    assert_int_equal(list.count, 3);
    assert_ptr_equal(node_list_find(&list, "c"), &list.nodes[2]);
    assert_ptr_equal(node_list_find(&list, "b.site"), &list.nodes[1]);
    assert_null(node_list_find(&list, "d"));
    assert_int_equal(node_list_next(&list, 2, next), 2);
    node_list_failed_try(&list.nodes[0]);
    node_list_failed_try(&list.nodes[1]);
    assert_int_equal(node_list_next(&list, 2, next), 1);
    assert_int_equal(next[0], 2);
    assert_int_equal(node_list_next(&list, 2, next), 1);
    assert_int_equal(next[0], 0);
    node_list_failed_try(&list.nodes[0]);
    assert_int_equal(list.nodes[0].state, NODE_FAILED);
    assert_int_equal(node_list_next(&list, 2, next), 1);
    assert_int_equal(next[0], 1);
    assert_int_equal(node_list_next(&list, 2, next), 0);
    node_list_free(&list);
}

static void time_left_is_by_those_that_are_done(void **state) {
    (void)state;
    struct node_list list = list_of((const char *const[]){"a", "b", "c", "d", "e", "f", NULL});
    assert_true(node_list_left_s(&list, 2) == 0);
    list.nodes[0].state = list.nodes[1].state = list.nodes[2].state = NODE_DONE;
    list.nodes[0].took_s = 10;
    list.nodes[1].took_s = 20;
    list.nodes[2].was_there = true; /* from an earlier call: its time does not count */
    assert_true(node_list_left_s(&list, 2) == 30);
    node_list_free(&list);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_quoted_where_needed),
        cmocka_unit_test(engines_have_their_commands),
        cmocka_unit_test(listed_nodes_are_read),
        cmocka_unit_test(nothing_is_left_running),
        cmocka_unit_test(launchers_of_mpi_are_told_apart),
        cmocka_unit_test(parcels_come_in_any_order),
        cmocka_unit_test(parcels_that_were_changed),
        cmocka_unit_test(parcels_stand_among_other_lines),
        cmocka_unit_test(failed_nodes_come_last_and_alone),
        cmocka_unit_test(time_left_is_by_those_that_are_done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
