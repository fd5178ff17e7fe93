#!/bin/sh
# Runs the command lines of the tutorial unchanged, and those of README.md and the other pages in a folder like a clone.
# Checks the links between the pages of docs/.
. "$(dirname "$0")/../cli.sh"
root=$(cd "$tests/.." && pwd)
page=$root/docs/tutorial.md
mkdir sources path
ln -s "$root/probe" "$root/results" "$root/docs" sources
ln -s "$BUILD" sources/build
ln -s "$carmine" path/carmine
CARMINE=$work/sources PATH=$work/path:$PATH
export CARMINE PATH

sed -n '/^```c$/,/^```$/p' "$page" | sed '/^```/d' >two.c
expect "the tutorial's program" true '[ "$(wc -l <two.c)" -gt 15 ]'
sed -n '/^```sh$/,/^```$/p' "$page" | sed '/^```/d' >lines
expect "the tutorial's lines" true '[ "$(wc -l <lines)" -ge 12 ]'
number=0
while read -r line <&3; do
    number=$((number + 1))
    start sh -c "$line"
    case $line in
    "carmine doctor") expect "$line" true '[ "$status" -le 1 ]' ;; # 1: doctor found something to improve here
    "carmine check "*) expect "$line" status 1 out "FAILED" ;; # the sample has a slow memory
    *) expect "$line" status 0 ;;
    esac
done 3<lines
expect "what they leave" file my.svg file two.svg file both.html true '[ "$(json points.*.region <my.json | grep -c "triad\|polynomial")" -ge 2 ]'
"$carmine" show my.json --json >parts-json
expect "each marked part is a point with flop" true '[ "$(json points.*.flop <parts-json | grep -c "^[1-9]")" -ge 3 ]' true '[ "$(json points.*.region <parts-json | grep -cx "triad\|polynomial")" = 2 ]'

# Command lines of the other pages begin with `carmine`, or with `$ carmine` if their output follows. Lines that measure
# for long and lines about the reader's own programs are left out. An application is measured once, not for a minute.
ln -s "$root/results" "$root/specs" "$root/docs" "$root/tests" .
ln -s "$BUILD" build
mkdir nodes commands
"$BUILD/tests/helpers/fleet" results/granite-rapids-2-cores-vm.json 60 nodes >planted
for each in "$root"/README.md "$root"/docs/*.md; do
    [ "$each" = "$page" ] || awk -v page="$(basename "$each" .md)" '
        /^```/ { shown = ""; inside = !inside && $0 == "```"; next }
        inside && /^\$ / { shown = "" }
        inside && /^(\$ )?carmine / {
            name = sprintf("commands/%s-%03d", page, NR)
            shown = /^\$ / ? name ".shown" : ""
            sub(/^\$ /, ""); sub(/  +#.*/, "")
            print >name
            next
        }
        shown != "" && $0 != "…" { sub(/ +$/, ""); print >shown }' "$each"
done
expect "lines of the other pages" true '[ "$(ls commands/*-??? | wc -l)" -ge 50 ]' true '[ "$(ls commands/*.shown | wc -l)" -ge 8 ]'
for each in commands/*-???; do
    line=$(cat "$each")
    case $line in
    "carmine fleet run "*) continue ;; # needs an engine, which tests/cluster/ sets up
    *" --dry-run "*) ;; # measures nothing
    "carmine memory "* | *" --chart loaded "* | *" --chart core "*) continue ;; # none of the stored results has its data
    "carmine run"* | "carmine sweep "* | "carmine validate"* | "carmine workload "*) continue ;;
    *"./solver"* | *"before.json"* | *"night.jsonl"*) continue ;;
    "carmine app "*) line="carmine app --repeat 1 ${line#carmine app }" ;;
    esac
    start sh -c "$line"
    case $line in
    "carmine check "*) expect "${each#*/}: $line" true '[ "$status" -le 1 ]' ;; # 1: a roof fails
    *) expect "${each#*/}: $line" status 0 ;;
    esac
    [ ! -f "$each.shown" ] || sed 's/ *$//' out | grep -vxFf - "$each.shown" >not-so
    [ ! -f "$each.shown" ] || expect "and prints what stands there" true '[ ! -s not-so ] || ! cat not-so'
done

# The path of each [text](path) exists.
for each in "$root"/README.md "$root"/CONTRIBUTING.md "$root"/docs/*.md "$root"/docs/experiments/*.md; do
    grep -o '](\([^)#]*\)' "$each" | sed 's/^](//' | grep -v '^http' | while read -r link; do
        [ -z "$link" ] || [ -e "$(dirname "$each")/$link" ] || echo "${each#"$root"/}: $link"
    done
done >broken
expect "links lead somewhere" true '[ ! -s broken ] || ! cat broken'

# [text](path#heading): the page has that heading, by GitHub's rules for anchors.
anchors() { sed '/^```/,/^```/d' "$1" | sed -n 's/^##* //p' | tr '[:upper:] ' '[:lower:]-' | sed 's/[^a-z0-9_-]//g'; }
for each in "$root"/README.md "$root"/CONTRIBUTING.md "$root"/docs/*.md "$root"/docs/experiments/*.md; do
    grep -o ']([^):]*#[^)]*)' "$each" | sed 's/^](//; s/)$//' | while IFS='#' read -r link heading; do
        [ -n "$link" ] && target=$(dirname "$each")/$link || target=$each
        anchors "$target" | grep -qx -- "$heading" || echo "${each#"$root"/}: $link#$heading"
    done
done >broken
expect "and so do headings in them" true '[ ! -s broken ] || ! cat broken'
end_of_cases
