/* SPDX-License-Identifier: BSD-3-Clause
 * Memory for the drawing libraries. If an allocation fails, fontconfig (seen with 2.14) crashes or searches forever,
 * and pixman (0.42) crashes. So the memory of a picture is checked before their first call. */
#ifndef RENDER_RESERVE_H
#define RENDER_RESERVE_H

#include <stdbool.h>

/* False: there is too little memory to draw. */
bool reserve_memory(void);

#endif
