#!/bin/sh
# Programs that are hard to count: threads, signals, exceptions, child processes, libraries that are loaded and
# unloaded, and all ways to end. Each is counted exactly, or not at all with a reason.
. "$(dirname "$0")/../count.sh"

exact "500 threads at once" "$apps/threads" once
exact "5000 threads, one after the other" "$apps/threads" sequence
exact "threads that create threads" "$apps/threads" chain
exact "threads that are cancelled" "$apps/threads" cancel
exact "a thread that outlives the first" "$apps/threads" last
exact "and reaches other code then" "$apps/threads" first
exact "the system call alone ends both" "$apps/threads" raw

for way in plain nested stack jump repair loop skip wait context redirect; do
    exact "signals: $way" "$apps/signals" $way
done
for way in timer flood; do # their work between two signals differs from run to run
    counted "$apps/signals" $way
    cp out native.out
    expect "signals: $way" status 0 true "[ $readable = 0 ]" true '[ -z "$(wrong_counts)" ]'
done

for way in ask handle; do
    exact "an instruction newer than the decoder and the CPU: $way" "$apps/newer" $way
    expect "which it did not execute" true "! grep -q ' unknown_instructions ' profile"
done

for way in fork vfork execute switch sleep filter; do
    exact "signals on the alternate stack: $way" "$apps/alternate" $way
done

for way in preempt change emulate; do
    counted "$apps/preempted" $way
    cp out native.out # its results, and the amount of its work
    expect "signals that change the context: $way" status 0 true "[ $readable = 0 ]" true '[ -z "$(wrong_counts)" ]' \
        true "grep -qE 'wrong sums: 0$|waited for: 42$|addresses: 2000$' out"
done

# A program that is started through its loader is counted; the counter is loaded a second time.
counted bash -c '/lib64/ld-linux-x86-64.so.2 /bin/true; true'
expect "a program started through its loader" status 0 true "[ $readable = 0 ]"
timeout -s KILL 60 "$carmine" app -- sh -c 'trap "" TERM; : >begun; while :; do sleep 0.1; done' >out 2>err &
pid=$!
until [ -e begun ]; do sleep 0.05; done
kill -TERM $pid
wait $pid
status=$?
expect "SIGTERM ends a program that ignores it" status 143 err "interrupted"

# The counter's memory does not lie where a program's heap grows.
for mib in 40 300 3000; do
    exact "a heap of $mib MiB" "$apps/heap" $mib
    exact "a heap of $mib MiB, nothing at random" "$apps/heap" $mib fixed
done

# Signals at every instruction: what the handler sees, and the counts of each instruction. The program continues where
# it was interrupted, directly or after a detour.
for kind in flags branches again guesses constants loops repeats masks far "wide masks" calls marks faults; do
    for way in stay leave; do
        case_name="interrupted anywhere: $kind, $way"
        rm -rf reports && mkdir reports
        start "$BUILD/tests/helpers/interrupt" "$BUILD/libcarmine-count.so" reports "$apps/interrupted" "$kind" $way
        if [ $status = 77 ]; then
            skip "$case_name" "programs cannot be traced here, or the CPU lacks the instructions"
        else
            "$BUILD/tests/helpers/expand" reports whole | sort >addresses
            sort reports/steps >steps
            expect "$case_name" status 0 out " 0 wrong" true "[ -s steps ]" true '[ -z "$(comm -23 steps addresses)" ]'
        fi
    done
done

# Two libraries with different code, loaded at the same address one after the other.
cat >library.c <<'END'
long work(void) {
    long flop = FLOP;
    __asm__ volatile("1: mulsd %%xmm0, %%xmm0; dec %0; jnz 1b" : "+r"(flop) : : "xmm0");
    return FLOP;
}
END
if cc -O2 -fPIC -shared -DFLOP=7 -o first.so library.c && cc -O2 -fPIC -shared -DFLOP=11 -falign-functions=64 -o second.so library.c; then
    exact "libraries that come and go" "$apps/loads" ./first.so ./second.so
    expect "at the same address" true "[ \"$(sed 's/ times.*//' err)\" -gt 0 ]"
else
    skip "libraries that come and go" "there is no C compiler"
fi

# Calls between libraries through read-only memory, which is constant only as long as both libraries are loaded.
for chosen in 7 11; do
    sed 's/work/chosen/' library.c | cc -O2 -fPIC -shared -DFLOP=$chosen -o chosen$chosen.so -x c - 2>/dev/null
done
echo 'long chosen(void); long work(void) { return chosen(); }' >user.c
for way in mprotect pwrite jump; do
    exact "a place of constants that is written after all: $way" "$apps/constants" $way
done
for calls in -fplt -fno-plt; do
    case_name="libraries that call each other, and come and go: $calls"
    if cc -O2 -fPIC $calls -shared -Wl,-z,now -o user.so user.c 2>/dev/null && [ -e chosen11.so ]; then
        exact "$case_name" "$apps/constants" ./user.so ./chosen7.so ./chosen11.so
    else
        skip "$case_name" "there is no C compiler"
    fi
done

exact "restartable sequences" "$apps/restarted" 4
for way in pwrite write pwritev; do
    exact "code changed through /proc/self/mem: $way" "$apps/changed" $way
done

for way in fork _exit exec vfork failing spawn system popen itself terminate; do
    exact "child processes: $way" "$apps/processes" $way
done
exact "what children do first and their creator does then" "$apps/forks" same
exact "children with other code in the same place" "$apps/forks" other

exact "signals while a program is executed" "$apps/executes"

# Child programs that take no preloaded library, or are started without it.
in_all() { # NAME FLOP PROCESSES COMMAND…
    case_name=$1 flop=$2 processes=$3
    shift 3
    native "$@"
    counted "$@"
    if [ $readable = 0 ] && { [ "$(number flop "$(grep '^region "" ' profile)")" != "$flop" ] ||
        ! grep -qx "processes $processes" profile; }; then
        echo "not ok $case_name: not $flop flop of $processes processes, but: $(head -n 2 profile)"
    else
        grep -v '^region' native.out >other.out # the program prints counts for a different child
        grep -v '^region' out >native.out
        mv other.out out
        as_natively "$@"
    fi
}
for way in exec vfork spawn system; do
    case $way in
    exec) processes=3 ;;
    system) processes=3 ;;
    *) processes=2 ;;
    esac
    in_all "a static child: $way" 1000 $processes "$apps/processes" $way "$apps/static"
done
printf '#!%s x y\n' "$apps/static" >script
chmod +x script
in_all "a static child of a script" 0 2 sh -c './script z; exit $?'
in_all "a child that lost its environment" 1010 3 env -i "$apps/processes" fork
in_all "a child of that child" 1000 4 env -i "$apps/processes" exec "$apps/static"
loaded "a static program" "$apps/static" a b
loaded "the regions of a static program" "$apps/static_region"
if cc -O1 -static-pie -o static-pie "$tests/apps/counted/static.c" 2>/dev/null; then
    loaded "a static program that lies anywhere" ./static-pie a
else
    skip "a static program that lies anywhere" "there is no static C library for it"
fi
loaded "a dynamic program in that way" "$apps/processes" child
loaded "a script" ./script z
# A setuid program: the loader ignores LD_PRELOAD.
cp "$apps/processes" other && chown 65534 other 2>/dev/null && chmod 4755 other
if [ "$(id -u)" = 0 ] && [ -u other ] && [ "$(LD_PRELOAD=./missing ./other child 2>&1)" = "" ]; then
    uncounted "a setuid program" "" ./other child
    uncounted "a setuid child" "other" "$apps/processes" exec ./other
else
    skip "a setuid program" "it takes root, and a file system that honours it"
fi

for way in protect overwrite toggle itself twice trampoline cross read receive poke anew share chain enclosed full blocked lent scattered; do
    exact "code that the program writes: $way" "$apps/written" $way
done
counted "$apps/processes" kill # its parent kills it, as natively
expect "a child that is killed" status 0 true "[ $readable = 0 ]" true "grep '^region \"\" ' profile | grep -q ' flop 1000 '"
for way in abort term; do # the counter can handle these signals
    exact "ended by a signal: $way" "$apps/endings" $way
done
exact "ended by a closed pipe" sh -c 'trap "" TERM; "$0" binary | head -c 100' "$apps/endings"
for way in fault kill division; do
    uncounted "killed: $way" "killed" "$apps/endings" $way
done
exact "the kernel's old page of calls" "$apps/oldcalls" vsyscall
counted "$apps/oldcalls" step
expect "the trap flag" status 127 err "the trap flag" err "\`--counters papi\` counts it" err-lines 1 true "grep -q 'the trap flag' profile.err"
counted "$apps/oldcalls" share
expect "a process that shares memory" status 127 err "CLONE_VM" err "\`--counters papi\` counts it" err-lines 1 true "grep -q 'CLONE_VM.*can be read\$' profile.err"
for way in _exit quick binary interrupt memory closed descriptors folder environment; do
    exact "unusual: $way" "$apps/endings" $way
done
counted sh -c 'ulimit -v 300000 && exec "$0"' "$apps/known"
expect "too little memory" status 127 err "can't be counted" true "[ $readable != 0 ]" true "grep -q 'no memory' profile.err"
exact "enough memory" sh -c 'ulimit -v 4000000 && exec "$0"' "$apps/known"
printf 'one\ntwo' >input
native sh -c '"$0" input <input' "$apps/endings"
counted sh -c '"$0" input <input' "$apps/endings"
expect "standard input" status 0 out "two" true "cmp -s out native.out" true "[ $readable = 0 ]"
end_of_cases
