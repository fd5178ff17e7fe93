#!/bin/sh
# Runs the prolog of docs/cluster.md in an empty environment and checks what it does with a node for each verdict.
# carmine and Slurm's scontrol are stand-ins.
. "$(dirname "$0")/../cli.sh"
mkdir bin
cat >bin/carmine <<END
#!/bin/sh
[ "\$*" = "check --health --baseline /shared/carmine/nodes" ] || exit 99
. "$work/verdict"
END
cat >bin/scontrol <<END
#!/bin/sh
echo "\$*" >>"$work/scontrol.log"
exit \$(cat "$work/scontrol.status")
END
cat >bin/logger <<END
#!/bin/sh
echo "\$*" >>"$work/logger.log"
END
chmod +x bin/*
awk '/^<!-- the prolog/ { found = 1 } found && /^```$/ { exit } found && inside { print } found && /^```sh$/ { inside = 1 }' \
    "$tests/../docs/cluster.md" >prolog.sh
# prolog VERDICT [STATUS OF SCONTROL] [CARMINE]
prolog() {
    echo "$1" >verdict
    echo "${2:-0}" >scontrol.status
    rm -f scontrol.log logger.log
    : >scontrol.log
    : >logger.log
    sed "s|^PATH=|&$work/bin:|; s|^carmine=.*|carmine=${3:-$work/bin/carmine}|; s|-k 5 50 |-k 5 2 |" prolog.sh >run.sh
    start env -i SLURMD_NODENAME=node17 "$(command -v sh)" run.sh
}
expect "the document has a prolog" true 'grep -q "^#!/bin/sh" prolog.sh' true 'grep -q "^carmine=/" prolog.sh' true 'grep -q "^PATH=/" prolog.sh' \
    true 'grep -q "check --health --baseline" prolog.sh' true 'grep -q "timeout -k 5 50 " prolog.sh'
prolog 'echo "OK node17: f64 99 % of the group"'
expect "a node that is well" status 0 true '[ ! -s scontrol.log ]' true '[ ! -s logger.log ]'
slow="SLOW node17: throttled socket"
prolog "echo '$slow'; exit 1"
expect "a slow node is drained, and why" status 0 true 'grep -qx "update NodeName=node17 State=DRAIN Reason=$slow" scontrol.log' true 'grep -q "$slow" logger.log'
prolog "echo '$slow'; exit 1" 1
expect "where scontrol fails, so does the prolog" status 1
prolog 'echo "UNKNOWN node17: others use 2.0 CPUs"; exit 2'
expect "what was not measured is logged" status 0 true '[ ! -s scontrol.log ]' true 'grep -q "UNKNOWN node17: others use" logger.log'
prolog true 0 /nowhere/carmine
expect "no carmine: drained" status 0 true 'grep -q "State=DRAIN Reason=carmine gave no verdict, status 127: .*/nowhere/carmine" scontrol.log'
prolog 'kill -SEGV $$'
expect "a crash: drained" status 0 true 'grep -q "State=DRAIN Reason=carmine gave no verdict, status 139" scontrol.log'
prolog 'exec sleep 60'
expect "one that hangs: drained" status 0 true 'grep -q "State=DRAIN Reason=carmine gave no verdict, status 124" scontrol.log'
prolog 'i=0; while [ $i -lt 9 ]; do echo "SLOW $i 1234567890123456789012345678901234567890"; i=$((i + 1)); done | tr "\n" " "; exit 1'
expect "a long reason is cut" true '[ "$(wc -l <scontrol.log)" = 1 ]' true '[ "$(wc -c <scontrol.log)" -le 260 ]'
# The real carmine needs no environment either.
start env -i "$carmine" check --health --baseline "$work"
expect "carmine itself, without a result to compare with" status 2 true "[ -s out ] || [ -s err ]"
end_of_cases
