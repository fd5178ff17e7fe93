#!/bin/sh
# Programs of equal traffic and other arithmetic: what a program waits for, by its traffic between caches, never
# contradicts what binds its loop. Nothing depends on how long anything takes.
. "$(dirname "$0")/../cli.sh"
unset LD_PRELOAD
pairs=$BUILD/apps/pairs
run run --isa sse --type f64 --mix mul,load,chase,random --threads 1 --budget 6 -o roofs.json
[ "$status" = 0 ] || echo "not ok roofs to judge by: $(cat err)"

# The hot loop in the function of that name: its line.
loop() { paste -d '|' functions strided bounds shares | awk -F '|' -v name="$1" '$1 ~ name && ($4 > most || !seen++) { most = $4; line = $0 } END { print line }'; }
agrees() { # NAME STRIDED: "" if they do not contradict each other
    bound=$(json program.bound_by <out)
    hot=$(loop "^$1")
    case "$bound|$hot" in
    latency*"|1.0|"*) [ "$bound" != latency ] || echo "strided, and latency" ;;
    esac
    case "$bound|$(echo "$hot" | cut -d '|' -f 3)|$(echo "$hot" | awk -F '|' '{ print ($4 >= 0.5) }')" in
    latency"|"ports"|1" | latency"|"divider"|1" | latency"|"renaming"|1" | latency"|"branches"|1" | instruction"|"latency"|1")
        echo "the program is bound by $bound, its loop by $(echo "$hot" | cut -d '|' -f 3)" ;;
    esac
    [ "$2" != yes ] || [ "$(echo "$hot" | cut -d '|' -f 2)" = 1.0 ] || echo "not strided: $hot"
    [ "$2" = yes ] || [ "$(echo "$hot" | cut -d '|' -f 2)" != 1.0 ] || echo "strided: $hot"
}
strided=yes
for name in $("$pairs"); do
    if [ "$name" = strided ]; then
        strided=no
        continue
    fi
    cp roofs.json one.json
    run app --repeat 1 --levels --by loop --json -o one.json -- "$pairs" "$name"
    for key in function:functions bound_by:bounds time_share:shares; do json "points.*.${key%:*}" <out >"${key#*:}"; done
    json "points.*.in_core.strided" <one.json >strided
    if [ "$(json points.0.in_core.core <one.json)" = null ]; then
        skip "$name" "this core has no table"
        continue
    fi
    if [ -z "$(loop "^$name")" ]; then
        skip "$name" "its loop was not sampled"
        continue
    fi
    expect "$name" status 0 true '[ -z "$(agrees "$name" $strided)" ]'
    agrees "$name" $strided | sed 's/^/    /'
done
end_of_cases
