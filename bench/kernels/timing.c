/* SPDX-License-Identifier: BSD-3-Clause
 * The timing loop, and the handler for kernels that die. */
#include "timing.h"
#include "number_thresholds.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "probe/arch.h"
#include "probe/need.h"
#include "probe/now.h"
#include "probe/stop.h"

static const struct {
    int number;
    const char *name;
} FAULTS[] = {{SIGILL, "SIGILL"}, {SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"}, {SIGFPE, "SIGFPE"}};
enum { FAULT_COUNT = sizeof FAULTS / sizeof FAULTS[0] };

/* Handlers belong to the whole process: no two calls of timing_run() at once. */
static struct sigaction replaced[FAULT_COUNT];

/* Set while this thread is inside of a guard. */
static _Thread_local _Atomic(sigjmp_buf *) way_out;
static _Thread_local atomic_int fault_died_of;
_Static_assert(ATOMIC_POINTER_LOCK_FREE == 2, "a signal handler waits for no lock");

static void fault_watch_end(void) {
    for (size_t i = 0; i < FAULT_COUNT; i++)
        sigaction(FAULTS[i].number, &replaced[i], NULL);
}

/* The operating system starts a handler with clean vector, x87 and flag registers; the code after the guard has them
 * too. A fault outside of a guard happens again under the replaced handler: the instruction is executed again. */
static void on_fault(int number, siginfo_t *info, void *context) {
    sigjmp_buf *out = atomic_load_explicit(&way_out, memory_order_relaxed);
    (void)context;
    if (out && info->si_code > 0) { /* sent by a process: not positive */
        atomic_store_explicit(&fault_died_of, number, memory_order_relaxed);
        siglongjmp(*out, 1);
    }
    fault_watch_end();
    if (info->si_code <= 0)
        raise(number);
}

static void fault_watch_begin(void) {
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < FAULT_COUNT; i++)
        sigaction(FAULTS[i].number, &action, &replaced[i]);
}

/* Calls work(context) on this thread. Returns 0, or the number of the signal that ended it half-way: so `work` may not
 * hold a lock, or wait at a barrier. Makes no system call: the signal mask need not be saved, because the handler does
 * not change it (SA_NODEFER). */
static int fault_guard(void (*work)(void *context), void *context) {
    sigjmp_buf here;
    atomic_store_explicit(&fault_died_of, 0, memory_order_relaxed);
    if (sigsetjmp(here, 0) == 0) {
        atomic_store_explicit(&way_out, &here, memory_order_relaxed);
        work(context);
    }
    atomic_store_explicit(&way_out, NULL, memory_order_relaxed);
    return atomic_load_explicit(&fault_died_of, memory_order_relaxed);
}

const char *fault_name(int signal_number) {
    for (size_t i = 0; i < FAULT_COUNT; i++)
        if (FAULTS[i].number == signal_number)
            return FAULTS[i].name;
    return "";
}

/* A core that starts heavy vector code stops for about 2 µs while its clock changes, and has the new clock only after
 * that. So the same kernel runs untimed until the agreed start. */
static const double SETTLE_S = 12e-6, LEAD_S = 3e-6;
static const uint64_t STOP_HERE = 1;

/* The state of one thread, on its own cache lines. */
struct timed_lane {
    struct timed_round *round;
    struct kernel_call call, settle;
    uint64_t start_tick, end_tick;
    struct clock_reading clock;
    bool harmful_operands;
    long switches;    /* involuntary switches of this thread so far */
    bool interrupted; /* during the last repetition */
    double taken_s;   /* time in which this thread did not run */
} __attribute__((aligned(TEAM_APART_BYTES)));

struct timed_round {
    const struct timing_request *request;
    struct timing *out;
    struct timed_lane *lanes;
    uint64_t began_tick;
    uint64_t agreed_tick; /* start of the next repetition, or STOP_HERE. A barrier is between its change and each use */
    atomic_int died_of;   /* signal that ended a thread's kernel; 0: none. Read after a barrier, too */
};

static void agree_on_start(struct timed_round *round, unsigned thread, unsigned repetition) {
    const struct timing_request *request = round->request;
    if (thread == 0) {
        const bool stopped = repetition > 0 && stop_requested(request->stop);
        const bool late =
            request->limit_s > 0 && repetition >= TIMING_LEAST &&
            clock_seconds(request->clock, round->began_tick, clock_tick(request->clock)) > request->limit_s;
        round->out->stopped = stopped;
        uint64_t lead = (uint64_t)((request->settle_blocks > 0 ? SETTLE_S : LEAD_S) * request->clock->tick_hz);
        round->agreed_tick = stopped || late ? STOP_HERE : clock_tick(request->clock) + lead;
    }
    team_barrier();
}

/* One repetition of one thread, from the agreed start: contains everything that may fault. */
static void run_kernel(void *context) {
    struct timed_lane *lane = context;
    const struct timing_request *request = lane->round->request;
    const bool settles = lane->settle.blocks > 0;
    while (clock_tick(request->clock) < lane->round->agreed_tick)
        if (settles)
            request->kernel->entry(&lane->settle);
    lane->start_tick = clock_tick(request->clock);
    void *stopped_at = request->kernel->entry(&lane->call);
    lane->end_tick = clock_tick(request->clock);
    lane->clock = clock_read(request->clock);
    if (request->kernel->kind == KERNEL_CHASE)
        lane->call.buffer = stopped_at;
}

static long involuntary_switches(void) {
    struct rusage usage;
    return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nivcsw : 0;
}

static double thread_cpu_s(void) {
    struct timespec now;
    return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0 ? (double)now.tv_sec + 1e-9 * (double)now.tv_nsec : 0;
}

/* Reloads the kernel's data after other programs have evicted them; a pointer chase continues where it stopped. A
 * kernel that dies here dies again when it is timed. */
static void warm_up(void *context) {
    struct timed_lane *lane = context;
    const struct kernel *kernel = lane->round->request->kernel;
    void *stopped_at = kernel->entry(&lane->call);
    if (kernel->kind == KERNEL_CHASE)
        lane->call.buffer = stopped_at;
}

/* The lanes' ticks and clocks → repetitions. */
static void note(struct timed_round *round, unsigned repetition) {
    const struct clock *clock = round->request->clock;
    const unsigned lanes = round->out->lanes;
    uint64_t first = UINT64_MAX, last = 0;
    for (unsigned t = 0; t < lanes; t++) {
        const struct timed_lane *lane = &round->lanes[t];
        first = lane->start_tick < first ? lane->start_tick : first;
        last = lane->end_tick > last ? lane->end_tick : last;
    }
    for (unsigned t = 0; t < lanes; t++) {
        const struct timed_lane *lane = &round->lanes[t];
        round->out->repetitions[repetition * lanes + t] = (struct repetition){
            .seconds = clock_seconds(clock, lane->start_tick, lane->end_tick),
            .team_s = clock_seconds(clock, first, last),
            .clock_hz = lane->clock.hz,
            .clock_spread = lane->clock.spread,
            .noops_per_cycle = lane->clock.noops_per_cycle,
            .interrupted = lane->interrupted,
        };
    }
    round->out->count = repetition + 1;
}

bool timing_is_late(double late_s) {
    return late_s > number_thresholds.late_s.value;
}

/* One repetition of one thread. A control group's quota, a lower priority or other programs may take the core away at
 * any time. */
static int repeat_once(struct timed_lane *lane) {
    const struct clock *clock = lane->round->request->clock;
    const int died_of = fault_guard(run_kernel, lane);
    const long switches = involuntary_switches();
    const uint64_t agreed_tick = lane->round->agreed_tick;
    lane->interrupted =
        switches != lane->switches || timing_is_late(clock_seconds(clock, agreed_tick, lane->start_tick));
    lane->switches = switches;
    return died_of;
}

/* Reads at full bandwidth: independent loads of consecutive lines. */
static void read_again(const unsigned char *set, uint64_t bytes) {
    for (uint64_t at = 0; at < bytes; at += KERNEL_LINE_BYTES)
        (void)*(const volatile uint64_t *)(const void *)(set + at);
}

static void repeat(unsigned thread, void *context) {
    struct timed_round *round = context;
    const struct timing_request *request = round->request;
    struct timed_lane *lane = &round->lanes[thread];
    unsigned char *base = lane->call.buffer;
    const uint64_t segment_bytes = lane->call.blocks * request->kernel->block_bytes;
    const double began_s = now_s(), began_cpu_s = thread_cpu_s();
    lane->switches = involuntary_switches();
    arch_exceptions_clear();
    for (unsigned i = 0; i < request->repetitions; i++) {
        if (request->segments > 1)
            lane->call.buffer = base + ((request->first_segment + i) % request->segments) * segment_bytes;
        lane->call.seed += 0x9e3779b97f4a7c15u; /* another random sequence, with other lines than the last */
        if (request->set_bytes > 0)
            read_again(request->sets[thread], request->set_bytes);
        else if (lane->interrupted && request->cached)
            fault_guard(warm_up, lane);
        if (lane->interrupted)
            lane->switches = involuntary_switches();
        agree_on_start(round, thread, i);
        if (round->agreed_tick == STOP_HERE)
            break;
        const int died_of = repeat_once(lane);
        if (died_of && atomic_exchange_explicit(&round->died_of, died_of, memory_order_relaxed) == 0)
            round->out->died_on_cpu = request->team->pus[thread];
        team_barrier();
        if (atomic_load_explicit(&round->died_of,
                                 memory_order_relaxed)) /* all threads see it, and none waits for another */
            break;
        if (thread == 0)
            note(round, i);
    }
    lane->harmful_operands = arch_exceptions_harmful();
    lane->taken_s = fmax(0, now_s() - began_s - (thread_cpu_s() - began_cpu_s));
}

bool timing_run(const struct timing_request *request, struct timing *out, struct error *err) {
    unsigned threads = request->team->count;
    *out = (struct timing){
        .lanes = threads,
        .repetitions = need_calloc((size_t)request->repetitions * threads + 1, sizeof *out->repetitions),
    };
    struct timed_round round = {.request = request,
                                .began_tick = clock_tick(request->clock),
                                .out = out,
                                .lanes = need_made(aligned_alloc(TEAM_APART_BYTES, threads * sizeof *round.lanes))};
    for (unsigned t = 0; t < threads; t++) {
        struct timed_lane *lane = &round.lanes[t];
        *lane = (struct timed_lane){.round = &round, .call = request->call, .settle = request->call};
        lane->call.buffer = lane->settle.buffer = request->buffers[t];
        lane->call.seed += t * 0xd1342543de82ef95u;
        lane->settle.passes = 1;
        lane->settle.blocks = request->settle_blocks;
    }
    fault_watch_begin();
    bool done = team_run(request->team, repeat, &round, err);
    fault_watch_end();
    out->died_of = atomic_load_explicit(&round.died_of, memory_order_relaxed);
    for (unsigned t = 0; t < threads && done; t++) {
        out->harmful_operands |= round.lanes[t].harmful_operands;
        out->taken_s = fmax(out->taken_s, round.lanes[t].taken_s);
        if (request->kernel->kind == KERNEL_CHASE)
            request->buffers[t] = round.lanes[t].call.buffer;
    }
    free(round.lanes);
    return done;
}

void timing_free(struct timing *timing) {
    free(timing->repetitions);
    *timing = (struct timing){0};
}
