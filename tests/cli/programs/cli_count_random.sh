#!/bin/sh
# Random programs compute under the counter what they compute natively: registers, flags, memory, stack, and what their
# signal handlers see. And each address is executed as often as in single steps. PROGRAMS=100000 tests more than 200.
. "$(dirname "$0")/../count.sh"

write() { # first program, how many, and what random_code takes besides
    start "$BUILD/tests/helpers/random_code" programs "$@"
    cp out coverage
    [ $status != 77 ] || skip "random programs" "their addresses are taken"
    [ $status = 0 ]
}

again() { # name, command…
    case_name=$1
    shift
    counted "$@"
    as_natively "$@"
}

# A decoder that knows fewer instructions: newer ones are copied by their length alone.
fewer=$work/fewer.so
cc -O1 -mgeneral-regs-only -fPIC -shared -o "$fewer" "$tests/support/hide_encodings.c" 2>/dev/null || fewer=
[ -n "$fewer" ] || skip "instructions newer than the decoder" "there is no C compiler"

batch=1000 # of one process
[ "${PROGRAMS:-200}" -ge $batch ] || batch=${PROGRAMS:-200}
for first in $(seq 0 $batch $((${PROGRAMS:-200} - 1))); do
    write $first $batch || continue
    exact "programs from $first on" "$apps/random" programs
    "$BUILD/tests/helpers/expand" reports | sort >addresses
    again "as code that is written" "$apps/random" programs written
    again "beside signals at any time" "$apps/random" programs timer
    levels="64 L1=32K:8,L2=1M:16 free"
    again "with simulated caches" "$apps/random" programs
    levels=
    if [ -n "$fewer" ]; then
        hidden=$fewer
        again "newer than the decoder, as code that is written" "$apps/random" programs written
        again "newer than the decoder" "$apps/random" programs
        LD_PRELOAD=$hidden "$BUILD/tests/helpers/expand" reports | sort >newer
        expect "each address as often" true "grep -q ' unknown_instructions ' profile" true "cmp addresses newer"
        hidden=
    fi
    write $first $batch far && exact "beyond 4 GiB" "$apps/random" programs
done

write 0 200 && expect "and these have most forms of instructions" true "awk '/ mnemonics/ { exit !(\$1 > \$3 / 4 && \$5 > \$7 * 0.8) }' coverage"
sed 's/^/    /' coverage

if write 0 20 steps; then
    "$BUILD/tests/helpers/step" "$apps/random" programs 2>err | sort >steps
    counted "$apps/random" programs
    "$BUILD/tests/helpers/expand" reports | sort >addresses
    if grep -q "cannot be traced" err; then
        skip "each address as often as in single steps" "this system does not let programs be traced"
    else
        expect "each address as often as in single steps" true "[ \$(wc -l <steps) -gt 100 ]" true "cmp steps addresses"
    fi
fi
end_of_cases
