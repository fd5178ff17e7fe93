/* SPDX-License-Identifier: BSD-3-Clause
 * Settings of nodes, and which differ within a group (see fleet.h). */
#include <stdlib.h>
#include <string.h>

#include "fleet.h"
#include "probe/need.h"

static void write_text(const char *value, char *out) {
    snprintf(out, FLEET_SETTING_BYTES, "%s", *value ? value : "not known");
}

static void write_governor(const struct fleet_machine *machine, char *out) {
    write_text(machine->governor, out);
}

static void write_huge_pages(const struct fleet_machine *machine, char *out) {
    write_text(machine->huge_pages, out);
}

static void write_microcode(const struct fleet_machine *machine, char *out) {
    write_text(machine->microcode, out);
}

static void write_threads(const struct fleet_machine *machine, char *out) {
    snprintf(out, FLEET_SETTING_BYTES, "%u", machine->pus);
}

static void write_nodes(const struct fleet_machine *machine, char *out) {
    snprintf(out, FLEET_SETTING_BYTES, "%u", machine->memory_nodes);
}

const struct fleet_setting fleet_settings[] = {
    {"governor", "governor", write_governor},
    {"huge pages", "huge_pages", write_huge_pages},
    {"microcode", "microcode", write_microcode},
    {"hardware threads (SMT)", "hardware_threads", write_threads},
    {"memory nodes (NPS)", "memory_nodes", write_nodes},
    {0},
};

static int by_count(const void *a, const void *b) {
    const struct fleet_setting_value *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count ? 1 : -1) : strcmp(x->text, y->text);
}

size_t fleet_setting_values(const struct fleet *fleet, const struct fleet_group *group,
                            const struct fleet_setting *setting, struct fleet_setting_value **out) {
    size_t count = 0;
    *out = NULL;
    for (size_t m = 0; m < group->count; m++) {
        char text[FLEET_SETTING_BYTES];
        setting->write(&fleet->nodes[group->members[m]].machine, text);
        size_t at = 0;
        while (at < count && strcmp((*out)[at].text, text) != 0)
            at++;
        if (at == count) {
            *out = need_realloc(*out, (count + 1) * sizeof **out);
            (*out)[count] = (struct fleet_setting_value){.first_node = group->members[m]};
            memcpy((*out)[count++].text, text, sizeof text);
        }
        (*out)[at].count++;
    }
    if (count > 0)
        qsort(*out, count, sizeof **out, by_count);
    return count;
}
