/* SPDX-License-Identifier: BSD-3-Clause
 * What a program with Kokkos does about its tools: it loads the library that KOKKOS_TOOLS_LIBS names, and tells that
 * its kernels, regions and sections. */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "regions.h"

static void *library;
static uint64_t kernel;
static uint32_t section[2];

/* Calls the library's function of this name, of this type, if there is one. */
#define TELL(name, type, ...)                                                                                          \
    do {                                                                                                               \
        void(*function) type = NULL;                                                                                   \
        if (library)                                                                                                   \
            *(void **)&function = dlsym(library, "kokkosp_" name);                                                     \
        if (function)                                                                                                  \
            function(__VA_ARGS__);                                                                                     \
    } while (0)

#define PUSH(name)   TELL("push_profile_region", (const char *), name)
#define POP(name)    TELL("pop_profile_region", (void), )
#define NUMBER(name) section[(name)[0] == 'r']
#define START(name)                                                                                                    \
    TELL("create_profile_section", (const char *, uint32_t *), name, &NUMBER(name));                                   \
    TELL("start_profile_section", (uint32_t), NUMBER(name))
#define STOP(name) TELL("stop_profile_section", (uint32_t), NUMBER(name))

#define KERNEL(kind)                                                                                                   \
    do {                                                                                                               \
        char name[] = "a " kind; /* as long as the call */                                                             \
        TELL("begin_parallel_" kind, (const char *, uint32_t, uint64_t *), name, 0, &kernel);                          \
        name[0] = 'X';                                                                                                 \
        work(11);                                                                                                      \
        TELL("end_parallel_" kind, (uint64_t), kernel);                                                                \
        printf("region \"a " kind "\" calls 1 open 0 mismatched 0 flop 11\n");                                         \
    } while (0)

int main(void) {
    struct {
        bool fences, others[255];
    } settings = {.fences = true};
    const char *path = getenv("KOKKOS_TOOLS_LIBS");
    library = path ? dlopen(path, RTLD_NOW | RTLD_GLOBAL) : NULL;
    TELL("init_library", (int, uint64_t, uint32_t, void *), 0, 20211015, 0, NULL);
    TELL("request_tool_settings", (uint32_t, void *), 1, &settings);
    if (library && settings.fences)
        puts("fences are wanted");
    NEST(PUSH, POP);
    OVERLAP(START, STOP);
    KERNEL("for");
    KERNEL("reduce");
    KERNEL("scan");
    TELL("finalize_library", (void), );
    return 0;
}
