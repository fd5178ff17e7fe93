# What a program executed → what that comes to. Reads "OBJECT ADDRESS EXECUTIONS JUMPS CHANCES" of one object (executions.awk),
# then that object as `objdump -d -M intel --no-show-raw-insn` prints it. Prints the sums: "KEY NUMBER" a line. The rules are
# those of docs/counting.md, and nothing is shared with asm/x86/effect.c, which this is to check.
FILENAME == executed_file {
    executions[$2] = $3
    jumps[$2] = $4
    chances[$2] = $5
    sum["instructions"] += $3
    next
}
/^ *[0-9a-f]+:\t/ {
    address = $1
    sub(/:$/, "", address)
    address = "0x" address
    if (!(address in executions))
        next
    add(executions[address], jumps[address], chances[address])
    known += executions[address]
}
END {
    sum["elsewhere"] = sum["instructions"] - known
    for (key in sum)
        printf "%s %.0f\n", key, sum[key]
}

function bytes_of(operand) {
    if (operand !~ / PTR |\]/) return 0
    if (operand ~ /^YMMWORD/) return 32
    if (operand ~ /^(XMMWORD|OWORD)/) return 16
    if (operand ~ /^TBYTE/) return 10
    if (operand ~ /^QWORD/) return 8
    if (operand ~ /^FWORD/) return 6
    if (operand ~ /^DWORD/) return 4
    if (operand ~ /^WORD/) return 2
    return operand ~ /^BYTE/
}
function flop_of(name, width) {
    if (name ~ /^f(i?(add|subr?|mul|divr?)|(add|subr?|mul|divr?)p|sqrt|scale|prem1?|2xm1|yl2x|yl2xp1|sin|cos|sincos|ptan|patan)$/)
        return 1
    if (name !~ /[sp][sd]$/) return 0
    lanes = name ~ /s[sd]$/ ? 1 : name ~ /d$/ ? width / 8 : width / 4
    sub(/^v/, "", name)
    if (name ~ /^(add|sub|mul|div|sqrt|min|max|hadd|hsub|addsub|rcp|rsqrt)[sp][sd]$/) return lanes
    if (name ~ /^(fn?m(add|sub)|fmaddsub|fmsubadd)(132|213|231)?[sp][sd]$/ || name ~ /^dpp[sd]$/) return 2 * lanes
    return 0
}
# Whether the first operand, when it lies in memory, is loaded, stored, or both.
function ways(name) {
    if (name ~ /^(v?mov|set|v?p?extr|v?extract|vcvtps2ph|v?stmxcsr|stos|pop|fst|fist|fnst|fbst)/) return "store"
    if (name ~ /^(add|sub|adc|sbb|and|or|xor|inc|dec|not|neg|sh[lr]|sa[lr]|ro[lr]|rc[lr]|shld|shrd|xchg|xadd|bts|btr|btc)$/ ||
        name ~ /^cmpxchg/) return "both"
    return "load"
}
function add(count, jumped, chanced,    name, at, operand, number, i, width, way, size, repeated, moved, line) {
    at = 2
    while ($at ~ /^(lock|rep[nez]*|bnd|notrack|data16|addr32|[c-gs]s|rex.*)$/ && at < NF) {
        if ($at ~ /^rep/ && $(at + 1) ~ /^(movs|stos|lods|scas|cmps)$/) repeated = 1
        at++
    }
    name = $at
    line = $0
    sub(/ *(#|<).*/, "", line)
    sub(/^.*:\t/, "", line)
    line = substr(line, index(line, name) + length(name))
    sub(/^ */, "", line)
    number = split(line, operand, ",")
    width = operand[1] ~ /^ymm/ ? 32 : 16
    sum["flop"] += count * flop_of(name, width)
    moved = !repeated ? count : name ~ /^(cmps|scas)/ ? chanced : jumped
    stack(name, operand[1], count)
    if (name ~ /^(lea|nop|prefetch|clflush|clwb|ud[012])/) return
    if (name ~ /^(fx|x)(save|rstor)/) {
        sum["unknown"] += count
        return
    }
    if (name ~ /gather|maskmov/) {
        sum["masked"] += count
        return
    }
    for (i = 1; i <= number; i++) {
        size = bytes_of(operand[i])
        way = i == 1 || name == "xchg" ? ways(name) : "load"
        if (way != "store") sum["load"] += moved * size
        if (way != "load") sum["store"] += moved * size
    }
}
function stack(name, operand, count) {
    if (name ~ /^push/ || name == "call") sum["stack_store"] += 8 * count
    if (name ~ /^(pop|popf|leave|ret)$/) sum["stack_load"] += 8 * count
}
