/* SPDX-License-Identifier: BSD-3-Clause
 * In place of nvToolsExt.h: the functions that nvtx.c uses, through pointers that the library of NVTX_INJECTION64_PATH
 * sets at the start (InitializeInjectionNvtx2), by number in two tables. */
#pragma once

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef uint64_t nvtxRangeId_t;
typedef struct nvtx_domain *nvtxDomainHandle_t;
typedef struct {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    uint64_t payload;
    int32_t messageType;
    const void *message;
} nvtxEventAttributes_t;
enum { NVTX_VERSION = 3, NVTX_MESSAGE_TYPE_ASCII = 1, NVTX_MESSAGE_TYPE_UNICODE = 2, NVTX_MESSAGE_TYPE_REGISTERED = 3 };

static void (*core[16])(void), (*domains[16])(void);

static int functions_of(int module, void (***table[])(void), unsigned *size) {
    static void (**places[2][17])(void);
    const int which = module == 5;
    if (module != 1 && module != 5)
        return 0;
    for (unsigned i = 1; i < 16; i++)
        places[which][i] = which ? &domains[i] : &core[i];
    *table = places[which];
    *size = 16;
    return 1;
}
static const void *export_table(uint32_t table) {
    static const struct {
        size_t bytes;
        int (*functions_of)(int, void (***[])(void), unsigned *);
    } callbacks = {sizeof callbacks, functions_of};
    return table == 1 ? &callbacks : NULL;
}
__attribute__((constructor)) static void load(void) {
    const char *path = getenv("NVTX_INJECTION64_PATH");
    void *library = path ? dlopen(path, RTLD_LAZY) : NULL;
    int (*init)(const void *(*)(uint32_t)) = NULL;
    if (library)
        *(void **)&init = dlsym(library, "InitializeInjectionNvtx2");
    if (init && !init(export_table))
        for (unsigned i = 0; i < 16; i++)
            core[i] = domains[i] = NULL;
}

#define NVTX_CALL(table, number, without, type, ...) (table[number] ? ((type)table[number])(__VA_ARGS__) : without)
#define nvtxRangePushEx(event)                       NVTX_CALL(core, 8, -2, int (*)(const nvtxEventAttributes_t *), event)
#define nvtxRangePushA(name)                         NVTX_CALL(core, 9, -2, int (*)(const char *), name)
#define nvtxRangePop()                               NVTX_CALL(core, 11, -2, int (*)(void), )
#define nvtxRangeStartA(name)                        NVTX_CALL(core, 5, 0, nvtxRangeId_t (*)(const char *), name)
#define nvtxRangeEnd(range)                          NVTX_CALL(core, 7, (void)0, void (*)(nvtxRangeId_t), range)
#define nvtxDomainCreateA(name)                      NVTX_CALL(domains, 12, NULL, nvtxDomainHandle_t (*)(const char *), name)
#define nvtxDomainRegisterStringA(domain, text)                                                                        \
    NVTX_CALL(domains, 10, NULL, void *(*)(nvtxDomainHandle_t, const char *), domain, text)
#define nvtxDomainRangePushEx(domain, event)                                                                           \
    NVTX_CALL(domains, 4, -2, int (*)(nvtxDomainHandle_t, const nvtxEventAttributes_t *), domain, event)
#define nvtxDomainRangePop(domain) NVTX_CALL(domains, 5, -2, int (*)(nvtxDomainHandle_t), domain)
#define nvtxDomainRangeStartEx(domain, event)                                                                          \
    NVTX_CALL(domains, 2, 0, nvtxRangeId_t (*)(nvtxDomainHandle_t, const nvtxEventAttributes_t *), domain, event)
#define nvtxDomainRangeEnd(domain, range)                                                                              \
    NVTX_CALL(domains, 3, (void)0, void (*)(nvtxDomainHandle_t, nvtxRangeId_t), domain, range)
