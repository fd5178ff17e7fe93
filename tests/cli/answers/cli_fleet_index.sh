#!/bin/sh
# The index that carmine fleet writes into a folder. The report is the same with and without it, even after changes of
# the files or of the index. Unchanged files are not read again.
. "$(dirname "$0")/../cli.sh"
kept=$tests/../results/granite-rapids-2-cores-vm.json
index=nodes/.carmine-fleet-index
mkdir nodes nodes/rack2 spare
"$BUILD/tests/helpers/fleet" "$kept" 30 nodes 1 >/dev/null
"$BUILD/tests/helpers/fleet" "$kept" 30 spare 2 >/dev/null
mv nodes/node002?.json nodes/rack2
: >nodes/none.json
# Another program ran on one node; fleet reports it.
sed -i '0,/"environment": *{/s//&"others_cpus":1.5,"busiest_other":"hog","busiest_other_cpus":1.4,/' nodes/node0003.json
settle() { # a file that has just changed may change again with the same time, so fleet indexes it only later
    sleep 2.2
}
reports() { # FOLDER [OPTION]: prints the whole report of the folder
    "$BUILD/carmine" fleet "$@" --all=roofs && "$BUILD/carmine" fleet "$@" --csv
}
same() { # the same report without an index, with the index found, and with the index written then
    reports nodes >without 2>&1 && reports nodes --index >first 2>&1 && cmp first without && reports nodes --index >again 2>&1 && cmp again without
}
read_bytes() { # the bytes that carmine reads from all files of the folder
    sh -c '"$0" fleet nodes "$@" >out 2>err && sed -n "s/^rchar: //p" "/proc/$$/io"' "$carmine" "$@"
}
stamp() { stat -c '%i %Y %s' $index; }

run fleet nodes
expect "nothing is written unless asked for" status 0 no-file $index
settle
expect "the same report with an index as without" true same file $index
run fleet nodes --all --index
expect "what ran beside a node is kept, too" status 0 out '"hog"'
before=$(stamp)
expect "which is not written again without need" true same true '[ "$(stamp)" = "$before" ]' true '[ -z "$(ls nodes/.*.tmp 2>/dev/null)" ]'
if [ -r /proc/self/io ]; then
    expect "results are not read again" true '[ $((4 * $(read_bytes --index))) -lt "$(read_bytes)" ]'
else
    skip "results are not read again" "the kernel does not count what is read"
fi
run fleet nodes/ --json --index
cp out slash
run fleet nodes/. --json --index
expect "the folder by another name" true '[ "$(json nodes <slash)" = 30 ]' true '[ "$(json nodes <out)" = 30 ]'

# Each of these changes the folder, and the report must change with it.
changes() { # NAME COMMAND: after it the reports agree with each other and differ from the earlier one
    name=$1 && shift
    reports nodes --index >old 2>&1
    eval "$@"
    expect "$name" true same true '! cmp -s old first'
}
digits() { # FILE: prints it with other digits, in the same size
    sed 's/"memory_total_bytes": *\([0-9]*\)[0-9]\{10\}/"memory_total_bytes": \11111111111/' "$1"
}
changes "a file with other content" 'cp spare/node0003.json nodes/node0003.json'
changes "replaced by one of the same size and second" 'digits nodes/node0004.json >new; touch -d "@$(stat -c %Y nodes/node0004.json)" new
    [ $(stat -c %s new) = $(stat -c %s nodes/node0004.json) ] && mv new nodes/node0004.json'
changes "rewritten in place, of the same size, and its time set back" 'touch -r nodes/node0005.json time; digits nodes/node0005.json >new
    cat new >nodes/node0005.json; touch -r time nodes/node0005.json'
settle
expect "all is kept again" true same
changes "a file removed" 'rm nodes/node0006.json'
changes "a file added" 'cp spare/node0006.json nodes/rack2/more.json'
changes "a file renamed" 'mv nodes/node0007.json nodes/seven.json'
changes "two files that change names" 'mv nodes/node0008.json x; mv nodes/node0009.json nodes/node0008.json; mv x nodes/node0009.json'
changes "a file that is no result any more" 'echo "{}" >nodes/node0010.json'
changes "and again is one" 'cp spare/node0011.json nodes/node0010.json'
changes "a folder removed" 'rm -r nodes/rack2'

# A damaged index is not used.
settle
expect "an index of what is left" true same file $index
whole() { # the report is right, and the index has the size of a new one
    reports nodes --index >first 2>&1 && cmp first without && [ "$(stat -c %s $index)" = "$size" ]
}
size=$(stat -c %s $index)
cp $index good
for bytes in 0 1 100 5000 $((size / 2)) $((size - 8)) $((size - 1)); do
    head -c "$bytes" good >$index
    expect "cut after $bytes bytes" true whole
done
for at in 3 40 70 120 300 34000 40000 $((size / 2)) $((size - 3)); do
    cp good $index
    printf '\377' | dd of=$index bs=1 seek="$at" conv=notrunc status=none
    expect "byte $at is another" true whole
done
cat good good >$index
expect "longer than it says" true whole
cat good "$kept" >$index
expect "with a file behind it" true whole
sed "s/$("$carmine" -V | cut -d ' ' -f 2)/0.1.0/" good >$index
expect "of another version" true '! cmp -s good $index' true whole
rm $index && mkdir $index
expect "a folder in its place" true 'reports nodes --index >first 2>&1' true 'cmp first without'
rmdir $index && mkfifo $index
expect "a pipe in its place" true 'reports nodes --index >first 2>&1' true 'cmp first without'
rm $index && echo precious >precious && ln -s ../precious $index
expect "a link in its place is not followed" true 'reports nodes --index >first 2>&1' true 'cmp first without' true '[ "$(cat precious)" = precious ]'
rm $index

# Files are read again if their times cannot be trusted.
touch -d '+1 year' nodes/node0012.json
expect "a file of the future is read" true same
expect "and never kept" file $index true '! grep -q node0012.json $index' true 'grep -q node0013.json $index'

# If no index can be written, the report is the same as without one.
rm -f $index
(ulimit -f 8 && "$BUILD/carmine" fleet nodes --json --index >out 2>err)
expect "no room for it" true '[ -s out ] || [ -s err ]' no-file $index true '[ -z "$(ls nodes/.*.tmp 2>/dev/null)" ]'
chmod a-w nodes
reports nodes --index >first 2>&1
expect "a folder that is only for reading" true 'cmp first without'
chmod u+w nodes
run fleet nodes/node0002.json nodes/node0003.json nodes/node0011.json --index
rm -f $index
run fleet nodes/node0002.json nodes/node0003.json nodes/node0011.json --index
expect "files named one by one have none" status 0 no-file $index
end_of_cases
