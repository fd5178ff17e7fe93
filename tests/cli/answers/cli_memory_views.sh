#!/bin/sh
# A stored memory system: in show, in pictures, on a page. Results without one show nothing of it.
. "$(dirname "$0")/../cli.sh"
roofs=roofs.json
{ sed '/^"core": \[/,$d' "$tests/../results/zen3-2-cores-vm.json" | sed '$s/,$//' && echo '}'; } >$roofs

# points FACTOR SETTING…: latency and bandwidth rise with the place.
points() {
    factor=$1 place=0
    shift
    for setting; do
        place=$((place + 1))
        printf '%s{"setting": %s, "latency_s": [%s, %s, %s], "bytes_per_s": [%s, %s, %s], "visits": 5}' "${comma=}" "$setting" \
            "${factor}${place}0e-9" "${factor}${place}0e-9" "${factor}${place}1e-9" "${place}e9" "${place}e9" "${place}.1e9"
        comma=', '
    done
    comma=
}
cat >memory.txt <<END
"memory_series": [
{"part": "loaded", "level": "DRAM", "kernel": "avx2.load", "threads": 1, "page_bytes": 2097152, "points": [$(points 1 1e9 100 10 0)]},
{"part": "loaded", "level": "L3", "kernel": "avx2.load", "threads": 1, "page_bytes": 2097152, "points": [$(points 1 1e9 100 0)]},
{"part": "mlp", "level": "DRAM", "kernel": "chase", "threads": 1, "page_bytes": 2097152, "points": [$(points 1 1 2 4)]},
{"part": "writes", "level": "DRAM", "kernel": "avx2.store", "page_bytes": 2097152, "points": [$(points 1 1 2)]},
{"part": "pages", "level": "DRAM", "kernel": "chase", "threads": 1, "page_bytes": 4096, "points": [$(points 1 16 64 256)]}],
"memory_pairs": [{"first": 0, "second": 1, "shares": "L3", "swap_s": [70e-9, 69e-9, 71e-9, 72e-9, 71e-9, 73e-9]}],
"memory_pairs_planned": 1,
END
sed '1r memory.txt' "$roofs" >both.json
run show both.json
expect "a line for each part" status 0 out "Loaded  A load from DRAM takes 110 ns idle" out "Chases  One core has" \
    out "Cores   A line goes from core to core in 71 ns (same L3)" out "Writes  A store to memory" err-lines 0
run show "$roofs"
expect "none without them" status 0 not "Loaded" not "Chases" not "Cores  "
run show both.json --all
expect "tables of all parts" status 0 out "── memory under load ──" out "chases in" out "a line within" out "pages of"
run show both.json --all --markdown
expect "also in Markdown" status 0 out "| chases in |"
run show both.json --level L1
expect "not with chosen roofs" status 0 not "chases in" not "memory under load"
run show both.json --json
expect "in JSON" status 0 true '[ "$(json memory.schema <out)" = carmine.memory/1 ]' true '[ "$(json memory.loaded <out)" = 2 ]'
run show both.json --csv
expect "CSV has the roofs, and names the table of the memory" status 0 err "--table has others: memory" not '"loaded"' true 'is_csv out'
run show both.json --csv --table memory
expect "in CSV" status 0 err-lines 0 true 'is_csv out' out '"loaded","DRAM","avx2.load",1,,,2097152,' out '"cores","","swap",,,,,,0,1,1,"L3",7.2e-08' \
    true '[ "$(wc -l <out)" = 18 ]'
for chart in "loaded" "loaded --of l3" "mlp" "cores" "pages"; do
    run plot both.json --chart $chart -o x.svg # unquoted: several words
    expect "picture: $chart" status 0 file x.svg
    run plot both.json --chart $chart
    expect "in the terminal: $chart" status 0 true '[ "$(wc -l <out)" -ge 8 ]'
done
refuses "no picture without data" "carmine memory -o FILE" plot "$roofs" --chart loaded -o x.svg
run plot both.json -o both.html
expect "on the page" status 0 true '[ "$(grep -c "id=\"memory-name\"" both.html)" = 1 ]' \
    true '[ "$(grep -o "plot-area-[0-9]*\"" both.html | sort -u | wc -l)" -ge 4 ]' true '! grep -q "plot-area-1\".*plot-area-1\"" both.html'
run plot "$roofs" -o roofs.html
expect "only with data" status 0 true '! grep -q memory-name roofs.html'
end_of_cases
