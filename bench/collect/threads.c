/* SPDX-License-Identifier: BSD-3-Clause
 * The list of the process's threads and their creators. */
#include "threads.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

__thread struct thread *thread_here;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct thread *living, *spare; /* memory is never freed: it is read without the lock */
static struct thread *main_thread;
static unsigned existed, unknown;

void threads_lock(void) {
    pthread_mutex_lock(&lock);
}
void threads_unlock(void) {
    pthread_mutex_unlock(&lock);
}

bool threads_lock_other_for_the_end(pthread_mutex_t *other) {
    for (unsigned i = 0; i < 1000; i++) {
        if (pthread_mutex_trylock(other) == 0)
            return true;
        usleep(100);
    }
    return false;
}
bool threads_lock_for_the_end(void) {
    return threads_lock_other_for_the_end(&lock);
}

static void set_creator(struct thread *thread, struct thread *creator) {
    if (creator)
        atomic_fetch_add_explicit(&creator->children, 1, memory_order_relaxed);
    atomic_store_explicit(&thread->creator, creator, memory_order_relaxed);
}

struct thread *threads_living(void) {
    return living;
}
unsigned threads_existed(void) {
    return existed;
}

struct thread *threads_add(struct thread *creator) {
    struct thread *thread = spare;
    if (thread)
        spare = thread->next;
    else if ((thread = mmap(NULL, sizeof *thread, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) ==
             MAP_FAILED)
        return NULL;
    pthread_mutex_init(&thread->covers.lock, NULL);
    set_creator(thread, creator);
    thread->next = living;
    living = thread;
    if (existed++ == 0)
        main_thread = thread;
    return thread;
}

struct thread *threads_add_unknown(void) {
    struct thread *thread = threads_add(main_thread);
    unknown += thread != NULL;
    return thread;
}

bool threads_remove(struct thread *thread, bool lived) {
    const bool was_main = thread == main_thread;
    for (struct thread **at = &living; *at; at = &(*at)->next)
        if (*at == thread) {
            *at = thread->next;
            break;
        }
    struct thread *creator = thread_creator(thread);
    for (struct thread *child = living; child; child = child->next)
        if (thread_creator(child) == thread)
            set_creator(child, creator);
    if (creator) /* the last: whoever sees 0 has none left */
        atomic_fetch_sub_explicit(&creator->children, 1, memory_order_relaxed);
    atomic_store_explicit(&thread->children, 0, memory_order_relaxed);
    thread->next = spare;
    spare = thread;
    existed -= !lived;
    if (was_main)
        main_thread = NULL;
    return was_main;
}

static bool created_by(const struct thread *thread, const struct thread *creator) {
    for (const struct thread *at = thread_creator(thread); at; at = thread_creator(at))
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

/* An ending thread is no longer in the list, but still exists. */
unsigned threads_unknown(void) {
    /* The main thread exists to the end, as a zombie; the thread that ends the process may also be missing from the
     * list. */
    unsigned more = 0;
    const bool locked = threads_lock_for_the_end();
    const unsigned missed = unknown;
    unsigned known = (unsigned)(!main_thread + !thread_here);
    for (const struct thread *thread = living; thread; thread = thread->next)
        known++;
    if (locked)
        pthread_mutex_unlock(&lock);
    for (unsigned tries = 0; tries < 5; tries++) {
        struct stat folder; /* number of links: 2, and one for each thread */
        if (stat("/proc/self/task", &folder) != 0 || folder.st_nlink < 2 || folder.st_nlink - 2 <= known)
            return missed;
        more = (unsigned)folder.st_nlink - 2 - known;
        usleep(1000);
    }
    return missed + more;
}

/* The child has only the parent's forking thread. */
struct thread *threads_after_fork(void) {
    pthread_mutex_init(&lock, NULL);
    living = spare = main_thread = NULL; /* the others' memory may be in any state */
    existed = unknown = 0;
    struct thread *thread = thread_here ? thread_here : threads_add(NULL);
    if (!thread)
        return NULL;
    thread_here = thread;
    thread->next = NULL;
    set_creator(thread, NULL);
    atomic_store_explicit(&thread->children, 0, memory_order_relaxed);
    existed = 1;
    living = main_thread = thread;
    return thread;
}
