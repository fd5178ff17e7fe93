#!/bin/sh
# The tables of docs/validation.md hold what the results give that they name.
. "$(dirname "$0")/../cli.sh"
page=$tests/../docs/validation.md

# Writes the tables of a page here anew, as `make tables` does.
tables_of() {
    (cd "$tests/.." && docs/experiments/tables "$BUILD" "$work/$1") >out 2>err
    status=$?
}

sed 's/^\(| 1\/16 |.*\)[0-9] %/\17777 %/' "$page" >page.md
expect "a page with other numbers" true '! cmp -s page.md "$page"'
tables_of page.md
expect "gets those of its results" status 0 true '[ "$(grep -c "^<!-- \(deviations\|sides\) results/" page.md)" = 6 ]' true 'sed -n "/^<!-- [ds].* results/,/^<!-- end/p" page.md >new; sed -n "/^<!-- [ds].* results/,/^<!-- end/p" "$page" >old; [ "$(wc -l <old)" -gt 40 ] && cmp new old'
for line in "sides results/zen3-2-cores-vm.json" "deviations results/validation/zen5-2-cores-vm.json: avx2.load" "sides results/none.json"; do
    echo "<!-- $line -->" >none.md
    tables_of none.md
    expect "nothing to show: $line" status 2 err "none.md: <!-- $line -->" true '[ "$(wc -l <none.md)" = 1 ]'
done
end_of_cases
