/* SPDX-License-Identifier: BSD-3-Clause
 * Intel SDE: its mix output (-mix -iform 1 -omix FILE), its mask profile (-dyn_mask_profile), and the counts that
 * parse-sde.sh sums up from a mix. Flop and bytes that the core requests. Several files are processes of one run.
 * Rows *elements_fp_TYPE_N count instructions with N active elements, a fused one once; its second operation is added
 * from the instruction's own row (Intel, "Calculating FLOP using Intel SDE"). Only the mask profile shows the active
 * elements of masked AVX-512 instructions. Bytes are *mem-read-N and *mem-write-N times N. They include pushes, pops,
 * calls and returns, eight bytes each; the instructions' own rows have their number. */
#include <stdio.h>
#include <string.h>

#include "bench/programs/app_point.h"
#include "import.h"

enum { F64, F32, F16, TYPES, STACK_BYTES = 8 };
static const char *const TYPE_NAMES[TYPES] = {"f64", "f32", "f16"};
static const unsigned TYPE_BYTES[TYPES] = {8, 4, 2};

struct sde {
    double unmasked[TYPES], fused[TYPES]; /* flop of elements that are certainly active */
    double masked[TYPES], evex[TYPES];    /* flop of AVX-512's masked and fused instructions with all elements active */
    double profiled[TYPES];               /* the same, from the mask profile */
    double read_bytes, written_bytes, uncounted;
    double stack_bytes; /* part of these bytes, moved by the implicit stack */
    bool sums_alone;    /* a file had only sums, without rows of the stack */
    unsigned processes, profiles;
};

static double import_sde_sum(const double *of_type) {
    return of_type[F64] + of_type[F32] + of_type[F16];
}

/* "VFMADD231PD_YMMqq_YMMqq_MEMqq": the type, and the number of elements. False: not a fused instruction. */
static bool import_sde_is_fused(const char *name, unsigned *type, unsigned *elements, bool *known) {
    static const char LETTERS[TYPES] = {'D', 'S', 'H'};
    const char *at = name;
    if (strncmp(at, "VF", 2) != 0)
        return false;
    at += at[2] == 'N' ? 3 : 2;
    size_t letters = strspn(at, "MADSUB"), digits = strspn(at + letters, "0123456789");
    if (*at != 'M' || digits != 3)
        return false;
    at += letters + digits;
    for (*type = 0; *type < TYPES && LETTERS[*type] != at[1]; ++*type)
        ;
    if ((at[0] != 'P' && at[0] != 'S') || *type == TYPES)
        return false;
    const char *registers = at + 2;
    unsigned bytes = strncmp(registers, "_ZMM", 4) == 0   ? 64
                     : strncmp(registers, "_YMM", 4) == 0 ? 32
                     : strncmp(registers, "_XMM", 4) == 0 ? 16
                                                          : 0;
    *elements = at[0] == 'S' ? 1 : bytes / TYPE_BYTES[*type];
    *known = *elements > 0;
    return true;
}

/* "elements_fp_double_4" */
static bool import_sde_add_elements(struct sde *sde, const struct import_text *file, const char *name, double count,
                                    struct error *err) {
    char type_name[16], rest[24] = "";
    unsigned elements, type;
    if (sscanf(name, "elements_fp_%15[a-z0-9]_%u%23s", type_name, &elements, rest) < 2)
        return import_text_fail(file, name, err, "'%.60s' is an unknown row; known: elements_fp_TYPE_N", name);
    type = strcmp(type_name, "double") == 0                                   ? F64
           : strcmp(type_name, "single") == 0                                 ? F32
           : strcmp(type_name, "half") == 0 || strcmp(type_name, "fp16") == 0 ? F16
                                                                              : TYPES;
    bool masked = strcmp(rest, "_masked") == 0;
    if (type == TYPES || (*rest && !masked) || elements > 64)
        return import_text_fail(file, name, err,
                                "'%.60s' is an unknown row; known: elements_fp_double_N, _single_N, _half_N, "
                                "and these names with _masked",
                                name);
    (masked ? sde->masked : sde->unmasked)[type] += elements * count;
    return true;
}

/* "PUSH_GPRv_50", "CALL_NEAR_RELBRd": instructions that move eight bytes to or from the stack, besides their
 * operand. */
static bool is_stack(const char *name) {
    static const char *const BEGINNINGS[] = {"PUSH", "POP", "CALL_NEAR", "RET_NEAR", "LEAVE"};
    for (size_t i = 0; i < sizeof BEGINNINGS / sizeof BEGINNINGS[0]; i++)
        if (strncmp(name, BEGINNINGS[i], strlen(BEGINNINGS[i])) == 0 && strncmp(name, "POPCNT", 6) != 0)
            return true;
    return false;
}

/* A row of the mix, or of its sums. */
static bool import_sde_add_row(struct sde *sde, const struct import_text *file, const char *name, double count,
                               struct error *err) {
    unsigned size, type, elements;
    bool known;
    char end;
    name += *name == '*';
    if (strncmp(name, "elements_fp_", 12) == 0)
        return import_sde_add_elements(sde, file, name, count, err);
    if (sscanf(name, "mem-read-%u%c", &size, &end) == 1)
        sde->read_bytes += size * count;
    else if (sscanf(name, "mem-write-%u%c", &size, &end) == 1)
        sde->written_bytes += size * count;
    else if (strncmp(name, "VDPBF16PS", 9) == 0 || strncmp(name, "TDP", 3) == 0)
        sde->uncounted += count;
    else if (is_stack(name))
        sde->stack_bytes += STACK_BYTES * count;
    else if (import_sde_is_fused(name, &type, &elements, &known) && count > 0) {
        if (!known)
            return import_text_fail(file, name, err, "the width of %.40s is unknown; run SDE with -iform 1", name);
        (strstr(name, "MASKmskw") ? sde->evex : sde->fused)[type] += elements * count;
    }
    return true;
}

/* "NAME   COUNT", and nothing else. */
static bool split_row(char *line, char **name, char **value) {
    *name = line + strspn(line, " \t");
    *value = *name + strcspn(*name, " \t");
    if (!**value)
        return false;
    *(*value)++ = '\0';
    *value += strspn(*value, " \t");
    return **value != '\0';
}

/* Its global section may also count each function: these rows are parts of the global counts. */
static bool read_mix(struct sde *sde, struct import_text *file, struct error *err) {
    bool inside = false, complete = false, of_function = false;
    double count;
    for (char *line; (line = import_text_line(file));) {
        const bool begins = strncmp(line, "# EMIT_GLOBAL_DYNAMIC_STATS", 27) == 0;
        if (begins && complete)
            return import_text_fail(file, line, err, "a second global section: import one run of it at a time");
        inside |= begins;
        if (inside && strncmp(line, "# END_GLOBAL_DYNAMIC_STATS", 26) == 0) {
            inside = false;
            complete = true;
        }
        if (begins || strncmp(line, "# $", 3) == 0)
            of_function = !begins && strncmp(line, "# $global-dynamic-counts", 24) != 0;
        char *name, *value;
        if (!inside || of_function || *line == '#' || !split_row(line, &name, &value))
            continue;
        const char *trouble = import_number(value, &count);
        if (trouble)
            return import_text_fail(file, value, err, "the count of %.60s, '%.40s', %s", name, value, trouble);
        if (!import_sde_add_row(sde, file, name, count, err))
            return false;
    }
    if (!complete)
        return import_file_fail(file, err, "%s; is the file complete?",
                                inside ? "ends inside its global section, without '# END_GLOBAL_DYNAMIC_STATS'"
                                       : "has no section '# EMIT_GLOBAL_DYNAMIC_STATS', only parts of the program");
    sde->processes++;
    return true;
}

static bool import_sde_check_total(const struct import_text *file, const char *what, double said, double counted,
                                   struct error *err) {
    return said == counted ||
           import_text_fail(file, NULL, err, "it says %s = %.0f, but its counts make %.0f", what, said, counted);
}

/* "elements_fp_double_4 = 999999360" and "--->Total FLOPs = 4000000400", as parse-sde.sh prints them. */
static bool import_sde_read_sums(struct sde *all, struct import_text *file, struct error *err) {
    struct sde sums = {.processes = 0};
    unsigned totals = 0;
    double count;
    for (char *line; (line = import_text_line(file));) {
        char *equals = strstr(line, " = ");
        if (!equals)
            continue;
        const char *value = equals + 3, *trouble = import_number(value, &count);
        if (trouble)
            return import_text_fail(file, value, err, "'%.40s' %s", value, trouble);
        *equals = '\0';
        const char *name = line + strspn(line, " \t");
        const struct {
            const char *name;
            double counted;
        } TOTALS[] = {{"--->Total FLOPs", import_sde_sum(sums.unmasked)},
                      {"--->Total Bytes read", sums.read_bytes},
                      {"--->Total Bytes written", sums.written_bytes}};
        for (size_t i = 0; i < sizeof TOTALS / sizeof TOTALS[0]; i++)
            if (strcmp(name, TOTALS[i].name) == 0) {
                totals |= 1u << i;
                if (!import_sde_check_total(file, name, count, TOTALS[i].counted, err))
                    return false;
            }
        if (strncmp(name, "--->", 4) != 0 && !import_sde_add_row(&sums, file, name, count, err))
            return false;
    }
    if (totals != 7)
        return import_file_fail(file, err,
                                "lacks one of its totals of FLOPs, bytes read and bytes written; is the "
                                "file complete?");
    for (unsigned type = 0; type < TYPES; type++)
        all->unmasked[type] += sums.unmasked[type];
    all->read_bytes += sums.read_bytes;
    all->written_bytes += sums.written_bytes;
    all->sums_alone = true;
    all->processes++;
    return true;
}

/* The mask profile: a table of masked instructions, and the number of computed elements of each instruction. */
static bool read_profile(struct sde *sde, struct import_text *file, struct error *err) {
    bool in_thread = false;
    unsigned type = TYPES, elements, bits;
    double computed = 0, count;
    char word[64];
    for (char *line; (line = import_text_line(file));) {
        bool known;
        if (strstr(line, "<thread>"))
            in_thread = true;
        else if (strstr(line, "</thread>"))
            in_thread = false;
        else if (sscanf(line, " masked mask %*ub %*uelem %ub fp | %*u %lf", &bits, &count) == 2)
            sde->profiled[bits == 64 ? F64 : bits == 32 ? F32 : F16] += count;
        else if (strstr(line, "<instruction-details>"))
            type = TYPES, computed = 0;
        else if (sscanf(line, " <disassembly> %63s", word) == 1) {
            for (char *c = word; *c; c++)
                *c = (char)(*c >= 'a' && *c <= 'z' ? *c - 0x20 : *c);
            if (!import_sde_is_fused(word, &type, &elements, &known))
                type = TYPES;
        } else if (sscanf(line, " <computation-count> %lf", &count) == 1)
            computed = count;
        else if (strstr(line, "</instruction-details>") && type < TYPES)
            sde->profiled[type] += computed;
    }
    sde->profiles++;
    return !in_thread || import_file_fail(file, err, "ends inside a <thread>; is the file complete?");
}

static const struct unread_form FORMS[] = {
    {"^all_ones:", "this is SDE's simple mask profile: use -dyn_mask_profile, and -mix -iform 1 for the counts"},
    {"^{", "this is JSON: give SDE's text of -mix -iform 1 -omix FILE"},
    {NULL, NULL},
};

static bool import_sde_read_file(struct sde *sde, struct import_text *file, struct error *err) {
    if (strstr(file->text, "<thread-number>"))
        return read_profile(sde, file, err);
    if (strstr(file->text, "# EMIT_"))
        return read_mix(sde, file, err);
    if (strstr(file->text, "elements_fp_"))
        return import_sde_read_sums(sde, file, err);
    return !import_unread_form(file, FORMS, err) &&
           import_file_fail(file, err,
                            "is not output of SDE: neither a mix (-mix -iform 1 -omix FILE) nor a mask profile "
                            "(-dyn_mask_profile) nor the sums of parse-sde.sh");
}

/* carmine app counts the implicit stack separately; the note makes both intensities of a program comparable. */
static void note_stack(struct import *out, const struct sde *sde, double flop) {
    const double all_bytes = sde->read_bytes + sde->written_bytes;
    if (sde->sums_alone || !(sde->stack_bytes > 0))
        import_note(out, "its bytes include an unknown part of pushes, pops, calls and returns: `carmine app` counts "
                         "them separately, as stack");
    else if (sde->stack_bytes < all_bytes)
        import_note(
            out,
            "%.4g of its %.4g bytes are pushes, pops, calls and returns, which `carmine app` counts separately, as "
            "stack: %.4g flop/B without them",
            sde->stack_bytes, all_bytes, flop / (all_bytes - sde->stack_bytes));
}

static bool import_sde_read(const struct import_request *request, struct import_text *files, size_t count,
                            struct import *out, struct error *err) {
    struct sde sde = {.processes = 0};
    double flop[TYPES];
    for (size_t i = 0; i < count; i++)
        if (!import_sde_read_file(&sde, &files[i], err))
            return false;
    if (sde.processes == 0)
        return import_file_fail(&files[0], err, "is only a mask profile; name the mix file, too");
    if (sde.profiles && import_sde_sum(sde.profiled) == 0 && import_sde_sum(sde.masked) + import_sde_sum(sde.evex) > 0)
        return import_file_fail(
            &files[0], err,
            "the mix has masked flop and the mask profile has none; are they of one run, and is the "
            "profile complete?");
    struct app_point *point = import_region(out, request, "");
    unsigned main_type = F64;
    for (unsigned type = 0; type < TYPES; type++) {
        double of_masks = sde.profiles ? sde.profiled[type] : sde.masked[type] + sde.evex[type];
        flop[type] = sde.unmasked[type] + sde.fused[type] + of_masks;
        main_type = flop[type] > flop[main_type] ? type : main_type;
    }
    if (!sde.profiles && import_sde_sum(sde.masked) + import_sde_sum(sde.evex) > 0)
        import_note(out,
                    "%.4g flop of AVX-512 instructions are counted as if no element were masked; the file of "
                    "-dyn_mask_profile has the masks",
                    import_sde_sum(sde.masked) + import_sde_sum(sde.evex));
    if (sde.uncounted > 0)
        import_note(out, "dot products of bf16 and tiles are not counted as flop");
    note_stack(out, &sde, import_sde_sum(flop));
    import_add(&point->flop, import_sde_sum(flop));
    import_add(&point->load_bytes, sde.read_bytes);
    import_add(&point->store_bytes, sde.written_bytes);
    point->processes = sde.processes;
    snprintf(point->flop_type, sizeof point->flop_type, "%s", TYPE_NAMES[main_type]);
    snprintf(point->origin, sizeof point->origin, "sde, %u file%s, stack included", sde.processes,
             sde.processes == 1 ? "" : "s");
    return true;
}

const struct import_format import_sde = {
    .name = "sde",
    .summary = "Intel SDE's mix output: flop and bytes that the core requests",
    .read = import_sde_read,
};
