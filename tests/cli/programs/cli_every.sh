#!/bin/sh
# carmine app --every: the phases of programs that print when theirs begin and end; sums, order, what is stored, shown
# and drawn, and errors.
. "$(dirname "$0")/../cli.sh"
export TMPDIR="$work/tmp" OMP_NUM_THREADS=1
unset LD_PRELOAD
ulimit -c 0
mkdir tmp
phases=$BUILD/apps/phases

# The printed phases, then the found ones and the intervals. In ms: busy hosts interrupt a program for some of them.
course() {
    grep '^phase ' err >printed
    paste -d ' ' - - - - <<X >found
$(json points.*.from_s points.*.to_s points.*.flop points.*.core_bytes <out | awk '{ n++; v[n] = $1 } END { for (i = 1; i <= n / 4; i++) for (k = 0; k < 4; k++) print v[i + k * n / 4] }')
X
    json course.intervals.*.cpu_s course.intervals.*.flop course.intervals.*.load_bytes <out |
        awk '{ n++; v[n] = $1 == "null" ? 0 : $1 } END { for (i = 1; i <= n / 3; i++) print v[i], v[i + n / 3], v[i + 2 * n / 3] }' >intervals
}
# Each printed border is a found one.
borders_fit() {
    awk 'FILENAME == "found" { at[FNR] = 1000 * $2; all = 1000 * $2; n = FNR }
        FILENAME == "printed" && FNR > 1 { near = 1e9
            for (i = 1; i < n; i++) { d = at[i] - $3; d = d < 0 ? -d : d; near = d < near ? d : near }
            if (near > 60 + 0.1 * all) exit 1 }' found printed
}
# What the program does in the middle of each printed phase, at intervals of 50 ms: in one of those that are no farther
# away than the borders' error by the run itself.
middles_fit() {
    awk -v error="$(json course.border_s <out)" 'FILENAME == "intervals" { cpu[FNR] = $1; flop[FNR] = $2; bytes[FNR] = $3 }
        FILENAME == "printed" { middle = 1 + int(($3 + $4) / 100); far = int(error / 0.05 + 1); fits = 0
            for (i = middle - far; i <= middle + far; i++)
                fits += !($2 ~ /[wl]/ ? cpu[i] > 0.02 : $2 == "s" ? flop[i] > bytes[i] || bytes[i] < 1e6 : flop[i] < 5 * bytes[i])
            if (!fits) exit 1 }' intervals printed
}
# From 0 to the end without gaps, none shorter than a bin; all flop and bytes are in one of them. Few are in the last interval, where work
# without a time would be.
sums_fit() {
    awk -v flop="$(json program.flop <out)" -v bytes="$(json program.core_bytes <out)" -v all="$(json course.seconds <out)" '
        FILENAME == "found" { if ($1 != to || $2 - $1 < 0.0099) exit 1; to = $2; f += $3; b += $4 }
        FILENAME == "intervals" { g += $2; last = $2 }
        END { if (last > 0.3 * flop || to != all || f != flop || b != bytes || g < 0.9999 * flop || g > 1.0001 * flop) exit 1 }' found intervals
}

for letters in csw wtsc; do
    run app --repeat 1 --every 50ms --json -- "$phases" $letters
    course
    expect "phases of $letters: sums and order" status 0 true sums_fit true '[ "$(json course.phases <out)" -ge 3 ]'
    expect "phases of $letters: borders" true borders_fit true middles_fit
done
expect "threads of phases" true '[ "$(json points.*.threads <out | sort -n | tail -n 1)" = 2 ]' true '[ "$(json points.*.threads <out | sort -n | head -n 1)" = 1 ]'
expect "their code" true 'json points.*.function <out | grep -q ^compute' true 'json points.*.function <out | grep -q ^stream'

# The program computes nothing in both, and the causes of its waits part them, on a system that shows any: it sleeps
# without a lock in one, and one thread waits for another that sleeps in the other. A host that stops the program amid
# one makes two phases of it.
causes_part() {
    json points.*.waits.thread_seconds.locks points.*.waits.thread_seconds.sleep <out | paste -s -d ' ' >causes
    cat causes >>err
    awk '{ for (i = 1; i <= NF / 2; i++) { locks += $i; sleep += $i < 0.02 ? $(i + NF / 2) : 0 } exit !(locks > 0.3 && sleep > 0.3) }' causes
}
run app --repeat 1 --every 50ms --json -- "$phases" cwl
course
if json "points.*.waits.thread_seconds.sleep" <out | grep -q "[1-9]"; then
    expect "sleep and a lock are two phases" status 0 true causes_part true borders_fit true middles_fit
else
    skip "sleep and a lock are two phases" "this system shows no waits"
fi

# What touches pages, in one phase or in several on a busy host, has nearly all faults and the kernel's time; the phase
# that computes does not. In guests a part of a fault is the hypervisor's, and counts as the program's own time: 45 %
# were the kernel's on one. User and system time are told apart by ticks: of 0.2 s that a busy host cuts into many pieces, two are 10 %.
run app -o kernel.json --repeat 1 --every 20ms -- "$phases" cf
json points.*.kernel_seconds.2 points.*.cpu_seconds.2 points.*.page_faults.2 <kernel.json | paste -s -d ' ' >kernel
cat kernel >>err
expect "a phase in the kernel" status 0 true 'awk "{ for (i = 1; i <= NF / 3; i++) { cpu = \$(i + NF / 3); share = cpu > 0.1 ? \$i / cpu : 0.5
    faults += share > 0.3 ? \$(i + 2 * NF / 3) : 0; computes += cpu > 0.05 && share < 0.25 } exit faults < 150000 || !computes }" kernel'

# The answer, and what is stored.
measure_sample
run app -o sample.json --repeat 3 --every 100ms -- "$phases" csw
expect "one screen" status 0 true 'grep -Eq "^ +from +to +share +flop/s +bytes/s" out' out "phases/phase 1" true 'grep -Eq "(sleep|waiting)$" out' out "borders are" true '[ "$(grep -v "^phase " out | wc -l)" -le 24 ]' true '[ "$(grep -v "^phase " out | LC_ALL=C.UTF-8 wc -L)" -le 80 ]'
count=$(json points <sample.json)
expect "only one phase slept" true 'json points.*.waits.ns.sleep <sample.json | awk "\$1 + 0 > 2e8 { n++ } END { exit n != 1 }"'
expect "the file" true '[ "$(json courses <sample.json)" = 1 ]' true 'json courses.0.every_s <sample.json | grep -q "^0.1"' true '[ "$(json courses.0.phases.0.point <sample.json)" = phases/phase\ 1 ]' true '[ "$(json points.0.part <sample.json)" = phase ]'
run app -o sample.json --repeat 1 --every 100ms -- "$phases" w
expect "new phases replace all earlier ones" status 0 true '[ "$(json courses <sample.json)" = 1 ]' true '[ "$(json points <sample.json)" -lt '"$count"' ]' true '[ "$(json points <sample.json)" = "$(json courses.0.phases <sample.json)" ]'
run app -o sample.json --repeat 1 --by phase -- "$phases" cw
run plot sample.json --chart phases -o strip.svg
expect "the strip" status 0 true 'grep -q "phases over time" strip.svg' true 'grep -q "phase 1" strip.svg' true 'grep -q "threads with a CPU" strip.svg' true 'grep -q waiting strip.svg' \
    true '! grep -q "bound by sleep" strip.svg'
run plot sample.json --chart phases
expect "in the terminal" status 0 out "Gflop/s" out "GB/s" out "threads with a CPU"
run plot sample.json -o page.html
expect "in the page" status 0 true 'grep -q "Programs over time" page.html'
run app --repeat 1 --every 100ms -- sh -c "'$phases' c; '$phases' w"
expect "of several processes" status 0 out "sh/phase 1" true 'grep -Eq "(sleep|waiting)$" out'

cat >own.c <<'C'
#include <signal.h>
static void ignore(int number) { (void)number; }
int main(void) { signal(SIGPROF, ignore); return 0; }
C
# Its report takes several samples: the kernel lists 60,000 pieces of memory.
cat >mapped.c <<'C'
#include <sys/mman.h>
int main(void) {
    char *all = mmap(0, 60000 * 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < 60000; i += 2)
        mprotect(all + 4096 * i, 4096, PROT_NONE);
    return 0;
}
C
if cc -o own own.c 2>/dev/null && cc -o mapped mapped.c; then
    run app --repeat 1 --every 100ms -- ./own
    expect "a program with SIGPROF of its own" status 2 err "needs samples of the program" err "SIGPROF"
    run app --repeat 1 --every 100ms --json -- ./mapped
    expect "samples while the report is written do not count" status 0 true 'awk "BEGIN { exit !($(json course.seconds <out) < 1.5 * $(json program.seconds <out)) }"'
else
    skip "programs with SIGPROF of their own, and with much memory" "there is no compiler"
fi
refuses "a short interval" "--every 5ms: the least is 10ms" app --every 5ms -- true
refuses "no time" "--every takes a time" app --every fast -- true
refuses "other parts" "leave out --by function" app --every 1s --by function -- true
refuses "no counts" "leave out --counters papi" app --every 1s --counters papi -- true
OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 refuses "a rank" "start carmine outside" app --every 1s -- true
refuses "a strip without data" "carmine app --every" plot "$tests/../results/emerald-rapids-2-cores-vm.json" --chart phases -o none.svg
end_of_cases
