/* SPDX-License-Identifier: BSD-3-Clause
 * Source lines and inlined functions (see lines.h). The functions of a compilation unit are read once, when first
 * needed: libdw would walk through the unit, or through all symbols, for each address. */
#include "lines.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probe/need.h"

struct code_range {      /* of a function or an inlined call */
    uint64_t start, end; /* addresses of the debug information */
    uint64_t reach;      /* the greatest end of this range and those before it */
    unsigned depth;
    bool inlined;
    const char *name;
};
struct debug_unit {
    Dwarf_Off offset; /* of its entry */
    size_t count, most;
    struct code_range *ranges; /* by start; an inner range after its outer one */
};
struct lines {
    Dwfl *dwfl;
    Dwfl_Module *module;
    GElf_Addr bias; /* address in the module − address in the file */
    size_t segment_count, unit_count, last_unit;
    GElf_Phdr *segments;
    struct debug_unit *units;
};

static const Dwfl_Callbacks CALLBACKS = {.find_elf = dwfl_build_id_find_elf,
                                         .find_debuginfo = dwfl_standard_find_debuginfo,
                                         .section_address = dwfl_offline_section_address};

static bool read_segments(struct lines *lines) {
    Elf *elf = dwfl_module_getelf(lines->module, &lines->bias);
    size_t count = 0;
    if (elf == NULL || elf_getphdrnum(elf, &count) != 0)
        return false;
    lines->segments = need_calloc(count + 1, sizeof *lines->segments);
    for (size_t i = 0; i < count; i++)
        if (gelf_getphdr(elf, (int)i, &lines->segments[lines->segment_count]) != NULL &&
            lines->segments[lines->segment_count].p_type == PT_LOAD)
            lines->segment_count++;
    return true;
}

struct lines *lines_open(const char *path) {
    struct lines *lines = need_calloc(1, sizeof *lines);
    Dwarf_Addr bias;
    lines->dwfl = dwfl_begin(&CALLBACKS);
    if (lines->dwfl != NULL) {
        dwfl_report_begin(lines->dwfl);
        lines->module = dwfl_report_offline(lines->dwfl, path, path, -1);
        dwfl_report_end(lines->dwfl, NULL, NULL);
    }
    if (lines->module != NULL && read_segments(lines) && dwfl_module_getdwarf(lines->module, &bias) != NULL)
        return lines;
    lines_close(lines);
    return NULL;
}

void lines_close(struct lines *lines) {
    if (lines == NULL)
        return;
    for (size_t i = 0; i < lines->unit_count; i++)
        free(lines->units[i].ranges);
    free(lines->units);
    free(lines->segments);
    if (lines->dwfl != NULL)
        dwfl_end(lines->dwfl);
    free(lines);
}

static const char *name_of(Dwarf_Die *die) {
    Dwarf_Attribute attribute;
    const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));
    return name != NULL ? name : dwarf_diename(die);
}

/* Adds the ranges of a function, or of an inlined call. */
static void add_ranges(Dwarf_Die *die, unsigned depth, struct debug_unit *unit) {
    const bool inlined = dwarf_tag(die) == DW_TAG_inlined_subroutine;
    const char *name = name_of(die);
    Dwarf_Addr base, start, end;
    for (ptrdiff_t at = 0; name != NULL && (at = dwarf_ranges(die, at, &base, &start, &end)) > 0;) {
        if (unit->count == unit->most) {
            unit->most = unit->most * 2 + 64;
            unit->ranges = need_realloc(unit->ranges, unit->most * sizeof *unit->ranges);
        }
        unit->ranges[unit->count++] =
            (struct code_range){.start = start, .end = end, .depth = depth, .inlined = inlined, .name = name};
    }
}

enum { MOST_DEPTH = 200 }; /* for damaged debug information */

static void find_ranges(Dwarf_Die *parent, unsigned depth, struct debug_unit *unit) {
    Dwarf_Die die;
    if (depth == MOST_DEPTH || dwarf_child(parent, &die) != 0)
        return;
    do {
        const int tag = dwarf_tag(&die);
        if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_subprogram)
            add_ranges(&die, depth, unit);
        if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
            tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_class_type || tag == DW_TAG_structure_type)
            find_ranges(&die, depth + 1, unit);
    } while (dwarf_siblingof(&die, &die) == 0);
}

static int by_start(const void *a, const void *b) {
    const struct code_range *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->depth > y->depth) - (x->depth < y->depth);
}

static const struct debug_unit *unit_of(struct lines *lines, Dwarf_Die *die) {
    const Dwarf_Off offset = dwarf_dieoffset(die);
    if (lines->unit_count > 0 && lines->units[lines->last_unit].offset == offset)
        return &lines->units[lines->last_unit];
    for (size_t i = 0; i < lines->unit_count; i++)
        if (lines->units[i].offset == offset) {
            lines->last_unit = i;
            return &lines->units[i];
        }
    lines->units = need_realloc(lines->units, (lines->unit_count + 1) * sizeof *lines->units);
    struct debug_unit *unit = &lines->units[lines->unit_count++];
    *unit = (struct debug_unit){.offset = offset};
    find_ranges(die, 0, unit);
    if (unit->count > 0)
        qsort(unit->ranges, unit->count, sizeof *unit->ranges, by_start);
    for (size_t i = 0; i < unit->count; i++) {
        const uint64_t before = i > 0 ? unit->ranges[i - 1].reach : 0;
        unit->ranges[i].reach = unit->ranges[i].end > before ? unit->ranges[i].end : before;
    }
    return unit;
}

/* Searches backwards from the last range that begins at or before the address, to the function: inner ranges begin
 * after outer ones. */
static void name_code(const struct debug_unit *unit, uint64_t address, struct source_line *out) {
    size_t low = 0, high = unit->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (unit->ranges[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low; i > 0 && unit->ranges[i - 1].reach > address && out->function[0] == '\0'; i--) {
        const struct code_range *range = &unit->ranges[i - 1];
        char *name = range->inlined ? out->inlined : out->function;
        if (range->end > address && name[0] == '\0')
            snprintf(name, sizeof out->inlined, "%s", range->name);
    }
}

static bool address_of(const struct lines *lines, uint64_t file_offset, Dwarf_Addr *address) {
    for (size_t i = 0; i < lines->segment_count; i++) {
        const GElf_Phdr *segment = &lines->segments[i];
        if (file_offset >= segment->p_offset && file_offset - segment->p_offset < segment->p_filesz) {
            *address = segment->p_vaddr + (file_offset - segment->p_offset) + lines->bias;
            return true;
        }
    }
    return false;
}

bool lines_find(struct lines *lines, uint64_t file_offset, struct source_line *out) {
    Dwarf_Addr address, bias;
    int number;
    *out = (struct source_line){.line = 0};
    Dwfl_Line *line = address_of(lines, file_offset, &address) ? dwfl_module_getsrc(lines->module, address) : NULL;
    const char *file = line != NULL ? dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL) : NULL;
    if (file == NULL || number <= 0)
        return false;
    snprintf(out->file, sizeof out->file, "%s", file);
    out->line = (unsigned)number;
    Dwarf_Die *die = dwfl_module_addrdie(lines->module, address, &bias);
    if (die != NULL)
        name_code(unit_of(lines, die), address - bias, out);
    return true;
}
