#!/bin/sh
# The counter's numbers for kernels with known counts, single steps address by address, libraries with a known amount of
# work, threads, and regions.
. "$(dirname "$0")/../count.sh"

# Every kernel of every instruction set that this machine has.
exact "kernels with known counts" "$apps/known"
expect "and these are many" true "[ \$(grep -c '^region' native.out) -gt 10 ]"
sed 's/^known: //; s/ can.t be run here//' err | while read -r kernel; do skip "kernel $kernel" "not with this CPU or system"; done

# stepped NAME COMMAND…: the counter and single-stepping find the same number of executions of each address.
stepped() {
    case_name="stepped: $1"
    shift
    # Lazy binding looks symbols up within regions, too, and one more library changes the lookups.
    LD_BIND_NOW=1 "$BUILD/tests/helpers/step" "$@" 2>err | sort >steps
    LD_BIND_NOW=1 counted "$@"
    "$BUILD/tests/helpers/expand" reports | sort >addresses
    if grep -q "cannot be traced" err; then
        skip "$case_name" "this system does not let programs be traced"
    elif [ "$(wc -l <steps)" -gt 10 ] && cmp -s steps addresses; then
        echo "ok $case_name"
    else
        echo "not ok $case_name: '<' single steps, '>' counted"
        diff steps addresses | head | sed 's/^/    /'
    fi
}
stepped "known kernels" "$apps/known" 4
stepped "scalar CG" "$apps/cg" 4 1
stepped "vectorised CG" "$apps/cg_vector" 5 1
stepped "all kinds of jumps" "$apps/branches"
for way in plain nested stack jump repair loop skip context redirect; do
    stepped "signals, $way" "$apps/signals" $way 3
done


# The copies of a program at a fixed address lie far from its data.
if cc -std=gnu11 -D_GNU_SOURCE -O2 -no-pie -fno-pie -I"$tests/../probe/marks" -I"$tests/apps" -o known-fixed "$tests/apps/known.c" "$BUILD/libcarmine.a" -lm 2>/dev/null; then
    exact "kernels at a fixed address" ./known-fixed
    stepped "known kernels at a fixed address" ./known-fixed 4
else
    skip "kernels at a fixed address" "there is no C compiler that makes such programs"
fi

exact "CG" "$apps/cg" 12 3
exact "FFT without SIMD" "$apps/fft" 12 2 scalar

# OpenBLAS blocks dgemm in its own way, and does little more flop than the formula.
dgemm_flop() {
    export OMP_NUM_THREADS="$1" OPENBLAS_NUM_THREADS="$1"
    counted "$apps/dgemm" 512
    number flop "$(grep '^region "dgemm"' profile)"
    unset OMP_NUM_THREADS OPENBLAS_NUM_THREADS
}
native "$apps/dgemm" 512
if [ "$native_status" = 77 ]; then
    skip "dgemm" "built without OpenBLAS"
else
    stated=$(number flop "$(cat native.out)") one=$(dgemm_flop 1) two=$(dgemm_flop 2)
    expect "dgemm is within 1 % of 2 n³ + 2 n²" true "awk 'BEGIN { exit !($one >= $stated * 0.99 && $one <= $stated * 1.01) }'"
    expect "dgemm on two threads is the same" true "[ $one = $two ]"
fi

counted "$apps/triad" 1000 1
expect "what the dynamic linker saves is not unknown" true "[ $readable = 0 ]" true '! grep -q " unknown " profile'

# Waiting is no work: bytes and instructions depend neither on the number of waiting threads nor on their waiting time.
bytes_of() { # THREADS COMMAND…
    export OMP_NUM_THREADS="$1"
    shift
    counted "$@"
    grep '^region "work"' profile >line
    unset OMP_NUM_THREADS
    echo $(($(number load "$(cat line)") + $(number store "$(cat line)")))
}
within() { awk "BEGIN { exit !($2 >= $1 * (1 - $3) && $2 <= $1 * (1 + $3)) }"; } # A B SHARE: B is A up to this share
one=$(bytes_of 1 "$apps/waiting" openmp)
for threads in 2 4; do
    more=$(bytes_of $threads "$apps/waiting" openmp)
    expect "OpenMP moves the same on $threads threads ($one and $more bytes)" true "within $one $more 0.01" true "grep -q ' waiting [0-9]' profile"
done
for way in spin mutex; do # forty times a lock and a loop of 100,000 flop, and some kilobytes to start a thread
    waited=$(bytes_of 1 "$apps/waiting" $way)
    expect "a lock that is waited for: $way ($waited bytes)" true "[ $waited -lt 100000 ]" true "[ \"\$(number flop \"\$(cat line)\")\" = 4000000 ]"
done

# OpenMP: the counts do not depend on the number of threads. Each call of the outlined function adds a few bytes.
n=64000 repetitions=5
own_bytes() { # KEY BYTES: the bytes per call, without so many bytes per element
    echo $((($(number "$1" "$outlined") - $2 * n * repetitions) / threads / repetitions))
}
for threads in 1 2 4; do
    OMP_NUM_THREADS=$threads counted "$apps/triad" $n $repetitions
    "$BUILD/tests/helpers/profile" reports triad >profile
    region=$(grep '^region' profile) outlined=$(grep -E '^function (triad\._omp_fn|\.omp_outlined)' profile)
    loaded=$(own_bytes load 16) stored=$(own_bytes store 8)
    [ $threads = 1 ] && loaded_by_one=$loaded stored_by_one=$stored
    expect "triad on $threads threads: flop" true "[ $(number flop "$region") = $((2 * n * repetitions)) ]" \
        true "[ $(number flop "$outlined") = $((2 * n * repetitions)) ]"
    expect "triad on $threads threads: bytes" true "[ $loaded = $loaded_by_one ] && [ $stored = $stored_by_one ]" \
        true "[ $loaded -ge 0 ] && [ $loaded -lt 200 ] && [ $stored -ge 0 ] && [ $stored -lt 200 ]"
done

# The number of threads that did the work, with a pool that exists from the start, after a serial set-up or beside
# serial work.
threads_are() { # THREADS SETUP ALONE SHARED
    run app --repeat 1 --json -- "$apps/pool" "$2" "$3" "$4"
    expect "threads: a set-up of $2 blocks, $3 flop alone, $4 shared" true "[ \$(json points.0.threads <out) = $1 ]"
}
threads_are 2 4000000 0 160000
threads_are 2 0 160000 160000
threads_are 1 0 1600000 80000
threads_are 1 4000000 160000 0

for way in outside inside nested often long unnamed threads; do
    exact "regions: $way" "$apps/regions" $way
done
exact "regions: more than have names" "$apps/marks" many
exact "regions: marks without their counterpart" "$apps/regions" mismatch
end_of_cases
