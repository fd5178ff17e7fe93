#!/bin/sh
# carmine workload MY.c: the user's own workload, from its file to its points, and every error.
. "$(dirname "$0")/../workload.sh"
examples=$(cd "$tests/../examples/workload" && pwd)
cp "$examples"/*.c .
unset CC CXX
file() { run workload --quick --repeat 3 --state warm "$@"; }
left_nothing_behind() { left_nothing "$1" && rm -rf tmp/*; }

# The examples of the documentation.
file daxpy.c --sizes 1000,3000 -o new.json
expect "the least that there is" status 0 out "── daxpy warm 1 thread ──" out "daxpy.c by " out ": -O3 -march=native; 3 repetitions" err "2 points added to new.json" true '[ "$(point name new.json)" = "daxpy warm 1000 daxpy warm 3000" ]'
run show new.json --json
expect "it is counted" status 0 true '[ "$(point flop out)" = "2000 6000" ]' true '[ "$(point compulsory_read_bytes out)" = "16000 48000" ]' true '[ "$(point working_set_bytes out)" = "16000 48000" ]' true '[ "$(json points.0.sources.flop <out)" = counted ]'
expect "compiler, flags and command line are kept" true 'json points.0.compiler <out | grep -q " [0-9.]*: -O3 -march=native$"' true 'json points.0.command <new.json | grep -q "workload .*--sizes 1000,3000 .*daxpy[.]c"'
file stencil.c --sizes 40 --cflags "-O2 -fno-tree-vectorize" -o new.json
expect "flags are in the name, beside other points" status 0 err "1 point added" out "stencil -O2 -fno-tree-vectorize warm" true 'point name new.json | grep -q "daxpy warm 3000 stencil -O2 -fno-tree-vectorize warm 40"'
file stencil.c --sizes 40 --cflags -O1 --name "five points" --json
expect "a name of one's own" status 0 true '[ "$(point name out)" = "five points warm 40" ]' true '[ "$(point flop out) $(point analytic_flop out)" = "5776 5776" ]' true '[ "$(json points.0.analytic_bytes <out)" = 57760 ]'
run workload --quick --repeat 3 stencil.c --sizes 40 --type f32 --state cold --json
expect "another type, cold" status 0 true '[ "$(point name out) $(point flop out)" = "stencil f32 40 5776" ]' true '[ "$(json points.0.working_set_bytes <out)" = 12800 ]'
run workload stencil.c --cflags -O1 --sizes 300,400 --validate
expect "validated" status 0 out "stencil -O1, 2 sizes, 300 to 400" out "yes"
if [ "$(nproc)" -gt 1 ]; then
    file stencil.c --sizes 400 --threads 2 --cflags -O1 --json
    expect "two threads share its rows" status 0 true '[ "$(point flop out) $(point threads out)" = "633616 2" ]'
else
    skip "two threads" "there is one CPU"
fi
file daxpy.c --sizes 1000 --cflags -O1 --annotate -o code.json
expect "its code, and how often each instruction ran" status 0 out "daxpy -O1/run" out "daxpy.c" true 'grep -qE "2 k  .* addsd xmm0" out'
run show code.json --annotate
expect "is kept with the points" status 0 out "daxpy -O1/run" out "addsd"
for gone in "file daxpy.c:carmine workload MY.c" "cc gcc:--cflags 'clang -O2'" "list:carmine workload without a name"; do
    # shellcheck disable=SC2086
    refuses "what is gone: --${gone%%:*}" "was removed after 0.2.0; " workload --${gone%%:*}
    expect "and its successor" err "${gone#*:}"
done
refuses "no name, and an option" "name workloads, such as daxpy,dgemv" workload --quick
if command -v gcc >/dev/null; then
    file daxpy.c --sizes 1000 --cflags "gcc -O1" --json
    expect "a compiler before its flags" status 0 true '[ "$(point name out)" = "daxpy gcc -O1 warm 1000" ]' true 'json points.0.compiler <out | grep -q "gcc.*: -O1$"'
    file daxpy.c --sizes 1000 --cflags gcc --json
    expect "a compiler alone" status 0 true 'json points.0.compiler <out | grep -q "gcc.*: -O3 -march=native$"'
fi
refuses "--annotate of a built-in one" "--annotate needs a file" workload daxpy --annotate
measure_sample
file daxpy.c --sizes 1000 -o sample.json --plot roofs.svg
expect "drawn" status 0 file roofs.svg true 'grep -q "daxpy warm" roofs.svg'
left_nothing_behind "after series"

# own NAME: writes a minimal workload. stdin: text before the functions; RUN and BUFFERS: bodies of run() and buffers().
own() {
    { echo '#include <carmine_workload.h>'
      cat
      echo "void buffers(uint64_t n, struct carmine_buffer *out) { ${BUFFERS:-out[0] = (struct carmine_buffer){\"x\", 8 * n, CARMINE_UPDATED\};} }"
      echo "void run(const struct carmine_part *part, void *const *data) { double *x = (double *)data[0]; ${RUN:-for (uint64_t i = part->first; i < part->end; i++) x[i] += 1;} }"
    } >"$1"
}
own init.c <<'END'
void init(const struct carmine_part *part, void *const *data) {
    for (uint64_t i = part->first; i < part->end; i++) ((double *)data[0])[i] = (double)i;
}
bool check(uint64_t n, void *const *data) {
    for (uint64_t i = 0; i < n; i++) if (((double *)data[0])[i] != (double)i + 1) return false;
    return true;
}
END
file init.c --sizes 1000 --json
expect "values of its own, and a check of them" status 0 true '[ "$(point flop out) $(json points.0.analytic_bytes <out)" = "1000 null" ]'
RUN='if (part->first != 0 || part->end != part->n) __builtin_trap(); for (uint64_t i = 0; i < part->n; i++) x[i] += 1;' own threads.c <<'END'
static unsigned count;
void threads(unsigned wanted) { count = wanted; }
bool check(uint64_t n, void *const *data) { return count == 2; }
END
if [ "$(nproc)" -gt 1 ]; then
    file threads.c --sizes 1000 --threads 2 --json
    expect "threads of its own: run() has everything, once" status 0 true '[ "$(point flop out)" = 1000 ]'
fi
RUN='puts("hello"); x[0] += 1;' own prints.c <<'END'
#include <stdio.h>
END
file prints.c --sizes 8 --json
expect "what it prints is no report" status 0 not "hello" true '[ "$(json schema <out)" = carmine.workload/1 ]'
if command -v g++ >/dev/null; then
    own plus.cpp <<'END'
#include <vector>
static std::vector<double> numbers(3);
END
    file plus.cpp --sizes 100 --json
    expect "C++" status 0 true '[ "$(point flop out)" = 100 ]'
else
    skip "C++" "there is no g++"
fi

# Errors: one line each, and nothing is added.
cp new.json before.json
wrong() { # NAME TEXT WORDS…
    what=$1 says=$2
    shift 2
    file "$@" -o new.json
    expect "$what" status 2 err-lines 1 err "$says" lines 0 true "cmp new.json before.json"
}
wrong "no such file" "cannot read nowhere.c: No such file" nowhere.c --sizes 8
wrong "no compiler" "there is no compiler nocc; install one (on Debian gcc), or name another with --cflags" daxpy.c --sizes 8 --cflags "nocc -O1"
CC=none start "$carmine" workload daxpy.c --sizes 8
expect "none by \$CC" status 2 err "there is no compiler none" err-lines 1
wrong "no sizes" "daxpy.c needs --sizes" daxpy.c
wrong "a workload, too" "unexpected argument wht" daxpy.c --sizes 8 wht
wrong "an instruction set" "use --cflags" daxpy.c --sizes 8 --isa sse
wrong "a name that is too long" "give a --name" daxpy.c --sizes 8 --cflags "$(printf -- '-DA%.0s ' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17)"
refuses "flags without a file" "--cflags needs a file" workload daxpy --cflags -O2
own broken.c <<'END'
int here = not_there;
END
file broken.c --sizes 8 -o new.json
expect "it does not compile: the compiler's words" status 2 err "broken.c:2:12: error: " err "broken.c does not compile: cc ended with exit status 1" true "cmp new.json before.json"
RUN='x[0] += not_there();' own unlinked.c <<'END'
extern double not_there(void);
END
file unlinked.c --sizes 8
expect "it does not link" status 2 err "undefined reference to" err "does not compile"
echo '#include <carmine_workload.h>' >empty.c
wrong "no buffers" "empty: function buffers() is missing; define void buffers(uint64_t n, struct carmine_buffer *out)" empty.c --sizes 8
sed '/^void run/,$d' daxpy.c >norun.c
wrong "no run" "norun: function run() is missing; define void run(const struct carmine_part *part, void *const *data)" norun.c --sizes 8
BUFFERS='(void)n, (void)out;' own nothing.c </dev/null
wrong "no buffer" "buffers() defines no buffer at size 8" nothing.c --sizes 8
BUFFERS='out[1].bytes = n;' own gap.c </dev/null
wrong "a buffer behind an empty one" "leaves buffer 0 empty" gap.c --sizes 8
BUFFERS='out[0].bytes = n, out[0].access = 77;' own access.c </dev/null
wrong "an access that is none" "sets the access of buffer 0 to 77" access.c --sizes 8
BUFFERS='for (int i = 0; i < 2; i++) out[i] = (struct carmine_buffer){"x", 1ull << 63, CARMINE_READ};' own huge.c </dev/null
wrong "buffers whose sum is no number" "huge: buffers() gives buffer 0 9223372036854775808 bytes at size 8, more than" huge.c --sizes 8
RUN='exit(0);' own exits.c <<'END'
#include <stdlib.h>
END
wrong "run() ends the program" "exits.c: it ended the program, or closed its output, at size 8 when it was counted; run() must return" exits.c --sizes 8
RUN='if (part->n == 9) *(volatile int *)8 = 1; x[0] += 1;' own crash.c </dev/null
wrong "run() crashes" "crash: run() crashed at size 9: signal 11 (Segmentation fault)" crash.c --sizes 9
own abort.c <<'END'
#include <stdlib.h>
bool check(uint64_t n, void *const *data) { abort(); }
END
wrong "check() aborts" "abort: check() crashed at size 8: signal 6 (Aborted)" abort.c --sizes 8
RUN='volatile char all[1 << 26]; all[0] = 1; x[0] += all[0];' own deep.c </dev/null
wrong "its stack is too small" "deep: run() crashed at size 8: signal 11" deep.c --sizes 8
own false.c <<'END'
bool check(uint64_t n, void *const *data) { return n < 9; }
END
wrong "a wrong result" "false.c: check() says that the result of size 9 is wrong when it was counted; nothing was added" false.c --sizes 9
own flop.c <<'END'
uint64_t flop(uint64_t n) { return 3 * n; }
END
file flop.c --sizes 1000
expect "flop() is not what is executed: a line, and what was executed" status 0 out "▲ flop() of flop.c says 3000 at size 1000, and 1000 were executed; points use"
run workload flop.c --sizes 1000 --validate
expect "and not valid" status 1 out "0.333" out "no"
RUN='double unused = 0; for (uint64_t i = 0; i < part->n; i++) unused += x[i];' own gone.c <<'END'
uint64_t flop(uint64_t n) { return n; }
END
file gone.c --sizes 1000
expect "what the compiler left out" status 0 out "and 0 were executed: compilers remove unused results"
left_nothing_behind "after failures"
end_of_cases
