/* SPDX-License-Identifier: BSD-3-Clause
 * Caliper's regions, phases and loops (caliper/cali.h, cali_macros.h and Annotation.h of LLNL/Caliper 2), in C, and in
 * C++ by the constructors and destructors of its marking objects. */
#include "adapter.h"
#include "original.h"

#include <dlfcn.h>

/* Two functions that take the name of the region to begin or end. */
#define BY_NAME(begins, ends)                                                                                          \
    ORIGINAL(begins);                                                                                                  \
    ORIGINAL(ends);                                                                                                    \
    EXPORTED void begins(const char *name);                                                                            \
    EXPORTED void ends(const char *name);                                                                              \
    void begins(const char *name) {                                                                                    \
        FIND_ORIGINAL(begins);                                                                                         \
        FIND_END(ends);                                                                                                \
        if (original)                                                                                                  \
            original(name);                                                                                            \
        adapter_begin(MARKS_CALIPER, name);                                                                            \
    }                                                                                                                  \
    void ends(const char *name) {                                                                                      \
        adapter_end(MARKS_CALIPER, name);                                                                              \
        FIND_ORIGINAL(ends);                                                                                           \
        if (original)                                                                                                  \
            original(name);                                                                                            \
    }
BY_NAME(cali_begin_region, cali_end_region)
BY_NAME(cali_begin_phase, cali_end_phase)
BY_NAME(cali_begin_comm_region, cali_end_comm_region)

/* Ends the region of an object, unless it has ended already. */
#define ENDS_OBJECT(ends)                                                                                              \
    ORIGINAL(ends);                                                                                                    \
    EXPORTED void ends(void *object);                                                                                  \
    void ends(void *object) {                                                                                          \
        adapter_close(MARKS_CALIPER, (uintptr_t)object);                                                               \
        FIND_ORIGINAL(ends);                                                                                           \
        if (original)                                                                                                  \
            original(object);                                                                                          \
    }
/* A constructor of an object with a name, and its destructor. */
#define BY_OBJECT(begins, ends)                                                                                        \
    ENDS_OBJECT(ends)                                                                                                  \
    ORIGINAL(begins);                                                                                                  \
    EXPORTED void begins(void *object, const char *name);                                                              \
    void begins(void *object, const char *name) {                                                                      \
        FIND_ORIGINAL(begins);                                                                                         \
        FIND_END(ends);                                                                                                \
        if (original)                                                                                                  \
            original(object, name);                                                                                    \
        adapter_open(MARKS_CALIPER, (uintptr_t)object, name);                                                          \
    }
BY_OBJECT(_ZN4cali8FunctionC1EPKc, _ZN4cali8FunctionD1Ev)
BY_OBJECT(_ZN4cali15ScopeAnnotationC1EPKc, _ZN4cali15ScopeAnnotationD1Ev)
BY_OBJECT(_ZN4cali4LoopC1EPKc, _ZN4cali4LoopD1Ev)
ENDS_OBJECT(_ZN4cali4Loop3endEv)

/* In C, loops are strings of the attribute cali_loop_attr_id; other attributes are not regions. */
static bool is_loop(uint64_t attribute) {
    static _Atomic(const uint64_t *) known;
    const uint64_t *loop = atomic_load_explicit(&known, memory_order_acquire);
    if (!loop)
        atomic_store_explicit(&known, loop = dlsym(RTLD_DEFAULT, "cali_loop_attr_id"), memory_order_release);
    return loop && *loop == attribute;
}

ORIGINAL(cali_begin_string);
ORIGINAL(cali_end);
EXPORTED void cali_begin_string(uint64_t attribute, const char *value);
EXPORTED void cali_end(uint64_t attribute);

void cali_begin_string(uint64_t attribute, const char *value) {
    FIND_ORIGINAL(cali_begin_string);
    FIND_END(cali_end);
    if (original)
        original(attribute, value);
    if (is_loop(attribute))
        adapter_open(MARKS_CALIPER, attribute, value);
}

void cali_end(uint64_t attribute) {
    if (is_loop(attribute))
        adapter_close(MARKS_CALIPER, attribute);
    FIND_ORIGINAL(cali_end);
    if (original)
        original(attribute);
}
