#!/bin/sh
# carmine workload counts several sizes at a time before it times them. The counts are the same as one by one, a failure
# is reported once, and no process is left when it is stopped.
. "$(dirname "$0")/../workload.sh"
one_cpu="taskset -c $(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')"
sizes=1000,2000,3000,4000,5000

# As many sizes at a time as CPUs, with equal counts. Some counts depend on addresses, so address randomisation is
# switched off where possible. Traffic still differs by a few cache lines.
same_places="setarch -R"
$same_places true 2>/dev/null || same_places=
exact() {
    point flop out
    [ -z "$same_places" ] || point core_bytes out
}
dram() { point dram_bytes out; }
alike() { # FILE FILE: to 5 % in each number above 100 kB
    paste -d ' ' "$1" "$2" | awk '{ for (i = 1; i <= NF / 2; i++) if ($i > 1e5) { n++; r = $i / $(i + NF / 2); if (r < 0.95 || r > 1.05) exit 1 } } END { if (!n) exit 1 }'
}
for how in "--sizes 70,500" "--sizes 300 --levels=repeat=2${small_l3:+,$small_l3}"; do
    case $how in *--levels*) sizes_told="300 300" ;; *) sizes_told="70 500 70 500" ;; esac
    # shellcheck disable=SC2086 # several words
    start $same_places "$carmine" workload --quick --repeat 1 daxpy,dgemv $how --json
    expect "counted side by side: $how" status 0 true '[ "$(point size out)" = "$sizes_told" ]'
    exact >together && dram >together-dram
    # shellcheck disable=SC2086
    start $one_cpu $same_places "$carmine" workload --quick --repeat 1 daxpy,dgemv $how --json
    exact >alone && dram >alone-dram
    expect "on one CPU one after the other: the same: $how" status 0 true "cmp together alone" true 'case $how in *--levels*) alike together-dram alone-dram ;; esac'
done

# Stand-ins for carmine-workload beside a copy of carmine.
mkdir stand-in
cp "$carmine" "$BUILD"/libcarmine-*.so stand-in
counted_does() { # COMMANDS: what it does when it is counted
    cat >stand-in/carmine-workload <<END
#!/bin/sh
case "\$*" in *counted=1*)
    $1
    ;;
esac
exec "$BUILD/carmine-workload" "\$@"
END
    chmod +x stand-in/carmine-workload
}
several() { start stand-in/carmine workload --quick --repeat 3 daxpy --sizes $sizes --state warm "$@"; }
added() { run show "$1" --json && point size out; }

# One of several sizes fails: the sizes before it are measured, and the reason is printed once.
fails='case "$*" in *"size=3000 "*) echo "carmine-workload: out of luck" >&2; exit 2 ;; esac'
counted_does "$fails"
several -o some.json
expect "one of several fails" status 2 out "2000" not "4000" true '[ "$(grep -c "carmine workload: out of luck" err)" = 1 ]' true '[ "$(added some.json)" = "1000 2000" ]'
left_nothing "one of several fails"
# The sizes cannot run side by side, as if memory were short: those that fail are counted again, one at a time.
counted_does "mkdir '$work/taken' || exit 2; '$BUILD/carmine-workload' \"\$@\"; status=\$?; rmdir '$work/taken'; exit \$status"
several -o each.json
expect "those that have no room beside each other" status 0 err-lines 2 err "5 points added" true '[ "$(added each.json)" = "1000 2000 3000 4000 5000" ]'
left_nothing "without room"

# Stopped while it counts: the file stays as it was, and no process is left. A second signal ends processes that ignore
# the first.
all_end() { for each in $(cat pids); do process_ends "$each" || return 1; done; }
counts_for_ever() { # COMMANDS: what it does before
    rm -f pids
    counted_does "$1; echo \$\$ >>'$work/pids'; while :; do sleep 0.05; done"
    cp some.json stopped.json
    stand-in/carmine workload --quick --repeat 3 daxpy --sizes $sizes --state warm -o stopped.json >out 2>err &
    carmine_pid=$!
    while ! [ -s pids ]; do sleep 0.05; done
}
stop_by() { # SIGNAL…
    for each; do
        kill -"$each" $carmine_pid
        sleep 0.2
    done
    { wait $carmine_pid; } 2>/dev/null
    status=$?
}
counts_for_ever :
stop_by TERM
expect "interrupted while it counts" status 143 err-lines 1 err "interrupted; 0 points were measured" true "cmp stopped.json some.json" true all_end
left_nothing "interrupted while it counts"
counts_for_ever "trap '' INT TERM"
stop_by TERM TERM
expect "twice" status 143 err "interrupted; 0 points were measured" true "cmp stopped.json some.json" true all_end
left_nothing "twice"
counts_for_ever :
stop_by KILL
expect "killed while it counts" status 137 true "cmp stopped.json some.json" true all_end
run workload
left_nothing "once the next one came"
end_of_cases
