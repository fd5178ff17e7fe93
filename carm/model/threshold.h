/* SPDX-License-Identifier: BSD-3-Clause
 * A number that decides what is said of a measurement, with the measurement that it rests on. */
#ifndef CARM_THRESHOLD_H
#define CARM_THRESHOLD_H

struct threshold {
    double value;
    const char *name;    /* as in the documents' tables */
    const char *decides; /* what the value is of, and what is said there */
    const char *because; /* what was measured, and where; or that nothing was, and what it was chosen for */
};

#endif
