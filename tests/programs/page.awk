# The rows of tests/programs/programs, and what was found of each → docs/programs.md. `figures`: the folder with a file of
# "KEY VALUE" lines for each row; `host`: where they were measured. "#why NAME: TEXT" explains a difference.
BEGIN { FS = " [|] " }
/^# / { heading = substr($0, 3); next }
/^#why / {
    at = index($0, ": ")
    why[substr($0, 6, at - 6)] = substr($0, at + 2)
    next
}
/^#/ || /^$/ { next }
read_figures(figures "/" $1) {
    if (heading != "") {
        end_section()
        sections = sections "## " heading "\n\n"
        heading = ""
    }
    if ("refused" in figure)
        refused = refused sprintf("| %s | %s | %s | %s |\n", $1, $2, $3, figure["refused"])
    else
        row($1, $2, $3)
    if ($5 != "")
        formula_row($1, $5)
}
END {
    end_section()
    print_page()
}

function read_figures(path,    line, at) {
    split("", figure)
    while ((getline line <path) > 0) {
        at = index(line, " ")
        figure[at ? substr(line, 1, at - 1) : line] = at ? substr(line, at + 1) : ""
    }
    close(path)
    return "ratio" in figure && "counted_instructions" in figure || "refused" in figure # what else was cut off in its middle
}
function end_section() {
    if (rows != "")
        sections = sections "| program | package | what it does | instructions | off by | moves by | bytes | off by | flop | off by | native | counted |\n" \
            "|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n" rows "\n"
    if (refused != "")
        sections = sections "| program | package | what it does | what is said |\n|---|---|---|---|\n" refused "\n"
    rows = refused = ""
}
function thousands(number,    text) {
    text = sprintf("%.0f", number)
    while (match(text, /[0-9][0-9][0-9][0-9](,|$)/))
        text = substr(text, 1, RSTART) "," substr(text, RSTART + 1)
    return text
}
function off(counted, other,    difference) {
    difference = counted - other
    return difference == 0 ? "=" : (difference > 0 ? "+" : "−") thousands(difference > 0 ? difference : -difference)
}
# All bytes, of what was counted in one way: "counted" or "independent".
function bytes(way) {
    return figure[way "_load"] + figure[way "_store"] + figure[way "_stack_load"] + figure[way "_stack_store"]
}
# What lies in no file (code that was written while the program ran) is no one else's to tell.
function is_told() { return figure["independent_elsewhere"] + 0 < figure["independent_instructions"] / 500 }
function row(name, package, what,    both, told, share, spread) {
    both = figure["independent_instructions"] > 0 && figure["independent_differs"] !~ /status|out/
    told = both && is_told()
    spread = figure["highest"] - figure["lowest"]
    tried++
    if (both) judge(told)
    if (figure["natively_differs"] != "") otherwise = otherwise ", " name " (" in_words(figure["natively_differs"]) ")"
    rows = rows sprintf("| %s%s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %.2f s | %.2f |\n", name, note(name), package, what,
        thousands(figure["counted_instructions"]), both ? off(figure["counted_instructions"], figure["independent_instructions"]) : "",
        both ? thousands(spread) : "",
        thousands(bytes("counted")), told ? off(bytes("counted"), bytes("independent")) : "",
        thousands(figure["counted_flop"]), told ? off(figure["counted_flop"], figure["independent_flop"]) : "",
        figure["native_s"], figure["ratio"])
    ratios[tried] = figure["ratio"]
}
function in_words(parts) {
    sub(/err/, "standard error", parts)
    sub(/out/, "output", parts)
    return parts
}
function judge(told,    share) {
    compared++
    share = figure["counted_instructions"] / figure["independent_instructions"] - 1
    share = share < 0 ? -share : share
    closest += share < 0.00001
    close_by += share < 0.005
    flop_told += told
    flop_equal += told && figure["counted_flop"] == figure["independent_flop"]
}
function formula_row(name, text,    value) {
    value = formula(text)
    if (value > 0 && figure["counted_flop"] > 0)
        formula_rows = formula_rows sprintf("| %s | %s | %s | %s | %.4f |\n", name, text == "printed" ? "`fftw_flops`, which it prints" : "`" text "`",
            thousands(value), thousands(figure["counted_flop"]), figure["counted_flop"] / value)
}
# Programs with the same reason share a number.
function note(name,    text) {
    if (!(name in why)) return ""
    text = why[name]
    if (!(text in number_of)) {
        number_of[text] = ++notes
        text_of[notes] = text
    }
    names_of[number_of[text]] = names_of[number_of[text]] ", " name
    return " (" number_of[text] ")"
}
# An expression of arithmetic, or "printed": what the program says itself.
function formula(text,    value) {
    if (text == "printed") return figure["printed_flop"]
    ("awk 'BEGIN { printf \"%.0f\", " text " }'") | getline value
    return value
}
function print_page() {
    print "# Real programs, natively and counted\n"
    print tried " programs of Debian 12, each run natively, counted ([counting.md](counting.md)), and counted independently. " host "."
    print "`tests/programs/run BUILD && tests/programs/page BUILD >docs/programs.md` makes this page again, for the installed programs, by the command lines of"
    print "[programs](../tests/programs/programs).\n"
    print "- **Same work.** Each counted program had the same output, status, files and standard error as natively. Output that differs between"
    print "  native runs was not compared: " (otherwise == "" ? "nothing" : substr(otherwise, 3)) "."
    print "- **Independently** means without Carmine: callgrind reports the executions of each address, binutils' `objdump` the instruction there,"
    print "  `tests/programs/worth.awk` its cost. **Off by** is the excess (+) or deficit (−) of the counter; = means no difference."
    print "- **" closest " of " compared " counts of instructions agree to 10 parts in a million**, " close_by " to 0.5 %. **Flop are the same in " flop_equal " of " flop_told ".** Start and end differ by"
    print "  a fixed 100 to 5,000 instructions. Larger differences arise under valgrind: all addresses change, so string functions, allocators"
    print "  and tables of pointers do other work. A comparison address by address confirmed this for the examined programs."
    print "- **Moves by** is the range of the counter's own number in three runs at other addresses. Numbers after names refer to [other"
    print "  reasons](#why-they-differ)."
    print "- Both looked symbols up before the count began. CPU features that valgrind does not show were switched off if a library allows it."
    print "- **Counted** is CPU time, user and system, of all processes, as a multiple of **native**: the median of several pairs of runs."
    printf "\n%s", sections
    print "## Flop by formula\n"
    print "The counts also include making the input, and printing.\n"
    print "| program | formula | its flop | counted | ratio |\n|---|---|--:|--:|--:|"
    print formula_rows "\n## Why they differ\n"
    for (i = 1; i <= notes; i++)
        printf "%d. **%s**: %s\n", i, substr(names_of[i], 3), text_of[i]
}
