#!/bin/sh
# The HTML report in a headless Chromium, driven by node. Skipped where one of the two is missing.
. "$(dirname "$0")/../cli.sh"
browser=
for name in chromium chromium-browser google-chrome; do
    [ -n "$browser" ] || browser=$(command -v $name)
done
if [ -z "$browser" ] || ! command -v node >/dev/null; then
    skip "the report in a browser" "there is no Chromium, or no node to drive it"
    end_of_cases
    exit
fi
kept=$tests/../results/granite-rapids-2-cores-vm.json
cp "$kept" made.json
run app -o made.json --name work --repeat 1 --flop 1e6 --bytes 1e7 -- true
expect "a point to draw" status 0
# A point far below the DRAM roof, with a fixed time and fixed warnings. The sweep ends at a tick of its axis.
sed 's/"seconds":\[[^]]*\]/"seconds":[5,5,0.9e-3,0.95e-3,1e-3,1.05e-3,1.2e-3]/; s/"working_set_bytes":2013265920/"working_set_bytes":4294967296/
    s/\("name":"work".*"doubts":\)\[[^]]*\]/\1["unstable","other machine"]/' made.json >one.json

files=
for number in 1 2 3 4 5 6 7 8 9 10 11 12; do
    sed 's/"host": "[^"]*"/"host": "node'$number'"/; s/^"uarch": "[^"]*"/"uarch": "Core '$number'"/' one.json >node$number.json
    files="$files node$number.json"
done
# 500 points, from far below the roofs to above them.
awk '/^  {"name":"work"/ {
    sub(/,?$/, "")
    for (i = 1; i <= 500; i++) {
        point = $0
        sub(/"name":"work"/, "\"name\":\"application " i "\"", point)
        gsub(/1000000,1000000,1000000,1000000,1000000/, flop(10 ^ (3 + i / 100)), point)
        print point (i < 500 ? "," : "")
    }
    next
}
function flop(n) { n = sprintf("%d", n); return n "," n "," n "," n "," n }
{ print }' one.json >crowd.json
# The code of a loop: one instruction is inlined, one lies apart from the others.
cat >code.part <<'J'
"annotations": [
  {"name":"work/solve:6","program":"work","function":"solve","object":"work","is_loop":true,"iterations":4000,"time_share":0.75,"samples":200,
   "lines":[{"file":"/src/work.c","line":6,"text":"    for (int i = 0; i < n; i++)"},{"file":"/src/work.c","line":7,"text":"        c[i] = square(b[i]); /* <script>hacked=4</script> */"},
            {"file":"/src/work.h","line":3,"inlined":"square","text":"return x * x; <img src=y onerror=hacked=5>"}],
   "instructions":[{"offset":32,"code_bytes":5,"text":"movsd xmm0, qword ptr [rsi+rax*8]","line":1,"executions":4000,"load_bytes":32000,"data_bits":64},
                   {"offset":37,"code_bytes":4,"text":"mulsd xmm0, xmm0","line":2,"executions":4000,"flop":4000,"data_bits":64,"time_share":0.7},
                   {"offset":60,"code_bytes":5,"text":"movsd [rdx+rax*8], xmm0","line":1,"executions":4000,"store_bytes":32000,"data_bits":64,"time_share":0.05}]}
],
J
sed '/^{$/r code.part' one.json >code.json
sed 's|"host": "[^"]*"|"host": "</script><script>hacked=1</script>"|; s|"brand": "[^"]*"|"brand": "<!-- <b onclick=x> \&amp;"|
     s|"name":"work"|"name":"<img src=x onerror=hacked=2>"|; s|^"uarch": "[^"]*"|"uarch": "</title><script>hacked=3</script>"|' code.json >hostile.json
# Two series of eight sizes, one of them powers of two.
awk '/^  {"name":"work"/ {
    sub(/,?$/, "")
    for (i = 0; i < 16; i++) {
        series = i % 2 ? "fourier cold" : "vector cold"
        size = i % 2 ? 2 ^ (5 + i) : 10000 * (1 + i * i)
        point = $0
        sub(/"name":"work"/, "\"name\":\"" series " " size "\",\"series\":\"" series "\",\"size\":" size, point)
        gsub(/1000000,1000000,1000000,1000000,1000000/, flop(10 ^ (3 + i / 3)), point)
        print point (i < 15 ? "," : "")
    }
    next
}
function flop(n) { n = sprintf("%d", n); return n "," n "," n "," n "," n }
{ print }' one.json >series.json
cp "$tests/golden/files/levels.json" .
run import nsight "$tests/imports/nsight_raw.csv" --machine "A GPU" -o gpu.json
run plot "$tests"/../results/granite*.json "$tests"/../results/zen[34]*.json "$tests/../results/zen5-2-cores-vm.json" -o kinds.html
# shellcheck disable=SC2086
run plot $files -o many.html
for number in $(seq 13 51); do
    sed 's/"host": "node1"/"host": "node'"$number"'"/; s/^"uarch": "[^"]*"/"uarch": "Core '"$number"'"/' node1.json >node"$number".json
    files="$files node$number.json"
done
run plot one.json node1.json "$tests/../results/zen4-2-cores-vm.json" --threads 2 -o elsewhere.html
# shellcheck disable=SC2086
run plot $files -o brief.html
files="${files% node13.json*}"
# shellcheck disable=SC2086
run plot ${files% node7*} -o six.html
expect "six machines" status 0
for name in one crowd series gpu code hostile levels; do
    run plot $name.json -o $name.html
    expect "report $name" status 0 err-lines 0
done
mkdir nodes && "$BUILD/tests/helpers/fleet" "$kept" 60 nodes 1 >/dev/null
run fleet nodes --plot fleet.html
expect "the page of a fleet" status 0 err-lines 0
node "$tests/browser/report.mjs" "$browser" . 2>err
[ ! -s err ] || echo "not ok the browser: $(head -n 3 err)"
end_of_cases
