# Functions for tests of carmine workload, in addition to cli.sh: runs a short workload and reads its points.
. "$(dirname "$0")/../cli.sh"
export TMPDIR="$work/tmp"
unset LD_PRELOAD
ulimit -c 0
mkdir tmp
# Filling an L3 of hundreds of MiB, which a hypervisor may claim too, takes minutes: levels are those of a smaller one.
small_l3=
[ "$(getconf LEVEL3_CACHE_SIZE)" -le $((64 << 20)) ] || small_l3="--cache L3=32M:16"
workload() {
    case " $* " in
    *" --cache "*) run workload --quick --repeat 3 "$@" ;;
    # shellcheck disable=SC2086 # two words
    *" --levels"*) run workload --quick --repeat 3 "$@" $small_l3 ;;
    *) run workload --quick --repeat 3 "$@" ;;
    esac
}
left_nothing() { [ -z "$(ls tmp)" ] && echo "ok no temporary files: $1" || echo "not ok no temporary files: $1: $(ls tmp)"; }
point() { json "points.*.$1" <"$2" | xargs echo; } # KEY FILE: the values of all points
