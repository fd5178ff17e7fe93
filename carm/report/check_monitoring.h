/* SPDX-License-Identifier: BSD-3-Clause
 * Verdicts in the forms of monitoring systems; rows of check_formats. */
#ifndef CARM_REPORT_CHECK_MONITORING_H
#define CARM_REPORT_CHECK_MONITORING_H

#include "check_report.h"

/* A line as plugins of Nagios and its kin print it: status, what is wrong, and the headlines as performance data whose
 * values and limits are in flop/s, bytes/s or s (monitoring-plugins.org/doc/guidelines.html). */
void check_print_nagios(const struct check *check, const struct check_setting *setting, FILE *out);

/* The line where there was no check: monitoring shows what plugins print, and not what they say on stderr. */
void check_print_nagios_unknown(const char *why, FILE *out);

/* The text format that Prometheus reads, without times, as node_exporter's textfile collector wants it
 * (prometheus.io/docs/instrumenting/exposition_formats). */
void check_print_prometheus(const struct check *check, const struct check_setting *setting, FILE *out);

#endif
