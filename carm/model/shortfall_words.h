/* SPDX-License-Identifier: BSD-3-Clause
 * A roof's own numbers behind the reason of its shortfall, in words. Of each rule that has something to add one. */
#ifndef CARM_MODEL_SHORTFALL_WORDS_H
#define CARM_MODEL_SHORTFALL_WORDS_H

#include "shortfall.h"

void shortfall_say_wide(const struct shortfall *about, char *out, size_t size);
void shortfall_say_nominal(const struct shortfall *about, char *out, size_t size);
void shortfall_say_turbo(const struct shortfall *about, char *out, size_t size);
void shortfall_say_elsewhere(const struct shortfall *about, char *out, size_t size);
void shortfall_say_shared(const struct shortfall *about, char *out, size_t size);
void shortfall_say_too_few(const struct shortfall *about, char *out, size_t size);
void shortfall_say_sustained(const struct shortfall *about, char *out, size_t size);
void shortfall_say_doubt(const struct shortfall *about, char *out, size_t size);
void shortfall_say_seen(const struct shortfall *about, char *out, size_t size);
void shortfall_say_guests(const struct shortfall *about, char *out, size_t size);

#endif
