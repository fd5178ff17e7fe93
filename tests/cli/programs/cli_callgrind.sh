#!/bin/sh
# The second backend: programs under valgrind give the exact counter's numbers, and the DRAM traffic that is known of
# their streams.
. "$(dirname "$0")/../count.sh"

# Runs a command under callgrind: $status, out and err are the program's, $readable is 0 where there is a profile.
under() { # count or traffic, command
    what=$1
    shift
    rm -rf reports profile && mkdir reports
    start "$BUILD/tests/helpers/callgrind" "$what" "$work/reports" "$BUILD/libcarmine-valgrind.so" "$@"
    cp reports/error profile.err 2>/dev/null
    cp reports/profile profile 2>/dev/null
    readable=$?
}

# known NAME COMMAND…: what the program prints of itself is what was counted. Masked accesses count in full.
known() {
    case_name=$1
    shift
    under count "$@"
    awk '{
        for (i = 1; i < NF; i++)
            value[$i] = index($i, "full_") ? $(i + 1) : ""
        for (i = 1; i < NF; i++)
            if (value["full_" $i] != "")
                $(i + 1) = value["full_" $i]
        gsub(/ full_[a-z]* [0-9]*/, "")
        delete value
        print
    }' out >native.out
    if [ $readable != 0 ]; then
        echo "not ok $case_name: $(cat profile.err)"
    elif ! grep -q '^region' native.out || [ -n "$(wrong_counts)" ]; then
        echo "not ok $case_name:"
        wrong_counts | cut -c 1-300 | sed 's/^/    /'
    else
        echo "ok $case_name"
    fi
}

# not_counted NAME TEXT STATUS COMMAND…: there is no number but a message with TEXT, and the program's own status.
not_counted() {
    case_name=$1 says=$2 wanted_status=$3
    shift 3
    under count "$@"
    expect "$case_name" status "$wanted_status" true "[ $readable != 0 ]" true "grep -qFe '$says' profile.err"
}

if ! command -v valgrind >/dev/null; then
    skip "callgrind" "valgrind is not installed"
    end_of_cases
    exit
fi

known "kernels with known counts" "$apps/known"
expect "which are many, in one process" true "[ \$(grep -c '^region' native.out) -gt 10 ]" true "grep -qx 'processes 1' profile"
for region in rep_movsb rep_scasb; do
    expect "$region is one instruction, however often it repeats" true \
        "[ $(number loads "$(grep "^region \"$region\"" profile)") = 256 ]"
done
for way in outside inside nested long unnamed threads mismatch; do
    known "regions: $way" "$apps/regions" $way
done
for way in fork exec vfork failing spawn system itself; do
    known "processes: $way" "$apps/processes" $way
    expect "its status" status 3
done
known "static" "$apps/traffic_static"
expect "its status; all its code is known" status 3 true "! grep -q ' unknown ' profile"

# What the other backend counts of programs that run the same code under valgrind. With lazy binding the region would
# look symbols up among other libraries.
same() { # name, region, command
    case_name=$1 region=$2
    shift 2
    set -- env LD_BIND_NOW=1 "$@"
    counted "$@"
    exact=$(grep "^region \"$region\"" profile)
    under count "$@"
    other=$(grep "^region \"$region\"" profile)
    expect "as the exact counter: $case_name" true "[ -n '$exact' ]" \
        true "[ '$(number flop "$exact") $(number load "$exact") $(number store "$exact")' = '$(number flop "$other") $(number load "$other") $(number store "$other")' ]"
}
same "CG" cg "$apps/cg" 12 3
same "FFT without SIMD" fft "$apps/fft" 12 2 scalar

not_counted "killed" "killed by signal 9" 137 "$apps/endings" kill
not_counted "AVX-512" "valgrind cannot run AVX-512 code" 132 "$apps/traffic_avx512"
expect "says so in one line" true "[ \$(wc -l <profile.err) = 1 ]" true "grep -qF vaddpd profile.err"
not_counted "AVX-512 in a child" "valgrind cannot run AVX-512 code" 132 sh -c "$apps/traffic_avx512"
not_counted "another unknown instruction" "an instruction of the program (tilerelease)" 132 "$apps/traffic_avx512" tile
not_counted "a static program that forks" "starts processes in a way" 3 "$apps/traffic_static" fork
not_counted "generated code" "lie in no file" 3 "$apps/traffic_static" generate

# The simulated traffic of streams, region by region: within 1 % of what is known.
under traffic "$apps/traffic_streams"
awk '
    function off(got, wanted) { return got > wanted * 1.01 + 8192 || got < wanted * 0.99 - 8192 }
    { match($0, /"[^"]*"/); name = substr($0, RSTART, RLENGTH) }
    FILENAME == "out" { read[name] = $(NF - 2); write[name] = $NF; next }
    !(name in read) { next }
    off($(NF - 2), read[name]) || off($NF, write[name]) {
        print "not ok traffic " name ": read", $(NF - 2), "of", read[name] ", write", $NF, "of", write[name]
        next
    }
    { print "ok traffic " name }' out profile
expect "all of them" status 0 true "[ \$(grep -c '^region' out) = \$((\$(grep -c '^region' profile) - 1)) ]"

# Threads share the simulated last level: two of them make the traffic that one makes.
triad_traffic() {
    export OMP_NUM_THREADS="$1"
    under traffic "$apps/triad" 400000 2
    unset OMP_NUM_THREADS
    number "$2" "$(grep '^region "triad"' profile)"
}
for key in read write; do
    one=$(triad_traffic 1 $key) two=$(triad_traffic 2 $key)
    expect "traffic of threads: $key" true "awk 'BEGIN { exit !($one > 1000000 && $two > $one * 0.98 && $two < $one * 1.02) }'"
done
end_of_cases
