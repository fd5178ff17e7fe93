# shellcheck shell=sh
# A stored result, and variants of it. Source it after cli.sh.
kept=$tests/../results/granite-rapids-2-cores-vm.json

# vary PATTERN FACTOR [CLOCK] <RESULT: scales the values and intervals of samples whose line matches the pattern, and
# their values per cycle; with CLOCK their clocks instead.
vary() {
    awk -v pattern="$1" -v factor="$2" -v clock="$3" '
        function scale(key) {
            if (!match($0, "\"" key "\":[-+0-9.e]+"))
                return
            begin = RSTART + length(key) + 3
            value = substr($0, begin, RSTART + RLENGTH - begin) * factor
            $0 = substr($0, 1, begin - 1) sprintf("%.7g", value) substr($0, RSTART + RLENGTH)
        }
        function scale_clocks(by,    hz) {
            if (!match($0, /"clock_hz":\[[^]]*/))
                return
            split(substr($0, RSTART + 12, RLENGTH - 12), hz, ",")
            $0 = substr($0, 1, RSTART + 11) sprintf("%.7g,%.7g,%.7g", hz[1] * by, hz[2] * by, hz[3] * by) substr($0, RSTART + RLENGTH)
        }
        $0 ~ pattern {
            scale("value"); scale("low"); scale("high")
            if (!clock) scale("per_cycle")
            else scale_clocks(/"latency"/ ? 1 / factor : factor)
        }
        { print }'
}

# uncertain BELOW ABOVE <RESULT: sets the intervals of all samples to value × BELOW … value × ABOVE.
uncertain() {
    sed 's/"low":[^,]*,"high":[^,]*,//' | awk -v below="$1" -v above="$2" '
        /"rate":/ && match($0, /"value":[-+0-9.e]+/) {
            value = substr($0, RSTART + 8, RLENGTH - 8)
            own = sprintf(",\"low\":%.6g,\"high\":%.6g", value * below, value * above)
            $0 = substr($0, 1, RSTART + RLENGTH - 1) own substr($0, RSTART + RLENGTH)
        }
        { print }'
}
