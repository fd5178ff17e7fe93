/* SPDX-License-Identifier: BSD-3-Clause
 * The record that stand-ins for counters replay (tests/cli/programs/cli_with_counters.sh). FAKE_RECORD names its file:
 * lines `WORKLOAD SIZE EVENT RISE`. They apply to the process `carmine-workload WORKLOAD size=SIZE …`. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* This process's workload and size, from its command line. */
static inline void recorded_process(char workload[64], char size[32]) {
    char line[512] = "";
    FILE *file = fopen("/proc/self/cmdline", "r");
    const size_t length = file ? fread(line, 1, sizeof line - 1, file) : 0;
    if (file)
        fclose(file);
    for (size_t i = 0; i < length; i++)
        line[i] = line[i] ? line[i] : ' ';
    *workload = *size = '\0';
    sscanf(line, "%*s %63s size=%31s", workload, size);
}

/* How much the event rises from one reading to the next; 0: not recorded. */
static inline long long recorded_rise(const char *event) {
    char workload[64], size[32], of[64], at[32], name[96];
    long long rise, found = 0;
    FILE *file = fopen(getenv("FAKE_RECORD"), "r");
    recorded_process(workload, size);
    while (file && fscanf(file, "%63s %31s %95s %lld", of, at, name, &rise) == 4)
        if (strcmp(of, workload) == 0 && strcmp(at, size) == 0 && strcmp(name, event) == 0)
            found = rise;
    if (file)
        fclose(file);
    return found;
}
