#!/bin/sh
# carmine fleet run with stand-ins for the engines. These scripts start `carmine fleet node` on this machine, or fail
# and hang as the files in $site demand. (tests/cluster/ uses the real engines.)
. "$(dirname "$0")/../cli.sh"
site=$work/site
mkdir "$site" bin empty alone
cp "$carmine" alone/carmine && carmine=$work/alone/carmine # beside no carmine-node, which would be sent (cli_node)
export site
log=$site/log
# A node's file in $site has one word: dies, foreign (of another architecture), hangs, halts (after half a result), alters (its output), waits (its job, until
# the file is gone), never (starts), late (a time limit ends it), lost (the node goes down), gone (from the queue), refused
# (its job), real (carmine itself measures: other jobs of Slurm copy a sample). The log lists all starts.
cat >bin/act <<'END'
#!/bin/sh
node=$1
shift
echo "start $node" >>"$site/log"
case $(cat "$site/$node" 2>/dev/null) in
dies) echo "srun: error: Node failure on $node" >&2; exit 1 ;;
foreign) echo "sh: 1: $1: Exec format error" >&2; exit 126 ;;
hangs) trap 'echo "ended $node" >>"$site/log"; exit 143' TERM INT
    : >"$site/hanging"
    while :; do sleep 0.1; done ;;
halts) "$@" | head -n 3; exit 0 ;;
alters) SLURMD_NODENAME=$node "$@" | sed 's/\(result 1.*\)0/\11/'; exit 0 ;;
esac
SLURMD_NODENAME=$node exec "$@"
END
# Slurm: a file in $site/jobs for each job, "ID|NODE|STATE|REASON", and the process that is the job.
cat >bin/job <<'END'
#!/bin/sh
id=$1 node=$2 log=$3 wrap=$4
is() { echo "$id|$node|$1|$2" >"$site/new.$id" && mv "$site/new.$id" "$site/jobs/$id"; }
copy() { sed "s/\"host\": *\"[^\"]*\"/\"host\": \"$node\"/" "$1" >"$folder/new.$node" && mv "$folder/new.$node" "$folder/$node.json"; }
folder=$(echo "$wrap" | sed 's/.*--output=\([^ ]*\).*/\1/')
exec >"$log" 2>&1
case $(cat "$site/$node" 2>/dev/null) in
waits) is PENDING Resources; while [ -e "$site/$node" ]; do sleep 0.1; done ;;
never) is PENDING PartitionDown; sleep 60 ;;
late) copy "$site/part.json"
    echo "slurmstepd-$node: error: *** JOB $id ON $node CANCELLED AT 2026-11-24T00:27:33 DUE TO TIME LIMIT ***"
    is TIMEOUT TimeLimit
    exit ;;
lost) is NODE_FAIL NodeDown; exit ;;
gone) rm "$site/jobs/$id"; exit ;;
esac
is RUNNING None
if [ -e "$site/$node" ]; then
    act "$node" sh -c "$wrap" &
    trap 'kill $!; exit' TERM
    wait $! || { is FAILED NonZeroExitCode; exit; }
else
    copy "$site/sample.json"
fi
is COMPLETED None
END
cat >bin/sbatch <<'END'
#!/bin/sh
echo "sbatch $*" >>"$site/log"
for word; do
    case $word in
    --nodelist=*) node=${word#*=} ;;
    --output=*) log=${word#*=} ;;
    --wrap=*) wrap=${word#*=} ;;
    --quik) echo "sbatch: unrecognized option '$word'" >&2; exit 1 ;;
    esac
done
id=$(($(ls "$site/jobs" | wc -l) + 1))
[ "$(cat "$site/$node" 2>/dev/null)" != refused ] || { echo "sbatch: error: Requested node configuration is not available" >&2; exit 1; }
[ "$id" -le "$(cat "$site/most" 2>/dev/null || echo 99)" ] ||
    { echo "sbatch: error: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)" >&2; exit 1; }
echo "$id|$node|PENDING|Priority" >"$site/jobs/$id"
job "$id" "$node" "$log" "$wrap" >/dev/null 2>&1 &
echo $! >"$site/pid.$id"
echo "$id;test"
END
cat >bin/sinfo <<'END'
#!/bin/sh
cat "$site/sinfo"
END
cat >bin/scontrol <<'END'
#!/bin/sh
case $3 in 'n[1-'*) for i in $(seq "$(echo "$3" | tr -cd 0-9 | cut -c 2)"); do echo "n$i"; done ;; *) echo "$3" | tr , '\n' ;; esac
END
cat >bin/squeue <<'END'
#!/bin/sh
[ ! -e "$site/away" ] || { rm "$site/away"; echo "slurm_load_jobs error: Unable to contact slurm controller" >&2; exit 1; }
cat "$site"/jobs/* 2>/dev/null
exit 0
END
cat >bin/scancel <<'END'
#!/bin/sh
echo "scancel $*" >>"$site/log"
shift
case $1 in --name=*) set -- $(ls "$site/jobs") ;; esac
for id; do kill "$(cat "$site/pid.$id")" 2>/dev/null && rm -f "$site/jobs/$id"; done
exit 0
END
cat >bin/srun <<'END'
#!/bin/sh
echo "srun $*" >>"$site/log"
while [ "${1#-}" != "$1" ]; do
    case $1 in --nodelist=*) hosts=${1#*=} ;; esac
    shift
done
for node in $(echo "$hosts" | tr , ' '); do act "$node" "$@" & done
wait
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
for node in $(echo "$hosts" | tr , ' '); do act "$node" "$@" & all="$all $!"; done
trap 'kill $all' TERM
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
while [ "${1#-}" != "$1" ]; do shift 2; done
for node in $(echo "$nodes" | tr , ' '); do
    { { act "$node" sh -c "unset SLURMD_NODENAME; $1" 2>&3 | sed "s/^/$node: /"; } 3>&1 >&4 | sed "s/^/$node: /" >&2; } 4>&1 &
done
wait
END
cat >bin/pdsh <<'END'
#!/bin/sh
[ "$1" != -Q ] || { printf -- '-- Target nodes --\na,b,c\n'; exit; }
shift
exec clush "$@"
END
chmod +x bin/*
PATH=$work/bin:$PATH
export PATH
unset SLURM_JOB_ID SLURM_JOB_NODELIST SLURMD_NODENAME
four() { for i in 1 2 3 4; do echo "n$i|idle|none"; done; }
begin() {
    rm -rf "$site"/n? "$site"/[abc] "$site/hanging" "$site/most" "$site/jobs" nodes
    mkdir "$site/jobs"
    : >"$log"
    four >"$site/sinfo"
}
hosts() { for f in nodes/*.json; do json machine.host <"$f"; done | xargs echo; }
files() { (cd nodes && ls ./*.json | sed 's|./||; s/.json//' | xargs echo); }
started() { grep -c "^start $1" "$log"; }
until_so() { for _ in $(seq 600); do eval "$1" && break; sleep 0.1; done; } # a shell command
behind() { "$carmine" "$@" >out 2>err </dev/null & pid=$!; }
ended() { wait $pid; status=$?; }
measure_sample
cp sample.json "$site"
sed 's/"interrupted": *false/"interrupted": true/' sample.json >"$site/part.json"

# Slurm.
begin
echo dies >"$site/n3"
echo real >"$site/n4"
# shellcheck disable=SC2086
run fleet run --by slurm -- $short --time=10 --account hpc
expect "four nodes, of which one fails" status 1 err "measuring 4 nodes by Slurm, into nodes" out "3 nodes of 1 machine type" \
    out "No result from 1 of 4 nodes" out "n3  Slurm: FAILED (NonZeroExitCode); srun: error: Node failure on n3" \
    true '[ "$(files)" = "n1 n2 n4" ]' true '[ "$(json machine.host <nodes/n4.json)" = n4 ]'
expect "the log stays of what failed" file nodes/n3.log no-file nodes/n1.log no-file nodes/n4.log
expect "its commands" true "grep -q -- '^sbatch --parsable --nodes=1 --ntasks=1 --exclusive --no-requeue --open-mode=truncate --job-name=carmine-[0-9a-f]* --nodelist=n1 --output=$work/nodes/n1.log --time=10 --account hpc --wrap=exec .*/carmine fleet node --output=$work/nodes -- --isa $isa .* --budget 4\$' \$log"
rm "$site/n3"
: >"$log"
run fleet run --by slurm --json
expect "a second call measures what is missing" status 0 err "3 nodes are measured already" true '[ "$(json nodes <out)" = 4 ]' \
    true '[ "$(grep -c ^sbatch $log)" = 1 ]' true '[ "$(files)" = "n1 n2 n3 n4" ]' no-file nodes/n3.log
: >"$log"
run fleet run --by slurm
expect "and a third none" status 0 err "measuring 0 nodes" out "4 nodes of 1 machine type" true '! grep -q ^sbatch $log'

begin
{ echo "n1|idle|none"; echo "n1|idle|none"; echo "n2|down*|Not responding"; echo "n3|drained|bad fan"; } >"$site/sinfo"
run fleet run --by slurm --csv
expect "nodes that Slurm does not give" status 1 lines 2 err "n2  down*: Not responding" err "n3  drained: bad fan" \
    true '[ "$(grep -c ^sbatch $log)" = 1 ]'
begin
run fleet run --by slurm -w 'n[1-5]' -p batch
expect "a node that there is not is told" status 1 out "4 nodes of 1 machine type" out "No result from 1 of 5 nodes" \
    out "n5  there is no such node in partition batch" true '[ "$(grep -c "^sbatch.*--partition=batch" $log)" = 4 ]'
begin
run fleet run --by slurm -p batch -w 'n[1-4]' --dry-run -- --quick --mix load --reservation maint
expect "a dry run" status 0 lines 5 err-lines 0 out "sinfo --noheader --Node --sort=+t '--format=%N|%T|%E' --partition=batch '--nodes=n[1-4]' && scontrol show hostnames 'n[1-4]'" \
    out "fleet node --output=$work/nodes -- --quick --mix load'" out " --reservation maint '--wrap=" true '! grep -q sbatch $log' no-file nodes
SLURM_JOB_ID=7
SLURM_JOB_NODELIST=n1,n2
export SLURM_JOB_ID SLURM_JOB_NODELIST
# shellcheck disable=SC2086
run fleet run --by slurm -- $short
unset SLURM_JOB_ID SLURM_JOB_NODELIST
expect "within a job" status 0 err "measuring 2 nodes by Slurm" true '[ "$(hosts)" = "n1 n2" ]' \
    true "grep -q -- '^srun --nodes=2 --ntasks-per-node=1 --cpu-bind=none --nodelist=n1,n2 /.*/carmine fleet node -- --isa' \$log" true '! grep -q sbatch $log'

# Jobs that wait, cannot start, or end otherwise.
begin
echo waits >"$site/n1"
echo never >"$site/n2"
behind fleet run --by slurm
until_so '[ -e nodes/n4.json ] && grep -q "^scancel --quiet 2" "$log"'
status=0
expect "no idle node waits for a busy one" file nodes/n3.json file nodes/n4.json no-file nodes/n1.json
rm "$site/n1"
ended
expect "whose job runs when it can" status 1 err "the job for n1 waits in the queue of Slurm: Resources" file nodes/n1.json
expect "a job that cannot start is not waited for" out "n2  its job cannot start: Slurm reports PartitionDown" true 'grep -q "^scancel --quiet 2" $log'
begin
echo late >"$site/n1"
echo lost >"$site/n2"
echo gone >"$site/n3"
echo refused >"$site/n4"
run fleet run --by slurm
expect "what was measured before a time limit is kept" status 1 out "1 node of 1 machine type" out "Stopped before the end: 1 of 4 nodes" \
    out "n1  Slurm: TIMEOUT (TimeLimit); slurmstepd-n1" out "DUE TO TIME LIMIT"
expect "how other jobs ended" out "n2  Slurm: NODE_FAIL (NodeDown)" out "n3  Slurm: its job has left the queue" \
    out "n4  sbatch: error: Requested node configuration is not available"
rm "$site"/n?
run fleet run --by slurm
expect "and the same command measures them" status 0 err "measuring 4 nodes" out "4 nodes of 1 machine type"
begin
echo 2 >"$site/most"
echo waits >"$site/n1"
behind fleet run --by slurm
until_so '[ -e nodes/n2.json ] && grep -q "job submit limit" err'
echo 99 >"$site/most"
rm "$site/n1"
ended
expect "jobs beyond a user's limit come later" status 0 err "carmine: sbatch: error: Job violates" out "4 nodes of 1 machine type"
begin
run fleet run --by slurm -- --quik
expect "an option that nobody has" status 2 err "sbatch: unrecognized option '--quik'" true '[ "$(grep -c ^sbatch $log)" = 3 ]'

# Left in the queue, and taken up.
begin
for i in 1 2 3 4; do echo waits >"$site/n$i"; done
run fleet run --by slurm --detach
expect "detached" status 0 lines 0 err "4 jobs are in the queue of Slurm. The same command without --detach waits" err "\`scancel --quiet --name=carmine-"
rm "$site/n1" "$site/n2"
until_so '[ -e nodes/n1.json ] && [ -e nodes/n2.json ]'
: >"$site/away"
refuses "a queue that does not answer at first" "Unable to contact slurm controller" fleet run --by slurm -q
: >"$log"
behind fleet run --by slurm
until_so 'grep -q "jobs are in the queue" err'
: >"$site/away"
until_so '[ ! -e "$site/away" ]'
rm "$site/n3" "$site/n4"
ended
expect "taken up" status 0 err "2 nodes are measured already" err "2 jobs are in the queue of Slurm already" out "4 nodes of 1 machine type" true '! grep -q ^sbatch $log'
expect "a controller that is restarted meanwhile" err "carmine: slurm_load_jobs error: Unable to contact slurm controller"

# Ctrl-C cancels the jobs; results that exist already stay.
begin
echo hangs >"$site/n2"
behind fleet run --by slurm
until_so '[ -e "$site/hanging" ] && [ -e nodes/n4.json ] && [ ! -e nodes/n4.log ]'
kill -INT $pid
ended
expect "Ctrl-C" status 2 lines 0 err "interrupted: 3 of 4 nodes are measured; the same command measures the rest" \
    true "grep -q '^scancel --quiet --name=carmine-' \$log" true '[ "$(files)" = "n1 n3 n4" ]'

# 5,000 nodes, of which 60 % are busy: all jobs are with Slurm at once, so no idle node waits for a busy one. Jobs of idle
# nodes have ended soon, those of others when the nodes are free.
mkdir many
cat >many/sinfo <<'END'
#!/bin/sh
seq 5000 | awk '{ print "m" $1 "|" ($1 % 5 < 3 ? "allocated" : "idle") "|none" }'
END
cat >many/sbatch <<'END'
#!/bin/sh
for word; do case $word in --nodelist=*) echo "$$ ${word#*=}" >>"$site/jobs/all" ;; esac; done
echo $$
END
cat >many/squeue <<'END'
#!/bin/sh
[ ! -e "$site/jobs/all" ] || awk -v free="$(ls "$site" | grep -c free)" '{
    print $1 "|" $2 "|" (substr($2, 2) % 5 < 3 && !free ? "PENDING|Resources" : "COMPLETED|None") }' "$site/jobs/all"
END
chmod +x many/*
results() { # of busy nodes or of idle ones, by a comparison
    awk '{ text = text $0 "\n" } END { for (i = 1; i <= 5000; i++) if (i % 5 '"$1"' 3) {
        mine = text; sub(/"host": *"[^"]*"/, "\"host\": \"m" i "\"", mine); file = "nodes/m" i ".json"; printf "%s", mine >file; close(file) } }' sample.json
}
begin
start env PATH="$work/many:$PATH" "$carmine" fleet run --by slurm --detach
expect "5,000 nodes are submitted" status 0 err "5000 jobs are in the queue of Slurm" true '[ "$(cut -d " " -f 2 "$site/jobs/all" | sort -u | wc -l)" = 5000 ]'
results ">="
PATH=$work/many:$PATH behind fleet run --by slurm
until_so 'grep -q "3000 jobs are in the queue of Slurm already" err'
results "<"
: >"$site/free"
ended
expect "and taken up: 2,000 idle ones are done" status 0 err "2000 nodes are measured already" out "5000 nodes of 1 machine type" \
    true '[ "$(wc -l <"$site/jobs/all")" = 5000 ]'

# MPI: one launch for all nodes.
begin
echo "mpirun (Open MPI) 4.1.4" >"$site/version"
# shellcheck disable=SC2086
run fleet run --by mpi -- $short
expect "by Open MPI" status 0 out "3 nodes of 1 machine type" true '[ "$(hosts)" = "a b c" ]' true 'grep -q "^mpirun -N 1 --bind-to none hostname" $log' \
    true 'grep -q "^mpirun -N 1 --bind-to none --host a,b,c /" $log'
begin
echo alters >"$site/a"
echo halts >"$site/b"
# shellcheck disable=SC2086
run fleet run --by mpi -- $short
expect "what was changed on its way is none, nor is half a result" status 1 out "No result from 2 of 3 nodes" \
    out "a  its result was damaged in transfer" out "b  it started, but sent no result" true '[ "$(hosts)" = c ]'
begin
echo "HYDRA build details:" >"$site/version"
# shellcheck disable=SC2086
run fleet run --by mpi=mpirun -w a,b,c -- $short
expect "by MPICH" status 0 true '[ "$(hosts)" = "a b c" ]' true 'grep -q "^mpirun -ppn 1 -bind-to none -hosts a,b,c -n 3 /" $log'
echo "another launcher 1.0" >"$site/version"
refuses "a launcher that nobody knows" "mpirun is the launcher of neither Open MPI nor" fleet run --by mpi
echo "mpirun (Open MPI) 4.1.4" >"$site/version"
refuses "a range where MPI takes names" "'a[1-3]' is not a node's name" fleet run --by mpi -w 'a[1-3]'

# ClusterShell labels each line with the node's name.
begin
echo dies >"$site/c"
# shellcheck disable=SC2086
run fleet run --by clush -w '@all' -- -f 8 $short
expect "by ClusterShell" status 1 true '[ "$(hosts)" = "a b" ]' true 'grep -q "^clush -w a,b,c -f 8 /" $log' \
    out "c  c: srun: error: Node failure on c"
begin
echo foreign >"$site/a"
# shellcheck disable=SC2086
run fleet run --by pdsh -w '[a-c]' -- -t 5 $short
expect "by pdsh, a node of another architecture" status 1 true '[ "$(hosts)" = "b c" ]' true 'grep -q "^clush -w a,b,c -t 5 /" $log' \
    true 'tr -s " \n" " " <out | grep -q "Exec format error: carmine is of another architecture than this node; build a carmine-node for it"'
begin
echo hangs >"$site/b"
# shellcheck disable=SC2086
behind fleet run --by mpi -- $short
until_so '[ -e "$site/hanging" ] && [ -e nodes/c.json ]'
kill -INT $pid
ended
expect "Ctrl-C of a launcher" status 2 err "interrupted: " true '[ -e nodes/c.json ]'

begin
printf '#!/bin/sh\n[ "$1" != --version ] || exec cat "$site/version"\nprintf "Welcome to n!\\na\\n"\n' >bin/greeter
chmod +x bin/greeter
run fleet run --by mpi=greeter --dry-run
expect "lines that are no names are told" status 0 lines 2 err "1 line of the list from Open MPI is no node's name, such as 'Welcome to n!'"

# Errors before anything is started.
: >"$log"
refuses "no engine" "fleet run needs --by slurm, mpi, mpi=PROGRAM, clush or pdsh, which starts programs on the nodes" fleet run
printf '#!/bin/sh\nprintf "a\\nb;c\\n"\n' >bin/nodeset
refuses "a name that no node has" "'b;c' is not a node's name; leave it out of a,b;c" fleet run --by clush -w 'a,b;c'
refuses "the same of Slurm" "'b;c' is not a node's name" fleet run --by slurm -w 'n1,b;c'
run fleet run --by slurm -w 'n[1-5]' --dry-run
expect "a dry run tells of a node that there is not" status 0 lines 5 err-lines 1 err "n5 is left out: there is no such node"
refuses "an engine that is not there" "not mpirun" fleet run --by mpirun
for gone in slurm mpi "clush a"; do
    # shellcheck disable=SC2086
    refuses "what is gone: --$gone" "--${gone% a} was removed after 0.2.0; --by ${gone% a}" fleet run --$gone
done
refuses "a partition of MPI" "--partition needs --by slurm" fleet run --by mpi -p x
refuses "a queue of MPI" "--detach needs a queue: --by slurm" fleet run --by mpi --detach
refuses "what is gone: --at-once" "--at-once was removed after 0.2.0; the engine's own option behind --" fleet run --by clush --at-once 8
refuses "ClusterShell without nodes" "--by clush needs the nodes" fleet run --by clush
refuses "an option of here" "--output has no use behind --" fleet run --by slurm -- -o x.json
refuses "an operand" "unexpected argument" fleet run nodes --by slurm
refuses "measuring what is only read" "--by is an option of \`carmine fleet run\`" fleet nodes --by slurm
: >taken
refuses "a file as the folder" "taken is not a folder" fleet run --by slurm -o taken
: >"$site/sinfo"
refuses "nodes that there are not" "Slurm lists no nodes of n9" fleet run --by slurm -w n9
start env PATH="$work/empty" "$carmine" fleet run --by slurm
expect "a host without Slurm" status 2 err-lines 1 err "there is no sbatch along PATH"
start env PATH="$work/empty" "$carmine" fleet run --by mpi
expect "a host without MPI" status 2 err-lines 1 err "there is no mpirun or mpiexec along PATH"
expect "and nothing was" true '! grep -q "^start" $log'
end_of_cases
