/* SPDX-License-Identifier: BSD-3-Clause
 * What libcarmine-valgrind.so writes into callgrind's files, and bench/callgrind/callgrind_slices.c reads: the texts
 * that stand behind "desc: Trigger:" of the parts into which it cuts them. */
#ifndef BENCH_CALLGRIND_MARKS_H
#define BENCH_CALLGRIND_MARKS_H

/* These end a part of each thread. */
#define MARK_START     "carmine start"     /* of the process's image: what came before the collector was loaded */
#define MARK_INHERITED "carmine inherited" /* of a forked process: its parent's counts, not its own */
#define MARK_EXEC      "carmine exec"      /* of the image, which ends here unless the exec fails */
#define MARK_CUT       "carmine cut"       /* what the program did up to here; the collector's own work follows */

/* These end a part of the thread that they are about: the collector's own work, but for MARK_THREAD. */
#define MARK_BEGIN "carmine begin " /* and the region's name: it begins here */
#define MARK_END   "carmine end "   /* and the region's name: it has ended at the cut */
#define MARK_OWN   "carmine own"
#define MARK_LOST  "carmine lost" /* the process's image before this one ended in a way that was not seen */
#define MARK_THREAD                                                                                                    \
    "carmine thread %u of %u" /* the thread's number in the process, and its creator's; all since its                  \
                               * start is its own */

/* In the collector's folder, with the process's number behind. That of an image before the process's last one is saved
 * with one more number behind (".0", …): valgrind would forget it. */
#define MARK_COUNTS_FILE "callgrind.out." /* callgrind's own */
#define MARK_MAPS_FILE   "maps."          /* a copy of /proc/PID/maps */
#define MARK_LOG_FILE    "valgrind.log."  /* valgrind's messages */

#endif
