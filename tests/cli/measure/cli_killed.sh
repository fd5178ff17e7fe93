#!/bin/sh
# SIGKILL ends carmine and also the program that it measures. The next carmine removes the temporary folder that is
# left, but not the folder of a carmine that still runs.
. "$(dirname "$0")/../cli.sh"
export TMPDIR="$work/tmp"
mkdir tmp
appears() { # FILE
    for _ in $(seq 600); do
        [ ! -s "$1" ] || return 0
        sleep 0.1
    done
    return 1
}
folders() { find tmp -mindepth 1 -maxdepth 1 -name 'carmine-*' | wc -l; }
measured='echo $$ >pid.part && mv pid.part pid; exec sleep 1000'
app() { "$carmine" app --flop 1 --bytes 1 "$@" >out 2>err </dev/null & }

rm -f pid
app -- sh -c "$measured"
carmine_pid=$!
expect "a program is measured" true 'appears pid' true '[ "$(folders)" = 1 ]'
{ kill -KILL $carmine_pid && wait $carmine_pid; } 2>/dev/null
expect "it ends with carmine" true 'process_ends "$(cat pid)"'
expect "carmine's folder is left" true '[ "$(folders)" = 1 ]'
run app --flop 1 --bytes 1 --repeat 1 -- true
expect "until the next one comes" status 0 true '[ "$(folders)" = 0 ]'

rm -f pid
app -- sh -c "$measured"
carmine_pid=$!
appears pid
run app --flop 1 --bytes 1 --repeat 1 -- true
expect "the folder of one that runs stays" status 0 true '[ "$(folders)" = 1 ]' true "kill -0 $carmine_pid"
{ kill -KILL $carmine_pid && wait $carmine_pid; } 2>/dev/null
mkdir tmp/carmine-abcdef "tmp/carmine-$(uname -n)-x" && touch "tmp/carmine-$(uname -n)-abcdef"
run workload
expect "what has another name, or is no folder, stays" status 0 true '[ "$(folders)" = 3 ]'
rm -rf tmp/*

end_of_cases
