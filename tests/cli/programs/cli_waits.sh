#!/bin/sh
# carmine app: what a program waits for. On a busy host threads may wait for a CPU (`ready`), also after their wait for
# something else; as far as a run says so itself, less is expected of it.
. "$(dirname "$0")/../cli.sh"
unset LD_PRELOAD
cat >share.awk <<'AWK'
{ of[$1] = $2; all += $2 }
END { for (i in of) sum += index(kinds, " " i " ") ? of[i] : 0; exit !(all > 0 && sum >= low * all && sum <= 1.000001 * high * all) } # sums in another order differ in the last digit
AWK
kinds="running page_faults kernel ready locks sleep files pipes sockets devices events children pages other"
seconds() { json "program.waits.thread_seconds.$(echo "$1" | tr _ ' ')" <out; }
# share LOW HIGH KIND…: the kinds have such a share of all thread time.
share() {
    low=$1 high=$2
    shift 2
    for kind in $kinds; do echo "$kind $(seconds "$kind")"; done | awk -v low="$low" -v high="$high" -v kinds=" $* " -f share.awk
}
# waited LOW HIGH KIND…: such a share of the time in which they were not ready for a CPU.
waited() {
    low=$1 high=$2
    shift 2
    for kind in $kinds; do [ $kind = ready ] || echo "$kind $(seconds "$kind")"; done | awk -v low="$low" -v high="$high" -v kinds=" $* " -f share.awk
}
says() { grep -qF "$1" out || share 0.25 1 ready; }
# threads LOW HIGH: thread time over time.
threads() {
    for kind in $kinds; do seconds "$kind"; done |
        awk -v low="$1" -v high="$2" -v time="$(json program.seconds <out)" '{ all += $1 } END { exit !(all >= low * time && all <= high * time) }'
}
waits() { run app --repeat 5 --json -- "$BUILD/apps/waits" "$1"; }

sleep 100 &
shown=
for _ in $(seq 50); do # until it sleeps
    [ -n "$shown" ] || [ "$(wc -w 2>/dev/null <"/proc/$!/syscall")" != 9 ] || shown=yes
    [ -n "$shown" ] || sleep 0.1
done
kill $!
waits sleep
if [ -z "$shown" ]; then
    expect "a system that shows no waits" status 0 out '"waits": null' not "it slept"
    end_of_cases
    exit
fi
expect "sleeping" status 0 true 'says "of its time it slept"' true "says '\"bound_by\": \"sleep\"'" true 'waited 0.85 1 sleep' true 'threads 0.8 1.1'
expect "the number of samples" true '[ "$(json program.waits.samples <out)" -ge 10 ]'
waits lock
expect "a lock whose owner sleeps" status 0 true 'says "of its time it slept"' true 'says "of 4 threads waited for locks (futex)"' true "says '\"bound_by\": \"sleep\"'" true 'waited 0.65 0.85 locks' true 'waited 0.15 0.35 sleep' true 'threads 3 4.2'
waits pipe
expect "a pipe that nobody writes into" status 0 true 'says "of its time it waited for a pipe"' true "says '\"bound_by\": \"pipes\"'" true 'waited 0.85 1 pipes' true 'threads 0.8 1.1'
waits child
expect "a child that computes" status 0 not '"bound_by": "children"' true 'share 0.4 0.6 children' true 'share 0.4 0.6 running kernel page_faults ready' true 'threads 1.7 2.2'
waits thread
expect "two threads of which one runs" status 0 not '"bound_by": "locks"' true 'share 0.4 0.6 locks' true 'share 0.4 0.6 running kernel page_faults ready' true 'threads 1.7 2.2'
waits faults
expect "page faults" status 0 true 'share 0.9 1 running kernel page_faults ready' true 'share 0.01 1 page_faults' true 'threads 0.8 1.1'
run app --repeat 5 --all -o points.json -- "$BUILD/apps/waits" sleep
expect "in words, and in a file" status 0 out "Its threads, 1 at a time: " out "% sleep" true '[ "$(json points.0.waits.samples <points.json)" -ge 10 ]' true '[ "$(json points.0.waits.ns.sleep <points.json)" -ge 400000000 ]'
run show points.json --all
expect "show" status 0 out "Its threads, 1 at a time: "
run app --repeat 5 --json --by function -- "$BUILD/apps/waits" sleep
expect "by function" status 0 true '[ "$(json program.waits.samples <out)" -ge 10 ]'
for key in part name waits.samples; do json "points.*.$key" <out; done >parts
mv parts out
expect "not of its parts" true '! tail -n "$(grep -cx function out)" out | grep -q "[0-9]"'
end_of_cases
