/* SPDX-License-Identifier: BSD-3-Clause
 * Every threshold by which a plan chooses sizes, and a campaign the next visit, the code and the size, and its end. */
#pragma once

#include "probe/threshold.h"

/* Thresholds only: the struct is also read as a list of CAMPAIGN_THRESHOLD_COUNT. */
struct campaign_thresholds {
    /* a plan's sizes, and its expected time */
    struct threshold narrow_window, larger, largest, mostly_arithmetic, flop_per_cycle_and_byte, core_hz,
        pass_bytes_per_s, visit_overhead, search_overhead;
    /* the choice of the next step */
    struct threshold first_search_s, apart_s, apart_most_s, headline, search, search_first, leisure, most_over,
        least_over, worn;
    /* how many visits are enough */
    struct threshold least_visits, headline_visits, short_visits, vain_visits, distrusted_visits, again_visits;
    /* visits, and what they say of a step */
    struct threshold gained, latest_cost, tries_agree, better, larger_worse, hopeless_visits, enough, perfect,
        short_of_same, short_of_other;
    /* shapes */
    struct threshold shape_line, shape_final, shapes_share, shapes_least_s, shapes_all, failed_alike, calm, promising,
        put_off_s, put_off_most_s, put_offs, least_cells, searches;
    /* sizes */
    struct threshold size_support, size_seen, larger_ahead, size_searches;
    /* code of other steps */
    struct threshold ahead, follow_apart_s, follows;
};

enum { CAMPAIGN_THRESHOLD_COUNT = sizeof(struct campaign_thresholds) / sizeof(struct threshold) };

extern const struct campaign_thresholds campaign_thresholds;
