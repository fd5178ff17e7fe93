/* SPDX-License-Identifier: BSD-3-Clause
 * Buffers: aligned, disjoint, touched, reused, with the requested pages. Passes without huge pages and with one CPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "bench/kernels/memory.h"
#include "tests/support/fixtures.h"

enum { MAX = 1024 };
static const uint64_t HUGE_PAGE = 2u << 20;

static struct machine here;

static int load(void **state) {
    (void)state;
    struct error err;
    return machine_load(&here, NULL, &err) ? 0 : -1;
}

static int unload(void **state) {
    (void)state;
    machine_free(&here);
    return 0;
}

static struct memory opened(uint64_t bytes, bool huge_pages) {
    struct memory memory;
    struct error err;
    if (!memory_open(&memory, &here, bytes, huge_pages, &err))
        fail_msg("%s", err.text);
    return memory;
}

static struct team chosen(unsigned count) {
    struct team team;
    struct error err;
    if (!team_choose(&team, &here, TEAM_ANY_KIND, count, &err))
        fail_msg("%s", err.text);
    return team;
}

static bool is_resident(const void *address) {
    unsigned char page;
    return mincore((void *)((uintptr_t)address / 4096 * 4096), 4096, &page) == 0 && (page & 1);
}

static void buffers_are_apart_and_touched(void **state) {
    (void)state;
    unsigned threads = here.core_count < 4 ? here.core_count : 4;
    static const uint64_t sizes[] = {4096, (2u << 20) - 64, 2u << 20, (2u << 20) + 4096, 5u << 20};
    struct team team = chosen(threads);
    struct memory memory = opened(threads * 3 * HUGE_PAGE, true);
    struct error err;
    void *buffers[4];
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        if (!memory_take(&memory, &team, sizes[s], buffers, &err))
            fail_msg("%s", err.text);
        for (unsigned i = 0; i < threads; i++) {
            unsigned char *base = buffers[i];
            assert_int_equal((uintptr_t)base % HUGE_PAGE, 0);
            for (uint64_t at = 0; at < sizes[s]; at += 4096)
                assert_true(is_resident(base + at));
            for (unsigned j = 0; j < i; j++) {
                unsigned char *other = buffers[j];
                assert_true(base + sizes[s] <= other || other + sizes[s] <= base);
            }
            memset(base, (int)i, sizes[s]);
        }
        for (unsigned i = 0; i < threads; i++)
            assert_int_equal(((unsigned char *)buffers[i])[sizes[s] - 1], i);
    }
    memory_close(&memory);
    team_free(&team);
}

/* Pages touched for a large buffer serve smaller ones: gigabytes are touched once. */
static void pages_are_kept(void **state) {
    (void)state;
    struct team team = chosen(1);
    struct memory memory = opened(4 * HUGE_PAGE, true);
    struct error err;
    void *first, *second;
    assert_true(memory_take(&memory, &team, 4 * HUGE_PAGE, &first, &err));
    ((unsigned char *)first)[0] = 7;
    assert_true(memory_take(&memory, &team, HUGE_PAGE, &second, &err));
    assert_ptr_equal(first, second);
    assert_int_equal(((unsigned char *)second)[0], 7);
    memory_close(&memory);
    team_free(&team);
}

static void each_node_has_its_arena(void **state) {
    (void)state;
    struct machine m = fixture_machine(1, 0);
    m.cores[0].pus[0] = here.cores[0].pus[0]; /* one usable core, placed on the second of two nodes */
    m.cores[0].node = 1;
    m.nodes = realloc(m.nodes, 2 * sizeof *m.nodes);
    m.nodes[1] = m.nodes[0];
    m.node_count = 2;
    struct memory memory;
    struct team team;
    struct error err;
    void *buffer;
    assert_true(team_choose(&team, &m, TEAM_ANY_KIND, 1, &err));
    assert_true(memory_open(&memory, &m, HUGE_PAGE, true, &err));
    assert_true(memory_take(&memory, &team, HUGE_PAGE, &buffer, &err));
    assert_ptr_equal(buffer, memory.arenas[1].base);
    assert_int_equal(memory.arenas[0].touched_bytes, 0);
    assert_false(is_resident(memory.arenas[0].base));
    memory_close(&memory);
    team_free(&team);
    machine_free(&m);
}

/* The real nodes of this machine and one more that it does not have: correct places, and impossible ones. */
static void pages_lie_on_their_node(void **state) {
    (void)state;
    struct machine m = here;
    m.node_count = here.node_count + 1;
    m.nodes = calloc(m.node_count, sizeof *m.nodes);
    memcpy(m.nodes, here.nodes, here.node_count * sizeof *m.nodes);
    m.nodes[here.node_count] = (struct memory_node){.os_index = 1000, .memory_bytes = GIB(1), .kind = "DRAM"};
    struct memory memory;
    struct error err;
    void *buffers[1];
    if (!memory_open(&memory, &m, 4 * HUGE_PAGE, true, &err))
        fail_msg("%s", err.text);
    for (unsigned node = 0; node < m.node_count; node++) {
        struct team team;
        const struct place place = {.memory_node = node + 1};
        if (here.nodes[node < here.node_count ? node : 0].memory_bytes == 0)
            continue;
        assert_true(team_place(&team, &m, TEAM_ANY_KIND, &place, 1, &err));
        assert_true(memory_take(&memory, &team, 3 * HUGE_PAGE, buffers, &err));
        assert_ptr_equal(buffers[0], memory.arenas[node].base);
        assert_true(is_resident(memory.arenas[node].base + 3 * HUGE_PAGE - 4096));
        bool in_place = memory_in_place(&memory, &team, buffers, 3 * HUGE_PAGE);
        if (node == here.node_count)
            assert_false(in_place); /* there is no such node */
        else if (!in_place)         /* a container that does not permit the query */
            print_message("where pages lie cannot be read here\n");
        team_free(&team);
    }
    memory_close(&memory);
    free(m.nodes);
}

static void too_large_is_an_error(void **state) {
    (void)state;
    struct team team = chosen(1);
    struct memory memory = opened(2 * HUGE_PAGE, true);
    struct error err;
    void *buffer;
    assert_true(memory_take(&memory, &team, 2 * HUGE_PAGE, &buffer, &err));
    assert_false(memory_take(&memory, &team, 2 * HUGE_PAGE + 1, &buffer, &err));
    assert_contains(err.text, "do not fit");
    assert_contains(err.text, "4 MiB");
    memory_close(&memory);
    assert_false(memory_open(&memory, &here, (uint64_t)1 << 60, true, &err)); /* beyond any address space */
    assert_contains(err.text, "ulimit");
    team_free(&team);
}

static void page_sizes(void **state) {
    (void)state;
    struct team team = chosen(1);
    for (int huge = 0; huge < 2; huge++) {
        struct memory memory = opened(4 * HUGE_PAGE, huge);
        struct error err;
        void *buffer;
        assert_true(memory_take(&memory, &team, 4 * HUGE_PAGE, &buffer, &err));
        uint64_t page_bytes = memory_page_bytes(buffer, 4 * HUGE_PAGE);
        if (huge && page_bytes != machine_page_bytes(&here)) /* as granted by the system */
            assert_int_equal(page_bytes, machine_huge_page_bytes(&here));
        else
            assert_int_equal(page_bytes, machine_page_bytes(&here));
        memory_close(&memory);
    }
    assert_int_equal(memory_page_bytes(NULL, 4096), machine_page_bytes(&here)); /* no such buffer */
    team_free(&team);
}

/* Huge pages of 2, 32 and 512 MiB: an arena has whole ones, but of those that would fill the memory none. Buffers are
 * whole units apart in any case. */
static void arenas_of_any_page_size(void **state) {
    (void)state;
    static const struct {
        uint64_t page_bytes, available_bytes, arena_bytes;
    } rows[] = {{4096, GIB(60), MIB(4)},   {4096, MIB(1), MIB(4)},    {16384, GIB(60), MIB(32)},
                {16384, MIB(255), MIB(4)}, {65536, GIB(4), MIB(512)}, {65536, GIB(4) - 1, MIB(4)}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct machine m = fixture_machine(2, 0);
        struct memory memory;
        struct error err;
        m.page_bytes = rows[i].page_bytes;
        m.memory_available_bytes = rows[i].available_bytes;
        m.cores[0].pus[0] = m.cores[1].pus[0] = here.cores[0].pus[0];
        assert_true(memory_open(&memory, &m, MIB(2) + 1, false, &err));
        assert_int_equal(memory.arenas[0].reserved_bytes, rows[i].arena_bytes);
        assert_int_equal(
            (uintptr_t)memory.arenas[0].base % (rows[i].arena_bytes > MIB(4) ? rows[i].arena_bytes : MIB(2)), 0);
        struct team team;
        void *buffers[2];
        assert_true(team_choose(&team, &m, TEAM_ANY_KIND, 2, &err));
        assert_true(memory_take(&memory, &team, MIB(1), buffers, &err));
        assert_ptr_equal((char *)buffers[1], (char *)buffers[0] + MIB(2));
        assert_int_equal(memory.arenas[0].touched_bytes, MIB(4)); /* no more than is used */
        assert_true(is_resident((char *)buffers[1] + MIB(2) - 4096));
        memory_close(&memory);
        team_free(&team);
        machine_free(&m);
    }
}

static uint64_t address_space_pages(void) {
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%llu", &pages), 1);
    fclose(file);
    return pages;
}

static void closing_gives_everything_back(void **state) {
    (void)state;
    struct memory memory = opened(8 * HUGE_PAGE, true);
    memory_close(&memory);
    uint64_t before = address_space_pages();
    for (int i = 0; i < 20; i++) {
        memory = opened(8 * HUGE_PAGE, true);
        memory_close(&memory);
    }
    assert_true(address_space_pages() < before + 2 * HUGE_PAGE / 4096); /* each time would leave more */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffers_are_apart_and_touched), cmocka_unit_test(pages_are_kept),
        cmocka_unit_test(each_node_has_its_arena),       cmocka_unit_test(pages_lie_on_their_node),
        cmocka_unit_test(too_large_is_an_error),         cmocka_unit_test(page_sizes),
        cmocka_unit_test(arenas_of_any_page_size),       cmocka_unit_test(closing_gives_everything_back),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
