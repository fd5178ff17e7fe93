/* SPDX-License-Identifier: BSD-3-Clause
 * Instructions of AArch64 as LLVM disassembles them: an independent decoder, which runs on any machine. */
#pragma once

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* llvm-c/Disassembler.h */
struct arm_decoder {
    void *context;
    void (*dispose)(void *context);
    size_t (*decode)(void *context, uint8_t *code, uint64_t bytes, uint64_t address, char *out, size_t size);
};

/* False: no libLLVM is installed, or it has no AArch64. */
static inline bool arm_decoder_open(struct arm_decoder *out) {
    static const char *const NAMES[] = {"libLLVM.so.19.1", "libLLVM-19.so.1", "libLLVM-16.so.1", "libLLVM-15.so.1",
                                        "libLLVM-14.so.1"};
    static const char *const STARTS[] = {"LLVMInitializeAArch64TargetInfo", "LLVMInitializeAArch64TargetMC",
                                         "LLVMInitializeAArch64Disassembler"};
    void *library = NULL;
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES && !library; i++)
        library = dlopen(NAMES[i], RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; i < sizeof STARTS / sizeof *STARTS && library; i++) {
        void (*start)(void);
        *(void **)&start = dlsym(library, STARTS[i]);
        if (!start)
            return false;
        start();
    }
    void *(*create)(const char *triple, const char *cpu, const char *features, void *info, int tag, void *get,
                    void *look);
    *(void **)&create = library ? dlsym(library, "LLVMCreateDisasmCPUFeatures") : NULL;
    *(void **)&out->dispose = library ? dlsym(library, "LLVMDisasmDispose") : NULL;
    *(void **)&out->decode = library ? dlsym(library, "LLVMDisasmInstruction") : NULL;
    out->context =
        create && out->dispose && out->decode
            ? create("aarch64-linux-gnu", "generic",
                     "+v8.6a,+sve2,+sve,+bf16,+i8mm,+fullfp16,+fp16fml,+aes,+sha2,+sha3,+crc,+lse,+jsconv,+complxnum",
                     NULL, 0, NULL, NULL)
            : NULL;
    return out->context != NULL;
}

/* "fadd v0.2d, v1.2d, v2.2d": single spaces, without comments. Returns `out`; "(bad)": no instruction. */
static inline char *arm_decoder_text(const struct arm_decoder *decoder, uint32_t word, char *out, size_t size) {
    uint8_t code[sizeof word];
    char text[128] = "";
    size_t used = 0;
    memcpy(code, &word, sizeof word);
    if (decoder->decode(decoder->context, code, sizeof code, 0, text, sizeof text) != sizeof code) {
        snprintf(out, size, "(bad)");
        return out;
    }
    char *comment = strstr(text, "//");
    if (comment)
        *comment = '\0';
    for (const char *at = text; *at && used + 1 < size; at++) {
        const char c = *at == '\t' ? ' ' : *at;
        if (c != ' ' || (used > 0 && out[used - 1] != ' '))
            out[used++] = c;
    }
    while (used > 0 && out[used - 1] == ' ')
        used--;
    out[used] = '\0';
    return out;
}
