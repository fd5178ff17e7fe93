#!/bin/sh
# carmine fleet run with stand-ins for the engines. These scripts start `carmine fleet node` on this machine, or fail
# and hang as the files in $site demand. (tests/cluster/ uses the real engines.)
. "$(dirname "$0")/../cli.sh"
site=$work/site
mkdir "$site" bin empty alone
cp "$carmine" alone/carmine && carmine=$work/alone/carmine # beside no carmine-node, which would be sent (cli_node)
export site
log=$site/log
# A node's file in $site has one word: dies (always), once (dies the first time), hangs, queues (its job does not start
# the first time), late (a time limit ends it), part (likewise, after it has measured something). The log lists all
# starts.
cat >bin/act <<'END'
#!/bin/sh
node=$1
shift
echo "start $node" >>"$site/log"
case $(cat "$site/$node" 2>/dev/null) in
once) rm "$site/$node"; echo "slurmstepd-$node: error: a cosmic ray" >&2; exit 1 ;;
dies) echo "srun: error: Node failure on $node" >&2; exit 0 ;;
hangs) trap 'echo "ended $node" >>"$site/log"; exit 143' TERM INT
    : >"$site/hanging"
    while :; do sleep 0.1; done ;;
halts) "$@" | head -n 3; exit 0 ;;
ends) SLURMD_NODENAME=$node "$@"; echo "srun: error: $node: a cosmic ray" >&2; exit 9 ;;
alters) SLURMD_NODENAME=$node "$@" | sed 's/\(result 1.*\)0/\11/'; exit 0 ;;
queues) trap 'rm -f "$site/$node"; echo "ended $node" >>"$site/log"; exit 143' TERM
    while :; do sleep 0.1; done ;;
part) SLURMD_NODENAME=$node "$@" &
    child=$!
    until ls "$TMPDIR"/*/result.json >/dev/null 2>&1; do sleep 0.1; done
    kill -TERM $child
    wait $child
    echo "slurmstepd-$node: error: *** STEP 1.0 ON $node CANCELLED AT 2026-11-24T00:27:33 DUE TO TIME LIMIT ***" >&2
    exit 2 ;;
late) echo "slurmstepd-$node: error: *** STEP 1.0 ON $node CANCELLED AT 2026-11-24T00:27:33 DUE TO TIME LIMIT ***" >&2
    echo "srun: error: $node: task 0: Exited with exit code 2" >&2; exit 2 ;;
esac
SLURMD_NODENAME=$node exec "$@"
END
cat >bin/srun <<'END'
#!/bin/sh
echo "srun $*" >>"$site/log"
while [ "${1#-}" != "$1" ]; do
    [ "$1" != --nodelist ] || { node=$2; shift; }
    shift
done
mkdir "$site/running" 2>/dev/null || echo "two at once" >>"$site/log"
trap 'kill $child 2>/dev/null' TERM
act "$node" "$@" &
child=$!
wait $child
status=$?
rmdir "$site/running" 2>/dev/null
wait $child
exit $status
END
cat >bin/sinfo <<'END'
#!/bin/sh
cat "$site/sinfo"
END
cat >bin/scontrol <<'END'
#!/bin/sh
case $1 in --oneliner) cat "$site/cpus" 2>/dev/null || exit 1; exit ;; esac
case $3 in 'n[1-'*) for i in $(seq "$(echo "$3" | tr -cd 0-9 | cut -c 2)"); do echo "n$i"; done ;; *) echo "$3" | tr , '\n' ;; esac
END
cat >bin/squeue <<'END'
#!/bin/sh
cat "$site/squeue" 2>/dev/null
END
cat >bin/scancel <<'END'
#!/bin/sh
echo "scancel $*" >>"$site/log"
END
cat >bin/mpirun <<'END'
#!/bin/sh
echo "mpirun $*" >>"$site/log"
case $1 in --version) cat "$site/version"; exit ;; esac
while [ "${1#-}" != "$1" ]; do
    case $1 in --host | -hosts) hosts=$2 ;; esac
    shift 2
done
[ "$1" != hostname ] || { printf 'a\nb\nc\n'; exit; }
for node in $(echo "$hosts" | tr , ' '); do act "$node" "$@" & done
wait
END
cat >bin/nodeset <<'END'
#!/bin/sh
printf 'a\nb\nc\n'
END
cat >bin/clush <<'END'
#!/bin/sh
echo "clush $*" >>"$site/log"
nodes=$2
shift 2
[ "$1" != -f ] || shift 2
for node in $(echo "$nodes" | tr , ' '); do
    { { act "$node" sh -c "unset SLURMD_NODENAME; $1" 2>&3 | sed "s/^/$node: /"; } 3>&1 >&4 | sed "s/^/$node: /" >&2; } 4>&1 &
done
wait
END
chmod +x bin/*
PATH=$work/bin:$PATH
export PATH
unset SLURM_JOB_ID SLURM_JOB_NODELIST SLURMD_NODENAME
four() { for i in 1 2 3 4; do echo "n$i|idle|8|none"; done; }
begin() { rm -f "$log" "$site"/n? "$site"/[abc] "$site/hanging" "$site/squeue" "$site/cpus"; : >"$log"; rm -rf nodes "$site/running"; four >"$site/sinfo"; }
hosts() { for f in nodes/*.json; do json machine.host <"$f"; done | xargs echo; }
started() { grep -c "^start $1" "$log"; }

# Slurm.
begin
echo once >"$site/n2"
echo dies >"$site/n3"
# shellcheck disable=SC2086
run fleet run --by slurm --at-once 1 -- $short
expect "four nodes, of which two fail" status 1 err "measuring 4 nodes by Slurm, into nodes" \
    out "2 nodes of 1 machine type" out "No result from 2 of 4 nodes" out "n2  slurmstepd-n2: error: a cosmic ray" \
    out "n3  srun: error: Node failure on n3" true '[ "$(hosts)" = "n1 n4" ]' \
    true '[ "$(started n1) $(started n2) $(started n3)" = "1 1 1" ]' not "two at once" true '! grep -q "two at once" $log'
expect "its commands" true "grep -q -- '^srun --job-name=carmine-.* --nodes=1 --ntasks=1 --nodelist n1 --exclusive --cpus-per-task=8 --cpu-bind=none .*/carmine fleet node -- --isa sse ' \$log"
rm "$site/n3"
: >"$log"
# shellcheck disable=SC2086
run fleet run --by slurm --json -- $short
expect "a second call measures what is missing" status 0 err "2 nodes are measured already" true '[ "$(json nodes <out)" = 4 ]' \
    true '[ "$(grep -c ^start $log)" = 2 ]' true '[ "$(hosts)" = "n1 n2 n3 n4" ]'
: >"$log"
run fleet run --by slurm
expect "and a third none" status 0 err "measuring 0 nodes" out "4 nodes of 1 machine type" true '! grep -q ^start $log'

begin
echo ends >"$site/n2"
echo alters >"$site/n3"
# shellcheck disable=SC2086
run fleet run --by slurm -- $short
expect "a whole result of a job that failed then is shown with that" out "The job failed after the complete result of 1 of " \
    out "n2  srun: exit status 9; srun: error: n2: a cosmic ray" true '[ "$(hosts)" = "n1 n2 n4" ]'
expect "what was changed on its way is none" status 1 out "No result from 1 of 4 nodes" out "n3  its result was damaged in transfer"

begin
{ echo "n1|idle|8|none"; echo "n1|idle|8|none"; echo "n2|down*|8|Not responding"; echo "n3|drained|8|bad fan"; } >"$site/sinfo"
# shellcheck disable=SC2086
run fleet run --by slurm --csv -- $short
expect "nodes that Slurm does not give" status 1 lines 2 err "n2  down*: Not responding" err "n3  drained: bad fan" \
    true '[ "$(grep -c ^start $log)" = 1 ]'
begin
# shellcheck disable=SC2086
run fleet run --by slurm -w 'n[1-5]' -p batch -- $short
expect "a node that there is not is told" status 1 out "4 nodes of 1 machine type" out "No result from 1 of 5 nodes" \
    out "n5  there is no such node in partition batch" true '[ "$(grep -c ^start $log)" = 4 ]'
begin
echo halts >"$site/n1"
head -n 1 "$site/sinfo" >one && mv one "$site/sinfo"
# shellcheck disable=SC2086
run fleet run --by slurm -- $short
expect "half a result is none" status 2 err "no node gave a result; n1: it started, but sent no result" true '[ "$(started n1)" = 1 ]' no-file nodes/n1.json
begin
run fleet run --by slurm -p batch -w 'n[1-4]' --dry-run -- --quick --mix 'load'
expect "a dry run" status 0 lines 6 err-lines 0 out "scontrol --oneliner show node 'n[1-4]'" out "sinfo --noheader --Node '--format=%N|%T|%c|%E' --partition=batch '--nodes=n[1-4]'" \
    out "fleet node -- --quick --mix load" true '! grep -q srun $log' no-file nodes
SLURM_JOB_ID=7 SLURM_JOB_NODELIST='n[1-2]' run fleet run --by slurm --dry-run
expect "within a job" status 0 out "--nodes=n[1-2]" not "--exclusive" not "--cpus-per-task"

# Slurm with busy nodes and a queue.
begin
sed -i 's/^n1|idle/n1|allocated/; s/^n2|idle/n2|mixed/' "$site/sinfo"
echo "NodeName=n3 Arch=x86_64 CPUAlloc=0 CPUEfctv=7 CPUTot=8 CoreSpecCount=1" >"$site/cpus"
# shellcheck disable=SC2086
run fleet run --by slurm --at-once 1 -- $short
expect "idle nodes come first" status 0 true '[ "$(sed -n "s/^start //p" $log | xargs echo)" = "n3 n4 n1 n2" ]'
expect "CPUs that a job cannot have are not asked for" true 'grep -q -- "--nodelist n3 --exclusive --cpus-per-task=7 " $log' \
    true 'grep -q -- "--nodelist n4 --exclusive --cpus-per-task=8 " $log'
begin
echo queues >"$site/n1"
echo queues >"$site/n3"
printf 'n1|Resources\nn3|PartitionDown\n' >"$site/squeue"
# shellcheck disable=SC2086
start timeout 100 "$carmine" fleet run --by slurm --at-once 1 -- $short
expect "a job that waits makes room for an idle node" status 1 err "the job for n1 waits in the queue of Slurm: Resources" \
    true '[ "$(sed -n "s/^start //p" $log | xargs echo)" = "n1 n2 n3 n4 n1" ]' true '[ "$(hosts)" = "n1 n2 n4" ]'
expect "a job that cannot start is not waited for" out "n3  its job cannot start: Slurm reports PartitionDown" true '[ "$(started n3)" = 1 ]' \
    true 'grep -q "^ended n3" $log'
begin
echo late >"$site/n1"
# shellcheck disable=SC2086
run fleet run --by slurm --csv -- $short
expect "a time limit is told" status 1 err "n1  slurmstepd-n1: error: *** STEP 1.0 ON n1 CANCELLED" err "DUE TO TIME LIMIT ***" \
    true '[ "$(started n1)" = 1 ]' true '! grep -q "tried once more" err' true '[ "$(hosts)" = "n2 n3 n4" ]'

begin
echo part >"$site/n1"
echo "n1|idle|8|none" >"$site/sinfo"
mkdir part
TMPDIR=$work/part
export TMPDIR
run fleet run --by slurm -- --isa sse --budget 60
unset TMPDIR
expect "what was measured before the time limit is kept" status 1 out "1 node of 1 machine type" \
    out "Stopped before the end: 1 of 1 nodes" out "DUE TO TIME LIMIT" true '[ "$(json interrupted <nodes/n1.json || json environment.interrupted <nodes/n1.json)" = true ]'

# Ctrl-C cancels the jobs; results that exist already stay.
begin
echo hangs >"$site/n2"
# shellcheck disable=SC2086
"$carmine" fleet run --by slurm --at-once 1 -- $short >out 2>err </dev/null &
pid=$!
for _ in $(seq 600); do [ -e "$site/hanging" ] && break; sleep 0.1; done
kill -INT $pid
wait $pid
status=$?
expect "Ctrl-C" status 2 lines 0 err "interrupted: 1 of 4 nodes are measured; the same command measures the rest" \
    true "grep -q '^scancel --quiet --name=carmine-' \$log" true 'grep -q "^ended n2" $log' true '[ "$(hosts)" = n1 ]' true '! grep -q "start n3" $log'

# MPI: one launch for all nodes, then one more for a node that failed.
begin
echo "mpirun (Open MPI) 4.1.4" >"$site/version"
echo once >"$site/b"
# shellcheck disable=SC2086
run fleet run --by mpi -- $short
expect "by Open MPI" status 0 out "3 nodes of 1 machine type" true '[ "$(hosts)" = "a b c" ]' true 'grep -q "^mpirun -N 1 --bind-to none hostname" $log' \
    true 'grep -q "^mpirun -N 1 --bind-to none --host a,b,c /" $log' true 'grep -q "^mpirun -N 1 --bind-to none --host b /" $log'
begin
echo "HYDRA build details:" >"$site/version"
# shellcheck disable=SC2086
run fleet run --by mpi=mpirun -w a,b,c --at-once 2 -- $short
expect "by MPICH, two at a time" status 0 true '[ "$(hosts)" = "a b c" ]' true 'grep -q "^mpirun -ppn 1 -bind-to none -hosts a,b -n 2 /" $log' \
    true 'grep -q "^mpirun -ppn 1 -bind-to none -hosts c -n 1 /" $log'
echo "another launcher 1.0" >"$site/version"
refuses "a launcher that nobody knows" "mpirun is the launcher of neither Open MPI nor" fleet run --by mpi
echo "mpirun (Open MPI) 4.1.4" >"$site/version"
refuses "a range where MPI takes names" "'a[1-3]' is not a node's name" fleet run --by mpi -w 'a[1-3]'

# ClusterShell labels each line with the node's name.
begin
echo dies >"$site/c"
# shellcheck disable=SC2086
run fleet run --by clush -w '@all' --at-once 8 -- $short
expect "by ClusterShell" status 1 true '[ "$(hosts)" = "a b" ]' true 'grep -q "^clush -w a,b,c -f 8 /" $log' true 'grep -q "^clush -w c -f 8 /" $log' \
    out "c  c: srun: error: Node failure on c"

begin
printf '#!/bin/sh\n[ "$1" != --version ] || exec cat "$site/version"\nprintf "Welcome to n!\\na\\n"\n' >bin/greeter
chmod +x bin/greeter
run fleet run --by mpi=greeter --dry-run
expect "lines that are no names are told" status 0 lines 2 err "1 line of the list from Open MPI is no node's name, such as 'Welcome to n!'"

# Errors before anything is started.
: >"$log"
refuses "no engine" "fleet run needs --by slurm, mpi, mpi=PROGRAM or clush, which starts programs on the nodes" fleet run
printf '#!/bin/sh\nprintf "a\\nb;c\\n"\n' >bin/nodeset
refuses "a name that no node has" "'b;c' is not a node's name; leave it out of a,b;c" fleet run --by clush -w 'a,b;c'
refuses "the same of Slurm" "'b;c' is not a node's name" fleet run --by slurm -w 'n1,b;c'
run fleet run --by slurm -w 'n[1-5]' --dry-run
expect "a dry run tells of a node that there is not" status 0 lines 6 err-lines 1 err "n5 is left out: there is no such node"
refuses "an engine that is not there" "not mpirun" fleet run --by mpirun
for gone in slurm mpi "clush a"; do
    # shellcheck disable=SC2086
    refuses "what is gone: --$gone" "--${gone% a} was removed after 0.2.0; --by ${gone% a}" fleet run --$gone
done
refuses "a partition of MPI" "--partition needs --by slurm" fleet run --by mpi -p x
refuses "ClusterShell without nodes" "--by clush needs the nodes" fleet run --by clush
refuses "no node at a time" "--at-once" fleet run --by slurm --at-once 0
refuses "half a node at a time" "--at-once takes a number of nodes" fleet run --by slurm --at-once 1.5
refuses "an option that run has not" "unknown option --quik" fleet run --by slurm -- --quik
refuses "an option of here" "--output has no use behind --" fleet run --by slurm -- -o x.json
refuses "an operand" "unexpected argument" fleet run nodes --by slurm
refuses "measuring what is only read" "--by is an option of \`carmine fleet run\`" fleet nodes --by slurm
: >taken
refuses "a file as the folder" "taken is not a folder" fleet run --by slurm -o taken
: >"$site/sinfo"
refuses "nodes that there are not" "Slurm lists no nodes of n9" fleet run --by slurm -w n9
start env PATH="$work/empty" "$carmine" fleet run --by slurm
expect "a host without Slurm" status 2 err-lines 1 err "there is no srun along PATH"
start env PATH="$work/empty" "$carmine" fleet run --by mpi
expect "a host without MPI" status 2 err-lines 1 err "there is no mpirun or mpiexec along PATH"
expect "and nothing was" true '! grep -q "^start" $log'
end_of_cases
