/* SPDX-License-Identifier: BSD-3-Clause
 * What was executed, in detail: flop by type and width, sorts of instructions; as text, and as JSON. */
#include "report_app.h"

#include "bench/programs/annotation.h"
#include "carm/store/fields.h"
#include "carm/store/result_fields.h"
#include "carm/text/table.h"

/* A row of the mix: what, how often, and of all. */
static void add_share(struct table *table, const char *what, const char *width, uint64_t part, uint64_t whole) {
    char(*row)[TABLE_CELL_BYTES] = table_row(table);
    table_set(row, 0, "  %s%s%s", what, *width ? " " : "", width);
    table_set(row, 1, "%llu", (unsigned long long)part);
    table_set(row, 2, "%.1f %%", whole ? 100 * (double)part / (double)whole : 0);
}

void report_mix_print(const struct app_point *points, size_t count, FILE *out) {
    for (size_t i = 0; i < count; i++) {
        const struct count *mix = &points[i].count;
        if (!points[i].has_count)
            continue;
        uint64_t flop = count_flop(mix);
        fprintf(out, "\n── %s: %llu flop, %llu instructions, %llu of them load and %llu store ──\n\n", points[i].name,
                (unsigned long long)flop, (unsigned long long)mix->instructions,
                (unsigned long long)mix->load_instructions, (unsigned long long)mix->store_instructions);
        struct table table = table_begin("lrr");
        table_head(&table, (const char *const[]){"flop", "", ""}, table.columns);
        for (size_t type = 0; type < COUNT_TYPES; type++)
            for (size_t width = 0; width < COUNT_WIDTHS; width++)
                if (mix->flop[type][width] && type == COUNT_I8)
                    add_share(&table, "i8 operations, no flop", count_width_names[width], mix->flop[type][width], 0);
                else if (mix->flop[type][width])
                    add_share(&table, count_type_names[type], count_width_names[width], mix->flop[type][width], flop);
        if (mix->waiting_instructions)
            fprintf(out, "waiting, apart from these: %llu instructions, %llu bytes\n\n",
                    (unsigned long long)mix->waiting_instructions, (unsigned long long)mix->waiting_bytes);
        if (mix->fused_flop)
            add_share(&table, "by fused multiply-adds", "", mix->fused_flop, flop);
        if (mix->unfused_flop)
            add_share(&table, "by pairs that FMA could fuse", "", mix->unfused_flop, flop);
        if (mix->full_flop != flop)
            add_share(&table, "with all masked lanes", "", mix->full_flop, flop);
        table_head(&table, (const char *const[]){"instructions", "", ""}, table.columns);
        for (size_t class = 0; class < CLASS_COUNT; class ++)
            if (mix->mix[class])
                add_share(&table, effect_class_names[class], "", mix->mix[class], mix->instructions);
        table_print(&table, out);
    }
}

void report_mix_add(json_t *list, const struct app_point *points, size_t count) {
    for (size_t i = 0; i < count; i++)
        json_object_set_new(json_array_get(list, i), "count",
                            points[i].has_count ? fields_write(result_count_fields, &points[i].count) : json_null());
}

json_t *annotations_json(const struct annotation *annotations, size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, fields_write(result_annotation_fields, &annotations[i]));
    return list;
}
