/* SPDX-License-Identifier: BSD-3-Clause
 * The names of the classes of an instruction mix. */
#include "instruction.h"

const char *const effect_class_names[CLASS_COUNT + 1] = {
    [CLASS_OTHER] = "other",
    [CLASS_FLOP_SCALAR] = "flop scalar",
    [CLASS_FLOP_128] = "flop 128 bit",
    [CLASS_FLOP_256] = "flop 256 bit",
    [CLASS_FLOP_512] = "flop 512 bit",
    [CLASS_FLOP_TILE] = "flop tile",
    [CLASS_CONVERT] = "convert, compare",
    [CLASS_SHUFFLE] = "shuffle, logic",
    [CLASS_MOVE] = "move",
    [CLASS_GATHER] = "gather, scatter",
    [CLASS_INTEGER] = "integer",
    [CLASS_BRANCH] = "branch",
    [CLASS_CALL] = "call, return",
    [CLASS_STRING] = "string",
};
