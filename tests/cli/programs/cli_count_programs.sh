#!/bin/sh
# Counting does not change what foreign programs do. About sixty programs of /usr/bin print their --version (all of them
# with ALL_PROGRAMS=1); a compiler, a compressor, sort and Python do real work.
. "$(dirname "$0")/../cli.sh"
unset LD_PRELOAD CARMINE_COLLECT_FOLDER
export LC_ALL=C HOME="$work"
# A program that does not know --version does less harm as a plain user, who has to be able to read the collector.
as_user=
[ "$(id -u)" = 0 ] && setpriv --reuid 65534 --regid 65534 --clear-groups true 2>/dev/null &&
    as_user="setpriv --reuid 65534 --regid 65534 --clear-groups"
cp "$BUILD/libcarmine-count.so" . && chmod 755 libcarmine-count.so
mkdir reports elsewhere && chmod 777 reports elsewhere

# native NAME COMMAND…, counted NAME COMMAND…: the output is in NAME.out, the exit status in NAME.status. The time limit
# of counted runs is longer, and both are for programs that hang: on a very busy host 1 s becomes 20.
limited() {
    limit_s=$1 to=$work/$2
    shift 2
    (cd elsewhere && timeout -k 1 "$limit_s" $as_user "$@" >"$to.out" 2>"$to.err" </dev/null)
    echo $? >"$to.status"
}
native() { limited 60 "$@"; }
counted() {
    name=$1
    shift
    find reports -type f -delete
    limited 200 "$name" env CARMINE_COLLECT_FOLDER="$work/reports" LD_PRELOAD="$work/libcarmine-count.so" "$@"
}
same() { cmp -s "$1.out" "$2.out" && cmp -s "$1.status" "$2.status"; }

# same_work NAME COMMAND…: the command is counted, and prints and ends as it does natively.
same_work() {
    case_name=$1
    shift
    native first "$@"
    counted second "$@"
    if ! same first second; then
        echo "not ok $case_name: status $(cat first.status) natively, $(cat second.status) counted"
        head -n 3 second.err | cut -c 1-300 | sed 's/^/    /'
    elif ! "$BUILD/tests/helpers/profile" reports >profile 2>&1; then
        echo "not ok $case_name: $(head -n 1 profile)"
    else
        echo "ok $case_name"
    fi
}

# A thousand lines of C: a hundred functions of ten lines.
awk 'BEGIN {
    print "#include <math.h>"
    for (i = 0; i < 100; i++) {
        printf "double f%d(const double *x, int n) {\n    double s = %d;\n    for (int i = 0; i < n; i++) {\n", i, i
        printf "        s += x[i] * %d + sqrt(x[i]);\n        if (s > %d)\n            s -= x[n - i];\n    }\n", i + 1, i * 7
        print "    return s;\n}\n"
    }
}' >big.c
awk 'BEGIN { for (i = 0; i < 40000; i++) printf "%d line %d\n", i * 7919 % 40009, i * i % 997 }' >lines
chmod 644 big.c lines
if command -v gcc >/dev/null; then
    same_work "gcc compiles the same object" sh -c 'gcc -O1 -c -o "$0/elsewhere/big.o" "$0/big.c" && cat "$0/elsewhere/big.o"' "$work"
else
    skip "gcc" "it is not installed"
fi
if command -v xz >/dev/null; then
    same_work "xz compresses the same" xz -c -T2 "$work/lines"
    xz -c lines >lines.xz && chmod 644 lines.xz
    same_work "xz expands the same" xz -dc "$work/lines.xz"
else
    skip "xz" "it is not installed"
fi
same_work "sort" sort -k 3n -k 1n "$work/lines"
same_work "a shell's pipe" sh -c 'grep 11 "$0/lines" | sed "s/line/x/" | sort -u | awk "{ s += \$1 } END { print s }"' "$work"
if /usr/bin/python3 -c "import numpy" 2>/dev/null; then
    export OPENBLAS_NUM_THREADS=2
    same_work "python3 with numpy" /usr/bin/python3 -c '
import numpy
a = numpy.arange(40000.0).reshape(200, 200) % 17
print(numpy.linalg.norm(a @ a), numpy.fft.fft(a[0])[:3], numpy.sort(a[:, 3])[-3:], sum(a.flat))'
else
    skip "python3 with numpy" "it is not installed"
fi
# Just-in-time compilers.
cat >loops.js <<'END'
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
const a = new Float64Array(1000);
let sum = 0;
for (let i = 0; i < 100; i++) sum += fib(16);
for (let k = 0; k < 300; k++) for (let i = 0; i < 1000; i++) a[i] = a[i] * 0.5 + i;
console.log(sum, a[10], JSON.stringify({ x: [1, 2, 3] }), "abc".replace(/b/g, "d"));
END
cat >loops.lua <<'END'
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
local sum, t = 0, {}
for i = 1, 50 do sum = sum + fib(16) end
for i = 1, 1000 do t[i] = i * 0.5 end
for k = 1, 300 do for i = 1, 1000 do t[i] = t[i] * 0.5 + i end end
print(sum, t[10])
END
cat >Loops.java <<'END'
public class Loops {
    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    public static void main(String[] arguments) {
        long sum = 0;
        double[] t = new double[1000];
        for (int i = 0; i < 200; i++) sum += fib(16);
        for (int k = 0; k < 2000; k++) for (int i = 0; i < 1000; i++) t[i] = t[i] * 0.5 + i;
        try { t = null; sum += t.length; } catch (NullPointerException caught) { sum++; }
        System.out.println(sum + " " + String.valueOf(arguments.length).hashCode());
    }
}
END
cat >callbacks.py <<'END'
import ctypes
f = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int)(lambda a, b: a * b + 1)
print(sum(f(i, i) for i in range(500)))
END
cat >compiled.py <<'END'
import numba
@numba.njit
def work(n):
    s = 0.0
    for i in range(n):
        s += i * 0.5
    return s
print(work(100000))
END
chmod 644 loops.* Loops.java callbacks.py compiled.py
compiled_while_running() { # NAME COMMAND…
    case_name="code written by $1"
    shift
    if command -v "$1" >/dev/null; then
        same_work "$case_name" "$@"
    else
        skip "$case_name" "it is not installed"
    fi
}
compiled_while_running node node "$work/loops.js"
compiled_while_running luajit luajit "$work/loops.lua"
compiled_while_running python3 /usr/bin/python3 "$work/callbacks.py"
if command -v javac >/dev/null && javac Loops.java && chmod 644 Loops.class; then
    compiled_while_running java java -cp "$work" Loops
else
    skip "code written by java" "it is not installed"
fi
if [ -x /usr/bin/python3 ] && /usr/bin/python3 -c "import numba" 2>/dev/null; then
    compiled_while_running numba /usr/bin/python3 "$work/compiled.py"
else
    skip "code written by numba" "it is not installed"
fi
if [ -x /usr/bin/python3 ]; then
    same_work "python3's threads and processes" /usr/bin/python3 -c '
import subprocess, threading
results = []
threads = [threading.Thread(target=lambda i=i: results.append(sum(range(i * 1000)))) for i in range(8)]
[t.start() for t in threads]; [t.join() for t in threads]
print(sorted(results), subprocess.run(["echo", "child"], capture_output=True).stdout)'
else
    skip "python3" "it is not installed"
fi

# Every n-th program of /usr/bin, in alphabetic order. Programs that differ between native runs, or do not end, prove
# nothing. Programs that write their own code are ended with a message; docs/counting.md lists them.
ls /usr/bin | LC_ALL=C sort >programs
every=1
[ -n "$ALL_PROGRAMS" ] || every=$(($(wc -l <programs) / 60 + 1))
same_every_time() { # eight more native runs are like the first
    for _ in 1 2 3 4 5 6 7 8; do
        native again "$@"
        same first again || return 1
    done
}
tried=0 differing='' untold='' uncounted=''
for program in $(awk -v every=$every 'NR % every == 0' programs); do
    [ -x "/usr/bin/$program" ] || continue
    native first "/usr/bin/$program" --version
    native again "/usr/bin/$program" --version
    if ! same first again || grep -qx 124 first.status; then
        untold="$untold $program"
        continue
    fi
    counted second "/usr/bin/$program" --version
    tried=$((tried + 1))
    if ! same first second; then
        if same_every_time "/usr/bin/$program" --version; then
            differing="$differing $program"
        else
            untold="$untold $program"
        fi
    elif ! "$BUILD/tests/helpers/profile" reports >/dev/null 2>&1; then
        uncounted="$uncounted $program"
    fi
done
if [ -n "$differing" ]; then
    echo "not ok --version of $tried programs: other output or status when counted:$differing"
else
    echo "ok --version of $tried programs"
fi
if [ -n "$ALL_PROGRAMS" ]; then
    echo "    differ between native runs, or do not end:$untold"
    echo "    end as natively, without counts:$uncounted"
fi
end_of_cases
