#!/bin/sh
# Counting does not change the output, the files and the exit status of real programs. These are the ones of
# tests/programs that every machine with a compiler has.
. "$(dirname "$0")/../cli.sh"
"$tests/programs/run" -q "$BUILD" sort sha256sum factor wc od tac tar grep sed diff bash dash gzip gunzip perl python3 gcc as objdump bodies \
    bodies-static >lines
cat lines
expect "most of them are here" true '[ "$(grep -c "^ok " lines)" -ge 12 ]'

# Differences are found: programs that show in their output, status or files that they are counted.
mkdir table && cp -p "$tests/programs"/* table # with their times, so nothing is rebuilt
cat >table/programs <<'END'
says | x | its preloaded library | sh -c 'echo "$LD_PRELOAD"'
ends | x | its status | sh -c '[ -z "$LD_PRELOAD" ]'
writes | x | a file | sh -c 'echo "$LD_PRELOAD" >out'
same | x | nothing of it | echo same
END
start table/run -q "$BUILD"
expect "what differs fails" status 1 out "not ok says: other out than natively" out "not ok ends: other status" \
    out "not ok writes: other files" true "grep -qx 'ok same' out"
end_of_cases
