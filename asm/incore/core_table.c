/* SPDX-License-Identifier: BSD-3-Clause
 * Reads the cores' tables (see core_table.h), which are part of the program. */
#include "core_table.h"

#include "core_measured.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/need.h"
#include "probe/text.h"

enum { TABLES = 16, ROW_BYTES = 48 };

/* A word of a row: a mnemonic, or "mnemonic/letters" for one of its forms. Earlier rows win. */
struct core_word {
    const char *text;
    unsigned bytes, row;
};
struct core_words {
    size_t count, row_count;
    struct core_word *words; /* in order of their text */
    struct core_form *rows;
};

static int compare_text(const char *a, size_t a_bytes, const char *b, size_t b_bytes) {
    const int order = memcmp(a, b, a_bytes < b_bytes ? a_bytes : b_bytes);
    return order ? order : (a_bytes > b_bytes) - (a_bytes < b_bytes);
}

static int by_text(const void *a, const void *b) {
    const struct core_word *x = a, *y = b;
    const int order = compare_text(x->text, x->bytes, y->text, y->bytes);
    return order ? order : (x->row > y->row) - (x->row < y->row);
}

/* Letters that are no port ("L") have no bit. */
static uint64_t ports_of(const struct core_table *table, const char *letters, size_t count) {
    uint64_t ports = 0;
    for (size_t i = 0; i < count; i++) {
        const char *letter = strchr(table->letters, letters[i]);
        ports |= letter ? 1ull << (letter - table->letters) : 0;
    }
    return ports;
}

/* "8*D+01" → uses; "3*L": loads. */
static unsigned read_uses(const struct core_table *table, const char *text, struct core_use *uses, unsigned *loads) {
    unsigned count = 0;
    while (*text && *text != '-' && count < CORE_USES_MOST) {
        char *after;
        double cycles = strtod(text, &after);
        if (*after != '*')
            cycles = 1;
        else
            text = after + 1;
        const size_t letters = strcspn(text, "+");
        const uint64_t ports = ports_of(table, text, letters);
        if (memchr(text, 'L', letters))
            *loads = (unsigned)cycles;
        else if (ports)
            uses[count++] = (struct core_use){ports, cycles};
        text += letters + (text[letters] == '+');
    }
    return count;
}

/* "3/2 1 15:" → a row: latency (behind one of its own row), operations, ports. */
static struct core_form read_row(const struct core_table *table, const char *line, unsigned row) {
    char latency[ROW_BYTES] = "", ports[ROW_BYTES] = "";
    struct core_form form = {.row = row};
    sscanf(line, "%47s %u %47[^: ]", latency, &form.operations, ports);
    const char *slash = strchr(latency, '/');
    form.latency_cycles = atof(latency);
    form.chained_cycles = slash ? atof(slash + 1) : form.latency_cycles;
    form.use_count = read_uses(table, ports, form.uses, &form.loads);
    return form;
}

static void read_ports(struct core_table *table, const char *line, struct core_ports out[CORE_WIDTHS]) {
    char word[CORE_WIDTHS][ROW_BYTES];
    unsigned none;
    sscanf(line, "%*s %47s %47s %47s %47s", word[0], word[1], word[2], word[3]);
    for (unsigned i = 0; i < CORE_WIDTHS; i++)
        out[i].use_count = read_uses(table, word[i], out[i].uses, &none);
}

static void read_cycles(const char *line, double out[CORE_WIDTHS]) {
    sscanf(line, "%*s %lf %lf %lf %lf", &out[0], &out[1], &out[2], &out[3]);
}

static void read_properties(struct core_table *table, const char *line, size_t bytes) {
    char *text = need_calloc(bytes + 1, 1);
    memcpy(text, line, bytes);
    table->splits_indexed = strstr(text, "splits-indexed");
    table->stores_apart = strstr(text, "stores-apart");
    table->moves_renamed[0] = strstr(text, "renames-moves");
    table->moves_renamed[1] = strstr(text, "renames-vector-moves");
    free(text);
}

static void read_head_line(struct core_table *table, const char *line, size_t bytes) {
    if (strncmp(line, "measured-on ", 12) == 0)
        snprintf(table->measured_on, sizeof table->measured_on, "%.*s", (int)bytes - 12, line + 12);
    else if (strncmp(line, "window ", 7) == 0)
        table->window = (unsigned)atoi(line + 7);
    else if (strncmp(line, "fetch ", 6) == 0)
        table->fetch_bytes = (unsigned)atoi(line + 6);
    else if (strncmp(line, "mispredict ", 11) == 0)
        table->mispredict_cycles = atof(line + 11);
    else if (strncmp(line, "does ", 5) == 0)
        read_properties(table, line, bytes);
    else if (strncmp(line, "load ", 5) == 0)
        read_ports(table, line, table->load);
    else if (strncmp(line, "store ", 6) == 0)
        read_ports(table, line, table->store);
    else if (strncmp(line, "load-latency ", 13) == 0)
        read_cycles(line, table->load_cycles);
    else if (strncmp(line, "forward-latency ", 16) == 0)
        read_cycles(line, table->forward_cycles);
    else if (strncmp(line, "renames-constants ", 18) == 0)
        table->constants_renamed = (unsigned)atoi(line + 18);
    else if (strncmp(line, "unrenamed-latency ", 18) == 0)
        table->unrenamed_cycles = table->updated_cycles = atof(line + 18);
    else if (strncmp(line, "indexed-latency ", 16) == 0)
        table->load_indexed_cycles = atof(line + 16);
}

static void add_words(struct core_words *words, const char *at, const char *end) {
    while (at < end) {
        at += strspn(at, " \n");
        const size_t bytes = strcspn(at, " \n");
        if (at >= end || bytes == 0)
            return;
        words->words = need_realloc(words->words, (words->count + 1) * sizeof *words->words);
        words->words[words->count++] = (struct core_word){at, (unsigned)bytes, (unsigned)words->row_count - 1};
        at += bytes;
    }
}

static struct core_table *read_table(const char *name, const char *text) {
    /* Digits and a to d, r: execution; l to o: loads; s, t: stores; u to w, e: addresses; D, E, I: dividers. */
    static const char letters[] = "0123456789abcdrlmnostuvweDEI";
    struct core_table *table = need_calloc(1, sizeof *table);
    struct core_words *words = table->words = need_calloc(1, sizeof *words);
    table->name = name;
    table->letters = letters;
    table->dividers = ports_of(table, "DEI", 3);
    for (const char *line = text; *line;) {
        const char *end = strchr(line, '\n'), *colon = memchr(line, ':', (size_t)(end - line));
        if (colon && *line >= '0' && *line <= '9') {
            words->rows = need_realloc(words->rows, (words->row_count + 1) * sizeof *words->rows);
            words->rows[words->row_count] = read_row(table, line, (unsigned)words->row_count);
            words->row_count++;
            add_words(words, colon + 1, end);
        } else if (*line == ' ' && words->row_count > 0)
            add_words(words, line, end);
        else
            read_head_line(table, line, (size_t)(end - line));
        line = end + 1;
    }
    qsort(words->words, words->count, sizeof *words->words, by_text);
    return table;
}

const struct core_table *core_table_named(const char *name) {
    static struct core_table *tables[TABLES];
    for (size_t i = 0; name && i < TABLES && core_texts[i].name; i++)
        if (strcmp(core_texts[i].name, name) == 0)
            return tables[i] ? tables[i] : (tables[i] = read_table(core_texts[i].name, core_texts[i].text));
    return NULL;
}

static const struct core_form *find_word(const struct core_words *words, const char *text, size_t bytes) {
    size_t low = 0, high = words->count;
    while (low < high) { /* the first of equal ones */
        const size_t middle = (low + high) / 2;
        const struct core_word *word = &words->words[middle];
        if (compare_text(word->text, word->bytes, text, bytes) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    const bool found =
        low < words->count && compare_text(words->words[low].text, words->words[low].bytes, text, bytes) == 0;
    return found ? &words->rows[words->words[low].row] : NULL;
}

bool core_is_typed(const struct core_table *table) {
    return table->words != NULL;
}

bool core_table_find(const struct core_table *table, const struct instruction_demand *demand, struct core_form *out) {
    if (!core_is_typed(table))
        return core_measured_form(table->measured, demand, out);
    char form[DEMAND_FORM_BYTES + 1]; /* "movsd/" is the string instruction */
    const size_t mnemonic_bytes = strcspn(demand->form, " ");
    const char *letters = demand->form + mnemonic_bytes;
    snprintf(form, sizeof form, "%.*s/%s", (int)mnemonic_bytes, demand->form, letters + (*letters == ' '));
    const struct core_form *found = find_word(table->words, form, strlen(form));
    if (!found) {
        similar_without_memory(form + mnemonic_bytes + 1);
        found = find_word(table->words, form, strlen(form));
    }
    if (!found)
        found = find_word(table->words, form, mnemonic_bytes);
    if (!found && form[0] == 'v') /* as without the prefix */
        found = find_word(table->words, form + 1, mnemonic_bytes - 1);
    form[mnemonic_bytes] = ' ';
    const struct core_value *value = table->measured ? core_measured_find(table->measured, demand->form) : NULL;
    if (!value && table->measured)
        value = core_measured_find(table->measured, form);
    if (!value && table->measured && (!found || similar_has_family(demand->form)))
        value = core_measured_similar(table->measured, demand->form);
    if (found)
        *out = *found;
    else if (value)
        *out = (struct core_form){.operations = 1, .row = CORE_NO_ROW};
    if (value)
        core_measured_apply(value, table->alone, out);
    if (table->measured && (found || value))
        out->mask_cycles = core_measured_mask_cycles(table->measured, demand);
    return found != NULL || (value && out->latency_cycles > 0);
}

bool core_renames(const struct core_table *table, const struct instruction_demand *demand) {
    const int64_t most = table->constants_renamed,
                  constant = demand->steps ? demand->step : demand->address.displacement;
    const bool sum = demand->steps || (demand->computes_address && demand->based);
    return demand->zeroes || (demand->moves && table->moves_renamed[demand->data != 'q']) ||
           (sum && constant > -most && constant < most && demand->loads + demand->stores == 0);
}

unsigned core_width(const struct instruction_demand *demand) {
    return demand->data == 'z' ? 3 : demand->data == 'y' ? 2 : demand->data == 'x' || demand->data == 'f' ? 1 : 0;
}

static void port_name(char letter, bool intel, char out[CORE_PORT_NAME]) {
    if (intel)
        snprintf(out, CORE_PORT_NAME, "%d", letter >= 'a' ? letter - 'a' + 10 : letter - '0');
    else if (letter >= '0' && letter <= '9')
        snprintf(out, CORE_PORT_NAME, "ALU%c", letter);
    else if (letter >= 'a' && letter <= 'd')
        snprintf(out, CORE_PORT_NAME, "FP%d", letter - 'a');
    else
        snprintf(out, CORE_PORT_NAME, "%s",
                 letter == 'r'            ? "BR"
                 : strchr("lmno", letter) ? "load"
                 : strchr("st", letter)   ? "store"
                                          : "AGU");
}

char *core_ports_text(const struct core_table *table, uint64_t ports, char *out, size_t size) {
    char name[CORE_PORT_NAME], last[CORE_PORT_NAME] = "";
    const bool intel = strncmp(table->name, "zen", 3) != 0;
    *out = '\0';
    for (unsigned i = 0; table->letters[i]; i++)
        if (ports >> i & 1) {
            port_name(table->letters[i], intel, name);
            if (strcmp(name, last) != 0)
                text_append(out, size, "%s%s", *out ? ", " : "", name);
            snprintf(last, sizeof last, "%s", name);
        }
    return out;
}
