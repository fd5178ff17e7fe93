#!/bin/sh
# The tutorial's command lines, each as it stands there, and links between the pages of docs/.
. "$(dirname "$0")/../cli.sh"
root=$(cd "$tests/.." && pwd)
page=$root/docs/tutorial.md
mkdir sources path
ln -s "$root/probe" "$root/results" sources
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
    "carmine doctor") expect "$line" true '[ "$status" -le 1 ]' ;; # 1: there is something to mend here
    *) expect "$line" status 0 ;;
    esac
done 3<lines
expect "what they leave" file my.svg file two.svg file both.html true '[ "$(json points.*.region <my.json | grep -c "triad\|polynomial")" -ge 2 ]'

# [text](path) of every page leads to something.
for each in "$root"/README.md "$root"/CONTRIBUTING.md "$root"/docs/*.md "$root"/docs/experiments/*.md; do
    grep -o '](\([^)#]*\)' "$each" | sed 's/^](//' | grep -v '^http' | while read -r link; do
        [ -z "$link" ] || [ -e "$(dirname "$each")/$link" ] || echo "${each#"$root"/}: $link"
    done
done >broken
expect "links lead somewhere" true '[ ! -s broken ] || ! cat broken'
end_of_cases
