# packaging/: the Python wheel and the conda recipe carry the static program, and the GitHub Action judges a result.
# tests/packages/ builds Debian packages and images; each takes the time of a build.
. "$(dirname "$0")/../cli.sh"
packaging=$tests/../packaging
samples=$tests/../docs/samples
export PYTHONDONTWRITEBYTECODE=1 PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
if [ ! -d "$packaging" ]; then
    skip "packages" "the tarball has no packaging/"
    end_of_cases
    exit
fi

# The action's step, with the variables and files of a runner.
mkdir path && ln -s "$carmine" path/carmine
step() { # NAME=VALUE…
    : >summary && : >outputs
    start env PATH="$work/path:$PATH" GITHUB_STEP_SUMMARY="$work/summary" GITHUB_OUTPUT="$work/outputs" \
        BASELINE="$samples/baseline.json" RESULT="$samples/node17.json" "$@" "$packaging/action/check"
}
step OPTIONS=
expect "the action: failed" status 1 out "::error title=carmine check::" true 'grep -qx "verdict=failed" outputs' \
    true 'head -n 1 summary | grep -qx "## carmine check: failed"' true 'grep -q "^|.*fail" summary' true 'grep -q "^|[ :-]*|[ :|-]*$" summary'
step RESULT="$samples/baseline.json" OPTIONS="--tolerance dram=8% --per cycle"
expect "the action: passed" status 0 not "::error" true 'grep -qx "verdict=passed" outputs' true 'head -n 1 summary | grep -qx "## carmine check: passed"'
step OPTIONS="--tolerance dram=*"
expect "the action: a wrong option" status 2 out "::error title=carmine check::" true 'grep -qx "verdict=unknown" outputs' true 'grep -q "^    carmine check: .*dram=\*" summary'
step BASELINE='$(touch executed)' OPTIONS='; touch executed'
expect "the action: no text of an input is executed" status 2 no-file executed true 'grep -qx "verdict=unknown" outputs'
step GITHUB_OUTPUT=
expect "the action: elsewhere" status 2 lines 1 out "GITHUB_OUTPUT is not set"
expect "Debian's packages are for both architectures, or for all" \
    true '[ "$(sed -n "s/^Architecture: //p" "$packaging/../debian/control" | sort | uniq -c | xargs)" = "1 all 3 amd64 arm64" ]'
step PATH=/usr/bin:/bin
if command -v carmine >/dev/null; then
    skip "the action: without carmine" "one is installed here"
else
    expect "the action: without carmine" status 2 out "there is no carmine on the PATH"
fi
# A recorder instead of the program: what is measured where there is no result.
printf '#!/bin/sh\necho "$@" >>called\n' >recorder && chmod +x recorder && ln -sf "$work/recorder" path/carmine
step RESULT=new.json OPTIONS=--strict
expect "the action: measures what is missing" status 0 true '[ "$(cat called)" = "run --quick -o new.json
check new.json --baseline $samples/baseline.json --markdown --strict" ]'
inputs=$(sed -n 's/.*\${{ inputs\.\([a-z]*\) }}.*/\1/p' "$packaging/action/action.yml" | sort | xargs)
expect "the action: declares its inputs" true '[ "$inputs" = "baseline options result" ]' \
    true '[ "$(sed -n "/^inputs:/,/^outputs:/s/^  \([a-z]*\):$/\1/p" "$packaging/action/action.yml" | sort | xargs)" = "$inputs" ]'

python=/usr/bin/python3
if ! $python -c "import venv, ensurepip" 2>/dev/null; then
    skip "the wheel and the conda recipe" "there is no python3 with venv (python3-venv)"
    end_of_cases
    exit
fi
program=$BUILD/carmine-node
if [ ! -e "$program.notices" ]; then
    program=$work/static # any static program shows how it is carried
    echo "int main(void) { return 0; }" | ${CC:-cc} -static -s -x c -o "$program" - && echo "licences" >"$program.notices"
    skip "the wheel's program measures" "there is no carmine-node (make node)"
fi
wheel() { start env CARMINE_PROGRAM="$program" "$@"; }
version=$(sed -n 's/^VERSION *:= *//p' "$tests/../Makefile")
name=carmine-$version-py3-none-manylinux2014_$(uname -m).musllinux_1_1_$(uname -m).whl
wheel $python "$packaging/python/backend.py" one
expect "the wheel" status 0 lines 1 out "one/$name" file "one/$name"
wheel env TZ=Asia/Tokyo sh -c "umask 077; cp '$program' copy; cp '$program.notices' copy.notices; CARMINE_PROGRAM=copy $python '$packaging/python/backend.py' two"
expect "the same bytes, another time, by another user's settings" status 0 true 'cmp one/*.whl two/*.whl' \
    true '[ "$($python -m zipfile -l one/*.whl | grep -c " 1980-01-01 00:00:00 ")" = 7 ]'
wheel env CARMINE_PROGRAM="$carmine" $python "$packaging/python/backend.py" three
expect "a program that needs libraries is refused" status 1 lines 0 err-lines 1 err "is no static program" err "make node" true '[ ! -e three/*.whl ]'
wheel env CARMINE_PROGRAM=nowhere $python "$packaging/python/backend.py" three
expect "a program that is not there is refused" status 1 lines 0 err-lines 1 err "nowhere: No such file" true '[ ! -e three/*.whl ]'
# The architecture is in the head of the file (e_machine, 2 bytes from 18 on: 62 is x86-64, 183 AArch64, 243 RISC-V).
for each in 62.x86_64 183.aarch64; do
    printf "\\$(printf %03o "${each%.*}")" | dd of=copy bs=1 seek=18 conv=notrunc 2>/dev/null
    wheel env CARMINE_PROGRAM=copy $python "$packaging/python/backend.py" "of-${each#*.}"
    expect "the wheel of a program for ${each#*.}" status 0 file "of-${each#*.}/carmine-$version-py3-none-manylinux2014_${each#*.}.musllinux_1_1_${each#*.}.whl" \
        true '[ "$($python -m zipfile -e of-*${each#*.}/*.whl in && sed -n "s/^Tag: //p" in/*.dist-info/WHEEL | xargs)" = "py3-none-manylinux2014_${each#*.} py3-none-musllinux_1_1_${each#*.}" ]'
done
printf '\363' | dd of=copy bs=1 seek=18 conv=notrunc 2>/dev/null
wheel env CARMINE_PROGRAM=copy $python "$packaging/python/backend.py" three
expect "a program for another architecture is refused" status 1 lines 0 err-lines 1 err "no static program for x86-64 or AArch64" true '[ ! -e three/*.whl ]'
cp "$program" copy && rm copy.notices
wheel env CARMINE_PROGRAM=copy $python "$packaging/python/backend.py" three
expect "a program without the licences of its libraries is refused" status 1 lines 0 err-lines 1 err "there is no copy.notices" err "make node" true '[ ! -e three/*.whl ]'

began=$(date +%s.%N)
start $python -m venv venv
expect "a virtual environment" status 0 file venv/bin/pip
find venv | sort >before
installed() { # case
    expect "$1" status 0 true '[ -x venv/bin/carmine ]' true 'cmp venv/bin/carmine "$program"' \
        true 'cmp venv/lib/python*/site-packages/carmine-*.dist-info/licenses/carmine-node.notices "$program.notices"'
    start venv/bin/python -c 'import carmine, sys; print(carmine.__version__, len(carmine.read(sys.argv[1]).roofs))' "$samples/node17.json"
    expect "$1: the module" status 0 true 'grep -qx "$version [1-9][0-9]*" out'
    [ "$program" != "$BUILD/carmine-node" ] || start venv/bin/carmine --version
    [ "$program" != "$BUILD/carmine-node" ] || expect "$1: the program" status 0 out "carmine $version"
}
# As a user does from a clone; pip builds the wheel by pyproject.toml.
wheel venv/bin/pip install "$packaging/python"
ended=$(date +%s.%N)
installed "pip installs it without a network"
if [ "$program" = "$BUILD/carmine-node" ]; then
    start venv/bin/carmine run --quick -o my.json
    expect "the wheel's program measures" status 0 file my.json file my.svg
    way wheel "Python wheel" "a virtual environment" "one/$name" venv "$began" "$ended"
fi
start venv/bin/pip uninstall -y carmine
find venv | sort >after
expect "and removes it" status 0 true 'cmp before after'

# The conda recipe's own commands, in the virtual environment for conda's.
recipe() { sed -n "s/^  *\(- \)\{0,1\}$1\$/\2/p" "$packaging/conda/meta.yaml"; }
script=$(recipe 'script: \(.*\)')
expect "the conda recipe: of this version, from the wheel's folder" true '[ "$(recipe "version: \(.*\)")" = "$version" ]' true '[ "$(recipe "path: \(.*\)")" = ../../build/wheel ]'
start env -C one PYTHON="$work/venv/bin/python" PKG_VERSION="$version" bash -ec "$script"
installed "the conda recipe"
expect "the conda recipe: its licences" true '[ "$(ls "one/$(recipe "license_file: \(.*\)")")" = "LICENSE
carmine-node.notices" ]'
recipe '\(carmine -.*\|carmine [a-z]*\)' >commands
[ "$program" = "$BUILD/carmine-node" ] || : >commands
start env PATH="$work/venv/bin:$PATH" sh -e commands
expect "the conda recipe's tests" status 0
end_of_cases
