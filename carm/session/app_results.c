/* SPDX-License-Identifier: BSD-3-Clause
 * The result that an application's points belong to. */
#include "app_results.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/kernels/doubt.h"
#include "bench/programs/app_point.h"
#include "carm/store/file_io.h"
#include "carm/store/result_fields.h"
#include "carm/text/notice.h"
#include "carm/text/shell_word.h"
#include "probe/error.h"
#include "probe/need.h"

/* Hypervisors give processors of one family the same name: the number of cores tells more. 0: an older file. */
static bool same_machine(const struct result *a, const struct result *b) {
    const struct cpu_identity *x = &a->machine.cpu, *y = &b->machine.cpu;
    const unsigned cores[2] = {a->machine.machine_core_count, b->machine.machine_core_count};
    if (cores[0] > 0 && cores[1] > 0 && cores[0] != cores[1])
        return false;
    return strcmp(x->brand, y->brand) == 0 && strcmp(x->vendor, y->vendor) == 0 && x->family == y->family &&
           x->model == y->model && strcmp(a->uarch, b->uarch) == 0;
}

/* The newest result of this machine. None is no error. */
static void find_newest(struct app_target *out, const struct result *here) {
    glob_t found;
    const int failure = glob("results/*.json", 0, NULL, &found);
    if (failure == GLOB_NOSPACE)
        need_end();
    if (failure)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct result result;
        struct error ignored;
        if (file_is_stream(found.gl_pathv[i]) || !results_read(found.gl_pathv[i], &result, &ignored))
            continue;
        bool newer = strcmp(result.environment.started_utc, out->file.environment.started_utc) > 0;
        if (result.sample_count > 0 && newer && !partial_lacks_roofs(&result) && same_machine(&result, here)) {
            results_free(&out->file);
            out->file = result;
            snprintf(out->judged_by, sizeof out->judged_by, "%s", found.gl_pathv[i]);
        } else {
            results_free(&result);
        }
    }
    globfree(&found);
}

bool app_target_find(struct app_target *out, const char *path, struct result *here, struct error *err) {
    *out = (struct app_target){.result = here, .here = here, .path = path};
    if (!path) {
        find_newest(out, here);
    } else if (file_stamp(path).exists) {
        if (!results_read(path, &out->file, err))
            return false;
        if (results_of_gpu(&out->file))
            return error_set(err, "%s is a result of a GPU and cannot judge programs of a CPU", path);
        snprintf(out->judged_by, sizeof out->judged_by, "%s", path);
        out->other_machine = !same_machine(&out->file, here);
    }
    if (out->judged_by[0])
        out->result = &out->file;
    return true;
}

static bool read_again(struct app_target *target, struct error *err) {
    struct app_target now;
    if (!app_target_find(&now, target->path, target->here, err))
        return false;
    now.annotations = target->annotations;
    now.annotation_count = target->annotation_count;
    now.course = target->course;
    app_target_free(target);
    *target = now;
    if (now.result != now.here)
        target->result = &target->file;
    return true;
}

static size_t put(struct result *result, const struct app_point *points, size_t count) {
    size_t replaced = 0;
    result->points = need_realloc(result->points, (result->point_count + count + 1) * sizeof *result->points);
    for (size_t i = 0; i < count; i++) {
        size_t at = 0;
        while (at < result->point_count && strcmp(result->points[at].name, points[i].name) != 0)
            at++;
        replaced += at < result->point_count;
        result->point_count += at == result->point_count;
        result->points[at] = points[i];
    }
    return replaced;
}

static const char PARTIAL[] = " (partial)";

void app_target_name_partial(struct app_point *points, size_t count) {
    for (size_t i = 0; i < count; i++) {
        char *end = points[i].name + strnlen(points[i].name, sizeof points[i].name - sizeof PARTIAL);
        memcpy(end, PARTIAL, sizeof PARTIAL);
    }
}

static bool is_partial(const struct app_point *point, const char *program) {
    const size_t length = strlen(point->name), own = sizeof PARTIAL - 1;
    return length > own && strcmp(point->name + length - own, PARTIAL) == 0 && strcmp(point->program, program) == 0;
}

static void drop(struct result *result, const char *program) {
    size_t kept = 0;
    for (size_t i = 0; i < result->point_count; i++)
        if (!is_partial(&result->points[i], program))
            result->points[kept++] = result->points[i];
    result->point_count = kept;
}

/* Removes points of a launch with another number of ranks, which would look like points of this one. */
static void drop_other_ranks(struct result *result, const struct app_point *now) {
    size_t kept = 0;
    for (size_t i = 0; i < result->point_count; i++) {
        const struct app_point *point = &result->points[i];
        if (point->rank == 0 || point->ranks == now->ranks || strcmp(point->program, now->program) != 0)
            result->points[kept++] = *point;
    }
    result->point_count = kept;
}

/* Removes code of the loops measured again, or all code of the program if new code is there. */
static void drop_annotations(struct app_target *target, const struct app_point *points, size_t count) {
    struct result *result = target->result;
    size_t kept = 0;
    for (size_t i = 0; i < result->annotation_count; i++) {
        struct annotation *old = &result->annotations[i];
        bool stale = target->annotation_count > 0 && strcmp(old->program, points[0].program) == 0;
        for (size_t k = 0; k < count && !stale; k++)
            stale = strcmp(old->name, points[k].name) == 0;
        if (stale)
            annotation_free(old);
        else
            result->annotations[kept++] = *old;
    }
    result->annotation_count = kept;
}

static void *copy_of(const void *entries, size_t count, size_t size) {
    void *copy = need_calloc(count + 1, size);
    return count > 0 ? memcpy(copy, entries, count * size) : copy;
}

static void put_annotations(const struct app_target *target) {
    struct result *result = target->result;
    const size_t count = result->annotation_count + target->annotation_count;
    if (target->annotation_count == 0)
        return;
    result->annotations = need_realloc(result->annotations, (count + 1) * sizeof *result->annotations);
    for (size_t i = 0; i < target->annotation_count; i++) {
        struct annotation one = target->annotations[i];
        one.lines = copy_of(one.lines, one.line_count, sizeof *one.lines);
        one.instructions = copy_of(one.instructions, one.instruction_count, sizeof *one.instructions);
        result->annotations[result->annotation_count++] = one;
    }
}

/* Removes earlier phases of a program whose phases are added; there may have been more. */
static void drop_phases(struct result *result, const struct app_point *now) {
    size_t kept = 0;
    for (size_t i = 0; i < result->point_count; i++) {
        const struct app_point *point = &result->points[i];
        if (point->part != APP_PHASE || strcmp(point->program, now->program) != 0)
            result->points[kept++] = *point;
    }
    result->point_count = kept;
}

static void put_course(struct result *result, const struct app_course *course) {
    size_t kept = 0;
    for (size_t i = 0; i < result->course_count; i++)
        if (strcmp(result->courses[i].program, course->program) == 0)
            course_free(&result->courses[i]);
        else
            result->courses[kept++] = result->courses[i];
    result->courses = need_realloc(result->courses, (kept + 1) * sizeof *result->courses);
    struct app_course *own = &result->courses[kept];
    *own = *course;
    own->intervals = copy_of(course->intervals, course->interval_count, sizeof *own->intervals);
    own->phases = copy_of(course->phases, course->phase_count, sizeof *own->phases);
    result->course_count = kept + 1;
}

bool app_target_drop_partial(struct app_target *target, const char *program, const char *command, struct error *err) {
    int lock = -1;
    bool done = file_lock(target->path, &lock, err) && read_again(target, err);
    struct result *result = target->result;
    if (done) {
        drop(result, program);
        partial_clear(&result->environment, command);
    }
    const bool empty = result->sample_count + result->point_count + result->curve_count == 0;
    if (done && empty) /* created for these points */
        done = unlink(target->path) == 0;
    else if (done)
        done = results_write(result, target->path, false, err);
    file_unlock(target->path, lock);
    return done;
}

bool app_target_add(struct app_target *target, struct app_point *points, size_t count, const char *command,
                    const struct progress *lacking, size_t *replaced, struct error *err) {
    int lock = -1;
    for (size_t i = 0; i < count; i++)
        fields_clean(result_point_fields, &points[i]);
    bool done = !target->path || (file_lock(target->path, &lock, err) && read_again(target, err));
    for (size_t i = 0; i < count && done && target->other_machine; i++)
        doubts_add(&points[i].doubts, DOUBT_OTHER_MACHINE);
    if (done && lacking)
        partial_mark(&target->result->environment, lacking);
    else if (done)
        partial_clear(&target->result->environment, command);
    if (done && count > 0)
        drop(target->result, points[0].program);
    if (done && count > 0)
        drop_annotations(target, points, count);
    if (done)
        put_annotations(target);
    if (done && target->course && !lacking) {
        drop_phases(target->result, &points[0]);
        put_course(target->result, target->course);
    }
    if (done && count > 0 && points[0].ranks > 0)
        drop_other_ranks(target->result, &points[0]);
    *replaced = done ? put(target->result, points, count) : 0;
    done = done && (!target->path || results_write(target->result, target->path, false, err));
    if (target->path)
        file_unlock(target->path, lock);
    return done;
}

uint64_t app_target_last_cache_bytes(const struct app_target *target) {
    const struct levels *levels = &target->result->levels[0];
    bool known = !target->other_machine && levels->count >= 2 && levels->level[levels->count - 2].disagrees;
    return known ? levels->level[levels->count - 2].effective_bytes : 0;
}

const struct core_measured *app_target_core(const struct app_target *target) {
    return target->other_machine ? NULL : &target->result->core;
}

void app_target_tell(const struct app_target *target, size_t count, size_t replaced) {
    const char *s = count == 1 ? "" : "s";
    char *word = shell_word(target->path ? target->path : target->judged_by);
    if (target->judged_by[0])
        partial_warn(target->result, target->judged_by);
    if (target->other_machine)
        notice_print("warning: the roofs in %s are from another machine (%s)", target->path,
                     target->file.machine.cpu.brand);
    if (target->path && replaced)
        notice_print("%zu point%s in %s, %zu instead of an earlier one", count, s, target->path, replaced);
    else if (target->path)
        notice_print("%zu point%s added to %s", count, s, target->path);
    else if (target->judged_by[0])
        notice_print("judged by %s; -o %s adds the point%s to it", target->judged_by, word, s);
    if (target->result->sample_count == 0 && target->path)
        notice_print("%s holds no roofs to judge by; `carmine run --resume %s` adds them", target->path, word);
    else if (target->result->sample_count == 0)
        notice_print("there are no roofs to judge by; `carmine run -o FILE` measures them, and `carmine app -o FILE` "
                     "adds the point%s to it",
                     s);
    free(word);
}

void app_target_free(struct app_target *target) {
    results_free(&target->file);
}
