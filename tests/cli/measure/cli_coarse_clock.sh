#!/bin/sh
# The system's clock moves in steps of up to 10 ms: measured with the TSC or in these steps, or refused.
. "$(dirname "$0")/../cli.sh"
if nm "$carmine" | grep -q __asan_init; then
    skip "coarse clocks" "a sanitizer has to be the first library"
    end_of_cases
    exit
fi
${CC:-cc} -D_GNU_SOURCE -O1 -Wall -Wextra -shared -fPIC -o coarse.so "$tests/support/coarse_clock.c" ||
    echo "not ok the stand-in is built"
coarse() { # STEP_NS ARGUMENTS…
    step=$1
    shift
    start env LD_PRELOAD="$work/coarse.so" COARSE_NS="$step" "$carmine" "$@"
}

run machine --json
expect "how time is read here" status 0
if [ "$(json tick_hz <out)" = 1000000000.0 ]; then
    skip "coarse clocks measured" "the TSC cannot be used here"
else
    for step in 100000 1000000 10000000; do
        coarse $step machine --json
        expect "machine, steps of $step ns" status 0 not inf true '[ "$(json clock_at_rest_hz <out | cut -d . -f 1)" -gt 100000000 ]'
        coarse $step clock --for 0.1
        expect "clock, steps of $step ns" status 0 not inf out "GHz at rest"
    done
    # shellcheck disable=SC2086
    coarse 10000000 run $short -o r.json
    expect "run, steps of 10 ms" status 0 not inf file r.json true "json environment.rest_clock_hz <r.json"
fi

# Wall clocks that no result can store.
for wall_s in -1 253402300800 0 253402300799; do
    start env LD_PRELOAD="$work/coarse.so" WALL_S=$wall_s "$carmine" kernels $isa.load
    case $wall_s in
    -1 | 253402300800) expect "a date of $wall_s s" status 0 err "outside the years 1970 to 9999" err-lines 1 ;;
    *) expect "a date of $wall_s s" status 0 err-lines 0 ;;
    esac
done

export COARSE_GAIN=1
coarse 1000000 machine
expect "a coarse clock that the TSC disagrees with" status 2 lines 0 err-lines 1 err "the system's clock moves in steps of " \
    err "clock source: " err "/sys/devices/system/clocksource/clocksource0/current_clocksource"
coarse 1000000 clock
expect "clock with it" status 2 lines 0 err "the system's clock moves in steps of "
coarse 10000000 run $short -o refused.json
expect "run with it" status 2 err "the system's clock moves in steps of " no-file refused.json
coarse 10000000 workload read --sizes 1000 --repeat 1 --quick -o refused.json
expect "workload with it" status 2 err "the system's clock moves in steps of " no-file refused.json

# Steps that can be measured with: those of Arm's counter of 25 MHz, and of 1 µs.
coarse 40 doctor
expect "doctor names steps of 40 ns" out "clock step         40 ns"
coarse 1000 doctor
expect "doctor warns of steps of 1 µs" out "clock step         1000 ns: what is timed lasts 500 of them" out "current_clocksource"
for step in 40 1000; do
    # shellcheck disable=SC2086
    coarse $step run $short -o $step.json
    expect "run, steps of $step ns" status 0 not inf file $step.json true "json environment.tick_hz <$step.json | grep -qx 1000000000.0"
done
end_of_cases
