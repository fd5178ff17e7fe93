/* SPDX-License-Identifier: BSD-3-Clause
 * The table of removed options and values. Rows stay forever: users of old scripts see the successor. Help, completion
 * and manual page omit them. */
#include "cli.h"

#define TEX_INSTEAD   "LaTeX includes PDF: carmine plot FILE -o x.pdf --style paper"
#define NAMES_INSTEAD "--labels A=OLD,B=NEW names machines by their letters"

const struct cli_gone cli_gone_options[] = {
    {NULL, "width", NULL, "0.2.0", "COLUMNS=N chooses the columns of text, --size 8.5cm the width of a picture"},
    {NULL, "color", NULL, "0.2.0", "NO_COLOR=1 turns colours off, CLICOLOR_FORCE=1 on, in a pipe, too"},
    {NULL, "font", NULL, "0.2.0", "--style font='NAME' chooses it, as in --style paper,font='Liberation Serif'"},
    {NULL, "notes", NULL, "0.2.0", "--style notes or no-notes, as in --style slide,no-notes"},
    {NULL, "output", "*.tex", "0.2.0", TEX_INSTEAD},
    {NULL, "plot", "*.tex", "0.2.0", TEX_INSTEAD},
    {"plot", "term", NULL, "0.2.0", "without -o it draws in the terminal"},
    {"plot", "join-sizes", NULL, "0.2.0", "--add joined joins equal sizes of all implementations, --add unjoined none"},
    {"plot", "ceilings", NULL, "0.2.0", "--add ceilings draws all of them"},
    {"plot", "node", NULL, "0.2.0", "--place node0 draws the part of the machine"},
    {"plot", "package", NULL, "0.2.0", "--place package0 draws the part of the machine"},
    {"app", "simulate", NULL, "0.2.0", "--levels simulates all caches"},
    {"workload", "simulate", NULL, "0.2.0", "--levels simulates all caches"},
    {"workload", "data", NULL, "0.2.0", "--state cold or warm, as in --state warm,code-cold,tlb-cold"},
    {"workload", "code", NULL, "0.2.0", "--state code-cold or code-warm, as in --state warm,code-cold"},
    {"workload", "tlb", NULL, "0.2.0", "--state tlb-cold empties it before each run; else it is as the data are"},
    {"workload", "write-back", NULL, "0.2.0", "--state write-back-counted or write-back-left-out"},
    {"app", "cache", NULL, "0.2.0", "--levels=L2=1M:16,L3=none simulates other caches"},
    {"workload", "cache", NULL, "0.2.0", "--levels=L2=1M:16,L3=none simulates other caches"},
    {"workload", "traffic-repeat", NULL, "0.2.0", "--levels=repeat=N simulates N times, each with other cache lines"},
    {"workload", "file", NULL, "0.2.0", "the file stands in place of names: carmine workload MY.c"},
    {"workload", "cc", NULL, "0.2.0", "--cflags 'clang -O2' names it, too, or CC=clang in the environment"},
    {"workload", "list", NULL, "0.2.0", "carmine workload without a name lists them"},
    {"workload", "llc", NULL, "0.2.0", "--levels=L3=SIZE simulates another last cache"},
    {"app", "counters", "callgrind", "0.2.0",
     "--counters count counts exactly, and --counters papi by the CPU's counters"},
    {"compare", "names", NULL, "0.2.0", NAMES_INSTEAD},
    {"why", "names", NULL, "0.2.0", NAMES_INSTEAD},
    {"doctor", "pmu", NULL, "0.2.0", "--counters=NAME"},
    {"sweep", "shape", NULL, "0.2.0", "--prefetch=4x8"},
    {"core", "differing", NULL, "0.2.0", "--all=differing"},
    {"fleet", "slurm", NULL, "0.2.0", "--by slurm"},
    {"fleet", "mpi", NULL, "0.2.0", "--by mpi, or --by mpi=PROGRAM"},
    {"fleet", "clush", NULL, "0.2.0", "--by clush --nodes NODES"},
    {"fleet", "at-once", NULL, "0.2.0",
     "the engine's own option behind -- limits the nodes at a time: clush --fanout=N, pdsh -f N, sbatch "
     "--licenses=NAME"},
    {"fleet", "roofs", NULL, "0.2.0", "--all=roofs"},
    {"fleet", "html", NULL, "0.2.0", "--plot FILE.html"},
    {"fleet", "no-index", NULL, "0.2.0", "nothing is stored in DIR without --index"},
    {0},
};
