#!/bin/sh
# Loops and source lines: exact trip counts of known loops, complete sums over loops and lines, inlined functions, code
# without debug information, and their points in `carmine app`.
. "$(dirname "$0")/../count.sh"

cat >naive.c <<'C'
#include <stdio.h>
#include <stdlib.h>
static inline __attribute__((always_inline)) double product(double a, double b) {
    return a * b;
}
__attribute__((noinline)) void dgemm(int n, const double *a, const double *b, double *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i * n + j] += product(a[i * n + k], b[k * n + j]);
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 20;
    double *a = calloc(n * n, 8), *b = calloc(n * n, 8), *c = calloc(n * n, 8);
    dgemm(n, a, b, c);
    printf("%g\n", c[n]);
    return 0;
}
C
flags="-O1 -fno-unroll-loops -fno-tree-vectorize"
# shellcheck disable=SC2086
if ! cc -g $flags -o naive naive.c 2>/dev/null || ! cc -g0 $flags -o bare naive.c 2>/dev/null; then
    skip "loops and lines" "there is no compiler"
    end_of_cases
    exit 0
fi

# parts: writes the counts of loops and lines into the files loops and lines; $whole has the program's instructions.
parts() {
    "$BUILD/tests/helpers/profile" reports --loops >loops && "$BUILD/tests/helpers/profile" reports --lines >lines
    whole=$(number instructions "$(grep '^region ""' profile)")
}
sum_of() { awk -v key="$1" '{ for (i = 1; i < NF; i++) if ($i == key) sum += $(i + 1) } END { printf "%.0f\n", sum }' "$2"; }
loop() { grep "^loop $1 .* depth $2 " loops; } # FUNCTION DEPTH: the function's loop of that depth
counts_of() { echo "$(number iterations "$1") $(number entries "$1") $(number flop "$1")"; }

counted ./naive 20
parts
expect "trip counts of three loops in each other" true '[ "$(counts_of "$(loop dgemm 1)")" = "20 1 16000" ]' \
    true '[ "$(counts_of "$(loop dgemm 2)")" = "400 20 16000" ]' true '[ "$(counts_of "$(loop dgemm 3)")" = "8000 400 16000" ]'
expect "where they are" true 'loop dgemm 1 | grep -q "at naive.c:7 of naive"' true 'loop dgemm 2 | grep -q "at naive.c:8 of naive"' \
    true 'loop dgemm 3 | grep -q "at naive.c:9 of naive"'
expect "loops and what is outside are the program" true '[ $(($(sum_of own loops) + $(sum_of instructions - <<X
$(grep ^outside loops)
X
))) = "$whole" ]'
expect "lines are the program" true '[ "$(sum_of instructions lines)" = "$whole" ]' \
    true '[ "$(sum_of flop lines)" = "$(number flop "$(grep "^region \"\"" profile)")" ]'
expect "lines of a function and of what is inlined there" true 'grep -q "^line dgemm at naive.c:10 of naive instructions .* flop 8000 " lines' \
    true 'grep -q "^line product in dgemm at naive.c:4 of naive instructions .* flop 8000 " lines'

counted ./bare 20
parts
expect "without debug information" true '[ "$(counts_of "$(loop dgemm 3)")" = "8000 400 16000" ]' true 'loop dgemm 3 | grep -Eq "at \+0x[0-9a-f]+ of bare"' \
    true 'grep -Eq "^line dgemm at \+0x[0-9a-f]+ of bare .* flop 16000 " lines' true '[ "$(sum_of instructions lines)" = "$whole" ]'

# The loops and lines in carmine app.
point() { json "points.*.$1" <"${2:-out}" | xargs echo; }
run app --repeat 1 --json --instructions -o points.json --by loop ./naive 20
expect "--by loop" status 0 true '[ "$(point name)" = "naive/dgemm:7 naive/dgemm:8 naive/dgemm:9" ]' \
    true '[ "$(point depth) $(point iterations) $(point entries)" = "1 2 3 20 400 8000 1 20 400" ]' \
    true '[ "$(point part) $(point line)" = "loop loop loop 7 8 9" ]' true '[ "$(point flop)" = "16000 16000 16000" ]' \
    true '[ "$(point count.unfused_flop)" = "16000 16000 16000" ]'
run show points.json --json
expect "they are kept in the file" true '[ "$(point depth) $(point iterations) $(point entries)" = "1 2 3 20 400 8000 1 20 400" ]' \
    true 'point file | grep -q "naive.c"' true '[ "$(point function)" = "dgemm dgemm dgemm" ]'
run app --repeat 1 --json --instructions --by line ./naive 20
expect "--by line" status 0 true 'point name | grep -q "naive/naive.c:4 "' true 'point name | grep -q "naive/naive.c:10"' \
    true 'json points.*.function points.*.inlined_in <out | paste - - | grep -q "product.dgemm" || point inlined_in | grep -q dgemm'
expect "multiplications and additions that are not fused" true '[ "$(point count.unfused_flop | tr " " "\n" | grep -c "^8000$")" = 2 ]'
run app --repeat 1 --by loop ./naive 100
expect "loops on the screen" status 0 true 'grep -Eq "^ +time .* iterations +trips +" out' true 'grep -Eq "^naive/dgemm:9 .* 1 M +100 " out' \
    true '[ "$(LC_ALL=C.UTF-8 wc -L <out)" -le 80 ]'
run app --repeat 1 --all --by loop ./naive 20
expect "all of them" status 0 true 'grep -Eq "^code +depth +iterations +entries +trips" out' true 'grep -Eq "^naive/dgemm:8 +2 +400 +20 +20 +dgemm" out'
run app --repeat 1 --json --by loop ./bare 20
expect "loops without debug information" status 0 true 'point name | grep -Eq "bare/dgemm loop 0x[0-9a-f]+"' true '[ "$(point line)" = "null null null" ]'

# The code of a loop.
code() { json "annotations.0.$1" <"${2:-out}" | xargs echo; }
run app --repeat 1 --annotate=dgemm:9 -o code.json ./naive 20
cp out screen
expect "--annotate=LOOP" status 0 out "naive/dgemm:9: " out "8 k iterations" true 'grep -Eq "^.* 8 k +8 k +64 kB +64 kB +10 +c.i . n" out' \
    out "product, inlined: naive.c" true 'grep -Eq " 8 k +1 .* product:4 (0x[0-9a-f]+ )?mulsd xmm" out' true '[ "$(LC_ALL=C.UTF-8 wc -L <out)" -le 80 ]'
run show code.json --annotate=dgemm:9
expect "it is in the file" status 0 true 'grep -Eq "product:4 (0x[0-9a-f]+ )?mulsd" out' true '[ "$(grep -c "^ .*product:4" screen)" = "$(grep -c "^ .*product:4" out)" ]'
run show code.json --json
expect "as JSON, all that is exact" status 0 true '[ "$(code name) $(code iterations)" = "naive/dgemm:9 8000" ]' \
    true '[ "$(code "instructions.*.flop" | tr " " "\n" | awk "{ sum += \$1 } END { print sum }")" = 16000 ]' \
    true 'code "lines.*.text" | grep -q "return a . b;"' true 'code "lines.*.inlined" | grep -q product'
sed 's/"line":2/"line":99/' code.json >damaged.json
run show damaged.json --annotate=dgemm:9
expect "an instruction of a line that is not there" status 0 out "mulsd"
refuses "code that the file does not hold" "holds no code of that name" show code.json --annotate=foo
refuses "a file without code" "holds no code of loops" show points.json --annotate
run app --repeat 1 --json --annotate=dgemm ./naive 20
expect "--annotate=FUNCTION" status 0 true '[ "$(code name)" = naive/dgemm ] && ! code is_loop | grep -q true' true '[ "$(json points.0.part <out)" = loop ]'
COLUMNS=160 run app --repeat 1 --annotate=dgemm:9 ./naive 20
expect "wide terminals have the source beside the code" status 0 true 'grep -Eq "(movsd|mulsd) .* return a \* b;" out'
run app --repeat 1 --annotate ./bare 20
expect "code without debug information" status 0 out "has no debug information; compile with -g" true 'grep -Eq " 0x[0-9a-f]+ mulsd " out'
mv naive.c elsewhere.c
run app --repeat 1 --annotate=dgemm:9 ./naive 20
expect "without the source" status 0 out "naive.c was not found" true '[ "$(grep -c "was not found" out)" = 1 ]' true 'grep -Eq " naive.c:10 +(0x[0-9a-f]+ )?addsd" out'
mv elsewhere.c naive.c
run app --repeat 1 -o code.json --annotate=foo ./naive 20
expect "no such loop: an error, and nothing is lost" status 2 err "no executed loop or function has this name" out "naive/dgemm:9"
run app --repeat 1 --annotate=dgem ./naive 20
expect "a name that is nearly one" status 2 err "did you mean dgemm, dgemm:7"
refuses "a loop without its line, before anything runs" "a loop's name ends with its line" app --annotate=dgemm: ./naive 20
refuses "the code of functions" "leave out --by function" app --annotate --by function ./naive
refuses "stated quantities of loops" "not to loops" app --by loop --flop 1 ./naive
refuses "an unknown part" "unknown by 'loops'" app --by loops ./naive

# Distinct cache lines and pages that each part touches in two arrays of 2 MiB. nested() reads one cache line of each
# row of b.
cat >touches.c <<'C'
#include <stdio.h>
#include "touches.h"
double a[ROWS * COLUMNS] __attribute__((aligned(4096))), b[ROWS * COLUMNS] __attribute__((aligned(4096)));
static __attribute__((noinline)) void twin(void) {
    for (int i = 0; i < ROWS * COLUMNS / 2; i++)
        a[i] += 1;
}
__attribute__((noinline)) void nested(void) {
    double sum = 0;
    for (int i = 0; i < ROWS; i++) {
        sum += b[i * COLUMNS + i % 8 * 8];
        for (int j = 0; j < COLUMNS; j++)
            sum += a[i * COLUMNS + j];
    }
    sink = sum;
}
__attribute__((noinline)) void update(void) {
    for (int i = 0; i < ROWS * COLUMNS; i++)
        a[i] = b[i] + 1;
}
int main(int count, char **words) {
    (void)words;
    for (int i = 0; i < ROWS * COLUMNS; i++)
        b[i] = count;
    nested();
    update();
    twin();
    other_twin();
    printf("%g\n", sink);
    return 0;
}
C
cat >touches.h <<'C'
enum { ROWS = 64, COLUMNS = 4096 };
extern double a[ROWS * COLUMNS];
extern volatile double sink;
void other_twin(void);
C
cat >twin.c <<'C'
#include "touches.h"
volatile double sink;
static __attribute__((noinline)) void twin(void) { /* the last three quarters of what the other one has the first half of */
    for (int i = ROWS * COLUMNS / 4; i < ROWS * COLUMNS; i++)
        a[i] += 1;
}
void other_twin(void) {
    twin();
}
C
# shellcheck disable=SC2086
cc -g $flags -fno-tree-loop-distribute-patterns -o touches touches.c twin.c
# touched FILE START-OF-LINE: the cache lines and pages of the first entry that begins so.
touched() { awk -v start="$2" 'index($0, start) == 1 { on = 1; next } on && $1 == "footprint" { print $(NF - 2), $NF; exit } on && !/^(traffic|mix)/ { exit }' "$1"; }
# The cache lines and pages are the expected ones, or up to so many more. The page behind an array's end may be
# included.
is_touched() { # lines, pages, more lines, "lines pages"
    [ "${4% *}" -ge "$1" ] && [ "${4% *}" -le $(($1 + $3)) ] && [ "${4#* }" -ge "$2" ] && [ "${4#* }" -le $(($2 + $3 + 4)) ]
}
levels="1 L1=48K:12,L2=256K:8,L3=1M:16 free"
counted ./touches
expect "not asked for: the program alone is told" true '[ "$(grep -c ^footprint profile)" = 2 ]' # its thread, too
levels="$levels code"
counted ./touches
parts
expect "what loops touch" true 'is_touched 32832 576 0 "$(touched loops "loop nested at touches.c:10 ")"' \
    true 'is_touched 32768 512 0 "$(touched loops "loop nested at touches.c:12 ")"' \
    true 'is_touched 65536 1024 0 "$(touched loops "loop update at touches.c:18 ")"'
expect "source lines; one has a constant, too" true 'is_touched 64 64 0 "$(touched lines "line nested at touches.c:11 ")"' true 'is_touched 32768 512 0 "$(touched lines "line nested at touches.c:13 ")"' \
    true 'is_touched 65536 1024 1 "$(touched lines "line update at touches.c:19 ")"'
expect "functions, with a few lines besides" true 'is_touched 32833 577 4 "$(touched profile "function nested ")"' true 'is_touched 65537 1025 4 "$(touched profile "function update ")"'
expect "two functions of one name are one" true 'is_touched 32769 513 4 "$(touched profile "function twin ")"'
program=$(touched profile 'region ""') sum=$(awk '/^footprint of "loop"/ { sum += $5 } END { print sum }' loops)
expect "the program has all of them once" true '[ "${program% *}" -ge 65536 ] && [ "${program% *}" -lt 68000 ] && [ "$sum" -gt 160000 ]'
levels="64 L1=48K:12,L2=256K:8,L3=1M:16 free code"
counted ./touches
parts
expect "of sampled lines, and all pages" true 'is_touched 1024 1024 0 "$(touched loops "loop update at touches.c:18 ")"' true 'is_touched 512 512 0 "$(touched loops "loop nested at touches.c:12 ")"'
levels=
run app --levels=exact --repeat 1 --json --by loop -o touches.json ./touches
touched_json() { json "points.*.$1" <out | paste -d ' ' names - | sed -n "s,^touches/$2 ,,p"; }
json points.*.name <out >names
expect "footprints as JSON" status 0 true '[ "$(touched_json simulated.footprint_bytes nested:10)" = 2101248.0 ]' true '[ "$(touched_json simulated.footprint_bytes update:18)" = 4194304.0 ]' \
    true '[ "$(touched_json simulated.pages nested:10)" = 576.0 ]'
run show touches.json --json
expect "they are kept in the file" true '[ "$(touched_json simulated.footprint_bytes nested:10)" = 2101248.0 ]'
run show touches.json --all
expect "footprints as a table" status 0 true 'grep -Eq "^touches/update:18 +4 MiB +1\.0[0-9]* k" out'

# A cycle with two entries.
cat >entered.c <<'C'
__attribute__((noinline)) void entered(long turns, long middle) {
    __asm__ volatile("test %1, %1; jnz 2f; 1: nop; 2: dec %0; jnz 1b" : "+r"(turns) : "r"(middle) : "cc");
}
int main(void) {
    entered(100000, 0);
    entered(100000, 1);
    return 0;
}
C
if cc -O1 -o entered entered.c; then
    run app --repeat 1 --by loop ./entered
    expect "what is no loop is told where it matters" status 0 out "a cycle with several entries is no loop"
    run app --repeat 1 --by loop ./naive 100
    expect "and not where it does not" status 0 not "several entries"
fi

# Code that a program generates, and unmaps before its end: time and code under the name in the program's perf map.
cat >writes.c <<'C'
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void) { /* mov rcx, rdi; addsd xmm0, xmm0; dec rcx; jnz; ret */
    static const unsigned char code[] = {0x48, 0x89, 0xf9, 0xf2, 0x0f, 0x58, 0xc0, 0x48, 0xff, 0xc9, 0x75, 0xf7, 0xc3};
    char *at = mmap(0, 1 << 20, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char path[64];
    void (*run)(long);
    memcpy(at += getpid() % 512 * 16, code, sizeof code);
    memcpy(&run, &at, sizeof run);
    sprintf(path, "/tmp/perf-%d.map", getpid());
    FILE *map = fopen(path, "w");
    fprintf(map, "%lx %zx JIT:hot\n", (unsigned long)at, sizeof code);
    fclose(map);
    run(100000000);
    munmap((void *)((unsigned long)at & ~0xfffUL), 4096);
    return 0;
}
C
if cc -w -O1 -o writes writes.c 2>/dev/null; then
    run app --repeat 1 --json --by function ./writes
    # On a busy host the start of the program may take a share, too.
    expect "written code by function" status 0 true '[ "$(json points.0.name <out)" = "writes/JIT:hot" ]' true '[ "$(json points.0.flop <out)" = 100000000 ]' \
        true 'point time_share | awk "{ exit !(\$1 > 0.5 && \$1 <= 1) }"'
    run app --repeat 1 --json --annotate ./writes
    expect "its loop, and that loop's instructions" status 0 true '[ "$(point iterations)" = 100000000 ]' true 'point time_share | awk "{ exit !(\$1 > 0.5 && \$1 <= 1) }"' \
        true '[ "$(code "instructions.*.text")" = "addsd xmm0, xmm0 dec rcx jnz 0x3" ]' true 'code "instructions.*.time_share" | grep -q "[0-9]"'
    grep -ls " JIT:hot$" /tmp/perf-*.map | xargs rm -f
fi
# What a core needs for known loops, from their machine code alone: on this host's core and on each that has a table.
# All loops with flop have a large part of them, so that each is a point however long it takes.
in_core() { # CORE: writes "FUNCTION CHAIN-OF CYCLES CORE" of each loop into the file needs; "null": none
    : >needs
    for work in "dot1,horner,newton,daxpy_chained,daxpy,divide,stencil 0 1000" "chase,hash 0 10000"; do
        rm -f one.json
        # shellcheck disable=SC2086
        case $1 in
        here) run app --repeat 1 --by loop -q -o one.json "$BUILD/apps/loops" $work ;;
        *) TEST_CORE=$1 start "$BUILD/tests/helpers/other_core" app --repeat 1 --by loop -q -o one.json "$BUILD/apps/loops" $work ;;
        esac
        [ "$status" = 0 ] || return
        for key in function in_core.chain_of in_core.chain in_core.core; do json "points.*.$key" <one.json >"column.$key"; done
        paste -d ' ' column.function column.in_core.chain_of column.in_core.chain column.in_core.core >>needs
    done
}
chain_is() { grep -Eq "^$1 $2 $core\$" needs; } # FUNCTION CHAIN-OF-AND-CYCLES
for each in here none $(cd "$tests/../asm/incore/x86/cores" && ls ./*.core | sed 's,.*/,,; s,\.core$,,'); do
    in_core "$each"
    core=$each
    [ "$each" != here ] || core=$(head -n 1 needs | cut -d ' ' -f 4)
    if [ "$core" = none ]; then
        expect "a core without a table" status 0 true '[ "$(grep -c " null null null$" needs)" = "$(wc -l <needs)" ]' true '[ "$(wc -l <needs)" -ge 9 ]'
        continue
    elif [ "$core" = null ]; then
        skip "in-core times" "this core has no table"
        continue
    fi
    # A core that renames a sum with a constant does not wait for the counter of iterations; another does, for a cycle.
    counter="(add|sub|inc|lea) 1\.0"
    ! grep -q "^renames-constants" "$tests/../asm/incore/x86/cores/$core.core" || counter="null (null|0\.0)"
    expect "chains on $core, $each" status 0 true 'chain_is dot1 "addsd [0-9.]+"' true 'chain_is horner "mulsd [0-9.]+"' true 'chain_is newton "divsd [0-9.]+"' \
        true 'chain_is chase "mov [0-9.]+"' true 'chain_is hash "imul [0-9.]+"' true 'chain_is daxpy_chained "mulsd [0-9.]+"'
    expect "none on $core but the counter's, $each" true 'chain_is daxpy "$counter"' true 'chain_is divide "$counter"' true 'chain_is stencil "$counter"'
done
rm -f one.json
TEST_CORE=none start "$BUILD/tests/helpers/other_core" app --repeat 1 --by loop -q -o one.json "$BUILD/apps/loops" horner 0 30000
sed '$d' one.json >measured.json
echo ', "core": [{"form": "mulsd xx", "latency_cycles": [30, 29, 31], "throughput_cycles": [0.5, 0.5, 0.5], "clock_hz": 3e9},
    {"form": "addsd xx", "latency_cycles": [4, 4, 4], "clock_hz": 3e9}, {"form": "andn qqq", "latency_cycles": [1, 1, 1], "clock_hz": 3e9}]}' >>measured.json
TEST_CORE=none start "$BUILD/tests/helpers/other_core" app --repeat 1 --by loop -q -o measured.json "$BUILD/apps/loops" horner 0 30000
in_core_of() { json points.0.in_core.core points.0.in_core.chain_of points.0.in_core.chain points.0.in_core.busiest_ports <measured.json | xargs echo; }
expect "a core without a table that carmine core measured" status 0 true '[ "$(in_core_of)" = "measured mulsd 34.0 of mulsd" ]' not "no account"
TEST_CORE=486 start "$BUILD/tests/helpers/other_core" machine
expect "a core that nobody knows" status 2 lines 0 err-lines 1 err "TEST_CORE=486: "
TEST_CORE=486 start "$BUILD/carmine" machine
expect "carmine itself runs on this host's core alone" status 0 err-lines 0
rm -f one.json
run app --repeat 1 --annotate=horner -o one.json "$BUILD/apps/loops" horner 0 30000
if [ "$(json points.0.in_core.core <one.json)" = null ]; then
    skip "the chain, instruction by instruction" "this core has no table"
else
    whole=$(point in_core.chain one.json) latency=$(json annotations.0.instructions.*.text annotations.0.instructions.*.chain_cycles <one.json | awk '
        { line[NR] = $0 } END { for (i = 1; i <= NR / 2; i++) if (line[i] ~ /^mulsd/) printf "%g", line[i + NR / 2] }')
    expect "the chain is the sum of its instructions" status 0 true 'code "instructions.*.chain_cycles" one.json | tr " " "\n" |
        awk -v whole="$whole" "{ sum += \$1 } END { exit !(whole > 0 && sum > 0.99 * whole && sum < 1.01 * whole) }"'
    expect "the chain, instruction by instruction" status 0 true 'grep -Eq "^ *time .* chain +ports " out' \
        true 'grep -Eq " $latency .*mulsd" out' true '[ "$(LC_ALL=C.UTF-8 wc -L <out)" -le 80 ]'
    sed '$d' one.json >measured.json
    echo ', "core": [{"form": "mulsd xx", "latency_cycles": [30, 29, 31], "clock_hz": 3e9}]}' >>measured.json
    run app --repeat 1 --annotate=horner -o measured.json "$BUILD/apps/loops" horner 0 30000
    expect "what carmine core measured goes before the table" status 0 true 'point in_core.chain measured.json | awk "{ exit !(\$1 > 30) }"' true 'json points.0.in_core.core <measured.json | grep -q ", measured$"' true '[ "$(json core.0.form <measured.json)" = "mulsd xx" ]' true 'grep -Eq " 30 .*mulsd" out'
fi
end_of_cases
