#!/bin/sh
# Hostile names: control characters of both sorts, line ends, characters that reverse the writing direction, and bytes
# that are not UTF-8. They occur in every text of a result, in other tools' files, on command lines and in names of
# files. All output must be harmless. Every command gets all sorts at once; show and plot also get each sort alone.
. "$(dirname "$0")/../cli.sh"
hostile() { "$BUILD/tests/helpers/hostile" "$@"; }
harmless() { # NAME STATUS ARGUMENTS…; status "any": not checked
    case_name=$1 wanted=$2
    shift 2
    run "$@"
    [ "$wanted" != any ] || wanted=$status
    expect "$case_name" status "$wanted" true "hostile find <out" true "hostile find <err"
}
pictured() { # FILE ARGUMENTS…
    file=$1
    shift
    run plot "$@" -o "$file"
    expect "plot, $file" status 0 true "hostile find <'$file'"
}

cp "$tests/../results/zen3-2-cores-vm.json" plain.json
run import csv "$tests/imports/plain.csv" -o plain.json --threads 1
expect "a result with points" status 0
fill() { # SORT: makes two results with such names in every text
    sort=$1
    rm -rf many && mkdir many
    hostile fill "$sort" <plain.json >many/a.json
    sed 's/"host": *"/&other/' many/a.json >many/b.json
    expect "sort $sort is everywhere" true "! hostile find <many/a.json || grep -q '\\\\[utnr]' many/a.json"
}
last=$(($(hostile) - 1))
for sort in $(seq 0 $last); do
    fill "$sort"
    for form in "" --json --csv; do
        harmless "sort $sort: show $form" 0 show many/a.json $form
    done
    pictured "picture-$sort.svg" many/a.json
    harmless "sort $sort: a file that is not there" 2 show "f$(hostile text "$sort")x"
done

fill all
for form in "" --json --csv; do
    harmless "show $form" 0 show many/a.json $form
    harmless "compare $form" 0 compare many/a.json many/b.json $form
    harmless "fleet $form" 0 fleet many $form
done
for form in "" --json; do
    harmless "spec $form" 2 spec many/a.json $form # no kernel has a name that is known
    harmless "check $form" 0 check many/a.json --baseline many/b.json $form
done
run check many/a.json --baseline many/b.json --junit junit.xml
expect "JUnit" status 0 true 'hostile find <junit.xml'
for chart in roofline dram sweep; do
    LC_ALL=C.UTF-8 harmless "plot --chart $chart" any plot many/a.json --chart $chart
done
harmless "import into it" 0 import csv "$tests/imports/plain_core.csv" -o many/a.json
pictured "report.html" many/a.json many/b.json
pictured "picture.svg" many/a.json

# Other tools' files, and command lines.
text=$(hostile text all && echo .) text=${text%.}
printf 'name,seconds,flop,core_bytes,threads\n"solve%s",0.5,1e9,8e9,1\n' "$text" >points.csv
harmless "names in a table" any import csv points.csv --name "x$text" --machine "M$text" -o "points.json"
harmless "which region" 2 import csv points.csv --machine M --region "n$text"
harmless "a column" 2 import csv "$(printf 'name,fl%sop\nx,1\n' "$text" >odd.csv && echo odd.csv)" --machine M
harmless "a name" 0 app --name "n$text" --flop 1 --bytes 1 --repeat 1 -- sh -c : "$text"
harmless "a command" 2 "$text"
harmless "an option" 2 show "--x$text"
harmless "a word" 2 plot plain.json --chart "c$text"

# Names of files.
file="f$text.json"
cp many/b.json "$file"
harmless "a file is named: check" any check "$file" --baseline plain.json
harmless "compare" 0 compare "$file" plain.json
harmless "compare --csv" 0 compare "$file" plain.json --csv
harmless "compare --json" 0 compare "$file" plain.json --json
harmless "import" any import csv points.csv -o "$file"
echo '{' >"$file"
harmless "a file that is none" 2 show "$file"
harmless "one of a folder that is none" 0 fleet .
rm "$file"
harmless "a file that is not there" 2 show "$file"
harmless "a folder that is not there" 2 import csv points.csv --machine M -o "d$text/x.json"
rm -f ./*.html ./*.svg points.json

# Bytes that are not UTF-8.
printf 'x\233\377y\355\240\200' >raw
raw=$(cat raw)
harmless "bytes on a command line" 2 show "$raw"
harmless "bytes as a name" 0 app --name "$raw" --flop 1 --bytes 1 --repeat 1 -- true
printf 'name,seconds,flop,core_bytes,threads\n%s,0.5,1e9,8e9,1\n' "$raw" >points.csv
harmless "bytes in a table" 0 import csv points.csv --machine M -o raw.json
harmless "bytes in a result's point" 0 show raw.json
sed "s/\"host\": *\"/&$raw/" plain.json >bytes.json
harmless "bytes in a result" 2 show bytes.json
mkdir raws && cp bytes.json plain.json raws/
harmless "bytes in one of many" 0 fleet raws

# Output replaces only the hostile characters; JSON has them as escapes.
cp plain.json "$(printf 'u\302\205.json')"
run compare "$(printf 'u\302\205.json')" plain.json --json
expect "JSON of a file's name" status 0 true 'json machines.0.file <out | grep -q "^u"'

# Spreadsheets execute cells that begin with these characters.
for begin in = + - @; do
    printf 'name,seconds,flop,core_bytes,threads\n"%s1+cmd",0.5,1e9,8e9,1\n' "$begin" >points.csv
    run import csv points.csv --machine M --peak 1e11 -o formula.json
    sed "s/\"kernel\":\"stated/\"kernel\":\"$begin""stated/" formula.json >formulas.json
    run show formulas.json --csv
    expect "a formula $begin is disarmed" status 0 true "grep -q \"^\\\"'${begin}stated\" out"
    run compare formulas.json formulas.json --labels "${begin}a,b" --csv
    expect "a label $begin is disarmed" true "! grep -q '^\"$begin\\|,\"$begin\\|^$begin' out"
    rm formula.json
done
run show plain.json --csv
expect "texts are quoted, numbers are not" status 0 true '! grep -v "^name,\|^form," out | grep -qE "(^|,)[A-Za-z][^,]*(,|$)"' true 'grep -qE "^\"[a-z0-9.]+\",\"bandwidth\",\"DRAM\",[0-9]+,\"\",[0-9.e+]+," out'
end_of_cases
