# callgrind's files → "OBJECT ADDRESS EXECUTIONS JUMPS CHANCES" of every instruction that was executed, in no order. callgrind
# counts each pass through a repeated string instruction as an execution, and how often it jumps to itself, of how many
# chances: those that compare (cmps, scas) have a chance in each iteration, the others jump once in each.
/^ob=/ { object = substr($0, 4); next }
/^fn=/ { name = $0; next }
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
    if (!skip) {
        if (!((object " " $1) in passes)) {
            instructions[name]++
            name_of[$1] = name
        }
        passes[object " " $1] += $2
    }
    skip = 0
}
END {
    for (place in passes)
        printf "%s %.0f %.0f %.0f\n", known(place), passes[place] - jumps[place], jumps[place], chances[place]
}
# The jumps to other libraries (.plt, .plt.got) it puts into no file: functions of a single instruction.
function known(place,    part) {
    split(place, part, " ")
    return part[1] == "???" && instructions[name_of[part[2]]] == 1 ? "[PLT] " part[2] : place
}
