# Functions for tests of carmine workload, in addition to cli.sh: a short workload, and its results.
. "$(dirname "$0")/../cli.sh"
export TMPDIR="$work/tmp"
unset LD_PRELOAD
ulimit -c 0
mkdir tmp
workload() { run workload --quick --repeat 3 "$@"; }
left_nothing() { [ -z "$(ls tmp)" ] && echo "ok no temporary files: $1" || echo "not ok no temporary files: $1: $(ls tmp)"; }
point() { json "points.*.$1" <"$2" | xargs echo; } # of all points
