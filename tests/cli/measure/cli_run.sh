#!/bin/sh
# carmine run: where results are written, interruption and resumption, and restricted surroundings (one CPU, no huge
# pages, a plain user).
. "$(dirname "$0")/../cli.sh"
cpus() { taskset -cp $$ 2>/dev/null | sed 's/.*: *//'; }
thread_counts() { "$carmine" show "$1" --json | json 'roofs.*.threads' | sort -un | xargs echo; }
kernels_of() { "$carmine" show "$1" --json | json 'roofs.*.name' | sort -u | xargs echo; }
is_svg() { head -c 200 "$1" | grep -q '<svg\|<?xml'; }

# Names of results.
run run $short
expect "a run names its result" status 0 out "f64 peak" err "result in results/" true "[ \$(ls results/*.json | wc -l) = 1 ]"
cp results/*.json earlier.json
run run $short
expect "two runs give two results" status 0 true "[ \$(ls results/*.json | wc -l) = 2 ]" true "[ \$(ls results/*.svg | wc -l) = 2 ]"
ls results/*.json >names
expect "the earlier one is untouched" true 'cat names | while read f; do cmp -s "$f" earlier.json && echo same; done | grep -q same'
run run $short -o x.json
expect "-o names the result, the picture is beside it" status 0 file x.json file x.svg true "is_svg x.svg" true "json <x.json"
echo "not a result" >y.json
run run $short -o y.json
expect "-o replaces" status 0 true "json schema <y.json"
expect "and leaves nothing else" true "[ -z \"\$(ls | grep tmp)\" ]"
ln -s y.json link.json
run run $short -o link.json
expect "-o through a link replaces its target" status 0 true "[ -L link.json ]" true "json <y.json"
run run $short -o /dev/null
expect "-o /dev/null" status 0 no-file /dev/null.svg true "[ -c /dev/null ]"
run run $short -o z.json --json
expect "run --json" status 0 true "json schema roofs <out" true '[ "$(json schema <out)" = carmine.roofs/1 ]'
run run --isa $isa --level L1 --mix load --threads 1 --budget 4 -o level.json
expect "one level, one pattern" status 0 true '[ "$(kernels_of level.json)" = $isa.load ]'
size=$(wc -c <x.json)
expect "a small file" true "[ $size -lt 100000 ]"
for statistic in median best upper-quartile; do
    run run $short --statistic $statistic -o s.json
    expect "--statistic $statistic" status 0 true "[ \"\$(json environment.statistic <s.json)\" = $statistic ]"
done
run run $short --pages small -o small.json
expect "--pages small" status 0
run run --isa $isa --type f64 --mix mul --threads 1 --budget 0.01 --quick -o b.json
expect "--budget and --quick" status 0 true '! json core.*.form <b.json | grep -q .' not "instructions of the core"
run run --quick --threads 1 --dry-run
expect "the plan names the core" status 0 out "instructions of the core, in at most 1 s"
run run --quick --threads 1 -o whole.json
expect "a run of all roofs holds the core, or says why not" status 0 true 'grep -q "the instructions of the core" err || json core.*.form <whole.json | grep -qx mispredict'

mkdir folder
run run $short -o folder
expect "a folder gets a new name, by host" status 0 true 'json <"$(ls folder/"$(uname -n)"-*.json)"'
# Several runs at once, like tasks of one node: each writes its own file, even under the same name.
mkdir folder/at-once folder/named
for each in 1 2 3 4; do
    "$carmine" run $short --quick -o folder/at-once >/dev/null 2>"err$each" &
done
wait
expect "four at once without a name" true '[ "$(ls folder/at-once/*.json | wc -l)" = 4 ]' \
    true 'for f in folder/at-once/*.json; do json samples <"$f" || exit 1; done'
for each in 1 2 3; do
    "$carmine" run $short --quick -o folder/named/x.json >/dev/null 2>"err$each" &
done
wait
expect "three at once of one name" true '[ "$(ls folder/named/*.json | wc -l)" = 3 ]' \
    true '[ "$(cat err1 err2 err3 | grep -c "wrote folder/named/x.json in the meantime")" = 2 ]' \
    true '! ls folder/named | grep tmp'

run run $short --quick -o elsewhere.json --plot drawn.pdf
expect "--plot names the picture" status 0 file elsewhere.json no-file elsewhere.svg true 'head -c 5 drawn.pdf | grep -q %PDF-'

# Places where results cannot be written.
refuses "a folder that is missing" "missing/x.json" run $short -o missing/x.json
refuses "/proc" "cannot write /proc/x" run $short -o /proc/x
if [ -c /dev/full ] && [ -w /dev/full ]; then
    run run $short -o /dev/full
    expect "a full disk" status 2 err "No space left"
fi
refuses "a name that is too long" "cannot write" run $short -o "$(head -c 300 /dev/zero | tr '\000' a).json"
as_user=
[ "$(id -u)" = 0 ] && as_user="setpriv --reuid 65534 --regid 65534 --clear-groups"
cp "$carmine" mine && chmod 755 mine
mkdir readonly && chmod 555 readonly
start $as_user ./mine run $short -o readonly/x.json
expect "a folder that is not ours" status 2 err "cannot write readonly/x.json" err-lines 1

# A user without rights.
if [ -z "$as_user" ]; then
    skip "a plain user" "the tests run as one anyway"
elif $as_user ./mine --version >/dev/null 2>&1; then
    mkdir theirs && chmod 777 theirs
    (cd theirs && $as_user ../mine run $short >../out 2>../err)
    status=$?
    expect "a plain user" status 0 true "json <\$(ls theirs/results/*.json)"
    start $as_user ./mine doctor
    expect "a plain user's doctor" status 0
else
    skip "a plain user" "setpriv or the folder does not let one"
fi
# A screen has the numbers that were asked for.
run run --mix chase --level L1 --threads 1 --budget 4 -o chase.json
expect "latency alone" status 0 out "latency" true 'grep -Eq "^L1 .* [pn]s" out'
run run --mix random --level L1 --threads 1 --budget 4 -o random.json
expect "random lines alone" status 0 true 'grep -Eq "^L1 .* GB/s.* random" out'
# Other programs run at the same time: this hog, and on a busy host others that use more CPU.
"$BUILD/tests/helpers/hog" compute "$(cpus | sed 's/.*[^0-9]//')" &
hog=$!
run run $short -o beside.json
kill $hog
wait $hog 2>/dev/null
others=$(json environment.others_cpus <beside.json)
expect "a result tells of other programs" status 0 true "[ -n \"\$(json environment.busiest_other <beside.json)\" ]" true "[ -n \"$others\" ]" \
    true 'json environment.busiest_other_cpus <beside.json | grep -q "[1-9]"'
run run --resume beside.json --isa $isa --type f64 --mix add --threads 1 --budget 4
expect "also when it was resumed without them" status 0 true "json environment.others_cpus <beside.json | awk '{ exit !(\$1 >= $others) }'"
run run --resume missing.json $short
expect "resuming a missing file" status 2 err "missing.json: cannot open"
sed 's/"brand": *"[^"]*"/"brand": "Another CPU"/' x.json >another.json
cp another.json before
refuses "resuming another machine's file" "is from another machine" run --resume another.json $short
expect "and it is untouched" true "cmp -s another.json before"

# Interruption. The signal comes later if nothing has been measured by then.
many="--isa scalar,$isa --type f64,f32 --mix add,mul,addmul,add2mul,fma --threads 1,all --budget 20"
for seconds in 0.7 2 5; do
    timeout --foreground --preserve-status -s INT $seconds "$carmine" run $many -o i.json >out 2>err </dev/null
    status=$?
    grep -q "before anything was measured" err || break
done
if [ $status = 0 ]; then
    skip "an interrupted run" "it was over before the signal came"
else
    expect "an interrupted run" status 2 err "interrupted" err "--resume i.json" file i.json true "json <i.json"
    run show i.json
    expect "its result can be read" status 0 out "The run ended early" true 'tr -s "\n " " " <out | grep -q "samples: it was interrupted[.]"'
    count=$("$carmine" show i.json --json | json roofs)
    run run $short --resume i.json
    expect "and resumed" status 0 out "f64 peak" true "[ \$(\"\$carmine\" show i.json --json | json roofs) -ge $count ]"
    for again in 1 2 3 4 5; do # one budget is not enough on a very busy host
        run run $many --resume i.json
        "$carmine" show i.json | grep -q "The run ended early" || break
    done
    expect "to the end" status 0 out "f32 peak" not "The run ended early"
    count=$("$carmine" show i.json --json | json roofs)
    run run $many --resume i.json # on a busy host, samples that lower the grade are measured again
    expect "when nothing is lacking, nothing is added" status 0 true \
        '[ $("$carmine" show i.json --json | json roofs) = $count ]'
fi
# shellcheck disable=SC2086
run run $many --budget 0.5 -o short.json
run show short.json
if grep -q "The run ended early" out; then
    expect "a run whose time was up" true 'tr -s "\n " " " <out | grep -q "samples: its time was up[.]"'
else
    skip "a run whose time was up" "it measured everything"
fi
cp x.json before
timeout --foreground --preserve-status -s INT 0.3 "$carmine" run -o x.json >out 2>err </dev/null
status=$?
expect "interrupted at once, the old result stays" true "[ $status != 0 ]" true "cmp -s x.json before"

# Restricted surroundings.
first=$(cpus | sed 's/[^0-9].*//')
if [ -n "$first" ]; then
    start taskset -c "$first" "$carmine" run --quick --isa $isa --type f64 --mix mul,load --level L1 --threads 1,all -o one.json
    expect "one CPU: 1 thread and all are the same" status 0 true '[ "$(thread_counts one.json)" = 1 ]'
    start taskset -c "$first" "$carmine" run --isa $isa --mix mul --threads 2
    expect "one CPU: two threads are one too many" status 2 err "at most 1"
    start taskset -c "$first" "$carmine" machine --json
    expect "one CPU: machine" status 0 true '[ "$(json usable_core_count <out)" = 1 ]'
    start taskset -c "$first" "$carmine" doctor
    expect "one CPU: doctor" status 0
else
    skip "one CPU" "there is no taskset"
fi
start env OMP_THREAD_LIMIT=1 OMP_DYNAMIC=true "$carmine" run $short -o omp.json
expect "OpenMP's variables" status 0
start "$BUILD/tests/helpers/no_huge_pages" "$carmine" run --isa $isa --type f64 --mix load --level L1 --threads 1 -o thp.json
if grep -q "no_huge_pages:" err; then
    skip "no huge pages" "the kernel does not let them be switched off"
else
    expect "no huge pages is a doubt" status 0 true 'json "samples.*.doubts.*" <thp.json | grep -qx "no huge pages"' \
        true '[ "$(json samples.0.page_bytes <thp.json)" = 4096 ]' out "no huge pages"
fi
# A memory limit just large enough for the plan has no room for buffers, whatever the size of this machine's caches.
little_kib=10000 little="run --isa $isa --mix load --level DRAM --threads 1 -o little.json"
# shellcheck disable=SC2086
until [ $little_kib -gt 400000 ] || (ulimit -v $little_kib && exec "$carmine" $little --dry-run) >/dev/null 2>&1; do
    little_kib=$((little_kib + 5000))
done
if [ $little_kib -le 400000 ]; then
    # shellcheck disable=SC2086
    (ulimit -v $little_kib && exec "$carmine" $little) >out 2>err </dev/null
    status=$?
    expect "little memory" status 2 err "cannot reserve" err "ulimit -v"
else
    skip "little memory" "the program does not start there"
fi

# The staircase.
run sweep --isa $isa --mix load --per-octave 1 --quick -o sweep.json
expect "sweep: the answer first, and the staircase" status 0 out "4 KiB" out "$isa.load" file sweep.json file sweep.svg true 'head -n 1 out | grep -Eq "^L1 (ends|shows no end)"' \
    out "Bandwidth  [GB/s]" true '[ "$(wc -l <out)" -le 40 ]'
run sweep --isa $isa --mix load --per-octave 1 --quick --csv
expect "sweep --csv" status 0 true 'is_csv out' true 'head -n 1 out | grep -q "^name,threads,small_pages,working_set_bytes,value,unit,"' true 'grep -q "^\"$isa.load\",1,0,4096,[0-9.e+]*,\"bytes_per_s\"," out'
run sweep --isa $isa --mix load --per-octave 1 --quick --json
expect "its curves as JSON" status 0 true '[ "$(json curves.0.name <out)" = $isa.load ]' true '[ "$(json curves.0.points <out)" -gt 5 ]'
run sweep --isa $isa --mix load --per-octave 1 --quick --all
expect "sweep --all" status 0 true 'grep -Eq "^ *4 KiB  $isa.load " out'
cp x.json roofs.json
for again in added replaced; do
    run sweep --isa $isa --mix load --threads 1 --per-octave 1 --quick -o roofs.json
    expect "a curve in a result with roofs is $again" status 0 no-file roofs.svg no-file roofs.json.partial true '[ "$(json samples <roofs.json)" = "$(json samples <x.json)" ]' true '[ "$(json curves.*.kernel <roofs.json | grep -c $isa.load)" = 1 ]' true '[ "$(json curves <roofs.json)" = $(($(json curves <x.json) + 1)) ]'
done
run plot roofs.json --roof median --threads 1 --point none -o medians.svg
expect "and its medians can be drawn" status 0 file medians.svg
head -c 300 x.json >cut.json
cp cut.json before
refuses "a sweep into a file that cannot be read" "remove it, or write another file" sweep --isa $isa --mix load --quick -o cut.json
expect "which it leaves alone" true "cmp cut.json before"
refuses "a sweep into another machine's roofs" "is from another machine" sweep --isa $isa --mix load --quick -o another.json
run sweep --isa $isa --mix load --per-octave 1 --quick --plot curves.png
expect "sweep --plot draws, and keeps nothing else" status 0 err-lines 0 file curves.png no-file curves.json
end_of_cases
