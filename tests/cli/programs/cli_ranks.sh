# shellcheck shell=sh
# Ranks and MPI calls without an installed MPI: launcher variables are set, and a stand-in library replaces MPI.
# shellcheck disable=SC2016 # conditions are evaluated by expect
. "$(dirname "$0")/../cli.sh"
unset OMPI_COMM_WORLD_RANK OMPI_COMM_WORLD_SIZE PMI_RANK PMI_SIZE SLURM_PROCID SLURM_STEP_NUM_TASKS
CC=${CC:-cc}
apps=$tests/apps marks=$tests/../probe/marks
point() { json "points.*.$1" <"${2:-out}" | xargs echo; }

# Work within MPI is not counted for the program, however long it waits. Arguments and results pass through.
with="-std=gnu11 -D_GNU_SOURCE -O2 -pthread -I$marks"
# shellcheck disable=SC2086
$CC $with -shared -fPIC -o libstandin.so "$apps/mpi_stand_in.c" &&
    $CC $with -o waits "$apps/mpi_waits.c" "$BUILD/libcarmine.a" -L. -lstandin -Wl,-rpath,"$work" &&
    $CC $with -DPLUGIN -shared -fPIC -o libwaits.so "$apps/mpi_waits.c" "$BUILD/libcarmine.so" -L. -lstandin -Wl,-rpath,"$work:$BUILD" &&
    $CC $with -o plugin "$apps/mpi_plugin.c" || echo "not ok the programs are built"
for way in ./waits "./waits interrupted" ./plugin; do
    # shellcheck disable=SC2086
    run app --repeat 1 --json -- $way
    expect "$way: its own flop alone" status 0 err "100000 flop" not "flop?" true '[ "$(point flop)" = 100000 ]' \
        true '[ "$(json program.flop <out)" = 100000 ]' true '[ "$(point ranks)" = null ]'
    expect "$way: calls of MPI, one within another once" true '[ "$(point mpi_calls)" = 200 ]' true '[ "$(json program.mpi_calls <out)" = 302 ]' \
        true '[ "$(point mpi_instructions)" -gt 10000 ]' true '[ "$(json program.mpi_bytes <out)" -gt 0 ]'
    # The region waits 200 times for 0 to 0.6 ms, and does little else.
    expect "$way: time in MPI" true 'json points.0.seconds points.0.mpi_seconds <out | xargs | awk "{ exit !(\$2 > 0.03 && \$2 < \$1) }"'
done

# Constructors of libraries run before main: their work is MPI's if an MPI library is loaded, otherwise the program's.
echo 'volatile double s; __attribute__((constructor)) static void start(void) { for (int i = 0; i < 5000; i++) s += 1.5; } void NAME(void) {}' >start.c
echo 'volatile double s; int main(void) { for (int i = 0; i < 1000; i++) s += 1.5; }' >main.c
for case in PMPI_Init=1000 other=6000; do
    $CC -DNAME="${case%=*}" -shared -fPIC -o "lib${case%=*}.so" start.c &&
        $CC -o "with${case%=*}" main.c -Wl,--no-as-needed -L. "-l${case%=*}" -Wl,-rpath,"$work"
    run app --repeat 1 --json -- "./with${case%=*}"
    expect "constructors of a library with ${case%=*}" status 0 true "[ \$(json program.flop <out) = ${case#*=} ]"
done

# Jumps and exceptions leave MPI calls: the work after them is the program's.
# shellcheck disable=SC2086
if c++ -O2 -pthread -o left "$apps/mpi_left.cpp" -L. -lstandin -Wl,-rpath,"$work" 2>/dev/null; then
    for way in jump inner throw alarm; do
        run app --repeat 1 --json -- ./left $way
        expect "calls of MPI that are left: $way" status 0 out "" true '[ "$(json program.flop <out)" = 26000 ]' \
            true '[ "$(json program.mpi_calls <out)" = 30 ]' true 'json program.seconds program.mpi_seconds <out | xargs | awk "{ exit !(\$2 <= \$1) }"'
    done
else
    skip "calls of MPI that are left" "there is no C++ compiler"
fi

cp "$tests/../results/zen3-2-cores-vm.json" judged.json
run app --repeat 1 -o judged.json --all -- ./waits
expect "a point that waits in MPI" status 0 out "of which it uses little; " out "of its time is in MPI" out "ranks and MPI"

# A launcher like those of MPIs.
cat >launch <<'LAUNCH'
#!/bin/sh
count=$1 rank=0
shift
while [ $rank -lt "$count" ]; do
    OMPI_COMM_WORLD_RANK=$rank OMPI_COMM_WORLD_SIZE=$count "$@" &
    rank=$((rank + 1))
done
wait
LAUNCH
cat >work <<'WORK'
#!/bin/sh
[ "$OMPI_COMM_WORLD_RANK" != 2 ] || exec "$BUILD/apps/triad" 20000 10
exec "$BUILD/apps/triad" 10000 10
WORK
chmod +x launch work
run app --repeat 1 --json -- ./launch 3 "$BUILD/apps/triad" 10000 10
expect "points of the ranks, and none of the launcher" status 0 \
    true '[ "$(json points.*.name <out | xargs)" = "triad/triad triad/triad rank 0 triad/triad rank 1 triad/triad rank 2" ]' \
    true '[ "$(point flop)" = "600000 200000 200000 200000" ]' true '[ "$(json program.name program.processes <out | xargs)" = "triad 3" ]'
run app --repeat 1 --name mine --by program -- ./launch 2 "$BUILD/apps/triad" 1000 1
expect "a name that was given" status 0 out "mine rank 1" not "launch"
run app --repeat 1 --json -- ./launch 3 ./work
expect "ranks of unequal work" status 0 true '[ "$(point flop)" = "800000 200000 200000 400000" ]' true '[ "$(json program.name <out)" = work ]'

run app --repeat 1 -- ./launch 2 sh -c 'OMPI_COMM_WORLD_SIZE=3 exec "$@"' rank "$BUILD/apps/triad" 1000 1
expect "ranks that are not here" status 2 err "1 of 3 ranks ran on other nodes" err-lines 3

# Carmine in each rank: each rank runs once, and the last one merges all. Files of an unfinished launch are removed.
mkdir ranks-tmp
export TMPDIR=$work/ranks-tmp
start ./launch 1 sh -c 'OMPI_COMM_WORLD_SIZE=2 exec "$0" app -- sh -c "exit 3"' "$carmine"
expect "a rank alone tells nothing" lines 0 true '[ -n "$(ls ranks-tmp)" ]'
start ./launch 3 "$carmine" app --json -- "$BUILD/apps/triad" 10000 10
expect "carmine in each rank counts" status 0 err "counted, not timed" true '[ "$(point flop)" = "600000 200000 200000 200000" ]' \
    true '[ "$(point seconds)" = "null null null null" ]' true '[ -z "$(ls ranks-tmp)" ]'
start ./launch 3 "$carmine" app -o my.json -- "$BUILD/apps/triad" 10000 10
expect "and keeps" status 0 err "4 points added to my.json" true '[ "$(ls my.json.ranks | wc -l)" = 3 ]'
for launch in 1 2; do
    start ./launch 3 "$carmine" app -o my.json --run time --json -- "$BUILD/apps/triad" 10000 10
    expect "a launch for its time: $launch" status 0 err "4 instead of an earlier one" true '[ "$(point flop)" = "600000 200000 200000 200000" ]' \
        true '[ "$(point repetitions)" = "'"$launch $launch $launch $launch"'" ]' true '[ "$(json points.0.flop_per_s <out)" != null ]'
done
start ./launch 2 "$carmine" app -o my.json -- "$BUILD/apps/triad" 10000 10
expect "another number of ranks takes their place" status 0 true '[ "$(json points.*.name <my.json | xargs)" = "triad/triad triad/triad rank 0 triad/triad rank 1" ]'
start env OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2 "$carmine" app -o alone.json -- sh -c 'exit 3'
expect "a rank's exit status is its program's" status 3 lines 0

# Files merged with --merge, as from several nodes.
run app --merge my.json.ranks/*.json -o whole.json
expect "launches of different numbers of ranks are refused" status 2 err "merge files with equal numbers of ranks" no-file whole.json
rm my.json.ranks/*
start ./launch 3 "$carmine" app -o my.json -- "$BUILD/apps/triad" 10000 10
run app --merge my.json.ranks/*.json -o whole.json --json --instructions
expect "files of ranks are merged" status 0 true '[ "$(point flop)" = "600000 200000 200000 200000" ]' true '[ "$(json "points.*.count.flop.f64.128" program.count.flop.f64.128 <out | xargs)" = "600000 200000 200000 200000 660000" ]' err "4 points added to whole.json"
run app --merge -o whole.json my.json.ranks/*rank[02].json
expect "a rank that is lacking" status 2 err "rank 1 of 3 is in none of the files" err-lines 1
start ./launch 3 "$carmine" app -o my.json --run time -- "$BUILD/apps/triad" 10000 10
run app --merge -o whole.json $(ls -t my.json.ranks/*.json | tail -n 5)
expect "a launch that did not end" status 2 err "unfinished launches" err-lines 1
measure_sample
run app --merge sample.json -o whole.json
expect "a file without ranks" status 2 err "no points of single ranks" err-lines 1
refuses "--merge without a file for the points" "needs -o FILE" app --merge my.json
OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 refuses "what needs several runs" "runs once" app --repeat 3 -- true
OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_LOCAL_SIZE=1 refuses "several nodes without a file" "on other nodes" app -- true
end_of_cases
