#!/bin/sh
# Runs each command repeatedly; each time another allocation fails (fail_allocation.c). The command then reports a lack
# of memory with status 2, or works as usual. It never dies of a signal, shortens its output, or creates or changes a
# file.
. "$(dirname "$0")/../cli.sh"
samples=$tests/imports
if ! ${CC:-cc} -D_GNU_SOURCE -O1 -Wall -Wextra -shared -fPIC -o fail.so "$tests/support/fail_allocation.c" -lgcc_s; then
    echo "not ok the library that lets allocations fail"
    end_of_cases
    exit
fi
export OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive # with many threads that wait for each other a thousand runs take minutes
mkdir files && cd files || exit 2
cp "$tests/../results/granite-rapids-1-core-vm.json" a.json
cp "$tests/../results/zen3-2-cores-vm.json" b.json
mkdir all nodes
"$BUILD/tests/helpers/fleet" a.json 25 all >../planted
mv all/node000[1-6].json nodes && rm -r all

# The content of this folder without times, which change with each successful import.
content() { find . -type f | sort | xargs sed -E 's/"(measured_utc|started_utc|command_line)": ?"[^"]*"/"\1": "…"/g' | cksum; find . | sort; }
# fails_well NAME FILE COMMAND…: FILE is the file that the command writes; "": none.
fails_well() {
    case_name=$1 written=$2
    shift 2
    "$carmine" "$@" >../before 2>&1 # makes the file that must survive
    content >../before
    if ! FAIL_KEEPS=$written FAIL_STREAMS=../fail LD_PRELOAD=../fail.so "$carmine" "$@" >../said 2>&1; then
        echo "not ok $case_name: $(cat ../said)"
    elif ! content | cmp -s - ../before; then
        echo "not ok $case_name: other files: $(content | diff ../before - | tail -n 3)"
    else
        echo "ok $case_name: $(tail -n 1 ../said)"
    fi
}
# Each way to end once: text, JSON, CSV, JUnit, drawings, a page.
fails_well "show" "" show a.json
fails_well "compare --json" "" compare a.json b.json --json
fails_well "fleet --csv" "" fleet nodes --csv
fails_well "check --junit" check.xml check --baseline a.json a.json --junit check.xml
for file in a.svg a.png a.html; do
    fails_well "plot $file" $file plot a.json -o $file
done
fails_well "plot several.html" several.html plot a.json b.json -o several.html
fails_well "plot" "" plot a.json
fails_well "compare --plot" compare.svg compare a.json b.json --plot compare.svg
fails_well "spec" "" spec a.json

# A failed import leaves the result unchanged, and its lock leaves no empty file.
imports() { # FORMAT RESULT FILES OPTIONS: imports into the result
    format=$1 file=$2
    shift 2
    fails_well "import $format" "$file" import "$format" "$@" -o "$file" --machine "Somebody's"
}
imports likwid-perfctr cpu.json "$samples/likwid_mem_dp.csv"
imports ert cpu.json "$samples/ert.json"
imports csv cpu.json "$samples/plain.csv"
imports nvprof gpu.json "$samples/nvprof_metrics.csv" "$samples/nvprof_times.csv"

# Drawing libraries under memory limits. Under the smallest ones the loader cannot load them.
rm -f a.png
wrong=
for kib in $(seq 30000 2000 76000); do
    (ulimit -v "$kib" && exec "$carmine" plot a.json -o a.png) >../out 2>../err
    status=$?
    case $status in
    0) rm a.png ;;
    2) grep -q memory ../err || wrong="$wrong, $kib KiB: $(cat ../err)" ;;
    127) ;;
    *) wrong="$wrong, $kib KiB: status $status" ;;
    esac
done
leftover=$(ls | grep 'png')
[ -z "$wrong$leftover" ] && echo "ok a picture in little memory" || echo "not ok a picture in little memory: ${wrong#, } $leftover"
end_of_cases
