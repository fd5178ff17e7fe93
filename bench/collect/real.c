/* SPDX-License-Identifier: BSD-3-Clause
 * The C library's own functions, for the collector itself. */
#include "real.h"

int real_sigaction(int signal, const struct sigaction *action, struct sigaction *old) {
    NEXT(sigaction)
    return real(signal, action, old);
}
