/* SPDX-License-Identifier: BSD-3-Clause
 * The time of a cache line from core to core, as a table of cells: a row and a column for each CPU. */
#include "chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carm/model/memory_model.h"
#include "carm/store/results.h"
#include "probe/error.h"
#include "probe/need.h"
#include "probe/text.h"
#include "render/page/units.h"

enum { NAME_BYTES = 24, MOST_CELLS = 128, CELL_COLUMNS = 6 };

struct cpu {
    unsigned number;
    unsigned groups[MEMORY_MOST_CLUSTERS]; /* the lowest CPU that pairs of at most this cluster connect it with */
};

/* CPUs in the order of the table, and the block of each cell. */
struct matrix {
    const struct memory_system *memory;
    bool by_store;
    size_t count, block, side; /* CPUs, CPUs per cell, cells */
    struct cpu *cpus;
    char (*texts)[NAME_BYTES];
    const char **names;
    double *values, high;
    size_t measured; /* pairs */
};

static int by_number(const void *a, const void *b) {
    const struct cpu *p = a, *q = b;
    return p->number < q->number ? -1 : p->number > q->number;
}

/* The farthest cluster's groups first, then nearer ones: neighbours are beside each other. */
static int by_groups(const void *a, const void *b) {
    const struct cpu *p = a, *q = b;
    for (size_t k = MEMORY_MOST_CLUSTERS; k-- > 0;)
        if (p->groups[k] != q->groups[k])
            return p->groups[k] < q->groups[k] ? -1 : 1;
    return by_number(a, b);
}

static struct cpu *find(const struct matrix *m, unsigned number) {
    const struct cpu key = {.number = number};
    return bsearch(&key, m->cpus, m->count, sizeof key, by_number);
}

/* Finds the CPUs of the pairs, by number. */
static void collect(struct matrix *m) {
    size_t kept = 0;
    m->cpus = need_calloc(2 * m->memory->pair_count, sizeof *m->cpus);
    for (size_t i = 0; i < m->memory->pair_count; i++) {
        m->cpus[m->count++].number = m->memory->pairs[i].first;
        m->cpus[m->count++].number = m->memory->pairs[i].second;
    }
    qsort(m->cpus, m->count, sizeof *m->cpus, by_number);
    for (size_t i = 0; i < m->count; i++)
        if (i == 0 || m->cpus[i].number != m->cpus[i - 1].number)
            m->cpus[kept++] = m->cpus[i];
    m->count = kept;
}

/* Joins the groups of both CPUs, in this cluster. */
static void join(struct matrix *m, unsigned a, unsigned b, unsigned cluster) {
    const unsigned low = a < b ? a : b, high = a < b ? b : a;
    for (size_t i = 0; i < m->count && low != high; i++)
        if (m->cpus[i].groups[cluster] == high)
            m->cpus[i].groups[cluster] = low;
}

/* Sorts the CPUs so that those of a cluster are together, whatever their numbers. */
static void sort(struct matrix *m) {
    unsigned *clusters = need_calloc(m->memory->pair_count, sizeof *clusters);
    memory_cluster_of_pairs(m->memory, clusters);
    for (size_t i = 0; i < m->count; i++)
        for (size_t k = 0; k < MEMORY_MOST_CLUSTERS; k++)
            m->cpus[i].groups[k] = m->cpus[i].number;
    for (size_t i = 0; i < m->memory->pair_count; i++)
        for (unsigned k = clusters[i]; k < MEMORY_MOST_CLUSTERS; k++)
            join(m, find(m, m->memory->pairs[i].first)->groups[k], find(m, m->memory->pairs[i].second)->groups[k], k);
    qsort(m->cpus, m->count, sizeof *m->cpus, by_groups);
    free(clusters);
}

/* The place of a CPU in the table. */
static size_t place_of(const struct matrix *m, unsigned number) {
    size_t i = 0;
    while (m->cpus[i].number != number)
        i++;
    return i;
}

struct cell_time {
    size_t cell;
    double seconds;
};

static int by_cell_and_time(const void *a, const void *b) {
    const struct cell_time *p = a, *q = b;
    if (p->cell != q->cell)
        return p->cell < q->cell ? -1 : 1;
    return (p->seconds > q->seconds) - (p->seconds < q->seconds);
}

/* The row is the CPU that touched the page first; the first row is at the top. */
static size_t cell_of(const struct matrix *m, unsigned owner, unsigned other) {
    const size_t row = place_of(m, owner) / m->block, column = place_of(m, other) / m->block;
    return (m->side - 1 - row) * m->side + column;
}

/* Each cell is the median of its pairs. */
static void fill(struct matrix *m) {
    struct cell_time *values = need_calloc(2 * m->memory->pair_count, sizeof *values);
    size_t count = 0;
    for (size_t i = 0; i < m->memory->pair_count; i++) {
        const struct handover *pair = &m->memory->pairs[i];
        const struct memory_number *times = m->by_store ? pair->store_s : pair->swap_s;
        m->measured += times[0].value > 0 || times[1].value > 0;
        if (times[0].value > 0)
            values[count++] = (struct cell_time){cell_of(m, pair->first, pair->second), times[0].value};
        if (times[1].value > 0)
            values[count++] = (struct cell_time){cell_of(m, pair->second, pair->first), times[1].value};
    }
    qsort(values, count, sizeof *values, by_cell_and_time);
    for (size_t i = 0, first = 0; i < count; i++) {
        if (i + 1 < count && values[i + 1].cell == values[first].cell)
            continue;
        const double ns = 1e9 * values[(first + i) / 2].seconds;
        m->values[values[i].cell] = ns;
        m->high = fmax(m->high, ns);
        first = i + 1;
    }
    free(values);
}

/* As many cells as there is room for; blocks of 2, 4, 8, … CPUs rarely cut clusters. A cell of one CPU and itself is
 * empty. */
static void lay_out(struct matrix *m, const struct plot_terminal *terminal) {
    const size_t most =
        terminal ? (terminal->columns ? terminal->columns : PLOT_TERMINAL_COLUMNS) / CELL_COLUMNS - 2 : MOST_CELLS;
    for (m->block = 1; m->count > most * m->block;)
        m->block *= 2;
    m->side = (m->count + m->block - 1) / m->block;
    m->values = need_calloc(m->side * m->side, sizeof *m->values);
    m->texts = need_calloc(m->side, sizeof *m->texts);
    m->names = need_calloc(2 * m->side, sizeof *m->names);
    for (size_t i = 0; i < m->side * m->side; i++)
        m->values[i] = m->block == 1 && i / m->side == m->side - 1 - i % m->side ? (double)INFINITY : (double)NAN;
    for (size_t i = 0; i < m->side; i++) {
        snprintf(m->texts[i], NAME_BYTES, "%u%s", m->cpus[i * m->block].number, m->block > 1 ? "+" : "");
        m->names[i] = m->names[2 * m->side - 1 - i] = m->texts[i];
    }
}

/* "same core 12 ns, same L3 45 ns, other package 210 ns": medians, with the number of pairs. */
static void write_clusters(const struct matrix *m, char *out, size_t size) {
    struct memory_cluster clusters[MEMORY_MOST_CLUSTERS];
    const size_t count = memory_clusters(m->memory, clusters);
    char time[UNITS_BYTES];
    out[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        const struct memory_cluster *one = &clusters[i];
        const struct statistics *times = m->by_store ? &one->store_s : &one->swap_s;
        if (times->n > 0)
            text_append(out, size, "%s%s %s (%zu pair%s)", *out ? ", " : "", one->name,
                        units_seconds(time, sizeof time, times->median), one->pair_count,
                        one->pair_count == 1 ? "" : "s");
    }
}

static bool draw(const struct matrix *m, const struct model *model, const struct chart_options *options,
                 const char *path, struct error *err) {
    char clusters[400], footer[900], blocks[96] = "", unmeasured[96];
    const char *notes[] = {unmeasured};
    const size_t planned = m->memory->pairs_planned;
    const struct plot_heat heat = {.rows = m->side,
                                   .columns = m->side,
                                   .row_names = m->names + m->side,
                                   .column_names = m->names,
                                   .values = m->values,
                                   .low = 0,
                                   .high = m->high,
                                   .decimals = m->high < 99.5 && m->side <= 16,
                                   .title = "One way  [ns]"};
    snprintf(unmeasured, sizeof unmeasured, "%zu of %zu pairs are measured", m->measured, planned);
    if (m->block > 1)
        snprintf(blocks, sizeof blocks, " Each cell: the median over %zu × %zu CPUs.", m->block, m->block);
    write_clusters(m, clusters, sizeof clusters);
    snprintf(footer, sizeof footer, "%s: %s. Half of a round trip%s.%s",
             m->by_store ? "Store → load" : "Compare-and-swap", clusters, m->count > 2 ? "; hatched: not measured" : "",
             blocks);
    const struct plot plot = {.note_count = m->measured < planned,
                              .notes = notes,
                              .x = {.title = "CPU"},
                              .y = {.title = "CPU that touched the page first"},
                              .heat = &heat,
                              .footer = footer};
    return chart_write_titled(&plot, model->result, "a cache line from core to core", options, path, err);
}

bool chart_handover(const struct model *model, const struct chart_options *options, const char *path,
                    struct error *err) {
    struct matrix m = {.memory = &model->result->memory, .by_store = options->of && strcmp(options->of, "store") == 0};
    collect(&m);
    if (m.count > 0) {
        sort(&m);
        lay_out(&m, options->terminal);
        fill(&m);
    }
    const bool done = m.measured > 0
                          ? draw(&m, model, options, path, err)
                          : error_set(err,
                                      "the result holds no time of a cache line from core to core%s; `carmine "
                                      "memory -o FILE` measures it",
                                      m.by_store ? " by stores" : "");
    free(m.cpus);
    free(m.values);
    free(m.texts);
    free(m.names);
    return done;
}
