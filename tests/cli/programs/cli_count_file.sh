#!/bin/sh
# docs/count-file.md: its tables are the structs of the code, its command lines run as they stand there, and the reader
# that they start, examples/counted.c, finds what carmine app finds.
. "$(dirname "$0")/../cli.sh"
root=$(cd "$tests/.." && pwd)
page=$root/docs/count-file.md

# Each table as assertions: the fields have their offset and size, lie side by side, and fill the struct.
awk -F '[ `]*[|][ `]*' '
    BEGIN { size["u8"] = size["bytes"] = size["text"] = 1; size["u16"] = 2; size["u32"] = 4; size["u64"] = 8 }
    function ends() { if (of && end != full) print "#error the fields of struct " of " have " end " bytes of " full }
    FNR == 1 { pass++ }
    /^##/ { if (pass == 2) ends(); kind = substr($0, 5); of = "" }
    /^`struct / { split($0, word, /[ `,]+/); size[kind] = full = word[4]; of = word[3]; end = 0 }
    pass == 2 && /^`struct / { print "_Static_assert(sizeof(struct " of ") == " full ", \"bytes of " of "\");" }
    pass == 2 && of && $4 ~ /^[0-9]+$/ {
        bytes = split($3, type, /[][]/) > 1 ? size[type[1]] * type[2] : size[type[1]]
        if ($4 != end) print "#error " of "." $2 " does not begin where the field before it ends"
        if ($2 != "(unused)")
            print "_Static_assert(offsetof(struct " of ", " $2 ") == " $4 " && sizeof((struct " of "){0}." $2 ") == " bytes ", \"" of "." $2 "\");"
        end += bytes
    }' "$page" "$page" >asserts
{
    printf '#include <stddef.h>\n#include "bench/profile/dump.h"\n'
    cat asserts
    echo '_Static_assert(DUMP_IN_STEP == 1 && DUMP_WRITE_BACK == 2 && DUMP_BY_CODE == 4, "how");'
    echo '_Static_assert(CONTENT_FREE == 0 && CONTENT_INCLUSIVE == 1 && CONTENT_VICTIM == 2, "content");'
    echo '_Static_assert(DUMP_TOUCH_LINES == 0 && DUMP_TOUCH_PAGES == 1 && DUMP_NOT_KNOWN == UINT64_MAX, "touches");'
} >tables.c
start ${CC:-cc} -std=gnu11 -I"$root" -fsyntax-only tables.c
expect "the tables are the structs" status 0 true '[ "$(grep -c sizeof asserts)" -gt 80 ]'
for each in $(sed -n 's/^struct \(dump_[a-z_]*\) {.*/\1/p' "$root/bench/profile/dump.h"); do
    grep -q "^\`struct $each\`, " "$page" || echo "$each"
done >missing
expect "and none is missing" true '[ ! -s missing ] || ! cat missing'
expect "the version is the code's" true 'grep -qF "DUMP_MAGIC \"$(sed -n "1s/.*\`\(.*\)\`.*/\1/p" "$page")\"" "$root/bench/profile/dump.h"'

# The command lines, on a triad without masked instructions: the reader leaves these out.
mkdir -p build/examples
ln -s "$BUILD/libcarmine-count.so" build
ln -s "$BUILD/examples/counted" build/examples
ln -s "$BUILD/apps/triad" build/examples
sed -n '/^```sh$/,/^```$/p' "$page" | sed '/^```/d' >lines
start sh -ec "$(cat lines)"
expect "the page's command lines" status 0 lines 13 out "sum 1399930000"
mv out read
OMP_NUM_THREADS=1 run app --repeat 1 --by region --json -- build/examples/triad 20000 5
expect "carmine app counts the same program" status 0
point() { json "points.*.$1" <out; }
sum=$(($(point load_bytes) + $(point store_bytes)))
expect "its flop and bytes are the reader's" true '[ "$(sed -n "2s/ B,.*//p" read)" = "$(point flop) flop, $sum" ]'
expect "the hottest block is the triad's" true 'sed -n 3p read | grep -q "^[5-9][0-9].* in triad"' true 'sed -n 3p read | grep -qF "of $(readlink -f build/examples/triad)"'
expect "the program has more than its region" true '[ "$(sed -n "8s/ flop.*//p" read)" -gt "$(point flop)" ]'
mkdir static
start build/libcarmine-count.so "$work/static" "$BUILD/apps/static" -- static
expect "a static program has its arguments" out "1 arguments, the last is static"
start build/examples/counted static/count.*
expect "and is counted" status 0 out " B, " out " instructions"
start build/examples/counted "$page"
expect "another file is refused" status 2 lines 0 err "no complete file"
: >empty
for each in empty static; do
    start build/examples/counted $each
    expect "without content, too: $each" status 2 lines 0 err "no complete file"
done
end_of_cases
