# callgrind's files → "OBJECT ADDRESS EXECUTIONS JUMPS CHANCES" of every instruction that was executed, in no order. callgrind
# counts each pass through a repeated string instruction as an execution, and how often it jumps to itself, of how many
# chances: those that compare (cmps, scas) have a chance in each iteration, the others jump once in each.
/^ob=/ { object = file = substr($0, 4); next }
/^fn=/ { object = file == "???" && / \[PLT\]$/ ? "[PLT]" : file; next } # these it puts into no file
/^calls=/ { skip = 1; next } # what the callee cost stands on the next line
/^(jump|jcnd)=/ {
    count = split(substr($1, 6), jumped, "/")
    target = $2
    skip = 2
    next
}
/^0x/ {
    if (skip == 2 && $1 == target) {
        jumps[object " " $1] += jumped[1]
        chances[object " " $1] += jumped[count]
    }
    if (!skip)
        passes[object " " $1] += $2
    skip = 0
}
END {
    for (place in passes)
        printf "%s %.0f %.0f %.0f\n", place, passes[place] - jumps[place], jumps[place], chances[place]
}
