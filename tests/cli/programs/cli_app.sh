#!/bin/sh
# carmine app: what the measured program gets, the points from its runs, where they are stored, and errors.
. "$(dirname "$0")/../cli.sh"
export TMPDIR="$work/tmp" OMP_NUM_THREADS=1
unset LD_PRELOAD
ulimit -c 0
mkdir tmp
triad="$BUILD/apps/triad 20000 5"
app() { run app --repeat 3 "$@"; }
left_nothing() { [ -z "$(ls tmp)" ] && echo "ok no temporary files: $1" || echo "not ok no temporary files: $1: $(ls tmp)"; }
point() { json "points.*.$1" <"$2" | xargs echo; } # KEY FILE: the values of all points

# shellcheck disable=SC2086
{
# Without a result.
app $triad
expect "a program without a result" status 0 out "sum 1399930000" out "triad/triad" out "no f64 ceiling" err "no roofs to judge by" true '[ "$(grep -c "^sum" out)" = 1 ]' true '[ "$(ls)" = "$(printf "err\nout\ntmp")" ]'
left_nothing "a program without a result"
app --all --by program $triad
expect "all of it" status 0 out "quartiles" out "counted" out "3 runs"
app -o new.json $triad
expect "a result without roofs" status 0 file new.json err "carmine run --resume new.json" true '[ "$(point name new.json)" = triad/triad ]' true '[ "$(json samples <new.json)" = 0 ]'
run run $short --resume new.json
expect "which gets its roofs later" status 0 true '[ "$(point name new.json)" = triad/triad ]' true '[ "$(json samples <new.json)" = 1 ]'

# Exact counts, in the file and as show prints them.
measure_sample
cp sample.json points.json
app -o points.json $triad
expect "the answer, in one screen" status 0 true 'sed 1,2d out | head -n 1 | grep -q "^triad: "' true '[ "$(wc -l <out)" -le 24 ]' true '[ "$(LC_ALL=C.UTF-8 wc -L <out)" -le 80 ]' true 'grep -Eq "^ +time +share +flop/s " out' out "Rows    3 runs; "
expect "points are added to a result without any" status 0 err "1 point added to points.json" true '[ "$(json samples <points.json)" = 3 ]' true '[ "$(point name points.json)" = triad/triad ]'
run show points.json --json
expect "the marked region's counts" status 0 true '[ "$(point flop out)" = 200000 ]' true '[ "$(point load_bytes out)" -ge 1600000 ]' true '[ "$(point load_bytes out)" -le 1610000 ]' true '[ "$(point store_bytes out)" -ge 800000 ]' true '[ "$(point store_bytes out)" -le 808000 ]'
expect "what is known of it" true '[ "$(point part out) $(point region out) $(point threads out) $(point calls out)" = "region triad 1 1" ]' true '[ "$(json points.*.sources.seconds points.*.sources.flop points.*.sources.core_bytes points.*.sources.dram_bytes <out | xargs)" = "clock counted counted null" ]' true '[ "$(point repetitions out)" = 3 ]' true '[ -n "$(point ratio_of out)" ] && [ "$(point ratio_of out)" != null ]'
run show points.json
expect "show names it and its roof" status 0 out "triad/triad" out "% of"
run show points.json --all
expect "show --all tells all of it" status 0 out "applications" out "triad/triad" out "counted"
app -o points.json $triad
expect "the same name takes its place" status 0 err "1 instead of an earlier one" true '[ "$(point name points.json)" = triad/triad ]'
app -o points.json --by program $triad
expect "--by program" status 0 true '[ "$(point name points.json)" = "triad/triad triad" ]'
app -o points.json --name other --by region $triad
expect "--name and --by region" status 0 true '[ "$(point name points.json)" = "triad/triad triad other/triad" ]'
app -o points.json --all --by function -- "$BUILD/apps/triad" 20000 4000
expect "--by function" status 0 out "triad/triad" out "sampled" true 'json points.*.function <points.json | grep -q triad'
app --json "$BUILD/apps/regions" unnamed
expect "a region with an empty name is a point" status 0 true '[ "$(point region out)" = "(no name)" ]' true '[ "$(point flop out) $(point calls out)" = "14 2" ]'
app --by program --flop 240000 --bytes 7200000 --json -- $triad
expect "stated quantities beside what was executed" status 0 true '[ "$(point flop out) $(point core_bytes out)" = "240000 7200000" ]' true '[ "$(point executed_flop out)" -ge 240000 ]' true '[ "$(json points.*.sources.flop points.*.sources.core_bytes <out | xargs)" = "stated stated" ]'
expect "with --json the program prints elsewhere" err "sum 1399930000" not "Remedy"
app --instructions $triad
expect "--instructions" status 0 out "f64" out "instructions" out "move"
app --instructions --json $triad
expect "--instructions as JSON" status 0 true '[ "$(json points.0.count.flop.f64.scalar points.0.count.flop.f64.128 <out | xargs)" != "" ]' true '[ "$(json points.0.count.mix.move program.count.instructions <out | wc -l)" = 2 ]'
run app --repeat 1 --json $triad
expect "one run is not unstable, and looking up symbols leaves no doubt" status 0 not "unstable" not "some bytes unknown"
cat >named.cpp <<'CPP'
namespace space {
struct solver { __attribute__((noinline)) double run(const double *x, int n) const { double s = 0; for (int i = 0; i < n; i++) s += x[i] * x[i]; return s; } };
}
int main() { static double x[1000]; volatile double s = 0; for (int i = 0; i < 3000; i++) s = s + space::solver().run(x, 1000); return 0; }
CPP
if c++ -O1 -o named named.cpp 2>/dev/null; then
    app --by function --json ./named
    expect "names of C++ as in the source" status 0 out '"named/space::solver::run"' out '"space::solver::run(double const*, int) const"'
else
    skip "names of C++" "there is no C++ compiler"
fi
app -o points.json --plot points.svg $triad
expect "--plot" status 0 file points.svg
"$carmine" app --repeat 1 -o both.json sleep 1 >/dev/null 2>&1 &
app -o both.json --by program $triad
wait
expect "two at a time lose no point" status 0 true '[ "$(point name both.json)" = "triad sleep" ]'
run run $short --resume points.json
expect "a resumed run keeps points" status 0 true '[ "$(json points <points.json)" -ge 3 ]'

# Which result's roofs judge the points.
mkdir results
cp sample.json results/a.json
sed 's/"started_utc": "20[0-9]*/"started_utc": "2099/' sample.json >results/b.json
sed 's/"started_utc": "20[0-9]*/"started_utc": "2199/; s/"brand": *"[^"]*"/"brand": "Another CPU"/' sample.json >results/c.json
sed 's/"started_utc": "20[0-9]*/"started_utc": "2199/; s/"machine_core_count": *[0-9]*/"machine_core_count": 999/' sample.json >results/cores.json
echo "no JSON" >results/d.json
cp -r results before
app $triad
expect "judged by the newest result of this machine" status 0 err "judged by results/b.json; -o results/b.json adds" true "diff -r results before" not "no f64 ceiling"
app -o results/c.json $triad
expect "a result of another machine" status 0 err "Another CPU" out "other machine" true 'point doubts results/c.json; json points.*.doubts.* <results/c.json | grep -q "other machine"'
rm -r results before

# The program's arguments, input, environment and output.
app sh -c 'echo "$@" >arguments' x --repeat -o --help -- y
expect "what follows the program is its own" status 0 true '[ "$(cat arguments)" = "--repeat -o --help -- y" ]'
app -- sh -c 'echo $0' --json
expect "after -- too" status 0 lines "$(wc -l <out)" true '[ "$(head -n 1 out)" = --json ]'
printf 'one\ntwo\n' >lines
start sh -c '"$1" app --repeat 3 sh -c "cat >>input; echo >>input" <lines' sh "$carmine"
expect "every run gets its file from the start" status 0 true '[ "$(tr "\n" . <input)" = one.two..one.two..one.two..one.two.. ]'
rm input
start sh -c '{ cat lines; exec 3>&1 1>&-; sleep 0; } | "$1" app --repeat 3 sh -c "cat >>input; echo >>input"' sh "$carmine"
expect "and what comes through a pipe" status 0 true '[ "$(tr "\n" . <input)" = one.two..one.two..one.two..one.two.. ]'
head -c 3000 /dev/urandom >binary
app cat binary
expect "bytes pass as they are" status 0 true 'head -c 3000 out | cmp - binary'
CARMINE_COLLECT_FOLDER=elsewhere app sh -c 'ls -d "$CARMINE_COLLECT_FOLDER" >>folders'
expect "each run has its own folder" status 0 true '[ "$(sort -u folders | wc -l)" = 4 ]' true '! grep -q elsewhere folders'
app --json sh -c "$BUILD/apps/triad 1000 10; $BUILD/apps/triad 1000 20"
expect "programs that it starts count too" status 0 true '[ "$(point flop out)" = 60000 ]' true '[ "$(point calls out)" = 2 ]' true '[ "$(point processes out)" -ge 2 ]' true '[ "$(grep -c "^sum" err)" = 2 ]'

run app --repeat 1 --json --by program "$BUILD/apps/threads" turns
expect "threads that run one after the other are one" status 0 true '[ "$(point threads out)" = 1 ]'
run app --repeat 1 --json --by program "$BUILD/apps/threads" beside
expect "those beside each other are all" status 0 true '[ "$(point threads out)" = 4 ]'
run app --repeat 1 --json --by program "$BUILD/apps/threads" late
expect "also after one has worked alone" status 0 true '[ "$(point threads out)" = 4 ]'

# Killed processes: their work is counted if the signal lets them report it; otherwise a warning says that it is
# missing.
run app --repeat 1 --json --by program "$BUILD/apps/processes" terminate
expect "a helper that is told to end" status 0 true '[ "$(point flop out)" = 1010 ]' not "processes killed"
run app --repeat 1 --json --by program "$BUILD/apps/processes" kill
expect "a helper that is killed" status 0 true '[ "$(point flop out)" = 1000 ]' out "processes killed"
run app --repeat 1 --json timeout -s KILL 1 sleep 5
expect "a program that kills what takes too long" status 137
run app --repeat 1 --json timeout 0.3 sleep 5
expect "a program that ends what takes too long" status 124 not "processes killed"
run app --repeat 1 --json sh -c 'sleep 3 >/dev/null 2>&1 </dev/null & sleep 0.3'
expect "a program whose child goes on" status 2 err "still runs"
if command -v python3 >/dev/null; then
    run app --repeat 1 --json python3 -c 'import multiprocessing as m
if __name__ == "__main__":
    with m.Pool(2) as p: print(sum(p.map(abs, range(100))))'
    expect "processes of Python that are terminated" status 0 err "4950"
else
    skip "processes of Python" "there is no python3"
fi

# The output of the counted run is compared with that of native runs. Parts that depend on something else are not.
for words in 'seq 30000' 'date +%s.%N; seq 10' 'date' 'for i in 1 2 3; do seq 1000 | sort -n | tail -1; done' 'seq 3000 >&2; seq 10 >file' 'echo $$'; do
    run app --repeat 3 --json sh -c "$words"
    expect "the same output: $words" status 0 not "other output" not "another output"
done
run app --repeat 3 --json sh -c 'date +%s.%N; seq 10'
expect "a time is not compared, and a note says so" status 0 out "1 line of standard output differs from run to run"
run app --repeat 1 --json sh -c 'case $LD_PRELOAD in *libcarmine-count*) echo "${CARMINE_COLLECT_FAST:-0} s" ;; *) echo "0.1 s" ;; esac'
expect "nor is a time with few digits: it differs when counted with faster clocks" status 0 not "other output" out "differs from run to run"
differs='case $LD_PRELOAD in *libcarmine-count*) echo a 3 ;; *) echo a 4 ;; esac'
for repeat in 1 2 3; do
    rm -f other.json
    run app --repeat $repeat -o other.json sh -c "$differs"
    expect "another output makes no point, of $repeat native runs" status 2 err 'standard output differs from byte 2 on: "4\n" natively, "3\n" counted' err "--force" no-file other.json lines 1
done
run app --repeat 3 --force -o other.json --json sh -c "$differs"
expect "unless it is forced" status 0 out "other output" out "another output when counted" true 'json points.*.doubts.* <other.json | grep -q "other output"'
run app --repeat 2 --json sh -c "date +%s%N; seq 100; $differs"
expect "also beside a time" status 2 err "standard output differs from byte 31" # the time has 20 bytes
run app --repeat 3 --json sh -c "{ $differs; } >&2"
expect "standard error is compared" status 2 err "standard error differs from byte 2"
run app --repeat 3 --json sh -c "{ $differs; } >file"
expect "a file is compared" status 2 err "file file differs from byte 2"
run app --repeat 3 --json sh -c 'case $LD_PRELOAD in *libcarmine-count*) seq 1000 ;; *) seq 10 ;; esac'
expect "a program that finds the counter prints more" status 2 err 'from byte 21 on: nothing natively, "11\n12\n'
run app --repeat 3 --json sh -c 'case $LD_PRELOAD in *libcarmine-count*) ;; *) printf "\033\351\t" ;; esac'
expect "or less, and is safe to show" status 2 err 'from byte 0 on: "\x1b\xe9\x09" natively, nothing counted'
run app --repeat 3 --json sh -c 'n=$(cat n 2>/dev/null || echo 10); echo $((3 * n)) >n; seq $n'
rm n
expect "but not where two native runs differ as well" status 0 not "other output"
run app --repeat 3 --json sh -c 'case $LD_PRELOAD in *libcarmine-count*) seq 9 -1 1 ;; *) seq 9 ;; esac'
expect "the same lines in another order are the same output" status 0 not "other output"

# With fast time, waits take as long as they should by the program's own clock.
mkdir fast
start env CARMINE_COLLECT_FAST=1 CARMINE_COLLECT_FOLDER="$work/fast" LD_PRELOAD="$BUILD/libcarmine-count.so" "$BUILD/apps/paced"
expect "fast time: sleeps, timers, and work of its own and of a child" status 0 lines 0
# Work that depends on time: no rate is shown if the timed run and the counted run did different work.
for way in clock alarm thread calibrate; do
    run app --repeat 1 --json --by program "$BUILD/apps/timed" $way
    expect "a program that works for a given time: $way" status 0 out "runs differ" true '[ "$(point flop out)" = null ]' true '[ "$(point flop_per_s out)" = null ]'
done
run app --repeat 3 --json "$BUILD/apps/timed" clock
expect "its calls of a region are alike: counted per call" status 0 true '[ "$(json program.flop <out)" = null ]' \
    true '[ "$(point flop out)" = $((20000 * $(point calls out))) ]' true '! json points.0.doubts <out | grep -q differ'
run app --repeat 1 --json "$BUILD/apps/timed" grow
expect "but not where each does more" status 0 true '[ "$(point flop out)" = null ]' true '[ "$(json points.0.doubts.0 <out)" = "runs differ" ]'
run app --repeat 1 --json "$BUILD/apps/timed" steady
expect "looking at the time alone is no reason to doubt" status 0 true '[ "$(point flop out)" = 1000000 ]' not "runs differ"

# Ends of the program: statuses, signals, crashes.
cp points.json before.json
app -o points.json --json sh -c 'exit 3'
expect "an exit status is noted" status 3 true '[ "$(json exit_status notes.0 <out | xargs)" = "3 exit status 3 each time" ]'
app -o points.json sh -c 'exit 3'
expect "an exit status is passed on" status 3 out "exit status 3 each time" true 'json points.*.name <points.json | grep -qx sh'
app sh -c 'exit 2'
expect "and is not carmine's own" status 2 err-lines 1 not "carmine app:"
cp before.json points.json
for signal in 6 9 11 15; do
    app -o points.json sh -c "kill -$signal \$\$"
    expect "killed by signal $signal" status $((128 + signal)) err "killed by signal" err "nothing was added" lines 0 true "cmp points.json before.json"
done
app -o points.json sh -c '[ -z "$LD_PRELOAD" ]'
expect "a program that fails where libraries are preloaded" status 2 err "exit status 1 when a library is preloaded" err "exit status 0 by itself" err-lines 1 true "cmp points.json before.json"
echo 'int main(void) { return 0; }' >checked.c
if ${CC:-cc} -fsanitize=address -o checked checked.c 2>/dev/null && ./checked && ! LD_PRELOAD=$BUILD/libcarmine-papi.so ./checked 2>/dev/null; then
    app -o points.json ./checked
    expect "a program that is built with a sanitizer" status 2 err "libasan" err "measure a build without -fsanitize" true "cmp points.json before.json"
else
    skip "a program that is built with a sanitizer" "there is none here, or it bears preloaded libraries"
fi
for ending in "exit 1, exit status 1" "kill -TERM \$\$, signal 15" "kill -KILL \$\$, signal 9" "kill -SYS \$\$, signal 31"; do
    echo 0 >n
    app -o points.json sh -c "n=\$((\$(cat n) + 1)); echo \$n >n; [ \$n != 3 ] || ${ending%,*}"
    expect "runs that are not alike: $ending" status 2 err "${ending#*, }" err "in another run" err "its runs differ" true "cmp points.json before.json"
done
app sh -c 'case $LD_PRELOAD in *libcarmine-count*) exit 4 ;; esac'
expect "another ending when it is counted" status 2 err "exit status 4 when it was counted"
app sh -c 'case $LD_PRELOAD in *libcarmine-count*) kill -11 $$ ;; esac'
expect "a crash when it is counted" status 2 err "carmine app: "
left_nothing "after failures"

# Interrupted: the program gets the signal, and nothing is added to the file.
start timeout --foreground -s INT 1 "$carmine" app -o points.json sleep 20
expect "interrupted" true '[ "$(cat err)" = "carmine app: interrupted; nothing was added" ]' true "cmp points.json before.json"
start sh -c 'timeout --foreground -s TERM 1 "$1" app -o points.json sleep 20; [ $? = 124 ]' sh "$carmine"
expect "terminated" status 0 err "interrupted" true "cmp points.json before.json"
rm -f ready
"$carmine" app -o points.json sh -c 'trap "" TERM; touch ready; while :; do sleep 0.05; done' 2>err >out &
pid=$!
while [ ! -e ready ]; do sleep 0.05; done
while grep -q '^State:.[^Z]' /proc/$pid/status; do # two signals that arrive before it runs again merge into one
    kill $pid
    sleep 0.2
done
wait $pid
status=$?
expect "a program that ignores it is killed by the second signal" status 143 err "interrupted; nothing was added" true "cmp points.json before.json"
left_nothing "after interruptions"

# Files that are no programs, and programs that cannot be measured.
refuses "no such program" "no such program in PATH" app no-such-program
refuses "no such file" "No such file" app ./no-such-program
refuses "no program at all" "missing argument" app
refuses "not executable" "not executable" app ./lines
refuses "a folder" "not a program" app ./tmp
chmod +x lines
refuses "neither a program nor a script" "#!/bin/sh" app ./lines
refuses "--by region without marks" "marks none" app --by region true
refuses "--counters papi without counters, or with" "" app --counters papi --repeat 1 ./no-such-program
for value in 0 -1 1.5 abc 100000 ""; do
    refuses "--repeat '$value'" "--repeat" app --repeat "$value" true
done
for option in flop bytes; do
    refuses "--$option 0" "--$option must be a positive number" app --$option 0 true
done
refuses "--counters foo" "unknown counters 'foo'; known: auto, count, papi" app --counters foo true
refuses "--by foo" "unknown by 'foo'" app --by foo true
refuses "--name without a name" "--name takes" app --name "" true
refuses "--events without a file" "no.events" app --events no.events true
refuses "stated quantities of functions" "not to functions" app --by function --flop 1 true
refuses "a folder that is missing" "missing/x.json" app -o missing/x.json true
refuses "a result that is none" "lines: line 1" app -o lines true
cat >static.c <<'C'
int main(void) { volatile double a = 3; for (int i = 0; i < 1000; i++) a = a * 0.5 + 1; return a > 100; }
C
if ${CC:-cc} -O1 -static -o static static.c 2>/dev/null; then
    app --json ./static
    expect "a static program is counted" status 0 true '[ "$(json points.*.sources.flop <out)" = counted ]' true '[ "$(point flop out)" = 2000 ]'
    refuses "but not by the CPU's counters" "linked statically" app --counters papi ./static
else
    skip "a static program" "there is no compiler, or no static C library"
fi
if [ "$(id -u)" = 0 ] && cp /bin/true privileged && chown 65534 privileged && chmod u+s privileged; then
    refuses "a setuid program" "setuid" app ./privileged
    app --all --flop 1 --bytes 1 ./privileged
    expect "unless it is stated what it does" status 0 out "stated" out "setuid"
else
    skip "a setuid program" "only root can make one"
fi
mkdir lonely
cp "$carmine" lonely/carmine
start lonely/carmine app true
expect "without the collectors" status 2 err "libcarmine-papi.so is neither" err-lines 1
mkdir "a folder" "a folder/lib"
cp "$carmine" "$BUILD"/libcarmine-*.so "a folder"
start "a folder/carmine" app --json --repeat 3 -- $triad
expect "from a folder with a blank in its name" status 0 true '[ "$(point flop out)" = 200000 ]'

mkdir -p installed/bin installed/lib/carmine
cp "$carmine" installed/bin && cp "$BUILD"/libcarmine-*.so installed/lib/carmine
start installed/bin/carmine app --json --repeat 3 -- $triad
expect "as it is installed" status 0 true '[ "$(point flop out)" = 200000 ]'

# Events of the program itself, which PAPI counts on any machine, stand in for the CPU's counters.
cat >events <<'EVENTS'
f64_flop = sde:::carmine_test::flop
loads = sde:::carmine_test::loads
stores = sde:::carmine_test::stores # instructions
width_bytes = sde:::carmine_test::flop * 8
EVENTS
app --counters papi --events events --json "$BUILD/apps/own_events"
if grep -q "Events were not counted" out; then
    skip "events" "$(grep "Events were not" out)"
else
    expect "events that PAPI counts" status 0 true '[ "$(point name out) $(point flop out)" = "own_events/work 1000" ]' true '[ "$(point load_bytes out) $(point store_bytes out)" = "4000 1600" ]' true '[ "$(json points.*.sources.flop points.*.sources.core_bytes <out | xargs)" = "counters estimated" ]' true '[ "$(json program.flop <out)" = 1010 ]' true 'json points.*.doubts.* <out | grep -q "not calibrated"'
fi
sed 's/stores = .*/stores = no:::such::event/' events >wrong
refuses "an event that there is not" "no:::such::event" app --counters papi --events wrong "$BUILD/apps/own_events"

# A full disk: the result is unchanged.
cp "$tests/../results/granite-rapids-2-cores-vm.json" large.json
cp large.json before.json
start sh -c 'trap "" XFSZ; ulimit -f 100; "$1" app --repeat 3 --flop 1 --bytes 1 -o large.json true' sh "$carmine"
expect "a full disk" status 2 err "cannot write large.json" true "cmp large.json before.json" true '[ "$(ls large.json*)" = large.json ]'
left_nothing "at the end"
}
end_of_cases
