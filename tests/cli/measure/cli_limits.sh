#!/bin/sh
# Under the system's limits each command works, or ends with status 2 and names the limit and a remedy. The limits are
# on file sizes, processes, descriptors, the stack and /proc. No existing file is lost. Many input files work, too.
. "$(dirname "$0")/../cli.sh"
ulimit -c 0
unset LD_PRELOAD
export TMPDIR="$work"
results=$(dirname "$tests")/results
cp "$results/granite-rapids-1-core-vm.json" a.json
cp "$results/zen3-2-cores-vm.json" b.json
cp "$(dirname "$results")/tests/topologies/clusters.xml" recorded.xml
mkdir many
for number in $(seq 70); do cp a.json many/$number.json; done
chmod -R a+rwX .

# Calls the function for every command, with files that need the limited resource.
commands() { # FUNCTION: called with a name and the command line
    "$1" run run --isa sse --type f64 --mix mul,load --threads 1 --level L1 --budget 1 --quick -o new.json
    "$1" show show a.json
    "$1" "plot -o svg" plot a.json -o new.svg
    "$1" "plot -o png" plot a.json -o new.png
    "$1" "plot -o html" plot a.json b.json -o new.html
    "$1" "plot" plot a.json
    "$1" compare compare a.json b.json --plot new.svg
    "$1" check check --baseline a.json a.json --junit new.xml
    "$1" fleet fleet many
    "$1" import import stream "$tests/imports/stream.txt" -o a.json
    "$1" app app --repeat 1 -o a.json true
    "$1" workload workload read --sizes 1000 --repeat 1 --quick -o new.json
    "$1" sweep sweep --isa sse --mix load --quick --per-octave 1 -o new.json
    "$1" "sweep --dlp" sweep --dlp --isa sse --mix add --budget 1
    "$1" clock clock --for 0.1
    "$1" validate validate --isa sse --level L1 --quick -o new.json
    "$1" doctor doctor
    "$1" machine machine
    "$1" "machine --topology" machine --topology recorded.xml
    "$1" kernels kernels
    "$1" spec spec a.json
}
# The command works, or ends with status 2, a message that names the remedy, and all files unchanged.
limited() { # NAME ARGUMENTS…
    limited_name=$1
    shift
    rm -f new.*
    cp "$results/granite-rapids-1-core-vm.json" a.json
    chmod a+rw a.json
    # shellcheck disable=SC2086
    start $limit "$carmine" "$@"
    if [ $status != 0 ]; then
        expect "$limit_name: $limited_name" status 2 true "tail -n 1 err | grep -q '^carmine.*\\($remedy\\)'" \
            true 'cmp -s a.json "$results/granite-rapids-1-core-vm.json"' true '[ -z "$(ls new.* 2>&1 | grep ^new)" ]'
    else
        expect "$limit_name: $limited_name" status 0 not "Segmentation"
    fi
}
under() { # NAME REMEDY WRAPPER…: all commands
    limit_name=$1 remedy=$2
    shift 2
    limit=$*
    if $limit "$carmine" --version >/dev/null 2>&1; then
        commands limited
    else
        skip "$limit_name" "this user cannot set it here"
    fi
}

under "files of 2 KiB" "ulimit -f" prlimit --fsize=2000
under "five descriptors" "ulimit -n" prlimit --nofile=5
nobody=
[ "$(id -u)" = 0 ] && nobody="setpriv --reuid 65534 --regid 65534 --clear-groups"
chmod a+rwx .
under "no other process" "ulimit -u" $nobody prlimit --nproc=1
if nm "$carmine" | grep -q __asan_init; then
    skip "a stack of 256 KiB" "a sanitizer puts more on it"
else
    under "a stack of 256 KiB" "ulimit -s" prlimit --stack=262144
    start prlimit --stack=98304 "$carmine" plot a.json -o new.svg
    expect "a stack of 96 KiB" status 2 err "raise \`ulimit -s\`" err-lines 1 no-file new.svg
    limit_name="a stack of 256 KiB, by itself" limit="prlimit --stack=262144" remedy=none
    rm -f new.svg
    start $limit "$carmine" plot a.json -o new.svg
    expect "which is enough" status 0 file new.svg
fi
echo 'mount -t tmpfs none /proc && exec "$@"' >hide.sh
under "no /proc" "/proc" unshare -m sh hide.sh

run plot many/*.json -o new.html
expect "a page of 70 files" status 0 file new.html
run compare many/*.json --plot new.svg
expect "a comparison of 70" status 0 file new.svg

# The measured program keeps the user's limit, and dies of it as it would without carmine.
cat >grow.sh <<'END'
exec dd if=/dev/zero of=grown bs=1024 count=4096
END
start prlimit --fsize=1000000 "$carmine" app --repeat 1 sh grow.sh
expect "a measured program beyond its limit" status 153 true '[ "$(wc -c <grown)" = 1000000 ]'
end_of_cases
