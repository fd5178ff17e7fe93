#!/bin/sh
# carmine workload against theory: validated counts, and traffic in simulated caches.
. "$(dirname "$0")/../workload.sh"

# Validation.
run workload --validate daxpy,read
expect "validation" status 0 out "daxpy, 6 sizes, 100000 to 600000" out "1.000" not "no roofs"
run workload --validate dgemm-triple --sizes 60,120
expect "of three dimensions" status 0 out "dgemm-triple, 2 sizes, 60 to 120  1.000  1.000  1.000  1.000"
run workload --validate daxpy --sizes 20 --json
expect "validation of what is too small: not as theory says" status 1 true '[ "$(json workloads.0.as_theory_says <out)" = no ]' true '[ "$(json workloads.0.flop.median <out)" = 1.0 ]'
run workload
expect "the list" status 0 out "daxpy" out "dgemm-triple" out "elements of each vector" true '[ "$(wc -l <out)" -ge 20 ]'

# The simulated caches are stored with the points, and theory is drawn for them.
workload dgemm-triple --sizes 40,70 --state tlb-cold --levels=L1=4K:4,L2=8K:4,L3=16K:4 -o product.json
expect "a product for a picture" status 0 true 'field=$(json "points.0.cache_bytes" <product.json); [ "${field%.*}" = 16384 ] || [ "${field%.*}" = 24576 ]' \
    true '[ "$(json points.0.levels.tlb_entries.0 <product.json | cut -d. -f1)" -gt 0 ]'
COLUMNS=100 run plot product.json --chart intensity --of dram
expect "theory beside it" status 0 out "by theory (Steinmann)" out "KiB of caches"
run plot product.json --chart tlb --of first -o tlb.svg
expect "misses of the first TLB" status 0 true "grep -q 'a TLB of ' tlb.svg"

# Traffic while it is counted: of a sample of cache lines (200000 elements), or of all lines if there are few. Writes
# are the modified lines that the fill before the run left in the caches, also in a sample.
near() { awk -v found="$1" -v known="$2" 'BEGIN { exit !(found > 0.97 * known && found < 1.03 * known) }'; }
workload daxpy --sizes 20K,200K --levels --json
expect "traffic of a stream, counted" status 0 true '[ "$(json points.0.sources.dram_bytes <out)" = simulated ]' true 'near "$(point dram_read_bytes out)" 320000' \
    true 'near "$(json points.1.dram_read_bytes <out)" 3200000' true 'near "$(json points.1.dram_write_bytes <out)" 1600000'
workload daxpy --sizes 200K --levels=repeat=4 -o repeated.json
field() { json "points.*.dram_$1" <repeated.json; }
expect "repeated, of other lines each time: quartiles around what theory says" status 0 true '[ "$(field read_bytes.0)" = 4 ]' true 'near "$(field read_bytes.3)" 3200000' true 'near "$(field read_bytes.5)" 3200000' \
    true '[ "$(field write_bytes.2)" != "$(field write_bytes.6)" ]'
# A product of 200 rows does 16 Mflop. The one of 100 rows before it does an eighth of that.
# The program times itself, so on a busy host its runs may differ: then its flop are not known.
for _ in 1 2 3 4 5; do
    run app --by program --repeat 1 --levels --json -- "$BUILD/carmine-workload" dgemm-triple size=200 repeat=1 runs=1 counted=1 simulated=1 cold-by=flush last-level=33554432
    [ "$(json points.0.flop <out)" = null ] || break
done
expect "a small run warms the code of one in simulated caches" status 0 true '[ "$(json points.0.flop <out)" -gt 18000000 ]' true '[ "$(json points.0.flop <out)" -lt 25000000 ]'
workload daxpy --sizes 20K --state warm --levels --json
expect "warm data comes from no cache but the innermost" status 0 true '[ "$(point dram_bytes out)" = 0 ]'
# 40,000 elements fill 78 pages and 5,000 cache lines. The pages that empty the TLB use one set in 64 of these lines.
last_misses() { json points.0.levels.tlb_misses.1 <"$1"; }
workload daxpy --sizes 20K --state warm --levels=exact -o warm-tlb.json
workload daxpy --sizes 20K --state warm,tlb-cold --levels=exact -o cold-tlb.json
expect "a cold TLB walks for each page, and data stays in the caches" status 0 true '[ "$(last_misses warm-tlb.json | cut -d. -f1)" = 0 ]' \
    true 'awk -v m="$(last_misses cold-tlb.json)" "BEGIN { exit !(m >= 78 && m < 100) }"' \
    true 'awk -v b="$(json points.0.dram_read_bytes.4 <cold-tlb.json)" "BEGIN { exit !(b < 320000 / 32) }"'
workload daxpy --sizes 200K --state warm,tlb-cold --levels -o sampled-tlb.json
expect "where lines are sampled, too" status 0 true 'awk -v m="$(last_misses sampled-tlb.json)" "BEGIN { exit !(m >= 781 && m < 820) }"'
# daxpy of 20,000 by hand: x and y are 2500 cache lines each; 40,000 flop over 320,000 bytes is 1/8, over 480,000 1/12.
for how in even counted left-out; do
    case $how in left-out) written=0 ;; *) written=160000 ;; esac
    state=cold,write-back-$how
    workload daxpy --sizes 20K --levels=exact --state ${state%,write-back-even} --json
    expect "write-back $how" status 0 true 'near "$(point dram_read_bytes out)" 320000' \
        true 'awk -v w="$(point dram_write_bytes out)" -v k=$written "BEGIN { exit !(w > 0.97 * k - 1 && w < 1.03 * k + 500) }"'
done
workload daxpy --sizes 20K --levels=exact --state write-back-counted,warm --threads 1 --json
expect "warm data is read from nowhere, and written once" status 0 true '[ "$(point name out)" = "daxpy write-back counted warm 20000" ]' \
    true '[ "$(point dram_read_bytes out)" = 0 ]' true 'near "$(point dram_write_bytes out)" 160000'
if [ "$(nproc)" -gt 1 ]; then
    workload stream-copy --sizes 40K --levels=exact --state write-back-counted --threads 2 --json
    expect "by each of two threads" status 0 true 'near "$(point dram_write_bytes out)" 320000'
    for _ in 1 2 3; do
        workload stream-copy --sizes 40K --levels=exact --threads 2 --json
        expect "what two threads read is cold, whoever is simulated first" status 0 true 'near "$(point dram_read_bytes out)" 640000'
    done
else
    skip "written back by two threads" "there is one CPU"
fi
# Caches whose last level is L2, as of Core 2: of 4,096,000 bytes the last 2 MiB stay in it.
workload write --sizes 512K --levels=exact,L1=32K:8,L2=2M:8,L3=none --state write-back-left-out --json
expect "a last level L2" status 0 true 'near "$(point dram_write_bytes out)" 1998848'
# Eight ways: nine lines of one set evict one another, eight do not; a set is 256 KiB from itself.
cat >set.c <<'C'
#include <carmine_workload.h>
enum { WAY = 4096 * 8 }; /* doubles */
void buffers(uint64_t n, struct carmine_buffer *out) {
    out[0] = (struct carmine_buffer){"lines", n * WAY * sizeof(double), CARMINE_UPDATED};
}
void run(const struct carmine_part *part, void *const *data) {
    volatile double *line = data[0];
    for (uint64_t i = part->first; i < part->end; i++)
        line[i * WAY] += 1;
}
C
core_duo=L1=32K:8,L2=2M:8,L3=none
if cc -c -o set.o -x c /dev/null 2>/dev/null; then
    # What else the program touches takes a way of that set in one run of seven, as its addresses fall.
    read_by() { # LINES CACHE: the least bytes that up to eight runs read
        local least=999999 bytes
        for _ in 1 2 3 4 5 6 7 8; do
            workload set.c --sizes "$1" --state warm --levels="exact,$2,L3=none" --json
            bytes=$(point dram_read_bytes out)
            [ "${bytes:-999999}" -lt "$least" ] && least=$bytes
            [ "$least" = 0 ] && break
        done
        echo "$least"
    }
    expect "eight lines of a set of eight ways" true '[ "$(read_by 8 L1=32K:8,L2=2M:8)" = 0 ]'
    expect "nine evict one another" true '[ "$(read_by 9 L1=32K:8,L2=2M:8)" -ge 64 ]'
    expect "but not in nine ways" true '[ "$(read_by 9 L1=32K:8,L2=2304K:9)" = 0 ]'
else
    skip "nine lines of a set of eight ways" "there is no compiler"
fi
# Two vectors side by side take no set twice too often: warm daxpy moves nothing at an eighth of the cache, nor at a half.
workload daxpy --sizes 16K,65536 --state warm --levels=exact,$core_duo --json
expect "vectors in eight ways" true '[ "$(point dram_bytes out)" = "0 0" ]'
# A column of 64 rows of 512 bytes has 4 of 32 sets, and no room for its 64 lines: n³ lines, 1/32 flop per byte. Of 60 rows it has all sets: n³ numbers, 1/4.
workload dgemm-triple --sizes 60,64 --levels=exact,L1=4K:4,L2=16K:8,L3=none --json
expect "rows of a power of two bytes" true 'json "points.*.flop_per_dram_byte" <out | awk "{ i[NR] = \$1 } END { exit !(i[1] > 0.2 && i[1] < 0.3 && i[2] > 0.028 && i[2] < 0.036) }"'
refuses "a level outside of the last" "L3 is outside of L2=none" workload write --levels=L2=none,L3=3M
refuses "no level at all" "'L1=none' is not a cache" workload write --levels=L1=none
refuses "another way to write back" "known: cold, warm, code-cold, code-warm, tlb-cold, write-back-counted, write-back-left-out" workload daxpy --levels --state write-back-foo
# A library's own buffers, in the heap and on the stack, have the same addresses as in the run before.
if "$BUILD/carmine-workload" fft-fftw size=8 repeat=1 data=warm >/dev/null 2>&1; then
    workload fft-fftw --sizes 512,4096 --state warm --levels --json
    expect "warm buffers of a library" status 0 true '[ "$(point dram_bytes out)" = "0 0" ]'
else
    skip "warm buffers of a library" "FFTW is not installed"
fi

# The caches of a library's threads cannot be filled with other data: the counted run uses data that they never touched.
if [ "$(nproc)" -lt 2 ]; then
    skip "threads of a library" "there is one CPU"
elif "$BUILD/carmine-workload" daxpy-openblas size=8 repeat=1 data=warm >/dev/null 2>&1; then
    workload daxpy-openblas --sizes 20K --threads 2 --levels --json
    expect "cold data of a library's threads" status 0 true 'near "$(point dram_read_bytes out)" 320000'
else
    skip "threads of a library" "OpenBLAS is not installed"
fi
workload dgemm-triple --sizes 70 --levels=L1=4K:4,L2=8K:4,L3=16K:4 --json
expect "a triple loop falls to 1/4, counted" status 0 true 'awk -v i="$(point flop_per_dram_byte out)" "BEGIN { exit !(i > 0.22 && i < 0.3) }"' \
    true 'json points.0.doubts.* <out | grep -q "another cache simulated"'
for gone in "traffic-repeat 4" "cache L3=1M"; do
    # shellcheck disable=SC2086
    refuses "what is gone: --$gone" "--${gone% *} was removed after 0.2.0; --levels=" workload daxpy --$gone
done
for value in 0 1001 x ""; do
    refuses "--levels=repeat=$value" "repeat= takes a number from 1 to 1000, not '$value'" workload daxpy --levels=repeat=$value
done
refuses "one of nothing" "another cache; not ''" workload daxpy --levels=exact,
left_nothing "after simulations"
end_of_cases
