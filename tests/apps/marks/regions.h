/* SPDX-License-Identifier: BSD-3-Clause
 * The same regions in every system of marks: a program says what begins and ends one, and has its work done here.
 * Prints what has to be found of each. */
#pragma once

#include <stdio.h>

#include "../work.h"

/* One in another, and many times. */
#define NEST(begin, end)                                                                                               \
    do {                                                                                                               \
        begin("outer");                                                                                                \
        work(1000);                                                                                                    \
        for (int i = 0; i < 3; i++) {                                                                                  \
            begin("inner");                                                                                            \
            work(10);                                                                                                  \
            end("inner");                                                                                              \
        }                                                                                                              \
        end("outer");                                                                                                  \
        work(500);                                                                                                     \
        printf("region \"outer\" calls 1 open 0 mismatched 0 flop 1030\n");                                            \
        printf("region \"inner\" calls 3 open 0 mismatched 0 flop 30\n");                                              \
    } while (0)

/* The first one ends first. Its end is no innermost one's, which is said, and what it covers is right all the same. */
#define OVERLAP(begin, end)                                                                                            \
    do {                                                                                                               \
        begin("left");                                                                                                 \
        work(1);                                                                                                       \
        begin("right");                                                                                                \
        work(20);                                                                                                      \
        end("left");                                                                                                   \
        work(400);                                                                                                     \
        end("right");                                                                                                  \
        printf("region \"left\" calls 1 open 0 mismatched 1 flop 21\n");                                               \
        printf("region \"right\" calls 1 open 0 mismatched 0 flop 420\n");                                             \
    } while (0)
