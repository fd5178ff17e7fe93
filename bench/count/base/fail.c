/* SPDX-License-Identifier: BSD-3-Clause
 * Ends a program that cannot be counted (see fail.h). */
#include "fail.h"

#include <sys/syscall.h>

#include "dump_file.h"
#include "system.h"

void fail_program(const char *reason, uint64_t address) {
    struct text text = {.length = 0}, line = {.length = 0};
    text_add(&text, reason);
    if (address) {
        text_add(&text, " ");
        text_add_number(&text, address, 16);
    }
    dump_failure(text.bytes);
    text_add(&line, "carmine: this program can't be counted: ");
    text_add(&line, text.bytes);
    text_add(&line, "\n");
    SYSTEM_CALL(SYS_write, 2, line.bytes, line.length);
    for (;;)
        SYSTEM_CALL(SYS_exit_group, 127);
}

void *fail_or_map(uint64_t bytes) {
    void *memory = system_map(0, bytes, false);
    if (!memory)
        fail_program("there is no memory for the counter's tables, which reserve about 1 GB: raise the limit "
                     "(`ulimit -v`, or RLIMIT_AS or RLIMIT_DATA, which the program may have set itself)",
                     0);
    return memory;
}
