/* SPDX-License-Identifier: BSD-3-Clause
 * Machines made at random, with pages of 4, 16 or 64 KiB, lines of 64, 128 or 256 bytes, up to four levels of caches,
 * three kinds of cores, several threads of a core, many nodes and several kinds of memory, many with caches that
 * nothing reports: hwloc's file of each is read, planned, and planned for `carmine memory`. The oracle is what was
 * made. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <hwloc.h>

#include "bench/memory/memory_plan.h"
#include "tests/support/chance.h"
#include "tests/support/planned.h"

enum { MACHINES = 150, MOST_CORES = 512, MOST_LEVELS = 4, MOST_NODES = 32, MOST_KINDS = 3, MOST_OBJECTS = 40 };

/* What was made. Instances are numbers from 1; 0: the core lacks the level. */
struct made_core {
    unsigned kind, package, node, pus[2], instance[MOST_LEVELS + 1];
};
struct made_kind {
    const char *type, *name;
    uint64_t bytes[MOST_LEVELS + 1];
    unsigned cores, l2_cores; /* all, and those that share an L2 */
    bool outside;             /* without the caches outside of L2 */
};
struct made_node {
    const char *kind;
    uint64_t bytes, side_bytes;
    unsigned cores;
};
struct made {
    unsigned packages, nodes_each, threads, levels, kind_count, core_count, node_count, pu_count;
    bool l3_of_node, flat, cached;
    struct made_kind kinds[MOST_KINDS];
    struct made_core cores[MOST_CORES];
    struct made_node nodes[MOST_NODES];
    unsigned page_bytes, line_bytes;
    bool hides[MOST_LEVELS + 1], hides_some; /* levels that are not reported; every third core's L1 is not */
    unsigned instances[MOST_LEVELS + 1], objects;
    hwloc_bitmap_t open[MOST_OBJECTS]; /* CPUs of the open objects */
    unsigned depth;
};

static unsigned pick(unsigned from, unsigned to) {
    return from + (unsigned)chance_uniform(0, to - from + 1);
}

/* Four machines of ten report all their caches. */
static void hide(struct made *m, unsigned choice) {
    m->hides_some = choice == 0;
    for (unsigned level = 1; level <= MOST_LEVELS; level++)
        m->hides[level] = choice == 1 || choice == level + 1 || (choice == 4 && level > 3);
}

static bool hides(const struct made *m, unsigned level, unsigned core) {
    return m->hides[level] || (level == 1 && m->hides_some && core % 3 == 0);
}

static void choose(struct made *m, unsigned number) {
    static const unsigned PAGES[] = {4096, 16384, 65536}, LINES[] = {64, 128, 256};
    static const struct made_kind KINDS[] = {
        {.type = "IntelCore", .name = "P", .bytes = {0, KIB(48), MIB(2)}, .l2_cores = 1},
        {.type = "IntelAtom", .name = "E", .bytes = {0, KIB(32), MIB(4)}, .l2_cores = 4},
        {.type = "IntelLowPower", .name = "LP-E", .bytes = {0, KIB(32), MIB(2)}, .l2_cores = 2, .outside = true}};
    *m = (struct made){.packages = pick(1, 2), .nodes_each = 1u << pick(0, 2), .threads = pick(1, 2)};
    m->page_bytes = PAGES[number % 3];
    m->line_bytes = LINES[number / 3 % 3];
    m->kind_count = pick(1, 2) == 1 ? 1 : pick(2, 3);
    m->levels = pick(2, 4);
    m->flat = pick(0, 2) == 0;
    m->cached = !m->flat && pick(0, 2) == 0;
    if (m->kind_count > 1)
        m->packages = m->nodes_each = 1;
    m->l3_of_node = m->nodes_each > 1 && pick(0, 1);
    hide(m, pick(0, 9));
    for (unsigned k = 0; k < m->kind_count; k++) {
        m->kinds[k] = KINDS[k];
        m->kinds[k].bytes[3] = MIB(24), m->kinds[k].bytes[4] = MIB(256);
        m->kinds[k].cores = k == 2 ? 2 : 4 * pick(1, m->kind_count > 1 ? 2 : 8);
    }
    if (m->kind_count == 1)
        m->kinds[0].name = "", m->kinds[0].l2_cores = 1u << pick(0, 2);
}

/* The file's lines: objects in the order of the tree, whose CPUs are known only at their end. */

struct line {
    char text[512];
    hwloc_bitmap_t cpus; /* NULL: the text is complete */
    unsigned node;       /* 1 + that of its objects, 0: all nodes */
};
struct lines {
    struct line *line;
    size_t count;
};

__attribute__((format(printf, 4, 5))) static struct line *line_add(struct lines *to, hwloc_bitmap_t cpus, unsigned node,
                                                                   const char *format, ...) {
    to->line = realloc(to->line, (to->count + 1) * sizeof *to->line);
    struct line *line = &to->line[to->count++];
    *line = (struct line){.cpus = cpus, .node = node};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line->text, sizeof line->text, format, arguments);
    va_end(arguments);
    return line;
}

static void begin(struct made *m, struct lines *to, unsigned node, const char *type, const char *more) {
    hwloc_bitmap_t cpus = hwloc_bitmap_alloc();
    m->open[m->depth++] = cpus;
    line_add(to, cpus, node, "type=\"%s\" gp_index=\"%u\"%s", type, ++m->objects, more);
}

static void end(struct made *m, struct lines *to) {
    m->depth--;
    line_add(to, NULL, 0, "</object>");
}

/* Around the next core, and others. */
static void begin_cache(struct made *m, struct lines *to, unsigned node, unsigned level, uint64_t bytes) {
    char more[160], type[16];
    if (hides(m, level, m->core_count))
        return;
    snprintf(type, sizeof type, "L%uCache", level);
    snprintf(more, sizeof more,
             " cache_size=\"%llu\" depth=\"%u\" cache_linesize=\"%u\" cache_associativity=\"8\" cache_type=\"%d\"",
             (unsigned long long)bytes, level, level == 1 ? 64 : m->line_bytes, level == 1);
    m->instances[level]++;
    begin(m, to, node, type, more);
}

static void end_cache(struct made *m, struct lines *to, unsigned level, unsigned core) {
    if (!hides(m, level, core))
        end(m, to);
}

static void add_pu(struct made *m, struct lines *to, struct made_core *core, unsigned thread) {
    char more[64];
    const unsigned pu = m->pu_count++;
    core->pus[thread] = pu;
    for (unsigned i = 0; i < m->depth; i++)
        hwloc_bitmap_set(m->open[i], pu);
    snprintf(more, sizeof more, " os_index=\"%u\"", pu);
    begin(m, to, core->node + 1, "PU", more);
    hwloc_bitmap_set(m->open[m->depth - 1], pu);
    end(m, to);
}

/* The cores of a kind in one place, by their L2. */
static void add_cores(struct made *m, struct lines *to, unsigned kind, unsigned package, unsigned node) {
    const struct made_kind *own = &m->kinds[kind];
    for (unsigned i = 0; i < own->cores; i++) {
        if (i % own->l2_cores == 0)
            begin_cache(m, to, node + 1, 2, own->bytes[2]);
        begin_cache(m, to, node + 1, 1, own->bytes[1]);
        struct made_core *core = &m->cores[m->core_count];
        *core = (struct made_core){.kind = kind, .package = package, .node = node};
        for (unsigned level = 1; level <= m->levels && (level < 3 || !own->outside); level++)
            core->instance[level] = hides(m, level, m->core_count) ? 0 : m->instances[level];
        char more[64];
        snprintf(more, sizeof more, " os_index=\"%u\"", m->core_count++);
        begin(m, to, node + 1, "Core", more);
        for (unsigned t = 0; t < (kind == 0 ? m->threads : 1); t++)
            add_pu(m, to, core, t);
        end(m, to);
        end_cache(m, to, 1, m->core_count - 1);
        if ((i + 1) % own->l2_cores == 0 || i + 1 == own->cores)
            end_cache(m, to, 2, m->core_count - 1);
    }
}

/* A node's line is of the CPUs around it; `at` is its number among all. */
static void add_node(struct made *m, struct lines *to, const char *kind, uint64_t bytes, uint64_t side_bytes) {
    char more[128];
    const unsigned number = m->node_count++;
    hwloc_bitmap_t around = m->open[m->depth - 1];
    m->nodes[number] = (struct made_node){.kind = kind, .bytes = bytes, .side_bytes = side_bytes};
    if (side_bytes)
        line_add(to, around, number + 1,
                 "type=\"MemCache\" gp_index=\"%u\" cache_size=\"%llu\" depth=\"1\" cache_linesize=\"64\" "
                 "cache_associativity=\"1\" cache_type=\"0\"",
                 ++m->objects, (unsigned long long)side_bytes);
    snprintf(more, sizeof more, "%s%s", strcmp(kind, "DRAM") ? " subtype=" : "", strcmp(kind, "DRAM") ? "\"HBM\"" : "");
    line_add(to, around, number + 1, "type=\"NUMANode\" os_index=\"%u\" gp_index=\"%u\" local_memory=\"%llu\"%s",
             number, ++m->objects, (unsigned long long)bytes, more);
    line_add(to, NULL, 0, "<page_type size=\"%u\" count=\"1\"/><page_type size=\"%u\" count=\"0\"/>", m->page_bytes,
             2u << 20);
    line_add(to, NULL, 0, "</object>");
    if (side_bytes)
        line_add(to, NULL, 0, "</object>");
}

/* A part of a package with its memory. */
static void add_part(struct made *m, struct lines *to, unsigned package) {
    const unsigned node = m->node_count;
    add_node(m, to, "DRAM", GIB(64), m->cached ? GIB(16) : 0);
    if (m->flat)
        add_node(m, to, "HBM", GIB(16), 0);
    if (m->l3_of_node && m->levels >= 3)
        begin_cache(m, to, node + 1, 3, m->kinds[0].bytes[3]);
    for (unsigned k = 0; k < m->kind_count; k++)
        if (!m->kinds[k].outside)
            add_cores(m, to, k, package, node);
    if (m->l3_of_node && m->levels >= 3)
        end_cache(m, to, 3, m->core_count);
}

static void add_package(struct made *m, struct lines *to, unsigned package) {
    begin(m, to, 0, "Package", "");
    if (m->levels >= 4)
        begin_cache(m, to, 0, 4, m->kinds[0].bytes[4]);
    if (m->levels >= 3 && !m->l3_of_node)
        begin_cache(m, to, 0, 3, m->kinds[0].bytes[3]);
    for (unsigned i = 0; i < m->nodes_each; i++) {
        if (m->nodes_each > 1)
            begin(m, to, m->node_count + 1, "Group", " kind=\"1000\" subkind=\"0\"");
        add_part(m, to, package);
        if (m->nodes_each > 1)
            end(m, to);
    }
    if (m->levels >= 3 && !m->l3_of_node)
        end_cache(m, to, 3, m->core_count);
    if (m->levels >= 4)
        end_cache(m, to, 4, m->core_count);
    for (unsigned k = 0; k < m->kind_count; k++)
        if (m->kinds[k].outside)
            add_cores(m, to, k, package, 0);
    end(m, to);
}

/* Objects that stand above several nodes are of all of them. */
static void print_line(const struct made *m, const struct line *line, FILE *to) {
    char *cpus;
    if (!line->cpus) {
        fprintf(to, "%s\n", line->text);
        return;
    }
    const unsigned width = m->flat ? 2 : 1;
    const bool is_memory = strstr(line->text, "NUMANode") || strstr(line->text, "MemCache");
    const unsigned long nodes = !line->node ? (1ul << m->node_count) - 1
                                : is_memory ? 1ul << (line->node - 1)
                                            : ((1ul << width) - 1) << (line->node - 1);
    hwloc_bitmap_asprintf(&cpus, line->cpus);
    fprintf(to, "<object %s cpuset=\"%s\" complete_cpuset=\"%s\" nodeset=\"0x%lx\" complete_nodeset=\"0x%lx\">\n",
            line->text, cpus, cpus, nodes, nodes);
    free(cpus);
}

static void print_kinds(const struct made *m, FILE *to) {
    for (unsigned k = m->kind_count; k-- > 0 && m->kind_count > 1;) {
        char *text;
        hwloc_bitmap_t cpus = hwloc_bitmap_alloc();
        for (unsigned c = 0; c < m->core_count; c++)
            for (unsigned t = 0; t < (k == 0 ? m->threads : 1) && m->cores[c].kind == k; t++)
                hwloc_bitmap_set(cpus, m->cores[c].pus[t]);
        hwloc_bitmap_asprintf(&text, cpus);
        fprintf(to,
                "<cpukind cpuset=\"%s\" forced_efficiency=\"%u\"><info name=\"CoreType\" value=\"%s\"/></cpukind>\n",
                text, m->kind_count - 1 - k, m->kinds[k].type);
        free(text);
        hwloc_bitmap_free(cpus);
    }
}

static void make(struct made *m, const char *path) {
    struct lines lines = {0};
    char *cpus;
    begin(m, &lines, 0, "Machine", " os_index=\"0\"");
    for (unsigned p = 0; p < m->packages; p++)
        add_package(m, &lines, p);
    end(m, &lines);
    for (unsigned c = 0; c < m->core_count; c++)
        m->nodes[m->cores[c].node].cores++;
    hwloc_bitmap_asprintf(&cpus, lines.line[0].cpus);
    FILE *to = fopen(path, "w");
    fprintf(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n"
                "<topology version=\"2.0\">\n");
    snprintf(lines.line[0].text + strlen(lines.line[0].text), 400,
             " allowed_cpuset=\"%.300s\" allowed_nodeset=\"0x%lx\"", cpus, (1ul << m->node_count) - 1);
    for (size_t i = 0; i < lines.count; i++)
        print_line(m, &lines.line[i], to);
    print_kinds(m, to);
    fputs("</topology>\n", to);
    fclose(to);
    free(cpus);
    for (size_t i = 0; i < lines.count; i++)
        if (lines.line[i].cpus && !strstr(lines.line[i].text, "NUMANode") && !strstr(lines.line[i].text, "MemCache"))
            hwloc_bitmap_free(lines.line[i].cpus);
    free(lines.line);
}

/* What was read. */

static void check_cores(const struct made *m, const struct machine *read) {
    assert_int_equal(read->core_count, m->core_count);
    assert_int_equal(read->package_count, m->packages);
    assert_int_equal(read->pu_count, m->pu_count);
    assert_int_equal(read->kind_count, m->kind_count);
    for (unsigned c = 0; c < m->core_count; c++) {
        const struct core *core = &read->cores[c];
        const struct made_core *made = &m->cores[c];
        assert_int_equal(core->kind, made->kind);
        assert_int_equal(core->package, made->package);
        assert_int_equal(core->node, made->node);
        assert_int_equal(core->pu_count, made->kind == 0 ? m->threads : 1);
        assert_int_equal(core->pus[core->pu_count - 1], made->pus[core->pu_count - 1]);
        for (unsigned i = 0; i < read->kinds[core->kind].cache_count; i++)
            assert_int_equal(core->cache_instance[0][i] + 1, made->instance[read->kinds[core->kind].caches[i].level]);
    }
}

/* Of the cores of a kind, or of any if `kind` is none: the number with this instance of a level. */
static unsigned count_with(const struct made *m, unsigned level, unsigned instance) {
    unsigned count = 0;
    for (unsigned c = 0; c < m->core_count; c++)
        count += m->cores[c].instance[level] == instance;
    return count;
}

/* Reported of the cores of a kind. */
static bool has_level(const struct made *m, unsigned kind, unsigned level) {
    return level <= (m->kinds[kind].outside ? 2 : m->levels) && !m->hides[level];
}

/* A level's sharers of one instance, at most, and its instances. */
static void check_instances(const struct made *m, unsigned kind, const struct cache *cache) {
    unsigned most = 0, instances = 0, last = 0;
    for (unsigned c = 0; c < m->core_count; c++) {
        const unsigned own = m->cores[c].instance[cache->level];
        if (m->cores[c].kind != kind || !own || own == last)
            continue;
        last = own;
        instances++;
        const unsigned count = count_with(m, cache->level, last);
        most = count > most ? count : most;
    }
    assert_int_equal(cache->size_bytes, m->kinds[kind].bytes[cache->level]);
    assert_int_equal(cache->sharing_core_count, most);
    assert_int_equal(cache->instance_count, instances);
}

static void check_caches(const struct made *m, const struct machine *read) {
    bool outer = false;
    for (unsigned k = 0; k < m->kind_count; k++) {
        const struct core_kind *kind = &read->kinds[k];
        unsigned i = 0;
        assert_string_equal(kind->name, m->kinds[k].name);
        for (unsigned level = 1; level <= MOST_LEVELS; level++)
            if (has_level(m, k, level)) {
                assert_true(i < kind->cache_count);
                assert_int_equal(kind->caches[i].level, level);
                check_instances(m, k, &kind->caches[i++]);
                outer |= level > 1;
            }
        assert_int_equal(kind->cache_count, i);
    }
    assert_int_equal(machine_line_bytes(read), outer ? m->line_bytes : 64);
    assert_string_equal(read->cache_source, m->instances[1] || outer ? "hwloc" : "none");
}

static void check_nodes(const struct made *m, const struct machine *read) {
    assert_int_equal(machine_page_bytes(read), m->page_bytes);
    assert_int_equal(read->node_count, m->node_count);
    for (unsigned i = 0; i < m->node_count; i++) {
        assert_string_equal(read->nodes[i].kind, m->nodes[i].kind);
        assert_int_equal(read->nodes[i].memory_bytes, m->nodes[i].bytes);
        assert_int_equal(read->nodes[i].memory_side_cache_bytes, m->nodes[i].side_bytes);
        assert_int_equal(read->nodes[i].core_count, m->nodes[i].cores);
    }
}

/* The steps of a kernel by one core of this kind in the level of this name. */
static size_t count_named(const struct plan *plan, const struct machine *read, const char *kernel, int kind,
                          const char *level) {
    struct levels levels[MACHINE_MAX_KINDS];
    size_t count = 0;
    fixture_levels(read, levels);
    for (size_t i = 0; i < plan->count; i++) {
        struct sample place = {0};
        plan_describe(&plan->steps[i], read, levels, &place);
        count += strcmp(plan->steps[i].kernel, kernel) == 0 && strcmp(place.level, level) == 0 &&
                 (kind < 0 || plan->steps[i].core_kind == kind) && plan->steps[i].threads == 1;
    }
    return count;
}

/* A step beyond a cache that is not reported says so, and its sizes are a good part of its own level's. */
static void check_hidden(const struct made *m, const struct machine *read, const struct plan *plan) {
    struct levels levels[MACHINE_MAX_KINDS];
    fixture_levels(read, levels);
    for (size_t i = 0; i < plan->count; i++) {
        const struct plan_step *step = &plan->steps[i];
        const unsigned kind = step->core_kind < 0 ? 0 : (unsigned)step->core_kind;
        struct sample place = {0};
        plan_describe(step, read, levels, &place);
        const unsigned level = place.level[0] == 'L' ? (unsigned)(place.level[1] - '0') : 0;
        const bool hidden = level ? m->hides[level - 1] : step->memory && read->kinds[kind].cache_count == 0;
        assert_int_equal(doubts_has(step->doubts, DOUBT_CACHES_UNKNOWN), hidden);
        if (hidden && level && step->threads == 1)
            assert_true(step->size_bytes[0] > m->kinds[kind].bytes[level] / 8);
    }
}

/* Each kind has its peak and its roofs, each kind of memory has a roof, and the plan does not grow with the cores. */
static void check_plan(const struct made *m, const struct machine *read) {
    struct plan plan = planned(read, &(struct plan_options){0});
    check(&plan, read);
    check_hidden(m, read, &plan);
    for (unsigned k = 0; k < m->kind_count; k++) {
        const int kind = m->kind_count > 1 ? (int)k : TEAM_ANY_KIND;
        assert_int_equal(count_named(&plan, read, "avx2.f64.fma", kind, ""), 1);
        for (unsigned i = 0; i < read->kinds[k].cache_count; i++) {
            char name[CACHE_NAME_BYTES];
            assert_int_equal(
                count_named(&plan, read, "avx2.load", kind, machine_cache_name(&read->kinds[k].caches[i], name)), 1);
        }
        assert_true(count_named(&plan, read, "avx2.load", kind, "DRAM") > 0);
    }
    assert_int_equal(count_named(&plan, read, "avx2.load", -1, "HBM") > 0, m->flat);
    const size_t pairs = m->node_count > 1 ? (size_t)m->packages * m->nodes_each * m->node_count : 0;
    assert_true(plan.count < 400 * (m->kind_count + 2) + 40 * pairs);
    plan_free(&plan);
}

/* Every size of a sweep is whole lines, and larger than the one before. */
static void check_sweep(const struct machine *read) {
    struct levels levels[MACHINE_MAX_KINDS];
    struct plan plan;
    struct error err;
    fixture_levels(read, levels);
    const struct plan_curve curve = {.kernel = "chase", .per_octave = 4, .threads = 1};
    if (!plan_sweep(&plan, read, levels, &(struct plan_options){0}, &curve, &err))
        fail_msg("%s", err.text);
    for (size_t i = 0; i < plan.count; i++) {
        assert_int_equal(plan.steps[i].size_bytes[0] % machine_line_bytes(read), 0);
        assert_true(i == 0 || plan.steps[i].size_bytes[0] > plan.steps[i - 1].size_bytes[0]);
    }
    assert_true(plan.count > 20);
    plan_free(&plan);
}

/* The innermost cache that the cores of a pair share, else the part of the machine. */
static void check_pairs(const struct made *m, const struct memory_plan *plan) {
    for (size_t i = 0; i < plan->pair_count; i++) {
        const struct made_core *of[2] = {NULL, NULL};
        for (unsigned c = 0; c < m->core_count; c++)
            for (unsigned t = 0; t < (m->cores[c].kind == 0 ? m->threads : 1); t++) {
                of[0] = m->cores[c].pus[t] == plan->pairs[i].first ? &m->cores[c] : of[0];
                of[1] = m->cores[c].pus[t] == plan->pairs[i].second ? &m->cores[c] : of[1];
            }
        char wanted[16];
        snprintf(wanted, sizeof wanted, "%s",
                 of[0] == of[1]                     ? "core"
                 : of[0]->package != of[1]->package ? "machine"
                 : of[0]->node != of[1]->node       ? "package"
                 : m->node_count > m->packages      ? "die"
                                                    : "package");
        for (unsigned level = m->levels; level > 0 && of[0] != of[1]; level--)
            if (of[0]->instance[level] && of[0]->instance[level] == of[1]->instance[level])
                snprintf(wanted, sizeof wanted, "L%u", level);
        assert_string_equal(plan->pairs[i].shares, wanted);
    }
}

/* Three sizes of pages; chases through lines of each of at most a quarter of the memory, at least a line apart. */
static void check_pages(const struct made *m, unsigned line_bytes, const struct memory_plan *plan) {
    static const uint64_t WANTED[3][MEMORY_PAGE_SIZES] = {
        {KIB(4), MIB(2), GIB(1)}, {KIB(16), MIB(32), GIB(1)}, {KIB(64), MIB(2), MIB(512)}};
    const uint64_t *wanted = WANTED[m->page_bytes == KIB(4) ? 0 : m->page_bytes == KIB(16) ? 1 : 2];
    const uint64_t huge = machine_huge_page_of(m->page_bytes);
    uint64_t all_bytes = 0;
    size_t found = 0;
    for (unsigned n = 0; n < m->node_count; n++)
        all_bytes += m->nodes[n].bytes;
    for (size_t i = 0; i < plan->item_count; i++) {
        const struct memory_item *item = &plan->items[i];
        const struct memory_series *series = item->part == MEMORY_CORES ? NULL : &plan->subjects[item->subject].series;
        if (series && series->part == MEMORY_PAGES && strcmp(series->level, "pages") == 0) {
            assert_true(item->setting * (double)series->page_bytes <= 0.26 * (double)all_bytes);
            for (size_t p = 0; p < MEMORY_PAGE_SIZES; p++)
                found |= (size_t)(series->page_bytes == wanted[p]) << p;
        } else if (series && strcmp(series->kernel, "chase") == 0) {
            assert_int_equal(series->page_bytes, huge);
        }
        if (item->part == MEMORY_WRITES)
            assert_int_equal(item->writes.size_bytes[0] % line_bytes, 0);
    }
    assert_int_equal(found, 7);
}

static void check_memory_plan(const struct made *m, const struct machine *read) {
    static const bool ALL[MEMORY_PARTS] = {true, true, true, true, true};
    struct levels levels[MACHINE_MAX_KINDS];
    struct memory_plan plan;
    struct error err;
    fixture_levels(read, levels);
    if (!memory_plan_make(&plan, read, levels, ALL, &err))
        fail_msg("%s", err.text);
    check_pairs(m, &plan);
    check_pages(m, machine_line_bytes(read), &plan);
    size_t loaded_memories = 0, loaded_l2 = 0, writes = 0, parallel = 0;
    for (size_t i = 0; i < plan.subject_count; i++) {
        const struct memory_series *series = &plan.subjects[i].series;
        loaded_memories += series->part == MEMORY_LOADED && strcmp(series->level, m->flat ? "HBM" : "DRAM") == 0;
        writes += series->part == MEMORY_WRITES;
        parallel += series->part == MEMORY_PARALLEL;
        loaded_l2 += series->part == MEMORY_LOADED && strcmp(series->level, "L2") == 0;
    }
    assert_true(loaded_memories > 0 && writes > 0);
    assert_int_equal(parallel, read->kinds[0].cache_count + m->hides[1]); /* all caches but L1, and the memory */
    assert_int_equal(loaded_l2 > 0, m->kinds[0].l2_cores > 1 && !m->hides[2]);
    memory_plan_free(&plan);
}

static void machines(void **state) {
    (void)state;
    chance_seed = 42;
    for (unsigned i = 0; i < MACHINES; i++) {
        char path[] = "/tmp/carmine-machine-XXXXXX";
        struct made *m = malloc(sizeof *m);
        struct machine read;
        struct error err;
        const int file = mkstemp(path);
        assert_true(m && file >= 0 && close(file) == 0);
        choose(m, i);
        make(m, path);
        if (!machine_load(&read, path, &err))
            fail_msg("machine %u: %s", i, err.text);
        unlink(path);
        read.cpu.features = FIXTURE_AVX2;
        check_cores(m, &read);
        check_caches(m, &read);
        check_nodes(m, &read);
        check_plan(m, &read);
        check_sweep(&read);
        check_memory_plan(m, &read);
        machine_free(&read);
        free(m);
    }
}

/* Recorded machines of other pages and lines, planned as if they could execute these kernels. */
static void recordings(void **state) {
    (void)state;
    static const struct {
        const char *path;
        uint64_t page_bytes;
        unsigned line_bytes;
    } rows[] = {{"tests/topologies/a64fx.xml", KIB(64), 256},
                {"tests/topologies/apple_m1.xml", KIB(16), 128},
                {"tests/topologies/granite_snc3.xml", KIB(4), 64}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct machine read;
        struct error err;
        if (!machine_load(&read, rows[i].path, &err))
            fail_msg("%s: %s", rows[i].path, err.text);
        assert_int_equal(machine_page_bytes(&read), rows[i].page_bytes);
        assert_int_equal(machine_line_bytes(&read), rows[i].line_bytes);
        read.cpu.features = FIXTURE_AVX2;
        struct plan plan = planned(&read, &(struct plan_options){0});
        check(&plan, &read);
        check_sweep(&read);
        plan_free(&plan);
        machine_free(&read);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(machines), cmocka_unit_test(recordings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
