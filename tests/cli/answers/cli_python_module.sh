# The Python module: its own tests, with the program's numbers beside them, and the examples of its page.
. "$(dirname "$0")/../cli.sh"
repository=$tests/..
PYTHONPATH=$repository/python
export PYTHONPATH PYTHONDONTWRITEBYTECODE=1 MPLCONFIGDIR="$work/matplotlib" MPLBACKEND=svg

lacks() { ! /usr/bin/python3 -c "import $1" 2>/dev/null; }
if lacks unittest; then
    skip "the Python module" "there is no python3"
    end_of_cases
    exit 0
fi
mkdir flat
for file in "$repository"/results/*.json; do
    "$carmine" show "$file" --format flat >"flat/${file##*/}" 2>err
done
FLAT=$work/flat start /usr/bin/python3 -m unittest discover -v -s "$repository/python"
expect "the module's tests" status 0 err " ... ok" err "test_names_and_numbers_are_those_of_the_program"
run -V
expect "the module has the program's version" out "carmine $(/usr/bin/python3 -c 'import carmine; print(carmine.__version__)')" lines 1
for package in pandas matplotlib; do
    lacks $package && skip "its tests with $package" "there is no $package (python3-$package)"
done
if lacks pandas || lacks matplotlib; then
    skip "the examples of the page" "they need python3-pandas and python3-matplotlib"
else
    ln -s "$repository/results" "$repository/tests" .
    start /usr/bin/python3 -m doctest "$repository/docs/python-module.md"
    expect "the examples of the page" status 0 lines 0
    cp "$repository/results/zen3-2-cores-vm.json" my.json
    sed -n '/^```python$/,/^```$/{/^```/!p}' "$repository/docs/python-module.md" >roofline.py
    start /usr/bin/python3 roofline.py
    expect "a roofline in few lines" status 0 file roofline.svg true '[ "$(grep -c . roofline.py)" -le 5 ]' \
        true 'grep -q "flop per byte" roofline.svg'
fi
end_of_cases
