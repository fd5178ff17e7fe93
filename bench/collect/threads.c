/* SPDX-License-Identifier: BSD-3-Clause
 * The process's threads, who created them, and what those that have ended leave. */
#include "threads.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "descriptors.h"
#include "events.h"
#include "samples.h"
#include "visits.h"

__thread struct thread *thread_here;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the list and all links in it */
static struct thread *living, *spare;                    /* memory is never given back: it is read without the lock */
static struct thread *main_thread;
static struct total ended[MOST_REGIONS]; /* of threads that have */
static unsigned existed, unknown;
static pthread_key_t at_end;

static struct thread *new_thread(struct thread *creator) {
    struct thread *thread = spare;
    if (thread)
        spare = thread->next;
    else if ((thread = mmap(NULL, sizeof *thread, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) ==
             MAP_FAILED)
        return NULL;
    pthread_mutex_init(&thread->covers.lock, NULL);
    thread->creator = creator;
    thread->next = living;
    living = thread;
    existed++;
    if (creator) {
        creator->children++;
        events_inherit(thread, creator);
    }
    return thread;
}

/* Makes it as new, without touching memory that it has not used. */
static void forget(struct thread *thread) {
    for (struct thread **at = &living; *at; at = &(*at)->next)
        if (*at == thread) {
            *at = thread->next;
            break;
        }
    if (thread->creator)
        thread->creator->children--;
    for (struct thread *child = living; child; child = child->next)
        if (child->creator == thread) {
            child->creator = thread->creator;
            if (child->creator)
                child->creator->children++;
        }
    events_close(thread);
    memset(thread->visits, 0, region_count() * sizeof thread->visits[0]);
    thread->depth = 0;
    thread->innermost = WHOLE_PROGRAM;
    thread->children = 0;
    if (thread == main_thread) {
        main_thread = NULL;
        descriptors_forget();
    }
    thread->next = spare;
    spare = thread;
}

static void thread_end(void *argument) {
    struct thread *thread = argument;
    int cancel;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    samples_end(thread);
    visits_close(thread);
    pthread_mutex_lock(&lock);
    visits_total(thread, ended, clock_ns());
    events_total(thread, ended);
    forget(thread);
    pthread_mutex_unlock(&lock);
    thread_here = NULL;
    pthread_setcancelstate(cancel, NULL);
}

bool threads_start(void) {
    return pthread_key_create(&at_end, thread_end) == 0;
}

struct thread *thread_new(void) {
    struct thread *creator = existed > 0 ? thread_self() : NULL;
    pthread_mutex_lock(&lock);
    struct thread *thread = new_thread(creator);
    if (!main_thread && existed == 1)
        main_thread = thread;
    pthread_mutex_unlock(&lock);
    return thread;
}

/* What PAPI reads and writes could end a thread that is cancelled, with its locks held. */
void thread_begin(struct thread *thread) {
    int cancel;
    if (!thread)
        return;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    thread_here = thread;
    pthread_setspecific(at_end, thread);
    pthread_mutex_lock(&lock); /* so that no fork comes while PAPI holds locks of its own */
    events_open(thread);
    pthread_mutex_unlock(&lock);
    samples_begin(thread);
    pthread_setcancelstate(cancel, NULL);
}

void thread_discard(struct thread *thread) {
    pthread_mutex_lock(&lock);
    existed--;
    forget(thread);
    pthread_mutex_unlock(&lock);
}

struct thread *thread_self(void) {
    if (thread_here)
        return thread_here;
    pthread_mutex_lock(&lock);
    struct thread *thread = new_thread(main_thread);
    unknown += thread != NULL;
    pthread_mutex_unlock(&lock);
    thread_begin(thread);
    return thread;
}

static bool created_by(const struct thread *thread, const struct thread *creator) {
    for (const struct thread *at = thread->creator; at; at = at->creator)
        if (at == creator)
            return true;
    return false;
}

void threads_created_by(struct thread *creator, void (*each)(struct covers *covers, unsigned region), unsigned region) {
    pthread_mutex_lock(&lock);
    for (struct thread *thread = living; thread; thread = thread->next)
        if (created_by(thread, creator))
            each(&thread->covers, region);
    pthread_mutex_unlock(&lock);
}

void threads_each(void (*each)(struct thread *thread)) {
    pthread_mutex_lock(&lock);
    for (struct thread *thread = living; thread; thread = thread->next)
        each(thread);
    pthread_mutex_unlock(&lock);
}

/* The process may end within a signal handler, above whoever holds the lock. */
static bool lock_for_the_end(void) {
    for (unsigned i = 0; i < 1000; i++) {
        if (pthread_mutex_trylock(&lock) == 0)
            return true;
        usleep(100);
    }
    return false;
}

void threads_total(struct total totals[MOST_REGIONS], uint64_t now_ns) {
    bool locked = lock_for_the_end();
    memcpy(totals, ended, sizeof ended);
    for (struct thread *thread = living; thread; thread = thread->next) {
        visits_total(thread, totals, now_ns);
        events_total(thread, totals);
    }
    totals[WHOLE_PROGRAM].threads = existed;
    totals[WHOLE_PROGRAM].calls = 1;
    if (locked)
        pthread_mutex_unlock(&lock);
}

/* A thread that is just ending is no longer in the list, but still there. */
unsigned threads_unknown(void) {
    /* The first one stays to the end, as a zombie; the one that ends the process may be out of the list as well. */
    unsigned known = (unsigned)(!main_thread + !thread_here), more = 0;
    const bool locked = lock_for_the_end();
    for (const struct thread *thread = living; thread; thread = thread->next)
        known++;
    if (locked)
        pthread_mutex_unlock(&lock);
    for (unsigned tries = 0; tries < 5; tries++) {
        struct stat folder; /* of so many links: 2, and one for each thread */
        if (stat("/proc/self/task", &folder) != 0 || folder.st_nlink < 2 || folder.st_nlink - 2 <= known)
            return unknown;
        more = (unsigned)folder.st_nlink - 2 - known;
        usleep(1000);
    }
    return unknown + more;
}

void threads_before_fork(void) {
    pthread_mutex_lock(&lock);
}

/* Of the parent's threads the child has the one that forked. */
void threads_after_fork(bool in_child) {
    if (!in_child) {
        pthread_mutex_unlock(&lock);
        return;
    }
    pthread_mutex_init(&lock, NULL);
    memset(ended, 0, sizeof ended);
    existed = unknown = 0;
    living = spare = main_thread = NULL; /* the others' memory may be in any state */
    struct thread *thread = thread_here ? thread_here : new_thread(NULL);
    if (!thread)
        return;
    thread_here = thread;
    pthread_setspecific(at_end, thread);
    thread->next = thread->creator = NULL;
    thread->children = 0;
    existed = 1;
    living = main_thread = thread;
    visits_after_fork(thread);
    events_after_fork(thread);
    samples_after_fork(thread);
}
