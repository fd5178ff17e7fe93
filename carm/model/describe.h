/* SPDX-License-Identifier: BSD-3-Clause
 * A result in words for tables and pictures: machine, measuring conditions, levels. Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct result;
struct memory_series;
struct sample;
struct kernel_death;

/* The brand without trade marks, and the microarchitecture, which brands of Arm's cores name themselves. */
const char *describe_cpu(const struct result *result, char *out, size_t size);

/* Whether a value may be off by more than 25 %, so that no single number represents it. */
bool describe_is_vague(const struct sample *sample);

/* A sample's value with three digits: "38.2 GB/s"; "38.2 GB/s ±8 %" if it may be off by more than 5 %; a vague one as
 * an interval, "12.1–31.0 ns". */
char *describe_value(const struct sample *sample, const char *unit, char *out, size_t size);
enum { DESCRIBE_VALUE_BYTES = 72 };

/* One line about the machine, and one about the conditions; also for pictures. */
void describe_machine(const struct result *result, char *out, size_t size);
void describe_conditions(const struct result *result, char *out, size_t size);

/* "L3 detected as 480 MiB, found to end near 96 MiB", and a note about a cache before the memory. Returns how many
 * lines; 0 if all levels are as detected and memory has no cache of its own. */
size_t describe_level_notes(const struct result *result, char (*out)[160], size_t max);

/* "a control group grants 1.00 of 2 CPUs' time: …", with the effect on the numbers; "" if none limits it. */
const char *describe_quota(const struct result *result, char *out, size_t size);

/* "the host ran CPUs apart that share a cache by the topology, …"; "" if it did not. */
const char *describe_apart(const struct result *result, char *out, size_t size);

/* "other programs kept 1.9 CPUs busy meanwhile …"; "" if nobody did. */
const char *describe_others(const struct result *result, char *out, size_t size);
enum { DESCRIBE_LINE_BYTES = 320 };

/* "avx512.f64.fma (12x2) died of SIGILL on CPU 3: …", with cause and remedy. */
const char *describe_death(const struct kernel_death *death, char *out, size_t size);
enum { DESCRIBE_DEATH_BYTES = 320 };

/* "fmaadd" → "FMA + ADD", "mul" → "MUL", "chase" → "pointer chase"; in `out`, or constant. */
enum { DESCRIBE_OPERATION_BYTES = 32 };
const char *describe_operation(const char *op, char out[DESCRIBE_OPERATION_BYTES]);

/* The traffic of loaders with this kernel: "loads", "2 loads : 1 store", "update", "non-temporal stores". */
enum { DESCRIBE_TRAFFIC_BYTES = 48 };
const char *describe_traffic(const char *kernel, char out[DESCRIBE_TRAFFIC_BYTES]);

/* " (4 KiB pages)" if `small` ones were requested, of that size if it is known; else "". */
enum { DESCRIBE_PAGES_BYTES = 48 };
const char *describe_pages(bool small, uint64_t page_bytes, char out[DESCRIBE_PAGES_BYTES]);

/* "node 0 → node 1": of the chasing core and of the memory; "node 0" if they are one; "": there is only one node. With
 * "4 KiB pages" if these were requested. */
enum { DESCRIBE_PLACE_BYTES = 64 };
const char *describe_memory_place(const struct memory_series *series, char out[DESCRIBE_PLACE_BYTES]);
