#!/bin/sh
# The exact counter against valgrind's callgrind, which counts the executions of each address. Both find the same
# instructions, flop and bytes for the functions of conjugate gradients. tests/programs/independent derives flop and
# bytes from callgrind's counts; it shares no code with Carmine.
. "$(dirname "$0")/../count.sh"
if ! command -v valgrind >/dev/null || ! command -v objdump >/dev/null; then
    skip "as callgrind" "valgrind or objdump is not installed"
    end_of_cases
    exit
fi
functions='multiply dot add_multiple add_to_multiple'

# The counter's sums for these functions, as lines "KEY NUMBER".
by_counter() {
    awk -v names="$functions" '
        BEGIN { count = split(names, name, " "); for (i = 1; i <= count; i++) wanted[name[i]] }
        /^region / { region = $2 }
        /^function / && region == "\"cg\"" && $2 in wanted { for (i = 3; i < NF; i++) sum[$i] += $(i + 1) }
        END { for (i = split("instructions flop load store", key, " "); i > 0; i--) print key[i], sum[key[i]] + 0 }' profile | sort
}
by_callgrind() { "$tests/programs/independent" cg | grep -E '^(instructions|flop|load|store) ' | sort; }

counted "$apps/cg" 12 3
expect "counted" status 0 true '[ $readable = 0 ]'
mkdir cg
collect=
for name in $functions; do
    collect="$collect --toggle-collect=$name"
done
# shellcheck disable=SC2086
start valgrind --tool=callgrind --callgrind-out-file=cg/callgrind.out.1 --dump-instr=yes --dump-line=no --collect-jumps=yes \
    --compress-strings=no --compress-pos=no $collect "$apps/cg" 12 3
expect "under callgrind" status 0
by_counter >counter
by_callgrind >callgrind
expect "as callgrind" true '[ "$(wc -l <counter)" = 4 ]' true 'grep -qx "flop 291120" counter' true 'diff counter callgrind'
end_of_cases
