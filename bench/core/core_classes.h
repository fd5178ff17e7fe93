/* SPDX-License-Identifier: BSD-3-Clause
 * The classes of instructions that people know a core by: an addition, a division, a load from L1, a mispredicted
 * branch. */
#pragma once

#include "asm/incore/core_measured.h"
#include "core_plan.h"

enum core_subject { CORE_FLOATS, CORE_WHOLE_NUMBERS, CORE_ACCESSES, CORE_FLOW };

struct core_class {
    const char *name, *variant; /* "f64 division", "256 bits"; "": it has no other variant */
    enum core_subject subject;
    bool leads;           /* a reader wants it first */
    const char *forms[4]; /* of core_value.form, of each architecture: for a latency, and for a throughput, the first
                             that was measured */
};

/* By subject, the variants of a name beside each other; up to a row without a name. */
extern const struct core_class core_classes[];

/* The class of a form; NULL: none. */
const struct core_class *core_class_of(const char *form);

/* The first of its forms that was measured, and has a latency or else a throughput; NULL: none. */
const struct core_value *core_class_value(const struct core_class *class, const struct core_measured *measured,
                                          bool latency);

/* Writes "f64 division, 256 bits" to `out`, and returns it; "" for no class. */
const char *core_class_text(const struct core_class *class, char *out, size_t size);

/* Keeps the forms of classes, and what must be subtracted from their chains. */
void core_classes_keep(struct core_plan *plan);

/* Whether nothing else was measured. */
bool core_classes_only(const struct core_measured *measured);
