/* SPDX-License-Identifier: BSD-3-Clause
 * Nodes measured through engines: their command lines, their recorded output, and results in parcels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "carm/cluster/engine.h"
#include "carm/cluster/parcel.h"

static void assert_command(const struct engine_request *request,
                           void (*write)(const struct engine_request *request, FILE *out), const char *text) {
    char *own = engine_command(request, write);
    assert_string_equal(own, text);
    free(own);
}

static void engines_have_their_commands(void **state) {
    (void)state;
    struct engine_request request = {.program = "mpirun",
                                     .own = " --time=10 --comment 'a b'",
                                     .job = "carmine-x",
                                     .folder = "/home/my nodes",
                                     .measure = "'/opt/my carmine' fleet node",
                                     .names = "a",
                                     .count = 1};
    assert_command(&request, engine_slurm.list, "sinfo --noheader --Node --sort=+t '--format=%N|%T|%E'");
    assert_command(&request, engine_slurm.launch,
                   "sbatch --parsable --nodes=1 --ntasks=1 --exclusive --no-requeue --open-mode=truncate "
                   "--job-name=carmine-x --nodelist=a '--output=/home/my nodes/a.log' --time=10 --comment 'a b' "
                   "'--wrap=exec '\\''/opt/my carmine'\\'' fleet node'");
    assert_command(&request, engine_slurm.jobs,
                   "squeue --noheader --states=all --name=carmine-x '--format=%i|%n|%T|%r'");
    assert_command(&request, engine_slurm.cancel, "scancel --quiet --name=carmine-x");
    request.one_job = "7";
    assert_command(&request, engine_slurm.cancel, "scancel --quiet 7");
    assert_command(&request, engine_open_mpi.list,
                   "exec mpirun -N 1 --bind-to none --time=10 --comment 'a b' hostname");
    request.names = "a,b";
    request.count = 2;
    request.own = " -x y";
    assert_command(&request, engine_open_mpi.launch,
                   "exec mpirun -N 1 --bind-to none -x y --host a,b '/opt/my carmine' fleet node");
    assert_command(&request, engine_hydra.launch,
                   "exec mpirun -ppn 1 -bind-to none -x y -hosts a,b -n 2 '/opt/my carmine' fleet node");
    assert_command(&request, engine_slurm_step.launch,
                   "exec srun --nodes=2 --ntasks-per-node=1 --cpu-bind=none --nodelist=a,b -x y '/opt/my carmine' "
                   "fleet node");
    assert_command(&request, engine_clush.launch, "exec clush -w a,b -x y ''\\''/opt/my carmine'\\'' fleet node'");
    assert_command(&request, engine_pdsh.launch, "exec pdsh -b -w a,b -x y ''\\''/opt/my carmine'\\'' fleet node'");
    request.input = "/opt/my node"; /* all nodes of a launch get it */
    assert_command(&request, engine_open_mpi.launch,
                   "exec mpirun -N 1 --bind-to none -x y --host a,b --stdin all '/opt/my carmine' fleet node < "
                   "'/opt/my node'");
    assert_command(&request, engine_clush.launch,
                   "exec clush -w a,b -x y ''\\''/opt/my carmine'\\'' fleet node' < '/opt/my node'");
    assert_command(&request, engine_slurm_step.launch,
                   "exec srun --nodes=2 --ntasks-per-node=1 --cpu-bind=none --nodelist=a,b -x y '/opt/my carmine' "
                   "fleet node < '/opt/my node'");
    assert_false(engine_hydra.sends || engine_pdsh.sends);
    request.input = NULL;
    request.partition = "batch";
    request.nodes = "a,b[1-2]";
    assert_command(&request, engine_slurm.list,
                   "sinfo --noheader --Node --sort=+t '--format=%N|%T|%E' --partition=batch '--nodes=a,b[1-2]' && "
                   "scontrol show hostnames 'a,b[1-2]'");
    assert_command(&request, engine_hydra.list, "echo 'a,b[1-2]' | tr , '\\n'");
    assert_command(&request, engine_clush.list, "nodeset --expand '--separator=\\n' 'a,b[1-2]'");
    assert_command(&request, engine_pdsh.list, "pdsh -Q -w 'a,b[1-2]' | tail -n 1 | tr , '\\n'");
}

static void jobs_are_read(void **state) {
    (void)state;
    static const struct {
        const char *line, *node, *why;
        enum engine_job_state is;
        bool never;
    } ROWS[] = {/* as printed by Slurm 22.05 */
                {"7|node1|PENDING|Resources", "node1", "Resources", ENGINE_JOB_WAITS, false},
                {"7|node1|PENDING|PartitionDown", "node1", "PartitionDown", ENGINE_JOB_WAITS, true},
                {"7|node1|RUNNING|None", "node1", "RUNNING (None)", ENGINE_JOB_RUNS, false},
                {"7|node1|COMPLETING|None", "node1", "COMPLETING (None)", ENGINE_JOB_RUNS, false},
                {"7|node1|COMPLETED|None", "node1", "COMPLETED (None)", ENGINE_JOB_ENDED, false},
                {"7|node1|TIMEOUT|TimeLimit", "node1", "TIMEOUT (TimeLimit)", ENGINE_JOB_ENDED, false}};
    struct engine_job job;
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        assert_true(engine_slurm.read_job(ROWS[i].line, &job));
        assert_string_equal(job.id, "7");
        assert_string_equal(job.node, ROWS[i].node);
        assert_string_equal(job.why, ROWS[i].why);
        assert_int_equal(job.state, ROWS[i].is);
        assert_int_equal(job.never, ROWS[i].never);
    }
    assert_false(engine_slurm.read_job("slurm_load_jobs error", &job));
    assert_false(engine_slurm.read_job("", &job));
}

static void listed_nodes_are_read(void **state) {
    (void)state;
    static const struct {
        const char *line, *name, *unavailable;
        bool has_state;
    } ROWS[] = {/* as printed by Slurm 22.05 */
                {"node1|idle|none", "node1", "", true},
                {"node3|drained|bad fan", "node3", "drained: bad fan", true},
                {"node2|down*|Not responding", "node2", "down*: Not responding", true},
                {"node2|idle*|none", "node2", "idle*: not responding", true},
                {"node4|unknown|none", "node4", "unknown", true},
                {"node4|allocated|none", "node4", "", true},
                {"node4|reserved|none", "node4", "", true},
                {"login-1.site.org\n", "login-1.site.org", "", false}};
    struct engine_node node;
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        assert_true(engine_read_node(ROWS[i].line, &node));
        assert_string_equal(node.name, ROWS[i].name);
        assert_string_equal(node.unavailable, ROWS[i].unavailable);
        assert_int_equal(node.has_state, ROWS[i].has_state);
    }
    static const char *const NONE[] = {"",
                                       "Welcome to n",
                                       "a234567890123456789012345678901234567890123456789012345678901234|idle",
                                       "|idle|none",
                                       "../x|idle|none",
                                       "-w",
                                       "a;b",
                                       ".x",
                                       "node[1-4]"};
    for (size_t i = 0; i < sizeof NONE / sizeof NONE[0]; i++)
        assert_false(engine_read_node(NONE[i], &node));
}

static void launchers_of_mpi_are_told_apart(void **state) {
    (void)state;
    assert_true(engine_open_mpi.is_of("mpirun.openmpi (OpenRTE) 4.1.4"));
    assert_true(engine_open_mpi.is_of("mpirun (Open MPI) 5.0.3"));
    assert_false(engine_open_mpi.is_of("HYDRA build details:"));
    assert_true(engine_hydra.is_of("HYDRA build details:"));
    assert_true(engine_hydra.is_of("Intel(R) MPI Library for Linux* OS, Version 2021.9"));
    assert_false(engine_hydra.is_of("slurm-wlm 22.05.8"));
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(engines_have_their_commands),
        cmocka_unit_test(listed_nodes_are_read),
        cmocka_unit_test(jobs_are_read),
        cmocka_unit_test(launchers_of_mpi_are_told_apart),
        cmocka_unit_test(parcels_come_in_any_order),
        cmocka_unit_test(parcels_that_were_changed),
        cmocka_unit_test(parcels_stand_among_other_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
