#!/bin/sh
# A killed measurement leaves a file that states that it is partial and which command measures the rest. cli_hung_up.sh
# has the other signals.
. "$(dirname "$0")/../cli.sh"
. "$tests/cli/lost.sh"

# shellcheck disable=SC2086
{
if caught "a killed run" KILL r.json run "some samples r.json" run $many -o r.json; then
    expect "a killed run" true "interrupted r.json"
    had=$(json samples <r.json)
    run show r.json
    expect "show says so" status 0 out "This is partial (run: $had of 12 samples)" out "r.json"
    run show r.json --csv
    expect "beside a table for programs too" status 0 err "--resume r.json" not "This is partial (run: 0"
    run plot r.json -o r.svg
    expect "so does plot" status 0 err "partial (run: $had of 12 samples)"
    run compare r.json r.json
    expect "so does compare" err "partial (run: $had of 12 samples)"
    run check r.json --baseline r.json
    expect "so does check" err "partial (run: $had of 12 samples)"
    run run ${many%8}60 --resume r.json
    expect "run --resume completes it" status 0 true "is_whole r.json" true "! interrupted r.json" true '[ "$(json samples <r.json)" = 12 ]'
fi

# An existing result is replaced only by a complete one.
run run $short -o old.json
cp old.json before.json
begin run $many -o old.json
if wait_for "is_partial old.json run || some samples old.json.partial"; then
    end_with KILL
    expect "a killed run leaves an old result" true "cmp -s old.json before.json"
    cp old.json.partial left.json
    run run $short -o old.json
    expect "the next one tells of what is left, and leaves it" status 0 err "run --resume old.json.partial" \
        true "is_whole old.json" true "cmp -s old.json.partial left.json"
    run run ${many%8}60 --resume old.json.partial
    expect "which can be resumed" status 0 true "is_whole old.json.partial" true '[ "$(json samples <old.json.partial)" = 12 ]'
    rm old.json.partial
else
    wait $pid
    skip "a killed run over an old result" "it was over before it was caught"
fi
cp before.json old.json
run run $many -o old.json
expect "a whole one takes its place" status 0 true "is_whole old.json" no-file old.json.partial true '[ "$(json samples <old.json)" = 12 ]'

# If the folder is removed during the run, its saved result is lost.
mkdir gone
begin run $many -o gone/r.json
if wait_for "some samples gone/r.json" && mv gone away && is_partial away/r.json run; then
    wait $pid
    status=$?
    expect "a folder that is gone at the end" status 2 err "cannot write gone/r.json" not "last saved state"
else
    wait $pid
    skip "a folder that is gone at the end" "it was over before it was caught"
fi

if caught "a killed sweep" KILL s.json sweep "some curves.0.points s.json" sweep --isa sse --mix load --per-octave 16 --threads 1 -o s.json; then
    run show s.json
    expect "a killed sweep" status 0 out "This is partial (sweep: "
    run run $short --resume s.json
    expect "whose curve is done again" status 0 true "is_whole s.json" true '[ "$(json curves <s.json)" = 0 ]'
fi

cp before.json f.json
if caught "a sweep into a result" INT f.json.partial sweep "some curves.0.points f.json.partial" sweep --isa sse --mix load --per-octave 16 --threads 1 -o f.json; then
    expect "an interrupted sweep adds no part of a curve" status 2 err "0 of 1 curves added to f.json" not "measured curves are stored" file f.json.partial true '[ "$(json curves <f.json)" = "$(json curves <before.json)" ]' true '[ "$(json samples <f.json)" = 1 ]'
fi
rm -f f.json.partial

if caught "a killed validation" KILL v.json validate "some samples v.json" validate --level L1 --isa sse -o v.json; then
    run show v.json
    expect "a killed validation" status 0 out "This is partial (validate: "
    run validate --level L1 --isa sse --quick v.json
    expect "the same again completes it" status 0 true "is_whole v.json"
fi
cp before.json f.json
if caught "a killed validation of a file" KILL f.json validate "some validation f.json" validate --level L1 --isa sse f.json; then
    run show f.json
    expect "a killed validation of a file" status 0 out "This is partial (validate: " true '[ "$(json samples <f.json)" = 1 ]'
    run validate --level L1 --isa sse --quick f.json
    expect "the same again completes it too" status 0 true "is_whole f.json"
fi

if caught "a killed series" KILL w.json workload "some points w.json" workload read --sizes $sizes -o w.json; then
    run show w.json
    expect "a killed series" status 0 out "This is partial (workload: " out "of 10 points" out "read 1000"
    run workload read --sizes 1000,2000 --repeat 1 --quick -o w.json
    expect "a series that ends completes it" status 0 true "is_whole w.json"
fi

run app --repeat 1 -o a.json sleep 0
if caught "a killed application" KILL a.json app "some points a.json" app --repeat 5000 -o a.json sleep 0.05; then
    expect "the earlier point stays" true '[ "$(json points.*.name <a.json | xargs)" = "sleep sleep (partial)" ]'
    run show a.json
    expect "a killed application" status 0 out "This is partial (app: " out "of 5000 runs"
    run app --repeat 1 -o a.json sleep 0
    expect "the next point takes the place of both" status 0 true "is_whole a.json" true '[ "$(json points.*.name <a.json | xargs)" = sleep ]'
    rm a.json
fi
echo 'echo run >>runs; [ $(wc -l <runs) -lt 40 ] && sleep 0.05' >changes.sh
run app --repeat 100 -o never.json sh changes.sh
expect "nothing is left of runs that were not alike" status 2 err "its runs differ" no-file never.json
}
end_of_cases
