/* SPDX-License-Identifier: BSD-3-Clause
 * How the doctor's checks write their findings. */
#include "doctor_checks.h"

#include <stdarg.h>
#include <stdio.h>

void finding_say(struct finding *out, enum severity severity, const char *remedy, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(out->what, sizeof out->what, format, arguments);
    va_end(arguments);
    out->severity = severity;
    snprintf(out->remedy, sizeof out->remedy, "%s", remedy);
}
