/* SPDX-License-Identifier: BSD-3-Clause
 * Names of workloads' points, and their results from a report (see workload.h). */
#include "workload.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "asm/element.h"
#include "bench/kernels/doubt.h"
#include "bench/kernels/team.h"
#include "probe/text.h"

size_t workload_least(double *seconds, size_t count, unsigned least_of) {
    size_t groups = count / least_of;
    if (groups == 0 && count > 0)
        groups = 1;
    for (size_t g = 0; g < groups; g++) {
        double least = INFINITY;
        for (size_t i = g * least_of; i < (g + 1) * least_of && i < count; i++)
            least = fmin(least, seconds[i]);
        seconds[g] = least;
    }
    return groups;
}

void workload_take_time(const struct workload_request *request, struct workload_report *report,
                        struct workload_outcome *out) {
    size_t kept = workload_least(report->seconds, report->seconds_count, request->least_of);
    out->point.repetition_count = kept <= 1 ? 0 : kept < APP_REPETITIONS_KEPT ? (unsigned)kept : APP_REPETITIONS_KEPT;
    for (unsigned i = 0; i < out->point.repetition_count; i++)
        out->point.repetitions[i].seconds = report->seconds[i];
    struct statistics seconds = sample_statistics(report->seconds, kept); /* sorts them */
    seconds.n = (unsigned)report->seconds_count;
    seconds.kept = (unsigned)kept;
    app_point_set_time(&out->point, seconds, 0);
    if (seconds.median * report->runs < APP_SHORTEST_S)
        doubts_add(&out->point.doubts, DOUBT_TOO_SHORT);
    out->point.clock_hz = report->clock_hz;
    out->runs = report->runs;
    out->repeat = (unsigned)kept;
    out->check_error = report->check_error;
    snprintf(out->isa, sizeof out->isa, "%s", report->isa);
    snprintf(out->library, sizeof out->library, "%s", report->library);
}

void workload_take_theory(const struct workload_report *report, struct workload_outcome *out) {
    struct app_point *point = &out->point;
    out->flop_known = report->flop_known;
    point->size = report->size;
    point->working_set_bytes = report->working_set_bytes;
    point->data = report->data;
    point->code = report->code;
    point->tlb = report->tlb;
    point->threads = report->threads;
    point->analytic_flop = report->flop;
    point->analytic_load_bytes = report->load_bytes;
    point->analytic_store_bytes = report->store_bytes;
    point->compulsory_read_bytes = report->read_bytes;
    point->compulsory_write_bytes = report->write_bytes;
    point->pseudo_flop = report->pseudo_flop;
}

void workload_state_work(const struct workload_request *request, struct workload_outcome *out) {
    struct app_point *point = &out->point;
    snprintf(point->flop_type, sizeof point->flop_type, "%s", request->type);
    if (out->flop_known) {
        point->flop = app_once(point->analytic_flop);
        point->flop_source = SOURCE_STATED;
    }
    if (point->analytic_load_bytes + point->analytic_store_bytes > 0) {
        point->load_bytes = app_once(point->analytic_load_bytes);
        point->store_bytes = app_once(point->analytic_store_bytes);
        point->bytes_source = SOURCE_STATED;
    }
}

/* The deviations from the defaults. */
static void describe(const struct workload_request *request, char *out, size_t size) {
    snprintf(out, size, "%s", request->own ? request->own->label : request->name);
    if (element_find(request->type) != TYPE_F64)
        text_append(out, size, " %s", request->type);
    if (request->isa)
        text_append(out, size, " %s", request->isa);
    if (request->block)
        text_append(out, size, " N_B=%u", request->block);
    if (request->write_back)
        text_append(out, size, " write-back %s", request->write_back);
}

bool workload_counts_write_back(const struct workload_request *request) {
    return request->write_back && strcmp(request->write_back, "counted") == 0;
}

bool workload_has_less(const struct workload_request *request, double bytes) {
    const double ratio = fmax(1, (double)request->size / (double)request->other_size);
    return request->other_size > 0 && request->other_bytes * ratio * ratio * ratio < bytes;
}

void workload_place(struct workload_request *request, unsigned threads) {
    const struct team_spread spread = team_spread(request->machine, threads);
    request->threads = threads;
    request->cores = spread.cores < threads ? spread.cores : 0;
    request->cpus = spread.cpus < threads ? spread.cpus : 0;
}

void workload_series(const struct workload_request *request, char *out, size_t size) {
    char what[80], threads[APP_THREADS_BYTES];
    describe(request, what, sizeof what);
    snprintf(out, size, "%s %s%s%s %s", what, app_state_names[request->data],
             request->code == STATE_COLD ? " code-cold" : "", request->tlb == STATE_COLD ? " tlb-cold" : "",
             app_threads_text(request->threads, request->cores, request->cpus, threads));
}

void workload_point_name(const struct workload_request *request, char *out, size_t size) {
    char what[80], threads[APP_THREADS_BYTES];
    describe(request, what, sizeof what);
    app_threads_text(request->threads, request->cores, request->cpus, threads);
    snprintf(out, size, "%s%s%s%s%s%s %" PRIu64, what, request->data == STATE_WARM ? " warm" : "",
             request->code == STATE_COLD ? " code-cold" : "", request->tlb == STATE_COLD ? " tlb-cold" : "",
             request->threads > 1 ? " " : "", request->threads > 1 ? threads : "", request->size);
}
