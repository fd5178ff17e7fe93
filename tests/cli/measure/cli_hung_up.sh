#!/bin/sh
# No measured value is lost on SIGHUP or SIGQUIT, when the reader or the terminal disappears, or when the disk is full.
# cli_lost.sh tests SIGKILL.
. "$(dirname "$0")/../cli.sh"
. "$tests/cli/lost.sh"

# shellcheck disable=SC2086
{
# SIGHUP and SIGQUIT: the result is complete up to the signal, and a run draws its picture.
for signal in HUP QUIT; do
    rm -f r.json
    if caught "a run and SIG$signal" $signal r.json run "some samples r.json" run $many -o r.json; then
        expect "a run and SIG$signal" status 2 out "1 core" err "interrupted: " err "--resume r.json" true "is_whole r.json" \
            true "interrupted r.json" file r.svg
    fi
    rm -f a.json
    number=$([ $signal = HUP ] && echo 129 || echo 131)
    if caught "an application and SIG$signal" $signal a.json app "some points a.json" app --repeat 5000 -o a.json sleep 0.05; then
        expect "an application and SIG$signal" status $number out "sleep (partial)" out "interrupted: " err "interrupted after" \
            true '[ "$(json points.*.name <a.json)" = "sleep (partial)" ]'
    fi
done
if caught "a sweep" HUP s.json sweep "some curves.0.points s.json" sweep --isa sse --mix load --per-octave 16 --threads 1 -o s.json; then
    expect "a sweep" status 2 out "4 KiB" err "interrupted" true "is_whole s.json" true "interrupted s.json"
fi
if caught "a validation" HUP v.json validate "some validation v.json" validate --level L1 --isa sse -o v.json; then
    expect "a validation" status 2 out "deviation" err "interrupted" true "is_whole v.json"
fi
if caught "a series" HUP w.json workload "some points w.json" workload read --sizes $sizes -o w.json; then
    expect "a series" status 129 out "read cold" err "interrupted; " true "is_partial w.json workload"
fi
rm -f r.json
begin run $many -o r.json
if wait_for "is_partial r.json run"; then
    for each in 1 2 3 4 5 6 7 8 9 10; do # the terminal and its shell both send SIGHUP
        kill -HUP $pid 2>/dev/null
        sleep 0.005 # otherwise the signals merge into one
    done
    wait $pid
    status=$?
    expect "hung up on twice" status 2 err "interrupted: " true "is_whole r.json"
else
    wait $pid
    skip "hung up on twice" "it was over before it was caught"
fi

# The reader of the output has gone.
for command in "run $short -o gone.json" "sweep --isa sse --mix load --per-octave 1 --quick -o gone.json" "validate --level L1 --isa sse --quick -o gone.json"; do
    rm -f gone.json code
    { timeout 300 "$carmine" $command 2>&1; echo $? >code; } | :
    expect "nobody reads: ${command%% *}" true "is_whole gone.json" true "! interrupted gone.json" true '[ "$(cat code)" != 0 ]'
    rm -f gone.json code
    { timeout 300 "$carmine" $command; echo $? >code; } <&- >&- 2>&-
    expect "closed streams: ${command%% *}" true "is_whole gone.json" true "! interrupted gone.json" true '[ "$(cat code)" != 0 ]'
done
"$carmine" app --repeat 2 -o gone.json sh -c 'trap | grep -q PIPE && exit 3; kill -PIPE $$' >out 2>err
status=$?
expect "a program has the signals that it would have" status 141
rm -f gone.json
"$carmine" app --repeat 2 -o gone.json sleep 0 2>&1 | :
expect "nobody reads: app" true '[ "$(json points.*.name <gone.json)" = sleep ]'
rm -f gone.json
timeout 300 "$carmine" workload read --sizes 1000 --repeat 1 --quick -o gone.json <&- >&- 2>&-
expect "closed streams: workload" true '[ "$(json points <gone.json)" = 1 ]'
rm -f tty.json
if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    script -qec "'$carmine' run $many -o tty.json" /dev/null >/dev/null 2>&1 </dev/null &
    pid=$!
    if wait_for "is_partial tty.json run && some samples tty.json"; then
        end_with KILL
        pid=$$ # carmine lives on without script(1); wait_for needs a process that runs
        wait_for "is_whole tty.json"
        expect "a terminal that goes" true "is_whole tty.json" true "interrupted tty.json" true "some samples tty.json"
    else
        kill -9 $pid 2>/dev/null
        wait $pid
        skip "a terminal that goes" "it was over before it went"
    fi
else
    skip "a terminal that goes" "there is no script"
fi

# A full disk.
(ulimit -f 1 && exec "$carmine" run $many -o full.json) >out 2>err </dev/null
status=$?
expect "no room for a result is found out before measuring" status 2 lines 0 err-lines 1 err "cannot write full.json" no-file full.json
if [ -w /dev/full ]; then
    run run $short --all -o /dev/full
    expect "a result that cannot be kept is told all the same" status 2 out "sse.f64.mul" err "No space left"
else
    skip "a result that cannot be kept is told all the same" "there is no /dev/full"
fi
mkdir disk
if mount -t tmpfs -o size=512k none disk 2>/dev/null; then
    trap 'umount "$work/disk"; rm -rf "$work"' EXIT
    begin run $many -o disk/x.json
    if wait_for "is_partial disk/x.json run"; then
        cat /dev/zero >disk/fill 2>/dev/null
        wait $pid
        status=$?
        expect "a disk that fills up" status 2 out "scalar.f64.mul" err "No space left" err "last saved state is in disk/x.json" \
            true '[ "$(grep -c "could not be saved" err)" -le 1 ]' true "is_partial disk/x.json run" true "some samples disk/x.json"
        rm disk/fill
        run run $many --resume disk/x.json
        expect "and gets room again" status 0 true "is_whole disk/x.json" true '[ "$(json samples <disk/x.json)" = 12 ]' \
            true '[ "$(ls disk | xargs)" = "x.json x.svg" ]'
    else
        wait $pid
        skip "a disk that fills up" "it was over before it was full"
    fi
    umount disk
    trap 'rm -rf "$work"' EXIT
else
    skip "a disk that fills up" "only root can mount one"
fi
}
end_of_cases
