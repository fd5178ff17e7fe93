/* SPDX-License-Identifier: BSD-3-Clause
 * The functions that programs would call without the adapters. */
#pragma once

#include <stdatomic.h>

struct original {
    const char *name;
    _Atomic(void *) known; /* result of the first search; threads that search at the same time find the same */
};

/* In an adapter's file: declares that it replaces a function of this name. */
#define ORIGINAL(function) static struct original original_##function = {.name = #function}

/* In the adapter's function of this name: declares `original`, the function that the caller would have reached;
 * NULL: none, as for a weak symbol. */
#define FIND_ORIGINAL(name)                                                                                            \
    __typeof__(&name) original;                                                                                        \
    *(void **)&original = original_find(&original_##name, __builtin_return_address(0))

/* The same for the function that will end the region, so that the search is not part of the region. */
#define FIND_END(name) original_find(&original_##name, __builtin_return_address(0))

/* `caller` is an address in the code that calls. */
void *original_find(struct original *original, const void *caller);
