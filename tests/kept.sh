# shellcheck shell=sh
# A kept result, and variants of it. Source it after cli.sh.
kept=$tests/../results/granite-rapids-2-cores-vm.json

# vary PATTERN FACTOR <RESULT: the values of samples whose line has the pattern, times the factor.
vary() {
    awk -v pattern="$1" -v factor="$2" '
        $0 ~ pattern && match($0, /"value":[-+0-9.e]+/) {
            value = substr($0, RSTART + 8, RLENGTH - 8) * factor
            $0 = substr($0, 1, RSTART + 7) sprintf("%.7g", value) substr($0, RSTART + RLENGTH)
        }
        { print }'
}
