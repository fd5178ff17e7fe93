/* SPDX-License-Identifier: BSD-3-Clause
 * Phases of a program as points, and its course in time. Pure, except that it reads the names of functions. */
#pragma once

#include "app_points.h"

/* Adds the points and the course; nothing if a run has no samples. */
void app_phases_add(const struct app_request *request, const struct app_runs *runs, struct app_points *out);
