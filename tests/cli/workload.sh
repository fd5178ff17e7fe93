# Functions for tests of carmine workload, in addition to cli.sh: runs a short workload and reads its points.
. "$(dirname "$0")/../cli.sh"
export TMPDIR="$work/tmp"
unset LD_PRELOAD
ulimit -c 0
mkdir tmp
# Filling an L3 of hundreds of MiB, which a hypervisor may claim too, takes minutes: levels are those of a smaller one.
small_l3=
[ "$(getconf LEVEL3_CACHE_SIZE)" -le $((64 << 20)) ] || small_l3=L3=32M:16
workload() {
    case "$small_l3: $*" in
    :* | *" --levels="*L[23]=*) ;;
    *)
        for word; do
            shift
            case $word in --levels) word=--levels=$small_l3 ;; --levels=*) word=$word,$small_l3 ;; esac
            set -- "$@" "$word"
        done
        ;;
    esac
    run workload --quick --repeat 3 "$@"
}
left_nothing() { [ -z "$(ls tmp)" ] && echo "ok no temporary files: $1" || echo "not ok no temporary files: $1: $(ls tmp)"; }
point() { json "points.*.$1" <"$2" | xargs echo; } # KEY FILE: the values of all points
