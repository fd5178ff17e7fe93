# The schemas: `carmine --schema`, and whether files and answers fit them. All other tests check theirs at the end (cli.sh).
. "$(dirname "$0")/../cli.sh"

run --schema
expect "the list of schemas" status 0 lines 29 out carmine.result/1 out carmine.fleet/1
names=$(cat out)
refuses "an unknown schema" "no schema 'carmine.roof/1' (did you mean \`carmine.roofs/1\`?); carmine --schema lists them" \
    --schema carmine.roof/1
for name in $names; do
    run --schema "$name"
    expect "the schema $name" status 0 true '[ "$(json title <out | xargs echo)" = "$name" ]' out "urn:$(echo "$name" | tr / :)"
done

fits() { "$tests/helpers/schema.py" "$carmine" "$@" >out 2>err; status=$?; }
cp "$tests"/../results/*.json .
set -- *.json
for file; do
    "$carmine" show "$file" --json >"$file.show"
    "$carmine" show "$file" --format flat >"$file.flat"
    "$carmine" check "$file" --baseline zen3-2-cores-vm.json --json >"$file.check" 2>err
    "$carmine" compare "$file" zen5-2-cores-vm.json --json >"$file.compare" 2>err
done
"$carmine" fleet . --json >fleet 2>err
cp "$tests/fuzz/seeds/soak.jsonl" .
fits *.json *.jsonl *.show *.flat *.check *.compare fleet
if [ "$status" = 3 ] || [ "$status" = 127 ]; then
    skip "stored results and their answers fit the schemas" "there is no jsonschema for python3 (python3-jsonschema)"
else
    expect "stored results and their answers fit the schemas" status 0 lines 0
    # name | how a file is broken (sed) | the fault
    while IFS='|' read -r name broken fault; do
        sed "$broken" zen3-2-cores-vm.json.show >broken
        fits broken
        expect "$name" status 1 lines 1 out "$fault"
    done <<'END'
a missing key|0,/^   "threads": .*,$/{/"threads"/d}|'threads' is a required property
a wrong type|0,/^   "threads": \(.*\),$/s//   "threads": "\1",/|is not of type 'number'
an unknown key|0,/^   "threads"/s//   "thread_count": 1, "threads"/|'thread_count' was unexpected
END
    sed 's/"cores":[^,]*,//; 0,/"core_count": 2/s//"core_count": 2.5/' zen3-2-cores-vm.json >broken
    fits broken
    expect "half a core in a result" status 1 out "2.5 is not of type 'integer'"
    sed '2s/"at_s"/"at_h"/' soak.jsonl >broken
    fits broken
    expect "a missing key in a round of a log" status 1 out "'at_s' is a required property" out "'at_h' was unexpected"
    sed '1s/"for_s":[^,]*,//' soak.jsonl >broken
    fits broken
    expect "a missing key in its first line" status 1 lines 1 out "'for_s' is a required property"
fi
end_of_cases
