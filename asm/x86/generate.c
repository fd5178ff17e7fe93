/* SPDX-License-Identifier: BSD-3-Clause
 * Build-time program: writes build/asm/kernels_<isa>.c and build/asm/kernel_table.c. Here are the files and the order
 * of what goes into them; generate_emit.c writes the instructions, and what they do is the other parts' business. */
#include "generate.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static FILE *file_open(const char *folder, const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.c", folder, name);
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        perror(path);
        exit(2);
    }
    fputs("/* SPDX-License-Identifier: BSD-3-Clause\n * Written by asm/x86/generate.c: change that. */\n"
          "#include \"kernel.h\"\n",
          file);
    return file;
}

static void file_close(FILE *file) {
    if (fclose(file) != 0) {
        perror("generate");
        exit(2);
    }
}

/* The bodies hold the only memory accesses that count, so no sanitizer instruments a kernel. ISO C's least maximum for
 * strings, 4,095 bytes after pasting, is no matter for asm statements, which are not ISO C. */
static void kernels_begin(FILE *code, const struct isa *isa) {
    fputs("\n#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n"
          "#define KERNEL __attribute__((noinline, no_sanitize(\"address\"), no_sanitize(\"undefined\")))\n"
          "\nextern const double kernel_operands_f64[][8];\n"
          "extern const float kernel_operands_f32[][16];\n"
          "extern const uint32_t kernel_operands_f16[][16], kernel_operands_bf16[][16], kernel_operands_i8[][16];\n"
          "extern const uint32_t kernel_operands_i16[][16], kernel_operands_i32[][16], kernel_operands_i64[][16];\n",
          code);
    for (enum element_type type = TYPE_F64; isa == NULL && type < TYPE_COUNT; type++)
        operands_write(code, type);
    if (isa == NULL)
        return;
    bool x87 = strcmp(isa->name, "x87") == 0;
    fputs("\n#define CLOBBERS ", code);
    for (unsigned i = 0; i < isa->register_count; i++)
        fprintf(code, !x87 ? ", \"xmm%u\"" : i > 0 ? ", \"st(%u)\"" : ", \"st\"", i);
    fputs("\n", code);
}

/* Variants of a name stand together, so a name comes from one dialect and one call. */
static void kernels_write(const char *folder, const struct isa *isa, FILE *table, FILE *list) {
    char name[64];
    snprintf(name, sizeof name, "kernels_%s", isa != NULL ? isa->name : "common");
    FILE *code = file_open(folder, name);
    kernels_begin(code, isa);
    if (isa == NULL) {
        static const struct dialect common = {.coding = CODING_NONE};
        struct emitter e = {.code = code, .table = table, .list = list, .dialect = &common};
        generate_chase(&e);
    }
    for (size_t i = 0; isa != NULL && i < dialect_count; i++) {
        if (strcmp(dialect_table[i].isa, isa->name) != 0)
            continue;
        struct emitter e = {.code = code, .table = table, .list = list, .dialect = &dialect_table[i], .isa = isa};
        generate_compute(&e);
        generate_mixed(&e);
        generate_elements(&e);
        if (e.dialect->plain) {
            generate_memory(&e);
            if (e.dialect->coding != CODING_X87)
                generate_random(&e);
        }
    }
    file_close(code);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fputs("usage: generate FOLDER\n", stderr);
        return 2;
    }
    char *pointers = NULL;
    size_t pointers_bytes = 0;
    FILE *list = open_memstream(&pointers, &pointers_bytes);
    if (list == NULL) {
        perror("generate");
        return 2;
    }
    FILE *table = file_open(argv[1], "kernel_table");
    kernels_write(argv[1], NULL, table, list);
    for (size_t i = 0; i < isa_count; i++)
        kernels_write(argv[1], &isa_table[i], table, list);
    file_close(list);
    fprintf(table,
            "\nconst struct kernel *const kernel_table[] = {\n%s};\n"
            "const size_t kernel_count = sizeof kernel_table / sizeof *kernel_table;\n",
            pointers);
    file_close(table);
    free(pointers);
    return 0;
}
