#!/bin/sh
# Caches that are simulated while a program is counted. Their traffic agrees with theory, the other counts stay exact,
# and the program behaves as it does natively.
. "$(dirname "$0")/../count.sh"

# Prints each region's traffic that differs from the program's own output by more than this share: fetches over each
# link, and writes to memory.
wrong_traffic() { # share
    awk -v share="$1" -v left="${left:-0}" -v one_of="${levels%% *}" '
        function off(name, is, wanted, more) {
            is *= 64 * one_of
            more = 8192 * one_of + (name ~ /written$/ && wanted ? left : 0)
            if (is < wanted * (1 - share) - more || is > wanted * (1 + share) + more)
                print name ": " is ", not " wanted
        }
        FILENAME == "native.out" { for (i = 3; i < NF; i += 2) wanted[$2 " " $i] = $(i + 1); regions[++count] = $2 }
        /^region "/ { region = $2; link = ""; seen[region]++ }
        $1 == "traffic" && $3 == region && !told[region]++ { # the first line only; functions of the region follow
            for (i = 4; i <= NF; i++) {
                if ($i ~ /^L[1-3]$/) link = $i
                if ($i == "loads" || $i == "allocates") is[region " " link] += $(i + 1)
                if ($i == "write_backs" && link == "L3") is[region " written"] += $(i + 1)
                if ($i == "nontemporal") is[region " past"] += $(i + 1)
            }
        }
        END {
            for (r = 1; r <= count; r++) {
                if (seen[regions[r]] < 2) print regions[r] " is no region"
                split("L1 L2 L3 written past", names, " ")
                for (n in names) off(regions[r] " " names[n], is[regions[r] " " names[n]], wanted[regions[r] " " names[n]])
            }
            if (count == 0) print "no region at all"
        }' native.out profile
}
forms() { # name, share, program…
    case_name=$1 share=$2
    shift 2
    native "$@"
    counted "$@"
    if ! cmp -s native.out out || [ $readable != 0 ]; then
        echo "not ok $case_name: other output; $(cat profile.err)"
    elif [ -n "$(wrong_traffic "$share")" ]; then
        echo "not ok $case_name:"
        wrong_traffic "$share" | sed 's/^/    /'
    else
        echo "ok $case_name"
    fi
}
CACHES=L1=48K:12,L2=256K:8,L3=1M:16
levels="1 $CACHES free"
forms "as theory says: all lines" 0.02 "$apps/traffic_levels"
# The amount of modified data in each thread's caches at the begin and end of a region depends on which thread ran last.
# It varies by a third of an L1 and an L2, or 2.5 % of array a.
forms "as theory says: two threads" 0.05 "$apps/traffic_levels" 2
# One record covers all iterations of a loop, and signals interrupt most loops. Of a copy that is simulated in other parts,
# more or less modified data is still in the caches when its region ends: up to the half of them that the source has.
left=688128
forms "as theory says: interrupted" 0.05 "$apps/traffic_levels" 1 500
left=
# Streams: only the traffic between L3 and memory is known by hand.
native "$apps/traffic_streams"
counted "$apps/traffic_streams"
expect "streams, to 1 %" status 0 true '[ $readable = 0 ]' true '! wrong_traffic 0.01 | grep -v "\" \(L1\|L2\): "'
for one_of in 4 16 64; do
    levels="$one_of $CACHES free"
    forms "as theory says: one class of lines of $one_of" 0.1 "$apps/traffic_levels"
done
levels="64 $CACHES free"
forms "as theory says: two threads, one class of 64" 0.1 "$apps/traffic_levels" 2

# A region's pages include the pages of its code that were in use before it began.
cat >again.c <<'C'
#include "carmine.h"
#include <stdio.h>
enum { PAGES = 8, PAGE = 512 };
static volatile double pages[PAGES * PAGE] __attribute__((aligned(4096)));
__attribute__((noinline)) double sum_of_lines(void) {
    double sum = 0;
    for (int i = 0; i < 64; i++)
        sum += pages[i] + pages[i + PAGE] + pages[i + 2 * PAGE] + pages[i + 3 * PAGE] + pages[i + 4 * PAGE] + pages[i + 5 * PAGE] +
               pages[i + 6 * PAGE] + pages[i + 7 * PAGE];
    return sum;
}
int main(void) {
    double sum = sum_of_lines();
    carmine_region_begin("again");
    sum += sum_of_lines();
    carmine_region_end("again");
    printf("%g\n", sum);
    return 0;
}
C
if cc -O1 -I"$tests/../probe/marks" -o again again.c "$BUILD/libcarmine.a" 2>/dev/null; then
    for one_of in 1 64; do
        levels="$one_of $CACHES free"
        counted ./again
        again=$(awk '$1 == "footprint" && $3 == "\"again\"" { print $5, $7 }' profile)
        expect "pages of a region: one class of $one_of" true '[ "${again#* }" -ge 9 ] && [ "${again#* }" -le 14 ]' \
            true '[ $one_of != 1 ] || { [ "${again% *}" -ge 64 ] && [ "${again% *}" -le 90 ]; }'
    done
else
    skip "pages of a region" "there is no compiler"
fi

# Of each line, a loop of strides below a line uses every other 8 bytes.
cat >halves.c <<'C'
#include "carmine.h"
#include <stdio.h>
enum { PAIRS = 1 << 17 };
struct pair { double used, unused; } pairs[PAIRS];
int main(void) {
    double sum = 0;
    carmine_region_begin("halves");
    for (int i = 0; i < PAIRS; i++)
        sum += pairs[i].used;
    carmine_region_end("halves");
    printf("%g\n", sum);
    return 0;
}
C
if cc -O2 -I"$tests/../probe/marks" -o halves halves.c "$BUILD/libcarmine.a" 2>/dev/null; then
    for one_of in 1 16; do
        levels="$one_of L1=4K:4,L2=8K:4,L3=16K:4 free"
        counted ./halves
        expect "used bytes of lines: one class of $one_of" true 'awk '"'"'/^traffic/ && $3 == "\"halves\"" && !told++ {
            for (i = 4; i < NF; i++) if ($i ~ /^left/) is[$i] = $(i + 1) }
            END { exit !(is["left"] > 1000 && is["left_used"] > 31 * is["left"] && is["left_used"] < 34 * is["left"]) }'"'"' profile'
    done
else
    skip "used bytes of lines" "there is no compiler"
fi

# Successive accesses of a line are one access to it: the first decides between a load and a write-allocate, a store
# among them changes the line, and all their bytes are used.
cat >mixed.c <<'C'
#include "carmine.h"
enum { LINES = 1 << 12 };
static volatile struct line { long word[8]; } loaded[LINES] __attribute__((aligned(64))), stored[LINES] __attribute__((aligned(64)));
int main(void) {
    carmine_region_begin("mixed");
    for (int i = 0; i < LINES; i++) {
        loaded[i].word[1] = loaded[i].word[0];
        stored[i].word[5] = i;
        stored[i].word[2] += 1;
    }
    carmine_region_end("mixed");
}
C
if cc -O1 -I"$tests/../probe/marks" -o mixed mixed.c "$BUILD/libcarmine.a" 2>/dev/null; then
    for one_of in 1 4; do
        levels="$one_of L1=4K:4,L2=8K:4,L3=16K:4 free"
        counted ./mixed
        expect "several accesses of a line: one class of $one_of" true 'awk -v lines=$((4096 / one_of)) '"'"'
            function off(is, wanted) { return is < 0.95 * wanted || is > 1.05 * wanted }
            /^traffic/ && $3 == "\"mixed\"" && !told++ { for (i = 4; i < NF; i++) { if ($i ~ /^L[1-3]$/) link = $i; is[link " " $i] = $(i + 1) } }
            END { exit off(is["L1 loads"], lines) || off(is["L1 allocates"], lines) || off(is["L1 write_backs"], 2 * lines) ||
                       off(is["L3 left"], 2 * lines) || off(is["L3 left_used"], 32 * lines) }'"'"' profile'
    done
else
    skip "several accesses of a line" "there is no compiler"
fi

# Counts stay exact, and programs behave as they do natively.
exact "known kernels" "$apps/known"
exact "regions" "$apps/regions"
exact "threads: at once" "$apps/threads" once
exact "threads: one after the other" "$apps/threads" sequence 200
exact "threads: a chain" "$apps/threads" chain
for way in plain nested stack jump repair loop skip wait context redirect; do
    exact "signals: $way" "$apps/signals" $way
done
for way in protect overwrite itself twice trampoline cross share blocked scattered; do
    exact "code that the program writes: $way" "$apps/written" $way
done
for way in fork _exit exec vfork spawn system popen terminate; do
    exact "child processes: $way" "$apps/processes" $way
done
exact "restartable sequences" "$apps/restarted" 4
levels="1 $CACHES victims"
exact "all lines: known kernels" "$apps/known"
exact "all lines: threads" "$apps/threads" once

# The same loops and caches as in callgrind, which simulates two levels.
misses() { # D1 and LL misses of loads and stores together, from the function's profile
    awk '/^traffic of "accesses"/ && !told++ { for (i = 4; i <= NF; i++) { if ($i ~ /^L[12]$/) link = $i
        if ($i == "loads" || $i == "allocates") sum[link] += $(i + 1) } print "D1", sum["L1"]; print "LL", sum["L2"] }' profile
}
callgrinds() {
    awk '/^events:/ { for (i = 2; i <= NF; i++) name[i] = $i }
        /^totals:/ { for (i = 2; i <= NF; i++) sum[substr(name[i], 1, 3)] += $i; print "D1", sum["D1m"]; print "LL", sum["DLm"] }' callgrind.out
}
agree() {
    misses >simulated
    callgrinds >callgrind.misses
    paste -d ' ' simulated callgrind.misses | awk '{ off = $2 - $4; if (off < 0) off = -off; n++ } off > 0.005 * $4 && off > 100 { bad = 1 } END { exit bad || n != 2 }'
}
levels="1 L1=32K:8,L2=1M:16 free" trace=$BUILD/tests/helpers/caches_trace
for loop in triad dgemm transposition stencil random; do
    if ! command -v valgrind >/dev/null; then
        skip "as callgrind: $loop" "valgrind is not installed"
        continue
    fi
    valgrind --tool=callgrind --callgrind-out-file=callgrind.out --cache-sim=yes --toggle-collect=accesses \
        --D1=32768,8,64 --LL=1048576,16,64 "$trace" run $loop >valgrind.out 2>&1
    counted "$trace" run $loop
    expect "as callgrind: $loop" true agree
done

# The estimated intervals contain the exact values. Two runs differ by the addresses of their stacks.
ends() { # file
    json 'points.*.levels.link.*.low_bytes' <"$1" >low
    json 'points.*.levels.link.*.high_bytes' <"$1" >high
    paste -d ' ' low high
}
holds() {
    ends sampled.json >intervals
    ends all.json >exact
    paste -d ' ' intervals exact | awk '$3 != $4 || $3 < 0.99 * $1 - 65536 || $3 > 1.01 * $2 + 65536 { bad = 1; print > "outside" } END { exit bad || NR < 36 }'
}
run app --levels=exact --repeat 1 -o all.json -- "$apps/traffic_streams"
expect "app --levels=exact" status 0
run app --levels --repeat 1 -o sampled.json -- "$apps/traffic_streams"
expect "app --levels: its intervals hold what all lines come to" status 0 true holds

# The intervals allow for conflicts in a set that is not sampled, also late in a program.
holds_crowd() {
    ends crowd.json >intervals
    ends crowd_all.json >exact
    paste -d ' ' intervals exact | awk '$3 < $1 || $3 > $2 { bad = 1; print > "outside" } END { exit bad || NR != 4 }'
}
small=L1=32K:8,L2=256K:8,L3=1M:16
run app --levels=exact,$small --repeat 1 -o crowd_all.json -- "$apps/traffic_crowded"
run app --levels=$small --repeat 1 -o crowd.json -- "$apps/traffic_crowded"
expect "app --levels: its intervals hold what crowds" status 0 true holds_crowd

# Three threads; the first does three times the work of the others. The data fit none of the simulated caches.
is_near() { awk -v is="$1" -v wanted="$2" 'BEGIN { exit !(is > 0.97 * wanted && is < 1.05 * wanted) }'; }
part() { json "points.$1" <out; } # "0.flop"
run app --levels=exact,L1=32K:8,L2=256K:8,L3=512K:8 --by thread --repeat 1 --json -o threads.json -- "$apps/uneven"
expect "app --by thread: a point each" status 0 true '[ "$(json points <out)" = 3 ]' true '[ "$(json points.*.part <out | sort -u)" = thread ]' \
    true '[ "$(json points.*.threads <out | sort -u)" = 1 ]' true '[ "$(json points.*.name <out | xargs -d "\n")" = "uneven/thread 1 uneven/thread 2 uneven/thread 3" ]'
expect "its flop" true '[ "$(json points.*.flop <out | xargs)" = "3145728 1048576 1048576" ]' true '[ "$(json program.flop <out)" = 5242880 ]' \
    true '[ "$(json points.*.imbalance <out | xargs)" = "3.0 1.0 1.0" ]'
for link in 1 2 3; do
    expect "what passed over link $link" true 'is_near "$(part 0.links.$link.load_bytes)" 12582912' \
        true 'is_near "$(part 1.links.$link.load_bytes)" 4194304' true 'is_near "$(part 2.links.$link.load_bytes)" 4194304'
done
touched_by() { # thread: it touched its array, and some pages to start and to end
    is_near "$(part "$1.simulated.footprint_bytes")" 4194304 && part "$1.simulated.pages" | awk '{ exit !($1 >= 1024 && $1 < 1150) }'
}
expect "what was touched" true 'is_near "$(json program.simulated.footprint_bytes <out)" 12582912' true 'is_near "$(json program.simulated.pages <out)" 3072' \
    true 'touched_by 0' true 'touched_by 1' true 'touched_by 2'
expect "no time is made up" true '[ "$(json points.*.seconds <out | sort -u)" = null ]' true '[ "$(json program.seconds <out)" != null ]'
run show threads.json
expect "show tells of them" status 0
run app --levels=exact --by thread --repeat 1 -- "$apps/uneven"
expect "how uneven they are, in one screen" status 0 true 'grep -q "uneven/thread 1 does 3.00 times the flop of the median one" out' \
    true 'grep -q "^uneven/thread 2 *1.05 Mflop *1.00 " out'
run app --by thread --repeat 1 --json -- "$apps/uneven"
expect "without simulated caches" status 0 true '[ "$(json points.*.flop <out | xargs)" = "3145728 1048576 1048576" ]' true '[ "$(json points.*.links <out | sort -u)" = null ]'
run app --by thread --flop 5 --bytes 5 -- "$apps/uneven"
expect "app --by thread --flop" status 2 err "not to threads" err-lines 1

run app --levels=foo -- "$apps/known"
expect "app --levels=foo" status 2 err "--levels=exact" err-lines 1
refuses "what is gone: --cache" "--cache was removed after 0.2.0; --levels=L2=" app --cache L2=1M -- "$apps/known"
run app --levels=L9=1M -- "$apps/known"
expect "a level that no machine has" status 2 err "L9=1M" err-lines 1
run app --levels --counters papi -- "$apps/known"
expect "app --levels --counters papi" status 2 err "--counters count" err-lines 1
end_of_cases
