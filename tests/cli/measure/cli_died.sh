#!/bin/sh
# A kernel that dies of a signal costs its own roofs only. An invalid instruction replaces the kernel's first one in a
# copy of carmine.
. "$(dirname "$0")/../cli.sh"

case $isa in sse) invalid='\017\013' ;; *) invalid='\000\000\000\000' ;; esac # UD2, UDF
# dying FILE KERNEL: copies carmine to FILE; each variant of the kernel (a part of its symbol) dies of SIGILL there.
dying() {
    cp "$carmine" "$1"
    nm "$carmine" | sed -n "s/^\([0-9a-f]*\) [tT] kernel_$2_[0-9x_]*$/\1/p" >symbols
    readelf -SW "$carmine" | sed -n 's/.* \.text  *PROGBITS  *\([0-9a-f]*\) \([0-9a-f]*\) .*/\1 \2/p' >text
    read -r address offset <text
    while read -r symbol; do
        printf "$invalid" | dd of="$1" bs=1 conv=notrunc seek=$((0x$symbol - 0x$address + 0x$offset)) 2>dd
    done <symbols
    [ -s symbols ]
}
if ! dying one ${isa}_f64_add; then
    echo "not ok a kernel to be replaced: $(nm "$carmine" | grep -m 3 kernel_$isa)"
fi
start ./one run --isa $isa --type f64 --mix add,mul --threads 1 --budget 4 -o one.json
expect "a kernel that dies" status 2 err "$isa.f64.add (" err "died of SIGILL on CPU" err "--isa selects" err "1 kernel died" \
    out "f64 peak" out "▲       $isa.f64.add" true '[ "$(json samples.*.kernel <one.json)" = $isa.f64.mul ]' \
    true '[ "$(json deaths.0.signal <one.json)" = SIGILL ]' file one.svg true '[ $(json environment.interrupted <one.json) = false ]'
run show one.json
expect "show tells of it" status 0 out "died of SIGILL" not "ended early" not "partial"
run plot one.json -o one.html
expect "so does the page" status 0 true 'grep -q "died of SIGILL" one.html'
run run --isa $isa --type f64 --mix add,mul --threads 1 --budget 4 --resume one.json
expect "where it lives the file is completed" status 0 not SIGILL true '[ "$(json samples <one.json)" = 2 ]' true '! json deaths <one.json'
start ./one run --isa $isa --type f64 --mix add --threads 1 --budget 4 -o none.json
expect "the only one" status 2 err "died of SIGILL" no-file none.json lines 0
# The kernel dies so late that the interim result, which is empty, would have been saved before.
./one run --isa $isa --type f64 --mix add --threads 1 --budget 4 -o none.json 2>err >out &
pid=$!
sleep 0.2
kill -STOP $pid 2>/dev/null && sleep 1.3 && kill -CONT $pid
wait $pid
status=$?
expect "the only one, and late" status 2 err "died of SIGILL" no-file none.json
if [ "$(nproc)" -gt 1 ]; then
    start ./one run --isa $isa --type f64 --mix add,mul --threads 2 --budget 4 -o two.json
    expect "of two threads" status 2 err "died of SIGILL on CPU" err "1 kernel died" true '[ "$(json samples.*.kernel <two.json)" = $isa.f64.mul ]'
else
    skip "of two threads" "there is one CPU"
fi
dying walks ${isa}_load
# Sizes whose best code is another are measured.
start ./walks sweep --isa $isa --mix load,store --quick --per-octave 1 -o sweep.json
expect "a sweep" status 2 file sweep.svg true 'json curves.*.kernel <sweep.json | grep -qx $isa.store' err "$isa.load (" err "died of SIGILL" out "$isa.store"
start ./walks validate --level L1 --isa $isa --quick -o validate.json
expect "a validation" status 2 err "1 kernel died" err "$isa.load (" err "died of SIGILL" not "partial"
end_of_cases
