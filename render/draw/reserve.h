/* SPDX-License-Identifier: BSD-3-Clause
 * Memory for the libraries that draw. Where an allocation fails, fontconfig (seen with 2.14) crashes or searches
 * without end, and pixman (0.42) crashes; so what a picture takes is known to be there before the first of their calls.
 */
#ifndef RENDER_RESERVE_H
#define RENDER_RESERVE_H

#include <stdbool.h>

/* False: there is too little memory to draw. */
bool reserve_memory(void);

#endif
