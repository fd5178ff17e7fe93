/* SPDX-License-Identifier: BSD-3-Clause
 * A number that decides about a measurement, with the measurement that justifies it. */
#pragma once

struct threshold {
    double value;
    const char *name;    /* as in the tables of the documents */
    const char *decides; /* the quantity, and the consequence */
    const char *because; /* what was measured, and where; or that nothing was, and why it was chosen */
};
